"""Finds the pose to change so that a frame has a given pose in another frame.

A changed pose moves one group of frames, its far side, relative to all other frames. If the frames P and F are on
different sides, ``X_PF = X_PA · X_AB · X_BF``, where X_AB is the changed pose of the frame B in the frame A.
"""
from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from itertools import chain, pairwise
from typing import NamedTuple

from sdf_frames.frames.forest import find_roots
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.kinematics import Lead, MovingJoint, find_lead, find_position, move_joint
from sdf_frames.frames.mechanism import build_mechanism, describe_robot_joint
from sdf_frames.frames.resolve import Scope
from sdf_frames.sdf.model import Frame, Model
from sdf_frames.spatial.pose import IDENTITY, Pose, compose, invert, normalise
from sdf_frames.urdf.model import Robot


class WrittenPoses(NamedTuple):
    """The frames of a robot or scope, each with its pose as written.

    Attributes
    ----------
    names : (N,) owner of each pose: a joint of a URDF (0 is its root), or a part of SDFormat.
    vertices : vertex of each frame by its name.
    above, raw : (N,) the vertex that the pose of each vertex is relative to, negative for none, and the pose.
    carriers : (N,) the vertex that each is rigidly attached to, or connected to by a joint; negative for none.
    joints : by carried vertex: the joint, its own vertex, and the vertices of the frames of its axes.
    known : the vertices with a pose.
    placed : placement frames, by their models and merged includes, inner ones first.
    graph : the graph of SDFormat; None for a URDF.
    """

    names: Sequence[str]
    vertices: Mapping[str, int]
    above: Sequence[int]
    raw: Sequence[Pose | None]
    carriers: Sequence[int]
    joints: Mapping[int, tuple[MovingJoint, Sequence[int]]]
    known: Collection[int]
    placed: Mapping[int, int] = {}
    graph: FrameGraph | None = None

    def list_between(self, base: int, frame: int) -> list[int]:
        """List the vertices whose poses determine the pose of a frame in another frame."""
        ups, downs = _find_ways(self.above, base, frame)
        return [*downs, *ups]

    def find_pose(self, base: int, frame: int) -> Pose:
        """Return the pose of a frame in another frame, with all joints at zero."""
        X_CB, X_CF = [reduce(lambda X, vertex: compose(self.raw[vertex] or IDENTITY, X), way, IDENTITY)
                      for way in _find_ways(self.above, base, frame)]
        return compose(invert(X_CB), X_CF)

    def find_below(self, top: int) -> set[int]:
        """Find the vertices whose poses depend on that of `top`, including `top`."""
        roots, _ = find_roots([-1 if vertex == top else above for vertex, above in enumerate(self.above)])
        return {vertex for vertex, root in enumerate(roots) if root == top}

    def find_far_side(self, moved: int) -> set[int]:
        """Find the vertices that keep their poses relative to `moved` when its pose changes.

        The pose of a model with a placement frame is the pose of this frame: frames outside of the model stay with it.
        """
        far = self.find_below(moved)
        for model, placing in self.placed.items():
            inside = self.find_below(model)
            if moved in inside and moved != model:
                outside = set(range(len(self.names))) - inside
                far = far | outside if placing in far else far - outside
        return far


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
    above = [-1, *[vertices[joint.parent] for joint in robot.joints]]
    joints = {number: (moving, (number,)) for number, joint in enumerate(robot.joints, 1)
              if (moving := describe_robot_joint(joint, {})) is not None}
    for number, joint in enumerate(robot.joints, 1):
        vertices.setdefault(joint.name, number)
    return WrittenPoses([robot.root, *[joint.name for joint in robot.joints]], vertices, above,
                        [IDENTITY, *[joint.origin.pose() for joint in robot.joints]], above, joints, range(len(above)))


