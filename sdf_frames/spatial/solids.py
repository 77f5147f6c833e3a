"""Volume, centroid and second moments of simple solids in closed form.

All values are for density one: multiply the moments by the density to get an inertia tensor. The formulas are those of
the automatic-inertia proposal, as gz-math evaluates them. The hemisphere of a capsule has its centroid 3r/8 from the
flat face, and transverse moments 83/320·m·r² about the centroid.
"""
from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import chain
from math import pi
from typing import NamedTuple

from sdf_frames.spatial.inertia import ZERO_TENSOR, Tensor
from sdf_frames.spatial.pose import Vector

Point = tuple[float, float]  # (x, y)
_Edge = tuple[float, float, float, float]  # (x, y) of its lower end, (x, y) of its upper one


class Solid(NamedTuple):
    """Integrals over a solid of density one.

    ``volume`` in m³; ``centroid`` (x, y, z) in m in the shape's frame; ``moments`` (ixx, iyy, izz, ixy, ixz, iyz)
    about the centroid along the shape's axes, in m⁵ (products of inertia with their sign, −∫xy dV).
    """

    volume: float
    centroid: Vector
    moments: Tensor


def integrate_box(x: float, y: float, z: float) -> Solid:
    """Return a box with edges `x`, `y`, `z` along the axes."""
    v = x * y * z
    return _centred(v, v / 12 * (y * y + z * z), v / 12 * (z * z + x * x), v / 12 * (x * x + y * y))


def integrate_sphere(radius: float) -> Solid:
    """Sphere."""
    v = 4.0 / 3.0 * pi * radius * radius * radius
    i = 0.4 * v * radius * radius
    return _centred(v, i, i, i)


def integrate_ellipsoid(a: float, b: float, c: float) -> Solid:
    """Return an ellipsoid with half axes `a`, `b`, `c` along x, y, z."""
    v = 4.0 / 3.0 * pi * a * b * c
    return _centred(v, v / 5 * (b * b + c * c), v / 5 * (a * a + c * c), v / 5 * (a * a + b * b))


def integrate_cylinder(radius: float, length: float) -> Solid:
    """Return a cylinder along z."""
    v = pi * radius * radius * length
    i = v / 12 * (3 * radius * radius + length * length)
    return _centred(v, i, i, v / 2 * radius * radius)


def integrate_capsule(radius: float, length: float) -> Solid:
    """Return a cylinder of `length` along z with a hemisphere at each end."""
    vc = pi * radius * radius * length
    vh = 2.0 / 3.0 * pi * radius * radius * radius
    d = length / 2 + 3 * radius / 8
    i = vc / 12 * (3 * radius * radius + length * length) + 2 * vh * (83.0 / 320.0 * radius * radius + d * d)
    return _centred(vc + 2 * vh, i, i, vc / 2 * radius * radius + 2 * 0.4 * vh * radius * radius)


def integrate_cone(radius: float, length: float) -> Solid:
    """Return a cone along z, base at −length/2, apex at +length/2."""
    v = pi * radius * radius * length / 3.0
    i = 3.0 / 80.0 * v * (4 * radius * radius + length * length)
    return Solid(v, (0.0, 0.0, -length / 4), (i, i, 0.3 * v * radius * radius, 0.0, 0.0, 0.0))


def integrate_prism(loops: Sequence[Sequence[Point]], height: float) -> Solid:
    """Extrude outlines in the xy plane from z = 0 to `height`.

    Parameters
    ----------
    loops : closed outlines ((x, y), …) in any direction that do not cross one another; the last point may repeat the
        first. A loop inside an odd number of others is a hole.
    height : in m.

    Returns
    -------
    Solid
        The volume is zero if the loops enclose no area. Area integrals by Green's theorem, about the first point, so
        that an outline far from the origin loses no digits.
    """
    outlines = [loop[:-1] if loop and loop[0] == loop[-1] else loop for loop in loops]
    outlines = [loop for loop in outlines if len(loop) >= 3]
    if not outlines or not height > 0:
        return Solid(0.0, (0.0, 0.0, 0.0), ZERO_TENSOR)
    ox, oy = outlines[0][0]
    area = sx = sy = sxx = syy = sxy = 0.0
    for loop, is_hole in zip(outlines, _find_holes(outlines)):
        a, bx, by, bxx, byy, bxy = _integrate_loop(loop, ox, oy)
        sign = (-1.0 if is_hole else 1.0) * (1.0 if a >= 0 else -1.0)
        area += sign * a
        sx, sy = sx + sign * bx, sy + sign * by
        sxx, syy, sxy = sxx + sign * bxx, syy + sign * byy, sxy + sign * bxy
    if not area > 0:
        return Solid(0.0, (0.0, 0.0, 0.0), ZERO_TENSOR)
    cx, cy = sx / area, sy / area
    sxx, syy, sxy = sxx - area * cx * cx, syy - area * cy * cy, sxy - area * cx * cy
    szz = area * height * height / 12
    return Solid(area * height, (ox + cx, oy + cy, height / 2),
                 (height * (syy + szz), height * (sxx + szz), height * (sxx + syy), -height * sxy, 0.0, 0.0))


