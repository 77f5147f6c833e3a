"""Writes a :class:`~sdf_frames.urdf.model.Robot` as URDF text; reading it gives the same robot, except for lines."""
from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy

from lxml import etree

from sdf_frames.document.numbers import Written, format_number
from sdf_frames.document.xml_in import Element
from sdf_frames.document.xml_out import write_xml
from sdf_frames.urdf.model import (
    NO_ORIGIN,
    TENSOR,
    Box,
    Capsule,
    Cylinder,
    Geometry,
    Joint,
    Link,
    Material,
    Mesh,
    Origin,
    Robot,
    Sphere,
    Visual,
)

_SubElement = etree.SubElement


def write_robot(robot: Robot) -> str:
    """Write materials, links, joints, then ``<gazebo>`` and all other elements, each kind in its order."""
    root = etree.Element("robot", {"name": robot.name})
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
    for element in (*robot.transmissions, *robot.ros2_control, *robot.others, *robot.gazebo):
        copy = deepcopy(element)
        copy.tail = None
        root.append(copy)
    return write_xml(root)


def _write_number(value: float) -> str:
    return value.text if isinstance(value, Written) else format_number(value)


def _write_numbers(values: Iterable[float]) -> str:
    return " ".join([_write_number(value) for value in values])


def _put_origin(parent: Element, origin: Origin, always: bool = False) -> None:
    if origin == NO_ORIGIN and not always:
        return
    _SubElement(parent, "origin", {"xyz": _write_numbers(origin.xyz), "rpy": _write_numbers(origin.rpy)})


def _put_material(parent: Element, material: Material) -> None:
    element = _SubElement(parent, "material", {"name": material.name})
    if material.rgba is not None:
        _SubElement(element, "color", {"rgba": _write_numbers(material.rgba)})
    if material.texture is not None:
        _SubElement(element, "texture", {"filename": material.texture})


def _put_link(root: Element, link: Link, known: dict[str, Material]) -> None:
    element = _SubElement(root, "link", {"name": link.name})
    if (inertial := link.inertial) is not None:
        block = _SubElement(element, "inertial")
        _put_origin(block, inertial.origin)
        _SubElement(block, "mass", {"value": _write_number(inertial.mass)})
        _SubElement(block, "inertia", {name: _write_number(getattr(inertial, name)) for name in TENSOR})
    for tag, shapes in (("visual", link.visuals), ("collision", link.collisions)):
        for shape in shapes:
            block = _SubElement(element, tag)
            if shape.name:
                block.set("name", shape.name)
            _put_origin(block, shape.origin)
            _put_geometry(block, shape.geometry)
            material = shape.material if isinstance(shape, Visual) else None
            if material is not None:
                if known.get(material.name) == material:
                    _SubElement(block, "material", {"name": material.name})
                else:
                    _put_material(block, material)


def _put_geometry(parent: Element, geometry: Geometry) -> None:
    element = _SubElement(parent, "geometry")
    if isinstance(geometry, Box):
        _SubElement(element, "box", {"size": _write_numbers(geometry.size)})
    elif isinstance(geometry, Sphere):
        _SubElement(element, "sphere", {"radius": _write_number(geometry.radius)})
    elif isinstance(geometry, (Cylinder, Capsule)):
        _SubElement(element, "cylinder" if isinstance(geometry, Cylinder) else "capsule",
                    {"radius": _write_number(geometry.radius), "length": _write_number(geometry.length)})
    else:
        assert isinstance(geometry, Mesh)
        _SubElement(element, "mesh", {"filename": geometry.filename, "scale": _write_numbers(geometry.scale)})


def _put_joint(root: Element, joint: Joint) -> None:
    element = _SubElement(root, "joint", {"name": joint.name, "type": joint.type})
    _put_origin(element, joint.origin)
    _SubElement(element, "parent", {"link": joint.parent})
    _SubElement(element, "child", {"link": joint.child})
    if joint.axis is not None:
        _SubElement(element, "axis", {"xyz": _write_numbers(joint.axis)})
    for tag, part in (("limit", joint.limit), ("dynamics", joint.dynamics), ("mimic", joint.mimic),
                      ("safety_controller", joint.safety), ("calibration", joint.calibration)):
        if part is not None:
            _SubElement(element, tag, {
                field: value if isinstance(value, str) else _write_number(value)
                for field, value in zip(part._fields, part) if field != "line" and value is not None})
