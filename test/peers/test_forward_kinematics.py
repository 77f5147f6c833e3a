"""Forward kinematics against Pinocchio and Drake, on real robots at random configurations."""

import re
import zlib
from math import cos, pi, sin
from pathlib import Path

import numpy as np
import pytest
from sources import STEP, some, urdf_files

import sdf_frames as sf
from sdf_frames.frames.joint_tracker import JointTracker
from sdf_frames.frames.kinematics import move_joint
from sdf_frames.load import load_file

FILES = some(urdf_files())
LEAST = 50 // STEP  # robots that are compared, where there is a corpus
NEAR = 1e-11  # of each component, beside the size of the robot; Drake takes an axis as near to x, y or z for that
LARGEST = 300  # joints; Pinocchio takes gigabytes for more

needs_robots = pytest.mark.skipif(not FILES, reason="no corpus, no package with robots")


def random_state(name):
    return np.random.default_rng(zlib.crc32(name.encode()))


def draw_pose(rng):
    q = rng.normal(size=4)
    return sf.Pose(rng.normal(size=3), q / np.linalg.norm(q))


def assert_same(poses, expected, root, name):
    """Poses of links in the root link, ours and theirs (name -> 4 x 4 matrix)."""
    size = max(1.0, *[np.abs(M).max() for M in expected.values()])
    assert expected.keys() <= set(poses), f"{name}: frames missing"
    for link, M in expected.items():
        ours = (poses[root].inverse() @ poses[link]).matrix
        assert np.abs(ours - M).max() <= NEAR * size, f"{name}: {link}"


def read_with_pinocchio(path):
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed (pip install pin)")
    try:
        model = pin.buildModelFromXML(path.read_text(errors="replace"), mimic=True)
    except Exception:
        return None  # urdfdom reads only part of what ours does
    return model if model.njoints <= LARGEST else None


def draw_for_pinocchio(model, rng):
    """A configuration vector, and the same as positions by name; what mimics is left to either program."""
    q, positions = np.zeros(model.nq), {}
    for i in range(1, model.njoints):
        joint, name = model.joints[i], model.names[i]
        at, value = joint.idx_q, rng.uniform(-3, 3)
        if "Mimic" in joint.shortname():
            continue
        if joint.nq == 1:
            q[at], positions[name] = value, value
        elif joint.nq == 2:
            q[at : at + 2], positions[name] = (cos(value), sin(value)), value
        elif joint.nq == 4:
            x, y = rng.normal(size=2)
            q[at : at + 4], positions[name] = (x, y, cos(value), sin(value)), (x, y, value)
        else:
            X = positions[name] = draw_pose(rng)
            w, *ijk = X.quat_wxyz
            q[at : at + 7] = (*X.xyz, *ijk, w)
    return q, positions


@needs_robots
def test_poses_equal_those_of_pinocchio(record_property):
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed (pip install pin)")
    compared = mimics = 0
    for name, path in FILES.items():
        model, robot = read_with_pinocchio(path), sf.load(path)
        if model is None or not len(robot.frames):
            continue
        q, positions = draw_for_pinocchio(model, random_state(name))
        data = model.createData()
        pin.framesForwardKinematics(model, data, q)
        bodies = [f.name for f in model.frames if f.type == pin.FrameType.BODY]
        X_WR = data.oMf[model.getFrameId(bodies[0], pin.FrameType.BODY)]
        expected = {b: (X_WR.inverse() * data.oMf[model.getFrameId(b, pin.FrameType.BODY)]).homogeneous for b in bodies}
        assert_same(robot.poses(positions), expected, bodies[0], name)
        compared += 1
        mimics += sum("Mimic" in joint.shortname() for joint in model.joints)
    record_property("compared", compared)
    assert compared >= LEAST
    assert mimics >= 20 // STEP


INTRICATE = """<robot name="r"><link name="root"/>{}</robot>""".format("".join(
    f'<link name="{child}"/><joint name="{name}" type="{kind}"><origin xyz="0.1 -0.2 0.3" rpy="0.4 {n} -0.6"/>'
    f'<parent link="{parent}"/><child link="{child}"/><axis xyz="{axis}"/>'
    f'<limit lower="-9" upper="9" effort="1" velocity="1"/>{more}</joint>'
    for n, (name, kind, parent, child, axis, more) in enumerate((
        ("f", "floating", "root", "a", "0 0 1", ""), ("p", "planar", "a", "b", "0 0 1", ""),
        ("c", "continuous", "b", "c", "1 -2 3", ""), ("s", "prismatic", "c", "d", "-3 1 0.5", ""),
        ("m", "revolute", "d", "e", "0.1 1 0", '<mimic joint="s" multiplier="-1.5" offset="0.25"/>'),
        ("l", "prismatic", "e", "g", "1 1 1", '<mimic joint="s" multiplier="0.5" offset="1"/>')))))


