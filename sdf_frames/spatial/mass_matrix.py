"""Which masses and inertia tensors a rigid body can have, judged with gz-math's rules and tolerance.

A mass matrix here is a mass in kg and moments (ixx, iyy, izz, ixy, ixz, iyz) about the centre of mass, kg·m².
"""

from math import acos, cos, inf, isfinite, pi, sqrt
from typing import NamedTuple

from sdf_frames.spatial.inertia import Tensor
from sdf_frames.spatial.pose import Vector

_EPSILON = 2.220446049250313e-16
_PRINCIPAL_TOLERANCE = 1e-6
#: What the digits of written moments can explain, as a part of the largest moment. Exporters write seven digits or
#: more: half a unit of the seventh is up to 5e-7 of a number, and moves I1 + I2 - I3 by up to 1e-6 of I3 where the body
#: is flat. The closed form of :func:`find_principal_moments` itself errs by 2e-8 where two moments are nearly equal.
ROUNDING = 1.1e-6


class FailedCondition(NamedTuple):
    """A condition that fails: ``condition`` in symbols, ``amount`` by how much it fails (positive, in the unit of the
    compared values), ``text`` for people."""

    condition: str
    amount: float
    text: str


def tolerance_of(trace: float) -> float:
    """gz-math's tolerance: ten machine epsilons of the largest moment that a body of this trace could have."""
    return 10.0 * _EPSILON * 0.5 * abs(trace)


def find_principal_moments(moments: Tensor) -> Vector:
    """Eigenvalues of the tensor as gz-math computes them, so that the verdict agrees with libsdformat's.

    Ascending, except that a tensor that is diagonal (to 1e-6 of its largest moment) keeps its order. Closed form of
    Smith, "Eigenvalues of a symmetric 3 × 3 matrix", CACM 4 (1961).
    """
    ixx, iyy, izz, ixy, ixz, iyz = moments
    tol = _PRINCIPAL_TOLERANCE * max(ixx, iyy, izz)
    if abs(ixy) <= tol and abs(ixz) <= tol and abs(iyz) <= tol:
        return (ixx, iyy, izz)
    # The order of the operations is gz-math's too: bodies as flat as a sheet are decided by the last bit.
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
    """Why libsdformat would call this mass matrix invalid; empty when it is valid.

    Valid are a mass of zero and a tensor of zero. The tensor must be positive semidefinite and its principal moments
    must satisfy the triangle inequality, each to :func:`tolerance_of`, and besides to the part `rounding` of the
    largest moment: :data:`ROUNDING` to judge a file, 0 for libsdformat's verdict.
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
        found.append(FailedCondition("I >= 0", -p1, f"the smallest principal moment is {p1:g} kg·m², below zero"))
    elif not rounding and not (ixx + eps >= 0 and minor + eps >= 0 and det + eps >= 0):
        short = max(-ixx, -minor, -det)
        found.append(FailedCondition("I >= 0", short, f"the tensor is not positive semidefinite (by {short:g})"))
    elif not p1 + p2 + eps_p >= p3:
        short = p3 - (p1 + p2)
        if short / p3 < 1e-3:
            values = " + ".join(repr(p + 0.0) for p in ordered[:2]) + f" < {p3!r}"
        else:
            values = f"{p1:g} + {p2:g} < {p3:g}"
        forgiven = "; rounded digits explain it, but libsdformat refuses it: make the largest a little smaller"
        found.append(FailedCondition(
            "I1 + I2 >= I3", short, "the two smaller principal moments together are less than the "
            f"largest, by {short:.3g} kg·m² ({values}){forgiven if short <= ROUNDING * p3 else ''}"))
    return tuple(found)


def find_unphysical(mass: float, moments: Tensor) -> tuple[FailedCondition, ...]:
    """Why no solid body has this mass matrix: like :func:`find_defects`, but mass and moments must exceed zero."""
    found = find_defects(mass, moments)
    if found:
        return found
    p = min(find_principal_moments(moments))
    if not mass > 0:
        found += (FailedCondition("m > 0", 0.0, "the mass is zero"),)
    if not p > 0:
        found += (FailedCondition("I > 0", -p, "the inertia is zero about an axis"),)
    return found
