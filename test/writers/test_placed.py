"""Placing a frame: the one pose that decides it changes, and no other byte."""
from math import cos, pi, sin

import numpy as np
import pytest
from urdf_text import joint, link, robot

import sdf_frames as sf
from sdf_frames.load import load_text, read_text
from sdf_frames.writers.placed import place
from sdf_frames.writers.written import render

HEAD = '<link name="a"/><link name="b"/><link name="c"/>'


def urdf(origin: str, kind: str = "fixed", inside: str = "") -> str:
    """Links a, b and c, the pose of b in a as given, that of c in b x = 1."""
    return (f'<robot name="r">{HEAD}<joint name="j" type="{kind}">{origin}<parent link="a"/><child link="b"/>{inside}'
            '</joint>' + joint("k", "fixed", "b", "c", xyz="1 0 0") + "</robot>")


def sdf(*parts: str) -> str:
    return f'<sdf version="1.12"><model name="m">{"".join(parts)}</model></sdf>'


def change(text, frame, base, xyz=(0, 0, 0), turn=None, **options):
    """The text with a frame placed, or the name and hint of the error."""
    X = (*xyz, *(turn or (1, 0, 0, 0)))
    loaded = read_text(text) if text.startswith("<robot") else load_text(text)
    made, found = render(place(loaded, frame, base, tuple(map(float, X)), **options))
    return (found[-1].name, found[-1].hint) if made is None else made


def about(axis, angle):
    """The quaternion w x y z of a rotation about x (0), y (1) or z (2)."""
    return cos(angle / 2), *[sin(angle / 2) * (axis == number) for number in range(3)]


QUARTER = about(2, pi / 2)
ALONG = '<limit lower="0" upper="9" effort="1" velocity="1"/>'
AT_2 = urdf('<origin xyz="2 0 0"/>')
TURNING = urdf('<origin xyz="0 0 0"/>', "continuous", '<axis xyz="0 0 1"/>')
#: b slides by twice the position of the leader, and 1.
MIMIC = robot(link("a"), link("b"), link("c"), joint("lead", "prismatic", "a", "c", '<axis xyz="1 0 0"/>' + ALONG),
              joint("j", "prismatic", "a", "b", '<axis xyz="1 0 0"/><mimic joint="lead" multiplier="2" offset="1"/>'
                    + ALONG, xyz="7 0 0"))
WITH_QUATERNION = urdf('<origin quat_xyzw="0 0 0 1"/>').replace("<robot ", '<robot version="1.1" ')
ROUND = urdf('<origin rpy="0 0 7"/>')


@pytest.mark.parametrize(("text", "target", "options", "old", "new"), [
    (WITH_QUATERNION, ("b", "a", (0, 0, 0), (0.5, 0.5, 0.5, 0.5)), {}, "0 0 0 1", "0.5 0.5 0.5 0.5"),
    # A quaternion and its negative are the same rotation, here by more than a turn.
    *[(ROUND, ("b", "a", (0, 0, 0), [sign * q for q in about(2, 7)]), {}, "0 0 7", "0 0 7") for sign in (1, -1)],
    # c is at x = 1 in b: at (5, 2, 0) in a if it is at (3, 2, 0) in b, which is at x = 2; or with b at (4, 2, 0).
    (AT_2, ("c", "a", (5, 2, 0)), {}, 'xyz="1 0 0"', 'xyz="3 2 0"'),
    (AT_2, ("c", "a", (5, 2, 0)), {"move": "j"}, 'xyz="2 0 0"', 'xyz="4 2 0"'),
    # The joint b, not the one above the link b.
    (AT_2.replace('"k"', '"b"'), ("c", "a", (5, 2, 0)), {"move": "b"}, 'xyz="1 0 0"', 'xyz="3 2 0"'),
    (AT_2, ("a", "c", (-5, -2, 0)), {"move": "j"}, 'xyz="2 0 0"', 'xyz="4 2 0"'),
    # At a quarter turn, c is in a where j's origin is, and 1 along y; a is in c at -1 along x, and turned back.
    (TURNING, ("c", "a", (1, 1, 0), QUARTER), {"move": "j", "positions": {"j": pi / 2}}, 'xyz="0 0 0"', 'xyz="1 0 0"'),
    (TURNING, ("a", "c", (-1, 1, 0), about(2, -pi / 2)), {"move": "j", "positions": {"j": pi / 2}}, 'xyz="0 0 0"',
     'xyz="1 0 0"'),
    (MIMIC, ("b", "a", (5, 0, 0)), {"positions": {"lead": 1.5}}, 'xyz="7 0 0"', 'xyz="1 0 0"'),
    # A floating joint has moved by 1 along x, a planar one about x by 1 and 2 along its directions (-z, y).
    (urdf('<origin xyz="0 0 0"/>', "floating"), ("b", "a", (5, 0, 0)), {"positions": {"j": (1, 0, 0, 2, 0, 0, 0)}},
     'xyz="0 0 0"', 'xyz="4 0 0"'),
    (urdf('<origin xyz="0 0 0"/>', "planar", '<axis xyz="1 0 0"/>'), ("b", "a", (5, 1, -3)),
     {"positions": {"j": (1, 2, 0)}}, 'xyz="0 0 0"', 'xyz="5 -1 -2"'),
    # 0.1 and 0.3 add up to 0.4, and no rounding is left of the rotation by a tenth.
    (urdf('<origin xyz="0.1 0 0"/>').replace('"1 0 0"', '"0.7 0 0"'), ("c", "a", (0.4, 0, 0), about(0, 0.1)), {},
     'xyz="0.7 0 0"', 'xyz="0.3 0 0" rpy="0.1 0 0"'),
    (urdf(""), ("b", "a", (1e308, 0, 0)), {}, 'type="fixed"><parent link="a"',
     'type="fixed"><origin xyz="1e+308 0 0" rpy="0 0 0"/><parent link="a"')])
