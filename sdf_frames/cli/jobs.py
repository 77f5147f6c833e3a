"""Many files on several processor cores, by ``--jobs``: the same output in the same order as on one."""
from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from sdf_frames.cli.usage import read_whole

STANDARD_INPUT = "-"
_MANY = 32
_LARGEST_CHUNK = 16


def add_jobs_argument(parser: argparse.ArgumentParser) -> None:
    """``--jobs``."""
    parser.add_argument("--jobs", "-j", type=read_jobs, metavar="N",
                        help="work on N files at a time; 0 for one per processor core (default: 1; "
                             f"0 if a folder holds {_MANY} files or more)")


def read_jobs(text: str) -> int:
    """The number of processes that a word of the command line asks for."""
    return read_whole(text, 0, 9999, "a number of processes from 0 to 9999")


def count_jobs(wanted: int | None, files: Sequence[str], searched: bool) -> int:
    """How many processes to use.

    `wanted` may be 0, for one a core, or None: one process, or one a core for many files of a searched folder.
    """
    if wanted is None:
        wanted = 0 if searched and len(files) >= _MANY else 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(wanted or cores, len(files)))


def map_files(work: Callable[[str], Any], files: Sequence[str], jobs: int) -> Iterator[Any]:
    """What `work` returns for each file, or a Failed, in order. Standard input is read by this process.

    `work` can be pickled, as can what it returns.
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

    If one of them were begun last, all other workers would wait for it.
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
