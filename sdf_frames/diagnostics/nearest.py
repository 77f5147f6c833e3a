"""The name that was meant: those that are most like one that does not exist."""
from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

_MOST_NAMES = 5_000  # comparing is slow


def find_nearest(word: str, names: Iterable[str], most: int = 1) -> list[str]:
    """Up to `most` of the first few thousand `names` that are like `word`, the nearest first."""
    from difflib import get_close_matches  # only findings take it
    return get_close_matches(word, islice(names, _MOST_NAMES), most)


def suggest_name(word: str, names: Iterable[str]) -> str | None:
    """The nearest of `names` as a hint; None where none is like `word`."""
    close = find_nearest(word, names)
    return f"did you mean {close[0]!r}?" if close else None
