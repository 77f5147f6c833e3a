"""Finds the frames of a model that TF has under other names: with another prefix, or another separator."""
from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

# So many missing frames are compared with all names that TF has, to find what they are called there.
_MOST_COMPARED = 20


class NameSuggestions:
    """Suggests which of the `others`, names in TF that the model does not have, the `missing` frames are."""

    def __init__(self, missing: Sequence[str], others: Collection[str]):
        self.others = {_plain(name): name for name in others}
        counts: Counter[tuple[str, str]] = Counter()  # of (what the model's names begin with, what TF's begin with)
        for name in map(_plain, missing[:_MOST_COMPARED]):
            for other in self.others:
                if other.endswith(name):
                    counts["", other[:len(other) - len(name)]] += 1
                elif name.endswith(other):
                    counts[name[:len(name) - len(other)], ""] += 1
        # Of a single name, "forearm" for "arm" says nothing.
        self.likely = [pair for pair, count in counts.most_common(10) if count > 1 or "".join(pair)[-1:] in ("", "/")]

    def suggest(self, name: str) -> str | None:
        """Return a hint if TF has a missing frame under another name, else None."""
        plain = _plain(name)
        for less, more in self.likely:
            there = self.others.get(more + plain.removeprefix(less)) if plain.startswith(less) else None
            if there is None:
                continue
            if less == more:
                return f"TF has {there!r}: names are joined otherwise there (parameter scope_separator)"
            written = next(there[:i] for i in range(len(there) + 1) if _plain(there[:i]) == more)
            how = f"lack {less!r}" if less else f"begin with {written!r}"
            return f"TF has {there!r}: names there {how} (parameter frame_prefix)"
        return None


def _plain(name: str) -> str:
    return name.replace("::", "/")
