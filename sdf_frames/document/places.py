"""The positions of elements in the text that they were parsed from.

libxml2 keeps only the line on which the start tag of an element ends, in 16 bits. Findings state where the start tag
begins. This is computed for the first finding on a document: its n-th start tag is its n-th element.
Before elements of a tree are moved, :func:`keep_places` must be called.
"""
from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import chain, count
from typing import NamedTuple

from lxml import etree

from sdf_frames.document.expanded import Expanded, Place
from sdf_frames.document.xml_text import Lines

Element = etree._Element
#: The origin of an element: the n-th start tag of a text, or the element or attribute of another document that it was
#: made from.
Start = int | Element | tuple[Element, str]
#: None where nothing is known.
Starts = dict[Element, Start | None]

# In well-formed text < begins markup; within comments, sections and instructions it is text.
_MARKUP = rb"(?s)<(?:!--.*?-->|!\[CDATA\[.*?\]\]>|\?.*?\?>|([^/!?]))"


class Source:
    """One text that was parsed.

    Attributes
    ----------
    file : its name, or None.
    text : UTF-8, character for character as it was given; None for a document that this library has made.
    given : the text as it was given, in its own encoding.
    copied : the root of the document that this one is a copy of: see :func:`copy_document`.
    mended : whether defects were mended, so that a ``<`` may begin no markup.
    expanded : the given text, if xacro made it from other files: places are then in these files.
    others : sources of elements that were inserted into this document (the keys); their elements are kept.
    recent : the source of `others` that was found last, if any.
    siblings : numbers of elements among the children of their parents, for the parents used last.
    """

    __slots__ = ("file", "text", "given", "mended", "copied", "expanded", "others", "recent", "siblings", "_elements",
                 "_starts_of", "_starts", "_lines")

    def __init__(self, file: str | None, text: bytes | None = None, *, mended: bool = False,
                 copied: Element | None = None, starts: Starts | None = None,
                 given: str | bytes | Expanded | None = None):
        self.file, self.text, self.given, self.mended, self.copied = file, text, given, mended, copied
        self.expanded = given if isinstance(given, Expanded) else None
        self.others: dict[Source, None] = {}
        self.recent: tuple[Source, ...] = ()
        self.siblings: dict[Element, dict[Element, int]] = {}
        # The elements in the order of their start tags: they must stay alive to be the same objects when looked up.
        self._elements: list[Element] | None = None
        self._starts_of = starts
        self._starts: list[int] | None = None
        self._lines: Lines | None = None

    def keep(self, root: Element) -> list[Element]:
        """Record the order of the elements, and return them; at the first call, `root` must be as it was parsed."""
        if self._elements is None:
            self._elements = [] if self.text is None and self.copied is None else list(root.iter(etree.Element))
        return self._elements

    def element(self, number: int) -> Element:
        """Return the element of the n-th start tag, once the elements are kept."""
        return (self._elements or [])[number]

    @property
    def starts_of(self) -> Starts:
        """The origins of elements, once they are kept."""
        if self._starts_of is None:
            starts: Iterable[Start | None] = count()
            if self.copied is not None:
                keep_places(self.copied)
                starts = map(source_of(self.copied).starts_of.get, self.copied.iter(etree.Element))
            self._starts_of = _join(self._elements or (), starts)
        return self._starts_of

    def find_start(self, number: int) -> int | None:
        """Return the offset of the n-th start tag; None if it is unknown."""
        if self.copied is not None:
            return source_of(self.copied).find_start(number)
        if self._starts is None:
            starts = self._find_starts(self.text or b"")
            # The two have never differed; if they did, no column would be better than a wrong one.
            self._starts = starts if len(starts) == len(self._elements or ()) else []
        return self._starts[number] if self._starts else None

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset of the text, from 1."""
        if self._lines is None:
            self._lines = Lines(self.text or b"")
        return self._lines.place(offset)

    def place_start(self, number: int, attribute: str | None = None, value: str = "") -> Place | None:
        """Return the place of the n-th start tag, or of an attribute's value in it; None if that is unknown."""
        if self.expanded is not None:
            return self.expanded.places[number] or Place(self.file, None, None)
        if (offset := self.find_start(number)) is None:
            return None
        if attribute is not None:
            span = find_attribute(self, offset, attribute, value)
            offset = span[0] if span else offset
        return Place(self.file, *self.place(offset))

    def place_line(self, line: int | None) -> Place | None:
        """Return the place of the last element that begins before the end of a line of an expanded text, if any."""
        starts = self._find_starts(self.text or b"") if self.expanded is not None and line is not None else []
        number = bisect_right([self.place(start)[0] for start in starts], line or 0) - 1
        return self.place_start(number) if number >= 0 else None

    def take_in(self, source: Source) -> None:
        """Register a source of elements that are inserted into this document."""
        if source is not self:
            self.others[source] = None

    def _find_starts(self, text: bytes) -> list[int]:
        if self.mended:
            from sdf_frames.document.xml_scan import tokenize
            return [start for kind, start, _ in tokenize(text) if kind == "start"]
        return [match.start() for match in re.finditer(_MARKUP, text) if match.lastindex]


