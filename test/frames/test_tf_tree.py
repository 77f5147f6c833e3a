"""Whole TF trees: each child with its parent, its place there, and whether it can move. Worked out by hand."""

import pytest
from urdf_text import joint as urdf_joint
from urdf_text import link, robot

import sdf_frames as sf
from sdf_frames.diagnostics import Location
from sdf_frames.frames.kinematics import JointAxis, Motion, MovingJoint
from sdf_frames.frames.tf import build_tf_tree
from sdf_frames.load import load_text

AXIS = "<axis><xyz>0 0 1</xyz></axis>"


def joint(name, kind, parent, child):
    return (f'<joint name="{name}" type="{kind}"><parent>{parent}</parent><child>{child}</child>'
            f'{AXIS if kind in ("revolute", "screw") else ""}</joint>')


def build(text, **options):
    loaded = load_text(text)
    assert loaded.valid, loaded.diagnostics
    return build_tf_tree(loaded.graphs[0], loaded.robot, **options)


def read(built):
    return {t.child: (t.parent, tuple(round(x, 9) for x in t.pose[:3]), t.movable) for t in built.transforms}


WORLD = f"""<sdf version="1.12"><world name="w">
<frame name="corner"><pose>1 2 0 0 0 0</pose></frame>
<model name="wall"><static>true</static><pose>0 0 1 0 0 0</pose><link name="l"/>
  <link name="k"><pose>0 3 0 0 0 0</pose></link></model>
<model name="cart"><pose>10 0 0 0 0 0</pose><link name="body"/><link name="arm"><pose>0 0 1 0 0 0</pose></link>
  <link name="free"><pose>0 4 0 0 0 0</pose></link>{joint("j", "revolute", "body", "arm")}
  <frame name="hook" attached_to="body"><pose>1 0 0 0 0 0</pose></frame>
  <model name="lid"><pose>2 0 0 0 0 0</pose><link name="plate"/></model></model>
<model name="pole"><pose>0 5 0 0 0 0</pose>{joint("weld", "fixed", "world", "foot")}<link name="foot"/>
  <link name="top"><pose>0 0 7 0 0 0</pose></link>{joint("turn", "screw", "foot", "top")}</model>
{joint("pin", "revolute", "wall::k", "cart::lid::plate")}{joint("hold", "fixed", "world", "cart::free")}
</world></sdf>"""
IN_WORLD = {
    "corner": ("world", (1, 2, 0), False), "wall": ("world", (0, 0, 1), False), "wall/l": ("wall", (0, 0, 0), False),
    "wall/k": ("wall", (0, 3, 0), False), "cart": ("cart/body", (0, 0, 0), False),
    "cart/body": ("world", (10, 0, 0), True), "cart/arm": ("cart/body", (0, 0, 1), True),
    "cart/free": ("world", (10, 4, 0), False), "cart/j": ("cart/arm", (0, 0, 0), False),
    "cart/hook": ("cart/body", (1, 0, 0), False), "cart/lid": ("cart/lid/plate", (0, 0, 0), False),
    "cart/lid/plate": ("wall/k", (12, -3, -1), True), "pole": ("pole/foot", (0, 0, 0), False),
    "pole/foot": ("world", (0, 5, 0), False), "pole/top": ("pole/foot", (0, 0, 7), True),
    "pole/weld": ("pole/foot", (0, 0, 0), False), "pole/turn": ("pole/top", (0, 0, 0), False),
    "pin": ("cart/lid/plate", (0, 0, 0), False), "hold": ("cart/free", (0, 0, 0), False)}


def test_a_world():
    built = build(WORLD)
    assert read(built) == IN_WORLD and not built.diagnostics
    assert set(built.frame_ids) == {"world", *IN_WORLD} and built.frame_ids[0] == "world"
    # robot_state_publisher has links of joints that URDF has too, which screws are not.
    assert built.elsewhere == {"cart/arm", "cart/lid/plate", "cart/free", "pole/foot"}


