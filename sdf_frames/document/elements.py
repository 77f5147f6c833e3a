"""Elements of a parsed document: their content, and their places (file, line, column, path) for findings."""
from __future__ import annotations

from itertools import takewhile

from lxml import etree

from sdf_frames.diagnostics import Location
from sdf_frames.document.blanks import BLANKS
from sdf_frames.document.expanded import Place
from sdf_frames.document.places import Element as Element
from sdf_frames.document.places import find_origin, source_of

# The document keeps the numbers of the children of large parents: each of thousands of siblings may have a finding. A
# model of 4,000 empty joints, each with four findings, is loaded in 0.2 s; it took 7.3 s when each was counted anew.
_FEW_SIBLINGS = 32
_MOST_NUMBERED = 8
# Letters of a path. Each of a million findings may have one.
_LONGEST = 2000


def tag_of(element: Element) -> str:
    """Return the tag as written, also ``prefix:name``."""
    tag = element.tag
    if not isinstance(tag, str):
        return ""
    if tag[0] == "{":
        name = tag[tag.index("}") + 1:]
        return f"{element.prefix}:{name}" if element.prefix else name
    return tag


def locate(element: Element | None, attribute: str | None = None) -> Location:
    """Return file, line, column and path of an element: those of the ``<`` of its start tag.

    An element that was made from an element of another document, such as an SDF link from a URDF link, is located
    there. For None, a part that is in no file, the location is empty.
    With `attribute`, line and column are those of the attribute's value.
    """
    if element is None:
        return Location()
    written, (file, line, column) = _find(element, attribute)
    return Location(file, line, path_of(written), column)


def place_of(element: Element) -> Place:
    """Return the place of :func:`locate` without its path."""
    return _find(element, None)[1]


def line_of(element: Element | None) -> int | None:
    """Return the line of the ``<`` of the start tag of an element, or of the element that it was made from.

    None for an element that xacro took from another file.
    """
    if element is None:
        return None
    written, place = _find(element, None)
    expanded = source_of(written).expanded
    return place.line if expanded is None or place.file == expanded.file else None


def written_of(element: Element) -> Element:
    """Return the element of a file that `element` was made from, or itself."""
    return _find(element, None)[0]


def written_uri(element: Element, uri: str) -> str:
    """Return the URI as written: that of the URDF attribute from which `uri`, the text of `element`, was made."""
    origin = find_origin(element)
    start = None if origin is None else origin.start
    return start[0].get(start[1], uri).strip() if isinstance(start, tuple) else uri


def _find(element: Element, attribute: str | None) -> tuple[Element, Place]:
    """Return the element that `element` was made from, or itself, and the place of its start tag or attribute."""
    source, start = find_origin(element) or (source_of(element), None)
    if isinstance(start, tuple):
        return _find(*start)
    if isinstance(start, Element):
        return _find(start, attribute)
    place = None if start is None else source.place_start(
        start, attribute, "" if attribute is None else element.get(attribute, ""))
    if place is None:
        line: int | None = element.sourceline  # type: ignore[assignment]  # the stubs say `...`
        place = Place(source.file, line, None)  # libxml2's line: the tree was made elsewhere
    return element, place


def file_of(element: Element) -> str | None:
    """Return the file that an element was written in: that of its document, unless it was taken from another file."""
    source = source_of(element)
    origin = find_origin(element) if source.others else None
    return source.file if origin is None else origin.source.file


def path_of(element: Element) -> str:
    """Return an XPath-like path with names: ``/sdf/model[@name="m"]/link[@name="l"]``; nameless siblings have numbers.

    ``<gazebo>`` elements are named, and counted, by their reference. The middle of a very long path is left out.
    """
    numbered = source_of(element).siblings
    steps = []
    for here in (element, *element.iterancestors()):
        name, parent = here.get("name"), here.getparent()
        if name is not None:
            steps.append(f'{tag_of(here)}[@name="{name}"]')
        else:
            number = 0 if parent is None else _find_number(here, parent, numbered)
            steps.append(_step_of(here) + (f"[{number}]" if number else ""))
    path = "/" + "/".join(reversed(steps))
    return path if len(path) <= _LONGEST else f"{path[:_LONGEST // 4]}…{path[-_LONGEST * 3 // 4:]}"


def _step_of(element: Element) -> str:
    reference = element.get("reference") if element.tag == "gazebo" else None
    return f'gazebo[@reference="{reference}"]' if reference else tag_of(element)


def _find_number(element: Element, parent: Element, numbered: dict[Element, dict[Element, int]]) -> int:
    """Return the number of an element among the siblings of its tag, or reference, from 1; 0 for the only one."""
    if (numbers := numbered.pop(parent, None)) and element in numbers:
        numbered[parent] = numbers  # the last used are the last to go
    else:
        alike: dict[str, list[Element]] = {}
        for child in parent.iterchildren(etree.Element):
            alike.setdefault(child.tag, []).append(child)
            if child.tag == "gazebo" and child.get("reference"):
                alike.setdefault(_step_of(child), []).append(child)
        numbers = {child: number for children in alike.values()
                   for number, child in enumerate(children, 1 if len(children) > 1 else 0)}
        if len(numbers) > _FEW_SIBLINGS:
            if len(numbered) >= _MOST_NUMBERED:
                numbered.pop(next(iter(numbered)))
            numbered[parent] = numbers
    return numbers[element]


def forget_numbers(element: Element) -> None:
    """Forget the numbers of siblings in the document of `element`, because its elements move."""
    source_of(element).siblings.clear()


def find_child(element: Element, tag: str) -> Element | None:
    """Return the first child of a tag, like lxml's ``find``, which reads paths and takes five times as long."""
    for child in element:
        if child.tag == tag:
            return child
    return None


def child_or_self(element: Element, tag: str) -> Element:
    """Return the first child of a tag, or the element itself if it has no such child: the place of a finding."""
    child = find_child(element, tag)
    return element if child is None else child


def text_of(element: Element) -> str:
    """Return the element's text up to its first child, stripped; "" if it has none."""
    text = element.text
    return text.strip(BLANKS) if text else ""


def put_text_first(root: Element) -> None:
    """Move comments at the beginning of elements after their text, so that readers see the text.

    Text after a comment inside a text is not read: it stays there.
    """
    for first in root.iter(etree.Comment, etree.PI):
        parent = first.getparent()
        if parent is None or first.getprevious() is not None:
            continue
        text, passed = parent.text or "", []
        for note in takewhile(lambda child: not isinstance(child.tag, str), parent):
            if text.strip() and isinstance(note, etree._Comment):
                break
            text += note.tail or ""
            passed.append(note)
        if text.strip():
            parent.text = text
            for note in passed:
                note.tail = None
