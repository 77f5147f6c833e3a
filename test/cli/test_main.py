"""The command line before any command: which it is, what is wrong usage, what happens to streams that are gone."""
import argparse
import importlib
import os
import re
import shlex
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from sdf_frames import __version__
from sdf_frames.cli import COMMANDS, build_parser, main
from sdf_frames.cli.view import DEFAULTS

TOP = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("arguments, said", [
    ([], "sdf_frames: the following arguments are required: COMMAND"),
    (["frames", "x.sdf", "--unheard", "--of"], "sdf_frames frames: unrecognized arguments: --unheard --of"),
    (["chek", "x.sdf"], "sdf_frames: unknown command 'chek'; did you mean 'check'?"),
    (["to_urdf", "x.sdf"], "sdf_frames: unknown command 'to_urdf'; did you mean 'to-urdf'?"),
    (["xyzzy"], "sdf_frames: unknown command 'xyzzy'"),
    (["to-sdf", "x.urdf"], "sdf_frames: unknown command 'to-sdf'; did you mean 'convert'?"),
    (["render", "x.urdf"], "sdf_frames: unknown command 'render'; did you mean 'view'?"),
    ([os.sep], f"sdf_frames: unknown command {os.sep!r}; name a command before the file: sdf_frames check {os.sep}"),
    (["diff", "x.sdf"], "sdf_frames diff: the following arguments are required: B"),
    (["demo", "-"], "sdf_frames demo: unrecognized arguments: -"),
    (["check", "-", "--json", "-"], "sdf_frames check: standard input (-) can be read only once"),
    (["check", "--jsn", "x.sdf"], "sdf_frames check: unrecognized arguments: --jsn; did you mean '--json'?"),
    (["frames", "--format", "json", "x.sdf"],
     "sdf_frames frames: unrecognized arguments: --format; did you mean '--json'?"),
    (["check", "x.sdf", "--resorce-path=a"],
     "sdf_frames check: unrecognized arguments: --resorce-path=a; did you mean '--resource-path'?")])
