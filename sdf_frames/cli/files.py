"""Reads inputs and writes results of commands that produce one text for each file; files are written atomically."""
from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from shlex import quote
from typing import TYPE_CHECKING

from sdf_frames.checks.programs import KINDS
from sdf_frames.diagnostics import ERROR, Diagnostic, Location, diagnose
from sdf_frames.diagnostics.render import escape_controls
from sdf_frames.document.budget import read_bounded
from sdf_frames.document.door import UNCONFINED, Door, report_unreadable
from sdf_frames.document.expanded import Expanded, is_xacro
from sdf_frames.document.xml_text import find_encoding

if TYPE_CHECKING:
    from sdf_frames.document.uris import Resolver
    from sdf_frames.options import LoadOptions
    from sdf_frames.writers.bundle import Bundle
    from sdf_frames.writers.written import Written

_OUTSIDE = "it is outside of the checked folders and the resource paths, which --untrusted does not allow"
_XACRO = "a .xacro file runs Python code, which --untrusted does not allow"
_EXPAND = ("if you trust its author, check without --untrusted (the GitHub Action: untrusted: \"false\"); if not, "
           "expand it in a container (xacro FILE > robot.urdf), and check the result")


class Sources:
    """The texts that findings on one FILE quote: as loaded, or read from the file when needed."""

    def __init__(self, door: Door = UNCONFINED) -> None:
        self._door = door
        self._texts: dict[str, bytes] = {}
        self._lines: dict[str, list[str]] = {}

    def keep(self, name: str, text: bytes | str) -> None:
        """Store the text that findings on `name` quote."""
        self._texts[name] = text.encode(errors="surrogatepass") if isinstance(text, str) else text

    def read(self, name: str) -> bytes:
        """Return the text; empty if it cannot be read."""
        if name not in self._texts:
            try:
                self._texts[name] = self._door.read(name)
            except (OSError, ValueError):
                self._texts[name] = b""
        return self._texts[name]

    def find_line(self, name: str, number: int) -> str | None:
        """Return a line by its number, from 1; None if the text cannot be read or is shorter, or it is not text."""
        if name not in self._lines:
            text = self.read(name)
            self._lines[name] = io.StringIO(text.decode(find_encoding(text), "replace"), newline=None).readlines()
        lines = self._lines[name]
        return lines[number - 1] if 0 < number <= len(lines) and "\0" not in lines[number - 1] else None


def add_output_arguments(parser: argparse.ArgumentParser, in_place: bool = False, bundle: str = "") -> None:
    """Add ``-o/--output`` for one input and ``--output-dir`` for many; without them, standard output is used.

    `in_place` adds ``--in-place``, `bundle` (the kind of bundle, in words) adds ``--bundle``.
    """
    parser.set_defaults(in_place=False, bundle=None)
    group = parser.add_mutually_exclusive_group()
    group.add_argument("-o", "--output", metavar="OUT",
                       help="write the result to OUT (for one FILE; - for standard output); relative URIs are "
                            "rewritten for the folder of OUT")
    group.add_argument("--output-dir", metavar="DIR",
                       help="write each result to DIR, under the name of its input with the suffix of the result; DIR "
                            "is created if missing")
    if in_place:
        group.add_argument("--in-place", action="store_true", help="replace each FILE by its result")
    if bundle:
        group.add_argument("--bundle", metavar="DIR",
                           help=f"write the result of one FILE with its meshes and textures to DIR, as {bundle} "
                                "without other files; only an older bundle is replaced")
    parser.add_argument("--parents", action="store_true", help="create missing folders of OUT")


def find_usage_problem(args: argparse.Namespace, kind: str, replaced: str | None = None) -> str | None:
    """Return why the output arguments do not fit the inputs, or None.

    Results in a folder get the suffix `kind`, and replace files of the kind `replaced`, which is `kind` if it is None.
    """
    if "" in (args.output, args.output_dir, args.bundle):
        return "the name of the output is empty"
    if args.output and len(args.files) > 1:
        return "-o takes one FILE; use --output-dir for several"
    if args.bundle:
        return "--bundle takes one FILE" if len(args.files) > 1 else None
    if args.in_place:
        return "--in-place needs files, not standard input" if "-" in args.files else None
    if args.output_dir:
        from sdf_frames.document.writing import fold_name
        first: dict[str, str] = {}
        for name in args.files:
            if (stem := fold_name(_stem(name))) in first:
                return (f"{first[stem]} and {name} would both be written to {name_output(args, name, kind)}"
                        + (", where case does not count" if _stem(first[stem]) != _stem(name) else ""))
            first[stem] = name
    if to_stdout(args):
        last = args.files[-1]
        is_output = len(args.files) == 2 and not args.json and last.endswith(f".{kind}") and not UNCONFINED.exists(last)
        return f"{last} does not exist; to write it, use -o {quote(last)}" if is_output else None
    return find_refused({name_output(args, name, kind): replaced or kind for name in args.files}, args.files)


def check_outputs(args: argparse.Namespace, outputs: Mapping[str | None, str]) -> None:
    """End with wrong usage if one of the outputs, each with its kind, would replace a file that must not change."""
    if problem := find_refused({path: kind for path, kind in outputs.items() if path}, args.files):
        args.parser.error(problem)


def find_refused(outputs: Mapping[str, str], files: Sequence[str]) -> str | None:
    """Return why one of the outputs, each with its kind, must not be written, or None. `files` are the inputs."""
    from sdf_frames.document.writing import find_refusal, identify
    if not any(map(UNCONFINED.exists, outputs)):
        return None
    read = {identify(name): name for name in files}
    for path, kind in outputs.items():
        source = read.get(identify(path))
        if problem := find_refusal(path, kind, () if source is None else (source,)):
            return problem
    return None


