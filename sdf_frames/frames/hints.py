"""Suggests the name that an unknown reference may have meant."""
from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property
from itertools import islice

from sdf_frames.diagnostics.nearest import find_nearest

_MOST_COMPARISONS = 50_000  # for all of a scope together


class NameHints:
    """Hints for references in one scope, whose names are the keys of `index`. After many comparisons, it gives none."""

    def __init__(self, index: dict[str, int]):
        self.index = index
        self.left = _MOST_COMPARISONS

    @cached_property
    def names(self) -> list[str]:
        """All names in alphabetical order, those of a scope side by side."""
        return sorted(self.index)

    def suggest(self, prefix: str, reference: str, *others: str) -> str:
        """Return a hint for `reference`, which is unknown in the scope `prefix`: the name that it may have meant.

        It is none of `others`: the name of the element itself, and for an end of a joint that of the other end.
        """
        unknown = "no frame of that name is in this scope"
        if self.left <= 0:
            return unknown
        first = bisect_left(self.names, prefix)
        last = bisect_left(self.names, prefix[:-1] + ";") if prefix else len(self.names)  # ; follows : in the alphabet
        names = [n[len(prefix):] for n in self.names[first:last]]
        names = [n for n in names if n not in others]
        self.left -= len(names)
        inner = next((n for n in names if n.endswith("::" + reference)), None)
        if close := inner or self.find_nearest(reference, names):
            return f"did you mean {close!r}?"
        if reference in self.index and prefix:
            return "that name exists outside of this model, but references can only use names inside of it"
        return unknown

    def find_nearest(self, word: str, names: Iterable[str]) -> str | None:
        """Return the name most like `word`; None if no name is."""
        names = list(islice(names, max(self.left, 0)))
        self.left -= len(names)
        return next(iter(find_nearest(word, names)), None)
