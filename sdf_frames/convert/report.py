"""The conversion report: one row for each element of the URDF."""

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, get_args

from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.document.elements import Element, line_of

Action = Literal["kept", "lumped", "to-frame", "renamed", "moved", "carried", "dropped"]
ACTIONS: tuple[Action, ...] = get_args(Action)


class Row(NamedTuple):
    """The fate of one element.

    Attributes
    ----------
    element : kind: ``link``, ``joint``, ``visual``, ``collision``, ``sensor``, ``plugin``, …; the tag of a
        ``<gazebo>`` setting. Every link and joint of the URDF has exactly one row of that kind.
    name : name in the URDF; of a setting, what it is set for.
    action : ``kept``, ``lumped``, ``to-frame``, ``renamed``, ``moved``, ``carried`` (in this project's namespace) or
        ``dropped``.
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


class Entry(NamedTuple):
    """A row while a conversion decides: `kind` is its ``element``, and `element` the one that it is about, if any."""

    kind: str
    name: str
    action: Action
    into: str | None = None
    element: Element | None = None
    reason: str | None = None


class Account:
    """The report and the findings of a conversion: each step adds to both."""

    def __init__(self, found: Iterable[Diagnostic] = ()) -> None:
        self.rows: list[Entry] = []
        self.found = [*found]

    def tell(self, kind: str, name: str, action: Action, into: str | None, element: Element | None,
             reason: str | None = None) -> None:
        """Add a row to the report."""
        self.rows.append(Entry(kind, name, action, into, element, reason))

    def report(self, rule: str, at: Location, /, **fields: Any) -> None:
        """Add a finding."""
        self.found.append(diagnose(rule, at, **fields))


def row_kind(tag: str) -> str:
    """Return how rows call an element under ``<gazebo>``: its tag, or ``extension`` if URDF itself has such a tag."""
    return "extension" if tag in ("link", "joint", "visual", "collision") else tag


def make_rows(entries: Iterable[Entry]) -> tuple[Row, ...]:
    """Return the rows of the report, with the lines of the elements."""
    return tuple([Row(e.kind, e.name, e.action, e.into, line_of(e.element), e.reason) for e in entries])
