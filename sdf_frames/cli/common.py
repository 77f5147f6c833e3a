"""What all commands that read files share: arguments, loading, printing."""
from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from sdf_frames.cli.files import find_usage_problem, name_input, read_input, write_output
from sdf_frames.diagnostics import Diagnostic, Location, diagnose, has_errors
from sdf_frames.diagnostics.render import CONTROLS, escape_controls, render_text, to_json
from sdf_frames.document.budget import DEFAULT, read_limits
from sdf_frames.document.xacro import split_arguments

if TYPE_CHECKING:
    from sdf_frames.load import Description


class _FilesAction(argparse.Action):
    """Files to ``files``, words like ``name:=value`` to ``xacro_arguments``."""

    def __call__(self, parser, namespace, values, option_string=None):
        files, namespace.xacro_arguments = split_arguments(values)
        if not files:
            parser.error("no FILE is given")
        if files.count("-") > 1:
            parser.error("standard input can be read once")
        setattr(namespace, self.dest, files)


class _LimitAction(argparse.Action):
    """Each ``NAME=VALUE`` to the budget."""

    words: tuple[str, ...] = ()

    def __call__(self, parser, namespace, value, option_string=None):
        self.words += (value,)
        try:
            setattr(namespace, self.dest, read_limits(self.words))
        except ValueError as error:
            parser.error(str(error))


def add_file_arguments(parser: argparse.ArgumentParser) -> None:
    """``FILE…``, ``--json``, ``--resource-path`` and ``--limit``."""
    parser.add_argument("files", nargs="+", metavar="FILE", action=_FilesAction, type=name_input,
                        help="URDF, SDFormat or .xacro file, or a folder with a model.config; - is standard input; NAME:=VALUE is an argument of the .xacro files")
    parser.add_argument("--json", action="store_true", help="print one JSON object a file, one a line")
    parser.add_argument("--resource-path", action="append", default=[], metavar="DIR",
                        help="where model://NAME, package://NAME and bare include URIs are looked for, as DIR/NAME "
                             "(repeatable; after it come SDF_PATH, GZ_SIM_RESOURCE_PATH, "
                             "the package.xml or model.config around the file, and installed ROS packages)")
    add_limit_argument(parser)


def add_limit_argument(parser: argparse.ArgumentParser) -> None:
    """``--limit``, to ``budget``."""
    parser.add_argument("--limit", action=_LimitAction, dest="budget", default=DEFAULT, metavar="NAME=VALUE",
                        help="change a limit on what one FILE may cost (repeatable; docs/limits.md lists them)")


def add_conversion_arguments(parser: argparse.ArgumentParser) -> None:
    """``--preserve-fixed-joints`` and ``--massless``, for commands that convert a URDF on the way."""
    parser.add_argument("--preserve-fixed-joints", action="store_true", help="keep fixed joints of a URDF instead of lumping them")
    parser.add_argument("--massless", choices=("frame", "keep", "error"), default="frame",
                        help="what becomes of a URDF's links without mass (default: frame)")


def add_calculator_argument(parser: argparse.ArgumentParser) -> None:
    """``--calculator``, for commands that compute inertias."""
    parser.add_argument("--calculator", metavar="NAME",
                        help="ask this registered calculator first for every mesh (an entry point of a package)")


def load_each(args: argparse.Namespace) -> Iterator[Description]:
    """Each file of the command line, loaded, resolved and checked."""
    from sdf_frames.load import Description, LoadOptions, load_text
    options = LoadOptions(resource_paths=tuple(args.resource_path),
                          preserve_fixed_joints=getattr(args, "preserve_fixed_joints", False),
                          massless=getattr(args, "massless", "frame"),
                          inertia_failure=getattr(args, "on_failure", "error"),
                          inertia_calculator=getattr(args, "calculator", None), budget=args.budget)
    for name in args.files:
        try:
            content, found = read_input(name, args.xacro_arguments, args.budget)
            loaded = load_text(content, name, options) if content is not None else Description(name, diagnostics=tuple(found))
        except Exception as error:  # a defect of ours must not keep the other files from being processed
            loaded = Description(name, diagnostics=(report_failure(name, error),))
        yield loaded


