"""The results of computing inertias."""
from __future__ import annotations

from typing import NamedTuple

from sdf_frames.diagnostics import Diagnostic
from sdf_frames.sdf.entities import MOMENT_DEFAULTS
from sdf_frames.spatial.inertia import Tensor
from sdf_frames.spatial.pose import IDENTITY, Pose

DECLARED, DEFAULT, EXACT, VOXEL, HULL, SHELL, AUTO = "declared", "default", "exact", "voxel", "hull", "shell", "auto"
FAILED, ASSUMED = "failed", "assumed"
#: Methods of inertias that were not computed.
GIVEN = (DECLARED, ASSUMED, DEFAULT)
METHODS = (AUTO, EXACT, VOXEL, HULL, SHELL)


class CollisionInertia(NamedTuple):
    """One collision's part in a computed inertia.

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
    """A link's inertia and how it came about.

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
    physical : a solid body can have it (see :func:`sdf_frames.spatial.mass_matrix.find_unphysical`).
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
    """The links' inertias, a model's own before those of its nested models, and what was found on the way."""

    links: tuple[LinkInertia, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
