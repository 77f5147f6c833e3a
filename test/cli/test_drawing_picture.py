"""What is told to matplotlib: where names, edges and their labels stand, in inches, and how they look."""
from math import hypot
from types import SimpleNamespace

import pytest

pytest.importorskip("matplotlib")

from sdf_frames.cli.drawing import Drawing, Edge, Vertex  # noqa: E402
from sdf_frames.cli.drawing_picture import draw_with_matplotlib  # noqa: E402

RED, DARK = "#cc0000", "#333333"


@pytest.fixture
def draw(monkeypatch):
    """Draws, and returns what matplotlib is told."""
    import matplotlib

    def draw(drawing, form="svg"):
        told = SimpleNamespace(texts=[], lines=[], arrows=[])

        class Figure:
            def __init__(self, figsize):
                told.size = figsize

            def add_axes(self, place):
                assert place == (0, 0, 1, 1)
                return SimpleNamespace(
                    set=lambda **limits: setattr(told, "limits", limits), axis=lambda word: setattr(told, "axis", word),
                    text=lambda x, y, text, **look: told.texts.append((round(x, 6), round(y, 6), text, look)),
                    plot=lambda x, y, style, **look: told.lines.append((x, y, style, look)),
                    annotate=lambda *places, **look: told.arrows.append((*places, look["arrowprops"])))

            def savefig(self, stream, **settings):
                told.settings = settings
                told.fonts, told.salt = (matplotlib.rcParams[f"svg.{name}"] for name in ("fonttype", "hashsalt"))
                stream.write(b"picture")
        monkeypatch.setattr("matplotlib.figure.Figure", Figure)
        assert draw_with_matplotlib(drawing, form) == b"picture"
        return told
    return draw


def near(*values):
    return pytest.approx(values)


# base above arm and a hand that does not exist; a joint leads back from arm to base.
VERTICES = [Vertex("base", "link"), Vertex("left_arm", "frame"), Vertex("hand\n", "missing", True)]
EDGES = [Edge(0, 1, "elbow\nrevolute, 0 to 1 rad"), Edge(0, 2, "wrist\nfixed", True, True)]
# Letters of names are 0.08 wide, those of labels 0.06, the room around them 0.3: 0.3 + 4 * 0.08 + 20 * 0.06 + 2 * 0.3.
SECOND = 2.42
# Half a row more than the two leaves, of 0.36 each.
BASE, ARM, HAND = (.3, .54), (SECOND, .36), (SECOND, .72)


def test_the_picture_is_as_large_as_names_labels_and_room_need(draw):
    told = draw(Drawing(VERTICES, EDGES))
    width, height = SECOND + 8 * .08 + .3, 3 * .36
    assert told.size == near(width, height)
    assert told.limits == {"xlim": near(0, width), "ylim": near(height, 0)}  # rows go down
    assert told.axis == "off"
    assert draw(Drawing([], [])).size == near(.6, .72)


def test_names_stand_in_columns_by_depth(draw):
    names = draw(Drawing(VERTICES, EDGES)).texts[:3]
    assert [(x, y, text, look["color"]) for x, y, text, look in names] == [
        (*BASE, "base", DARK), (*ARM, "left_arm", DARK), (*HAND, "hand\\n", RED)]
    assert [look.pop("bbox") for *_, look in names] == [
        {"boxstyle": "square,pad=0.3", "facecolor": "#9fc5e8", "edgecolor": DARK, "lw": .8},
        {"boxstyle": "round4,pad=0.3", "facecolor": "#ffffff", "edgecolor": DARK, "lw": .8},
        {"boxstyle": "sawtooth,pad=0.3", "facecolor": "#ffffff", "edgecolor": RED, "lw": 2}]
    assert [look | {"color": None} for *_, look in names] == [
        {"color": None, "size": 9, "va": "center", "parse_math": False}] * 3


def test_each_kind_has_a_shape_of_its_own(draw):
    kinds = ("world", "model", "link", "joint", "frame", "missing")
    told = draw(Drawing([Vertex(kind, kind) for kind in kinds], []))
    boxes = [look["bbox"] for *_, look in told.texts]
    assert len({box["boxstyle"] for box in boxes}) == 6
    assert [box["facecolor"] for box in boxes] == ["#b8b8b8", "#d9d2e9", "#9fc5e8", "#ffe599", "#ffffff", "#ffffff"]


