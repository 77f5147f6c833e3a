"""Numbers in a tree that are not finite: the result of a computation that overflowed."""
from __future__ import annotations

from collections.abc import Iterable

from lxml import etree

from sdf_frames.document.location import written_part
from sdf_frames.document.places import Element

_WORDS = ("inf", "nan")
_AROUND = " \t\r\n\"'<>"


def is_not_finite(text: str) -> bool:
    """Return whether a text holds such a number as a word, as ``format_number`` writes it."""
    for word in _WORDS:
        at = text.find(word)
        while at >= 0:
            before = text[max(at - 2, 0):at].removesuffix("-")[-1:]
            if before in _AROUND and text[at + 3:at + 4] in _AROUND:
                return True
            at = text.find(word, at + 1)
    return False


def find_overflow(root: Element, originals: Iterable[Element] = ()) -> Element | None:
    """Return the first element with such a number that is not written so in the file it stems from.

    `originals` are the trees that `root` was copied from, if its elements do not know where they stem from.
    """
    known = {(e.tag, e.text) for tree in originals for e in tree.iter(etree.Element)}
    for element in root.iter(etree.Element):
        if any(is_not_finite(str(value)) for value in (element.text or "", *element.attrib.values())) and (
                (element.tag, element.text) not in known and not is_not_finite(written_part(element).lower())):
            return element
    return None
