"""Ends the node in order at SIGINT and SIGTERM. Imports nothing slow, so it can be imported first.

Before the node runs, a signal ends the process at once. While it runs, a signal is noted and wakes the executor.
A handler raises nothing: an exception during an import is lost, or becomes an ImportError. rclpy's own handlers shut
the context down while callbacks still use it.
"""
from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_noted: list[int] = []


def leave_on_signals() -> None:
    """Make SIGINT and SIGTERM, also pending ones, end the process at once with status 0."""
    for number in _SIGNALS:
        signal.signal(number, lambda *_: os._exit(0))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)


def note_signals(*others: int) -> None:
    """Only take note of SIGINT, SIGTERM and `others` from now on; :func:`spin_until_signal` ends at them."""
    for number in (*_SIGNALS, *others):
        signal.signal(number, lambda number, _: _noted.append(number))


def is_noted() -> bool:
    """Return whether a signal was noted."""
    return bool(_noted)


def spin_until_signal(spin_once: Callable[[], None], wake: Callable[[], object]) -> None:
    """Spin until a signal is noted; further signals are ignored.

    `wake` is called in another thread at the first signal, also where that has been noted already. Python runs handlers
    in the main thread alone, and not while it waits in rclpy; a byte in a pipe gets through.
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
    while not _noted:
        spin_once()
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)
