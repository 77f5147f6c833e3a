"""Rigid-body inertia without NumPy: turn, shift, combine.

A tensor is a 6-tuple ``(ixx, iyy, izz, ixy, ixz, iyz)`` of the symmetric matrix, off-diagonals with their sign
(the product of inertia is -∫xy dm), kg m². A body is ``(mass, centre, tensor)`` with the tensor about the centre of
mass; centre and tensor are given in the axes of one frame, named in the variables as in ``I_Bcm_A``.
"""
from __future__ import annotations

from collections.abc import Iterable

from sdf_frames.spatial.pose import Quaternion, Vector, rotation_matrix

Tensor = tuple[float, float, float, float, float, float]
#: Names of the components of a tensor, in order.
MOMENTS = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
Body = tuple[float, Vector, Tensor]  # (mass, centre of mass, tensor about it)
ZERO_TENSOR: Tensor = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def scale_tensor(factor: float, tensor: Tensor) -> Tensor:
    """The tensor of the same body with `factor` times its mass."""
    ixx, iyy, izz, ixy, ixz, iyz = tensor
    return (factor * ixx, factor * iyy, factor * izz, factor * ixy, factor * ixz, factor * iyz)


def rotate_tensor(q_wxyz: Quaternion, tensor: Tensor) -> Tensor:
    """``R I Rᵀ``: a tensor given in the axes of B, in those of A, where `q_wxyz` turns vectors from B to A."""
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
    """Several bodies, given in one frame, rigidly joined: their mass, centre of mass, and tensor about it.

    The tensors are shifted to the common centre, not to the frame's origin and back, so that little bodies far
    from the origin keep their digits. Where the masses add up to zero there is no centre of mass: the centre is
    then the first body's, and nothing is shifted.
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
    return (mass, (x, y, z), (ixx, iyy, izz, ixy, ixz, iyz))
