"""Adding up rigid bodies: one mass, centre of mass and tensor for many.

Only masses, poses and moments: scalar, without NumPy.
"""
from __future__ import annotations

from math import fsum
from typing import Iterable, NamedTuple

from sdf_frames.spatial.pose import IDENTITY, rotation_matrix


class Body(NamedTuple):
    """``mass`` in kg, pose ``X`` of the inertial frame in the common frame (origin at the centre of mass), and
    ``moments`` (ixx, iyy, izz, ixy, ixz, iyz) about the centre of mass in the inertial frame, kg·m²."""

    mass: float
    X: tuple = IDENTITY
    moments: tuple = (0.0,) * 6


def turn_moments(q_wxyz: tuple, moments: tuple) -> tuple:
    """``R I Rᵀ`` as six moments; `q_wxyz` turns vectors of the moments' frame into the new one."""
    w, x, y, z = q_wxyz
    if x == 0.0 and y == 0.0 and z == 0.0:
        return moments
    ixx, iyy, izz, ixy, ixz, iyz = moments
    rows = rotation_matrix(q_wxyz)
    turned = [(a * ixx + b * ixy + c * ixz, a * ixy + b * iyy + c * iyz, a * ixz + b * iyz + c * izz) for a, b, c in rows]
    r0, r1, r2 = rows
    t0, t1, t2 = turned
    return (_dot(t0, r0), _dot(t1, r1), _dot(t2, r2), _dot(t0, r1), _dot(t0, r2), _dot(t1, r2))


def add_bodies(bodies: Iterable[Body]) -> Body:
    """The bodies as one: moments about the common centre of mass along the axes of the common frame.

    Bodies without mass are left out, as libsdformat does; no body at all gives mass zero at the origin.
    """
    bodies = [b for b in bodies if b.mass > 0]
    mass = fsum([b.mass for b in bodies])
    if not mass > 0:
        return Body(0.0)
    c = tuple([fsum([b.mass * b.X[k] for b in bodies]) / mass for k in range(3)])
    if len(bodies) == 1:
        c = bodies[0].X[:3]
    total = [0.0] * 6
    for m, X, moments in bodies:
        dx, dy, dz = X[0] - c[0], X[1] - c[1], X[2] - c[2]
        ixx, iyy, izz, ixy, ixz, iyz = turn_moments(X[3:], moments)
        total[0] += ixx + m * (dy * dy + dz * dz)
        total[1] += iyy + m * (dx * dx + dz * dz)
        total[2] += izz + m * (dx * dx + dy * dy)
        total[3] += ixy - m * dx * dy
        total[4] += ixz - m * dx * dz
        total[5] += iyz - m * dy * dz
    return Body(mass, (*c, 1.0, 0.0, 0.0, 0.0), tuple(total))


def scale_mass(body: Body, mass: float) -> Body:
    """The same shape with another mass; `body` must have some."""
    factor = mass / body.mass
    return Body(mass, body.X, tuple([factor * i for i in body.moments]))


def _dot(a: tuple, b: tuple) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
