"""The blocked integral against closed forms, against trimesh, and under motions."""
import numpy as np
import pytest

from sdf_frames.spatial import mesh_integrals
from sdf_frames.spatial.mesh_integrals import integrate_faces, integrate_surface, measure_leak, turn_solid
from sdf_frames.spatial.solids import integrate_box

trimesh = pytest.importorskip("trimesh")


def arrays(mesh):
    return np.array(mesh.vertices), np.array(mesh.faces)


def test_no_triangles_enclose_nothing():
    assert integrate_faces(np.zeros((3, 3)), np.empty((0, 3), dtype=int)).volume == 0


def test_shell_of_a_cube():
    V, F = arrays(trimesh.creation.box((2, 2, 2)))
    shell = integrate_surface(V + [5, 0, 0], F)
    # A hollow cube of edge a: 5/18·m·a².
    assert shell.moments == pytest.approx((5 / 18 * 24 * 4,) * 3 + (0,) * 3)
    assert shell.centroid == pytest.approx((5, 0, 0))


def test_leak_is_nothing_for_a_closed_surface_and_grows_with_the_hole():
    V, F = arrays(trimesh.creation.icosphere(subdivisions=3))
    leaks = [measure_leak(V + [3, 4, 5], F[k:]) for k in (0, 1, 8, 64)]
    assert leaks[0] < 1e-12 < 1e-4 < leaks[1] < leaks[2] < leaks[3]
    assert measure_leak(V, F[:0]) == float("inf")


def test_turning_negates_every_moment():
    from sdf_frames.spatial.solids import Solid
    solid = Solid(2.0, (1.0, 2.0, 3.0), (4.0, 5.0, 6.0, 7.0, 8.0, 9.0))
    assert turn_solid(solid) == (-2.0, (1.0, 2.0, 3.0), (-4.0, -5.0, -6.0, -7.0, -8.0, -9.0))
    assert turn_solid(turn_solid(solid)) == solid


def measure_tetrahedra(corners):
    """Volume, centroid and moments of tetrahedra (N, 4, 3), each with its sign, taken together: ∫x xᵀ dV of one is
    V/20 (Σ p pᵀ + s sᵀ) with its corners p and their sum s."""
    volumes = np.linalg.det(corners[:, 1:] - corners[:, :1]) / 6
    centroids, sums = corners.mean(axis=1), corners.sum(axis=1)
    second = (corners[:, :, :, None] * corners[:, :, None]).sum(axis=1) + sums[:, :, None] * sums[:, None]
    volume, S = volumes.sum(), np.einsum("n,nij->ij", volumes / 20, second)
    centroid = volumes @ centroids / volume
    S = S - volume * np.outer(centroid, centroid)
    xx, yy, zz = np.diag(S)
    return volume, centroid, (yy + zz, xx + zz, xx + yy, -S[0, 1], -S[0, 2], -S[1, 2])


def agree(solid, volume, centroid, moments):
    size = max(abs(m) for m in moments)
    assert solid.volume == pytest.approx(volume, rel=1e-9)
    assert solid.centroid == pytest.approx(centroid, rel=1e-9, abs=1e-9)
    assert solid.moments == pytest.approx(moments, abs=1e-9 * size)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("faces", [1, 2, 7])
def test_faces_and_an_apex_are_tetrahedra(seed, faces):
    rng = np.random.default_rng(seed)
    V, apex = rng.normal(size=(faces + 2, 3)) + [1, -2, 3], rng.normal(size=3) * 4
    F = np.stack([np.arange(faces), np.arange(faces) + 1, np.arange(faces) + 2], axis=1)
    corners = np.concatenate([np.broadcast_to(apex, (faces, 1, 3)), V[F]], axis=1)
    agree(integrate_faces(V, F, apex=apex), *measure_tetrahedra(corners))


