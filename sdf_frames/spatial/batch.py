"""Rigid transforms of many configurations at once: each component of a pose is a number or an array of them.

A pose is a 7-tuple ``(x, y, z, qw, qx, qy, qz)`` as in :mod:`sdf_frames.spatial.pose`, with components of shape () or
(n,). Components of one pose may differ in shape: what does not depend on the configuration stays a plain number.
"""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Numbers: TypeAlias = "float | NDArray[np.float64]"  # () or (n,)
NumbersPose: TypeAlias = "tuple[Numbers, Numbers, Numbers, Numbers, Numbers, Numbers, Numbers]"


def compose_batch(X_AB: NumbersPose, X_BC: NumbersPose) -> NumbersPose:
    """Return ``X_AC`` from ``X_AB`` and ``X_BC``; quaternions of unit length."""
    ax, ay, az, aw, ai, aj, ak = X_AB
    bx, by, bz, bw, bi, bj, bk = X_BC
    tx, ty, tz = 2 * (aj * bz - ak * by), 2 * (ak * bx - ai * bz), 2 * (ai * by - aj * bx)
    return (ax + bx + aw * tx + aj * tz - ak * ty, ay + by + aw * ty + ak * tx - ai * tz,
            az + bz + aw * tz + ai * ty - aj * tx,
            aw * bw - ai * bi - aj * bj - ak * bk, aw * bi + ai * bw + aj * bk - ak * bj,
            aw * bj - ai * bk + aj * bw + ak * bi, aw * bk + ai * bj - aj * bi + ak * bw)


def invert_batch(X_AB: NumbersPose) -> NumbersPose:
    """Return ``X_BA`` from ``X_AB``, whose quaternion has unit length."""
    x, y, z, w, i, j, k = X_AB
    tx, ty, tz = 2 * (k * y - j * z), 2 * (i * z - k * x), 2 * (j * x - i * y)
    return (-x - w * tx + j * tz - k * ty, -y - w * ty + k * tx - i * tz, -z - w * tz + i * ty - j * tx, w, -i, -j, -k)


def turn_about(axis: tuple[float, float, float], angle: Numbers) -> NumbersPose:
    """Return the rotation by `angle` (radians) about the unit vector `axis`, as a pose."""
    half, (x, y, z) = angle / 2, axis
    c: Numbers
    s: Numbers
    if isinstance(half, float):
        c, s = math.cos(half), math.sin(half)
    else:
        import numpy as np
        c, s = np.cos(half), np.sin(half)
    return (0.0, 0.0, 0.0, c, s * x, s * y, s * z)


def slide_along(axis: tuple[float, float, float], distance: Numbers) -> NumbersPose:
    """Return the translation by `distance` (metres) along the unit vector `axis`, as a pose."""
    x, y, z = axis
    return (distance * x, distance * y, distance * z, 1.0, 0.0, 0.0, 0.0)


def normalise_batch(q: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """Return quaternions, four numbers along `axis` of any length except zero, with length one."""
    import numpy as np
    # A power of two changes no digit, and squares then do not overflow.
    q = np.ldexp(q, -np.frexp(np.abs(q).max(axis=axis, keepdims=True))[1])
    return q / np.linalg.norm(q, axis=axis, keepdims=True)


def quaternions_from_matrices(R: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return quaternions w x y z (..., 4), not of unit length, of rotation matrices (..., 3, 3)."""
    import numpy as np
    # Each row is one quaternion times four times one of its components; the longest loses no digits.
    (a, b, c), (d, e, f), (g, h, i) = np.moveaxis(R, (-2, -1), (0, 1))
    rows = np.stack([np.stack(row, axis=-1) for row in (
        (1 + a + e + i, h - f, c - g, d - b), (h - f, 1 + a - e - i, b + d, c + g),
        (c - g, b + d, 1 - a + e - i, f + h), (d - b, c + g, f + h, 1 - a - e + i))], axis=-2)
    best = np.argmax(np.linalg.norm(rows, axis=-1), axis=-1)
    found: NDArray[np.float64] = np.take_along_axis(rows, best[..., None, None], axis=-2)[..., 0, :]
    return found
