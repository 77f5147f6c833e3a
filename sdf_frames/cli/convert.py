"""Convert each URDF FILE to SDFormat. Links with a fixed joint between them are lumped; their frames remain.

The result goes to standard output, to -o OUT, or to --output-dir DIR as NAME.sdf. --report shows what happened to every
element. Values that readers of SDFormat reject (impossible inertias, axes of length zero, malformed <gazebo> elements)
are errors, but the robot is still written.

--sensor-frame-ids gives the messages of sensors the frames of the URDF's links, for the newest Gazebo or the named one.

    sdf_frames convert robot.urdf -o robot.sdf --report
    sdf_frames convert robot.urdf --bundle my_robot
    sdf_frames convert robot.urdf --sensor-frame-ids harmonic
    sdf_frames convert robot.urdf.xacro arm:=left > robot.sdf"""
from __future__ import annotations

import argparse

from sdf_frames.cli.answers import Made, write_each
from sdf_frames.cli.common import add_file_arguments, add_options, add_uri_style_argument, read_given
from sdf_frames.cli.files import add_output_arguments, read_input
from sdf_frames.cli.report_table import add_report_arguments
from sdf_frames.convert.moved_uris import FILE_STYLE, change_style
from sdf_frames.convert.report import place_rows
from sdf_frames.diagnostics import ERROR, Diagnostic, has_errors
from sdf_frames.document.expanded import restore
from sdf_frames.document.places import Element
from sdf_frames.options import make_options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_arguments(parser)
    add_options(parser, "conversion", "sdf_version", "sensor_frame_ids")
    add_uri_style_argument(parser, default="model")
    parser.add_argument("--concise", action="store_true", help="print one line for each error or warning")
    parser.add_argument("--check", action="store_true", help="also check the resulting SDF, as 'sdf_frames check' does")
    parser.add_argument("--print-resource-path", action="store_true",
                        help="print, to standard error, the GZ_SIM_RESOURCE_PATH with which Gazebo finds the meshes")
    add_report_arguments(parser)
    add_output_arguments(parser, bundle="a model for Gazebo")


def run(args: argparse.Namespace) -> int:
    return write_each(args, "sdf", _convert)


def _convert(name: str, args: argparse.Namespace) -> Made:
    """SDF text, None where there is none, the report's rows, and all findings."""
    from sdf_frames.convert.urdf_to_sdf import convert_text
    content, found = read_input(name, args.xacro_arguments, args.budget, args.resource_paths, args.sources)
    if content is None:
        return Made(None, found)
    options = make_options(read_given(args))
    text, conversion, known = convert_text(content, name, options.for_conversion()._replace(
        uri_style="keep" if args.bundle or args.uri_style == FILE_STYLE else args.uri_style), args.budget)
    more = list(known)
    if args.uri_style == FILE_STYLE and not args.bundle and conversion is not None and not has_errors([*found, *more]):
        text = _resolve_uris(conversion.document.root, args, more)
    if conversion is not None and (args.check or conversion.document.carried):
        # Half as much again as converting, and twice the modules to import; hence only where there is something to
        # check.
        from sdf_frames.load import load_converted
        checked = load_converted(conversion, options).diagnostics
        more += [d for d in checked if d not in more and (args.check or d.severity == ERROR)]
    elif conversion is not None:
        from sdf_frames.checks.robot_inertia import check_conversion
        more += check_conversion(conversion)
    rows = () if conversion is None else place_rows(conversion.rows, content)
    return Made(text, [*found, *restore(content, more)], rows)


def _resolve_uris(root: Element, args: argparse.Namespace, found: list[Diagnostic]) -> str:
    """The text with each URI of a mesh or texture replaced by its file; URIs that lead nowhere stay."""
    from sdf_frames.document.uris import Resolver
    from sdf_frames.document.xml_out import write_xml
    resolver = Resolver(args.resource_paths)
    for element in root.iter("uri", "albedo_map"):
        if (parent := element.getparent()) is not None and parent.tag in ("mesh", "metal"):
            element.text = change_style(element.text or "", FILE_STYLE, element, resolver, found)
    return write_xml(root)
