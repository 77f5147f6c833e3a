"""Verdicts on meshes made with one defect each."""
import numpy as np
import pytest

from sdf_frames.spatial.mesh_topology import (
    Topology,
    count_overlaps,
    examine_topology,
    find_first_copies,
    find_inside_out,
    find_net_faces,
    label_bodies,
    merge_vertices,
    orient_faces,
)

trimesh = pytest.importorskip("trimesh")


@pytest.fixture
def sphere():
    mesh = trimesh.creation.icosphere(subdivisions=2)
    return np.array(mesh.vertices), np.array(mesh.faces)


def test_triangle_soup_closes_when_vertices_are_merged(sphere):
    V, F = sphere
    soup, G = V[F].reshape(-1, 3), np.arange(3 * len(F)).reshape(-1, 3)
    assert examine_topology(soup, G).open == 960
    V2, F2 = merge_vertices(soup, G)
    assert len(V2) == len(V) and examine_topology(V2, F2).oriented
    assert np.array_equal(V2[F2], V[F])


def test_positive_and_negative_zero_are_the_same_place():
    V, F = merge_vertices(np.array([[0., 0, 0], [-0., 0, 0], [1, 0, 0], [0, 1, 0]]), np.array([[0, 2, 3], [1, 3, 2]]))
    assert len(V) == 3


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


def test_moebius_strip_cannot_be_oriented():
    n = 12
    F = []
    for i in range(n):
        a, b = 2 * i, 2 * i + 1
        c, d = (2 * i + 2, 2 * i + 3) if i < n - 1 else (1, 0)
        F += [[a, b, c], [b, d, c]]
    assert orient_faces(np.random.default_rng(0).random((2 * n, 3)), np.array(F)) is None


def test_an_overlap_is_found_and_a_cavity_is_not_an_overlap(sphere):
    V, F = sphere
    assert count_overlaps(V, F)[0] == 0
    both = np.vstack([V, V + [.5, 0, 0]]), np.vstack([F, F + len(V)])
    overlapping, sampled = count_overlaps(*both)
    assert 0 < overlapping < sampled
    hollow = np.vstack([V, V * .5]), np.vstack([F, F[:, ::-1] + len(V)])
    assert count_overlaps(*hollow)[0] == 0


FAR = [(0, 0, 0), (3e6, -1e7, 2e6), (-4e6, 5e6, 1e7), (7e6, 8e6, 9e6), (1e7, 0, -1e7)]


@pytest.mark.parametrize("offset", [*FAR, (7, -5, 30), (-0.3, 0.2, -400)])
def test_bodies_that_look_inward_are_turned_wherever_they_stand(sphere, offset):
    """A ball beside an inside-out hollow one: its shell and the cavity in it are turned; a sound hollow ball is not."""
    V, F = sphere
    hollow = np.vstack([F[:, ::-1] + len(V), F + 2 * len(V)])  # the shell looks inward, the cavity outward
    places = np.vstack([V, V + [5, 1, 0.5], 0.5 * V + [5, 1, 0.5]]) + offset
    turned = find_inside_out(places, np.vstack([F, hollow]))
    assert turned.reshape(3, -1).all(axis=1).tolist() == [False, True, True]
    assert turned.reshape(3, -1).any(axis=1).tolist() == [False, True, True]
    assert not find_inside_out(places, np.vstack([F, F + len(V), F[:, ::-1] + 2 * len(V)])).any()


def count_by_hand(V, F):
    """What examine_topology counts, edge by edge with sets."""
    whole = [f for f in F.tolist() if len(set(f)) == 3]
    ways = {}
    for f in whole:
        for a, b in zip(f, f[1:] + f[:1]):
            ways.setdefault(frozenset((a, b)), []).append(1 if a < b else -1)
    pieces = []
    for f in whole:
        touched = [p for p in pieces if p & set(f)]
        pieces = [p for p in pieces if not p & set(f)] + [set(f).union(*touched)]
    flat = sum(not np.cross(V[b] - V[a], V[c] - V[a]).any() for a, b, c in F.tolist())
    cycles = {tuple(f[(f.index(min(f)) + k) % 3] for k in range(3)) for f in whole}
    even = [w for w in ways.values() if len(w) % 2 == 0]
    return (len(F), len(ways), len(ways) - len(even), sum(sum(w) != 0 for w in even), flat, len(whole) - len(cycles),
            len(pieces))


