"""The transforms of TF that joints move, and what follows for them from positions of joints that come in messages.

Nothing here knows of ROS: stamps and times are whole nanoseconds of one clock.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import hypot, inf, isfinite
from typing import NamedTuple, TypeVar

from sdf_frames.diagnostics import count_of
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.kinematics import MOTIONS, MovingJoint, find_position, move_joint
from sdf_frames.frames.mechanism import describe_node_joint
from sdf_frames.frames.tf_tree import Node, build_nodes, choose_names, find_way, frame_id
from sdf_frames.sdf.names import SEPARATOR
from sdf_frames.spatial.batch import Numbers, NumbersPose, compose_batch
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


class _Heard(NamedTuple):
    """Values of a joint's axes (None for an axis not heard of), or its pose; and the stamp of what was heard."""

    values: tuple[float | None, ...]
    motion: NumbersPose | None
    stamp: int


def name_axes(joints: Mapping[str, int]) -> dict[str, tuple[str, int]]:
    """Return joint and number of the axis for each name that messages may use.

    `joints` says how many axes each joint has, by its SDF name. Messages may write ``/`` for ``::``, and add
    `SECOND_AXIS`.
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


class JointTracker:
    """What was last heard of every joint, and which transforms follow from it.

    Parameters
    ----------
    edges : what :func:`build_moving_edges` returned.
    ignore_stamps : take also what is older than what was heard before.
    """

    def __init__(self, edges: Sequence[MovingEdge], ignore_stamps: bool = False):
        self.edges, self.ignore_stamps = tuple(edges), ignore_stamps
        self._joints = {step.joint.name: step.joint for edge in edges for step in edge.steps}
        self._names = name_axes({name: len(joint.axes) for name, joint in self._joints.items()})
        self._heard: dict[str, _Heard] = {}
        self._new: set[str] = set()
        self._followers: dict[str, set[str]] = {}
        for name, joint in self._joints.items():
            for axis in joint.axes:
                if axis.mimic is not None:
                    self._followers.setdefault(axis.mimic.joint, set()).add(name)

    def knows(self, name: str) -> bool:
        """Whether a name in a state is that of a joint which moves one of the edges."""
        return name in self._names

    def forget_stamps(self) -> None:
        """Take what is heard next whatever its stamp: time has jumped back."""
        self._heard = {name: heard._replace(stamp=0) for name, heard in self._heard.items()}

    def hear(self, names: Sequence[str], positions: Sequence[float], stamp: int) -> str | None:
        """Take positions of joints, in radians or metres.

        Parameters
        ----------
        names : as :func:`name_axes` has them; unknown ones are passed over.
        positions : one for each name.
        stamp : nanoseconds.

        Returns
        -------
        str or None
            Why the state is ignored as a whole, as :func:`find_fault` says.
        """
        if (fault := find_fault(names, positions, isfinite)) is not None:
            return fault
        for name, position in zip(names, positions):
            if (known := self._names.get(name)) is None:
                continue
            joint, axis = known
            before = self._heard.get(joint)
            if MOTIONS[self._joints[joint].type].hear or (
                    before is not None and stamp < before.stamp and not self.ignore_stamps):
                continue
            count = len(self._joints[joint].axes)
            values: list[float | None] = [None] * count if before is None else list(before.values)
            values[axis] = position
            self._heard[joint] = _Heard(tuple(values), None, stamp)
            self._new.add(joint)
        return None

    def hear_motions(self, names: Sequence[str], motions: Sequence[Pose], stamp: int) -> str | None:
        """Take motions of ball, floating and planar joints: poses of the moving side in the fixed one.

        Returns what :meth:`hear` returns.
        """
        if (fault := find_fault(names, motions, is_motion)) is not None:
            return fault
        for name, X in zip(names, motions):
            joint = self._names.get(name, ("", 0))[0]
            hear = MOTIONS[self._joints[joint].type].hear if joint else None
            if hear is None:
                continue
            before, length = self._heard.get(joint), hypot(*X[3:])
            if before is not None and stamp < before.stamp and not self.ignore_stamps:
                continue
            w, i, j, k = (part / length for part in X[3:])
            self._heard[joint] = _Heard((), hear((*X[:3], w, i, j, k)), stamp)
            self._new.add(joint)
        return None

    def take(self, now: int | None) -> Iterator[tuple[int, int, NumbersPose | None]]:
        """Take the transforms that follow from what was heard since the last time, and those not heard of yet.

        `now` is the stamp of joints without a state; None to leave them out.

        Yields
        ------
        number, stamp, pose
            Number of the edge, nanoseconds, and the pose of its child in its parent; None if a number of it, or of a
            position that follows from another joint's, is too large for a floating-point number.
        """
        new, self._new = self._new, set()
        pending = list(new)
        while pending:
            for follower in self._followers.get(pending.pop(), ()):
                if follower not in new:
                    new.add(follower)
                    pending.append(follower)
        given = {name: heard.values for name, heard in self._heard.items()}
        stamps = self._find_stamps()
        followed: dict[tuple[str, int], Numbers] = {}
        for number, edge in enumerate(self.edges):
            names = [step.joint.name for step in edge.steps]
            heard = [stamps[name] for name in names if name in stamps]
            stamp = now if not heard else max(heard) if not new.isdisjoint(names) else None
            if stamp is not None:
                yield number, stamp, self._place(edge, given, followed)

    def _place(self, edge: MovingEdge, given: Mapping[str, Sequence[float | None]],
               followed: dict[tuple[str, int], Numbers]) -> NumbersPose | None:
        X: NumbersPose = IDENTITY
        for X_PJ, joint, X_JC in edge.steps:
            heard = self._heard.get(joint.name)
            motion = heard.motion if heard is not None else None
            if motion is None:
                q = find_position(joint, given, self._joints, followed)
                if not all(map(isfinite, q)):
                    return None
                motion = move_joint(joint, q)
            X = compose_batch(X_PJ if X is IDENTITY else compose_batch(X, X_PJ), motion)
            if X_JC is not IDENTITY and X_JC != IDENTITY:
                X = compose_batch(X, X_JC)
        return X if all(map(isfinite, X)) else None

    def _find_stamps(self) -> dict[str, int]:
        """Stamps by joint: of what was heard of it, or the latest of the joints that it follows."""
        stamps = {name: heard.stamp for name, heard in self._heard.items()}
        pending = sorted(stamps, key=stamps.__getitem__)
        while pending:  # the latest first, each with all that follows it
            leader = pending.pop()
            for follower in self._followers.get(leader, ()):
                if follower not in stamps:
                    stamps[follower] = stamps[leader]
                    pending.append(follower)
        return stamps
