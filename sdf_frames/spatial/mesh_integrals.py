"""Volume, centroid and second moments enclosed by a triangulated surface, and of the surface itself.

The solid is taken as a sum of signed tetrahedra from a common apex to every triangle (divergence theorem). Over a
tetrahedron with its apex at the origin a quadratic is integrated exactly by its values at the midpoints of the opposite
triangle's edges, so with m1 = a+b, m2 = b+c, m3 = c+a (twice the midpoints, measured from the apex)

    det(m1, m2, m3) = 2 det(a, b, c)                    V        = Σ det / 12
    ∫ x dV   = Σ det · (m1+m2+m3) / 96                   ∫ x xᵀ dV = Σ det · (m1 m1ᵀ + m2 m2ᵀ + m3 m3ᵀ) / 240

The work goes through the triangles in blocks that stay in the cache, in buffers made once: corners are copied to nine
contiguous rows, after which every step is an in-place operation on whole rows, and one small matrix product gathers
the second moments. Large meshes are shared out among the processor's cores; NumPy works without the interpreter's lock.
A block's partial sums are added up in double precision.
"""
from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Callable

import numpy as np

from sdf_frames.spatial.solids import Solid

# Blocks fit the second-level cache, and their matrix products stay below the size from which OpenBLAS would start
# threads of its own (2^18 multiplications), which wait badly for a core that somebody else is using.
BLOCK = 9216
_SHARE = 16 * BLOCK
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

    return _integrate(len(triangles), make_fill, _find_apex(triangles.reshape(-1, 9)), block, workers)


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
        apex = _find_apex(vertices[faces[::max(1, len(faces) // 1024)].ravel()])
    return _integrate(len(faces), make_fill, apex, block, workers)


def measure_leak(vertices: np.ndarray, faces: np.ndarray) -> float:
    """How much of the integrals the gaps of a surface let out: 0 for a closed one, also where cracks have no area.

    The largest change of volume or moments, relative to the largest of each, among four apices at corners of the box
    around the mesh. The boundary of the gaps alone makes the sum depend on its apex.
    """
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    corners = [np.where(pick, high, low) for pick in ([0, 0, 0], [1, 1, 0], [1, 0, 1], [0, 1, 1])]
    solids = [integrate_faces(vertices, faces, apex=corner) for corner in corners]
    # About the box's centre, for all alike: moments about each sum's own centroid would hide a shift of it.
    values = np.array([[s.volume, *[s.volume * (c - m) for c, m in zip(s.centroid, (low + high) / 2)], *s.moments]
                       for s in solids])
    span = np.ptp(values, axis=0)
    size = float(np.ptp(vertices, axis=0).max())
    volume, moments = np.abs(values[:, 0]).max(), np.abs(values[:, 4:7]).max()
    if not (volume > 0 and moments > 0 and size > 0):
        return float("inf")
    return float(max(span[0] / volume, span[1:4].max() / (volume * size), span[4:].max() / moments))


def integrate_surface(vertices: np.ndarray, faces: np.ndarray) -> Solid:
    """Integrals over the surface itself, for a thin shell of mass one per square metre; ``volume`` is its area in m²."""
    T = np.asarray(vertices, dtype=np.float64)[np.asarray(faces)]
    apex = _find_apex(T.reshape(-1, 9))
    T = T - apex
    w = 0.5 * np.linalg.norm(np.cross(T[:, 1] - T[:, 0], T[:, 2] - T[:, 0]), axis=1)
    midpoints = (T + np.roll(T, -1, axis=1)) / 2
    first = np.einsum("n,nki->i", w, midpoints) / 3
    second = np.einsum("n,nki,nkj->ij", w, midpoints, midpoints, optimize=True) / 3
    return make_solid(float(w.sum()), first, second, apex)


def make_solid(volume: float, first: np.ndarray, second: np.ndarray, apex: np.ndarray) -> Solid:
    """Solid of ∫dV, ∫x dV and ∫x xᵀ dV taken about `apex`."""
    if volume == 0:
        return Solid(0.0, tuple(np.asarray(apex).tolist()), (0.0,) * 6)
    c = first / volume
    S = second - volume * np.outer(c, c)
    return Solid(volume, tuple((c + apex).tolist()),
                 (float(S[1, 1] + S[2, 2]), float(S[0, 0] + S[2, 2]), float(S[0, 0] + S[1, 1]),
                  float(-S[0, 1]), float(-S[0, 2]), float(-S[1, 2])))


def turn_solid(solid: Solid) -> Solid:
    """The solid with the other orientation: volume and moments change sign."""
    return Solid(-solid.volume, solid.centroid, tuple([-i for i in solid.moments]))


def _find_apex(flat: np.ndarray) -> np.ndarray:
    """A point near the surface: integrals about it keep their digits however far the mesh is from its origin.

    The origin itself where it is near enough, which saves the subtraction.
    """
    if not len(flat):
        return np.zeros(3)
    sample = flat[::max(1, len(flat) // 1024)].reshape(-1, 3)
    mean = sample.mean(axis=0)
    return mean if (np.abs(mean) > 2 * sample.std(axis=0).max()).any() else np.zeros(3)


def _integrate(count: int, make_fill: Callable[[int], _Fill], apex: np.ndarray, block: int, workers: int | None) -> Solid:
    if workers is None:
        workers = min(_MOST_WORKERS, os.cpu_count() or 1, max(1, count // _SHARE))
    if workers == 1:
        volume, first, second = _sum_blocks(0, count, make_fill(block), apex, block)
    else:
        ends = [count * k // workers for k in range(workers + 1)]
        with ThreadPoolExecutor(workers) as pool:
            sums = pool.map(lambda k: _sum_blocks(ends[k], ends[k + 1], make_fill(block), apex, block), range(workers))
            volume, first, second = (sum(parts) for parts in zip(*sums))
    return make_solid(volume / 12, first / 96, second / 240, apex)


def _sum_blocks(begin: int, end: int, fill: _Fill, apex: np.ndarray, block: int) -> tuple:
    """Σ det, Σ det·(m1+m2+m3) and Σ det·Σ m mᵀ over the triangles begin … end, about `apex`."""
    volume, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    shift = 2.0 * apex[:, None, None] if apex.any() else None
    size = 0
    for start in range(begin, end, block):
        stop = min(start + block, end)
        if size != stop - start:
            size = stop - start
            Q, P, W = np.empty((3, 3, 3, size))
            d, t, u = np.empty((3, size))
        fill(start, stop, Q)
        for k in range(3):
            np.add(Q[:, k], Q[:, (k + 1) % 3], out=P[:, k])
        if shift is not None:
            np.subtract(P, shift, out=P)
        _fill_determinants(P, d, t, u)
        np.multiply(P, d, out=W)
        flat = W.reshape(3, 3 * size)
        volume += float(d.sum())
        first += flat.sum(axis=1)
        second += np.dot(P.reshape(3, 3 * size), flat.T)
    return volume, first, second


def _fill_determinants(P: np.ndarray, d: np.ndarray, t: np.ndarray, u: np.ndarray) -> None:
    """det(m1, m2, m3) of every column of `P` (axis, k, triangle) into `d`; `t` and `u` are scratch."""
    (ax, bx, cx), (ay, by, cy), (az, bz, cz) = P
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
