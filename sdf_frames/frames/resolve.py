"""Poses, bodies and joint axes of a frame graph."""

from collections.abc import Iterator
from math import hypot, isfinite
from typing import NamedTuple

from sdf_frames.frames.forest import find_cycles
from sdf_frames.frames.graph import BROKEN, FrameGraph
from sdf_frames.sdf.model import Axis, Entity, Frame, Joint, Model, RawPose, World
from sdf_frames.sdf.names import MODEL_FRAME, ROOT, WORLD_FRAME
from sdf_frames.spatial.pose import Pose, Vector, compose, invert, normalise, rotate

# A shorter axis has no direction: libsdformat compares its length with 1e-6 in single precision.
LARGEST_ZERO = 9.999999974752427e-07


class FrameRow(NamedTuple):
    """A resolved frame. ``name`` and ``link`` (the body it is rigidly attached to) are relative to the scope;
    ``attached_to`` and ``relative_to`` as written, None if they are not written; ``pose`` (x, y, z, qw, qx, qy, qz) in
    the scope's frame, None if it cannot be resolved."""

    name: str
    kind: str
    attached_to: str | None
    relative_to: str | None
    link: str | None
    pose: Pose | None


class JointRow(NamedTuple):
    """A resolved joint: parent and child bodies, ``axes`` ((index, unit xyz in the joint frame), …)."""

    name: str
    type: str
    parent: str
    child: str
    axes: tuple[tuple[int, Vector], ...]


class Scope(NamedTuple):
    """A world or root model with all its frames and joints resolved.

    ``left_out`` are frames that only TF has: the links and joints of a URDF that SDF cannot express, and the world that
    a model is joined to."""

    graph: FrameGraph
    frames: tuple[FrameRow, ...]
    joints: tuple[JointRow, ...]
    left_out: tuple[FrameRow, ...] = ()

    @property
    def kind(self) -> str:
        """``world`` or ``model``."""
        return self.graph.kind

    @property
    def name(self) -> str:
        """Name of the world or model."""
        return self.graph.name


def express_scope(scope: Scope, name: str) -> Scope | None:
    """Return `scope` with the poses relative to its frame `name`; None if it has no such frame."""
    base = next((f for f in (*scope.frames, *scope.left_out) if f.name == name), None)
    if base is None:
        return None
    X_BS = invert(base.pose) if base.pose else None

    def express(frame: FrameRow) -> FrameRow:
        X = normalise(compose(X_BS, frame.pose)) if X_BS and frame.pose else None
        return frame._replace(pose=X if X and all(map(isfinite, X)) else None)

    return scope._replace(frames=tuple(map(express, scope.frames)), left_out=tuple(map(express, scope.left_out)))


def find_overflows(graph: FrameGraph) -> list[int]:
    """Find vertices whose pose in the scope overflows, although the frame that it is relative to has a pose."""
    return [i for i, (X, above, own) in enumerate(zip(graph.poses, graph.relative, graph.raw))
            if X is None and own is not None and above >= 0 and graph.poses[above] is not None
            and all(map(isfinite, own))]


def count_consequences(graph: FrameGraph) -> int:
    """Count frames that have no pose or body because of other frames: their own references are valid."""
    unresolved = {i for i, (X, body) in enumerate(zip(graph.poses, graph.bodies)) if X is None or body < 0}
    if not unresolved:
        return 0
    for edges in (graph.attached, graph.relative):
        unresolved -= {i for i in unresolved if edges[i] == BROKEN}
        unresolved.difference_update(*find_cycles(edges))
    return len(unresolved.difference(find_overflows(graph)))


def name_of_body(graph: FrameGraph, body: int) -> str | None:
    """Return the name of a body: that of a link, ``model::__model__`` for a static model, ``world``."""
    if body < 0:
        return None
    if graph.kinds[body] == "model" and body:
        return f"{graph.names[body]}::{MODEL_FRAME}"
    return graph.names[body]


