"""Print each FILE as one SDFormat document: a URDF converted, an older version upgraded, included models in place.

As 'gz sdf --print' does; it is printed with errors too, which the exit status tells. Comments do not stay ('upgrade'
keeps them, and includes). Relative URIs of included files lead from FILE. Includes that lead nowhere, or to a light or an
actor, stay as they are.
"""
from __future__ import annotations

import argparse
from functools import partial

from sdf_frames.cli.common import (
    add_calculator_argument,
    add_conversion_arguments,
    add_file_arguments,
    load_each,
    write_each,
)
from sdf_frames.cli.files import add_output_arguments
from sdf_frames.diagnostics import Location, diagnose


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_arguments(parser)
    add_conversion_arguments(parser)
    parser.add_argument("--preserve-includes", "-i", action="store_true", help="leave <include> as it is")
    parser.add_argument("--expand-auto-inertials", action="store_true",
                        help="compute what <inertial auto=\"true\"> asks for, and print it in its place")
    parser.add_argument("--degrees", action="store_true", help="angles of poses in degrees")
    parser.add_argument("--snap-to-degrees", type=_read_angle, default=0.0, metavar="N",
                        help="make angles that are near to a multiple of N degrees that multiple (implies --degrees)")
    parser.add_argument("--snap-tolerance", type=_read_angle, default=0.01, metavar="T",
                        help="how near, in degrees (default: 0.01)")
    parser.add_argument("--precision", type=_read_digits, default=0, metavar="P",
                        help="significant digits of every number (default: as many as it takes to read the same number)")
    add_calculator_argument(parser)
    add_output_arguments(parser)


def _read_angle(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 360:
        raise argparse.ArgumentTypeError(f"{text!r} is no angle above 0 and up to 360 degrees")
    return value


def _read_digits(text: str) -> int:
    if text not in map(str, range(1, 18)):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of digits from 1 to 17")
    return int(text)


def run(args: argparse.Namespace) -> int:
    return write_each(args, "print", "sdf", ((loaded.file, partial(_print, loaded, args)) for loaded in load_each(args)))


def _print(loaded, args: argparse.Namespace) -> tuple[str | None, list]:
    """The document's text, None where there is none, and all findings."""
    from sdf_frames.convert.expand_includes import expand_includes
    from sdf_frames.convert.number_style import NumberStyle, restyle_numbers
    from sdf_frames.document.xml_in import copy_element
    from sdf_frames.document.xml_out import write_xml
    from sdf_frames.inertia.saving import save_in_tree
    found = list(loaded.diagnostics)
    if loaded.root is None:
        return None, found
    tree = copy_element(loaded.root.element) if args.preserve_includes else expand_includes(loaded.root, loaded.resolver)
    if args.expand_auto_inertials:
        inertias = loaded.inertias()
        try:
            tree = save_in_tree(tree, inertias, loaded.file, loaded.resolver)
        except ValueError as error:  # a parser stricter than ours
            found.append(diagnose("inertia-not-written", Location(loaded.file), problem=str(error)))
        found += [d for d in inertias.diagnostics if d not in found]
    style = NumberStyle(args.degrees, args.snap_to_degrees, args.snap_tolerance, args.precision)
    if style != NumberStyle(tolerance=style.tolerance):
        restyle_numbers(tree, style)
    return write_xml(tree), found
