"""The transforms of TF that joints move, and how messages name joints. Imports no NumPy."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import hypot, inf, isfinite
from typing import NamedTuple, TypeVar

from sdf_frames.diagnostics import count_of
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
    All parameters are those of :func:`~sdf_frames.frames.tf.build_tf_tree`.
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


T = TypeVar("T")

#: What follows a joint's name in the name of its second axis.
SECOND_AXIS = "_axis2"


def name_axes(joints: Mapping[str, int]) -> dict[str, tuple[str, int]]:
    """Return joint and number of the axis for each name that messages may use.

    Parameters
    ----------
    joints : how many axes each joint has, by its SDF name. Messages may write ``/`` for ``::``, and add `SECOND_AXIS`.
    """
    names: dict[str, tuple[str, int]] = {}
    for axis, suffix in enumerate(("", SECOND_AXIS)):
        for name in [name for name, count in joints.items() if axis == 0 or count == 2]:
            for form in (name, name.replace("::", "/")):
                names.setdefault(form + suffix, (name, axis))
    return names


def find_fault(names: Sequence[str], values: Sequence[T], is_usable: Callable[[T], bool]) -> str | None:
    """Return why a state of joints cannot be used and is ignored as a whole; None if it can.

    Parameters
    ----------
    names, values : what the state says; one value for each name.
    is_usable : judges a value: `isfinite` for positions, :func:`is_motion` for poses.
    """
    if len(names) != len(values):
        return f"{count_of(len(names), 'name')} but {count_of(len(values), 'position')}"
    if not names:
        return "no joints"
    if all(map(is_usable, values)):
        return None
    return next(f"joint {name} at {value}" for name, value in zip(names, values) if not is_usable(value))


def is_motion(X: Pose) -> bool:
    """Whether a pose is finite, with a quaternion that can be given unit length."""
    return all(map(isfinite, X)) and 0 < hypot(*X[3:]) < inf
