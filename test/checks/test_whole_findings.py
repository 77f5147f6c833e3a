"""What findings on joints, frames, names and distances say: severity, words, line, path, and hint. One part a line."""

import pytest

from sdf_frames.load import load_text

LINKS = ['<link name="a"/>', '<link name="b"/>']  # lines 2 and 3
MODEL = '/sdf/model[@name="m"]'
NOBODY = "name a frame of this scope, or define one of that name"


def check(*lines, attributes="", version="1.12", kind="model"):
    """Parts of a model (or world) -> whole findings; the path as what comes after the model's."""
    text = "\n".join([f'<sdf version="{version}"><{kind} name="m"{attributes}>', *lines, f"</{kind}></sdf>"])
    base = f'/sdf/{kind}[@name="m"]'
    return [(d.severity, d.message, d.line, (d.path or "").removeprefix(base), d.hint)
            for d in load_text(text).diagnostics]


def joint(inside="", parent="a", child="b", kind="revolute", name="j"):
    axis = "<axis><xyz>0 0 1</xyz></axis>" if not inside and kind == "revolute" else inside
    return f'<joint name="{name}" type="{kind}">\n<parent>{parent}</parent>\n<child>{child}</child>{axis}</joint>'


J = '/joint[@name="j"]'
SWAP = "swap parent and child"


@pytest.mark.parametrize("parent, child, found", [
    ("a", "b", []), ("world", "b", []), ("b", "a", []), ("f", "b", []),
    ("a", "world", [("error", "the child of joint 'j' is the world", 7, J + "/child", SWAP)]),
    ("world", "world", [("error", "the child of joint 'j' is the world", 7, J + "/child",
                         "so is its parent; name a link of the model as the child")]),
    ("j", "b", [("error", "joint 'j' names itself as its parent", 6, J + "/parent", "name a link as the parent")]),
    ("aa", "b", [("error", "the parent 'aa' of joint 'j' is not in its scope", 6, J + "/parent", "did you mean 'a'?")]),
    ("zzzzz", "b", [("error", "the parent 'zzzzz' of joint 'j' is not in its scope", 6, J + "/parent", NOBODY)]),
    ("zzzzz", "world", [
        ("error", "the child of joint 'j' is the world", 7, J + "/child", SWAP),
        ("error", "the parent 'zzzzz' of joint 'j' is not in its scope", 6, J + "/parent", NOBODY)]),
    ("a", "a", [("error", "parent and child of joint 'j' are the same body 'a'", 5, J, "name two different links")]),
    ("f", "a", [("error", "parent and child of joint 'j' are the same body 'a'", 5, J, None)]),
    ("a", "f", [("error", "parent and child of joint 'j' are the same body 'a'", 5, J, None)])])
def test_the_ends_of_a_joint(parent, child, found):
    frame = '<frame name="f" attached_to="a"/>'
    said = check(*LINKS, frame, joint(parent=parent, child=child))
    assert [row for row in said if row[0] != "info"] == found


def test_the_child_of_a_joint_in_a_world():
    """What is attached to a static model or to the world cannot be moved."""
    model = '<model name="{0}"><static>{1}</static><link name="l"/></model>'
    frame = '<frame name="f" attached_to="world"/>'
    parts = [model.format("s", "true"), model.format("t", "false"), frame]
    wrong = ("error", "the child of joint 'j' is the world", 7, J + "/child")
    neither = "so is its parent; name a link of the model as the child"
    for parent, child, found in (
            ("s::l", "t::l", []), ("s::l", "f", [(*wrong, SWAP)]), ("s::l", "world", [(*wrong, SWAP)]),
            ("world", "world", [(*wrong, neither)])):
        assert check(*parts, joint(parent=parent, child=child), kind="world") == found


@pytest.mark.parametrize("kind, found", [
    ("swing", [("error", "joint 'j' has the unknown type 'swing'", 4, J,
                "use one of: ball, continuous, fixed, gearbox, prismatic, revolute, revolute2, screw, universal")]),
    ("fixed", [])])
def test_the_type_of_a_joint(kind, found):
    assert [row for row in check(*LINKS, joint(kind=kind)) if "type" in row[1]] == found


