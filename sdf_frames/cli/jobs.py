"""Works on many files in ``--jobs`` processes, in the order of one process, and shows progress on standard error."""
from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sdf_frames.cli.usage import read_whole
from sdf_frames.diagnostics import count_of

STANDARD_INPUT = "-"
_MANY = 32
_LARGEST_CHUNK = 16


def add_jobs_argument(parser: argparse.ArgumentParser) -> None:
    """Add ``--jobs``."""
    parser.add_argument("--jobs", "-j", type=read_jobs, metavar="N",
                        help="work on N files at a time; 0 for one per processor core (default: 1; "
                             f"0 if a folder holds {_MANY} files or more)")


def read_jobs(text: str) -> int:
    """Read the number of processes from a word of the command line."""
    return read_whole(text, 0, 9999, "a number of processes from 0 to 9999")


def count_jobs(wanted: int | None, files: Sequence[str], searched: bool) -> int:
    """Return the number of processes to use.

    `wanted` may be 0, for one per core, or None: one process, or one per core for many files of a searched folder.
    """
    if wanted is None:
        wanted = 0 if searched and len(files) >= _MANY else 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(wanted or cores, len(files)))


def map_files(work: Callable[[str], Any], files: Sequence[str], jobs: int) -> Iterator[Any]:
    """Yield the result of `work` for each file, or a Failed, in order. This process reads standard input.

    `work` and its results can be pickled.
    """
    if jobs == 1:
        yield from map(work, files)
        return
    from sdf_frames.work import Pool
    before = files.index(STANDARD_INPUT) if STANDARD_INPUT in files else len(files)
    with Pool(jobs, fork=True) as pool:
        for part in (files[:before], files[before:before + 1], files[before + 1:]):
            large = _find_large(part, jobs)
            yield from map(work, part) if part == [STANDARD_INPUT] else pool.map(
                work, _make_chunks(part, jobs, large), [(file,) for file in large])


def _find_large(files: Sequence[str], jobs: int) -> list[str]:
    """List the files with more than 1/16 of a worker's bytes, the largest first.

    If such a file were started last, all other workers would wait for it.
    """
    sizes = {file: os.path.getsize(file) for file in files if os.path.isfile(file)}
    least = sum(sizes.values()) / (16 * jobs)
    return sorted([file for file, size in sizes.items() if size > least], key=sizes.__getitem__, reverse=True)


def _make_chunks(files: Sequence[str], jobs: int, large: Collection[str]) -> Iterator[tuple[str, ...]]:
    size = max(1, min(_LARGEST_CHUNK, len(files) // (8 * jobs)))
    chunk: tuple[str, ...] = ()
    for file in files:
        if chunk and (len(chunk) == size or file in large or chunk[0] in large):
            yield chunk
            chunk = ()
        chunk += (file,)
    if chunk:
        yield chunk


#: The length of a bar if the number of files is unknown.
_UNKNOWN = 1e15


@contextmanager
def show_progress(args: argparse.Namespace, total: int) -> Iterator[Callable[[bool], None]]:
    """Show a bar with files, rate, time left and errors; yield a function to call after each file, with its validity.

    Only if standard error is a terminal and standard output is not: otherwise the output itself shows the progress.
    """
    if args.terminal.width is not None or total < 2:
        yield lambda valid: None
        return
    with show_counts(args) as show:
        done = errors = 0

        def advance(valid: bool) -> None:
            nonlocal done, errors
            done += 1
            errors += not valid
            show(done, errors, total)

        yield advance


@contextmanager
def show_counts(args: argparse.Namespace) -> Iterator[Callable[[int, int, int | None], None]]:
    """Show a bar if standard error is a terminal.

    Yield a function to call with the numbers of files that are done, that have errors, and in total (None if unknown).
    """
    if args.error_terminal.width is None:
        yield lambda done, errors, total: None
        return
    try:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn
    except ImportError:
        yield lambda done, errors, total: None
        return
    columns = (TextColumn(f"{args.command}"), BarColumn(), TextColumn("{task.fields[text]}"))
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=_UNKNOWN, text="")

        def show(done: int, errors: int, total: int | None) -> None:
            speed = progress.tasks[0].speed
            progress.update(task, completed=done, total=total or _UNKNOWN,
                            text=_describe(done, errors, total, speed))

        yield show


def _describe(done: int, errors: int, total: int | None, speed: float | None) -> str:
    parts = [count_of(done, "file") if total is None else f"{done}/{count_of(total, 'file')}"]
    if speed:
        parts.append(f"{speed:.0f}/s")
        if total is not None:
            minutes, seconds = divmod(int(max(total - done, 0) / speed), 60)
            parts.append(f"{minutes // 60}:{minutes % 60:02}:{seconds:02} left")
    return ", ".join((*parts, f"{errors} with errors"))
