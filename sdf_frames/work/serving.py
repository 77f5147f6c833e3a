"""A process that runs jobs: it receives them from a socket, and sends back their results."""
from __future__ import annotations

import gc
import os
import pickle
import signal
import socket
import sys
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from typing import NamedTuple

from sdf_frames.diagnostics import Diagnostic, diagnose

TIMEOUT, MEMORY, CRASHED, FAULT = "timeout", "memory", "crashed", "failed"
_MEGABYTE = 1_000_000
PARENT_DEATH_SIGNAL = 1  # of <linux/prctl.h>


class Failed(NamedTuple):
    """The answer to a job without a result.

    Attributes
    ----------
    reason : `TIMEOUT`, `MEMORY`, `CRASHED` (its process ended) or `FAULT` (an exception).
    finding : what happened.
    trace : traceback of the exception.
    """

    reason: str
    finding: Diagnostic
    trace: str = ""


def describe_fault(error: BaseException) -> str:
    """Return an exception in one line."""
    return f"{type(error).__name__}: {error}".splitlines()[0][:300]


def make_fault(error: BaseException) -> Failed:
    """Return the answer to a job that raised an exception; call it in the handler."""
    return Failed(FAULT, diagnose("node-fault", problem=describe_fault(error)), traceback.format_exc())


def start(parent: int) -> None:
    """Serve in a fresh interpreter. Its standard input is the socket; for jobs, standard input is empty."""
    if hasattr(socket, "fromshare"):  # Windows
        connection = socket.fromshare(sys.stdin.buffer.read())
    else:
        connection = socket.socket(fileno=os.dup(0))
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    serve(connection, parent)


def serve(connection: socket.socket, parent: int) -> None:
    """Run jobs for the process `parent` until the other end of the socket is closed."""
    end_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends this process
    stream = connection.makefile("rwb")
    megabytes, prepare = pickle.load(stream)
    if megabytes is not None:
        _bound_memory(megabytes)
    if prepare:
        prepare[0](*prepare[1:])
    warnings.filterwarnings("ignore", category=RuntimeWarning, append=True)  # as in the command line
    gc.freeze()  # imported objects stay
    gc.set_threshold(50_000)  # as in the command line: a description has thousands of objects that stay to its end
    with suppress(EOFError, OSError, pickle.UnpicklingError):  # the other end is gone
        while True:
            function, calls = pickle.load(stream)
            if function is not None:
                load = cache(partial(pickle.loads, function))
            for call in calls:
                pickle.dump(_answer(load, call, megabytes), stream)
                stream.flush()
            gc.collect(0)  # now, when nobody waits for it: what is left of a document refers to itself


def end_with_parent(parent: int) -> None:
    """Let the system kill this process when the thread that started it ends (Linux)."""
    if sys.platform == "linux":
        import ctypes
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != parent:  # gone before
            os._exit(0)


def _answer(load: Callable[[], Callable[..., object]], call: bytes, megabytes: int | None) -> bytes:
    content = None
    try:
        if megabytes is not None:
            _reset_peak()
        content = pickle.dumps(load()(*pickle.loads(call)))
    except MemoryError:
        pass
    except Exception as error:
        content = pickle.dumps(make_fault(error))
    # Readers on the way may have taken a MemoryError for an error of the file.
    if content is None or megabytes is not None and (read_peak() or 0) > megabytes:
        limit = "there is" if megabytes is None else f"its limit of {megabytes} MB"
        content = pickle.dumps(Failed(MEMORY, diagnose("memory-limit-reached", limit=limit)))
    return content


def _bound_memory(megabytes: int) -> None:
    """Limit the address space, of which libraries reserve more than they use; beyond it, jobs raise MemoryError."""
    with suppress(ImportError, ValueError):
        import resource
        resource.setrlimit(resource.RLIMIT_AS, ((megabytes * 5 // 4 + 1000) * _MEGABYTE,) * 2)


def _reset_peak() -> None:
    """Reset the peak of memory (Linux)."""
    with suppress(OSError), open("/proc/self/clear_refs", "w") as control:
        control.write("5")


def read_peak() -> float | None:
    """Return the peak of resident memory in MB since the job began; None if the system does not report it."""
    with suppress(OSError), open("/proc/self/status") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / _MEGABYTE
    return None
