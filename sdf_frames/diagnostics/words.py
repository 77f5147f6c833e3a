"""Words of messages: counts such as ``2 links``, and suggestions for unknown names."""
from __future__ import annotations

import re
from collections.abc import Iterable


def plural(word: str, count: int, many: str | None = None) -> str:
    """Return `word` for a count of 1, else `many`, or `word` with an s."""
    return word if count == 1 else many or word + "s"


def count_of(count: int, word: str, many: str | None = None) -> str:
    """Return a number with its word: ``1 link``, ``0 links``, ``2 vertices``."""
    return f"{count} {plural(word, count, many)}"


#: How many names, URIs or places a message lists.
LISTED = 8
#: What a finding that stands for several places calls those behind the first.
ANOTHER, SAME_FILE = "another one", "the same file"


def times_of(count: int) -> str:
    """Return the end of a sentence about the first of `count` places; empty for one place."""
    return f" ({count} times, here first)" if count > 1 else ""


#: Names of more letters are not compared: difflib takes as long as the product of two lengths.
LONGEST = 100
_MOST_NAMES = 5_000
_LIKE = 0.6  # least ratio of similar names, as in difflib
_LIKE_ALONE = 0.65  # the same for the parts that only one of two names has
_PART_MORE = 0.7  # the ratio of these parts if one of the two names has none, as laser beside laser_link
_SHORT = 400  # product of two lengths that counts as one name


def shorten_name(name: str) -> str:
    """Return a name for a message, cut if it has more than `LONGEST` letters."""
    return name if len(name) <= LONGEST else name[:LONGEST - 1] + "…"


class Comparisons:
    """Compares at most `left` names; a long name counts as several."""

    __slots__ = ("left",)

    def __init__(self, left: float = _MOST_NAMES):
        self.left = left

    def find_nearest(self, word: str, names: Iterable[str], most: int = 1) -> list[str]:
        """Return up to `most` of the first few thousand `names` that are similar to `word`, the nearest first."""
        now = allowed = min(self.left, _MOST_NAMES)
        if now <= 0 or len(word) > LONGEST:
            return []
        compared = []
        for name in names:
            if now <= 0:
                break
            if len(name) <= LONGEST:
                compared.append(name)
            now -= max(1.0, len(word) * min(len(name), LONGEST) / _SHORT)
        self.left -= allowed - now
        return _find_closest(word, compared, most)


def _find_closest(word: str, names: Iterable[str], most: int) -> list[str]:
    """Return the nearest of the names that ``difflib.get_close_matches`` returns.

    Names that are similar only in whole parts that they share, such as ``left_arm`` and ``left_hand``, are not close.
    The nearest is similar as a whole and without these parts. Only ratios that may be among the highest are computed.
    """
    from difflib import SequenceMatcher  # only findings take it
    matcher, bounds, best = SequenceMatcher(None, "", word), [], list[tuple[float, float, str]]()
    letters = [(letter, word.count(letter)) for letter in set(word)]
    for name in names:
        length, common = len(word) + len(name), 0
        for letter, most_common in letters:
            here = name.count(letter)
            common += here if here < most_common else most_common
        # As `quick_ratio`, in a fifth of its time: no order of the letters gives a higher ratio.
        if (bound := 2 * common / length if length else 1.0) >= _LIKE:
            bounds.append((bound, name))
    for bound, name in sorted(bounds, reverse=True):
        if len(best) == most and bound < best[-1][0]:
            break
        matcher.set_seq1(name)
        if (ratio := matcher.ratio()) >= _LIKE and (alone := _compare_alone(*_leave_differences(word, name))):
            best = sorted([*best, (min(ratio, alone), alone, name)], reverse=True)[:most]
    return [name for *_, name in best]


def _leave_differences(word: str, name: str) -> tuple[str, str]:
    """Return two names without the parts between ``_``, ``.``, ``:`` and ``/`` that both have."""
    one, other = [re.split(r"[_.:/]+", text) for text in (word, name)]
    return "_".join([part for part in one if part not in other]), "_".join([part for part in other if part not in one])


def _compare_alone(word: str, name: str) -> float:
    """Return the ratio of parts that only one of two names has; 0 if they are not similar."""
    from difflib import SequenceMatcher
    if not word or not name:
        return 1.0 if word == name else _PART_MORE
    ratio = SequenceMatcher(None, name, word).ratio()
    return max(ratio, _LIKE_ALONE) if ratio >= _LIKE_ALONE or word.startswith(name) or name.startswith(word) else 0.0


def find_nearest(word: str, names: Iterable[str], most: int = 1) -> list[str]:
    """Return up to `most` of the first few thousand `names` that are similar to `word`, the nearest first."""
    return Comparisons().find_nearest(word, names, most)


def suggest_name(word: str, names: Iterable[str], comparisons: Comparisons | None = None) -> str | None:
    """Return the nearest of `names` as a hint; None if none is similar to `word`. Many words share `comparisons`."""
    close = (comparisons or Comparisons()).find_nearest(word, names)
    return f"did you mean {close[0]!r}?" if close else None
