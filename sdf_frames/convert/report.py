"""The conversion report: one row for each element of the URDF."""

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, get_args

from sdf_frames.document.expanded import Expanded
from sdf_frames.document.location import find_first_lines
from sdf_frames.document.places import Element

Action = Literal["kept", "lumped", "to-frame", "renamed", "moved", "dropped"]
ACTIONS: tuple[Action, ...] = get_args(Action)


class Row(NamedTuple):
    """What became of one element.

    Attributes
    ----------
    element : kind: ``link``, ``joint``, ``visual``, ``collision``, ``sensor``, ``plugin``, …; the tag of a
        ``<gazebo>`` setting. Every link and joint of the URDF has exactly one row of that kind.
    name : name in the URDF; of a setting, what it is set for.
    action : ``kept``, ``lumped``, ``to-frame``, ``renamed``, ``moved`` or ``dropped``.
    into : where it is now: the link that took it up, the frame's parent, the new name; None where that says nothing.
    line : of the ``<`` of its start tag.
    reason : why, where the action is not plain ``kept``.
    """

    element: str
    name: str
    action: Action
    into: str | None = None
    line: int | None = None
    reason: str | None = None


def row_kind(tag: str) -> str:
    """Return how rows call an element under ``<gazebo>``: its tag, or ``extension`` if URDF itself has such a tag."""
    return "extension" if tag in ("link", "joint", "visual", "collision") else tag


def begin_rows(rows: Iterable[Row], root: Element | None) -> tuple[Row, ...]:
    """Give rows the line on which each start tag begins, in place of the line on which it ends (libxml2 keeps that)."""
    lines = {} if root is None else find_first_lines(root)
    if not lines:
        return tuple(rows)
    lines |= {("extension", end): begin for (tag, end), begin in lines.items() if row_kind(tag) == "extension"}
    return tuple([row._replace(line=_find_line(row, lines)) for row in rows])


def _find_line(row: Row, lines: dict[tuple[str, int], int]) -> int | None:
    if row.line is None:
        return None
    # A row about a child or attribute (link/colision, link/@mass) has the line of that or of its parent.
    tags = ("link", "joint") if row.element == "subtree" else reversed(row.element.split("/"))
    return next((lines[tag, row.line] for tag in tags if (tag, row.line) in lines), row.line)


def place_rows(rows: Iterable[Row], text: object) -> tuple[Row, ...]:
    """Give rows the lines of the xacro file, if the converted `text` was expanded from one."""
    if not isinstance(text, Expanded):
        return tuple(rows)
    return tuple([row._replace(line=text.restore_line(row.line)) for row in rows])


def rows_to_json(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return the rows as ``convert --json`` prints them."""
    return [row._asdict() for row in rows]
