"""Text that was made of other files, and findings on it placed where those files have the cause."""
from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sdf_frames.diagnostics import Diagnostic, Related


class Place(NamedTuple):
    """Where a start tag is written: file, line and column, both from 1."""

    file: str
    line: int
    column: int


class Expanded(str):
    """A text that a macro language made of a file.

    Attributes
    ----------
    file : the file that was expanded.
    places : where each element of the text, in document order, is written: in the file, an included one, or a macro.
        None for elements that no file holds.
    lines : line of the text on which the start tag of each element begins.
    """

    __slots__ = ("file", "places", "lines")
    file: str
    places: Sequence[Place | None]
    lines: Sequence[int]

    def find_place(self, line: int | None) -> Place | None:
        """Where the element on a line of the text is written."""
        number = bisect_right(self.lines, line) - 1 if line is not None else -1
        return self.places[number] if number >= 0 else None

    def restore_line(self, line: int | None) -> int | None:
        """The line of the expanded file itself that a line of the text stems from; None if another file has it."""
        place = self.find_place(line)
        return place.line if place is not None and place.file == self.file else None

    def restore(self, findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """Findings on the text, each once, at the places in the files that were expanded."""
        return tuple(dict.fromkeys(self._restore_one(d) for d in findings))

    def _restore_one(self, d: Diagnostic) -> Diagnostic:
        related = tuple([self._restore_related(r) if r.file in (None, d.file) and d.file == self.file else r
                         for r in d.related])
        if d.file != self.file or d.line is None:
            return d._replace(related=related)
        place = self.find_place(d.line)
        if place is None:
            return d._replace(line=None, column=None, related=related)
        return d._replace(file=place.file, line=place.line, column=place.column, related=related)

    def _restore_related(self, related: Related) -> Related:
        place = self.find_place(related.line)
        if place is None:
            return related._replace(line=None, column=None)
        return related._replace(file=place.file, line=place.line, column=place.column)


def restore(text: object, findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """`findings` on a text; placed in the files that it was made of, if it is an :class:`Expanded`."""
    return text.restore(findings) if isinstance(text, Expanded) else tuple(findings)
