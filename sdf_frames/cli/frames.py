"""Print every frame and joint of each FILE: its link, its pose in the model or world, and the axes of joints.

    sdf_frames frames robot.urdf
    sdf_frames frames --relative-to base_link robot.urdf
    sdf_frames frames --from base_link --to gripper --joint elbow=0.5 --rpy robot.urdf

--from A --to B prints the pose of B in A, as 'ros2 run tf2_ros tf2_echo A B' does."""
from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import degrees
from typing import TYPE_CHECKING, Any

from sdf_frames.cli.answers import Answer, answer_each, guard
from sdf_frames.cli.common import add_file_arguments, add_options, load_input, read_position
from sdf_frames.diagnostics import Diagnostic, Location, count_of, diagnose, suggest_name
from sdf_frames.diagnostics.render import align, escape_controls
from sdf_frames.document.elements import file_of
from sdf_frames.document.numbers import format_number
from sdf_frames.frames.mechanism import type_as_written
from sdf_frames.frames.resolve import FrameRow, Scope
from sdf_frames.spatial.pose import IDENTITY, rotation_matrix, rpy_from_quaternion
from sdf_frames.spatial.pose import Pose as Pose7

if TYPE_CHECKING:
    from sdf_frames.api.elements import Joint
    from sdf_frames.api.pose import Pose
    from sdf_frames.description import Description


#: Decimals of the table: as many as fit on the terminal; elsewhere, the first.
_DIGITS = (6, 4, 3)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_arguments(parser)
    add_options(parser, "conversion")
    parser.add_argument("--relative-to", "--from", metavar="FRAME",
                        help="give poses in this frame (::-scoped name) instead of the frame of the world or model")
    parser.add_argument("--to", metavar="FRAME", help="print only the pose of this frame")
    parser.add_argument("--joint", action="append", default=[], type=read_position, metavar="NAME=VALUE",
                        help="position of a joint in radians or metres, NAME=V,V for joints with two axes "
                             "(repeatable). Other joints are at zero, or follow the joint that they mimic")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--rpy", action="store_true", help="print roll, pitch, yaw in radians instead of quaternions")
    form.add_argument("--degrees", action="store_true", help="print roll, pitch, yaw in degrees instead of quaternions")
    form.add_argument("--matrix", action="store_true", help="print a 4 x 4 matrix; needs --to")


def run(args: argparse.Namespace) -> int:
    if args.matrix and not args.to:
        args.parser.error("--matrix needs --to FRAME")
    return answer_each(args, _answer, {"scopes": []})


def _answer(name: str, args: argparse.Namespace) -> Answer:
    loaded = load_input(name, args)
    found: list[Diagnostic] = []
    scopes = guard(name, found, partial(_select, loaded, args, found), list[Scope]())
    found = [*loaded.diagnostics, *found]
    if args.json:
        return Answer(name, found, {"scopes": [scope_to_json(s) for s in scopes]})
    render = partial(_render_one, name, args) if args.to else partial(_render_scope, name, args)
    return Answer(name, found, text="".join(map(render, scopes)))


def _select(loaded: Description, args: argparse.Namespace, found: list[Diagnostic]) -> list[Scope]:
    """Return the scopes with the requested frames, at the requested positions, in the requested frame."""
    from sdf_frames.frames.resolve import express_scope
    scopes = list(loaded.scopes)
    if args.joint and scopes:
        scopes = _move(loaded, dict(args.joint), found)
    if args.relative_to and scopes:
        expressed = [express_scope(scope, args.relative_to) for scope in scopes]
        scopes = [scope for scope in expressed if scope is not None] or _refuse(args.relative_to, scopes, found)
    if args.to and scopes:
        chosen = [scope._replace(frames=_pick(scope.frames, args.to), left_out=_pick(scope.left_out, args.to),
                                 joints=()) for scope in scopes]
        scopes = [scope for scope in chosen if scope.frames or scope.left_out] or _refuse(args.to, scopes, found)
    return scopes


def _pick(rows: Iterable[FrameRow], name: str) -> tuple[FrameRow, ...]:
    return tuple([row for row in rows if row.name == name])


def _refuse(name: str, scopes: Sequence[Scope], found: list[Diagnostic]) -> list[Scope]:
    """Return no scopes, and a finding that none of them has a frame `name`."""
    names = [f.name for scope in scopes for f in (*scope.frames, *scope.left_out)]
    at = Location(file_of(scopes[0].graph.scope.element))
    found.append(diagnose("frame-unknown", at, kind="frame", frame=name, nearest=suggest_name(name, names) or ""))
    return []


def _move(loaded: Description, positions: dict[str, float | list[float]], found: list[Diagnostic]) -> list[Scope]:
    """Return the scopes that have the joints, with the poses of their frames at the positions."""
    from sdf_frames.api.scene import make_scenes
    moved: list[Scope] = []
    problems: list[tuple[str, str | None]] = []
    for scope, scene in zip(loaded.scopes, make_scenes(loaded)):
        if wrong := _count_values([*scene.joints.values(), *scene.sdf_joints.values()], positions):
            problems.append(wrong)
            continue
        try:
            poses = scene.poses(positions)
        except (KeyError, ValueError) as error:
            problems.append((str(error.args[0]), None))
            continue

        def place(row: FrameRow, poses: Mapping[str, Pose] = poses) -> FrameRow:
            X = poses.get(row.name)
            return row._replace(pose=None if X is None else (*X.xyz.tolist(), *X.quat_wxyz.tolist()))

        moved.append(scope._replace(frames=tuple(map(place, scope.frames)), left_out=tuple(map(place, scope.left_out))))
    if not moved:
        problem, hint = problems[0]
        found.append(diagnose("joint-position-refused", Location(loaded.file), problem=problem, hint=hint))
    return moved


