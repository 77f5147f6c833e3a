"""Compare two robots or worlds: their content, not their text. A and B can have different formats.

    sdf_frames diff old.urdf new.urdf
    sdf_frames diff robot.urdf robot.sdf --tolerance 0.001

Exit status: 0 no differences, 1 differences, 2 wrong usage or a file that cannot be read or written."""
from __future__ import annotations

import argparse
import os
import sys
from functools import partial
from math import inf
from typing import TYPE_CHECKING

from sdf_frames.cli.common import ArgumentsAction, add_options, open_robot, write_drawing
from sdf_frames.cli.files import Sources, check_outputs, name_input
from sdf_frames.cli.findings_text import render_findings
from sdf_frames.cli.inputs import add_config_arguments, report_unused
from sdf_frames.cli.printing import print_json, print_line
from sdf_frames.cli.usage import read_number
from sdf_frames.cli.view import read_picture_name, refuse_missing, render
from sdf_frames.diagnostics import Diagnostic, count_of

if TYPE_CHECKING:
    from sdf_frames import Differences, RobotDescription


def add_arguments(parser: argparse.ArgumentParser) -> None:
    for place in ("a", "b"):
        parser.add_argument(place, metavar=place.upper(), type=name_input,
                            help="URDF, SDFormat or .xacro file, or a folder with a model.config; - for standard input")
    parser.add_argument("xacro_arguments", nargs="*", default={}, metavar="NAME:=VALUE",
                        action=_XacroAction, help="argument of the .xacro files")
    parser.add_argument("--tolerance", default=1e-6, metavar="T",
                        type=partial(read_number, fits=lambda value: 0 <= value < inf, wanted="a number >= 0"),
                        help="ignore lengths (m), angles (rad), and relative differences of masses and settings "
                             "up to T (default: 1e-6)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--html", metavar="OUT", help="also write an HTML page of both: differences are coloured, "
                                                      "lines connect frames that moved (extra view)")
    parser.add_argument("--png", type=read_picture_name, metavar="OUT",
                        help="also write a picture (.png or .jpg) of both, in the same way (extra png)")
    add_options(parser, "resource_paths", "limits", "conversion")
    add_config_arguments(parser)


class _XacroAction(ArgumentsAction):
    refusal = "diff compares two files; {!r} is a third one"


def run(args: argparse.Namespace) -> int:
    import sdf_frames as sf
    if args.a == args.b == "-":
        args.parser.error("standard input (-) can be read only once")
    args.files, args.sources = [args.a, args.b], Sources()
    args.notices = report_unused(args)
    check_outputs(args, {args.png: "picture", args.html: "page"})
    if refuse_missing("diff", args.png, args.html):
        return 2
    if os.devnull in (args.a, args.b):
        return _tell_new_or_gone(args)
    robots = [open_robot(name, args) for name in args.files]
    sys.stderr.write(render_findings(args.notices, args.error_terminal))
    try:
        found = sf.diff(*robots, tolerance=args.tolerance)
    except sf.InvalidDescription as error:
        sys.stderr.write(render_findings(error.findings, args.error_terminal, sources=args.sources))
        return 2
    if args.json:
        print_json(found.to_json())
    else:
        count = count_of(len(found), "difference") if found else "no differences"
        for line in (f"{args.a} -> {args.b}: {count}", *(str(found).splitlines() if found else ())):
            print_line(line)
    return int(bool(found)) if _draw(robots, found, args) else 2


def _tell_new_or_gone(args: argparse.Namespace) -> int:
    """Report that a file is new or deleted: git names the other file /dev/null."""
    from sdf_frames.diff.changes import ADDED, REMOVED, Change, Differences
    old, new = (None if name == os.devnull else name for name in (args.a, args.b))
    what = ADDED if old is None else REMOVED
    if args.json:
        change = Change("description", new or old or "", what, old, new, f"file {what}")
        print_json(Differences(args.a, args.b, [change]).to_json())
    else:
        print_line(f"{args.a} -> {args.b}: file {what}")
    return 1


def _draw(robots: list[RobotDescription], found: Differences, args: argparse.Namespace) -> bool:
    """Write the requested page and picture, report failures, and return whether all were written."""
    if not (args.html or args.png):
        return True
    unwritten: list[Diagnostic] = []
    from sdf_frames.view.build_scene import build_scenes
    from sdf_frames.view.overlay import list_changes, overlay_scenes
    both_urdf = all(robot.kind == "urdf" for robot in robots)  # then their own links are compared
    old, new = [build_scenes(robot, as_sdf=not both_urdf) for robot in robots]
    scenes = overlay_scenes(old, new, found, args.tolerance)
    layers = ("visuals", "frames", "names")
    if args.html:
        from sdf_frames.view.page import write_html
        write_drawing(args.html, list_changes(write_html(scenes, layers), found), "page", unwritten, robots)
    if args.png:
        if (picture := render(args, scenes, layers)) is None:
            return False
        write_drawing(args.png, picture, "picture", unwritten, robots)
    sys.stderr.write(render_findings(unwritten, args.error_terminal))
    return not unwritten

