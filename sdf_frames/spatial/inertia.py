"""Rigid-body inertia without NumPy: rotate, shift, combine, and check which masses and tensors a body can have.

A tensor is a 6-tuple ``(ixx, iyy, izz, ixy, ixz, iyz)`` of the symmetric matrix, off-diagonals with their sign
(the product of inertia is -∫xy dm), kg m². A body is ``(mass, centre, tensor)`` with the tensor about the centre of
mass; centre and tensor are in the axes of one frame, named in the variables as in ``I_Bcm_A``. Masses and tensors are
checked by gz-math's rules and tolerance.
"""
from __future__ import annotations

from collections.abc import Iterable
from math import acos, cos, inf, isfinite, pi, sqrt
from typing import NamedTuple

from sdf_frames.spatial.pose import Quaternion, Vector, rotation_matrix

Tensor = tuple[float, float, float, float, float, float]
#: Names of the components of a tensor, in order.
MOMENTS = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
Body = tuple[float, Vector, Tensor]  # (mass, centre of mass, tensor about it)
ZERO_TENSOR: Tensor = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
#: Moments are similar if they differ by less than this factor.
LIKE = 3.0
#: m²; a moment of at most this size for each kilogram is in the right unit.
LEAST_REACH2 = 0.1


def scale_tensor(factor: float, tensor: Tensor) -> Tensor:
    """Return the tensor of the same body with `factor` times its mass."""
    ixx, iyy, izz, ixy, ixz, iyz = tensor
    return (factor * ixx, factor * iyy, factor * izz, factor * ixy, factor * ixz, factor * iyz)


def rotate_tensor(q_wxyz: Quaternion, tensor: Tensor) -> Tensor:
    """Return ``R I Rᵀ``: a tensor in the axes of B, expressed in those of A; `q_wxyz` rotates vectors from B to A."""
    w, x, y, z = q_wxyz
    if x == 0.0 and y == 0.0 and z == 0.0:
        return tensor
    (a, b, c), (d, e, f), (g, h, i) = rotation_matrix(q_wxyz)
    ixx, iyy, izz, ixy, ixz, iyz = tensor
    # Rows of R·I; only the upper triangle of the product is needed.
    p, q, r = a * ixx + b * ixy + c * ixz, a * ixy + b * iyy + c * iyz, a * ixz + b * iyz + c * izz
    s, t, u = d * ixx + e * ixy + f * ixz, d * ixy + e * iyy + f * iyz, d * ixz + e * iyz + f * izz
    k, l, m = g * ixx + h * ixy + i * ixz, g * ixy + h * iyy + i * iyz, g * ixz + h * iyz + i * izz
    return (p * a + q * b + r * c, s * d + t * e + u * f, k * g + l * h + m * i,
            p * d + q * e + r * f, p * g + q * h + r * i, s * g + t * h + u * i)


def combine_bodies(bodies: Iterable[Body]) -> Body:
    """Combine bodies, given in one frame, into one rigid body: its mass, centre of mass, and tensor about it.

    The tensors are shifted to the common centre, not to the frame's origin and back, so that small bodies far from
    the origin keep their digits. Products of inertia below the rounding errors of the moments become 0. If the masses
    add up to zero, there is no centre of mass: the centre is that of the first body, and no tensor is shifted.
    """
    bodies = list(bodies)
    mass = x = y = z = 0.0
    for m, (cx, cy, cz), _ in bodies:
        mass += m
        x += m * cx
        y += m * cy
        z += m * cz
    if mass == 0.0:
        centre = bodies[0][1] if bodies else (0.0, 0.0, 0.0)
        ixx, iyy, izz, ixy, ixz, iyz = (sum(body[2][k] for body in bodies) for k in range(6))
        return (0.0, centre, (ixx, iyy, izz, ixy, ixz, iyz))
    x, y, z = x / mass, y / mass, z / mass
    ixx = iyy = izz = ixy = ixz = iyz = 0.0
    for m, (cx, cy, cz), (jxx, jyy, jzz, jxy, jxz, jyz) in bodies:
        dx, dy, dz = cx - x, cy - y, cz - z
        ixx += jxx + m * (dy * dy + dz * dz)
        iyy += jyy + m * (dx * dx + dz * dz)
        izz += jzz + m * (dx * dx + dy * dy)
        ixy += jxy - m * dx * dy
        ixz += jxz - m * dx * dz
        iyz += jyz - m * dy * dz
    rounding = tolerance_of(ixx + iyy + izz)
    ixy, ixz, iyz = [0.0 if abs(product) <= rounding else product for product in (ixy, ixz, iyz)]
    return (mass, (x, y, z), (ixx, iyy, izz, ixy, ixz, iyz))


