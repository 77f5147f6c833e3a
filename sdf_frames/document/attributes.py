"""Refuses elements with very many attributes before libxml2 parses the text.

libxml2 before 2.12 compares each attribute of an element with all others: 50,000 took 26 s.
"""
from __future__ import annotations

from sdf_frames.diagnostics import Diagnostic
from sdf_frames.document.budget import Budget, report_exceeded
from sdf_frames.document.lines import locate_offset

_SHORTEST = len('a=""')  # the shortest attribute; some writers leave out the blank before it


def check_attributes(text: bytes, file: str | None, budget: Budget) -> Diagnostic | None:
    """Return an error for the first element of `text` with more attributes than the budget allows."""
    most = budget.attributes
    # Only few texts need the second look, which passes over comments and sections.
    if _find_crowded(text, 0, most) is None or (crowded := _find_crowded_element(text, most)) is None:
        return None
    start, count = crowded
    return report_exceeded("attributes", count, budget, locate_offset(file, text, start))


def _find_crowded_element(text: bytes, most: int) -> tuple[int, int] | None:
    """Do as :func:`_find_crowded`, without text in comments and sections that looks like a tag."""
    from sdf_frames.document.xml_scan import tokenize
    done = 0
    for kind, start, end in tokenize(text):
        done = end
        if kind == "start" and (count := _count_attributes(text, start)) > most:
            return start, count
    return _find_crowded(text, done, most)  # not well-formed, but libxml2 reads on


def _find_crowded(text: bytes, place: int, most: int) -> tuple[int, int] | None:
    """Return the offset of the first tag from `place` on that has more than `most` attributes, and how many it has.

    A tag is looked at only if no other ``<`` follows within the bytes that so many attributes need.
    """
    shortest = _SHORTEST * most
    start = text.find(b"<", place)
    while 0 <= start < len(text) - shortest:
        following = text.rfind(b"<", start + 1, start + shortest)
        if following < 0:
            if (count := _count_attributes(text, start)) > most:
                return start, count
            following = text.find(b"<", start + shortest)
        start = following
    return None


def _count_attributes(text: bytes, start: int) -> int:
    from sdf_frames.document.xml_scan import read_attributes
    return sum(1 for _ in read_attributes(text, start))
