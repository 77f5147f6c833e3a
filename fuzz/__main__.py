"""Fuzzes every target for its share of the time, and says what came of it: ``make fuzz TIME=10m``.

Status 1 where an input broke a promise; such inputs are below the folder of --work, with a text each that says how.
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


def _read_time(text: str) -> int:
    """Seconds of a text like 90s, 10m or 2h."""
    number, unit = (text[:-1], text[-1]) if text[-1:] in _UNITS else (text, "s")
    if not number.isdigit() or not int(number):
        raise argparse.ArgumentTypeError(f"{text!r} is no time like 90s, 10m or 2h")
    return int(number) * _UNITS[unit]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--time",
        type=_read_time,
        default=600,
        help="for all targets together, each processor counted once (default: 10m)",
    )
    parser.add_argument("--target", action="append", choices=TARGETS, help="only this one (repeatable)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="targets at once")
    parser.add_argument(
        "--work", type=Path, default=Path(".fuzz"), help="folder for what grows and what is found (default: .fuzz)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the mutations; 0: another each time")
    args = parser.parse_args()
    names = args.target or list(TARGETS)
    shares = {name: _SHARES.get(name, 1) for name in names}
    jobs = min(args.jobs, len(names))
    seconds = {name: max(1, args.time * jobs * share // sum(shares.values())) for name, share in shares.items()}
    args.work.mkdir(exist_ok=True)

    def run(name: str) -> dict:
        result = args.work / f"{name}.json"
        result.unlink(missing_ok=True)
        with (args.work / f"{name}.log").open("w") as log:
            status = subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "fuzz.worker",
                    name,
                    "--seconds",
                    str(seconds[name]),
                    "--work",
                    str(args.work),
                    "--seed",
                    str(args.seed),
                ],
                stdout=log,
                stderr=log,
            ).returncode
        answer = json.loads(result.read_text()) if result.exists() else {"target": name, "executions": 0, "found": {}}
        return answer | {"died": status != 0}

    with ThreadPoolExecutor(jobs) as pool:
        answers = list(pool.map(run, sorted(names, key=shares.get, reverse=True)))
    for a in answers:
        times = f"{a.get('processor_seconds', 0):>6} s, slowest {a.get('slowest', 0):>5} s"
        died = f", DIED: see {args.work}/{a['target']}.log" if a["died"] else ""
        print(f"{a['target']:10} {a['executions']:>10,} executions, {times}{died}")
        for kind, count in a["found"].items():
            print(f"    {count:>8} x {kind}")
    print(f"{sum(a['executions'] for a in answers):,} executions; inputs that break a promise: {args.work}/found/")
    return 1 if any(a["found"] or a["died"] for a in answers) else 0


if __name__ == "__main__":
    sys.exit(main())
