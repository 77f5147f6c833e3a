"""What a conversion builds: elements as light objects and pieces of ready text, written once and only then parsed.

An lxml element costs several times what its text does, and most of a robot's SDF is never looked at again while it is
made. What later steps look up is a :class:`Node`, what nobody looks up is a :class:`Piece`; elements of ``<gazebo>``
are copies of the URDF's own.
"""
from __future__ import annotations

import re
from typing import NamedTuple

from lxml import etree

from sdf_frames.document.xml_in import Document, Element, read_xml

# The depth at which pieces are written.
IN_MODEL, IN_LINK, IN_SHAPE = "    ", "      ", "        "
MAX_LINE = 65535  # libxml2 keeps lines in 16 bits
_SPECIAL = re.compile('[&<>"\n\r\t]').search
_IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_IN_ATTRIBUTE = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;",
                               "\t": "&#9;"})


class Piece(NamedTuple):
    """Whole lines of XML; `lines` has (how many start tags, the source line that they stem from), in order."""

    text: str
    lines: tuple[tuple[int, int | None], ...]


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
        return (child for child in self.children if type(child) is not Piece and child.tag == tag)

    def get(self, name: str) -> str | None:
        return self.attributes.get(name)

    def append(self, child: Node | Piece | Element) -> None:
        self.children.append(child)

    def remove(self, child: Node | Element) -> None:
        self.children.remove(child)


def escape_text(text: str) -> str:
    """`text` as content of an element."""
    return text.translate(_IN_TEXT) if _SPECIAL(text) else text


def escape_attribute(text: str) -> str:
    """`text` as an attribute's value between double quotes."""
    return text.translate(_IN_ATTRIBUTE) if _SPECIAL(text) else text


def freeze(node: Node, indent: str) -> Piece:
    """What `node` holds, as it is now, as a piece."""
    texts, lines = [], []
    _write_children(node, indent, texts, lines)
    return Piece("".join(texts), tuple(lines))


def write_nodes(root: Node) -> str:
    """Text of the tree, indented by two spaces, as :func:`~sdf_frames.document.xml_out.write_xml` writes it."""
    return "".join(_write(root)[0])


def read_nodes(root: Node, file: str | None) -> Document:
    """The tree as a document of `file`, each element with the line that it stems from."""
    texts, lines = _write(root)
    document, _ = read_xml("".join(texts), file)
    elements = document.root.iter("*")
    for count, line in lines:
        line = min(line or 0, MAX_LINE)
        for _ in range(count):
            next(elements).sourceline = line
    return document


def _write(root: Node) -> tuple[list[str], list[tuple[int, int | None]]]:
    texts, lines = ['<?xml version="1.0"?>\n'], []
    _write_node(root, "", texts, lines)
    return texts, lines


def _write_node(node: Node, indent: str, texts: list, lines: list) -> None:
    lines.append((1, node.line))
    tag = node.tag
    start = "".join([f"{indent}<{tag}", *[f' {name}="{escape_attribute(value)}"' for name, value in node.attributes.items()]])
    if not node.children:
        texts.append(f"{start}/>\n" if node.text is None else f"{start}>{escape_text(node.text)}</{tag}>\n")
        return
    texts.append(start + ">\n")
    _write_children(node, indent + "  ", texts, lines)
    texts.append(f"{indent}</{tag}>\n")


def _write_children(node: Node, indent: str, texts: list, lines: list) -> None:
    for child in node.children:
        kind = type(child)
        if kind is Piece:
            texts.append(child.text)
            lines += child.lines
        elif kind is not Node:
            texts.append(_write_element(child, len(indent) // 2))
            lines += [(1, element.sourceline) for element in child.iter("*")]
        elif child.text is None or child.attributes:
            _write_node(child, indent, texts, lines)
        else:
            texts.append(f"{indent}<{child.tag}>{escape_text(child.text)}</{child.tag}>\n")
            lines.append((1, child.line))


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
