"""Write a URDF with another root: the joints on the way are turned round, and their values keep their meaning."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from itertools import chain, count
from typing import NamedTuple

from sdf_frames.description import Description
from sdf_frames.diagnostics import Diagnostic, Edit, diagnose, has_errors, suggest_name
from sdf_frames.document.edits import append_sibling, edit_attributes
from sdf_frames.document.elements import find_child, locate
from sdf_frames.document.numbers import write_numbers
from sdf_frames.spatial.pose import Vector, invert, rotate, rpy_from_quaternion
from sdf_frames.urdf.model import NO_ORIGIN, Joint, Origin, Robot, child_of
from sdf_frames.writers.written import Written

#: Decimals that computed numbers are written with: what is beyond them is rounding, as that of turns by right angles.
_DECIMALS = 15
#: Metres from the origin of a link within which an axis passes through it.
_NEAR = 1e-12
_REVERSIBLE = ("fixed", "revolute", "continuous", "prismatic")
_WORLD = "world"


class _Turned(NamedTuple):
    """A joint whose parent and child are exchanged.

    Attributes
    ----------
    origin : of the joint, in its new parent, the old child.
    axis : in the joint's frame, or None.
    below : the old parent in the joint's frame, if that is the frame of a link between them; or None.
    """

    origin: Origin
    axis: Vector | None = None
    below: Origin | None = None


def reroot(loaded: Description, name: str) -> Written:
    """Make a link the root of a URDF; what is not concerned stays as it is, to the byte.

    All links keep their poses at equal positions of the joints. Parent and child of each joint on the way from the link
    to the old root are exchanged. A joint whose axis passes beside the frame of its old parent gets a massless link as
    its child, to which the old parent is fixed.

    Parameters
    ----------
    loaded : a URDF.
    name : of the link.
    """
    robot, source, found = loaded.robot, loaded.source, loaded.diagnostics
    if loaded.kind == "sdf" and loaded.document is not None:
        return Written("urdf", (*found, diagnose("reroot-needs-urdf", locate(loaded.document.root), link=name)))
    if robot is None or source is None:
        return Written("urdf", found)
    way = find_way(robot, name)
    judged = [*find_unknown(robot, [name]), *_judge(way)]
    if has_errors(judged):
        return Written("urdf", (*found, *judged))
    taken = {link.name for link in robot.links} | {joint.name for joint in robot.joints}
    edits = [edit for joint in way for edit in _edit_joint(joint, taken)]
    return Written("urdf", (*found, *judged, *_find_sensors(robot, way)), source=source, edits=tuple(edits))


def find_way(robot: Robot, link: str) -> list[Joint]:
    """Return the joints above a link, from the lowest to that of the root."""
    above = {joint.child: joint for joint in robot.joints}
    way = []
    while (joint := above.get(link)) is not None:
        way.append(joint)
        link = joint.parent
    return way


def find_unknown(robot: Robot, names: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield an error for each name that no link has."""
    known = [link.name for link in robot.links]
    for name in names:
        if name not in known:
            yield diagnose("edited-link-unknown", locate(robot.element), link=name, hint=suggest_name(name, known))


def _judge(way: list[Joint]) -> Iterator[Diagnostic]:
    """Yield why joints cannot be turned round."""
    for joint in way:
        if joint.type not in _REVERSIBLE:
            yield diagnose("joint-not-reversible", locate(joint.element), joint=joint.name, type=joint.type)
        if joint.parent == _WORLD:
            yield diagnose("world-not-reversible", locate(joint.element), joint=joint.name, link=joint.child)


def _find_sensors(robot: Robot, way: list[Joint]) -> Iterator[Diagnostic]:
    """Yield a warning for each force-torque sensor of a joint that is turned round."""
    turned = {joint.name for joint in way}
    for block in robot.gazebo:
        if (name := block.get("reference", "")) in turned:
            yield from (diagnose("reversed-joint-sensor", locate(sensor), joint=name)
                        for sensor in block.iter("sensor") if sensor.get("type") == "force_torque")


