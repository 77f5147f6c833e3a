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


@pytest.mark.parametrize(("before", "after"), [
    ("<origin xyz='0 0 1'  rpy = \"0 0 0.50\" />", "<origin xyz='1 2 3'  rpy = \"0 0 0\" />"),
    ('<!-- measured --><origin rpy="0 0 0"/>', '<!-- measured --><origin rpy="0 0 0" xyz="1 2 3"/>'),
    ("\r\n\t<!-- c -->", '\r\n\t<origin xyz="1 2 3" rpy="0 0 0"/>\r\n\t<!-- c -->'),
    ("", '<origin xyz="1 2 3" rpy="0 0 0"/>')])
def test_the_origin_of_the_joint_above_changes(before, after):
    assert change(urdf(before), "b", "a", (1, 2, 3)) == urdf(after)


def test_a_quaternion_stays_a_quaternion():
    text = urdf('<origin quat_xyzw="0 0 0 1"/>').replace("<robot ", '<robot version="1.1" ')
    half = 0.5
    assert change(text, "b", "a", (0, 0, 0), (half, half, half, half)) == text.replace("0 0 0 1", "0.5 0.5 0.5 0.5")


def test_a_frame_further_down_moves_its_own_joint_or_the_one_that_is_named():
    """c is at x = 1 in b: at (5, 2, 0) in a if it is at (3, 2, 0) in b, which is at x = 2; or with b at (4, 2, 0)."""
    text = urdf('<origin xyz="2 0 0"/>')
    assert change(text, "c", "a", (5, 2, 0)) == text.replace('xyz="1 0 0"', 'xyz="3 2 0"')
    assert change(text, "c", "a", (5, 2, 0), move="j") == text.replace('xyz="2 0 0"', 'xyz="4 2 0"')
    assert change(text, "a", "c", (-5, -2, 0), move="j") == text.replace('xyz="2 0 0"', 'xyz="4 2 0"')


def test_frames_that_do_not_move_against_each_other_are_refused():
    name, hint = change(urdf(""), "a", "c")
    assert name == "place-not-between" and hint.endswith(": j, k")
    assert change(urdf(""), "a", "a")[0] == "place-not-between"
    assert change(urdf(""), "b", "a", move="k")[0] == "place-not-between"


def test_a_moving_joint_between_needs_a_position():
    """At a quarter turn, c is in a where j's origin is, and 1 along y."""
    text = urdf('<origin xyz="0 0 0"/>', "continuous", '<axis xyz="0 0 1"/>')
    assert change(text, "c", "a") == ("place-moves", "give the joint positions at which the pose holds: --joint j=0 "
                                                     "(in Python: positions)")
    made = change(text, "c", "a", (1, 1, 0), (cos(pi / 4), 0, 0, sin(pi / 4)), move="j", positions={"j": pi / 2})
    assert made == text.replace('xyz="0 0 0"', 'xyz="1 0 0"')


def test_a_mimic_between_follows_its_leader():
    """b slides by twice the position of the leader."""
    text = robot(link("a"), link("b"), link("c"), joint("lead", "prismatic", "a", "c", '<axis xyz="1 0 0"/>'
                                                        '<limit lower="0" upper="9" effort="1" velocity="1"/>'),
                 joint("j", "prismatic", "a", "b", '<axis xyz="1 0 0"/><mimic joint="lead" multiplier="2" offset="1"/>'
                       '<limit lower="0" upper="9" effort="1" velocity="1"/>', xyz="7 0 0"))
    assert change(text, "b", "a", (5, 0, 0), positions={"lead": 1.5}) == text.replace('xyz="7 0 0"', 'xyz="1 0 0"')
    assert change(text, "b", "a", (5, 0, 0))[0] == "place-moves"


@pytest.mark.parametrize(("kind", "position", "origin"), [
    ("floating", (1, 0, 0, 2, 0, 0, 0), "4 0 0"), ("planar", (1, 2, 0), "5 -1 -2")])
