"""Finds URDFs that libsdformat itself cannot read, because its lumped body has no valid inertia.

The SDF that they convert to can be loaded. ``test/peers/test_libsdformat_lumping.py`` compares with libsdformat 12.
"""
from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from sdf_frames.convert.urdf_to_sdf import Conversion
from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.elements import locate
from sdf_frames.urdf.model import Link


def check_lumping(conversion: Conversion) -> Iterator[Diagnostic]:
    """Report each link that libsdformat refuses after it has lumped links without mass, or without inertia, into it."""
    lumped = {row.name for row in conversion.entries if row.kind == "link" and row.action == "lumped"}
    if not lumped:
        return
    links = {link.name: link for link in conversion.robot.links}
    below: dict[str, list[Link]] = {}
    for joint in sorted(conversion.robot.joints, key=attrgetter("name")):  # as libsdformat does
        if joint.child in lumped:
            below.setdefault(joint.parent, []).append(links[joint.child])
    for name in below:
        if name not in lumped:
            yield from _check_body(links[name], below)


def _check_body(host: Link, below: dict[str, list[Link]]) -> Iterator[Diagnostic]:
    """Check a link, and the links that are lumped into it."""
    order = [host]
    for link in order:
        order += below.get(link.name, ())
    masses: dict[str, float | None] = {}  # of each link with those lumped into it; None without an <inertial>
    empty: dict[str, Link] = {}
    for link in reversed(order):
        total = None if link.inertial is None else link.inertial.mass
        for child in below.get(link.name, ()):
            if (mass := masses[child.name]) is not None:
                total = (total or 0.0) + mass
                if total == 0.0:
                    empty[link.name] = link
        masses[link.name] = total
    points = [link for link in order if link.inertial is not None and link.inertial.mass > 0.0]
    if empty and masses[host.name]:
        *_, first = empty.values()  # the nearest one to the root
        yield diagnose("lumped-inertia-unreadable", locate(first.element), link=first.name,
                       problem="it and the links that are lumped into it have a mass of 0", verdict="refuses",
                       hint="spawn the output of 'sdf_frames convert', or remove <inertial> from links of mass 0")
    elif len(points) > 1 and not any(any(link.inertial.tensor) for link in points if link.inertial is not None):
        yield diagnose("lumped-inertia-unreadable", locate(host.element), link=host.name, verdict="may refuse",
                       problem="it and the links that are lumped into it have an inertia of 0, "
                               "and rounding may make the lumped inertia impossible",
                       hint="spawn the output of 'sdf_frames convert', or give one of the links an inertia")
