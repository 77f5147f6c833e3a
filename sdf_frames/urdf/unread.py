"""Finds content of a URDF that no reader uses: elements and attributes that URDF does not define, or allows only once.

urdfdom silently ignores them. Here each gets an entry for the conversion's report, and each kind gets one finding,
except for names with a prefix, which are meant for other programs.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, NamedTuple

from lxml import etree

from sdf_frames.diagnostics import ANOTHER, Comparisons, Diagnostic, diagnose, plural, relate, times_of
from sdf_frames.document.elements import Element, locate, tag_of
from sdf_frames.document.places import find_number, source_of
from sdf_frames.urdf import content
from sdf_frames.urdf.model import WITHOUT_AXIS, LeftOut
from sdf_frames.urdf.versions import AFTER_BREAK, REFUSED, Judged, judge_known

_CARRIED_WHOLE = frozenset(("transmission", "ros2_control"))
_WHERE = ("", "origin/descendant::", "link/descendant::", "joint/descendant::", "material/descendant::", "gazebo/")
# One expression for all would take quadratic time.
_TEXTS: list[Callable[[Element], Any]] = [etree.XPath(f"{where}text()[normalize-space()]") for where in _WHERE]
_MOST_NAMED = 20
_FOR_SHAPES = "remove the others; write one <visual> or <collision> for each shape"
UNKNOWN, AGAIN, _IDLE = "URDF does not define it", "an earlier one is used", "joints of this type have no axis"
_SPARE = "no reader of URDF uses it"
_BREAK = rb"(?:[\t\r\n]|&#(?:0*(?:9|10|13)|x0*[9AaDd]);)"
_BREAK_IN_VALUE = re.compile(rb"""["'][-+.0-9eE ]*""" + _BREAK + rb"""[-+.0-9eE \t\r\n&#;xAaDd]*["']""")
# urdfdom splits at blanks, and a number then may begin with a break, but not end with one.
_REFUSED_BREAK = re.compile(rb"[0-9.]" + _BREAK + rb"|" + _BREAK + rb"""[ "']""")
_LISTS = frozenset((b"xyz", b"rpy", b"quat_xyzw", b"size", b"scale"))


class _Unread(NamedTuple):
    """`what` is a tag, ``@attribute`` or ``text()``; `owner` the name of the link or joint around it."""

    element: Element
    parent: Element
    owner: str
    what: str
    reason: str
    judged: Judged | None = None


def find_unread(root: Element, others: list[Element], extras: list[Element], mistakes: content.Mistakes,
                found: list[Diagnostic]) -> list[LeftOut]:
    """List everything in a ``<robot>`` that is not read; append findings to `found`.

    Parameters
    ----------
    others : children of `root` that URDF does not define; they have entries of their own.
    extras : elements that have, or may have, more content than the reader reads.
    mistakes : the content that findings on missing parts already report.
    """
    unread = _name_as_written(list(_find(root, extras)), root)
    unread += _find_texts(root, {u.element for u in unread if u.what[0] != "@"})
    unread += _find_breaks(root)
    order = dict(zip(root.iter(etree.Element), count())) if unread else {}
    unread.sort(key=lambda u: order[u.element])
    kinds: dict[tuple[str, str | bool, bool], list[_Unread]] = {}
    for u in [*unread, *[_Unread(e, root, "", tag_of(e), UNKNOWN) for e in others if e.tag not in _CARRIED_WHOLE]]:
        if (u.element, u.what) in mistakes.told:
            continue
        if u.reason not in (_IDLE, _SPARE) and (
                ":" not in u.what or u.what.startswith("xacro:") and u.parent is not root):
            parent = tag_of(u.parent)
            unknown = u.what[0] == "@" and content.program_of(parent, u.what) is None
            what = u.what + u.reason if u.judged else unknown or u.what
            kinds.setdefault((parent, what, u.reason is AGAIN), []).append(u)
    comparisons = Comparisons()
    for kind, alike in kinds.items():
        others = [element for element in dict.fromkeys([u.element for u in alike]) if element is not alike[0].element]
        found.append(_report(*kind, alike, comparisons)._replace(
            related=tuple([relate(ANOTHER, locate(element)) for element in others])))
    return [LeftOut(f"{tag_of(u.parent)}/{u.what}", u.owner, "", u.reason, u.element)
            for u in unread if u.judged is None or not u.judged.is_read]


def _report(parent: str, what: str | bool, again: bool, alike: list[_Unread], comparisons: Comparisons) -> Diagnostic:
    """Report content of one kind: unknown attributes of one tag (`what` is True), or content of one name."""
    first = alike[0].element
    times = len({u.element for u in alike})
    fields: dict[str, Any] = {
        "parent": parent, "it_has": "it has", "times": times_of(times)}
    if (judged := alike[0].judged) is not None:
        said = alike[0].what
        rule = "urdf-content-refused" if judged.consequence == REFUSED else "urdf-content-disputed"
        return diagnose(rule, locate(first, said[1:]), **fields, hint=judged.remedy,
                        what=said[1:] if said[0] == "@" else f"<{said}>", problem=judged.problem,
                        consequence=judged.consequence)
    if what is True:
        listed = list(dict.fromkeys(u.what.removeprefix("@") for u in alike))
        more = f" and {len(listed) - _MOST_NAMED} more" if len(listed) > _MOST_NAMED else ""
        fields["what"] = f"{plural('attribute', len(listed))} {', '.join(listed[:_MOST_NAMED])}{more}"
        fields["it_has"] = "they have" if len(listed) > 1 else "it has"
        return diagnose("urdf-content-unknown", locate(first, listed[0]), **fields,
                        hint=content.explain_attributes(listed[:_MOST_NAMED], first, comparisons))
    attribute = alike[0].what.partition("@")[2]
    fields["what"] = f"attribute {attribute}" if attribute else "text" if what == "text()" else f"<{what}>"
    if again:
        return diagnose("urdf-content-repeated", locate(first), **fields,
                        hint=_FOR_SHAPES if "geometry" in (parent, what) else None)
    if isinstance(what, str) and (program := content.program_of(parent, what)):
        return diagnose("urdf-content-of-others", locate(first, attribute or None), **fields, program=program)
    if (parent, what) == ("robot", "sensor"):
        return diagnose("urdf-sensor-unused", locate(first), **fields)
    if what == "text()":
        hint = content.explain_text(alike[0].parent)
    else:
        hint = advice.hint if (advice := content.explain_element(first, comparisons)) else None
    return diagnose("urdf-content-unknown", locate(first), **fields, hint=hint)


