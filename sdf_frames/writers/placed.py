"""Write the same file with one pose changed, so that a frame has a given pose in another frame.

The pose of the frame F in the frame P is a product of written poses, of their inverses, and of motions of joints. If
the pose X is exactly one of these factors, ``X_PF = X_PA · X · X_BF`` determines it.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from math import degrees, isfinite
from operator import mul, sub
from shlex import quote
from typing import NamedTuple

from sdf_frames.description import Description
from sdf_frames.diagnostics import LISTED, Edit, Location, count_of, diagnose, has_errors, suggest_name
from sdf_frames.document.edits import edit_child, edit_text, insert_first
from sdf_frames.document.elements import Element, find_child, locate
from sdf_frames.document.expanded import Place
from sdf_frames.document.numbers import OVERFLOW, read_bool, write_short
from sdf_frames.document.places import is_written, source_of
from sdf_frames.frames.graph import SINK, FrameGraph
from sdf_frames.frames.kinematics import MOTIONS, Lead, MovingJoint, find_lead, find_position, move_joint
from sdf_frames.frames.mechanism import build_mechanism, describe_robot_joint
from sdf_frames.frames.resolve import Scope
from sdf_frames.sdf.model import Frame, Model, World
from sdf_frames.sdf.names import ROOT, WORLD_FRAME
from sdf_frames.sdf.values import read_pose_text
from sdf_frames.spatial.pose import IDENTITY, Pose, compose, invert, normalise, rpy_from_quaternion
from sdf_frames.urdf.model import Robot
from sdf_frames.urdf.versions import is_too_new
from sdf_frames.writers.written import Refused, Written, report_unknown

#: Joint name -> radians or metres, or the numbers that `MOTIONS` lists for the joint type.
Positions = Mapping[str, float | Sequence[float]]
#: Rounding error of lengths (relative above 1 m) and of quaternions, for poses that do not change.
_SAME = 2e-14
#: A changed pose: kind and name of its part, old and new text; the element with the pose; the edits.
_Change = tuple[tuple[str, str, str, str], Element, list[Edit]]


class _Factor(NamedTuple):
    """A written pose or its inverse; `owner` is the vertex of the pose, negative for the motion of a joint."""

    owner: int
    X: Pose
    is_inverse: bool = False

    def invert(self) -> _Factor:
        return _Factor(self.owner, invert(self.X), not self.is_inverse)


class _WrittenPoses(NamedTuple):
    """The frames of a robot or scope, each with its pose as written.

    Attributes
    ----------
    names : (N,) owner of each pose: a joint of a URDF (0 is its root), or a part of SDFormat.
    vertices : vertex of each frame by its name.
    above, factors : (N,) the vertex that the pose of each vertex is relative to, negative for none, and the pose. The
        pose of a model with a placement frame is that of this frame.
    carriers : (N,) the vertex that each is rigidly attached to, or connected to by a joint; negative for none.
    joints : by carried vertex: the joint, its vertex, and those of the frames of its axes.
    known : the vertices with a pose.
    graph : the graph of SDFormat; None for a URDF.
    """

    names: Sequence[str]
    vertices: Mapping[str, int]
    above: Sequence[int]
    factors: Sequence[_Factor]
    carriers: Sequence[int]
    joints: Mapping[int, tuple[MovingJoint, int, Sequence[int]]]
    known: Collection[int]
    graph: FrameGraph | None = None

    def list_factors(self, base: int, frame: int) -> list[_Factor]:
        """List the factors of the pose of a frame in another frame, with all joints at zero."""
        ups, downs = _find_ways(self.above, base, frame)
        return [*[self.factors[vertex].invert() for vertex in ups], *[self.factors[vertex] for vertex in downs[::-1]]]


def place(loaded: Description, frame: str, base: str, X_PF: Pose, move: str | None = None,
          positions: Positions | None = None) -> Written:
    """Change the one pose that puts the frame `frame` at `X_PF` in the frame `base`; every other byte stays.

    The parameters are those of :meth:`sdf_frames.RobotDescription.place`.

    Returns
    -------
    Written
        Without edits if the frame already has this pose. A finding has the old and the new text. If the pose comes from
        a .xacro file, there is no text, but a finding with the line to change.
    """
    source, found, kind = loaded.source, loaded.diagnostics, "sdf" if loaded.robot is None else "urdf"
    if source is None or loaded.robot is None and not loaded.scopes and has_errors(found):
        return Written(loaded.kind or kind, found)
    try:
        (part, name, old, new), element, edits = _find_change(loaded, frame, base, X_PF, move, positions or {})
    except Refused as error:
        return Written(kind, (*found, error.args[0]))
    at = locate(element)
    if not edits or OVERFLOW in new:
        return Written(kind, found, source=source, edits=tuple(edits))
    if source.expanded is None:
        found += (diagnose("pose-placed", at, kind=part, name=name, old=old, new=new),)
        return Written(kind, found, source=source, edits=tuple(edits))
    used = source.expanded.places.count(Place(at.file, at.line, at.column))
    more = f"; {used} elements are made from this line" if used > 1 else ""
    return Written(kind, (*found, diagnose("pose-in-xacro", at, kind=part, name=name, old=old, new=new, more=more)))


def _find_change(loaded: Description, frame: str, base: str, X_PF: Pose, move: str | None,
                 positions: Positions) -> _Change:
    poses = _choose_scope(loaded, [frame, base, *([] if move is None else [move])])
    given = _read_positions(poses, positions, loaded.file)
    F, P = poses.vertices[frame], poses.vertices[base]
    owners = {name: number for number, name in enumerate(poses.names)}  # of the joint, if a link has the same name
    moved = _find_holder(poses, F) if move is None else owners.get(move, poses.vertices[move])
    factors, turning, unknown = (_list_factors(poses, P, F, given) if {P, F, moved} <= {*poses.known} else
                                 ([], set[int](), []))
    if unknown:
        options = " ".join(["--joint " + quote(f"{name}={_spell_zero(poses, name)}") for name in unknown[:LISTED]])
        raise Refused(diagnose("place-moves", Location(loaded.file), joint=unknown[0], frame=frame, base=base,
                               options=options))
    old = [factor for factor in factors if factor.owner == moved]
    X = _solve(factors, moved, X_PF) if len(old) == 1 else None
    if X is None or moved in turning and not _is_parallel(X, old[0].X if not old[0].is_inverse else invert(old[0].X)):
        counts = Counter([factor.owner for factor in reversed(factors)])
        others = [poses.names[owner] for owner, count in counts.items()
                  if count == 1 and owner not in (SINK, moved) and owner not in turning]
        hint = ("name two different frames" if F == P else
                f"choose another one with --move NAME (in Python: move): {', '.join(others[:LISTED])}" if others else
                "write the axes of the joints between them without expressed_in" if turning else None)
        raise Refused(diagnose("place-not-between", Location(loaded.file), frame=frame, base=base,
                               moved=poses.names[moved], hint=hint))
    return _write_origin(loaded, moved, X) if poses.graph is None else _write_pose(loaded, poses.graph, moved, X)


def _solve(factors: Sequence[_Factor], owner: int, X_PF: Pose) -> Pose:
    """Return the pose to write for the one factor of this owner, so that the product of all factors is `X_PF`."""
    number = [factor.owner for factor in factors].index(owner)
    X_PA, X_BF = [reduce(compose, [factor.X for factor in part], IDENTITY)
                  for part in (factors[:number], factors[number + 1:])]
    X_AB = compose(compose(invert(X_PA), X_PF), invert(X_BF))
    return normalise(invert(X_AB) if factors[number].is_inverse else X_AB)


def _choose_scope(loaded: Description, names: Sequence[str]) -> _WrittenPoses:
    """Choose the robot, or the first world or model, with frames of all these names."""
    every = [*map(_read_scope, loaded.scopes)] if loaded.robot is None else [_read_robot(loaded.robot)]
    for poses in every:
        if all(name in poses.vertices for name in names):
            return poses
    known = every[0].vertices if every else {}
    unknown = next((name for name in names if name not in known), names[0])
    raise Refused(report_unknown(loaded.file, unknown, known, "frame" if loaded.robot is None else "link or joint"))


def _read_positions(poses: _WrittenPoses, positions: Positions, file: str | None) -> dict[str, tuple[float, ...]]:
    """Check the positions of joints."""
    types, given = {joint.name: joint.type for joint, *_ in poses.joints.values()}, {}
    for name, value in positions.items():
        numbers = given[name] = tuple(map(float, value)) if isinstance(value, Iterable) else (float(value),)
        problem, hint = f"there is no movable joint {name!r}", suggest_name(name, types)
        if name in types:
            motion = MOTIONS[types[name]]
            problem, hint = f"joint {name!r} is {types[name]} and takes {count_of(motion.size, 'finite number')}", None
            if len(numbers) == motion.size and all(map(isfinite, numbers)) and (
                    any(numbers[-4:]) or not motion.has_quaternion):
                continue
        raise Refused(diagnose("joint-position-refused", Location(file), problem=problem, hint=hint))
    return given


def _spell_zero(poses: _WrittenPoses, name: str) -> str:
    """Write the position zero of a joint as the option ``--joint`` takes it."""
    motion = next(MOTIONS[joint.type] for joint, *_ in poses.joints.values() if joint.name == name)
    zero = IDENTITY[-motion.size:] if motion.has_quaternion else (0.0,) * motion.size
    return ",".join([f"{number:g}" for number in zero])


def _find_holder(poses: _WrittenPoses, vertex: int) -> int:
    """Find the vertex whose pose determines a frame: of the frame, or of the joint or frame that its pose equals."""
    graph = poses.graph
    while graph is not None and vertex in poses.known and vertex < len(graph.raw) and (
            graph.raw[vertex] == IDENTITY and (above := graph.relative[vertex]) > 0
            and graph.kinds[above] in ("joint", "frame") and graph.bodies[above] == graph.bodies[vertex]):
        vertex = above
    return vertex


def _write_origin(loaded: Description, moved: int, new: Pose) -> _Change:
    """Change the ``<origin>`` of a URDF's joint, or add it."""
    assert loaded.robot is not None
    joint = loaded.robot.joints[moved - 1]
    assert joint.element is not None  # it was read
    origin = find_child(joint.element, "origin")
    given = {} if origin is None else {str(name): str(value) for name, value in origin.attrib.items()}
    is_quaternion = origin is not None and "quat_xyzw" in given and not is_too_new(origin, "@quat_xyzw")
    turn = "quat_xyzw" if is_quaternion else "rpy"
    was = {"xyz": given.get("xyz", "0 0 0"), turn: given.get(turn, "0 0 0")}
    now = dict(zip(was, _spell(joint.origin.pose(), new, was["xyz"], was[turn], turn)))
    before, after = ("<origin " + " ".join([f'{name}="{text}"' for name, text in words.items()]) + "/>"
                     for words in (was, now))
    changed = {name: text for name, text in now.items() if origin is None or text != was[name]}
    edits = edit_child(joint.element, "origin", changed) if before != after else []
    return ("joint", joint.name, before, after), joint.element if origin is None else origin, edits


