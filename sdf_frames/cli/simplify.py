"""Lump the fixed joints of each URDF FILE, as convert does, and write the result as URDF.

Mass, shapes and settings of a lumped link go to the link that it is fixed to. The lumped link stays as a link without
mass, unless --frames says otherwise. Poses and dynamics do not change. Everything else, also comments, stays as it is.

    sdf_frames simplify robot.urdf -o simple.urdf --report
    sdf_frames simplify robot.urdf --frames none --keep wrist_sensor_joint
    sdf_frames simplify robot.urdf --frames tool0 camera_link --massless merge"""
from __future__ import annotations

import argparse
from os.path import splitext

from sdf_frames.cli.answers import Made, write_each
from sdf_frames.cli.common import add_file_arguments, begin_input, read_positive
from sdf_frames.cli.files import add_output_arguments
from sdf_frames.cli.report_table import add_report_arguments
from sdf_frames.document.door import UNCONFINED
from sdf_frames.writers.simplified import read_simplify_options, simplify


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_arguments(parser)
    parser.add_argument("--frames", nargs="+", type=_read_name, default=["all"], metavar="NAME",
                        help="lumped links that stay as frames: all (default), none, or their names")
    parser.add_argument("--keep", nargs="+", type=_read_name, default=[], metavar="JOINT",
                        help="fixed joints that are not lumped")
    parser.add_argument("--massless", dest="policy", default="keep", metavar="POLICY",
                        help="massless links behind movable joints: keep (default) leaves them as they are; merge "
                             "fixes those without any mass below them to their parent, at zero; or their mass in kg")
    add_report_arguments(parser)
    add_output_arguments(parser)


def _read_name(word: str) -> str:
    """Refuse a FILE that follows the names of an option, which would be read as one of them."""
    if word == "-" or splitext(word)[1] and UNCONFINED.exists(word):
        raise argparse.ArgumentTypeError(f"{word!r} is a FILE: write it before this option, which takes every word "
                                         "behind it as a name")
    return word


def run(args: argparse.Namespace) -> int:
    try:
        massless = args.policy if args.policy in ("keep", "merge") else read_positive(args.policy)
        frames = args.frames[0] if args.frames in (["all"], ["none"]) else args.frames
        args.choices = read_simplify_options(args.keep, frames, massless)
    except (ValueError, argparse.ArgumentTypeError):
        args.parser.error(f"--massless must be keep, merge or a positive mass in kg, not {args.policy}")
    return write_each(args, "urdf", _simplify)


def _simplify(name: str, args: argparse.Namespace) -> Made:
    begun = begin_input(name, args)
    return Made(simplify(begun, args.choices), begun.resolver)