def name_input(word: str, door: Door = UNCONFINED) -> str:
    """Return the file of an argument: for a model folder, the file that its model.config names, or the model.config."""
    if door.is_folder(word):
        from sdf_frames.sdf.model_folder import find_model_file
        folder = find_model_file(word, door)
        return folder.file or folder.config or word
    return word


def read_input(name: str, args: argparse.Namespace,
               options: LoadOptions) -> tuple[bytes | Expanded | None, tuple[Diagnostic, ...]]:
    """Return the content of a file or of standard input (``-``); None and findings if it cannot be read.

    The text is stored, so that findings can quote it.
    """
    from sdf_frames.load import open_named
    door, found = args.door, tuple[Diagnostic, ...]()
    if door.confined and name != "-" and door.admit(name) is None:
        return None, (diagnose("file-unreadable", Location(name), file=name, problem=_OUTSIDE),)
    if door.confined and is_xacro(name):
        return None, (diagnose("file-unreadable", Location(name), file=name, problem=_XACRO, hint=_EXPAND),)
    content: bytes | Expanded | None
    try:
        if name == "-":
            if sys.stdin is None:
                raise ValueError("standard input is closed")
            content = read_bounded(sys.stdin.buffer, options.budget.bytes)
        else:
            given = dict(args.settings.choices_for(name).xacro_args) if is_xacro(name) else {}
            content, found = open_named(name, options, given | args.xacro_arguments, door, is_limited=True)
    except (OSError, ValueError) as error:
        return None, (report_unreadable(name, error, door),)
    if isinstance(content, bytes):
        args.sources.keep(name, content)
    return content, found


def to_stdout(args: argparse.Namespace) -> bool:
    """Return whether results go to standard output."""
    return not args.output_dir and args.output in (None, "-") and not args.in_place and not args.bundle


def write_output(args: argparse.Namespace, name: str, content: str | bytes, kind: str, found: list[Diagnostic],
                 read: Iterable[str]) -> bool:
    """Write the result for the input `name` to its output; return False and add a finding if that fails."""
    given = args.sources.read(name) if args.in_place else None
    if to_stdout(args) or content == given:
        return True
    path = name_output(args, name, kind)
    named = os.path.splitext(args.output or "")[1][1:].lower()
    if named in KINDS and named != kind:
        found.append(diagnose("output-suffix", Location(name), output=path, kind=KINDS[kind], named=KINDS[named],
                              suffix=kind))
    folders = "make" if args.output_dir or args.parents else "offer --parents"
    return write_file(path, content, kind, found, read, folders, given)


def render_output(args: argparse.Namespace, name: str, made: Written, resolver: Resolver,
                  ) -> tuple[str | None, str | bytes | None, Sequence[Diagnostic]]:
    """Return the result for the input `name` as text and as content of its output, and all findings."""
    from sdf_frames.writers.written import render_for
    return render_for(made, name, None if to_stdout(args) else name_output(args, name, made.kind), resolver)


def write_bundle(args: argparse.Namespace, name: str, made: Written, resolver: Resolver,
                 found: list[Diagnostic], read: Iterable[str]) -> Bundle | None:
    """Write the result for the input `name` to its bundle; return None and add a finding if that fails.

    `read` are the files that it was made from.
    """
    from sdf_frames.document.budget import Spending
    from sdf_frames.document.writing import report_unwritten
    from sdf_frames.writers.bundle import Bundle, write_bundle
    try:
        bundle = write_bundle(args.bundle, made, name, resolver, Spending(args.budget), read)
    except OSError as error:
        found.append(report_unwritten(args.bundle, error))
        return None
    found += bundle.findings if isinstance(bundle, Bundle) else bundle
    return bundle if isinstance(bundle, Bundle) else None


def name_output(args: argparse.Namespace, name: str, kind: str) -> str:
    """Return the output file for the input `name`."""
    if args.in_place:
        return name
    path: str = os.path.join(args.output_dir, f"{_stem(name)}.{kind}") if args.output_dir else args.output
    return path


def write_file(path: str, content: str | bytes, kind: str, found: list[Diagnostic], read: Iterable[str] = (),
               folders: str = "", replaces: bytes | None = None) -> bool:
    """Write a result; return False and add a finding if that fails.

    Parameters
    ----------
    kind, read, replaces : see :func:`sdf_frames.document.writing.write_whole`.
    folders : how to treat missing folders: ``make`` them, ``offer --parents`` in the hint, or neither.
    """
    from sdf_frames.document.writing import report_unwritten, write_whole
    try:
        write_whole(path, content, kind, read, folders == "make", replaces)
    except OSError as error:
        found.append(report_unwritten(path, error, _hint_folders(path, folders)))
        return False
    return True


def say_written(path: str, is_written: bool = True) -> str:
    """Return the line for standard error that says whether an output file was written."""
    return f"{escape_controls(path)}: {'written' if is_written else 'not written'}\n"


def choose_status(found: Iterable[Diagnostic]) -> int:
    """Return the exit status for findings: 2 for an output that must not overwrite a file, 1 for other errors."""
    errors = {d.name for d in found if d.severity == ERROR}
    return 2 if "output-refused" in errors else int(bool(errors))


def _hint_folders(path: str, folders: str) -> str | None:
    folder = os.path.dirname(path)
    if not folder or os.path.lexists(folder):
        return None
    how = " with --parents" if folders else ""
    return f"there is no folder {folder}; correct the name, or create the folder{how}"


def _stem(name: str) -> str:
    """Return the name of the result for the input `name`, without suffix."""
    return "stdin" if name == "-" else os.path.splitext(os.path.basename(name))[0]
