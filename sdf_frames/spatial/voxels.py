"""Solids as filled voxels: which cells of a grid have their centre inside a surface.

A ray runs along an axis through every column of cells and enters or leaves the solid at each triangle that it crosses.
Rays are offset from the cell centres by a ten-thousandth of a cell, and the two faces at an edge evaluate the same
expression for it, so that no ray passes between them or hits both. If the faces of a surface agree on the outside, a
ray counts how often a cell is enclosed; once or more is full. A column that does not end outside has passed a crack and
is ignored. With three axes, the majority of the other columns decides.

The cells divide the box around the surface into an odd number along each axis. So sides of the box are sides of cells,
and cells of half the size have none of the other sides in common: the change of a result shows how far flat faces are
from the sides of cells.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sdf_frames.spatial.mesh_integrals import make_solid
from sdf_frames.spatial.pose import Vector
from sdf_frames.spatial.solids import Solid

_OFFSET = (0.50014142, 0.50017321)
#: Pairs of a triangle and a column of cells that are processed together.
_PAIRS = 1_000_000


@dataclass(frozen=True, slots=True)
class VoxelGrid:
    """``filled`` (nx, ny, nz) of bool; cell (i, j, k) has its low corner at ``origin`` + (i, j, k)·``edges`` (m).

    ``cracked`` is the share of the columns that crossed the surface an odd number of times; with three axes, the middle
    value, because two axes without cracks decide."""

    filled: np.ndarray
    origin: Vector
    edges: Vector
    cracked: float


def count_voxels(vertices: np.ndarray, size: float) -> int:
    """Count the cells of edges up to `size` in the box around the vertices."""
    return int(np.prod(_divide(vertices, size)[0]))


def _divide(vertices: np.ndarray, size: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the odd numbers (3,) of cells along the sides of the box around the vertices, and their edges (3,) in
    metres: `size` or less."""
    extent = np.ptp(vertices, axis=0)
    least = np.ceil(extent / size)
    shape = least + 1 - least % 2
    return shape, np.where(extent > 0, extent / shape, size)


def count_tests(vertices: np.ndarray, faces: np.ndarray, size: float, axes: int) -> int:
    """Estimate how often :func:`voxelise_mesh` tests a ray against a triangle: for every column of cells that the
    triangle's box covers. A test takes five or six times as long as a cell."""
    T = ((vertices - vertices.min(axis=0)) / _divide(vertices, size)[1])[faces]
    spans = np.floor(T.max(axis=1) + 0.5) - np.floor(T.min(axis=1) + 0.5)
    x, y, z = spans.T
    return int(x @ y + y @ z + z @ x) if axes == 3 else int(x @ y)


def voxelise_mesh(vertices: np.ndarray, faces: np.ndarray, size: float, axes: int = 1,
                  oriented: bool = False) -> VoxelGrid:
    """Fill the voxels whose centres are inside the mesh.

    Parameters
    ----------
    vertices, faces : (V, 3) in metres and (F, 3).
    size : largest edge of a voxel in metres.
    axes : 1 to send rays along z only (closed surfaces), 3 for a majority of x, y and z (leaky surfaces).
    oriented : whether the faces agree on the outside; if not, a cell that is enclosed twice is empty.
    """
    counts, cell = _divide(vertices, size)
    low, shape = vertices.min(axis=0), counts.astype(int)
    P = (vertices - low) / cell
    votes, says = np.zeros((2, *shape), dtype=np.uint8)
    cracked = []
    corner: Vector = tuple(low.tolist())
    edges: Vector = tuple(cell.tolist())
    for axis in ((2,) if axes == 1 else (0, 1, 2)):
        turn = [(axis + 1) % 3, (axis + 2) % 3, axis]
        inside, sound, share = _cast_rays(P[:, turn], faces, tuple(shape[turn].tolist()), oriented)
        cracked.append(share)
        # (n_axis, n_axis+1, n_axis+2) back to (x, y, z)
        inside = np.moveaxis(inside, (0, 1, 2), (axis, turn[0], turn[1]))
        if axes == 1:
            return VoxelGrid(inside.view(bool), corner, edges, share)
        voice = np.broadcast_to(np.moveaxis(sound[None], (0, 1, 2), (axis, turn[0], turn[1])), inside.shape)
        inside &= voice
        votes += inside
        says += voice
    filled = (votes > 0) & (2 * votes >= says)  # a tie is inside
    return VoxelGrid(filled, corner, edges, sorted(cracked)[1])


def integrate_voxels(grid: VoxelGrid) -> Solid:
    """Integrate over the filled voxels, each a solid box."""
    filled, edges = grid.filled, grid.edges
    planes = {(0, 1): filled.sum(axis=2), (0, 2): filled.sum(axis=1), (1, 2): filled.sum(axis=0)}
    xs = [(np.arange(n) + 0.5) * h for n, h in zip(filled.shape, edges)]
    lines = [planes[0, 1].sum(axis=1), planes[0, 1].sum(axis=0), planes[0, 2].sum(axis=0)]
    count = int(lines[0].sum())
    cell = float(np.prod(edges))
    first = np.array([cell * float(line @ x) for line, x in zip(lines, xs)])
    second = np.diag([cell * float(line @ (x * x) + count * h * h / 12) for line, x, h in zip(lines, xs, edges)])
    for (i, j), plane in planes.items():
        second[i, j] = second[j, i] = cell * float(xs[i] @ plane @ xs[j])
    return make_solid(cell * count, first, second, np.array(grid.origin))


