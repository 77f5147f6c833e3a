"""Placing and attaching, judged by Pinocchio: poses of all frames at random states, and the mass matrix of a robot with
another one attached."""
import random
from importlib.util import find_spec
from itertools import combinations

import numpy as np
import pytest
from lxml import etree
from real_files import STEP
from sources import urdf_files
from test_dynamics import bare_urdf
from test_edit_peers import ARM, Pinocchio, compare

import sdf_frames as sf

if find_spec("pinocchio") is None or find_spec("mujoco") is None or find_spec("pydrake") is None:
    pytest.skip("Pinocchio, MuJoCo or Drake is not installed (pip install pin mujoco drake)", allow_module_level=True)
import mujoco
import pinocchio as pin
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

TOLERANCE, STATES, COUNT = 1e-9, 20, 100 if STEP == 1 else 25
FILES = {name: path for name, path in urdf_files().items() if path.stat().st_size < 400_000}
if not FILES:
    pytest.skip("no corpus, no package with robots", allow_module_level=True)


class Judge(Pinocchio):
    """A robot in Pinocchio, its root free, at positions that are given by joint."""

    def __init__(self, text: str | bytes):
        super().__init__(bare_urdf(text if isinstance(text, bytes) else text.encode()))

    def move_all(self, state: dict) -> dict:
        """Move the joints; the poses of the links in the world. The root is where it was."""
        self.move(state)
        return {name: self.pose(name) for name in self.frames}


def draw(seed: int, count: int):
    """Robots with joints that Pinocchio reads and we read without errors."""
    names = sorted(FILES)
    rng = random.Random(seed)
    rng.shuffle(names)
    for name in names:
        robot = sf.load(FILES[name])
        if robot.kind != "urdf" or len(robot.links) < 2 or not robot.resolved:
            continue
        try:
            judge = Judge(robot.to_urdf())
        except (ValueError, RuntimeError, AssertionError, sf.InvalidDescription):
            continue
        yield rng, name, robot, judge
        count -= 1
        if not count:
            return


def draw_state(rng: random.Random, judge: Judge) -> dict:
    return {name: [rng.uniform(-1, 1) for _ in range(joint.nv)] for name, joint in judge.joints.items()}


def draw_pose(rng: random.Random) -> sf.Pose:
    angles = [rng.uniform(-3, 3), rng.choice([rng.uniform(-1.5, 1.5), np.pi / 2, -np.pi / 2]), rng.uniform(-3, 3)]
    return sf.Pose.from_rpy([rng.uniform(-1, 1) for _ in range(3)], angles)


def find_error(A, B) -> float:
    return float(np.abs(A - B).max())


def list_joints_between(joints: dict, frame: str, base: str) -> list:
    above = {joint.child: joint for joint in joints.values()}
    way = []
    while frame != base:
        way.append(above[frame])
        frame = above[frame].parent
    return way


def compare_placed(rng, robot: sf.RobotDescription, before: Judge, frame: str, base: str, moved) -> float:
    """At one state, the frame is where it was put; at all, both halves of the robot are as they were in themselves."""
    state, X = draw_state(rng, before), draw_pose(rng)
    positions = {name: values[0] for name, values in state.items() if len(values) == 1}
    move = None if moved.child == frame else moved.name
    after = Judge(robot.place(frame, base, X, move=move, positions=positions).to_urdf())
    poses = after.move_all(state)
    worst = find_error((poses[base].inverse() * poses[frame]).homogeneous, X.matrix)
    below, above = {moved.child}, {joint.child: joint.parent for joint in robot.joints.values()}
    while more := {child for child, parent in above.items() if parent in below} - below:
        below |= more
    for _ in range(STATES):
        state = draw_state(rng, before)
        old, new = before.move_all(state), after.move_all(state)
        for link in old:
            root = moved.child if link in below else moved.parent
            worst = max(worst, find_error((old[root].inverse() * old[link]).homogeneous,
                                          (new[root].inverse() * new[link]).homogeneous))
    return worst


def test_placed_frames_and_all_others():
    seen, worst = 0, 0.0
    for rng, name, robot, before in draw(1, COUNT * 5 // 4):
        above = {joint.child: joint.parent for joint in robot.joints.values()}
        frame = base = rng.choice(sorted(above))
        bases = []
        while base in above:
            bases.append(base := above[base])
        base = rng.choice(bases)
        way = list_joints_between(robot.joints, frame, base)
        if any(joint.movable and joint.type not in ("revolute", "prismatic") for joint in way):
            continue  # of more numbers, or two for one angle
        worst = max(worst, compare_placed(rng, robot, before, frame, base, rng.choice(way)))
        assert worst < TOLERANCE, name
        seen += 1
    print(f"\n{seen} robots, largest difference {worst:.1e}")
    assert seen >= COUNT * 4 // 5


def test_each_link_of_an_arm_in_each_above_by_each_joint_between():
    rng, robot, before = random.Random(0), sf.load(ARM), Judge(ARM.read_bytes())
    for base, frame in combinations(robot.links, 2):
        for moved in list_joints_between(robot.joints, frame, base):
            assert compare_placed(rng, robot, before, frame, base, moved) < TOLERANCE, (frame, base, moved.name)


def add_prefix(root, prefix: str):
    for element in root.iter("link", "joint", "parent", "child"):
        key = "link" if element.tag in ("parent", "child") else "name"
        element.set(key, prefix + element.get(key))
    return root


def test_an_attached_robot():
    """Each of the two is in the whole as it was alone: its poses, and the masses of its links. The part is in place."""
    seen, robots = 0, [*draw(2, COUNT + 1)]
    for (rng, _, robot, _), (_, other, part, _) in zip(robots, robots[1:]):
        X, at = draw_pose(rng), rng.choice(sorted(robot.links))
        try:
            whole = bare_urdf(sf.attach(robot, part, at, X, prefix="part_").to_urdf().encode())
        except sf.InvalidDescription as error:
            assert [d.name for d in error.findings if d.severity == "error"][:1] == ["attach-versions-differ"], other
            continue
        tops = []
        for before in (bare_urdf(robot.to_urdf().encode()), add_prefix(bare_urdf(part.to_urdf().encode()), "part_")):
            names = [link.get("name") for link in before.iter("link")]
            tops += {*names} - {child.get("link") for child in before.iter("child")}
            compare(whole, before, tops[-1], [link for link in whole.iter("link") if link.get("name") in names])
        judge = Pinocchio(whole)
        judge.move({name: np.zeros(joint.nv) for name, joint in judge.joints.items()})
        assert find_error((judge.pose(at).inverse() * judge.pose(tops[1])).homogeneous, X.matrix) < TOLERANCE
        seen += 1
    assert seen >= COUNT * 4 // 5


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
