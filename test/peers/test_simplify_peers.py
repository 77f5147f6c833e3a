"""Simplifying keeps the dynamics and the poses: mass matrix, gravity and bias forces, and the poses of all frames
that are left, are those of the original in Pinocchio and in Drake. MuJoCo loads the result where it loads the
original, with the same total mass."""

from importlib.util import find_spec

import numpy as np
import pytest
from lxml import etree
from sources import STEP, some, urdf_files
from test_dynamics import DrakeModel, bare_urdf, count_compared, random_rotation, read, read_inertia
from written_text import simplify_text

from sdf_frames.writers.simplified import read_simplify_options

if find_spec("mujoco") is None:
    pytest.skip("MuJoCo is not installed (pip install mujoco)", allow_module_level=True)
FILES = {name: path for name, path in some(urdf_files()).items() if path.stat().st_size < 1_500_000}
TOLERANCE, LEAST_ROBOTS = 1e-9, 100 // STEP
if not FILES:
    pytest.skip("no corpus, no package with robots", allow_module_level=True)


def simplify(name: str, frames: str, massless: str = "keep") -> tuple[bytes, str]:
    text = FILES[name].read_bytes()
    made = simplify_text(text, name, read_simplify_options([], frames, massless))
    if made.text is None:
        pytest.skip("not a robot")
    for link in bare_urdf(text).iter("link"):
        mass, _, tensor = read_inertia(link.find("inertial"))
        if mass < 0 or (mass == 0 and tensor.any()):
            pytest.skip(f"link {link.get('name')} has a tensor but no mass, or a negative one")
    return text, made.text


class Pinocchio:
    """A robot whose root floats, in any configuration; results by names of joints."""

    def __init__(self, root):
        import pinocchio as pin
        self.model = pin.buildModelFromXML(etree.tostring(root, encoding="unicode"), pin.JointModelFreeFlyer())
        self.data = self.model.createData()

    def evaluate(self, v: dict[str, np.ndarray], dv: dict[str, np.ndarray], names: list[str]):
        """Mass matrix, gravity and bias forces, and poses of the bodies, at the end of a motion with velocity `v`."""
        import pinocchio as pin
        model, data = self.model, self.data
        joints = [model.joints[model.getJointId(name)] for name in names]
        index = [i for joint in joints for i in range(joint.idx_v, joint.idx_v + joint.nv)]
        step, speed = np.zeros(model.nv), np.zeros(model.nv)
        for name, joint in zip(names, joints):
            step[joint.idx_v:joint.idx_v + joint.nv] = v[name]
            speed[joint.idx_v:joint.idx_v + joint.nv] = dv[name]
        q = pin.integrate(model, pin.neutral(model), step)
        M = pin.crba(model, data, q)
        M = np.triu(M) + np.triu(M, 1).T
        gravity = pin.computeGeneralizedGravity(model, data, q).copy()
        bias = pin.nonLinearEffects(model, data, q, speed).copy()
        pin.framesForwardKinematics(model, data, q)
        poses = {f.name: data.oMf[i].homogeneous for i, f in enumerate(model.frames) if f.type == pin.FrameType.BODY}
        return M[np.ix_(index, index)], gravity[index], bias[index], poses


def assert_equal(M, N, forces) -> None:
    scale = np.sqrt(np.outer(np.diag(M), np.diag(M))) + 1e-6 * np.abs(M).max(initial=1e-12)
    assert (np.abs(M - N) <= TOLERANCE * scale).all()
    for a, b in forces:
        assert np.abs(a - b).max(initial=0) <= TOLERANCE * max(
            np.abs(a).max(initial=0), 1e-3 * np.abs(M).max(initial=1))


