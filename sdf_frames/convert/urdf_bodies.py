"""Makes URDF links from links of SDFormat: inertials, shapes with their materials, and origins in the link.

Everything else goes under ``<gazebo>``.
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from lxml import etree

from sdf_frames.convert.report import Action
from sdf_frames.convert.round_trip_attributes import restore_colour
from sdf_frames.convert.sdf_names import LUMPED, restore_name
from sdf_frames.convert.undo_lumping import find_marked_link
from sdf_frames.convert.urdf_gazebo import carry_settings, carry_shape_settings, drop_attribute, drop_inertial_settings
from sdf_frames.convert.urdf_job import MassProperties, UrdfJob, UriWriter
from sdf_frames.document.elements import Element, find_child, locate, text_of
from sdf_frames.document.numbers import copy_numbers, read_bool, read_numbers, write_numbers
from sdf_frames.document.places import copy_element
from sdf_frames.frames.resolve import find_pose_in
from sdf_frames.sdf import geometry as sdf
from sdf_frames.sdf.entities import LEGACY_FRAME
from sdf_frames.sdf.geometry import read_geometry
from sdf_frames.sdf.model import Collision, Link, Part
from sdf_frames.sdf.names import Taken
from sdf_frames.spatial.inertia import MOMENTS
from sdf_frames.spatial.pose import IDENTITY, Pose, Vector, compose, invert, normalise, rpy_from_quaternion
from sdf_frames.urdf import model as urdf
from sdf_frames.urdf.change_version import SINCE_CAPSULES, split_capsule

_Value = TypeVar("_Value", float, Vector)
_SMALL = 1e-15
_NEAR = 1e-12


class _ShapeName(NamedTuple):
    """The name of a visual or collision in the SDF (`old`) and in the URDF (`new`, "" for none).

    `lumped` is the lumped link that gets the shape back, "" if the shape stays in its link of the SDF.
    """

    old: str
    new: str
    lumped: str


def make_origin(X: Pose) -> urdf.Origin:
    """Return a pose as xyz and rpy; angles below 1e-15, which are rounding errors, become 0."""
    roll, pitch, yaw = [0.0 if abs(a) < _SMALL else a for a in rpy_from_quaternion(*X[3:])]
    return urdf.Origin(X[:3], (roll, pitch, yaw))


def is_identity(X: Pose) -> bool:
    """Return whether a pose is the identity, except for rounding."""
    return all(abs(a) <= _NEAR for a in X[:3]) and abs(abs(X[3]) - 1) <= _NEAR


def copy_origin(pose: Element | None) -> urdf.Origin | None:
    """Return the numbers of a ``<pose>`` as written; None if URDF cannot use them (degrees, a quaternion)."""
    if pose is None or not text_of(pose):
        return urdf.NO_ORIGIN
    numbers = read_numbers(text_of(pose), 6)
    form = pose.get("rotation_format", "")
    if numbers is None or form not in ("", "euler_rpy") or read_bool(pose.get("degrees", "")):
        return None
    x, y, z, roll, pitch, yaw = copy_numbers(pose.text, numbers)
    return urdf.Origin((x, y, z), (roll, pitch, yaw))


def copy_child(element: Element, path: str, value: _Value) -> _Value:
    """Return a number or a vector as written at `path`, if the text there has the same value."""
    copied: Any = copy_numbers(element.findtext(path), value if isinstance(value, tuple) else (value,))
    return copied if isinstance(value, tuple) else copied[0]


def _make_inertial(inertia: MassProperties, written: Element | None, element: Element | None) -> urdf.Inertial | None:
    """Make the inertial of a link; None if it has no mass.

    Numbers that are equal to those of the ``<inertial>`` element `written` keep their text.
    """
    if not inertia.mass > 0:
        return None
    moments = dict(zip(MOMENTS, inertia.inertia))
    origin, mass = make_origin(inertia.pose), inertia.mass
    if written is not None:
        pose = written.find("pose")
        in_link = pose is None or not pose.get(LEGACY_FRAME)
        origin = (copy_origin(pose) if in_link and not inertia.auto else None) or origin
        mass = copy_child(written, "mass", mass)
        moments = {tag: copy_child(written, f"inertia/{tag}", value) for tag, value in moments.items()}
    return urdf.Inertial(origin, mass, element=element, **moments)


def _make_shapes(job: UrdfJob, element: Element, name: _ShapeName, X_LS: Pose,
                 origin: urdf.Origin | None) -> list[urdf.Collision]:
    """Make the URDF shapes for one ``<visual>`` or ``<collision>``, as collisions.

    A shape that URDF does not have is left out, with a row. A finding is added unless the shape is empty or unreadable.

    Parameters
    ----------
    X_LS : pose of the shape in the link.
    origin : that pose as written, or None if it is written in another frame or form.
    """
    geometry, _ = read_geometry(element.find("geometry"))
    (old, new, lumped), kind = name, str(element.tag)
    shapes = _make_geometries(job, geometry, element)
    if not shapes:
        what = type(geometry).__name__.lower() if geometry is not None else "geometry that cannot be read"
        job.tell(kind, old, "dropped", None, element, f"URDF has no {what}")
        if not isinstance(geometry, (sdf.Empty, type(None))):
            job.report("urdf-shape-dropped", locate(element), kind=kind, name=old, shape=what)
        return []
    if len(shapes) > 1:
        job.tell(kind, old, "moved", None, element, "a capsule is written as a cylinder and two spheres")
        stem = new or old.rpartition(LUMPED)[2]  # without a body: the next conversion adds it
        return [urdf.Collision(stem + suffix, make_origin(compose(X_LS, X)), shape, element)
                for suffix, X, shape in shapes]
    if isinstance(geometry, sdf.Mesh) and geometry.element is not None:
        drop_attribute(job, geometry.element, "optimization", old, f"{kind} {old!r} has the original mesh",
                       "save the convex hulls as a mesh file of their own")
    part = element.find("geometry/mesh/submesh") if getattr(geometry, "submesh", None) else None
    if part is not None:
        job.report("urdf-setting-dropped", locate(part), tag="submesh", reason=f"{kind} {old!r} has the whole mesh",
                   hint="save the part as a mesh file of its own")
    renamed = new not in ("", old)
    action: Action = "moved" if lumped else "renamed" if renamed else "kept"
    job.tell(kind, old, action, lumped or (new if renamed else None), element,
             None if part is None else "the whole mesh is used: URDF has no <submesh>")
    return [urdf.Collision(new, origin or make_origin(X_LS), shapes[0][2], element)]


#: The shapes that both formats have, with fields of the same names.
_SAME: dict[type, Any] = {
    sdf.Box: urdf.Box, sdf.Sphere: urdf.Sphere, sdf.Cylinder: urdf.Cylinder, sdf.Capsule: urdf.Capsule}


def _make_geometries(job: UrdfJob, geometry: sdf.Geometry | None,
                     element: Element) -> list[tuple[str, Pose, urdf.Geometry]]:
    """Return (suffix of the name, pose in the shape's frame, URDF geometry), …, with numbers as written if possible.

    In URDF 1.0, which has no capsules, a capsule becomes a cylinder and two spheres.
    """
    if (same := _SAME.get(type(geometry))) is not None:
        tag = same.__name__.lower()
        shape = same(*[copy_child(element, f"geometry/{tag}/{field}", getattr(geometry, field))
                       for field in same._fields])
        is_split = same is urdf.Capsule and job.version < SINCE_CAPSULES
        return split_capsule(shape) if is_split else [("", IDENTITY, shape)]
    if isinstance(geometry, sdf.Mesh):
        uri = element.find("geometry/mesh/uri")
        return [("", IDENTITY, urdf.Mesh(geometry.uri if uri is None else job.write_uri(geometry.uri, uri),
                                         copy_child(element, "geometry/mesh/scale", geometry.scale)))]
    if isinstance(geometry, sdf.Ellipsoid) and len(set(geometry.radii)) == 1:
        return [("", IDENTITY, urdf.Sphere(*set(geometry.radii)))]
    return []


def _make_material(element: Element, name: str, write_uri: UriWriter) -> urdf.Material | None:
    """Make a material of the visual's diffuse (else ambient) colour and its albedo map; each visual has its own.

    `name` is that of the visual.
    """
    material = element.find("material")
    if material is None:
        return None
    albedo = material.find("pbr/metal/albedo_map")
    texture = write_uri(text_of(albedo), albedo) if albedo is not None and text_of(albedo) else None
    rgba = None
    for colour in (material.find("diffuse"), material.find("ambient")):
        if colour is not None and (written := _read_colour(colour.text or "")) is not None:
            rgba = restore_colour(colour, written)
            break
    return urdf.Material(f"{name}_material", rgba, texture, material) if rgba or texture else None


def name_materials(links: Iterable[urdf.Link]) -> tuple[urdf.Link, ...]:
    """Return the links with unique names of materials, by added numbers: materials of URDF share one scope."""
    names, taken = dict[tuple[object, ...], str](), Taken()

    def rename(visual: urdf.Visual) -> urdf.Visual:
        if (material := visual.material) is None:
            return visual
        if (look := material[:3]) not in names:
            names[look] = taken.find_free(material.name)
        return visual._replace(material=material._replace(name=names[look]))
    return tuple([link._replace(visuals=tuple(map(rename, link.visuals))) for link in links])


def _read_colour(text: str) -> tuple[float, ...] | None:
    if (rgba := read_numbers(text, 4)) is not None:
        return copy_numbers(text, rgba)
    rgb = read_numbers(text, 3)
    return None if rgb is None else (*copy_numbers(text, rgb), 1.0)


def keep_massless(links: Iterable[urdf.Link], others: tuple[Element, ...]) -> tuple[Element, ...]:
    """Make MuJoCo compute no mass from the collisions of lumped links, which have no ``<inertial>``.

    A mass of 0 has the same effect, but libsdformat refuses a link of mass 0 that is lumped into another one.
    """
    if not any(link.inertial is None and link.collisions for link in links):
        return others
    own = next((element for element in others if element.tag == "mujoco"), None)
    block = etree.Element("mujoco") if own is None else copy_element(own)
    compiler = find_child(block, "compiler")
    if compiler is None:
        compiler = etree.SubElement(block, "compiler")
    if compiler.get("inertiafromgeom") is None:
        compiler.set("inertiafromgeom", "false")
    return (*others, block) if own is None else tuple([block if element is own else element for element in others])


@dataclass(slots=True)
class _Shapes:
    """The shapes of a link of the URDF, and their elements in the SDF."""

    visuals: list[urdf.Visual] = field(default_factory=list)
    collisions: list[urdf.Collision] = field(default_factory=list)
    sources: list[Element] = field(default_factory=list)


def make_links(job: UrdfJob, i: int) -> dict[int, urdf.Link]:
    """Make, by vertex, the URDF link for the link at vertex `i`, and the lumped links that get their shapes back."""
    graph, names = job.graph, job.names
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
            job.add_gazebo(names[i]).append(_copy_part(job, i, part, X, origin))
            job.tell(kind, part.name, "moved", f'<gazebo reference="{names[i]}">', part.element)
            continue
        X_S = compose(job.poses[i], X)
        home, stated = find_marked_link(graph, job.pairs, part.element, graph.prefix(i), i, X_S)
        if home is not None:
            X, origin = compose(invert(job.poses[home]), X_S), stated
        at = i if home is None else home
        called = _ShapeName(part.name, restore_name(link.name, part.name, kind, places[kind], graph.entities[at].name),
                            "" if home is None else names[home])
        places[kind] += 1
        into = shapes.setdefault(at, _Shapes())
        if made := _make_shapes(job, part.element, called, X, origin):
            into.sources.append(part.element)
        if kind == "collision":
            into.collisions += made
        else:
            into.visuals += [urdf.Visual(*shape[:3], _make_material(
                part.element, shape.name or part.name, job.write_uri), shape.element) for shape in made]
    return {at: _make_link(job, at, some, job.inertias.get(graph.names[i])) for at, some in shapes.items()}


def _make_link(job: UrdfJob, i: int, shapes: _Shapes, inertia: MassProperties | None) -> urdf.Link:
    """Make a link with these shapes; a link that the SDF also has gets `inertia`."""
    link, name = job.graph.entities[i], job.names[i]
    inertial: urdf.Inertial | None = None
    settings = [setting for kind in ("visual", "collision") for setting in carry_shape_settings(
        job, [source for source in shapes.sources if source.tag == kind], i)]
    if isinstance(link, Link):
        carry_settings(job, i, name, settings)
        stated = None if link.inertial is None else link.inertial.element
        if stated is not None:
            drop_inertial_settings(job, stated, name)
        inertial = _make_inertial(inertia, stated, link.element) if inertia is not None else None
        if stated is not None and inertial is None and inertia is not None and any(inertia.inertia):
            job.tell("inertial", name, "dropped", None, stated, "its mass is zero")
            job.report("urdf-setting-dropped", locate(stated), tag="inertial", hint="give the link a mass",
                       reason=f"link {name!r} has moments, and no mass")
    elif settings:
        job.add_gazebo(name).extend(settings)
    return urdf.Link(name, inertial, tuple(shapes.visuals), tuple(shapes.collisions), link.element)


def _copy_part(job: UrdfJob, i: int, part: Collision | Part, X: Pose, origin: urdf.Origin | None) -> Element:
    """Copy a sensor, light or other part, with its pose in the link; `origin` is that pose as written, or None."""
    element = job.copy(part.element, i)
    for pose in element.findall("pose"):
        element.remove(pose)
    pose = etree.Element("pose")
    xyz, rpy = (X[:3], rpy_from_quaternion(*X[3:])) if origin is None else origin
    pose.text = write_numbers((*xyz, *rpy))
    element.insert(0, pose)
    return element
