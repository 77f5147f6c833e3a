"""TF as published against a model. Poses, places and the findings that a defect must give are worked out by hand."""
from __future__ import annotations

from math import cos, nan, pi, sin, sqrt

import pytest
from urdf_text import joint, link

from sdf_frames.frames.tf_check import check_tf
from sdf_frames.frames.tf_observed import Observed
from sdf_frames.load import load_text

#: base -(mount, fixed, 1 m up, a quarter turn about z)- flange -(turn, revolute, 3 m along x)- hand -(grip, fixed)-
# palm
ARM = """<robot name="arm">
  <link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="flange"/>
  <link name="hand"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="palm"/>
  <joint name="mount" type="fixed"><parent link="base"/><child link="flange"/><origin xyz="0 0 1" rpy="0 0 1.5707963267948966"/></joint>
  <joint name="turn" type="revolute"><parent link="flange"/><child link="hand"/><origin xyz="3 0 0"/><axis xyz="0 0 1"/>
    <limit effort="1" velocity="1" lower="-1" upper="1"/></joint>
  <joint name="grip" type="fixed"><parent link="hand"/><child link="palm"/><origin xyz="0.5 0 0"/></joint>
</robot>"""  # noqa: E501
TOOL = ARM.replace("</robot>", link("tool", 1) + joint("spin", "continuous", "palm", "tool") + "</robot>")
HALF = sqrt(0.5)


def pose(x: float = 0, y: float = 0, z: float = 0, yaw: float = 0) -> tuple:
    return (x, y, z, cos(yaw / 2), 0.0, 0.0, sin(yaw / 2))


def make_tree() -> dict:
    """What the node in mode complement and robot_state_publisher publish together, the hand turned by 0.3 rad."""
    transforms = [Observed("base", "flange", (0, 0, 1, HALF, 0, 0, HALF), True),
                  Observed("flange", "hand", pose(3, yaw=0.3), False),
                  Observed("hand", "palm", pose(0.5), True),
                  Observed("base", "mount", (0, 0, 1, HALF, 0, 0, HALF), True),
                  Observed("hand", "turn", pose(), True),
                  Observed("hand", "grip", pose(0.5), True),
                  Observed("base", "arm", pose(), True)]
    return {t.child: t for t in transforms}


def check(transforms, text: str = ARM, prefix: str = "", **options) -> tuple:
    transforms = list(transforms.values() if isinstance(transforms, dict) else transforms)
    expected, _ = load_text(text).static_transforms(frame_prefix=prefix, motions=True, places=True)
    return check_tf(expected, transforms, **options)


def names(found) -> list:
    return [d.name for d in found]


def test_the_robots_own_tree_is_consistent():
    tree = make_tree()
    assert check(tree) == ()
    # A robot in a map, with a camera on it that the model does not have.
    assert check([*tree.values(), Observed("map", "odom", pose(1), False), Observed("odom", "base", pose(2), False),
                  Observed("palm", "camera", pose(yaw=1), True)]) == ()


def test_differences_that_change_no_lookup_are_consistent():
    tree = make_tree()
    # Fixed ones on /tf, leading slashes, the flange below the mount, and base below flange instead of flange below
    # base.
    assert check([t._replace(static=False, parent="/" + t.parent, child="/" + t.child) for t in tree.values()]) == ()
    tree["flange"] = Observed("mount", "flange", pose(), True)
    assert check(tree) == ()
    del tree["flange"], tree["mount"]
    tree["base"] = Observed("flange", "base", (0, 0, -1, HALF, 0, 0, -HALF), True)
    # the other sign is the same rotation
    tree["mount"] = Observed("base", "mount", (0, 0, 1, -HALF, 0, 0, -HALF), True)
    assert check(tree) == ()
    # Another's frame between two of the model: a metre forward, a quarter turn, then a metre to the left, which is
    # back.
    tree = make_tree()
    tree["riser"] = Observed("base", "riser", pose(1, 0, 0.5, pi / 2), True)
    tree["flange"] = Observed("riser", "flange", pose(0, 1, 0.5), True)
    assert check(tree) == ()
    tree["riser"] = Observed("base", "riser", pose(1, 0, 0.7, pi / 2), True)
    finding, = check(tree)
    assert finding.name == "tf-pose-differs" and "'flange' is 0.2 m and 0 rad off in 'base'" in finding.message
    # What moves on its way may be anywhere.
    tree["riser"] = Observed("base", "riser", pose(1, 0, 0.7, pi / 2), False)
    assert check(tree) == ()
    tree = make_tree()
    tree["slider"] = Observed("flange", "slider", pose(4), False)
    tree["hand"] = Observed("slider", "hand", pose(-1), True)
    assert check(tree) == ()


