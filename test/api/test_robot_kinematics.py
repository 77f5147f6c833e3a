"""Forward kinematics of the library: each joint type by hand, mimics, batches, errors."""

from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sdf_frames as sf

LINK = '<link name="{}">{}<inertial><mass>1</mass></inertial></link>'


def model(joints: str, *links: str) -> sf.RobotDescription:
    """A model of the links a, b, …, each one metre along x from the one before, and joints."""
    parts = [LINK.format(name, f"<pose>{i} 0 0 0 0 0</pose>") for i, name in enumerate(links or ("a", "b"))]
    return sf.loads(f'<sdf version="1.11"><model name="m">{"".join(parts)}{joints}</model></sdf>', strict=True)


def joint(kind: str, axes: str = "<axis><xyz>0 0 1</xyz></axis>", name: str = "j", ends: str | tuple = "ab",
          more: str = "") -> str:
    parent, child = ends
    return f'<joint name="{name}" type="{kind}">{more}<parent>{parent}</parent><child>{child}</child>{axes}</joint>'


TWO = "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>1 0 0</xyz></axis2>"
S = 0.5**0.5


@pytest.mark.parametrize(("kind", "axes", "position", "xyz", "quat"), [
    ("revolute", "<axis><xyz>0 0 1</xyz></axis>", pi / 2, (1, 0, 0), (S, 0, 0, S)),
    ("continuous", "<axis><xyz>0 3 0</xyz></axis>", pi / 2, (1, 0, 0), (S, 0, S, 0)),
    ("prismatic", "<axis><xyz>0 0 2</xyz></axis>", 0.25, (1, 0, 0.25), (1, 0, 0, 0)),
    ("universal", TWO, (pi / 2, pi), (1, 0, 0), (0, S, S, 0)),
    ("revolute2", TWO, (pi / 2, 0), (1, 0, 0), (S, 0, 0, S)),
    ("revolute2", TWO, (0, pi / 2), (1, 0, 0), (S, S, 0, 0)), ("ball", "", (0, 0, 0, 2), (1, 0, 0), (0, 0, 0, 1))])
def test_a_joint_moves_its_child(kind, axes, position, xyz, quat):
    robot = model(joint(kind, axes))
    assert robot.pose("b", positions={"j": position}).is_close(sf.Pose(xyz, quat), 1e-15)
    assert robot.joints["j"].size == np.size(position)


@pytest.mark.parametrize(("pitch", "advance"), [
    ("", 1 / (2 * pi)), ("<screw_thread_pitch>0.5</screw_thread_pitch>", 0.5 / (2 * pi)),
    ("<thread_pitch>4</thread_pitch>", -0.25),
    ("<screw_thread_pitch>0.5</screw_thread_pitch><thread_pitch>4</thread_pitch>", 0.5 / (2 * pi))])
def test_a_screw_advances_by_its_pitch(pitch, advance):
    """screw_thread_pitch: metres a turn, right-handed, 1 if not given; thread_pitch: radians a metre, left-handed."""
    X = model(joint("screw", more=pitch)).pose("b", "a", {"j": 0.3})
    assert X.xyz == pytest.approx([1, 0, 0.3 * advance], abs=1e-15)
    assert X.rpy == pytest.approx([0, 0, 0.3])


def test_a_joint_turns_about_its_own_frame():
    """The hinge stands 0.5 m behind the child's origin: the child goes round it."""
    robot = model(joint("revolute", more="<pose>-0.5 0 0 0 0 0</pose>"))
    assert robot.pose("b", positions={"j": pi / 2}).is_close(sf.Pose.from_rpy([0.5, 0.5, 0], [0, 0, pi / 2]), 1e-15)
    assert robot.pose("j", positions={"j": pi / 2}).is_close(sf.Pose.from_rpy([0.5, 0, 0], [0, 0, pi / 2]), 1e-15)


def test_an_axis_can_be_given_in_another_frame():
    robot = model(
        joint("revolute", '<axis><xyz expressed_in="__model__">0 0 1</xyz></axis>', more="<pose>0 0 0 1 0.5 0</pose>"))
    assert robot.pose("b", positions={"j": 0.3}).rpy == pytest.approx([0, 0, 0.3])


