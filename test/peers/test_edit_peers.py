"""Robots that were changed, or converted to SDF and back, in other programs: poses of all frames at random states, the
mass matrix and gravity are those of the original in Pinocchio; Drake and MuJoCo load the result."""
from __future__ import annotations

import random
from copy import deepcopy
from functools import partial
from importlib.util import find_spec

import numpy as np
import pytest
from lxml import etree
from real_files import TOP
from sources import STEP, some, urdf_files
from test_dynamics import DrakeModel, bare_urdf, count_compared, read, read_inertia
from written_text import convert_text, convert_to_urdf

import sdf_frames as sf
from sdf_frames.api.edits import read_pose
from sdf_frames.convert.options import ConvertOptions
from sdf_frames.load import load_text
from sdf_frames.writers.attached import attach
from sdf_frames.writers.cut_out import cut
from sdf_frames.writers.placed import place
from sdf_frames.writers.repaired import repair_inertias
from sdf_frames.writers.rerooted import find_way, reroot
from sdf_frames.writers.simplified import read_simplify_options, simplify
from sdf_frames.writers.written import render

if find_spec("mujoco") is None:
    pytest.skip("MuJoCo is not installed (pip install mujoco)", allow_module_level=True)
from pydrake.multibody.tree import RotationalInertia  # noqa: E402 - loading it takes more than a second

#: Fixed joints at an offset in a row, and beside one that moves.
ARM = TOP / "test" / "models" / "fixed_offsets" / "arm.urdf"
FILES = {"fixed_offsets": ARM, **{name: path for name, path in some(urdf_files()).items()
                                  if path.stat().st_size < 1_500_000}}
SAMPLES, TOLERANCE, LEAST_ROBOTS = 20, 1e-9, 100 // STEP
if len(FILES) == 1:
    pytest.skip("no corpus, no package with robots", allow_module_level=True)


class Pinocchio:
    """A robot whose root floats."""

    def __init__(self, root):
        import pinocchio as pin
        self.pin, self.model = pin, pin.buildModelFromXML(etree.tostring(root, encoding="unicode"),
                                                          pin.JointModelFreeFlyer())
        self.data = self.model.createData()
        self.joints = {name: joint for name, joint in zip(self.model.names, self.model.joints)
                       if name not in ("universe", "root_joint")}
        self.frames = {f.name: i for i, f in enumerate(self.model.frames) if f.type == pin.FrameType.BODY}

    def move(self, steps, X_base=None):
        """Go from zero by steps of joints, by name, with the root at a pose in the world."""
        v = np.zeros(self.model.nv)
        for name, joint in self.joints.items():
            v[joint.idx_v:joint.idx_v + joint.nv] = steps[name]
        q = self.pin.integrate(self.model, self.pin.neutral(self.model), v)
        if X_base is not None:
            q[:7] = self.pin.SE3ToXYZQUAT(X_base)
        self.pin.computeJointJacobians(self.model, self.data, q)
        self.pin.updateFramePlacements(self.model, self.data)
        M = self.pin.crba(self.model, self.data, q)
        return np.triu(M) + np.triu(M, 1).T, self.pin.computeGeneralizedGravity(self.model, self.data, q).copy()

    def pose(self, frame):
        return self.data.oMf[self.frames[frame]]

    def jacobian(self, frame):
        """Velocity of a frame in its own axes, linear first, for each velocity of the robot."""
        return self.pin.getFrameJacobian(self.model, self.data, self.frames[frame], self.pin.LOCAL)

    def sum_masses(self, links):
        """The mass matrix and gravity of links of a URDF, each by its own inertial, which move as they do here."""
        M, g = np.zeros((self.model.nv, self.model.nv)), np.zeros(self.model.nv)
        for link in links:
            mass, com, tensor = read_inertia(link.find("inertial"))
            J = self.jacobian(link.get("name"))
            v = J[:3] + np.cross(J[3:], com, axis=0)
            M += mass * v.T @ v + J[3:].T @ tensor @ J[3:]
            g += mass * 9.81 * (self.pose(link.get("name")).rotation @ v)[2]
        return M, g


