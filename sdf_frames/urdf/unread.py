"""Finds content of a URDF that no reader uses: elements and attributes that URDF does not define, or allows only once.

urdfdom silently ignores them. Here each gets an entry for the conversion's report, and each kind gets one finding,
except for names with a prefix, which are meant for other programs.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, NamedTuple

from lxml import etree

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.diagnostics.plural import plural
from sdf_frames.document.xml_in import Element, locate, tag_of
from sdf_frames.urdf.joint_types import WITHOUT_AXIS
from sdf_frames.urdf.model import TENSOR, LeftOut
from sdf_frames.urdf.read_parts import SHAPES


class _Kind(NamedTuple):
    """What an element may hold: attributes, and children that may come once or often."""

    attributes: frozenset[str]
    once: dict[str, _Kind]
    often: dict[str, _Kind]


def _kind(attributes: str = "", once: dict[str, _Kind] | None = None, often: dict[str, _Kind] | None = None) -> _Kind:
    return _Kind(frozenset(attributes.split()), once or {}, often or {})


_ORIGIN = _kind("xyz rpy quat_xyzw")
_MODEL_ORIGIN = _kind("xyz rpy")  # libsdformat's own, not of URDF 1.1
_SHAPES = {tag: _kind(" ".join(attributes)) for tag, attributes in SHAPES.items()}
_GEOMETRY = _kind(often=_SHAPES)
_MATERIAL = _kind("name", {"color": _kind("rgba"), "texture": _kind("filename")})
_LINK = _kind("name", {
    "inertial": _kind("", {"origin": _ORIGIN, "mass": _kind("value"), "inertia": _kind(" ".join(TENSOR))})}, {
    "visual": _kind("name", {"origin": _ORIGIN, "geometry": _GEOMETRY, "material": _MATERIAL}),
    "collision": _kind("name", {"origin": _ORIGIN, "geometry": _GEOMETRY})})
JOINT_PARTS = {
    "origin": _ORIGIN, "parent": _kind("link"), "child": _kind("link"), "axis": _kind("xyz"),
    "limit": _kind("lower upper effort velocity"), "dynamics": _kind("damping friction"),
    "mimic": _kind("joint multiplier offset"), "calibration": _kind("rising falling"),
    "safety_controller": _kind("k_velocity k_position soft_lower_limit soft_upper_limit")}
_JOINT = _kind("name type", JOINT_PARTS)
# The content of <gazebo> belongs to Gazebo, except for the tags around content for every shape of a link.
_FREE = _kind()
_GAZEBO = _kind("reference", often={"visual": _FREE, "collision": _FREE})
_ROBOT = _kind("name version", often={"link": _LINK, "joint": _JOINT, "material": _MATERIAL, "gazebo": _GAZEBO})
_OF_OTHERS = frozenset(("transmission", "ros2_control"))
_WHERE = ("", "origin/descendant::", "link/descendant::", "joint/descendant::", "material/descendant::", "gazebo/")
# One expression for all would take quadratic time.
_TEXTS: list[Callable[[Element], Any]] = [etree.XPath(f"{where}text()[normalize-space()]") for where in _WHERE]
_MOST_NAMED = 20
_SHAPE_PARENTS = frozenset(("visual", "collision", "geometry"))
_FOR_SHAPES = "remove the others; write one <visual> or <collision> for each shape"
_UNKNOWN, _AGAIN, _IDLE = "URDF does not define it", "an earlier one is used", "joints of this type have no axis"


class _Unread(NamedTuple):
    """`what` is a tag, ``@attribute`` or ``text()``; `owner` the name of the link or joint around it."""

    element: Element
    parent: Element
    owner: str
    what: str
    reason: str


def find_unread(root: Element, others: list[Element], extras: list[Element], found: list[Diagnostic]) -> list[LeftOut]:
    """List everything in a ``<robot>`` that is not read; append findings to `found`.

    Parameters
    ----------
    others : children of `root` that URDF does not define; they have entries of their own.
    extras : elements that hold, or may hold, more than the reader reads.
    """
    unread = _name_as_written(list(_find(root, extras)), root)
    unread += _find_texts(root, {u.element for u in unread if u.what[0] != "@"})
    order = dict(zip(root.iter(etree.Element), count())) if unread else {}
    unread.sort(key=lambda u: order[u.element])
    kinds: dict[tuple[str, str | bool, bool], list[_Unread]] = {}
    for u in [*unread, *[_Unread(e, root, "", tag_of(e), _UNKNOWN) for e in others if e.tag not in _OF_OTHERS]]:
        if u.reason is not _IDLE and (":" not in u.what or u.what.startswith("xacro:") and u.parent is not root):
            kinds.setdefault((tag_of(u.parent), u.what[0] == "@" or u.what, u.reason is _AGAIN), []).append(u)
    for (parent, what, again), alike in kinds.items():
        listed = list(dict.fromkeys(u.what.removeprefix("@") for u in alike))
        if what is True:
            more = f" and {len(listed) - _MOST_NAMED} more" if len(listed) > _MOST_NAMED else ""
            words = f"{plural('attribute', len(listed))} {', '.join(listed[:_MOST_NAMED])}{more}"
        else:
            words = "text" if what == "text()" else f"<{what}>"
        times = len({u.element for u in alike})
        found.append(diagnose("urdf-content-repeated" if again else "urdf-content-unknown",
                              locate(alike[0].element, listed[0] if what is True else None), parent=parent,
                              what=words, hint=_FOR_SHAPES if again and parent in _SHAPE_PARENTS else None,
                              it_is="they are" if len(listed) > 1 else "it is",
                              times=f" ({times} times, here first)" if times > 1 else ""))
    return [LeftOut(f"{tag_of(u.parent)}/{u.what}", u.owner, "", u.reason, u.element) for u in unread]


def _find(root: Element, extras: list[Element]) -> Iterator[_Unread]:
    """Yield elements and attributes that are unknown or repeated."""
    yield from _find_attributes(root, _ROBOT.attributes, root.get("name", ""))
    holders = set(extras)
    for element in extras:
        holders.update(element.iterancestors())
    has_origin = False
    for child in root if holders else root.iterchildren("gazebo", "origin"):
        tag = child.tag
        if child in holders or tag == "gazebo":
            if (kind := _ROBOT.often.get(tag)) is not None:
                yield from _find_below(child, kind, _name_of(child))
        elif tag == "origin":
            if has_origin:
                yield _Unread(child, root, root.get("name", ""), tag, _AGAIN)
            else:
                yield from _find_below(child, _MODEL_ORIGIN, root.get("name", ""))
            has_origin = True


def _name_of(element: Element) -> str:
    return element.get("name") or element.get("reference") or ""


def _find_attributes(element: Element, known: frozenset[str], owner: str) -> Iterator[_Unread]:
    for key in element.attrib:
        if key not in known:
            yield _Unread(element, element, owner, f"@{key!s}", _UNKNOWN)


def _find_below(top: Element, kind: _Kind, owner: str) -> Iterator[_Unread]:
    todo = [(top, kind)]
    for element, kind in todo:
        attributes, once, often = kind
        yield from _find_attributes(element, attributes, owner)
        if often is _SHAPES and not any(child.tag in SHAPES for child in element):
            continue  # the visual or collision cannot be read, as a finding says
        seen: set[str] = set()
        for child in element:
            tag = child.tag
            inner = once.get(tag) or often.get(tag)
            if inner is None:
                if kind is not _GAZEBO and kind is not _FREE and isinstance(tag, str):
                    yield _Unread(child, element, owner, tag_of(child), _UNKNOWN)
            elif seen and often is _SHAPES or tag in seen and tag in once:
                yield _Unread(child, element, owner, tag, _AGAIN)
            else:
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
    """Name attributes with their prefixes in place of namespaces; a document may have many, so collect them once."""
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