_EPSILON = 2.220446049250313e-16
_PRINCIPAL_TOLERANCE = 1e-6
#: The largest rounding error of written moments, relative to the largest moment. Exporters write seven digits or
#: more: half a unit of the seventh is up to 5e-7 of a number, and moves I1 + I2 - I3 by up to 1e-6 of I3 where the body
#: is flat. The closed form of :func:`find_principal_moments` has an error of 2e-8 if two moments are nearly equal.
ROUNDING = 1.1e-6


class FailedCondition(NamedTuple):
    """A condition that fails: ``condition`` in symbols, ``amount`` by how much it fails (positive, in the unit of the
    compared values), ``text`` for people, ``remedy`` what mends it, or None if the values are to be checked."""

    condition: str
    amount: float
    text: str
    remedy: str | None = None


def tolerance_of(trace: float) -> float:
    """Return gz-math's tolerance: ten machine epsilons of the largest moment that a body of this trace could have."""
    return 10.0 * _EPSILON * 0.5 * abs(trace)


def find_principal_moments(moments: Tensor) -> Vector:
    """Compute the eigenvalues of a tensor as gz-math does, so that the verdict agrees with libsdformat's.

    Ascending, except that a tensor that is diagonal (to 1e-6 of its largest moment) keeps its order. Closed form of
    Smith, "Eigenvalues of a symmetric 3 × 3 matrix", CACM 4 (1961).
    """
    ixx, iyy, izz, ixy, ixz, iyz = moments
    tol = _PRINCIPAL_TOLERANCE * max(ixx, iyy, izz)
    if abs(ixy) <= tol and abs(ixz) <= tol and abs(iyz) <= tol:
        return (ixx, iyy, izz)
    # The order of the operations is that of gz-math: for flat bodies, the last bit decides.
    b = ixx + iyy + izz
    c = ixx * iyy - ixy * ixy + ixx * izz - ixz * ixz + iyy * izz - iyz * iyz
    d = ixx * (iyz * iyz) + iyy * (ixz * ixz) + izz * (ixy * ixy) - ixx * iyy * izz - 2 * ixy * ixz * iyz
    p = b * b - 3 * c
    if not p >= tol * tol:
        return (b / 3, b / 3, b / 3)
    try:
        q = 2 * b ** 3 - 9 * b * c - 27 * d
        cube = p ** 1.5
    except OverflowError:
        q, cube = inf, inf
    if cube == 0:
        return (b / 3, b / 3, b / 3)
    root = 2 * sqrt(p)
    delta = acos(min(1.0, max(-1.0, 0.5 * q / cube)))
    p1, p2, p3 = sorted(((b + root * cos(delta / 3)) / 3, (b + root * cos((delta + 2 * pi) / 3)) / 3,
                         (b + root * cos((delta - 2 * pi) / 3)) / 3))
    return (p1, p2, p3)


