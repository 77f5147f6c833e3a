"""Runs several programs in turns, A B A B, so that all see the same machine."""
from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class Side:
    """One program of a comparison.

    ``command`` speaks the language of :mod:`benchmark.worker`; ``work`` is what it is told to run, in this order, each
    turn.
    """

    def __init__(self, name: str, command: list[str], *work: str) -> None:
        self.name, self.command, self.work = name, command, work
        self.samples: dict[str, list[float]] = {word: [] for word in work}
        self.problem: str | None = None
        self.peak_kib = 0
        self.start()
        self.base_kib = self.peak_kib

    def start(self) -> None:
        """Start the program; restart it if it already runs."""
        environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONHASHSEED="0")
        self.process = subprocess.Popen(self.command, cwd=ROOT, env=environment, text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.ended = False
        self.ask("ready")

    def stop(self) -> None:
        self.process.kill()
        self.process.communicate()

    def take_turn(self) -> None:
        for word in self.work:
            if self.problem is None and (seconds := self.ask(word)) is not None:
                self.samples[word].append(seconds)

    def ask(self, word: str, patience: float | None = None) -> float | None:
        """Return the CPU seconds of one command; None if it is refused, the program ends, or does not answer in time.
        """
        try:
            self.process.stdin.write(word + "\n")
            self.process.stdin.flush()
            if not select.select([self.process.stdout], [], [], patience)[0]:
                raise TimeoutError
            answer = json.loads(self.process.stdout.readline())
        except (OSError, ValueError):
            self.problem, self.ended = f"ended at {word!r}", True
            return None
        # Not getrusage, which also counts the program that started this one.
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        self.peak_kib = int(status.partition("VmHWM:")[2].split()[0])
        self.problem = None if answer["good"] else f"refused it at {word!r}"
        return answer["run_ms"] / 1e3 if answer["good"] else None

    def seconds(self, word: str) -> list[float]:
        """Return the CPU time of the runs of `word`; the first run only counts if there is no other."""
        return self.samples[word][1:] or self.samples[word]

    @property
    def held_mib(self) -> float:
        """Return the memory in addition to that of the program when it was ready."""
        return (self.peak_kib - self.base_kib) / 1024


def worker(kind: str, file: str, *work: str) -> Side:
    """A side in Python; without a file, each command names one."""
    return Side("lxml" if kind == "lxml" else "ours", [sys.executable, "-m", "benchmark.worker", kind, file], *work)


def take_turns(sides: list[Side], turns: int, patience: float) -> None:
    """Let all sides run turn by turn: one turn to warm up and `turns` more, no further ones after `patience`
    seconds."""
    start = time.perf_counter()
    for _ in range(turns + 1):
        for side in sides:
            side.take_turn()
        if time.perf_counter() - start > patience:
            break
    for side in sides:
        side.stop()
