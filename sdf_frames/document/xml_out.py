"""Writes trees as XML text; the same tree gives the same bytes."""
from __future__ import annotations

from lxml import etree

from sdf_frames.document.xml_in import Element


def write_xml(root: Element) -> str:
    """Return the text of a tree without white space between its elements, indented by two spaces."""
    return '<?xml version="1.0"?>\n' + etree.tostring(root, pretty_print=True, encoding="unicode")
