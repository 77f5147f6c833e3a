"""Workers: the other ends of the sockets of processes that run jobs."""
from __future__ import annotations

import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any

from sdf_frames.diagnostics import diagnose
from sdf_frames.work.serving import CRASHED, MEMORY, PARENT_DEATH_SIGNAL, TIMEOUT, Failed, make_fault, serve

if TYPE_CHECKING:
    from multiprocessing.context import ForkProcess

    Process = subprocess.Popen[bytes] | ForkProcess

_HOME = os.path.abspath(f"{__file__}/../../..")
#: Seconds for a process that closed its socket to end by itself: its status says more than that of being killed.
_GRACE = 0.5
_DIE_WITH_PARENT = "" if sys.platform != "linux" else (
    f"import ctypes, signal; ctypes.CDLL(None).prctl({PARENT_DEATH_SIGNAL}, signal.SIGKILL); ")
_AHEAD = 4  # chunks that wait for each worker


class Worker:
    """A process that runs one job after the other, and is restarted after it has ended.

    Only one thread at a time may use a worker; any thread may :meth:`cancel` it. On Linux, the process also ends with
    the thread that started it.

    Parameters
    ----------
    megabytes : memory that a job may need; None for no limit.
    prepare : a function and its arguments, called in the process before the first job; or empty.
    """

    def __init__(self, megabytes: int | None = None, prepare: tuple[Any, ...] = ()):
        self._choices = megabytes, prepare
        self._lock = threading.Lock()
        self._cancelled = False
        self._process: Process | None = None

    def start(self, fork: bool = False) -> None:
        """Start the process, if none runs: a fresh interpreter, or a fork, which is safe without other threads."""
        with self._lock:
            if self._cancelled:
                raise RuntimeError("the worker is cancelled")
            if self._process is not None and _wait(self._process, 0) is not None:  # killed while it had no job
                self.end()
            if self._process is None:
                self._socket, theirs = socket.socketpair()
                self._answers: IO[bytes] = self._socket.makefile("rb")
                self._function: Callable[..., object] | None = None
                with theirs, hold_back_interrupt():
                    self._process = _fork(theirs) if fork else _spawn(theirs)
                self._socket.sendall(pickle.dumps(self._choices))

    def work(self, function: Callable[..., object], jobs: Sequence[tuple[Any, ...]],
             seconds: float | None = None) -> list[Any]:
        """Call a function with several tuples of arguments; return its results, or a Failed for each, in their order.

        Each call may take `seconds`, unless that is None; the start of a new process takes additional time.
        """
        answers: list[Any] = []
        while len(answers) < len(jobs):
            try:
                self.start()
                self._socket.settimeout(seconds)
                self._ask(function, jobs[len(answers):])
                while len(answers) < len(jobs):
                    answers.append(pickle.loads(pickle.load(self._answers)))
                    if isinstance(answers[-1], Failed) and answers[-1].reason == MEMORY:
                        self.end()
                        break
            except BaseException as error:
                answers.append(self._explain(error, seconds))
        return answers

    def _ask(self, function: Callable[..., object], jobs: Sequence[tuple[Any, ...]]) -> None:
        # A function may be large: the function of the last jobs is not sent again.
        given = None if function is self._function else pickle.dumps(function)
        self._socket.sendall(pickle.dumps((given, [pickle.dumps(arguments) for arguments in jobs])))
        self._function = function

    def _explain(self, error: BaseException, seconds: float | None) -> Failed:
        """End the process, which may not be ready for the next job, and return why this job has no answer."""
        gone = isinstance(error, (EOFError, OSError, pickle.UnpicklingError))
        late = isinstance(error, TimeoutError)
        status = self.end(_GRACE if gone and not late else 0)
        if not isinstance(error, Exception):  # Ctrl-C
            raise error
        if late:
            return Failed(TIMEOUT, diagnose("time-limit-reached", seconds=seconds))
        if status is None or not gone:
            return make_fault(error)
        how = f"signal {-status}" if status < 0 else f"status {status}"
        return Failed(CRASHED, diagnose("worker-ended", how=how))

    def cancel(self) -> None:
        """End the process, even during a job, and start no other one."""
        with self._lock:
            self._cancelled = True
            if self._process is not None:
                self._process.kill()

    def end(self, grace: float = 0) -> int | None:
        """End the process after `grace` seconds, and return its status. The next job starts another process."""
        process, self._process = self._process, None
        if process is None:
            return None
        if (status := _wait(process, grace)) is None:
            process.kill()
            status = _wait(process, None)
        self._answers.close()
        self._socket.close()
        return status