URDF = """<robot name="r"><link name="base"><inertial><mass value="1"/><inertia
  ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="a"><inertial><mass value="1"/><inertia
  ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="tip"/><link name="tool"/>
<joint name="j" type="{}"><parent link="base"/><child link="a"/><origin xyz="0 0 1"/><axis xyz="{}"/></joint>
<joint name="a" type="continuous"><parent link="a"/><child link="tip"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>
<joint name="last" type="fixed"><parent link="tip"/><child link="tool"/><origin xyz="1 0 0"/></joint></robot>"""


def test_joints_of_quaternions_and_poses_that_are_not_named_stand_at_zero():
    robot = model(joint("ball", "") + joint("revolute", name="k", ends="bc"), "a", "b", "c")
    assert robot.pose("b", positions={"k": 0.5}).is_close(sf.Pose([1, 0, 0]), 1e-15)
    floating = sf.loads(URDF.format("floating", "0 0 1"))
    assert floating.pose("a", "base", {"a": 0.5}).is_close(sf.Pose([0, 0, 1]), 1e-15)
    planar = sf.loads(URDF.format("planar", "0 0 1"))
    assert planar.pose("a", "base", {"a": 0.5}).is_close(sf.Pose([0, 0, 1]), 1e-15)


@pytest.mark.parametrize("position", [sf.Pose([1, 2, 3], [0, 0, 0, 1]), [1, 2, 3, 0, 0, 0, 2]])
def test_a_floating_joint_takes_a_pose(position):
    X = sf.loads(URDF.format("floating", "0 0 1")).pose("a", "base", {"j": position})
    assert X.is_close(sf.Pose([1, 2, 4], [0, 0, 0, 1]), 1e-15)


@pytest.mark.parametrize(("normal", "expected"), [
    ("0 0 1", sf.Pose.from_rpy([1, 2, 1], [0, 0, 0.5])),
    ("1 0 0", sf.Pose.from_rpy([0, 2, 0], [0.5, 0, 0])),  # z becomes x by a turn about y: x becomes -z
    ("0 0 -1", sf.Pose.from_rpy([1, -2, 1], [0, 0, -0.5]))])
def test_a_planar_joint_moves_in_its_plane(normal, expected):
    X = sf.loads(URDF.format("planar", normal)).pose("a", "base", {"j": [1, 2, 0.5]})
    assert X.is_close(expected, 1e-15)


def test_links_that_the_sdf_cannot_express_move_too():
    """The massless link behind the continuous joint is not in the SDF; what hangs on it follows."""
    robot = sf.loads(URDF.format("revolute", "0 0 1").replace(
        "<axis", '<limit lower="-1" upper="1" effort="1" velocity="1"/><axis', 1))
    assert not robot.frames["tool"].in_sdf and not robot.joints["a"].in_sdf
    assert robot.pose("tool", "base", {"a": pi / 2}).is_close(sf.Pose.from_rpy([1, 1, 1], [0, 0, pi / 2]), 1e-15)


def test_a_renamed_joint_answers_to_both_names():
    """SDF allows no link and joint of one name: the joint `b` becomes `b_joint`."""
    urdf = URDF.format("continuous", "0 0 1").replace('joint name="j"', 'joint name="base"')
    robot = sf.loads(urdf)
    assert robot.joints["base"].fate == "renamed to base_joint"
    for name in ("base", "base_joint"):
        assert robot.pose("a", positions={name: 0.5}).rpy[2] == pytest.approx(0.5)
        placed = robot.place("a", "base", sf.Pose([1, 2, 3]), positions={name: 0.5})
        assert placed.pose("a", "base", {name: 0.5}).is_close(sf.Pose([1, 2, 3]))


MIMIC = ('<axis><xyz>0 0 1</xyz><mimic joint="{}"{}><multiplier>2</multiplier><offset>0.5</offset>'
         "<reference>0.1</reference></mimic></axis>")


