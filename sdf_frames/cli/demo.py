"""Copy the bundled robot to a folder and run the first commands on it: check, convert --report, graph.

Each command is shown as a user types it, with the first lines of its output. The folder stays, so that you can continue
in it."""
from __future__ import annotations

import argparse
import io
import os
import shlex
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from sdf_frames.cli.printing import print_line
from sdf_frames.document.uris import Resolver
from sdf_frames.document.writing import NEW, write_whole

ROBOT = "mobile_manipulator"
_FOLDER = f"package://sdf_frames/robots/{ROBOT}"
#: Lines of a command's output that are shown: the counts of the report, and its first rows.
_MOST_LINES = 15
#: The commands to run on the copy, as typed in its folder.
STEPS = (
    ("Check the robot:", f"check {ROBOT}.urdf"),
    ("Write it as SDFormat, and report what happened to every element:",
     f"convert {ROBOT}.urdf -o {ROBOT}.sdf --report"),
    ("Show the tree of frames that is published to TF:", f"graph {ROBOT}.urdf"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--to", metavar="DIR", help="copy the robot to this folder (default: a new temporary folder)")


def find_robot() -> str | None:
    """Find the folder of the bundled robot: in the wheel, in a checkout, or in a ROS workspace."""
    beside = Path(__file__).resolve().parents[2]
    return Resolver((beside,)).find(_FOLDER, __file__)


def copy_robot(folder: str) -> None:
    """Copy the bundled robot into `folder`, which is made if it is missing.

    The copy names its meshes relative to itself, so it works in any folder.

    Raises
    ------
    FileNotFoundError
        The robot was not installed.
    FileExistsError
        The folder already has a copy, which may have been edited, or another file with a name of the robot's files.
    """
    source = find_robot()
    if source is None:
        raise FileNotFoundError(f"the bundled robot is not installed: there is no folder {_FOLDER}")
    files = {Path(folder, path.relative_to(source)): path for path in Path(source).rglob("*") if path.is_file()}
    if present := [path for path in files if path.exists()]:
        raise FileExistsError(f"{present[0]} exists already: name another folder")
    for path, original in files.items():
        content = original.read_bytes()
        if path.suffix == ".urdf":
            content = content.replace(f"{_FOLDER}/".encode(), b"")
        write_whole(str(path), content, NEW, make_folders=True)


def run(args: argparse.Namespace) -> int:
    from sdf_frames.cli import main
    folder = args.to or tempfile.mkdtemp(prefix="sdf_frames_demo_")
    try:
        copy_robot(folder)
    except OSError as error:
        said = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        print_line(f"sdf_frames demo: {said}", sys.stderr)
        return 2 if isinstance(error, FileExistsError) else 1
    print_line(f"The bundled robot, a mobile manipulator, is now in {folder}.")
    _show("", f"cd {shlex.quote(folder)}")
    here = os.getcwd()
    os.chdir(folder)
    try:
        for title, command in STEPS:
            _show(f"# {title}", f"sdf_frames {command}")
            output = io.StringIO()
            with redirect_stdout(output), redirect_stderr(output):
                status = main(command.split())
            _show_first(output.getvalue().splitlines(), _MOST_LINES if status == 0 else None)
            if status:
                return status
    finally:
        os.chdir(here)
    print_line("")
    print_line(f"Next: edit {ROBOT}.urdf and check it again. 'sdf_frames --help' lists all commands.")
    return 0


def _show_first(lines: list[str], most: int | None) -> None:
    """Print the first lines of an output, and the number of further lines."""
    for line in lines[:most]:
        print_line(line)
    if rest := len(lines[most:]) if most else 0:
        print_line(f"… ({rest} more lines)")


def _show(title: str, command: str) -> None:
    """Print the purpose of a command, then the command as it is typed."""
    for line in ("", title, f"$ {command}") if title else ("", f"$ {command}"):
        print_line(line)
