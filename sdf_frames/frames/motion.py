"""Motion about or along one axis: the pose at a position, the position of a pose, and how far it is beyond limits."""
from __future__ import annotations

from math import atan2, cos, floor, inf, isinf, pi, sin
from typing import NamedTuple

from sdf_frames.frames.kinematics import MovingJoint
from sdf_frames.sdf.joint_types import ONE_AXIS_TYPES
from sdf_frames.spatial.pose import Pose, Vector, invert, rotate


class Motion(NamedTuple):
    """Motion of a joint's child about or along one axis. Poses are (x, y, z, qw, qx, qy, qz).

    Attributes
    ----------
    joint : name of the joint.
    turns : whether the child turns about the axis; else it slides along it.
    axis, point : unit vector of the axis, and a point on it in metres, in the child's frame at zero.
    lower, upper : limits in radians or metres; infinite if not limited.
    """

    joint: str
    turns: bool
    axis: Vector
    point: Vector = (0.0, 0.0, 0.0)
    lower: float = -inf
    upper: float = inf

    def place(self, q: float) -> Pose:
        """Return the pose of the child at position `q` in its frame at zero."""
        if not self.turns:
            x, y, z = (q * a for a in self.axis)
            return (x, y, z, 1.0, 0.0, 0.0, 0.0)
        i, j, k = (sin(q / 2) * a for a in self.axis)
        turn = (cos(q / 2), i, j, k)
        x, y, z = (p - t for p, t in zip(self.point, rotate(turn, self.point)))
        return (x, y, z, *turn)

    def find_position(self, X: Pose) -> float:
        """Return the position at which the child is nearest to pose `X` in its frame at zero; angles from -pi to pi."""
        along = sum(a * x for a, x in zip(self.axis, X[4:] if self.turns else X[:3]))
        if not self.turns:
            return along
        return (2 * atan2(along, X[3]) + pi) % (2 * pi) - pi

    def find_excess(self, q: float) -> float:
        """Return how far a position is beyond the limits; for angles, after the whole turns that bring it nearest."""
        if not self.lower < self.upper:
            return 0.0  # no range that means anything
        turns = {0}
        if self.turns:
            if isinf(self.lower) or isinf(self.upper):
                return 0.0
            for bound in (self.lower, self.upper):
                below = floor((bound - q) / (2 * pi))
                turns |= {below, below + 1}
        return min(max(0.0, self.lower - x, x - self.upper) for x in [q + 2 * pi * n for n in turns])


def find_motion(joint: MovingJoint) -> Motion | None:
    """Return how a joint moves its child; None unless it turns about one axis or slides along it."""
    if joint.type not in ONE_AXIS_TYPES:
        return None
    (axis,) = joint.axes
    X_CJ = invert(joint.X_JC)
    return Motion(joint.name, joint.type != "prismatic", rotate(X_CJ[3:], axis.xyz), X_CJ[:3], axis.limits.lower,
                  axis.limits.upper)
