"""Which frames of an SDF stand for links and joints of a URDF: what is left of them by lumping and by a lack of mass.

A lumped link is a pair of frames: its joint, attached to the parent link, and the link itself, attached to the joint
and in the same place. libsdformat leaves the same pairs. A massless link that is not lumped is a pair, too, with the
joint attached to the link. What the frames cannot tell is in the record (:mod:`~sdf_frames.convert.record`).
"""
from __future__ import annotations

from typing import NamedTuple

from sdf_frames.convert.record import AXIS, NAME, ORIGIN, PARENT, TYPE, attribute
from sdf_frames.document.numbers import copy_numbers, read_numbers
from sdf_frames.document.xml_in import Element
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.sdf.model import Frame, Joint
from sdf_frames.spatial.pose import IDENTITY, Pose, Vector, compose, invert, pose_from_rpy
from sdf_frames.urdf.model import Origin

_NEAR = 1e-9


class Pair(NamedTuple):
    """What holds a frame that stands for a link, as vertices.

    Attributes
    ----------
    joint : the frame that stands for its fixed joint.
    parent : the link, or the frame that stands for a link, which that joint hangs on.
    posed : the one of the two frames that has the pose.
    """

    joint: int
    parent: int
    posed: int


def find_pairs(graph: FrameGraph) -> dict[int, Pair]:
    """Find the frames that stand for links, by vertex; none is the joint of another."""
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
               used: list[set[int]]) -> tuple[int, Pair | None]:
    """The pair that frame `i`, which is attached to `parent`, is part of, and which of the two frames is the link."""
    relative, raw = graph.relative, graph.raw
    for k in upon if relative[i] == parent else ():
        if used[i] == {k} and relative[k] == i and raw[k] == IDENTITY:
            return k, Pair(i, parent, i)
        if not used[k] and relative[k] == parent and raw[k] == raw[i]:
            return i, Pair(k, parent, i)
    return i, None


def _list_users(graph: FrameGraph) -> list[set[int]]:
    """By vertex, the vertices that refer to it."""
    used: list[set[int]] = [set() for _ in graph.names]
    for edges in (graph.attached, graph.relative):
        for i, target in enumerate(edges):
            if target >= 0:
                used[target].add(i)
    for vertex, prefix in graph.joints:
        if (parent := graph.find(prefix, graph.joint(vertex).parent)) is not None:
            used[parent].add(vertex)
    return used


def find_joint_name(graph: FrameGraph, i: int) -> str | None:
    """The recorded name of the joint at a vertex or that the frame there stands for, scoped as the vertex's own."""
    entity = graph.entities[i]
    if not isinstance(entity, (Joint, Frame)) or not (name := entity.element.get(attribute(NAME))):
        return None
    # A name that somebody has given since counts.
    return graph.prefix(i) + name if entity.name.startswith(name) else None


class FreeJoint(NamedTuple):
    """A joint that SDFormat does not have: the frame that stands for it (a vertex), its type and its axis."""

    vertex: int
    type: str
    axis: Vector | None


def find_free_joints(graph: FrameGraph) -> dict[int, FreeJoint]:
    """Find the recorded floating and planar joints, by the vertex of the link that they move."""
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


def find_parent_link(graph: FrameGraph, pairs: dict[int, Pair], vertex: int, prefix: str,
                     parent: int) -> tuple[int, Origin | None]:
    """The link that the joint at a vertex hangs on in the URDF, and the recorded origin there if it still holds.

    A link that the SDF has as a frame only, if the record or the joint itself names one that `parent` carries; else
    `parent`.

    Parameters
    ----------
    vertex : of the joint, or of the frame that stands for it or for its link.
    prefix : of the names in its scope.
    parent : the vertex of the link that carries it.
    """
    entity = graph.entities[vertex]
    at = graph.find(prefix, entity.element.get(attribute(PARENT)) or "")
    if at is not None and at in pairs and graph.bodies[at] == graph.bodies[parent]:
        return at, _read_origin(entity.element, graph.poses[at], graph.poses[vertex])
    assert isinstance(entity, (Joint, Frame))
    named = graph.find(prefix, entity.parent if isinstance(entity, Joint) else entity.pose.relative_to)
    return (parent if named is None or named not in pairs else named), None


def _read_origin(element: Element, X_SP: Pose | None, X_SJ: Pose | None) -> Origin | None:
    """The recorded origin of a joint in its parent, if the joint is still there."""
    origin = _read(element, ORIGIN, 6)
    if origin is None or X_SP is None or X_SJ is None or not _is_near(compose(X_SP, pose_from_rpy(*origin)), X_SJ):
        return None
    x, y, z, roll, pitch, yaw = origin
    return Origin((x, y, z), (roll, pitch, yaw))


def _read(element: Element, name: str, count: int) -> tuple[float, ...] | None:
    """The numbers of an attribute of the record as they are written there; None if there are no such."""
    text = element.get(attribute(name)) or ""
    values = read_numbers(text, count)
    return None if values is None else copy_numbers(text, values)


def _is_near(X: Pose, Y: Pose) -> bool:
    """Whether two poses are the same, but for rounding."""
    x, y, z, w, i, j, k = compose(invert(X), Y)
    return max(map(abs, (x, y, z, i, j, k))) <= _NEAR * max(1.0, *map(abs, X[:3]))
