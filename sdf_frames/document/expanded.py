"""Text that was expanded from other files: findings on it are moved to their places in these files.

Also tells xacro files, and their arguments on a command line, from others.
"""
from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from sdf_frames.diagnostics import Diagnostic, Location, Related

Located = TypeVar("Located", Diagnostic, Related, Location)


class Place(NamedTuple):
    """The location of a start tag: file, and line and column from 1."""

    file: str
    line: int
    column: int


class Expanded(str):
    """A text that a macro language made of a file.

    Attributes
    ----------
    file : the file that was expanded.
    places : the location of each element of the text, in document order: in the file, in an included one, or in a
        macro. None for an element that is in no file.
    lines : line of the text on which the start tag of each element begins.
    findings : warnings on the expansion itself; a load takes them over.
    """

    file: str
    places: Sequence[Place | None]
    lines: Sequence[int]
    findings: Sequence[Diagnostic] = ()

    def find_place(self, line: int | None) -> Place | None:
        """Return the location of the element on a line of the text; None if it is in no file."""
        number = bisect_right(self.lines, line) - 1 if line is not None else -1
        return self.places[number] if number >= 0 else None

    def restore_line(self, line: int | None) -> int | None:
        """Return the line of the expanded file that a line of the text stems from; None if that is in another file."""
        place = self.find_place(line)
        return place.line if place is not None and place.file == self.file else None

    def restore(self, d: Diagnostic) -> Diagnostic:
        """Return a finding on the text, named as its file or not at all, located in the files that were expanded."""
        if d.file not in (None, self.file):
            return d
        related = tuple([self.restore_place(r) if r.file in (None, d.file) else r for r in d.related])
        return self.restore_place(d)._replace(related=related)

    def restore_place(self, at: Located) -> Located:
        """Return what is located on a line of the text, located in the file that has its element."""
        place = self.find_place(at.line)
        return at._replace(line=None, column=None) if place is None else at._replace(**place._asdict())


def restore(text: object, findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """`findings` on a text; each once and placed in the files that it was made of, if it is an :class:`Expanded`."""
    if isinstance(text, Expanded):
        findings = dict.fromkeys(map(text.restore, findings))
    return tuple(findings)


def is_xacro(file: str) -> bool:
    """Return whether a file is xacro, by its name: the content of a xacro file can look like a URDF."""
    return file.endswith(".xacro")


def split_arguments(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Return `words` of a command line without arguments ``name:=value``, and the arguments as a dictionary."""
    arguments = dict(word.split(":=", 1) for word in words if ":=" in word)
    return [word for word in words if ":=" not in word], arguments
