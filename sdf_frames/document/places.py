"""Where elements stand in the text that they were parsed from.

libxml2 keeps of an element the line on which its start tag ends, and that in 16 bits. Findings say where the start tag
begins. That is worked out when the first finding on a document is located: its n-th start tag is its n-th element.
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
#: What an element stems from: the n-th start tag of a text, or the element or attribute of another document that it
#: was made of.
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
    mended : whether defects were forgiven, so that ``<`` may stand where it begins nothing.
    expanded : what was given, if xacro made it of other files: places are then those in these files.
    others : sources of elements that were brought into this document (the keys); their elements are kept.
    recent : the one of them that was found last, if any.
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
        """Remember the order of the elements, and return them; the first time, `root` must be as it was parsed."""
        if self._elements is None:
            self._elements = [] if self.text is None and self.copied is None else list(root.iter(etree.Element))
        return self._elements

    @property
    def starts_of(self) -> Starts:
        """What elements stem from, once they are kept."""
        if self._starts_of is None:
            starts: Iterable[Start | None] = count()
            if self.copied is not None:
                keep_places(self.copied)
                starts = map(source_of(self.copied).starts_of.get, self.copied.iter(etree.Element))
            self._starts_of = _join(self._elements or (), starts)
        return self._starts_of

    def find_start(self, number: int) -> int | None:
        """Offset of the n-th start tag; None where the text cannot tell."""
        if self.copied is not None:
            return source_of(self.copied).find_start(number)
        if self._starts is None:
            starts = self._find_starts(self.text or b"")
            # Never seen to differ; if it did, no column would be better than a wrong one.
            self._starts = starts if len(starts) == len(self._elements or ()) else []
        return self._starts[number] if self._starts else None

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset of the text, from 1."""
        if self._lines is None:
            self._lines = Lines(self.text or b"")
        return self._lines.place(offset)

    def place_start(self, number: int, attribute: str | None = None, value: str = "") -> Place | None:
        """The place of the n-th start tag, or of the value of an attribute in it; None where the text cannot tell."""
        if self.expanded is not None:
            return self.expanded.places[number] or Place(self.file, None, None)
        if (offset := self.find_start(number)) is None:
            return None
        if attribute is not None:
            span = find_attribute(self, offset, attribute, value)
            offset = span[0] if span else offset
        return Place(self.file, *self.place(offset))

    def place_line(self, line: int | None) -> Place | None:
        """The place of the last element that begins before the end of a line of an expanded text, if any."""
        starts = self._find_starts(self.text or b"") if self.expanded is not None and line is not None else []
        number = bisect_right([self.place(start)[0] for start in starts], line or 0) - 1
        return self.place_start(number) if number >= 0 else None

    def take_in(self, source: Source) -> None:
        """Know of a source of elements that are brought into this document."""
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
    """A parser that belongs to one document: lxml keeps it with the document, and so the source with every element."""

    source: Source | None = None


_NOWHERE = DocumentParser()


class Provenance(NamedTuple):
    """What an element stems from: a start in a source."""

    source: Source
    start: Start


def source_of(element: Element) -> Source:
    """The source of the document that an element is in; an empty one for a tree that somebody else has made."""
    return getattr(element.getroottree().parser, "source", None) or Source(None)


def find_origin(element: Element) -> Provenance | None:
    """What an element stems from; of one of which nothing is known, what the nearest element around it stems from."""
    home = source_of(element)
    home.keep(element.getroottree().getroot())
    return _look_up(element, home)


def _look_up(element: Element, home: Source) -> Provenance | None:
    """The origin of an element of a document whose source is `home`."""
    around: Element | None = element
    while around is not None:
        # Neighbours mostly stem from the same file, and there may be thousands of files. In a chain of includes that
        # double, most stem from the last.
        for source in chain(home.recent, (home,), reversed(home.others)):
            if (start := source.starts_of.get(around)) is not None:
                if source is not home:
                    home.recent = (source,)
                return Provenance(source, start)
        around = around.getparent()
    return None


def find_number(element: Element) -> int | None:
    """The number of an element's start tag in the text of its document; None if it does not stem from that text."""
    origin = find_origin(element)
    return origin.start if origin and origin.source is source_of(element) and isinstance(origin.start, int) else None


def is_written(element: Element) -> bool:
    """Whether a start tag in a text is the element's own; without a text, there is nothing to tell."""
    source = source_of(element)
    if source.text is None:
        return True
    keep_places(element)
    return any(element in known.starts_of for known in (source, *source.others))


def keep_places(element: Element) -> None:
    """Remember the order of a document's elements now, because some are about to be added, moved or removed."""
    source_of(element).keep(element.getroottree().getroot())


def place_like(element: Element, origin: Element) -> None:
    """Let an element, which stands in its document already, count as written where `origin` is."""
    home, found = source_of(element), find_origin(origin)
    if found is not None:
        keep_places(element)
        home.starts_of.pop(element, None)
        _assign(found, element, home)


def place_copy(copy: Element, original: Element) -> None:
    """Let a copy, which stands in its document already, and all within count as written where `original` is."""
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
    """Put `new`, of whatever document, in the place of `old`; it keeps its places."""
    keep_places(old)
    keep_places(new)
    home, other = source_of(old), source_of(new)
    parent = old.getparent()
    assert parent is not None
    parent.replace(old, new)
    for source in (other, *other.others):
        home.take_in(source)


def copy_element(element: Element) -> Element:
    """A copy without the text behind it, and of no document: :func:`place_copy` gives it places where it is put."""
    holder = _NOWHERE.makeelement("copy")
    copy: Element = element.__copy__()  # type: ignore[attr-defined]  # copy.copy() calls it, too
    copy.tail = None
    holder.append(copy)
    holder.remove(copy)
    return copy


def copy_made(element: Element, starts: Starts, whole: bool = True) -> Element:
    """A copy for a document that this library makes, whose `starts` get to know where all of it is written.

    If it is not the `whole` that findings can be on, what is in it counts as written where its start tag is.
    """
    copy = copy_element(element)
    starts.update(zip(copy.iter(etree.Element), element.iter(etree.Element)) if whole else ((copy, element),))
    return copy


def copy_document(root: Element) -> Element:
    """A copy of a document, whose elements count as written where those of `root` are. `root` must not change later."""
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
    """The root of a document that this library makes of a file.

    `starts` says what its elements stem from, if not what those around them do; its maker still adds to it.
    """
    parser = DocumentParser()
    parser.source = Source(file, starts=starts)
    return parser.makeelement(tag, attributes)


def find_attribute(source: Source, start: int, name: str, value: str) -> tuple[int, int] | None:
    """Offsets of the value of an attribute, without its quotes, in the start tag at `start`.

    Where no attribute has that name, an older version of the format may have another one for it: one with that value.
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
    """Offset behind the start tag at `start`; of one without content, of its slash."""
    from sdf_frames.document.xml_scan import read_attributes
    text, end = source.text or b"", start
    for attribute in read_attributes(text, start):
        end = attribute.end()
    end = text.index(b">", end)
    return end - 1 if text[end - 1:end] == b"/" else end + 1


def find_element_end(source: Source, start: int) -> tuple[int, int]:
    """Offsets of and behind the end tag of the element whose start tag is at `start`.

    Of an element without content, both are behind its only tag.
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
