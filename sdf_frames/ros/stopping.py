"""An orderly end by SIGINT and SIGTERM. Imports nothing slow, so that it can come before what does.

Before the node runs, a signal ends the process at once. From then on it is only noted, and the executor is woken.
Nothing is raised from a handler: an exception in the middle of an import is lost, or comes out as an ImportError.
rclpy's own handlers are not used: they take the context away from under whatever is at work with it.
"""
from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_noted: list[int] = []


def leave_on_signals() -> None:
    """Make SIGINT and SIGTERM end the process at once with status 0, those also that were held back until now."""
    for number in _SIGNALS:
        signal.signal(number, lambda *_: os._exit(0))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)


def note_signals() -> None:
    """Only take note of SIGINT and SIGTERM from now on; :func:`is_stopped` tells."""
    for number in _SIGNALS:
        signal.signal(number, lambda number, _: _noted.append(number))


def is_stopped() -> bool:
    """Whether a signal was noted."""
    return bool(_noted)


def wake_on_signals(wake: Callable[[], None]) -> None:
    """Have `wake` called, in another thread, at the first signal that is noted, also where that has been already.

    Python runs handlers in the main thread alone, and not while it waits in rclpy; a byte in a pipe gets through.
    """
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    if _noted:
        os.write(writing, b"0")

    def watch() -> None:
        os.read(reading, 1)
        wake()
    threading.Thread(target=watch, daemon=True).start()


def ignore_signals() -> None:
    """Ignore SIGINT and SIGTERM: the end has begun, and a second signal must not spoil it."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)
