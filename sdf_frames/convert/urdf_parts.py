"""Parts of SDFormat links as URDF has them: inertials, geometry, materials, poses."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple, Protocol

from sdf_frames.convert.report import Row
from sdf_frames.convert.round_trip_attributes import restore_colour
from sdf_frames.document.numbers import copy_numbers, read_bool, read_numbers
from sdf_frames.document.xml_in import Element, first_line_of, text_of
from sdf_frames.sdf import geometry as sdf
from sdf_frames.sdf.geometry import read_geometry
from sdf_frames.sdf.legacy_poses import LEGACY_FRAME
from sdf_frames.spatial.inertia import MOMENTS
from sdf_frames.spatial.pose import IDENTITY, Pose, Vector, compose, pose_from_rpy, rpy_from_quaternion
from sdf_frames.urdf import model as urdf

#: What is written for the URI of a mesh or texture, from the text and the element that holds it.
UriWriter = Callable[[str, Element], str]
_SMALL = 1e-15
_NEAR = 1e-12


class MassProperties(Protocol):
    """Mass properties of a link: those of a :class:`~sdf_frames.inertia.LinkInertia` that a URDF can hold."""

    @property
    def mass(self) -> float: ...
    @property
    def pose(self) -> Pose: ...
    @property
    def inertia(self) -> tuple[float, ...]: ...
    @property
    def auto(self) -> bool: ...


class ShapeName(NamedTuple):
    """The name of a visual or collision in the SDF, and in the URDF, where it may have none."""

    old: str
    new: str


class _Shape(NamedTuple):
    """What ``<visual>`` and ``<collision>`` have in common."""

    name: str
    origin: urdf.Origin
    geometry: urdf.Geometry


def make_origin(X: Pose) -> urdf.Origin:
    """A pose as URDF's xyz and rpy; angles of pure rounding noise become 0."""
    roll, pitch, yaw = [0.0 if abs(a) < _SMALL else a for a in rpy_from_quaternion(*X[3:])]
    return urdf.Origin(X[:3], (roll, pitch, yaw))


def is_identity(X: Pose) -> bool:
    """Whether a pose moves nothing, but for rounding."""
    return all(abs(a) <= _NEAR for a in X[:3]) and abs(abs(X[3]) - 1) <= _NEAR


def copy_origin(pose: Element | None) -> urdf.Origin | None:
    """The numbers of a ``<pose>`` as they are written; None where URDF has other ones for it."""
    if pose is None or not text_of(pose):
        return urdf.NO_ORIGIN
    numbers = read_numbers(text_of(pose), 6)
    form = pose.get("rotation_format", "euler_rpy")
    if numbers is None or form not in ("", "euler_rpy") or read_bool(pose.get("degrees") or "false"):
        return None
    x, y, z, roll, pitch, yaw = copy_numbers(pose.text, numbers)
    return urdf.Origin((x, y, z), (roll, pitch, yaw))


def copy_child(element: Element, path: str, value: float) -> float:
    """A number as the text at `path` has it, if that is the number there."""
    return copy_numbers(element.findtext(path), (value,))[0]


def copy_vector(text: str | None, vector: Vector) -> Vector:
    """A vector as `text` has it, if its numbers are the ones there."""
    x, y, z = copy_numbers(text, vector)
    return x, y, z


