"""The static TF tree of a robot or world, as transforms and frame ids."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from sdf_frames.diagnostics import Diagnostic, Location
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.kinematics import Motion, MovingJoint
from sdf_frames.frames.mechanism import describe_node_joint
from sdf_frames.frames.sensor_frames import OPTICAL_FRAME_NAME
from sdf_frames.frames.tf_tree import Node, Nodes, SensorNaming, build_nodes, choose_names, find_way, frame_id
from sdf_frames.sdf.model import JOINT_TYPES, ONE_AXIS_TYPES
from sdf_frames.sdf.names import SEPARATOR
from sdf_frames.spatial.pose import IDENTITY, Pose, compose, invert, normalise
from sdf_frames.urdf.model import Robot

MODES = ("all", "complement", "none")


class Step(NamedTuple):
    """Part of a transform: the fixed pose `X_PJ`, then `joint`, whose child is the frame at the end of the step."""

    X_PJ: Pose
    joint: MovingJoint


@dataclass(frozen=True, slots=True)
class Transform:
    """Pose ``X`` (x, y, z, qw, qx, qy, qz) of the frame `child` in the frame `parent`; metres, unit quaternion.

    `movable` is whether the child can move in the parent. On request, `steps` are the moving joints, from the parent
    down; joints with unresolved axes, and free links, have none. `motion` is that of the only step, if it is about or
    along one axis. `place` is the child's location in the description, on request.
    """

    parent: str
    child: str
    pose: Pose
    movable: bool = False
    place: Location = field(default=Location(), compare=False)
    steps: tuple[Step, ...] = field(default=(), compare=False)
    motion: Motion | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class TfTree:
    """The static TF tree of a scope.

    Attributes
    ----------
    transforms : every child once, in the order of the document.
    elsewhere : children that robot_state_publisher also publishes.
    frame_ids : frame id in TF of each vertex of the graph, "" for a vertex that TF does not have.
    diagnostics : findings on frames that are left out because another frame has their name.
    """

    transforms: tuple[Transform, ...] = ()
    elsewhere: frozenset[str] = frozenset()
    frame_ids: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    def select(self, mode: str) -> tuple[Transform, ...]:
        """Return the transforms to publish: ``all``; ``complement``, those that robot_state_publisher lacks; ``none``.

        Raises
        ------
        ValueError
            The mode is unknown.
        """
        if mode not in MODES:
            raise ValueError(f"mode is {mode!r}, not one of {', '.join(MODES)}")
        return tuple([t for t in self.transforms if mode == "all" or (
            mode == "complement" and t.child not in self.elsewhere)])


def build_tf_tree(graph: FrameGraph, robot: Robot | None = None, *, scope_separator: str = SEPARATOR,
                  frame_prefix: str = "", sensor_frames: bool = False, optical_frames: bool = False,
                  optical_frame_name: str = OPTICAL_FRAME_NAME, motions: bool = False, places: bool = False,
                  model_name: str = "") -> TfTree:
    """Build the static TF tree of a world or root model.

    Parameters
    ----------
    robot : the robot of the URDF that the model was converted from; None for SDFormat.
    scope_separator : written between the names of nested models instead of ``::``.
    frame_prefix : put before every name as it is.
    sensor_frames, optical_frames, optical_frame_name : the frames that sensors add: see `SensorNaming`.
    motions : state the steps and the motion of each movable frame.
    places : state the location of each frame in the description.
    model_name : name of the root model if it was spawned under another name; empty for its own.

    Returns
    -------
    TfTree
        Names that the format reserves, and proxy frames of merged includes, are left out.
    """
    sensors = SensorNaming(sensor_frames, optical_frames, optical_frame_name, frame_prefix)
    nodes = build_nodes(graph, robot, scope_separator, sensors=sensors, model_name=model_name)
    clashes = choose_names(nodes.all())
    transforms, elsewhere = [], set()
    published = _find_published(graph, robot, nodes)
    for node in nodes.all():
        if not (way := find_way(node)):
            continue
        parent, child = way[-1], frame_id(frame_prefix, node.name)
        movers = [below for below in way[:-1] if below.movable]
        steps = _find_steps(graph, way) if motions and movers else ()
        only = steps[0].joint if len(steps) == len(movers) == 1 else None
        transforms.append(Transform(
            frame_id(frame_prefix, parent.name), child, normalise(compose(invert(parent.X), node.X)),
            bool(movers), node.place if places else Location(), steps,
            Motion(only) if only is not None and only.type in ONE_AXIS_TYPES else None))
        if id(node) in published:
            elsewhere.add(child)
    known = {name for t in transforms for name in (t.parent, t.child)}
    ids = [frame_id(frame_prefix, node.name) if not node.left_out else "" for node in nodes.vertices]
    return TfTree(tuple(transforms), frozenset(elsewhere), tuple([name if name in known else "" for name in ids]),
                  clashes)


def _find_steps(graph: FrameGraph, way: Sequence[Node]) -> tuple[Step, ...]:
    """Return the steps down a path from :func:`find_way`; () if nothing moves."""
    steps: list[Step] = []
    rigid = IDENTITY
    for parent, node in pairwise(reversed(way)):
        X_PC = normalise(compose(invert(parent.X), node.X))
        joint = describe_node_joint(graph, node)
        if joint is None:
            rigid = compose(rigid, X_PC)
        else:
            steps.append(Step(compose(compose(rigid, X_PC), invert(joint.X_JC)), joint))
            rigid = IDENTITY
    if steps and rigid != IDENTITY:
        X_PJ, joint = steps[-1]
        steps[-1] = Step(X_PJ, joint._replace(X_JC=compose(joint.X_JC, rigid)))
    return tuple(steps)


def _find_published(graph: FrameGraph, robot: Robot | None, nodes: Nodes) -> set[int]:
    """Return the ids of the nodes that robot_state_publisher publishes: links, except roots and floating ones.

    An SDFormat model reaches robot_state_publisher as a URDF, in which frames are links, and a link floats if URDF does
    not have the type of its joint.
    """
    if robot is not None:
        links = {joint.child for joint in robot.joints if joint.type != "floating"}
        return {id(node) for node in nodes.all() if node.name in links and node.kind in ("link", "frame")}
    published = set()
    for i, node in enumerate(nodes.vertices):
        if node.kind == "link" and isinstance(node.joint, int):
            type_ = JOINT_TYPES.get(graph.joint(node.joint).type)
            if type_ is not None and type_.urdf not in (None, "floating"):
                published.add(id(node))
        elif i and graph.kind == "model" and node.kind in ("frame", "model") and graph.kinds[graph.bodies[i]] == "link":
            published.add(id(node))
    return published
