"""Volume, centroid and second moments of the solid inside a triangulated surface, and of the surface itself.

The solid is a sum of signed tetrahedra from a common apex to every triangle (divergence theorem). Over the
tetrahedron of the origin and a, b, c, with s = a+b+c and D = det(a, b, c),

    V = D / 6,   ∫ x dV = D · s / 24,   ∫ x xᵀ dV = D · (a aᵀ + b bᵀ + c cᵀ + s sᵀ) / 120

so that one matrix sums up many triangles: Σ D · q qᵀ, where q are the nine coordinates of the corners and a one. The
triangles are processed in blocks that stay in the cache.
"""
from __future__ import annotations

import numpy as np

from sdf_frames.spatial.inertia import ZERO_TENSOR
from sdf_frames.spatial.mesh_topology import find_normals
from sdf_frames.spatial.solids import Solid

#: Triangles whose coordinates fit the second-level cache, and whose matrix product stays below the size from which
#: OpenBLAS would start its own threads (2^18 multiplications), which are slow if the cores are in use.
BLOCK = 2560


def integrate_faces(vertices: np.ndarray, faces: np.ndarray, apex: np.ndarray | None = None) -> Solid:
    """Integrate over the solid that the faces enclose.

    Parameters
    ----------
    vertices, faces : (V, 3) metres and (F, 3) vertex indices, counter-clockwise seen from outside.
    apex : (3,) the common corner of the tetrahedra; it matters only if the surface is not closed.

    Returns
    -------
    Solid
        For density one. Volume and moments are negative if the triangles point inward. The centroid is undefined if
        the volume is zero.
    """
    vertices, faces = np.asarray(vertices, dtype=np.float64), np.asarray(faces)
    if apex is None:
        apex = _find_apex(vertices[faces[_thin(faces)]])
    G = _sum_blocks(np.ascontiguousarray(vertices.T), faces, apex)
    corners = G[:9, :9].reshape(3, 3, 3, 3)  # axis, corner, axis, corner
    second = np.einsum("ikjk->ij", corners) + corners.sum(axis=(1, 3))
    return make_solid(float(G[9, 9]) / 6, G[:9, 9].reshape(3, 3).sum(axis=1) / 24, second / 120, apex)


def measure_leak(vertices: np.ndarray, faces: np.ndarray) -> float:
    """Return the relative error that gaps of a surface cause: 0 for a closed surface, also with cracks without area.

    It is the largest change of volume or moments, relative to the largest of each, among four apices at corners of the
    box around the mesh. Only the boundary of gaps makes the sum depend on its apex.
    """
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    middle, half = (low + high) / 2, (high - low) / 2
    solids = [integrate_faces(vertices, faces, apex=middle + half * signs)
              for signs in ((-1, -1, -1), (1, 1, -1), (1, -1, 1), (-1, 1, 1))]
    # All about the box's centre: moments about the centroid of each sum would hide a shift of the centroid.
    values = np.array([[s.volume, *[s.volume * (c - m) for c, m in zip(s.centroid, middle)], *s.moments]
                       for s in solids])
    span = np.ptp(values, axis=0)
    volume, moments = np.abs(values[:, 0]).max(), np.abs(values[:, 4:7]).max()
    if not moments > 0:
        return float("inf")
    return float(max(span[0] / volume, span[1:4].max() / (volume * 2 * half.max()), span[4:].max() / moments))


def integrate_surface(vertices: np.ndarray, faces: np.ndarray) -> Solid:
    """Integrate over the surface itself: a thin shell of mass one per square metre; ``volume`` is its area in m²."""
    T = np.asarray(vertices, dtype=np.float64)[np.asarray(faces)]
    apex = _find_apex(T)
    T = T - apex
    w = 0.5 * np.linalg.norm(find_normals(T), axis=1)
    # The integrals of a triangle equal those of a third of its area in the middle of each edge.
    M, thirds = (T + T[:, [1, 2, 0]]).reshape(-1, 3) / 2, np.repeat(w, 3) / 3
    first, second = thirds @ M, (M.T * thirds) @ M
    return make_solid(float(w.sum()), first, second, apex)


def make_solid(volume: float, first: np.ndarray, second: np.ndarray, apex: np.ndarray) -> Solid:
    """Return the solid with these ∫dV, ∫x dV and ∫x xᵀ dV about `apex`."""
    if volume == 0:
        return Solid(0.0, tuple(np.asarray(apex).tolist()), ZERO_TENSOR)
    c = first / volume
    S = second - volume * np.outer(c, c)
    return Solid(volume, tuple((c + apex).tolist()),
                 (float(S[1, 1] + S[2, 2]), float(S[0, 0] + S[2, 2]), float(S[0, 0] + S[1, 1]),
                  float(-S[0, 1]), float(-S[0, 2]), float(-S[1, 2])))


def turn_solid(solid: Solid) -> Solid:
    """Return the solid with the opposite orientation: volume and moments change sign."""
    ixx, iyy, izz, ixy, ixz, iyz = solid.moments
    return Solid(-solid.volume, solid.centroid, (-ixx, -iyy, -izz, -ixy, -ixz, -iyz))


def _thin(faces: np.ndarray) -> slice:
    """Select about a thousand faces of a large mesh."""
    return slice(None, None, max(1, len(faces) // 1024))


def _find_apex(triangles: np.ndarray) -> np.ndarray:
    """Return a point near the surface: integrals about it keep their digits even if the mesh is far from its origin.

    The point is the origin itself if that is near enough.
    """
    if not len(triangles):
        return np.zeros(3)
    points = triangles.reshape(-1, 3)
    mean = points.mean(axis=0)
    return mean if (np.abs(mean) > 2 * points.std(axis=0).max()).any() else np.zeros(3)


def _sum_blocks(rows: np.ndarray, faces: np.ndarray, apex: np.ndarray) -> np.ndarray:
    """Return (10, 10) Σ det · q qᵀ over the faces; q has the corners' x, y, z from `apex`, and 1; `rows` are (3, V)."""
    G = np.zeros((10, 10))
    for start in range(0, len(faces), BLOCK):
        corners = np.take(rows, faces[start:start + BLOCK].T, axis=1) - apex[:, None, None]
        (ax, bx, cx), (ay, by, cy), (az, bz, cz) = corners  # axis, corner, triangle
        D = (by * cz - bz * cy) * ax + (bz * cx - bx * cz) * ay + (bx * cy - by * cx) * az
        Q = np.vstack([corners.reshape(9, -1), np.ones_like(D)])
        G += (Q * D) @ Q.T
    return G
