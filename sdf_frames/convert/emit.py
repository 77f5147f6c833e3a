"""Writes fates as SDF elements. Everything has been decided before: see :mod:`sdf_frames.convert.fates`."""
from __future__ import annotations

from collections.abc import Iterable

from lxml import etree

from sdf_frames.convert.emit_parts import NumberTexts, put, put_colour, put_contents, put_copy, put_inertial, put_shape
from sdf_frames.convert.fates import AxisFate, Fate, FrameFate, JointFate, LinkFate, Marks, ShapeFate
from sdf_frames.convert.round_trip_attributes import attribute
from sdf_frames.document.places import Starts
from sdf_frames.document.xml_in import Element
from sdf_frames.urdf.model import Inertial, Mesh, shape_of

_SHORT = 1e-5  # SDF may refuse an axis of hardly any length
_JOINT = etree.XML("<joint><pose/><parent/><child/></joint>")
_DYNAMICS = etree.XML("<dynamics><damping/><friction/></dynamics>")


class Emitter:
    """Writes fates into a ``<model>``.

    Attributes
    ----------
    carried : elements whose content the SDF reader must check: those from ``<gazebo>``, and axes of almost no length.
    inertials : the name of each link, and the inertial written for it.
    starts : takes what elements stem from, if that is not what the element around them does.
    """

    def __init__(self, model: Element, numbers: NumberTexts, uri_style: str, starts: Starts):
        self.model, self.numbers, self.uri_style, self.starts = model, numbers, uri_style, starts
        self.carried: list[Element] = []
        self.inertials: list[tuple[str, Inertial]] = []

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
                put_contents(self.model, fate.contents, self.carried, self.starts)

    def _put_link(self, fate: LinkFate) -> None:
        link = put(self.model, "link")
        self.starts[link] = fate.element
        link.set("name", fate.name)
        if fate.joint is not None:
            put(link, "pose").set("relative_to", fate.joint)
        self.starts[put_inertial(link, fate.inertial, self.numbers)] = fate.inertial.element
        self.inertials.append((fate.name, fate.inertial))
        for shape in fate.shapes:
            self._put_shape(link, shape)
        put_contents(link, fate.contents, self.carried, self.starts)

    def _put_shape(self, link: Element, fate: ShapeFate) -> None:
        shape = fate.shape
        element = put_shape(link, fate.kind, shape, self.numbers.pose(fate.origin), self.numbers, self.uri_style)
        element.set("name", fate.name)
        _put_marks(element, fate.marks)
        self.starts[element] = shape.element
        if isinstance(shape.geometry, Mesh) and (mesh := shape_of(shape)) is not None:
            self.starts[element[1][0][1]] = mesh, "filename"
        if fate.contents:
            put_contents(element, fate.contents, self.carried, self.starts,
                         "surface" if fate.kind == "collision" else "material")
        if fate.material is not None:
            put_colour(element, fate.material, self.numbers, self.uri_style, self.starts)

    def _put_joint(self, fate: JointFate) -> None:
        joint = put_copy(self.model, _JOINT, [None, self.numbers.pose(fate.origin), fate.parent, fate.child])
        self.starts[joint] = fate.element
        joint.set("type", fate.type)
        joint.set("name", fate.name)
        joint[0].set("relative_to", fate.relative_to)
        _put_marks(joint, fate.marks)
        if fate.axis is not None:
            self._put_axis(joint, fate.axis)
        put_contents(joint, fate.contents, self.carried, self.starts)

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
            starts[put_copy(axis, _DYNAMICS, texts)] = dynamics.element

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


def _put_marks(element: Element, marks: Marks) -> None:
    for mark, text in marks:
        element.set(attribute(mark), text)
