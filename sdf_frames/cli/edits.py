"""Runs commands that change one robot: writes the new text, and prints the changes as ``diff`` does."""
from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from math import isfinite, radians
from typing import TYPE_CHECKING, NoReturn

from sdf_frames.cli.answers import Answer, Made, answer_each, answer_text
from sdf_frames.cli.common import ArgumentsAction, add_options, begin_input, complete_input
from sdf_frames.cli.files import add_output_arguments, find_usage_problem, name_input, to_stdout
from sdf_frames.cli.inputs import add_config_arguments
from sdf_frames.cli.usage import read_number
from sdf_frames.description import Description
from sdf_frames.diagnostics import ERROR, Diagnostic, Location, count_of, diagnose, has_errors
from sdf_frames.diagnostics.render import escape_controls
from sdf_frames.document.door import UNCONFINED
from sdf_frames.document.expanded import is_xacro
from sdf_frames.spatial.pose import Pose

if TYPE_CHECKING:
    from sdf_frames.diff.changes import Differences
    from sdf_frames.writers.written import Written

#: The function of a command: it takes a URDF that was read or SDFormat that was loaded; for `attach`, two of them.
Edit = Callable[..., "Written"]
#: Metres, radians, and relative differences: rounding errors of poses that do not change.
_TOLERANCE = 1e-9


def add_edit_arguments(parser: argparse.ArgumentParser, *others: tuple[str, str]) -> None:
    """Add ``FILE``, other words (name, help), ``NAME:=VALUE``, ``--dry-run``, ``--json``, and output arguments."""
    parser.add_argument("files", nargs=1, metavar="FILE",
                        help="URDF, SDFormat or .xacro file, or a folder with a model.config; - for standard input")
    for name, text in others:
        parser.add_argument(name, metavar=name.upper(), help=text)
    parser.add_argument("xacro_arguments", nargs="*", default={}, metavar="ARG:=V", action=ArgumentsAction,
                        help="value of an argument of the .xacro file")
    parser.add_argument("--dry-run", action="store_true", help="print what would change, and write nothing")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_output_arguments(parser, in_place=True)
    add_options(parser, "resource_paths", "limits")
    add_config_arguments(parser)
    parser.set_defaults(exclude=[], force_exclude=False, jobs=1)


