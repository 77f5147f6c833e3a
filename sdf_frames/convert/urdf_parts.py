"""Parts of SDFormat links as URDF has them: inertials, geometry, materials, poses."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sdf_frames.convert.report import DROPPED, KEPT, MOVED, Row
from sdf_frames.document.numbers import read_numbers
from sdf_frames.document.xml_in import Element, text_of
from sdf_frames.sdf import geometry as sdf
from sdf_frames.sdf.geometry import read_geometry
from sdf_frames.spatial.pose import compose, pose_from_rpy, rpy_from_quaternion
from sdf_frames.urdf import model as urdf

_SMALL = 1e-15


def make_origin(X: tuple) -> urdf.Origin:
    """A pose as URDF's xyz and rpy; angles of pure rounding noise become 0."""
    rpy = tuple([0.0 if abs(a) < _SMALL else a for a in rpy_from_quaternion(*X[3:])])
    return urdf.Origin(tuple(X[:3]), rpy)


def make_inertial(inertia, line: int | None) -> urdf.Inertial | None:
    """Inertial of a :class:`~sdf_frames.inertia.LinkInertia`; None where it has no mass."""
    if not inertia.mass > 0:
        return None
    ixx, iyy, izz, ixy, ixz, iyz = inertia.inertia
    return urdf.Inertial(make_origin(inertia.pose), inertia.mass, ixx, ixy, ixz, iyy, iyz, izz, line)


def make_shapes(element: Element, name: str, kind: str, X_LS: tuple, rows: list[Row],
                write_uri: Callable[[str, Element], str]) -> list:
    """The ``<visual>``s or ``<collision>``s of URDF for one of SDFormat, whose pose in the link is `X_LS`.

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
    return [make(name + suffix, make_origin(compose(X_LS, X)), shape, *extra) for suffix, X, shape in shapes]


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
    colours = (read_numbers(text, 4) or _opaque(read_numbers(text, 3))
               for tag in ("diffuse", "ambient") if (text := material.findtext(tag)))
    rgba = next(filter(None, colours), None)
    return urdf.Material(f"{name}_material", rgba, texture, material.sourceline) if rgba or texture else None


def _opaque(rgb: tuple | None) -> tuple | None:
    return None if rgb is None else (*rgb, 1.0)
