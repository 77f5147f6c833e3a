"""How far a position of a joint moves its child: for one configuration, or a batch of them."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot

from sdf_frames.frames.mechanism import MovingJoint
from sdf_frames.spatial.batch import Numbers, NumbersPose, compose_batch, invert_batch, slide_along, turn_about
from sdf_frames.spatial.pose import IDENTITY, Vector


def find_position(joint: MovingJoint, given: Mapping[str, Sequence[Numbers | None]], joints: Mapping[str, MovingJoint],
                  followers: tuple[str, ...] = ()) -> tuple[Numbers, ...]:
    """Return the position of a joint: as given, as a mimic follows from its leader, or zero.

    Parameters
    ----------
    joint : one of `joints`.
    given : by name, the position of a joint as `POSITION_SIZES` says; None for an axis whose position is not given.
    joints : every movable joint by its name.
    followers : names of the joints that follow this one: joints can mimic each other in a circle.
    """
    own = given.get(joint.name, ())
    position = [value for value in own if value is not None]
    if position and len(position) == len(own):
        return tuple(position)
    position = []
    for number, axis in enumerate(joint.axes):
        value = own[number] if own else None
        leader = None if axis.mimic is None else joints.get(axis.mimic.joint)
        if value is None and axis.mimic is not None and leader is not None and joint.name not in followers:
            led = find_position(leader, given, joints, (*followers, joint.name))
            if axis.mimic.axis < len(led):
                value = axis.mimic.multiplier * led[axis.mimic.axis] + axis.mimic.offset
        position.append(0.0 if value is None else value)
    return tuple(position)


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
