"""Where vertices stand, and which are folded away. Expected places are worked out by hand."""
import pytest

from sdf_frames.cli.drawing import Drawing, Edge, Vertex
from sdf_frames.cli.drawing_layout import find_levels, fold_drawing, place_vertices


def draw(edges, count, upward=False, broken=()):
    return Drawing([Vertex(f"v{i}", "link", i in broken) for i in range(count)],
                   [Edge(a, b) for a, b in edges], upward)


def test_leaves_have_rows_and_parents_stand_amid_their_children():
    # 0 above 1 and 2, 1 above 3 and 4: leaves from the first to the last are 3, 4, 2.
    edges = [(0, 1), (0, 2), (1, 3), (1, 4)]
    assert place_vertices(draw(edges, 5)) == ([0, 1, 1, 2, 2], [1.25, .5, 2, 0, 1])
    assert place_vertices(draw([(b, a) for a, b in edges], 5, upward=True)) == ([0, 1, 1, 2, 2], [1.25, .5, 2, 0, 1])
    assert place_vertices(draw([], 0)) == ([], [])
    # The row of a parent is amid its first and last child, whatever is between them.
    assert place_vertices(draw([(0, 1), (0, 2), (0, 3), (2, 4), (2, 5)], 6))[1] == [1.5, 0, 1.5, 3, 1, 2]


@pytest.mark.parametrize(("edges", "depths", "rows"), [
    ([(0, 3), (1, 2), (2, 1), (0, 3)], [0, 0, 1, 1], [0, 1, 1, 0]),  # a cycle, whose first is its root; 3 has two ways
    ([(0, 1), (2, 3), (3, 2)], [0, 1, 0, 1], [0, 0, 1, 1]),  # a tree, then a cycle
    ([(0, 1), (1, 0), (2, 3)], [0, 1, 0, 1], [1, 1, 0, 0]),  # roots that nothing leads to come first
    ([(2, 1), (1, 0)], [2, 1, 0], [0, 0, 0]),
    ([(1, 2)], [0, 0, 1], [0, 1, 1]),  # a vertex without edges
    ([(0, 1), (0, 2), (2, 1)], [0, 1, 1], [.5, 0, 1]),  # below the first that leads there
    ([(0, 0), (0, 1)], [0, 1], [0, 0])])
def test_roots_cycles_and_second_ways(edges, depths, rows):
    assert place_vertices(draw(edges, len(depths))) == (depths, rows)


def test_vertices_are_listed_from_the_roots_down():
    levels = find_levels(draw([(3, 1), (3, 2), (1, 0)], 5))
    assert levels.order == [3, 1, 2, 0, 4]
    assert levels.children == [[], [0], [], [1, 2], []]


def test_deep_chains_are_laid_out():
    columns, rows = place_vertices(draw([(i, i + 1) for i in range(5000)], 5001))
    assert columns == list(range(5001)) and set(rows) == {0}


EDGES = [(0, 1), (1, 2), (2, 3), (1, 4), (4, 5), (0, 6)]


@pytest.mark.parametrize(("deepest", "broken", "labels", "edges"), [
    (0, (), ["v0 (+6)"], []),
    (1, (), ["v0", "v1 (+4)", "v6"], [(0, 1), (0, 2)]),
    (2, (), ["v0", "v1", "v2 (+1)", "v4 (+1)", "v6"], [(0, 1), (1, 2), (1, 3), (0, 4)]),
    (1, (5,), ["v0", "v1 (+2)", "v4", "v5", "v6"], [(0, 1), (1, 2), (2, 3), (0, 4)]),
    (0, (2,), ["v0 (+1)", "v1 (+2)", "v2 (+1)"], [(0, 1), (1, 2)])])
def test_folded_elements_are_counted_and_broken_ones_stay(deepest, broken, labels, edges):
    """0 above 1 and 6, 1 above 2 and 4, these above 3 and 5."""
    folded = fold_drawing(draw(EDGES, 7, broken=broken), deepest)
    assert [v.label for v in folded.vertices] == labels
    assert [(e.tail, e.head) for e in folded.edges] == edges


def test_nothing_is_folded_where_nothing_is_deep_enough():
    for drawing in (draw(EDGES, 7), draw([(b, a) for a, b in EDGES], 7, upward=True)):
        assert fold_drawing(drawing, 3) == fold_drawing(drawing, 9) == drawing
