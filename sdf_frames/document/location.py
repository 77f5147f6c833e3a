"""The place of an element, for findings: its file, line, column and path."""
from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence

from lxml import etree

from sdf_frames.diagnostics import Diagnostic, Location, Related, relate
from sdf_frames.document.places import Element, Source, find_attribute, find_origin, source_of

# Numbers of the children of parents with many are kept with the document: of thousands of siblings each may have a
# finding. A model of 4,000 empty joints, each with four, is loaded in 0.2 s; it took 7.3 s with each counted by itself.
_FEW_SIBLINGS = 32
_MOST_NUMBERED = 8
_MOST_LINES = 65535  # libxml2 keeps lines in 16 bits
_MOST_COMPARED = 500
_LONGEST_END = 8
# A start tag on several lines, or what looks like one.
_LINE_IN_TAG = rb"<[^!?/<>][^<>]*\n"
Step = tuple[str, str]
# Tag, and name if it has one, of each step of a path.
_STEP = r'/([^/\[]+)(?:\[(?:@\w+="([^"]*)"|\d+)\])*'


def tag_of(element: Element) -> str:
    """The tag as written, ``prefix:name`` included."""
    tag = element.tag
    if not isinstance(tag, str):
        return ""
    if tag[0] == "{":
        name = tag[tag.index("}") + 1:]
        return f"{element.prefix}:{name}" if element.prefix else name
    return tag


def locate(element: Element, attribute: str | None = None) -> Location:
    """File, line, column and path of an element of a document read by :func:`read_xml`: of the ``<`` of its start tag.

    What was made of an element of another document, such as a link of SDF of one of a URDF, is located there.

    Parameters
    ----------
    attribute : where this attribute is at fault, line and column are those of its value.
    """
    if (origin := find_origin(element)) is None:
        return _locate_made(element, attribute)
    source, number = origin
    if (offset := source.find_start(number)) is None:
        return Location(source.file, line_of(element), path_of(element))
    if attribute is not None:
        span = find_attribute(source, offset, attribute, element.get(attribute, ""))
        offset = span[0] if span else offset
    line, column = source.place(offset)
    return Location(source.file, line, path_of(element), column)


def _locate_made(element: Element, attribute: str | None) -> Location:
    """The place of an element that this library has made: that of the element that it was made of."""
    source, path = source_of(element), path_of(element)
    line = next(filter(None, map(line_of, (element, *element.iterancestors()))), None)
    if line and source.original is not None and (written := find_written(source.original, line, path)) is not None:
        return locate(written, attribute)
    return Location(source.file, line, path)


def line_of(element: Element) -> int | None:
    """The line that libxml2 keeps, or that was given to an element that was made."""
    line: int | None = element.sourceline  # type: ignore[assignment]  # the stubs say `...`
    return line


def first_line_of(element: Element) -> int | None:
    """The line of the ``<`` of an element's start tag, or of that of the element that it was made of."""
    if (origin := find_origin(element)) is None or (offset := origin.source.find_start(origin.number)) is None:
        return line_of(element)
    return origin.source.place(offset)[0]


def find_first_lines(root: Element) -> dict[tuple[str, int], int]:
    """By tag and the line on which a start tag ends, the line on which it begins, where that is another one.

    Parameters
    ----------
    root : of a document, as it was parsed.
    """
    if not re.search(_LINE_IN_TAG, source_of(root).text or b""):
        return {}
    return {(tag_of(e), end): begin for e in root.iter(etree.Element)
            if (end := _end_of(e)) != (begin := first_line_of(e) or end)}


def pinpoint(found: Iterable[Diagnostic], root: Element | None) -> tuple[Diagnostic, ...]:
    """Findings with the places of those that know the line and path of an element of a document, but not the element.

    Parameters
    ----------
    root : of the document, which is as it was parsed; findings on other files stay as they are.
    """
    if root is None:
        return tuple(found)
    file = file_of(root)
    return tuple([_pinpoint(d, root) if d.column is None and d.file == file and d.path and d.line else d
                  for d in found])


def _pinpoint(finding: Diagnostic, root: Element) -> Diagnostic:
    assert finding.path is not None and finding.line is not None
    if (element := find_written(root, finding.line, finding.path)) is None:
        return finding
    place = locate(element)
    path = finding.path if finding.path.startswith(path_of(root)) else place.path
    return finding._replace(line=place.line, column=place.column, path=path, related=tuple([
        _pinpoint_related(r, root) for r in finding.related]))


def _pinpoint_related(related: Related, root: Element) -> Related:
    if related.column or not related.path or not related.line or related.file not in (None, file_of(root)):
        return related
    if (element := find_written(root, related.line, related.path)) is None:
        return related
    return relate(related.message, locate(element)._replace(path=related.path))


