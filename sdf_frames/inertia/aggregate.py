"""Rigid bodies with poses, and several of them combined."""
from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sdf_frames.spatial.inertia import ZERO_TENSOR, Tensor, combine_bodies, rotate_tensor, scale_tensor
from sdf_frames.spatial.pose import IDENTITY, Pose


class Body(NamedTuple):
    """``mass`` in kg, pose ``X`` of the inertial frame in the common frame (origin at the centre of mass), and
    ``moments`` (ixx, iyy, izz, ixy, ixz, iyz) about the centre of mass in the inertial frame, kg·m²."""

    mass: float
    X: Pose = IDENTITY
    moments: Tensor = ZERO_TENSOR


def add_bodies(bodies: Iterable[Body]) -> Body:
    """Combine bodies: moments about the common centre of mass along the axes of the common frame.

    Bodies without mass are left out, as libsdformat does; no body at all gives mass zero at the origin.
    """
    mass, centre, moments = combine_bodies([(b.mass, b.X[:3], rotate_tensor(b.X[3:], b.moments))
                                            for b in bodies if b.mass > 0])
    return Body(mass, (*centre, 1.0, 0.0, 0.0, 0.0), moments) if mass > 0 else Body(0.0)


def scale_mass(body: Body, mass: float) -> Body:
    """Return the same body with another mass (kg); `body` must have a mass above zero."""
    return Body(mass, body.X, scale_tensor(mass / body.mass, body.moments))