def test_a_mimic_joint_follows_its_leader():
    """q = multiplier · (leader − reference) + offset. Source: joint.sdf of 1.11 on mimic."""
    robot = model(
        joint("revolute", name="lead") + joint("revolute", MIMIC.format("lead", ""), "follow", "bc"), "a", "b", "c")
    assert robot.joints["follow"].mimic == sf.Mimic("lead", 2.0, pytest.approx(0.3))
    assert robot.pose("c", "b", {"lead": 0.4}).rpy[2] == pytest.approx(2 * (0.4 - 0.1) + 0.5)
    assert robot.pose("c", "b", {}).rpy[2] == pytest.approx(0.3)
    assert robot.pose("c", "b", {"lead": 0.4, "follow": 0.0}).rpy[2] == 0
    assert robot.pose("c", "b").rpy[2] == 0  # as the description has it


def test_a_mimic_can_follow_the_second_axis():
    robot = model(
        joint("universal", TWO, name="lead") + joint("revolute", MIMIC.format("lead", ' axis="axis2"'), "follow", "bc"),
        "a", "b", "c")
    assert robot.pose("c", "b", {"lead": (9, 0.4)}).rpy[2] == pytest.approx(1.1)


@pytest.mark.parametrize("position", [1.7e308, np.array([0.0, -1.7e308])])
def test_a_position_that_follows_and_is_not_finite_is_refused(position):
    robot = model(
        joint("prismatic", name="lead") + joint("revolute", MIMIC.format("lead", ""), "follow", "bc"), "a", "b", "c")
    with np.errstate(over="ignore"), pytest.raises(ValueError, match="'follow', which follows another joint, is not"):
        robot.poses({"lead": position})


def test_joints_that_mimic_each_other_come_to_rest():
    text = (f'<sdf version="1.11"><model name="m">{"".join(LINK.format(n, "") for n in "abc")}'
            + joint("revolute", MIMIC.format("q", ""), "p") + joint("revolute", MIMIC.format("p", ""), "q", "bc")
            + "</model></sdf>")
    assert np.isfinite(sf.loads(text).pose("c", positions={}).matrix).all()


@given(st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3), st.floats(-3, 3)), min_size=1, max_size=4))
def test_a_batch_is_its_configurations(rows):
    robot = model(joint("revolute", name="p") + joint("universal", TWO, "q", "bc"), "a", "b", "c")
    p, q, r = np.array(rows).T
    batch = robot.poses({"p": p, "q": np.stack([q, r], axis=-1)}, relative_to="b")
    for i, row in enumerate(rows):
        one = robot.poses({"p": row[0], "q": row[1:]}, relative_to="b")
        assert one.keys() == batch.keys()
        assert all(batch[name][i].is_close(one[name], 1e-12) for name in one)
        assert one["c"].is_close(robot.pose("c", "b", {"p": row[0], "q": row[1:]}), 1e-12)


def test_batches_broadcast():
    robot = model(joint("revolute", name="p") + joint("prismatic", name="q", ends="bc"), "a", "b", "c")
    poses = robot.poses({"p": np.linspace(0, 1, 4)[:, None], "q": [0.1, 0.2, 0.3]})
    assert {pose.shape for pose in poses.values()} == {(4, 3)}
    assert poses["c"][2, 1].is_close(robot.pose("c", positions={"p": 2 / 3, "q": 0.2}), 1e-15)
    with pytest.raises(ValueError, match=r"do not broadcast: p \(4,\), q \(3,\)"):
        robot.poses({"p": np.zeros(4), "q": np.zeros(3)})


@pytest.mark.parametrize(("positions", "error", "says"), [
    ({"jj": 1}, KeyError, "no movable joint 'jj'; did you mean 'j'?"),
    ({"j": "much"}, ValueError, "the position of 'j' must consist of numbers"),
    ({"j": 1 + 2j}, ValueError, "the position of 'j' must consist of numbers"),
    ({"j": np.array([1, 2j])}, ValueError, "the position of 'j' must consist of numbers"),
    ({"j": np.datetime64(1, "s")}, ValueError, "the position of 'j' must consist of numbers"),
    ({"j": 10 ** 400}, ValueError, "the position of 'j' must consist of numbers"),
    ({"j": "0.5"}, ValueError, "the position of 'j' must consist of numbers"),
    ({"j": [0, "0.5"]}, ValueError, "the position of 'j' must consist of numbers"),
    ({"j": sf.Pose()}, ValueError, "the position of 'j' must consist of numbers"),
    ({"j": float("inf")}, ValueError, "the position of 'j' contains a number that is not finite"),
    ([0.5], TypeError, "positions must be a mapping from joint names to positions, not list"),
    *[({kind: position}, ValueError, "the position of") for kind, position in (
        ("u", 0.5), ("u", [1, 2, 3]), ("ball", [0, 0, 0, 0]))]])
