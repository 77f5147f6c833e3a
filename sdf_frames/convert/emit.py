"""Writes fates as SDF elements, and their parts: poses, inertials, shapes, colours.

Everything has been decided before: see :mod:`sdf_frames.convert.fates`.
"""
from __future__ import annotations

from collections.abc import Iterable

from lxml import etree

from sdf_frames.convert.fates import AxisFate, Fate, FrameFate, JointFate, LinkFate, Marks, ShapeFate, Value
from sdf_frames.convert.job import Job, NumberTexts
from sdf_frames.convert.round_trip_attributes import NO_COLOUR, RGBA, attribute, scale_colour
from sdf_frames.document.elements import Element
from sdf_frames.document.places import Starts
from sdf_frames.urdf import model as urdf

_make = etree.SubElement
_INERTIAL = etree.XML("<inertial><pose/><mass/><inertia><ixx/><ixy/><ixz/><iyy/><iyz/><izz/></inertia></inertial>")
_GEOMETRIES = {
    urdf.Mesh: "<mesh><scale/><uri/></mesh>", urdf.Box: "<box><size/></box>", urdf.Sphere: "<sphere><radius/></sphere>",
    urdf.Cylinder: "<cylinder><length/><radius/></cylinder>", urdf.Capsule: "<capsule><radius/><length/></capsule>"}
_SHAPES = {(kind, shape): etree.XML(f"<{kind}><pose/><geometry>{geometry}</geometry></{kind}>")
           for shape, geometry in _GEOMETRIES.items() for kind in ("visual", "collision")}

#: The element of a shape that ``<gazebo>`` replaces as a whole, by the kind of the shape.
WHOLE = {"collision": "surface", "visual": "material"}


def put(parent: Element, tag: str, text: str | None = None) -> Element:
    """Add a last child."""
    child = _make(parent, tag)
    if text is not None:
        child.text = text
    return child


def ensure(parent: Element, tag: str) -> Element:
    """Return the first child of that tag; add one if there is none."""
    for child in parent.iterchildren(tag):
        return child
    return put(parent, tag)


def _put_copy(parent: Element, pattern: Element, texts: Iterable[str | None]) -> Element:
    """Add a copy of `pattern` with these texts, in document order: half the time of adding elements one by one."""
    element: Element = pattern.__copy__()  # type: ignore[attr-defined]  # copy.copy() calls it, too
    parent.append(element)
    for part, text in zip(element.iter(), texts):
        if text is not None:
            part.text = text
    return element


def _put_inertial(link: Element, inertial: urdf.Inertial, numbers: NumberTexts) -> Element:
    """Write ``<inertial>``."""
    origin, mass, *tensor, _ = inertial
    return _put_copy(link, _INERTIAL, [None, numbers.pose(origin), numbers[mass], None, *[numbers[x] for x in tensor]])


def rewrite_uri(filename: str, style: str) -> str:
    """Return the URI of a file in a ROS package with the scheme of `style`: see :class:`.ConvertOptions`."""
    if style == "model":
        return filename.replace("package://", "model://", 1)
    return filename.replace("model://", "package://", 1) if style == "package" else filename


def _make_shape(link: Element, kind: str, shape: urdf.Visual | urdf.Collision, pose: str, numbers: NumberTexts,
                uri_style: str) -> Element:
    """Write a ``<visual>`` or ``<collision>`` without a name. Like libsdformat, write the scale of every mesh."""
    geometry = shape.geometry
    if isinstance(geometry, urdf.Mesh):
        texts = [numbers.join(geometry.scale), rewrite_uri(geometry.filename, uri_style)]
    elif isinstance(geometry, urdf.Box):
        texts = [numbers.join(geometry.size)]
    elif isinstance(geometry, urdf.Sphere):
        texts = [numbers[geometry.radius]]
    elif isinstance(geometry, urdf.Cylinder):
        texts = [numbers[geometry.length], numbers[geometry.radius]]
    else:
        texts = [numbers[geometry.radius], numbers[geometry.length]]
    return _put_copy(link, _SHAPES[kind, type(geometry)], [None, pose, None, None, *texts])


def _put_colour(visual: Element, material: urdf.Material, numbers: NumberTexts, uri_style: str, starts: Starts) -> None:
    """Write the diffuse and ambient colour for a URDF material. A texture becomes the albedo map."""
    element = ensure(visual, "material")
    starts.setdefault(element, material.element)
    rgba = material.rgba
    text = "1 1 1 1" if rgba is None else numbers.join(scale_colour(rgba))
    put(element, "diffuse", text).set(attribute(RGBA), NO_COLOUR if rgba is None else numbers.join(rgba))
    put(element, "ambient", text)
    if material.texture:
        metal = put(put(element, "pbr"), "metal")
        albedo = put(metal, "albedo_map", rewrite_uri(material.texture, uri_style))
        if (texture := urdf.child_of(material, "texture")) is not None:
            starts[albedo] = (texture, "filename")


_SHORT = 1e-5  # SDF may refuse an axis of hardly any length
_JOINT = etree.XML("<joint><pose/><parent/><child/></joint>")
_DYNAMICS = etree.XML("<dynamics><damping/><friction/></dynamics>")