def test_nothing_published():
    finding, = check([])
    assert (finding.code, finding.name, finding.severity) == ("T002", "tf-empty", "error")
    assert check([], "<sdf version='1.9'><model name='m'><link name='m'/></model></sdf>") == (), "a model of one frame"


def test_missing_frames_that_hang_together_are_one_finding_with_their_lines():
    tree = make_tree()
    del tree["hand"], tree["palm"], tree["turn"], tree["grip"]
    finding, = check(tree)
    assert (finding.code, finding.name, finding.severity, finding.line) == ("T003", "tf-frame-missing", "error", 4)
    assert finding.message == "frame 'hand' is not in TF, with 3 others below it"
    assert "joint_states" in finding.hint
    assert {(r.message, r.line) for r in finding.related} == {("frame 'turn'", 7), ("frame 'grip'", 9),
                                                              ("frame 'palm'", 5)}
    assert check(tree, optional=["hand", "turn", "grip", "palm"]) == ()
    assert [(d.message, len(d.related)) for d in check(tree, optional=["hand", "turn"])] == [
        ("frame 'grip' is not in TF, with 1 other below it", 1)]


@pytest.mark.parametrize("model_prefix, tf_prefix, hint", [
    ("", "r1/", "TF has 'r1/base': names there begin with 'r1/' (parameter frame_prefix)"),
    ("", "left_", "TF has 'left_base': names there begin with 'left_' (parameter frame_prefix)"),
    ("", "arm::", "TF has 'arm::base': names there begin with 'arm::' (parameter frame_prefix)"),
    ("r1/", "", "TF has 'base': names there lack 'r1/' (parameter frame_prefix)")])
def test_a_tree_under_another_prefix(model_prefix, tf_prefix, hint):
    tree = [t._replace(parent=tf_prefix + t.parent, child=tf_prefix + t.child) for t in make_tree().values()]
    finding, = check(tree, prefix=model_prefix)
    assert finding.name == "tf-frame-missing" and finding.hint == hint and len(finding.related) == 7
    assert check(tree, prefix=tf_prefix) == ()
    finding, = check([t for t in tree if not t.child.endswith("arm")], prefix=model_prefix)
    assert finding.hint == hint


def test_links_under_another_prefix_beside_frames_under_that_of_the_model():
    """robot_state_publisher has a frame_prefix, and the node in mode complement has none."""
    tree = make_tree()
    for name in ("flange", "hand", "palm"):
        t = tree.pop(name)
        tree[f"r1/{name}"] = t._replace(parent=f"r1/{t.parent}", child=f"r1/{name}")
    finding, = check(tree)
    assert (finding.name, finding.message) == (
        "tf-frame-missing", "frame 'flange' is not in TF; the same holds for 2 others")
    assert finding.hint == "TF has 'r1/flange': names there begin with 'r1/' (parameter frame_prefix)"
    assert {r.message for r in finding.related} == {"frame 'hand'", "frame 'palm'"}
    text = """<robot name="arm"><link name="base"/><link name="hand"/><joint name="turn" type="continuous">
      <parent link="base"/><child link="hand"/><axis xyz="0 0 1"/></joint></robot>"""
    finding, = check([Observed("r1/base", "r1/hand", pose(), False), Observed("base", "arm", pose(), True),
                      Observed("hand", "turn", pose(), True)], text)
    assert finding.name == "tf-disconnected"
    assert finding.hint == (
        "TF has 'r1/hand': names there begin with 'r1/' (parameter frame_prefix); or publish joint states of 'turn': "
        "robot_state_publisher, or this node with joint_states, then publishes the frames on /tf")


