"""Volume, centroid and second moments enclosed by a triangulated surface, and of the surface itself.

The solid is taken as a sum of signed tetrahedra from a common apex to every triangle (divergence theorem). Over the
tetrahedron of the origin and a, b, c, with s = a+b+c and D = det(a, b, c),

    V = D / 6,   ∫ x dV = D · s / 24,   ∫ x xᵀ dV = D · (a aᵀ + b bᵀ + c cᵀ + s sᵀ) / 120

so that one matrix holds all that is needed of many triangles: Σ D · q qᵀ, where q are the nine coordinates of the
corners and a one. The work goes through the triangles in blocks that stay in the cache, in buffers made once: corners
are copied to nine contiguous rows, fourteen operations on whole rows make D, and a matrix product adds up the rest.
Large meshes are shared out among the processor's cores; NumPy works without the interpreter's lock. A block's partial
sums are added up in double precision.
"""
from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from sdf_frames.spatial.inertia import ZERO_TENSOR
from sdf_frames.spatial.mesh_topology import find_normals
from sdf_frames.spatial.solids import Solid

# Blocks fit the second-level cache. Matrix products go in pieces that stay below the size from which OpenBLAS would
# start
# threads of its own (2^18 multiplications), which wait badly for a core that somebody else is using.
_PIECE = 2560
BLOCK = 2 * _PIECE
_SHARE = 150_000
_MOST_WORKERS = 8

# Copies the corners of triangles start … stop to (3 axes, 3 corners, stop − start).
_Fill = Callable[[int, int, np.ndarray], None]


def integrate_triangles(triangles: np.ndarray, block: int = BLOCK, workers: int | None = None) -> Solid:
    """Integrals over the solid that the triangles enclose.

    Parameters
    ----------
    triangles : (F, 3, 3) corners in metres, counter-clockwise seen from outside.
    block : triangles in one step.
    workers : threads; by default as many as there are cores, where there is enough to do for each.

    Returns
    -------
    Solid
        For density one. The volume is negative, and with it the moments, when the triangles look inward.
        The centroid is meaningless where the volume is zero.
    """
    triangles = np.asarray(triangles, dtype=np.float64)

    def make_fill(size: int) -> _Fill:
        return lambda start, stop, Q: np.copyto(Q, triangles[start:stop].transpose(2, 1, 0))

    return _integrate(len(triangles), make_fill, _find_apex(triangles[_thin(triangles)]), block, workers)


def integrate_faces(vertices: np.ndarray, faces: np.ndarray, block: int = BLOCK, workers: int | None = None,
                    apex: np.ndarray | None = None) -> Solid:
    """Like :func:`integrate_triangles`, from (V, 3) vertices and (F, 3) vertex indices, without making the triangles.

    `apex` (3,) is the tetrahedra's common corner; it matters only where the surface is not closed.
    """
    vertices, faces = np.asarray(vertices, dtype=np.float64), np.asarray(faces)
    rows = np.ascontiguousarray(vertices.T)

    def make_fill(size: int) -> _Fill:
        buffer = np.empty(3 * size, dtype=np.intp)

        def fill(start: int, stop: int, Q: np.ndarray) -> None:
            index = buffer[:3 * (stop - start)].reshape(3, -1)
            np.copyto(index, faces[start:stop].T)
            for axis in range(3):
                # mode="clip" lets take write into `out` without a temporary; indices are in range.
                np.take(rows[axis], index, out=Q[axis], mode="clip")

        return fill

    if apex is None:
        apex = _find_apex(vertices[faces[_thin(faces)]])
    return _integrate(len(faces), make_fill, apex, block, workers)


def measure_leak(vertices: np.ndarray, faces: np.ndarray) -> float:
    """How much of the integrals the gaps of a surface let out: 0 for a closed one, also where cracks have no area.

    The largest change of volume or moments, relative to the largest of each, among four apices at corners of the box
    around the mesh. The boundary of the gaps alone makes the sum depend on its apex.
    """
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    middle, half = (low + high) / 2, (high - low) / 2
    solids = [integrate_faces(vertices, faces, apex=middle + half * signs)
              for signs in ((-1, -1, -1), (1, 1, -1), (1, -1, 1), (-1, 1, 1))]
    # About the box's centre, for all alike: moments about each sum's own centroid would hide a shift of it.
    values = np.array([[s.volume, *[s.volume * (c - m) for c, m in zip(s.centroid, middle)], *s.moments]
                       for s in solids])
    span = np.ptp(values, axis=0)
    volume, moments = np.abs(values[:, 0]).max(), np.abs(values[:, 4:7]).max()
    if not moments > 0:
        return float("inf")
    return float(max(span[0] / volume, span[1:4].max() / (volume * 2 * half.max()), span[4:].max() / moments))


def integrate_surface(vertices: np.ndarray, faces: np.ndarray) -> Solid:
    """Integrals over the surface itself, for a thin shell of mass one per square metre; ``volume`` is its area in
    m²."""
    T = np.asarray(vertices, dtype=np.float64)[np.asarray(faces)]
    apex = _find_apex(T)
    T = T - apex
    w = 0.5 * np.linalg.norm(find_normals(T), axis=1)
    # A triangle's integrals are those of a third of its area in the middle of each edge.
    M, thirds = (T + T[:, [1, 2, 0]]).reshape(-1, 3) / 2, np.repeat(w, 3) / 3
    first, second = thirds @ M, (M.T * thirds) @ M
    return make_solid(float(w.sum()), first, second, apex)


