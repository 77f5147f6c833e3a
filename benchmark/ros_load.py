"""What the benchmarks of the node share: messages at a steady rate, and the CPU time that a process uses."""
from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from benchmark.stops import list_descendants


def watch_standard_input() -> threading.Event:
    """Return an event that is set when standard input ends."""
    over = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), over.set()), daemon=True).start()
    return over


def send_steadily(send: Callable[[int], None], hertz: float) -> float:
    """Call `send` with 0, 1, 2, … `hertz` times a second until standard input ends; return the rate reached."""
    over = watch_standard_input()
    start, sent = time.monotonic(), 0
    while not over.is_set():
        due = int((time.monotonic() - start) * hertz)
        for _ in range(due - sent):
            send(sent)
            sent += 1
        time.sleep(0.2 / hertz)
    return sent / (time.monotonic() - start)


def read_cpu(pid: int) -> float:
    """Return the seconds of CPU time that a process and the processes below it have used."""
    total = 0
    for process in (pid, *list_descendants(pid)):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")
