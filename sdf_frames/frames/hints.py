"""Suggests the name that an unknown reference may have meant."""
from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property

from sdf_frames.diagnostics import LONGEST, Comparisons
from sdf_frames.document.blanks import collapse_blanks

_MOST_COMPARISONS = 20_000  # for all of a scope together
_LOOK = 0.1  # cost of looking at a name, relative to comparing it


class NameHints:
    """Hints for references in one scope, whose names are the keys of `index`; none after too many comparisons."""

    def __init__(self, index: dict[str, int]):
        self.index = index
        self.comparisons = Comparisons(_MOST_COMPARISONS)

    @cached_property
    def names(self) -> list[str]:
        """All names in alphabetical order, those of a scope side by side."""
        return sorted(self.index)

    def suggest(self, prefix: str, reference: str, *others: str, also: Sequence[str] = ()) -> str:
        """Return a hint for `reference`, which is unknown in the scope `prefix`: the name that it may have meant.

        Parameters
        ----------
        others : names that it cannot mean: the element itself, and for an end of a joint the other end.
        also : further names that it may mean, although they are not in the scope.
        """
        unknown = "name a frame of this scope, or define one of that name"
        if self.comparisons.left <= 0 or len(reference) > LONGEST:
            return unknown
        first = bisect_left(self.names, prefix)
        last = bisect_left(self.names, prefix[:-1] + ";") if prefix else len(self.names)  # ; follows : in the alphabet
        longest = len(prefix) + LONGEST
        names = [n[len(prefix):] for n in self.names[first:last] if len(n) <= longest]
        names = [*[n for n in names if n not in others], *also]
        self.comparisons.left -= _LOOK * (last - first)
        inner = next((n for n in names if n.endswith("::" + reference)), None)
        if close := _find_same(reference, prefix, names) or inner or self.find_nearest(reference, names):
            if collapse_blanks(close) == reference:
                return f"give {close!r} single blanks: readers do so in the text of a reference"
            return f"did you mean {close!r}?"
        if reference in self.index and prefix:
            return "that name exists outside of this model, but references can only use names inside of it"
        return unknown

    def spend_look(self) -> bool:
        """Count a look at all names; return whether there are comparisons left for it."""
        self.comparisons.left -= _LOOK * len(self.index)
        return self.comparisons.left > 0

    def find_nearest(self, word: str, names: Iterable[str]) -> str | None:
        """Return the name most like `word`; None if no name is."""
        return next(iter(self.comparisons.find_nearest(word, names)), None)


def _find_same(reference: str, prefix: str, names: list[str]) -> str | None:
    """Return the name that differs from `reference` only in case, separators, or the name of the model itself."""
    by_spelling = {name.lower(): name for name in names}
    wanted = re.sub("[./]", "::", reference).lower()
    around, _, rest = wanted.partition("::")
    own = prefix.lower().split("::")[-2] if prefix else around
    is_own = around == own and not any(spelling.startswith(f"{around}::") for spelling in by_spelling)
    return by_spelling.get(wanted) or (by_spelling.get(rest) if is_own else None)
