"""Poses, bodies and joint axes of a frame graph."""
from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot, isfinite

import numpy as np

from sdf_frames.frames.cycles import find_cycles
from sdf_frames.frames.graph import BROKEN, MODEL_FRAME, WORLD_FRAME, FrameGraph
from sdf_frames.sdf.model import Axis, Joint
from sdf_frames.spatial.batch import find_roots, normalise_rows, resolve_rows
from sdf_frames.spatial.pose import compose, invert, normalise, rotate


# An axis of that length has none: 1e-6 in single precision, which libsdformat compares with.
LARGEST_ZERO = 9.999999974752427e-07
# Below it no sum of rotated positions overflows.
_LARGEST_SUM = 1e300


@dataclass(frozen=True, slots=True)
class FrameRow:
    """A resolved frame. ``name`` and ``link`` (the body it is rigidly attached to) are relative to the scope;
    ``attached_to`` and ``relative_to`` as written, None where nothing is; ``pose`` (x, y, z, qw, qx, qy, qz) in the
    scope's frame, None where it cannot be resolved."""

    name: str
    kind: str
    attached_to: str | None
    relative_to: str | None
    link: str | None
    pose: tuple | None


@dataclass(frozen=True, slots=True)
class JointRow:
    """A resolved joint: parent and child bodies, ``axes`` ((index, unit xyz in the joint frame), …)."""

    name: str
    type: str
    parent: str
    child: str
    axes: tuple


@dataclass(frozen=True, slots=True)
class Scope:
    """A world or root model with everything in it resolved."""

    kind: str
    name: str
    frames: tuple[FrameRow, ...]
    joints: tuple[JointRow, ...]


def express_scope(scope: Scope, name: str) -> Scope | None:
    """`scope` with the poses in its frame `name` in place of its own; None where it has no such frame."""
    base = next((f for f in scope.frames if f.name == name), None)
    if base is None:
        return None
    X_BS = invert(base.pose) if base.pose else None
    poses = [normalise(compose(X_BS, f.pose)) if X_BS and f.pose else () for f in scope.frames]
    return replace(scope, frames=tuple([
        replace(f, pose=X if X and all(map(isfinite, X)) else None) for f, X in zip(scope.frames, poses)]))


def resolve_poses(graph: FrameGraph) -> np.ndarray:
    """(N, 7) pose of every vertex in the scope's frame, unit quaternions; NaN where it cannot be resolved."""
    if "poses" not in graph.cache:
        with np.errstate(over="ignore", invalid="ignore"):
            X = resolve_rows(graph.relative, graph.raw)
        if len(X):
            X[(find_roots(graph.relative) != 0) | ~np.isfinite(X).all(axis=1)] = np.nan
        graph.cache["poses"] = normalise_rows(X)
    return graph.cache["poses"]


def resolve_bodies(graph: FrameGraph) -> np.ndarray:
    """(N,) vertex of the link, static model or world that each vertex is rigidly attached to; -1 where there is none."""
    if "bodies" not in graph.cache:
        roots = find_roots(graph.attached)
        sound = (roots >= 0) & (graph.attached[roots] == -1)
        graph.cache["bodies"] = np.where(sound, roots, -1)
    return graph.cache["bodies"]


def find_overflows(graph: FrameGraph) -> list[int]:
    """Vertices whose pose in the scope is too large for a number, while what they are relative to has one."""
    with np.errstate(over="ignore"):
        if np.abs(graph.raw[:, :3]).sum() < _LARGEST_SUM:  # whatever the rotations are
            return []
    lost = np.isnan(resolve_poses(graph)[:, 0])
    above = graph.relative
    return np.flatnonzero(lost & (above >= 0) & ~lost[above] & np.isfinite(graph.raw).all(axis=1)).tolist()


def count_echoes(graph: FrameGraph) -> int:
    """How many frames have no pose or body because of others: their own references are sound and not part of a cycle."""
    lost = (resolve_bodies(graph) < 0) | np.isnan(resolve_poses(graph)[:, 0])
    for edges in (graph.attached, graph.relative):
        lost &= edges != BROKEN
        if lost.any():
            lost[[member for cycle in find_cycles(edges) for member in cycle]] = False
    lost[find_overflows(graph)] = False
    return int(lost.sum())


def name_of_body(graph: FrameGraph, body: int) -> str | None:
    """Name of a body's vertex: a link's own, ``model::__model__`` for a static model, ``world``."""
    if body < 0:
        return None
    if graph.kinds[body] == "model" and body:
        return f"{graph.names[body]}::{MODEL_FRAME}"
    return graph.names[body]


def resolve_joint_end(graph: FrameGraph, prefix: str, reference: str) -> int | None:
    """Vertex of the body that a joint's parent or child names; None for the world or what cannot be resolved."""
    vertex = graph.find(prefix, reference)
    if vertex is None:
        return None
    body = int(resolve_bodies(graph)[vertex])
    return body if body >= 0 else None


def resolve_axis(graph: FrameGraph, joint: int, prefix: str, axis: Axis) -> tuple | None:
    """Unit xyz of an axis in the joint frame; None where a frame it needs cannot be resolved or its length is zero."""
    x, y, z = axis.xyz
    length = hypot(x, y, z)
    if length <= LARGEST_ZERO:
        return None
    xyz = (x / length, y / length, z / length)
    if not axis.expressed_in:
        return xyz
    vertex = graph.find(prefix, axis.expressed_in)
    if vertex is None:
        return None
    poses = resolve_poses(graph)
    w, i, j, k = poses[joint, 3:].tolist()
    qx = rotate(tuple(poses[vertex, 3:].tolist()), xyz)
    result = rotate((w, -i, -j, -k), qx)
    return None if result[0] != result[0] else result


def resolve_scope(graph: FrameGraph) -> Scope:
    """Every frame and joint of a scope, resolved."""
    poses = resolve_poses(graph)
    bodies = resolve_bodies(graph).tolist()
    sound = (~np.isnan(poses[:, 0])).tolist()
    rows = poses.tolist()
    frames = []
    for i, (name, kind, entity) in enumerate(zip(graph.names, graph.kinds, graph.entities)):
        pose = getattr(entity, "pose", None)
        frames.append(FrameRow(
            name, kind, _written_attachment(entity, kind), (pose.relative_to or None) if pose and i else None,
            name_of_body(graph, bodies[i]), tuple(rows[i]) if sound[i] else None))
    return Scope(graph.kind, graph.name, tuple(frames),
                 tuple([_resolve_joint(graph, vertex, prefix) for vertex, prefix in graph.joints]))


def _written_attachment(entity, kind: str) -> str | None:
    if kind == "frame":
        return entity.attached_to or None
    if kind == "joint":
        return entity.child or None
    if kind == "model":
        return entity.canonical_link or None
    return None


def _resolve_joint(graph: FrameGraph, vertex: int, prefix: str) -> JointRow:
    joint: Joint = graph.entities[vertex]
    ends = []
    for reference in (joint.parent, joint.child):
        body = resolve_joint_end(graph, prefix, reference)
        name = name_of_body(graph, body) if body is not None else None
        ends.append(name or (WORLD_FRAME if reference == WORLD_FRAME else reference))
    axes = []
    for axis in joint.axes:
        xyz = resolve_axis(graph, vertex, prefix, axis)
        if xyz is not None:
            axes.append((axis.index, xyz))
    return JointRow(graph.names[vertex], joint.type, ends[0], ends[1], tuple(axes))