def _write_pose(loaded: Description, graph: FrameGraph, moved: int, new: Pose) -> _Change:
    """Change the ``<pose>`` of a part of SDFormat, or add it."""
    entity, kind, name = graph.entities[moved], graph.kinds[moved], graph.names[moved]
    assert not isinstance(entity, World)  # it is above every frame
    include = entity.include if isinstance(entity, Model) else None
    element, pose = entity.element if include is None else include, entity.pose.element
    if include is not None and pose is not None and source_of(pose) is not source_of(element):
        pose = None  # it is in the included file; a new pose of the include replaces it
    form, unit = ("", "") if pose is None else (pose.get("rotation_format", ""), pose.get("degrees", ""))
    turn = form if form == "quat_xyzw" else "degrees" if read_bool(unit) else "rpy"
    words = ("" if pose is None else pose.text or "").split() or [*"000000", *("1" if form == "quat_xyzw" else "")]
    before = " ".join(words)
    old, _ = read_pose_text(before, form, unit)
    if source_of(element) is not loaded.source or entity.pose.relative_to == ROOT or old is None or (
            pose is None and entity.pose.relative_to) or not is_written(element if pose is None else pose):
        raise Refused(diagnose("pose-elsewhere", locate(element), kind=kind, name=name))
    after = " ".join(_spell(normalise(old), new, " ".join(words[:3]), " ".join(words[3:]), turn))
    edits = [] if before == after else [insert_first(element, f"<pose>{after}</pose>") if pose is None else
                                        edit_text(pose, after)]
    return (kind, name, f"<pose>{before}</pose>", f"<pose>{after}</pose>"), element if pose is None else pose, edits