@pytest.mark.parametrize("xyz, length", [("0 0 0", "0"), ("1e-11 0 0", "1e-11"), ("0 1e-3 0", None), ("0 0 -1", None)])
def test_the_length_of_an_axis(xyz, length):
    def expect(axis: str) -> list:
        return [] if length is None else [
            ("error", f"the axis of joint 'j' has no direction: its length is {length}", 7, f"{J}/{axis}/xyz",
             "write the direction of the axis as xyz, such as 0 0 1")]
    first = f"\n<axis><xyz>{xyz}</xyz></axis>"
    assert check(*LINKS, joint(first)) == expect("axis")
    second = f"<axis><xyz>1 0 0</xyz></axis>\n<axis2><xyz>{xyz}</xyz></axis2>"
    assert check(*LINKS, joint(second, kind="universal")) == expect("axis2")


def test_the_frame_of_an_axis():
    first = '\n<axis>\n<xyz expressed_in="bb">0 0 1</xyz></axis>'
    assert check(*LINKS, joint(first)) == [
        ("error", "the axis of joint 'j' is expressed in 'bb', which is not in its scope", 8, J + "/axis/xyz",
         "did you mean 'b'?")]


def mimic(leader, axis="axis", inside="<multiplier>1</multiplier><offset>0</offset><reference>0</reference>"):
    return f'<axis><xyz>0 0 1</xyz>\n<mimic joint="{leader}" axis="{axis}">{inside}</mimic></axis>'


ANOTHER = "name another joint and its axis, or remove <mimic>"


@pytest.mark.parametrize("leader, axis, problem, hint", [
    ("k", "axis", None, None), ("u", "axis2", None, None),
    ("k", "axis2", "that joint has no axis2", ANOTHER),
    ("k", "axis3", "its axis 'axis3' is neither axis nor axis2", ANOTHER),
    ("kk", "axis", "there is no joint of that name", "did you mean 'k'?"),
    ("c", "axis", "there is no joint of that name", ANOTHER),
    ("zzzzzz", "axis", "there is no joint of that name", ANOTHER),
    ("j", "axis", "an axis cannot follow itself", ANOTHER)])
def test_the_leader_of_a_mimic(leader, axis, problem, hint):
    two = "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>1 0 0</xyz></axis2>"
    said = check(*LINKS, joint(mimic(leader, axis)), joint(child="c", name="k"), '<link name="c"/><link name="d"/>',
                 joint(two, parent="c", child="d", kind="universal", name="u"))
    assert said == ([] if problem is None else [
        ("error", f"joint 'j' mimics '{leader}': {problem}", 7, J + "/axis/mimic", hint)])


def test_an_axis_may_follow_the_other_of_its_joint():
    axes = f"{mimic('j', 'axis2')}<axis2><xyz>1 0 0</xyz></axis2>"
    assert check(*LINKS, joint(axes, kind="universal")) == []
    axes = f"<axis><xyz>1 0 0</xyz></axis>{mimic('j', 'axis2').replace('axis>', 'axis2>')}"
    assert [row[1] for row in check(*LINKS, joint(axes, kind="universal"))] == [
        "joint 'j' mimics 'j': an axis cannot follow itself"]


def nest(*lines, depth):
    """The lines in models n, which stand in each other."""
    for _ in range(depth):
        lines = ['<model name="n">' + lines[0], *lines[1:-1], lines[-1] + "</model>"]
    return lines


@pytest.mark.parametrize("kind, depth, severity", [
    ("model", 0, "error"), ("model", 1, "warning"), ("world", 1, "error"), ("world", 2, "warning")])
def test_joints_of_nested_models(kind, depth, severity):
    """libsdformat resolves those of root models and of a world's own models."""
    parts = nest(*LINKS, joint(parent="zzzzz"), joint('\n<axis><xyz expressed_in="bbbb">0 0 1</xyz></axis>', name="k"),
                 depth=depth)
    base = [] if depth else ['<link name="base"/>']
    found = [row for row in check(*(base if kind == "model" else []), *parts, kind=kind) if "scope" in row[1]]
    assert [(row[0], row[1].split(",")[0]) for row in found] == [
        (severity, "the parent 'zzzzz' of joint 'j' is not in its scope"),
        (severity, "the axis of joint 'k' is expressed in 'bbbb'")]


