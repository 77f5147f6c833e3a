"""Pictures of robots and worlds of others, drawn without a display: none fails, none is empty, meshes are seen."""

from dataclasses import replace
from importlib.util import find_spec
from io import BytesIO
from itertools import islice

import numpy as np
import pytest
from real_files import MISSING, resource_paths
from sources import STEP, sdf_files, urdf_files

import sdf_frames as sf

if find_spec("pyvista") is None:  # loading it takes a second of every process that collects tests
    pytest.skip("pyvista is not installed", allow_module_level=True)
pytest.importorskip("trimesh")
Image = pytest.importorskip("PIL.Image")

from sdf_frames.view.build_scene import build_scenes  # noqa: E402
from sdf_frames.view.painter import draw_picture  # noqa: E402

FILES = {**sdf_files(), **urdf_files()}
NUMBER = 50 // STEP
SIZE = (240, 180)


def load(name):
    return sf.load(FILES[name], resource_paths=resource_paths(name))


def find_meshes(robot):
    """Names of the visuals whose mesh files are there."""
    return {f"{link.name}::{shape.name}" for link in robot.links.values() for shape in link.visuals if shape.path}


@pytest.fixture(scope="module")
def chosen():
    """Files with a mesh that is there, and others with shapes from all over the corpus, to `NUMBER`."""
    if len(FILES) < 2 * NUMBER:
        pytest.skip(MISSING)
    meshed, others = [], []
    for name, path in FILES.items():
        content = path.read_bytes()
        (meshed if b"<mesh" in content else others if b"<visual" in content else []).append(name)
    found = list(islice((name for name in meshed if find_meshes(load(name))), NUMBER // 2))
    step = len(others) // NUMBER
    for name in others[::step] + others[1::step]:
        robot = load(name)
        colours = [shape.colour for link in robot.links.values() for shape in link.visuals]
        if len(found) < NUMBER and any(colour is None or colour[3] > 0 for colour in colours):
            found.append(name)
    return found


def draw(scenes, **choices):
    picture = draw_picture(scenes, size=SIZE, **choices)
    return np.asarray(Image.open(BytesIO(picture)).convert("RGB")).astype(int)


def test_pictures_have_something_in_them(chosen, monkeypatch, record_property):
    monkeypatch.delenv("DISPLAY", raising=False)
    assert len(chosen) == NUMBER
    seen = {name: float((draw(build_scenes(load(name))) < 250).any(axis=2).mean()) for name in chosen}
    record_property("least", min(seen.values()))
    assert {name: part for name, part in seen.items() if part < 0.002} == {}


def test_meshes_that_are_there_are_seen(chosen):
    drawn = 0
    for name in chosen:
        robot = load(name)
        meshes = find_meshes(robot)
        for scene in build_scenes(robot) if meshes else ():
            shapes = tuple([shape for shape in scene.shapes if shape.layer == "visuals" and shape.name in meshes])
            assert [shape.problem for shape in shapes if shape.problem] == [], name
            pixels = draw([replace(scene, shapes=shapes)], layers=("visuals",))
            assert (pixels < 250).any(axis=2).mean() > 0.01, name
            drawn += len(shapes)
    assert drawn >= 10 // STEP
