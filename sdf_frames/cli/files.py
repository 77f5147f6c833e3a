"""Reading inputs and writing results of commands that produce a text a file; nothing is left half-written."""
from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from sdf_frames.cli.quoting import Sources
from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.document.budget import DEFAULT, Budget, read_bounded
from sdf_frames.document.door import UNCONFINED, read_named
from sdf_frames.document.xacro import is_xacro

#: Commands whose result has another format than their input, and must not replace it.
_CONVERTERS = ("convert", "to-urdf")


def add_output_arguments(parser: argparse.ArgumentParser) -> None:
    """``-o/--output`` for one input, ``--output-dir`` for many; standard output where neither is given."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("-o", "--output", metavar="OUT",
                       help="write the result to OUT (for one FILE; - for standard output)")
    group.add_argument("--output-dir", metavar="DIR",
                       help="write each result to DIR under the name of its input; DIR is created if missing")
    parser.add_argument("--parents", action="store_true", help="create missing folders of OUT")


def find_usage_problem(args: argparse.Namespace, suffix: str) -> str | None:
    """Why the output arguments do not fit the inputs, or None. Results in a folder get the `suffix`."""
    if "" in (args.output, args.output_dir):
        return "the name of the output is empty: give a name to -o or --output-dir"
    if args.output and len(args.files) > 1:
        return "-o takes one FILE; use --output-dir for several"
    if args.output_dir:
        first: dict[str, str] = {}
        for name in args.files:
            if (stem := _stem(name)) in first:
                return f"{first[stem]} and {name} would both be written to {_name_output(args, name, suffix)}"
            first[stem] = name
    if args.command in _CONVERTERS and not to_stdout(args):
        for name in args.files:
            output = _name_output(args, name, suffix)
            if os.path.exists(name) and os.path.exists(output) and os.path.samefile(name, output):
                return f"the result would overwrite its input {name}; name another output"
    return None


def name_input(word: str) -> str:
    """The file that an argument names: that of its model.config where it is a model's folder."""
    if UNCONFINED.is_folder(word):
        from sdf_frames.sdf.model_folder import find_model_file
        return find_model_file(word)[1] or word
    return word


def read_input(name: str, arguments: dict[str, str] | None = None, budget: Budget = DEFAULT,
               resource_paths: Sequence[str] = (), sources: Sources | None = None,
               ) -> tuple[bytes | str | None, list[Diagnostic]]:
    """Content of a file or of standard input (``-``); None and a finding where it cannot be read.

    A xacro file is expanded with `arguments`; its ``$(find PACKAGE)`` looks in `resource_paths` first.
    What comes over standard input is kept in `sources`, to be quoted.
    """
    if is_xacro(name):
        from sdf_frames.document.xacro_expansion import expand_xacro
        return expand_xacro(name, arguments or {}, resource_paths)
    try:
        if name == "-":
            if sys.stdin is None:
                raise ValueError("standard input is closed")
            content = read_bounded(sys.stdin.buffer, budget.bytes)
            if sources is not None:
                sources.keep(name, content)
            return content, []
        return read_named(name, budget.bytes), []
    except (OSError, ValueError) as error:
        return None, [report_unreadable(name, error)]


def explain_unreadable(error: Exception) -> str:
    """Why an input cannot be read."""
    if isinstance(error, IsADirectoryError):
        return "this folder has no robot description"
    return getattr(error, "strerror", None) or str(error)


def report_unreadable(name: str, error: Exception) -> Diagnostic:
    """The finding that the input `name` cannot be read."""
    hint = ("name a folder with a .urdf, .sdf or .world file outside of --exclude, or a model's folder: its "
            "model.config names an SDFormat file") if isinstance(error, IsADirectoryError) else None
    return diagnose("file-unreadable", Location(name), file=name, problem=explain_unreadable(error), hint=hint)


def to_stdout(args: argparse.Namespace) -> bool:
    """Whether the output arguments name no file."""
    return not args.output_dir and args.output in (None, "-")


def write_output(args: argparse.Namespace, name: str, text: str, suffix: str, found: list[Diagnostic]) -> bool:
    """Write the result of the input `name` to the file that the arguments say; False and a finding where that fails."""
    if to_stdout(args):
        return True
    path = _name_output(args, name, suffix)
    return write_file(path, text, found, "make" if args.output_dir or args.parents else "offer --parents")


def _name_output(args: argparse.Namespace, name: str, suffix: str) -> str:
    """The file that the arguments name for the result of the input `name`."""
    path: str = os.path.join(args.output_dir, _stem(name) + suffix) if args.output_dir else args.output
    return path


def write_file(path: str, content: str | bytes, found: list[Diagnostic], folders: str = "") -> bool:
    """Write a result; False and a finding where that fails.

    `folders` says what to do about missing folders: ``make`` them, ``offer --parents`` in the hint, or neither.
    """
    from sdf_frames.document.writing import write_whole
    try:
        write_whole(path, content, make_folders=folders == "make")
    except OSError as error:
        found.append(diagnose("file-unwritable", Location(path), file=path, problem=error.strerror or str(error),
                              hint=_hint_folders(path, folders)))
        return False
    return True


def _hint_folders(path: str, folders: str) -> str | None:
    folder = os.path.dirname(path)
    if not folder or os.path.lexists(folder):
        return None
    how = " with --parents" if folders else ""
    return f"there is no folder {folder}; correct the name, or create the folder{how}"


def _stem(name: str) -> str:
    """What the result of the input `name` is called, without suffix."""
    return "stdin" if name == "-" else os.path.splitext(os.path.basename(name))[0]
