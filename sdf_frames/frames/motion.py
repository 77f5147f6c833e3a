"""How a joint lets its child link move: about or along one axis, within limits; which position a pose means."""
from __future__ import annotations

from math import atan2, cos, floor, hypot, inf, isinf, pi, sin
from typing import NamedTuple

from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.resolve import resolve_axis
from sdf_frames.sdf.entities import read_child_number
from sdf_frames.sdf.joint_types import ONE_AXIS_TYPES
from sdf_frames.spatial.pose import Pose, Vector, compose, invert, rotate
from sdf_frames.urdf.joint_types import JOINT_TYPES
from sdf_frames.urdf.model import Joint


class Motion(NamedTuple):
    """Motion of a joint: its name, whether the child turns about the axis or slides along it, the unit `axis` and a
    `point` on it (metres) in the child's frame, and the limits (radians or metres). Poses are x y z qw qx qy qz."""

    joint: str
    turns: bool
    axis: Vector
    point: Vector = (0.0, 0.0, 0.0)
    lower: float = -inf
    upper: float = inf

    def place(self, q: float) -> Pose:
        """Pose of the child at position `q` in the child at zero."""
        if not self.turns:
            x, y, z = (q * a for a in self.axis)
            return (x, y, z, 1.0, 0.0, 0.0, 0.0)
        i, j, k = (sin(q / 2) * a for a in self.axis)
        turn = (cos(q / 2), i, j, k)
        x, y, z = (p - t for p, t in zip(self.point, rotate(turn, self.point)))
        return (x, y, z, *turn)

    def find_position(self, X: Pose) -> float:
        """The position at which the child is nearest to the pose `X` in the child at zero: turns within half a turn."""
        along = sum(a * x for a, x in zip(self.axis, X[4:] if self.turns else X[:3]))
        if not self.turns:
            return along
        return (2 * atan2(along, X[3]) + pi) % (2 * pi) - pi

    def find_excess(self, q: float) -> float:
        """How far a position is beyond the limits; what turns counts where whole turns bring it nearest to them."""
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


def find_motion(graph: FrameGraph, vertex: int, prefix: str, child: int) -> Motion | None:
    """Motion of a graph's joint that moves the link `child`; None unless it has one axis that can be resolved."""
    joint = graph.joint(vertex)
    if joint.type not in ONE_AXIS_TYPES or not joint.axes:
        return None
    axis = joint.axes[0]
    xyz = resolve_axis(graph, vertex, prefix, axis)
    X_SC, X_SJ = graph.poses[child], graph.poses[vertex]
    if xyz is None or X_SC is None or X_SJ is None:
        return None
    X_CJ = compose(invert(X_SC), X_SJ)
    lower, upper = (read_child_number(axis.element, f"limit/{tag}") for tag in ("lower", "upper"))
    if joint.type == "continuous":
        lower = upper = None
    return Motion(graph.names[vertex], joint.type != "prismatic", rotate(X_CJ[3:], xyz), X_CJ[:3],
                  -inf if lower is None else lower, inf if upper is None else upper)


def find_robot_motion(joint: Joint) -> Motion | None:
    """Motion of a URDF's joint; None where it has not just one axis."""
    row = JOINT_TYPES[joint.type]
    if not row.one_axis or joint.axis is None or not (length := hypot(*joint.axis)):
        return None
    limit = joint.limit if row.bounded else None
    x, y, z = joint.axis
    return Motion(joint.name, joint.type != "prismatic", (x / length, y / length, z / length),
                  lower=-inf if limit is None else limit.lower, upper=inf if limit is None else limit.upper)
