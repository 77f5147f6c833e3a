"""What the benchmarks of the node share: the node that is measured, who listens to it, and what it uses.

For a shell with ROS and the built package.
"""
from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmark.stops import find_node, list_descendants


class Listener:
    """A node of this process, which listens beside the one that is measured."""

    def __init__(self) -> None:
        import rclpy
        from rclpy.qos import DurabilityPolicy, QoSProfile
        rclpy.init()
        self.rclpy, self.node = rclpy, rclpy.create_node("listening")
        self.latched = QoSProfile(depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL)

    def spin(self, seconds: float) -> None:
        """Hear what comes for some seconds."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.rclpy.spin_once(self.node, timeout_sec=left)

    def spin_until(self, reached: Callable[[], object]) -> None:
        """Hear what comes until something is reached."""
        while not reached():
            self.rclpy.spin_once(self.node, timeout_sec=0.05)


@contextmanager
def run_node(*words: str, program: str | Path | None = None) -> Iterator[int]:
    """Run the node, or another program, with these words behind it; yields the number of its process."""
    process = subprocess.Popen([program or find_node(), *words], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait()


def read_cpu(pid: int) -> float:
    """Return the seconds of CPU time that a process and the processes below it have used."""
    total = 0
    for process in (pid, *list_descendants(pid)):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


def read_memory(pid: int, kind: str = "Rss") -> float:
    """Return the megabytes that a process and the processes below it hold; kind `Pss` counts shared pages once."""
    some = [Path(f"/proc/{process}/smaps_rollup").read_text() for process in (pid, *list_descendants(pid))]
    return sum(int(text.partition(f"{kind}:")[2].split()[0]) for text in some) / 1024


@contextmanager
def start_role(*words: str) -> Iterator[subprocess.Popen[str]]:
    """Run a module of the benchmark in another process, which says a line when it is ready."""
    with subprocess.Popen([sys.executable, "-m", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield process
        finally:
            process.kill()


def watch_standard_input() -> threading.Event:
    """Return an event that is set when standard input ends; says that this process is ready."""
    over = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), over.set()), daemon=True).start()
    print("ready", flush=True)
    return over
