"""Mass, centre of mass and inertia tensor of links: declared, or computed from collision geometry.

Meshes alone need NumPy; it is not imported before the first one.
"""
from sdf_frames.inertia.calculators import Calculator
from sdf_frames.inertia.compute import (
    InertiaOptions,
    compute_inertias,
    drop_density_notices,
    total_inertia,
)
from sdf_frames.inertia.link import Settings
from sdf_frames.inertia.result import METHODS, CollisionInertia, InertiaResult, LinkInertia

__all__ = ["METHODS", "Calculator", "CollisionInertia", "InertiaOptions", "InertiaResult", "LinkInertia", "Settings",
           "compute_inertias", "drop_density_notices", "total_inertia"]
