"""Drawings as SVG and PNG by matplotlib, for where Graphviz is not installed: trees from left to right."""
from __future__ import annotations

from io import BytesIO
from math import hypot
from typing import Any, NamedTuple

from sdf_frames.cli.drawing import FILLS, MISSING, RED, Drawing, Edge
from sdf_frames.cli.drawing_layout import place_vertices
from sdf_frames.diagnostics.render import escape_controls

# Shapes tell kinds apart in grey, too.
_SHAPES = {"world": "darrow", "model": "roundtooth", "link": "square", "joint": "rarrow", "frame": "round4",
           MISSING: "sawtooth"}
_LINE = "#333333"
#: Inches: height of a row, widths of a letter of a name and of a joint, room around a name.
_ROW, _LETTER, _SMALL, _ROOM = 0.36, 0.08, 0.06, 0.3
#: Inches from the middle of an arc's ends to the point that draws it aside; the arc comes half as far.
_BOW = 0.3
#: Pixels of an inch, and of the longest side of a PNG.
_DPI, _LONGEST = 100, 30_000


class _Layout(NamedTuple):
    """Inches: the place of each vertex, the width of the notes before each column, and the size of the picture."""

    places: list[tuple[float, float]]
    columns: list[int]
    notes: list[float]
    size: tuple[float, float]


def draw_with_matplotlib(drawing: Drawing, form: str) -> bytes:
    """A picture as ``svg`` or ``png``.

    Raises
    ------
    ImportError
        matplotlib is not installed.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    layout = _lay_out(drawing)
    figure = Figure(figsize=layout.size)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, layout.size[0]), ylim=(layout.size[1], 0))
    axes.axis("off")
    for vertex, (x, y) in zip(drawing.vertices, layout.places):
        colour = RED if vertex.broken else _LINE
        axes.text(x, y, escape_controls(vertex.label), color=colour, size=9, va="center", parse_math=False, bbox={
            "boxstyle": f"{_SHAPES[vertex.kind]},pad=0.3", "facecolor": FILLS[vertex.kind], "edgecolor": colour,
            "lw": 2 if vertex.broken else 0.8})
    for edge in drawing.edges:
        _draw_edge(edge, drawing.upward, layout, axes)
    picture = BytesIO()
    with rc_context({"svg.hashsalt": "sdf_frames", "svg.fonttype": "none"}):
        figure.savefig(picture, format=form, dpi=min(_DPI, _LONGEST / max(layout.size)),
                       metadata={"Date": None} if form == "svg" else {})
    return picture.getvalue()


def _lay_out(drawing: Drawing) -> _Layout:
    """Columns as wide as their longest names, and the labels of the edges before them."""
    columns, rows = place_vertices(drawing)
    widths, notes = [0.0] * (max(columns, default=0) + 2), [0.0] * (max(columns, default=0) + 2)
    for vertex, column in zip(drawing.vertices, columns):
        widths[column] = max(widths[column], _LETTER * len(vertex.label))
    for edge in drawing.edges:
        column = columns[edge.tail if drawing.upward else edge.head]
        notes[column] = max(notes[column], _SMALL * max(map(len, edge.label.split("\n"))))
    lefts = [_ROOM]
    for width, note in zip(widths, notes[1:]):
        lefts.append(lefts[-1] + width + note + 2 * _ROOM)
    size = lefts[-2] + widths[-2] + _ROOM, _ROW * (max(rows, default=0) + 2)
    return _Layout([(lefts[column], _ROW * (row + 1)) for column, row in zip(columns, rows)], columns, notes, size)


def _draw_edge(edge: Edge, upward: bool, layout: _Layout, axes: Any) -> None:
    """An edge between two columns with its label; an arc for one of a cycle, or a second way."""
    places, columns = layout.places, layout.columns
    upper, lower = (edge.head, edge.tail) if upward else (edge.tail, edge.head)
    colour, style = RED if edge.broken else _LINE, "--" if edge.rigid and edge.label else "-"
    thick = 1.5 if edge.broken else 0.8
    (x, y), (u, v) = places[upper], places[lower]
    if columns[lower] != columns[upper] + 1:
        tail, head = places[edge.tail], places[edge.head]
        bow = _BOW / hypot(tail[0] + 0.5 - head[0], tail[1] - head[1])  # as high for an arc of any length
        axes.annotate("", (head[0], head[1] - 0.1), (tail[0] + 0.5, tail[1] - 0.1), arrowprops={
            "arrowstyle": "-|>", "color": colour, "lw": thick, "ls": style, "connectionstyle": f"arc3,rad={bow}"})
        return
    bend, back = u - layout.notes[columns[lower]] - 0.3, u - 0.15
    ends = [(x, y), (bend, y), (bend, v), (back, v)]  # from behind the name of the upper one
    axes.plot(*zip(*ends), style, color=colour, lw=thick, zorder=0)
    tip, mark = ((bend - 0.1, y), "<") if upward else ((back, v), ">")
    axes.plot(*tip, mark, color=colour, ms=5, zorder=0)
    for line, side in zip(edge.label.split("\n"), ("bottom", "top")):
        axes.text(bend + 0.05, v, escape_controls(line), color=colour, size=6.5, va=side, parse_math=False)
