"""The same robot in two versions of URDF: urdfdom 6 (in Pinocchio) reads both, Drake, MuJoCo and yourdfpy only 1.0."""
import numpy as np
import pytest
from sources import STEP, some, urdf_files
from written_text import change_text_version

FILES = some(urdf_files())
NEAR = 1e-9
LARGEST = 300  # joints; Pinocchio takes gigabytes for more
INERTIAL = ('<inertial><origin xyz="0.1 0.2 0.3" quat_xyzw="{}"/><mass value="{}"/>'
            '<inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2.5"/></inertial>')
CAPSULE = '<{0}><origin xyz="1 0 0" quat_xyzw="0 1 0 1"/><geometry><capsule radius="0.1" length="2"/></geometry></{0}>'
JOINT = ('<joint name="{}" type="{}"><origin xyz="{}" quat_xyzw="{}"/><parent link="{}"/><child link="{}"/>'
         '<axis xyz="0 0 1"/><limit lower="-1" upper="1" {}/></joint>')
NEW = ('<robot name="r" version="1.2"><mujoco><compiler fusestatic="false"/></mujoco>'
       f'<link name="a">{INERTIAL.format("0 0 1 1", 3)}{CAPSULE.format("visual")}{CAPSULE.format("collision")}</link>'
       f'<link name="b">{INERTIAL.format("0.5 -0.5 0.5 0.5", 4)}</link>'
       f'<link name="c">{INERTIAL.format("1 2 3 4", 5)}{CAPSULE.format("collision")}</link>'
       + JOINT.format("j", "revolute", "1 2 3", "0.1 0.2 0.3 0.4", "a", "b", 'effort="2" jerk="3"')
       + JOINT.format("k", "prismatic", "0 0 1", "0 -1 0 1", "b", "c", 'velocity="2" acceleration="1"') + "</robot>")


@pytest.fixture(scope="module")
def old():
    text, found = change_text_version(NEW, "r.urdf", "1.0")
    assert 'version="1.0"' in text and [d.name for d in found] == [
        "urdf-attribute-removed", "urdf-attribute-removed", *3 * ["urdf-capsule-split"]]
    return text