def _find(root: Element, extras: list[Element]) -> Iterator[_Unread]:
    """Yield elements and attributes that are unknown or repeated."""
    yield from _find_attributes(root, content.ROBOT.attributes, root.get("name", ""))
    holders = set(extras)
    for element in extras:
        holders.update(element.iterancestors())
    has_origin = False
    for child in root if holders else root.iterchildren("gazebo", "origin"):
        tag = child.tag
        if child in holders or tag == "gazebo":
            if (kind := content.ROBOT.often.get(tag)) is not None:
                yield from _find_below(child, kind, _name_of(child))
        elif tag == "origin":
            if has_origin:
                yield _Unread(child, root, root.get("name", ""), tag, AGAIN)
            else:
                yield from _find_below(child, content.MODEL_ORIGIN, root.get("name", ""))
            has_origin = True


def _name_of(element: Element) -> str:
    return element.get("name") or element.get("reference") or ""


def _find_attributes(element: Element, known: frozenset[str], owner: str) -> Iterator[_Unread]:
    for key in element.attrib:
        if key not in known:
            yield _Unread(element, element, owner, f"@{key!s}", _judge(element, f"@{key!s}"))
        elif (judged := judge_known(element, f"@{key!s}")) is not None:
            yield _Unread(element, element, owner, f"@{key!s}", judged.problem, judged)


def _find_breaks(root: Element) -> Iterator[_Unread]:
    """Yield lists of numbers with line breaks or tabs. Our XML reader makes blanks of them, and urdfdom's does not."""
    source = source_of(root)
    text = source.text or b""
    if not _BREAK_IN_VALUE.search(text):
        return
    from sdf_frames.document.xml_scan import read_attributes  # few robots need it
    for element in root.iter("origin", "axis", "box", "mesh"):
        parent, number = element.getparent(), find_number(element)
        consequence = AFTER_BREAK.get(tag_of(parent) if parent is not None and element.tag == "origin" else element.tag)
        start = None if number is None else source.find_start(number)
        for attribute in () if start is None else read_attributes(text, start):
            if consequence and attribute[2] in _LISTS and _REFUSED_BREAK.search(attribute[4]):
                judged = Judged("it has a line break or tab", consequence, "write blanks instead", True)
                yield _Unread(element, element, "", f"@{attribute[2].decode()}", judged.problem, judged)


def _judge(parent: Element, what: str) -> str:
    """Return why content that the tables of URDF do not have is not read."""
    return _SPARE if (parent.tag, what) in content.UNUSED else UNKNOWN


def _find_below(top: Element, kind: content.Kind, owner: str) -> Iterator[_Unread]:
    todo = [(top, kind)]
    for element, kind in todo:
        attributes, once, often = kind
        yield from _find_attributes(element, attributes, owner)
        if often is content.SHAPES and not any(child.tag in content.SHAPES for child in element):
            continue  # the visual or collision cannot be read, as a finding says
        seen: set[str] = set()
        for child in element:
            tag = child.tag
            inner = once.get(tag) or often.get(tag)
            if inner is None:
                if kind is not content.GAZEBO and kind is not content.FREE and isinstance(tag, str):
                    yield _Unread(child, element, owner, tag_of(child), _judge(element, tag))
            elif seen and often is content.SHAPES or tag in seen and tag in once:
                yield _Unread(child, element, owner, tag, AGAIN)
            else:
                if (judged := judge_known(element, tag)) is not None:
                    yield _Unread(child, element, owner, tag, judged.problem, judged)
                seen.add(tag)
                if tag == "axis" and element.get("type") in WITHOUT_AXIS:
                    yield _Unread(child, element, owner, tag, _IDLE)
                todo.append((child, inner))


def _find_texts(root: Element, unread: set[Element]) -> Iterator[_Unread]:
    """Yield text in places where URDF has none, except in elements that are `unread` themselves."""
    for text in [text for find in _TEXTS for text in find(root)]:
        element = text.getparent()
        parent = element if text.is_text else element.getparent()
        around = [parent, *parent.iterancestors()]
        if unread.isdisjoint(around):
            yield _Unread(element, parent, _name_of(around[-2] if len(around) > 1 else root), "text()",
                          f"URDF has no text here: {text.strip()[:30]!r}")


def _name_as_written(unread: list[_Unread], root: Element) -> list[_Unread]:
    """Return attribute names with prefixes in place of namespaces; prefixes are collected once for a document."""
    if not any(u.what.startswith("@{") for u in unread):
        return unread
    prefixes = {uri: f"{prefix}:" for _, (prefix, uri) in etree.iterwalk(root, events=("start-ns",)) if prefix}
    prefixes["http://www.w3.org/XML/1998/namespace"] = "xml:"
    named = []
    for u in unread:
        if u.what.startswith("@{"):
            uri, _, name = u.what[2:].partition("}")
            u = u._replace(what=f"@{prefixes.get(uri, '')}{name}")
        named.append(u)
    return named
