"""Typed shapes to triangles with colours, as drawings need them.

The triangles of a mesh file are those of :func:`sdf_frames.inertia.mesh_file.read_mesh_file`, as in the inertia: units,
limits and the verdict on the file are the same. Colours and textures come from trimesh, if it sees the same surface.
"""
from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from importlib.util import find_spec
from io import BytesIO, StringIO
from threading import Lock
from typing import Any, cast

import numpy as np
import trimesh
from trimesh import creation

from sdf_frames.document.budget import Budget, Spending
from sdf_frames.document.door import UNCONFINED, Door
from sdf_frames.inertia.gltf_file import make_file_resolver, read_mesh_bytes, take_gltf
from sdf_frames.inertia.mesh_file import read_mesh_file, take_used
from sdf_frames.inertia.mesh_formats import find_format, get_extension
from sdf_frames.inertia.meshes import place_surface
from sdf_frames.sdf.geometry import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    Geometry,
    Heightmap,
    Image,
    Mesh,
    Plane,
    Polyline,
    Sphere,
)

#: Edge in metres of the box that stands for a mesh that cannot be drawn.
PLACEHOLDER = 0.1
#: Pixels along a side; larger textures are made smaller.
_LARGEST_TEXTURE = 1024
#: Formats of textures. Pillow knows more, and starts Ghostscript for one of those.
_TEXTURES = ("BMP", "DDS", "GIF", "JPEG", "PNG", "PPM", "TGA", "TIFF", "WEBP")
#: Materials that an OBJ file may use. trimesh compares the name of each part with all others: 20,000 took 51 s.
_MOST_MATERIALS = 2_000
_OPENING = Lock()
#: Of what has no colour of its own.
GREY = (0.72, 0.74, 0.77, 1.0)
_DULL = {"metallicFactor": 0.0, "roughnessFactor": 0.8, "doubleSided": True}


class SurfaceReader:
    """Makes the triangles of shapes: equal shapes, and all that have one mesh file, share them.

    Parameters
    ----------
    budget : what the mesh files may cost together.
    most_faces : triangles that a part of a mesh file may have; of those with more, a likeness of so many is drawn.
    door : opens the mesh files and their textures.
    """

    def __init__(self, budget: Budget = Budget(), most_faces: int | None = None, door: Door = UNCONFINED):
        self.door, self.spending, self.most_faces = door, Spending(budget), most_faces
        self._meshes: dict[tuple[object, ...], tuple[list[Surface], str | None]] = {}
        self._solids: dict[Geometry, list[Surface]] = {}

    def read(self, geometry: Geometry, path: str | None) -> tuple[list[Surface], str | None]:
        """Make the surfaces of a shape, in its own frame (metres).

        Parameters
        ----------
        geometry : the shape.
        path : the file that its URI leads to, None if there is no such file.

        Returns
        -------
        surfaces, problem
            If a mesh cannot be drawn, the surface is a small box, and the problem says why.
        """
        if isinstance(geometry, Mesh):
            if path is None:
                return [creation.box((PLACEHOLDER,) * 3)], f"{geometry.uri} is not found"
            key = (path, geometry.submesh, geometry.center, geometry.scale)
            if key not in self._meshes:
                self._meshes[key] = self._read_mesh(path, geometry)
            return self._meshes[key]
        if isinstance(geometry, (Heightmap, Image)):
            return [creation.box((PLACEHOLDER,) * 3)], f"{geometry.uri}: heightmaps and images are not drawn"
        if geometry not in self._solids:
            self._solids[geometry] = make_solid(geometry)
        return self._solids[geometry], None

    def _read_mesh(self, path: str, mesh: Mesh) -> tuple[list[Surface], str | None]:
        surface, found = read_mesh_file(path, mesh.submesh, None, self.spending, self.door)
        if surface is None:
            why = found[0].message if found else "over the limits"
            return [creation.box((PLACEHOLDER,) * 3)], f"{mesh.uri}: {why}"
        parts: list[Surface] = []
        if mesh.submesh is None and not mesh.center:
            low, high = _find_bounds(surface.vertices, surface.faces)
            parts = _read_coloured(path, self.door, low, high)
            for part in parts:
                part.apply_transform(np.diag([*mesh.scale, 1.0]))
        if not parts:
            placed = place_surface(surface, mesh)
            parts = [Surface(placed.vertices, placed.faces, process=False)]
        return [self._decimate(part) for part in parts], None

    def _decimate(self, surface: Surface) -> Surface:
        """The surface, or a likeness of fewer triangles in its main colour."""
        if self.most_faces is None or len(surface.faces) <= self.most_faces:
            return surface
        joined = Surface(surface.vertices, surface.faces)  # corners of one place are one vertex
        likeness = joined.simplify_quadric_decimation(face_count=self.most_faces)
        if has_colours(surface):
            visual: Any = likeness.visual
            visual.face_colors = [round(255 * value) for value in find_colour(surface)]
        return likeness