def make_inertial(inertia: MassProperties, written: Element | None, line: int | None) -> urdf.Inertial | None:
    """Inertial of a link; None where it has no mass.

    Its numbers are those of the ``<inertial>`` that was `written`, where they are the same.
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
    return urdf.Inertial(origin, mass, line=line, **moments)


def make_visuals(element: Element, name: ShapeName, X_LV: Pose, origin: urdf.Origin | None, rows: list[Row],
                 write_uri: UriWriter) -> list[urdf.Visual]:
    """The ``<visual>``s of URDF for one of SDFormat: see :func:`make_collisions`."""
    material = _make_material(element, name, rows, write_uri)
    return [urdf.Visual(*shape, material, first_line_of(element))
            for shape in _make_shapes(element, name, "visual", X_LV, origin, rows, write_uri)]


def make_collisions(element: Element, name: ShapeName, X_LC: Pose, origin: urdf.Origin | None, rows: list[Row],
                    write_uri: UriWriter) -> list[urdf.Collision]:
    """The ``<collision>``s of URDF for one of SDFormat, whose pose in the link is `X_LC`.

    `origin` is that pose as written, where it is written in the link.

    A capsule, which urdfdom does not know, becomes the cylinder and the two spheres that make it up. What URDF has no
    word for gives none, and a row that says so.
    """
    return [urdf.Collision(*shape, first_line_of(element))
            for shape in _make_shapes(element, name, "collision", X_LC, origin, rows, write_uri)]


def _make_shapes(element: Element, name: ShapeName, kind: str, X_LS: Pose, origin: urdf.Origin | None, rows: list[Row],
                 write_uri: UriWriter) -> list[_Shape]:
    geometry, _ = read_geometry(element.find("geometry"))
    (old, new), line = name, first_line_of(element)
    if isinstance(geometry, sdf.Mesh) and (uri := element.find("geometry/mesh/uri")) is not None:
        geometry = replace(geometry, uri=write_uri(geometry.uri, uri))
    shapes = _make_geometries(geometry)
    if not shapes:
        what = type(geometry).__name__.lower() if geometry is not None else "geometry that cannot be read"
        rows.append(Row(kind, old, "dropped", None, line, f"URDF has no {what}"))
        return []
    if len(shapes) > 1:
        rows.append(Row(kind, old, "moved", None, line, "a capsule is written as a cylinder and two spheres"))
    else:
        part = getattr(geometry, "submesh", None)
        renamed = new not in ("", old)
        rows.append(Row(kind, old, "renamed" if renamed else "kept", new if renamed else None, line,
                        "the whole mesh is used: URDF has no <submesh>" if part else None))
    if len(shapes) == 1:
        return [_Shape(new, origin or make_origin(X_LS), _copy_sizes(shapes[0][2], element))]
    return [_Shape((new or old) + suffix, make_origin(compose(X_LS, X)), shape) for suffix, X, shape in shapes]


def _copy_sizes(shape: urdf.Geometry, element: Element) -> urdf.Geometry:
    """A shape with the numbers as they are written in ``<geometry>``."""
    if isinstance(shape, urdf.Box):
        return urdf.Box(copy_vector(element.findtext("geometry/box/size"), shape.size))
    if isinstance(shape, urdf.Sphere):
        return urdf.Sphere(copy_child(element, "geometry/sphere/radius", shape.radius))
    if isinstance(shape, urdf.Cylinder):
        return urdf.Cylinder(copy_child(element, "geometry/cylinder/radius", shape.radius),
                             copy_child(element, "geometry/cylinder/length", shape.length))
    if isinstance(shape, urdf.Mesh):
        return shape._replace(scale=copy_vector(element.findtext("geometry/mesh/scale"), shape.scale))
    return shape


def _make_geometries(geometry: sdf.Geometry | None) -> list[tuple[str, Pose, urdf.Geometry]]:
    """(suffix of the name, pose in the shape's frame, URDF geometry), …"""
    if isinstance(geometry, sdf.Box):
        return [("", IDENTITY, urdf.Box(geometry.size))]
    if isinstance(geometry, sdf.Sphere):
        return [("", IDENTITY, urdf.Sphere(geometry.radius))]
    if isinstance(geometry, sdf.Cylinder):
        return [("", IDENTITY, urdf.Cylinder(geometry.radius, geometry.length))]
    if isinstance(geometry, sdf.Mesh):
        return [("", IDENTITY, urdf.Mesh(geometry.uri, geometry.scale))]
    if isinstance(geometry, sdf.Capsule):
        half = geometry.length / 2
        return [("_side", IDENTITY, urdf.Cylinder(geometry.radius, geometry.length)),
                ("_top", pose_from_rpy(0.0, 0.0, half, 0.0, 0.0, 0.0), urdf.Sphere(geometry.radius)),
                ("_bottom", pose_from_rpy(0.0, 0.0, -half, 0.0, 0.0, 0.0), urdf.Sphere(geometry.radius))]
    if isinstance(geometry, sdf.Ellipsoid) and len(set(geometry.radii)) == 1:
        return [("", IDENTITY, urdf.Sphere(geometry.radii[0]))]
    return []


def _make_material(element: Element, name: ShapeName, rows: list[Row], write_uri: UriWriter) -> urdf.Material | None:
    """A material of the visual's diffuse (else ambient) colour and its albedo map; each visual has its own."""
    material = element.find("material")
    if material is None:
        return None
    if (script := material.find("script")) is not None:
        rows.append(Row("material", name.old, "dropped", None, first_line_of(script), "URDF has no material scripts"))
    albedo = material.find("pbr/metal/albedo_map")
    texture = write_uri(text_of(albedo), albedo) if albedo is not None and text_of(albedo) else None
    rgba = None
    for colour in (material.find("diffuse"), material.find("ambient")):
        if colour is not None and (written := _read_colour(colour.text or "")) is not None:
            rgba = restore_colour(colour, written)
            break
    called = f"{name.new or name.old}_material"
    return urdf.Material(called, rgba, texture, first_line_of(material)) if rgba or texture else None


def name_materials(links: Iterable[urdf.Link]) -> tuple[urdf.Link, ...]:
    """The links with a number behind each name that another material has: URDF's materials share one scope."""
    known: dict[str, urdf.Material] = {}
    named = []
    for link in links:
        visuals = []
        for visual in link.visuals:
            if (material := visual.material) is not None:
                name, number = material.name, 2
                while known.setdefault(name, material)[1:3] != material[1:3]:
                    name, number = f"{material.name}{number}", number + 1
                visual = visual._replace(material=material._replace(name=name))
            visuals.append(visual)
        named.append(link._replace(visuals=tuple(visuals)))
    return tuple(named)


def _read_colour(text: str) -> tuple[float, ...] | None:
    if (rgba := read_numbers(text, 4)) is not None:
        return copy_numbers(text, rgba)
    rgb = read_numbers(text, 3)
    return None if rgb is None else (*copy_numbers(text, rgb), 1.0)