@pytest.mark.parametrize("seed", range(12))
def test_counts_are_those_of_sets_of_edges(seed):
    """Few vertices and many faces: edges with up to a dozen faces, copies, faces that collapse; whole coordinates."""
    rng = np.random.default_rng(seed)
    V = rng.integers(0, 4, (5 + 3 * (seed % 4), 3)).astype(float)
    F = rng.integers(0, len(V), (3 + 6 * (seed % 3), 3))
    t = examine_topology(V, F)
    assert (t.faces, t.edges, t.open, t.misdirected, t.degenerate, t.duplicate, t.bodies) == count_by_hand(V, F)


def test_a_mesh_whose_faces_all_collapse_has_no_edges():
    t = examine_topology(np.array([[0., 0, 0], [1, 0, 0]]), np.array([[0, 0, 1], [1, 1, 1]]))
    assert (t.faces, t.edges, t.open, t.misdirected, t.degenerate, t.duplicate, t.bodies) == (2, 0, 0, 0, 2, 0, 0)
    assert t.closed and t.oriented


@pytest.mark.parametrize("length", [1.0, 2.0, 1000.0])
@pytest.mark.parametrize("height, degenerate", [(1e-14, 1), (1.01e-14, 0)])
def test_a_face_has_no_area_up_to_a_hundred_trillionth_of_a_square_of_the_extent(length, height, degenerate):
    """A needle along x, which is the longest side; twice its area is length times height."""
    V = np.array([[0, 0, 0], [length, 0, 0], [0, height * length, 0], [0, 0, 0.5 * length]])
    V[:, 2] += 8 * length  # where it stands is not how long it is
    assert examine_topology(V, np.array([[0, 1, 2], [0, 1, 3]])).degenerate == degenerate


@pytest.mark.parametrize("open_edges, misdirected, closed, oriented", [
    (0, 0, True, True), (0, 1, True, False), (1, 0, False, False), (1, 1, False, False)])
def test_closed_and_oriented_meshes(open_edges, misdirected, closed, oriented):
    t = Topology(4, 6, open_edges, misdirected, 0, 0, 1)
    assert (t.closed, t.oriented) == (closed, oriented)


def test_places_are_the_same_in_one_cell_of_a_grid_that_begins_at_the_least_vertex():
    """Rounded to tenths of what is beyond (10, 0.02, -5): the axes begin where they begin, not all at one number."""
    V = np.array([[10, .02, -5], [10.04, .02, -5], [10.06, .02, -5], [10, .061, -5.0], [10, .12, -4.96],
                  [10, .02, -4.94]])
    merged, F = merge_vertices(V, np.array([[0, 2, 3], [1, 3, 4], [5, 4, 0]]), 0.1)
    assert F[0, 0] == F[1, 0] == F[0, 2] == F[1, 1] == F[2, 2] and F[1, 2] == F[2, 1] and len(merged) == 4
    assert sorted(merged.tolist()) == [[10, .02, -5], [10, .02, -4.94], [10, .12, -4.96], [10.06, .02, -5]]


def test_the_first_of_equal_vertices_stays_and_what_no_face_uses_goes():
    V = np.array([[1., 2, 3], [4, 5, 6], [1, 2, 3], [9, 9, 9], [1, 2, 3.0000001], [1, 2.5, 3], [4, 5, 6]])
    merged, F = merge_vertices(V, np.array([[0, 1, 4], [2, 6, 5]]))
    assert sorted(merged.tolist()) == [[1, 2, 3], [1, 2, 3.0000001], [1, 2.5, 3], [4, 5, 6]]
    assert merged[F].tolist() == V[np.array([[0, 1, 4], [2, 6, 5]])].tolist()


@pytest.mark.parametrize("seed", range(10))
def test_labels_are_the_least_numbers_that_are_reached(seed):
    rng = np.random.default_rng(seed)
    count = 30
    F = rng.integers(0, count, (4 + seed, 3))
    least = list(range(count))
    for _ in range(count):
        for f in F.tolist():
            low = min(least[v] for v in f)
            least = [low if v in f else at for v, at in enumerate(least)]
    assert label_bodies(count, F).tolist() == least


def cycle(face):
    """Corners from the least on."""
    k = face.index(min(face))
    return tuple(face[k:] + face[:k])


