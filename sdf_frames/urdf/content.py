"""The content that elements of a URDF may have, and hints for other content."""
from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from sdf_frames.diagnostics import LONGEST, Comparisons
from sdf_frames.document.elements import Element, tag_of, text_of
from sdf_frames.urdf.model import TENSOR
from sdf_frames.urdf.read_parts import FORMS, Unreadable, numbers_in
from sdf_frames.urdf.read_parts import SHAPES as SHAPE_ATTRIBUTES


class Kind(NamedTuple):
    """The content that an element may have: attributes, and children that may occur once or often."""

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
#: Attributes and children in urdfdom's schema (xsd/urdf.xsd) that no reader uses, by parent.
UNUSED = frozenset((("link", "@type"), ("collision", "verbose"), ("calibration", "@reference_position")))

#: Attributes that people write, and the attributes of URDF that they mean.
_MEANT = {"pos": "xyz", "position": "xyz", "rot": "rpy", "rotation": "rpy", "uri": "filename", "file": "filename",
          "height": "length", "min": "lower", "max": "upper", "diameter": "radius",
          "rpy": "xyz"}  # of an <axis>
_DID_YOU_MEAN = "did you mean "

#: Content for other programs: the program by parent and tag, or attribute with ``@``.
_OF_OTHERS = {("robot", "mujoco"): "MuJoCo", ("robot", "frame"): "Drake", ("robot", "loop_joint"): "Isaac Sim",
              ("joint", "@dont_collapse"): "Isaac Sim", ("link", "contact"): "PyBullet",
              **{("collision", f"@{name}"): "PyBullet" for name in ("concave", "group", "mask")}}


def program_of(parent: str, tag: str) -> str | None:
    """Return the program that an element is for; None if it is for no known program."""
    return "Isaac Sim" if tag.startswith("isaac_") else _OF_OTHERS.get((parent, tag))


def kind_of(element: Element) -> Kind | None:
    """Return the content that an element of a ``<robot>`` may have; None if URDF does not define the element there."""
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
        form = FORMS.get(names[0], text)
        value = text if len(numbers_in(text) or ()) == len(form.split()) else form
        return f'write <{parent.tag} {names[0]}="{value}"/>'
    return f"write it as attributes: {', '.join(names)}" if names else None


class Advice(NamedTuple):
    """A hint for unknown content, and the known content of the same parent that it stands for.

    Attributes
    ----------
    meant : a tag or the name of an attribute; "" if it stands for nothing in the same parent.
    """

    meant: str
    hint: str


def explain_element(child: Element, comparisons: Comparisons) -> Advice | None:
    """Return the hint for a child that URDF does not define in its parent."""
    from sdf_frames.document.mends import URDF, find_mend
    parent = child.getparent()
    assert parent is not None
    tag, text = tag_of(child), text_of(child)[:LONGEST]
    if (kind := kind_of(parent)) is None:
        return None
    children = kind.children
    if tag == "pose" and "origin" in children and (origin := _write_origin(text)):
        return Advice("origin", origin)
    if (mend := find_mend(URDF, (tag_of(parent),), tag, child, text_of(child))) is not None:
        return Advice(mend.meant, mend.hint)
    name = "filename" if tag == "uri" else tag
    holders = [(tag_of(parent), kind)] * (name in kind.attributes) or [
        (holder, inner) for holder, inner in children.items() if name in inner.attributes]
    if len(holders) == 1 and text:
        holder, inner = holders[0]
        return Advice(name if inner is kind else holder, f'write an attribute: <{holder} {name}="{text}">')
    if tag.lower() not in children and (places := _find_places(tag, parent, children)):
        return Advice(places[0], f"<{tag}> belongs in {' or '.join(f'<{place}>' for place in places)}")
    alike = [name for name in children if name[0] == tag[0].lower()]  # <controller_gains> is not <safety_controller>
    close = [tag.lower()] if tag.lower() in children else comparisons.find_nearest(tag, alike)
    return Advice(close[0], f"did you mean <{close[0]}>?") if close else None


def _find_places(tag: str, parent: Element, children: dict[str, Kind]) -> list[str]:
    """Return the elements that hold a `tag`: beside it, else around it, else anywhere; [] if they are more than two."""
    places = [name for name, inner in children.items() if tag in inner.children]
    holders = _list_holders().get(tag, [])
    around = [a.tag for a in parent.iterancestors() if a.tag in holders and a.tag != "robot"]
    places = places or around[:1] or [h for h in holders if h not in ("robot", parent.tag)] or holders
    return places if len(places) <= 2 else []


