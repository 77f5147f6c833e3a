"""Converts typed shapes without a mesh file to triangles."""
from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
import trimesh
from trimesh import creation

from sdf_frames.sdf.geometry import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    Geometry,
    Heightmap,
    Plane,
    Polyline,
    Sphere,
)

Surface = trimesh.Trimesh
_MOST_POINTS = 2_000  # of filled outlines: the time for crossing outlines is quadratic in the number of points


def has_depth(surface: Surface) -> bool:
    """Return whether a surface is not flat. If flat surfaces, such as the ground, counted, the rest would be tiny."""
    return surface.extents is not None and surface.extents.min() > 0


def make_solid(geometry: Geometry) -> list[Surface]:
    """Make the surfaces of a shape without a file, fine enough to look round."""
    if isinstance(geometry, Box):
        return [creation.box(geometry.size)]
    if isinstance(geometry, (Sphere, Ellipsoid)):
        ball = creation.icosphere(subdivisions=3)  # with a radius of 0 or 1e200, it would not be finite
        ball.apply_scale(geometry.radius if isinstance(geometry, Sphere) else geometry.radii)
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
    """Return two triangles of the size of the plane, with its normal."""
    x, y = (side / 2 for side in plane.size)
    sheet = Surface([[-x, -y, 0], [x, -y, 0], [x, y, 0], [-x, y, 0]], [[0, 1, 2], [0, 2, 3]], process=False)
    normal = np.asarray(plane.normal)
    if np.linalg.norm(normal) > 0:
        align: Any = trimesh.geometry.align_vectors
        sheet.apply_transform(align([0, 0, 1], normal))
    return sheet


def _extrude(polyline: Polyline) -> list[Surface]:
    """Return the extruded outlines; an outline inside another is a hole in it.

    Without shapely, or with very many points, return only the walls.
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
    """Return the walls over a closed (N, 2) outline."""
    n = len(outline)
    V = np.vstack([np.column_stack([outline, np.zeros(n)]), np.column_stack([outline, np.full(n, height)])])
    i, j = np.arange(n), (np.arange(n) + 1) % n
    F = np.vstack([np.column_stack([i, j, j + n]), np.column_stack([i, j + n, i + n])])
    return Surface(V, F, process=False)


def make_terrain(heights: np.ndarray, heightmap: Heightmap) -> Surface:
    """Raise a grid over (rows, columns) grey values: the first row is at +y, the largest value at the height of `size`.

    As in Gazebo, black is at the height of `position`, and the outer heights are on the edge of `size`.
    """
    rows, columns = heights.shape
    width, depth, height = heightmap.size
    x, y = np.meshgrid(np.linspace(-width / 2, width / 2, columns), np.linspace(depth / 2, -depth / 2, rows))
    z = heights * (height / (heights.max() or 1.0))
    V = np.column_stack([x.ravel(), y.ravel(), z.ravel()]) + heightmap.position
    at = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = at[:-1, :-1].ravel(), at[:-1, 1:].ravel(), at[1:, :-1].ravel(), at[1:, 1:].ravel()
    return Surface(V, np.vstack([np.column_stack([a, c, b]), np.column_stack([b, c, d])]), process=False)


def project_texture(surface: Surface) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return vertices, faces and (N, 2) places in a picture that is upright and whole from each of the six sides."""
    corners = np.asarray(surface.triangles)
    low, size = surface.bounds[0], np.where(surface.extents > 0, surface.extents, 1.0)
    normals = np.asarray(surface.face_normals)
    side = np.argmax(np.abs(normals), axis=1)
    sign = np.where(normals[np.arange(len(side)), side] < 0, -1.0, 1.0)
    # The axes to the right and up, for each side: seen along x, along y and from above.
    right, up, turn = np.array([1, 0, 0])[side], np.array([2, 2, 1])[side], np.array([1.0, -1.0, 1.0])[side] * sign
    place = (corners - low) / size
    face = np.arange(len(side))
    u, v = place[face, :, right], place[face, :, up]
    uv = np.stack([np.where(turn[:, None] < 0, 1.0 - u, u), v], axis=-1)
    return corners.reshape(-1, 3), np.arange(3 * len(side)).reshape(-1, 3), uv.reshape(-1, 2)