def test_joints_with_more_numbers(kind, position, origin):
    """A floating joint has moved by 1 along x, a planar one about x by 1 and 2 along its directions (-z, y)."""
    text = urdf('<origin xyz="0 0 0"/>', kind, '<axis xyz="1 0 0"/>' if kind == "planar" else "")
    made = change(text, "b", "a", (5, 1, -3) if kind == "planar" else (5, 0, 0), positions={"j": position})
    assert made == text.replace('xyz="0 0 0"', f'xyz="{origin}"')


@pytest.mark.parametrize(("positions", "problem"), [
    ({"jj": 0}, "there is no movable joint 'jj'"), ({"k": 0}, "there is no movable joint 'k'"),
    ({"j": (1, 2)}, "joint 'j' is continuous and takes 1 finite number"),
    ({"j": float("nan")}, "joint 'j' is continuous and takes 1 finite number")])
def test_positions_that_are_none(positions, problem):
    made = place(read_text(urdf("", "continuous")), "b", "a", (0, 0, 0, 1, 0, 0, 0), positions=positions)
    assert made.source is None and problem in made.findings[-1].message
    assert "did you mean 'j'" not in (made.findings[-1].hint or "") or "j" not in positions


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


def test_numbers_are_short():
    """0.1 and 0.3 add up to 0.4, and no rounding is left of the rotation by a tenth."""
    text = urdf('<origin xyz="0.1 0 0"/>').replace('xyz="1 0 0"', 'xyz="0.7 0 0"')
    turn = (cos(0.05), sin(0.05), 0, 0)
    assert change(text, "c", "a", (0.4, 0, 0), turn) == text.replace('xyz="0.7 0 0"', 'xyz="0.3 0 0" rpy="0.1 0 0"')


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


@pytest.mark.parametrize("pose", ["<pose>0 0 0 <!-- turned --> 0 0 0</pose>", "<pose>a b</pose>"])
def test_a_pose_that_cannot_be_read_is_refused(pose):
    assert change(sdf(LINKS.format(pose)), "b", "a", (1, 2, 3))[0] == "pose-elsewhere"


def test_a_pose_in_quaternions():
    text = sdf(LINKS.format('<pose rotation_format="quat_xyzw">0 0 0 0 0 0 1</pose>'))
    assert change(text, "b", "a", (1, 2, 3), (0.5, 0.5, -0.5, 0.5)) == text.replace("0 0 0 0 0 0 1",
                                                                                    "1 2 3 0.5 -0.5 0.5 0.5")


JOINED = sdf('<link name="a"/><joint name="j" type="{}"><pose relative_to="a">{}</pose><parent>a</parent>'
             '<child>b</child>{}</joint><link name="b"><pose relative_to="j"/></link>')
AXIS = "<axis><xyz{}>0 0 1</xyz></axis>"


def test_a_link_in_the_place_of_its_joint_moves_the_joint():
    made = change(JOINED.format("fixed", "0 0 0 0 0 0", ""), "b", "a", (1, 2, 3))
    assert made == JOINED.format("fixed", "1 2 3 0 0 0", "")
    assert change(JOINED.format("fixed", "0 0 0 0 0 0", ""), "b", "a", (1, 2, 3), move="b") == JOINED.format(
        "fixed", "0 0 0 0 0 0", "").replace('"j"/>', '"j">1 2 3 0 0 0</pose>')


def test_a_moving_joint_of_sdformat():
    """Turned by a quarter, y of the joint is -x of a."""
    text = JOINED.format("revolute", "0 0 0 0 0 0", AXIS.format(""))
    quarter = (cos(pi / 4), 0, 0, sin(pi / 4))
    assert change(text, "b", "a", (1, 2, 3))[0] == "place-moves"
    assert change(text, "b", "a", (1, 2, 3), quarter, positions={"j": pi / 2}) == JOINED.format(
        "revolute", "1 2 3 0 0 0", AXIS.format(""))
    made = change(text, "b", "a", (-2, 0, 0), quarter, positions={"j": pi / 2}, move="b")
    assert made == text.replace('"j"/>', '"j">0 2 0 0 0 0</pose>')


