"""Finds the pose to write so that a frame has a given pose in another frame.

The pose of the frame F in the frame P is a product of written poses, of their inverses, and of motions of joints. If
the pose X is exactly one of these factors, ``X_PF = X_PA · X · X_BF`` determines it.
"""
from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from typing import NamedTuple

from sdf_frames.frames.graph import SINK, FrameGraph
from sdf_frames.frames.kinematics import Lead, MovingJoint, find_lead, find_position, move_joint
from sdf_frames.frames.mechanism import build_mechanism, describe_robot_joint
from sdf_frames.frames.resolve import Scope
from sdf_frames.sdf.model import Frame, Model
from sdf_frames.spatial.pose import IDENTITY, Pose, compose, invert, normalise
from sdf_frames.urdf.model import Robot


class Factor(NamedTuple):
    """A written pose or its inverse; `owner` is the vertex of the pose, negative for the motion of a joint."""

    owner: int
    X: Pose
    is_inverse: bool = False

    def invert(self) -> Factor:
        """Return the inverse."""
        return Factor(self.owner, invert(self.X), not self.is_inverse)


class WrittenPoses(NamedTuple):
    """The frames of a robot or scope, each with its pose as written.

    Attributes
    ----------
    names : (N,) owner of each pose: a joint of a URDF (0 is its root), or a part of SDFormat.
    vertices : vertex of each frame by its name.
    above, factors : (N,) the vertex that the pose of each vertex is relative to, negative for none, and the pose. The
        pose of a model with a placement frame is that of this frame.
    carriers : (N,) the vertex that each is rigidly attached to, or connected to by a joint; negative for none.
    joints : by carried vertex: the joint, and a way that ends at its vertex, through the frames of its axes.
    known : the vertices with a pose.
    graph : the graph of SDFormat; None for a URDF.
    """

    names: Sequence[str]
    vertices: Mapping[str, int]
    above: Sequence[int]
    factors: Sequence[Factor]
    carriers: Sequence[int]
    joints: Mapping[int, tuple[MovingJoint, Sequence[int]]]
    known: Collection[int]
    graph: FrameGraph | None = None

    def list_between(self, base: int, frame: int) -> list[int]:
        """List the vertices whose written poses determine the pose of a frame in another frame."""
        ups, downs = _find_ways(self.above, base, frame)
        return [self.factors[vertex].owner for vertex in (*downs, *ups)]

    def list_factors(self, base: int, frame: int) -> list[Factor]:
        """List the factors of the pose of a frame in another frame, with all joints at zero."""
        ups, downs = _find_ways(self.above, base, frame)
        return [*[self.factors[vertex].invert() for vertex in ups], *[self.factors[vertex] for vertex in downs[::-1]]]


def _find_ways(parents: Sequence[int], base: int, frame: int) -> tuple[list[int], list[int]]:
    """Find the vertices from each of two up to the first vertex that is above both."""
    ups, downs = list[int](), list[int]()
    for way, vertex in ((ups, base), (downs, frame)):
        while vertex >= 0:
            way.append(vertex)
            vertex = parents[vertex]
    while ups and downs and ups[-1] == downs[-1]:
        ups.pop()
        downs.pop()
    return ups, downs


def read_robot(robot: Robot) -> WrittenPoses:
    """Read the poses of a URDF, where the frame of a joint is that of its child link."""
    vertices = {robot.root: 0, **{joint.child: number for number, joint in enumerate(robot.joints, 1)}}
    above = [SINK, *[vertices[joint.parent] for joint in robot.joints]]
    origins = [IDENTITY, *[joint.origin.pose() for joint in robot.joints]]
    moving = [describe_robot_joint(joint, {}) for joint in robot.joints]
    for number, joint in enumerate(robot.joints, 1):
        vertices.setdefault(joint.name, number)
    return WrittenPoses([robot.root, *[joint.name for joint in robot.joints]], vertices, above,
                        [Factor(number, X) for number, X in enumerate(origins)], above,
                        {number: (joint, (number,)) for number, joint in enumerate(moving, 1) if joint is not None},
                        range(len(above)))


