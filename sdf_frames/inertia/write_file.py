"""Writes computed inertias into the file that was loaded."""
from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sdf_frames.convert.report import Row
from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.document.places import Element, find_number, source_of
from sdf_frames.document.writing import NEW, report_unwritten, write_whole
from sdf_frames.document.xacro import is_xacro
from sdf_frames.inertia.result import GIVEN, InertiaResult, LinkInertia
from sdf_frames.inertia.rewrite import write_inertials
from sdf_frames.inertia.urdf_links import find_converted_names
from sdf_frames.sdf.model import Root, walk_links
from sdf_frames.urdf.model import Robot


class Places(NamedTuple):
    """Where inertias belong.

    Attributes
    ----------
    wanted : the inertias to write into a document, by the number of the link's start tag.
    elsewhere : names of links that are in other files.
    """

    wanted: dict[int, LinkInertia]
    elsewhere: list[str]


def write_file(file: str, text: bytes, places: Places) -> tuple[Diagnostic, ...]:
    """Write computed inertias into the file they came from, whose text was loaded; nothing else in it changes.

    Returns
    -------
    Findings on links that cannot be written, or on a file that cannot be written.
    """
    here = Location(file)
    if not any(places):
        return ()
    if is_xacro(file):
        return (diagnose("inertia-not-written", here, problem="the file is a xacro file; expand it, and write into the "
                         "result"),)
    try:
        if (new := write_inertials(text, places.wanted)) != text:
            write_whole(file, new, NEW, replaces=text)
    except OSError as error:
        return (report_unwritten(file, error),)
    except ValueError as error:
        return (diagnose("inertia-not-written", here, problem=str(error)),)
    if places.elsewhere:
        return (diagnose("inertia-not-written", here, problem="these links are not written in this file itself: "
                         + ", ".join(places.elsewhere[:8])),)
    return ()


def find_robot_places(robot: Robot, report: Iterable[Row], result: InertiaResult) -> Places:
    """Where the inertias of a URDF's links belong: those of
    :func:`sdf_frames.inertia.urdf_links.compute_urdf_links`."""
    names = find_converted_names(report)
    computed = _index_computed(result)
    return _place([(link.element, computed.get((0, names.get(link.name, link.name)))) for link in robot.links],
                  robot.element)


def find_places(root: Root, result: InertiaResult) -> Places:
    """Where the inertias of an SDFormat document belong. Declared ones, and those that no body has, are left out."""
    computed = _index_computed(result)
    return _place([(link.element, computed.get((scope, prefix + link.name)))
                   for scope, prefix, link in walk_links(root)], root.element)


def _place(links: Iterable[tuple[Element | None, LinkInertia | None]], root: Element | None) -> Places:
    """Where links and their inertias are in the document of `root`; of links of one name, the first counts."""
    places = Places({}, [])
    done: set[int] = set()
    for element, inertia in links:
        if inertia is None or id(inertia) in done:
            continue
        done.add(id(inertia))
        if element is not None and root is not None and source_of(element) is source_of(root) and (
                number := find_number(element)) is not None:
            places.wanted[number] = inertia
        else:
            places.elsewhere.append(inertia.name)
    return places


def _index_computed(result: InertiaResult) -> dict[tuple[int, str], LinkInertia]:
    return {(x.scope, x.name): x for x in result.links if x.method not in GIVEN and x.physical}