def resolve_joint_end(graph: FrameGraph, prefix: str, reference: str) -> int | None:
    """Return the vertex of the body that a joint's parent or child names; None for the world or if unresolved."""
    vertex = graph.find(prefix, reference)
    if vertex is None:
        return None
    body = graph.bodies[vertex]
    return body if body >= 0 else None


def find_pose_in(graph: FrameGraph, vertex: int, pose: RawPose) -> Pose | None:
    """Return the pose, in the frame of a vertex, of a part of it, such as a shape or sensor; None if unresolved."""
    X = normalise(pose.X)
    if not pose.relative_to:
        return X
    frame, X_SV = graph.find(graph.prefix(vertex), pose.relative_to), graph.poses[vertex]
    X_SF = None if frame is None else graph.poses[frame]
    return None if X_SV is None or X_SF is None else compose(compose(invert(X_SV), X_SF), X)


class JointEdge(NamedTuple):
    """The vertex of a joint, the prefix of its scope, and the vertices of its bodies; None as parent is the world."""

    joint: int
    prefix: str
    parent: int | None
    child: int


def list_joint_edges(graph: FrameGraph) -> Iterator[JointEdge]:
    """Yield the joints of a graph whose parent and child are known."""
    for vertex, prefix in graph.joints:
        joint = graph.joint(vertex)
        child, parent = (resolve_joint_end(graph, prefix, reference) for reference in (joint.child, joint.parent))
        if child is not None and (parent is not None or joint.parent == WORLD_FRAME):
            in_world = parent is None or graph.kinds[parent] == "world"
            yield JointEdge(vertex, prefix, None if in_world else parent, child)


def resolve_axis(graph: FrameGraph, joint: int, axis: Axis) -> Vector | None:
    """Return the unit vector of an axis in the joint frame; None if its frame is unresolved or its length is zero."""
    x, y, z = axis.xyz
    length = hypot(x, y, z)
    if length <= LARGEST_ZERO:
        return None
    xyz = (x / length, y / length, z / length)
    if not axis.expressed_in:
        return xyz
    vertex = graph.find(graph.prefix(joint), axis.expressed_in)
    if vertex is None:
        return None
    X_SJ, X_SE = graph.poses[joint], graph.poses[vertex]
    if X_SJ is None or X_SE is None:
        return None
    w, i, j, k = X_SJ[3:]
    return rotate((w, -i, -j, -k), rotate(X_SE[3:], xyz))


def resolve_scope(graph: FrameGraph, left_out: tuple[FrameRow, ...] = ()) -> Scope:
    """Resolve every frame and joint of a scope; `left_out` as in :class:`Scope`."""
    frames = [
        FrameRow(name, kind, _written_attachment(entity), _written_reference(entity) if i else None,
                 name_of_body(graph, graph.bodies[i]), graph.poses[i])
        for i, (name, kind, entity) in enumerate(zip(graph.names, graph.kinds, graph.entities))]
    joints = [_resolve_joint(graph, vertex, prefix) for vertex, prefix in graph.joints]
    return Scope(graph, tuple(frames), tuple(joints), left_out)


def _written_reference(entity: Entity) -> str | None:
    if isinstance(entity, World) or not entity.pose.relative_to:
        return None
    return WORLD_FRAME if entity.pose.relative_to == ROOT else entity.pose.relative_to


def _written_attachment(entity: Entity) -> str | None:
    if isinstance(entity, Frame):
        return entity.attached_to or None
    if isinstance(entity, Joint):
        return entity.child or None
    return entity.canonical_link or None if isinstance(entity, Model) else None


def _resolve_joint(graph: FrameGraph, vertex: int, prefix: str) -> JointRow:
    joint = graph.joint(vertex)
    ends = []
    for reference in (joint.parent, joint.child):
        body = resolve_joint_end(graph, prefix, reference)
        name = name_of_body(graph, body) if body is not None else None
        ends.append(name or reference)
    axes = [(axis.number, xyz) for axis in joint.axes
            if (xyz := resolve_axis(graph, vertex, axis)) is not None]
    return JointRow(graph.names[vertex], joint.type, ends[0], ends[1], tuple(axes))
