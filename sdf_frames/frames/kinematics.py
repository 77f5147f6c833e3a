"""How far a position of a joint moves its child: for one configuration, or a batch of them."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot

from sdf_frames.frames.mechanism import Mimic, MovingJoint
from sdf_frames.spatial.batch import Numbers, NumbersPose, compose_batch, invert_batch, slide_along, turn_about
from sdf_frames.spatial.pose import IDENTITY, Vector


def find_position(joint: MovingJoint, given: Mapping[str, Sequence[Numbers | None]], joints: Mapping[str, MovingJoint],
                  followed: dict[tuple[str, int], Numbers]) -> tuple[Numbers, ...]:
    """Return the position of a joint: as given, as a mimic follows from its leader, or zero.

    Parameters
    ----------
    joint : one of `joints`.
    given : by name, the position of a joint as `POSITION_SIZES` says; None for an axis whose position is not given.
    joints : every movable joint by its name.
    followed : values of mimic axes by joint and number, of the same `given` and `joints`; the function adds what it
        finds, so that the positions of all joints take linear time. Empty at first.
    """
    count = len(given.get(joint.name) or joint.axes)
    return tuple([_find_value(joint, number, given, joints, followed) for number in range(count)])


def _find_value(joint: MovingJoint, number: int, given: Mapping[str, Sequence[Numbers | None]],
                joints: Mapping[str, MovingJoint], followed: dict[tuple[str, int], Numbers]) -> Numbers:
    """Return the value of one axis. Leaders are followed by a loop: there may be thousands, or they form a circle."""
    way: dict[tuple[str, int], Mimic] = {}
    while True:
        key = joint.name, number
        own = given.get(joint.name)
        value = own[number] if own else None
        if value is None:
            value = followed.get(key)
        mimic = joint.axes[number].mimic if value is None else None
        leader = None if mimic is None else joints.get(mimic.joint)
        # A circle ends where it began, at zero.
        if mimic is None or leader is None or key in way or (
                mimic.axis >= len(given.get(leader.name) or leader.axes)):
            break
        way[key] = mimic
        joint, number = leader, mimic.axis
    value = 0.0 if value is None else value
    for key, mimic in reversed(way.items()):
        value = followed[key] = mimic.multiplier * value + mimic.offset
    return value


def move_joint(joint: MovingJoint, q: tuple[Numbers, ...]) -> NumbersPose:
    """Return the pose of the joint's moving side in its fixed one, both in the joint's frame at zero.

    Parameters
    ----------
    joint : says how it moves.
    q : its position, as `POSITION_SIZES` says; empty for a ball or floating joint at zero. Quaternions have unit
        length.
    """
    if not q:
        return IDENTITY
    axes = [axis.xyz for axis in joint.axes]
    if joint.type in ("revolute", "continuous"):
        return turn_about(axes[0], q[0])
    if joint.type == "prismatic":
        return slide_along(axes[0], q[0])
    if joint.type == "screw":
        return compose_batch(slide_along(axes[0], joint.pitch * q[0]), turn_about(axes[0], q[0]))
    if joint.type in ("universal", "revolute2"):
        return compose_batch(turn_about(axes[0], q[0]), turn_about(axes[1], q[1]))
    if joint.type == "ball":
        w, i, j, k = q
        return (0.0, 0.0, 0.0, w, i, j, k)
    if joint.type == "floating":
        x, y, z, w, i, j, k = q
        return (x, y, z, w, i, j, k)
    # A planar joint whose position is not given, as far as its axis tells, is at zero.
    return _move_in_plane(axes[0], *q) if len(q) == 3 else IDENTITY


def _move_in_plane(normal: Vector, x: Numbers, y: Numbers, angle: Numbers) -> NumbersPose:
    """Motion in the plane with a unit `normal`: by x and y along its directions, and about the normal.

    The directions are the joint frame's x and y axes, turned the shortest way that takes z to the normal (about x if
    the normal is -z).
    """
    i, j, k = normal
    length = hypot(1 + k, i, j)
    tilt: NumbersPose = (0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    if k > -1 + 1e-12:
        tilt = (0.0, 0.0, 0.0, (1 + k) / length, -j / length, i / length, 0.0)
    turned = compose_batch((x, y, 0.0, 1.0, 0.0, 0.0, 0.0), turn_about((0.0, 0.0, 1.0), angle))
    return compose_batch(compose_batch(tilt, turned), invert_batch(tilt))
