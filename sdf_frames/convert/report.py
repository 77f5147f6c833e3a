"""The conversion report: one row for everything in the URDF that could be asked about."""
from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sdf_frames.diagnostics.render import escape_controls

KEPT, LUMPED, TO_FRAME, RENAMED, MOVED, DROPPED = "kept", "lumped", "to-frame", "renamed", "moved", "dropped"


class Row(NamedTuple):
    """What became of one element.

    Attributes
    ----------
    element : kind: ``link``, ``joint``, ``visual``, ``collision``, ``sensor``, ``plugin``, …; the tag of a
        ``<gazebo>`` setting. Every link and joint of the URDF has exactly one row of that kind.
    name : name in the URDF; of a setting, what it is set for.
    action : ``kept``, ``lumped``, ``to-frame``, ``renamed``, ``moved`` or ``dropped``.
    into : where it is now: the link that took it up, the frame's parent, the new name; None where that says nothing.
    line : in the URDF.
    reason : why, where the action is not plain ``kept``.
    """

    element: str
    name: str
    action: str
    into: str | None = None
    line: int | None = None
    reason: str | None = None


def row_kind(tag: str) -> str:
    """What a row calls an element under ``<gazebo>``: its tag, but for tags that mean parts of the URDF itself."""
    return "extension" if tag in ("link", "joint", "visual", "collision") else tag


def rows_to_json(rows: Iterable[Row]) -> list[dict]:
    """The rows as ``convert --json`` prints them."""
    return [row._asdict() for row in rows]


def render_table(rows: Iterable[Row]) -> str:
    """The rows as aligned text with a head line, ending with a line break; the reason comes last, unpadded."""
    table = [("line", "element", "name", "action", "into", "reason")]
    for r in rows:
        cells = (r.element, r.name, r.action, r.into or "", r.reason or "")
        table.append(("" if r.line is None else str(r.line), *map(escape_controls, cells)))
    widths = [max(map(len, column)) for column in list(zip(*table))[:-1]]
    lines = []
    for line, *cells, reason in table:
        padded = [line.rjust(widths[0])] + [cell.ljust(width) for cell, width in zip(cells, widths[1:])]
        lines.append("  ".join([*padded, reason]).rstrip())
    return "\n".join(lines) + "\n"
