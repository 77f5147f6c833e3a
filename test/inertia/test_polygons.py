"""Polygons of mesh files: each is filled once, whether it is convex or not."""
from collections import Counter

import numpy as np
import pytest

from sdf_frames.inertia import polygons
from sdf_frames.inertia.polygons import cut_polygons

L = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
U = [(0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 1), (1, 3), (0, 3)]
#: A square of 4 around one of 2, joined by a cut that is passed twice.
RING = [(0, 0), (4, 0), (4, 4), (0, 4), (0, 0), (1, 1), (1, 3), (3, 3), (3, 1), (1, 1)]
COMB = [(0, -1), (40, -1), *[p for x in range(38, -1, -2) for p in ((x + 2, 1), (x + 1, 1), (x + 1, 0), (x, 0))]]
#: Outlines, with their areas by hand.
OUTLINES = {"triangle": (L[:3], 1), "square": ([(0, 0), (1, 0), (1, 1), (0, 1)], 1), "L": (L, 3), "U": (U, 7),
            "arrow": ([(0, 0), (2, -1), (0, 3), (-2, -1)], 6), "ring": (RING, 12), "comb": (COMB, 60),
            # The middle of each side of the U is a corner, too.
            "straight corners": ([p for a, b in zip(U, [*U[1:], U[0]]) for p in (a, np.add(a, b) / 2)], 7)}
TURNS = {"xy": np.eye(3), "yz": np.eye(3)[[2, 0, 1]], "zx": np.eye(3)[[1, 2, 0]], "below": np.diag([1, -1, -1]),
         "slanted": np.array([(2, -2, 1), (1, 2, 2), (-2, -1, 2)]) / 3}


def lay(outline, turn="xy"):
    return np.column_stack([np.array(outline, dtype=float), np.zeros(len(outline))]) @ TURNS[turn].T


def areas(F, V):
    """Areas (F, 3), as vectors."""
    return np.cross(V[F[:, 1]] - V[F[:, 0]], V[F[:, 2]] - V[F[:, 0]]) / 2


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("name", OUTLINES)
def test_triangles_fill_a_polygon_once(name, turn):
    """From each corner on: no area is turned, all of it is there, and only the sides are borders."""
    outline, area = OUTLINES[name]
    for start in range(len(outline)):
        V = np.roll(lay(outline, turn), start, axis=0)
        F = cut_polygons(np.arange(len(V)), np.array([len(V)]), V)
        up = areas(F, V) @ TURNS[turn][:, 2]
        assert up.min() > -1e-12 and up.sum() == pytest.approx(area)
        edges = Counter((int(f[i]), int(f[i - 2])) for f in F for i in range(3))
        assert {(a, b) for a, b in edges if (b, a) not in edges} == {(i, (i + 1) % len(V)) for i in range(len(V))}
        assert set(edges.values()) == {1}


def test_polygons_of_many_kinds_in_one_file():
    """A convex polygon keeps its fan, also beside others."""
    V = np.concatenate([lay(outline) for outline, _ in OUTLINES.values()])
    counts = np.array([len(outline) for outline, _ in OUTLINES.values()])
    F = cut_polygons(np.arange(len(V)), counts, V)
    owner = np.repeat(np.arange(len(counts)), counts - 2)
    assert np.bincount(owner, np.abs(areas(F, V)[:, 2])) == pytest.approx([area for _, area in OUTLINES.values()])
    assert F[:3].tolist() == [[0, 1, 2], [3, 4, 5], [3, 5, 6]]


def test_a_polygon_is_cut_also_beside_lines_and_points():
    V = lay(L)
    F = cut_polygons(np.array([0, 1, 0, *range(6), 2, 3]), np.array([2, 1, 6, 2]), V)
    assert len(F) == 4 and areas(F, V)[:, 2] == pytest.approx(np.abs(areas(F, V)[:, 2])) and areas(F, V)[
        :, 2].sum() == pytest.approx(3)


def test_a_quadrangle_that_is_not_planar_has_no_fold():
    """The fan from its first corner folds back, that from its notch does not."""
    V = np.array([(0, 0, 0), (2, 0, 0.1), (0.2, 0.2, 0), (0, 2, 0.1)])
    V = np.roll(V, 1, axis=0)
    F = cut_polygons(np.arange(4), np.array([4]), V)
    assert (areas(F, V)[:, 2] > 0).all() and (areas(cut_polygons(np.arange(4), np.array([4])), V)[:, 2] < 0).any()


@pytest.mark.parametrize("V", [
    lay([(0, 0), (1, 1), (1, 0), (0, 1)]), np.zeros((4, 3)), np.full((4, 3), np.nan), np.full((4, 3), 1e300),
    lay([(0, 0), (1, 0), (2, 0), (1, 0)]), np.zeros((2, 3))], ids=[
    "bow tie", "one place", "no number", "too large", "line", "missing corners"])
def test_other_polygons_keep_their_fans(V):
    assert cut_polygons(np.arange(4), np.array([4]), V).tolist() == [[0, 1, 2], [0, 2, 3]]


@pytest.mark.parametrize(("name", "most"), [("_MOST_CORNERS", 7), ("_MOST_TRIES", 0)])
def test_there_are_limits_on_ears(name, most, monkeypatch):
    """A fan may reach over the border then; its sum of areas is right."""
    monkeypatch.setattr(polygons, name, most)
    V = lay(U)
    F = cut_polygons(np.arange(8), np.array([8]), V)
    assert (areas(F, V)[:, 2] < 0).any() and areas(F, V)[:, 2].sum() == pytest.approx(7)


def test_a_polygon_that_cuts_itself_is_cut_in_the_end():
    """A pentagram: no corner is an ear in the end. The triangles keep all corners."""
    V = np.array([(np.cos(k * 4 * np.pi / 5), np.sin(k * 4 * np.pi / 5), 0) for k in range(5)])
    V = np.concatenate([V, [(2, 0, 0), (3, 3, 0), (0, -2, 0)]])
    F = cut_polygons(np.arange(8), np.array([8]), V)
    assert F.shape == (6, 3) and set(F.ravel()) == set(range(8))
