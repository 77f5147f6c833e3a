"""Frames of an SDF that represent links and joints of a URDF, which lumping or a lack of mass turned into frames.

A lumped link is a pair of frames: its joint, attached to the parent link, and the link itself, attached to the joint
and in the same place. libsdformat leaves the same pairs. A massless link that is not lumped is a pair, too, with the
joint attached to the link. What frames cannot express is in attributes
(:mod:`~sdf_frames.convert.round_trip_attributes`).
"""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from sdf_frames.convert.round_trip_attributes import AXIS, NAME, ORIGIN, PARENT, TYPE, attribute
from sdf_frames.document.elements import Element
from sdf_frames.document.numbers import copy_numbers, read_numbers
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.mechanism import read_limits
from sdf_frames.sdf.model import Frame, Joint
from sdf_frames.spatial.pose import IDENTITY, Pose, Vector, compose, invert, pose_from_rpy
from sdf_frames.urdf.model import Origin

_NEAR = 1e-9


class Pair(NamedTuple):
    """How a frame that represents a link is joined to the model; each field is a vertex.

    Attributes
    ----------
    joint : the frame that represents the fixed joint above the link.
    parent : the parent link of that joint, or the frame that represents it.
    posed : the frame of the two that has the pose.
    """

    joint: int
    parent: int
    posed: int


def find_pairs(graph: FrameGraph) -> dict[int, Pair]:
    """Find the frames that represent links, by vertex; none of them represents a joint too."""
    frames: dict[int, list[int]] = {}  # by what they are attached to
    for i, entity in enumerate(graph.entities):
        if isinstance(entity, Frame) and not entity.proxy:
            frames.setdefault(graph.attached[i], []).append(i)
    used = _list_users(graph)
    pairs: dict[int, Pair] = {}
    todo = [i for i, kind in enumerate(graph.kinds) if kind == "link" and i in frames]
    # From the links down: in a row of frames that all are in one place, the first is a joint, the second a link.
    for parent in todo:
        for i in frames.get(parent, ()):
            link, pair = _find_pair(graph, parent, i, frames.get(i, []), used)
            if pair is not None:
                pairs[link] = pair
                todo.append(link)
    return pairs


def _find_pair(graph: FrameGraph, parent: int, i: int, upon: list[int],
               used: Mapping[int | None, set[int]]) -> tuple[int, Pair | None]:
    """Return which frame of a pair is the link, and the pair; frame `i` of the pair is attached to `parent`."""
    relative, raw = graph.relative, graph.raw
    for k in upon if relative[i] == parent else ():
        if used[i] == {k} and relative[k] == i and raw[k] == IDENTITY:
            return k, Pair(i, parent, i)
        if not used[k] and relative[k] == parent and raw[k] == raw[i]:
            return i, Pair(k, parent, i)
    return i, None


def _list_users(graph: FrameGraph) -> Mapping[int | None, set[int]]:
    """Return, for each vertex, the vertices that refer to it."""
    used: defaultdict[int | None, set[int]] = defaultdict(set)
    for edges in (graph.attached, graph.relative):
        for i, target in enumerate(edges):
            used[target].add(i)
    for vertex, prefix in graph.joints:
        used[graph.find(prefix, graph.joint(vertex).parent)].add(vertex)
    return used


def find_joint_name(graph: FrameGraph, i: int) -> str | None:
    """Return the name in the URDF of the joint at a vertex, or that the frame there represents; None if unknown.

    The name has the prefix of the vertex's scope.
    """
    entity = graph.entities[i]
    if not isinstance(entity, (Joint, Frame)) or not (name := entity.element.get(attribute(NAME))):
        return None
    # A later change of the name in the SDF has precedence.
    return graph.prefix(i) + name if entity.name.startswith(name) else None


class FreeJoint(NamedTuple):
    """A floating or planar joint of the URDF: the vertex of the frame that represents it, its type and its axis."""

    vertex: int
    type: str
    axis: Vector | None


