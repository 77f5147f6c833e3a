"""Voxels against closed forms, their convergence, and what cracks do to them."""
import runpy
from pathlib import Path

import numpy as np
import pytest

from sdf_frames.spatial import voxels
from sdf_frames.spatial.mesh_integrals import integrate_faces
from sdf_frames.spatial.voxels import count_tests, count_voxels, integrate_voxels, voxelise_mesh

trimesh = pytest.importorskip("trimesh")


def arrays(mesh):
    return np.array(mesh.vertices), np.array(mesh.faces)


def relative_error(V, F, size, axes=1):
    exact, voxels = integrate_faces(V, F), integrate_voxels(voxelise_mesh(V, F, size, axes))
    return max(abs(voxels.volume / exact.volume - 1),
               max(abs(a - b) for a, b in zip(voxels.moments, exact.moments)) / max(exact.moments))


@pytest.mark.parametrize("axes", [1, 3])
def test_box_on_the_grid_is_exact(axes):
    V, F = arrays(trimesh.creation.box((1, 2, 3)))
    grid = voxelise_mesh(V + [5, 6, 7], F, .25, axes)
    assert grid.filled.shape == (4, 8, 12) and grid.filled.all() and grid.cracked == 0
    solid = integrate_voxels(grid)
    assert solid.volume == pytest.approx(6) and solid.centroid == pytest.approx((5, 6, 7))
    assert solid.moments == pytest.approx((6 * 13 / 12, 6 * 10 / 12, 6 * 5 / 12, 0, 0, 0), abs=1e-9)


@pytest.mark.parametrize("axes", [1, 3])
def test_converges_at_first_order_or_better(axes):
    mesh = trimesh.creation.annulus(.3, 1, 2, sections=48)
    mesh.apply_transform(trimesh.transformations.euler_matrix(.3, .5, .7))
    V, F = arrays(mesh)
    sizes = np.array([.2, .1, .05, .025])
    errors = [relative_error(V, F, s, axes) for s in sizes]
    order = np.polyfit(np.log(sizes), np.log(errors), 1)[0]
    assert order > .9, (order, errors)
    assert errors[-1] < 2e-3


def test_inside_agrees_with_the_analytic_inside():
    V, F = arrays(trimesh.creation.icosphere(subdivisions=5))
    grid = voxelise_mesh(V, F, 1 / 16)
    centres = [o + (np.arange(n) + .5) / 16 for o, n in zip(grid.origin, grid.filled.shape)]
    r = np.sqrt(sum(np.square(c) for c in np.meshgrid(*centres, indexing="ij")))
    away = np.abs(r - 1) > .005
    assert np.array_equal(grid.filled[away], (r < 1)[away])


def test_axes_are_not_mixed_up():
    V, F = arrays(trimesh.creation.box((1, 2, 4)))
    V = V + V[:, [1, 2, 0]] * [.3, 0, 0]
    for axes in (1, 3):
        assert relative_error(V, F, .05, axes) < .02


def test_small_cracks_are_outvoted():
    V, F = arrays(trimesh.creation.icosphere(subdivisions=4))
    holes = np.random.default_rng(1).choice(len(F), 5, replace=False)
    broken = np.delete(F, holes, axis=0)
    exact = integrate_faces(V, F)
    grid = voxelise_mesh(V, broken, 1 / 32, 3)
    assert 0 < grid.cracked < .05
    assert integrate_voxels(grid).volume == pytest.approx(exact.volume, rel=.01)


@pytest.mark.parametrize("votes, filled", [
    ("+++", True), ("++-", True), ("+--", False), ("---", False),  # three axes: the majority
    ("+-.", True), ("++.", True), ("--.", False),  # a ray along one axis runs through a gap: a tie is inside
    ("+..", True), ("-..", False), ("...", False)])
