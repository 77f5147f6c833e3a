"""Writes a :class:`~sdf_frames.urdf.model.Robot` as a tree; parsing its text gives an equal robot with new elements."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from math import inf
from typing import Any

from lxml import etree

from sdf_frames.document.elements import Element
from sdf_frames.document.numbers import Written, write_number
from sdf_frames.urdf.model import NO_ORIGIN, TENSOR, Inertial, Joint, Link, Material, Origin, Robot, Visual

_SubElement = etree.SubElement


def build_tree(robot: Robot) -> Element:
    """Write materials, links, joints, then ``<gazebo>`` and all other elements, each kind in its order."""
    holders = (robot, *robot.links, *robot.joints, *[shape for link in robot.links for shape in link.shapes])
    # Programs such as Drake know prefixes, but no namespaces.
    prefixes = {prefix: uri for holder in holders for element in holder.others
                for prefix, uri in element.nsmap.items() if prefix}
    root = etree.Element("robot", {"name": robot.name}, prefixes)
    if robot.version is not None:
        root.set("version", robot.version)
    if robot.origin is not None:
        _put_origin(root, robot.origin, always=True)
    for material in robot.materials:
        _put_material(root, material)
    known = {material.name: material for material in robot.materials}
    for link in robot.links:
        _put_link(root, link, known)
    for joint in robot.joints:
        _put_joint(root, joint)
    _put_copies(root, (*robot.transmissions, *robot.ros2_control, *robot.others, *robot.gazebo))
    return root


def _put_copies(parent: Element, elements: Iterable[Element]) -> None:
    """Copy elements that URDF does not define; an element with the tag of a written one adds content to it.

    An element with the tag of the parent adds attributes to the parent.
    """
    written = {child.tag: child for child in parent}
    for element in elements:
        copy = deepcopy(element)
        copy.tail = None
        if copy.tag == parent.tag:
            parent.attrib.update({**copy.attrib, **parent.attrib})
        elif (part := written.get(copy.tag)) is None:
            parent.append(copy)
        else:  # so that attributes keep their prefixes
            copy.attrib.update(part.attrib)
            inside, copy[:] = list(copy), list(part)
            parent.replace(part, copy)
            written[copy.tag] = copy
            _put_copies(copy, inside)


def write_value(value: str | float | tuple[float, ...]) -> str:
    """Return the text of a name, or of numbers: as they were written, or the shortest that is read back."""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return " ".join([write_value(number) for number in value])
    return value.text if isinstance(value, Written) else write_number(value)


def _put_origin(parent: Element, origin: Origin, always: bool = False) -> None:
    if origin == NO_ORIGIN and not always:
        return
    _SubElement(parent, "origin", {"xyz": write_value(origin.xyz), "rpy": write_value(origin.rpy)})


def _put_material(parent: Element, material: Material) -> None:
    element = _SubElement(parent, "material", {"name": material.name})
    if material.rgba is not None:
        _SubElement(element, "color", {"rgba": write_value(material.rgba)})
    if material.texture is not None:
        _SubElement(element, "texture", {"filename": material.texture})


def fill_inertial(block: Element, inertial: Inertial) -> None:
    """Write the content of an ``<inertial>``."""
    _put_origin(block, inertial.origin)
    _SubElement(block, "mass", {"value": write_value(inertial.mass)})
    _SubElement(block, "inertia", {name: write_value(getattr(inertial, name)) for name in TENSOR})


def _put_link(root: Element, link: Link, known: dict[str, Material]) -> None:
    element = _SubElement(root, "link", {"name": link.name})
    if link.inertial is not None:
        fill_inertial(_SubElement(element, "inertial"), link.inertial)
    for tag, shapes in (("visual", link.visuals), ("collision", link.collisions)):
        for shape in shapes:
            block = _SubElement(element, tag)
            if shape.name:
                block.set("name", shape.name)
            _put_origin(block, shape.origin)
            _put_fields(_SubElement(block, "geometry"), type(shape.geometry).__name__.lower(), shape.geometry)
            material = shape.material if isinstance(shape, Visual) else None
            if material is not None:
                if known.get(material.name) == material:
                    _SubElement(block, "material", {"name": material.name})
                else:
                    _put_material(block, material)
            _put_copies(block, shape.others)
    _put_copies(element, link.others)


def _put_fields(parent: Element, tag: str, part: Any, but: Sequence[str] = ()) -> None:
    """Write a shape or a part of a joint; its fields have the names of the attributes, except for those given here."""
    _SubElement(parent, tag, {field: write_value(value) for field, value in zip(part._fields, part)
                              if field not in ("element", *but) and value not in (None, inf)})


def _put_joint(root: Element, joint: Joint) -> None:
    element = _SubElement(root, "joint", {"name": joint.name, "type": joint.type})
    _put_origin(element, joint.origin)
    _SubElement(element, "parent", {"link": joint.parent})
    _SubElement(element, "child", {"link": joint.child})
    if joint.axis is not None:
        _SubElement(element, "axis", {"xyz": write_value(joint.axis)})
    for tag, part in (("limit", joint.limit), ("dynamics", joint.dynamics), ("mimic", joint.mimic),
                      ("safety_controller", joint.safety), ("calibration", joint.calibration)):
        if part is not None:
            # Some programs read lower="0" upper="0" of a continuous joint as a range.
            is_endless = tag == "limit" and joint.type == "continuous" and part[:2] == (0, 0)
            _put_fields(element, tag, part, part._fields[:2] if is_endless else ())
    _put_copies(element, joint.others)
