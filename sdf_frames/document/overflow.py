"""Numbers in a tree that are not finite: the result of a computation that overflowed."""
from __future__ import annotations

from lxml import etree

from sdf_frames.document.numbers import OVERFLOW
from sdf_frames.document.places import Element


def find_overflow(root: Element) -> Element | None:
    """Return the first element with a number that this library computed and that is not finite."""
    return next((element for element in root.iter(etree.Element)
                 if any(OVERFLOW in str(value) for value in (element.text or "", *element.attrib.values()))), None)
