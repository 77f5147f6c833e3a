"""Run a command on many files, and write tables with one row for each file, and one for each error or warning.

    sdf_frames batch check models/ --to results
    sdf_frames batch check models/ --for ros,mujoco --to results
    sdf_frames batch convert 'fleet/**/*.urdf' --to converted --resume
    sdf_frames report results

A SOURCE is a file, a folder, a glob, a list (names.txt), a Parquet column (table.parquet:COLUMN), an archive, or a URL
that fsspec opens. A file that takes too long, needs too much memory or crashes gets a row, too, and the other files are
not affected. Exit status: 0 if every file has a row without an error, 1 if not, 130 after Ctrl-C or SIGTERM."""
from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sdf_frames.checks.programs import read_consumers
from sdf_frames.cli.common import add_options, read_given, read_positive
from sdf_frames.cli.inputs import add_config_arguments, is_left_out
from sdf_frames.cli.jobs import read_jobs, show_counts
from sdf_frames.cli.printing import print_line
from sdf_frames.cli.selection import add_consumers_argument, select_by_settings
from sdf_frames.diagnostics import count_of
from sdf_frames.document.door import UNCONFINED
from sdf_frames.document.expanded import split_arguments
from sdf_frames.sdf.table import VERSION, VERSIONS

if TYPE_CHECKING:
    from sdf_frames.batch.run import Summary
    from sdf_frames.batch.sources import Item

_COMMANDS = ("check", "convert", "inertia", "upgrade", "to-urdf")
_ENGINES = ("loky", "dask", "ray")  # as sdf_frames.batch.run, which needs joblib
_SHOW_SECONDS = 0.25


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("command_name", metavar="COMMAND", choices=_COMMANDS, help=", ".join(_COMMANDS))
    parser.add_argument("sources", nargs="+", action="extend", metavar="SOURCE",
                        help="files, folders, globs, archives or URLs")
    parser.add_argument("--to", required=True, metavar="OUT",
                        help="folder for the tables (results/, findings/) and written files (files/), or NAME.parquet")
    parser.add_argument("--resume", action="store_true",
                        help="skip files for which OUT has a result of the same content and options")
    parser.add_argument("--jobs", type=read_jobs, default=0, metavar="N",
                        help="number of workers (default: 0, one for each core)")
    parser.add_argument("--engine", choices=_ENGINES, default="loky",
                        help="engine that runs the workers (default: loky)")
    parser.add_argument("--address", metavar="URL", help="scheduler of a running Dask or Ray cluster")
    parser.add_argument("--seconds", type=read_positive, default=60.0, metavar="S",
                        help="time limit for one file (default: 60)")
    parser.add_argument("--memory", type=read_positive, default=4000.0, metavar="MB",
                        help="memory limit for one file (default: 4000)")
    add_options(parser, "resource_paths", "conversion")
    add_consumers_argument(parser, "check: ")
    parser.add_argument("--version", dest="to_version", default=VERSION, metavar="V", choices=VERSIONS[1:],
                        help=f"upgrade: version to write, {VERSIONS[1]} to {VERSION} (default: {VERSION})")
    add_config_arguments(parser)


def run(args: argparse.Namespace) -> int:
    if args.address and args.engine == "loky":
        args.parser.error("--address is for --engine dask and ray")
    if args.consumers and args.command_name != "check":
        args.parser.error("--for is for check")
    if arguments := split_arguments(args.sources)[1]:
        args.parser.error(f"{next(iter(arguments))}:=… sets an argument of .xacro files, which batch does not expand")
    if UNCONFINED.exists(args.to) and not UNCONFINED.is_folder(args.to):
        args.parser.error(f"--to {args.to} is a file; name a folder")
    # Arrow's own memory pool does not free memory: 50 MB here.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    try:
        from sdf_frames.batch.run import CostLimits, run_batch
        from sdf_frames.batch.sources import list_items
        from sdf_frames.batch.work import Task
    except ModuleNotFoundError as error:
        return _name_missing(error, "'sdf_frames[batch]'")
    is_table = args.to.endswith(".parquet")
    folder = args.to.removesuffix(".parquet") + ".files" if is_table else os.path.join(args.to, "files")
    selection = select_by_settings(args, read_consumers(args.consumers)) if args.command_name == "check" else None
    task = Task(args.command_name, read_given(args), folder, args.to_version, selection)
    written = os.path.abspath(folder)

    def skip(path: str) -> bool:
        return is_left_out(path, (), args.settings) or os.path.abspath(path) == written  # by an earlier run

    progress = _Progress()
    try:
        with _end_as_by_ctrl_c(), show_counts(args) as show:
            if args.error_terminal.width is not None:
                threading.Thread(target=progress.count, args=(args.sources, skip), daemon=True).start()
            summary = run_batch(_tell_problems(list_items(args.sources, skip)), task, args.to, jobs=args.jobs,
                                engine=args.engine, address=args.address,
                                limits=CostLimits(args.seconds, int(args.memory)), resume=args.resume,
                                report=lambda summary: progress.note(summary, show))
    except ModuleNotFoundError as error:
        return _name_missing(error, "'dask[distributed]'" if args.engine == "dask" else args.engine)
    except FileExistsError as error:
        print_line(f"sdf_frames batch: {error}", sys.stderr)
        return 2
    except KeyboardInterrupt:
        print_line(f"stopped after {count_of(progress.done, 'file')}; --resume continues", sys.stderr)
        return 130
    if not summary.done:
        print_line(f"sdf_frames batch: no .urdf, .sdf or .world file in {', '.join(args.sources)}", sys.stderr)
        return 1
    print(_describe(summary))
    return 0 if set(summary.verdicts) <= {"valid"} and not summary.unchanged_bad else 1


@contextmanager
def _end_as_by_ctrl_c() -> Iterator[None]:
    """Let SIGTERM end the run as Ctrl-C does, with the rows so far; only the main thread may say so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _tell_problems(items: Iterable[Item]) -> Iterator[Item]:
    """Yield the items; print the sources that cannot be opened to standard error."""
    for item in items:
        if item.problem:
            print_line(f"sdf_frames batch: {item.name}: {item.problem}", sys.stderr)
        yield item


def _name_missing(error: ModuleNotFoundError, package: str) -> int:
    print_line(f"sdf_frames batch: {error.name} is not installed: pip install {package}", sys.stderr)
    return 2


class _Progress:
    """The progress of a batch: descriptions that are done, and all descriptions once they are counted."""

    def __init__(self) -> None:
        self.done = 0
        self._total: int | None = None
        self._shown = -_SHOW_SECONDS

    def count(self, sources: list[str], skip: Callable[[str], bool]) -> None:
        """Count the descriptions, for the time that is left."""
        from sdf_frames.batch.sources import count_items
        self._total = count_items(sources, skip)

    def note(self, summary: Summary, show: Callable[[int, int, int | None], None]) -> None:
        """Update the progress, and show it from time to time."""
        self.done = summary.done
        if summary.seconds - self._shown > _SHOW_SECONDS:
            self._shown = summary.seconds
            show(summary.done, summary.verdicts.total() - summary.verdicts["valid"], self._total)


def _describe(summary: Summary) -> str:
    counts = [f"{count} {verdict}" for verdict, count in summary.verdicts.most_common()]
    if summary.unchanged:
        bad = f" ({summary.unchanged_bad} of them not valid)" if summary.unchanged_bad else ""
        counts.append(f"{summary.unchanged} unchanged{bad}")
    return f"{count_of(summary.done, 'file')} in {summary.seconds:.1f} s: {', '.join(counts)}"
