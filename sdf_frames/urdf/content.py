"""What the elements of a URDF may hold, and hints for what they hold beside it."""
from __future__ import annotations

from typing import NamedTuple

from sdf_frames.diagnostics import LONGEST, Comparisons
from sdf_frames.document.xml_in import Element, tag_of, text_of
from sdf_frames.urdf.model import TENSOR
from sdf_frames.urdf.read_parts import SHAPES as SHAPE_ATTRIBUTES


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