MODEL = f"""<sdf version="1.12"><model name="m" canonical_link="b"><pose>0 0 3 0 0 0</pose>
<link name="a"/><link name="b"><pose>1 0 0 0 0 0</pose></link><link name="c"><pose>0 2 0 0 0 0</pose></link>
{joint("j", "revolute", "a", "b")}<frame name="f" attached_to="b"/><frame name="g"><pose>0 0 5 0 0 0</pose></frame>
<model name="n"><static>true</static><pose>7 0 0 0 0 0</pose><link name="l"/></model>{{}}</model></sdf>"""


def test_a_model():
    """The root is the link above the canonical one; the frame g is on the model, and so on the canonical link."""
    expected = {"m": ("b", (-1, 0, 0), False), "b": ("a", (1, 0, 0), True), "c": ("a", (0, 2, 0), True),
                "j": ("b", (0, 0, 0), False), "f": ("b", (0, 0, 0), False), "g": ("m", (0, 0, 5), False),
                "n": ("a", (7, 0, 0), False), "n/l": ("n", (0, 0, 0), False)}
    built = build(MODEL.format(""))
    assert read(built) == expected
    assert built.elsewhere == {"b", "f", "g"} and built.frame_ids == ("m", "a", "b", "c", "j", "f", "g", "n", "n/l")


def test_a_model_that_is_joined_to_the_world():
    built = build(MODEL.format(joint("w", "fixed", "world", "a")))
    found = read(built)
    assert found["a"] == ("world", (0, 0, 3), False) and found["w"] == ("a", (0, 0, 0), False)
    assert found["c"] == ("world", (0, 2, 3), True) and found["n"] == ("world", (7, 0, 3), False)
    assert found["m"] == ("b", (-1, 0, 0), False) and len(found) == 10
    assert built.elsewhere == {"a", "b", "f", "g"}


@pytest.mark.parametrize("prefix, parent, child", [("", "a", "b"), ("/", "a", "b"), ("//?/", "?/a", "?/b")])
def test_names_of_frames_do_not_begin_with_a_slash_which_tf2_refuses(prefix, parent, child):
    (turn,) = [t for t in build(MODEL.format(""),
                                frame_prefix=prefix).transforms if t.movable and t.child.endswith("b")]
    assert (turn.parent, turn.child) == (parent, child)


def test_options():
    text = MODEL.format("")
    built = build(text, scope_separator=".", frame_prefix="/r/", model_name="other", places=True, motions=True)
    assert {t.child for t in built.transforms} == {"r/other", "r/b", "r/c", "r/j", "r/f", "r/g", "r/n", "r/n.l"}
    assert {t.parent for t in built.transforms} == {"r/a", "r/b", "r/n", "r/other"}
    assert built.frame_ids[:2] == ("r/other", "r/a") and built.elsewhere == {"r/b", "r/f", "r/g"}
    turn = {t.child: t for t in built.transforms}["r/b"]
    assert turn.motion == Motion(MovingJoint("j", "revolute", (JointAxis((0, 0, 1)),)))
    assert turn.place[:3] == (None, 2, '/sdf/model[@name="m"]/link[@name="b"]')
    assert [t.motion for t in built.transforms if t.child != "r/b"] == [None] * 7
    plain = {t.child: t for t in build(text).transforms}["b"]
    assert plain.motion is None and plain.place == Location()
    assert build(WORLD, model_name="other").frame_ids[0] == "world"


@pytest.mark.parametrize("mode, children", [("all", 8), ("complement", 5), ("none", 0)])
def test_modes(mode, children):
    assert len(build(MODEL.format("")).select(mode)) == children


def test_an_unknown_mode():
    with pytest.raises(ValueError, match="mode is 'some', not one of all, complement, none"):
        build(MODEL.format("")).select("some")


