"""SDF elements for what URDF and SDF share: poses, inertials, shapes, colours."""
from __future__ import annotations

from lxml import etree

from sdf_frames.convert.nodes import MAX_LINE, Node, escape_text
from sdf_frames.document.numbers import format_number
from sdf_frames.document.xml_in import Element
from sdf_frames.urdf.model import NO_ORIGIN, Box, Capsule, Cylinder, Geometry, Inertial, Material, Mesh, Origin, Sphere

NO_POSE = "0 0 0 0 0 0"
_NO_SCALE = (1.0, 1.0, 1.0)


class NumberTexts(dict):
    """Texts of numbers, each worked out once: a robot repeats the same few. `finite` tells whether all have been."""

    finite = True

    def __missing__(self, value: float) -> str:
        if value - value != 0.0:
            self.finite = False
        text = self[value] = format_number(value)
        return text

    def join(self, values) -> str:
        """The texts of `values`, one space apart."""
        return " ".join([self[v] for v in values])

    def pose(self, origin: Origin) -> str:
        """``x y z roll pitch yaw``."""
        if origin is NO_ORIGIN:
            return NO_POSE
        (x, y, z), (r, p, w) = origin
        if x and y and z and r and p and w:
            # All are worked out, it seems: not worth keeping, and mostly nothing to shorten.
            text = f"{x!r} {y!r} {z!r} {r!r} {p!r} {w!r}"
            if ".0 " not in text and text[-2:] != ".0" and "e-3" not in text and "n" not in text:
                return text
        return f"{self[x]} {self[y]} {self[z]} {self[r]} {self[p]} {self[w]}"


def put(parent: Node | Element, tag: str, text: str | None, line: int | None) -> Node | Element:
    """A new last child, with the source line that it stems from."""
    if type(parent) is Node:
        child = Node(tag, line, text)
        parent.children.append(child)
        return child
    child = etree.SubElement(parent, tag)
    child.text = text
    child.sourceline = min(line or 0, MAX_LINE)
    return child


def put_only(parent: Node | Element, tag: str, text: str | None, line: int | None) -> Node | Element:
    """As :func:`put`, in place of a child of that tag, if there is one."""
    if (old := parent.find(tag)) is not None:
        parent.remove(old)
    return put(parent, tag, text, line)


def ensure(parent: Node | Element, tag: str, line: int | None) -> Node | Element:
    """The child of that tag, new where there is none."""
    element = parent.find(tag)
    return put(parent, tag, None, line) if element is None else element


def write_inertial(inertial: Inertial, numbers: NumberTexts) -> str:
    """``<inertial>`` of a link."""
    origin, mass, ixx, ixy, ixz, iyy, iyz, izz, _ = inertial
    return f"""\
      <inertial>
        <pose>{numbers.pose(origin)}</pose>
        <mass>{numbers[mass]}</mass>
        <inertia>
          <ixx>{numbers[ixx]}</ixx>
          <ixy>{numbers[ixy]}</ixy>
          <ixz>{numbers[ixz]}</ixz>
          <iyy>{numbers[iyy]}</iyy>
          <iyz>{numbers[iyz]}</iyz>
          <izz>{numbers[izz]}</izz>
        </inertia>
      </inertial>
"""


def rewrite_uri(filename: str, style: str) -> str:
    """A URI of a file in a ROS package with the scheme of `style` (:class:`~sdf_frames.convert.options.ConvertOptions`)."""
    if style == "model":
        return filename.replace("package://", "model://", 1)
    return filename.replace("model://", "package://", 1) if style == "package" else filename


def write_geometry(geometry: Geometry, numbers: NumberTexts, uri_style: str) -> str:
    """``<geometry>``; a mesh that is not scaled still says so, as libsdformat does."""
    kind = type(geometry)
    if kind is Mesh:
        scale = "1 1 1" if geometry.scale is _NO_SCALE else numbers.join(geometry.scale)
        values = ("scale", scale), ("uri", escape_text(rewrite_uri(geometry.filename, uri_style)))
    elif kind is Box:
        values = ("size", numbers.join(geometry.size)),
    elif kind is Cylinder:
        values = ("length", numbers[geometry.length]), ("radius", numbers[geometry.radius])
    else:
        assert kind is Sphere or kind is Capsule
        values = zip(geometry._fields, map(numbers.__getitem__, geometry))
    tag = kind.__name__.lower()
    inner = "".join([f"            <{what}>{value}</{what}>\n" for what, value in values])
    return f"""\
        <geometry>
          <{tag}>
{inner}          </{tag}>
        </geometry>
"""


def put_colour(visual: Node, material: Material, numbers: NumberTexts, uri_style: str) -> None:
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
