"""Turns changes of a parsed tree into edits of its text that leave every other character as it was."""
from __future__ import annotations

import re
from bisect import bisect_right
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape  # those of xml.sax import urllib: 24 ms
from itertools import accumulate
from typing import NamedTuple

from lxml import etree

from sdf_frames.diagnostics import Edit
from sdf_frames.document.elements import find_child, put_text_first, tag_of
from sdf_frames.document.places import (
    Element,
    Source,
    find_attribute,
    find_element_end,
    find_number,
    find_tag_end,
    keep_places,
    source_of,
)
from sdf_frames.document.xml_text import find_encoding

_BLANK = re.compile(rb"\s+(?=<)")
_QUOTES = {'"': "&quot;", "'": "&apos;"}


class Edited(NamedTuple):
    """An edit, the element that it changes, and its value before and after."""

    edit: Edit
    element: Element
    old: str
    new: str


class Watch:
    """Records the attributes and texts of a document's elements, to find changes later.

    Parameters
    ----------
    root : of a document as it was parsed.
    """

    def __init__(self, root: Element):
        keep_places(root)
        put_text_first(root)
        self._before = {e: (dict(e.attrib), e.text or "") for e in root.iter(etree.Element)}
        self._root = root

    def find_changes(self) -> list[Edited]:
        """Find the edits that update the document's text to its elements, in document order.

        Values of attributes and texts may have changed, and elements that hold only text may have been added as the
        first child of their parents.

        Raises
        ------
        ValueError
            A change cannot be made in the text.
        """
        source, changes = source_of(self._root), []
        for element in self._root.iter(etree.Element):
            if (before := self._before.get(element)) is None:
                parent, text = element.getparent(), element.text or ""
                assert parent is not None
                written = f"<{element.tag}>{escape(text, quote=False)}</{element.tag}>"
                changes.append(Edited(insert_first(parent, written), element, "", text))
                continue
            for name, value in element.attrib.items():
                if (old := before[0].get(str(name))) != value and old is not None:
                    changes.append(_change_attribute(source, element, str(name), old, str(value)))
            if (element.text or "").strip() != before[1].strip():
                changes.append(_change_text(source, element, before[1].strip(), (element.text or "").strip()))
        return changes


def _find_start(source: Source, element: Element) -> int:
    if (number := find_number(element)) is None or (start := source.find_start(number)) is None:
        raise ValueError(f"<{element.tag}> is not in the text")
    return start


def _change_attribute(source: Source, element: Element, name: str, old: str, new: str) -> Edited:
    span = find_attribute(source, _find_start(source, element), name, old)
    if span is None:
        raise ValueError(f"<{element.tag}> has no attribute {name} in the text")
    quote = (source.text or b"")[span[1]:span[1] + 1].decode()
    return Edited(_make_edit(source, *span, escape(new, quote=False).replace(quote, _QUOTES[quote])), element, old, new)


def _change_text(source: Source, element: Element, old: str, new: str) -> Edited:
    """Write an element's text, as it is read, in one piece, before the instructions between its pieces."""
    from sdf_frames.document.xml_scan import tokenize
    text, begin = source.text or b"", find_tag_end(source, _find_start(source, element))
    if text.startswith(b"/>", begin):
        return Edited(insert_first(element, escape(new, quote=False)), element, old, new)
    spans, notes = list[tuple[int, int]](), list[tuple[int, int]]()
    for kind, start, end in tokenize(text, begin):
        if kind in ("start", "end") or kind == "comment" and spans:
            break
        if kind in ("comment", "instruction"):
            notes.append((start, end))
        elif piece := text[start:end].strip():
            start = text.index(piece, start)
            spans.append((start, start + len(piece)))
    first, last = (spans[0][0], spans[-1][1]) if spans else (begin, begin)
    between = b"".join(text[start:end] for start, end in notes if first < start < last).decode()
    return Edited(_make_edit(source, first, last, escape(new, quote=False) + between), element, old, new)


