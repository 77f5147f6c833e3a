"""How far a command with many files has come, on standard error."""
from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sdf_frames.diagnostics import count_of

#: A bar's length where nobody knows how many files there are.
_UNKNOWN = 1e15


@contextmanager
def show_progress(args: argparse.Namespace, total: int) -> Iterator[Callable[[bool], None]]:
    """A bar with files, rate, time left and errors; call what it yields after each file, with whether it is valid.

    Only where standard error is a terminal and standard output is not: otherwise the output itself shows it.
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
    """A bar where standard error is a terminal.

    Call what it yields with how many files are done, how many of them have errors, and how many there are (None while
    that is unknown).
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
