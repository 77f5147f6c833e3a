"""Summarise the results of 'sdf_frames batch'.

    sdf_frames report results
    sdf_frames report results --baseline last_week

The tables show the verdicts, the number of each diagnostic with an example, the changes since an earlier run, files
without a result, the slowest and the largest files, and masses that are 100 times more or less than the median."""
from __future__ import annotations

import argparse
import sys
from typing import Any

from sdf_frames.cli.printing import print_json, print_line
from sdf_frames.diagnostics import count_of
from sdf_frames.diagnostics.render import align, escape_controls


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("results", metavar="RESULTS", help="folder or file that 'sdf_frames batch --to' wrote")
    parser.add_argument("--baseline", metavar="RESULTS", help="an earlier run to compare with")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    try:
        from sdf_frames.batch.tables import summarise
    except ModuleNotFoundError as error:
        print_line(f"sdf_frames report: {error.name} is not installed: pip install 'sdf_frames[batch]'", sys.stderr)
        return 2
    try:
        summary = summarise(args.results, args.baseline)
    except OSError as error:
        print_line(f"sdf_frames report: {error.filename}: {error.strerror or error}", sys.stderr)
        return 2
    if args.json:
        print_json(summary)
    else:
        _print_tables(summary)
    return 0


def _print_tables(summary: dict[str, Any]) -> None:
    """Print each list of the summary as a table; its keys are the heads of the columns."""
    print_line(f"{summary['results']}: {count_of(summary['files'], 'file')}, {summary['seconds']:.0f} s of work")
    for title, rows in summary.items():
        if isinstance(rows, list) and rows:
            numbers = [isinstance(value, (int, float)) and key != "line" for key, value in rows[0].items()]
            cells = [[_show(value) for value in row.values()] for row in rows]
            lines = align([[*rows[0]], *cells], left=[i for i, is_number in enumerate(numbers) if not is_number])
            for line in ("", title, *lines):
                print_line(line)


def _show(value: Any) -> str:
    return "" if value is None else f"{value:.4g}" if isinstance(value, float) else escape_controls(str(value))