def read_scope(scope: Scope) -> WrittenPoses:
    """Read the poses of a world or model of SDFormat."""
    graph, mechanism = scope.graph, build_mechanism(scope)

    def list_vertices(joint: int) -> list[int]:
        bound = [graph.find(graph.prefix(joint), axis.expressed_in) for axis in graph.joint(joint).axes]
        return [joint, *[vertex for vertex in bound if vertex is not None]]
    joints = {place: (joint, list_vertices(graph.vertices[joint.name])) for place, joint in mechanism.joints.items()}
    known, placed = {*mechanism.index.values()}, dict[int, int]()
    above = [parent if vertex in known else -1 for vertex, parent in enumerate(graph.relative)]  # without cycles
    for vertex in range(len(graph.names) - 1, 0, -1):
        entity = graph.entities[vertex]
        if isinstance(entity, (Model, Frame)) and entity.placement_frame:
            inside = f"{graph.names[vertex]}::" if isinstance(entity, Model) else graph.prefix(vertex)
            if (placing := graph.find(inside, entity.placement_frame)) is not None:
                placed[vertex] = placing
    return WrittenPoses(graph.names, graph.vertices, above, graph.raw, mechanism.parents, joints, known, placed, graph)


class Move(NamedTuple):
    """A joint on the path from one frame to another.

    Attributes
    ----------
    name : name of the joint.
    vertices : vertex of the joint, and the vertices of the frames of its axes.
    X : motion of the joint, in its own frame; None if its position is unknown.
    """

    name: str
    vertices: Sequence[int]
    X: Pose | None


def find_moves(poses: WrittenPoses, base: int, frame: int, given: Mapping[str, Sequence[float]]) -> list[Move]:
    """Find the motions of the joints on the path from one frame to another.

    Parameters
    ----------
    given : positions of joints by their names, with the numbers of `MOTIONS`. Mimic joints follow their leaders.
    """
    every, leads = {joint.name: joint for joint, _ in poses.joints.values()}, dict[tuple[str, int], Lead]()

    def move(vertex: int, is_down: bool) -> Move:
        joint, vertices = poses.joints[vertex]
        keys = [find_lead(joint, axis, lambda name, _: name in given, every, leads).key
                for axis in range(len(joint.axes))]
        if joint.name not in given and (not keys or None in keys):
            return Move(joint.name, vertices, None)
        x, y, z, qw, qx, qy, qz = map(float, move_joint(joint, find_position(joint, given, every, leads)))
        X = (x, y, z, qw, qx, qy, qz)
        return Move(joint.name, vertices, X if is_down else invert(X))
    ups, downs = _find_ways(poses.carriers, base, frame)
    return [move(v, is_down) for way, is_down in ((ups, False), (downs[::-1], True)) for v in way if v in poses.joints]


def solve_pose(poses: WrittenPoses, base: int, frame: int, moved: int, X_PF: Pose, moves: Sequence[Move],
               ) -> Pose | None:
    """Find the pose to write for the vertex `moved`, so that `frame` is at `X_PF` in `base`.

    Parameters
    ----------
    moves : from :func:`find_moves`; all with a motion.

    Returns
    -------
    Pose or None
        None if this pose cannot be solved for: the path from `base` to `frame` crosses it never, or several times.
    """
    far = poses.find_far_side(moved)
    stops = [base, *[move.vertices[0] for move in moves], frame]
    crossed = [number for number, (a, b) in enumerate(pairwise(stops)) if (a in far) != (b in far)]
    if len(crossed) != 1 or any(len({vertex in far for vertex in move.vertices}) > 1 for move in moves):
        return None

    def follow(stops: Sequence[int], moves: Sequence[Move]) -> Pose:
        first, *others = [poses.find_pose(a, b) for a, b in pairwise(stops)]
        return reduce(compose, chain.from_iterable(zip([move.X or IDENTITY for move in moves], others)), first)
    cut, around = crossed[0], (poses.above[moved], moved)
    A, B = around if frame in far else around[::-1]
    X_PA, X_BF = follow([*stops[:cut + 1], A], moves[:cut]), follow([B, *stops[cut + 1:]], moves[cut:])
    X_AB = compose(compose(invert(X_PA), X_PF), invert(X_BF))
    return normalise(X_AB if frame in far else invert(X_AB))
