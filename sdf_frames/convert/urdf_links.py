"""Makes URDF links from links of SDFormat: inertial and shapes in the link, everything else under ``<gazebo>``."""
from __future__ import annotations

from lxml import etree

from sdf_frames.convert.report import Entry
from sdf_frames.convert.shape_names import restore_name
from sdf_frames.convert.urdf_gazebo import add_gazebo, carry_settings, carry_shape_settings
from sdf_frames.convert.urdf_parts import (
    MassProperties,
    ShapeName,
    UriWriter,
    copy_origin,
    make_inertial,
    make_material,
    make_shapes,
)
from sdf_frames.diagnostics import Diagnostic
from sdf_frames.document.numbers import format_numbers
from sdf_frames.document.places import copy_element
from sdf_frames.document.xml_in import Element
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.resolve import find_pose_in
from sdf_frames.sdf.model import Collision, Link, Part
from sdf_frames.spatial.pose import Pose, normalise, rpy_from_quaternion
from sdf_frames.urdf import model as urdf


def make_link(graph: FrameGraph, i: int, name: str, inertia: MassProperties | None, write_uri: UriWriter,
              rows: list[Entry], gazebo: list[Element], found: list[Diagnostic],
              capsules: bool) -> urdf.Link:
    """Make the URDF link `name` for the link at vertex `i`.

    Parameters
    ----------
    inertia : its mass properties.
    write_uri : makes the URI to write for a mesh or texture.
    rows, gazebo, found : a row for each part, ``<gazebo>`` elements, and findings are appended to these.
    capsules : whether the URDF may have capsules.
    """
    link = graph.entities[i]
    assert isinstance(link, Link)
    visuals: list[urdf.Visual] = []
    collisions: list[urdf.Collision] = []
    places = {"visual": 0, "collision": 0}
    written: dict[str, list[Element]] = {"visual": [], "collision": []}  # what the URDF has
    parts: tuple[Collision | Part, ...] = (*link.collisions, *link.parts)
    for part in parts:
        kind = "collision" if isinstance(part, Collision) else part.kind
        X = find_pose_in(graph, i, part.pose) or normalise(part.pose.X)
        origin = copy_origin(part.pose.element) if part.pose.relative_to in ("", link.name) else None
        if kind not in places:
            add_gazebo(gazebo, name).append(_copy_part(part, X, origin))
            rows.append(Entry(kind, part.name, "moved", f'<gazebo reference="{name}">', part.element))
            continue
        called = ShapeName(part.name, restore_name(link.name, part.name, kind, places[kind]))
        places[kind] += 1
        material = make_material(part.element, called, write_uri) if kind == "visual" else None
        shapes = make_shapes(part.element, called, X, origin, rows, write_uri, capsules)
        if kind == "visual":
            visuals += [urdf.Visual(*shape[:3], material, shape.element) for shape in shapes]
        else:
            collisions += shapes
        if shapes:
            written[kind].append(part.element)
    carry_settings(link.element, name, rows, gazebo, [
        setting for shapes in written.values() for setting in carry_shape_settings(shapes, name, rows, found)])
    stated = None if link.inertial is None else link.inertial.element
    inertial = make_inertial(inertia, stated, link.element) if inertia is not None else None
    return urdf.Link(name, inertial, tuple(visuals), tuple(collisions), link.element)


def _copy_part(part: Collision | Part, X: Pose, origin: urdf.Origin | None) -> Element:
    """Copy a sensor, light or other part, with its pose in the link; `origin` is that pose as written, or None."""
    element = copy_element(part.element)
    for pose in element.findall("pose"):
        element.remove(pose)
    pose = etree.Element("pose")
    xyz, rpy = (X[:3], rpy_from_quaternion(*X[3:])) if origin is None else origin
    pose.text = format_numbers((*xyz, *rpy))
    element.insert(0, pose)
    return element
