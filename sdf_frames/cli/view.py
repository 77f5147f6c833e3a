"""Show each FILE: as a live page in the browser (default), as one HTML file, or as a PNG.

The page has layers for visuals, collisions, frames, names, the tree, joint axes, limits, sensors and lights, and
inertias, a slider for every movable joint, and lists of frames, errors and warnings. Without a FILE, the page is empty
and accepts uploads. A PNG needs the extra `png`, the page the extra `view`. If there is an error, such as a missing
mesh, --png and --html draw the rest, and the exit status is 1."""
from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from sdf_frames.cli.common import add_files_argument, add_options, open_robot, read_position, write_drawing
from sdf_frames.cli.files import check_outputs, choose_status
from sdf_frames.cli.findings_text import render_findings
from sdf_frames.cli.inputs import add_input_arguments, report_unused
from sdf_frames.cli.printing import print_line
from sdf_frames.cli.selection import select_by_settings
from sdf_frames.cli.usage import read_whole, read_words
from sdf_frames.diagnostics import ERROR, WARNING, Diagnostic, Location, count_of, diagnose, has_errors, suggest_name
from sdf_frames.document.door import UNCONFINED

if TYPE_CHECKING:
    from sdf_frames import RobotDescription
    from sdf_frames.view.scene import DrawnScene

