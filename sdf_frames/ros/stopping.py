"""An orderly end by SIGINT and SIGTERM. Imports nothing slow, so that it can come before what does."""
from __future__ import annotations

import signal


def leave_on_signals() -> None:
    """Make SIGINT and SIGTERM end the process with status 0, from now on and also before rclpy is ready.

    rclpy's own handlers, set later, wake the executor and then call these. The second signal of a pair (a terminal
    sends one, launch another) is ignored, as it would interrupt the clean-up that the first one started.
    """
    def leave(*_):
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        raise SystemExit(0)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave)
