"""Voxels against closed forms, their convergence, and what cracks do to them."""

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
def test_a_box_along_the_axes_is_exact(axes):
    """Of any size: its sides are sides of cells."""
    V, F = arrays(trimesh.creation.box((1, 2, 3)))
    grid = voxelise_mesh(V + [5, 6, 7], F, .25, axes)
    assert grid.filled.shape == (5, 9, 13) and grid.filled.all() and grid.cracked == 0
    assert grid.edges == pytest.approx((1 / 5, 2 / 9, 3 / 13)) and grid.origin == pytest.approx((4.5, 5, 5.5))
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

    def cast_rays(P, faces, shape, oriented):
        answer = next(answers)
        return np.full(shape, answer != "-", dtype=np.uint8), np.full(shape[:2], answer != "."), 0.0
    monkeypatch.setattr(voxels, "_cast_rays", cast_rays)
    V, F = arrays(trimesh.creation.box((1, 1, 1)))
    assert (voxelise_mesh(V, F, .5, 3).filled == filled).all()


def test_counts_cells():
    assert count_voxels(np.array([[0., 0, 0], [1, 2, 3]]), .5) == 3 * 5 * 7
    assert count_voxels(np.array([[0., 0, 0], [1, 1, 0]]), .5) == 3 * 3
    assert count_voxels(np.array([[0., 0, 0], [1.5, 2, 2.5]]), .5) == 3 * 5 * 5


@pytest.mark.parametrize("axes", [1, 3])
def test_tests_are_counted_beforehand(monkeypatch, axes):
    """Two triangles over a square of 5 x 5 columns; and of a mesh nearly as many as are made."""
    square = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=float)
    assert count_tests(square, np.array([[0, 1, 2], [0, 2, 3]]), .2, axes) == 50
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
    assert grid.filled.shape == (5, 5, 1) and grid.filled.all()
    assert grid.origin == pytest.approx((0, 0, 0)) and grid.edges == pytest.approx((.2, .2, .05))


@pytest.mark.parametrize("turn", [0, 1, 2])
@pytest.mark.parametrize("turned", [[], [0], [3, 5, 8], slice(None)])
@pytest.mark.parametrize("offset", [(0.5, 0.5), (0.25, 0.75)])
def test_rays_through_edges_and_corners_cross_one_face_of_those_that_meet_there(monkeypatch, turn, turned, offset):
    """A leaning box of 9 x 9 columns whose floor and lid, z = 4x + 2y and 9 m more, are cut along diagonals that run
    through the middles of columns, as do the rays here; whichever corner of a face comes first, and which side is out.
    """
    monkeypatch.setattr(voxels, "_OFFSET", offset)
    V, F = arrays(trimesh.creation.box((9, 9, 9), trimesh.transformations.translation_matrix((4.5, 4.5, 4.5))))
    F = np.roll(F, turn, axis=1)
    F[turned] = F[turned, ::-1]
    for flip in (1, -1):  # the diagonals of a box run one way on all its sides
        W = V + np.outer(V @ [4, 2, 0], [0, 0, 1])
        W[:, 0] = W[:, 0] if flip > 0 else 9 - W[:, 0]
        grid = voxelise_mesh(W, F, 1.0)
        x, y, z = np.meshgrid(*[np.arange(n) + at for n, at in zip((9, 9, 63), (*offset, .5))], indexing="ij")
        floor = 4 * (x if flip > 0 else 9 - x) + 2 * y
        assert grid.cracked == 0 and grid.origin == (0, 0, 0)
        assert np.array_equal(grid.filled, (floor <= z) & (z < floor + 9))