def _spell(old: Pose, new: Pose, xyz: str, turn: str, form: str) -> tuple[str, str]:
    """Return the text of a position and of a rotation; a part that does not change keeps its text."""
    if not max(map(abs, map(sub, old[:3], new[:3]))) <= _SAME * max(1.0, *map(abs, old[:3])):
        xyz = write_short(new[:3])
    w, x, y, z = new[3:]
    if not _is_parallel(old, new):
        angles = rpy_from_quaternion(w, x, y, z)
        turn = write_short((x, y, z, w) if form == "quat_xyzw" else
                           map(degrees, angles) if form == "degrees" else angles)
    return xyz, turn


def _is_parallel(one: Pose, other: Pose) -> bool:
    """Return whether two poses have the same rotation."""
    sign = -1.0 if sum(map(mul, one[3:], other[3:])) < 0 else 1.0
    return max([abs(a - sign * b) for a, b in zip(one[3:], other[3:])]) <= _SAME


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


def _read_robot(robot: Robot) -> _WrittenPoses:
    """Read the poses of a URDF, where the frame of a joint is that of its child link."""
    vertices = {robot.root: 0, **{joint.child: number for number, joint in enumerate(robot.joints, 1)}}
    above = [SINK, *[vertices[joint.parent] for joint in robot.joints]]
    origins = [IDENTITY, *[joint.origin.pose() for joint in robot.joints]]
    moving = [describe_robot_joint(joint, {}) for joint in robot.joints]
    for number, joint in enumerate(robot.joints, 1):
        vertices.setdefault(joint.name, number)
    return _WrittenPoses(
        [robot.root, *[joint.name for joint in robot.joints]], vertices, above,
        [_Factor(number, X) for number, X in enumerate(origins)], above,
        {number: (joint, number, ()) for number, joint in enumerate(moving, 1) if joint is not None}, range(len(above)))


