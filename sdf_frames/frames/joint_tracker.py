"""Keeps the last received state of every joint, and computes the transforms of TF from it.

This module does not depend on ROS: stamps and times are whole nanoseconds of one clock.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from math import hypot, inf, isfinite, pi
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from sdf_frames.diagnostics import count_of, shorten_name
from sdf_frames.frames.kinematics import MOTIONS, JointAxis, Lead, MovingJoint, find_lead, move_joint
from sdf_frames.frames.tf import Transform
from sdf_frames.sdf.model import ONE_AXIS_TYPES
from sdf_frames.spatial.batch import NumbersPose, compose_batch
from sdf_frames.spatial.pose import IDENTITY, Pose

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Indices = NDArray[np.intp]

T = TypeVar("T")

#: The most stored sets of names: publishers of states name the same joints each time.
_MOST_KINDS = 100

#: The stamp of an axis without a state.
_NEVER: int = np.iinfo(np.int64).min


#: Suffix of a joint's name for its second axis.
SECOND_AXIS = "_axis2"


def name_axes(joints: Mapping[str, int]) -> dict[str, tuple[str, int]]:
    """Return the joint and the axis number for each name that messages may use.

    Parameters
    ----------
    joints : number of axes of each joint, by its SDF name. Messages may write ``/`` for ``::``, and add `SECOND_AXIS`.
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
    names, values : names and values of the state, one value for each name.
    is_usable : function of a value: `isfinite` for positions, :func:`is_motion` for poses.
    """
    if len(names) != len(values):
        return f"{count_of(len(names), 'name')} but {count_of(len(values), 'position')}"
    if not names:
        return "no joints"
    if all(map(is_usable, values)):
        return None
    return next(f"joint {shorten_name(name)} at {value}" for name, value in zip(names, values) if not is_usable(value))


def is_motion(X: Pose) -> bool:
    """Return whether a pose is finite, with a quaternion that can be normalised."""
    return all(map(isfinite, X)) and 0 < hypot(*X[3:]) < inf


class Moved(NamedTuple):
    """Transforms that follow from the received states.

    Attributes
    ----------
    edges : (n,) numbers of the edges.
    stamps : (n,) nanoseconds.
    poses : (7, n) x, y, z, qw, qx, qy, qz of the child in its parent. Not finite if a number of the pose, or the
        position of a mimic joint, is too large for a floating-point number; NumPy may warn about this.
    """

    edges: Indices
    stamps: NDArray[np.int64]
    poses: Array


class _Simple:
    """Computes all edges at once; valid for the edges `numbers`, with one step about or along one axis each.

    With c and s the cosine and sine of half the rotation at q, each pose is ``(X + s² E + s c F + q D, c A + s B)``.
    The constants follow from the poses at a few positions where most of these terms are zero. The code calls NumPy
    rarely, because calls cost more than the arithmetic.
    """

    def __init__(self, edges: Sequence[Transform], numbers: Sequence[int]):
        count, steps = len(numbers), [edges[i].steps[0] for i in numbers]
        X_PJ, X_JC = _stack([X for X, _ in steps], 7), _stack([joint.X_JC for _, joint in steps], 7)
        xyz = (JointAxis(_stack([joint.axes[0].xyz for _, joint in steps], 3)),)

        def place(kind: str, q: float) -> Array:
            motion = move_joint(MovingJoint("", kind, xyz), (np.full(count, q),))
            X = compose_batch(compose_batch(X_PJ, motion), X_JC)
            return np.array([np.broadcast_to(part, count) for part in X])
        turns = np.array([joint.type != "prismatic" for _, joint in steps], dtype=bool)
        zero, quarter, half = (place("revolute", q) for q in (0.0, pi / 2, pi))
        terms = np.zeros((6, 7, count))  # of 1, q, c, s, s², s c
        terms[0, :3], terms[1, :3] = zero[:3], (place("prismatic", 1.0)[:3] - zero[:3]) * ~turns
        terms[2, 3:], terms[3, 3:] = zero[3:], half[3:]
        terms[4, :3] = half[:3] - zero[:3]
        terms[5, :3] = 2 * (quarter[:3] - zero[:3]) - terms[4, :3]
        self._terms, self._half = np.zeros((6, 7, len(edges))), np.zeros(len(edges))
        self._terms[:, :, numbers], self._half[numbers] = terms, turns * 0.5
        self._factors = np.ones((6, len(edges)))

    def place(self, q: Array) -> Array:
        """Return the poses (7, n) at these positions."""
        _, slide, c, s, ss, sc = self._factors
        slide[:] = q
        np.multiply(q, self._half, out=ss)
        np.cos(ss, out=c)
        np.sin(ss, out=s)
        np.multiply(s, c, out=sc)
        np.multiply(s, s, out=ss)
        poses: Array = np.einsum("fcn,fn->cn", self._terms, self._factors)
        return poses


def _stack(rows: Sequence[Sequence[float]], size: int) -> Any:
    return tuple(np.array(rows, dtype=np.float64).reshape(-1, size).T)


class JointTracker:
    """Keeps the last received state of every joint, and computes the transforms from it.

    Parameters
    ----------
    edges : transforms with `steps`.
    leaders : joints that those of the edges may mimic, and that move other transforms.
    ignore_stamps : also use states that are older than the last state.

    Attributes
    ----------
    is_complete : whether every axis that moves an edge has a state, or mimics an axis that has one.
    """

    def __init__(self, edges: Sequence[Transform], ignore_stamps: bool = False, leaders: Iterable[MovingJoint] = ()):
        self.edges, self.ignore_stamps = tuple(edges), ignore_stamps
        self._joints = {joint.name: joint for joint in chain(leaders, (s.joint for edge in edges for s in edge.steps))}
        # The axes of all joints in one row; a joint without axes also has an entry, and the last entry is unused.
        self._first: dict[str, int] = {}
        self._axes: list[tuple[str, int]] = []
        for name, joint in self._joints.items():
            self._first[name] = len(self._axes)
            self._axes += [(name, axis) for axis in range(len(joint.axes) or 1)]
        self._names = name_axes({name: len(joint.axes) for name, joint in self._joints.items()})
        count = len(self._axes) + 1
        self._q, self._stamps = np.zeros(count), np.full(count, _NEVER, dtype=np.int64)
        self._is_new = np.zeros(count, dtype=bool)
        self._latest = _NEVER  # of all stamps
        self._motions: dict[str, Pose] = {}
        self._places: dict[tuple[str, ...], tuple[Indices, Indices]] = {}
        # The axes of all edges in one row, and the index of the first axis of each edge.
        axes = [[self._first[step.joint.name] + axis for step in edge.steps
                 for axis in range(len(step.joint.axes) or 1)] for edge in edges]
        self._row = np.array([*chain.from_iterable(axes)], dtype=np.intp)
        self._begins = np.cumsum([0, *map(len, axes)])[:-1]
        self._heads = self._row[self._begins]
        simple = [i for i, edge in enumerate(edges)
                  if len(edge.steps) == 1 and edge.steps[0].joint.type in ONE_AXIS_TYPES]
        self._simple, self._others = _Simple(self.edges, simple), sorted({*range(len(edges))}.difference(simple))
        self._follow()

    def _follow(self) -> None:
        """Find the axis that every axis follows, after the first state of an axis."""
        leads: dict[tuple[str, int], Lead] = {}
        found = [self._find_lead(*axis, leads) for axis in self._axes] + [Lead(None)]
        none = len(self._axes)
        self._source = np.array([self._first[lead.key[0]] + lead.key[1] if lead.key else none for lead in found])
        self._scale, self._shift = (np.array([lead[part] for lead in found]) for part in (1, 2))
        self._sources = self._source[self._row]
        self._is_all_heard = not (self._stamps[:-1] == _NEVER).any()
        self.is_complete = not (self._sources == none).any()

    def _find_lead(self, name: str, number: int, leads: dict[tuple[str, int], Lead]) -> Lead:
        def is_given(name: str, number: int) -> bool:
            return not self._hears_poses(name) and bool(self._stamps[self._first[name] + number] != _NEVER)
        if self._hears_poses(name):
            return Lead((name, number) if self._stamps[self._first[name]] != _NEVER else None)
        return find_lead(self._joints[name], number, is_given, self._joints, leads)

    def _hears_poses(self, name: str) -> bool:
        return MOTIONS[self._joints[name].type].hear is not None

    def knows(self, name: str) -> bool:
        """Return whether a name in a state belongs to a joint that moves one of the edges, or may."""
        return name in self._names

    def list_unheard(self) -> list[Transform]:
        """Return the edges without a state."""
        return [self.edges[i] for i in np.flatnonzero(self._find_stamps() == _NEVER)]

    def _find_stamps(self) -> NDArray[np.int64]:
        """Return the newest stamp of the axes of each edge."""
        return np.maximum.reduceat(self._stamps[self._sources], self._begins)

    def carry_over(self, before: JointTracker) -> None:
        """Take the states of joints that another tracker has under the same name and type, as if they came now."""
        same = {name for name, joint in self._joints.items() if (other := before._joints.get(name)) is not None
                and (other.type, len(other.axes)) == (joint.type, len(joint.axes))}
        common = [(i, before._first[name] + axis) for i, (name, axis) in enumerate(self._axes) if name in same]
        here, there = np.array(common, dtype=np.intp).reshape(-1, 2).T
        self._q[here], self._stamps[here] = before._q[there], before._stamps[there]
        self._is_new[here] = self._stamps[here] >= 0
        self._latest = before._latest
        self._motions = {name: X for name, X in before._motions.items() if name in same}
        self._follow()

    def forget_stamps(self) -> None:
        """Forget the stamps, because time has jumped back: the next state counts, whatever its stamp."""
        self._stamps[self._stamps != _NEVER] = self._latest = -1
        self._is_new.fill(False)  # a stamp below 0 is none

    def hear(self, names: tuple[str, ...], positions: Sequence[float] | Array, stamp: int) -> str | None:
        """Store positions of joints, in radians or metres, at `stamp` in nanoseconds.

        Unknown joints are ignored, and joints whose states are poses.

        Returns
        -------
        str or None
            Why the state is ignored as a whole, as from :func:`find_fault`.
        """
        q = np.asarray(positions, dtype=np.float64)
        # If the sum of the positions overflows, they are also checked one by one.
        is_plain = 0 < len(names) == len(q) and isfinite(np.add.reduce(q))
        if not is_plain and (fault := find_fault(names, q.tolist(), isfinite)) is not None:
            return fault
        if (places := self._places.get(names)) is None:
            if len(self._places) >= _MOST_KINDS:
                self._places.clear()
            places = self._places[names] = self._find_places(names)
        values, axes = places
        if stamp < self._latest and not self.ignore_stamps:
            is_new = self._stamps[axes] <= stamp
            values, axes = values[is_new], axes[is_new]
        self._q[axes] = q[values]
        self._note(axes, stamp)
        return None

    def _note(self, axes: Indices | int, stamp: int) -> None:
        is_first = not self._is_all_heard and bool((self._stamps[axes] == _NEVER).any())
        # robot_state_publisher publishes no stamp twice, either: it repeats while simulated time is paused.
        self._is_new[axes] |= self.ignore_stamps or stamp > self._latest or stamp > self._stamps[axes]
        self._stamps[axes] = stamp
        self._latest = max(self._latest, stamp)
        if is_first:
            self._follow()

    def _find_places(self, names: tuple[str, ...]) -> tuple[Indices, Indices]:
        """Find the used values of a state with these names, and their axes."""
        known = {self._first[axis[0]] + axis[1]: i for i, name in reversed([*enumerate(names)])
                 if (axis := self._names.get(name)) is not None and not self._hears_poses(axis[0])}
        return np.array([*known.values()], dtype=np.intp), np.array([*known], dtype=np.intp)

    def hear_motions(self, names: Sequence[str], motions: Sequence[Pose], stamp: int) -> str | None:
        """Store motions of ball, floating and planar joints: poses of the moving side in the fixed one.

        Return the same as :meth:`hear`.
        """
        if (fault := find_fault(names, motions, is_motion)) is not None:
            return fault
        for name, X in reversed([*zip(names, motions)]):  # the first of a joint is the last one stored
            joint = self._names.get(name, ("", 0))[0]
            hear = MOTIONS[self._joints[joint].type].hear if joint else None
            first = self._first.get(joint, -1)
            if hear is None or (not self.ignore_stamps and self._stamps[first] > stamp):
                continue
            length = hypot(*X[3:])
            w, i, j, k = (part / length for part in X[3:])
            self._motions[joint] = hear((*X[:3], w, i, j, k))
            self._note(first, stamp)
        return None

    def take(self, now: int | None = None) -> Moved:
        """Return the transforms that follow from the states since the last call.

        With `now`, also return those without a state yet, with that stamp.
        """
        is_due, stamps = np.logical_or.reduceat(self._is_new[self._sources], self._begins), self._find_stamps()
        self._is_new.fill(False)
        if now is not None:
            unheard = stamps == _NEVER
            is_due |= unheard
            stamps[unheard] = now
        q = self._scale * self._q[self._source] + self._shift
        poses = self._simple.place(q[self._heads])
        for i in self._others:
            if is_due[i]:
                poses[:, i] = self._place_steps(self.edges[i], q)
        (edges,) = is_due.nonzero()
        return Moved(edges, stamps[edges], poses.take(edges, axis=1))

    def _place_steps(self, edge: Transform, q: Array) -> NumbersPose:
        """Return the pose of an edge with several steps or numbers, with all axes at `q`."""
        X: NumbersPose = IDENTITY
        for X_PJ, joint in edge.steps:
            motion: NumbersPose | None = self._motions.get(joint.name)
            if motion is None:
                first = self._first[joint.name]
                own = q[first:first + len(joint.axes)]
                motion = move_joint(joint, tuple(own.tolist())) if np.isfinite(own).all() else (np.nan,) * 7
            X = compose_batch(compose_batch(compose_batch(X, X_PJ), motion), joint.X_JC)
        return X
