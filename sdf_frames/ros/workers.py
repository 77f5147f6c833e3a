"""Work beside the executor, in processes that are killed at a time limit.

Threads would not do: beside one that loads a description of 7 MB, another thread of the process waits up to 0.8 s for
its turn, the loading itself takes twice as long, and nothing can end it.
"""
from __future__ import annotations

import json
import queue
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Pipe
from typing import Any, NamedTuple, TypeVar

from sdf_frames.diagnostics import diagnose
from sdf_frames.ros.worker import Failed, describe_fault

T = TypeVar("T")

# Isolated, so that the working folder is not searched for modules; the path is the node's own.
_START = ("import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
          "from sdf_frames.ros.worker import main; main(int(sys.argv[2]))")


class _Process:
    """A worker process and our end of its socket. Started anew, never forked: the node has threads."""

    def __init__(self) -> None:
        self.connection, theirs = Pipe()
        command = [sys.executable, "-I", "-c", _START, json.dumps(sys.path), str(theirs.fileno())]
        # The process inherits what is blocked here: Ctrl-C at the terminal is for the node, whose end ends the process.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
        try:
            with theirs:
                self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def work(self, function: Callable[..., object], arguments: tuple[object, ...], limit: float) -> object:
        """Have a job done: its result, or a Failed; then `ended` may be true."""
        try:
            self.connection.send((function, arguments))
            if self.connection.poll(limit):
                return self.connection.recv()
        except (EOFError, OSError):
            status = self.end()
            return Failed(diagnose("worker-ended", how=f"signal {-status}" if status < 0 else f"status {status}"))
        except Exception:
            self.end()  # its answer to this job must not be taken for that to the next one
            raise
        self.end()
        return Failed(diagnose("time-limit-reached", seconds=limit))

    @property
    def ended(self) -> bool:
        """Whether the process is gone."""
        return self._process.poll() is not None

    def end(self) -> int:
        """End the process, and return its status."""
        # One that closed its socket is about to end by itself; its own status says more than that of the kill.
        try:
            return self._process.wait(0.2 if self.connection.poll(0) else 0)
        except (OSError, EOFError, subprocess.TimeoutExpired):
            self._process.kill()
            return self._process.wait()


class _Job(NamedTuple):
    function: Callable[..., object]
    arguments: tuple[object, ...]
    limit: float
    done: Callable[[Any], None]


class Workers:
    """A queue of jobs, and the processes that do them.

    One process is always ready for the next job, as long as there are no more than `most`.
    """

    def __init__(self, most: int):
        self._most = most
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._busy = 0
        self._processes: dict[threading.Thread, _Process] = {}
        self._closed = False
        self._add()

    def submit(self, done: Callable[[T | Failed], None], limit: float, function: Callable[..., T],
               *arguments: object) -> None:
        """Have ``function(*arguments)`` called in a worker process.

        Parameters
        ----------
        done
            Called in another thread, once, with the result or a :class:`Failed`; never after :meth:`close`.
        limit
            Seconds from when a process starts on the job; then it is killed.
        function, arguments
            What pickles: a function of :mod:`sdf_frames.ros.jobs`, and plain values.
        """
        self._jobs.put(_Job(function, arguments, limit, done))

    def wait(self, limit: float, function: Callable[..., T], *arguments: object) -> T | Failed:
        """Have a function called as :meth:`submit` does, and return what it hands to `done`."""
        answers: queue.SimpleQueue[T | Failed] = queue.SimpleQueue()
        self.submit(answers.put, limit, function, *arguments)
        return answers.get()

    def close(self) -> None:
        """End all processes; jobs that wait or are under way get no answer."""
        with self._lock:
            self._closed = True
            processes = dict(self._processes)
        for process in processes.values():
            process.end()
        for _ in processes:
            self._jobs.put(None)
        for thread in processes:
            thread.join(2.0)

    def _add(self) -> None:
        """Add a process, and the thread that talks to it."""
        thread = threading.Thread(target=self._serve, daemon=True)
        self._processes[thread] = _Process()
        thread.start()

    def _serve(self) -> None:
        me = threading.current_thread()
        while (job := self._jobs.get()) is not None:
            with self._lock:
                if self._closed:
                    return
                self._busy += 1
                if self._busy == len(self._processes) < self._most:
                    self._add()
            answer = self._do(job, me)
            with self._lock:
                self._busy -= 1
                if self._closed:
                    return
            job.done(answer)

    def _do(self, job: _Job, me: threading.Thread) -> object:
        """Have a job done; whatever happens, there is an answer, and the thread lives on."""
        try:
            self._renew(me)
            answer = self._processes[me].work(job.function, job.arguments, job.limit)
        except Exception as error:  # no process can be started, say
            answer = Failed(diagnose("node-fault", problem=describe_fault(error)), traceback.format_exc())
        with suppress(OSError):  # the next job finds out
            self._renew(me)
        return answer

    def _renew(self, me: threading.Thread) -> None:
        """Start a process in place of one that has ended."""
        with self._lock:
            if self._processes[me].ended and not self._closed:
                self._processes[me] = _Process()