def hear_all(tracker, positions, stamp):
    """Tell a tracker the positions of joints; a motion of several numbers as the pose that messages have."""
    joints = {step.joint.name: step.joint for edge in tracker.edges for step in edge.steps}
    plain = {name: q for name, q in positions.items() if np.ndim(q) == 0 and not isinstance(q, sf.Pose)}
    if plain:
        assert tracker.hear((*plain,), [*plain.values()], stamp) is None
    for name, q in positions.items():
        if name not in plain and name in joints:
            X = (*q.xyz, *q.quat_wxyz) if isinstance(q, sf.Pose) else move_joint(joints[name], q)
            assert tracker.hear_motions([name], [tuple(map(float, X))], stamp) is None


@needs_robots
def test_transforms_of_joint_states_equal_those_of_pinocchio(record_property, tmp_path):
    """Of the robot with most mimic joints of each folder, in 100 states; what mimics is left to either program."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed (pip install pin)")
    compared, mimics, wholes = [], 0, 0
    Path(tmp_path, "intricate").write_text(INTRICATE)
    ordered = sorted(urdf_files().items(), key=lambda file: file[1].read_bytes().count(b"<mimic"))
    files = {path.parent: (name, path) for name, path in [*ordered, ("intricate", tmp_path / "intricate")]}
    for name, path in reversed(files.values()):
        model, loaded = read_with_pinocchio(path), load_file(path)
        if model is None or not loaded.resolved or model.njoints < 2 or len(compared) == 41:
            continue
        tracker = JointTracker([t for t in loaded.tf_tree(motions=True).transforms if t.steps])
        bodies = {f.name for f in model.frames if f.type == pin.FrameType.BODY}
        rng, data = random_state(name), model.createData()
        for stamp in range(100):
            q, positions = draw_for_pinocchio(model, rng)
            pin.framesForwardKinematics(model, data, q)
            hear_all(tracker, positions, stamp)
            moved = tracker.take()
            for number, X in zip(moved.edges, moved.poses.T):
                edge = tracker.edges[number]
                if not {edge.parent, edge.child} <= bodies:
                    continue
                X_WP, X_WC = (data.oMf[model.getFrameId(f, pin.FrameType.BODY)] for f in (edge.parent, edge.child))
                expected = (X_WP.inverse() * X_WC).homogeneous
                size = max(1.0, np.abs(X_WP.translation).max(), np.abs(X_WC.translation).max())
                assert np.abs(sf.Pose(X[:3], X[3:]).matrix - expected).max() <= 1e-12 * size, f"{name}: {edge.child}"
        compared.append(len(moved.edges))
        mimics += sum("Mimic" in joint.shortname() for joint in model.joints)
        wholes += sum(joint.nq > 2 for joint in model.joints)
    record_property("compared", len(compared))
    assert len(compared) == 41 and sum(compared) > 300 and mimics >= 20 and wholes == 2


def read_with_drake(content, kind):
    """A finalized plant without geometry, or None for what Drake refuses."""
    pytest.importorskip("pydrake", reason="Drake is not installed (pip install drake)")
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant

    plant = MultibodyPlant(0.001)
    try:
        Parser(plant).AddModelsFromString(content, kind)
        plant.Finalize()
    except (Exception, SystemExit):  # it ends on limits that are reversed
        return None
    return plant


def draw_for_drake(plant, rng):
    """A context and the same configuration as positions by name."""
    from pydrake.multibody.tree import JointIndex

    context, positions = plant.CreateDefaultContext(), {}
    q = plant.GetPositions(context).copy()
    for i in plant.GetJointIndices():
        joint = plant.get_joint(JointIndex(i))
        name, kind, value = joint.name(), joint.type_name(), rng.uniform(-3, 3)
        at = slice(joint.position_start(), joint.position_start() + joint.num_positions())
        if kind in ("revolute", "prismatic", "screw"):
            q[at] = positions[name] = value
        elif kind == "planar":
            q[at] = positions[name] = (*rng.normal(size=2), value)
        elif kind == "universal":
            q[at] = positions[name] = rng.uniform(-1, 1, size=2)
        elif kind == "ball_rpy":
            q[at] = rpy = rng.uniform(-1, 1, size=3)
            positions[name] = sf.Pose.from_rpy([0, 0, 0], rpy).quat_wxyz
        elif kind == "quaternion_floating" and joint.parent_body() != plant.world_body():
            X = positions[name] = draw_pose(rng)
            q[at] = (*X.quat_wxyz, *X.xyz)
    plant.SetPositions(context, q)
    return context, positions


def poses_of_drake(plant, context, root):
    from pydrake.multibody.tree import BodyIndex

    bodies = [plant.get_body(BodyIndex(i)) for i in range(1, plant.num_bodies())]
    X_WR = next(plant.EvalBodyPoseInWorld(context, b) for b in bodies if b.name() == root)
    return {b.name(): (X_WR.inverse() @ plant.EvalBodyPoseInWorld(context, b)).GetAsMatrix4() for b in bodies}


@needs_robots
def test_poses_equal_those_of_drake(record_property):
    compared = 0
    for name, path in FILES.items():
        robot = sf.load(path)
        if not len(robot.frames) or len(robot.links) > LARGEST:
            continue
        if (plant := read_with_drake(path.read_text(errors="replace"), "urdf")) is None:
            continue
        context, positions = draw_for_drake(plant, random_state(name))
        root = robot._description.robot.root
        if root not in robot.frames or root == "world":
            continue
        assert_same(robot.poses(positions), poses_of_drake(plant, context, root), root, name)
        compared += 1
    record_property("compared", compared)
    assert compared >= LEAST


@needs_robots
def test_every_frame_of_a_converted_robot_stands_in_drake_where_it_stands_here(record_property):
    """Drake misplaces, without a word, a frame that comes before the one that it is attached to."""
    pytest.importorskip("pydrake", reason="Drake is not installed (pip install drake)")
    from pydrake.multibody.tree import FrameIndex
    compared = 0
    for name, path in FILES.items():
        robot = sf.load(path, sdf_version="1.11")
        if not robot.convertible or len(robot.links) > LARGEST:
            continue
        sdf = robot.to_sdf()
        if (plant := read_with_drake(re.sub("<(visual|collision).*?</\\1>", "", sdf, flags=re.DOTALL), "sdf")) is None:
            continue
        context, known = plant.CreateDefaultContext(), sf.loads(sdf)
        frames = [plant.get_frame(FrameIndex(i)) for i in range(1, plant.num_frames())]
        frames = [frame for frame in frames if frame.name() in known.frames]
        X_WR = frames[0].CalcPoseInWorld(context)
        expected = {f.name(): (X_WR.inverse() @ f.CalcPoseInWorld(context)).GetAsMatrix4() for f in frames}
        assert len(expected) >= len([f for f in known.frames if f != "__model__" and f not in known.joints]), name
        assert_same(known.poses(), expected, frames[0].name(), name)
        compared += 1
    record_property("compared", compared)
    assert compared >= LEAST


LINK = '<link name="{}"><pose>{}</pose><inertial><mass>1</mass></inertial></link>'
JOINTS = f"""<sdf version="1.11"><model name="m">
{LINK.format("base", "0 0 0 0.1 0.2 0.3")}{LINK.format("a", "1 0 0 0 0.5 0")}{LINK.format("b", "1 1 0 0.3 0 0")}
{LINK.format("c", "1 1 1 0 0 0.7")}{LINK.format("d", "0 1 1 0 0 1")}{LINK.format("e", "2 1 1 1 0 1")}
<joint name="screw" type="screw"><pose>0.1 0.2 0 0 0 0.4</pose><parent>base</parent><child>a</child>
  <screw_thread_pitch>0.3</screw_thread_pitch><axis><xyz>0 0.6 0.8</xyz></axis></joint>
