"""Writes trees as XML text; the same tree gives the same bytes."""
from __future__ import annotations

from lxml import etree

from sdf_frames.document.elements import Element


def write_xml(root: Element) -> str:
    """Return the text of a tree without white space between its elements, indented by two spaces."""
    return '<?xml version="1.0"?>\n' + etree.tostring(root, pretty_print=True, encoding="unicode")


def write_tree(tree: Element) -> str:
    """Return a tree as text in UTF-8; a whole document includes the comments around its root element."""
    nodes = [tree]
    if tree.getparent() is None:
        nodes = [*reversed(list(tree.itersiblings(preceding=True))), tree, *tree.itersiblings()]
    parts = [etree.tostring(node, encoding="unicode", with_tail=False).strip() for node in nodes]
    return "\n".join(['<?xml version="1.0"?>', *parts]) + "\n"
