"""Runs a command on one file after another, and writes the answers of all commands in the same way."""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sdf_frames.cli.files import (
    Sources,
    choose_status,
    find_usage_problem,
    name_output,
    render_output,
    say_written,
    to_stdout,
    write_bundle,
    write_output,
)
from sdf_frames.cli.findings_text import render_findings
from sdf_frames.cli.inputs import report_unused
from sdf_frames.cli.jobs import count_jobs, map_files, show_progress
from sdf_frames.cli.printing import to_json_line
from sdf_frames.cli.selection import Selection, select_by_settings
from sdf_frames.diagnostics import Diagnostic, Location, diagnose, has_errors
from sdf_frames.diagnostics.render import to_json
from sdf_frames.document.door import UNCONFINED

if TYPE_CHECKING:
    from sdf_frames.document.uris import Resolver
    from sdf_frames.writers.written import Written

Json = dict[str, Any]
Result = TypeVar("Result")


class Answer(NamedTuple):
    """The answer of a command for one file.

    Attributes
    ----------
    file : the name as given.
    found : every finding on it.
    fields : with ``--json``, the keys between ``valid`` and ``diagnostics``.
    text : without ``--json``, the lines for standard output.
    notes : lines for standard error, after the findings.
    known : the findings that only the baseline leaves out.
    """

    file: str
    found: Sequence[Diagnostic] = ()
    fields: Json = {}
    text: str = ""
    notes: str = ""
    known: Sequence[Diagnostic] = ()


class Output(NamedTuple):
    """A rendered answer: the texts for standard output and error, and the findings, for counts."""

    found: Sequence[Diagnostic]
    out: str = ""
    err: str = ""
    known: Sequence[Diagnostic] = ()


class Made(NamedTuple):
    """The result of a command for one input.

    Attributes
    ----------
    written : the result of a writer.
    resolver : finds the files that it refers to.
    read : other files that it was made from, or that it refers to.
    """

    written: "Written"
    resolver: "Resolver"
    read: Iterable[str] = ()


Make = Callable[[str, argparse.Namespace], Made]
Work = Callable[[str, argparse.Namespace], Answer]
Show = Callable[[Answer, argparse.Namespace], Output]


def answer_each(args: argparse.Namespace, work: Work, empty: Json) -> int:
    """Run `work` on each file of the command line, write its answers, and return the exit status.

    `empty` are the fields of an answer without its own fields, such as for a file that cannot be read. The findings on
    the arguments are added. The settings of the project and comments in the files decide which findings count.
    """
    status, selection = 0, select_by_settings(args)._replace(consumers=())
    for output in each_output(args, partial(_select, work, selection), empty, render):
        write(output)
        status = max(status, choose_status(output.found))
    return status


def _select(work: Work, selection: Selection, name: str, args: argparse.Namespace) -> Answer:
    answer = work(name, args)
    return answer._replace(found=selection.apply([*answer.found, *args.notices], None, name, args.sources.read))


def each_output(args: argparse.Namespace, work: Work, empty: Json, show: Show) -> Iterator[Output]:
    """Yield the output for each file, in the order of the command line, from as many processes as ``--jobs`` asks for.

    Progress is shown; ``args.done`` counts the files.
    """
    one = partial(_answer_one,
                  argparse.Namespace(**{k: v for k, v in vars(args).items() if k not in ("run", "parser")}),
                  work, empty, show)
    args.done = 0
    jobs = count_jobs(args.jobs, args.files, args.searched)
    if jobs > 1 and getattr(args, "in_place", False) and _find_included(args, args.files) is not None:
        jobs = 1  # with several, chance decides whether a FILE changes before another FILE includes it
    outputs = map_files(one, args.files, jobs)
    first = next(outputs, None)  # the workers start before the thread of the progress bar
    with show_progress(args, len(args.files)) as advance:
        for output, name in zip(chain(() if first is None else (first,), outputs), args.files):
            if not isinstance(output, Output):  # a Failed: the process that worked on this file ended
                args.sources = Sources()
                output = show(Answer(name, [output.finding._replace(file=name)], empty), args)
            yield output
            args.done += 1
            advance(not has_errors(output.found))


def _answer_one(args: argparse.Namespace, work: Work, empty: Json, show: Show, name: str) -> Output:
    failed: list[Diagnostic] = []
    args.sources = Sources(args.door)
    args.notices = report_unused(args) if name == args.files[0] else []
    answer = guard(name, failed, partial(work, name, args), Answer(name, failed))
    return show(answer._replace(fields={**empty, **answer.fields}), args)._replace(known=answer.known)


def render(answer: Answer, args: argparse.Namespace) -> Output:
    """Render an answer of a command that prints a document or a table: findings go to standard error."""
    if args.json:
        fields = {"file": answer.file, "valid": not has_errors(answer.found), **answer.fields,
                  "diagnostics": [to_json(d) for d in answer.found]}
        return Output(answer.found, to_json_line(fields), answer.notes)
    said = render_findings(answer.found, args.error_terminal, getattr(args, "concise", False), args.sources)
    return Output(answer.found, answer.text, said + answer.notes)