def read_with_pinocchio(text):
    """The pose of each link in the root; mass, first and second moments of it and what is fixed to it."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed (pip install pin)")
    model = pin.buildModelFromXML(text)
    if model.njoints > LARGEST:
        raise ValueError("too large")
    data = model.createData()
    pin.framesForwardKinematics(model, data, pin.neutral(model))
    return {f.name: (data.oMf[model.getFrameId(f.name, f.type)].homogeneous,
                     model.inertias[f.parentJoint].toDynamicParameters())
            for f in model.frames if f.type == pin.FrameType.BODY}


@pytest.fixture(scope="module")
def expected():
    return read_with_pinocchio(NEW)


def test_urdfdom_reads_the_same_robot_in_1_0(old, expected):
    read = read_with_pinocchio(old)
    assert list(read) == ["a", "b", "c"] == list(expected)
    for name, (pose, inertia) in read.items():
        assert np.abs(pose - expected[name][0]).max() < NEAR and np.abs(inertia - expected[name][1]).max() < NEAR


def load_in_drake(text):
    pytest.importorskip("pydrake", reason="Drake is not installed (pip install drake)")
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import AddMultibodyPlantSceneGraph
    from pydrake.systems.framework import DiagramBuilder
    plant, scene = AddMultibodyPlantSceneGraph(DiagramBuilder(), 0.001)
    Parser(plant).AddModelsFromString(text, "urdf")
    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("a"))
    plant.Finalize()
    return plant


def test_drake_reads_the_same_robot(old, expected):
    plant = load_in_drake(old)
    context = plant.CreateDefaultContext()
    for name, (pose, inertia) in expected.items():
        body = plant.GetBodyByName(name)
        assert np.abs(plant.EvalBodyPoseInWorld(context, body).GetAsMatrix4() - pose).max() < NEAR
        M = body.CalcSpatialInertiaInBodyFrame(context)
        assert M.get_mass() == pytest.approx(inertia[0], abs=NEAR)
        assert np.abs(M.get_mass() * M.get_com() - inertia[1:4]).max() < NEAR
        assert len(plant.GetCollisionGeometriesForBody(body)) == {"a": 3, "b": 0, "c": 3}[name]


def test_drake_and_mujoco_pass_over_quaternions():
    """So `check --for` says; the joints stay where they are."""
    plant = load_in_drake(NEW)
    context = plant.CreateDefaultContext()
    in_drake = plant.EvalBodyPoseInWorld(context, plant.GetBodyByName("c")).GetAsMatrix4()
    _, data = load_in_mujoco(NEW)
    for rotation, position in ((in_drake[:3, :3], in_drake[:3, 3]), (data.body("c").xmat.reshape(3, 3),
                                                                     data.body("c").xpos)):
        assert np.abs(rotation - np.eye(3)).max() < NEAR
        assert np.abs(position - [1, 2, 4]).max() < NEAR  # the sum of both <origin xyz>


def load_in_mujoco(text):
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def test_mujoco_reads_the_same_robot(old, expected):
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")
    model, data = load_in_mujoco(old)
    for name, (pose, inertia) in expected.items():
        body = data.body(name)
        assert np.abs(body.xmat.reshape(3, 3) - pose[:3, :3]).max() < 1e-7
        assert np.abs(body.xpos - pose[:3, 3]).max() < 1e-7
        assert model.body(name).mass[0] == pytest.approx(inertia[0])
        # Its centre of mass in the root's frame.
        assert np.abs(body.xipos - (pose @ [*inertia[1:4] / inertia[0], 1])[:3]).max() < 1e-7
    kinds = [mujoco.mjtGeom(kind).name for kind in model.geom_type]
    assert sorted(kinds) == [*2 * ["mjGEOM_CYLINDER"], *4 * ["mjGEOM_SPHERE"]]


def test_yourdfpy_reads_the_same_robot(old, expected, tmp_path):
    yourdfpy = pytest.importorskip("yourdfpy", reason="yourdfpy is not installed (pip install yourdfpy)")
    (tmp_path / "r.urdf").write_text(old)
    robot = yourdfpy.URDF.load(str(tmp_path / "r.urdf"), load_meshes=False, load_collision_meshes=False)
    for name, (pose, inertia) in expected.items():
        assert np.abs(robot.get_transform(name, "a") - pose).max() < NEAR
        stated = robot.link_map[name].inertial
        assert stated.mass == inertia[0]
        assert np.abs(stated.origin[:3, 3] * stated.mass - inertia[1:4]).max() < NEAR


@pytest.mark.skipif(not FILES, reason="no corpus, no package with robots")
def test_real_robots_are_the_same_to_urdfdom_in_1_2(record_property):
    """Each that both versions can say; those that 1.2 refuses have limits or sizes that it does not allow."""
    compared = refused = 0
    for name, path in FILES.items():
        text = path.read_text(errors="replace")
        new, found = change_text_version(text, name, "1.2")
        try:
            before = read_with_pinocchio(text)
        except Exception:  # noqa: BLE001 - what Pinocchio raises for a URDF that it cannot read
            continue
        if new is None:
            assert {d.name for d in found if d.severity == "error"} <= {"urdf-version-refused", "mass-unknown"}, name
            refused += 1
            continue
        after = read_with_pinocchio(new)
        assert list(before) == list(after), name
        for (pose, inertia), (other, same) in zip(before.values(), after.values()):
            assert np.array_equal(pose, other) and np.array_equal(inertia, same), name
        assert change_text_version(new, name, "1.2")[0] == new
        compared += 1
    record_property("compared", compared)
    assert compared >= 50 // STEP and refused <= compared / 10
