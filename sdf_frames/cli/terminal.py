"""What the terminal can show: its width, and colours where they are wanted."""

import os
import sys
from typing import NamedTuple, TextIO

_STYLES = {"error": "1;31", "warning": "1;33", "info": "1;36", "bold": "1", "dim": "2", "good": "1;32", "place": "1"}


class Terminal(NamedTuple):
    """Columns of a terminal (None: a file or program takes lines of any length), and whether to colour."""

    width: int | None = None
    colour: bool = False

    def paint(self, text: str, style: str) -> str:
        """`text` in a style: the name of a severity, ``bold``, ``dim``, ``good`` or ``place``."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.colour and text else text


def count_columns() -> int:
    """Columns of the terminal, 80 if there is none: as shutil says, which takes 2 ms to import."""
    if (given := os.environ.get("COLUMNS", "")).isdecimal() and int(given):
        return int(given)
    try:
        return (os.get_terminal_size(sys.__stdout__.fileno()).columns if sys.__stdout__ else 0) or 80
    except (ValueError, OSError):  # closed, or no terminal
        return 80


def find_terminal(stream: TextIO) -> Terminal:
    """What `stream` leads to. Colours are for terminals only, and not where ``NO_COLOR`` is set (no-color.org)."""
    if not stream.isatty():
        return Terminal()
    colour = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Terminal(max(count_columns(), 40), colour)
