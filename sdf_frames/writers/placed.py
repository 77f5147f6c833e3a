"""Write the same file with one pose changed, so that a frame has a given pose."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import degrees, isfinite
from operator import mul, sub

from sdf_frames.description import Description
from sdf_frames.diagnostics import Edit, Location, count_of, diagnose, has_errors, suggest_name
from sdf_frames.document.edits import edit_child, edit_text, insert_first
from sdf_frames.document.elements import Element, find_child, locate
from sdf_frames.document.expanded import Place
from sdf_frames.document.numbers import OVERFLOW, read_bool, write_short
from sdf_frames.document.places import is_written, source_of
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.kinematics import MOTIONS
from sdf_frames.frames.placing import WrittenPoses, read_robot, read_scope, solve_pose
from sdf_frames.sdf.model import Model, World
from sdf_frames.sdf.names import ROOT
from sdf_frames.sdf.values import read_pose_text
from sdf_frames.spatial.pose import IDENTITY, Pose, normalise, rpy_from_quaternion
from sdf_frames.urdf.versions import is_too_new
from sdf_frames.writers.written import Refused, Written, report_unknown

#: Joint name -> radians or metres, or the numbers that `MOTIONS` lists for the joint type.
Positions = Mapping[str, float | Sequence[float]]
#: Rounding error of lengths (relative above 1 m) and of quaternions, for poses that do not change.
_SAME = 2e-14
_LISTED = 8
#: A changed pose: kind and name of its part, old and new text; the element with the pose; the edits.
_Change = tuple[tuple[str, str, str, str], Element, list[Edit]]


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
    X = solve_pose(poses, P, F, moved, X_PF, given) if {P, F, moved} <= {*poses.known} else None
    if isinstance(X, list):
        options = " ".join([f"--joint {name}=0" for name in X[:_LISTED]])
        raise Refused(diagnose("place-moves", Location(loaded.file), joint=X[0], frame=frame, base=base,
                               options=options))
    if X is None:
        others = [poses.names[v] for v in poses.list_between(P, F) if v != moved]
        hint = f"choose another one with --move NAME (in Python: move): {', '.join(others[:_LISTED])}"
        raise Refused(diagnose("place-not-between", Location(loaded.file), frame=frame, base=base,
                               moved=poses.names[moved], hint=hint if others else None))
    return _write_origin(loaded, moved, X) if poses.graph is None else _write_pose(loaded, poses, poses.graph, moved, X)


def _choose_scope(loaded: Description, names: Sequence[str]) -> WrittenPoses:
    """Choose the robot, or the first world or model, with frames of all these names."""
    every = [*map(read_scope, loaded.scopes)] if loaded.robot is None else [read_robot(loaded.robot)]
    for poses in every:
        if all(name in poses.vertices for name in names):
            return poses
    known = every[0].vertices if every else {}
    unknown = next((name for name in names if name not in known), names[0])
    raise Refused(report_unknown(loaded.file, unknown, known))


def _read_positions(poses: WrittenPoses, positions: Positions, file: str | None) -> dict[str, tuple[float, ...]]:
    """Check the positions of joints."""
    types, given = {joint.name: joint.type for joint, _ in poses.joints.values()}, {}
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


def _find_holder(poses: WrittenPoses, vertex: int) -> int:
    """Find the vertex whose pose determines a frame: of the frame, or of the joint or frame that its pose equals."""
    graph = poses.graph
    while graph is not None and vertex in poses.known and graph.raw[vertex] == IDENTITY and (
            (above := graph.relative[vertex]) > 0 and graph.kinds[above] in ("joint", "frame")
            and graph.bodies[above] == graph.bodies[vertex]):
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


def _write_pose(loaded: Description, poses: WrittenPoses, graph: FrameGraph, moved: int, new: Pose) -> _Change:
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
    sign = -1.0 if sum(map(mul, old[3:], new[3:])) < 0 else 1.0
    if not max([abs(a - sign * b) for a, b in zip(old[3:], new[3:])]) <= _SAME:
        angles = rpy_from_quaternion(w, x, y, z)
        turn = write_short((x, y, z, w) if form == "quat_xyzw" else
                           map(degrees, angles) if form == "degrees" else angles)
    return xyz, turn