def _spawn(theirs: socket.socket) -> Process:
    # Isolated, so that the working folder is not searched for modules. First of all, it shall end with its parent:
    # before that, one that is stopped would outlive it.
    path = [*sys.path, _HOME]
    code = (f"{_DIE_WITH_PARENT}import sys; sys.path[:] = {path!r}; "
            f"from sdf_frames.work.serving import start; start({os.getpid()})")
    command = [sys.executable, "-I", "-c", code]
    if not hasattr(theirs, "share"):
        return subprocess.Popen(command, stdin=theirs.fileno(), stdout=subprocess.DEVNULL)
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)  # Windows
    process.communicate(theirs.share(process.pid))
    return process


def _fork(theirs: socket.socket) -> Process:
    import multiprocessing
    process = multiprocessing.get_context("fork").Process(target=serve, args=(theirs, os.getpid()), daemon=True)
    process.start()
    return process


def _wait(process: Process, seconds: float | None) -> int | None:
    if isinstance(process, subprocess.Popen):
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        return process.returncode
    process.join(seconds)
    return process.exitcode


@contextmanager
def hold_back_interrupt() -> Iterator[None]:
    """Let processes that are started in here never see Ctrl-C, and this thread only when it leaves."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_kept = threading.local()


def run_each(function: Callable[..., object], jobs: Sequence[tuple[Any, ...]], seconds: float | None = None,
             megabytes: int | None = None, prepare: tuple[Any, ...] = ()) -> list[Any]:
    """Call :meth:`Worker.work` of a worker that this thread keeps for equal `megabytes` and `prepare`."""
    if getattr(_kept, "choices", None) != (megabytes, prepare):
        if hasattr(_kept, "worker"):
            _kept.worker.end()
        _kept.choices, _kept.worker = (megabytes, prepare), Worker(megabytes, prepare)
    return _kept.worker.work(function, jobs, seconds)


class Pool:
    """Several workers and a queue of jobs for them. Use it in a ``with`` statement, which ends their processes.

    Parameters
    ----------
    size : number of workers. Their processes start with the first jobs.
    prepare : as in :class:`Worker`.
    fork : fork the processes now, if that is safe: it takes no time, while a fresh interpreter must import everything.
    """

    def __init__(self, size: int, prepare: tuple[Any, ...] = (), fork: bool = False):
        self._workers = [Worker(prepare=prepare) for _ in range(size)]
        self._free = self._workers.copy()  # a stack: one whose process runs is taken first
        self._threads = ThreadPoolExecutor(size)
        if fork and sys.platform == "linux" and threading.active_count() == 1:
            for worker in self._workers:
                worker.start(fork=True)

    def submit(self, function: Callable[..., object], jobs: Sequence[tuple[Any, ...]],
               seconds: float | None = None) -> Future[list[Any]]:
        """Call :meth:`Worker.work` of a free worker. Without jobs, it only starts its process."""
        return self._threads.submit(self._work, function, jobs, seconds)

    def _work(self, *work: Any) -> list[Any]:
        worker = self._free.pop()
        try:
            return worker.work(*work)
        finally:
            with suppress(OSError, RuntimeError):  # the next job finds out
                worker.start()
            self._free.append(worker)

    def map(self, function: Callable[[Any], object], chunks: Iterable[Sequence[Hashable]],
            large: Iterable[Sequence[Hashable]] = ()) -> Iterator[Any]:
        """Call a function with each item of each chunk; yield its results, or a Failed for each, in their order.

        Workers take chunks, which are tuples, as they become free; `large` chunks are started first.
        """
        def begin(chunk: Sequence[Hashable]) -> Future[list[Any]]:
            return self.submit(function, [(item,) for item in chunk])
        begun = {chunk: begin(chunk) for chunk in large}
        waiting: deque[Future[list[Any]]] = deque()
        for chunk in chunks:
            if len(waiting) >= _AHEAD * len(self._workers):
                yield from waiting.popleft().result()
            waiting.append(begun.get(chunk) or begin(chunk))
        while waiting:
            yield from waiting.popleft().result()

    def __enter__(self) -> Pool:
        return self

    def close(self, *_: object) -> None:
        """End all processes. Running jobs get a Failed, waiting jobs are cancelled."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.cancel()
        self._threads.shutdown()
        for worker in self._workers:
            worker.end()

    __exit__ = close
