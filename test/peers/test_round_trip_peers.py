"""URDF -> SDF -> URDF: for Pinocchio and Drake, both URDFs have one mass, one centre of mass and the same poses.

Shapes are taken out on both sides: mesh files are not here, and no mass comes from them.
"""

import zlib
from functools import cache

import numpy as np
import pytest
from lxml import etree
from sources import STEP, some, urdf_files
from written_text import convert_text, convert_to_urdf

from sdf_frames.convert.options import ConvertOptions
from sdf_frames.load import load_text

FILES = some(urdf_files())
MODES = {"lumped": ConvertOptions(), "preserved": ConvertOptions(preserve_fixed_joints=True)}
LEAST = 60 // STEP  # robots that are compared in each mode, where there is a corpus
LARGEST = 300  # joints; Pinocchio takes gigabytes for more

if not FILES:
    pytest.skip("no corpus, no package with robots", allow_module_level=True)


def strip(text: str | bytes) -> str:
    """Links with their inertials, and joints; mimic joints move freely."""
    root = etree.fromstring(text.encode() if isinstance(text, str) else text,
                            etree.XMLParser(recover=True, remove_comments=True, remove_pis=True))
    for element in list(root):
        if element.tag not in ("link", "joint"):
            root.remove(element)
    for element in [*root.iter("visual", "collision", "mimic", "safety_controller", "calibration")]:
        element.getparent().remove(element)
    return etree.tostring(root, encoding="unicode")


def changes_the_robot(row) -> bool:
    """Whether a row of the report says that the SDF is another robot: it lost parts or got some, or mass."""
    reason = row.reason or ""
    return (row.element in ("link", "joint") and (row.action == "dropped" or "kg" in reason or "locked" in reason)
            or row.element in ("extension", "inertial"))


@cache
def make_pairs(mode: str) -> dict[str, tuple[str, str]]:
    """By robot, the URDF and what comes back, of those that the SDF has whole."""
    pairs = {}
    for name, path in FILES.items():
        sdf, conversion, _ = convert_text(path.read_bytes(), name, MODES[mode])
        rows = [] if conversion is None else conversion.rows
        if sdf is None or any(map(changes_the_robot, rows)):
            continue
        back = convert_to_urdf(load_text(sdf, name)).text
        if back is not None:
            pairs[name] = strip(path.read_bytes()), strip(back)
    return pairs


def draw(name: str):
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    return lambda joint: rng.uniform(-1, 1)


def assert_same(first: dict[str, np.ndarray], second: dict[str, np.ndarray], name: str) -> None:
    size = max(1.0, *[np.abs(value).max() for value in first.values()])
    assert first.keys() == second.keys(), name
    for key, value in first.items():
        assert np.abs(value - second[key]).max() <= 1e-9 * size, (name, key)


def measure_with_pinocchio(text: str, name: str) -> dict[str, np.ndarray] | None:
    """Mass, centre of mass and poses of links in the root link."""
    import pinocchio as pin
    try:
        model = pin.buildModelFromXML(text, pin.JointModelFreeFlyer())
    except Exception:
        return None  # urdfdom reads only part of what ours does
    if model.njoints > LARGEST:
        return None
    position, v = draw(name), np.zeros(model.nv)
    for joint in sorted(model.names[2:]):
        at = model.joints[model.getJointId(joint)]
        v[at.idx_v:at.idx_v + at.nv] = position(joint)
    data = model.createData()
    q = pin.integrate(model, pin.neutral(model), v)
    measured = {"mass": np.array([pin.computeTotalMass(model)]), "centre": pin.centerOfMass(model, data, q).copy()}
    pin.framesForwardKinematics(model, data, q)
    return measured | {"link " + f.name: data.oMf[i].homogeneous.copy() for i, f in enumerate(model.frames)
                       if f.type == pin.FrameType.BODY}


def read_masses(text: str) -> dict[str, float]:
    """The mass of each link that states one."""
    masses = {link.get("name"): link.find("inertial/mass") for link in etree.fromstring(text).iter("link")}
    return {name: float(mass.get("value")) for name, mass in masses.items() if mass is not None}


def measure_with_drake(text: str, name: str) -> dict[str, np.ndarray] | None:
    """Mass, centre of mass and poses of links in the world, the root at its default place."""
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant

    plant = MultibodyPlant(0.001)
    try:
        (robot,) = Parser(plant).AddModelsFromString(text, "urdf")
        plant.Finalize()
    except Exception:
        return None  # Drake refuses impossible inertias, among others
    if not all(np.isclose(plant.GetBodyByName(link, robot).default_mass(), mass, rtol=1e-9, atol=0.0)
               for link, mass in read_masses(text).items()):
        return None  # Drake gives a link 1 kg if its mass is 0 and its moments are not
    context, position = plant.CreateDefaultContext(), draw(name)
    q = plant.GetPositions(context).copy()
    joints = [plant.get_joint(i) for i in plant.GetJointIndices(robot)]
    for joint in sorted(joints, key=lambda joint: joint.name()):
        if joint.type_name() in ("revolute", "prismatic", "planar"):
            start = joint.position_start()
            q[start:start + joint.num_positions()] = position(joint.name())
    plant.SetPositions(context, q)
    bodies = [plant.get_body(i) for i in plant.GetBodyIndices(robot)]
    measured = {"mass": np.array([plant.CalcTotalMass(context, [robot])])}
    if measured["mass"] > 0:
        measured["centre"] = plant.CalcCenterOfMassPositionInWorld(context, [robot])
    return measured | {"link " + b.name(): plant.EvalBodyPoseInWorld(context, b).GetAsMatrix4() for b in bodies}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("module, measure", [("pinocchio", measure_with_pinocchio), ("pydrake", measure_with_drake)])
def test_both_urdfs_are_one_robot(mode, module, measure, record_property):
    pytest.importorskip(module, reason=f"{module} is not installed (pip install drake pin)")
    compared = 0
    for name, (first, second) in make_pairs(mode).items():
        if (expected := measure(first, name)) is None:
            continue
        measured = measure(second, name)
        assert measured is not None, name
        assert_same(expected, measured, name)
        compared += 1
    record_property("compared", compared)
    assert compared >= LEAST
