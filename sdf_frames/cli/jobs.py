"""How many processes a command uses: ``--jobs``."""
from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

_MANY = 32


class WorkerDied(Exception):
    """A worker process ended without an answer."""


def add_jobs_argument(parser: argparse.ArgumentParser) -> None:
    """``--jobs``."""
    parser.add_argument("--jobs", "-j", type=read_jobs, metavar="N",
                        help="work on N files at a time; 0 for one per processor core (default: 1; "
                             f"0 if a folder holds {_MANY} files or more)")


def read_jobs(text: str) -> int:
    """The number of processes that a word of the command line asks for."""
    if not text.isascii() or not text.isdigit() or len(text) > 4:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of processes from 0 to 9999")
    return int(text)


def count_jobs(wanted: int | None, files: Sequence[str], searched: bool) -> int:
    """How many processes to use.

    Parameters
    ----------
    wanted : 0 is one a core; None is one process, or one a core for many files of a searched folder.
    """
    if wanted is None:
        wanted = 0 if searched and len(files) >= _MANY else 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(wanted or cores, len(files)))
