"""Text that was expanded from other files; findings on it are moved to the places in those files."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sdf_frames.diagnostics import Diagnostic, Related


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
    """

    __slots__ = ("file", "places", "lines")
    file: str
    places: Sequence[Place | None]
    lines: Sequence[int]

    def find_place(self, line: int | None) -> Place | None:
        """Return the location of the element on a line of the text; None if it is in no file."""
        number = bisect_right(self.lines, line) - 1 if line is not None else -1
        return self.places[number] if number >= 0 else None

    def restore_line(self, line: int | None) -> int | None:
        """Return the line of the expanded file that a line of the text stems from; None if that is in another file."""
        place = self.find_place(line)
        return place.line if place is not None and place.file == self.file else None

    def restore(self, findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """Return findings on the text, each once, with their locations in the files that were expanded."""
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
