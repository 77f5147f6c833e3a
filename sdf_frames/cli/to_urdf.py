"""Write each SDFormat FILE as URDF: one robot a file, every frame a link."""
from __future__ import annotations

import argparse
from functools import partial

from sdf_frames.cli.common import add_calculator_argument, add_file_arguments, load_each, write_each
from sdf_frames.cli.files import add_output_arguments
from sdf_frames.cli.uris import FILE_STYLE, add_style_argument, resolve_uri
from sdf_frames.diagnostics import Location, diagnose, has_errors


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_arguments(parser)
    parser.add_argument("--model", metavar="NAME", help="this model of a world (one with a single model needs no name)")
    add_style_argument(parser, default="keep")
    parser.add_argument("--report", action="store_true", help="print what became of every element on standard error")
    add_calculator_argument(parser)
    add_output_arguments(parser)


def run(args: argparse.Namespace) -> int:
    return write_each(args, "to-urdf", "urdf", ((loaded.file, partial(convert_loaded, loaded, args.model, args.uri_style))
                                                for loaded in load_each(args)))


def convert_loaded(loaded, model: str | None = None, uri_style: str = "keep") -> tuple[str | None, tuple, list]:
    """URDF text of a loaded file, or of a `model` of its world, the report's rows and all findings; no text where the file has errors."""
    from sdf_frames.checks.robot_inertia import check_robot
    from sdf_frames.convert.emit_parts import rewrite_uri
    from sdf_frames.convert.sdf_to_urdf import convert_model
    from sdf_frames.document.xml_in import file_of
    from sdf_frames.urdf.write import write_robot
    found = list(loaded.diagnostics)
    if loaded.kind == "urdf":
        found.append(diagnose("already-urdf", Location(loaded.file), file=loaded.file))
    if has_errors(found) or not loaded.graphs:
        if not has_errors(found):
            found.append(diagnose("urdf-needs-one-model", Location(loaded.file), count=0, models="none"))
        return None, (), found
    inertias = loaded.inertias()
    graph, prefix = choose_model(loaded, model)
    lost: list = []

    def write_uri(uri: str, element) -> str:
        if uri_style == FILE_STYLE:
            return resolve_uri(uri, element, file_of(element), loaded.resolver, lost)
        return rewrite_uri(uri, uri_style)

    conversion = convert_model(graph, {i.name.removeprefix(prefix): i for i in inertias.links
                                       if i.scope == 0 and i.name.startswith(prefix)}, write_uri)
    found += [*inertias.diagnostics, *conversion.diagnostics]
    if conversion.robot is not None:
        found += check_robot(conversion.robot)
    text = write_robot(conversion.robot) if conversion.robot is not None and not has_errors(found) else None
    # Files that are not found keep nothing else from being written, as in 'convert'.
    return text, conversion.rows, list(dict.fromkeys(found + lost))


def choose_model(loaded, name: str | None) -> tuple:
    """Frame graph of the model `name` of the first world, or of its only one, and the prefix of its links' names there.

    The graph of the file itself, which says what is wrong with it, where there is no such model.
    """
    from dataclasses import replace

    from sdf_frames.frames.graph import build_graph
    from sdf_frames.sdf.model import RawPose
    graph = loaded.graphs[0]
    if graph.kind != "world":
        return graph, ""
    models = [m for m in graph.scope.models if name in (None, m.name)]
    if len(models) != 1:
        return graph, ""
    (model,) = models
    pose = next(f.pose for f in loaded.scopes[0].frames if f.name == model.name)
    # Where it stands in the world counts for what is joined to the world.
    return build_graph(replace(model, pose=RawPose(pose), placement_frame="")), f"{model.name}::"
