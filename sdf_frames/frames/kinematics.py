"""Defines how joints move: the numbers of a position, the motion of the child, and the form of states in messages.

A position is one configuration, or a batch of them.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import atan2, floor, hypot, inf, isinf, pi
from typing import NamedTuple

from sdf_frames.spatial.batch import Numbers, NumbersPose, compose_batch, invert_batch, slide_along, turn_about
from sdf_frames.spatial.pose import IDENTITY, Pose, Vector, invert, rotate


class Limits(NamedTuple):
    """Limits of one axis.

    `lower` and `upper` in radians or metres; `effort` in N·m or N, `velocity` in rad/s or m/s; infinite if not limited.
    """

    lower: float = -inf
    upper: float = inf
    effort: float = inf
    velocity: float = inf


class Mimic(NamedTuple):
    """A mimic axis: its position is ``multiplier * q + offset``, `q` being the position of axis `axis` of `joint`."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0
    axis: int = 0


class JointAxis(NamedTuple):
    """An axis of a joint: unit vector `xyz` in the joint's frame, its limits, and the axis that it mimics or None."""

    xyz: Vector
    limits: Limits = Limits()
    mimic: Mimic | None = None


class MovingJoint(NamedTuple):
    """A joint that moves its child.

    Attributes
    ----------
    name, type : the SDF name (or the URDF name, if the SDF does not have the joint), and a key of `MOTIONS`.
    axes : the axes, in order.
    X_JC : pose of the child in the joint's frame at zero.
    pitch : for screws, metres along the axis for each radian.
    """

    name: str
    type: str
    axes: tuple[JointAxis, ...]
    X_JC: Pose = IDENTITY
    pitch: float = 0.0


class MotionType(NamedTuple):
    """The motion of the joints of one type.

    Attributes
    ----------
    size : how many numbers a position has: radians or metres, unless the row says otherwise.
    move : ``move(joint, *q)`` is the pose of the moving side in the fixed one, both in the joint's frame at zero.
    has_quaternion : whether a position ends with a quaternion w x y z.
    hear : returns the part of a pose from a message that is used; None if messages have positions of axes instead.
    """

    size: int
    move: Callable[..., NumbersPose]
    has_quaternion: bool = False
    hear: Callable[[Pose], Pose] | None = None


def _turn(joint: MovingJoint, angle: Numbers) -> NumbersPose:
    return turn_about(joint.axes[0].xyz, angle)


def _slide(joint: MovingJoint, distance: Numbers) -> NumbersPose:
    return slide_along(joint.axes[0].xyz, distance)


def _screw(joint: MovingJoint, angle: Numbers) -> NumbersPose:
    return compose_batch(_slide(joint, joint.pitch * angle), _turn(joint, angle))


def _turn_twice(joint: MovingJoint, first: Numbers, second: Numbers) -> NumbersPose:
    return compose_batch(_turn(joint, first), turn_about(joint.axes[1].xyz, second))


