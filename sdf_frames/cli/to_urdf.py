"""Write each SDFormat FILE as URDF: one robot a file, every frame a link."""
from __future__ import annotations

import argparse
from functools import partial

from sdf_frames.cli.common import add_file_arguments, load_each, write_each
from sdf_frames.cli.files import add_output_arguments
from sdf_frames.diagnostics import Location, diagnose, has_errors


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_arguments(parser)
    parser.add_argument("--report", action="store_true", help="print what became of every element on standard error")
    add_output_arguments(parser)


def run(args: argparse.Namespace) -> int:
    return write_each(args, "to-urdf", "urdf", ((loaded.file, partial(convert_loaded, loaded)) for loaded in load_each(args)))


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