def test_an_axis_that_turns_with_another_frame_is_refused():
    """The axis is expressed in a, which stays where the joint moves."""
    text = JOINED.format("revolute", "0 0 0 0 0 0", AXIS.format(' expressed_in="a"'))
    assert change(text, "b", "a", (1, 2, 3), positions={"j": 1})[0] == "place-not-between"


INNER = '<model name="n"{}>{}<link name="l"><pose>1 0 0 0 0 0</pose></link></model>'


@pytest.mark.parametrize(("frame", "before", "after"), [
    ("n", ("", ""), ("", "<pose>5 0 0 0 0 0</pose>")),
    ("n", (' placement_frame="l"', ""), (' placement_frame="l"', "<pose>6 0 0 0 0 0</pose>")),
    ("n::l", (' placement_frame="l"', ""), (' placement_frame="l"', "<pose>5 0 0 0 0 0</pose>"))])
def test_nested_models(frame, before, after):
    """The pose of a model with a placement frame is that of the frame, the link, which is at x = 1 in the model."""
    text = sdf('<link name="a"/>', INNER.format(*before))
    move = "n" if "::" in frame else None
    assert change(text, frame, "a", (5, 0, 0), move=move) == sdf('<link name="a"/>', INNER.format(*after))


def test_the_pose_of_a_placement_frame_moves_its_model_instead():
    text = sdf('<link name="a"/>', INNER.format(' placement_frame="l"', ""))
    assert change(text, "n::l", "a", (5, 0, 0))[0] == "place-not-between"
    assert change(text, "n::l", "n", (5, 0, 0)) == text.replace("<pose>1 0", "<pose>5 0")  # both are in the model
    world = '<sdf version="1.12"><world name="w"><model name="m" placement_frame="b">{}</model></world></sdf>'
    text = world.format('<link name="a"/><link name="b"><pose>1 0 0 0 0 0</pose></link>')
    assert change(text, "m::b", "m::a", (5, 0, 0)) == text.replace("<pose>1 0", "<pose>5 0")
    assert change(text, "m::b", "world", (5, 0, 0))[0] == "place-not-between"
    assert change(text, "m::a", "world", (5, 0, 0), move="m::b") == text.replace("<pose>1 0", "<pose>-5 0")


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
    assert "<pose>1 2 3 0 0 0</pose>" in change(text, "b", "a", (1, 2, 3))


def test_what_is_said(tmp_path):
    made = place(read_text(urdf('<origin xyz="0 0 1"/>'), "r.urdf"), "b", "a", (1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0))
    (said,) = made.findings
    assert (said.name, said.line, said.message) == (
        "pose-placed", 1, "the pose of joint 'j' was <origin xyz=\"0 0 1\" rpy=\"0 0 0\"/> and is "
                          "<origin xyz=\"1 2 3\" rpy=\"0 0 0\"/>")


def test_what_is_unknown_is_said_with_what_is_near():
    assert change('<sdf version="1.9"><light name="l" type="point"/></sdf>', "l", "a")[0] == "frame-unknown"
    assert change(urdf(""), "bb", "a") == ("frame-unknown", "did you mean 'b'?")
    with pytest.raises(sf.InvalidDescription, match="there is no frame 'x'"):
        sf.loads(urdf("")).place("b", "x", sf.Pose())
    with pytest.raises(ValueError, match="not a batch"):
        sf.loads(urdf("")).place("b", "a", sf.Pose([[0, 0, 0]]))


def test_no_number_that_is_not_finite():
    text = urdf('<origin xyz="1e308 0 0"/>')
    assert change(text, "c", "a", (-1e308, 0, 0))[0] == "number-overflow"
    made = place(read_text(text), "c", "a", (-1e308, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0))
    assert not [d for d in made.findings if d.name == "pose-placed"]  # there is no number to say
    assert 'xyz="1e+308 0 0"' in change(urdf(""), "b", "a", (1e308, 0, 0))