def _find_bounds(V: np.ndarray, F: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(3,) lowest and (3,) highest coordinates of the vertices that faces use."""
    used = take_used(V, F)
    return used.min(axis=0), used.max(axis=0)


def _read_coloured(path: str, door: Door, low: np.ndarray, high: np.ndarray) -> list[Surface]:
    """What trimesh reads, with its colours, scaled to the bounds `low` and `high`; nothing if the shapes differ."""
    form = find_format(path)
    if form is None or not form.has_looks:
        return []
    try:
        with _open_textures_alone(), redirect_stdout(StringIO()):
            content = read_mesh_bytes(path, Budget().mesh_bytes, door)
            if form.reader == "obj" and content.count(b"usemtl") > _MOST_MATERIALS:
                return []
            if form.reader == "gltf":
                content = take_gltf(content, looks=True)
            scene: Any = trimesh.load(BytesIO(content), file_type=get_extension(path), force="scene",
                                      resolver=make_file_resolver(os.path.dirname(path), door))
            parts = [*_place_parts(scene)]
            if form.reader == "gltf":
                _encode_colours(parts)
    except Exception:  # noqa: BLE001 - the plain triangles were read; only the colours are missing
        return []
    if not parts:
        return []
    bounds = np.array([_find_bounds(part.vertices, part.faces) for part in parts])
    lowest, highest = bounds[:, 0].min(axis=0), bounds[:, 1].max(axis=0)
    extent, seen = (high - low).max(), (highest - lowest).max()
    if not seen > 0:
        return []
    scale = extent / seen
    if not np.allclose([lowest * scale, highest * scale], [low, high], rtol=0, atol=1e-4 * extent):
        return []
    for part in parts:
        part.apply_transform(np.diag([scale, scale, scale, 1.0]))
    return parts


@contextmanager
def _open_textures_alone() -> Iterator[None]:
    """Let Pillow, which tells formats by the content, open those of textures alone: trimesh cannot tell it to."""
    from PIL import Image
    with _OPENING:
        Image.init()
        known = Image.ID[:]
        Image.ID[:] = [name for name in known if name in _TEXTURES]
        try:
            yield
        finally:
            Image.ID[:] = known


def _place_parts(scene: Any) -> Iterator[Surface]:
    """The parts of a file where they stand; a part that stands there several times shares its material.

    Each place of a part costs what its faces do: vertices that none uses are left out first.
    """
    materials: dict[str, Any] = {}
    make: Any = trimesh.visual  # not typed
    for node in scene.graph.nodes_geometry:
        X, name = scene.graph[node]
        geometry = scene.geometry[name]
        if isinstance(geometry, Surface) and len(geometry.faces):
            if name not in materials:
                if len(geometry.vertices) > geometry.faces.size:
                    geometry.remove_unreferenced_vertices()
                materials[name] = _lighten(geometry.visual)
            part = Surface(geometry.vertices, geometry.faces, process=False)
            look: Any = geometry.visual
            part.visual = look if materials[name] is None else make.TextureVisuals(
                uv=look.uv if find_texture(look) is not None else None, material=materials[name])
            part.apply_transform(X)
            yield part


def _lighten(visual: Any) -> Any:
    """Texture of moderate size, or colour, and nothing else of a material: nothing is there for metal to mirror.

    The page gets a JPEG if nothing shines through. None for what has no material.
    """
    image = find_texture(visual)
    make: Any = trimesh.visual  # not typed
    if image is None:
        return None if visual is None or visual.kind != "texture" else (
            make.material.PBRMaterial(baseColorFactor=visual.material.main_color, **_DULL))
    opaque = "A" not in image.mode and "transparency" not in image.info
    image = image.convert("RGB" if opaque else "RGBA")
    image.thumbnail((_LARGEST_TEXTURE, _LARGEST_TEXTURE))
    image.format = "JPEG" if opaque else "PNG"  # as which trimesh writes it
    return make.material.PBRMaterial(baseColorTexture=image, **_DULL)


def _encode_colours(parts: Iterable[Surface]) -> None:
    """Turn the colours of glTF, which are in linear light, into sRGB, which those of all other formats are."""
    done = set()
    for visual in [cast(Any, part.visual) for part in parts]:
        if visual.kind == "vertex":
            colours = visual.vertex_colors
            visual.vertex_colors = np.column_stack([to_srgb(colours[:, :3]), colours[:, 3]])
        elif visual.kind == "texture" and find_texture(visual) is None and id(visual.material) not in done:
            done.add(id(visual.material))  # parts share it
            colour = visual.material.main_color
            visual.material.baseColorFactor = [*to_srgb(colour[:3]), colour[3]]


def to_srgb(linear: Any) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return (..., 3) linear light from 0 to 255 as sRGB. Source: IEC 61966-2-1."""
    c = np.asarray(linear, dtype=float) / 255.0
    return np.rint(255.0 * np.where(c <= 0.0031308, 12.92 * c, 1.055 * c ** (1 / 2.4) - 0.055)).astype(np.uint8)


def to_linear(srgb: Any) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return (..., 3) sRGB from 0 to 255 as linear light. Source: IEC 61966-2-1."""
    c = np.asarray(srgb, dtype=float) / 255.0
    return np.rint(255.0 * np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)).astype(np.uint8)


def find_texture(visual: Any) -> Any:
    """The picture (of Pillow) that a mesh file puts on a surface of this visual; None if there is none."""
    material = getattr(visual, "material", None) if getattr(visual, "uv", None) is not None else None
    image = getattr(material, "image", None)
    return image if image is not None else getattr(material, "baseColorTexture", None)


def has_colours(surface: Surface) -> bool:
    """Whether a mesh file gives colours or a texture to a surface."""
    visual: Any = surface.visual
    return bool(visual is not None and visual.defined)


def has_pattern(surface: Surface) -> bool:
    """Whether a mesh file gives a texture, or more than one colour, to a surface."""
    visual: Any = surface.visual
    if not has_colours(surface) or visual.kind == "texture":
        return find_texture(visual) is not None
    return bool(np.ptp(visual.vertex_colors, axis=0).any())


def find_colour(surface: Surface) -> tuple[float, ...]:
    """The main colour (r, g, b, a from 0 to 1) that a mesh file gives to a surface, the mean of a texture, or grey."""
    if not has_colours(surface):
        return GREY
    visual: Any = surface.visual
    if (image := find_texture(visual)) is not None:
        colour = image.convert("RGBA").resize((1, 1), resample=4).getpixel((0, 0))  # 4: the mean of all pixels
    else:
        colour = visual.material.main_color if visual.kind == "texture" else visual.main_color
    return tuple([float(value) / 255 for value in colour])


Surface = trimesh.Trimesh
_MOST_POINTS = 2_000  # of outlines that are filled: those that cross take as long as the square of their number


def make_solid(geometry: Geometry) -> list[Surface]:
    """Make the surfaces of a shape that needs no file: fine enough to look round."""
    if isinstance(geometry, Box):
        return [creation.box(geometry.size)]
    if isinstance(geometry, Sphere):
        return [creation.icosphere(subdivisions=3, radius=geometry.radius)]
    if isinstance(geometry, Ellipsoid):
        ball = creation.icosphere(subdivisions=3)
        ball.apply_scale(geometry.radii)
        return [ball]
    if isinstance(geometry, Cylinder):
        return [creation.cylinder(radius=geometry.radius, height=geometry.length, sections=32)]
    if isinstance(geometry, Capsule):
        capsule = creation.capsule(radius=geometry.radius, height=geometry.length, count=(16, 24))
        capsule.apply_translation(-capsule.bounds.mean(axis=0))
        return [capsule]
    if isinstance(geometry, Cone):
        cone = creation.cone(radius=geometry.radius, height=geometry.length, sections=32)
        cone.apply_translation((0, 0, -geometry.length / 2))
        return [cone]
    if isinstance(geometry, Plane):
        return [_make_plane(geometry)]
    return _extrude(geometry) if isinstance(geometry, Polyline) else []


def _make_plane(plane: Plane) -> Surface:
    """Two triangles of the size of the plane, turned to its normal."""
    x, y = (side / 2 for side in plane.size)
    sheet = Surface([[-x, -y, 0], [x, -y, 0], [x, y, 0], [-x, y, 0]], [[0, 1, 2], [0, 2, 3]], process=False)
    normal = np.asarray(plane.normal)
    if np.linalg.norm(normal) > 0:
        align: Any = trimesh.geometry.align_vectors
        sheet.apply_transform(align([0, 0, 1], normal))
    return sheet


def _extrude(polyline: Polyline) -> list[Surface]:
    """The outlines drawn up; an outline inside another is a hole in it.

    Without shapely, and of very many points, the walls alone.
    """
    walls = [prism for prism in polyline.prisms if len(prism.points) > 1]
    if sum(len(prism.points) for prism in walls) > _MOST_POINTS or find_spec("shapely") is None:
        return [_raise_walls(np.asarray(prism.points), prism.height) for prism in walls]
    from shapely.geometry import Polygon
    outlines = [Polygon(prism.points).buffer(0) for prism in polyline.prisms if len(prism.points) > 2]
    if not outlines:
        return []
    area = outlines[0]
    for outline in outlines[1:]:
        area = area.symmetric_difference(outline)
    polygons = [part for part in getattr(area, "geoms", [area]) if part.area > 0]
    return [creation.extrude_polygon(polygon, polyline.prisms[0].height) for polygon in polygons]


def _raise_walls(outline: np.ndarray, height: float) -> Surface:
    """The walls over a closed (N, 2) outline."""
    n = len(outline)
    V = np.vstack([np.column_stack([outline, np.zeros(n)]), np.column_stack([outline, np.full(n, height)])])
    i, j = np.arange(n), (np.arange(n) + 1) % n
    F = np.vstack([np.column_stack([i, j, j + n]), np.column_stack([i, j + n, i + n])])
    return Surface(V, F, process=False)
