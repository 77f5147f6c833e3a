"""The poses that lie between two frames, and the one of them that puts one frame at a given pose in the other.

``X_PF = X_PA · motion · X_AB · motion · …``: parts that poses as they are written make up, and motions of joints
between them. One part crosses the pose to solve for.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from typing import NamedTuple

from sdf_frames.frames.kinematics import Lead, MovingJoint, find_lead, find_position, move_joint
from sdf_frames.frames.mechanism import build_mechanism, describe_robot_joint
from sdf_frames.frames.resolve import Scope
from sdf_frames.spatial.pose import IDENTITY, Pose, compose, invert, normalise
from sdf_frames.urdf.model import Robot


class Chains(NamedTuple):
    """The frames of a scope, each with the pose that is written for it.

    Attributes
    ----------
    names : (N,) what each pose belongs to: a joint of a URDF (0 is its root), a part of SDFormat.
    vertices : vertex of each frame by its name.
    above : (N,) the vertex that the pose of each is relative to, negative for none.
    raw : (N,) its pose there; None if it is not known.
    carriers : (N,) the vertex that each is rigidly attached to, or that a joint joins it to; negative for none.
    joints : the joint that carries a vertex, and the vertex of the joint's own frame.
    bound : vertices of the frames that axes of a joint are expressed in, by the vertex of the joint.
    """

    names: Sequence[str]
    vertices: Mapping[str, int]
    above: Sequence[int]
    raw: Sequence[Pose | None]
    carriers: Sequence[int]
    joints: Mapping[int, tuple[int, MovingJoint]]
    bound: Mapping[int, Sequence[int]] = {}

    def find_pose(self, base: int, frame: int) -> Pose | None:
        """Pose of a frame in another one with all joints at zero, by way of the nearest frame above both."""
        ups, downs, common = _find_ways(self.above, base, frame)
        X_CB, X_CF = self._join(ups), self._join(downs)
        if common < 0 or X_CB is None or X_CF is None:
            return None
        return compose(invert(X_CB), X_CF) if ups else X_CF

    def _join(self, way: Sequence[int]) -> Pose | None:
        X: Pose = IDENTITY
        for vertex in way:
            if (own := self.raw[vertex]) is None:
                return None
            X = compose(own, X)
        return X

    def find_below(self, top: int) -> set[int]:
        """Find the vertices that move with the pose of one, itself included."""
        below, beside = {top}, set[int]()
        for vertex in range(len(self.above)):
            way = []
            while vertex >= 0 and vertex not in below and vertex not in beside:
                way.append(vertex)
                vertex = self.above[vertex]
            (below if vertex in below else beside).update(way)
        return below

    def list_between(self, base: int, frame: int) -> list[int]:
        """List the vertices whose poses say where a frame is in another one."""
        ups, downs, _ = _find_ways(self.above, base, frame)
        return [*downs, *ups]

    def list_joints(self, base: int, frame: int) -> list[tuple[int, MovingJoint, bool]]:
        """List the moving joints on the way from one frame to another: vertex, joint, whether towards its child."""
        ups, downs, _ = _find_ways(self.carriers, base, frame)
        return [(*self.joints[v], forth) for way, forth in ((ups, False), (downs[::-1], True)) for v in way
                if v in self.joints]


def _find_ways(parents: Sequence[int], base: int, frame: int) -> tuple[list[int], list[int], int]:
    """Find the vertices above two, each from itself up to the first that is above both; negative without one."""
    ups, downs = ([*_climb(parents, vertex)] for vertex in (base, frame))
    common = -1
    while ups and downs and ups[-1] == downs[-1]:
        common = ups.pop()
        downs.pop()
    return ups, downs, common


def _climb(parents: Sequence[int], vertex: int) -> Iterator[int]:
    while vertex >= 0:
        yield vertex
        vertex = parents[vertex]


def read_robot_chains(robot: Robot) -> Chains:
    """Read the chains of a URDF, where the frame of a joint is that of its child link."""
    vertices = {robot.root: 0}
    vertices.update({joint.child: number for number, joint in enumerate(robot.joints, 1)})
    above = [-1, *[vertices[joint.parent] for joint in robot.joints]]
    joints = {number: (number, moving) for number, joint in enumerate(robot.joints, 1)
              if (moving := describe_robot_joint(joint, {})) is not None}
    for number, joint in enumerate(robot.joints, 1):
        vertices.setdefault(joint.name, number)
    return Chains([robot.root, *[joint.name for joint in robot.joints]], vertices, above,
                  [IDENTITY, *[joint.origin.pose() for joint in robot.joints]], above, joints)


def read_scope_chains(scope: Scope) -> Chains:
    """Read the chains of a world or model of SDFormat."""
    graph, mechanism = scope.graph, build_mechanism(scope)
    count = len(graph.names)
    joints = {place: (graph.vertices[joint.name], joint) for place, joint in mechanism.joints.items()}
    bound = {vertex: [found for axis in graph.joint(vertex).axes if axis.expressed_in and (
        found := graph.find(graph.prefix(vertex), axis.expressed_in)) is not None] for vertex, _ in joints.values()}
    # Circles of references have no pose. The world that a model is joined to is no vertex: a place behind them.
    resolved = set(mechanism.index.values())
    above, carriers = ([parent if i in resolved and parent < count else -1 for i, parent in enumerate(parents[:count])]
                       for parents in (graph.relative, mechanism.parents))
    return Chains(graph.names, graph.vertices, above, graph.raw, carriers, joints, bound)


def list_undetermined(chains: Chains, base: int, frame: int, given: Mapping[str, Sequence[float]]) -> list[str]:
    """List the moving joints between two frames whose positions are neither given nor follow from those given."""
    every, leads = {joint.name: joint for _, joint in chains.joints.values()}, dict[tuple[str, int], Lead]()

    def is_known(joint: MovingJoint) -> bool:
        found = [find_lead(joint, number, lambda name, _: name in given, every, leads)
                 for number in range(len(joint.axes))]
        return joint.name in given or bool(found) and None not in [lead.key for lead in found]
    return [joint.name for _, joint, _ in chains.list_joints(base, frame) if not is_known(joint)]


def solve_pose(chains: Chains, base: int, frame: int, moved: int, X_PF: Pose,
               given: Mapping[str, Sequence[float]]) -> Pose | None:
    """Find the pose to write for the vertex `moved`, so that `frame` is at `X_PF` in `base`.

    Parameters
    ----------
    given : positions of joints by their names; the others are at zero, or follow the joint that they mimic.

    Returns
    -------
    Pose or None
        None if there is no such pose: the way from `base` to `frame` does not cross it, or crosses it several times.
    """
    way = chains.list_joints(base, frame)
    parts: list[Pose | None] = []
    hole, forth = -1, True
    below = chains.find_below(moved)
    motions = find_motions(chains, [joint for _, joint, _ in way], given)
    stops = [base, *[vertex for vertex, _, _ in way], frame]
    for number, (a, b) in enumerate(pairwise(stops)):
        if (a in below) == (b in below):
            parts.append(chains.find_pose(a, b))
        elif hole >= 0:
            return None
        else:
            hole, forth, around = len(parts) + 1, b in below, (chains.above[moved], moved)
            first, last = around if forth else around[::-1]
            parts += [chains.find_pose(a, first), IDENTITY, chains.find_pose(last, b)]
        if number < len(way):
            vertex, _, is_down = way[number]
            if any((bound in below) != (vertex in below) for bound in chains.bound.get(vertex, ())):
                return None
            parts.append(motions[number] if is_down else invert(motions[number]))
    if hole < 0 or None in parts:
        return None
    known = [part for part in parts if part is not None]
    before, behind = reduce(compose, known[:hole]), reduce(compose, known[hole + 1:])
    X = compose(compose(invert(before), X_PF), invert(behind))
    return normalise(X if forth else invert(X))


def find_motions(chains: Chains, joints: Sequence[MovingJoint], given: Mapping[str, Sequence[float]]) -> list[Pose]:
    """Find how far joints have moved, each in its own frame."""
    every, leads = {joint.name: joint for _, joint in chains.joints.values()}, dict[tuple[str, int], Lead]()
    motions: list[Pose] = []
    for joint in joints:
        x, y, z, qw, qx, qy, qz = map(float, move_joint(joint, find_position(joint, given, every, leads)))
        motions.append((x, y, z, qw, qx, qy, qz))
    return motions
