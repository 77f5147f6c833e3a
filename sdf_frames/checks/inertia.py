"""Checks declared inertias, and whether automatic ones can be computed."""
from __future__ import annotations

from collections.abc import Container, Iterator

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.elements import find_child, locate
from sdf_frames.inertia.declared import check_declared, judge_zeros
from sdf_frames.sdf.entities import read_mass
from sdf_frames.sdf.model import Link, Root, find_static, walk_links
from sdf_frames.spatial.pose import IDENTITY


def check_inertials(root: Root, on_failure: str = "error", judged: Container[tuple[str | None, str]] = (),
                    ) -> tuple[Diagnostic, ...]:
    """Check the inertial of every link, also in nested models.

    A declared inertia is checked as libsdformat does: one error for a link, with the condition that fails and by how
    much. With ``auto="true"``, there must be collisions, densities, and shapes with a volume. Mesh files are not
    opened.

    Parameters
    ----------
    root : the document.
    on_failure : what happens to a collision that cannot be computed: ``error`` or ``default``.
    judged : links, as (file, name), whose declared inertia has been checked before.
    """
    found: list[Diagnostic] = []
    static = find_static(root)
    for scope, prefix, link in walk_links(root):
        inertial, name = link.inertial, prefix + link.name
        if inertial is None or not inertial.auto:
            found += _check_density(link, name)
        if inertial is None:
            continue
        if not inertial.auto and inertial.mass == 0 and (scope, prefix) not in static:
            found += judge_zeros(name, *read_mass(inertial), locate(inertial.element))
        found += check_declared(link, name, judged)
        if inertial.auto:
            # Poses do not matter for the findings; those that cannot be resolved are the frame check's.
            from sdf_frames.inertia.link import InertiaOptions, compute_link
            found += [d for d in compute_link(link, name, scope, lambda collision: IDENTITY,
                                              InertiaOptions(on_failure=on_failure))[1]
                      if d.name != "geometry-value-unreadable"]
    return tuple(dict.fromkeys(found))


def _check_density(link: Link, name: str) -> Iterator[Diagnostic]:
    """Report a density that is not used, if mass or tensor is not written; once for a link."""
    if link.inertial is not None and link.inertial.mass is not None and link.inertial.moments is not None:
        return
    for part in (link.inertial, *link.collisions):
        if part is not None and (density := find_child(part.element, "density")) is not None:
            yield diagnose("density-without-auto", locate(density), link=name)
            return
