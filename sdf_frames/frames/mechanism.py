"""The movable joints of a scope, and the frame that each joint moves, for forward kinematics.

Frames form one tree, as in TF: each is rigid in its parent, or moved by a joint. A joint that closes a loop is not in
the tree.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import hypot, inf, pi

from sdf_frames.document.elements import Element, find_child, written_of
from sdf_frames.frames.forest import find_roots
from sdf_frames.frames.graph import SINK, FrameGraph
from sdf_frames.frames.kinematics import MOTIONS, JointAxis, Limits, Mimic, MovingJoint
from sdf_frames.frames.resolve import Scope, resolve_axis
from sdf_frames.frames.tf_tree import Node, build_nodes
from sdf_frames.sdf.entities import read_child_number
from sdf_frames.sdf.model import JOINT_TYPES, Axis, Joint
from sdf_frames.spatial.pose import Pose, compose, invert, normalise
from sdf_frames.urdf.model import JOINT_TYPES as URDF_TYPES
from sdf_frames.urdf.model import Joint as RobotJoint
from sdf_frames.urdf.model import Robot

_FARTHEST, _HUGE = 1e15, 1e16


@dataclass(frozen=True, slots=True, eq=False)
class Mechanism:
    """Frames in a tree, each rigid in its parent or moved by a joint.

    Attributes
    ----------
    index : number of each frame by its SDF name, without frames that cannot be resolved.
    loose : numbers of frames whose body cannot be resolved, so that their pose is unknown after a joint has moved.
    parents : (N,) number of each frame's parent, -1 for roots.
    order : the numbers, parents before children.
    poses : (N,) pose of each frame in its parent (of a root: in the scope's frame) as the description states it.
    joints : the joint that moves a frame, by the frame's number.
    carried : number of the frame that a joint moves, by the joint's name.
    aliases : SDF name of a joint by its URDF name, if they differ.
    """

    index: dict[str, int]
    loose: frozenset[int]
    parents: list[int]
    order: list[int]
    poses: list[Pose]
    joints: dict[int, MovingJoint]
    carried: dict[str, int]
    aliases: dict[str, str]


def build_mechanism(scope: Scope, robot: Robot | None = None, renamed: Mapping[str, str] | None = None) -> Mechanism:
    """Build the mechanism of a scope.

    Parameters
    ----------
    robot : the URDF's robot that the scope was converted from, None for SDFormat.
    renamed : SDF names of the robot's joints that the conversion renamed.
    """
    graph = scope.graph
    nodes = build_nodes(graph, robot, "::").all()
    place = {id(node): i for i, node in enumerate(nodes)}
    parents = [-1 if node.parent is None else place[id(node.parent)] for node in nodes]
    roots, order = find_roots(parents)
    known = {row.name for row in scope.left_out}
    index = {name: i for i, name in enumerate(graph.names) if graph.poses[i] is not None and roots[i] >= 0}
    loose = frozenset([i for i in index.values() if i and graph.bodies[i] == SINK])
    index.update((node.name, i) for i, node in enumerate(nodes) if i >= len(graph.names) and node.name in known)
    poses = [normalise(node.X if node.parent is None else compose(invert(node.parent.X), node.X)) for node in nodes]
    aliases = dict(renamed or {})
    joints = {i: joint for i, node in enumerate(nodes)
              if (joint := describe_node_joint(graph, node, aliases)) is not None}
    return Mechanism(index, loose, parents, order, poses, joints, {joint.name: i for i, joint in joints.items()},
                     aliases)


def describe_node_joint(graph: FrameGraph, node: Node, renamed: Mapping[str, str] = {}) -> MovingJoint | None:
    """Describe the joint that moves a node of the TF tree; None if no joint does, or it cannot be resolved.

    `renamed` are other names of a robot's joints, by their URDF names.
    """
    if node.joint is None or not node.movable:
        return None
    if isinstance(node.joint, RobotJoint):
        return describe_robot_joint(node.joint, renamed)
    return describe_joint(graph, node.joint, node.X)


def describe_joint(graph: FrameGraph, vertex: int, X_SC: Pose) -> MovingJoint | None:
    """Describe the joint at `vertex`; None if it does not move or cannot be resolved. `X_SC` is its child's pose."""
    joint, X_SJ = graph.joint(vertex), graph.poses[vertex]
    if joint.type not in MOTIONS or X_SJ is None or (axes := describe_axes(graph, vertex)) is None:
        return None
    pitch = _read_pitch(joint.element) if joint.type == "screw" else 0.0
    return MovingJoint(graph.names[vertex], joint.type, axes, compose(invert(X_SJ), X_SC), pitch)


def describe_axes(graph: FrameGraph, vertex: int) -> tuple[JointAxis, ...] | None:
    """Describe the axes of a joint, also of a type without motion; None if one is missing or cannot be resolved."""
    joint, axes = graph.joint(vertex), list[JointAxis]()
    number = JOINT_TYPES[joint.type].axes if joint.type in JOINT_TYPES else 0
    for axis in joint.axes[:number]:
        if (xyz := resolve_axis(graph, vertex, axis)) is None:
            return None
        limits = Limits() if joint.type == "continuous" else read_limits(axis)
        mimic = axis.mimic
        follow = None if mimic is None else Mimic(
            graph.prefix(vertex) + mimic.joint, mimic.multiplier, mimic.offset - mimic.multiplier * mimic.reference,
            int(mimic.axis == "axis2"))
        axes.append(JointAxis(xyz, limits, follow))
    return tuple(axes) if len(axes) == number else None


def type_as_written(joint: Joint) -> str:
    """Return the type of a joint in its file: ``continuous`` for a URDF joint that is ``revolute`` in the SDF.

    A fixed joint of a URDF that becomes a revolute joint locked at 0 is revolute.
    """
    kind = written_of(joint.element).get("type", "")
    return kind if kind in URDF_TYPES and URDF_TYPES[kind].sdf == joint.type else joint.type


def read_limits(axis: Axis) -> Limits:
    """Read the limits of an axis; missing limits, positions from 1e15 on, and others from 1e16 on, are infinite.

    SDFormat writes 1e16 for no limit, and -1 for no limit of effort or velocity.
    """
    lower, upper = axis.lower, axis.upper
    limit = find_child(axis.element, "limit")
    effort, velocity = (None if limit is None else read_child_number(limit, tag) for tag in ("effort", "velocity"))
    return Limits(-inf if lower is None or lower <= -_FARTHEST else lower,
                  inf if upper is None or upper >= _FARTHEST else upper,
                  *[v if v is not None and 0 <= v < _HUGE else inf for v in (effort, velocity)])


def _read_pitch(element: Element) -> float:
    """Return metres along the axis for each radian. Source: joint.sdf of 1.12, screw_thread_pitch and thread_pitch."""
    pitch = read_child_number(element, "screw_thread_pitch")
    old = read_child_number(element, "thread_pitch")
    if pitch is None and old:
        return -1.0 / old
    return (1.0 if pitch is None else pitch) / (2 * pi)


def describe_robot_joint(joint: RobotJoint, renamed: Mapping[str, str]) -> MovingJoint | None:
    """Describe a joint of a URDF, whose frame is that of its child at zero; None if it does not move."""
    row = URDF_TYPES[joint.type]
    kind = joint.type if joint.type in MOTIONS or row.sdf is None else row.sdf
    if kind not in MOTIONS:
        return None
    name = renamed.get(joint.name, joint.name)
    if not row.has_axis:
        return MovingJoint(name, kind, ())
    x, y, z = joint.axis or (1.0, 0.0, 0.0)
    if not (length := hypot(x, y, z)):
        return None
    limits = Limits()
    if (limit := joint.limit) is not None:
        ends = (limit.lower, limit.upper) if row.bounded else (-inf, inf)
        limits = Limits(*ends, limit.effort, limit.velocity)
    mimic = None if (m := joint.mimic) is None else Mimic(renamed.get(m.joint, m.joint), m.multiplier, m.offset)
    return MovingJoint(name, kind, (JointAxis((x / length, y / length, z / length), limits, mimic),))
