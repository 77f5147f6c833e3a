"""A link's inertia as a uniform solid box with the same mass, centre and moments, to look at."""
from __future__ import annotations

from math import isfinite, sqrt
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np

from sdf_frames.inertia.result import LinkInertia
from sdf_frames.spatial.pose import Pose, Quaternion, Vector, compose, normalise


class EquivalentBox(NamedTuple):
    """Pose ``X`` of the box's centre and axes in the link frame, and its side lengths in metres."""

    X: Pose
    size: Vector


def find_equivalent_box(link: LinkInertia) -> EquivalentBox | None:
    """The uniform solid box with the mass, centre of mass and tensor of `link`; None where no solid body has them.

    A box with sides a, b, c has the principal moment m (b² + c²) / 12 about its first axis.
    So a² = 6 (I2 + I3 − I1) / m.
    """
    if not (link.physical and all(map(isfinite, (link.mass, *link.pose, *link.inertia)))):
        return None
    ixx, iyy, izz, ixy, ixz, iyz = link.inertia
    if ixy == ixz == iyz == 0:
        p, q = [ixx, iyy, izz], (1.0, 0.0, 0.0, 0.0)
    else:
        import numpy as np
        values, axes = np.linalg.eigh(np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]]))
        p, q = values.tolist(), _find_quaternion(axes)
    x, y, z = [sqrt(max(0.0, 6 * (sum(p) - 2 * moment) / link.mass)) for moment in p]
    return EquivalentBox(compose(normalise(link.pose), (0.0, 0.0, 0.0, *q)), (x, y, z))


def _find_quaternion(axes: np.ndarray) -> Quaternion:
    """Return (w, x, y, z) of a (3, 3) matrix whose columns are axes; left-handed ones too, since a box has no hand."""
    import numpy as np
    if np.linalg.det(axes) < 0:
        axes = -axes
    # Of 4 q qᵀ, the row with the largest diagonal entry loses no digits (Bar-Itzhack's symmetric matrix, by rows).
    (a, b, c), (d, e, f), (g, h, i) = axes.tolist()
    rows = ((1 + a + e + i, h - f, c - g, d - b), (h - f, 1 + a - e - i, b + d, c + g),
            (c - g, b + d, 1 - a + e - i, f + h), (d - b, c + g, f + h, 1 - a - e + i))
    qw, qx, qy, qz = rows[max(range(4), key=lambda k: rows[k][k])]
    length = sqrt(sum([qw * qw, qx * qx, qy * qy, qz * qz]))
    return qw / length, qx / length, qy / length, qz / length