def find_written(root: Element, line: int, path: str) -> Element | None:
    """The element of a document that one with this path was made of: of those whose start tags end on a line.

    Parameters
    ----------
    path : in the document, or in one that was made of it: the element that has most of its steps is meant.
    """
    source, line = source_of(root), min(line, _MOST_LINES)
    on_line = _list_on_line(root, source, line)
    steps = re.findall(_STEP, path)
    if not on_line:
        return None
    tag = next((tag for tag, _ in reversed(steps) if (tag, "") in on_line), None)
    key = (tag, steps[-1][1]) if tag is not None else next(iter(on_line))
    if key not in on_line:
        key = (key[0], "")
    if len(on_line[key]) == 1:
        return on_line[key][0]
    if (alike := source.alike.get((line, key))) is None:
        alike = source.alike[line, key] = Alike(on_line[key])
    return alike.find_nearest(steps)


def _list_on_line(root: Element, source: Source, line: int) -> dict[tuple[str, str], list[Element]]:
    """The elements whose start tags end on a line, by tag and name, all of a tag for "": a line may hold thousands."""
    if (found := source.on_line.get(line)) is None:
        found = source.on_line[line] = {}
        elements = source.keep(root)
        first = bisect_left(elements, line, key=_end_of)
        for element in elements[first:bisect_right(elements, line, first, key=_end_of)]:
            for name in dict.fromkeys(("", element.get("name", ""))):
                found.setdefault((tag_of(element), name), []).append(element)
    return found


def _end_of(element: Element) -> int:
    return line_of(element) or 0


class Alike:
    """Elements on a line that a path may mean, by the steps of their own paths: looked at once, asked thousands of
    times."""

    def __init__(self, elements: Sequence[Element]):
        self._elements = elements
        self._paths = [re.findall(_STEP, path_of(element)) for element in elements]
        having: dict[Step, list[int]] = {}
        self._ending: dict[tuple[Step, ...], int] = {}
        for number, path in enumerate(self._paths):
            for step in dict.fromkeys(path):
                having.setdefault(step, []).append(number)
            for length in range(1, min(len(path), _LONGEST_END) + 1):
                self._ending.setdefault(tuple(path[-length:]), number)
        # A step that all have, or hundreds, tells little.
        most = min(len(elements), _MOST_COMPARED)
        self._having = {step: numbers for step, numbers in having.items() if len(numbers) < most}

    def find_nearest(self, path: Sequence[Step]) -> Element:
        """The element that has most of the steps of a path, then most of them at the end; the first of equal ones."""
        counts = Counter(number for step in set(path) for number in self._having.get(step, ()))
        if counts:
            most = max(counts.values())
            best = sorted(number for number, count in counts.items() if count == most)
            return self._elements[max(best, key=lambda number: _count_last(self._paths[number], path))]
        ends = (tuple(path[-length:]) for length in range(_LONGEST_END, 0, -1))
        return self._elements[next((self._ending[end] for end in ends if end in self._ending), 0)]


def _count_last(steps: Sequence[Step], others: Sequence[Step]) -> int:
    """How many steps two paths share at their ends."""
    return next((i for i, (a, b) in enumerate(zip(reversed(steps), reversed(others))) if a != b), len(steps))


def file_of(element: Element) -> str | None:
    """The file that an element was written in: its document's, unless it was brought there from another one."""
    source = source_of(element)
    origin = find_origin(element) if source.others else None
    return source.file if origin is None else origin.source.file


def path_of(element: Element) -> str:
    """XPath-like path with names: ``/sdf/model[@name="m"]/link[@name="l"]``. Nameless siblings are counted from 1."""
    numbered = source_of(element).siblings
    steps = []
    for here in (element, *element.iterancestors()):
        tag, name, parent = tag_of(here), here.get("name"), here.getparent()
        if name is not None:
            steps.append(f'{tag}[@name="{name}"]')
        elif parent is not None and (number := _find_number(here, parent, numbered)):
            steps.append(f"{tag}[{number}]")
        else:
            steps.append(tag)
    return "/" + "/".join(reversed(steps))


def _find_number(element: Element, parent: Element, numbered: dict[Element, dict[Element, int]]) -> int:
    """Which of its parent's children of its tag an element is, from 1; 0 for the only one."""
    if (numbers := numbered.pop(parent, None)) and element in numbers:
        numbered[parent] = numbers  # the last used are the last to go
    else:
        by_tag: dict[str, list[Element]] = {}
        for child in parent.iterchildren(etree.Element):
            by_tag.setdefault(child.tag, []).append(child)
        numbers = {child: number for children in by_tag.values()
                   for number, child in enumerate(children, 1 if len(children) > 1 else 0)}
        if len(numbers) > _FEW_SIBLINGS:
            if len(numbered) >= _MOST_NUMBERED:
                numbered.pop(next(iter(numbered)))
            numbered[parent] = numbers
    return numbers[element]


def forget_numbers(element: Element) -> None:
    """Count siblings anew from now on in the document of `element`, whose elements move."""
    source = source_of(element)
    source.siblings.clear()
    source.alike.clear()
