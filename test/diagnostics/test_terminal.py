"""Width and colours of a terminal."""
import os
import sys
from types import SimpleNamespace

import pytest

from sdf_frames.diagnostics.render import Terminal, count_columns, find_terminal


@pytest.mark.parametrize(("given", "columns"), [
    ("100", 100), ("1", 1), ("0", 132), ("", 132), ("-5", 132), ("wide", 132), ("²", 132), (None, 132)])
def test_the_environment_has_the_first_word_on_the_width(given, columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", given) if given is not None else monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr(sys, "__stdout__", SimpleNamespace(fileno=lambda: 5))
    monkeypatch.setattr(os, "get_terminal_size", lambda number: SimpleNamespace(columns=132 if number == 5 else 1))
    assert count_columns() == columns


def fail(error):
    def work(*_):
        raise error
    return work


@pytest.mark.parametrize(("stream", "ask"), [
    (None, None), (SimpleNamespace(fileno=lambda: 5), fail(OSError())),
    (SimpleNamespace(fileno=fail(ValueError())), None),
    (SimpleNamespace(fileno=lambda: 5), lambda number: SimpleNamespace(columns=0))])
def test_80_columns_where_nobody_knows(stream, ask, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr(sys, "__stdout__", stream)
    monkeypatch.setattr(os, "get_terminal_size", ask)
    assert count_columns() == 80


@pytest.mark.parametrize(("terminal", "columns", "no_colour", "term", "found"), [
    (True, "100", None, "xterm", Terminal(100, True)), (True, "39", None, "xterm", Terminal(40, True)),
    (True, "41", "", "xterm", Terminal(41, True)), (True, "100", "1", "xterm", Terminal(100, False)),
    (True, "100", None, "dumb", Terminal(100, False)), (True, "100", None, None, Terminal(100, True)),
    (False, "100", None, "xterm", Terminal(None, False))])
def test_colours_are_for_terminals(terminal, columns, no_colour, term, found, monkeypatch):
    for name, value in (("COLUMNS", columns), ("NO_COLOR", no_colour), ("TERM", term)):
        monkeypatch.delenv(name, raising=False) if value is None else monkeypatch.setenv(name, value)
    assert find_terminal(SimpleNamespace(isatty=lambda: terminal)) == found


@pytest.mark.parametrize(("style", "code"), [
    ("error", "1;31"), ("warning", "1;33"), ("info", "1;36"), ("bold", "1"), ("dim", "2"), ("good", "1;32"),
    ("place", "1")])
def test_styles(style, code):
    coloured = Terminal(80, True)
    assert coloured.paint("a", style) == f"\x1b[{code}ma\x1b[0m" and coloured.paint("", style) == ""
    assert Terminal(80).paint("a", style) == Terminal().paint("a", style) == "a"
