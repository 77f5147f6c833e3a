"""Finds what several programs other than Gazebo refuse or misread in a URDF.

What each program refuses was found by trial: ``test/peers/test_consumer_programs.py`` runs the programs.
"""
from __future__ import annotations

from collections.abc import Iterator

from sdf_frames.diagnostics import ANOTHER, SAME_FILE, Diagnostic, Location, diagnose, relate, times_of
from sdf_frames.document.elements import Element, locate
from sdf_frames.document.uri_hints import explain, find_slashed
from sdf_frames.document.uris import Resolver
from sdf_frames.sdf.names import WORLD_FRAME
from sdf_frames.urdf.model import Mesh, Robot, child_of, shape_of
from sdf_frames.urdf.versions import is_too_new

#: The rule that reports a missing file, by the element that names the file.
MISSING = {"collision": "collision-file-missing", "visual": "visual-file-missing"}


def check_files(robot: Robot, resolver: Resolver, *_: object) -> Iterator[Diagnostic]:
    """Report each missing mesh and texture, once for collisions and once for visuals."""
    places: dict[tuple[str, str], list[Location]] = {}
    for kind, uri, element in list_files(robot):
        places.setdefault((kind, uri), []).append(locate(element, "filename"))
    for (kind, uri), (first, *others) in places.items():
        if resolver.find_file(uri, robot.file) is None:
            rule = "file-with-backslashes" if find_slashed(uri, robot.file, resolver) else MISSING[kind]
            yield diagnose(rule, first, uri=uri, kind=kind, hint=explain(uri, robot.file, resolver),
                           related=[relate(SAME_FILE, at) for at in dict.fromkeys(others)])


def list_files(robot: Robot) -> Iterator[tuple[str, str, Element]]:
    """Yield each file that a robot names: ``collision`` or ``visual``, the URI, and its element."""
    for link in robot.links:
        for kind, parts in (("collision", link.collisions), ("visual", link.visuals)):
            for part in parts:
                if isinstance(part.geometry, Mesh) and (element := shape_of(part)) is not None:
                    yield kind, part.geometry.filename, element
    shown = [*robot.materials, *(visual.material for link in robot.links for visual in link.visuals)]
    for material in shown:
        if material is not None and material.texture and (texture := child_of(material, "texture")) is not None:
            yield "visual", material.texture, texture


def check_rotations(robot: Robot, *_: object) -> Iterator[Diagnostic]:
    """Report once that the file has quaternions, which programs for URDF 1.0 ignore."""
    origins = [] if robot.element is None else [*robot.element.iter("origin")]
    places = [locate(origin, "quat_xyzw") for origin in origins
              if "quat_xyzw" in origin.attrib and not is_too_new(origin, "@quat_xyzw")]
    if places:
        yield diagnose("quaternion-passed-over", places[0], times=times_of(len(places)),
                       related=[relate(ANOTHER, at) for at in places[1:]])


def check_world(robot: Robot, *_: object) -> Iterator[Diagnostic]:
    """Report a link ``world`` that is not the root."""
    above = {joint.child: joint.name for joint in robot.joints}
    for link in robot.links:
        if link.name == WORLD_FRAME and link.name in above:
            yield diagnose("world-below-link", locate(link.element), joint=above[link.name])