def _centred(volume: float, ixx: float, iyy: float, izz: float) -> Solid:
    return Solid(volume, (0.0, 0.0, 0.0), (ixx, iyy, izz, 0.0, 0.0, 0.0))


def _integrate_loop(loop: Sequence[Point], ox: float, oy: float) -> Tensor:
    """Return the signed area, ∫x, ∫y, ∫x², ∫y², ∫xy of a polygon about (ox, oy); positive if counter-clockwise."""
    a = bx = by = bxx = byy = bxy = 0.0
    x0, y0 = loop[-1][0] - ox, loop[-1][1] - oy
    for px, py in loop:
        x1, y1 = px - ox, py - oy
        c = x0 * y1 - x1 * y0
        a += c / 2
        bx += c * (x0 + x1) / 6
        by += c * (y0 + y1) / 6
        bxx += c * (x0 * x0 + x0 * x1 + x1 * x1) / 12
        byy += c * (y0 * y0 + y0 * y1 + y1 * y1) / 12
        bxy += c * (2 * x0 * y0 + x0 * y1 + x1 * y0 + 2 * x1 * y1) / 24
        x0, y0 = x1, y1
    return a, bx, by, bxx, byy, bxy


def _find_holes(loops: Sequence[Sequence[Point]]) -> list[bool]:
    """Return whether the first point of each loop lies inside an odd number of the other loops.

    Then a ray from the point along +x crosses their edges an odd number of times. A segment tree over the heights of
    these points holds each edge in the few nodes that cover its heights. The edges of a node are in order along x at
    all its heights, because loops do not cross. If loops cross, the result is arbitrary, but takes no longer.
    """
    heights = sorted(loop[0][1] for loop in loops)
    size = len(heights)
    nodes: list[list[_Edge]] = [[] for _ in range(2 * size)]
    for edge in chain.from_iterable(map(_find_edges, loops)):
        first, last = (bisect_left(heights, y) + size for y in (edge[1], edge[3]))
        while first < last:
            if first % 2:
                nodes[first].append(edge)
                first += 1
            if last % 2:
                last -= 1
                nodes[last].append(edge)
            first, last = first // 2, last // 2
    for k, edges in enumerate(nodes):
        if len(edges) > 1:
            low = high = k
            while low < size:
                low, high = 2 * low, 2 * high + 1
            middle = (heights[low - size] + heights[high - size]) / 2
            edges.sort(key=lambda edge: _find_x(edge, middle))
    return [_count_crossings(loop, heights, nodes) % 2 == 1 for loop in loops]


def _count_crossings(loop: Sequence[Point], heights: list[float], nodes: list[list[_Edge]]) -> int:
    """Count the edges of other loops that a ray along +x from the first point of a loop crosses."""
    x, y = loop[0]
    crossed = -sum(edge[1] <= y < edge[3] and x < _find_x(edge, y) for edge in _find_edges(loop))
    k = bisect_left(heights, y) + len(heights)
    while k:
        crossed += len(nodes[k]) - bisect_right(nodes[k], x, key=lambda edge: _find_x(edge, y))
        k //= 2
    return crossed


def _find_edges(loop: Sequence[Point]) -> list[_Edge]:
    """Return a loop's edges, each from its lower to its upper end, without those along x."""
    ends = zip(loop, (*loop[1:], loop[0]))
    return [(*a, *b) if a[1] < b[1] else (*b, *a) for a, b in ends if a[1] != b[1]]


def _find_x(edge: _Edge, y: float) -> float:
    return edge[0] + (y - edge[1]) * (edge[2] - edge[0]) / (edge[3] - edge[1])