def make_solid(volume: float, first: np.ndarray, second: np.ndarray, apex: np.ndarray) -> Solid:
    """Solid of ∫dV, ∫x dV and ∫x xᵀ dV taken about `apex`."""
    if volume == 0:
        return Solid(0.0, tuple(np.asarray(apex).tolist()), ZERO_TENSOR)
    c = first / volume
    S = second - volume * np.outer(c, c)
    return Solid(volume, tuple((c + apex).tolist()),
                 (float(S[1, 1] + S[2, 2]), float(S[0, 0] + S[2, 2]), float(S[0, 0] + S[1, 1]),
                  float(-S[0, 1]), float(-S[0, 2]), float(-S[1, 2])))


def turn_solid(solid: Solid) -> Solid:
    """The solid with the other orientation: volume and moments change sign."""
    ixx, iyy, izz, ixy, ixz, iyz = solid.moments
    return Solid(-solid.volume, solid.centroid, (-ixx, -iyy, -izz, -ixy, -ixz, -iyz))


def _thin(faces: np.ndarray) -> slice:
    """About a thousand of very many faces."""
    return slice(None, None, max(1, len(faces) // 1024))


def _find_apex(triangles: np.ndarray) -> np.ndarray:
    """A point near the surface: integrals about it keep their digits however far the mesh is from its origin.

    The origin itself where it is near enough, which saves the subtraction.
    """
    if not len(triangles):
        return np.zeros(3)
    points = triangles.reshape(-1, 3)
    mean = points.mean(axis=0)
    return mean if (np.abs(mean) > 2 * points.std(axis=0).max()).any() else np.zeros(3)


def _integrate(count: int, make_fill: Callable[[int], _Fill], apex: np.ndarray, block: int,
               workers: int | None) -> Solid:
    if workers is None:
        workers = min(_MOST_WORKERS, os.cpu_count() or 1, max(1, count // _SHARE))
    if workers == 1:
        G = _sum_blocks(0, count, make_fill(block), apex, block)
    else:
        ends = [count * k // workers for k in range(workers + 1)]
        with ThreadPoolExecutor(workers) as pool:
            parts = pool.map(lambda begin, end: _sum_blocks(begin, end, make_fill(block), apex, block), ends, ends[1:])
            G = np.sum(list(parts), axis=0)
    corners = G[:9, :9].reshape(3, 3, 3, 3)  # axis, corner, axis, corner
    second = np.einsum("ikjk->ij", corners) + corners.sum(axis=(1, 3))
    return make_solid(float(G[9, 9]) / 6, G[:9, 9].reshape(3, 3).sum(axis=1) / 24, second / 120, apex)


def _sum_blocks(begin: int, end: int, fill: _Fill, apex: np.ndarray, block: int) -> np.ndarray:
    """(10, 10) Σ det · q qᵀ over the triangles begin … end, q the corners' x, y and z from `apex`, and one."""
    G = np.zeros((10, 10))
    if begin == end:
        return G
    shift = apex[:, None, None] if apex.any() else None
    block = min(block, end - begin)
    pieces = -(-block // _PIECE)
    width = -(-block // pieces)
    Q, W = np.ones((10, pieces * width)), np.zeros((10, pieces * width))
    # Stacks of (10, width) and (width, 10): one call multiplies all of them.
    left, right = Q.reshape(10, pieces, width).transpose(1, 0, 2), W.reshape(10, pieces, width).transpose(1, 2, 0)
    size = 0
    for start in range(begin, end, block):
        stop = min(start + block, end)
        if size != stop - start:
            size = stop - start
            corners, used = Q[:9, :size].reshape(3, 3, size), W[:, :size]
            W[:, size:] = 0.0
        fill(start, stop, corners)
        if shift is not None:
            np.subtract(corners, shift, out=corners)
        _fill_determinants(corners, used[9], used[0], used[1])
        np.multiply(Q[:9, :size], used[9], out=used[:9])
        G += np.matmul(left, right).sum(axis=0)
    return G


def _fill_determinants(corners: np.ndarray, d: np.ndarray, t: np.ndarray, u: np.ndarray) -> None:
    """det(a, b, c) of every column of `corners` (axis, corner, triangle) into `d`; `t` and `u` are scratch."""
    (ax, bx, cx), (ay, by, cy), (az, bz, cz) = corners
    np.multiply(by, cz, out=d)
    np.multiply(bz, cy, out=t)
    np.subtract(d, t, out=d)
    np.multiply(d, ax, out=d)
    np.multiply(bz, cx, out=u)
    np.multiply(bx, cz, out=t)
    np.subtract(u, t, out=u)
    np.multiply(u, ay, out=u)
    np.add(d, u, out=d)
    np.multiply(bx, cy, out=u)
    np.multiply(by, cx, out=t)
    np.subtract(u, t, out=u)
    np.multiply(u, az, out=u)
    np.add(d, u, out=d)
