"""How far a command with many files has come, on standard error."""
from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def show_progress(args: argparse.Namespace, total: int) -> Iterator[Callable[[bool], None]]:
    """A bar with files, rate, time left and errors; call what it yields after each file, with whether it is valid.

    Only where standard error is a terminal and standard output is not: otherwise the output itself shows it.
    """
    if args.error_terminal.width is None or args.terminal.width is not None or total < 2:
        yield lambda valid: None
        return
    try:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
    except ImportError:
        yield lambda valid: None
        return
    columns = (TextColumn(f"{args.command}"), BarColumn(), TextColumn("{task.completed:.0f}/{task.total:.0f}"),
               TextColumn("{task.fields[rate]}"), TimeRemainingColumn(),
               TextColumn("{task.fields[errors]} with errors"))
    console = Console(stderr=True, no_color=not args.error_terminal.colour)
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=total, errors=0, rate="")
        errors = 0

        def advance(valid: bool) -> None:
            nonlocal errors
            errors += not valid
            speed = progress.tasks[0].speed
            progress.update(task, advance=1, errors=errors, rate=f"{speed:.0f}/s" if speed else "")

        yield advance