def test_the_origin_of_a_joint(text, target, options, old, new):
    assert change(text, *target, **options) == text.replace(old, new)


@pytest.mark.parametrize(("text", "target", "options", "name", "hint"), [
    (urdf(""), ("a", "c"), {}, "place-not-between", ": j, k"), (urdf(""), ("a", "a"), {}, "place-not-between",
                                                                               "name two different frames"),
    (urdf(""), ("b", "a"), {"move": "k"}, "place-not-between", ": j"),
    (TURNING, ("c", "a"), {}, "place-moves", "at which the pose holds: --joint j=0 (in Python: positions)"),
    (TURNING.replace('"j"', '"joint 1"'), ("c", "a"), {}, "place-moves", "--joint 'joint 1=0' (in Python: positions)"),
    (urdf("", "floating"), ("b", "a"), {}, "place-moves", "pose holds: --joint j=0,0,0,1,0,0,0 (in Python: positions)"),
    (MIMIC, ("b", "a"), {}, "place-moves", None), (urdf(""), ("bb", "a"), {}, "frame-unknown", "did you mean 'b'?"),
    (urdf(""), ("__model__", "a"), {}, "frame-unknown", "choose one of a, b, c, j, k"),
    ('<sdf version="1.9"><light name="l" type="point"/></sdf>', ("l", "a"), {}, "frame-unknown", None),
    (urdf('<origin xyz="1e308 0 0"/>'), ("c", "a", (-1e308, 0, 0)), {}, "number-overflow", None)])
def test_what_is_refused(text, target, options, name, hint):
    found = change(text, *target, **options)
    assert found[0] == name and (found[1] or "").endswith(hint or "")


@pytest.mark.parametrize(("before", "after"), [
    ("<origin xyz='0 0 1'  rpy = \"0 0 0.50\" />", "<origin xyz='1 2 3'  rpy = \"0 0 0\" />"),
    ('<!-- measured --><origin rpy="0 0 0"/>', '<!-- measured --><origin rpy="0 0 0" xyz="1 2 3"/>'),
    ("\r\n\t<!-- c -->", '\r\n\t<origin xyz="1 2 3" rpy="0 0 0"/>\r\n\t<!-- c -->'),
    ("", '<origin xyz="1 2 3" rpy="0 0 0"/>')])
def test_the_origin_of_the_joint_above_changes(before, after):
    assert change(urdf(before), "b", "a", (1, 2, 3)) == urdf(after)


@pytest.mark.parametrize(("positions", "problem"), [
    ({"jj": 0}, "there is no movable joint 'jj'"), ({"k": 0}, "there is no movable joint 'k'"),
    ({"j": (1, 2)}, "joint 'j' is continuous and takes 1 finite number"),
    ({"j": float("nan")}, "joint 'j' is continuous and takes 1 finite number")])
