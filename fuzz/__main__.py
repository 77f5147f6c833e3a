"""Fuzzes every target for its share of the time, and says what came of it: ``make fuzz TIME=10m``.

Status 1 where an input broke a promise; such inputs are below .fuzz/found, with a text each that says how.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from fuzz.targets import TARGETS

# Documents and laws have most to say, a wrong URI is worst.
_SHARES = {"document": 4, "laws": 5, "uri": 4}
_UNITS = {"s": 1, "m": 60, "h": 3600}
WORK = Path(".fuzz")


def _read_time(text: str) -> int:
    """Seconds of a text like 90s, 10m or 2h."""
    if not text[:-1].isdigit() or text[-1] not in _UNITS or not int(text[:-1]):
        raise argparse.ArgumentTypeError(f"{text!r} is no time like 90s, 10m or 2h")
    return int(text[:-1]) * _UNITS[text[-1]]


def fuzz_target(name: str, seconds: int, seed: int) -> bool:
    """Fuzz a target in a process of its own, and print what came of it; whether it kept its promises."""
    result, log = WORK / f"{name}.json", WORK / f"{name}.log"
    result.unlink(missing_ok=True)
    with log.open("w") as stream:
        died = subprocess.run([sys.executable, "-m", "fuzz.worker", name, str(seconds), str(seed)],
                              stdout=stream, stderr=stream).returncode
    answer = json.loads(result.read_text()) if result.exists() else {"executions": 0, "found": {}}
    print(f"{name:13} {answer['executions']:>10,} executions, {answer.get('processor_seconds', 0):>6} s, "
          f"slowest {answer.get('slowest', 0):>5} s{f', DIED: see {log}' if died else ''}",
          *(f"{count:>12} x {kind}" for kind, count in answer["found"].items()), sep="\n", flush=True)
    return not died and not answer["found"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--time", type=_read_time, default="10m",
                        help="for all targets together, each processor counted once (default: 10m)")
    parser.add_argument("--target", action="append", choices=TARGETS, help="only this one (repeatable)")
    parser.add_argument("--seed", type=int, default=0, help="of the mutations; 0: another each time")
    args = parser.parse_args()
    names = sorted(args.target or TARGETS, key=lambda name: -_SHARES.get(name, 1))
    jobs = min(os.cpu_count() or 1, len(names))
    share = args.time * jobs / sum(_SHARES.get(name, 1) for name in names)
    WORK.mkdir(exist_ok=True)
    with ThreadPoolExecutor(jobs) as pool:
        kept = list(pool.map(lambda name: fuzz_target(name, int(share * _SHARES.get(name, 1)) or 1, args.seed), names))
    print(f"inputs that break a promise: {WORK}/found/")
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