L = '/link[@name="a"]'
UNKNOWN = "is relative to 'zzzzz', which is not in its scope"


@pytest.mark.parametrize("part, kind, path", [
    ('<collision name="p">\n<pose relative_to="zzzzz"/><geometry><box/></geometry></collision>', "collision",
     '/collision[@name="p"]/pose'),
    ('<visual name="p">\n<pose relative_to="zzzzz"/><geometry><box/></geometry></visual>', "visual",
     '/visual[@name="p"]/pose'),
    ('<sensor name="p" type="imu">\n<pose relative_to="zzzzz"/></sensor>', "sensor", '/sensor[@name="p"]/pose'),
    ('<light name="p" type="point">\n<pose relative_to="zzzzz"/></light>', "light", '/light[@name="p"]/pose')])
def test_the_frame_of_a_part_of_a_link(part, kind, path):
    assert check(f'<link name="a">\n{part}</link>') == [
        ("warning", f"the pose of {kind} 'p' {UNKNOWN}", 4, L + path, NOBODY)]


@pytest.mark.parametrize("auto, severity", [("false", "warning"), ("true", "error")])
def test_an_automatic_inertia_needs_to_know_where_collisions_are(auto, severity):
    box = "<geometry><box><size>1 1 1</size></box></geometry>"
    shapes = "".join(f'<{tag} name="p">\n<pose relative_to="aa"/>{box}</{tag}>' for tag in ("collision", "visual"))
    said = check(f'<link name="a"><inertial auto="{auto}"/>{shapes}</link>')
    what = "the pose of {} 'p' is relative to 'aa', which is not in its scope"
    assert [row for row in said if "scope" in row[1]] == [
        (severity, what.format("collision"), 3, L + '/collision[@name="p"]/pose', "did you mean 'a'?"),
        ("warning", what.format("visual"), 4, L + '/visual[@name="p"]/pose', "did you mean 'a'?")]


def test_frames_of_the_parts_of_joints_and_worlds():
    sensor = '\n<sensor name="s" type="force_torque"><pose relative_to="zzzzz"/></sensor>'
    assert check(*LINKS, joint(sensor, kind="fixed")) == [
        ("warning", f"the pose of sensor 's' {UNKNOWN}", 7, J + '/sensor[@name="s"]/pose', NOBODY)]
    assert check('<light name="s" type="point"><pose relative_to="zzzzz"/></light>', kind="world") == [
        ("warning", f"the pose of light 's' {UNKNOWN}", 2, '/light[@name="s"]/pose', NOBODY)]


def test_the_frame_of_an_inertial():
    """Its pose could name one until 1.6."""
    inertial = '<inertial>\n<pose frame="aa">0 0 0 0 0 0</pose></inertial>'
    said = check(f'<link name="a">{inertial}</link>', version="1.6")
    assert [row for row in said if "scope" in row[1]] == [
        ("warning", "the pose of the inertial of 'a' is relative to 'aa', which is not in its scope", 3,
         L + "/inertial/pose", "did you mean 'a'?")]


CANONICAL = "name a link in canonical_link"


@pytest.mark.parametrize("name, found", [
    ("a", []), ("f", [("error", "the canonical link 'f' of model 'm' is a frame", 1, "", CANONICAL)]),
    ("j", [("error", "the canonical link 'j' of model 'm' is a joint", 1, "", CANONICAL)]),
    ("aa", [("error", "the canonical link 'aa' of model 'm' does not exist", 1, "", "did you mean 'a'?")])])
def test_the_canonical_link_of_a_root_model(name, found):
    assert check(*LINKS, '<frame name="f" attached_to="a"/>', joint(), attributes=f' canonical_link="{name}"') == found


@pytest.mark.parametrize("kind, depth, severity", [
    ("model", 1, "warning"), ("world", 1, "error"), ("world", 2, "warning")])