def find_defects(mass: float, moments: Tensor, rounding: float = 0.0) -> tuple[FailedCondition, ...]:
    """Return the reasons why libsdformat refuses this mass matrix; empty if it is valid.

    A mass of zero and a tensor of zero are valid. The tensor must be positive semidefinite and its principal moments
    must satisfy the triangle inequality, within :func:`tolerance_of` plus `rounding` times the largest moment:
    :data:`ROUNDING` to check a file, 0 for libsdformat's verdict.
    """
    if not all(map(isfinite, (mass, *moments))):
        return (FailedCondition("finite", 0.0, "a value is not a finite number"),)
    found = []
    if not mass >= 0:
        found.append(FailedCondition("m >= 0", -mass, f"the mass is {mass:g} kg"))
    ixx, iyy, izz, ixy, ixz, iyz = moments
    eps = tolerance_of(ixx + iyy + izz)
    p1, p2, p3 = ordered = sorted(find_principal_moments(moments))
    eps_p = tolerance_of(p1 + p2 + p3) + rounding * abs(p3)
    minor = ixx * iyy - ixy * ixy
    det = (ixx * (iyy * izz - iyz * iyz) - ixy * (ixy * izz - ixz * iyz) + ixz * (ixy * iyz - iyy * ixz))
    if not p1 + eps_p >= 0:
        found.append(FailedCondition("I >= 0", -p1, f"the smallest principal moment is {p1:g} kg·m², below zero",
                                     _explain_order(moments)))
    elif not rounding and not (ixx + eps >= 0 and minor + eps >= 0 and det + eps >= 0):
        short = max(-ixx, -minor, -det)
        found.append(FailedCondition("I >= 0", short, f"the tensor is not positive semidefinite (by {short:g})"))
    elif not p1 + p2 + eps_p >= p3:
        short = p3 - (p1 + p2)
        if short / p3 < 1e-3:
            values = " + ".join(repr(p + 0.0) for p in ordered[:2]) + f" < {p3!r}"
        else:
            values = f"{p1:g} + {p2:g} < {p3:g}"
        forgiven = short <= ROUNDING * p3
        found.append(FailedCondition(
            "I1 + I2 >= I3", short, "the two smaller principal moments together are less than the "
            f"largest, by {short:.3g} kg·m² ({values})"
            + "; the cause may be rounded digits, but libsdformat refuses it" * forgiven,
            "make the largest moment slightly smaller" if forgiven else None))
    return tuple(found)


def _explain_order(moments: Tensor) -> str | None:
    """Return a hint on the order in which six moments were probably written; None if no such order is likely."""
    ixx, iyy, izz, ixy, ixz, iyz = moments
    if iyy == ixy and iyz > abs(iyy) and ixx > 0:
        return (f"the numbers look like rows of the tensor, ixx ixy ixz iyx iyy iyz, since iyy is ixy: write "
                f'iyy="{iyz!r}" and iyz="{izz!r}", and as izz the last number of the rows')
    if min(ixx, ixy, ixz) > 0 and _is_possible(ordered := (ixx, ixy, ixz, iyy, iyz, izz)):
        names = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
        return "the numbers look like ixx, iyy, izz, ixy, ixz, iyz in this order: write " + " ".join(
            f'{name}="{value!r}"' for name, value in zip(names, ordered))
    return None


def _is_possible(moments: Tensor) -> bool:
    """Return whether a body can have these moments, within rounding errors."""
    p1, p2, p3 = sorted(find_principal_moments(moments))
    rounding = ROUNDING * abs(p3)
    return p1 + rounding >= 0 and p1 + p2 + rounding >= p3


def find_unphysical(mass: float, moments: Tensor) -> tuple[FailedCondition, ...]:
    """Return why no solid body has this mass matrix: as :func:`find_defects`, but mass and moments must be positive."""
    found = find_defects(mass, moments)
    if found:
        return found
    p = min(find_principal_moments(moments))
    if not mass > 0:
        found += (FailedCondition("m > 0", 0.0, "the mass is zero"),)
    if not p > 0:
        found += (FailedCondition("I > 0", -p, "the inertia is zero about an axis"),)
    return found
