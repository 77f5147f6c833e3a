"""Converts typed shapes to triangles with colours, for drawings.

The triangles of a mesh file are those of :func:`sdf_frames.inertia.mesh_file.read_mesh_file`, as in the inertia: units,
limits and the verdict on the file are the same. Colours and textures come from trimesh, if it sees the same surface.
"""
from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from io import BytesIO, StringIO
from math import isclose
from threading import Lock
from typing import Any

import numpy as np
import trimesh
from trimesh import creation

from sdf_frames.document.budget import Budget, Spending
from sdf_frames.document.door import UNCONFINED, Door
from sdf_frames.inertia.gltf_file import make_file_resolver, read_mesh_bytes, take_gltf
from sdf_frames.inertia.mesh_file import read_mesh_file, take_used
from sdf_frames.inertia.mesh_formats import find_format, get_extension
from sdf_frames.inertia.meshes import place_surface
from sdf_frames.sdf.geometry import Geometry, Heightmap, Image, Mesh
from sdf_frames.view.colours import DULL, encode_colours, find_colour, find_texture, has_colours, has_pattern
from sdf_frames.view.triangles import Surface, make_solid, make_terrain, project_texture

#: Edge in metres of the box that replaces a mesh that cannot be drawn.
PLACEHOLDER = 0.1
#: Pixels along a side; larger textures are scaled down.
_LARGEST_TEXTURE = 1024
#: Heights along a side of a terrain; those of larger images are drawn coarser.
_MOST_HEIGHTS = 257
#: Formats of textures. Pillow reads more formats, and starts Ghostscript for one of them.
_TEXTURES = ("BMP", "DDS", "GIF", "JPEG", "PNG", "PPM", "TGA", "TIFF", "WEBP")
#: Materials that an OBJ file may use. trimesh compares the name of each part with all others: 20,000 took 51 s.
_MOST_MATERIALS = 2_000
_OPENING = Lock()


class SurfaceReader:
    """Makes the triangles of shapes; equal shapes, and shapes with the same mesh file, share them.

    Parameters
    ----------
    budget : limits on the cost of all mesh files together.
    most_faces : most triangles of a part of a mesh file; parts with more are reduced.
    door : opens the mesh files and their textures.
    """

    def __init__(self, budget: Budget = Budget(), most_faces: int | None = None, door: Door = UNCONFINED):
        self.door, self.spending, self.most_faces = door, Spending(budget), most_faces
        self._meshes: dict[tuple[object, ...], tuple[list[Surface], str | None]] = {}
        self._solids: dict[Geometry, list[Surface]] = {}
        self._materials: dict[str, Any] = {}
        self._covered: dict[tuple[object, ...], list[Surface]] = {}

    def read(self, geometry: Geometry, path: str | None) -> tuple[list[Surface], str | None]:
        """Make the surfaces of a shape, in its own frame (metres).

        `path` is the file of its URI, None if it is not found. If a mesh cannot be drawn, the surface is a small box,
        and the second value is the reason.
        """
        if isinstance(geometry, Mesh):
            if path is None:
                return [creation.box((PLACEHOLDER,) * 3)], f"{geometry.uri} is not found"
            key = (path, geometry.submesh, geometry.center, geometry.scale)
            if key not in self._meshes:
                self._meshes[key] = self._read_mesh(path, geometry)
            return self._meshes[key]
        if isinstance(geometry, Image):
            return [creation.box((PLACEHOLDER,) * 3)], f"{geometry.uri}: images are not drawn"
        if isinstance(geometry, Heightmap) and (path, geometry) not in self._meshes:
            self._meshes[path, geometry] = self._read_terrain(path, geometry)
        if isinstance(geometry, Heightmap):
            return self._meshes[path, geometry]
        if geometry not in self._solids:
            self._solids[geometry] = make_solid(geometry)
        return self._solids[geometry], None

    def cover(self, surfaces: Iterable[Surface], path: str) -> list[Surface]:
        """Put a picture on surfaces: as in the mesh file, or projected on each side; [] if it cannot be read."""
        surfaces = tuple(surfaces)
        if path not in self._materials:
            try:
                self._materials[path] = _make_material(self._open_picture(path))
            except Exception:  # noqa: BLE001 - as a texture of a mesh file: the shape is drawn without it
                self._materials[path] = None
        if (material := self._materials[path]) is None:
            return []
        key = (path, *map(id, surfaces))  # of surfaces that are kept
        if key not in self._covered:
            self._covered[key] = [_put_on(surface, material) for surface in surfaces]
        return self._covered[key]

    def _open_picture(self, path: str) -> Any:
        """Open a picture (of Pillow), whose pixels count as triangles, as in a terrain; ValueError for too many."""
        from PIL import Image as Picture
        picture = Picture.open(BytesIO(read_mesh_bytes(path, self.spending.budget.mesh_bytes, self.door)),
                               formats=_TEXTURES)
        if not self.spending.spend("faces", 2 * picture.width * picture.height):
            raise ValueError(f"{picture.width} x {picture.height} pixels are over the limits")
        return picture

    def _read_terrain(self, path: str | None, heightmap: Heightmap) -> tuple[list[Surface], str | None]:
        if path is None:
            return [creation.box((PLACEHOLDER,) * 3)], f"{heightmap.uri} is not found"
        try:
            picture = self._open_picture(path)
            grey = picture if picture.mode in ("F", "I", "I;16", "I;16B") else picture.convert("L")
            grey = grey.convert("F")
            grey = grey.resize((min(grey.width, _MOST_HEIGHTS), min(grey.height, _MOST_HEIGHTS)))
            return [make_terrain(np.asarray(grey, dtype=float), heightmap)], None
        except Exception:  # noqa: BLE001 - Pillow's own for each damage
            return [creation.box((PLACEHOLDER,) * 3)], f"{heightmap.uri}: no image, or one over the limits"

    def _read_mesh(self, path: str, mesh: Mesh) -> tuple[list[Surface], str | None]:
        surface, found = read_mesh_file(path, mesh.submesh, None, self.spending, self.door)
        if surface is None:
            why = found[0].message if found else "over the limits"
            return [creation.box((PLACEHOLDER,) * 3)], f"{mesh.uri}: {why}"
        parts: list[Surface] = []
        if mesh.submesh is None and not mesh.center:
            low, high = _find_bounds(surface.vertices, surface.faces)
            plain = Surface(surface.vertices, surface.faces, process=False)
            parts = _unfold(_read_coloured(path, self.door, low, high), plain)
            for part in parts:
                part.apply_transform(np.diag([*mesh.scale, 1.0]))
        if not parts:
            placed = place_surface(surface, mesh)
            parts = [Surface(placed.vertices, placed.faces, process=False)]
        return [self._decimate(part) for part in parts], None

    def _decimate(self, surface: Surface) -> Surface:
        """Return the surface, or a reduced surface in its main colour."""
        if self.most_faces is None or len(surface.faces) <= self.most_faces:
            return surface
        joined = Surface(surface.vertices, surface.faces)  # corners of one place are one vertex
        likeness = joined.simplify_quadric_decimation(face_count=self.most_faces)
        if has_colours(surface):
            visual: Any = likeness.visual
            visual.vertex_colors = [round(255 * value) for value in find_colour(surface)]
        return likeness