def test_the_first_of_several_joints_counts_and_loops_are_cut():
    """a-b-c-a is cut at a, the first link of it; b is also the child of the joint z, which comes too late."""
    joints = [joint("ab", "revolute", "a", "b"), joint("bc", "revolute", "b", "c"), joint("ca", "revolute", "c", "a"),
              joint("z", "revolute", "d", "b")]
    links = "".join(f'<link name="{name}"/>' for name in "abcd")
    built = build(f'<sdf version="1.12"><model name="m" canonical_link="d">{links}{"".join(joints)}</model></sdf>')
    found = read(built)
    assert {name: found[name][0] for name in "abc"} == {"a": "d", "b": "a", "c": "b"} and "d" not in found
    assert found["a"][2] is True and {t.child: t.movable for t in built.transforms}["z"] is False


def test_a_joint_whose_parent_cannot_be_resolved_does_not_hide_the_next():
    links = "".join(f'<link name="{name}"/>' for name in "abc")
    text = (f'<sdf version="1.12"><model name="m">{links}{joint("x", "revolute", "nowhere", "b")}'
            f'{joint("y", "revolute", "a", "nowhere")}{joint("z", "revolute", "a", "c")}</model></sdf>')
    built = build_tf_tree(load_text(text).graphs[0])
    assert read(built) == {"m": ("a", (0, 0, 0), False), "b": ("a", (0, 0, 0), True), "c": ("a", (0, 0, 0), True),
                           "x": ("b", (0, 0, 0), False), "z": ("c", (0, 0, 0), False)}


def test_of_frames_with_one_name_the_link_stays():
    """Nested names are joined with the separator, so that n_l can be another frame's name too."""
    text = ('<sdf version="1.12"><model name="m"><link name="a"/>\n<frame name="n_l"/>\n<frame name="m"/>'
            '<model name="n"><link name="l"/></model></model></sdf>')
    built = build(text, scope_separator="_", places=True)
    said = "{} '{}' is left out of TF: a {} there has the same name"
    assert [(d.message, d.line, d.path) for d in built.diagnostics] == [
        (said.format("frame", "n_l", "link"), 2, '/sdf/model[@name="m"]/frame[@name="n_l"]'),
        (said.format("model", "m", "frame"), 1, '/sdf/model[@name="m"]')]
    assert built.frame_ids == ("", "a", "", "m", "n", "n_l")
    assert [(t.parent, t.child) for t in built.transforms] == [("a", "m"), ("n_l", "n"), ("a", "n_l")]


def test_a_robot_with_links_that_the_sdf_does_not_have():
    """The hub is massless behind a joint that moves: it and what is below it are not in the SDF."""
    parts = [link("base", 1), link("plate", 1), link("hub"), link("arm", 1), link("tip", 1),
             urdf_joint("weld", "fixed", "base", "plate", xyz="0 0 1"),
             urdf_joint("turn", "continuous", "plate", "hub", xyz="2 0 0"),
             urdf_joint("lift", "continuous", "hub", "arm", xyz="0 3 0"), urdf_joint("fly", "floating", "base", "tip")]
    built = build(robot(*[part + "\n" for part in parts]).replace('<robot name="r">', '<robot name="r">\n'),
                  places=True)
    # A lumped link is a frame on that of its joint; of the others, the frame of the joint is on the link.
    assert read(built) == {
        "r": ("base", (0, 0, 0), False), "weld": ("base", (0, 0, 1), False), "plate": ("weld", (0, 0, 0), False),
        "hub": ("plate", (2, 0, 0), True), "turn": ("hub", (0, 0, 0), False), "arm": ("hub", (0, 3, 0), True),
        "lift": ("arm", (0, 0, 0), False), "tip": ("base", (0, 0, 0), True), "fly": ("tip", (0, 0, 0), False)}
    assert built.elsewhere == {"plate", "hub", "arm"}
    places = {t.child: t.place.line for t in built.transforms}
    assert [places[name] for name in ("hub", "arm", "turn", "lift")] == [4, 5, 8, 9]