<joint name="universal" type="universal"><pose>0 0.2 0.3 0.2 0 0</pose><parent>a</parent><child>b</child>
  <axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 0 1</xyz></axis2></joint>
<joint name="ball" type="ball"><pose relative_to="b">0 0 0.3 0 0.2 0</pose><parent>b</parent><child>c</child></joint>
<joint name="slide" type="prismatic"><parent>c</parent><child>d</child>
  <axis><xyz expressed_in="__model__">0 1 1</xyz></axis></joint>
<joint name="turn" type="continuous"><pose relative_to="base"/><parent>d</parent><child>e</child>
  <axis><xyz>1 2 3</xyz></axis></joint>
</model></sdf>"""


def test_joint_types_of_sdf_move_as_in_drake():
    plant = read_with_drake(JOINTS, "sdf")
    assert plant is not None
    robot = sf.loads(JOINTS, strict=True)
    rng = random_state("joints")
    for _ in range(20):
        context, positions = draw_for_drake(plant, rng)
        assert len(positions) == 5
        assert_same(robot.poses(positions), poses_of_drake(plant, context, "base"), "base", "joints")


def test_a_turn_of_a_screw_advances_by_its_pitch():
    robot = sf.loads(JOINTS)
    zero, turned = (robot.pose("a", "base", {"screw": q}) for q in (0, 2 * pi))
    assert np.linalg.norm(turned.xyz - zero.xyz) == pytest.approx(0.3, abs=1e-15)
