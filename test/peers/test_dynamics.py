"""Converting keeps the dynamics: Drake's mass matrix and gravity torques of the URDF and of our SDF are the same.

Where Drake refuses the URDF, Pinocchio reads it. Shapes are taken out on both sides: mesh files are not here, and no
mass comes from them.
"""

from contextlib import suppress
from importlib.util import find_spec

import numpy as np
import pytest
from lxml import etree
from sources import some, urdf_files
from written_text import convert_text

from sdf_frames.convert.options import EPSILON_INERTIA, EPSILON_MASS
from sdf_frames.convert.urdf_to_sdf import ConvertOptions

if find_spec("pydrake") is None or find_spec("pinocchio") is None:  # loading them takes more than a second
    pytest.skip("Drake or Pinocchio is not installed (pip install drake pin)", allow_module_level=True)
Rotation = pytest.importorskip("scipy.spatial.transform").Rotation
FILES = some(urdf_files())
SAMPLES = 20
TOLERANCE = 1e-9
LEAST_ROBOTS = 25

if not FILES:
    pytest.skip("no corpus, no package with robots", allow_module_level=True)


def read(text: str | bytes):
    content = text.encode() if isinstance(text, str) else text
    return etree.fromstring(content, etree.XMLParser(recover=True, remove_comments=True, remove_pis=True))


def bare_urdf(text: bytes, fill: set[str] = frozenset()):
    """The robot's links, inertials and joints; links in `fill` with the inertia that ``massless=keep`` gives them.

    That is a tiny mass, and the tensor that the link states, or a tiny one if it states none.
    """
    root = read(text)
    for element in list(root):
        if element.tag not in ("link", "joint", "origin"):
            root.remove(element)
    for link in root.findall("link"):
        states_tensor = read_inertia(link.find("inertial"))[2].any()
        for child in list(link):
            if child.tag != "inertial" or link.get("name") in fill and not states_tensor:
                link.remove(child)
        if link.get("name") in fill and states_tensor:
            link.find("inertial/mass").set("value", repr(EPSILON_MASS))
        elif link.get("name") in fill:
            inertial = etree.SubElement(link, "inertial")
            etree.SubElement(inertial, "mass", value=repr(EPSILON_MASS))
            etree.SubElement(inertial, "inertia", dict(dict.fromkeys(("ixy", "ixz", "iyz"), "0"),
                                                       **dict.fromkeys(("ixx", "iyy", "izz"), repr(EPSILON_INERTIA))))
    for mimic in list(root.iter("mimic")):
        mimic.getparent().remove(mimic)
    return root


def bare_sdf(text: str, joints: set[str]):
    """The model's links, inertials, frames and those joints that the URDF has (``<gazebo>`` may bring more)."""
    root = read(text)
    model = root.find("model")
    for element in list(model):
        if element.tag not in ("link", "joint", "frame") or element.tag == "joint" and element.get(
                "name") not in joints:
            model.remove(element)
            continue
        if element.tag == "joint":
            joints = joints - {element.get("name")}
        for child in list(element):
            if child.tag not in ("pose", "inertial", "parent", "child", "axis"):
                element.remove(child)
    for mimic in list(root.iter("mimic")):
        mimic.getparent().remove(mimic)
    return root


def numbers(text: str | None, count: int = 3) -> np.ndarray:
    return np.array([float(v) for v in text.split()]) if text and text.strip() else np.zeros(count)


def drops_mass(text: bytes, rows) -> bool:
    """Whether links with mass went with a massless one that they hang on; ``massless=keep`` is there for that."""
    dropped = {row.name for row in rows if row.element == "link" and row.action == "dropped"}
    return any(read_inertia(link.find("inertial"))[0] for link in bare_urdf(text).iter("link")
               if link.get("name") in dropped)


def kind_of(root) -> str:
    return "urdf" if root.tag == "robot" else "sdf"


