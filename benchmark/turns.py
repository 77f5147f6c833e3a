"""Taking turns: several programs that each run their work when told to, A B A B, so that all see the same machine."""
from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass
class Side:
    """One program of a comparison.

    ``command`` speaks the language of :mod:`benchmark.worker`; ``work`` is what it is told to run, in this order, each
    turn. Results are in ``samples``.
    """

    name: str
    command: list[str]
    work: tuple[str, ...]
    samples: dict[str, list[dict]] = field(default_factory=dict)
    base_kib: int = 0
    peak_kib: int = 0
    problem: str | None = None
    _process: subprocess.Popen | None = None

    def start(self) -> None:
        environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONHASHSEED="0")
        self._process = subprocess.Popen(self.command, cwd=ROOT, env=environment, text=True, stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if (answer := self.ask("ready")) is not None:
            self.base_kib = self.peak_kib = answer["peak_kib"]

    def take_turn(self) -> None:
        for word in self.work:
            if self.problem is None and (answer := self.ask(word)) is not None:
                if not answer.get("good", True):
                    self.problem = f"refused it at {word!r}"
                    return
                self.samples.setdefault(word, []).append(answer)
                self.peak_kib = answer["peak_kib"]

    def stop(self) -> None:
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def restart(self) -> None:
        """Start anew, after :meth:`ask` had no answer."""
        self._process.kill()
        self.stop()
        self.problem = None
        self.start()

    def ask(self, word: str, patience: float | None = None) -> dict | None:
        """The answer to one command; None where the program ends, or has none within `patience` seconds."""
        try:
            self._process.stdin.write(word + "\n")
            self._process.stdin.flush()
            if not select.select([self._process.stdout], [], [], patience)[0]:
                raise OSError
            return json.loads(self._process.stdout.readline())
        except (OSError, ValueError):
            self.problem = f"ended at {word!r}"
            return None

    def seconds(self, word: str) -> list[float]:
        """CPU time of the runs of `word`; the first run only counts where there is no other."""
        runs = [answer["run_ms"] / 1e3 for answer in self.samples.get(word, ())]
        return runs[1:] or runs

    @property
    def held_mib(self) -> float:
        """Memory on top of what the program held when it was ready."""
        return (self.peak_kib - self.base_kib) / 1024


def worker(kind: str, file: str, *work: str, name: str = "ours") -> Side:
    """A side in Python; without a file it is given one with each command."""
    return Side(name, [sys.executable, "-m", "benchmark.worker", kind, *([file] if file else [])], work)


def take_turns(sides: list[Side], turns: int, patience: float) -> None:
    """Let all sides run turn by turn: one turn to warm up and `turns` more, no further ones after `patience`
    seconds."""
    for side in sides:
        side.start()
    start = time.perf_counter()
    for _ in range(turns + 1):
        for side in sides:
            side.take_turn()
        if time.perf_counter() - start > patience:
            break
    for side in sides:
        side.stop()
