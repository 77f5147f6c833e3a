"""Work in a process of its own, so that a description that hangs, eats memory or crashes costs one row.

Each worker of an engine (loky, Dask, Ray) keeps one such process: it has the caches, and is started anew when it ends.
"""
from __future__ import annotations

import atexit
import gc
import os
import pickle
import queue
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any

from sdf_frames.batch.sources import Item
from sdf_frames.batch.work import CRASHED, MEMORY, TIMEOUT, Outcome, Task, make_row

_LENGTH = struct.Struct("<Q")
_MEGABYTE = 1_000_000
#: The part of a description's memory that may hold what others left: 2 %.
_MEMORY_SHARE = 50


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
    return [_get_process(limits).work(item, task, known, limits) for item, known in items]


def make_lost(item: Item, task: Task, verdict: str, limits: Limits) -> Outcome:
    """The outcome of a description whose process ended."""
    reasons = {TIMEOUT: f"took more than {limits.seconds:g} s", MEMORY: f"needed more than {limits.megabytes} MB",
               CRASHED: "ended its process"}
    return Outcome(make_row(item, task, verdict, reason=reasons[verdict]))


class _Process:
    """A process that does one piece of work after the other, told by pipes.

    A thread waits for its answers, since not every system can wait for a pipe with a time limit.
    """

    def __init__(self, limits: Limits):
        self.limits = limits
        command = [sys.executable, "-c", "from sdf_frames.batch.isolation import serve; serve()", str(limits.megabytes)]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(part for part in sys.path if part)}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self.answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        """Put each answer into the queue, and CRASHED when there are no more."""
        assert self.process.stdout is not None
        with suppress(OSError, pickle.UnpicklingError), self.process.stdout:
            for answer in _receive_all(self.process.stdout):
                self.answers.put(answer)
        self.answers.put(CRASHED)

    def work(self, item: Item, task: Task, known: str | None, limits: Limits) -> Answer:
        """The answer on one description; the process is gone if it is a verdict."""
        assert self.process.stdin is not None
        try:
            _send(self.process.stdin, (item, task, known))
            answer = self.answers.get(timeout=limits.seconds)
        except queue.Empty:
            answer = TIMEOUT
        except OSError:
            answer = CRASHED
        if isinstance(answer, str):
            self.end()
        return answer

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def end(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()
        if self.process.stdin is not None:
            with suppress(OSError):
                self.process.stdin.close()


_process: _Process | None = None


def _get_process(limits: Limits) -> _Process:
    """This worker's process, started where there is none or it has other limits."""
    global _process
    if _process is not None and (not _process.alive or _process.limits != limits):
        _process.end()
        _process = None
    if _process is None:
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
    for item, task, known in _receive_all(requests):
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
    data = pickle.dumps(value)
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def _receive(stream: IO[bytes]) -> Any:
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    return pickle.loads(stream.read(_LENGTH.unpack(head)[0]))


def _receive_all(stream: IO[bytes]) -> Iterator[Any]:
    with suppress(EOFError):
        while True:
            yield _receive(stream)


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
