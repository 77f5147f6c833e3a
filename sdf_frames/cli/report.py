"""Write the results of 'sdf_frames batch' as one HTML page.

    sdf_frames report results -o report.html
    sdf_frames report results --baseline last_week -o report.html

The page shows the verdicts, the number of each diagnostic with examples, the largest and slowest files, outliers by
mass, and the changes since an earlier run."""
from __future__ import annotations

import argparse
import sys

from sdf_frames.cli.printing import print_line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("results", metavar="RESULTS", help="folder or file that 'sdf_frames batch --to' wrote")
    parser.add_argument("--baseline", metavar="RESULTS", help="an earlier run to compare with")
    parser.add_argument("-o", "--output", default="report.html", metavar="OUT",
                        help="page to write (default: report.html)")


def run(args: argparse.Namespace) -> int:
    try:
        from sdf_frames.batch.report import render_report
    except ModuleNotFoundError as error:
        print_line(f"sdf_frames report: {error.name} is not installed: pip install 'sdf_frames[batch]'", sys.stderr)
        return 2
    from sdf_frames.document.writing import write_whole
    try:
        write_whole(args.output, render_report(args.results, args.baseline), "page")
    except OSError as error:
        print_line(f"sdf_frames report: {error.filename or args.output}: {error.strerror or error}", sys.stderr)
        return 2
    print_line(f"written to {args.output}")
    return 0
