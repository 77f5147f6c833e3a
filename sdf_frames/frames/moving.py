"""The transforms of TF that joints move: their frames, and the joints between these."""
from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.kinematics import MovingJoint
from sdf_frames.frames.mechanism import describe_node_joint
from sdf_frames.frames.tf_tree import Node, build_nodes, choose_names, find_way, frame_id
from sdf_frames.sdf.names import SEPARATOR
from sdf_frames.spatial.pose import IDENTITY, Pose, compose, invert, normalise
from sdf_frames.urdf.model import Robot


class Step(NamedTuple):
    """Part of a transform: the fixed pose `X_PJ`, then the motion of `joint`, then the fixed pose `X_JC`."""

    X_PJ: Pose
    joint: MovingJoint
    X_JC: Pose


class MovingEdge(NamedTuple):
    """A transform of TF that one or more joints move: `steps` lead from the frame `parent` to the frame `child`."""

    parent: str
    child: str
    steps: tuple[Step, ...]


def build_moving_edges(graph: FrameGraph, robot: Robot | None = None, *, scope_separator: str = SEPARATOR,
                       frame_prefix: str = "", model_name: str = "") -> tuple[MovingEdge, ...]:
    """Build the transforms that joints move, of the tree that :func:`sdf_frames.frames.tf.build_tf_tree` builds.

    Children of joints that cannot move, or whose axes cannot be resolved, and links that nothing holds are not among
    them.

    Parameters
    ----------
    graph, robot, scope_separator, frame_prefix, model_name : as in :func:`~sdf_frames.frames.tf.build_tf_tree`.
    """
    nodes = build_nodes(graph, robot, scope_separator, model_name=model_name).all()
    choose_names(nodes)
    edges = []
    for node in nodes:
        if steps := _find_steps(graph, way := find_way(node)):
            edges.append(MovingEdge(frame_id(frame_prefix, way[-1].name), frame_id(frame_prefix, node.name), steps))
    return tuple(edges)


def _find_steps(graph: FrameGraph, way: Sequence[Node]) -> tuple[Step, ...]:
    """Return the steps down a way that :func:`find_way` found; () if nothing moves."""
    steps: list[Step] = []
    rigid: Pose = IDENTITY
    for parent, node in pairwise(reversed(way)):
        X_PC = normalise(compose(invert(parent.X), node.X))
        joint = describe_node_joint(graph, node)
        if joint is None:
            rigid = compose(rigid, X_PC)
        else:
            steps.append(Step(compose(compose(rigid, X_PC), invert(joint.X_JC)), joint, joint.X_JC))
            rigid = IDENTITY
    if steps and rigid != IDENTITY:
        steps[-1] = steps[-1]._replace(X_JC=compose(steps[-1].X_JC, rigid))
    return tuple(steps)
