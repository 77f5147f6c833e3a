"""Verdicts on meshes made with one defect each."""
import numpy as np
import pytest

from sdf_frames.spatial.mesh_topology import (
    count_overlaps,
    examine_topology,
    find_first_copies,
    find_inside_out,
    label_bodies,
    merge_vertices,
    orient_faces,
)

trimesh = pytest.importorskip("trimesh")


@pytest.fixture
def sphere():
    mesh = trimesh.creation.icosphere(subdivisions=2)
    return np.array(mesh.vertices), np.array(mesh.faces)


def test_closed_sphere_has_no_defect(sphere):
    V, F = sphere
    t = examine_topology(V, F)
    assert (t.faces, t.edges, t.open, t.misdirected, t.degenerate, t.duplicate, t.bodies) == (320, 480, 0, 0, 0, 0, 1)
    assert t.closed and t.oriented


def test_triangle_soup_closes_when_vertices_are_merged(sphere):
    V, F = sphere
    soup, G = V[F].reshape(-1, 3), np.arange(3 * len(F)).reshape(-1, 3)
    assert examine_topology(soup, G).open == 960
    V2, F2 = merge_vertices(soup, G)
    assert len(V2) == len(V) and examine_topology(V2, F2).oriented
    assert np.array_equal(V2[F2], V[F])


def test_positive_and_negative_zero_are_one_place():
    V, F = merge_vertices(np.array([[0., 0, 0], [-0., 0, 0], [1, 0, 0], [0, 1, 0]]), np.array([[0, 2, 3], [1, 3, 2]]))
    assert len(V) == 3


def test_unused_vertices_do_not_count():
    V, F = merge_vertices(np.array([[9., 9, 9], [0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.array([[1, 2, 3]]))
    assert len(V) == 3 and sorted(F.ravel()) == [0, 1, 2]


def test_missing_face_leaves_three_open_edges(sphere):
    V, F = sphere
    t = examine_topology(V, F[1:])
    assert t.open == 3 and not t.closed and not t.oriented


def test_turned_face_is_misdirected_and_can_be_turned_back(sphere):
    V, F = sphere
    F = F.copy()
    F[[7, 50, 51]] = F[[7, 50, 51], ::-1]
    t = examine_topology(V, F)
    assert t.closed and not t.oriented and t.misdirected > 0
    again = orient_faces(V, F)
    assert examine_topology(V, again).oriented
    assert trimesh.triangles.mass_properties(V[again])["volume"] > 0


@pytest.mark.parametrize("turned", [[], [0], [7, 50], slice(None), slice(1, None)])
def test_every_piece_is_turned_outward(sphere, turned):
    """Two spheres, one of them inside out, and some faces of both the other way round."""
    V, F = sphere
    part = F.copy()
    part[turned] = part[turned, ::-1]
    both = orient_faces(np.vstack([V, V + 5]), np.vstack([part, part[:, ::-1] + len(V)]))
    for piece in np.split(both, 2):
        assert sorted(map(frozenset, piece.tolist()), key=sorted) == sorted(
            map(frozenset, (F + piece.min()).tolist()), key=sorted)
        assert trimesh.triangles.mass_properties(np.vstack([V, V + 5])[piece])["volume"] > 4


def test_copies_and_collapsed_faces_are_counted(sphere):
    V, F = sphere
    bad = np.vstack([F, F[:2], np.roll(F[5:6], 1, axis=1), [[3, 3, 4]]])
    t = examine_topology(V, bad)
    assert t.duplicate == 3 and t.degenerate == 1
    assert len(find_first_copies(bad)) == len(F) + 1


def test_reverse_of_a_face_is_no_copy_but_the_same_corners():
    F = np.array([[0, 1, 2], [2, 1, 0]])
    assert len(find_first_copies(F)) == 2 and len(find_first_copies(F, directed=False)) == 1


def test_bodies_are_counted(sphere):
    V, F = sphere
    V2, F2 = np.vstack([V, V + 5, V - 5]), np.vstack([F, F + len(V), F + 2 * len(V)])
    assert examine_topology(V2, F2).bodies == 3


def test_long_strip_is_one_body():
    n = 5000
    F = np.stack([np.arange(n), np.arange(n) + 1, np.arange(n) + 2], axis=1)
    assert (label_bodies(n + 2, F) == 0).all()


def test_moebius_strip_cannot_be_oriented():
    n = 12
    F = []
    for i in range(n):
        a, b = 2 * i, 2 * i + 1
        c, d = (2 * i + 2, 2 * i + 3) if i < n - 1 else (1, 0)
        F += [[a, b, c], [b, d, c]]
    assert orient_faces(np.random.default_rng(0).random((2 * n, 3)), np.array(F)) is None


def test_overlap_is_seen_and_a_cavity_is_none(sphere):
    V, F = sphere
    assert count_overlaps(V, F)[0] == 0
    both = np.vstack([V, V + [.5, 0, 0]]), np.vstack([F, F + len(V)])
    overlapping, sampled = count_overlaps(*both)
    assert 0 < overlapping < sampled
    hollow = np.vstack([V, V * .5]), np.vstack([F, F[:, ::-1] + len(V)])
    assert count_overlaps(*hollow)[0] == 0


@pytest.mark.parametrize("offset", [(0, 0, 0), (7, -5, 30), (-0.3, 0.2, -400)])
def test_bodies_that_look_inward_are_turned_wherever_they_stand(sphere, offset):
    """A ball beside an inside-out hollow one: its shell and the cavity in it are turned; a sound hollow ball is not."""
    V, F = sphere
    hollow = np.vstack([F[:, ::-1] + len(V), F + 2 * len(V)])  # the shell looks inward, the cavity outward
    places = np.vstack([V, V + [5, 1, 0.5], 0.5 * V + [5, 1, 0.5]]) + offset
    turned = find_inside_out(places, np.vstack([F, hollow]))
    assert turned.reshape(3, -1).all(axis=1).tolist() == [False, True, True]
    assert turned.reshape(3, -1).any(axis=1).tolist() == [False, True, True]
    assert not find_inside_out(places, np.vstack([F, F + len(V), F[:, ::-1] + 2 * len(V)])).any()


def test_a_body_above_or_beside_another_is_not_inside_it(sphere):
    V, F = sphere
    for step in ([0, 0, 3], [0, 0, -3], [3, 0, 0], [0, 3, 0]):
        turned = find_inside_out(np.vstack([3 * V, 0.5 * V + 2 * np.array(step)]), np.vstack([F, F[:, ::-1] + len(V)]))
        assert turned.reshape(2, -1).all(axis=1).tolist() == [False, True]
    assert not find_inside_out(np.vstack([3 * V, 0.5 * V + [1, 0.5, 1]]), np.vstack([F, F[:, ::-1] + len(V)])).any()


@pytest.mark.parametrize("count, turned", [(64, 64), (65, 0)])
def test_so_many_bodies_are_looked_at_whether_they_look_inward(count, turned):
    """One body looks outward beside `count` that look inward."""
    corners, faces = np.array([[0., 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), [[0, 2, 1], [0, 1, 3], [0, 3, 2],
        [1, 2, 3]]
    V = np.vstack([corners + [3 * k, 0, 0] for k in range(count + 1)])
    F = np.vstack([np.array(faces)[:, ::1 if k == 0 else -1] + 4 * k for k in range(count + 1)])
    assert np.count_nonzero(find_inside_out(V, F)) == 4 * turned
