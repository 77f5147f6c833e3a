"""The command line: one module a command, imported only when it is called."""
from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from typing import NoReturn

from sdf_frames import __version__
from sdf_frames.diagnostics.render import escape_controls

COMMANDS = {
    "check": "say what is wrong with robots and worlds",
    "frames": "every frame and joint, resolved",
    "inertia": "mass, centre of mass and inertia tensor of every link",
    "convert": "URDF to SDFormat, with a report of what became of everything",
    "to-urdf": "SDFormat to URDF, every frame a link",
    "print": "one SDFormat document: converted, upgraded, with what it includes",
    "upgrade": "old SDFormat versions to a newer one",
    "graph": "the frame graphs, or the kinematic tree, as a drawing in DOT or text",
    "describe": "what an element of SDFormat may hold",
    "explain": "what a diagnostic code means and what to do about it",
}
_EPILOG = """exit status: 0 every file was processed and has no error; 1 at least one has; 2 wrong usage.
'sdf_frames COMMAND --help' tells more."""


class _Parser(argparse.ArgumentParser):
    """Says of wrong arguments what is wrong, without what they would do to a terminal."""

    def error(self, message: str) -> NoReturn:
        super().error(escape_controls(message))


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The parser of all commands, or of the command `only`."""
    parser = _Parser(
        prog="sdf_frames", description="Robots between URDF, SDFormat and ROS 2 without losing a frame.",
        epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", action="version", version=f"sdf_frames {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        if only in (None, name):
            module = importlib.import_module(f"sdf_frames.cli.{name.replace('-', '_')}")
            command = commands.add_parser(name, help=summary, description=module.__doc__,
                                          formatter_class=argparse.RawDescriptionHelpFormatter)
            module.add_arguments(command)
            command.set_defaults(run=module.run, usage_error=command.error)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run a command; the exit status of the contract."""
    argv = sys.argv[1:] if argv is None else argv
    try:
        parser = build_parser(argv[0] if argv and argv[0] in COMMANDS else None)
        if "_ARGCOMPLETE" in os.environ:
            _complete(parser)
        args, unknown = parser.parse_known_args(argv)
        if unknown:  # said with the usage of the command, which parse_args would not show
            args.usage_error(f"unrecognized arguments: {' '.join(unknown)}")
        _fix_streams()
        status = args.run(args)
        sys.stdout.flush()
        return status
    except OSError as error:
        # Where the reader of our output left, say nothing more, and nothing at exit either.
        if not isinstance(error, BrokenPipeError):
            print(f"sdf_frames: {escape_controls(str(error))}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


def _complete(parser: argparse.ArgumentParser) -> None:
    """Answer a shell that asks for completions, where argcomplete is installed."""
    try:
        import argcomplete
        argcomplete.autocomplete(parser)
    except ImportError:
        pass


def _fix_streams() -> None:
    """Standard output in UTF-8 whatever the locale, since XML and JSON are; one that is closed takes everything."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
    for stream, errors in ((sys.stdout, "surrogateescape"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=errors)
