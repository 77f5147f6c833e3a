"""Refuses elements with very many attributes before libxml2 parses the text.

libxml2 before 2.12 compares each attribute of an element with all others: 50,000 took 26 s.
"""
from __future__ import annotations

from collections.abc import Iterator

from sdf_frames.diagnostics import Diagnostic
from sdf_frames.document.budget import Budget, report_exceeded
from sdf_frames.document.lines import locate_offset

_SHORTEST = len('a=""')  # the shortest attribute; some writers leave out the blank before it


def check_attributes(text: bytes, file: str | None, budget: Budget) -> Diagnostic | None:
    """Return an error for the first element of `text` with more attributes than the budget allows."""
    if next(_find_crowded(text, 0, budget.attributes), None) is None:
        return None
    for start, count in _find_crowded_elements(text, budget.attributes):
        return report_exceeded("attributes", count, budget, locate_offset(file, text, start))
    return None


def _find_crowded_elements(text: bytes, most: int) -> Iterator[tuple[int, int]]:
    """Do as :func:`_find_crowded`, without text in comments and sections that looks like a tag."""
    from sdf_frames.document.xml_scan import count_attributes, tokenize
    done = 0
    for kind, start, end in tokenize(text):
        done = end
        if kind == "start" and (count := count_attributes(text, start)) > most:
            yield start, count
    yield from _find_crowded(text, done, most)  # not well-formed, but libxml2 reads on


def _find_crowded(text: bytes, place: int, most: int) -> Iterator[tuple[int, int]]:
    """Yield the offset of each tag from `place` on that has more than `most` attributes, and how many it has.

    A tag is looked at only if no other ``<`` follows within the bytes that so many attributes need.
    """
    shortest = _SHORTEST * most
    start = text.find(b"<", place)
    while 0 <= start < len(text) - shortest:
        following = text.rfind(b"<", start + 1, start + shortest)
        if following < 0:
            from sdf_frames.document.xml_scan import count_attributes
            if (count := count_attributes(text, start)) > most:
                yield start, count
            following = text.find(b"<", start + shortest)
        start = following
