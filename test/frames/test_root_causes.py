"""One mistake is one finding: what follows from it is not reported again."""
import pytest

from sdf_frames.load import load_text

L = '<link name="l"/>'
M = '<model name="m">%s</model>'


def joint(name, parent, child, rest=""):
    return f'<joint name="{name}" type="revolute">{rest}<parent>{parent}</parent><child>{child}</child></joint>'


CASES = {
    "attached to the root": (M % (L + '<frame name="f" attached_to="__root__"/>'), "reference-to-root"),
    "posed in the root": (M % (L + '<frame name="f"><pose relative_to="__root__"/></frame>'), "reference-to-root"),
    "the root as canonical link": (f'<model name="m" canonical_link="__root__">{L}</model>', "reference-to-root"),
    "placed by the root": (f'<model name="m" placement_frame="__root__">{L}</model>', "reference-to-root"),
    "a canonical link in a circle": (f'<model name="m" canonical_link="f">{L}<frame name="f"/></model>',
                                     "canonical-link-on-nothing"),
    "a canonical frame on nothing, which are two mistakes": (
        f'<model name="m" canonical_link="f">{L}<frame name="f" attached_to="x"/></model>',
        "frame-attached-to-unknown canonical-link-on-nothing"),
    "a joint on an unknown child": (
        M % (L + joint("j", "l", "x") + '<frame name="f" attached_to="j"/>' + joint("k", "f", "j")),
        "joint-child-unknown"),
    "a placement frame in a circle": (
        f'<world name="w"><model name="m" placement_frame="f">{L}<frame name="f"><pose relative_to="f"/></frame>'
        f'</model></world>', "pose-relative-to-cycle"),
    "an unknown placement frame": (f'<world name="w"><model name="m" placement_frame="x">{L}</model></world>',
                                   "placement-frame-unknown"),
    "a model without links in a world": ('<world name="w"><model name="m"/><frame name="f" attached_to="m"/></world>',
                                         "model-without-link"),
    "an unknown canonical link": (
        f'<world name="w"><model name="m" canonical_link="x">{L}</model><frame name="f" attached_to="m"/></world>',
        "canonical-link-unknown"),
    "a moment that is no number": (
        M % '<link name="l"><inertial><inertia><ixx>abc</ixx><iyy>.1</iyy><izz>.1</izz></inertia></inertial></link>',
        "value-invalid"),
    "a moment that is empty": (
        M % '<link name="l"><inertial><inertia><ixx/><iyy>.1</iyy><izz>.1</izz></inertia></inertial></link>',
        "element-empty"),
    "a joint without a name and an end": (M % (L + '<joint name="" type="fixed"><parent>l</parent><child/></joint>'),
                                          "attribute-empty element-empty"),
    "a link twice": (M % (L + L + '<frame name="f" attached_to="l"/>'), "name-duplicate"),
    "a frame named as a link": (M % (L + '<frame name="l" attached_to="l"/>'), "name-shared"),
    "a joint without its child": (
        M % (L + '<joint name="j" type="fixed"><parent>l</parent></joint><frame name="f" attached_to="j"/>'),
        "element-missing"),
    "a root model posed in the root": (M % ('<pose relative_to="__root__"/>' + L), "reference-to-root"),
    "a canonical link that a nested model names": (
        M % f'<model name="n"><model name="o" canonical_link="x">{L}</model></model>', "canonical-link-unknown"),
    "a joint of an empty type": (M % (L + joint("j", "world", "l").replace("revolute", "")), "attribute-empty"),
    "a mimic of no joint": (M % (L + joint("j", "world", "l", "<axis><mimic/></axis>")), "attribute-missing"),
    "a mimic of an empty name": (M % (L + joint("j", "world", "l", '<axis><mimic joint=""/></axis>')),
                                 "attribute-empty"),
    "a ball joint without its child": (M % (L + '<joint name="j" type="ball"><parent>l</parent></joint>'),
                                       "element-missing"),
    "a joint named as its parent": (M % (joint("l", "l", "k") + L + '<link name="k"/>'), "name-shared"),
    "a placement that overflows": (
        f'<world name="w"><model name="m" placement_frame="f"><pose>1e308 0 0 0 0 0</pose>{L}<frame name="f">'
                                   '<pose>-1e308 0 0 0 0 0</pose></frame></model></world>', "pose-overflow"),
}


