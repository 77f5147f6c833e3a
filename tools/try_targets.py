"""Try every target of `make help` in a fresh clone of the last commit, with short parameters.

    python tools/try_targets.py [TARGET ...]      all of them, one after the other: about half an hour

Status 1 where a target fails or leaves files behind that git sees.
"""
from __future__ import annotations

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
    "mutate": ["MUTATE=--only sdf/names.py"],
    "test": [],
    "corpus": ["CORPUS=--only anymal_b_simple"],  # behind the tests, which want all of it or none
    "clean": [],
    "distclean": [],
}


def try_target(clone: Path, target: str) -> bool:
    """Whether a target ends with 0 and leaves nothing that git sees."""
    command = ["make", "-C", str(clone), target, *TARGETS[target]]
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
    start = time.monotonic()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=environment, text=True, errors="replace")
    left = subprocess.run(["git", "status", "--porcelain"], cwd=clone, check=True, stdout=subprocess.PIPE,
                          text=True).stdout
    lines = done.stdout.rstrip().splitlines()
    print(f"make {' '.join(command[3:])}: status {done.returncode}, {time.monotonic() - start:.0f} s", flush=True)
    print(*lines[-30 if done.returncode or left else -1:], f"left behind:\n{left}" * bool(left), sep="\n", flush=True)
    return done.returncode == 0 and not left


def main(names: list[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder, TOP.name)
        subprocess.run(["git", "clone", "--quiet", TOP, clone], check=True)
        failed = [name for name in names or TARGETS if not try_target(clone, name)]
    print(f"failed: {' '.join(failed)}" if failed else "every target ends with 0")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
