"""Convert each URDF FILE to SDFormat: fixed joints lumped, every link and joint kept at least as a frame.

The result goes to standard output, to -o OUT, or to --output-dir DIR as NAME.sdf; --report says what became of every
element. What readers of SDFormat refuse (inertias that no body can have, axes without length, malformed elements under <gazebo>)
is an error, but the robot is written all the same; --check gives every finding of 'sdf_frames check' on the result."""
from __future__ import annotations

import argparse
from functools import partial

from sdf_frames.cli.common import add_conversion_arguments, add_file_arguments, write_each
from sdf_frames.cli.files import add_output_arguments, read_input
from sdf_frames.cli.uris import FILE_STYLE, add_style_argument, resolve_uri
from sdf_frames.convert.options import SDF_VERSIONS
from sdf_frames.diagnostics import ERROR, has_errors


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_arguments(parser)
    add_conversion_arguments(parser)
    parser.add_argument("--sdf-version", choices=SDF_VERSIONS, metavar="V",
                        help="version to write, 1.7 to 1.12 (default: the lowest that can express the robot)")
    add_style_argument(parser, default="model")
    parser.add_argument("--check", action="store_true", help="also check the resulting SDF: names, frames, joints, inertias")
    parser.add_argument("--report", action="store_true", help="print the conversion report as a table on standard error")
    add_output_arguments(parser)


def run(args: argparse.Namespace) -> int:
    return write_each(args, "convert", "sdf", ((name, partial(_convert, name, args)) for name in args.files))


def _convert(name: str, args: argparse.Namespace) -> tuple[str | None, tuple, list]:
    """SDF text, None where there is none, the report's rows, and all findings."""
    from sdf_frames.convert.urdf_to_sdf import ConvertOptions, convert_text
    content, found = read_input(name, args.xacro_arguments, args.budget)
    if content is None:
        return None, (), found
    text, conversion, more = convert_text(content, name, ConvertOptions(
        args.preserve_fixed_joints, args.massless, args.sdf_version,
        "keep" if args.uri_style == FILE_STYLE else args.uri_style), args.budget)
    found += more
    if args.uri_style == FILE_STYLE and conversion is not None and not has_errors(found):
        text = _resolve_uris(conversion.document.root, name, args, found)
    if conversion is not None and (args.check or conversion.unproven):
        # Reading the result back takes several times as long as making it, hence only on request or where it has to be.
        from sdf_frames.load import LoadOptions, load_text
        checked = load_text(content, name, LoadOptions(
            tuple(args.resource_path), args.preserve_fixed_joints, args.massless, args.sdf_version,
            budget=args.budget)).diagnostics
        found += [d for d in checked if d not in found and (args.check or d.severity == ERROR)]
    elif conversion is not None:
        from sdf_frames.checks.robot_inertia import check_conversion
        found += check_conversion(conversion)
    return text, () if conversion is None else conversion.rows, found


def _resolve_uris(root, name: str, args: argparse.Namespace, found: list) -> str:
    """The text with every URI of a mesh or texture replaced by the file that it leads to; those that lead nowhere stay."""
    from sdf_frames.document.uris import Resolver
    from sdf_frames.document.xml_out import write_xml
    resolver = Resolver(args.resource_path)
    for element in root.iter("uri", "albedo_map"):
        if element.getparent().tag in ("mesh", "metal"):
            element.text = resolve_uri(element.text or "", element, name, resolver, found)
    return write_xml(root)
