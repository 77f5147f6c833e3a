"""The blocked integral against closed forms, against trimesh, and under motions."""
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdf_frames.spatial import mesh_integrals
from sdf_frames.spatial.inertia import rotate_tensor
from sdf_frames.spatial.mesh_integrals import integrate_faces, integrate_surface, measure_leak, turn_solid
from sdf_frames.spatial.solids import integrate_box, integrate_cylinder, integrate_sphere

trimesh = pytest.importorskip("trimesh")


def arrays(mesh):
    return np.array(mesh.vertices), np.array(mesh.faces)


def matrix(moments):
    xx, yy, zz, xy, xz, yz = moments
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def test_box_is_exact_far_from_the_origin():
    V, F = arrays(trimesh.creation.box((1, 2, 3)))
    solid, box = integrate_faces(V + [1000, -2000, 500], F), integrate_box(1, 2, 3)
    assert solid.volume == pytest.approx(box.volume, rel=1e-12)
    assert solid.centroid == pytest.approx((1000, -2000, 500), rel=1e-14)
    assert solid.moments == pytest.approx(box.moments, rel=1e-11, abs=1e-11)


def test_box_with_a_hole_is_the_difference():
    outer, inner = trimesh.creation.box((4, 4, 2)), trimesh.creation.box((1, 2, .5))
    V = np.vstack([outer.vertices, inner.vertices])
    F = np.vstack([outer.faces, inner.faces[:, ::-1] + len(outer.vertices)])
    solid, a, b = integrate_faces(V, F), integrate_box(4, 4, 2), integrate_box(1, 2, .5)
    assert solid.volume == pytest.approx(a.volume - b.volume, rel=1e-13)
    assert solid.moments == pytest.approx([x - y for x, y in zip(a.moments, b.moments)], rel=1e-13, abs=1e-13)


def test_polygonal_prism_has_its_own_closed_form():
    # Regular n-gon of circumradius R: area n/2·R²·sin(2π/n), polar moment area·R²·(2 + cos(2π/n))/6.
    n, R, h = 24, .7, 1.3
    solid = integrate_faces(*arrays(trimesh.creation.cylinder(R, h, sections=n)))
    area = n / 2 * R * R * np.sin(2 * np.pi / n)
    polar = area * R * R * (2 + np.cos(2 * np.pi / n)) / 6
    assert solid.volume == pytest.approx(area * h, rel=1e-12)
    assert solid.moments[2] == pytest.approx(polar * h, rel=1e-12)
    assert solid.moments[0] == pytest.approx(polar * h / 2 + area * h ** 3 / 12, rel=1e-12)


@pytest.mark.parametrize("make, exact", [
    (lambda k: trimesh.creation.icosphere(subdivisions=2 + k), integrate_sphere(1)),
    (lambda k: trimesh.creation.cylinder(1, 2, sections=16 * 2 ** k), integrate_cylinder(1, 2))])
def test_error_falls_with_the_square_of_the_edges(make, exact):
    errors = []
    for k in range(3):
        solid = integrate_faces(*arrays(make(k)))
        errors.append([abs(solid.volume / exact.volume - 1), abs(solid.moments[0] / exact.moments[0] - 1)])
    for coarse, fine in zip(errors, errors[1:]):
        assert np.array(coarse) / fine == pytest.approx([4, 4], rel=.15)


def make_torus(R, r, m, n):
    """Closed torus about z of m × n quads, each cut in two."""
    a, b = np.meshgrid(np.arange(m) * 2 * np.pi / m, np.arange(n) * 2 * np.pi / n, indexing="ij")
    V = np.stack([(R + r * np.cos(b)) * np.cos(a), (R + r * np.cos(b)) * np.sin(a), r * np.sin(b)], axis=-1).reshape(-1,
        3)
    i, j = np.meshgrid(np.arange(m), np.arange(n), indexing="ij")
    i, j, k, l = i.ravel(), j.ravel(), (i.ravel() + 1) % m, (j.ravel() + 1) % n
    p, q, s, t = i * n + j, k * n + j, k * n + l, i * n + l
    return V, np.vstack([np.stack([p, q, s], axis=1), np.stack([p, s, t], axis=1)])


def test_torus_approaches_its_closed_form():
    R, r = 2, .5
    solid = integrate_faces(*make_torus(R, r, 256, 128))
    V = 2 * np.pi ** 2 * R * r * r
    # Inscribed polygons in both circles: relative error about (2π/n)²/6 and twice that for the moments.
    assert solid.volume == pytest.approx(V, rel=1e-3)
    assert solid.moments[2] == pytest.approx(V * (R * R + 3 / 4 * r * r), rel=2e-3)
    assert solid.moments[0] == pytest.approx(V * (4 * R * R + 5 * r * r) / 8, rel=2e-3)


