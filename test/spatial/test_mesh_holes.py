"""Borders of holes, found and closed by hand: on a tetrahedron, an open box, and what has no simple border."""
import numpy as np
import pytest

from sdf_frames.spatial.mesh_holes import close_borders, find_borders

TETRAHEDRON = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
# A square 0 1 2 3 of the floor, the same above it: the walls of a box, outward, without floor and lid.
WALLS = [(k, (k + 1) % 4, (k + 1) % 4 + 4) for k in range(4)] + [(k, (k + 1) % 4 + 4, k + 4) for k in range(4)]
FAN = [(0, 3, 6), (3, 1, 6), (1, 4, 6), (4, 2, 6), (2, 5, 6), (5, 0, 6)]  # around 6; its border is 0 3 1 4 2 5


def find(*faces):
    """Loops from their least vertex on, in order; None as it is."""
    loops = find_borders(np.array(faces, dtype=int).reshape(-1, 3))
    return None if loops is None else sorted(np.roll(loop, -loop.argmin()).tolist() for loop in loops)


@pytest.mark.parametrize("faces, loops", [
    ([], []), (TETRAHEDRON, []), ([(0, 0, 1)], []),
    (TETRAHEDRON[1:], [[0, 2, 1]]), (TETRAHEDRON[:3], [[1, 2, 3]]), (TETRAHEDRON[:2] + TETRAHEDRON[3:], [[0, 3, 2]]),
    # The floor is seen from below, the lid from above.
    (WALLS, [[0, 3, 2, 1], [4, 5, 6, 7]]),
    # Faces that have collapsed have no edges, whichever two corners they have in common.
    (TETRAHEDRON[1:] + [(0, 0, 2), (0, 2, 2), (1, 2, 1), (3, 3, 3)], [[0, 2, 1]]),
    # Two tetrahedra that share an edge: four faces meet there, as many one way as the other.
    (TETRAHEDRON + [(0, 1, 4), (0, 5, 1), (1, 5, 4)], [[0, 4, 5]]),
])
def test_borders_run_as_the_missing_faces_do(faces, loops):
    assert find(*faces) == loops


@pytest.mark.parametrize("faces", [
    [*TETRAHEDRON, (0, 1, 4)],  # three faces at an edge
    [(0, 2, 1), (0, 3, 1), (0, 3, 2), (1, 2, 3)],  # neighbours that disagree, of a closed surface
    [(0, 1, 2), (1, 2, 3)],  # … of an open one
    [(0, 1, 2), (0, 3, 4)],  # two triangles that touch in a corner
    [(0, 1, 2), *FAN],  # two borders that touch in three corners, of which the longer one is simple
])
def test_surfaces_without_a_simple_border(faces):
    assert find(*faces) is None


POINTS = np.array([(0, 0, 0), (4, 0, 0), (4, 2, 0), (0, 2, 0), (0, 0, 1), (4, 0, 1), (4, 2, 1), (0, 2, 1)], dtype=float)
FLOOR, LID = np.array([0, 3, 2, 1]), np.array([4, 5, 6, 7])


def test_a_fan_around_the_middle_of_each_hole():
    V, F = close_borders(POINTS, np.array(WALLS), [FLOOR, LID])
    assert V.tolist() == [*POINTS.tolist(), [2, 1, 0], [2, 1, 1]]
    assert F.tolist() == [*map(list, WALLS), [0, 3, 8], [3, 2, 8], [2, 1, 8], [1, 0, 8],
                          [4, 5, 9], [5, 6, 9], [6, 7, 9], [7, 4, 9]]


@pytest.mark.parametrize("apex, fans", [
    (0.0, [[0, 3, 2], [0, 2, 1], [4, 5, 6], [4, 6, 7]]), (0.25, [[3, 2, 1], [3, 1, 0], [5, 6, 7], [5, 7, 4]]),
    (0.5, [[2, 1, 0], [2, 0, 3], [6, 7, 4], [6, 4, 5]]), (0.99, [[1, 0, 3], [1, 3, 2], [7, 4, 5], [7, 5, 6]])])
def test_a_fan_from_a_place_along_each_border(apex, fans):
    V, F = close_borders(POINTS, np.array(WALLS), [FLOOR, LID], apex)
    assert V.tolist() == POINTS.tolist() and F.tolist() == [*map(list, WALLS), *fans]
    assert find(*F.tolist()) == []