def test_the_canonical_link_of_a_nested_model(kind, depth, severity):
    inner = '<model name="x" canonical_link="f"><link name="l"/><frame name="f" attached_to="l"/></model>'
    parts = inner if depth == 1 else f'<model name="n">{inner}</model>'
    said = check(*(LINKS[:1] if kind == "model" else []), parts, kind=kind)
    path = '/model[@name="x"]' if depth == 1 else '/model[@name="n"]/model[@name="x"]'
    assert said == [(severity, "the canonical link 'f' of model 'x' is a frame", 3 if kind == "model" else 2,
                     path, CANONICAL)]


@pytest.mark.parametrize("pose, distance", [("999 0 0 0 0 0", None), ("1000 0 0 0 0 0", "1000"),
                                            ("0 0 -2e3 0 0 0", "2000"), ("1 1200.5 0 0 0 0", "1200.5")])
@pytest.mark.parametrize("line, text, kind, name", [
    (3, '<link name="b"><pose>{}</pose></link>', "link", "b"), (4, None, "joint", "j"),
    (4, '<frame name="f"><pose>{}</pose></frame>', None, "f")])
def test_distances_that_look_like_millimetres(pose, distance, line, text, kind, name):
    if kind == "link":
        parts = [LINKS[0], text.format(pose), joint()]
    else:
        parts = [*LINKS, text.format(pose) if text else joint(f"<pose>{pose}</pose>", kind="fixed"),
                 *([joint()] if text else [])]
    assert check(*parts) == ([] if distance is None or kind is None else [
        ("warning", f"{kind} '{name}' is {distance} m away from the frame that its pose is relative to", line,
         f'/{kind}[@name="{name}"]', "check the unit: lengths are in metres, not in millimetres")])


def test_two_joints_with_one_child():
    text = [*LINKS, '<link name="c"/>', joint(), joint(parent="c", name="k")]
    loaded = load_text("\n".join(['<sdf version="1.12"><model name="m">', *text, "</model></sdf>"]))
    (finding,) = loaded.diagnostics  # and not that nothing joins link c
    assert finding[1:] == (
        "link-with-several-parents", "warning", "link 'b' is the child of joint 'k' and of joint 'j'", None, 8,
        MODEL + '/joint[@name="k"]',
        "unless a loop is meant, correct the child, or exchange parent and child of one of the joints; URDF and TF use "
        "only the first", finding.related, None, 1,
        (), ())
    assert [related[:3] for related in finding.related] == [("joint 'j'", 5, MODEL + J)]


@pytest.mark.parametrize("count, more", [(8, ""), (9, " …")])
def test_many_loops_are_counted_and_eight_are_named(count, more):
    joints = [joint(name=f"j{i}", kind="fixed") for i in range(count + 1)]
    said = [row for row in check(*LINKS, *joints) if row[0] == "info"]
    names = ", ".join(f"'j{i}'" for i in range(1, 9))
    assert said == [("info", f"the joints form {count} kinematic loop{'s' * (count > 1)}, closed by {names}{more}", 7,
                     '/joint[@name="j1"]',
                     "URDF cannot express them; some physics engines need extra settings for them")]


@pytest.mark.parametrize("joints, said", [
    # A body is fixed to the world twice.
    ([joint(parent="world", child="a", kind="fixed"), joint(name="k", kind="fixed"),
      joint(parent="world", name="l", kind="fixed")],
     ["link 'b' is the child of joint 'l' and of joint 'k'", "the joints form 1 kinematic loop, closed by 'l'"]),
    # A joint of one body does not hide the loops after it.
    ([joint(parent="a", child="a", kind="fixed", name="i"), joint(kind="fixed"), joint(kind="fixed", name="k")],
     ["parent and child of joint 'i' are the same body 'a'", "link 'b' is the child of joint 'k' and of joint 'j'",
      "the joints form 1 kinematic loop, closed by 'k'"])])
def test_loops_of_fixed_joints(joints, said):
    assert [row[1] for row in check(*LINKS, *joints)] == said


RESERVED = "the {} name '__x__' is reserved"


