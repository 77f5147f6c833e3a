"""Write a URDF with another root: the joints on the way are reversed, and their positions keep their meaning."""
from __future__ import annotations

from collections.abc import Iterator
from html import escape

from sdf_frames.description import Description
from sdf_frames.diagnostics import Diagnostic, Edit, diagnose
from sdf_frames.document.edits import append_sibling, edit_attributes, edit_child, edit_text
from sdf_frames.document.elements import locate
from sdf_frames.document.numbers import write_short
from sdf_frames.sdf.names import WORLD_FRAME, Taken
from sdf_frames.sdf.references import list_frames
from sdf_frames.spatial.pose import invert, rotate, rpy_from_quaternion
from sdf_frames.urdf.model import NO_ORIGIN, Joint, Origin, Robot
from sdf_frames.writers.written import Written, report_unknown

#: Metres from the origin of a link within which an axis passes through it.
_NEAR = 1e-12
_REVERSIBLE = ("fixed", "revolute", "continuous", "prismatic")


def reroot(loaded: Description, name: str) -> Written:
    """Make the link `name` the root of a URDF; every other byte stays as it is.

    All links keep their poses at equal positions of the joints. Parent and child of each joint on the way from the link
    to the old root are exchanged. A joint whose axis does not pass through the origin of its old parent gets a massless
    link as its child; the old parent is fixed to that link.
    """
    robot = loaded.robot
    way = [] if robot is None else find_way(robot, name)
    judged = [*find_refusals(loaded, "re-rooted", name), *_judge(way)]
    if robot is None or judged:
        return Written("urdf", (*loaded.diagnostics, *judged))
    taken = Taken([*[link.name for link in robot.links], *[joint.name for joint in robot.joints]])
    edits = [*[edit for joint in way for edit in _turn(joint, taken)], *_keep_frames(robot, way)]
    return Written("urdf", (*loaded.diagnostics, *_find_sensors(robot, way)),
                   source=loaded.source, edits=tuple(edits))


def find_refusals(loaded: Description, done: str, *names: str) -> Iterator[Diagnostic]:
    """Yield why a description cannot be changed: it is SDFormat, or links of these names do not exist."""
    if loaded.kind == "sdf" and loaded.document is not None:
        yield diagnose("edit-needs-urdf", locate(loaded.document.root), done=done)
    if loaded.robot is not None:
        known = [link.name for link in loaded.robot.links]
        yield from (report_unknown(loaded.file, name, known, "link") for name in names if name not in known)


def find_way(robot: Robot, link: str) -> list[Joint]:
    """Return the joints above a link, from the joint of the link to that of the root."""
    above = {joint.child: joint for joint in robot.joints}
    way = []
    while (joint := above.get(link)) is not None:
        way.append(joint)
        link = joint.parent
    return way


def _judge(way: list[Joint]) -> Iterator[Diagnostic]:
    """Yield why joints cannot be reversed."""
    for joint in way:
        if joint.type not in _REVERSIBLE:
            yield diagnose("joint-not-reversible", locate(joint.element), joint=joint.name, type=joint.type)
        if joint.parent == WORLD_FRAME:
            yield diagnose("world-not-reversible", locate(joint.element), link=joint.child)


def _find_sensors(robot: Robot, way: list[Joint]) -> Iterator[Diagnostic]:
    """Yield a warning for each force-torque sensor of a reversed joint."""
    turned = {joint.name for joint in way}
    for block in robot.gazebo:
        if (name := block.get("reference", "")) in turned:
            yield from (diagnose("reversed-joint-sensor", locate(sensor), joint=name)
                        for sensor in block.iter("sensor") if sensor.get("type") == "force_torque")


def _keep_frames(robot: Robot, way: list[Joint]) -> Iterator[Edit]:
    """Yield edits in ``<gazebo>``: what named the frame of a reversed joint names the joint's old child.

    Both had the same pose, and the frame of the joint becomes that of its new child.
    """
    links = {link.name for link in robot.links}
    children = {joint.name: escape(joint.child) for joint in way if joint.name not in links}
    for element in [element for block in robot.gazebo for element in block.iter("*")]:
        new = {key: children[name] for key, name in list_frames(element).items() if name in children}
        if "" in new:
            yield edit_text(element, new.pop(""))
        if new:
            yield from edit_attributes(element, {key: (key, name) for key, name in new.items()})


def _turn(joint: Joint, taken: Taken) -> Iterator[Edit]:
    """Yield the edits that reverse a joint; new names are added to `taken`.

    The pose of the child in the parent is ``X_PC·M(axis, q)``. So the pose of the parent in the child is
    ``M(-axis, q)·X_CP``. That equals ``X_CP·M(-R_PC axis, q)`` if the joint is prismatic, or if its axis passes through
    the origin of the parent. Otherwise the child of the joint is a new link, and the parent is fixed to that link.
    """
    element, below, origin, axis = joint.element, joint.parent, _invert(joint.origin), joint.axis
    assert element is not None
    if axis is not None and joint.type != "prismatic" and not _is_through_parent(joint):
        below, name = [taken.find_free(f"{joint.parent}_at_{joint.name}", end) for end in ("", "_fixed")]
        yield append_sibling(element, [
            f'<link name="{escape(below)}"/>', f'<joint name="{escape(name)}" type="fixed">'
            f'<origin xyz="{write_short(origin.xyz)}" rpy="{write_short(origin.rpy)}"/>'
            f'<parent link="{escape(below)}"/><child link="{escape(joint.parent)}"/></joint>'])
        origin = NO_ORIGIN
    elif axis is not None:
        axis = rotate(joint.origin.pose()[3:], axis)
    yield from edit_child(element, "parent", {"link": escape(joint.child)})
    yield from edit_child(element, "child", {"link": escape(below)})
    if origin != joint.origin:
        yield from edit_child(element, "origin", {
            "xyz": write_short(origin.xyz), "rpy": write_short(origin.rpy), "quat_xyzw": None})
    if axis is not None:
        x, y, z = axis
        yield from edit_child(element, "axis", {"xyz": write_short((-x, -y, -z))})


def _is_through_parent(joint: Joint) -> bool:
    """Whether the axis of a joint passes through the origin of its parent."""
    (i, j, k), (x, y, z) = rotate(joint.origin.pose()[3:], joint.axis or (0.0, 0.0, 0.0)), joint.origin.xyz
    beside = max(abs(y * k - z * j), abs(z * i - x * k), abs(x * j - y * i))
    return beside <= _NEAR * max(abs(i), abs(j), abs(k))


def _invert(origin: Origin) -> Origin:
    """Return the inverse of an origin; a single angle that is not zero keeps its digits."""
    X = invert(origin.pose())
    roll, pitch, yaw = origin.rpy
    is_single = sum(map(bool, origin.rpy)) <= 1
    return Origin(X[:3], (-roll, -pitch, -yaw) if is_single else rpy_from_quaternion(*X[3:]))
