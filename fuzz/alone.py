"""One input of one target in a process without instrumentation, and what it takes there.

Instrumented code is up to ten times slower, and atheris keeps what it compares: only what is slow or large here counts.
"""

from __future__ import annotations

import contextlib
import json
import resource
import subprocess
import sys
import time


def measure_alone(target: str, data: bytes) -> tuple[float, int]:
    """Run an input in a new process; return its seconds of processor time and the kB by which it made it grow.

    A process that ends without an answer (a crash, no memory, two minutes over) has taken infinite time.
    """
    with contextlib.suppress(subprocess.TimeoutExpired, ValueError):
        done = subprocess.run(
            [sys.executable, "-m", "fuzz.alone", target], input=data, stdout=subprocess.PIPE, timeout=120
        )
        seconds, kilobytes = json.loads(done.stdout.splitlines()[-1] if done.stdout else b"")
        return seconds, kilobytes
    return float("inf"), 0


def main() -> None:
    from fuzz.targets import TARGETS, list_kept

    target, data = TARGETS[sys.argv[1]], sys.stdin.buffer.read()
    for path in list_kept(sys.argv[1]):  # imports are no part of what an input takes
        with contextlib.suppress(Exception):
            target(path.read_bytes())
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    with contextlib.suppress(Exception):  # judged by the worker
        target(data)
    print(json.dumps([time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before]))


if __name__ == "__main__":
    main()
