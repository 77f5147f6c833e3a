"""Positions of joints as they come in messages, and the transforms that follow from them.

Nothing here knows of ROS: stamps and times are whole nanoseconds of one clock.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import hypot, isfinite
from typing import NamedTuple

from sdf_frames.frames.kinematics import find_position, move_joint
from sdf_frames.frames.moving import MovingEdge
from sdf_frames.spatial.batch import NumbersPose, compose_batch
from sdf_frames.spatial.pose import IDENTITY, Pose

#: What follows a joint's name in the name of its second axis.
SECOND_AXIS = "_axis2"

#: Types of which a whole pose is heard.
_POSED = frozenset(("ball", "floating", "planar"))


class _Heard(NamedTuple):
    """Values of a joint's axes (None for an axis not heard of), or its pose; and the stamp of what was heard."""

    values: tuple[float | None, ...]
    motion: NumbersPose | None
    stamp: int


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

    def forget_stamps(self) -> None:
        """Take what is heard next whatever its stamp: time has jumped back."""
        self._heard = {name: heard._replace(stamp=0) for name, heard in self._heard.items()}

    def hear(self, names: Iterable[str], positions: Sequence[float], stamp: int) -> None:
        """Take positions of joints, in radians or metres.

        Parameters
        ----------
        names : as :func:`name_axes` has them; unknown ones are passed over.
        positions : one for each name; those that are not finite are passed over.
        stamp : nanoseconds.
        """
        for name, position in zip(names, positions):
            if (known := self._names.get(name)) is None or not isfinite(position):
                continue
            joint, axis = known
            before = self._heard.get(joint)
            if self._joints[joint].type in _POSED or (
                    before is not None and stamp < before.stamp and not self.ignore_stamps):
                continue
            count = len(self._joints[joint].axes)
            values: list[float | None] = [None] * count if before is None else list(before.values)
            values[axis] = position
            self._heard[joint] = _Heard(tuple(values), None, stamp)
            self._new.add(joint)

    def hear_motions(self, names: Iterable[str], motions: Iterable[Pose], stamp: int) -> None:
        """Take motions of ball, floating and planar joints: poses of the moving side in the fixed one."""
        for name, X in zip(names, motions):
            joint = self._names.get(name, ("", 0))[0]
            if joint not in self._joints or self._joints[joint].type not in _POSED:
                continue
            before, length = self._heard.get(joint), hypot(*X[3:])
            if not all(map(isfinite, X)) or not length or (
                    before is not None and stamp < before.stamp and not self.ignore_stamps):
                continue
            x, y, z = (0.0, 0.0, 0.0) if self._joints[joint].type == "ball" else X[:3]
            w, i, j, k = (part / length for part in X[3:])
            self._heard[joint] = _Heard((), (x, y, z, w, i, j, k), stamp)
            self._new.add(joint)

    def take(self, now: int | None) -> Iterator[tuple[int, int, NumbersPose]]:
        """Take the transforms that follow from what was heard since the last time, and those not heard of yet.

        Parameters
        ----------
        now : stamp of those of which nothing was heard; None to leave them out.

        Yields
        ------
        number, stamp, pose
            Number of the edge, nanoseconds, and the pose of its child in its parent.
        """
        new, self._new = self._new, set()
        pending = list(new)
        while pending:
            for follower in self._followers.get(pending.pop(), ()):
                if follower not in new:
                    new.add(follower)
                    pending.append(follower)
        stamps: dict[str, int | None] = {}
        given = {name: heard.values for name, heard in self._heard.items()}
        for number, edge in enumerate(self.edges):
            known = [self._find_stamp(step.joint.name, stamps, ()) for step in edge.steps]
            heard = [stamp for stamp in known if stamp is not None]
            if heard and any(step.joint.name in new for step in edge.steps):
                yield number, max(heard), self._place(edge, given)
            elif not heard and now is not None:
                yield number, now, self._place(edge, given)

    def _place(self, edge: MovingEdge, given: Mapping[str, Sequence[float | None]]) -> NumbersPose:
        X: NumbersPose = IDENTITY
        for X_PJ, joint, X_JC in edge.steps:
            heard = self._heard.get(joint.name)
            motion = heard.motion if heard is not None else None
            if motion is None:
                motion = move_joint(joint, find_position(joint, given, self._joints))
            X = compose_batch(X_PJ if X is IDENTITY else compose_batch(X, X_PJ), motion)
            if X_JC is not IDENTITY and X_JC != IDENTITY:
                X = compose_batch(X, X_JC)
        return X

    def _find_stamp(self, name: str, known: dict[str, int | None], chain: tuple[str, ...]) -> int | None:
        """Stamp of what was heard of a joint, or of the joint that it follows; None for nothing."""
        if name in known or name in chain:
            return known.get(name)
        heard = self._heard.get(name)
        stamp = heard.stamp if heard is not None else None
        if stamp is None and name in self._joints:
            leaders = [axis.mimic.joint for axis in self._joints[name].axes if axis.mimic is not None]
            stamps = [found for leader in leaders
                      if (found := self._find_stamp(leader, known, (*chain, name))) is not None]
            stamp = max(stamps, default=None)
        known[name] = stamp
        return stamp