def test_positions_that_cannot_be(positions, error, says):
    robot = model(joint("revolute") + joint("universal", TWO, "u", "bc") + joint("ball", "", "ball", "cd"), *"abcd")
    with pytest.raises(error, match=says.replace("?", r"\?")):
        robot.pose("b", positions=positions)


def test_a_joint_that_closes_a_loop_takes_no_position():
    robot = model(joint("revolute") + joint("revolute", name="k", ends="bc")
                  + joint("revolute", name="loop", ends="ac"), *"abc")
    assert not robot.joints["loop"].movable
    with pytest.raises(KeyError, match="no movable joint 'loop'"):
        robot.poses({"loop": 0.1})


def test_frames_of_nested_models_move_with_their_bodies():
    nested = f'<model name="n">{LINK.format("l", "")}<frame name="f"><pose>1 0 0 0 0 0</pose></frame></model>'
    text = (f'<sdf version="1.9"><world name="w"><model name="m">{LINK.format("a", "")}{nested}'
            f'{joint("revolute", ends=("a", "n::l"))}</model></world></sdf>')
    world = sf.loads(text, strict=True).worlds["w"]
    assert world.pose("m::n::f", "m::a", {"m::j": pi / 2}).is_close(sf.Pose.from_rpy([0, 1, 0], [0, 0, pi / 2]), 1e-15)
    assert world.models["m::n"].canonical_link == "m::n::l"


def test_the_frame_of_a_model_moves_with_its_canonical_link():
    """The link b, which is 1 m from the model's origin, turns by 90°: so does the origin about b."""
    text = (f'<sdf version="1.11"><model name="m" canonical_link="b">{LINK.format("a", "")}'
            f'{LINK.format("b", "<pose>1 0 0 0 0 0</pose>")}{joint("revolute")}</model></sdf>')
    X = sf.loads(text, strict=True).pose("__model__", "a", {"j": pi / 2})
    assert X.is_close(sf.Pose.from_rpy([1, -1, 0], [0, 0, pi / 2]), 1e-15)


def test_without_positions_frames_are_where_the_description_has_them():
    robot = model(joint("revolute", more="<pose>0.1 0.2 0.3 0.4 0.5 0.6</pose>")
                  + '<frame name="f" attached_to="b"><pose>1 2 3 1 2 3</pose></frame>')
    assert dict.fromkeys(robot.frames, True) == {
        name: frame.pose.is_close(robot.pose(name), 1e-15) for name, frame in robot.frames.items()}


def test_a_frame_without_a_body_stands_until_a_joint_moves():
    """What it is attached to does not exist, but its pose is in the model frame."""
    frame = '<frame name="f" attached_to="nowhere"><pose relative_to="__model__">1 2 3 0 0 0</pose></frame>'
    robot = sf.loads(f'<sdf version="1.9"><model name="m">{LINK.format("a", "")}{frame}</model></sdf>')
    assert robot.pose("f").xyz.tolist() == robot.poses()["f"].xyz.tolist() == [1, 2, 3]
    assert "f" not in robot.poses({})
    with pytest.raises(ValueError, match="the link that carries the frame 'f' cannot be resolved"):
        robot.pose("f", positions={})


def test_a_model_whose_canonical_link_is_missing_has_poses():
    """The include that should have brought it failed."""
    include = "<include><uri>model://nowhere_at_all</uri></include>"
    text = f'<model name="m" canonical_link="n::l">{include}{LINK.format("a", "")}</model>'
    robot = sf.loads(f'<sdf version="1.9">{text}</sdf>')
    assert robot.frames["a"].pose == robot.pose("a") == robot.poses()["a"]


def test_a_frame_that_cannot_be_resolved_has_no_pose():
    robot = sf.loads(
        f'<sdf version="1.9"><model name="m">{LINK.format("a", "")}<frame name="f" attached_to="none"/></model></sdf>')
    assert robot.frames["f"].pose is None
    assert "f" not in robot.poses()
    with pytest.raises(ValueError, match="the frame 'f' cannot be resolved"):
        robot.pose("f")
