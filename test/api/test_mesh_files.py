"""sf.mesh_inertia: closed forms, scale, density, and meshes without a volume."""

from math import isnan
from pathlib import Path

import numpy as np
import pytest

import sdf_frames as sf

CORNERS = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def write_box(path: Path, size=(1, 1, 1), quads=QUADS) -> Path:
    """An OBJ of a box whose corner is the origin, faces outward."""
    lines = [f"v {x * size[0]} {y * size[1]} {z * size[2]}" for x, y, z in CORNERS]
    path.write_text("\n".join([*lines, *(f"f {' '.join(str(i + 1) for i in quad)}" for quad in quads)]))
    return path


def test_a_box_of_aluminium(tmp_path):
    """m = ρ a b c, I = m/12 (b² + c², …) about its centre."""
    part = sf.mesh_inertia(write_box(tmp_path / "box.obj", (0.1, 0.2, 0.3)), density=2700.0)
    mass = 2700 * 0.1 * 0.2 * 0.3
    assert part.mass == pytest.approx(mass)
    assert part.com == pytest.approx([0.05, 0.1, 0.15])
    assert part.tensor == pytest.approx(np.diag([0.04 + 0.09, 0.01 + 0.09, 0.01 + 0.04]) * mass / 12, abs=1e-15)
    assert (part.method, part.valid, part.verdict) == ("exact", True, "usable, method exact")


def test_scale_and_default_density(tmp_path):
    path = write_box(tmp_path / "box.obj", (100, 200, 300))
    assert sf.mesh_inertia(path, scale=0.001).mass == pytest.approx(6.0)
    assert sf.mesh_inertia(path, scale=(0.001, 0.001, -0.002)).com == pytest.approx([0.05, 0.1, -0.3])
    assert sf.mesh_inertia(path, scale=(0.001, 0.001, -0.002)).mass == pytest.approx(12.0)


def test_another_method(tmp_path):
    part = sf.mesh_inertia(write_box(tmp_path / "box.obj"), method="voxel", voxel_size=0.125)
    assert part.method == "voxel"
    assert part.mass == pytest.approx(1000)


def test_a_surface_without_volume_is_not_valid(tmp_path):
    part = sf.mesh_inertia(write_box(tmp_path / "flat.obj", quads=QUADS[:1]))
    assert not part.valid
    assert part.method == "failed"
    assert isnan(part.mass)
    assert np.isnan(part.tensor).all()
    assert part.verdict.startswith("not usable: ")
    assert any(d.severity == "error" for d in part.findings)


def test_a_file_that_is_not_a_mesh_is_not_valid(tmp_path):
    (tmp_path / "x.stl").write_text("hello")
    assert not sf.mesh_inertia(tmp_path / "x.stl").valid
    (tmp_path / "x.step").write_text("hello")
    assert "step" in sf.mesh_inertia(tmp_path / "x.step").verdict


def test_a_file_that_is_not_there_raises(tmp_path):
    with pytest.raises(FileNotFoundError):
        sf.mesh_inertia(tmp_path / "no.stl")


@pytest.mark.parametrize(
    "options",
    [
        {"density": 0},
        {"density": float("nan")},
        {"method": "guess"},
        {"voxel_size": -1},
        {"scale": 0},
        {"scale": (1, 1)},
        {"scale": (1, float("inf"), 1)},
    ],
)
def test_numbers_that_cannot_be(options, tmp_path):
    with pytest.raises(ValueError, match="must be"):
        sf.mesh_inertia(write_box(tmp_path / "box.obj"), **options)