def read_inertia(inertial) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, centre of mass and tensor about it, in the link's axes, of a URDF or SDF ``<inertial>``."""
    if inertial is None:
        return 0.0, np.zeros(3), np.zeros((3, 3))
    if (origin := inertial.find("origin")) is not None:
        xyz, rpy = numbers(origin.get("xyz")), numbers(origin.get("rpy"))
    else:
        pose = numbers(inertial.findtext("pose"), 6)
        xyz, rpy = pose[:3], pose[3:]
    mass = inertial.find("mass")
    mass = 0.0 if mass is None else float(mass.get("value") or mass.text)
    tensor = inertial.find("inertia")
    get = (lambda t: float(tensor.get(t, 0))) if tensor is not None and len(tensor) == 0 else \
        (lambda t: float(inertial.findtext(f"inertia/{t}", "0")))
    xx, yy, zz, xy, xz, yz = map(get, ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"))
    R = Rotation.from_euler("xyz", rpy).as_matrix()
    return mass, xyz, R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T


class DrakeModel:
    """A text in Drake: mass matrix and gravity forces by joint name, and of the floating base."""

    def __init__(self, root, kind: str):
        import pydrake.all as drake
        text = etree.tostring(root, encoding="unicode")
        plant = drake.MultibodyPlant(0.0)
        parser = drake.Parser(plant)
        models = parser.AddModelsFromString(text, kind)
        assert len(models) == 1
        plant.Finalize()
        self.plant, self.context = plant, plant.CreateDefaultContext()
        bodies = [plant.get_body(b) for b in plant.GetBodyIndices(models[0])]
        self.base = next((b for b in bodies if b.is_floating_base_body()), None)
        self.joints = {}
        for index in plant.GetJointIndices(models[0]):
            joint = plant.get_joint(index)
            if joint.num_velocities() == 1:
                self.joints[joint.name()] = joint
        self.replaced = self._find_replaced(root, models[0])

    def _find_replaced(self, root, model) -> list:
        """Links in whose impossible tensor Drake puts another: body, and the written tensor minus Drake's, about the
        centre of mass in the link's axes."""
        found = []
        for link in root.iter("link"):
            mass, com, I = read_inertia(link.find("inertial"))
            if link.get("name") == "world" and kind_of(root) == "urdf":
                continue
            body = self.plant.GetBodyByName(link.get("name"), model)
            S = body.default_spatial_inertia()
            J = S.CalcRotationalInertia().ShiftToCenterOfMass(mass,
                S.get_com()).CopyToFullMatrix3() if mass else np.zeros((3, 3))
            assert abs(S.get_mass() - mass) <= 1e-12 * mass, link.get("name")
            if np.abs(I - J).max() > 1e-6 * np.abs(I).max(initial=0):
                assert not mass or np.allclose(S.get_com(), com, rtol=1e-9, atol=1e-12), link.get("name")
                found.append((body, I - J))
        return found

    def set_state(self, q: dict[str, float], R: np.ndarray, p: np.ndarray) -> None:
        if self.base is not None:
            from pydrake.math import RigidTransform, RotationMatrix
            X = RigidTransform(RotationMatrix(R), p)
            self.plant.SetFreeBodyPose(self.context, self.base, X)
        for name, joint in self.joints.items():
            start = joint.position_start()
            position = self.plant.GetPositions(self.context)
            position[start] = q.get(name, 0.0)
            self.plant.SetPositions(self.context, position)

    def evaluate(self, names: list[str]) -> tuple[np.ndarray, np.ndarray]:
        """Mass matrix and gravity forces of base (angular, linear, in the world) and joints, in the order of
        `names`."""
        from pydrake.multibody.tree import JacobianWrtVariable
        index = []
        if self.base is not None:
            start = self.base.floating_velocities_start_in_v()
            index += range(start, start + 6)
        index += [self.joints[name].velocity_start() for name in names]
        M = self.plant.CalcMassMatrix(self.context)
        W = self.plant.world_frame()
        for body, D in self.replaced:
            J = self.plant.CalcJacobianSpatialVelocity(self.context, JacobianWrtVariable.kV,
                                                       body.body_frame(),
                                                       np.zeros(3), W, W)[:3]
            R = body.EvalPoseInWorld(self.context).rotation().matrix()
            M += J.T @ R @ D @ R.T @ J
        g = self.plant.CalcGravityGeneralizedForces(self.context)
        return M[np.ix_(index, index)], g[index]


class PinocchioModel:
    """The same of a URDF in Pinocchio."""

    def __init__(self, root):
        import pinocchio as pin
        text = etree.tostring(root, encoding="unicode")
        children = {c.get("link") for c in root.iter("child")}
        base = [e.get("name") for e in root.findall("link") if e.get("name") not in children]
        self.base = None if base == ["world"] else base[0]
        self.model = pin.buildModelFromXML(text) if self.base is None else \
            pin.buildModelFromXML(text, pin.JointModelFreeFlyer())
        self.model.gravity.linear = np.array([0, 0, -9.81])
        self.data = self.model.createData()
        self.joints = {n: j for n, j in zip(self.model.names[1:], self.model.joints[1:]) if j.nv == 1}

    def set_state(self, q: dict[str, float], R: np.ndarray, p: np.ndarray) -> None:
        import pinocchio as pin
        v = np.zeros(self.model.nv)
        for name, joint in self.joints.items():
            v[joint.idx_v] = q.get(name, 0.0)
        self.q = pin.integrate(self.model, pin.neutral(self.model), v)
        self.R = R
        if self.base is not None:
            self.q[:3], self.q[3:7] = p, pin.Quaternion(R).coeffs()

    def evaluate(self, names: list[str]) -> tuple[np.ndarray, np.ndarray]:
        import pinocchio as pin
        nv = self.model.nv
        M = pin.crba(self.model, self.data, self.q)
        M = np.triu(M) + np.triu(M, 1).T
        g = -pin.computeGeneralizedGravity(self.model, self.data, self.q)
        # Velocities as Drake's: angular then linear, in the world; Pinocchio's are linear then angular, in the base.
        columns = []
        if self.base is not None:
            T = np.zeros((nv, 6))
            T[3:6, 0:3] = T[0:3, 3:6] = self.R.T
            columns.append(T)
        for name in names:
            column = np.zeros((nv, 1))
            column[self.joints[name].idx_v] = 1
            columns.append(column)
        T = np.hstack(columns)
        return T.T @ M @ T, T.T @ g


def random_rotation(rng) -> np.ndarray:
    q = rng.normal(size=4)
    return Rotation.from_quat(q / np.linalg.norm(q)).as_matrix()


def load_urdf(root):
    """The URDF in Drake, else in Pinocchio; skips where neither takes it."""
    try:
        return DrakeModel(root, "urdf")
    except (RuntimeError, SystemExit) as error:  # it ends on limits that are reversed
        refusal = str(error).splitlines()[0]
    try:
        return PinocchioModel(root)
    except (ValueError, RuntimeError, AssertionError) as error:
        pytest.skip(f"Drake: {refusal}; Pinocchio: {error}")


def compare(name, preserve):
    text = FILES[name].read_bytes()
    sdf, conversion, _ = convert_text(text, name, ConvertOptions(preserve_fixed_joints=preserve))
    if sdf is None or drops_mass(text, conversion.rows):
        sdf, conversion, _ = convert_text(text, name, ConvertOptions(preserve_fixed_joints=preserve, massless="keep"))
    if sdf is None:
        pytest.skip("not convertible")
    rows = {kind: {r.name: r for r in conversion.rows if r.element == kind} for kind in ("link", "joint")}
    called = {n: r.into if r.action == "renamed" else n for n, r in rows["joint"].items()}
    filled = {n for n, r in rows["link"].items() if r.action == "kept" and r.reason and "kg" in r.reason}
    urdf = bare_urdf(text, filled)
    for link in urdf.iter("link"):
        mass, _, I = read_inertia(link.find("inertial"))
        if mass < 0 or (mass == 0 and I.any()):
            pytest.skip(f"link {link.get('name')} has a tensor but no mass, or a negative one")
    ours = DrakeModel(bare_sdf(sdf, {called[n] for n, r in rows["joint"].items() if r.action != "dropped"}), "sdf")
    theirs = load_urdf(urdf)
    names = [n for n in theirs.joints if called[n] in ours.joints]
    for n in set(theirs.joints) - set(names):
        assert rows["joint"][n].action in ("dropped", "to-frame"), f"joint {n} is missing: {rows['joint'][n]}"
    # A joint that the URDF calls fixed and libsdformat's extension wants as a revolute one without range.
    for n in set(ours.joints) - {called[n] for n in names}:
        assert ours.joints[n].position_lower_limit() == ours.joints[n].position_upper_limit() == 0, n
    assert (ours.base is None) == (theirs.base is None)

    rng = np.random.default_rng(0)
    for _ in range(SAMPLES):
        q = {n: rng.uniform(-1.5, 1.5) for n in names}
        R, p = random_rotation(rng), rng.normal(size=3)
        theirs.set_state(q, R, p)
        ours.set_state({called[n]: value for n, value in q.items()}, R, p)
        M, g = theirs.evaluate(names)
        N, h = ours.evaluate([called[n] for n in names])
        # A joint that moves next to nothing beside one that moves the robot: each entry by its own joints' scale.
        scale = np.sqrt(np.outer(np.diag(M), np.diag(M))) + 1e-6 * np.abs(M).max(initial=1e-12)
        worst = np.unravel_index(np.argmax(np.abs(M - N) / scale), M.shape) if M.size else ()
        assert (np.abs(M - N) <= TOLERANCE * scale).all(), f"mass matrix at {worst}: {M[worst]} and {N[worst]}"
        assert np.abs(g - h).max(initial=0) <= TOLERANCE * max(np.abs(g).max(initial=0),
                                                               1e-3 * np.abs(M).max(initial=1e-9)), \
            f"gravity torques: {g} and {h}"


def count_compared(compare, files, *choices) -> int:
    """On how many robots a comparison was made; it skips those that do not suit it."""
    count = 0
    for name in files:
        with suppress(pytest.skip.Exception):
            compare(name, *choices)
            count += 1
    return count


@pytest.mark.parametrize("preserve", [False, True], ids=["lumped", "preserved"])
def test_dynamics_are_kept(preserve):
    assert count_compared(compare, FILES, preserve) >= LEAST_ROBOTS