def find_free_joints(graph: FrameGraph) -> dict[int, FreeJoint]:
    """Find frames that represent floating and planar joints, by the vertex of the link that the joint moves."""
    found = {}
    for i, entity in enumerate(graph.entities):
        if not isinstance(entity, Frame) or (kind := entity.element.get(attribute(TYPE))) not in ("floating", "planar"):
            continue
        child = graph.attached[i]
        if child >= 0 and graph.kinds[child] == "link":
            # A planar joint without an axis has URDF's default.
            x, y, z = _read(entity.element, AXIS, 3) or (1.0, 0.0, 0.0)
            found[child] = FreeJoint(i, kind, None if kind == "floating" else (x, y, z))
    return found


def is_locked(joint: Joint) -> bool:
    """Return whether a joint is a fixed one of the URDF that ``<disableFixedJointLumping>`` made revolute."""
    if joint.element.get(attribute(TYPE)) != "fixed" or joint.type != "revolute" or not joint.axes:
        return False
    limits = read_limits(joint.axes[0])
    return limits.lower == limits.upper == 0.0


def find_parent_link(graph: FrameGraph, pairs: dict[int, Pair], vertex: int, prefix: str,
                     parent: int) -> tuple[int, Origin | None]:
    """Return the parent link of a joint in the URDF, and the joint's origin there if an attribute states it.

    The parent link is a link that became a frame, if an attribute or the joint itself names one that is fixed to
    `parent`; else `parent`. The origin is None if the joint has been moved since.

    Parameters
    ----------
    vertex : the joint, or the frame that represents the joint or its link.
    prefix : prefix of the names in its scope.
    parent : vertex of the SDF's link that the joint is attached to.
    """
    entity = graph.entities[vertex]
    at, origin = find_marked_link(graph, pairs, entity.element, prefix, parent, graph.poses[vertex])
    if at is not None:
        return at, origin
    assert isinstance(entity, (Joint, Frame))
    named = graph.find(prefix, entity.parent if isinstance(entity, Joint) else entity.pose.relative_to)
    return (parent if named is None or named not in pairs else named), None


def find_marked_link(graph: FrameGraph, pairs: Mapping[int, Pair], element: Element, prefix: str, body: int,
                     X: Pose | None) -> tuple[int | None, Origin | None]:
    """Return the link that became a frame to which an attribute gives a joint or shape, and its origin there.

    Parameters
    ----------
    prefix : prefix of the names in its scope.
    body : vertex of the SDF's link that carries it; the link is None if the frame moves with another.
    X : its pose; the origin is None if an attribute states another one, or none.
    """
    at = graph.find(prefix, element.get(attribute(PARENT)) or "")
    if at is None or at not in pairs or graph.bodies[at] != graph.bodies[body]:
        return None, None
    return at, _read_origin(element, graph.poses[at], X)


def _read_origin(element: Element, X_SL: Pose | None, X_SJ: Pose | None) -> Origin | None:
    """Return the origin in a link as an attribute states it; None if the joint or shape has been moved."""
    origin = _read(element, ORIGIN, 6)
    if origin is None or X_SL is None or X_SJ is None or not _is_near(compose(X_SL, pose_from_rpy(*origin)), X_SJ):
        return None
    x, y, z, roll, pitch, yaw = origin
    return Origin((x, y, z), (roll, pitch, yaw))


def _read(element: Element, name: str, count: int) -> tuple[float, ...] | None:
    """Return the numbers of an attribute, as they are written; None if it does not hold `count` numbers."""
    text = element.get(attribute(name)) or ""
    values = read_numbers(text, count)
    return None if values is None else copy_numbers(text, values)


def _is_near(X: Pose, Y: Pose) -> bool:
    """Return whether two poses are the same, except for rounding."""
    x, y, z, w, i, j, k = compose(invert(X), Y)
    return max(map(abs, (x, y, z, i, j, k))) <= _NEAR * max(1.0, *map(abs, X[:3]))