def compare(before, after, base, links):
    """Compare a robot with what was made of it, whose root is `base` and whose mass is that of some links."""
    old, new = Pinocchio(before), Pinocchio(after)
    assert new.joints.keys() <= old.joints.keys()
    rng = np.random.default_rng(0)
    for _ in range(SAMPLES):
        steps = {name: rng.uniform(-1.5, 1.5, joint.nv) for name, joint in old.joints.items()}
        old.move(steps)
        N, h = new.move(steps, old.pose(base))
        size = max(1.0, *[np.abs(old.pose(name).homogeneous).max() for name in old.frames])
        for name in new.frames.keys() & old.frames.keys():
            assert np.abs(old.pose(name).homogeneous - new.pose(name).homogeneous).max() <= TOLERANCE * size, name
        M, g = old.sum_masses(links)
        J = np.zeros((new.model.nv, old.model.nv))
        J[:6] = old.jacobian(base)
        for name, joint in new.joints.items():
            for k in range(joint.nv):
                J[joint.idx_v + k, old.joints[name].idx_v + k] = 1
        assert np.abs(M - J.T @ N @ J).max() <= TOLERANCE * max(np.abs(M).max(), 1e-3)
        assert np.abs(g - J.T @ h).max() <= TOLERANCE * max(np.abs(g).max(), np.abs(M).max(), 1e-3)


def start(name, problem="not a robot with joints"):
    """A robot as it was loaded and as Pinocchio and Drake get it, and what draws from its names."""
    loaded = load_text(FILES[name].read_bytes(), name)
    if loaded.robot is None or not loaded.robot.joints or loaded.robot.root == "world":
        pytest.skip(problem)
    root = bare_urdf(FILES[name].read_bytes())
    for link in root.iter("link"):
        mass, _, tensor = read_inertia(link.find("inertial"))
        if mass < 0 or (mass == 0 and tensor.any()):
            pytest.skip(f"link {link.get('name')} has a tensor but no mass, or a negative one")
    return loaded, root, random.Random(name)


def ask_pinocchio(root):
    try:
        return Pinocchio(root)
    except (ValueError, RuntimeError, AssertionError) as error:
        pytest.skip(f"Pinocchio: {error}")


def finish(written):
    text, found = render(written)
    if text is None:
        pytest.skip(found[-1].message)
    return text


def reroot_at_random(name):
    loaded, root, draw = start(name)
    base = draw.choice(sorted({joint.child for joint in loaded.robot.joints}))
    return root, finish(reroot(loaded, base)), base


def cut_at_random(name):
    """Everything below a link; of every other robot a chain."""
    loaded, root, draw = start(name)
    way = find_way(loaded.robot, draw.choice(sorted({joint.child for joint in loaded.robot.joints})))
    base = draw.choice(way).parent
    return root, finish(cut(loaded, base, draw.choice([None, way[0].child]))), base


def draw_pose(draw):
    """A pose as a matrix, at every other time with the pitch at a right angle."""
    angles = [draw.uniform(-3, 3), draw.choice([draw.uniform(-1.5, 1.5), np.pi / 2, -np.pi / 2]), draw.uniform(-3, 3)]
    return sf.Pose.from_rpy([draw.uniform(-1, 1) for _ in range(3)], angles).matrix


def place_at_random(name):
    """The robot with an origin that Pinocchio computed, and as it was placed by any joint between two frames."""
    loaded, root, draw = start(name)
    way = find_way(loaded.robot, draw.choice(sorted({joint.child for joint in loaded.robot.joints})))
    way = way[:draw.randint(1, len(way))]
    return place_by(loaded, root, draw, way[0].child, way[-1].parent, draw.choice(way))


