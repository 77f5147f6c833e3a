"""Write each SDFormat FILE as URDF: one robot a file, every frame a link."""
from __future__ import annotations

import argparse
import sys

from sdf_frames.cli.common import (
    add_file_arguments, diagnostics_to_json, load_each, print_diagnostics, print_json, report_failure)
from sdf_frames.cli.files import add_output_arguments, find_usage_problem, write_output
from sdf_frames.diagnostics import Location, diagnose, has_errors


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_arguments(parser)
    parser.add_argument("--report", action="store_true", help="print what became of every element on standard error")
    add_output_arguments(parser)


def run(args: argparse.Namespace) -> int:
    if message := find_usage_problem(args):
        print(f"sdf_frames to-urdf: {message}", file=sys.stderr)
        return 2
    status = 0
    for loaded in load_each(args):
        try:
            text, rows, found = convert_loaded(loaded)
        except Exception as error:
            text, rows, found = None, (), [report_failure(loaded.file, error)]
        if text is not None and not write_output(args, loaded.file, text, ".urdf", found):
            text = None
        status = 1 if has_errors(found) else status
        if args.json:
            from sdf_frames.convert.report import rows_to_json
            print_json({"file": loaded.file, "valid": not has_errors(found), "urdf": text,
                        "report": rows_to_json(rows), "diagnostics": diagnostics_to_json(found)})
        else:
            print_diagnostics(found)
        if args.report and rows:
            from sdf_frames.convert.report import render_table
            sys.stdout.flush()
            sys.stderr.write(render_table(rows))
    return status


def convert_loaded(loaded) -> tuple[str | None, tuple, list]:
    """URDF text of a loaded file, the report's rows and all findings; no text where the file has errors."""
    from sdf_frames.convert.sdf_to_urdf import convert_model
    from sdf_frames.inertia import compute_inertias
    from sdf_frames.urdf.write import write_robot
    found = list(loaded.diagnostics)
    if loaded.kind == "urdf":
        found.append(diagnose("already-urdf", Location(loaded.file), file=loaded.file))
    if has_errors(found) or not loaded.graphs:
        if not has_errors(found):
            found.append(diagnose("urdf-needs-one-model", Location(loaded.file), count=0, models="none"))
        return None, (), found
    inertias = compute_inertias(loaded)
    conversion = convert_model(loaded.graphs[0], {i.name: i for i in inertias.links})
    found += [*inertias.diagnostics, *conversion.diagnostics]
    text = write_robot(conversion.robot) if conversion.robot is not None and not has_errors(found) else None
    return text, conversion.rows, list(dict.fromkeys(found))
