"""Simplifying SDFormat keeps the dynamics and the poses: Drake's mass matrix, gravity and bias forces, and the poses of
all frames that are left, are those of the original. libsdformat accepts the result where it accepts the original."""

import numpy as np
import pytest
from lxml import etree
from sources import STEP, STRIDE, resource_paths, sdf_files, some
from test_converted_robots import IGN, ask_ign

from sdf_frames.api.simplify import read_simplify_options, simplify_text
from sdf_frames.api.to_urdf import WrittenText
from sdf_frames.load import load_text
from sdf_frames.options import LoadOptions
from sdf_frames.spatial.pose import compose, invert

FILES = {name: path for name, path in sdf_files().items() if b"fixed" in path.read_bytes()}
FILES = some(FILES)
FEW = list(FILES)[::STRIDE // STEP]
TOLERANCE = 1e-9
if not FILES:
    pytest.skip("no corpus", allow_module_level=True)


def simplify(name: str, frames: str) -> tuple[str, WrittenText]:
    text = FILES[name].read_text()
    made = simplify_text(text, str(FILES[name]), read_simplify_options([], frames, "keep"), options(name))
    if made.text is None or not any(row.action == "lumped" for row in made.rows):
        pytest.skip("nothing to merge, or not a valid file")
    return text, made


def options(name: str) -> LoadOptions:
    return LoadOptions(resource_paths=resource_paths(name))


@pytest.mark.parametrize("frames", ["all", "none"])
@pytest.mark.parametrize("name", FILES)
def test_poses(name, frames):
    text, made = simplify(name, frames)
    before, after = [load_text(t, str(FILES[name]), options(name)).scopes for t in (text, made.text)]
    for scope, other in zip(before, after, strict=True):
        old, new = [{f.name: f.pose for f in s.frames} for s in (scope, other)]
        assert new.keys() <= old.keys() if frames == "none" else new.keys() == old.keys()
        for frame, X in new.items():
            D = compose(invert(old[frame]), X)
            assert max(map(abs, (*D[:3], *D[4:]))) <= TOLERANCE * max(1, *map(abs, X[:3])), frame


class Model:
    """A text without shapes in Drake; results by names of models and joints."""

    def __init__(self, drake, text: str):
        root = etree.fromstring(text.encode(), etree.XMLParser(remove_comments=True))
        for element in list(root.iter("visual", "collision", "sensor", "plugin", "light", "gripper", "mimic")):
            element.getparent().remove(element)
        self.plant = drake.MultibodyPlant(0.0)
        drake.Parser(self.plant).AddModelsFromString(etree.tostring(root, encoding="unicode"), "sdf")
        self.plant.Finalize()
        self.context = self.plant.CreateDefaultContext()
        plant = self.plant
        # The joints of bodies that float are named after these.
        self.joints = {plant.GetModelInstanceName(j.model_instance()) + "::" + j.name(): j for j in (
            plant.get_joint(i) for i in plant.GetJointIndices()) if j.num_velocities()}

    def evaluate(self, state):
        plant, index = self.plant, []
        for name, (q, v) in state.items():
            joint = self.joints[name]
            i, k = joint.position_start(), joint.velocity_start()
            positions, velocities = plant.GetPositions(self.context), plant.GetVelocities(self.context)
            positions[i:i + len(q)], velocities[k:k + len(v)] = q, v
            plant.SetPositions(self.context, positions)
            plant.SetVelocities(self.context, velocities)
            index += range(k, k + len(v))
        M = plant.CalcMassMatrix(self.context)
        return (M[np.ix_(index, index)], plant.CalcGravityGeneralizedForces(self.context)[index],
                plant.CalcBiasTerm(self.context)[index])


@pytest.mark.parametrize("frames", ["all", "none"])
@pytest.mark.parametrize("name", FILES)
def test_drake(name, frames):
    drake = pytest.importorskip("pydrake.all", reason="Drake is not installed (pip install drake)")
    text, made = simplify(name, frames)
    try:
        theirs = Model(drake, text)
    except (RuntimeError, etree.XMLSyntaxError) as error:
        pytest.skip(f"Drake: {str(error).splitlines()[0]}")
    ours = Model(drake, made.text)
    assert theirs.joints.keys() == ours.joints.keys()
    rng = np.random.default_rng(0)
    for _ in range(5):
        state = {}
        for key, joint in theirs.joints.items():
            q = rng.uniform(-1.5, 1.5, joint.num_positions())
            if len(q) == 7:
                q[:4] /= np.linalg.norm(q[:4])
            state[key] = q, rng.uniform(-1.5, 1.5, joint.num_velocities())
        (M, g, b), (N, h, c) = theirs.evaluate(state), ours.evaluate(state)
        scale = np.sqrt(np.outer(np.diag(M), np.diag(M)))
        assert (np.abs(M - N) <= TOLERANCE * (scale + 1e-6 * np.abs(M).max(initial=1e-12))).all()
        for a, d in ((g, h), (b, c)):
            assert np.abs(a - d).max(initial=0) <= TOLERANCE * max(np.abs(a).max(initial=0), 1)


@pytest.mark.skipif(IGN is None, reason="neither ign nor gz is installed (Debian: ignition-tools, libsdformat-dev)")
@pytest.mark.parametrize("name", FEW)
def test_libsdformat(name, tmp_path):
    text, made = simplify(name, "all")
    verdicts = []
    for number, content in enumerate((text, made.text)):
        (path := tmp_path / f"{number}.sdf").write_text(content)
        verdicts.append(ask_ign(path))
    assert verdicts[1] == ["Valid."] or verdicts[0] != ["Valid."] and len(verdicts[1]) <= len(verdicts[0]), verdicts