def _find_bounds(V: np.ndarray, F: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the lowest (3,) and highest (3,) coordinates of the vertices that faces use."""
    used = take_used(V, F)
    return used.min(axis=0), used.max(axis=0)


@np.errstate(over="ignore", invalid="ignore")
def _read_coloured(path: str, door: Door, low: np.ndarray, high: np.ndarray) -> list[Surface]:
    """Return what trimesh reads, with colours, scaled to the bounds `low` and `high`; [] if the shapes differ."""
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
                encode_colours(parts)
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


def _unfold(parts: list[Surface], plain: Surface) -> list[Surface]:
    """Return the plain triangles in place of parts of one colour that trimesh has cut from concave polygons as fans."""
    if any(map(has_pattern, parts)) or len({find_colour(part) for part in parts}) != 1 or isclose(
            sum(part.area for part in parts), plain.area, rel_tol=1e-6):
        return parts
    if has_colours(parts[0]):
        visual: Any = plain.visual
        visual.face_colors = [round(255 * value) for value in find_colour(parts[0])]
    return [plain]


@contextmanager
def _open_textures_alone() -> Iterator[None]:
    """Let Pillow, which detects formats by content, open only formats of textures: trimesh has no option for this."""
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
    """Return the parts of a file at their places; a part with several places shares its material.

    Each place of a part costs as much as its faces: unused vertices are left out first.
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
            if look.kind == "face":
                part = _colour_vertices(part, look.face_colors)
            else:
                part.visual = look if materials[name] is None else make.TextureVisuals(
                    uv=look.uv, material=materials[name])
            part.apply_transform(X)
            yield part


def _colour_vertices(part: Surface, colours: np.ndarray) -> Surface:
    """Return a surface with the colours (faces, 4) of its faces at its vertices, which trimesh reads without SciPy.

    Faces with several colours share no vertices, so that colours do not mix.
    """
    if not np.ptp(colours, axis=0).any():
        same = colours[:1].repeat(len(part.vertices), axis=0)
        return Surface(part.vertices, part.faces, process=False, vertex_colors=same)
    return Surface(part.triangles.reshape(-1, 3), np.arange(part.faces.size).reshape(-1, 3), process=False,
                   vertex_colors=colours.repeat(3, axis=0))


def _lighten(visual: Any) -> Any:
    """Return the texture, in moderate size, or the colour of a visual, without reflections.

    None if the visual has no material.
    """
    image = find_texture(visual)
    make: Any = trimesh.visual  # not typed
    if image is None:
        return None if visual is None or visual.kind != "texture" else (
            make.material.PBRMaterial(baseColorFactor=visual.material.main_color, **DULL))
    return _make_material(image)


def _make_material(image: Any) -> Any:
    """Return a material that only shows a picture. The page gets a JPEG if the picture is opaque."""
    make: Any = trimesh.visual  # not typed
    opaque = "A" not in image.mode and "transparency" not in image.info
    image = image.convert("RGB" if opaque else "RGBA")
    image.thumbnail((_LARGEST_TEXTURE, _LARGEST_TEXTURE))
    image.format = "JPEG" if opaque else "PNG"  # the format in which trimesh writes it
    return make.material.PBRMaterial(baseColorTexture=image, **DULL)


def _put_on(surface: Surface, material: Any) -> Surface:
    """Return a surface with a picture on it."""
    make: Any = trimesh.visual  # not typed
    uv = getattr(surface.visual, "uv", None)
    V, F, uv = project_texture(surface) if uv is None else (surface.vertices, surface.faces, uv)
    return Surface(V, F, process=False, visual=make.TextureVisuals(uv=uv, material=material))
