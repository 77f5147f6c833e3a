"""Try every target of `make help` in a fresh clone, with short parameters: what a newcomer would run.

    python tools/try_targets.py                    all of them, one after the other; about half an hour
    python tools/try_targets.py --only fuzz mutate some of them
    python tools/try_targets.py --folder DIR       clone to DIR and keep it

The clone holds the last commit. Status 1 where a target fails or leaves files behind that git sees.
"""
from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
#: The parameters of each target, in the order in which they are tried: the first ones set nothing up.
TARGETS = {
    "help": [],
    "lint": [],
    "docs": [],
    "fuzz": ["TIME=40s"],
    "dist": ["DIST=-p 3.11"],
    "test-distros": ["DISTROS=-s debian-12 -- -k plural"],
    "picture": [],
    "pictures": ["PICTURES=.ros/pictures"],
    "setup": [],
    "run": ["ONCE=1"],
    "peers": [],
    "bench": ["BENCH=--quick --only robots"],
    "mutate": ["MUTATE=--only diagnostics/words.py --tests test/diagnostics/test_words.py --sample 1"],
    "test": [],
    "corpus": ["CORPUS=--only anymal_b_simple"],  # behind the tests, which want all of it or none
    "clean": [],
    "distclean": [],
}


def try_target(clone: Path, target: str, log: Path) -> bool:
    """Whether a target ends with 0 and leaves nothing that git sees; its output goes to a file."""
    command = ["make", "-C", str(clone), target, *TARGETS[target]]
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
    start = time.monotonic()
    with log.open("w", encoding="utf-8") as out:
        status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=environment,
                                check=False).returncode
    left = subprocess.run(["git", "status", "--porcelain"], cwd=clone, check=True, stdout=subprocess.PIPE,
                          text=True).stdout
    lines = log.read_text(encoding="utf-8", errors="replace").rstrip().splitlines() or [""]
    print(f"make {' '.join(command[3:])}: status {status}, {time.monotonic() - start:.0f} s, {lines[-1]}", flush=True)
    if status or left:
        print(*lines[-30:], f"left behind:\n{left}" if left else "", sep="\n", flush=True)
    return status == 0 and not left


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=TARGETS, metavar="TARGET", help=f"of {', '.join(TARGETS)}")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="clone to this folder and keep it")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        clone = (args.folder or Path(temporary)) / TOP.name
        subprocess.run(["git", "clone", "--quiet", str(TOP), str(clone)], check=True)
        failed = [name for name in args.only or TARGETS
                  if not try_target(clone, name, clone.with_name(f"{name}.log"))]
    print(f"failed: {' '.join(failed)}" if failed else "every target ends with 0")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
