"""A link's inertia as a uniform solid box with the same mass, centre and moments, to look at."""
from __future__ import annotations

from math import isfinite, sqrt
from typing import NamedTuple

from sdf_frames.inertia.result import LinkInertia
from sdf_frames.spatial.pose import Pose, Vector, compose, normalise


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

        from sdf_frames.spatial.batch import quaternions_from_matrices
        values, axes = np.linalg.eigh(np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]]))
        # A box looks the same with its axes turned round; left-handed ones are no rotation.
        p, q = values.tolist(), quaternions_from_matrices(axes * np.sign(np.linalg.det(axes))).tolist()
    x, y, z = [sqrt(max(0.0, 6 * (sum(p) - 2 * moment) / link.mass)) for moment in p]
    return EquivalentBox(compose(normalise(link.pose), normalise((0.0, 0.0, 0.0, *q))), (x, y, z))
