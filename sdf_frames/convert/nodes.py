"""What a conversion builds: elements as light objects and pieces of ready text, written once and only then parsed.

An lxml element costs several times what its text does, and most of a robot's SDF is never looked at again while it is
made. What later steps look up is a :class:`Node`; what nobody looks up is a piece: a tuple of whole lines of XML and the
source line that all elements which begin there stem from. Elements of ``<gazebo>`` are copies of the URDF's own.
"""
from __future__ import annotations

import re

from lxml import etree

from sdf_frames.document.xml_in import Document, Element, read_xml

# The depth at which pieces are written.
IN_MODEL, IN_LINK, IN_SHAPE = "    ", "      ", "        "
MAX_LINE = 65535  # libxml2 keeps lines in 16 bits
_SPECIAL = re.compile('[&<>"\n\r\t]').search
_IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_IN_ATTRIBUTE = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;",
                               "\t": "&#9;"})


class Node:
    """An element; `children` are nodes, pieces and elements of lxml."""

    __slots__ = ("tag", "attributes", "text", "line", "children")

    def __init__(self, tag: str, line: int | None, text: str | None = None, **attributes: str):
        self.tag, self.line, self.text, self.attributes = tag, line, text, attributes
        self.children: list = []

    def find(self, tag: str) -> Node | Element | None:
        """The first child of that tag that is no part of a piece."""
        return next(self.iterfind(tag), None)

    def iterfind(self, tag: str):
        """The children of that tag that are no part of a piece."""
        return (child for child in self.children if type(child) is not tuple and child.tag == tag)

    def get(self, name: str) -> str | None:
        return self.attributes.get(name)

    def append(self, child: Node | tuple | Element) -> None:
        self.children.append(child)

    def remove(self, child: Node | Element) -> None:
        self.children.remove(child)


def escape_text(text: str) -> str:
    """`text` as content of an element."""
    return text if text.isidentifier() or not _SPECIAL(text) else text.translate(_IN_TEXT)


def escape_attribute(text: str) -> str:
    """`text` as an attribute's value between double quotes."""
    return text if text.isidentifier() or not _SPECIAL(text) else text.translate(_IN_ATTRIBUTE)


def freeze(node: Node, indent: str) -> list[tuple]:
    """What `node` holds, as it is now, as pieces."""
    pieces: list[tuple] = []
    _write_children(node, indent, pieces)
    return pieces


def write_nodes(root: Node) -> str:
    """Text of the tree, indented by two spaces, as :func:`~sdf_frames.document.xml_out.write_xml` writes it."""
    return "".join([text for text, _ in _write(root)])


def read_nodes(root: Node, file: str | None) -> Document:
    """The tree as a document of `file`, each element with the line that it stems from."""
    pieces = _write(root)
    document, _ = read_xml("".join([text for text, _ in pieces]), file)
    elements = document.root.iter("*")
    for text, line in pieces[1:]:
        lines = line if type(line) is list else [line] * (text.count("<") - text.count("</"))
        for line in lines:
            next(elements).sourceline = min(line or 0, MAX_LINE)
    return document


def _write(root: Node) -> list[tuple]:
    pieces: list[tuple] = [('<?xml version="1.0"?>\n', None)]
    _write_node(root, "", pieces)
    return pieces


def _write_node(node: Node, indent: str, pieces: list) -> None:
    tag = node.tag
    start = "".join([f"{indent}<{tag}", *[f' {name}="{escape_attribute(value)}"' for name, value in node.attributes.items()]])
    if not node.children:
        pieces.append((f"{start}/>\n" if node.text is None else f"{start}>{escape_text(node.text)}</{tag}>\n", node.line))
        return
    pieces.append((start + ">\n", node.line))
    _write_children(node, indent + "  ", pieces)
    pieces.append((f"{indent}</{tag}>\n", None))


def _write_children(node: Node, indent: str, pieces: list) -> None:
    """Pieces for the children; with an element of lxml go the lines of all within."""
    for child in node.children:
        kind = type(child)
        if kind is tuple:
            pieces.append(child)
        elif kind is not Node:
            pieces.append((_write_element(child, len(indent) // 2), [element.sourceline for element in child.iter("*")]))
        elif child.text is None or child.attributes:
            _write_node(child, indent, pieces)
        else:
            pieces.append((f"{indent}<{child.tag}>{escape_text(child.text)}</{child.tag}>\n", child.line))


def _write_element(element: Element, depth: int) -> str:
    """Text of an element of lxml that nothing else holds, `depth` levels down."""
    top = around = etree.Element("a")
    for _ in range(depth - 1):
        around = etree.SubElement(around, "a")
    around.append(element)
    text = etree.tostring(top, pretty_print=True, encoding="unicode")
    around.remove(element)
    lines = text.split("\n")
    return "\n".join(lines[depth:-depth - 1]) + "\n"
