"""SDF elements for what URDF and SDF share: poses, inertials, shapes, colours."""
from __future__ import annotations

from copy import deepcopy
from sys import float_info

from lxml import etree

from sdf_frames.document.numbers import format_number
from sdf_frames.document.xml_in import Element
from sdf_frames.urdf.model import NO_ORIGIN, Box, Capsule, Cylinder, Geometry, Inertial, Material, Mesh, Origin, Sphere

_SubElement = etree.SubElement
NO_POSE = "0 0 0 0 0 0"
_SMALLEST = float_info.min
_MAX_LINE = 65535  # libxml2 keeps lines in 16 bits
_NO_SCALE = (1.0, 1.0, 1.0)


class NumberTexts(dict):
    """Texts of numbers, each worked out once: a robot repeats the same few. `finite` tells whether all have been."""

    finite = True

    def __missing__(self, value: float) -> str:
        if value - value != 0.0:
            self.finite = False
        # libsdformat refuses numbers below the normal ones.
        text = self[value] = format_number(value if abs(value) >= _SMALLEST else 0.0)
        return text

    def join(self, values) -> str:
        """The texts of `values`, one space apart."""
        return " ".join([self[v] for v in values])

    def pose(self, origin: Origin) -> str:
        """``x y z roll pitch yaw``."""
        if origin is NO_ORIGIN:
            return NO_POSE
        (x, y, z), (r, p, w) = origin
        return f"{self[x]} {self[y]} {self[z]} {self[r]} {self[p]} {self[w]}"


def put(parent: Element, tag: str, text: str | None, line: int | None) -> Element:
    """A new last child, with the source line that it stems from."""
    element = _SubElement(parent, tag)
    if text is not None:
        element.text = text
    if line is not None:
        element.sourceline = line if line < _MAX_LINE else _MAX_LINE
    return element


def copy_blob(blob: Element) -> Element:
    """A copy that can go into another document, without the text behind it."""
    copy = deepcopy(blob)
    copy.tail = None
    return copy


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
    origin, mass, ixx, ixy, ixz, iyy, iyz, izz, line = inertial
    element = put(link, "inertial", None, line)
    put(element, "pose", numbers.pose(origin), line)
    put(element, "mass", numbers[mass], line)
    tensor = put(element, "inertia", None, line)
    put(tensor, "ixx", numbers[ixx], line)
    put(tensor, "ixy", numbers[ixy], line)
    put(tensor, "ixz", numbers[ixz], line)
    put(tensor, "iyy", numbers[iyy], line)
    put(tensor, "iyz", numbers[iyz], line)
    put(tensor, "izz", numbers[izz], line)


def rewrite_uri(filename: str, style: str) -> str:
    """A URI of a file in a ROS package with the scheme of `style` (:class:`~sdf_frames.convert.options.ConvertOptions`)."""
    if style == "model":
        return filename.replace("package://", "model://", 1)
    return filename.replace("model://", "package://", 1) if style == "package" else filename


def put_geometry(shape: Element, geometry: Geometry, line: int | None, numbers: NumberTexts, uri_style: str) -> None:
    """``<geometry>``; a mesh that is not scaled still says so, as libsdformat does."""
    element = put(shape, "geometry", None, line)
    kind = type(geometry)
    if kind is Mesh:
        mesh = put(element, "mesh", None, line)
        scale = geometry.scale
        put(mesh, "scale", "1 1 1" if scale is _NO_SCALE else numbers.join(scale), line)
        put(mesh, "uri", rewrite_uri(geometry.filename, uri_style), line)
    elif kind is Box:
        put(put(element, "box", None, line), "size", numbers.join(geometry.size), line)
    elif kind is Cylinder:
        cylinder = put(element, "cylinder", None, line)
        put(cylinder, "length", numbers[geometry.length], line)
        put(cylinder, "radius", numbers[geometry.radius], line)
    elif kind is Sphere:
        put(put(element, "sphere", None, line), "radius", numbers[geometry.radius], line)
    else:
        assert kind is Capsule
        capsule = put(element, "capsule", None, line)
        put(capsule, "radius", numbers[geometry.radius], line)
        put(capsule, "length", numbers[geometry.length], line)


def put_colour(visual: Element, material: Material, numbers: NumberTexts, uri_style: str) -> None:
    """Diffuse and ambient of a URDF colour, unless an extension has said one of them.

    1.25 times the colour, as libsdformat has it (it undoes the 0.8 and 0.4·½ of Gazebo's own defaults). A texture
    becomes the albedo map; URDF has no other use of it.
    """
    element = visual.find("material")
    if element is not None and (element.find("diffuse") is not None or element.find("ambient") is not None):
        return
    line = material.line
    if element is None:
        element = put(visual, "material", None, line)
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
