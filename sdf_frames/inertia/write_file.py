"""Writes computed inertias into the file that was loaded."""
from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sdf_frames.convert.report import Row
from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.document.door import UNCONFINED
from sdf_frames.document.writing import IN_PLACE, report_unwritten, write_whole
from sdf_frames.document.xacro import is_xacro
from sdf_frames.inertia.result import GIVEN, InertiaResult, LinkInertia
from sdf_frames.inertia.rewrite import Key, find_key, write_inertials
from sdf_frames.inertia.urdf_links import find_converted_names
from sdf_frames.sdf.model import Root, walk_links
from sdf_frames.urdf.model import Robot

_ALL = 1 << 50


class Places(NamedTuple):
    """The inertias to write into a document, by the key of the link, and names of links that are in other files."""

    wanted: dict[Key, LinkInertia]
    elsewhere: list[str]


def write_file(file: str, places: Places) -> tuple[Diagnostic, ...]:
    """Write computed inertias into the file they came from; nothing else in it changes.

    Returns
    -------
    Findings on links that cannot be written, or on a file that cannot be written.
    """
    here = Location(file)
    wanted, elsewhere = places.wanted, list(places.elsewhere)
    if not wanted and not elsewhere:
        return ()
    if is_xacro(file):
        return (diagnose("inertia-not-written", here, problem="the file is a xacro file; expand it, and write into the "
                         "result"),)
    try:
        text = UNCONFINED.read(file, _ALL)
        new, written = write_inertials(text, wanted)
        elsewhere += [x.name for key, x in wanted.items() if key not in written]
        if new != text:
            write_whole(file, new, IN_PLACE)
    except OSError as error:
        return (report_unwritten(file, error),)
    except ValueError as error:
        return (diagnose("inertia-not-written", here, problem=str(error)),)
    if elsewhere:
        return (diagnose("inertia-not-written", here, problem="these links are not written in this file itself: "
                         + ", ".join(elsewhere[:8])),)
    return ()


def find_robot_places(robot: Robot, report: Iterable[Row], result: InertiaResult) -> Places:
    """Where the inertias of a URDF's links belong: those of
    :func:`sdf_frames.inertia.urdf_links.compute_urdf_links`."""
    names = {new: old for old, new in find_converted_names(report).items()}
    return Places({(("robot", robot.name), ("link", names.get(x.name, x.name))): x
                   for x in _index_computed(result).values()}, [])


def find_places(root: Root, result: InertiaResult) -> Places:
    """Where the inertias of an SDFormat document belong. Declared ones, and those that no body has, are left out."""
    computed = _index_computed(result)
    wanted: dict[Key, LinkInertia] = {}
    elsewhere = []
    for scope, prefix, link in walk_links(root):
        inertia = computed.get((scope, prefix + link.name))
        if inertia is None:
            continue
        if link.element.getroottree().getroot() is root.element:
            wanted[find_key(link.element)] = inertia
        else:
            elsewhere.append(inertia.name)
    return Places(wanted, elsewhere)


def _index_computed(result: InertiaResult) -> dict[tuple[int, str], LinkInertia]:
    return {(x.scope, x.name): x for x in result.links if x.method not in GIVEN and x.physical}