def test_names_joined_otherwise():
    text = """<sdf version="1.9"><model name="m"><link name="l"/><model name="n"><link name="k"/></model>
      <joint name="j" type="fixed"><parent>l</parent><child>n::k</child></joint></model></sdf>"""
    finding, = check([Observed("l", "n::k", pose(), True), Observed("l", "m", pose(), True)], text)
    assert finding.hint == "TF has 'n::k': names are joined otherwise there (parameter scope_separator)"


def test_another_parent():
    tree = make_tree()
    # Gazebo publishes each link in the world; a foreign parent apart from the robot's tree is another parent too.
    tree["base"] = Observed("odom", "base", pose(), False)
    tree["hand"] = Observed("odom", "hand", pose(), False)
    finding, = check(tree)
    assert (finding.code, finding.name, finding.severity, finding.line) == ("T004", "tf-parent-differs", "error", 4)
    assert finding.message == "frame 'hand' has the parent 'odom' in TF, but 'flange' in the model"
    assert finding.hint == "stop the publisher of the other parent, or publish the chain of the model"
    # A joint's child may hang below whatever is fixed to its parent, but not below what another joint moves.
    tree = make_tree()
    tree["spin"] = Observed("tool", "spin", pose(), True)
    # at the palm, turned about x
    tree["tool"] = Observed("hand", "tool", (0.5, 0, 0, cos(0.35), sin(0.35), 0, 0), False)
    assert check(tree, TOOL) == ()
    tree["tool"] = Observed("flange", "tool", pose(), False)
    assert [(d.name, d.message) for d in check(tree, TOOL)] == [
        ("tf-parent-differs", "frame 'tool' has the parent 'flange' in TF, but 'palm' in the model")]


def test_a_link_that_only_the_urdf_has_waits_for_the_joint():
    # In the URDF of an SDF, the link 'turn_frame' is where the joint is; nothing is known of the joint yet.
    tree = make_tree()
    tree["hand"] = Observed("turn_frame", "hand", pose(1), True)
    finding, = check(tree)
    assert finding.message == "frame 'hand' has the parent 'turn_frame' in TF, but 'flange' in the model"
    assert "joint_states" in finding.hint
    tree["turn_frame"] = Observed("flange", "turn_frame", pose(2, yaw=0.3), False)
    assert "T004" not in [d.code for d in check(tree)]


def test_a_rigid_transform_that_differs():
    tree = make_tree()
    tree["flange"] = Observed("base", "flange", pose(0.3, 0.4, 1, pi / 2 + 0.1), True)
    finding, = check(tree)
    assert (finding.code, finding.name, finding.severity, finding.line) == ("T005", "tf-pose-differs", "error", 3)
    assert finding.path == '/robot[@name="arm"]/link[@name="flange"]'
    assert finding.message == (
        "frame 'flange' is 0.5 m and 0.1 rad off in 'base': TF has 0.3 0.4 1 m, rpy 0 0 1.6708 rad, "
                               "the model 0 0 1 m, rpy 0 0 1.5708 rad")
    assert check(tree, position_tolerance=0.51, angle_tolerance=0.11) == ()
    # Nearly right is right; and of two that publish the same frame, one being right does not help.
    tree["flange"] = Observed("base", "flange", (0, 0.00009, 1, 0.7071, 0, 0, 0.7071), True)
    assert check(tree) == ()
    two, three = [Observed("base", "flange", pose(0, 0, z, pi / 2), True) for z in (2, 3)]
    for several in ([*tree.values(), three, two], [two, three, *tree.values()]):
        finding, = check(several)
        assert "'flange' is 2 m and 0 rad off" in finding.message