@cache
def _list_holders() -> dict[str, list[str]]:
    """Return the tags of URDF, with the tags of their parents."""
    holders: dict[str, list[str]] = {}
    todo = [("robot", ROBOT)]
    for holder, kind in todo:
        for tag, inner in kind.children.items():
            if inner is not FREE and holder not in holders.setdefault(tag, []):
                holders[tag].append(holder)
                todo.append((tag, inner))
    return holders


def explain_attributes(names: list[str], element: Element, comparisons: Comparisons) -> str | None:
    """Return the hint for attributes that URDF does not define there; None if the meaning of one is unknown."""
    advice = [_explain_attribute(name, element, comparisons) for name in names]
    hints = dict.fromkeys(a.hint for a in advice if a is not None)
    if None in advice or not hints:
        return None
    meant = [a.meant for a in advice if a is not None and a.hint.startswith(_DID_YOU_MEAN)]
    return f"{_DID_YOU_MEAN}{', '.join(meant)}?" if len(meant) == len(names) else "; ".join(hints)


def _explain_attribute(name: str, element: Element, comparisons: Comparisons) -> Advice | None:
    """Return the hint for an attribute that URDF does not define there, by the attribute that it stands for."""
    from sdf_frames.document.mends import URDF, find_mend, spell_attributes
    kind, value = kind_of(element), element.get(name, "")
    if kind is None:
        return None
    free = kind.attributes - {*element.keys()}
    if meant := _MEANT[name] if _MEANT.get(name) in free else next(iter(comparisons.find_nearest(name, free)), ""):
        number = numbers_in(value) or () if name == "diameter" else ()
        return Advice(meant, f'write radius="{number[0] / 2:g}", half of the diameter' if len(number) == 1
                      else f"{_DID_YOU_MEAN}{meant}?")
    if (mend := find_mend(URDF, (tag_of(element),), f"@{name}", element, value)) is not None:
        return Advice(mend.meant, mend.hint)
    parent = element.getparent()
    around = None if parent is None or name == "name" else kind_of(parent)
    unknown = [str(key) for key in element.attrib if key not in kind.attributes]
    for where, children in (("into", kind.children), ("beside", around.children if around else {})):
        holders = [tag for tag, inner in children.items() if inner.attributes.issuperset(unknown)]
        if len(holders) == 1 and (said := spell_attributes(element, unknown)):
            return Advice(holders[0] * (where == "into"), f"write <{holders[0]} {said}/> {where} <{tag_of(element)}>")
    return None


class Mistakes:
    """Wrong names and places in an element that lacks what they stand for: one finding reports both.

    Attributes
    ----------
    told : the content that such findings report: the element, and its tag, ``@attribute`` or ``text()``.
    """

    __slots__ = ("told", "_comparisons")

    def __init__(self) -> None:
        self.told: set[tuple[Element, str]] = set()
        self._comparisons = Comparisons()

    def explain(self, element: Element, *missing: str) -> str | None:
        """Return the hint for missing content of an element, if it has another name or is beside the element."""
        kind, hints = kind_of(element), dict[str, None]()
        for holder, what, advice in [] if kind is None else self._list(element, kind):
            if advice is not None and advice.meant in missing:
                self.told.add((holder, what))
                hints[advice.hint] = None
        return "; ".join(hints) or None

    def explain_unreadable(self, unreadable: Unreadable) -> str | None:
        """Return the hint for a part that cannot be read, or that lacks something."""
        missing = unreadable.missing
        return missing and self.explain(unreadable.element, *missing) or unreadable.hint

    def _list(self, element: Element, kind: Kind) -> Iterator[tuple[Element, str, Advice | None]]:
        for name in map(str, element.keys()):
            if name not in kind.attributes:
                yield element, f"@{name}", _explain_attribute(name, element, self._comparisons)
        if text_of(element) and len(kind.attributes) == 1 and (hint := explain_text(element)):
            yield element, "text()", Advice(next(iter(kind.attributes)), hint)
        for child in element.iterchildren("*"):
            if child.tag not in kind.children:
                yield child, tag_of(child), explain_element(child, self._comparisons)
        parent = element.getparent()
        around = None if parent is None or not kind.children else kind_of(parent)
        if parent is None or around is None or element.tag not in around.once:
            return
        for beside in parent.iterchildren(*kind.children):
            if (advice := explain_element(beside, self._comparisons)) and advice.meant == element.tag:
                yield beside, tag_of(beside), Advice(tag_of(beside), advice.hint)


def _write_origin(text: str) -> str | None:
    numbers = text.split()
    if len(numbers) not in (3, 6):
        return None
    rpy = f' rpy="{" ".join(numbers[3:])}"' if numbers[3:] else ""
    return f'write <origin xyz="{" ".join(numbers[:3])}"{rpy}/>'