def add_pose_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that :func:`read_pose` reads: ``--xyz``, ``--rpy``, ``--quat``, ``--matrix``, ``--tf``."""
    parser.add_argument("--xyz", nargs=3, type=_read_finite, metavar=("X", "Y", "Z"), help="position in metres")
    turn = parser.add_mutually_exclusive_group()
    turn.add_argument("--rpy", nargs=3, type=_read_finite, metavar=("ROLL", "PITCH", "YAW"),
                      help="rotation in radians, R = Rz(YAW) Ry(PITCH) Rx(ROLL) (default: no rotation)")
    turn.add_argument("--quat", nargs=4, type=_read_finite, metavar=("QX", "QY", "QZ", "QW"),
                      help="rotation as a quaternion x y z w, as ROS writes it")
    turn.add_argument("--matrix", metavar="MATRIX", help="file with the 16 numbers of a 4 x 4 matrix, row by row")
    turn.add_argument("--tf", metavar="TF", help="the seven numbers 'x y z qx qy qz qw' as one word")
    parser.add_argument("--degrees", action="store_true", help="--rpy is in degrees")
    # Python takes -1e-3 for an option.
    setattr(parser, "_negative_number_matcher", re.compile(r"-\.?\d"))  # noqa: B010 - mypy knows no such


def _read_finite(word: str) -> float:
    return read_number(word, isfinite, "a finite number")


def read_pose(args: argparse.Namespace) -> Pose:
    """Return the pose (x, y, z, qw, qx, qy, qz) of the pose arguments; without them, the identity."""
    from sdf_frames.api.edits import read_pose as unwrap
    from sdf_frames.api.pose import Pose
    refuse: Callable[[str], NoReturn] = args.parser.error
    if args.xyz and (args.matrix or args.tf is not None):
        refuse("--matrix and --tf also give the position; leave out --xyz")
    if args.degrees and not args.rpy:
        refuse("--degrees is for --rpy, which is missing")
    xyz, quaternion = args.xyz or [0.0, 0.0, 0.0], args.quat or [0.0, 0.0, 0.0, 1.0]
    try:
        if args.matrix:
            numbers = _read_numbers(UNCONFINED.read(args.matrix).decode())
            return unwrap(Pose.from_matrix([numbers[i:i + 4] for i in range(0, len(numbers), 4)]))
        if args.rpy:
            return unwrap(Pose.from_rpy(xyz, [*map(radians, args.rpy)] if args.degrees else args.rpy))
        if args.tf is not None:
            numbers = _read_numbers(args.tf)
            xyz, quaternion = numbers[:3], numbers[3:]
        return unwrap(Pose(xyz, [*quaternion[3:], *quaternion[:3]]))
    except (OSError, ValueError, argparse.ArgumentTypeError) as error:
        if args.matrix:
            refuse(f"--matrix {args.matrix}: {getattr(error, 'strerror', None) or error}")
        refuse("the quaternion 0 0 0 0 is no rotation" if quaternion == [0.0] * 4 else
               "--tf takes seven numbers, x y z qx qy qz qw")


def _read_numbers(text: str) -> list[float]:
    """Read numbers separated by white space, commas, semicolons or brackets."""
    return [*map(_read_finite, re.sub(r"[\[\](),;]", " ", text).split())]


def run_edit(args: argparse.Namespace, edit: Edit) -> int:
    """Change the robot FILE, for ``attach`` with PART, write the result, and return the exit status."""
    from sdf_frames.document.writing import ROBOT
    if message := find_usage_problem(args, "urdf", ROBOT):
        args.parser.error(message)
    if args.in_place and is_xacro(args.files[0]):
        args.parser.error(f"--in-place: {args.files[0]} is a xacro file, and the result is not")
    return answer_each(args, partial(_answer, edit), {"changes": None})


def _answer(edit: Edit, name: str, args: argparse.Namespace) -> Answer:
    from sdf_frames.api.errors import InvalidDescription
    from sdf_frames.api.uris import list_files
    from sdf_frames.writers.written import render, rewrite
    files = [name, name_input(args.part, args.door)] if "part" in args else [name]
    robots = [_begin(file, args) for file in files]
    written, loaded = edit(*robots), robots[0]
    written = written._replace(findings=(*written.findings, *_check_rotation(name, args)))
    text, found = render(written)
    made = Made(written, loaded.resolver, chain(files[1:], *map(list_files, robots)))
    answer = Answer(name, found, {written.kind: text}) if args.dry_run else answer_text(lambda *_: made, name, args)
    if text is None or answer.fields[written.kind] is None:
        return answer
    try:
        changes = find_changes(loaded, rewrite(written)[0] or text)
    except InvalidDescription as error:  # the result exceeds a limit that the input kept
        return answer._replace(found=(*answer.found, *error.findings))
    if not has_errors(answer.found):
        answer = answer._replace(found=(*answer.found, *_find_new_errors(name, changes)))
    if args.json:
        return answer._replace(fields={**answer.fields, "changes": changes.to_json()["changes"]})
    said = render_changes(name, changes)
    if to_stdout(args) and not args.dry_run:
        return answer._replace(notes=answer.notes + said)
    return answer._replace(text=said)


def _find_new_errors(name: str, changes: Differences) -> Iterator[Diagnostic]:
    """Warn about each error that only the changed robot has; an error of the same code may have other words now."""
    errors = [change for change in changes if change.subject == "finding" and change.text.startswith(ERROR)]
    old = {change.name for change in errors if change.what == "removed"}
    for change in errors:
        if change.name not in old:
            yield diagnose("edit-adds-error", Location(name), code=change.name, message=change.new)


def _check_rotation(name: str, args: argparse.Namespace) -> Iterator[Diagnostic]:
    """Warn if the angles of ``--rpy`` are probably degrees."""
    from sdf_frames.checks.units import are_degrees, report_degrees
    angles = getattr(args, "rpy", None)
    if angles and not args.degrees and are_degrees(angles):
        yield report_degrees("--rpy", angles, Location(name), ", or add --degrees")


def _begin(name: str, args: argparse.Namespace) -> Description:
    """Read a URDF; load and resolve a file of SDFormat."""
    begun = begin_input(name, args)
    return complete_input(begun, args) if begun.kind == "sdf" else begun


def find_changes(before: Description, text: str | bytes) -> Differences:
    """Compare a description that was begun with its changed content, which is loaded as that of the same file."""
    from sdf_frames.api.description import RobotDescription
    from sdf_frames.diff.compare import diff
    from sdf_frames.load import complete, load_text
    old = before if before.kind == "sdf" else complete(before)
    return diff(*map(RobotDescription, (old, load_text(text, before.file, before.options))), tolerance=_TOLERANCE)


def render_changes(name: str, changes: Differences) -> str:
    """Return the lines for standard output: the number of changes, and each change."""
    lines = [f"{name}: {count_of(len(changes), 'change')}", *str(changes).splitlines()] if changes else [
        f"{name}: no changes"]
    return "".join(escape_controls(line) + "\n" for line in lines)
