"""Volume, centroid and second moments enclosed by a triangulated surface, and of the surface itself.

The solid is taken as a sum of signed tetrahedra from a common apex to every triangle (divergence theorem). Over a
tetrahedron with its apex at the origin a quadratic is integrated exactly by its values at the midpoints of the opposite
triangle's edges, so with m1 = a+b, m2 = b+c, m3 = c+a (twice the midpoints, measured from the apex)

    det(m1, m2, m3) = 2 det(a, b, c)                    V        = Σ det / 12
    ∫ x dV   = Σ det · (m1+m2+m3) / 96                   ∫ x xᵀ dV = Σ det · (m1 m1ᵀ + m2 m2ᵀ + m3 m3ᵀ) / 240

The work goes through the triangles in blocks that stay in the cache, in buffers made once: one small matrix product
turns the rows of nine numbers into nine contiguous rows of sums, one more gathers all six second moments. Every other
step is an in-place operation on contiguous rows. A block's partial sums are added up in double precision.
"""
from __future__ import annotations

import numpy as np

from sdf_frames.spatial.solids import Solid

BLOCK = 16384

# Row 3·axis + k of the product is (corner k + corner k+1) of that axis.
_SUMS = np.zeros((9, 9))
for _axis in range(3):
    for _k in range(3):
        _SUMS[3 * _axis + _k, 3 * _k + _axis] = 1.0
        _SUMS[3 * _axis + _k, 3 * ((_k + 1) % 3) + _axis] = 1.0


def integrate_triangles(triangles: np.ndarray, block: int = BLOCK) -> Solid:
    """Integrals over the solid that the triangles enclose.

    Parameters
    ----------
    triangles : (F, 3, 3) corners in metres, counter-clockwise seen from outside.
    block : triangles in one step.

    Returns
    -------
    Solid
        For density one. The volume is negative, and with it the moments, when the triangles look inward.
        The centroid is meaningless where the volume is zero.
    """
    flat = np.ascontiguousarray(triangles, dtype=np.float64).reshape(-1, 9)

    def fill(start: int, stop: int, P: np.ndarray) -> None:
        np.dot(_SUMS, flat[start:stop].T, out=P)

    return _sum_blocks(len(flat), fill, _find_apex(flat), block)


def integrate_faces(vertices: np.ndarray, faces: np.ndarray, block: int = BLOCK) -> Solid:
    """Like :func:`integrate_triangles`, from (V, 3) vertices and (F, 3) vertex indices, without making the triangles."""
    rows = np.ascontiguousarray(np.asarray(vertices, dtype=np.float64).T)
    faces = np.asarray(faces)
    index = np.empty((3, block), dtype=np.intp)
    corners = np.empty((3, block))

    def fill(start: int, stop: int, P: np.ndarray) -> None:
        count = stop - start
        I, Q = (index, corners) if count == block else (np.empty((3, count), np.intp), np.empty((3, count)))
        np.copyto(I, faces[start:stop].T)
        for axis in range(3):
            # mode="clip" lets take write into `out` without a temporary; indices are in range.
            np.take(rows[axis], I, out=Q, mode="clip")
            for k in range(3):
                np.add(Q[k], Q[(k + 1) % 3], out=P[3 * axis + k])

    sample = np.asarray(vertices, dtype=np.float64)[np.asarray(faces[:1024]).ravel()]
    return _sum_blocks(len(faces), fill, _find_apex(sample), block)


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
    """A point near the surface: integrals about it keep their digits however far the mesh is from its origin."""
    if not len(flat):
        return np.zeros(3)
    sample = flat[::max(1, len(flat) // 1024)].reshape(-1, 3)
    return sample.mean(axis=0)


def _sum_blocks(count: int, fill, apex: np.ndarray, block: int) -> Solid:
    volume, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    shift = np.repeat(2.0 * apex, 3)[:, None]
    P = None
    for start in range(0, count, block):
        stop = min(start + block, count)
        if P is None or P.shape[1] != stop - start:
            P, W = np.empty((9, stop - start)), np.empty((9, stop - start))
            d, t, u = np.empty((3, stop - start))
        fill(start, stop, P)
        np.subtract(P, shift, out=P)
        _fill_determinants(P, d, t, u)
        np.multiply(P, d, out=W)
        volume += float(d.sum())
        W = W.reshape(3, -1)
        first += W.sum(axis=1)
        second += np.dot(P.reshape(3, -1), W.T)
        W = W.reshape(9, -1)
    return make_solid(volume / 12, first / 96, second / 240, apex)


def _fill_determinants(P: np.ndarray, d: np.ndarray, t: np.ndarray, u: np.ndarray) -> None:
    """det(m1, m2, m3) of every column of `P` into `d`; `t` and `u` are scratch."""
    ax, bx, cx, ay, by, cy, az, bz, cz = P
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