def place_by(loaded, root, draw, frame, base, moved):
    """A frame at a pose in another one at a random state, by the origin O of a joint: its motion is the rest."""
    judge, X = ask_pinocchio(root), draw_pose(draw)
    steps = {name: np.array([draw.uniform(-1, 1) for _ in range(joint.nv)]) for name, joint in judge.joints.items()}

    def find_pose(frame, base):
        return (judge.pose(base).inverse() * judge.pose(frame)).homogeneous

    judge.move({name: 0 * step for name, step in steps.items()})
    O = find_pose(moved.child, moved.parent)
    judge.move(steps)
    motion = np.linalg.inv(O) @ find_pose(moved.child, moved.parent)
    new = sf.Pose.from_matrix(find_pose(base, moved.parent) @ X @ find_pose(moved.child, frame) @ np.linalg.inv(motion))
    made = place(loaded, frame, base, read_pose(sf.Pose.from_matrix(X)), None if moved.child == frame else moved.name,
                 {name: step[0] for name, step in steps.items() if len(step) == 1})
    (element,) = [joint for joint in root.iterchildren("joint") if joint.get("name") == moved.name]
    for old in element.findall("origin"):
        element.remove(old)
    xyz, rpy = [" ".join(map(repr, numbers.tolist())) for numbers in (new.xyz, new.rpy)]
    etree.SubElement(element, "origin", xyz=xyz, rpy=rpy)
    return root, finish(made), loaded.robot.root


def attach_at_random(name, of_part):
    """The robot with another one in place; the first, or the other with the prefix of its names, is in it as alone."""
    loaded, root, draw = start(name)
    other, other_root, _ = start(draw.choice([*FILES]))
    X, at, top = draw_pose(draw), draw.choice(loaded.robot.links).name, "part_" + other.robot.root
    whole = bare_urdf(finish(attach(loaded, other, at, read_pose(sf.Pose.from_matrix(X)), prefix="part_")).encode())
    for element in other_root.iter("link", "joint", "parent", "child"):
        key = "link" if element.tag in ("parent", "child") else "name"
        element.set(key, "part_" + element.get(key))
    judge = ask_pinocchio(whole)
    judge.move({name: np.zeros(joint.nv) for name, joint in judge.joints.items()})
    assert np.abs((judge.pose(at).inverse() * judge.pose(top)).homogeneous - X).max() < TOLERANCE
    alone, base = (other_root, top) if of_part else (root, loaded.robot.root)
    return whole, etree.tostring(alone, encoding="unicode"), base


def repair_what_is_spoilt(name):
    """A moment of every second link is made too large."""
    loaded, root, draw = start(name)
    whole = read(FILES[name].read_bytes())
    for tensor in whole.findall("link/inertial/inertia"):
        if draw.random() < 0.5:
            name = draw.choice(["ixx", "iyy", "izz"])
            tensor.set(name, repr(5 * sum(float(tensor.get(m, "0")) for m in ("ixx", "iyy", "izz"))))
    spoilt = etree.tostring(whole)
    text = finish(repair_inertias(load_text(spoilt, name))[0])
    for link in bare_urdf(text.encode()).iter("link"):
        mass, _, tensor = read_inertia(link.find("inertial"))
        assert mass == 0 or RotationalInertia(*np.diag(tensor), tensor[0, 1], tensor[0, 2],
                                              tensor[1, 2]).CouldBePhysicallyValid(), link.get("name")
    return bare_urdf(spoilt), text, loaded.robot.root


def simplify_it(name, frames):
    loaded, root, _ = start(name)
    text = finish(simplify(loaded, read_simplify_options([], frames, "keep")))
    names, left = ({element.get("name") for element in tree.iter("link", "joint")
                    if element.tag == "link" or element.get("type") != "fixed"}
                   for tree in (root, bare_urdf(text.encode())))
    assert left == names if frames == "all" else left < names or left == names
    return root, text, loaded.robot.root


def convert_there_and_back(name, preserve):
    loaded, root, _ = start(name)
    sdf, conversion, _ = convert_text(FILES[name].read_bytes(), name, ConvertOptions(preserve_fixed_joints=preserve))
    if sdf is None or any(map(changes_the_robot, conversion.rows)):
        pytest.skip("the SDF is another robot")
    text = convert_to_urdf(load_text(sdf, name)).text
    if text is None:
        pytest.skip("no URDF has all of the SDF")
    return root, text, loaded.robot.root


def changes_the_robot(row) -> bool:
    """Whether a row of the report says that the SDF is another robot: it lost parts or got some, or mass."""
    reason = row.reason or ""
    return (row.element in ("link", "joint") and (row.action == "dropped" or "kg" in reason or "locked" in reason)
            or row.element in ("extension", "inertial"))


MAKE = {"place": place_at_random, "attach": partial(attach_at_random, of_part=False),
        "attach, the part": partial(attach_at_random, of_part=True), "reroot": reroot_at_random, "cut": cut_at_random,
        "repair": repair_what_is_spoilt}