def _count_values(joints: Iterable[Joint], positions: Mapping[str, float | list[float]]) -> tuple[str, str] | None:
    """Return the problem and the hint of the first joint with too few or too many values, or None."""
    from sdf_frames.frames.kinematics import MOTIONS
    for joint in joints:
        value, size = positions.get(joint.name), MOTIONS[joint.type].size if joint.type in MOTIONS else 0
        given = len(value) if isinstance(value, list) else 1
        if value is not None and size and given != size:
            return (f"joint {joint.name!r} is {joint.type} and takes {count_of(size, 'value')}, not {given}",
                    f"write {joint.name}={','.join('V' * size)}")
    return None


def scope_to_json(scope: Scope) -> dict[str, Any]:
    """Return a resolved scope in the form of docs/reference/json.md."""
    return {
        "kind": scope.kind, "name": scope.name,
        "frames": [row._asdict() for row in scope.frames], "left_out": [row._asdict() for row in scope.left_out],
        "joints": [{**row._asdict(), "axes": [{"index": i, "xyz": xyz} for i, xyz in row.axes]}
                   for row in scope.joints]}


def _render_one(file: str, args: argparse.Namespace, scope: Scope) -> str:
    """Return the pose of the only frame of a scope as text."""
    (frame,) = (*scope.frames, *scope.left_out)[:1]
    lines = [f"{file}: {frame.name} in {args.relative_to or scope.graph.names[0]}"]
    if frame.pose is None:
        lines.append("  unresolved")
    elif args.matrix:
        rows = [[*row, p] for row, p in zip(rotation_matrix(frame.pose[3:]), frame.pose)]
        cells = [[_join([v]) for v in row] for row in [*rows, [0.0, 0.0, 0.0, 1.0]]]
        lines += [f"  {line}" for line in align(cells, left=())]
    else:
        head, values = _choose_rotation(frame.pose, args)
        lines += [f"  {'x y z'.ljust(len(head))}  {_join(frame.pose[:3])}", f"  {head}  {values}"]
    return "".join(escape_controls(line) + "\n" for line in lines)


def _choose_rotation(pose: Pose7, args: argparse.Namespace, digits: int = _DIGITS[0]) -> tuple[str, str]:
    """Return the names and the values of the numbers of a rotation, in the requested form."""
    if not (args.rpy or args.degrees):
        return "qw qx qy qz", _join(pose[3:], digits)
    angles = rpy_from_quaternion(*pose[3:])
    return ("roll pitch yaw (deg)" if args.degrees else "roll pitch yaw (rad)",
            _join(map(degrees, angles) if args.degrees else angles, digits))


def _render_scope(file: str | None, args: argparse.Namespace, scope: Scope) -> str:
    base = args.relative_to
    lines = [f"{file}: {scope.kind} {scope.name}" + (f", poses in {base}" if base else "")]
    lines += _render_frames(args, scope)
    for (vertex, _), j in zip(scope.graph.joints, scope.joints):
        axes = "; ".join(_join(xyz) for _, xyz in j.axes)
        head = f"  joint {j.name} ({type_as_written(scope.graph.joint(vertex))}):"
        rest = f"{j.parent} -> {j.child}" + (f", axis {axes}" if axes else "")
        fits = args.terminal.width is None or len(head) + 1 + len(rest) <= args.terminal.width
        lines += [f"{head} {rest}"] if fits else [head, f"      {rest}"]
    return "".join(escape_controls(line) + "\n" for line in lines)


def _render_frames(args: argparse.Namespace, scope: Scope) -> list[str]:
    """Return the table of a scope's frames; on a terminal that is too narrow, with poses below the names."""
    for digits in _DIGITS:
        lines = [f"  {line}" for line in align(_list_rows(args, scope, digits), left=range(5))]
        if args.terminal.width is None or max(map(len, lines)) <= args.terminal.width:
            return lines
    rows = _list_rows(args, scope, _DIGITS[1])
    poses = align([row[3:] for row in rows], left=range(2))
    return [line for row, pose in zip(rows, poses) for line in (f"  {'  '.join(row[:3])}", f"      {pose}")]


def _list_rows(args: argparse.Namespace, scope: Scope, digits: int) -> list[tuple[str, ...]]:
    """Return the head and the rows of a scope's frames, with so many decimals."""
    rows: list[tuple[str, ...]] = [("frame", "kind", "body", "x y z", _choose_rotation(IDENTITY, args)[0])]
    for frames, note in ((scope.frames, ""), (scope.left_out, "  (not in the SDF)")):
        for f in frames:
            rows.append((escape_controls(f.name), f.kind, escape_controls(f.link or "-"),
                         _join(f.pose[:3], digits) if f.pose else "unresolved",
                         (_choose_rotation(f.pose, args, digits)[1] if f.pose else "") + note))
    return rows


def _join(values: Iterable[float], digits: int = _DIGITS[0]) -> str:
    return " ".join(format_number(round(value, digits)) for value in values)