def _join(elements: Iterable[Element], starts: Iterable[Start | None]) -> Starts:
    return {element: start for element, start in zip(elements, starts) if start is not None}


class DocumentParser(etree.XMLParser):
    """A parser for one document: lxml keeps the parser with the document, and so the source with every element."""

    source: Source | None = None


_NOWHERE = DocumentParser()


class Provenance(NamedTuple):
    """The origin of an element: a start tag in a source."""

    source: Source
    start: Start


def source_of(element: Element) -> Source:
    """Return the source of the document that an element is in; an empty one for a tree that was made elsewhere."""
    return getattr(element.getroottree().parser, "source", None) or Source(None)


def find_origin(element: Element) -> Provenance | None:
    """Return the origin of an element; if it is unknown, the origin of the nearest element around it."""
    home = source_of(element)
    home.keep(element.getroottree().getroot())
    return _look_up(element, home)


def _look_up(element: Element, home: Source) -> Provenance | None:
    """Return the origin of an element of a document whose source is `home`."""
    around: Element | None = element
    while around is not None:
        # Neighbours mostly come from the same file, and there may be thousands of files. In a chain of includes that
        # double, most come from the last file.
        for source in chain(home.recent, (home,), reversed(home.others)):
            if (start := source.starts_of.get(around)) is not None:
                if source is not home:
                    home.recent = (source,)
                return Provenance(source, start)
        around = around.getparent()
    return None


def find_number(element: Element) -> int | None:
    """Return the number of an element's start tag in the text of its document; None if it is not from that text."""
    origin = find_origin(element)
    return origin.start if origin and origin.source is source_of(element) and isinstance(origin.start, int) else None


def is_written(element: Element) -> bool:
    """Return whether a start tag in a text belongs to the element; True without a text."""
    source = source_of(element)
    if source.text is None:
        return True
    keep_places(element)
    return any(element in known.starts_of for known in (source, *source.others))


def keep_places(element: Element) -> None:
    """Record the order of a document's elements before some are added, moved or removed."""
    source_of(element).keep(element.getroottree().getroot())


def place_like(element: Element, origin: Element) -> None:
    """Give an element, which is already in its document, the place of `origin`."""
    home, found = source_of(element), find_origin(origin)
    if found is not None:
        keep_places(element)
        home.starts_of.pop(element, None)
        _assign(found, element, home)


def place_copy(copy: Element, original: Element) -> None:
    """Give a copy, which is already in its document, and all elements in it the places of `original`."""
    home, other = source_of(copy), source_of(original)
    other.keep(original.getroottree().getroot())
    for made, written in zip(copy.iter(etree.Element), original.iter(etree.Element)):
        if (found := _look_up(written, other)) is not None:
            _assign(found, made, home)


