"""Reading inputs and writing results of commands that produce a text a file; nothing is left half-written."""
from __future__ import annotations

import argparse
import linecache
import os
import sys

from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.document.budget import DEFAULT, Budget
from sdf_frames.document.reading import read_bounded
from sdf_frames.document.xacro import expand_xacro, is_xacro


def add_output_arguments(parser: argparse.ArgumentParser) -> None:
    """``-o/--output`` for one input, ``--output-dir`` for many; standard output where neither is given."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("-o", "--output", metavar="OUT", help="write the result to OUT (one FILE only; - is standard output)")
    group.add_argument("--output-dir", metavar="DIR",
                       help="write each result to DIR, which is made where it is missing, under its input's name")
    parser.add_argument("--parents", action="store_true", help="make the folders of OUT that are missing")


def find_usage_problem(args: argparse.Namespace) -> str | None:
    """Why the output arguments do not fit the inputs, or None."""
    if "" in (args.output, args.output_dir):
        return "the name of the output is empty"
    if args.output and len(args.files) > 1:
        return "-o takes one FILE; use --output-dir for many"
    if args.output_dir:
        first: dict[str, str] = {}
        for name in args.files:
            if (stem := _stem(name)) in first:
                return f"{first[stem]} and {name} would both be written to {stem!r} in {args.output_dir}"
            first[stem] = name
    return None


def name_input(word: str) -> str:
    """The file that an argument names: that of its model.config where it is a model's folder."""
    if os.path.isdir(word):
        from sdf_frames.sdf.model_folder import find_model_file
        return find_model_file(word)[1] or word
    return word


def read_input(name: str, arguments: dict | None = None, budget: Budget = DEFAULT,
               ) -> tuple[bytes | str | None, list[Diagnostic]]:
    """Content of a file or of standard input (``-``); None and a finding where it cannot be read.

    A xacro file is expanded with `arguments`.
    """
    if is_xacro(name):
        text, found = expand_xacro(name, arguments or {})
        _keep_lines(name, text or "")
        return text, found
    try:
        if name == "-":
            if sys.stdin is None:
                raise ValueError("standard input is closed")
            content = read_bounded(sys.stdin.buffer, budget.bytes)
            _keep_lines(name, content.decode("utf-8", errors="replace"))
            return content, []
        with open(name, "rb") as stream:
            return read_bounded(stream, budget.bytes), []
    except IsADirectoryError as error:
        return None, [diagnose("file-unreadable", Location(name), file=name, problem=error.strerror,
                               hint="a folder stands for a model where its model.config names an SDFormat file")]
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or str(error)
        return None, [diagnose("file-unreadable", Location(name), file=name, problem=problem)]


def _keep_lines(name: str, text: str) -> None:
    """Let findings on `name` quote `text`, which no file holds."""
    linecache.cache[name] = len(text), None, text.split("\n"), name


def write_output(args: argparse.Namespace, name: str, text: str, suffix: str, found: list[Diagnostic]) -> bool:
    """Write the result of the input `name` where the arguments say; False and a finding where that fails.

    With ``--json`` and no output argument nothing is written: the JSON holds the text.
    """
    if args.output_dir:
        path = os.path.join(args.output_dir, _stem(name) + suffix)
    elif args.output in (None, "-"):
        if not args.json:
            sys.stdout.write(text)
        return True
    else:
        path = args.output
    from sdf_frames.document.writing import write_whole
    try:
        write_whole(path, text, make_folders=bool(args.output_dir or args.parents))
    except OSError as error:
        found.append(diagnose("file-unwritable", Location(path), file=path, problem=error.strerror or str(error),
                              hint=_hint_folders(path)))
        return False
    return True


def _hint_folders(path: str) -> str | None:
    folder = os.path.dirname(path)
    if not folder or os.path.lexists(folder):
        return None
    return f"there is no folder {folder}; correct the name, or let --parents make the folder"


def _stem(name: str) -> str:
    """What the result of the input `name` is called, without suffix."""
    return "stdin" if name == "-" else os.path.splitext(os.path.basename(name))[0]