@pytest.mark.parametrize("shape", [(3, 4, 5), (1, 1, 9), (6, 2, 1)])
def test_integrals_of_voxels_are_those_of_their_boxes(shape):
    """Boxes of 0.5 × 0.25 × 1 m from (1, -2, 3) on, one by one: m (a² + b²)/12 about an axis through the middle."""
    filled = np.random.default_rng(1).random(shape) < .6
    edges = (.5, .25, 1.0)
    solid = integrate_voxels(voxels.VoxelGrid(filled, (1.0, -2.0, 3.0), edges, 0.0))
    centres = (np.argwhere(filled) + .5) * edges + [1, -2, 3]
    centroid = centres.mean(axis=0)
    x, y, z = (centres - centroid).T
    a, b, c = np.square(edges) / 12 * len(x)
    assert solid.volume == pytest.approx(len(x) / 8) and solid.centroid == pytest.approx(centroid)
    assert solid.moments == pytest.approx([m / 8 for m in (
        b + c + y @ y + z @ z, a + c + x @ x + z @ z, a + b + x @ x + y @ y, -x @ y, -x @ z, -y @ z)], abs=1e-12)
    assert integrate_voxels(voxels.VoxelGrid(np.zeros(shape, bool), (1.0, -2.0, 3.0), edges, 0.0)).volume == 0


def test_rays_run_along_z_unless_a_vote_is_wanted():
    """A cube without a wall at its side: rays along z do not notice."""
    V, F = arrays(trimesh.creation.box((1, 1, 1)))
    F = F[np.abs((V[F] - [.5, 0, 0])[:, :, 0]).max(axis=1) > 0]
    assert len(F) == 10
    alone, vote = voxelise_mesh(V, F, .25), voxelise_mesh(V, F, .25, 3)
    assert alone.filled.all() and alone.cracked == 0 and vote.filled.all()
    # Along x every column is cracked, along y and z none: the middle of the three is said.
    assert vote.cracked == 0


@pytest.mark.parametrize("faces, cracked", [([(0, 1, 2)], 1.0), ([(0, 1, 2), (2, 1, 0)], 0.0),
                                            ([(0, 1, 2), (1, 0, 3), (2, 1, 0)], 2 / 3), ([(0, 0, 1)], 0.0)])
def test_the_share_of_the_columns_that_run_through_a_crack(faces, cracked):
    """A triangle over the left one of three columns, and another over the other two."""
    V = np.array([(1, 0, 0), (1, 2, 2), (-1, 1, 1), (5, 1, 1)], dtype=float)
    grid = voxelise_mesh(V, np.array(faces), 2.0)
    assert grid.filled.shape == (3, 1, 1) and grid.cracked == cracked
    assert not grid.filled.any() or faces == [(0, 1, 2)]


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("sides", [(1, 1, 41), (41, 41, 1), (7, 5, 35)])
def test_needles_and_plates_of_layers(count, sides):
    """Boxes on top of one another, with gaps of one cell between them: slow or fast, both ways to fill are the same."""
    V, F, top = [], [], 0
    for k in range(count):
        W, G = arrays(trimesh.creation.box(sides))
        W += np.array(sides) / 2 + (0, 0, top)
        V.append(W), F.append(G + 8 * k)
        top += sides[2] + 1
    filled = np.tile(np.r_[np.ones(sides[2], bool), False], count)[:-1]
    for axes in (1, 3):
        grid = voxelise_mesh(np.vstack(V), np.vstack(F), 1.0, axes)
        assert np.array_equal(grid.filled, np.broadcast_to(filled, (*sides[:2], top - 1))) and grid.cracked == 0


@pytest.mark.parametrize("place", [k / 16 + .003 for k in range(1, 15)])
def test_cells_of_half_the_size_have_other_sides(place):
    """A box of 1 m, 0.003 m higher than cells of 1/16, 1/32 and 1/64 m show, with one of 0.5 m on it: those would say
    the same wrong volume."""
    low, high = (trimesh.creation.box(bounds=bounds) for bounds in (
        [(0, 0, 0), (1, 1, place)], [(0, 0, place), (.5, 1, 1)]))
    V, F = np.vstack([low.vertices, high.vertices]), np.vstack([low.faces, high.faces + 8])
    volumes = [integrate_voxels(voxelise_mesh(V, F, size, oriented=True)).volume for size in (1 / 16, 1 / 32, 1 / 64)]
    assert np.ptp(volumes) > 1e-4 and volumes == pytest.approx([place + (1 - place) / 2] * 3, abs=1 / 16)
