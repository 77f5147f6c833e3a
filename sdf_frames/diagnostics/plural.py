"""Counts in words: ``1 link``, ``2 links``."""


def plural(word: str, count: int, many: str | None = None) -> str:
    """Return `word` for one thing; for any other number of things `many`, or `word` with an s."""
    return word if count == 1 else many or word + "s"


def count_of(count: int, word: str, many: str | None = None) -> str:
    """Return the number and the word that fits it: ``1 link``, ``0 links``, ``2 vertices``."""
    return f"{count} {plural(word, count, many)}"


def times_of(count: int) -> str:
    """Return what is put behind a sentence on the first of `count` places: nothing for one."""
    return f" ({count} times, here first)" if count > 1 else ""
