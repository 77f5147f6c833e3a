"""The command line: one module for each command. A module is imported only if its command is called."""
from __future__ import annotations

import argparse
import atexit
import gc
import importlib
import io
import os
import sys
import warnings
from functools import partial

from sdf_frames import __version__
from sdf_frames.cli.inputs import settle_inputs
from sdf_frames.cli.usage import HelpFormatter, Parser
from sdf_frames.diagnostics.render import count_columns, escape_controls, find_terminal

COMMANDS = {
    "check": "report errors and warnings in robots and worlds",
    "frames": "list every frame and joint with its pose",
    "inertia": "list mass, centre of mass and inertia of every link",
    "convert": "convert URDF to SDFormat, with a report",
    "to-urdf": "convert SDFormat to URDF",
    "simplify": "lump the fixed joints of a URDF",
    "attach": "attach one robot to a link of another one",
    "place": "put a frame at a given pose in another frame",
    "reroot": "make another link the root of a URDF",
    "cut": "cut a part out of a URDF",
    "print": "print a file as one SDFormat document, includes expanded",
    "upgrade": "write a newer version of SDFormat, or another version of URDF",
    "uri": "show the file that every URI refers to",
    "diff": "compare the robots or worlds of two files",
    "graph": "draw the frames or the kinematic tree",
    "view": "show robots and worlds in the browser, or write a picture",
    "batch": "run a command on many files and write tables of results",
    "report": "summarise the results of batch",
    "describe": "show what an SDFormat element can contain",
    "explain": "explain a diagnostic code",
    "demo": "run the first commands on the bundled robot",
    "doctor": "list the modules, settings and places that are used",
}
_DESCRIPTION = """Convert robot descriptions between URDF and SDFormat, check them, and list their frames and inertias.

    sdf_frames check robot.urdf
    sdf_frames convert robot.urdf -o robot.sdf --report
    sdf_frames frames robot.sdf"""
_EPILOG = ("Exit status: 0 no errors, 1 errors in a file, 2 wrong usage. "
           "'sdf_frames COMMAND --help' shows the options of a command.")


def build_parser(only: str | None = None) -> Parser:
    """Return the parser of all commands, or of the command `only`; with "", only the list of commands."""
    formatter = partial(HelpFormatter, width=count_columns() - 2)
    parser = Parser(prog="sdf_frames", description=_DESCRIPTION, epilog=_EPILOG, formatter_class=formatter,
                    allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"sdf_frames {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        if only in (None, name):
            module = importlib.import_module(f"sdf_frames.cli.{name.replace('-', '_')}")
            command = commands.add_parser(name, help=summary, description=module.__doc__, formatter_class=formatter,
                                          allow_abbrev=False)
            module.add_arguments(command)
            command.set_defaults(run=module.run, parser=command)
        elif not only:
            commands.add_parser(name, help=summary)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run a command, and return its exit status: 0 no errors, 1 errors in a file, 2 wrong usage."""
    # With Python's threshold of 700, garbage collection takes a fifth of the time for a file of 500 kB, and two fifths
    # for 5 MB. With 50,000, it never runs for a small file, which saves a tenth of the time.
    gc.set_threshold(50_000)
    # At the end, Python would search all imported modules: another tenth.
    atexit.register(gc.freeze)
    argv = sys.argv[1:] if argv is None else argv
    args = argparse.Namespace()
    # NumPy's warnings name a line of a library; a result that is not finite has a finding. -W has precedence.
    warnings.filterwarnings("ignore", category=RuntimeWarning, append=True)
    _fix_streams()
    try:
        try:
            return _run(argv, args)
        finally:
            sys.stdout.flush()  # also after a help, which ends with a SystemExit
    except OSError as error:
        # If the reader of our output has left, print nothing more, also not at exit.
        if not isinstance(error, BrokenPipeError):
            name, reason = getattr(args, "command", None), error.strerror or str(error)
            try:
                os.getcwd()
            except FileNotFoundError:
                reason = "the working directory no longer exists"
            said = f"sdf_frames{f' {name}' if name else ''}: {f'{error.filename}: ' if error.filename else ''}{reason}"
            sys.stderr.write(f"{escape_controls(said)}\n")  # `print` is a module here, once its command was called
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        if (done := getattr(args, "done", None)) is not None:
            sys.stderr.write(f"sdf_frames {args.command}: interrupted; {done} of {len(args.files)} files are done\n")
        return 130


def _run(argv: list[str], args: argparse.Namespace) -> int:
    """Read the arguments into `args`, and run the command."""
    parser = build_parser(None if "_ARGCOMPLETE" in os.environ else
                          next((word for word in argv if word in COMMANDS), ""))
    if argv and argv[0] not in COMMANDS and not argv[0].startswith("-"):
        parser.refuse_command(argv[0], COMMANDS)
    if "_ARGCOMPLETE" in os.environ:
        _complete(parser)
    _, unknown = parser.parse_known_args(argv, args)
    if unknown:
        args.parser.take_late(unknown, args)
    settle_inputs(args)
    args.terminal, args.error_terminal = find_terminal(sys.stdout), find_terminal(sys.stderr)
    status: int = args.run(args)
    return status


def _complete(parser: argparse.ArgumentParser) -> None:
    """Answer a shell that asks for completions, if argcomplete is installed."""
    try:
        import argcomplete
        argcomplete.autocomplete(parser)
    except ImportError:
        pass


def _fix_streams() -> None:
    """Set standard output to UTF-8 in any locale, because XML and JSON are UTF-8; closed streams discard output."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))
    for stream, errors in ((sys.stdout, "surrogateescape"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=errors)