@pytest.mark.parametrize("case", CASES)
def test_one_mistake_is_one_finding(case):
    body, name = CASES[case]
    loaded = load_text(f'<sdf version="1.12">{body}</sdf>')
    assert [d.name for d in loaded.diagnostics if d.severity != "info"] == name.split()
    assert not loaded.valid


MISSING = "<include><uri>model://gone</uri></include>"
NAMED = "<include><uri>model://gone</uri><name>n</name></include>"
FRAME = '<frame name="f"/>'
INNER = '<include merge="true"><uri>inner.sdf</uri></include><link name="k"/>'
AXIS = '<axis><xyz expressed_in="other">0 0 1</xyz></axis>'
MERGED = '<include merge="true"><uri>model://gone</uri></include>'


@pytest.mark.parametrize("body, unknown", [
    (M % (NAMED + joint("j", "n::a", "n::b", '<axis><xyz expressed_in="n::c">0 0 1</xyz></axis>')), []),
    (M % (MISSING + L + joint("j", "gone", "l")), []),
    (M % (MISSING + L + joint("j", "inner::a", "l")), []),
    (M % (MERGED + '<frame name="f" attached_to="a"><pose relative_to="b::c"/></frame>'), []),
    (f'<model name="m" canonical_link="n::l">{NAMED}</model>', []),
    (f'<world name="w">{M % NAMED}<frame name="f" attached_to="m::n::a"/></world>', []),
    (f'<world name="w">{M % (L + MISSING)}<frame name="f" attached_to="m::l"/><frame name="g" attached_to="m::x"/>'
     f'</world>', ["'m::x'"]),
    (M % (MISSING + L + joint("j", "typo", "l")), ["'typo'"]),
    (M % (NAMED + L + joint("j", "other::a", "l")), ["'other::a'"]),
    # An axis in the model of the parent, as an old <use_parent_model_frame> puts it.
    (M % (MISSING + L + joint("j", "other::a", "l", AXIS)), []),
    (M % (NAMED + L + joint("j", "other::a", "l", AXIS)), ["'other::a'"]),
    (M % (MISSING + L + joint("j", "gone::a", "l", AXIS)), ["'other'"]),
    (M % (MERGED + L + '<frame name="f" attached_to="l::a"/>'), ["'l::a'"]),
])
def test_a_failed_include_is_the_only_error_about_its_content(body, unknown):
    found = [d for d in load_text(f'<sdf version="1.12">{body}</sdf>').diagnostics if d.severity != "info"]
    assert [d.name for d in found if d.name.startswith("uri")] == ["uri-not-found"]
    rest = [d.message for d in found if not d.name.startswith("uri")]
    assert len(rest) == len(unknown) and all(word in message for word, message in zip(unknown, rest))


@pytest.mark.parametrize("names, count", [(("", ""), 1), (("<name>a</name>", "<name>b</name>"), 1), (("",), 0)])
def test_a_file_that_is_merged_twice_is_one_finding(tmp_path, names, count):
    (tmp_path / "inner.sdf").write_text(f'<sdf version="1.12"><model name="i">{L}{FRAME}</model></sdf>')
    (tmp_path / "m.sdf").write_text(f'<sdf version="1.12">{M % INNER}</sdf>')
    body = M % "".join(f'<include merge="true"><uri>m.sdf</uri>{name}</include>' for name in names)
    found = load_text(f'<sdf version="1.12">{body}</sdf>', str(tmp_path / "w.sdf")).diagnostics
    assert [d.name for d in found if d.severity == "error"] == ["name-duplicate"] * count


def test_an_empty_placement_frame_needs_a_pose_too(tmp_path):
    (tmp_path / "m.sdf").write_text(f'<sdf version="1.12">{M % L}</sdf>')
    body = '<world name="w"><include><uri>m.sdf</uri><placement_frame/>{}</include></world>'
    for pose, names in (("", ["placement-frame-without-pose"]), ("<pose/>", [])):
        found = load_text(f'<sdf version="1.12">{body.format(pose)}</sdf>', str(tmp_path / "w.sdf")).diagnostics
        assert [d.name for d in found] == names


@pytest.mark.parametrize("case", ["a placement frame in a circle", "an unknown placement frame"])
def test_a_model_that_cannot_be_placed_has_no_pose(case):
    (scope,) = load_text(f'<sdf version="1.12">{CASES[case][0]}</sdf>').scopes
    assert {f.name: f.pose for f in scope.frames if f.name in ("m", "m::l")} == {"m": None, "m::l": None}