_LAYERS = ("visuals", "collisions", "frames", "names", "tree", "joints", "limits", "sensors", "inertia")
_VIEWS = ("iso", "front", "side", "top")
DEFAULTS = {"layers": ("visuals", "frames"), "view": "iso", "size": (1200, 900), "port": 8080, "host": "127.0.0.1"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_files_argument(parser, "*")
    parser.add_argument("--png", type=read_picture_name, metavar="OUT",
                        help="write a picture to OUT (.png or .jpg) and exit; no display is needed")
    parser.add_argument("--html", metavar="OUT",
                        help="write the page to OUT, one file that opens without a server, and exit")
    parser.add_argument("--layers", type=partial(read_words, "layer", _LAYERS), metavar="LIST",
                        help=f"parts that --png and --html show, separated by commas: {', '.join(_LAYERS)} (default: "
                             f"visuals,frames)")
    parser.add_argument("--view", choices=_VIEWS, help="viewpoint of --png (default: iso)")
    parser.add_argument("--size", type=_read_size, metavar="WxH", help="size of --png in pixels (default: 1200x900)")
    parser.add_argument("--joint", action="append", default=[], type=_read_position, metavar="NAME=Q",
                        help="position of a joint in radians or metres (repeatable)")
    parser.add_argument("--as", dest="form", choices=("file", "sdf"), default="file",
                        help="draw a URDF as in its file, as RViz does, or as its SDF, as Gazebo does (default: file)")
    parser.add_argument("--decimate", metavar="N",
                        type=partial(read_whole, least=4, most=10 ** 12, wanted="a number of triangles, such as 20000"),
                        help="reduce meshes of more than N triangles to N triangles")
    parser.add_argument("--watch", action="store_true",
                        help="read a FILE again when it, an included file or a mesh changes")
    parser.add_argument("--port", type=partial(read_whole, least=1, most=65535, wanted="a port from 1 to 65535"),
                        help="port of the page (default: 8080, or the next free one)")
    parser.add_argument("--host", help="address that the page listens on, and host name in its URL (default: "
                                       "127.0.0.1, this machine only)")
    parser.add_argument("--upload", action="store_true", help="accept uploads; a page without a FILE always does")
    add_options(parser, "resource_paths", "limits", "conversion")
    add_input_arguments(parser)


def read_picture_name(word: str) -> str:
    """Return the name of a file for a picture, whose suffix is its format."""
    if not word.lower().endswith((".png", ".jpg", ".jpeg")):
        raise argparse.ArgumentTypeError(f"{word!r} does not end in .png or .jpg")
    return word


def _read_size(word: str) -> tuple[int, int]:
    width, _, height = word.partition("x")
    if not (width.isdecimal() and height.isdecimal() and 16 <= int(width) <= 8192 and 16 <= int(height) <= 8192):
        raise argparse.ArgumentTypeError(f"{word!r} is not a size such as 1200x900, from 16 to 8192 pixels each")
    return int(width), int(height)


def _read_position(word: str) -> tuple[str, float]:
    name, value = read_position(word)
    if isinstance(value, list):
        raise argparse.ArgumentTypeError(f"{word!r} is not one position, such as elbow=0.5")
    return name, value


def run(args: argparse.Namespace) -> int:
    if (args.png or args.html) and not args.files:
        args.parser.error("--png and --html need a FILE")
    _refuse_idle(args)
    args.notices = report_unused(args)
    check_outputs(args, {args.png: "picture", args.html: "page"})
    if refuse_missing("view", args.png, args.html or not args.png, args.decimate):
        return 2
    return _write(args) if args.png or args.html else _serve(args)


def _refuse_idle(args: argparse.Namespace) -> None:
    """End with wrong usage if an option has no effect on the requested output; else fill in the defaults."""
    if args.png or args.html:
        idle = dict.fromkeys(("watch", "port", "host", "upload"), "the live page, not for --png and --html")
        if not args.png:
            idle |= dict.fromkeys(("view", "size"), "--png")
    else:
        idle = {"layers": "--png and --html: the live page has a switch for each layer",
                "view": "--png", "size": "--png"}
    for name, purpose in idle.items():
        if getattr(args, name):
            args.parser.error(f"--{name} is for {purpose}")
    for name in ("joint", "watch"):
        if getattr(args, name) and not args.files:
            args.parser.error(f"--{name} needs a FILE")
    for name, default in DEFAULTS.items():
        if getattr(args, name) is None:
            setattr(args, name, default)


def refuse_missing(command: str, png: object, page: object, decimate: object = None) -> bool:
    """Print the missing module for a picture, a page or the reduction of meshes; return whether one is missing."""
    from importlib.util import find_spec
    wanted = [("pyvista", "png")] * bool(png) + [("viser", "view")] * bool(page)
    wanted += [("fast_simplification", "view")] * bool(decimate)
    for module, extra in [*wanted, *[("trimesh", "view")] * bool(wanted)]:  # ROS 2 has no package of trimesh
        if not find_spec(module):
            print(f"sdf_frames {command}: {module} is not installed: pip install 'sdf_frames[{extra}]'",
                  file=sys.stderr)
            return True
    return False


def _write(args: argparse.Namespace) -> int:
    """Write the picture or the page to a file, and its findings to standard error."""
    from sdf_frames.view.build_scene import build_scenes
    from sdf_frames.view.upload import list_findings
    status, scenes, read = 0, [], list["RobotDescription"]()
    selection = select_by_settings(args)._replace(consumers=())
    for name in args.files:
        robot = open_robot(name, args)
        findings = selection.apply(list_findings(robot, None), None, name, args.sources.read)
        _tell_findings(robot, findings, args)
        status = 1 if has_errors(findings) else status
        drawn = build_scenes(robot, most_faces=args.decimate, as_sdf=args.form == "sdf")
        status = max(status, _report_boxes(name, drawn, args.layers))
        scenes += drawn
        read.append(robot)
    status = max(status, choose_status(_tell_notices(args)))
    if not scenes:
        return 1
    positions = dict(args.joint)
    found = _check_positions(scenes, positions)
    if args.png:
        picture = render(args, scenes, args.layers, args.view, args.size, positions)
        if picture is None:
            return 2
        write_drawing(args.png, picture, "picture", found, read)
    if args.html:
        from sdf_frames.view.page import write_html
        write_drawing(args.html, write_html(scenes, args.layers, positions), "page", found, read)
    sys.stderr.write(render_findings(found, args.error_terminal))
    return max(status, choose_status(found))


def render(args: argparse.Namespace, scenes: Sequence[DrawnScene], *choices: Any) -> bytes | None:
    """Draw the picture for --png; print the reason and return None if this machine cannot draw."""
    from sdf_frames.view.rendering import NoPicture, encode_picture, render_picture
    try:
        return encode_picture(render_picture(scenes, *choices), args.png)
    except NoPicture as error:
        print(f"sdf_frames {args.command}: {error}", file=sys.stderr)
        return None


def _tell_findings(robot: RobotDescription, findings: Sequence[Diagnostic], args: argparse.Namespace) -> None:
    """Print the number of errors and warnings to standard error; for a file that is not a robot, print the error."""
    from sdf_frames.view.upload import MESH_UNIT
    if robot.kind is None:
        sys.stderr.write(render_findings(findings, args.error_terminal, sources=args.sources))
        return
    counts = [count_of(sum(d.severity == kind for d in findings), kind) for kind in (ERROR, WARNING)
              if any(d.severity == kind for d in findings)]
    if counts:
        print_line(f"sdf_frames view: {robot.file}: {' and '.join(counts)}; 'sdf_frames check --assets' shows them",
                   sys.stderr)
    for odd in findings:
        if odd.name == MESH_UNIT:
            print_line(f"sdf_frames view: {robot.file}: {odd.message}; {odd.hint}", sys.stderr)


def _tell_notices(args: argparse.Namespace) -> list[Diagnostic]:
    """Print the findings on the arguments that count to standard error, and return them."""
    selection, first = select_by_settings(args)._replace(consumers=()), args.files[0] if args.files else ""
    found = selection.apply(args.notices, None, first, args.sources.read)
    sys.stderr.write(render_findings(found, args.error_terminal))
    return found


def _report_boxes(name: str, scenes: Sequence[DrawnScene], layers: Sequence[str]) -> int:
    """Print a line to standard error if collisions or boxes replace shapes; return the exit status."""
    problems = {shape.problem: "a red box" if shape.is_box else "its collisions" for scene in scenes
                for shape in scene.shapes if shape.problem is not None and shape.layer in layers}
    if not problems:
        return 0
    problem, how = next(iter(problems.items()))
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    print_line(f"sdf_frames view: {name}: drawn as {how}: {problem}{more}", sys.stderr)
    return 1


def _check_positions(scenes: Sequence[DrawnScene], positions: Mapping[str, float]) -> list[Diagnostic]:
    """Return an error for each joint of ``--joint`` that no scene can move, a warning for each beyond its limits."""
    known = {name for scene in scenes for name in scene.keep_known(positions)}
    movable = {joint.name: joint for scene in scenes for joint in scene.joints if joint.movable}
    found = []
    for name in [name for name in positions if name not in known]:
        problem, hint = f"no movable joint {name!r}", suggest_name(name, sorted(movable))
        if joint := movable.get(name):
            problem = f"joint {name!r} is {joint.type} and takes {joint.size} values, not 1"
            hint = "name a joint of one value: view draws others at zero"
        found.append(diagnose("joint-position-refused", Location(None), problem=problem, hint=hint))
    ranges = {(joint.name, joint.limits.lower, joint.limits.upper) for scene in scenes for joint in scene.joints
              if joint.name in known}
    return found + [diagnose("joint-position-beyond-limits", Location(None), joint=name, position=positions[name],
                             lower=lower, upper=upper)
                    for name, lower, upper in sorted(ranges) if not lower <= positions[name] <= upper]


def _is_stream(name: str) -> bool:
    """Return whether a FILE can be read only once: standard input, or the pipe that a shell names for <(COMMAND)."""
    return name == "-" or UNCONFINED.exists(name) and not UNCONFINED.is_file(name) and not UNCONFINED.is_folder(name)


def _serve(args: argparse.Namespace) -> int:
    from sdf_frames.view.address import find_host_problem
    if problem := find_host_problem(args.host):
        args.parser.error(f"--host {args.host}: {problem}")
    if args.files and not any(_is_stream(name) or UNCONFINED.is_file(name) for name in args.files):
        return _write(args)  # says why no file can be read, without an address of a page
    robots: dict[str, RobotDescription] = {}
    if args.files and not (args.watch or args.upload):  # only those wait for a better file
        robots = {name: open_robot(name, args) for name in args.files}
        if all(robot.kind is None for robot in robots.values()):
            for robot in robots.values():
                _tell_findings(robot, robot.findings, args)
            return 1
    from sdf_frames.view.server import find_url, start_server
    server = start_server(args.port, args.host)
    print(f"{find_url(server)}  (Ctrl-C to stop)", flush=True)
    from sdf_frames.view.page import Page  # takes longer than the server: the browser loads the page meanwhile
    page = Page(most_faces=args.decimate, upload=args.upload or not args.files, server=server,
                as_sdf=args.form == "sdf")
    found: list[Diagnostic] = []
    try:
        for name in args.files:
            load = partial(robots.__getitem__, name) if name in robots else partial(open_robot, name, args)
            robot = page.add(load, name if args.watch and not _is_stream(name) else None, dict(args.joint))
            if robot.kind is None:
                _tell_findings(robot, robot.findings, args)
                found += robot.findings
        found += _tell_notices(args)
        if page.scenes:
            odd = _check_positions(page.scenes, dict(args.joint))
            sys.stderr.write(render_findings(odd, args.error_terminal))
            found += odd
        page.run(args.watch)
    except KeyboardInterrupt:
        pass
    finally:
        page.close()
    return choose_status(found)