def test_two_parents_are_one_finding_however_many_frames_have_them():
    tree = make_tree()
    # That they are elsewhere as well is no further finding.
    finding, = check([*tree.values(), Observed("mount", "flange", pose(5), True),
                      Observed("grip", "palm", pose(5), False)])
    assert (finding.code, finding.name, finding.severity, finding.line) == ("T006", "tf-two-parents", "error", 3)
    assert finding.message == ("frame 'flange' has several parents in TF: 'base' (/tf_static), 'mount' (/tf_static)"
                               "; the same holds for 1 other")
    assert [(r.message, r.line) for r in finding.related] == [("frame 'palm': 'hand' (/tf_static), 'grip' (/tf)", 5)]
    finding, = check([*tree.values(), Observed("odom", "base", pose(), False), Observed("map", "base", pose(), False)])
    assert "'odom' (/tf), 'map' (/tf)" in finding.message
    # That one is on the other topic, or closes a loop, is part of the same mistake.
    for wrong in (Observed("base", "hand", pose(), True), Observed("palm", "hand", pose(), False)):
        assert names(check([*tree.values(), wrong])) == names(check([wrong, *tree.values()])) == ["tf-two-parents"]


def test_trees_that_nothing_connects():
    tree = make_tree()
    del tree["hand"]
    finding, = check(tree)
    assert (finding.code, finding.name, finding.severity, finding.line) == ("T007", "tf-disconnected", "error", 4)
    assert finding.message == "frame 'hand' has no parent in TF; in the model its parent is 'flange'"
    waits = ("publish joint states of 'turn': robot_state_publisher, or this node with joint_states, then publishes "
             "the frames on /tf")
    assert finding.hint == waits
    finding, = check(tree, ages={"hand": 12.4, "palm": 3.0})
    assert finding.hint == f"{waits}; the last transform on /tf came 12 s ago"


def test_frames_that_wait_for_joints_are_one_finding_with_all_joints():
    """As if joint_states fell silent: ten fingers, each with a fixed tip that is still on /tf_static."""
    links = "".join(f'<link name="f{i}"/><link name="t{i}"/><joint name="j{i}" type="revolute"><parent link="base"/>'
                    f'<child link="f{i}"/><limit effort="1" velocity="1" lower="-1" upper="1"/></joint>'
                    f'<joint name="k{i}" type="fixed"><parent link="f{i}"/><child link="t{i}"/></joint>'
                    for i in range(10))
    tree = [Observed("base", "r", pose(), True)]
    tree += [Observed(parent, child, pose(), True) for i in range(10)
             for parent, child in ((f"f{i}", f"t{i}"), (f"f{i}", f"j{i}"), (f"f{i}", f"k{i}"))]
    finding, = check(tree, f'<robot name="r"><link name="base"/>{links}</robot>', publishers=["/tf /a"],
                     ages={f"f{i}": 20.0 + i for i in range(10)})
    assert finding.name == "tf-disconnected" and len(finding.related) == 9
    assert finding.message == (
        "frame 'f0' has no parent in TF; in the model its parent is 'base'; the same holds for 9 others")
    assert finding.hint == (
        "publish joint states of 'j0', 'j1', 'j2', 'j3', 'j4', 'j5', 'j6', 'j7', …: robot_state_publisher, or this "
        "node with joint_states, then publishes the frames on /tf; the last transform on /tf came 20 s ago; TF comes "
        "from /tf /a")


@pytest.mark.parametrize("kind, words", [("revolute", "joint_states"), ("floating", "must publish it on /tf"),
                                         ("planar", "must publish it on /tf")])
def test_who_is_to_publish_an_absent_frame(kind, words):
    """joint_states has one position for a joint; robot_state_publisher leaves floating joints out."""
    tree = make_tree()
    text = ARM.replace('"revolute"', f'"{kind}"')
    del tree["hand"]
    finding, = check(tree, text)
    assert finding.name == "tf-disconnected" and words in finding.hint
    for name in ("palm", "turn", "grip"):
        del tree[name]
    finding, = check(tree, text)
    assert finding.name == "tf-frame-missing" and words in finding.hint
    assert ("complement" in finding.hint) == (kind != "revolute")


