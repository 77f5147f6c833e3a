"""The command line before any command: which it is, what is wrong usage, what happens to streams that are gone."""
import io
import sys

import pytest

from sdf_frames import __version__
from sdf_frames.cli import COMMANDS, build_parser, main


@pytest.mark.parametrize("arguments", [[], ["chek"], ["check"], ["check", "--unheard", "x.sdf"], ["graph", "x.sdf", "--jsn"]])
def test_wrong_usage_ends_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2 and "usage:" in capsys.readouterr().err


def test_an_unknown_argument_is_quoted_with_the_usage_of_its_command(capsys):
    with pytest.raises(SystemExit):
        main(["frames", "x.sdf", "--unheard", "--of"])
    message = capsys.readouterr().err
    assert "usage: sdf_frames frames" in message and "unrecognized arguments: --unheard --of" in message


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


def test_the_command_comes_from_the_process_where_no_arguments_are_given(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["sdf_frames", "explain", "X001"])
    assert main() == 0 and "X001" in capsys.readouterr().out


def test_an_interrupt_ends_with_130(monkeypatch):
    def interrupt(args):
        raise KeyboardInterrupt
    monkeypatch.setattr("sdf_frames.cli.explain.run", interrupt)
    assert main(["explain", "X001"]) == 130


def test_standard_output_that_is_closed_takes_everything(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["explain", "X001"]) == 0
    monkeypatch.undo()


def test_output_is_utf8_and_keeps_bytes_that_are_none(monkeypatch):
    for name, errors in (("stdout", "surrogateescape"), ("stderr", "backslashreplace")):
        monkeypatch.setattr(sys, name, io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
        assert main(["explain", "X001"]) == 0
        stream = getattr(sys, name)
        assert (stream.encoding, stream.errors) == ("utf-8", errors)
        monkeypatch.undo()


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


@pytest.mark.parametrize("arguments, status", [([], 0), (["X001"], 0), (["X001", "frame-cycle"], None), (["X99999"], None)])
def test_the_status_of_explain_is_a_number(arguments, status, capsys):
    try:
        found = main(["explain", *arguments])
    except SystemExit as ended:
        found = ended.code
    assert found in ((status,) if status is not None else (0, 1, 2))
