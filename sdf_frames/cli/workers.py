"""Many files on several processor cores: the same output in the same order as on one."""
from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from sdf_frames.cli.jobs import WorkerDied

STANDARD_INPUT = "-"
_AHEAD = 4  # chunks that wait for each worker
_LARGEST_CHUNK = 16

_work: Callable[[str], Any] | None = None


def map_files(work: Callable[[str], Any], files: Sequence[str], jobs: int) -> Iterator[Any]:
    """What `work` returns for each file, in order, made by `jobs` processes. Standard input is read by this one.

    Parameters
    ----------
    work : can be pickled, as can what it returns.

    Raises
    ------
    WorkerDied
        A worker ended without an answer.
    """
    large = _find_large(files, jobs)
    chunks = _make_chunks(files, jobs, large)
    waiting: deque[Future[list[Any]] | str] = deque()
    sys.stdout.flush()  # a fork has its buffer, too
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context(_choose_method()), _start_worker, (work,))
    try:
        begun = {file: _submit(pool, [file]) for file in large}
        for chunk in (*chunks, None):
            while waiting and (chunk is None or len(waiting) >= _AHEAD * jobs):
                first = waiting.popleft()
                if isinstance(first, str):
                    yield work(first)
                else:
                    yield from first.result()
            if chunk is not None:
                waiting.append(chunk[0] if chunk == [STANDARD_INPUT] else begun.get(chunk[0]) or _submit(pool, chunk))
        pool.shutdown()
    except BrokenProcessPool as error:
        raise WorkerDied from error
    finally:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        # Without a wait, Python's own end may write to a pipe that the pool's thread is just closing, and say so.
        pool.shutdown(cancel_futures=True)


def _submit(pool: ProcessPoolExecutor, chunk: list[str]) -> Future[list[Any]]:
    """Let a worker do a chunk. Workers that are started for it never see Ctrl-C; this process sees it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        return pool.submit(_do_chunk, chunk)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(_do_chunk, chunk)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _find_large(files: Sequence[str], jobs: int) -> list[str]:
    """List the files with more than 1/16 of a worker's bytes, the largest first.

    If one of them were begun last, all other workers would wait for it.
    """
    sizes = {file: os.path.getsize(file) for file in files if os.path.isfile(file)}
    least = sum(sizes.values()) / (16 * jobs)
    return sorted([file for file, size in sizes.items() if size > least], key=sizes.__getitem__, reverse=True)


def _make_chunks(files: Sequence[str], jobs: int, large: Collection[str]) -> list[list[str]]:
    size = max(1, min(_LARGEST_CHUNK, len(files) // (8 * jobs)))
    alone = {STANDARD_INPUT, *large}
    chunks: list[list[str]] = []
    for file in files:
        if not chunks or len(chunks[-1]) >= size or not alone.isdisjoint((file, chunks[-1][0])):
            chunks.append([])
        chunks[-1].append(file)
    return chunks


def _choose_method() -> str:
    """Forking takes no time, but is not safe where other threads run."""
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


def _start_worker(work: Callable[[str], Any]) -> None:
    global _work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process ends the others
    _work = work


def _do_chunk(files: list[str]) -> list[Any]:
    assert _work is not None
    return [_work(file) for file in files]
