"""Parts of SDFormat links as URDF has them: inertials, geometry, materials, poses."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sdf_frames.convert.report import DROPPED, KEPT, MOVED, Row
from sdf_frames.document.numbers import copy_numbers, read_bool, read_numbers
from sdf_frames.document.xml_in import Element, text_of
from sdf_frames.sdf import geometry as sdf
from sdf_frames.sdf.entities import MOMENTS
from sdf_frames.sdf.geometry import read_geometry
from sdf_frames.spatial.pose import compose, pose_from_rpy, rpy_from_quaternion
from sdf_frames.urdf import model as urdf

_SMALL = 1e-15


def make_origin(X: tuple) -> urdf.Origin:
    """A pose as URDF's xyz and rpy; angles of pure rounding noise become 0."""
    rpy = tuple([0.0 if abs(a) < _SMALL else a for a in rpy_from_quaternion(*X[3:])])
    return urdf.Origin(tuple(X[:3]), rpy)


def copy_origin(pose: Element | None) -> urdf.Origin | None:
    """The numbers of a ``<pose>`` as they are written; None where URDF has other ones for it."""
    if pose is None or not text_of(pose):
        return urdf.NO_ORIGIN
    numbers = read_numbers(text_of(pose), 6)
    form = pose.get("rotation_format", "euler_rpy")
    if numbers is None or form not in ("", "euler_rpy") or read_bool(pose.get("degrees") or "false"):
        return None
    copied = copy_numbers(pose.text, numbers)
    return urdf.Origin(copied[:3], copied[3:])


def copy_child(element: Element, path: str, value: float) -> float:
    """A number as the text at `path` has it, if that is the number there."""
    return copy_numbers(element.findtext(path), (value,))[0]


