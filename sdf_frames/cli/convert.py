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
from sdf_frames.cli.common import add_file_arguments, add_options, add_uri_style_argument, begin_input
from sdf_frames.cli.files import add_output_arguments
from sdf_frames.cli.report_table import add_report_arguments
from sdf_frames.writers.as_sdf import convert_to_sdf


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
    begun = begin_input(name, args)
    return Made(convert_to_sdf(begun, "keep" if args.bundle else args.uri_style, args.check), begun.resolver)
