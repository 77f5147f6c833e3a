"""Scalar rigid transforms without NumPy.

A pose ``X_AB`` is a 7-tuple ``(x, y, z, qw, qx, qy, qz)``: position of B's origin in A in metres, and the
quaternion that rotates vectors from B to A.
"""
from __future__ import annotations

from functools import lru_cache
from math import atan2, cos, hypot, isfinite, sin, sqrt

Vector = tuple[float, float, float]  # (x, y, z)
Quaternion = tuple[float, float, float, float]  # (w, x, y, z)
Pose = tuple[float, float, float, float, float, float, float]  # (x, y, z, qw, qx, qy, qz)

IDENTITY: Pose = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)


def quaternion_from_rpy(roll: float, pitch: float, yaw: float) -> Quaternion:
    """Return the unit quaternion (w, x, y, z) of Rz(yaw)·Ry(pitch)·Rx(roll); angles in radians."""
    # To the cache, -0.0 is 0.0: without the sum, signs of zeros would depend on which one came first.
    return _turn(roll + 0.0, pitch + 0.0, yaw + 0.0)


@lru_cache(maxsize=1024)  # robots have few different angles: saves 2 % of loading SDFormat
def _turn(roll: float, pitch: float, yaw: float) -> Quaternion:
    cr, sr = cos(roll / 2), sin(roll / 2)
    cp, sp = cos(pitch / 2), sin(pitch / 2)
    cy, sy = cos(yaw / 2), sin(yaw / 2)
    return (cr * cp * cy + sr * sp * sy,
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy)


def pose_from_rpy(x: float, y: float, z: float, roll: float, pitch: float, yaw: float) -> Pose:
    """Return the pose of a position in metres and roll, pitch, yaw in radians (R = Rz·Ry·Rx)."""
    if roll == 0 and pitch == 0 and yaw == 0:
        return (x, y, z, 1.0, 0.0, 0.0, 0.0)
    return (x, y, z, *quaternion_from_rpy(roll, pitch, yaw))


def rpy_from_quaternion(w: float, x: float, y: float, z: float) -> Vector:
    """Return roll, pitch, yaw in radians (R = Rz·Ry·Rx) of a quaternion of any length except zero.

    The yaw is that of the rotation without the roll, so the three angles give the same rotation, within rounding, even
    at a pitch of ±90°, where roll and yaw are about the same axis.
    """
    n = w * w + x * x + y * y + z * z
    if not 1e-280 < n < 1e280:  # squares of such numbers overflow, or lose digits
        longest = max(abs(w), abs(x), abs(y), abs(z))
        return rpy_from_quaternion(w / longest, x / longest, y / longest, z / longest) if longest else (0.0, 0.0, 0.0)
    s = 2.0 / n
    r31, r32, r33 = s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)
    r11, r21 = 1 - s * (y * y + z * z), s * (x * y + w * z)
    roll = atan2(r32, r33) if abs(r32) + abs(r33) > 1e-15 else 0.0
    pitch = atan2(-r31, hypot(r11, r21))
    if roll == 0.0:
        yaw = atan2(-s * (x * y - w * z), 1 - s * (x * x + z * z))
    else:
        sr, cr = sin(roll), cos(roll)
        r12, r13 = s * (x * y - w * z), s * (x * z + w * y)
        r22, r23 = 1 - s * (x * x + z * z), s * (y * z - w * x)
        yaw = atan2(sr * r13 - cr * r12, cr * r22 - sr * r23)
    return (roll, pitch, yaw)


def angle_of(q_wxyz: Quaternion) -> float:
    """Return the angle in radians, from 0 to pi, by which a unit quaternion rotates."""
    w, x, y, z = q_wxyz
    return 2.0 * atan2(hypot(x, y, z), abs(w))


def rotate(q_wxyz: Quaternion, v: Vector) -> Vector:
    """Rotate the vector `v` by the unit quaternion `q_wxyz`."""
    w, x, y, z = q_wxyz
    vx, vy, vz = v
    tx, ty, tz = 2 * (y * vz - z * vy), 2 * (z * vx - x * vz), 2 * (x * vy - y * vx)
    return (vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx)


def compose(X_AB: Pose, X_BC: Pose) -> Pose:
    """Return ``X_AC`` from ``X_AB`` and ``X_BC``."""
    ax, ay, az, aw, ai, aj, ak = X_AB
    bx, by, bz, bw, bi, bj, bk = X_BC
    if bi == 0.0 and bj == 0.0 and bk == 0.0 and bw == 1.0:
        qw, qi, qj, qk = aw, ai, aj, ak
    elif ai == 0.0 and aj == 0.0 and ak == 0.0 and aw == 1.0:
        return (ax + bx, ay + by, az + bz, bw, bi, bj, bk)
    else:
        qw = aw * bw - ai * bi - aj * bj - ak * bk
        qi = aw * bi + ai * bw + aj * bk - ak * bj
        qj = aw * bj - ai * bk + aj * bw + ak * bi
        qk = aw * bk + ai * bj - aj * bi + ak * bw
    tx, ty, tz = 2 * (aj * bz - ak * by), 2 * (ak * bx - ai * bz), 2 * (ai * by - aj * bx)
    return (ax + bx + aw * tx + aj * tz - ak * ty, ay + by + aw * ty + ak * tx - ai * tz,
            az + bz + aw * tz + ai * ty - aj * tx, qw, qi, qj, qk)


def invert(X_AB: Pose) -> Pose:
    """Return ``X_BA`` from ``X_AB``."""
    x, y, z, w, i, j, k = X_AB
    n = w * w + i * i + j * j + k * k
    q = (w / n, -i / n, -j / n, -k / n)
    return (*rotate(q, (-x, -y, -z)), *q)


def normalise(X: Pose) -> Pose:
    """Return the pose with a quaternion of length one (the identity if the length is zero)."""
    x, y, z, w, i, j, k = X
    n = sqrt(w * w + i * i + j * j + k * k)
    if n == 1.0:
        return X
    if not 1e-140 < n < 1e140:  # squares of such numbers overflow, or lose digits
        n = hypot(w, i, j, k)
    if n == 0.0 or not isfinite(n):
        return (x, y, z, 1.0, 0.0, 0.0, 0.0)
    return (x, y, z, w / n, i / n, j / n, k / n)


def rotation_matrix(q_wxyz: Quaternion) -> tuple[Vector, Vector, Vector]:
    """Return the rows of the 3×3 rotation matrix of a unit quaternion, as three 3-tuples."""
    w, x, y, z = q_wxyz
    return ((1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
            (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)))
