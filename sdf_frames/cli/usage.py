"""Errors and help of the command line: two lines for wrong usage, and help that fits the terminal."""
from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from math import nan
from shlex import quote
from typing import Any, NoReturn, TypeVar

from sdf_frames.diagnostics import suggest_name
from sdf_frames.diagnostics.render import escape_controls

#: Names of commands that people try, and the command that they mean.
_MEANT = {"to-sdf": "convert", "to_sdf": "convert", "urdf2sdf": "convert", "urdf-to-sdf": "convert",
          "validate": "check", "lint": "check", "fix": "check", "info": "check", "show": "view", "draw": "view",
          "render": "view", "visualize": "view", "tree": "graph", "xacro": "print",
          "tf": "frames", "sdf2urdf": "to-urdf", "lump": "simplify", "compare": "diff", "help": "--help"}

_Known = TypeVar("_Known")


class Parser(argparse.ArgumentParser):
    """Reports wrong usage in two lines: the problem, and how to get help."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {escape_controls(message)}\ntry '{self.prog} --help'\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Write a message; the base class ignores it if a help text cannot be written."""
        if file is sys.stdout:
            file.write(message)
        else:
            super()._print_message(message, file)

    def format_help(self) -> str:
        """Return the help of a command; the usage line does not repeat the options."""
        forms = {"+": "{0} ...", "*": "[{0} ...]", "?": "[{0}]"}
        places = [forms.get(str(action.nargs), "{0}").format(action.metavar or action.dest)
                  for action in self._get_positional_actions() if action.nargs != argparse.PARSER]
        if places:
            self.usage = " ".join(["%(prog)s [OPTION ...]", *places])
        return super().format_help()

    def refuse_command(self, word: str, commands: Iterable[str]) -> NoReturn:
        """Report a word that is not a command."""
        from sdf_frames.document.door import UNCONFINED
        hint = f"did you mean {_MEANT[word]!r}?" if word in _MEANT else suggest_name(word, commands)
        if UNCONFINED.exists(word):
            hint = f"name a command before the file: sdf_frames check {quote(word)}"
        self.error(f"unknown command {word!r}" + (f"; {hint}" if hint else ""))

    def take_late(self, words: list[str], args: argparse.Namespace) -> None:
        """Give words behind an option (``check A --json B``) to the last argument, if it takes many."""
        last = self._get_positional_actions()[-1:]
        if not last or last[0].nargs not in ("*", "+") or any(word[0] == "-" != word for word in words):
            self.refuse_unknown(words)
        last[0](self, args, words)

    def refuse_unknown(self, words: list[str]) -> NoReturn:
        """Report words that are not arguments of the command."""
        known = [name for action in self._actions for name in action.option_strings]
        name = words[0].split("=")[0]
        hint = suggest_name(name, known) if name.startswith("-") and name != "-" else None
        if name == "--format" and "--json" in known:  # only some commands have several formats
            hint = "did you mean '--json'?"
        self.error(f"unrecognized arguments: {' '.join(words)}" + (f"; {hint}" if hint else ""))


def read_number(word: str, fits: Callable[[float], bool], wanted: str) -> float:
    """Read a number from a word of the command line, as of a file; wrong usage ("not `wanted`") unless it `fits`."""
    try:
        value = float(word) if word.isascii() and "_" not in word else nan  # float() reads other digits, and 1_000
    except ValueError:
        value = nan
    if not fits(value):
        raise argparse.ArgumentTypeError(f"{word!r} is not {wanted}")
    return value


def read_whole(word: str, least: int, most: int, wanted: str) -> int:
    """Read a whole number from `least` to `most` from a word of the command line; else wrong usage ("not `wanted`")."""
    if not (word.isascii() and word.isdigit() and len(word) < 20 and least <= int(word) <= most):
        raise argparse.ArgumentTypeError(f"{word!r} is not {wanted}")
    return int(word)


def read_words(kind: str, known: Sequence[str], text: str) -> tuple[str, ...]:
    """Read some of the `known` words, separated by commas; another word is wrong usage ("unknown `kind`")."""
    words = tuple([word for word in text.split(",") if word])
    if unknown := [word for word in words if word not in known]:
        raise argparse.ArgumentTypeError(f"unknown {kind} {unknown[0]!r}; choose from {', '.join(known)}")
    return words


def read_known(read: Callable[[str], _Known], text: str) -> _Known:
    """Return the result of `read` for a word of the command line; wrong usage if it raises ValueError."""
    try:
        return read(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


class HelpFormatter(argparse.HelpFormatter):
    """Wraps each paragraph by itself; indented lines stay as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        import textwrap
        paragraphs = [part if part.lstrip("\n").startswith(" ") else textwrap.fill(part, width)
                      for part in text.strip("\n").split("\n\n")]
        return "\n\n".join(paragraphs)


def complete_codes(action: argparse.Action) -> None:
    """Let the shell complete the codes and names of diagnostics as values of an argument, with argcomplete."""
    setattr(action, "completer", _list_codes)  # noqa: B010 - mypy knows no such


def _list_codes(**_: object) -> list[str]:
    from sdf_frames.diagnostics.catalogue import BY_CODE, CATALOGUE
    return [*sorted(BY_CODE), *sorted(CATALOGUE)]