def _cast_rays(P: np.ndarray, faces: np.ndarray, shape: tuple[int, int, int], oriented: bool,
               ) -> tuple[np.ndarray, np.ndarray, float]:
    """Send rays along the last axis of `P`, given in cells, for the columns of the first two axes.

    Return whether cells are inside (n2, n0, n1) as 0 and 1, which columns have no crack (n0, n1), and the share of
    cracked columns among those that hit the surface.
    """
    n0, n1, n2 = shape
    # How the depth changes in front of each cell: by one or minus one, or between zero and one.
    toggles = np.zeros((n2 + 1, n0, n1), dtype=np.int16 if oriented else np.uint8)
    change = np.add if oriented else np.bitwise_xor
    hit = np.zeros((n0, n1), dtype=bool)
    T = P[faces]
    xy_low, xy_high = T[:, :, :2].min(axis=1), T[:, :, :2].max(axis=1)
    start = np.ceil(xy_low - _OFFSET).astype(np.int64)
    span = np.floor(xy_high - _OFFSET).astype(np.int64) - start + 1
    pairs = span[:, 0] * span[:, 1]
    ends = np.cumsum(pairs)
    # A large triangle is processed in pieces.
    for begin in range(0, int(ends[-1]), _PAIRS):
        end = min(begin + _PAIRS, int(ends[-1]))
        some = slice(int(np.searchsorted(ends, begin)), int(np.searchsorted(ends, end)) + 1)
        first = ends[some] - pairs[some]
        count = np.minimum(ends[some], end) - np.maximum(first, begin)
        face = np.repeat(np.arange(len(first)), count)
        _toggle(T[some], start[some], span[some], face, np.arange(begin, end) - first[face], toggles, hit, n2)
    # In place: the depth of cell k is the sum of the faces below its centre. Plane by plane is 100 times as fast
    # as NumPy's accumulate if the planes are large, and much slower for the millions of planes of a needle.
    if n0 * n1 < n2:
        change.accumulate(toggles, axis=0, out=toggles)
    else:
        for k in range(1, n2 + 1):
            change(toggles[k], toggles[k - 1], out=toggles[k])
    sound = toggles[n2] == 0
    hits = np.count_nonzero(hit)
    hit[sound] = False
    return (toggles[:n2] != 0).view(np.uint8), sound, float(np.count_nonzero(hit)) / max(int(hits), 1)


def _toggle(T: np.ndarray, start: np.ndarray, span: np.ndarray, face: np.ndarray, within: np.ndarray,
            toggles: np.ndarray, hit: np.ndarray, n2: int) -> None:
    """Mark where columns cross triangles: the triangle `face`, in the column with the number `within` over it."""
    width = span[face, 1]
    i = start[face, 0] + within // width
    j = start[face, 1] + within % width
    x, y = i + _OFFSET[0], j + _OFFSET[1]
    sides = [_find_side(T, a, b, face, x, y) for a, b in ((1, 2), (2, 0), (0, 1))]
    left = [s >= 0 for s in sides]
    total = sides[0] + sides[1] + sides[2]
    inside = (left[0] == left[1]) & (left[1] == left[2]) & (total != 0)
    wa, wb, wc = (s[inside] for s in sides)
    f, i, j = face[inside], i[inside], j[inside]
    z = (wa * T[f, 0, 2] + wb * T[f, 1, 2] + wc * T[f, 2, 2]) / total[inside]
    k = np.clip(np.ceil(z - 0.5), 0, n2).astype(np.int64)
    hit[i, j] = True
    at = (k * hit.shape[0] + i) * hit.shape[1] + j
    if toggles.dtype == np.uint8:
        np.bitwise_xor.at(toggles.ravel(), at, np.uint8(1))
    else:  # a face that points down is an entry
        np.add.at(toggles.ravel(), at, np.where(left[0][inside], -1, 1).astype(np.int16))


def _find_side(T: np.ndarray, a: int, b: int, face: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return twice the signed area of (corner a, corner b, point): the same, except for its sign, for both faces."""
    A, B = T[:, a, :2], T[:, b, :2]
    swap = (A[:, 0] > B[:, 0]) | ((A[:, 0] == B[:, 0]) & (A[:, 1] > B[:, 1]))
    low, high = np.where(swap[:, None], B, A), np.where(swap[:, None], A, B)
    d = high - low
    sign = np.where(swap, -1.0, 1.0)
    value = d[face, 0] * (y - low[face, 1]) - d[face, 1] * (x - low[face, 0])
    # Zero counts as left of the ordered edge, so right of it for the face in the opposite direction.
    value[value == 0] = 5e-324
    side: np.ndarray = sign[face] * value
    return side