def _read_scope(scope: Scope) -> _WrittenPoses:
    """Read the poses of a world or model of SDFormat."""
    graph, mechanism = scope.graph, build_mechanism(scope)
    known, joints = {*mechanism.index.values()}, dict[int, tuple[MovingJoint, int, Sequence[int]]]()
    for place, joint in mechanism.joints.items():
        vertex = graph.vertices[joint.name]
        bound = [graph.find(graph.prefix(vertex), axis.expressed_in) for axis in graph.joint(vertex).axes]
        joints[place] = joint, vertex, [axis for axis in bound if axis is not None]
    above = [parent if vertex in known else SINK for vertex, parent in enumerate(graph.relative)]  # without cycles
    factors = [_Factor(vertex, X or IDENTITY) for vertex, X in enumerate(graph.raw)]
    names, vertices, outside = graph.names, graph.vertices, len(graph.names)
    if mechanism.index.get(WORLD_FRAME) == outside:  # the world that a root model is joined to
        names, vertices, above[0] = [*names, WORLD_FRAME], {**vertices, WORLD_FRAME: outside}, outside
        above.append(SINK)
        factors.append(_Factor(outside, IDENTITY))
    for model in range(outside - 1, -1, -1):  # inner ones first
        entity = graph.entities[model]
        is_placed = model in known and graph.raw[model] is not None
        if is_placed and isinstance(entity, (Model, Frame)) and entity.placement_frame:
            inside = f"{graph.names[model]}::" if model and isinstance(entity, Model) else graph.prefix(model)
            placing, parent = graph.find(inside, entity.placement_frame), above[model]
            assert placing is not None and entity.pose.X is not None  # else there is no pose
            for low, high in reversed([*pairwise([*_find_ways(above, placing, model)[0], model])]):
                above[high], factors[high] = low, factors[low].invert()
            above[placing], factors[placing] = parent, _Factor(model, normalise(entity.pose.X))
    return _WrittenPoses(names, vertices, above, factors, mechanism.parents, joints, known, graph)


def _list_factors(poses: _WrittenPoses, base: int, frame: int,
                  given: Mapping[str, Sequence[float]]) -> tuple[list[_Factor], set[int], list[str]]:
    """List the factors of the pose of a frame in another frame.

    Return also the owners of the poses whose rotation turns an axis of the joints between, and the names of the joints
    between whose positions are unknown. Mimic joints follow their leaders.
    """
    every, leads = {joint.name: joint for joint, *_ in poses.joints.values()}, dict[tuple[str, int], Lead]()
    ups, downs = _find_ways(poses.carriers, base, frame)
    factors, at, turning, unknown = list[_Factor](), base, set[int](), list[str]()
    for number, vertex in enumerate((*ups, *downs[::-1])):
        if vertex not in poses.joints:
            continue
        joint, own, bound = poses.joints[vertex]
        leaders = [find_lead(joint, axis, lambda name, _: name in given, every, leads).key
                   for axis in range(len(joint.axes))]
        if joint.name not in given and (not leaders or None in leaders):
            unknown.append(joint.name)
        turning |= {factor.owner for axis in bound for factor in poses.list_factors(own, axis)}
        factors += poses.list_factors(at, own)
        at = own
        x, y, z, qw, qx, qy, qz = map(float, move_joint(joint, find_position(joint, given, every, leads)))
        motion = _Factor(SINK, normalise((x, y, z, qw, qx, qy, qz)))
        factors.append(motion.invert() if number < len(ups) else motion)
    return [*factors, *poses.list_factors(at, frame)], turning, unknown
