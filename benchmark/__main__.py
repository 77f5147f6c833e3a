"""``python -m benchmark``: measure, print tables, judge them by the project's own aims, compare with an earlier run."""
from __future__ import annotations

import argparse
import json
import platform
import sys
import tempfile
from pathlib import Path

from benchmark import conversion, corpus_check, files, libsdformat, loading, repeated, report

TABLES = ("robots", "files", "processes", "urdf families", "sdf families", "graphs", "repeated", "corpus")


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmark", description=sys.modules["benchmark"].__doc__)
    parser.add_argument("--quick", action="store_true",
                        help="small sizes and few turns: two minutes in place of half an hour")
    parser.add_argument("--only", action="append", choices=TABLES, metavar="TABLE",
                        help=f"one of: {', '.join(TABLES)} (repeatable)")
    parser.add_argument("--turns", type=int, help="runs a side and case (default: 7, quick: 3)")
    parser.add_argument("--patience", type=float,
                        help="seconds after which a case takes no further turn, and beyond which libsdformat is not "
                             "even started on one (default: 100, quick: 10)")
    parser.add_argument("--json", metavar="FILE", help="write all figures to FILE")
    parser.add_argument("--compare", metavar="BASE.json",
                        help="say what became worse since that run; exit status 1 if anything did")
    parser.add_argument("--tolerance", type=float, default=0.25, help="how much worse is worse (default: 0.25)")
    return parser


def measure(args: argparse.Namespace) -> dict[str, list[dict]]:
    """All tables asked for, each printed as soon as it is complete."""
    turns = args.turns or (3 if args.quick else 7)
    patience = args.patience or (10 if args.quick else 100)
    sizes = [10, 100, 1000] if args.quick else [10, 100, 1000, 10_000]
    tables = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = {
            "robots": lambda: conversion.measure_robots(turns, patience),
            "files": lambda: files.measure_files(folder, turns),
            "processes": lambda: conversion.measure_processes(folder, turns),
            "urdf families": lambda: conversion.measure_families(folder, sizes, turns, patience),
            "sdf families": lambda: loading.measure_families(folder, sizes, turns, patience),
            "graphs": lambda: loading.measure_graphs([10_000, 100_000, 1_000_000], turns, patience),
            "repeated": lambda: repeated.measure_repeated(folder, min(turns, 3)),
            "corpus": lambda: corpus_check.measure_corpus(20 if args.quick else 1),
        }
        for table in args.only or TABLES:
            rows = []
            for row in sources[table]():
                print(f"  … {row['case']}", file=sys.stderr, flush=True)
                rows.append(row)
            if rows:
                tables[table] = report.add_ratios(rows)
                print(report.render(table, rows), flush=True)
    return tables


def main() -> int:
    args = build_parser().parse_args()
    if libsdformat.find_package() is None:
        print("libsdformat is not measured: it takes a C++ compiler and libsdformat-dev", file=sys.stderr)
    tables = measure(args)
    verdicts = report.judge(tables)
    for what, reached, good in verdicts:
        print(f"{'reached' if good else 'MISSED '}  {what}: {reached}")
    if args.json:
        machine = {"python": platform.python_version(), "machine": platform.machine(),
                   "libsdformat": libsdformat.version()}
        Path(args.json).write_text(json.dumps({"machine": machine, "tables": tables}, indent=1) + "\n")
    if args.compare:
        base = json.loads(Path(args.compare).read_text())["tables"]
        worse = report.compare(tables, base, args.tolerance)
        print("\n".join(["", *(worse or ["nothing became worse"])]))
        return 1 if worse else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
