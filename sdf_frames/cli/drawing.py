"""Builds the vertices and edges that 'graph' draws; broken references and cycles are marked."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sdf_frames.description import Description
from sdf_frames.document.numbers import format_number
from sdf_frames.frames.forest import find_cycles
from sdf_frames.frames.graph import BROKEN, FrameGraph
from sdf_frames.frames.mechanism import read_limits, type_as_written
from sdf_frames.frames.resolve import Scope
from sdf_frames.frames.tf_tree import find_link_parents
from sdf_frames.sdf.model import Frame, Joint, World
from sdf_frames.sdf.names import WORLD_FRAME
from sdf_frames.urdf import model as urdf
from sdf_frames.urdf.model import JOINT_TYPES

MISSING = "missing"
#: Fill colours by kind of vertex, which also differ in lightness, and the colour of broken parts.
FILLS = {"world": "#b8b8b8", "model": "#d9d2e9", "link": "#9fc5e8", "joint": "#ffe599", "frame": "#ffffff",
         MISSING: "#ffffff"}
RED = "#cc0000"
#: A limit of this size or more means that there is no limit.
_FARTHEST = 1e15


class Vertex(NamedTuple):
    """A label, the kind of the frame or `MISSING`, and whether the vertex is broken or in a cycle."""

    label: str
    kind: str
    broken: bool = False


class Edge(NamedTuple):
    """An edge between two vertices, by number; `rigid` edges are drawn dashed."""

    tail: int
    head: int
    label: str = ""
    rigid: bool = False
    broken: bool = False


class Drawing(NamedTuple):
    """Vertices and edges."""

    vertices: list[Vertex]
    edges: list[Edge]


def draw_frame_graph(graph: FrameGraph, kind: str) -> Drawing:
    """Build one of the two frame graphs: ``frame`` (from a frame to the part that it is attached to), or ``pose`` (from
    the frame that a pose is relative to). A missing name is a separate vertex."""
    references = graph.attached if kind == "frame" else graph.relative
    cyclic = {member for cycle in find_cycles(references) for member in cycle}
    vertices = [Vertex(f"{name} ({i})", graph.kinds[i], i in cyclic) for i, name in enumerate(graph.names)]
    edges = []
    for i, target in enumerate(references):
        if target == BROKEN:
            target = len(vertices)
            vertices.append(Vertex(_find_reference(graph, i, kind), MISSING, True))
        if target >= 0:
            ends = (i, target) if kind == "frame" else (target, i)
            edges.append(Edge(*ends, broken=vertices[target].kind == MISSING or (i in cyclic and target in cyclic)))
    return Drawing(vertices, edges)


def _find_reference(graph: FrameGraph, vertex: int, kind: str) -> str:
    """Return the name that a vertex refers to, as written."""
    entity = graph.entities[vertex]
    if kind == "pose" and not isinstance(entity, World) and entity.pose.relative_to:
        return entity.pose.relative_to
    if isinstance(entity, Frame):
        return entity.attached_to
    if isinstance(entity, Joint):
        return entity.child
    return getattr(entity, "canonical_link", "") or "?"


def draw_robot(robot: urdf.Robot) -> Drawing:
    """Build the graph of a URDF's own links as vertices, and joints as edges with type and limits, without lumping."""
    numbers = {link.name: i for i, link in enumerate(robot.links)}
    edges = [Edge(numbers[joint.parent], numbers[joint.child], f"{joint.name}\n{_describe_robot_joint(joint)}",
                  joint.type == "fixed") for joint in robot.joints]
    return Drawing([Vertex(name, "link") for name in numbers], edges)


def draw_kinematic(scope: Scope) -> Drawing:
    """Build the graph of links as vertices, and joints as edges with type and limits; missing ends are vertices."""
    graph = scope.graph
    vertices = {frame.name: Vertex(frame.name, "link") for frame in scope.frames if frame.kind == "link"}
    for row in scope.joints:
        for name in (row.parent, row.child):
            if name not in vertices:
                kind = _kind_of_end(graph, name)
                vertices[name] = Vertex(name, kind, kind == MISSING)
    numbers = {name: i for i, name in enumerate(vertices)}
    edges = []
    for (vertex, _), row in zip(graph.joints, scope.joints):
        joint = graph.joint(vertex)
        edges.append(Edge(numbers[row.parent], numbers[row.child], f"{row.name}\n{describe_joint(joint)}",
                          joint.type == "fixed", vertices[row.parent].broken or vertices[row.child].broken))
    return Drawing([*vertices.values()], edges)


def _kind_of_end(graph: FrameGraph, name: str) -> str:
    """Return the kind of a joint's end that is not a link: the world, a static model, or a missing name."""
    if name == WORLD_FRAME:
        return "world"
    return "model" if name in graph.vertices else MISSING


def draw_tf_tree(loaded: Description) -> Drawing:
    """Build the TF tree of the first scope; edges to moving frames have the joint with type and limits."""
    graph, tree = loaded.graphs[0], loaded.tf_tree()
    kinds = dict(zip(tree.frame_ids, graph.kinds))
    joints = dict(_list_joints(loaded, tree.frame_ids))
    names = dict.fromkeys(name for transform in tree.transforms for name in (transform.parent, transform.child))
    vertices = [Vertex(name, kinds.get(name, "world" if name == WORLD_FRAME else "link")) for name in names]
    numbers = {name: i for i, name in enumerate(names)}
    edges = []
    for transform in tree.transforms:
        joint = joints.get(transform.child, "") if transform.movable else ""
        edges.append(Edge(numbers[transform.parent], numbers[transform.child], joint, not transform.movable))
    return Drawing(vertices, edges)


def _list_joints(loaded: Description, frame_ids: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Return the TF name of each link below a joint, and the joint's name, type and limits.

    Of several joints with the same child, that is the joint that the tree has.
    """
    graph = loaded.graphs[0]
    for child, vertex in find_link_parents(graph)[1].items():
        yield frame_ids[child], f"{graph.names[vertex]}\n{describe_joint(graph.joint(vertex))}"
    for joint in loaded.robot.joints if loaded.robot is not None else ():  # the text of a URDF takes precedence
        yield joint.child, f"{joint.name}\n{_describe_robot_joint(joint)}"


def describe_joint(joint: Joint) -> str:
    """Return type, limits of each axis and its leader: ``revolute, -1.57 to 1.57 rad``."""
    kind = type_as_written(joint)
    parts = [kind or "no type"]
    for axis in joint.axes:
        if kind != "continuous":
            parts.append(_describe_limits(joint.type, *read_limits(axis)[:2]))
        parts.append(f"mimics {axis.mimic.joint}" if axis.mimic else "")
    return ", ".join(filter(None, parts))


def _describe_robot_joint(joint: urdf.Joint) -> str:
    parts = [joint.type]
    if joint.limit is not None and JOINT_TYPES[joint.type].bounded:
        parts.append(_describe_limits(joint.type, joint.limit.lower, joint.limit.upper))
    parts.append(f"mimics {joint.mimic.joint}" if joint.mimic else "")
    return ", ".join(filter(None, parts))


def _describe_limits(kind: str, lower: float, upper: float) -> str:
    if lower <= -_FARTHEST and upper >= _FARTHEST:
        return ""
    low, high = (format_number(float(f"{v:.4g}")) for v in (lower, upper))
    unit = "m" if kind == "prismatic" else "rad"
    if lower <= -_FARTHEST:
        return f"up to {high} {unit}"
    return f"from {low} {unit}" if upper >= _FARTHEST else f"{low} to {high} {unit}"