def insert_first(element: Element, written: str) -> Edit:
    """Insert a text as the first content of an element, after its leading white space."""
    source = source_of(element)
    text, end = source.text or b"", find_tag_end(source, _find_start(source, element))
    if text[end:end + 1] == b"/":
        return _make_edit(source, end, end + 2, f">{written}</{tag_of(element)}>")
    blank = _BLANK.match(text, end)
    return _make_edit(source, end, end, (blank[0].decode() if blank else "") + written)


def fill_element(element: Element, written: str, last: str = "", replace: bool = False) -> Edit:
    """Write a text as the first content of an element, or with `replace` as all of it.

    Of an element that is a single tag, `last` stands behind the text.
    """
    source = source_of(element)
    text, start = source.text or b"", _find_start(source, element)
    begin, (close, end) = find_tag_end(source, start), find_element_end(source, start)
    if close == end:
        return _make_edit(source, len(text[:begin].rstrip()), end, f">{written}{last}</{tag_of(element)}>")
    return _make_edit(source, begin, close if replace else begin, written)


def edit_text(element: Element, new: str) -> Edit:
    """Replace the text of an element that holds only text."""
    return _change_text(source_of(element), element, "", new).edit


def edit_attributes(element: Element, changes: Mapping[str, tuple[str, str] | None]) -> list[Edit]:
    """Set the names and values of attributes, by their names; None removes an attribute, a missing one is added."""
    from sdf_frames.document.xml_scan import read_attributes
    source, new = source_of(element), dict(changes)
    end = (start := _find_start(source, element)) + len(str(element.tag)) + 1
    edits = []
    for attribute in read_attributes(source.text or b"", start):
        end, old = attribute.end(), attribute[2].decode()
        if old not in new:
            continue
        if (change := new.pop(old)) is None:
            edits.append(_make_edit(source, attribute.start(), end, ""))
        else:
            spans = (attribute.span(2), (attribute.start(4) + 1, end - 1))
            edits += [_make_edit(source, *span, text) for span, text in zip(spans, change)]
    if added := "".join(f' {name}="{value}"' for name, value in filter(None, new.values())):
        edits.append(_make_edit(source, end, end, added))
    return edits


def edit_child(parent: Element, tag: str, values: Mapping[str, str | None]) -> list[Edit]:
    """Set attributes of the first child of a tag, which is added if missing; None removes an attribute."""
    if (child := find_child(parent, tag)) is None:
        words = [f' {name}="{value}"' for name, value in values.items() if value is not None]
        return [insert_first(parent, f"<{tag}{''.join(words)}/>")]
    return edit_attributes(child, {name: None if value is None else (name, value) for name, value in values.items()})


def edit_tag(element: Element, tag: str) -> list[Edit]:
    """Change the tag of an element."""
    source = source_of(element)
    start, length = _find_start(source, element) + 1, len(str(element.tag))
    close, end = find_element_end(source, start - 1)
    return [_make_edit(source, at, at + length, tag) for at in (start, *([close + 2] if close < end else ()))]


def find_line_start(element: Element) -> str:
    """Return the end of a line and the white space in front of an element; "" if it does not begin a line."""
    source = source_of(element)
    text, start = source.text or b"", _find_start(source, element)
    begin = text.rfind(b"\n", 0, start) + 1
    before = text[begin:start].decode()
    return "" if before.strip() or not begin else ("\r\n" if text[begin - 2:begin] == b"\r\n" else "\n") + before


def append_sibling(element: Element, texts: Iterable[str]) -> Edit:
    """Write texts behind an element, each on a line of its own if the element has one."""
    source, gap = source_of(element), find_line_start(element)
    start = _find_start(source, element)
    end = find_element_end(source, start)[1]
    return _make_edit(source, end, end, "".join(gap + piece for piece in texts))


def edit_out(element: Element) -> Edit:
    """Remove an element with the white space before it."""
    source = source_of(element)
    start = _find_start(source, element)
    return _make_edit(source, _skip_space_back(source, start), find_element_end(source, start)[1], "")


def append_text(element: Element, text: str) -> Edit:
    """Insert a text after the content of an element that is not empty."""
    source = source_of(element)
    end = _skip_space_back(source, find_element_end(source, _find_start(source, element))[0])
    return _make_edit(source, end, end, text)


