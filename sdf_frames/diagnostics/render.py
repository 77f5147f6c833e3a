"""Findings as text, JSON-ready dictionaries, and annotations of code hosting services; tables and trees as text.

This module also finds the width of a terminal, and whether it shows colours.
"""
from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import NamedTuple, TextIO

from sdf_frames.diagnostics.model import ERROR, WARNING, Diagnostic
from sdf_frames.diagnostics.words import ANOTHER, count_of

# Names and files may hold these characters, lines of output may not: C0 and C1 controls, line and paragraph separators,
# characters that change the writing direction or have no width, blanks other than the space, and lone surrogates, which
# stand for bytes that are not UTF-8 (such as 0x9b, a terminal's escape).
CONTROLS = ("[\x00-\x1f\x7f-\xa0\u061c\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffb"
            "\ud800-\udfff\U000e0000-\U000e007f]")

_COMMANDS = r"^(\s*)(:)(?=:)|(#)(?=#(?:vso)?\[)"
_SHOWN = 3  # of the places behind the first that a finding stands for
_LOOKED_AT = 1000  # of a line, for its first words


def escape_controls(text: str) -> str:
    """Return `text` on one line, safe for a terminal: control and invisible characters are escaped as in Python.

    The first character of a command for code hosting services is escaped, too: ``::`` at the beginning of a line,
    ``##[`` and ``##vso[`` anywhere. Every line of text output that quotes an input, a file name or an argument passes
    through this function.
    """
    text = _spell_controls(text)
    if "::" in text or "##" in text:
        text = re.sub(_COMMANDS, lambda m: f"{m[1] or ''}\\x{ord(m[2] or m[3]):02x}", text)
    return text


def _spell_controls(text: str) -> str:
    return text if text.isprintable() else re.sub(CONTROLS, lambda m: repr(m.group())[1:-1], text)


def count_findings(found: Iterable[Diagnostic]) -> str:
    """Return counts such as ``2 errors, 1 warning``; empty if there are none."""
    counts = Counter(d.severity for d in found)
    return ", ".join(count_of(counts[kind], kind) for kind in (ERROR, WARNING) if counts[kind])


def render_text(diagnostic: Diagnostic, source: str | None = None) -> str:
    """Return ``file:line:column: severity CODE name: message``, then source, path, related places and hint by line.

    `source` is the line of the input that the finding is about; it is shown without leading and trailing white space.
    """
    d = diagnostic
    place = d.file or ""
    if d.line:
        place += f":{d.line}" + (f":{d.column}" if d.column else "")
    lines = [(f"{place}: " if place else "") + f"{d.severity} {d.code} {d.name}: {d.message}"]
    # A file may be one line of many megabytes with a finding every few characters.
    if text := (source or "")[:_LOOKED_AT].strip().replace("\t", " "):
        lines.append(f"    | {text[:120]}{'…' if len(text) > 120 else ''}")
    if d.path:
        lines.append(f"    at {d.path}")
    alike = [r for r in d.related if r.message == ANOTHER]
    for r in (*[r for r in d.related if r.message != ANOTHER], *alike[:_SHOWN]):
        where = ", ".join(s for s in ((r.file or "") if r.file != d.file else "", f"line {r.line}" if r.line else "",
                                      r.path or "") if s)
        lines.append(f"    see {r.message}" + (f" ({where})" if where else ""))
    if len(alike) > _SHOWN:
        lines.append(f"    see {len(alike) - _SHOWN} more")
    if d.hint:
        lines.append(f"    hint: {d.hint}")
    return "\n".join(map(escape_controls, lines))


def to_json(diagnostic: Diagnostic) -> dict[str, object]:
    """Return the dictionary that ``--json`` prints for a finding."""
    d = diagnostic
    fixes = [{"message": fix.message, "edits": [edit._asdict() for edit in fix.edits]} for fix in d.fixes]
    return {"code": d.code, "name": d.name, "severity": d.severity, "message": d.message, "file": d.file,
            "line": d.line, "column": d.column, "path": d.path, "hint": d.hint,
            "related": [{"message": r.message, "line": r.line, "column": r.column, "path": r.path, "file": r.file}
                        for r in d.related],
            "sdformat": d.sdformat, **({"fixes": fixes} if fixes else {})}


def render_github(diagnostic: Diagnostic) -> str:
    """Return a workflow command that GitHub shows as an annotation of the line."""
    d = diagnostic
    level = {"error": "error", "warning": "warning"}.get(d.severity, "notice")
    fields = [f"{key}={_escape_property(_spell_controls(str(value)))}" for key, value in
              (("file", d.file), ("line", d.line), ("col", d.column),
               ("title", f"{d.code} {d.name}")) if value]
    message = "\n".join(escape_controls(text) for text in (d.message, d.hint) if text)
    return f"::{level} {','.join(fields)}::{_escape_data(message)}"


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_data(text).replace(":", "%3A").replace(",", "%2C")


_STYLES = {"error": "1;31", "warning": "1;33", "info": "1;36", "bold": "1", "dim": "2", "good": "1;32", "place": "1"}
# Most characters before a name, three for each level: the drawing of a long chain would grow quadratically.
_WIDEST = 3 * 32


class Terminal(NamedTuple):
    """The columns of a terminal (None for a file or program: lines of any length), and whether to use colours."""

    width: int | None = None
    colour: bool = False

    def paint(self, text: str, style: str) -> str:
        """Return `text` in a style: the name of a severity, ``bold``, ``dim``, ``good`` or ``place``."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.colour and text else text


def count_columns() -> int:
    """Return the columns of the terminal, or 80, as shutil does, which takes 2 ms to import."""
    if (given := os.environ.get("COLUMNS", "")).isdecimal() and int(given):
        return int(given)
    try:
        return (os.get_terminal_size(sys.__stdout__.fileno()).columns if sys.__stdout__ else 0) or 80
    except (ValueError, OSError):  # closed, or no terminal
        return 80


def find_terminal(stream: TextIO) -> Terminal:
    """Return what `stream` writes to. Colours are for terminals only, if ``NO_COLOR`` is not set (no-color.org)."""
    if not stream.isatty():
        return Terminal()
    colour = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Terminal(max(count_columns(), 40), colour)


def align(rows: Sequence[Sequence[str]], left: Container[int]) -> list[str]:
    """Return the lines of a table: the columns with these numbers are aligned left, the others right."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join([cell.ljust(w) if i in left else cell.rjust(w)
                       for i, (cell, w) in enumerate(zip(row, widths))]).rstrip() for row in rows]


def draw_tree(edges: list[tuple[str, str]], notes: Mapping[str, str] = {}, terminal: Terminal = Terminal()) -> str:
    """Draw parents and children as an indented tree, children in the given order, `notes` after their names.

    Elements below the deepest level that is drawn follow as a separate tree; both places have a ``…``.
    """
    children: dict[str, list[str]] = {}
    below = set()
    for parent, child in edges:
        children.setdefault(parent, []).append(child)
        below.add(child)
    lines = []
    tops = [(root, "") for root in children if root not in below]
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