def test_edges_go_along_a_row_then_down_to_the_name_with_their_label_on_and_below_the_line(draw):
    told = draw(Drawing(VERTICES, EDGES))
    # The labels of a column begin where its longest one has room: 20 * 0.06 and 0.3 before the names, which is at 0.92.
    bend, back = SECOND - 1.2 - .3, SECOND - .15
    (x, y, style, look), (u, v, mark, tip), (_, low, dashes, broken), (*end, _, broken_tip) = told.lines
    assert (x, y) == (near(.3, bend, bend, back), near(.54, .54, .36, .36))
    assert (style, look) == ("-", {"color": DARK, "lw": .8, "zorder": 0})
    assert ((u, v), mark, tip) == (near(back, .36), ">", {"color": DARK, "ms": 5, "zorder": 0})
    assert low == near(.54, .54, .72, .72) and end == near(back, .72)
    assert (dashes, broken) == ("--", {"color": RED, "lw": 1.5, "zorder": 0}) and broken_tip["color"] == RED
    labels = told.texts[3:]
    assert [(*place, text, look["color"], look["va"]) for *place, text, look in labels] == [
        (.97, .36, "elbow", DARK, "bottom"), (.97, .36, "revolute, 0 to 1 rad", DARK, "top"),
        (.97, .72, "wrist", RED, "bottom"), (.97, .72, "fixed", RED, "top")]
    assert all(look["size"] == 6.5 and look["parse_math"] is False for *_, look in labels)


def test_edges_to_what_is_above_have_their_arrow_there(draw):
    told = draw(Drawing(VERTICES[:2], [Edge(1, 0, "a")], upward=True))
    (x, _, _, _), (u, v, mark, _) = told.lines
    second = .3 + .32 + .06 + .6
    bend = second - .06 - .3
    assert x == near(.3, bend, bend, second - .15)
    assert ((u, v), mark) == (near(bend - .1, .36), "<")
    assert told.size[0] == pytest.approx(second + .64 + .3)


@pytest.mark.parametrize(("edge", "style"), [
    (Edge(1, 0), {"color": DARK, "lw": .8, "ls": "-"}),
    (Edge(1, 0, "a\nb", True, True), {"color": RED, "lw": 1.5, "ls": "--"}),
    (Edge(1, 0, "", True), {"color": DARK, "lw": .8, "ls": "-"})])
def test_edges_that_lead_back_are_arcs(draw, edge, style):
    told = draw(Drawing(VERTICES, [*EDGES, edge]))
    (text, head, tail, look), = told.arrows
    assert (text, head, tail) == ("", near(.3, .44), near(SECOND + .5, .26))
    rad = .3 / hypot(SECOND + .5 - .3, .36 - .54)
    (kind, found) = look.pop("connectionstyle").split(",rad=")
    assert kind == "arc3" and float(found) == pytest.approx(rad)
    assert look == {"arrowstyle": "-|>", **style} and len(told.lines) == 4


def test_longest_names_and_labels_of_each_column_count(draw):
    """Three columns; the first label of the second column is the longest there, the last of the third."""
    told = draw(Drawing([Vertex("a" * n, "link") for n in (1, 6, 2, 3, 5)],
                        [Edge(0, 1, "x" * 9), Edge(0, 2, "x"), Edge(1, 3, "y"), Edge(1, 4, "z\n" + "y" * 10)]))
    second = .3 + .08 + 9 * .06 + .6
    third = second + 6 * .08 + 10 * .06 + .6
    assert [place[0] for place in told.texts[:5]] == near(.3, second, second, third, third)
    assert told.size == near(third + 5 * .08 + .3, .36 * 4)


def test_the_picture_is_saved_in_the_format(draw):
    drawing = Drawing(VERTICES, EDGES)
    told = draw(drawing)
    assert told.settings == {"format": "svg", "dpi": 100, "metadata": {"Date": None}}  # the same bytes each time
    assert (told.fonts, told.salt) == ("none", "sdf_frames")
    assert draw(drawing, "png").settings == {"format": "png", "dpi": 100, "metadata": {}}
    # 900 rows of 0.36 and one more: pictures of more than 30,000 pixels are refused.
    told = draw(Drawing([Vertex("f", "frame")] * 900, []), "png")
    assert told.size[1] == pytest.approx(901 * .36) and told.settings["dpi"] == pytest.approx(30_000 / (901 * .36))
