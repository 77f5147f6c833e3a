"""Makes URDF links from links of SDFormat: inertial and shapes in the link, everything else under ``<gazebo>``."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lxml import etree

from sdf_frames.convert.report import Entry
from sdf_frames.convert.shape_names import restore_name
from sdf_frames.convert.undo_lumping import Pair, find_marked_link
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
from sdf_frames.spatial.pose import IDENTITY, Pose, compose, invert, normalise, rpy_from_quaternion
from sdf_frames.urdf import model as urdf

#: Of a lumped link with shapes: MuJoCo would make up a mass of these if it had no ``<inertial>``.
_MASSLESS = urdf.Inertial(urdf.NO_ORIGIN, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(slots=True)
class _Shapes:
    """The shapes of a link of the URDF, and the elements of the SDF that they are made of."""

    visuals: list[urdf.Visual] = field(default_factory=list)
    collisions: list[urdf.Collision] = field(default_factory=list)
    sources: list[Element] = field(default_factory=list)


def make_links(graph: FrameGraph, i: int, names: Mapping[int, str], pairs: Mapping[int, Pair],
               inertia: MassProperties | None, write_uri: UriWriter, rows: list[Entry], gazebo: list[Element],
               found: list[Diagnostic], capsules: bool) -> dict[int, urdf.Link]:
    """Make the URDF link for the link at vertex `i`, and lumped links that get their shapes back; all by vertex.

    Parameters
    ----------
    names : of the URDF, by vertex.
    pairs : frames that represent lumped links.
    inertia : mass properties of the link.
    write_uri : makes the URI to write for a mesh or texture.
    rows, gazebo, found : a row for each part, ``<gazebo>`` elements, and findings are appended to these.
    capsules : whether the URDF may have capsules.
    """
    link = graph.entities[i]
    assert isinstance(link, Link)
    shapes = {i: _Shapes()}
    places = {"visual": 0, "collision": 0}
    parts: tuple[Collision | Part, ...] = (*link.collisions, *link.parts)
    for part in parts:
        kind = "collision" if isinstance(part, Collision) else part.kind
        X = find_pose_in(graph, i, part.pose) or normalise(part.pose.X)
        origin = copy_origin(part.pose.element) if part.pose.relative_to in ("", link.name) else None
        if kind not in places:
            add_gazebo(gazebo, names[i]).append(_copy_part(part, X, origin))
            rows.append(Entry(kind, part.name, "moved", f'<gazebo reference="{names[i]}">', part.element))
            continue
        called = ShapeName(part.name, restore_name(link.name, part.name, kind, places[kind]))
        places[kind] += 1
        X_S = compose(graph.poses[i] or IDENTITY, X)
        at, stated = find_marked_link(graph, pairs, part.element, graph.prefix(i), i, X_S)
        if at is None:
            at = i
        else:
            X, origin = compose(invert(graph.poses[at] or IDENTITY), X_S), stated
            own = "" if called.new == graph.entities[at].name else called.new
            called = ShapeName(part.name, own, names[at])
        into = shapes.setdefault(at, _Shapes())
        if made := make_shapes(part.element, called, X, origin, rows, write_uri, capsules):
            into.sources.append(part.element)
        if kind == "collision":
            into.collisions += made
        else:
            material = make_material(part.element, called, write_uri)
            into.visuals += [urdf.Visual(*shape[:3], material, shape.element) for shape in made]
    return {at: _make_link(graph, at, names[at], some, inertia, rows, gazebo, found) for at, some in shapes.items()}


def _make_link(graph: FrameGraph, i: int, name: str, shapes: _Shapes, inertia: MassProperties | None,
               rows: list[Entry], gazebo: list[Element], found: list[Diagnostic]) -> urdf.Link:
    """Make a link of these shapes, and of the `inertia` if it is a link in the SDF, too."""
    link = graph.entities[i]
    inertial: urdf.Inertial | None = _MASSLESS
    settings = [setting for kind in ("visual", "collision") for setting in carry_shape_settings(
        [source for source in shapes.sources if source.tag == kind], name, rows, found)]
    if isinstance(link, Link):
        carry_settings(link.element, name, rows, gazebo, settings)
        stated = None if link.inertial is None else link.inertial.element
        inertial = make_inertial(inertia, stated, link.element) if inertia is not None else None
    elif settings:
        add_gazebo(gazebo, name).extend(settings)
    return urdf.Link(name, inertial, tuple(shapes.visuals), tuple(shapes.collisions), link.element)


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
