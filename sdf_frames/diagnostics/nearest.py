"""The name that was meant: those that are most like one that does not exist."""
from __future__ import annotations

from collections.abc import Iterable

#: Names of more letters are not compared: difflib takes as long as the product of two lengths.
LONGEST = 100
_MOST_NAMES = 5_000
_SHORT = 400  # product of two lengths that counts as one name


class Comparisons:
    """How many names may still be compared; long names count as several.

    Attributes
    ----------
    left : names.
    """

    __slots__ = ("left",)

    def __init__(self, left: float = _MOST_NAMES):
        self.left = left

    def find_nearest(self, word: str, names: Iterable[str], most: int = 1) -> list[str]:
        """Up to `most` of the first few thousand `names` that are like `word`, the nearest first."""
        now = allowed = min(self.left, _MOST_NAMES)
        if now <= 0 or len(word) > LONGEST:
            return []
        from difflib import get_close_matches  # only findings take it
        compared = []
        for name in names:
            if now <= 0:
                break
            if len(name) <= LONGEST:
                compared.append(name)
            now -= max(1.0, len(word) * min(len(name), LONGEST) / _SHORT)
        self.left -= allowed - now
        return get_close_matches(word, compared, most)


def find_nearest(word: str, names: Iterable[str], most: int = 1) -> list[str]:
    """Up to `most` of the first few thousand `names` that are like `word`, the nearest first."""
    return Comparisons().find_nearest(word, names, most)


def suggest_name(word: str, names: Iterable[str], comparisons: Comparisons | None = None) -> str | None:
    """The nearest of `names` as a hint; None where none is like `word`. Many words share their `comparisons`."""
    close = (comparisons or Comparisons()).find_nearest(word, names)
    return f"did you mean {close[0]!r}?" if close else None
