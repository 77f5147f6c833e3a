"""What the terminal can show, its width and colours; tables and trees as text."""

import os
import sys
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import NamedTuple, TextIO

from sdf_frames.diagnostics.render import escape_controls

_STYLES = {"error": "1;31", "warning": "1;33", "info": "1;36", "bold": "1", "dim": "2", "good": "1;32", "place": "1"}
# Characters before the deepest names, three a level: the drawing of a long chain would grow with its square.
_WIDEST = 3 * 32


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


def align(rows: Sequence[Sequence[str]], left: Container[int]) -> list[str]:
    """Lines of a table: the columns of these numbers begin at the left, the others end at the right."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join([cell.ljust(w) if i in left else cell.rjust(w)
                       for i, (cell, w) in enumerate(zip(row, widths))]).rstrip() for row in rows]


def draw_tree(edges: list[tuple[str, str]], names: Iterable[str] = (), notes: Mapping[str, str] = {},
              terminal: Terminal = Terminal()) -> str:
    """Parents and children as an indented tree, roots first, children in the order given, `notes` behind their names.

    Names without edges stand alone. Elements below the deepest level that is drawn follow as a tree of their own; both
    places have a ``…``.
    """
    children: dict[str, list[str]] = {}
    below = set()
    for parent, child in edges:
        children.setdefault(parent, []).append(child)
        below.add(child)
    lines = []
    tops = [(root, "") for root in dict.fromkeys((*children, *names)) if root not in below]
    for top, lead in tops:
        stack = [(top, lead, "")]
        while stack:
            name, lead, indent = stack.pop()
            kids = children.get(name, [])
            note = f"  ({escape_controls(notes[name])})" if name in notes else ""
            line = lead + escape_controls(name) + terminal.paint(note, "dim")
            if kids and len(indent) == _WIDEST:
                tops.append((name, "… "))
                lines.append(f"{line} …")
                continue
            lines.append(line)
            for i, child in reversed(list(enumerate(kids))):
                last = i == len(kids) - 1
                stack.append((child, indent + ("└─ " if last else "├─ "), indent + ("   " if last else "│  ")))
    return "".join(line + "\n" for line in lines)
