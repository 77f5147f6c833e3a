"""Finds the possible inertia tensor that is nearest to a given one."""
from __future__ import annotations

from sdf_frames.spatial.inertia import Tensor, find_defects
from sdf_frames.spatial.pose import Vector

#: How far the result is inside of the limits, as a part of its largest moment: readers with single precision accept it.
MARGIN = 1e-6
#: Part of that margin; smaller differences come from rotating the tensor to its axes and back.
_ROUNDING = 1e-6


def find_nearest_tensor(tensor: Tensor) -> Tensor | None:
    """Find the nearest tensor in the Frobenius norm, kg·m², along the same axes; None if it is zero or too large.

    The sum of the squares of all nine changes is the smallest possible. The principal axes do not change. The principal
    moments are the nearest that satisfy the triangle inequality.
    """
    import numpy as np
    ixx, iyy, izz, ixy, ixz, iyz = tensor
    moments, axes = np.linalg.eigh(np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]]))
    a, b, c = moments.tolist()
    inside = 2 * MARGIN * max(abs(a), abs(c))
    # A body with all principal moments equal to `inside` has the extents that the margin requires.
    nearest = project_moments((a - inside, b - inside, c - inside))
    if not any(nearest):
        return None
    with np.errstate(all="ignore"):
        matrix = (axes * (np.array(nearest) + inside)) @ axes.T
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = [[float(f"{value:.12g}") for value in row] for row in matrix]
    xx, yy, zz, xy, xz, yz = [old if abs(new - old) <= _ROUNDING * inside else new
                              for old, new in zip(tensor, (xx, yy, zz, xy, xz, yz))]
    found = (xx, yy, zz, xy, xz, yz)
    return None if find_defects(1.0, found) else found


def project_moments(moments: Vector) -> Vector:
    """Return the nearest moments of which none is more than the sum of the others, for moments in ascending order."""
    a, b, c = moments
    third = (c - a - b) / 3
    if third <= 0:
        return moments
    if a + c - b >= third:
        return a + third, b + third, c - third  # the body is flat
    half = max(0.0, (b + c) / 2)
    return 0.0, half, half  # the body is a line
