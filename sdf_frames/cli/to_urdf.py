"""Convert each SDFormat FILE to URDF, one robot per file. Frames become massless links on fixed joints.

If the SDF was converted from a URDF, the frames of a lumped link and its fixed joint become a link and a joint again.
The lumped link gets its visuals and collisions back; its mass stays with the link that it was lumped into.

    sdf_frames to-urdf robot.sdf -o robot.urdf
    sdf_frames to-urdf --urdf-version 1.1 robot.sdf
    sdf_frames to-urdf --model arm --uri-style file world.sdf"""
from __future__ import annotations

import argparse

from sdf_frames.api.uris import list_files
from sdf_frames.cli.answers import Made, write_each
from sdf_frames.cli.common import add_file_arguments, add_options, add_uri_style_argument, load_input
from sdf_frames.cli.files import add_output_arguments
from sdf_frames.cli.report_table import add_report_arguments
from sdf_frames.urdf.versions import VERSIONS
from sdf_frames.writers.as_urdf import convert_to_urdf


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_arguments(parser)
    parser.add_argument("--model", metavar="NAME",
                        help="convert this model of a world (not needed if the world has one model)")
    parser.add_argument("--joint-frames", action="store_true",
                        help="write a link for every frame, even for frames that come from fixed joints of a URDF")
    parser.add_argument("--urdf-version", choices=VERSIONS, metavar="V",
                        help="version of URDF to write, 1.0 to 1.2 (default: that of the URDF which FILE was converted "
                             "from, or else 1.0, which every program reads); 1.1 has capsules")
    add_uri_style_argument(parser, default="keep")
    add_report_arguments(parser)
    add_options(parser, "inertia_calculator")
    add_output_arguments(parser, bundle="a ROS package")


def run(args: argparse.Namespace) -> int:
    return write_each(args, "urdf", _convert)


def _convert(name: str, args: argparse.Namespace) -> Made:
    loaded = load_input(name, args)
    style = "keep" if args.bundle else args.uri_style
    made = convert_to_urdf(loaded, args.model, style, args.joint_frames, args.urdf_version)
    return Made(made, loaded.resolver, list_files(loaded))
