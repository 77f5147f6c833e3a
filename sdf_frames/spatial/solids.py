"""Volume, centroid and second moments of simple solids in closed form.

All values are for density one: multiply the moments by the density to get an inertia tensor. The formulas are those of
the automatic-inertia proposal, as gz-math evaluates them. The hemisphere of a capsule has its centroid 3r/8 from the
flat face, and transverse moments 83/320·m·r² about the centroid.
"""
from __future__ import annotations

from math import pi
from typing import NamedTuple

from sdf_frames.spatial.inertia import Tensor
from sdf_frames.spatial.pose import Vector


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


def _centred(volume: float, ixx: float, iyy: float, izz: float) -> Solid:
    return Solid(volume, (0.0, 0.0, 0.0), (ixx, iyy, izz, 0.0, 0.0, 0.0))
