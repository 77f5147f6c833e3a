"""Runs every check of a document, in the order in which findings are reported."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sdf_frames.checks.frames import check_frames
from sdf_frames.checks.inertia import check_inertials
from sdf_frames.checks.joints import check_joints, check_kinematics
from sdf_frames.checks.names import check_names
from sdf_frames.checks.units import check_units
from sdf_frames.diagnostics import Diagnostic
from sdf_frames.frames.graph import build_graph
from sdf_frames.frames.resolve import Scope
from sdf_frames.sdf.model import Root

if TYPE_CHECKING:
    from sdf_frames.convert.urdf_to_sdf import Conversion

_Place = tuple[str, str | None, int | None, str | None]


def check_root(root: Root, scopes: Sequence[Scope], on_failure: str,
               reported: frozenset[tuple[str | None, str]], conversion: Conversion | None = None) -> list[Diagnostic]:
    """Check names, references, joints, kinematics, plugins, inertias and units.

    Parameters
    ----------
    root : the document.
    scopes : its worlds and root model, resolved.
    on_failure : what happens to a collision that cannot be computed: ``error`` or ``default``.
    reported : links, as (file, name), whose declared inertia has been checked before.
    conversion : the conversion of the URDF that the document was made from.
    """
    found = list(check_names(root))
    alone = _check_merged(root)
    found += alone.values()
    for scope in scopes:
        graph = scope.graph
        more = [*graph.diagnostics, *check_frames(graph), *check_joints(graph)]
        found += [d for d in more if _place(d) not in alone]
        found += check_kinematics(graph)
    if next(root.element.iter("plugin", "contact", "include"), None) is not None:
        from sdf_frames.checks.plugin_names import check_contacts, check_plugins  # 2 ms
        found += [*check_plugins(root, conversion), *check_contacts(root)]
    if next(root.element.iter("sensor", "include"), None) is not None:
        from sdf_frames.checks.sensors import check_sensor_frames  # 2 ms
        found += [d for scope in scopes for d in check_sensor_frames(scope)]
    return [*found, *check_inertials(root, on_failure, reported), *check_units(root, scopes, conversion)]


def _check_merged(root: Root) -> dict[_Place, Diagnostic]:
    """Check merged models on their own: each must be valid without the model into which it is merged."""
    graphs = [build_graph(model) for model in root.merged]
    return {_place(d): d for g in graphs for d in (*g.diagnostics, *check_joints(g)) if d.severity == "error"}


def _place(diagnostic: Diagnostic) -> _Place:
    return diagnostic.name, diagnostic.file, diagnostic.line, diagnostic.path