#: What moves mass to other links, but loses none.
KEEP = {"simplify": partial(simplify_it, frames="none"), "lump": partial(simplify_it, frames="all"),
        "back": partial(convert_there_and_back, preserve=False),
        "back, preserved": partial(convert_there_and_back, preserve=True)}
MAKE |= KEEP


def list_links(before, after, what):
    """The links of whose mass a changed robot consists."""
    names = {link.get("name") for link in after.iter("link")}
    return [link for link in (after if what == "repair" else before).iter("link")
            if what in KEEP or link.get("name") in names]


def compare_in_pinocchio(name, what):
    before, text, base = MAKE[what](name)
    ask_pinocchio(before)
    after = bare_urdf(text.encode())
    compare(before, after, base, list_links(before, after, what))


def load_in_others(name, what):
    before, text, _ = MAKE[what](name)
    try:
        DrakeModel(before, "urdf")
    except (RuntimeError, SystemExit) as error:
        pytest.skip(f"Drake: {str(error).splitlines()[0]}")
    after = bare_urdf(text.encode())
    new = DrakeModel(after, "urdf").plant
    assert new.CalcTotalMass(new.CreateDefaultContext()) == pytest.approx(
        sum(read_inertia(link.find("inertial"))[0] for link in list_links(before, after, what)))
    old, new = ask_mujoco(FILES[name].read_bytes()), ask_mujoco(text)
    if isinstance(old, str):
        return
    if isinstance(new, str):
        assert what != "repair" and any(words in new for words in OF_MOVING), new
    elif what in ("simplify", "lump"):
        assert (new.njnt, new.nv, new.ngeom) == (old.njnt, old.nv, old.ngeom)


#: What MuJoCo says of links without mass, or with an impossible tensor, only if they move; the old root did not.
OF_MOVING = ("mjMINVAL", "A + B >= C")


def ask_mujoco(text):
    """The model of a text without shapes of meshes, whose files are not here; or why there is none."""
    import mujoco
    root = read(text)
    for mesh in list(root.iter("mesh")):
        shape = mesh.getparent().getparent()
        shape.getparent().remove(shape)
    try:
        return mujoco.MjModel.from_xml_string(etree.tostring(root, encoding="unicode"))
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("ask, what", [
    *[(compare_in_pinocchio, what) for what in MAKE],
    # Of attach, the text is that of the robot which was attached.
    *[(load_in_others, what) for what in MAKE if "attach" not in what]])
def test_changed_robots_are_the_same(ask, what, record_property):
    compared = count_compared(ask, FILES, what)
    record_property("compared", compared)
    assert compared >= LEAST_ROBOTS


def test_each_link_of_an_arm_in_each_above_by_each_joint_between():
    loaded, root, draw = start("fixed_offsets")
    for joint in loaded.robot.joints:
        way = find_way(loaded.robot, joint.child)
        for count in range(1, len(way) + 1):
            for moved in way[:count]:
                before, text, base = place_by(
                    loaded, deepcopy(root), draw, joint.child, way[count - 1].parent, moved)
                compare(before, bare_urdf(text.encode()), base, before.findall("link"))


@pytest.mark.parametrize("arm, link", [("ur5_robot", "tool0"), ("iiwa14_primitive_collision", "iiwa_link_ee")])
def test_a_gripper_on_an_arm_loads(arm, link):
    """In all three programs, with the joints of both."""
    paths = [next((path for path in urdf_files().values() if path.stem == name), None) for name in (arm, "franka_hand")]
    if None in paths:
        pytest.skip(f"no {arm} (pip install example-robot-data), or no corpus")
    robot, part = map(sf.load, paths)
    text = sf.attach(robot, part, link, sf.Pose([0, 0, 0.01]), prefix="left_").to_urdf()
    bare, moving = bare_urdf(text.encode()), sum(j.movable for one in (robot, part) for j in one.joints.values())
    plant = DrakeModel(bare, "urdf").plant
    assert plant.num_velocities() - 6 * len(plant.GetFloatingBaseBodies()) == moving
    assert len(Pinocchio(bare).joints) == ask_mujoco(text).njnt == moving