def _assign(origin: Provenance, element: Element, home: Source) -> None:
    source, start = origin
    source.starts_of[element] = start
    home.take_in(source)


def replace_element(old: Element, new: Element) -> None:
    """Replace `old` by `new`, which may be from another document and keeps its places."""
    keep_places(old)
    keep_places(new)
    home, other = source_of(old), source_of(new)
    parent = old.getparent()
    assert parent is not None
    parent.replace(old, new)
    for source in (other, *other.others):
        home.take_in(source)


def copy_element(element: Element) -> Element:
    """Copy an element without the text after it; :func:`place_copy` gives the copy its places."""
    holder = _NOWHERE.makeelement("copy")
    copy: Element = element.__copy__()  # type: ignore[attr-defined]  # copy.copy() calls it, too
    copy.tail = None
    holder.append(copy)
    holder.remove(copy)
    return copy


def copy_made(element: Element, starts: Starts, whole: bool = True) -> Element:
    """Copy an element for a document that this library makes, and add the places of its elements to `starts`.

    Unless `whole`, all elements in it get the place of its start tag, because findings do not refer to them.
    """
    copy = copy_element(element)
    starts.update(zip(copy.iter(etree.Element), element.iter(etree.Element)) if whole else ((copy, element),))
    return copy


def copy_document(root: Element) -> Element:
    """Copy a document; the elements of the copy have the places of those of `root`, which must not change later."""
    from copy import deepcopy
    source, parser = source_of(root), DocumentParser()
    parser.source = Source(source.file, source.text, mended=source.mended, copied=root, given=source.given)
    copy = parser.makeelement(root.tag, nsmap=root.nsmap)  # type: ignore[arg-type]  # of a default namespace: None
    for name, value in root.items():
        copy.set(name, value)
    copy.text = root.text
    copy.extend([deepcopy(child) for child in root])
    return copy


def make_root(tag: str, file: str | None, starts: Starts | None = None, **attributes: str) -> Element:
    """Return the root of a document that this library makes from a file.

    `starts` has the origins of its elements, if they differ from those around them; the caller still adds to it.
    """
    parser = DocumentParser()
    parser.source = Source(file, starts=starts)
    return parser.makeelement(tag, attributes)


def find_attribute(source: Source, start: int, name: str, value: str) -> tuple[int, int] | None:
    """Return the offsets of the value of an attribute, without its quotes, in the start tag at `start`.

    If no attribute has that name, the attribute with that value is used: older versions may name it otherwise.
    """
    from sdf_frames.document.xml_scan import read_attributes
    alike = None
    for attribute in read_attributes(source.text or b"", start):
        span = attribute.start(4) + 1, attribute.end(4) - 1
        if attribute[2].decode() == name:
            return span
        if value and alike is None and attribute[4][1:-1].strip() == value.encode():
            alike = span
    return alike


def find_tag_end(source: Source, start: int) -> int:
    """Return the offset after the start tag at `start`; for an element without content, the offset of its slash."""
    from sdf_frames.document.xml_scan import read_attributes
    text, end = source.text or b"", start
    for attribute in read_attributes(text, start):
        end = attribute.end()
    end = text.index(b">", end)
    return end - 1 if text[end - 1:end] == b"/" else end + 1


def find_element_end(source: Source, start: int) -> tuple[int, int]:
    """Return the offsets before and after the end tag of the element whose start tag is at `start`.

    For an element without content, both are after its only tag.
    """
    from sdf_frames.document.xml_scan import tokenize
    text, depth, begin, end = source.text or b"", 0, start, start
    for kind, begin, end in tokenize(text, start):
        depth += kind == "start"
        closes = kind == "end" or kind == "start" and text[end - 2:end] == b"/>"
        depth -= closes
        if closes and not depth:
            return (end, end) if kind == "start" else (begin, end)
    raise ValueError("the element has no end tag")
