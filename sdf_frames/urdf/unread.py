"""What the elements of a URDF may hold, and the content of one that no reader uses: unknown, or allowed only once.

urdfdom silently ignores such content. Here each gets an entry for the conversion's report, and each kind gets one
finding, except for names with a prefix, which are meant for other programs.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, NamedTuple

from lxml import etree

from sdf_frames.diagnostics import LONGEST, Comparisons, Diagnostic, diagnose, plural, times_of
from sdf_frames.document.xml_in import Element, locate, tag_of, text_of
from sdf_frames.urdf.model import TENSOR, WITHOUT_AXIS, LeftOut
from sdf_frames.urdf.read_parts import SHAPES as SHAPE_ATTRIBUTES
from sdf_frames.urdf.versions import REFUSED, Judged, judge_known


class Kind(NamedTuple):
    """What an element may hold: attributes, and children that may come once or often."""

    attributes: frozenset[str]
    once: dict[str, Kind]
    often: dict[str, Kind]

    @property
    def children(self) -> dict[str, Kind]:
        """All children by tag."""
        return {**self.once, **self.often}


def _kind(attributes: str = "", once: dict[str, Kind] | None = None, often: dict[str, Kind] | None = None) -> Kind:
    return Kind(frozenset(attributes.split()), once or {}, often or {})


_ORIGIN = _kind("xyz rpy quat_xyzw")
MODEL_ORIGIN = _kind("xyz rpy")  # libsdformat's own, not of URDF 1.1
SHAPES = {tag: _kind(" ".join(attributes)) for tag, attributes in SHAPE_ATTRIBUTES.items()}
_GEOMETRY = _kind(often=SHAPES)
_MATERIAL = _kind("name", {"color": _kind("rgba"), "texture": _kind("filename")})
_LINK = _kind("name", {
    "inertial": _kind("", {"origin": _ORIGIN, "mass": _kind("value"), "inertia": _kind(" ".join(TENSOR))})}, {
    "visual": _kind("name", {"origin": _ORIGIN, "geometry": _GEOMETRY, "material": _MATERIAL}),
    "collision": _kind("name", {"origin": _ORIGIN, "geometry": _GEOMETRY})})
JOINT_PARTS = {
    "origin": _ORIGIN, "parent": _kind("link"), "child": _kind("link"), "axis": _kind("xyz"),
    "limit": _kind("lower upper effort velocity acceleration deceleration jerk"), "dynamics": _kind("damping friction"),
    "mimic": _kind("joint multiplier offset"), "calibration": _kind("rising falling"),
    "safety_controller": _kind("k_velocity k_position soft_lower_limit soft_upper_limit")}
_JOINT = _kind("name type", JOINT_PARTS)
# The content of <gazebo> belongs to Gazebo, except for the tags around content for every shape of a link.
FREE = _kind()
GAZEBO = _kind("reference", often={"visual": FREE, "collision": FREE})
ROBOT = _kind("name version", {"origin": MODEL_ORIGIN}, {
    "link": _LINK, "joint": _JOINT, "material": _MATERIAL, "gazebo": GAZEBO})
#: What urdfdom's schema (xsd/urdf.xsd) has, and no reader uses: attributes and children, by parent.
UNUSED = frozenset((("link", "@type"), ("collision", "verbose"), ("calibration", "@reference_position")))

#: Attributes that people write, and those of URDF that they mean.
_MEANT = {"pos": "xyz", "position": "xyz", "rot": "rpy", "rotation": "rpy", "uri": "filename", "file": "filename",
          "height": "length", "min": "lower", "max": "upper"}
#: Where content of SDFormat stands in a URDF, by parent and tag.
_UNDER_GAZEBO = {("link", "sensor"): '<gazebo reference="{}">', ("robot", "plugin"): "<gazebo>"}

#: What other programs read from a URDF: the program by parent and tag, or attribute with ``@``.
_OF_OTHERS = {("robot", "mujoco"): "MuJoCo", ("link", "contact"): "PyBullet", ("robot", "loop_joint"): "Isaac Sim",
              ("joint", "@dont_collapse"): "Isaac Sim"}


def program_of(parent: str, tag: str) -> str | None:
    """Return the program whose element this is; None if it is of none that is known."""
    return "Isaac Sim" if tag.startswith("isaac_") else _OF_OTHERS.get((parent, tag))


def kind_of(element: Element) -> Kind | None:
    """Return what an element of a ``<robot>`` may hold; None if URDF does not define the element where it stands."""
    kind: Kind | None = ROBOT
    for step in [element, *element.iterancestors()][-2::-1]:
        kind = kind and kind.children.get(step.tag)
    return kind


def explain_text(parent: Element) -> str | None:
    """Return the hint for text in an element: the attributes that the text is for."""
    kind, text = kind_of(parent), text_of(parent)
    if kind is None or kind.children or len(text) > LONGEST:
        return None
    if parent.tag == "origin" and not parent.keys():
        return _write_origin(text)
    names = [] if parent.keys() else sorted(kind.attributes)
    if len(names) == 1:
        return f'write <{parent.tag} {names[0]}="{text}"/>'
    return f"write it as attributes: {', '.join(names)}" if names else None


def explain_element(child: Element, comparisons: Comparisons) -> str | None:
    """Return the hint for a child that URDF does not define where it stands."""
    parent = child.getparent()
    assert parent is not None
    tag, text = tag_of(child), text_of(child)[:LONGEST]
    if (kind := kind_of(parent)) is None:
        return None
    children = kind.children
    if parent.tag == "link" and tag in ("pose", "origin"):
        return "the pose of a link is the <origin> of the joint that it is the child of: move it there"
    if (place := _UNDER_GAZEBO.get((tag_of(parent), tag))) is not None:
        return f"<{tag}> belongs in {place.format(parent.get('name'))}"
    if tag == "pose" and "origin" in children and (origin := _write_origin(text)):
        return origin
    name = "filename" if tag == "uri" else tag
    if name in kind.attributes and text:
        return f'write an attribute: <{tag_of(parent)} {name}="{text}">'
    alike = [name for name in children if name[0] == tag[0].lower()]  # <controller_gains> is no <safety_controller>
    if close := [tag.lower()] if tag.lower() in children else comparisons.find_nearest(tag, alike):
        return f"did you mean <{close[0]}>?"
    places = [place for place, inner in children.items() if tag in inner.children]
    return f"<{tag}> belongs in <{places[0]}>" if len(places) == 1 else None


def explain_attributes(names: list[str], element: Element, comparisons: Comparisons) -> str | None:
    """Return the hint for attributes that URDF does not define there; None unless each is like one that it defines."""
    kind = kind_of(element)
    free = kind.attributes - {*element.keys()} if kind else set()
    close = [[_MEANT[name]] if _MEANT.get(name) in free else comparisons.find_nearest(name, free) for name in names]
    return f"did you mean {', '.join(found[0] for found in close)}?" if all(close) else None


def _write_origin(text: str) -> str | None:
    numbers = text.split()
    if len(numbers) not in (3, 6):
        return None
    rpy = f' rpy="{" ".join(numbers[3:])}"' if numbers[3:] else ""
    return f'write <origin xyz="{" ".join(numbers[:3])}"{rpy}/>'


_CARRIED_WHOLE = frozenset(("transmission", "ros2_control"))
_WHERE = ("", "origin/descendant::", "link/descendant::", "joint/descendant::", "material/descendant::", "gazebo/")
# One expression for all would take quadratic time.
_TEXTS: list[Callable[[Element], Any]] = [etree.XPath(f"{where}text()[normalize-space()]") for where in _WHERE]
_MOST_NAMED = 20
_FOR_SHAPES = "remove the others; write one <visual> or <collision> for each shape"
UNKNOWN, AGAIN, _IDLE = "URDF does not define it", "an earlier one is used", "joints of this type have no axis"
_SPARE = "no reader of URDF uses it"


class _Unread(NamedTuple):
    """`what` is a tag, ``@attribute`` or ``text()``; `owner` the name of the link or joint around it."""

    element: Element
    parent: Element
    owner: str
    what: str
    reason: str
    judged: Judged | None = None


def find_unread(root: Element, others: list[Element], extras: list[Element], mistaken: set[Element],
                found: list[Diagnostic]) -> list[LeftOut]:
    """List everything in a ``<robot>`` that is not read; append findings to `found`.

    Parameters
    ----------
    others : children of `root` that URDF does not define; they have entries of their own.
    extras : elements that hold, or may hold, more than the reader reads.
    mistaken : elements whose text is taken for a value that is missing, as a finding says.
    """
    unread = _name_as_written(list(_find(root, extras)), root)
    unread += _find_texts(root, {u.element for u in unread if u.what[0] != "@"})
    order = dict(zip(root.iter(etree.Element), count())) if unread else {}
    unread.sort(key=lambda u: order[u.element])
    kinds: dict[tuple[str, str | bool, bool], list[_Unread]] = {}
    for u in [*unread, *[_Unread(e, root, "", tag_of(e), UNKNOWN) for e in others if e.tag not in _CARRIED_WHOLE]]:
        if u.what == "text()" and u.element in mistaken:
            continue
        if u.reason not in (_IDLE, _SPARE) and (
                ":" not in u.what or u.what.startswith("xacro:") and u.parent is not root):
            parent = tag_of(u.parent)
            unknown = u.what[0] == "@" and program_of(parent, u.what) is None
            what = u.what + u.reason if u.judged else unknown or u.what
            kinds.setdefault((parent, what, u.reason is AGAIN), []).append(u)
    comparisons = Comparisons()
    found += [_report(*kind, alike, comparisons) for kind, alike in kinds.items()]
    return [LeftOut(f"{tag_of(u.parent)}/{u.what}", u.owner, "", u.reason, u.element)
            for u in unread if u.judged is None or not u.judged.is_read]


def _report(parent: str, what: str | bool, again: bool, alike: list[_Unread], comparisons: Comparisons) -> Diagnostic:
    """Report what is `alike`: unknown attributes of elements of one tag (`what` is True), or what has one name."""
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
                        hint=explain_attributes(listed[:_MOST_NAMED], first, comparisons))
    attribute = alike[0].what.partition("@")[2]
    fields["what"] = f"attribute {attribute}" if attribute else "text" if what == "text()" else f"<{what}>"
    if again:
        return diagnose("urdf-content-repeated", locate(first), **fields,
                        hint=_FOR_SHAPES if "geometry" in (parent, what) else None)
    if isinstance(what, str) and (program := program_of(parent, what)):
        return diagnose("urdf-content-of-others", locate(first, attribute or None), **fields, program=program)
    if (parent, what) == ("robot", "sensor"):
        return diagnose("urdf-sensor-unused", locate(first), **fields)
    hint = explain_text(alike[0].parent) if what == "text()" else explain_element(first, comparisons)
    return diagnose("urdf-content-unknown", locate(first), **fields, hint=hint)


def _find(root: Element, extras: list[Element]) -> Iterator[_Unread]:
    """Yield elements and attributes that are unknown or repeated."""
    yield from _find_attributes(root, ROBOT.attributes, root.get("name", ""))
    holders = set(extras)
    for element in extras:
        holders.update(element.iterancestors())
    has_origin = False
    for child in root if holders else root.iterchildren("gazebo", "origin"):
        tag = child.tag
        if child in holders or tag == "gazebo":
            if (kind := ROBOT.often.get(tag)) is not None:
                yield from _find_below(child, kind, _name_of(child))
        elif tag == "origin":
            if has_origin:
                yield _Unread(child, root, root.get("name", ""), tag, AGAIN)
            else:
                yield from _find_below(child, MODEL_ORIGIN, root.get("name", ""))
            has_origin = True


def _name_of(element: Element) -> str:
    return element.get("name") or element.get("reference") or ""


def _find_attributes(element: Element, known: frozenset[str], owner: str) -> Iterator[_Unread]:
    for key in element.attrib:
        if key not in known:
            yield _Unread(element, element, owner, f"@{key!s}", _judge(element, f"@{key!s}"))
        elif (judged := judge_known(element, f"@{key!s}")) is not None:
            yield _Unread(element, element, owner, f"@{key!s}", judged.problem, judged)


def _judge(parent: Element, what: str) -> str:
    """Return why something is not read that the tables of URDF do not have."""
    return _SPARE if (parent.tag, what) in UNUSED else UNKNOWN


def _find_below(top: Element, kind: Kind, owner: str) -> Iterator[_Unread]:
    todo = [(top, kind)]
    for element, kind in todo:
        attributes, once, often = kind
        yield from _find_attributes(element, attributes, owner)
        if often is SHAPES and not any(child.tag in SHAPES for child in element):
            continue  # the visual or collision cannot be read, as a finding says
        seen: set[str] = set()
        for child in element:
            tag = child.tag
            inner = once.get(tag) or often.get(tag)
            if inner is None:
                if kind is not GAZEBO and kind is not FREE and isinstance(tag, str):
                    yield _Unread(child, element, owner, tag_of(child), _judge(element, tag))
            elif seen and often is SHAPES or tag in seen and tag in once:
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
