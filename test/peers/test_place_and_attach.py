"""Placing, judged by Pinocchio: the poses of all frames at random states; and a gripper on an arm in three programs."""
import random
from importlib.util import find_spec
from itertools import combinations

import numpy as np
import pytest
from lxml import etree
from real_files import STEP
from sources import urdf_files
from test_dynamics import bare_urdf
from test_edit_peers import ARM, SAMPLES, TOLERANCE, Pinocchio, draw_pose

import sdf_frames as sf

if find_spec("pinocchio") is None or find_spec("mujoco") is None or find_spec("pydrake") is None:
    pytest.skip("Pinocchio, MuJoCo or Drake is not installed (pip install pin mujoco drake)", allow_module_level=True)
import mujoco
import pinocchio as pin
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

COUNT = 100 if STEP == 1 else 25


def judge(text: str) -> Pinocchio:
    """The robot in Pinocchio, its root free."""
    return Pinocchio(bare_urdf(text.encode()))


def draw_state(rng: random.Random, robot: Pinocchio) -> dict:
    return {name: [rng.uniform(-1, 1) for _ in range(joint.nv)] for name, joint in robot.joints.items()}


def list_joints_between(joints: dict, frame: str, base: str) -> list:
    above = {joint.child: joint for joint in joints.values()}
    way = []
    while frame != base:
        way.append(above[frame])
        frame = above[frame].parent
    return way


def compare_placed(rng, robot: sf.RobotDescription, frame: str, base: str, moved) -> None:
    """At one state, the frame is where it was put; at all, both halves of the robot are as they were in themselves."""
    before, X = judge(robot.to_urdf()), draw_pose(rng)
    state = draw_state(rng, before)
    positions = {name: values[0] for name, values in state.items() if len(values) == 1}
    move = None if moved.child == frame else moved.name
    after = judge(robot.place(frame, base, sf.Pose.from_matrix(X), move=move, positions=positions).to_urdf())
    after.move(state)
    assert np.abs((after.pose(base).inverse() * after.pose(frame)).homogeneous - X).max() < TOLERANCE
    below, above = {moved.child}, {joint.child: joint.parent for joint in robot.joints.values()}
    while more := {child for child, parent in above.items() if parent in below} - below:
        below |= more
    for _ in range(SAMPLES):
        state = draw_state(rng, before)
        before.move(state)
        after.move(state)
        for link in before.frames:
            root = moved.child if link in below else moved.parent
            old, new = [(one.pose(root).inverse() * one.pose(link)).homogeneous for one in (before, after)]
            assert np.abs(old - new).max() < TOLERANCE, link


def test_placed_frames_and_all_others():
    """In robots with joints that Pinocchio reads and we read without errors."""
    rng, seen = random.Random(1), 0
    files = sorted([name for name, path in urdf_files().items() if path.stat().st_size < 400_000])
    if not files:
        pytest.skip("no corpus, no package with robots")
    rng.shuffle(files)
    for name in files:
        robot = sf.load(urdf_files()[name])
        if robot.kind != "urdf" or len(robot.links) < 2 or not robot.resolved:
            continue
        above = {joint.child: joint.parent for joint in robot.joints.values()}
        frame = base = rng.choice(sorted(above))
        bases = []
        while base in above:
            bases.append(base := above[base])
        base = rng.choice(bases)
        way = list_joints_between(robot.joints, frame, base)
        try:
            judge(robot.to_urdf())
        except (ValueError, RuntimeError, AssertionError):
            continue
        if any(joint.movable and joint.type not in ("revolute", "prismatic") for joint in way):
            continue  # of more numbers, or two for one angle
        compare_placed(rng, robot, frame, base, rng.choice(way))
        seen += 1
        if seen == COUNT:
            break
    assert seen >= COUNT * 4 // 5


def test_each_link_of_an_arm_in_each_above_by_each_joint_between():
    rng, robot = random.Random(0), sf.load(ARM)
    for base, frame in combinations(robot.links, 2):
        for moved in list_joints_between(robot.joints, frame, base):
            compare_placed(rng, robot, frame, base, moved)


@pytest.mark.parametrize("arm, link", [("ur5_robot", "tool0"), ("iiwa14_primitive_collision", "iiwa_link_ee")])
def test_a_gripper_on_an_arm_loads(arm, link):
    """In all three programs, with the joints of both."""
    paths = [next((path for path in urdf_files().values() if path.stem == name), None) for name in (arm, "franka_hand")]
    if None in paths:
        pytest.skip(f"no {arm} (pip install example-robot-data), or no corpus")
    robot, part = map(sf.load, paths)
    text = sf.attach(robot, part, link, sf.Pose([0, 0, 0.01]), prefix="left_").to_urdf()
    bare = etree.tostring(bare_urdf(text.encode()), encoding="unicode")
    moving = sum(joint.movable for one in (robot, part) for joint in one.joints.values())
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModelsFromString(bare, "urdf")
    plant.Finalize()
    assert plant.num_velocities() - 6 * len(plant.GetFloatingBaseBodies()) == moving
    assert pin.buildModelFromXML(bare).nv == moving and mujoco.MjModel.from_xml_string(bare).njnt == moving
