"""``python -m benchmark``: measure, print what was measured, and let pyperf compare it.

The figures of each program are in build/bench, in the format of pyperf: ``python -m pyperf compare_to --table`` says
what became slower than in a copy of them. ``make bench`` installs pyperf.
"""
from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmark import libsdformat, repeated, tables
from benchmark.results import Results


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmark", description=sys.modules["benchmark"].__doc__)
    parser.add_argument("--quick", action="store_true",
                        help="small sizes and few turns: two minutes in place of half an hour")
    known = {**tables.TABLES, "repeated": repeated.measure_repeated}
    parser.add_argument("--only", action="append", choices=known, metavar="TABLE",
                        help=f"one of: {', '.join(known)} (repeatable)")
    parser.add_argument("--turns", type=int, help="runs a side and case (default: 7, quick: 3)")
    args = parser.parse_args()
    if libsdformat.find_package() is None:
        print("libsdformat is not measured: it takes a C++ compiler and libsdformat-dev", file=sys.stderr)
    results = Results()
    for table in args.only or known:
        with tempfile.TemporaryDirectory() as folder:
            known[table](tables.Effort(Path(folder), args.turns or (3 if args.quick else 7), args.quick), results)
    ours, *others = results.write()
    for other in others:
        subprocess.run([sys.executable, "-m", "pyperf", "compare_to", "--table", ours, other], check=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
