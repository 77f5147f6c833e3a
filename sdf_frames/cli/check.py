"""Read each FILE, convert it if it is a URDF, and say what is wrong with it."""
from __future__ import annotations

import argparse

from sdf_frames.cli.common import add_conversion_arguments, add_file_arguments, diagnostics_to_json, load_each, print_diagnostics, print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_arguments(parser)
    add_conversion_arguments(parser)
    parser.add_argument("--quiet", "-q", action="store_true", help="print nothing for valid files")


def run(args: argparse.Namespace) -> int:
    status = 0
    for loaded in load_each(args):
        status = status if loaded.valid else 1
        if args.json:
            print_json({"file": loaded.file, "valid": loaded.valid, "diagnostics": diagnostics_to_json(loaded.diagnostics)})
            continue
        print_diagnostics(loaded.diagnostics)
        if not (args.quiet and loaded.valid):
            print(f"{loaded.file}: {'valid' if loaded.valid else 'invalid'}{_count(loaded.diagnostics)}")
    return status


def _count(diagnostics) -> str:
    counts = [(kind, sum(d.severity == kind for d in diagnostics)) for kind in ("error", "warning")]
    said = ", ".join(f"{n} {kind}{'s' if n > 1 else ''}" for kind, n in counts if n)
    return f" ({said})" if said else ""