def _turn(joint: Joint) -> _Turned:
    """Turn a joint round.

    The child is at ``X_PC·M(axis, q)`` in the parent. So the parent is at ``M(-axis, q)·X_CP`` in the child. That is
    ``X_CP·M(-R_PC axis, q)`` if the joint slides, or turns about a line through the origin of the parent.
    """
    back, axis = _invert(joint.origin), joint.axis
    if axis is None:
        return _Turned(back)
    (i, j, k), (x, y, z) = rotate(joint.origin.pose()[3:], axis), joint.origin.xyz
    beside = max(abs(y * k - z * j), abs(z * i - x * k), abs(x * j - y * i))
    if joint.type == "prismatic" or beside <= _NEAR * max(abs(i), abs(j), abs(k)):
        return _Turned(back, _round((-i, -j, -k)))
    return _Turned(NO_ORIGIN, (-axis[0], -axis[1], -axis[2]), back)


def _invert(origin: Origin) -> Origin:
    """Return the inverse of an origin, with an angle as it was written if it is the only one."""
    X = invert(origin.pose())
    roll, pitch, yaw = origin.rpy
    is_single = sum(map(bool, origin.rpy)) <= 1
    return Origin(_round(X[:3]), (-roll, -pitch, -yaw) if is_single else _round(rpy_from_quaternion(*X[3:])))


def _edit_joint(joint: Joint, taken: set[str]) -> Iterator[Edit]:
    """Yield the edits that turn a joint round; the names that they add come to those that are `taken`."""
    element, parent, child = joint.element, child_of(joint, "parent"), child_of(joint, "child")
    assert element is not None and parent is not None and child is not None
    turned, below = _turn(joint), joint.parent
    if turned.below is not None:
        below = _choose_name(f"{joint.parent}_at_{joint.name}", taken)
        yield append_sibling(element, _write_between(below, turned.below, joint.parent, taken))
    yield from edit_attributes(parent, {"link": ("link", escape(joint.child))})
    yield from edit_attributes(child, {"link": ("link", escape(below))})
    values = {}
    if turned.origin != joint.origin:
        values["origin"] = _write_origin(turned.origin)
    if turned.axis is not None:
        values["axis"] = {"xyz": write_numbers(turned.axis)}
    added = []
    for tag, attributes in values.items():
        if (part := find_child(element, tag)) is None:
            added.append(_write_element(tag, attributes))
        else:
            changes = {name: (name, value) for name, value in attributes.items()}
            yield from edit_attributes(part, {"quat_xyzw": None, **changes})
    if added:
        yield append_sibling(child, added)


def _write_between(link: str, origin: Origin, below: str, taken: set[str]) -> list[str]:
    """Write a massless link, and the joint that fixes the link `below` to it."""
    name = _choose_name(f"{link}_fixed", taken)
    ends = [_write_element(tag, {"link": escape(end)}) for tag, end in (("parent", link), ("child", below))]
    return [_write_element("link", {"name": escape(link)}),
            f'<joint name="{escape(name)}" type="fixed">{_write_element("origin", _write_origin(origin))}'
            f'{"".join(ends)}</joint>']


def _write_element(tag: str, attributes: Mapping[str, str]) -> str:
    words = [f' {name}="{value}"' for name, value in attributes.items()]
    return f"<{tag}{''.join(words)}/>"


def _write_origin(origin: Origin) -> dict[str, str]:
    return {"xyz": write_numbers(origin.xyz), "rpy": write_numbers(origin.rpy)}


def _round(values: Vector) -> Vector:
    x, y, z = (round(value, _DECIMALS) for value in values)
    return x, y, z


def _choose_name(name: str, taken: set[str]) -> str:
    """Return the name, with a number if it is taken, and take it."""
    chosen = next(free for free in chain([name], (f"{name}_{n}" for n in count(2))) if free not in taken)
    taken.add(chosen)
    return chosen