def test_positions_that_are_none(positions, problem):
    made = place(read_text(urdf("", "continuous")), "b", "a", (0, 0, 0, 1, 0, 0, 0), positions=positions)
    assert made.source is None and problem in made.findings[-1].message
    assert "did you mean 'j'" not in (made.findings[-1].hint or "") or "j" not in positions


def test_the_position_of_a_floating_joint_is_a_pose():
    """b is at (1, 2, 3) in a, turned by a quarter about z: (5, 2, 0) in a is (0, -4, -3) in b. A turn is one angle."""
    robot, X_AB = sf.loads(urdf("", "floating")), sf.Pose([1, 2, 3], QUARTER)
    placed = robot.place("c", "a", sf.Pose([5, 2, 0], QUARTER), positions={"j": X_AB})
    assert placed.pose("c", "b").is_close(sf.Pose([0, -4, -3]), 1e-15)
    assert placed.pose("c", "a", {"j": X_AB}).is_close(sf.Pose([5, 2, 0], QUARTER), 1e-15)
    with pytest.raises(sf.InvalidDescription, match="wrong joint position: joint 'j' is continuous and takes 1 finite"):
        sf.loads(urdf("", "continuous")).place("c", "a", sf.Pose(), positions={"j": X_AB})


@pytest.mark.parametrize("angles", [(0.3, pi / 2, 0.2), (0.3, -pi / 2, 0.2), (0.3, pi / 2 - 1e-9, -0.4), (pi, 0.1, -pi),
                                    (1e-9, pi / 2, 3), (0.1, 0.2, 0.3)])
