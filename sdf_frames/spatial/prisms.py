"""Integrals over what outlines in a plane enclose, drawn up to a prism.

A point is enclosed if it lies inside an odd number of outlines, so that an outline inside another is a hole.
"""
from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from math import inf
from typing import NamedTuple

from sdf_frames.spatial.inertia import ZERO_TENSOR
from sdf_frames.spatial.solids import Solid

Point = tuple[float, float]  # (x, y)
_Span = tuple[float, float]  # x of the left and right end of an edge along x, or twice that of a corner

# Distances of what touches, relative to the largest coordinate: more than a rounding error, and twice that of numbers
# that are written with six digits.
_TOUCHING = (1e-12, 1e-5)
_MOST_PASSING = 100  # edges that pass one corner
_NOTHING = Solid(0.0, (0.0, 0.0, 0.0), ZERO_TENSOR)


class _Edge(NamedTuple):
    """A piece of an outline from its lower to its upper end."""

    x: float
    y: float
    top_x: float
    top: float

    def find_x(self, y: float) -> float:
        """Return where the edge is at a height from ``y`` to ``top``."""
        return self.x + (self.top_x - self.x) * ((y - self.y) / (self.top - self.y))


class _Group(NamedTuple):
    """Corners, and edges along x that join them, at one height, with the x of its ends; ``flat`` are these edges."""

    left: float
    right: float
    flat: list[_Span]


def integrate_prism(loops: Sequence[Sequence[Point]], height: float) -> tuple[Solid, Point | None]:
    """Extrude outlines in the xy plane from z = 0 to `height`.

    Parameters
    ----------
    loops : closed outlines ((x, y), …) in any direction; the last point may repeat the first. They may touch
        themselves and each other, but not cross by more than rounding to six digits explains. Outlines of fewer than
        three points are passed over.
    height : in m.

    Returns
    -------
    solid, crossing
        The solid has no volume if the outlines enclose no area, or if they cross: `crossing` is one of the points where
        they do, or None. Area integrals by Green's theorem, about the first point, so that an outline far from the
        origin loses no digits.
    """
    outlines = [loop[:-1] if loop and loop[0] == loop[-1] else loop for loop in loops]
    outlines = [loop for loop in outlines if len(loop) >= 3]
    if not outlines or not height > 0:
        return _NOTHING, None
    largest = max([abs(value) for point in chain.from_iterable(outlines) for value in point])
    for touching in _TOUCHING:
        sweep, crossing = _sweep(outlines, touching * largest)
        if crossing is None:
            break
    ox, oy = outlines[0][0]
    area = sx = sy = sxx = syy = sxy = 0.0
    for sign, edge in sweep.sides:
        x0, y0, x1, y1 = edge.x - ox, edge.y - oy, edge.top_x - ox, edge.top - oy
        d = sign * (y1 - y0)
        area += d * (x0 + x1) / 2
        sx += d * (x0 * x0 + x0 * x1 + x1 * x1) / 6
        sy += d * (2 * x0 * y0 + x0 * y1 + x1 * y0 + 2 * x1 * y1) / 6
        sxx += d * (x0 + x1) * (x0 * x0 + x1 * x1) / 12
        syy += d * (x0 * (3 * y0 * y0 + 2 * y0 * y1 + y1 * y1) + x1 * (y0 * y0 + 2 * y0 * y1 + 3 * y1 * y1)) / 12
        sxy += d * (x0 * x0 * (3 * y0 + y1) + 2 * x0 * x1 * (y0 + y1) + x1 * x1 * (y0 + 3 * y1)) / 24
    if crossing is not None or not area > 0:
        return _NOTHING, crossing
    cx, cy = sx / area, sy / area
    sxx, syy, sxy = sxx - area * cx * cx, syy - area * cy * cy, sxy - area * cx * cy
    szz = area * height * height / 12
    return Solid(area * height, (ox + cx, oy + cy, height / 2), (
        height * (syy + szz), height * (sxx + szz), height * (sxx + syy), -height * sxy, 0.0, 0.0)), None


