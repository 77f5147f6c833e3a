"""Lines of a scene: axes, the tree, limits of joints, the range of sensors, and the box around the selection."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import cos, isfinite, sin, tau

import numpy as np

from sdf_frames.api.elements import Joint
from sdf_frames.api.pose import Pose
from sdf_frames.view.outlines import STEP, find_sides
from sdf_frames.view.scene import DrawnFrame, DrawnScene, DrawnSensor, Numbers

#: A point of a link (its name, "" for the world or root model) in metres.
Point = tuple[str, Numbers]
#: Radius of the arc of a limit, relative to the longest side of the scene.
_RADIUS = 0.05


@dataclass(frozen=True, slots=True)
class Segments:
    """Line segments: points 2 i and 2 i + 1 of (2 N) are the ends of one."""

    points: tuple[Point, ...]

    @property
    def bodies(self) -> list[str]:
        """The link of each point."""
        return [body for body, _ in self.points]

    @property
    def xyz(self) -> Numbers:
        """(2 N, 3) each point in its link."""
        return np.array([xyz for _, xyz in self.points]).reshape(-1, 3)

    def place(self, poses: Mapping[str, Pose]) -> Numbers:
        """Find the points (2 N, 3) where links have these poses."""
        return (join_poses([poses[body] for body in self.bodies]) @ Pose(self.xyz)).xyz


def join_poses(poses: Sequence[Pose]) -> Pose:
    """Return poses as one batch (N)."""
    if not poses:
        return Pose(np.zeros((0, 3)))
    return Pose([X.xyz for X in poses], [X.quat_wxyz for X in poses])


def draw_axes(scene: DrawnScene, length: float) -> Segments:
    """Draw a line of `length` metres along each axis of each joint, through the joint's origin, on its child."""
    points: list[Point] = []
    for joint in scene.joints:
        if joint.pose is not None and joint.child in scene.bodies:
            X_CJ = scene.bodies[joint.child].inverse() @ joint.pose
            for axis in joint.axes:
                half = np.asarray(axis.xyz, dtype=float) * length / 2
                points += [(joint.child, xyz) for xyz in (X_CJ @ Pose([-half, half])).xyz]
    return Segments(tuple(points))


def draw_tree(scene: DrawnScene) -> Segments:
    """Draw a line from each link to its parent link, and from each frame to the part that it is attached to."""
    origin = np.zeros(3)
    points: list[Point] = []
    for joint in scene.joints:
        if joint.child in scene.bodies:
            points += [(joint.parent if joint.parent in scene.bodies else "", origin), (joint.child, origin)]
    places = {drawn.frame.name: (drawn.body, drawn.X_BF.xyz) for drawn in scene.frames}
    for drawn in scene.frames:
        scope, _, _ = drawn.frame.name.rpartition("::")
        parent = places.get("::".join(filter(None, (scope, drawn.frame.attached_to or ""))), (drawn.body, origin))
        child = places[drawn.frame.name]
        if drawn.body and parent[0] == child[0] and (parent[1] != child[1]).any():
            points += [parent, child]
    return Segments(tuple(points))


def draw_outlines(sensors: Iterable[DrawnSensor]) -> Segments:
    """Draw the range of sensors and lights."""
    return Segments(tuple([(sensor.axes.body, xyz) for sensor in sensors for xyz in sensor.outline]))


def draw_box(scene: DrawnScene, drawn: DrawnFrame) -> Segments:
    """Draw the edges of a box around the shapes of a link, or around the axes of a frame without shapes."""
    shapes = [shape for shape in scene.shapes if shape.body == drawn.frame.name]
    clouds = [(shape.X_BS @ Pose([*product(*zip(*surface.bounds))])).xyz
              for shape in shapes for surface in shape.surfaces if surface.extents is not None]
    points = np.concatenate(clouds or [drawn.X_BF.xyz + drawn.length * np.array([[-1.0], [1.0]])])
    corners = [np.array(corner) for corner in product(*zip(points.min(axis=0), points.max(axis=0)))]
    edges = [(i, i | side) for i in range(8) for side in (1, 2, 4) if not i & side]
    body = drawn.frame.name if clouds else drawn.body
    return Segments(tuple([(body, corners[i]) for edge in edges for i in edge]))


def draw_limits(scene: DrawnScene) -> Segments:
    """Draw the range of each revolute and prismatic joint on its parent, and a needle on its child.

    The needle of a revolute joint is a radius of the arc from the lower to the upper limit; that of a prismatic joint
    is a bar across the line from the lower to the upper limit.
    """
    points: list[Point] = []
    radius = _RADIUS * scene.extent
    for joint in scene.joints:
        if joint.pose is None or joint.child not in scene.bodies or joint.type not in ("revolute", "prismatic"):
            continue
        lower, upper = joint.limits.lower, joint.limits.upper
        if isfinite(lower) and isfinite(upper) and lower < upper:
            body = joint.parent if joint.parent in scene.bodies else ""
            X_PJ = scene.bodies.get(body, Pose()).inverse() @ joint.pose
            X_CJ = scene.bodies[joint.child].inverse() @ joint.pose
            fixed, needle = (_draw_arc if joint.type == "revolute" else _draw_rail)(joint, lower, upper, radius)
            points += [(body, xyz) for xyz in (X_PJ @ Pose(fixed)).xyz]
            points += [(joint.child, xyz) for xyz in (X_CJ @ Pose(needle)).xyz]
    return Segments(tuple(points))


def _draw_arc(joint: Joint, lower: float, upper: float, radius: float) -> tuple[list[Numbers], list[Numbers]]:
    """Return the points of arc and needle in the joint's frame, two for each segment."""
    u, v = find_sides(np.asarray(joint.axes[0].xyz, dtype=float))
    upper = min(upper, lower + tau)
    count = int((upper - lower) / STEP) + 2
    rim = [radius * (cos(q) * u + sin(q) * v) for q in np.linspace(lower, upper, count)]
    outline = [np.zeros(3), *rim, np.zeros(3)]
    return [point for pair in zip(outline, outline[1:]) for point in pair], [np.zeros(3), 1.3 * radius * u]


def _draw_rail(joint: Joint, lower: float, upper: float, radius: float) -> tuple[list[Numbers], list[Numbers]]:
    axis = np.asarray(joint.axes[0].xyz, dtype=float)
    u, _ = find_sides(axis)
    fixed = [lower * axis, upper * axis]
    for end in (lower, upper):
        fixed += [end * axis - radius / 2 * u, end * axis + radius / 2 * u]
    return fixed, [-radius * u, radius * u]