def test_three_axes_vote(monkeypatch, votes, filled):
    answers = iter(votes)

    def cast_rays(P, faces, shape):
        answer = next(answers)
        return np.full(shape, answer != "-", dtype=np.uint8), np.full(shape[:2], answer != "."), 0.0
    monkeypatch.setattr(voxels, "_cast_rays", cast_rays)
    V, F = arrays(trimesh.creation.box((1, 1, 1)))
    assert (voxelise_mesh(V, F, .5, 3).filled == filled).all()


def test_orientation_does_not_matter():
    V, F = arrays(trimesh.creation.icosphere(subdivisions=3))
    mixed = np.where((np.arange(len(F)) % 2 == 0)[:, None], F, F[:, ::-1])
    assert np.array_equal(voxelise_mesh(V, F, .1).filled, voxelise_mesh(V, mixed, .1).filled)


def test_rays_through_vertices_and_edges_cross_once():
    # A pyramid fan whose edges run along grid lines and diagonals.
    V, F = arrays(trimesh.creation.icosahedron())
    V = np.round(V * 8) / 8
    for size in (1 / 8, 1 / 16, 1 / 32):
        assert voxelise_mesh(V, F, size).cracked == 0


def test_counts_cells():
    assert count_voxels(np.array([[0., 0, 0], [1, 2, 3]]), .5) == 2 * 4 * 6
    assert count_voxels(np.array([[0., 0, 0], [1, 1, 0]]), .5) == 4


def test_closed_forms_of_the_convergence_plot_are_those_of_its_meshes():
    path = Path(__file__).resolve().parents[2] / "tools" / "plot_voxel_convergence.py"
    bodies = runpy.run_path(str(path))["make_bodies"]()
    assert len(bodies) >= 3
    for V, F, solid in bodies.values():
        exact = integrate_faces(V, F)
        assert exact.volume == pytest.approx(solid.volume, rel=1e-12)
        assert exact.moments == pytest.approx(solid.moments, rel=1e-12, abs=1e-12)
        assert trimesh.Trimesh(V, F, process=False).is_watertight


def test_a_large_triangle_is_taken_in_pieces(monkeypatch):
    """What is held at once is bounded by pieces, not by the columns over one triangle, and the result is the same."""
    mesh = trimesh.creation.icosphere(subdivisions=1)
    whole = voxelise_mesh(mesh.vertices, mesh.faces, 0.05, 3)
    sizes, real = [], voxels._toggle

    def toggle(T, start, span, face, within, *rest):
        sizes.append(len(within))
        assert len(face) == len(within)
        real(T, start, span, face, within, *rest)
    monkeypatch.setattr(voxels, "_toggle", toggle)
    monkeypatch.setattr(voxels, "_PAIRS", 17)
    pieces = voxelise_mesh(mesh.vertices, mesh.faces, 0.05, 3)
    assert max(sizes) == 17 and len(sizes) > 100
    assert (pieces.filled == whole.filled).all() and pieces.cracked == whole.cracked


@pytest.mark.parametrize("axes", [1, 3])
def test_tests_are_counted_beforehand(monkeypatch, axes):
    """Two triangles over a square of 4 x 4 columns; and of a mesh nearly as many as are made."""
    square = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=float)
    assert count_tests(square, np.array([[0, 1, 2], [0, 2, 3]]), .25, axes) == 32
    made, real = [], voxels._toggle

    def toggle(T, start, span, face, within, *rest):
        made.append(len(within))
        real(T, start, span, face, within, *rest)
    monkeypatch.setattr(voxels, "_toggle", toggle)
    mesh = trimesh.creation.icosphere(subdivisions=2)
    voxelise_mesh(mesh.vertices, mesh.faces, 0.02, axes)
    assert count_tests(mesh.vertices, mesh.faces, 0.02, axes) == pytest.approx(sum(made), rel=.05)


def test_a_body_thinner_than_a_voxel_is_one_voxel_thick():
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, .05)], dtype=float)
    box = trimesh.convex.convex_hull(corners)
    grid = voxelise_mesh(np.array(box.vertices), np.array(box.faces), .25)
    assert grid.filled.shape == (4, 4, 1) and grid.filled.all()
    assert grid.origin == pytest.approx((0, 0, -.1))
