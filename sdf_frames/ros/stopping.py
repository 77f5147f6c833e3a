"""An orderly end by SIGINT and SIGTERM. Imports nothing slow, so that it can come before what does.

Before rclpy runs, a signal ends the process at once. From then on rclpy's own handlers end the spinning; they call the one
here afterwards, which only takes note. Nothing is raised from a handler: an exception in the middle of an import is lost, or
comes out as an ImportError.
"""
from __future__ import annotations

import os
import signal

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_noted: list[int] = []
_started = False


def leave_on_signals() -> None:
    """Make SIGINT and SIGTERM end the process at once with status 0, those also that were held back until now."""
    for number in _SIGNALS:
        signal.signal(number, _heed)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)


def note_signals() -> None:
    """Only take note of SIGINT and SIGTERM from now on; :func:`is_stopped` tells.

    For after ``rclpy.init``. The handler stays the same: setting another one would take rclpy's away.
    """
    global _started
    _started = True


def _heed(number: int, _frame) -> None:
    if not _started:
        os._exit(0)
    _noted.append(number)


def is_stopped() -> bool:
    """Whether a signal was noted."""
    return bool(_noted)


def ignore_signals() -> None:
    """Ignore SIGINT and SIGTERM: the end has begun, and a second signal must not spoil it."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)