def read_scope(scope: Scope) -> WrittenPoses:
    """Read the poses of a world or model of SDFormat."""
    graph, mechanism = scope.graph, build_mechanism(scope)
    known, joints = {*mechanism.index.values()}, dict[int, tuple[MovingJoint, Sequence[int]]]()
    for place, joint in mechanism.joints.items():
        vertex = graph.vertices[joint.name]
        bound = [graph.find(graph.prefix(vertex), axis.expressed_in) for axis in graph.joint(vertex).axes]
        joints[place] = joint, [*[stop for axis in bound if axis is not None for stop in (vertex, axis)], vertex]
    above = [parent if vertex in known else SINK for vertex, parent in enumerate(graph.relative)]  # without cycles
    factors = [Factor(vertex, X or IDENTITY) for vertex, X in enumerate(graph.raw)]
    for model in range(len(graph.names) - 1, 0, -1):  # inner ones first
        entity = graph.entities[model]
        if model in known and isinstance(entity, (Model, Frame)) and entity.placement_frame:
            inside = f"{graph.names[model]}::" if isinstance(entity, Model) else graph.prefix(model)
            placing, parent = graph.find(inside, entity.placement_frame), above[model]
            assert placing is not None and entity.pose.X is not None  # else the model has no pose
            for low, high in reversed([*pairwise([*_find_ways(above, placing, model)[0], model])]):
                above[high], factors[high] = low, factors[low].invert()
            above[placing], factors[placing] = parent, Factor(model, normalise(entity.pose.X))
    return WrittenPoses(graph.names, graph.vertices, above, factors, mechanism.parents, joints, known, graph)


def solve_pose(poses: WrittenPoses, base: int, frame: int, moved: int, X_PF: Pose,
               given: Mapping[str, Sequence[float]]) -> Pose | list[str] | None:
    """Find the pose to write for the vertex `moved`, so that `frame` is at `X_PF` in `base`.

    Parameters
    ----------
    given : positions of joints by their names, with the numbers of `MOTIONS`. Mimic joints follow their leaders.

    Returns
    -------
    Pose, list or None
        The names of joints between the frames whose positions are unknown, if there are any. None if this pose cannot
        be solved for: it is not a factor, or several times.
    """
    every, leads = {joint.name: joint for joint, _ in poses.joints.values()}, dict[tuple[str, int], Lead]()
    ups, downs = _find_ways(poses.carriers, base, frame)
    factors, at, unknown = list[Factor](), base, list[str]()
    for number, vertex in enumerate((*ups, *downs[::-1])):
        if vertex not in poses.joints:
            continue
        joint, way = poses.joints[vertex]
        leaders = [find_lead(joint, axis, lambda name, _: name in given, every, leads).key
                   for axis in range(len(joint.axes))]
        if joint.name not in given and (not leaders or None in leaders):
            unknown.append(joint.name)
        for stop in way:
            factors += poses.list_factors(at, stop)
            at = stop
        x, y, z, qw, qx, qy, qz = map(float, move_joint(joint, find_position(joint, given, every, leads)))
        motion = Factor(SINK, normalise((x, y, z, qw, qx, qy, qz)))
        factors.append(motion.invert() if number < len(ups) else motion)
    return unknown or _solve([*factors, *poses.list_factors(at, frame)], moved, X_PF)


def _solve(factors: Sequence[Factor], owner: int, X_PF: Pose) -> Pose | None:
    places = [number for number, factor in enumerate(factors) if factor.owner == owner]
    if len(places) != 1:
        return None
    X_PA, X_BF = [reduce(compose, [factor.X for factor in part], IDENTITY)
                  for part in (factors[:places[0]], factors[places[0] + 1:])]
    X_AB = compose(compose(invert(X_PA), X_PF), invert(X_BF))
    return normalise(invert(X_AB) if factors[places[0]].is_inverse else X_AB)