@pytest.mark.parametrize("block", [1, 3, 20, 5120])
def test_blocks_are_tetrahedra_to_the_origin(monkeypatch, block):
    monkeypatch.setattr(mesh_integrals, "BLOCK", block)
    V, F = arrays(trimesh.creation.icosphere(subdivisions=0))
    V = V * [1, 2, 3] + [1, 1, 1]
    agree(integrate_faces(V, F), *measure_tetrahedra(np.concatenate([np.zeros((20, 1, 3)), V[F]], axis=1)))


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("distance", [1e7, -1e7])
def test_digits_are_kept_far_from_the_origin(axis, distance):
    """A box of 1 × 2 × 3 m, 10,000 km away along one axis, where numbers are 2e-9 m apart."""
    V, F = arrays(trimesh.creation.box((1, 2, 3)))
    V[:, axis] += distance
    solid = integrate_faces(V, F)
    assert solid.volume == pytest.approx(6, rel=1e-8)
    assert solid.moments == pytest.approx(integrate_box(1, 2, 3).moments, rel=1e-7, abs=1e-7)
    shell, near = integrate_surface(V, F), integrate_surface(V - V.mean(axis=0), F)
    assert shell.volume == pytest.approx(22) and shell.moments == pytest.approx(near.moments, rel=1e-7, abs=1e-7)


def test_a_triangle_as_a_shell():
    """Legs of 3 m along x and 2 m along y: ∫(x - cx)² dA = 2 · 3³/36, ∫(y - cy)² dA = 3 · 2³/36, the product -1/2."""
    V, F = np.array([(5., 6, 7), (8, 6, 7), (5, 8, 7)]), np.array([(0, 1, 2)])
    for offset in ((0, 0, 0), (-5, -6, -7), (1000, 0, 0)):
        shell = integrate_surface(V + offset, F)
        assert shell.volume == pytest.approx(3) and shell.centroid == pytest.approx(np.array((6, 20 / 3, 7)) + offset)
        assert shell.moments == pytest.approx((2 / 3, 3 / 2, 2 / 3 + 3 / 2, 1 / 2, 0, 0), abs=1e-9)
    agree(integrate_surface(V[:, [2, 0, 1]], F), 3, (7, 6, 20 / 3), (2 / 3 + 3 / 2, 2 / 3, 3 / 2, 0, 0, 1 / 2))
    assert integrate_surface(V, F[:0]).volume == 0


@pytest.mark.parametrize("size", [(1, 2, 3), (5, 1, 1), (.01, .01, .03)])
@pytest.mark.parametrize("missing", [[0], [3], [6], [0, 11], [1, 4, 8], [0, 1, 2, 3, 4, 5]])
def test_a_leak_is_the_largest_change_among_four_corners(size, missing):
    """Of the volume, of the centroid times that, relative to the longest side, and of the moments."""
    V, F = arrays(trimesh.creation.box(size))
    F = np.delete(F, missing, axis=0)
    sums = []
    for signs in ((-1, -1, -1), (1, 1, -1), (1, -1, 1), (-1, 1, 1)):
        apex = np.array(size) / 2 * signs
        volume, centroid, moments = measure_tetrahedra(
            np.concatenate([np.broadcast_to(apex, (len(F), 1, 3)), V[F]], axis=1))
        sums.append([volume, *volume * centroid, *moments])
    sums = np.array(sums)
    span = sums.max(axis=0) - sums.min(axis=0)
    volume = np.abs(sums[:, 0]).max()
    leaks = (span[0] / volume, span[1:4].max() / volume / max(size), span[4:].max() / np.abs(sums[:, 4:7]).max())
    assert measure_leak(V + [9, -8, 7], F) == pytest.approx(max(leaks))


def test_a_sheet_leaks_without_bound():
    """Through its own plane it encloses nothing, from anywhere."""
    V = np.array([(0., 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)])
    assert measure_leak(V, np.array([(0, 1, 2), (0, 2, 3)])) == float("inf")


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("deviations, at_origin", [(1.99, True), (-1.99, True), (2.01, False), (-2.01, False)])
def test_an_open_surface_is_joined_to_the_origin_where_that_is_near(axis, deviations, at_origin):
    """Within two standard deviations of its corners, else to their mean."""
    V, F = arrays(trimesh.creation.box((1, 2, 3)))
    F = F[1:]
    spread = V[F].reshape(-1, 3).std(axis=0).max()
    V = V - V[F].reshape(-1, 3).mean(axis=0)
    V[:, axis] += deviations * spread
    apex = np.zeros(3) if at_origin else V[F].reshape(-1, 3).mean(axis=0)
    expected = measure_tetrahedra(np.concatenate([np.broadcast_to(apex, (len(F), 1, 3)), V[F]], axis=1))
    agree(integrate_faces(V, F), *expected)