def write(output: Output) -> None:
    """Write to standard output, then to standard error, so that findings are below the output that they are about."""
    sys.stdout.write(output.out)
    if output.err:
        sys.stdout.flush()
        sys.stderr.write(output.err)


def guard(name: str, found: list[Diagnostic], work: Callable[[], Result], otherwise: Result) -> Result:
    """Return the result of `work` on the file `name`; if it fails, `otherwise`, and a finding in `found`.

    All work on one file runs in this function, so that a defect of sdf_frames does not stop the other files.
    """
    try:
        return work()
    except Exception as error:  # noqa: BLE001
        found.append(report_failure(name, error))
        return otherwise


def report_failure(name: str, error: Exception) -> Diagnostic:
    """Return the finding for an exception in sdf_frames: its type and text, and the place that raised it."""
    from traceback import extract_tb
    place = "".join([f" at {step.filename}:{step.lineno}" for step in extract_tb(error.__traceback__)[-1:]])
    return diagnose("internal-error", Location(name), problem=f"{type(error).__name__}: {error}{place}")


def write_each(args: argparse.Namespace, kind: str, make: Make) -> int:
    """Make a text from each input, write it to the output of the arguments, and return the exit status.

    `kind` is the suffix of the files, and the key of the text in JSON.
    """
    if message := find_usage_problem(args, kind) or _find_overwritten(args, kind):
        args.parser.error(message)
    empty: Json = {kind: None, **({"report": []} if hasattr(args, "report") else {})}
    return answer_each(args, partial(answer_text, make), empty)


def _find_overwritten(args: argparse.Namespace, kind: str) -> str | None:
    """Return why the outputs of several FILEs must not be written, or None: one would replace an included file."""
    from sdf_frames.document.writing import find_refusal
    if not args.output_dir or len(args.files) == 1:
        return None
    found = _find_included(args, [name_output(args, name, kind) for name in args.files])
    return found and find_refusal(found[1], kind, [found[0]])


def _find_included(args: argparse.Namespace, files: Sequence[str]) -> tuple[str, str] | None:
    """Return one of `files` that a FILE includes, by its name in the FILE and in `files`; None if there is none."""
    from sdf_frames.api.uris import list_expanded
    from sdf_frames.cli.common import load_input
    from sdf_frames.document.writing import identify
    present: dict[tuple[int, int] | None, str] = {identify(path): path for path in files if UNCONFINED.exists(path)}
    mark = b"<include" if all(file.endswith(".sdf") for file in files) else b"include"  # xacro includes no SDFormat
    quiet = argparse.Namespace(**{**vars(args), "notices": []})
    for name in args.files if present else ():
        quiet.sources = Sources(args.door)
        if name == "-" or mark not in quiet.sources.read(name).replace(b"\0", b""):  # also of UTF-16
            continue
        loaded = guard(name, [], partial(load_input, name, quiet), None)
        for file in () if loaded is None else (*loaded.resolver.texts, *list_expanded(loaded)):
            if (known := present.get(identify(file))) is not None:
                return file, known
    return None


def answer_text(make: Make, name: str, args: argparse.Namespace) -> Answer:
    """Make a text from one input, and write it to the output of the arguments."""
    made, resolver, read = make(name, args)
    kind, bundle = made.kind, None
    if args.bundle and (made.tree is not None or made.source is not None):
        from sdf_frames.writers.written import render
        found = list(made.findings)
        bundle = guard(name, found, partial(
            write_bundle, args, name, made, resolver, found, read if name == "-" else chain((name,), read)), None)
        text = None if bundle is None else render(made)[0]
    else:
        text, content, more = render_output(args, name, made, resolver)
        found = list(more)
        if content is not None and not guard(name, found, partial(
                write_output, args, name, content, kind, found, chain((name,), read)), False):
            text = None
    fields: Json = {kind: text}
    notes = say_written(args.output, bool(text)) if args.output not in (None, "-") and not args.json else ""
    if args.json and hasattr(args, "report"):
        fields["report"] = [row._asdict() for row in made.rows]
    if bundle is not None:
        from sdf_frames.writers.bundle import render_bundle, to_json
        notes += render_bundle(bundle, kind)
        fields["bundle"] = to_json(bundle)
    if text is not None and getattr(args, "print_resource_path", False):
        from shlex import quote

        from sdf_frames.convert.moved_uris import list_gazebo_paths
        folders = fields["gz_sim_resource_path"] = list_gazebo_paths(text, name, resolver)
        notes += (f"export GZ_SIM_RESOURCE_PATH={quote(os.pathsep.join(folders))}\n" if folders else
                  "# no package for GZ_SIM_RESOURCE_PATH was found\n")
    said = text if text and to_stdout(args) else ""
    if hasattr(args, "report") and (args.report or args.only) and (rows := made.rows):
        from sdf_frames.cli.report_table import render_report
        if to_stdout(args):
            notes += render_report(name, rows, args.only, args.error_terminal)
        else:
            said = render_report(name, rows, args.only, args.terminal)
    return Answer(name, found, fields, said, notes)
