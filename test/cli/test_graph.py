"""Trees as text."""
from sdf_frames.cli.graph import draw_tree


def test_branches_in_the_order_given():
    assert draw_tree([("a", "b"), ("b", "c"), ("a", "d"), ("x", "y")]) == "a\n├─ b\n│  └─ c\n└─ d\nx\n└─ y\n"


def test_thirty_two_levels_are_drawn_as_one_tree():
    text = draw_tree([(f"l{i}", f"l{i + 1}") for i in range(32)])
    assert text.splitlines() == ["l0", *["   " * i + f"└─ l{i + 1}" for i in range(32)]]


def test_what_is_deeper_goes_on_as_a_tree_of_its_own():
    edges = [(f"l{i}", f"l{i + 1}") for i in range(34)] + [("l31", "side"), ("l0", "m")]
    lines = draw_tree(edges).splitlines()
    assert lines[32:] == ["│  " + "   " * 30 + "├─ l32 …", "│  " + "   " * 30 + "└─ side", "└─ m", "… l32", "└─ l33", "   └─ l34"]


def test_the_drawing_of_a_chain_grows_with_its_length_alone():
    sizes = [len(draw_tree([(f"l{i:05}", f"l{i + 1:05}") for i in range(n)])) for n in (3200, 6400)]
    assert sizes[1] < 2.1 * sizes[0] < 3200 * 200