def test_a_ball_joint_is_published_by_what_knows_its_pose():
    text = """<sdf version="1.12"><model name="m"><link name="a"/><link name="b"/>
      <joint name="j" type="ball"><parent>a</parent><child>b</child></joint></model></sdf>"""
    finding, = check([Observed("a", "m", pose(), True), Observed("b", "j", pose(), True)], text)
    assert (finding.name, finding.hint) == (
        "tf-disconnected",
        "no robot_state_publisher publishes it: the node that knows the pose must publish it on /tf, or this node, at "
        "zero (tf_mode all or complement) or from multi_dof_joint_states (joint_states)")


def test_a_loop():
    tree = make_tree()
    finding, = check([*tree.values(), Observed("flange", "base", pose(), False)])
    assert (finding.code, finding.name, finding.severity) == ("T008", "tf-loop", "error")
    assert finding.message in ("the transforms in TF form a loop: 'flange' below 'base' below 'flange'",
                               "the transforms in TF form a loop: 'base' below 'flange' below 'base'")
    assert check([*tree.values(), Observed("a", "b", pose(), False), Observed("b", "a", pose(), False)]) == (
        ), "not the model's"
    assert names(
        check([*tree.values(), Observed("a", "base", pose(), False),
               Observed("base", "a", pose(), False)])) == ["tf-loop"]


def test_a_movable_frame_on_tf_static():
    tree = make_tree()
    tree["hand"] = tree["hand"]._replace(static=True)
    finding, = check(tree)
    assert (finding.code, finding.name, finding.severity, finding.line) == ("T009", "tf-movable-is-static", "warning",
        4)
    assert finding.message == "frame 'hand' can move, but is on /tf_static"
    # With tf_mode all the node itself puts it there, at zero.
    assert names(check(tree, at_zero={"hand"})) == ["tf-pose-differs"]
    tree["hand"] = tree["hand"]._replace(pose=pose(3))
    assert check(tree, at_zero={"hand"}) == ()


def test_a_movable_frame_on_both_topics():
    tree = make_tree()
    for at_zero in ((), {"hand"}):
        finding, = check([*tree.values(), tree["hand"]._replace(static=True, pose=pose(3))], at_zero=at_zero)
        assert (finding.code, finding.name, finding.severity, finding.line) == ("T010", "tf-static-and-moving", "error",
            4)
    assert check([*tree.values(), tree["flange"]._replace(static=False)]) == (), "the same twice does no harm"


@pytest.mark.parametrize("transform, reason", [
    (Observed("base", "flange", (0, 0, 1, 0, 0, 0, 0), True), "its quaternion has the length 0"),
    (Observed("base", "flange", (0, 0, 1, 1, 0, 0, 1), True), "its quaternion has the length 1.41421"),
    (Observed("base", "flange", (nan, 0, 1, 1, 0, 0, 0), True), "one of its numbers is not finite"),
    (Observed("flange", "flange", pose(), True), "a frame is its own parent"),
    (Observed("", "flange", pose(), True), "a frame has no name")])
def test_transforms_that_tf2_rejects_are_errors(transform, reason):
    tree = make_tree()
    tree["flange"] = transform
    finding = check(tree)[0]
    assert (finding.code, finding.name, finding.severity, finding.line) == ("T011", "tf-transform-refused", "error", 3)
    assert finding.message.endswith(reason)
    tree["flange"] = make_tree()["flange"]
    assert check([*tree.values(), Observed("other", "own", (0, 0, 0, 0, 0, 0, 0), True)]) == (), "not the model's"


def test_which_frames_can_move():
    def movable(text: str) -> set:
        loaded = load_text(text)
        return {t.child for t in loaded.static_transforms()[0] if t.movable}

    assert movable(ARM) == {"hand"}
    # A movable joint whose child has no mass is in TF though not in the SDF; a kept fixed joint stays fixed.
    assert movable(
        ARM.replace("</robot>", '<link name="wire"/><joint name="sway" type="continuous"><parent link="hand"/>'
                                           '<child link="wire"/></joint></robot>')) == {"hand", "wire"}
    assert movable(
        ARM.replace("</robot>", '<gazebo reference="grip"><preserveFixedJoint>true</preserveFixedJoint></gazebo>'
                                           '</robot>')) == {"hand"}
    assert movable(ARM.replace("</robot>", "<gazebo><static>true</static></gazebo></robot>")) == {"hand"}
    # In a world a model is free unless static or held; fixed joints hold.
    assert movable("""<sdf version="1.9"><world name="w">
      <model name="table"><static>true</static><link name="top"/></model>
      <model name="cart"><link name="body"/><link name="box"/><link name="loose"/><frame name="hook"/>
        <joint name="weld" type="fixed"><parent>body</parent><child>box</child></joint></model>
      <model name="post"><link name="foot"/><joint name="held" type="fixed"><parent>world</parent><child>foot</child></joint></model>
    </world></sdf>""") == {"cart/body", "cart/loose"}  # noqa: E501


