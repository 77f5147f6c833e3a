"""A worker process: does jobs that come over a socket, one at a time, until the other end of the socket is gone.

:mod:`sdf_frames.ros.workers` starts it. Imports no ROS.
"""
from __future__ import annotations

import os
import queue
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler

from sdf_frames.diagnostics import Diagnostic, diagnose

#: What comes over the socket: a function, and its arguments.
Call = tuple[Callable[..., object], tuple[object, ...]]


@dataclass(frozen=True)
class Failed:
    """A job without a result: the finding that says why, and a traceback where there is one."""

    finding: Diagnostic
    trace: str = ""


def describe_fault(error: Exception) -> str:
    """An exception in one line."""
    return f"{type(error).__name__}: {error}".splitlines()[0][:300]


def _do(function: Callable[..., object], arguments: tuple[object, ...]) -> memoryview:
    try:
        return ForkingPickler.dumps(function(*arguments))
    except Exception as error:
        return ForkingPickler.dumps(Failed(diagnose("node-fault", problem=describe_fault(error)),
                                           traceback.format_exc()))


def _receive(connection: Connection, jobs: queue.SimpleQueue[Call]) -> None:
    """Take jobs in; leave at once, whatever is under way, when the node is gone."""
    try:
        while True:
            jobs.put(connection.recv())
    except (EOFError, OSError):
        os._exit(0)


def main(descriptor: int) -> None:
    """Work for the process at the other end of the socket `descriptor`."""
    connection = Connection(descriptor)
    jobs: queue.SimpleQueue[Call] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(connection, jobs), daemon=True).start()
    from sdf_frames.ros.jobs import warm_up
    warm_up()
    while True:
        try:
            connection.send_bytes(_do(*jobs.get()))
        except OSError:  # the node is gone
            os._exit(0)