def _move_in_plane(joint: MovingJoint, x: Numbers, y: Numbers, angle: Numbers) -> NumbersPose:
    """Move by x and y along directions in the plane, and rotate about its normal.

    The directions are the joint frame's x and y axes after the smallest rotation of z to the normal (about x if the
    normal is -z).
    """
    i, j, k = joint.axes[0].xyz
    length = hypot(1 + k, i, j)
    tilt: NumbersPose = (0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    if k > -1 + 1e-12:
        tilt = (0.0, 0.0, 0.0, (1 + k) / length, -j / length, i / length, 0.0)
    turned = compose_batch((x, y, 0.0, 1.0, 0.0, 0.0, 0.0), turn_about((0.0, 0.0, 1.0), angle))
    return compose_batch(compose_batch(tilt, turned), invert_batch(tilt))


#: By the joint's type.
MOTIONS = {
    "revolute": MotionType(1, _turn),
    "continuous": MotionType(1, _turn),
    "prismatic": MotionType(1, _slide),
    "screw": MotionType(1, _screw),
    "universal": MotionType(2, _turn_twice),
    "revolute2": MotionType(2, _turn_twice),
    # A quaternion, and a pose x y z qw qx qy qz.
    "ball": MotionType(4, lambda joint, *q: (0.0, 0.0, 0.0, *q), True, lambda X: (0.0, 0.0, 0.0, *X[3:])),
    "floating": MotionType(7, lambda joint, *q: q, True, lambda X: X),
    # Metres along two directions in the plane, and radians about its normal.
    "planar": MotionType(3, _move_in_plane, hear=lambda X: X),
}


def move_joint(joint: MovingJoint, q: tuple[Numbers, ...]) -> NumbersPose:
    """Return the pose of the joint's moving side in its fixed one, both in the joint's frame at zero.

    `q` is its position as in `MOTIONS`, with unit quaternions. With fewer numbers (those of the axes, if no position
    is given), a ball, floating or planar joint is at zero.
    """
    motion = MOTIONS[joint.type]
    return motion.move(joint, *q) if len(q) == motion.size else IDENTITY


class Lead(NamedTuple):
    """The lead of an axis: its position is ``scale * q + shift``, q the value of the axis `key`; without a key, shift.

    `key` is the name of a joint and the number of its axis.
    """

    key: tuple[str, int] | None
    scale: float = 1.0
    shift: float = 0.0


def find_lead(joint: MovingJoint, number: int, is_given: Callable[[str, int], bool], joints: Mapping[str, MovingJoint],
              leads: dict[tuple[str, int], Lead]) -> Lead:
    """Return the lead of an axis: itself if its value is given, else the nearest given axis that it mimics.

    Parameters
    ----------
    joint, number : one of `joints`, and the number of its axis.
    is_given : whether the value of an axis, by joint and number, is given.
    joints : every movable joint by its name.
    leads : the leads found for the same `is_given` and `joints`; the function adds to it, so that all axes take linear
        time. Empty at first.
    """
    way: dict[tuple[str, int], Mimic] = {}
    while True:  # a loop: there may be thousands of leaders, or they form a circle
        key = joint.name, number
        lead = Lead(key) if is_given(*key) else leads.get(key)
        mimic = joint.axes[number].mimic if lead is None and number < len(joint.axes) else None
        leader = None if mimic is None else joints.get(mimic.joint)
        # A mimic cycle is at zero, as is what follows an axis that does not exist, or a joint whose state is a pose.
        if mimic is None or key in way or leader is not None and not _has_number(leader, mimic.axis):
            break
        way[key] = mimic
        if leader is None:  # a fixed joint is at zero
            break
        joint, number = leader, mimic.axis
    lead = lead or Lead(None)
    for key, mimic in reversed(way.items()):
        lead = leads[key] = Lead(lead.key, mimic.multiplier * lead.scale,
                                 mimic.multiplier * lead.shift + mimic.offset)
    return lead


def _has_number(joint: MovingJoint, axis: int) -> bool:
    return axis < len(joint.axes) and MOTIONS[joint.type].hear is None


def find_position(joint: MovingJoint, given: Mapping[str, Sequence[Numbers | None]], joints: Mapping[str, MovingJoint],
                  leads: dict[tuple[str, int], Lead]) -> tuple[Numbers, ...]:
    """Return the position of a joint: as given, as its leader determines, or zero.

    Parameters
    ----------
    joint : one of `joints`.
    given : by name, the position of a joint as in `MOTIONS`; None for an axis whose position is not given.
    joints, leads : as in :func:`find_lead`.
    """
    def read(name: str, number: int) -> Numbers | None:
        values = given.get(name)
        return values[number] if values and number < len(values) else None

    def find(number: int) -> Numbers:
        key, scale, shift = find_lead(joint, number, lambda *axis: read(*axis) is not None, joints, leads)
        value = None if key is None else read(*key)
        return shift if value is None else value if key == (joint.name, number) else scale * value + shift
    return tuple([find(number) for number in range(len(given.get(joint.name) or joint.axes))])


class Motion(NamedTuple):
    """The motion of a joint's child about or along its one axis. Poses are (x, y, z, qw, qx, qy, qz)."""

    joint: MovingJoint

    @property
    def turns(self) -> bool:
        """Whether the child rotates about the axis; else it slides along it."""
        return self.joint.type != "prismatic"

    @property
    def axis(self) -> Vector:
        """Unit vector of the axis in the child's frame at zero."""
        return rotate(invert(self.joint.X_JC)[3:], self.joint.axes[0].xyz)

    @property
    def limits(self) -> Limits:
        """Limits of the axis."""
        return self.joint.axes[0].limits

    def place(self, q: float) -> Pose:
        """Return the pose of the child at position `q` in its frame at zero."""
        X_JC = self.joint.X_JC
        x, y, z, w, i, j, k = map(float, compose_batch(compose_batch(invert(X_JC), move_joint(self.joint, (q,))), X_JC))
        return x, y, z, w, i, j, k

    def find_position(self, X: Pose) -> float:
        """Return the position at which the child is nearest to pose `X` in its frame at zero; angles from -pi to pi."""
        along = sum(a * x for a, x in zip(self.axis, X[4:] if self.turns else X[:3]))
        if not self.turns:
            return along
        return (2 * atan2(along, X[3]) + pi) % (2 * pi) - pi

    def find_excess(self, q: float) -> float:
        """Return how far a position is beyond the limits; for angles, modulo whole turns."""
        lower, upper = self.limits[:2]
        if not lower < upper:
            return 0.0  # not a range
        turns = {0}
        if self.turns:
            if isinf(lower) or isinf(upper):
                return 0.0
            for bound in (lower, upper):
                below = floor((bound - q) / (2 * pi))
                turns |= {below, below + 1}
        return min(max(0.0, lower - x, x - upper) for x in [q + 2 * pi * n for n in turns])
