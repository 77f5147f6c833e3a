"""Commands that change one robot: what changed is printed as ``diff`` prints it, beside the new text."""
from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from sdf_frames.cli.answers import Answer, Made, answer_each, answer_text
from sdf_frames.cli.common import add_options, load_input
from sdf_frames.cli.files import add_output_arguments, find_usage_problem, to_stdout
from sdf_frames.cli.inputs import add_config_arguments
from sdf_frames.description import Description
from sdf_frames.diagnostics import count_of
from sdf_frames.diagnostics.render import escape_controls
from sdf_frames.document.expanded import is_xacro, split_arguments

if TYPE_CHECKING:
    from sdf_frames.diff.changes import Differences

#: What a command makes of a description that was loaded.
Edit = Callable[[Description, argparse.Namespace], Made]
#: Metres, radians, and relative differences: what rounding makes of poses that stay.
_TOLERANCE = 1e-9


def add_edit_arguments(parser: argparse.ArgumentParser, *others: tuple[str, str]) -> None:
    """``FILE`` and other words, by name and help, then ``NAME:=VALUE``, ``--dry-run``, ``--json``, and the output."""
    parser.add_argument("files", nargs=1, metavar="FILE",
                        help="URDF, SDFormat or .xacro file, or a folder with a model.config; - for standard input")
    for name, text in others:
        parser.add_argument(name, metavar=name.upper(), help=text)
    parser.add_argument("xacro_arguments", nargs="*", default={}, metavar="NAME:=VALUE", action=_XacroAction,
                        help="argument of the .xacro file")
    parser.add_argument("--dry-run", action="store_true", help="print what would change, and write nothing")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_output_arguments(parser, in_place=True)
    add_options(parser, "resource_paths", "limits")
    add_config_arguments(parser)
    parser.set_defaults(exclude=[], force_exclude=False, jobs=1)


class _XacroAction(argparse.Action):
    """Words like ``name:=value`` to a dictionary; others are one word too many."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any,
                 option_string: str | None = None) -> None:
        others, arguments = split_arguments(values)
        if others:
            parser.error(f"{others[0]!r} is one word too many")
        setattr(namespace, self.dest, arguments)


def run_edit(args: argparse.Namespace, edit: Edit) -> int:
    """Change the robot of the command line and write it where the arguments say; the exit status."""
    if message := find_usage_problem(args, "urdf"):
        args.parser.error(message)
    if args.in_place and is_xacro(args.files[0]):
        args.parser.error(f"--in-place: {args.files[0]} is a xacro file, and the result is not")
    return answer_each(args, partial(_answer, edit), {"changes": None})


def _answer(edit: Edit, name: str, args: argparse.Namespace) -> Answer:
    from sdf_frames.writers.written import render
    loaded = load_input(name, args)
    made = edit(loaded, args)
    text, found = render(made.written)
    kind = made.written.kind
    answer = Answer(name, found, {kind: text}) if args.dry_run else answer_text(kind, lambda *_: made, name, args)
    changes = None if text is None else find_changes(loaded, text)
    if args.json or changes is None:
        return answer._replace(fields={**answer.fields, "changes": changes and changes.to_json()["changes"]})
    said = render_changes(name, changes)
    if to_stdout(args) and not args.dry_run:
        return answer._replace(notes=answer.notes + said)
    return answer._replace(text=said)


def find_changes(before: Description, text: str) -> Differences:
    """Compare a description that was loaded with the text that was made of it, in the place of its file.

    No joint is lumped: what changes is said of the link that it belongs to.
    """
    from sdf_frames.api.description import RobotDescription
    from sdf_frames.diff.compare import diff
    from sdf_frames.load import load_text
    options = before.options._replace(preserve_fixed_joints=True, massless="keep")
    given = "" if before.source is None else before.source.given or ""
    old, new = (RobotDescription(load_text(content, before.file, options)) for content in (given, text))
    return diff(old, new, tolerance=_TOLERANCE)


def render_changes(name: str, changes: Differences) -> str:
    """The lines for people: how many changes there are, and each of them."""
    count = count_of(len(changes), "change") if changes else "no changes"
    return "".join(escape_controls(line) + "\n" for line in (f"{name}: {count}", *str(changes).splitlines()))