def compare_in_pinocchio(name, frames):
    before, after = simplify(name, frames)
    try:
        theirs = Pinocchio(bare_urdf(before))
    except (ValueError, RuntimeError, AssertionError) as error:
        pytest.skip(f"Pinocchio: {error}")
    ours = Pinocchio(bare_urdf(after))
    names = list(theirs.model.names)[1:]
    assert sorted(names) == sorted(list(ours.model.names)[1:])
    rng = np.random.default_rng(0)
    for _ in range(5):
        v, dv = [{n: rng.uniform(-1.5, 1.5, theirs.model.joints[theirs.model.getJointId(n)].nv) for n in names}
                 for _ in range(2)]
        M, g, b, X = theirs.evaluate(v, dv, names)
        N, h, c, Y = ours.evaluate(v, dv, names)
        assert_equal(M, N, [(g, h), (b, c)])
        assert Y and (Y.keys() <= X.keys() if frames == "none" else Y.keys() == X.keys())
        for body, pose in Y.items():
            assert np.abs(pose - X[body]).max() <= TOLERANCE * max(1, np.abs(X[body]).max()), body


def compare_in_drake(name):
    before, after = simplify(name, "none")
    try:
        theirs = DrakeModel(bare_urdf(before), "urdf")
    except RuntimeError as error:
        pytest.skip(f"Drake: {str(error).splitlines()[0]}")
    ours = DrakeModel(bare_urdf(after), "urdf")
    assert theirs.joints.keys() == ours.joints.keys()
    names = list(theirs.joints)
    rng = np.random.default_rng(0)
    for _ in range(5):
        q = {n: rng.uniform(-1.5, 1.5) for n in names}
        R, p = random_rotation(rng), rng.normal(size=3)
        speeds = {n: rng.uniform(-1.5, 1.5) for n in names}
        found = []
        for model in (theirs, ours):
            model.set_state(q, R, p)
            M, g = model.evaluate(names)
            V = np.zeros(model.plant.num_velocities())
            for n, joint in model.joints.items():
                V[joint.velocity_start()] = speeds[n]
            model.plant.SetVelocities(model.context, V)
            bias = model.plant.CalcBiasTerm(model.context)
            found.append((M, g, bias[[model.joints[n].velocity_start() for n in names]]))
        (M, g, b), (N, h, c) = found
        # Drake puts other tensors in place of impossible ones; what it makes of these is not in the bias term.
        assert_equal(M, N, [(g, h)] if theirs.replaced or ours.replaced else [(g, h), (b, c)])


def without_meshes(text: str | bytes) -> str:
    """The whole text, with all shapes but those of meshes, whose files are not here."""
    root = read(text)
    for mesh in list(root.iter("mesh")):
        shape = mesh.getparent().getparent()
        shape.getparent().remove(shape)
    return etree.tostring(root, encoding="unicode")


def compare_in_mujoco(name):
    import mujoco
    before, after = simplify(name, "all")
    try:
        theirs = mujoco.MjModel.from_xml_string(without_meshes(before))
    except ValueError as error:
        pytest.skip(f"MuJoCo: {str(error).splitlines()[0]}")
    # MuJoCo gives links with shapes and no <inertial> a mass, which they do not have any more when they are lumped.
    stated = not [link for link in read(without_meshes(before)).iter("link")
                  if link.find("inertial") is None and len(link)]
    for text in (after, simplify(name, "none")[1]):
        ours = mujoco.MjModel.from_xml_string(without_meshes(text))
        assert (ours.njnt, ours.nv, ours.ngeom) == (theirs.njnt, theirs.nv, theirs.ngeom)
        if stated:
            assert sum(ours.body_mass) == pytest.approx(sum(theirs.body_mass), rel=1e-9)


@pytest.mark.parametrize(("compare", "choices"), [
    (compare_in_pinocchio, ["all"]), (compare_in_pinocchio, ["none"]), (compare_in_drake, []), (compare_in_mujoco, [])])
def test_simplified_robots_are_the_same(compare, choices):
    assert count_compared(compare, FILES, *choices) >= LEAST_ROBOTS