@pytest.mark.parametrize("text, kind, path", [
    ('<link name="__x__"/>', "link", '/link[@name="__x__"]'),
    ('<frame name="__x__"/>', "frame", '/frame[@name="__x__"]'),
    ('<model name="__x__"><link name="l"/></model>', "model", '/model[@name="__x__"]'),
    ('<link name="l"><collision name="__x__"><geometry><box/></geometry></collision></link>', "collision",
     '/link[@name="l"]/collision[@name="__x__"]'),
    ('<link name="l"><visual name="__x__"><geometry><box/></geometry></visual></link>', "visual",
     '/link[@name="l"]/visual[@name="__x__"]'),
    ('<link name="l"><sensor name="__x__" type="imu"/></link>', "sensor", '/link[@name="l"]/sensor[@name="__x__"]'),
    ('<joint name="j" type="fixed"><parent>a</parent><child>b</child><sensor name="__x__" type="force_torque"/>'
     "</joint>", "sensor", '/joint[@name="j"]/sensor[@name="__x__"]'),
    ('<joint name="__x__" type="fixed"><parent>a</parent><child>b</child></joint>', "joint", '/joint[@name="__x__"]')])
@pytest.mark.parametrize("nested", [False, True])
def test_reserved_names(text, kind, path, nested):
    parts = [*LINKS, text]
    said = check(*(nest(*parts, depth=1) if nested else parts))
    said = [row for row in said if "reserved" in row[1] and "__x__" in row[1]]
    assert [row[:4] for row in said] == [
        ("error", RESERVED.format(kind), 4, ('/model[@name="n"]' if nested else "") + path)]


@pytest.mark.parametrize("version, severity, words", [
    ("1.6", "warning", "SDFormat 1.6 and older allow it, but libsdformat 12 and later"),
    ("1.7", "error", "'world' and names that start and end with two underscores are reserved")])
def test_a_link_called_world_was_allowed_until_1_6(version, severity, words):
    text = f'<sdf version="{version}"><model name="m"><link name="world"/></model></sdf>'
    (found,) = [d for d in load_text(text).diagnostics if d.name == "name-reserved"]
    assert found.severity == severity and words in found.hint


JOINED = "".join([*LINKS, '<joint name="j" type="{}"><parent>a</parent><child>b</child>',
                  "<axis><xyz{}>0 0 1</xyz>{}</axis></joint>"])
FIRST = JOINED.format("revolute", "", "")


@pytest.mark.parametrize("attributes, text", [
    ("", FIRST + '<frame name="f" attached_to="zz9"/>'),
    ("", FIRST + '<frame name="f"><pose relative_to="zz9"/></frame>'),
    ("", FIRST + '<model name="n"><pose relative_to="zz9"/><static>1</static></model>'),
    (' canonical_link="zz9"', FIRST), (' canonical_link="zz9"', FIRST + "<static>1</static>"),
    (' canonical_link="zz9"', FIRST + '<frame name="zz9" attached_to="a"/>'), (' placement_frame="zz9"', FIRST),
    ("", JOINED.format("zz9", "", "")), ("", JOINED.format("revolute", ' expressed_in="zz9"', "")),
    ("", JOINED.format("revolute", "", '<mimic joint="zz9"><multiplier>1</multiplier></mimic>')),
    ("", FIRST + '<model name="n"><static>1</static><link name="l"><collision name="c"><pose relative_to="zz9"/>'
                 "<geometry><box/></geometry></collision></link></model>"),
    ("", FIRST + '<frame name="__zz9__"/>'),
    ("", FIRST + '<frame name="f" attached_to="zz9"/><frame name="zz9" attached_to="f"/>'),
    ("", FIRST + '<frame name="f"><pose relative_to="zz9"/></frame><frame name="zz9"><pose relative_to="f"/></frame>')])
def test_the_column_is_that_of_the_word_that_is_wrong(attributes, text):
    whole = f'<sdf version="1.12"><model name="m"{attributes}>{text}</model></sdf>'
    finding = load_text(whole).diagnostics[0]
    word = "__zz9__" if "__zz9__" in text else "zz9"
    assert "zz9" in finding.message and finding.column == whole.index(f'"{word}"') + 2