class Emitter:
    """Writes fates into a ``<model>``.

    Attributes
    ----------
    carried : elements whose content the SDF reader must check: those from ``<gazebo>``, and axes of almost no length.
    """

    def __init__(self, model: Element, job: Job):
        self.model, self.numbers, self.starts, self.replaced = model, job.numbers, job.starts, job.replaced
        self.uri_style = job.options.uri_style
        self.carried: list[Element] = []

    def emit(self, fates: Iterable[Fate]) -> None:
        """Write all `fates` into the model, in their order."""
        for fate in fates:
            if isinstance(fate, LinkFate):
                self._put_link(fate)
            elif isinstance(fate, JointFate):
                self._put_joint(fate)
            elif isinstance(fate, FrameFate):
                self._put_frame(fate)
            else:
                self._put_contents(self.model, fate.contents)

    def _put_link(self, fate: LinkFate) -> None:
        link = put(self.model, "link")
        self.starts[link] = fate.element
        link.set("name", fate.name)
        if fate.joint is not None:
            put(link, "pose").set("relative_to", fate.joint)
        self.starts[_put_inertial(link, fate.inertial, self.numbers)] = fate.inertial.element
        for shape in fate.shapes:
            self._put_shape(link, shape)
        self._put_contents(link, fate.contents)

    def _put_shape(self, link: Element, fate: ShapeFate) -> None:
        shape = fate.shape
        element = _make_shape(link, fate.kind, shape, self.numbers.pose(fate.origin), self.numbers, self.uri_style)
        element.set("name", fate.name)
        _put_marks(element, fate.marks)
        self.starts[element] = shape.element
        if isinstance(shape.geometry, urdf.Mesh) and (mesh := urdf.shape_of(shape)) is not None:
            self.starts[element[1][0][1]] = mesh, "filename"
        if fate.contents:
            self._put_contents(element, fate.contents, WHOLE[fate.kind])
        if fate.material is not None:
            _put_colour(element, fate.material, self.numbers, self.uri_style, self.starts)

    def _put_joint(self, fate: JointFate) -> None:
        joint = _put_copy(self.model, _JOINT, [None, self.numbers.pose(fate.origin), fate.parent, fate.child])
        self.starts[joint] = fate.element
        joint.set("type", fate.type)
        joint.set("name", fate.name)
        joint[0].set("relative_to", fate.relative_to)
        _put_marks(joint, fate.marks)
        if fate.axis is not None:
            self._put_axis(joint, fate.axis)
        self._put_contents(joint, fate.contents)

    def _put_axis(self, joint: Element, fate: AxisFate) -> None:
        numbers, starts = self.numbers, self.starts
        axis = put(joint, "axis")
        starts[axis] = fate.element
        xyz = put(axis, "xyz", numbers.join(fate.xyz))
        if max(map(abs, fate.xyz)) < _SHORT:
            self.carried.append(xyz)
            starts[xyz] = None if fate.element is None else (fate.element, "xyz")
        if fate.leader and (mimic := fate.mimic) is not None:
            element = put(axis, "mimic")
            starts[element] = mimic.element
            element.set("joint", fate.leader)
            put(element, "multiplier", numbers[mimic.multiplier])
            put(element, "offset", numbers[mimic.offset])
        limit = put(axis, "limit")
        starts[limit] = fate.bounds_element
        for tag, value in fate.bounds:
            put(limit, tag, numbers[value])
        if (dynamics := fate.dynamics) is None:
            put(axis, "dynamics")
        else:
            texts = [None, numbers[dynamics.damping], numbers[dynamics.friction]]
            starts[_put_copy(axis, _DYNAMICS, texts)] = dynamics.element

    def _put_frame(self, fate: FrameFate) -> None:
        frame = put(self.model, "frame")
        self.starts[frame] = fate.element
        frame.set("name", fate.name)
        frame.set("attached_to", fate.attached_to)
        _put_marks(frame, fate.marks)
        if fate.origin is not None:
            pose = put(frame, "pose", self.numbers.pose(fate.origin))
            if fate.relative_to is not None:
                pose.set("relative_to", fate.relative_to)

    def _put_contents(self, parent: Element, contents: Iterable[Value | Element], whole: str = "") -> None:
        """Write what ``<gazebo>`` says about an SDF element: values and elements, in their order.

        A value replaces the element of its tag. An element is added; only one with the tag `whole` replaces another.
        """
        place: Element = parent
        around: tuple[str, ...] = ()
        for part in contents:
            if isinstance(part, Value):
                if part.around is not around:
                    place, around = parent, part.around
                    for step in around:
                        place = ensure(place, step)
                self._remove(place, part.tag)
                child = put(place, part.tag, part.text)
                self.starts[child] = part.element
                if part.checked:
                    self.carried.append(child)
            else:
                if part.tag == whole:
                    self._remove(parent, whole)
                parent.append(part)
                self.carried.append(part)
                place, around = parent, ()

    def _remove(self, parent: Element, tag: str) -> None:
        """Remove the first child of that tag, if there is one, and note what it stems from."""
        for old in parent.iterchildren(tag):
            parent.remove(old)
            stems = [self.starts.get(part) for part in old.iter()]
            self.replaced.update([start for start in stems if isinstance(start, Element)])
            return


def _put_marks(element: Element, marks: Marks) -> None:
    for mark, text in marks:
        element.set(attribute(mark), text)