angles = st.floats(-3, 3)


@settings(deadline=None)
@given(angles, angles, angles, st.floats(-5, 5), st.floats(-5, 5), st.floats(-5, 5))
def test_turned_then_integrated_is_integrated_then_turned(roll, pitch, yaw, x, y, z):
    V, F = arrays(trimesh.creation.annulus(.3, 1, 2, sections=12))
    V = V * [1, 2, 3] + V[:, [1, 2, 0]] * .3
    X = trimesh.transformations.euler_matrix(roll, pitch, yaw)
    moved = integrate_faces(V @ X[:3, :3].T + [x, y, z], F)
    still = integrate_faces(V, F)
    q = trimesh.transformations.quaternion_from_matrix(X)
    assert moved.volume == pytest.approx(still.volume, rel=1e-11)
    assert moved.centroid == pytest.approx(X[:3, :3] @ still.centroid + [x, y, z], abs=1e-11)
    scale = max(still.moments)
    assert moved.moments == pytest.approx(rotate_tensor(tuple(q), still.moments), abs=1e-11 * scale)


@pytest.mark.parametrize("block", [1, 7, 64, 1279, 1280, 16384])
def test_block_size_changes_nothing(monkeypatch, block):
    V, F = arrays(trimesh.creation.icosphere(subdivisions=3))
    V = V * [1, 2, 3] + [.1, .2, .3]
    whole = integrate_faces(V, F)
    monkeypatch.setattr(mesh_integrals, "BLOCK", block)
    other = integrate_faces(V, F)
    assert other.volume == pytest.approx(whole.volume, rel=1e-13)
    assert other.moments == pytest.approx(whole.moments, rel=1e-12, abs=1e-12)


def test_trimesh_agrees_on_a_random_star_shaped_body():
    rng = np.random.default_rng(5)
    V, F = arrays(trimesh.creation.icosphere(subdivisions=4))
    V = V * (1 + .3 * rng.random((len(V), 1))) * [1, 2, .5] + [3, 0, 1]
    ours, theirs = integrate_faces(V, F), trimesh.triangles.mass_properties(V[F])
    assert ours.volume == pytest.approx(theirs["volume"], rel=1e-11)
    assert ours.centroid == pytest.approx(theirs["center_mass"], rel=1e-11)
    assert matrix(ours.moments) == pytest.approx(theirs["inertia"], rel=1e-10, abs=1e-10)


def test_inward_faces_give_the_negative_and_turn_back():
    V, F = arrays(trimesh.creation.box((1, 2, 3)))
    inward = integrate_faces(V, F[:, ::-1])
    assert inward.volume == pytest.approx(-6)
    assert turn_solid(inward).moments == pytest.approx(integrate_box(1, 2, 3).moments)


def test_no_triangles_enclose_nothing():
    assert integrate_faces(np.zeros((3, 3)), np.empty((0, 3), dtype=int)).volume == 0


def test_shell_of_a_sphere_and_a_cube():
    shell = integrate_surface(*arrays(trimesh.creation.icosphere(subdivisions=5)))
    assert shell.volume == pytest.approx(4 * np.pi, rel=1e-3)
    assert shell.moments[:3] == pytest.approx([2 / 3 * 4 * np.pi] * 3, rel=2e-3)
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


@pytest.mark.parametrize("place", [(0, 0, 0), (300, 0, 0), (-20, 50, 400)])
def test_the_position_of_a_mesh_does_not_change_its_leak(place):
    V, F = arrays(trimesh.creation.box((1, 2, 3)))
    assert measure_leak(V + place, F[1:]) == pytest.approx(measure_leak(V, F[1:]), rel=1e-6)


@pytest.mark.parametrize("scale", [1e-3, 1e3])
@pytest.mark.parametrize("face", range(12))
def test_the_unit_of_length_changes_no_leak(scale, face):
    V, F = arrays(trimesh.creation.box((1, 2, 3)))
    F = np.delete(F, face, axis=0)
    assert measure_leak(V * scale, F) == pytest.approx(measure_leak(V, F), rel=1e-6)


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


@pytest.mark.parametrize("kind", [np.float32, np.int32, list])
def test_numbers_of_any_kind_are_computed_as_doubles(kind):
    """Whole coordinates whose products have more digits than a single-precision number."""
    V, F = np.array([(1, 0, 0), (4001, 0, 1), (0, 5003, 1), (0, 1, 6007)]), np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2),
                                                                                     (1, 2, 3)])
    given = (V.tolist(), F.tolist()) if kind is list else (V.astype(kind), F)
    for integrate in (integrate_faces, integrate_surface):
        solid, exact = integrate(*given), integrate(V.astype(float), F)
        assert solid.volume == exact.volume and solid.moments == exact.moments
