"""Work in a process of its own, so that a description that hangs, eats memory or crashes costs one row.

Each worker of an engine (loky, Dask, Ray) keeps one such process: it has the caches, and is started anew when it ends.
"""
from __future__ import annotations

import atexit
import gc
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import IO, Any

from sdf_frames.batch.sources import Item
from sdf_frames.batch.work import CRASHED, MEMORY, TIMEOUT, Outcome, Task, make_row

_MEGABYTE = 1_000_000
#: The part of a description's memory that may hold what others left: 2 %.
_MEMORY_SHARE = 50
#: Seconds between two checks of the time limit.
_LOOK_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Limits:
    """What one description may cost: seconds of wall-clock time, and megabytes of memory."""

    seconds: float = 60.0
    megabytes: int = 4000


#: What a chunk returns of an item: its outcome; None if it has not changed; a verdict if its process ended.
Answer = Outcome | None | str


def work_on(items: Sequence[tuple[Item, str | None]], task: Task, limits: Limits) -> list[Answer]:
    """Do the work on a few descriptions, in this worker's process.

    Parameters
    ----------
    items : descriptions, each with the content hash that needs no work, or None.
    """
    answers: list[Answer] = []
    while len(answers) < len(items):
        answers += _get_process(limits).work(items[len(answers):], task)
    return answers


def make_lost(item: Item, task: Task, verdict: str, limits: Limits) -> Outcome:
    """The outcome of a description whose process ended."""
    reasons = {TIMEOUT: f"took more than {limits.seconds:g} s", MEMORY: f"needed more than {limits.megabytes} MB",
               CRASHED: "ended its process"}
    return Outcome(make_row(item, task, verdict, reason=reasons[verdict]))


class _Process:
    """A process that does one piece of work after the other, told by pipes.

    A thread ends the process after the time limit, since not every system can wait for a pipe with a time limit.
    """

    def __init__(self, limits: Limits):
        self.limits = limits
        command = [sys.executable, "-c", "from sdf_frames.batch.isolation import serve; serve()", str(limits.megabytes)]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(part for part in sys.path if part)}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self.deadline, self.late, self.ended = inf, False, threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while not self.ended.wait(_LOOK_SECONDS):
            if time.monotonic() > self.deadline:
                self.late = True
                self.process.kill()

    def work(self, items: Sequence[tuple[Item, str | None]], task: Task) -> list[Answer]:
        """The answers on descriptions, until one is a verdict: then the process is gone."""
        assert self.process.stdin is not None and self.process.stdout is not None
        answers: list[Answer] = []
        self.deadline = time.monotonic() + self.limits.seconds
        try:
            _send(self.process.stdin, (items, task))
            for _ in items:
                answers.append(pickle.load(self.process.stdout))
                self.deadline = time.monotonic() + self.limits.seconds
                if isinstance(answers[-1], str):
                    self.end()
                    break
        except (OSError, EOFError, pickle.UnpicklingError):  # gone, or gone in the middle of an answer
            self.end()
            answers.append(TIMEOUT if self.late else CRASHED)
        self.deadline = inf
        return answers

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def end(self) -> None:
        """End the process."""
        self.ended.set()
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


_process: _Process | None = None


def _get_process(limits: Limits) -> _Process:
    """This worker's process, started where there is none or it has other limits."""
    global _process
    if _process is None or not _process.alive or _process.limits != limits:
        _end_process()
        _process = _Process(limits)
    return _process


@atexit.register
def _end_process() -> None:
    if _process is not None:
        _process.end()


def serve() -> None:
    """Work for the process that started this one, until it closes the pipe."""
    import signal

    from sdf_frames.batch.work import do_work
    from sdf_frames.document.memory import Memory
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the batch, whose end closes the pipe
    most = int(sys.argv[1])
    _bound_memory(most)
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what readers of files print is no answer
    memory = Memory(most * _MEGABYTE // _MEMORY_SHARE)
    gc.freeze()  # what was imported stays
    gc.set_threshold(50_000)  # as in the command line: a description has thousands of objects, few of them in cycles
    for (item, known), task in _receive_work(requests):
        _reset_peak()
        try:
            answer: Answer = do_work(item, task, known, memory)
        except MemoryError:
            answer = MEMORY
        peak = _read_peak()
        if peak is not None and peak > most:
            answer = MEMORY  # also if a guard on the way took the MemoryError for an error of the file
        elif isinstance(answer, Outcome):
            answer.row["memory_mb"] = peak
        try:
            _send(answers, answer)
        except BrokenPipeError:  # the worker was killed
            return


def _send(stream: IO[bytes], value: Any) -> None:
    stream.write(pickle.dumps(value))  # nothing is sent of what does not pickle
    stream.flush()


def _receive_work(stream: IO[bytes]) -> Iterator[tuple[tuple[Item, str | None], Task]]:
    with suppress(EOFError, pickle.UnpicklingError):  # nothing more, or cut short
        while True:
            items, task = pickle.load(stream)
            for item in items:
                yield item, task


def _bound_memory(megabytes: int) -> None:
    """Let what needs much more memory raise MemoryError: addresses, of which libraries reserve more than they use."""
    with suppress(ImportError, ValueError):
        import resource
        resource.setrlimit(resource.RLIMIT_AS, ((megabytes * 5 // 4 + 1000) * _MEGABYTE,) * 2)


def _reset_peak() -> None:
    """Begin to measure the peak of memory anew (Linux)."""
    with suppress(OSError), open("/proc/self/clear_refs", "w") as control:
        control.write("5")


def _read_peak() -> float | None:
    """The peak of resident memory in MB since it was reset; None where the system does not tell."""
    with suppress(OSError), open("/proc/self/status") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / _MEGABYTE
    return None
