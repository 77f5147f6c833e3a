"""Write a part of a URDF as a separate robot: a link with all links below, or the chain to a link below."""
from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sdf_frames.description import Description
from sdf_frames.diagnostics import Diagnostic, Edit, diagnose
from sdf_frames.document.edits import append_sibling, edit_out, read_written
from sdf_frames.document.elements import Element, locate, tag_of
from sdf_frames.sdf.references import find_named
from sdf_frames.urdf.model import Joint, Link, Robot
from sdf_frames.writers.rerooted import find_refusals, find_way
from sdf_frames.writers.written import Written


class _Part(NamedTuple):
    """The remaining links and joints, their elements, all names that no longer exist, and those of removed joints."""

    links: list[Link]
    joints: list[Joint]
    elements: set[Element | None]
    gone: set[str]
    gone_joints: set[str]


def cut(loaded: Description, start: str, end: str | None = None) -> Written:
    """Cut a part out of a URDF; every other byte stays as it is.

    The ``<gazebo>`` elements, transmissions and ``<ros2_control>`` joints of removed links and joints are removed, too.
    `start` and `end` are those of :meth:`sdf_frames.RobotDescription.cut`.
    """
    robot = loaded.robot
    judged = [*find_refusals(loaded, "cut", *filter(None, (start, end)))]
    if robot is None or robot.element is None or judged:
        return Written("urdf", (*loaded.diagnostics, *judged))
    part = _choose(robot, start, end)
    if judged := list(_judge(robot, part, start, end)):
        return Written("urdf", (*loaded.diagnostics, *judged))
    removed = list(_list_removed(robot, part))
    found = (*loaded.diagnostics, *_find_named(robot.element, part, removed))
    return Written("urdf", found, source=loaded.source, edits=(*map(edit_out, removed), *_keep_materials(part)))


def _choose(robot: Robot, start: str, end: str | None) -> _Part:
    """Choose the remaining links and joints."""
    if end is not None:
        joints = find_way(robot, end)
        parents = [joint.parent for joint in joints]
        joints = joints[:parents.index(start) + 1] if start in parents else []
    else:
        below = dict[str, list[Joint]]()
        for joint in robot.joints:
            below.setdefault(joint.parent, []).append(joint)
        joints = [*below.get(start, ())]
        for joint in joints:  # the list grows
            joints += below.get(joint.child, ())
    names, kept = {start, *[joint.child for joint in joints]}, {joint.name for joint in joints}
    gone_joints = {joint.name for joint in robot.joints} - kept
    gone = gone_joints.union(link.name for link in robot.links) - names - kept
    links = [link for link in robot.links if link.name in names]
    joints = [joint for joint in robot.joints if joint.name in kept]
    elements = {*[link.element for link in links], *[joint.element for joint in joints]}
    return _Part(links, joints, elements, gone, gone_joints)


def _judge(robot: Robot, part: _Part, start: str, end: str | None) -> Iterator[Diagnostic]:
    """Yield why a part cannot be cut out."""
    if end not in (None, start) and not part.joints:
        yield diagnose("cut-not-below", locate(robot.element), link=end, start=start)
    for joint in part.joints:
        if joint.mimic is not None and joint.mimic.joint in part.gone_joints:
            yield diagnose("cut-mimic-leader", locate(joint.mimic.element), joint=joint.name, leader=joint.mimic.joint)


def _list_removed(robot: Robot, part: _Part) -> Iterator[Element]:
    """Yield the elements to remove; none of them is in another."""
    assert robot.element is not None
    yield from (block for block in robot.element.iterchildren("link", "joint") if block not in part.elements)
    yield from (block for block in robot.gazebo if block.get("reference") in part.gone)
    yield from (block for block in robot.transmissions if _names_gone(block, part))
    for block in robot.ros2_control:
        joints = list(block.iterchildren("joint"))
        gone = [joint for joint in joints if (joint.get("name") or "").strip() in part.gone_joints]
        if joints and len(gone) == len(joints):
            yield block
        else:
            yield from gone
            yield from (way for way in block.iterchildren("transmission") if _names_gone(way, part))


def _names_gone(block: Element, part: _Part) -> bool:
    """Return whether a transmission has a removed joint, also in an element such as ``<gap_joint>``."""
    return any("joint" in tag_of(joint).lower() and (joint.get("name") or "").strip() in part.gone_joints
               for joint in block.iter("*"))


def _keep_materials(part: _Part) -> Iterator[Edit]:
    """Yield the edit that adds the materials that removed visuals define and remaining visuals use."""
    lost = dict[str, Element]()
    for material in [visual.material for link in part.links for visual in link.visuals]:
        if material is not None and material.element is not None:
            around = next(material.element.iterancestors("link"), None)
            if around is not None and around not in part.elements:
                lost[material.name] = material.element
    if lost and part.links[0].element is not None:
        yield append_sibling(part.links[0].element, map(read_written, lost.values()))


def _find_named(robot: Element, part: _Part, removed: list[Element]) -> Iterator[Diagnostic]:
    """Yield a warning for each remaining element of the robot that refers to a removed part."""
    apart = part.elements | {inside for element in removed for inside in element.iter("*")}
    for block, names in find_named(robot, part.gone, apart):
        yield diagnose("cut-still-named", locate(block), tag=tag_of(block), names=names)
