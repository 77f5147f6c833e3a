"""Print each FILE as one SDFormat document: a URDF is converted, an older version upgraded, included models are
inserted.

Like 'gz sdf --print'. A FILE with errors is printed, too; the exit status is then 1. Comments are dropped ('upgrade'
keeps comments and includes). Relative URIs are rewritten to be relative to FILE, or to OUT. An <include> stays if its
file is not found, or has a light or an actor.

    sdf_frames print world.sdf -o flat.sdf
    sdf_frames print --degrees --precision 6 robot.sdf
"""
from __future__ import annotations

import argparse
from functools import partial

from sdf_frames.cli.answers import Made, write_each
from sdf_frames.cli.common import add_file_arguments, add_options, load_input
from sdf_frames.cli.files import add_output_arguments
from sdf_frames.cli.usage import read_number, read_whole


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_arguments(parser)
    add_options(parser, "conversion")
    parser.add_argument("--preserve-includes", "-i", action="store_true", help="leave <include> elements as they are")
    parser.add_argument("--expand-auto-inertials", action="store_true",
                        help="print computed inertias instead of <inertial auto=\"true\">")
    parser.add_argument("--degrees", action="store_true", help="print angles of poses in degrees")
    parser.add_argument("--snap-to-degrees", type=_read_angle, default=0.0, metavar="N",
                        help="snap angles near a multiple of N degrees to that multiple (implies --degrees)")
    parser.add_argument("--snap-tolerance", type=_read_angle, metavar="T",
                        help="with --snap-to-degrees, snap angles at most T degrees away (default: 0.01)")
    parser.add_argument("--precision", default=0, metavar="P",
                        type=partial(read_whole, least=1, most=17, wanted="a number of digits from 1 to 17"),
                        help="significant digits of every number, more in a tensor that fewer would make impossible "
                             "(default: as many as are needed to read back the same number)")
    add_options(parser, "inertia_calculator")
    add_output_arguments(parser)


def _read_angle(text: str) -> float:
    return read_number(text, lambda value: 0 < value <= 360, "an angle above 0 and up to 360 degrees")


def run(args: argparse.Namespace) -> int:
    from sdf_frames.convert.number_style import NO_STYLE
    if args.snap_tolerance and not args.snap_to_degrees:
        args.parser.error("--snap-tolerance needs --snap-to-degrees N")
    args.snap_tolerance = args.snap_tolerance or NO_STYLE.tolerance
    if 0 < args.snap_to_degrees <= args.snap_tolerance:  # every angle would snap
        args.parser.error(f"--snap-tolerance must be less than {args.snap_to_degrees:g}, the --snap-to-degrees")
    return write_each(args, "sdf", _print)


def _print(name: str, args: argparse.Namespace) -> Made:
    from sdf_frames.api.uris import list_files
    from sdf_frames.convert.number_style import NumberStyle
    from sdf_frames.writers.flat import write_flat
    loaded = load_input(name, args)
    style = NumberStyle(args.degrees, args.snap_to_degrees, args.snap_tolerance, args.precision)
    return Made(write_flat(loaded, args.preserve_includes, args.expand_auto_inertials, style), loaded.resolver,
                list_files(loaded))
