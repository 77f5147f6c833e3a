"""Trees to XML text, the same bytes for the same tree."""
from __future__ import annotations

from lxml import etree

from sdf_frames.document.xml_in import Element


def write_xml(root: Element) -> str:
    """Text of a tree that holds no blank text nodes, indented by two spaces, ending with a line break."""
    return '<?xml version="1.0"?>\n' + etree.tostring(root, pretty_print=True, encoding="unicode")
