"""Changes as data, as text, and as JSON."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import degrees, inf
from typing import Any, overload

import sdf_frames as sf

ADDED, REMOVED, RENAMED = "added", "removed", "renamed"
#: The subjects of changes, in the order in which they are shown.
SUBJECTS = ("description", "world", "model", "link", "joint", "frame", "inertia", "visual", "collision", "file",
            "sensor", "plugin", "light")  # then other parts by their names, and findings


@dataclass(frozen=True, slots=True)
class Change:
    """One difference.

    Attributes
    ----------
    subject : ``description``, ``world``, ``model``, ``link``, ``joint``, ``frame``, ``inertia``, ``visual``,
        ``collision``, ``file`` (that a URI leads to), the tag of another part such as ``sensor``, ``plugin`` or
        ``light``, or ``finding``.
    name : name in A, or in B if A does not have the part: the URDF name for two URDFs, else the SDF name. A shape or
        sensor is ``LINK::NAME``, a shape of a URDF without a name ``LINK::visual[NUMBER]``.
    what : ``added``, ``removed``, ``renamed``, or the property that differs: ``pose``, ``type``, ``parent``, ``axis``,
        ``lower``, ``damping``, ``mass``, ``com``, ``moments``, ``geometry``, ``uri``, ``path``, ``colour``, …;
        for other settings their path in the element, such as ``camera/image/width``.
    old, new : the values in A and B, or None. Metres, radians, kilograms; settings are texts.
    text : the change in words, with units.
    """

    subject: str
    name: str
    what: str
    old: Any = None
    new: Any = None
    text: str = ""


class Differences(Sequence[Change]):
    """The differences of two descriptions: a sequence of :class:`Change`, empty (and False) if there are none.

    Attributes
    ----------
    a, b : names of the files, or None.
    """

    __slots__ = ("a", "b", "_changes")

    def __init__(self, a: str | None, b: str | None, changes: Sequence[Change]) -> None:
        self.a, self.b = a, b
        self._changes = tuple(sorted(changes, key=_find_place))

    @overload
    def __getitem__(self, item: int) -> Change: ...
    @overload
    def __getitem__(self, item: slice) -> tuple[Change, ...]: ...

    def __getitem__(self, item: int | slice) -> Change | tuple[Change, ...]:
        return self._changes[item]

    def __len__(self) -> int:
        return len(self._changes)

    def __iter__(self) -> Iterator[Change]:
        return iter(self._changes)

    def __repr__(self) -> str:
        return f"<Differences between {self.a or 'text'} and {self.b or 'text'}: {len(self)}>"

    def __str__(self) -> str:
        """Return the changes as lines of text, grouped by subject; "no differences" if there are none."""
        lines, subject = [], None
        for change in self:
            if change.subject != subject:
                subject = change.subject
                lines.append(_PLURALS.get(subject, f"{subject}s") + ":")
            lines.append(f"  {_MARKS.get(change.what, '~')} {change.name}{': ' if change.text else ''}{change.text}")
        return "\n".join(lines) or "no differences"

    def to_json(self) -> dict[str, Any]:
        """Return the differences as a dictionary for `json.dumps`."""
        return {"a": self.a, "b": self.b, "equal": not self, "changes": [asdict(change) for change in self]}


def show(value: float) -> str:
    """Return a number with four digits, or with all digits before the point; also one that is too large for a float."""
    return f"{value:.4g}" if value < 1e4 else "over 1e308" if value == inf else f"{value:.0f}"


def note_resolution(subject: str, name: str, before: bool, after: bool) -> Change:
    """Return the change of a part whose pose can be resolved in only one of two files."""
    states = ["resolved" if known else "not resolved" for known in (before, after)]
    return Change(subject, name, "pose", None, None, " -> ".join(states))


def compare_poses(subject: str, name: str, X: sf.Pose, Y: sf.Pose, tolerance: float,
                  within: str = "") -> Iterator[Change]:
    """Yield a change if two poses differ by more than the tolerance (metres, radians); `within` ends its text."""
    shift, turn = map(float, X.measure(Y))
    if shift > tolerance or turn > tolerance:
        old, new = ([*Z.xyz.tolist(), *Z.quat_wxyz.tolist()] for Z in (X, Y))
        moved, turned = (round(value, 12) for value in (shift * 1e3, degrees(turn)))  # no rounding errors
        yield Change(subject, name, "pose", old, new, f"moved {show(moved)} mm, turned {turned:.4g} deg{within}")


_MARKS = {ADDED: "+", REMOVED: "-"}
_PLURALS = {"physics": "physics", "battery": "batteries"}


def _find_place(change: Change) -> tuple[int, str]:
    """Return the sort key of a change: by its subject, findings last."""
    if change.subject in SUBJECTS:
        return SUBJECTS.index(change.subject), ""
    return len(SUBJECTS) + (change.subject == "finding"), change.subject
