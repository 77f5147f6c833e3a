"""SDF elements for what URDF and SDF share: poses, inertials, shapes, colours."""
from __future__ import annotations

from collections.abc import Iterable

from lxml import etree

from sdf_frames.document.numbers import format_number
from sdf_frames.document.xml_in import Element
from sdf_frames.urdf.model import NO_ORIGIN, Box, Cylinder, Geometry, Inertial, Material, Mesh, Origin

MAX_LINE = 65535  # libxml2 keeps lines in 16 bits
_make = etree.SubElement


class NumberTexts(dict[float, str]):
    """Texts of numbers, each worked out once: a robot repeats the same few. `finite` tells whether all have been."""

    finite = True

    def __missing__(self, value: float) -> str:
        if value - value != 0.0:
            self.finite = False
        text = self[value] = format_number(value)
        return text

    def join(self, values: Iterable[float]) -> str:
        """The texts of `values`, one space apart."""
        return " ".join([self[v] for v in values])

    def pose(self, origin: Origin) -> str:
        """``x y z roll pitch yaw``."""
        if origin is NO_ORIGIN:
            return "0 0 0 0 0 0"
        (x, y, z), (r, p, w) = origin
        return f"{self[x]} {self[y]} {self[z]} {self[r]} {self[p]} {self[w]}"


def put(parent: Element, tag: str, text: str | None, line: int | None, **attributes: str) -> Element:
    """A new last child, with the source line that it stems from."""
    child = _make(parent, tag, attributes)
    if text is not None:
        child.text = text
    if line:
        child.sourceline = line if line < MAX_LINE else MAX_LINE
    return child


def put_only(parent: Element, tag: str, text: str | None, line: int | None) -> Element:
    """As :func:`put`, in place of a child of that tag, if there is one."""
    if (old := parent.find(tag)) is not None:
        parent.remove(old)
    return put(parent, tag, text, line)


def ensure(parent: Element, tag: str, line: int | None) -> Element:
    """The child of that tag, new where there is none."""
    element = parent.find(tag)
    return put(parent, tag, None, line) if element is None else element


def put_inertial(link: Element, inertial: Inertial, numbers: NumberTexts) -> None:
    """``<inertial>``."""
    origin, mass, *tensor, line = inertial
    element = put(link, "inertial", None, line)
    put(element, "pose", numbers.pose(origin), line)
    put(element, "mass", numbers[mass], line)
    inertia = put(element, "inertia", None, line)
    for tag, value in zip(("ixx", "ixy", "ixz", "iyy", "iyz", "izz"), tensor):
        put(inertia, tag, numbers[value], line)


def rewrite_uri(filename: str, style: str) -> str:
    """A URI of a file in a ROS package with the scheme of `style` (see :class:`.ConvertOptions`)."""
    if style == "model":
        return filename.replace("package://", "model://", 1)
    return filename.replace("model://", "package://", 1) if style == "package" else filename


def put_geometry(shape: Element, geometry: Geometry, numbers: NumberTexts, uri_style: str, line: int | None) -> None:
    """``<geometry>``; a mesh that is not scaled still says so, as libsdformat does."""
    element = put(put(shape, "geometry", None, line), type(geometry).__name__.lower(), None, line)
    if isinstance(geometry, Mesh):
        put(element, "scale", numbers.join(geometry.scale), line)
        put(element, "uri", rewrite_uri(geometry.filename, uri_style), line)
    elif isinstance(geometry, Box):
        put(element, "size", numbers.join(geometry.size), line)
    elif isinstance(geometry, Cylinder):
        put(element, "length", numbers[geometry.length], line)
        put(element, "radius", numbers[geometry.radius], line)
    else:
        for tag, value in zip(geometry._fields, geometry):
            put(element, tag, numbers[value], line)


def put_colour(visual: Element, material: Material, numbers: NumberTexts, uri_style: str) -> None:
    """Diffuse and ambient of a URDF colour, unless an extension has said one of them.

    1.25 times the colour, as libsdformat has it (it undoes the 0.8 and 0.4·½ of Gazebo's own defaults). A texture
    becomes the albedo map; URDF has no other use of it.
    """
    line = material.line
    element = ensure(visual, "material", line)
    if element.find("diffuse") is not None or element.find("ambient") is not None:
        return
    rgba = material.rgba
    if rgba is None:
        text = "1 1 1 1"
    else:
        red, green, blue, alpha = rgba
        text = numbers.join((min(1.25 * red, 1.0), min(1.25 * green, 1.0), min(1.25 * blue, 1.0), alpha))
    put(element, "diffuse", text, line)
    put(element, "ambient", text, line)
    if material.texture and element.find("pbr") is None:
        metal = put(put(element, "pbr", None, line), "metal", None, line)
        put(metal, "albedo_map", rewrite_uri(material.texture, uri_style), line)