def _skip_space_back(source: Source, offset: int) -> int:
    """Return where the white space before an offset begins."""
    text = source.text or b""
    while text[offset - 1:offset].isspace():
        offset -= 1
    return offset


def read_edited(element: Element, edits: Iterable[Edit], whole: bool = True) -> str:
    """Return an element, or only its content, as it is written after edits within it."""
    source = source_of(element)
    start, text = _find_start(source, element), source.text or b""
    close, end = find_element_end(source, start)
    if not whole:
        start, end = find_tag_end(source, start) if close < end else end, close
    around = (_make_edit(source, 0, start, ""), _make_edit(source, end, len(text), ""))
    return apply_to_text(text.decode(), [*edits, *around])


def read_written(element: Element) -> str:
    """Return an element as it is written."""
    source = source_of(element)
    start = _find_start(source, element)
    return (source.text or b"")[start:find_element_end(source, start)[1]].decode()


def _make_edit(source: Source, start: int, end: int, text: str) -> Edit:
    return Edit(*source.place(start), *source.place(end), text)


def apply_edits(content: bytes, edits: Iterable[Edit]) -> bytes:
    """Apply edits that do not overlap to a document in any encoding; every other byte stays as it was."""
    encoding = find_encoding(content)
    if encoding.startswith(("utf-16", "utf-32")):
        return apply_to_text(content.decode(encoding), edits).encode(encoding)
    return _apply(content, edits, "utf-8" if encoding.endswith("ascii") else encoding)  # as it is read


def apply_to_text(text: str, edits: Iterable[Edit]) -> str:
    """Apply edits that do not overlap to a document in a string."""
    return _apply(text.encode(errors="surrogatepass"), edits, "utf-8").decode(errors="surrogatepass")


def _apply(content: bytes, edits: Iterable[Edit], encoding: str) -> bytes:
    lines = content.split(b"\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    mark = int(content.startswith(BOM_UTF8))

    @cache
    def list_ends(line: int) -> Sequence[int] | None:
        return _list_ends(lines[line - 1], encoding)

    def find_offset(line: int, column: int) -> int:
        ends, count = list_ends(line), column - 1 + (mark if line == 1 else 0)
        return starts[line - 1] + (_skip_characters(lines[line - 1], count, encoding) if ends is None else
                                   ends[min(count, len(ends) - 1)])

    pieces, done = [], 0
    for edit in sorted(edits):
        first, last = find_offset(*edit[:2]), find_offset(*edit[2:4])
        pieces += [content[done:first], edit.text.encode(encoding, "xmlcharrefreplace")]
        done = last
    return b"".join([*pieces, content[done:]])


def _list_ends(text: bytes, encoding: str) -> Sequence[int] | None:
    """Return the offsets after 0, 1, 2, … characters; None if some are invalid."""
    decoded = text.decode(encoding, "replace")
    if len(decoded) == len(text):
        return range(len(text) + 1)
    if "\ufffd" in decoded:
        return None
    return [0, *accumulate(len(character.encode(encoding)) for character in decoded)]


def _skip_characters(text: bytes, count: int, encoding: str) -> int:
    """Return the offset after `count` characters; an invalid one counts as when the document is read."""
    return bisect_right(range(len(text) + 1), count, key=lambda end: len(text[:end].decode(encoding, "replace"))) - 1


def insert_elements(parent: Element, before: Element | None, children: Iterable[Element]) -> None:
    """Insert elements after the child `before`, or before all children, with the white space of their neighbours.

    The time does not depend on the number of children.
    """
    for child in children:
        if before is None:
            parent.insert(0, child)
            child.tail = parent.text
        else:
            tail, is_last = before.tail, before.getnext() is None
            before.tail = child.tail = None  # some versions of lxml insert before the tail
            before.addnext(child)
            before.tail, child.tail = parent.text if is_last else tail, tail
        before = child


def append_element(parent: Element, child: Element) -> None:
    """Add an element after all children, with the white space of its neighbours."""
    insert_elements(parent, next(parent.iterchildren(reversed=True), None), [child])


def remove_element(element: Element) -> None:
    """Remove an element from its tree, with the white space after it."""
    if (parent := element.getparent()) is not None:
        parent.remove(element)