@pytest.mark.parametrize("seed", range(10))
def test_first_copies_and_net_faces_are_those_of_counting_by_hand(seed):
    """All faces over four vertices, in both directions and any rotation, many times each."""
    rng = np.random.default_rng(seed)
    F = np.array([rng.permutation(4)[:3] for _ in range(5 + 5 * seed)])
    faces = F.tolist()

    def firsts(keys):
        return sorted({key: row for row, key in reversed(list(enumerate(keys)))}.values())
    assert find_first_copies(F).tolist() == firsts([cycle(f) for f in faces])
    assert find_first_copies(F, directed=False).tolist() == firsts([tuple(sorted(f)) for f in faces])
    net = {}
    for f in faces:
        ahead = cycle(f) == tuple(sorted(f))
        net[frozenset(f)] = net.get(frozenset(f), 0) + (1 if ahead else -1)
    wanted = {}
    for row, f in enumerate(faces):
        if (1 if cycle(f) == tuple(sorted(f)) else -1) * net[frozenset(f)] > 0:
            wanted.setdefault(frozenset(f), row)
    assert find_net_faces(F).tolist() == sorted(wanted.values())


@pytest.mark.parametrize("offset", FAR)
@pytest.mark.parametrize("radius", [1.0, 0.01])
def test_faces_are_turned_outward_far_from_the_origin(sphere, offset, radius):
    V, F = sphere
    turned = orient_faces(radius * (V + offset), np.vstack([F[:20, ::-1], F[20:]]))
    assert [cycle(f) for f in turned.tolist()] == [cycle(f) for f in F.tolist()]


def test_a_sheet_keeps_the_side_of_its_first_face():
    """It has no inside, wherever the middle of the mesh is."""
    V = np.array([(0., 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)])
    assert orient_faces(V, np.array([(0, 1, 2), (0, 3, 2)])).tolist() == [[0, 1, 2], [2, 3, 0]]


def box(low, high):
    """A box with its faces outward."""
    mesh = trimesh.creation.box(np.subtract(high, low))
    return np.array(mesh.vertices) + np.add(low, high) / 2, np.array(mesh.faces)


def judge(*bodies):
    """Which of some bodies, given as (low, high, whether they look inward), are inside out."""
    V, F = zip(*[box(low, high) for low, high, _ in bodies])
    F = [f[:, ::-1] + 8 * k if inward else f + 8 * k for k, (f, (_, _, inward)) in enumerate(zip(F, bodies))]
    turned = find_inside_out(np.vstack(V), np.vstack(F))
    # In centimetres, its areas are below one.
    assert (find_inside_out(0.01 * np.vstack(V), np.vstack(F)) == turned).all()
    turned = turned.reshape(len(bodies), -1)
    assert (turned.all(axis=1) == turned.any(axis=1)).all()
    return turned.all(axis=1).tolist()


SMALL = ((1, 1, 1), (2, 2.5, 3))


OCTAHEDRON = np.array([(1., 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0), (0, 0, -1)])
SIDES = np.array([(0, 1, 2), (1, 3, 2), (3, 4, 2), (4, 0, 2), (1, 0, 5), (3, 1, 5), (4, 3, 5), (0, 4, 5)])


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("beyond", [0, 0.25])
def test_a_cavity_may_touch_the_wall_but_not_go_through_it(axis, side, beyond):
    """An octahedron in a box from -4 to 4 m, moved until it touches a wall, or a quarter of a metre beyond that."""
    V, F = box((-4, -4, -4), (4, 4, 4))
    at = np.roll([side * (3 + beyond), 0.5, 0.75], axis)
    turned = find_inside_out(np.vstack([V, OCTAHEDRON + at]), np.vstack([F, SIDES[:, ::-1] + 8]))
    assert turned.tolist() == [False] * 12 + [beyond > 0] * 8


def test_bodies_inside_a_body_that_is_turned_are_turned_too():
    """Inside out: a box with a cavity in which another body floats. Beside it a sound box, which stays."""
    beside = ((9, 0, 0), (10, 1, 1), False)
    shell, cavity, core = ((0, 0, 0), (8, 8, 8), True), ((1, 1, 1), (7, 7.5, 7), False), ((2, 2, 2), (5, 4, 3), True)
    assert judge(beside, shell, cavity, core) == judge(beside, core, shell, cavity)[0:1] + [True] * 3
    assert judge(core, cavity, beside, shell) == [True, True, False, True]


def test_a_mesh_all_inside_out_is_not_turned_body_by_body():
    one, two = ((0, 0, 0), (1, 1, 1), True), ((3, 0, 0), (4, 1, 1), True)
    hollow = ((0, 0, 0), (8, 8, 8), True), ((1, 1, 1), (7, 7.5, 7), False)
    assert judge(one) == [False] and judge(one, two) == [False, False] and judge(*hollow) == [False, False]
    assert judge(one, two, ((6, 0, 0), (7, 1, 1), False)) == [True, True, False]


def test_a_body_inside_an_inverted_body_does_not_make_the_mesh_valid():
    """The only body that looks outward is in one that looks inward: the whole mesh is inside out."""
    assert judge(((0, 0, 0), (8, 8, 8), True), SMALL + (False,), ((9, 0, 0), (10, 1, 1), True)) == [False] * 3


