"""Renders the conversion report as text: counts first, then a row for each element, as wide as the terminal."""
from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial

from sdf_frames.cli.usage import read_words
from sdf_frames.convert.report import ACTIONS, Row
from sdf_frames.diagnostics import count_of
from sdf_frames.diagnostics.render import Terminal, align, escape_controls

_STYLES = {"dropped": "error", "renamed": "warning"}


def add_report_arguments(parser: argparse.ArgumentParser) -> None:
    """Add ``--report`` and ``--only``."""
    parser.add_argument("--report", action="store_true",
                        help="print the conversion report: on standard error, or on standard output if the result goes "
                             "to a file")
    parser.add_argument("--only", type=partial(read_words, "action", ACTIONS), metavar="ACTION,...",
                        help=f"print the report's counts and the rows of these actions: {', '.join(ACTIONS)}")


def render_report(title: str, rows: Iterable[Row], only: Sequence[str] | None, terminal: Terminal) -> str:
    """Return the report of one file.

    `only` are the actions whose rows are shown; None for all. The counts include all rows.
    """
    rows = list(rows)
    shown = [row for row in rows if only is None or row.action in only]
    lines = [terminal.paint(escape_controls(f"{title}: {_count(rows)}"), "bold"), *_render_counts(rows)]
    if shown:
        table = [("line", "element", "name", "action", "into", "reason"), *map(_make_cells, shown)]
        wide = align(table, left=range(1, 6))
        if terminal.width is None or max(map(len, wide)) <= terminal.width:
            styles = ["dim", *[_STYLES.get(row.action) for row in shown]]
            lines += ["", *[terminal.paint(line, style) if style else line for line, style in zip(wide, styles)]]
        else:
            lines += ["", *(line for row in shown for line in _render_narrow(row, terminal))]
    return "\n".join(lines) + "\n"


def _count(rows: Sequence[Row]) -> str:
    counts = Counter(row.action for row in rows)
    parts = ", ".join(f"{counts[action]} {action}" for action in ACTIONS if counts[action])
    return f"{count_of(len(rows), 'element')}: {parts}"


def _render_counts(rows: Sequence[Row]) -> list[str]:
    """Return a row for each kind of element, links and joints first, with a column for each action in the report."""
    counts = Counter((row.element, row.action) for row in rows)
    actions = [action for action in ACTIONS if any(row.action == action for row in rows)]
    kinds = sorted({row.element for row in rows}, key=lambda kind: (("link", "joint", kind).index(kind), kind))
    table = [("", *actions)]
    table += [(escape_controls(kind), *(str(counts[kind, action] or "") for action in actions)) for kind in kinds]
    return [f"  {line}" for line in align(table, left=(0,))]


def _make_cells(row: Row) -> tuple[str, ...]:
    return ("" if row.line is None else str(row.line),
            *(escape_controls(cell or "") for cell in (row.element, row.name, row.action, row.into, row.reason)))


def _render_narrow(row: Row, terminal: Terminal) -> list[str]:
    """Return ``line action element name``, and after or below it, wrapped, ``-> into: reason``."""
    width = terminal.width or 80
    line, element, name, action, into, reason = _make_cells(row)
    word = action.ljust(max(map(len, ACTIONS)))
    head = f"{line:>5}  {word}  {element} {name}"
    tail = ": ".join(filter(None, (f"-> {into}" if into else "", reason)))
    beside = len(head) + 2 + len(tail) <= width
    if action in _STYLES:
        head = head.replace(word, terminal.paint(word, _STYLES[action]), 1)
    if beside:
        return [f"{head}  {tail}".rstrip()]
    import textwrap
    return [head, *textwrap.wrap(tail, width, initial_indent=" " * 17, subsequent_indent=" " * 20)]