class _Sweep:
    """A line along x that sweeps up over the corners of outlines.

    An even number of edges meets in a corner, so that edges elsewhere keep their side. Edges that cross are neighbours
    on the line before they do (Shamos and Hoey, "Geometric intersection problems", 1976), so that only new neighbours
    are compared.

    Attributes
    ----------
    line : the edges that the line meets, in order along x: every other one is a left side of what is enclosed.
    sides : pieces of edges that are below the line, with 1 for a right side and -1 for a left one.
    margin : distance of what touches.
    """

    def __init__(self, margin: float) -> None:
        self.line: list[_Edge] = []
        self.sides: list[tuple[int, _Edge]] = []
        self.margin = margin

    def pass_corners(self, y: float, group: _Group, starting: list[_Edge]) -> Point | None:
        """Replace the edges that end or pass in a group of corners by those that start or go on there.

        Return where edges cross, below the next corner of each, or None.
        """
        first = bisect_left(self.line, group.left - self.margin, key=lambda edge: edge.find_x(y))
        last = bisect_right(self.line, group.right + self.margin, key=lambda edge: edge.find_x(y))
        passing = []
        for k, edge in enumerate(self.line[first:last], first):
            x = edge.find_x(y)
            self.sides.append((1 if k % 2 else -1, _Edge(edge.x, edge.y, x, y)))
            if edge.top > y:
                passing.append(_Edge(x, y, edge.top_x, edge.top))
        if crossing := self._find_passing(passing, group.flat):
            return crossing
        edges = passing + starting
        middle = (y + min([edge.top for edge in edges], default=y)) / 2
        self.line[first:last] = sorted(edges, key=lambda edge: edge.find_x(middle))
        return self._compare(self.line[max(first - 1, 0):first + len(edges) + 1], y)

    def _find_passing(self, passing: Sequence[_Edge], flat: Iterable[_Span]) -> Point | None:
        """Return where an edge passes between the ends of an edge along x, or too many edges pass a corner."""
        starts = [edge.x for edge in passing]
        for left, right in flat:
            k = bisect_right(starts, left + self.margin)
            if k < len(starts) and starts[k] < right - self.margin:
                return starts[k], passing[k].y
        return (starts[0], passing[0].y) if len(passing) > _MOST_PASSING else None

    def _compare(self, edges: Iterable[_Edge], y: float) -> Point | None:
        """Return where two neighbours cross above the height `y`."""
        for a, b in pairwise(edges):
            top = min(a.top, b.top)
            below, above = a.find_x(y) - b.find_x(y), a.find_x(top) - b.find_x(top)
            if max(below, above) > self.margin:
                at = y + (top - y) * (below / (below - above)) if below != above else y
                return a.find_x(at), at
        return None


def _sweep(loops: Sequence[Sequence[Point]], margin: float) -> tuple[_Sweep, Point | None]:
    """Sweep over outlines; return also where they cross, or None."""
    sweep = _Sweep(margin)
    spans, rising = _sort_by_height(loops, margin)
    for y in sorted(spans):
        edges = sorted(rising[y], reverse=True)
        for group in _join(spans[y], margin):
            starting = []
            while edges and edges[-1].x <= group.right:
                starting.append(edges.pop())
            if crossing := sweep.pass_corners(y, group, starting):
                return sweep, crossing
    return sweep, None


def _sort_by_height(loops: Sequence[Sequence[Point]],
                    margin: float) -> tuple[dict[float, list[_Span]], dict[float, list[_Edge]]]:
    """Return the corners and edges along x at each height, and the edges that start there; heights may be rounded."""
    heights: dict[float, float] = {}
    base = -inf
    for y in sorted({y for loop in loops for _, y in loop}):
        base = y if y - base > margin else base
        heights[y] = base
    spans: dict[float, list[_Span]] = {y: [] for y in heights.values()}
    rising: dict[float, list[_Edge]] = {y: [] for y in heights.values()}
    for loop in loops:
        corners = [(x, heights[y]) for x, y in loop]
        for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0])):
            spans[y0].append((x0, x0))
            if y0 == y1:
                spans[y0].append((min(x0, x1), max(x0, x1)))
            else:
                rising[min(y0, y1)].append(_Edge(x0, y0, x1, y1) if y0 < y1 else _Edge(x1, y1, x0, y0))
    return spans, rising


def _join(spans: Iterable[_Span], margin: float) -> list[_Group]:
    """Join spans that touch."""
    groups: list[_Group] = []
    for left, right in sorted(spans):
        flat = [(left, right)] if left < right else []
        if groups and left - groups[-1].right <= margin:
            last = groups[-1]
            last.flat.extend(flat)
            groups[-1] = _Group(last.left, max(last.right, right), last.flat)
        else:
            groups.append(_Group(left, right, flat))
    return groups