def about(axis: str, angle: float) -> tuple:
    return (cos(angle / 2), *[sin(angle / 2) * (name == axis) for name in "xyz"])


@pytest.mark.parametrize("observed, distance, angle", [
    ((3, 0, 0, *about("x", 0.3)), 0, 0.3),
    ((3.2, 0, 0, *about("z", 0.3)), 0.2, 0),
    ((3, 0, 0.2, *about("z", -0.9)), 0.2, 0),
    ((3, 0.15, 0.2, *about("y", 3)), 0.25, 3)])
def test_a_joint_that_turns_about_another_axis_or_elsewhere(observed, distance, angle):
    tree = make_tree()
    tree["hand"] = tree["hand"]._replace(pose=observed)
    finding, = check(tree)
    assert (finding.code, finding.name, finding.severity, finding.line) == ("T012", "tf-joint-moves-otherwise", "error",
        4)
    assert finding.message == (
        "joint 'turn' cannot reach this pose of frame 'hand': in 'flange' it can only turn about 0 0 1, which leaves "
        f"{distance:.6g} m and {angle:.6g} rad")
    assert check(tree, position_tolerance=distance + 0.01, angle_tolerance=angle + 0.01) == ()
    # On /tf_static too, where that alone would be a warning; and of two publishers one suffices.
    tree["hand"] = tree["hand"]._replace(static=True)
    assert names(check(tree)) == ["tf-joint-moves-otherwise"]
    assert names(
        check([Observed("flange", "hand", observed, False), *make_tree().values()])) == ["tf-joint-moves-otherwise"]


@pytest.mark.parametrize("lower, upper, angle, position", [
    (-1, 1, 1.0005, None), (-1, 1, 1.01, "1.01"), (-1, 1, -1.01, "-1.01"),
    # Angles are known up to whole turns.
    (5, 7, 0, None), (-9, -6, 0.2, None), (-9, -6, 0.3, "0.3"), (5, 20, 2, None), (0.5, 6, 0.2, "0.2"),
    (4, 6.5, -0.1, None),
    ("-1e16", "1e16", 3, None)])
def test_a_joint_beyond_its_limits(lower, upper, angle, position):
    tree = make_tree()
    tree["hand"] = tree["hand"]._replace(pose=pose(3, yaw=angle))
    found = check(tree, ARM.replace('lower="-1" upper="1"', f'lower="{lower}" upper="{upper}"'))
    assert [(d.code, d.name, d.severity, d.line, d.message) for d in found] == ([] if position is None else [
        ("T013", "tf-joint-beyond-limits", "warning", 4,
         f"frame 'hand' puts joint 'turn' at {position} rad, outside its limits {lower} to {upper} rad")])


def test_the_tree_may_have_its_root_beyond_the_joint():
    tree = make_tree()
    # The hand at 3 0 0, turned by 0.3 rad, sees the flange so:
    tree["flange"] = Observed("hand", "flange", pose(-3 * cos(0.3), 3 * sin(0.3), yaw=-0.3), False)
    tree["base"] = Observed("flange", "base", (0, 0, -1, HALF, 0, 0, -HALF), True)
    del tree["hand"]
    assert check(tree) == ()
    tree["flange"] = Observed("hand", "flange", pose(-3, yaw=-0.3), False)
    finding, = check(tree)
    # Two sides of 3 m with 0.3 rad between them.
    assert finding.message.startswith("joint 'turn' cannot reach this pose of frame 'flange': in 'hand' it can only ")
    assert finding.message.endswith(", which leaves 0.896629 m and 0 rad")
    assert 6 * sin(0.15) == pytest.approx(0.896629, abs=1e-6)
    assert finding.line == 4, "the link that the joint moves; the root of a model has no line"


