"""Shared parts of the benchmarks of the node: the measured node, a listener, and the resources of processes.

For a shell with ROS and the built package.
"""
from __future__ import annotations

import multiprocessing
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from benchmark.stops import find_node, list_descendants


class Listener:
    """A node of this process, which listens to the measured node."""

    def __init__(self) -> None:
        import rclpy
        from rclpy.qos import DurabilityPolicy, QoSProfile
        rclpy.init()
        self.rclpy, self.node = rclpy, rclpy.create_node("listening")
        self.latched = QoSProfile(depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL)

    def spin(self, seconds: float) -> None:
        """Receive messages for some seconds."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.rclpy.spin_once(self.node, timeout_sec=left)

    def spin_until(self, reached: Callable[[], object]) -> None:
        """Receive messages until a condition is true."""
        while not reached():
            self.rclpy.spin_once(self.node, timeout_sec=0.05)


@contextmanager
def run_node(*words: str, program: str | Path | None = None) -> Iterator[int]:
    """Run the node, or another program, with these arguments; yield the number of its process."""
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
def start_beside(work: Callable[..., None], *words: object) -> Iterator[tuple[int, Connection]]:
    """Run a function in another process; yield the number of the process and a pipe.

    The function gets the other end of the pipe, and first sends that it is ready.
    """
    processes = multiprocessing.get_context("spawn")
    ours, theirs = processes.Pipe()
    process = processes.Process(target=work, args=(theirs, *words), daemon=True)
    process.start()
    ours.recv()
    try:
        yield process.pid, ours
    finally:
        process.kill()
        process.join()


def end_beside(pipe: Connection) -> Any:
    """End the measurement of the process at the other end of a pipe; return its result."""
    pipe.send("over")
    return pipe.recv()
