"""Declared inertias that no body has, and automatic ones that cannot be computed."""
from __future__ import annotations

from sdf_frames.diagnostics import Diagnostic
from sdf_frames.inertia.compute import walk_links
from sdf_frames.inertia.link import Settings, check_declared, compute_link
from sdf_frames.sdf.model import Root
from sdf_frames.spatial.pose import IDENTITY


def check_inertials(root: Root, settings: Settings = Settings()) -> tuple[Diagnostic, ...]:
    """Findings on the inertial of every link, those of nested models included.

    A declared inertia is judged as libsdformat judges it: one error a link, with the condition that fails and by how
    much. For ``auto="true"`` it is checked that there is something to compute from: collisions, densities, shapes
    with a volume. Mesh files are not opened here: `settings` has no ``integrate_mesh``.
    """
    found: list[Diagnostic] = []
    for scope, prefix, link in walk_links(root):
        inertial = link.inertial
        if inertial is None:
            continue
        name = prefix + link.name
        found += check_declared(link, name, settings)
        if inertial.auto:
            # Poses do not matter for the findings; those that cannot be resolved are the frame check's.
            found += [d for d in compute_link(link, name, scope, lambda collision: IDENTITY, settings)[1]
                      if d.name != "geometry-value-unreadable"]
    return tuple(dict.fromkeys(found))