def make_inertial(inertia, written: Element | None, line: int | None) -> urdf.Inertial | None:
    """Inertial of a :class:`~sdf_frames.inertia.LinkInertia`; None where it has no mass.

    Its numbers are those of the ``<inertial>`` that was `written`, where they are the same.
    """
    if not inertia.mass > 0:
        return None
    moments = dict(zip(MOMENTS, inertia.inertia))
    origin, mass = make_origin(inertia.pose), inertia.mass
    if written is not None:
        pose = written.find("pose")
        origin = (None if inertia.auto else copy_origin(pose)) or origin
        mass = copy_child(written, "mass", mass)
        moments = {tag: copy_child(written, f"inertia/{tag}", value) for tag, value in moments.items()}
    return urdf.Inertial(origin, mass, *[moments[tag] for tag in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")], line)


def make_shapes(element: Element, name: str, kind: str, X_LS: tuple, origin: urdf.Origin | None, rows: list[Row],
                write_uri: Callable[[str, Element], str]) -> list:
    """The ``<visual>``s or ``<collision>``s of URDF for one of SDFormat, whose pose in the link is `X_LS`.

    `origin` is that pose as written, where it is written in the link.

    A capsule, which urdfdom does not know, becomes the cylinder and the two spheres that make it up. What URDF has no
    word for gives none, and a row that says so. `write_uri`: see :func:`~sdf_frames.convert.sdf_to_urdf.convert_model`.
    """
    geometry, _ = read_geometry(element.find("geometry"))
    make = urdf.Visual if kind == "visual" else urdf.Collision
    line = element.sourceline
    material = _make_material(element, name, rows, write_uri) if kind == "visual" else None
    extra = (material, line) if kind == "visual" else (line,)
    if isinstance(geometry, sdf.Mesh):
        geometry = replace(geometry, uri=write_uri(geometry.uri, element.find("geometry/mesh/uri")))
    shapes = _make_geometries(geometry)
    if not shapes:
        what = type(geometry).__name__.lower() if geometry is not None else "geometry that cannot be read"
        rows.append(Row(kind, name, DROPPED, None, line, f"URDF has no {what}"))
        return []
    if len(shapes) > 1:
        rows.append(Row(kind, name, MOVED, None, line, "a capsule is written as a cylinder and two spheres"))
    else:
        part = getattr(geometry, "submesh", None)
        rows.append(Row(kind, name, KEPT, None, line, "with the whole mesh: URDF has no <submesh>" if part else None))
    if len(shapes) == 1:
        return [make(name, origin or make_origin(X_LS), _copy_sizes(shapes[0][2], element), *extra)]
    return [make(name + suffix, make_origin(compose(X_LS, X)), shape, *extra) for suffix, X, shape in shapes]


def _copy_sizes(shape: urdf.Geometry, element: Element) -> urdf.Geometry:
    """A shape with the numbers as they are written in ``<geometry>``."""
    if isinstance(shape, urdf.Box):
        return urdf.Box(copy_numbers(element.findtext("geometry/box/size"), shape.size))
    if isinstance(shape, urdf.Sphere):
        return urdf.Sphere(copy_child(element, "geometry/sphere/radius", shape.radius))
    if isinstance(shape, urdf.Cylinder):
        return urdf.Cylinder(copy_child(element, "geometry/cylinder/radius", shape.radius),
                             copy_child(element, "geometry/cylinder/length", shape.length))
    if isinstance(shape, urdf.Mesh):
        return shape._replace(scale=copy_numbers(element.findtext("geometry/mesh/scale"), shape.scale))
    return shape


def _make_geometries(geometry) -> list[tuple]:
    """(suffix of the name, pose in the shape's frame, URDF geometry), …"""
    identity = pose_from_rpy(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if isinstance(geometry, sdf.Box):
        return [("", identity, urdf.Box(geometry.size))]
    if isinstance(geometry, sdf.Sphere):
        return [("", identity, urdf.Sphere(geometry.radius))]
    if isinstance(geometry, sdf.Cylinder):
        return [("", identity, urdf.Cylinder(geometry.radius, geometry.length))]
    if isinstance(geometry, sdf.Mesh):
        return [("", identity, urdf.Mesh(geometry.uri, geometry.scale))]
    if isinstance(geometry, sdf.Capsule):
        half = geometry.length / 2
        return [("_side", identity, urdf.Cylinder(geometry.radius, geometry.length)),
                ("_top", pose_from_rpy(0.0, 0.0, half, 0.0, 0.0, 0.0), urdf.Sphere(geometry.radius)),
                ("_bottom", pose_from_rpy(0.0, 0.0, -half, 0.0, 0.0, 0.0), urdf.Sphere(geometry.radius))]
    if isinstance(geometry, sdf.Ellipsoid) and len(set(geometry.radii)) == 1:
        return [("", identity, urdf.Sphere(geometry.radii[0]))]
    return []


def _make_material(element: Element, name: str, rows: list[Row],
                   write_uri: Callable[[str, Element], str]) -> urdf.Material | None:
    """A material of the visual's diffuse (else ambient) colour and its albedo map, which a URDF's texture becomes in
    SDFormat; each visual has its own."""
    material = element.find("material")
    if material is None:
        return None
    if (script := material.find("script")) is not None:
        rows.append(Row("material", name, DROPPED, None, script.sourceline, "URDF has no material scripts"))
    albedo = material.find("pbr/metal/albedo_map")
    texture = write_uri(text_of(albedo), albedo) if albedo is not None and text_of(albedo) else None
    colours = (_read_colour(text) for tag in ("diffuse", "ambient") if (text := material.findtext(tag)))
    rgba = next(filter(None, colours), None)
    return urdf.Material(f"{name}_material", rgba, texture, material.sourceline) if rgba or texture else None


def _read_colour(text: str) -> tuple[float, ...] | None:
    if (rgba := read_numbers(text, 4)) is not None:
        return copy_numbers(text, rgba)
    rgb = read_numbers(text, 3)
    return None if rgb is None else (*copy_numbers(text, rgb), 1.0)