def test_one_joint_is_one_finding_whatever_hangs_on_it():
    tree = make_tree()
    tree["hand"] = tree["hand"]._replace(pose=pose(3, 1))
    tree["palm"] = Observed("flange", "palm", pose(3.5, 1), False)
    assert names(check(tree)) == ["tf-joint-moves-otherwise"]


DOOR = """<sdf version="1.9"><model name="house"><link name="wall"/>
<link name="door"><pose>1 0 0 0 0 1.5707963267948966</pose></link>
<frame name="tilted"><pose>0 0 0 1.5707963267948966 0 0</pose></frame>
<joint name="hinge" type="%s"><pose relative_to="wall">1 -1 0 0 0 0</pose><parent>wall</parent><child>door</child>
<axis><xyz expressed_in="tilted">0 2 0</xyz><limit><lower>0</lower><upper>2</upper></limit></axis></joint></model></sdf>"""  # noqa: E501


def test_a_joint_frame_apart_from_the_link():
    def check_door(kind: str, *place: float) -> list:
        return [(d.name, d.line)
                for d in check([Observed("wall", "door", place, False), Observed("wall", "house", pose(), True),
                Observed("wall", "tilted", (0, 0, 0, *about("x", pi / 2)), True),
                Observed("door", "hinge", (-1, 0, 0, *about("z", -pi / 2)), True)], DOOR % kind)]

    # y of the tilted frame is up; the door, a metre from its hinge at 1 -1, swings by a quarter turn to 0 -1.
    for kind in ("revolute", "continuous"):
        assert check_door(kind, *pose(1, 0, yaw=pi / 2)) == check_door(kind, *pose(0, -1, yaw=pi)) == []
        assert check_door(kind, *pose(1, 0, yaw=pi)) == [("tf-joint-moves-otherwise", 2)]
    assert check_door("revolute", *pose(2, -1, yaw=0)) == [("tf-joint-beyond-limits", 2)]
    assert check_door("continuous", *pose(2, -1, yaw=0)) == []
    assert check_door("prismatic", *pose(1, 0, 1.5, yaw=pi / 2)) == []
    assert check_door("prismatic", *pose(1, 0.1, 1.5, yaw=pi / 2)) == [("tf-joint-moves-otherwise", 2)]
    assert check_door("prismatic", *pose(1, 0, 3, yaw=pi / 2)) == [("tf-joint-beyond-limits", 2)]
    for kind in ("ball", "universal", "screw"):
        assert check_door(kind, *pose(5, 6, yaw=1)) == []


def turned_palm(yaw: float, roll: float = 0.7) -> tuple:
    """The palm seen from the flange, the hand turned by `yaw`: the palm is rolled in the hand, 0.5 along its x."""
    c, s, cr, sr = cos(yaw / 2), sin(yaw / 2), cos(roll / 2), sin(roll / 2)
    return (3 + 0.5 * cos(yaw), 0.5 * sin(yaw), 0, c * cr, c * sr, s * sr, s * cr)


ROLLED = ARM.replace('<origin xyz="0.5 0 0"/>', '<origin xyz="0.5 0 0" rpy="0.7 0 0"/>')
LATER = ["hand", "turn", "grip"]  # hang on the palm, or are not heard of


def test_a_frame_below_the_moved_one_shows_where_that_is():
    tree = make_tree()
    for name in LATER:
        del tree[name]
    for yaw in (0, 0.3, -0.9):
        tree["palm"] = Observed("flange", "palm", turned_palm(yaw), False)
        assert check(tree, ROLLED, optional=LATER) == ()
    tree["palm"] = Observed("flange", "palm", turned_palm(0.3, roll=0.5), False)
    (finding,) = check(tree, ROLLED, optional=LATER)
    assert finding.message == ("joint 'turn' cannot reach this pose of frame 'palm': in 'flange' it can only turn "
                               "about 0 0 1, which leaves 0 m and 0.2 rad")
    tree["palm"] = Observed("flange", "palm", turned_palm(1.25), False)
    (finding,) = check(tree, ROLLED, optional=LATER)
    assert finding.message == "frame 'palm' puts joint 'turn' at 1.25 rad, outside its limits -1 to 1 rad"


