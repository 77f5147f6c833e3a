"""The results of computing inertias, and the box that shows one."""
from __future__ import annotations

from math import isfinite, sqrt
from typing import NamedTuple

from sdf_frames.diagnostics import Diagnostic
from sdf_frames.sdf.entities import MOMENT_DEFAULTS
from sdf_frames.spatial.inertia import Tensor
from sdf_frames.spatial.pose import IDENTITY, Pose, Vector, compose, normalise

DECLARED, DEFAULT, EXACT, VOXEL, HULL, SHELL, AUTO = "declared", "default", "exact", "voxel", "hull", "shell", "auto"
FAILED, ASSUMED = "failed", "assumed"
#: Methods of inertias that were not computed.
GIVEN = (DECLARED, ASSUMED, DEFAULT)
METHODS = (AUTO, EXACT, VOXEL, HULL, SHELL)


class CollisionInertia(NamedTuple):
    """The part of one collision in a computed inertia.

    ``density`` in kg/m³ (kg/m² with method shell), ``density_from`` collision, link, argument or default; ``mass`` in
    kg as density times volume, before the link's given mass rescales it; None, with method None, where it failed.
    """

    name: str
    geometry: str
    density: float
    density_from: str
    method: str | None = None
    mass: float | None = None
    volume: float | None = None


class LinkInertia(NamedTuple):
    """The inertia of a link, and how it was computed.

    Attributes
    ----------
    name : ``::``-scoped, relative to its world or root model.
    mass : kg.
    pose : (x, y, z, qw, qx, qy, qz) of the inertial frame in the link frame; its origin is the centre of mass.
    inertia : (ixx, iyy, izz, ixy, ixz, iyz) about the centre of mass in the inertial frame, kg·m².
    auto : computed from collisions because the description asks for it.
    method : declared, assumed (for a massless link of a URDF that is kept), default (nothing declared), exact, voxel,
        hull, shell, custom, or several joined by ``+``; failed where no collision could be computed (mass and inertia
        are then 0, as libsdformat leaves them).
    physical : a solid body can have it (see :func:`sdf_frames.spatial.inertia.find_unphysical`).
    collisions : where computed, what it was computed from.
    scope : number of the world, or 0 for a root model.
    """

    name: str
    mass: float
    pose: Pose = IDENTITY
    inertia: Tensor = MOMENT_DEFAULTS
    auto: bool = False
    method: str = DECLARED
    physical: bool = True
    collisions: tuple[CollisionInertia, ...] = ()
    scope: int = 0


class InertiaResult(NamedTuple):
    """The inertias of links, those of a model before those of its nested models, and findings."""

    links: tuple[LinkInertia, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


class EquivalentBox(NamedTuple):
    """Pose ``X`` of the box's centre and axes in the link frame, and its side lengths in metres."""

    X: Pose
    size: Vector


def find_equivalent_box(link: LinkInertia) -> EquivalentBox | None:
    """Return the uniform solid box with the mass, centre of mass and tensor of `link`; None if no solid body has them.

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
        # A box looks the same with reversed axes; left-handed axes are not a rotation.
        p, q = values.tolist(), quaternions_from_matrices(axes * np.sign(np.linalg.det(axes))).tolist()
    x, y, z = [sqrt(max(0.0, 6 * (sum(p) - 2 * moment) / link.mass)) for moment in p]
    return EquivalentBox(compose(normalise(link.pose), normalise((0.0, 0.0, 0.0, *q))), (x, y, z))