def test_a_body_of_no_volume_does_not_look_inward():
    """A triangle with two sides beside a box."""
    V, F = box((0, 0, 0), (2, 2, 2))
    V = np.vstack([V, [[4, 0, 0], [6, 0, 0], [5, 2, 0]]])
    sheet = [[8, 9, 10], [8, 10, 9]]
    assert not find_inside_out(V, np.vstack([F, sheet])).any()
    # It does not look outward either: all bodies that have an inside look inward.
    assert not find_inside_out(V, np.vstack([F[:, ::-1], sheet])).any()


def test_a_body_in_the_mouth_of_another_is_not_inside_it():
    """A C drawn along y, of 4 × 4 m: above its mouth are two faces of the upper arm, and one of what is inside it."""
    profile = [(0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (4, 3), (4, 4), (0, 4)]
    V = np.array([(x, y, z) for y in (0, 4) for x, z in profile], dtype=float)
    cap = [(0, 1, 2), (0, 2, 3), (0, 3, 7), (3, 4, 7), (4, 6, 7), (4, 5, 6)]
    F = cap + [(c + 8, b + 8, a + 8) for a, b, c in cap]
    for k in range(8):
        j = (k + 1) % 8
        F += [(j, k, k + 8), (j, k + 8, j + 8)]
    F = np.array(F)
    W, G = box((2, 1, 1.5), (3, 2, 2.5))
    assert find_inside_out(np.vstack([V, W]), np.vstack([F, G[:, ::-1] + 16])).tolist() == [False] * 28 + [True] * 12
    # … but in the upper arm it is.
    assert not find_inside_out(np.vstack([V, W * [1, 1, .5] + [0, 0, 2.5]]), np.vstack([F, G[:, ::-1] + 16])).any()


def places_of_rays(count):
    """Roberts' R2 sequence: multiples of 1/g and 1/g², g³ = g + 1, without their whole parts."""
    g = 1.32471795724474602596
    n = np.arange(1, count + 1)
    return n / g % 1, n / g ** 2 % 1


@pytest.mark.parametrize("scale", [1.0, 1000.0])
@pytest.mark.parametrize("axis", [0, 1])
def test_rays_that_meet_two_bodies_at_once_are_counted(axis, scale):
    """Boxes from 0 to 2 and from 1.5 to 3 along x or y: rays between 1.5 and 2, of 64."""
    u = places_of_rays(64)[axis] * 3
    step = np.roll([1.5, 0, 0], axis)
    high = np.roll([2, 1, 1], axis)
    (V, F), (W, _) = box((0, 0, 0), high), box((0, 0, .25), high - np.roll([.5, 0, 0], axis))
    for bodies in ([V, W + step], [W + step, V]):
        overlapping = count_overlaps(np.vstack(bodies) * scale + [7, 8, 9], np.vstack([F, F + 8]))
        assert overlapping == (((1.5 < u) & (u < 2)).sum(), 64)


@pytest.mark.parametrize("gap, overlap", [(0.0, False), (1e-10, False), (1e-8, True)])
@pytest.mark.parametrize("height", [1.0, 1000.0])
def test_bodies_that_overlap_by_less_than_rounding_only_touch(gap, overlap, height):
    """A box on a box, which goes in by some 1e-9 of the whole height."""
    (V, F), (W, _) = box((0, 0, 0), (1, 1, .5)), box((0, 0, .5 - gap), (1, 1, 1))
    for bodies in ([V, W], [W, V]):
        assert count_overlaps(np.vstack(bodies) * [1, 1, height], np.vstack([F, F + 8])) == (64 * overlap, 64)


@pytest.mark.parametrize("turn", [0, 1, 2])
def test_a_ray_that_meets_an_edge_meets_neither_face(turn):
    """The lid and the floor of a cube are two rectangles each, side by side at x or y of the first ray."""
    for axis in (0, 1):
        cut = places_of_rays(1)[axis][0]
        V, F = [], []
        for z, up in ((0, False), (1, True)):
            for low, high in ((0, cut), (cut, 1)):
                corners = np.array([(low, 0, z), (high, 0, z), (high, 1, z), (low, 1, z)], dtype=float)
                corners = corners if axis == 0 else corners[::-1, [1, 0, 2]]
                F += [np.roll(f, turn)[::1 if up else -1] + len(V) for f in ([0, 1, 2], [0, 2, 3])]
                V += corners.tolist()
        assert count_overlaps(np.array(V), np.array(F)) == (0, 63)