def guard(name: str, found: list[Diagnostic], work: Callable, otherwise=None):
    """What `work` on the file `name` returns; `otherwise`, and a finding in `found`, where it fails.

    All work on one file runs in here: a defect of ours must not keep the other files from being processed.
    """
    try:
        return work()
    except Exception as error:  # noqa: BLE001
        found.append(report_failure(name, error))
        return otherwise


def write_each(args: argparse.Namespace, command: str, kind: str, jobs: Iterable[tuple[str, Callable[[], tuple]]]) -> int:
    """Make a text of each input, write it where the arguments say, and print the findings; the exit status.

    Parameters
    ----------
    kind : ``sdf`` or ``urdf``: the suffix of the files, and what JSON calls the text.
    jobs : name of each input, and what makes of it the text (None where there is none), the rows of the conversion report
        where the command has a ``--report``, and all findings. It is called before the next job is asked for.
    """
    if message := find_usage_problem(args):
        print_line(f"sdf_frames {command}: {message}", sys.stderr)
        return 2
    status = 0
    for name, make in jobs:
        failed: list[Diagnostic] = []
        text, *rest, found = guard(name, failed, make, (None, failed))
        rows = rest[0] if rest else ()
        if text is not None:
            write = partial(write_output, args, name, text, f".{kind}", found)
            # That standard output takes no more ends the run: it is no defect of a file.
            to_file = args.output_dir or args.output not in (None, "-")
            text = text if (guard(name, found, write) if to_file else write()) else None
        valid = not has_errors(found)
        status = status if valid else 1
        if args.json:
            from sdf_frames.convert.report import rows_to_json
            print_json({"file": name, "valid": valid, kind: text, **({"report": rows_to_json(rows)} if hasattr(args, "report") else {}),
                        "diagnostics": diagnostics_to_json(found)})
        else:
            print_diagnostics(found)
        if rows and args.report:
            from sdf_frames.convert.report import render_table
            sys.stdout.flush()
            if len(args.files) > 1:
                print_line(f"{name}:", sys.stderr)
            sys.stderr.write(render_table(rows))
    return status


def report_failure(name: str, error: Exception) -> Diagnostic:
    """The finding for an exception that is a defect of ours: its kind and text, and the place that raised it."""
    step = error.__traceback__
    while step and step.tb_next:
        step = step.tb_next
    place = f" at {step.tb_frame.f_code.co_filename}:{step.tb_lineno}" if step else ""
    return diagnose("internal-error", Location(name), problem=f"{type(error).__name__}: {error}{place}")


def print_json(value: dict) -> None:
    """One JSON object on a line of its own; infinities and NaN, which JSON lacks, as null.

    Control and invisible characters are JSON's escapes, so that the line is safe for a terminal and the value is exact.
    """
    import json
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False)
    except ValueError:
        text = json.dumps(_finite(value), allow_nan=False, ensure_ascii=False)
    if not text.isascii() or "\x7f" in text:
        # So are bytes of a file name that are no UTF-8, which come as lone surrogates.
        text = CONTROLS.sub(lambda m: f"\\u{ord(m.group()):04x}" if ord(m.group()) < 0x10000 else json.dumps(m.group())[1:-1], text)
    sys.stdout.write(text + "\n")


def print_line(text: str, stream=None) -> None:
    """One line of text output, safe for a terminal whatever names it quotes; on standard output where no stream is given."""
    print(escape_controls(text), file=stream)


def _finite(value):
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, dict):
        return {k: _finite(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(v) for v in value]
    return value


def diagnostics_to_json(diagnostics: Iterable[Diagnostic]) -> list[dict]:
    return [to_json(d) for d in diagnostics]


def print_diagnostics(diagnostics: Iterable[Diagnostic], stream=None) -> None:
    """Findings as text with the source line that each is about, on standard error where no stream is given."""
    diagnostics = list(diagnostics)
    if diagnostics:
        import linecache
        sys.stdout.flush()
        for d in diagnostics:
            source = linecache.getline(d.file, d.line) if d.file and d.line else None
            print(render_text(d, source), file=stream or sys.stderr)