def test_wrong_usage_names_what_was_meant(arguments, said, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    what, where = capsys.readouterr().err.splitlines()
    assert what == said and where.startswith("try 'sdf_frames ")


INTERRUPTED = """
import importlib, os, runpy, signal, sys
class Interrupt:
    def find_spec(self, name, *_):
        if name == "sdf_frames.cli.usage":
            os.kill(os.getpid(), signal.SIGINT)
            raise ImportError("what an exception in the import of a module may become")
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Interrupt())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send itself Ctrl-C")
@pytest.mark.parametrize("entry", ["runpy.run_module('sdf_frames', run_name='__main__')",
                                   "runpy.run_path('bin/sdf_frames', run_name='__main__')", "script"])
def test_an_interrupt_while_the_command_line_is_imported_ends_it_quietly(entry):
    if entry == "script":
        (module, function), = re.findall(r'^sdf_frames = "(.+):(.+)"$', (TOP / "pyproject.toml").read_text(), re.M)
        entry = f"importlib.import_module({module!r}).{function}()"
    done = subprocess.run([sys.executable, "-c", INTERRUPTED + entry], cwd=TOP, capture_output=True, timeout=100)
    assert (done.returncode, done.stderr) == (130, b"")


@pytest.mark.parametrize("arguments, dest, taken", [
    (["check", "a.sdf", "--json", "b.sdf", "--concise", "-"], "files", ["a.sdf", "b.sdf", "-"]),
    (["frames", "a.xacro", "x:=1", "--from", "base", "y:=2"], "xacro_arguments", {"x": "1", "y": "2"}),
    (["place", "a.xacro", "camera", "x:=1", "--in", "base", "y:=2"], "xacro_arguments", {"x": "1", "y": "2"}),
    (["diff", "a.xacro", "--json", "b.sdf", "--tolerance", "1", "y:=2"], "xacro_arguments", {"y": "2"}),
    (["batch", "check", "a", "--to", "out", "b"], "sources", ["a", "b"]),
    (["explain", "F001", "--json", "F002"], "codes", ["F001", "F002"]),
    (["describe", "link", "--json", "joint"], "elements", ["link", "joint"])])
def test_words_may_stand_behind_an_option(arguments, dest, taken):
    parser = build_parser(arguments[0])
    args = argparse.Namespace()
    _, unknown = parser.parse_known_args(arguments, args)
    args.parser.take_late(unknown, args)
    assert getattr(args, dest) == taken


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_fits_the_terminal(command, width, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", str(width))
    with pytest.raises(SystemExit):
        main([*filter(None, [command]), "--help"])
    lines = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("    sdf_frames ")]
    assert max(map(len, lines)) <= width


def test_the_defaults_that_help_states_are_those_that_hold():
    stated = 0
    for command in COMMANDS:
        (commands,) = [a for a in build_parser(command)._actions if isinstance(a, argparse._SubParsersAction)]
        for action in commands.choices[command]._actions:
            for word in re.findall(r"\(default: ([^ ;)]+)[,;)]", action.help or ""):
                default = DEFAULTS.get(action.dest, action.default) if command == "view" else action.default
                stated += 1
                if default is None:  # the text says what that means
                    assert action.dest in ("jobs", "density", "elements", "snap_tolerance"), (command, action.dest)
                elif isinstance(default, (int, float)):
                    assert float(word) == default, (command, action.dest)
                elif isinstance(default, tuple):
                    assert word == ("{}x{}" if action.dest == "size" else "{},{}").format(*default)
                else:
                    assert word == default, (command, action.dest)
    assert stated >= 12


def test_every_example_of_help_names_options_that_exist(capsys):
    """Files are not there, hence status 1 or a document; wrong usage would be 2."""
    shown = 0
    for command in COMMANDS:
        text = importlib.import_module(f"sdf_frames.cli.{command.replace('-', '_')}").__doc__
        for line in text.splitlines():
            if line.startswith("    sdf_frames "):
                words = shlex.split(line.split("|")[0].split(">")[0].split("  the ")[0])[1:]
                args, unknown = build_parser(words[0]).parse_known_args(words)
                assert not unknown and words[0] in COMMANDS
                shown += 1
    assert shown >= len(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_parser_of_one_command_is_that_of_all(command, capsys):
    texts = []
    for parser in (build_parser(), build_parser(command)):
        with pytest.raises(SystemExit) as ended:
            parser.parse_args([command, "--help"])
        assert ended.value.code == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] and texts[0].startswith(f"usage: sdf_frames {command}")


def test_the_parser_of_one_command_knows_no_other(capsys):
    with pytest.raises(SystemExit):
        build_parser("check").parse_args(["graph", "x.sdf"])
    assert "invalid choice" in capsys.readouterr().err


def test_the_version(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0 and capsys.readouterr().out == f"sdf_frames {__version__}\n"


def test_completion_is_asked_for_by_the_shell_only(monkeypatch):
    asked = []
    module = type(sys)("argcomplete")
    module.autocomplete = asked.append
    monkeypatch.setitem(sys.modules, "argcomplete", module)
    assert main(["explain", "X001"]) == 0 and asked == []
    monkeypatch.setenv("_ARGCOMPLETE", "1")
    assert main(["explain", "X001"]) == 0 and [parser.prog for parser in asked] == ["sdf_frames"]
    monkeypatch.setitem(sys.modules, "argcomplete", None)  # not installed
    assert main(["explain", "X001"]) == 0


def test_the_help_of_all_names_the_commands_and_the_exit_statuses(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    text = capsys.readouterr().out
    assert text.startswith("usage: sdf_frames ") and "COMMAND" in text.splitlines()[0]
    assert [line.split()[0] for line in text.splitlines() if line.startswith("    ") and line[4].isalpha()
            and not line.startswith("    sdf_frames ")][-len(COMMANDS):] == list(COMMANDS)
    assert "\n    sdf_frames check robot.urdf\n" in text  # examples keep their lines
    assert "Exit status: 0 no errors, 1 errors in a file, 2 wrong usage." in text


@pytest.mark.parametrize("command", ["check", "print"])
def test_an_interrupt_says_how_many_files_are_done(command, monkeypatch, capsys):
    """The module of 'print' hides Python's function of the same name."""
    def interrupt(args):
        args.done = 2
        raise KeyboardInterrupt
    monkeypatch.setattr(f"sdf_frames.cli.{command}.run", interrupt)
    assert main([command, "a.sdf", "b.sdf", "c.sdf"]) == 130
    assert capsys.readouterr() == ("", f"sdf_frames {command}: interrupted; 2 of 3 files are done\n")
    monkeypatch.setattr("sdf_frames.cli.explain.run", lambda args: interrupt(type(args)()))
    assert main(["explain", "F005"]) == 130 and capsys.readouterr() == ("", "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not remove a working directory")
def test_a_working_directory_that_was_removed_is_named(tmp_path):
    # Python 3.13.0 fails in lxml's import where '' is searched: that of "-c".
    code = ("import os, sys, lxml.etree; from sdf_frames.cli import main; os.rmdir(os.getcwd()); "
            "sys.exit(main(['check', '/m.sdf']))")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(TOP)},
                          capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (
        1, "", "sdf_frames check: the working directory no longer exists\n")


def test_warnings_of_numpy_are_not_shown():
    with warnings.catch_warnings(record=True) as shown:
        warnings.resetwarnings()
        assert main(["explain", "F001"]) == 0
        warnings.warn("overflow encountered", RuntimeWarning, stacklevel=1)
        warnings.warn("another", UserWarning, stacklevel=1)
    assert [warning.category for warning in shown] == [UserWarning]