def test_a_link_that_the_sdf_does_not_have_is_in_tf_if_the_robot_stands_in_the_world():
    """A massless link on a moving joint is not in the SDF, but it is in the URDF, whose root is ``world`` here."""
    text = robot(link("world"), link("base", 1), link("finger"), urdf_joint("stand", "fixed", "world", "base"),
                 urdf_joint("bend", "continuous", "base", "finger", xyz="1 0 0"))
    found = read(build(text))
    assert found["base"] == ("world", (0, 0, 0), False) and found["finger"] == ("base", (1, 0, 0), True)


@pytest.mark.parametrize("kind", ["floating", "planar"])
def test_a_robot_that_moves_freely_in_the_world_keeps_the_world(kind):
    """Pinocchio moves such a robot by this joint; robot_state_publisher publishes a planar one."""
    text = robot(link("world"), link("base", 1), urdf_joint("fly", kind, "world", "base", xyz="0 0 1"))
    assert read(build(text)) == {"r": ("base", (0, 0, -1), False), "base": ("world", (0, 0, 1), True),
                                 "fly": ("base", (0, 0, 0), False)}
    if kind == "floating":
        assert sf.loads(text).pose("base", "world", {"fly": sf.Pose([3, 0, 0])}).xyz.tolist() == [3, 0, 1]


def test_the_root_of_a_static_model_is_its_own_frame():
    """Even if one of its joints names that frame as its child."""
    text = ('<sdf version="1.12"><model name="m"><static>true</static><link name="a"/>'
            f'{joint("j", "fixed", "a", "__model__")}</model></sdf>')
    assert read(build_tf_tree(load_text(text).graphs[0])) == {
        "a": ("m", (0, 0, 0), False), "j": ("m", (0, 0, 0), False)}


@pytest.mark.parametrize("inside, name", [
    ('<frame name="__f__"/><link name="l"/>', "__f__"), ('<link name="__l__"/>', "__l__"),
    ('<link name="l"/><model name="n"><link name="l"/><frame name="__f__"/></model>', "n/__f__")])
def test_reserved_names_are_not_published(inside, name):
    loaded = load_text(f'<sdf version="1.12"><model name="m">{inside}</model></sdf>')
    assert "name-reserved" in [d.name for d in loaded.diagnostics]
    built = build_tf_tree(loaded.graphs[0])
    assert name not in {frame for t in built.transforms for frame in (t.parent, t.child)}


@pytest.mark.parametrize("worse, better", [
    ('<model name="x_y"><link name="l"/></model>', '<frame name="x_y"/>'),
    ('<frame name="x_y"/>', f'<link name="z"/>{joint("x_y", "fixed", "a", "z")}'),
    (f'<link name="z"/>{joint("x_y", "fixed", "a", "z")}', '<link name="x_y"/>')])
@pytest.mark.parametrize("first", [True, False])
def test_which_of_two_frames_keeps_their_name(worse, better, first):
    """One is y in the model x, and the other is x_y, whichever comes first in the text."""
    kind, other = (part.rpartition('name="x_y"')[0].rpartition("<")[2].split()[0] for part in (worse, better))
    inner, outer = (worse, better) if first else (better, worse)
    text = (f'<sdf version="1.12"><model name="m"><link name="a"/><model name="x"><link name="a"/>'
            f'{inner.replace("x_y", "y")}</model>{outer}</model></sdf>')
    (finding,) = build(text, scope_separator="_").diagnostics
    assert finding.message == f"{kind} 'x_y' is left out of TF: a {other} there has the same name"


def test_a_sensor_leaves_its_name_to_a_frame_of_any_kind():
    """Sensors that state no frame id are named after model, link and sensor, which may be a nested model's name."""
    text = ('<sdf version="1.12"><model name="m"><link name="a"><sensor name="s" type="imu"/></link>'
            '<model name="m_a_s"><link name="l"/></model></model></sdf>')
    (finding,) = build(text, scope_separator="_", sensor_frames=True).diagnostics
    assert finding.message == "sensor 'm_a_s' is left out of TF: a model there has the same name"