@pytest.mark.parametrize("off, tolerances, found", [
    ((0.25, 0), {"position_tolerance": 0.25}, False), ((0.25, 0), {"position_tolerance": 0.2499}, True),
    ((0, 0.5), {"angle_tolerance": 0.5}, False), ((0, 0.5), {"angle_tolerance": 0.4999}, True),
    ((1e-4, 0), {}, False), ((1.01e-4, 0), {}, True), ((0, 1e-3), {}, False), ((0, 1.01e-3), {}, True)])
def test_a_pose_may_be_off_by_the_tolerance(off, tolerances, found):
    tree = make_tree()
    distance, angle = off
    tree["palm"] = tree["palm"]._replace(pose=pose(0.5, distance, yaw=angle))
    assert names(check(tree, **tolerances)) == ["tf-pose-differs"] * found
    # Of what a joint moves, square to its axis.
    tree = make_tree()
    tree["hand"] = tree["hand"]._replace(pose=(3, 0, distance, *about("x", angle)))
    assert names(check(tree, **tolerances)) == ["tf-joint-moves-otherwise"] * found


@pytest.mark.parametrize("place, tolerance, found", [
    (1.25, 0.251, False), (1.25, 0.249, True), (-1.5, 0.501, False), (-1.5, 0.499, True)])
def test_a_joint_may_be_beyond_its_limits_by_the_tolerance(place, tolerance, found):
    """Which of the two counts, the type says: metres for what slides."""
    text = ARM.replace('type="revolute"', 'type="prismatic"').replace('<axis xyz="0 0 1"/>', '<axis xyz="1 0 0"/>')
    tree = make_tree()
    tree["hand"] = tree["hand"]._replace(pose=pose(3 + place))
    assert names(check(tree, text, position_tolerance=tolerance)) == ["tf-joint-beyond-limits"] * found
    assert names(check(tree, text, angle_tolerance=1)) == ["tf-joint-beyond-limits"]


@pytest.mark.parametrize("length, refused", [(1.0049, False), (1.0051, True), (0.995, False), (0.9949, True)])
def test_how_long_a_quaternion_may_be(length, refused):
    """tf2 refuses those whose squared length is more than a hundredth from 1."""
    tree = make_tree()
    tree["palm"] = tree["palm"]._replace(pose=(0.5, 0, 0, length, 0, 0, 0))
    assert names(check(tree)) == ["tf-transform-refused"] * refused


def test_the_root_of_the_model_below_a_frame_two_joints_away():
    tree = make_tree()
    tree["base"] = Observed("tool", "base", pose(), False)
    del tree["hand"], tree["palm"], tree["flange"], tree["mount"]
    found = check(tree, TOOL, optional=["flange", "mount", "palm", "spin"])
    assert [d.message for d in found if d.name == "tf-parent-differs"] == [
        "frame 'base' has the parent 'tool' in TF, but none in the model"]


def test_what_is_above_the_model_is_not_its_own():
    """Its root may be on both topics, or below a loop of others."""
    both = [Observed("odom", "base", pose(2), static) for static in (True, False)]
    loop = [Observed(*pair, pose(), False) for pair in ("xy", "yx", ("x", "base"))]
    assert check([*make_tree().values(), *both]) == check([*make_tree().values(), *loop]) == ()


@pytest.mark.parametrize("kind", ["planar", "floating"])
@pytest.mark.parametrize("static, found", [(True, ["tf-movable-is-static"]), (False, [])])
def test_a_joint_of_several_axes_may_be_at_any_pose_but_not_still(kind, static, found):
    tree = make_tree()
    tree["hand"] = Observed("flange", "hand", (7, 8, 9, *about("x", 2)), static)
    assert names(check(tree, ARM.replace('type="revolute"', f'type="{kind}"'))) == found