def test_rotations_come_back_to_rounding(angles):
    """Also where roll and yaw turn about one axis: the matrix of the three rotations, written out."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(angles), np.sin(angles)
    wanted = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]]) @ [[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]] @ np.array(
        [[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    placed = sf.loads(urdf("")).place("b", "a", sf.Pose.from_rpy([0.1, 0.2, 0.3], angles))
    X = placed.pose("b", "a").matrix
    assert np.abs(X[:3, :3] - wanted).max() < 1e-12 and np.abs(X[:3, 3] - [0.1, 0.2, 0.3]).max() < 1e-15


LINKS = '<link name="a"/><link name="b">{}</link>'


@pytest.mark.parametrize(("before", "after"), [
    ("<pose>0 0 0  0 0 0.50</pose>", "<pose>1 2 3 0 0 1.5707963267948966</pose>"),
    ("<pose degrees='true'>0 0 0 0 0 0</pose>", "<pose degrees='true'>1 2 3 0 0 90</pose>"),
    ("", "<pose>1 2 3 0 0 1.5707963267948966</pose>"),
    ("<pose/>", "<pose>1 2 3 0 0 1.5707963267948966</pose>"),
    ("<pose relative_to='a' />", "<pose relative_to='a' >1 2 3 0 0 1.5707963267948966</pose>"),
    ("<pose><!-- c --> 0 0 0 0 0 0 </pose>", "<pose><!-- c --> 1 2 3 0 0 1.5707963267948966 </pose>")])
def test_the_pose_of_a_link_keeps_its_form(before, after):
    made = change(sdf(LINKS.format(before)), "b", "a", (1, 2, 3), (cos(pi / 4), 0, 0, sin(pi / 4)))
    assert made == sdf(LINKS.format(after))


JOINED = sdf('<link name="a"/><joint name="j" type="{}"><pose relative_to="a">0 0 0 0 0 0</pose><parent>a</parent>'
             '<child>b</child>{}</joint><link name="b"><pose relative_to="j"/></link>')
FIXED = JOINED.format("fixed", "")
AXIS = "<axis><xyz{}>0 0 1</xyz></axis>"
HINGE = JOINED.format("revolute", AXIS.format(""))
#: The axis turns with a, and not with the joint.
APART = JOINED.format("revolute", AXIS.format(' expressed_in="a"'))
#: The axis is that of the model: how b stands does not turn it.
SLIDE = sdf('<link name="a"/><link name="b"><pose>0 0 1 0 0 0</pose></link><joint name="j" type="prismatic"><parent>a'
            "</parent><child>b</child>" + AXIS.format(" expressed_in='__model__'") + "</joint>")
#: A link at x = 1 in a nested model, and in one that is placed by it.
INNER, PLACED = [sdf('<link name="a"/>', f'<model name="n"{placement}>{link("l", inside="<pose>1 0 0 0 0 0</pose>")}'
                     "</model>") for placement in ("", ' placement_frame="l"')]
WORLD = ('<sdf version="1.12"><world name="w"><model name="m" placement_frame="b"><link name="a"/><link name="b">'
         '<pose>1 0 0 0 0 0</pose></link></model></world></sdf>')


#: A model that is joined to the world, at x = 1 in it, and one whose pose is that of its link b.
WELDED, PLACED_WELDED = [sdf(f'<pose>1 0 0 0 0 0</pose>{LINKS.format("<pose>2 0 0 0 0 0</pose>")}<joint name="j" '
                             f'type="fixed"><parent>world</parent><child>{child}</child></joint>').replace(
    '"m"', f'"m"{placement}') for child, placement in (("a", ""), ("b", ' placement_frame="b"'))]


@pytest.mark.parametrize(("text", "target", "options", "old", "new"), [
    (sdf(LINKS.format('<pose rotation_format="quat_xyzw">0 0 0 0 0 0 1</pose>')),
     ("b", "a", (1, 2, 3), (0.5, 0.5, -0.5, 0.5)), {}, "0 0 0 0 0 0 1", "1 2 3 0.5 -0.5 0.5 0.5"),
    # A link in the place of its joint moves the joint.
    (FIXED, ("b", "a", (1, 2, 3)), {}, "0 0 0 0 0 0", "1 2 3 0 0 0"),
    (FIXED, ("b", "a", (1, 2, 3)), {"move": "b"}, '"j"/>', '"j">1 2 3 0 0 0</pose>'),
    # Turned by a quarter, y of the joint is -x of a.
    (HINGE, ("b", "a", (1, 2, 3), QUARTER), {"positions": {"j": pi / 2}}, "0 0 0 0 0 0", "1 2 3 0 0 0"),
    (HINGE, ("b", "a", (-2, 0, 0), QUARTER), {"positions": {"j": pi / 2}, "move": "b"}, '"j"/>',
     '"j">0 2 0 0 0 0</pose>'),
    # The pose of b also says how the axis stands in it; but b does not turn.
    (SLIDE, ("b", "a", (0, 0, 2)), {"positions": {"j": 0.1}}, "<pose>0 0 1 ", "<pose>0 0 1.9 "),
    (SLIDE, ("a", "b", (0, 0, -2)), {"positions": {"j": 0.1}, "move": "b"}, "<pose>0 0 1 ", "<pose>0 0 1.9 "),
    # The pose of a model with a placement frame is that of the frame.
    (INNER, ("n", "a", (5, 0, 0)), {}, '<model name="n">', '<model name="n"><pose>5 0 0 0 0 0</pose>'),
    (PLACED, ("n", "a", (5, 0, 0)), {}, '"l"><link', '"l"><pose>6 0 0 0 0 0</pose><link'),
    (PLACED, ("n::l", "a", (5, 0, 0)), {"move": "n"}, '"l"><link', '"l"><pose>5 0 0 0 0 0</pose><link'),
    # Both frames are in the model.
    (PLACED, ("n::l", "n", (5, 0, 0)), {}, "<pose>1", "<pose>5"),
    (WORLD, ("m::b", "m::a", (5, 0, 0)), {}, "<pose>1", "<pose>5"),
    (PLACED_WELDED.replace('"b"', '"c"', 1), ("a", "b", (5, 0, 0)), {}, '<link name="a"/>',
     '<link name="a"><pose>7 0 0 0 0 0</pose></link>'),  # there is no frame c
    (WELDED, ("__model__", "world", (5, 0, 0)), {}, "<pose>1", "<pose>5"),
    (WELDED, ("a", "world", (5, 0, 0)), {}, '<link name="a"/>', '<link name="a"><pose>4 0 0 0 0 0</pose></link>'),
    (PLACED_WELDED, ("a", "world", (5, 0, 0)), {"move": "b"}, "<pose>2", "<pose>-4"),
    (PLACED_WELDED, ("b", "world", (5, 0, 0)), {"move": "__model__"}, "<pose>1", "<pose>5"),
    (WORLD, ("m::a", "world", (5, 0, 0)), {"move": "m::b"}, "<pose>1", "<pose>-5")])
def test_the_pose_of_a_part_of_sdformat(text, target, options, old, new):
    assert change(text, *target, **options) == text.replace(old, new)


@pytest.mark.parametrize(("text", "target", "options", "name", "hint"), [
    *[(sdf(LINKS.format(pose)), ("b", "a"), {}, "pose-elsewhere", "before 1.7 with 'sdf_frames upgrade' first")
      for pose in ("<pose>0 0 0 <!-- turned --> 0 0 0</pose>", "<pose>a b</pose>")],
    (HINGE, ("b", "a"), {}, "place-moves", "--joint j=0 (in Python: positions)"),
    # The pose of j counts several times: only that of b would do.
    (APART, ("b", "a"), {"positions": {"j": 1}, "move": "a"}, "place-not-between", "(in Python: move): b"),
    (APART, ("b", "a"), {"positions": {"j": 1}}, "place-not-between", "(in Python: move): b"),
    (SLIDE, ("b", "a", (0, 0, 2), QUARTER), {"positions": {"j": 0.1}}, "place-not-between", "(in Python: move): a"),
    (PLACED, ("n::l", "a"), {}, "place-not-between", "(in Python: move): n, a"),
    (WELDED, ("world", "a"), {}, "place-not-between", "(in Python: move): __model__, a"),
    (WORLD, ("m::b", "world"), {}, "place-not-between", "(in Python: move): m")])
def test_what_is_refused_of_sdformat(text, target, options, name, hint):
    found = change(text, *target, **options)
    assert found[0] == name and found[1].endswith(hint)


def test_an_included_model(tmp_path):
    """The include gets the pose of its model; what is in the included file is refused, with its place."""
    (tmp_path / "part.sdf").write_text(sdf('<pose>9 0 0 0 0 0</pose><link name="l"/>'))
    text = ('<sdf version="1.12"><world name="w"><include><uri>part.sdf</uri></include></world></sdf>')
    loaded = load_text(text, str(tmp_path / "w.sdf"))
    made, _ = render(place(loaded, "m", "world", (1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0)))
    assert made == text.replace("<include>", "<include><pose>1 2 3 0 0 0</pose>")
    refused = place(loaded, "m::l", "m", (1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)).findings[-1]
    assert (refused.name, refused.file) == ("pose-elsewhere", str(tmp_path / "part.sdf"))


@pytest.mark.parametrize("far", [0, 1e3, 1e9])
def test_where_the_model_is_does_not_matter(far):
    """No digit of a pose in the model is lost to the pose of the model."""
    text = (f'<sdf version="1.9"><world name="w"><model name="m"><pose>{far} {far} 3 0.1 0.2 0.3</pose><link name="a">'
            '<pose>0.1 0.2 0.3 0.3 0.4 0.5</pose></link><link name="b"><pose relative_to="a">1 2 3 0 0 0</pose></link>'
            '<frame name="f" attached_to="b"><pose>3 0 0 0 0 0</pose></frame></model></world></sdf>')
    assert change(text, "m::f", "m::b", (0.3, 0.25, 0.7)) == text.replace("3 0 0 0 0 0", "0.3 0.25 0.7 0 0 0")
    assert change(text, "m::f", "m::a", (1.3, 2.25, 3.7)) == text.replace("3 0 0 0 0 0", "0.3 0.25 0.7 0 0 0")


def test_circles_of_references_have_no_pose():
    """What hangs on one cannot be placed, what does not can."""
    text = sdf('<link name="a"/><link name="b"/><frame name="f"><pose relative_to="g"/></frame>'
               '<frame name="g"><pose relative_to="f"/></frame><frame name="h" attached_to="k"/>'
               '<frame name="k" attached_to="h"/>')
    assert [change(text, *two)[0] for two in (("f", "a"), ("a", "g"), ("h", "a"))] == ["place-not-between"] * 3
    assert change(text, "f", "a")[1].endswith("a pose above one of the frames is not known")
    assert "<pose>1 2 3 0 0 0</pose>" in change(text, "b", "a", (1, 2, 3))


def test_what_is_said():
    made = place(read_text(urdf('<origin xyz="0 0 1"/>'), "r.urdf"), "b", "a", (1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0))
    (said,) = made.findings
    assert (said.name, said.line, said.message) == (
        "pose-placed", 1, "the pose of joint 'j' was <origin xyz=\"0 0 1\" rpy=\"0 0 0\"/> and is "
                          "<origin xyz=\"1 2 3\" rpy=\"0 0 0\"/>")


def test_a_number_that_is_not_finite_is_not_said():
    made = place(read_text(urdf('<origin xyz="1e308 0 0"/>')), "c", "a", (-1e308, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0))
    assert not [d for d in made.findings if d.name == "pose-placed"]
