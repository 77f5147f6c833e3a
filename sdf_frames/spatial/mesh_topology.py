"""The topology of a triangle mesh: closed or leaky, oriented, number of bodies.

In a closed, oriented surface, faces run along every edge equally often in both directions. Only then the sum over
signed tetrahedra does not depend on the apex.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

# Larger problems take too long: faces to flip, bodies that point inward, rays.
_MOST_TURNED, _MOST_INWARD, _MOST_RAYS = 300_000, 64, 64


@dataclass(frozen=True, slots=True)
class Topology:
    """Counts of a mesh whose vertices are merged.

    ``edges`` undirected edges; ``open`` edges with an odd number of faces; ``misdirected`` edges with an even number
    of faces that do not run in opposite directions; ``degenerate`` faces without area; ``duplicate`` further faces with
    the same corners in the same direction; ``bodies`` components connected by vertices.
    """

    faces: int
    edges: int
    open: int
    misdirected: int
    degenerate: int
    duplicate: int
    bodies: int

    @property
    def closed(self) -> bool:
        """Whether no edge is open."""
        return self.open == 0

    @property
    def oriented(self) -> bool:
        """Whether the surface is closed and its faces agree on the outside."""
        return self.open == 0 and self.misdirected == 0


def merge_vertices(vertices: np.ndarray, faces: np.ndarray, digits: float | None = None,
                   ) -> tuple[np.ndarray, np.ndarray]:
    """Merge vertices at the same place.

    Parameters
    ----------
    vertices : (V, 3).
    faces : (F, 3) indices.
    digits : edge of the grid whose cells count as one place; None for exact equality.

    Returns
    -------
    vertices, faces
        Only vertices that faces use.
    """
    keys = vertices if digits is None else np.round((vertices - vertices.min(axis=0)) / digits)
    order = np.lexsort(keys.T)
    ordered = keys[order]
    new = np.empty(len(order), dtype=bool)
    new[:1] = True
    np.any(ordered[1:] != ordered[:-1], axis=1, out=new[1:])
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.cumsum(new) - 1
    merged, remapped = vertices[order[new]], number[faces]
    used = np.zeros(len(merged), dtype=bool)
    used[remapped.ravel()] = True
    if not used.all():
        renumber = np.cumsum(used) - 1
        merged, remapped = merged[used], renumber[remapped]
    return merged, remapped


def examine_topology(vertices: np.ndarray, faces: np.ndarray) -> Topology:
    """Compute the counts of :class:`Topology`; `vertices` (V, 3) merged, `faces` (F, 3)."""
    total, n = len(faces), len(vertices)
    a, b, c = faces.T
    collapsed = (a == b) | (b == c) | (c == a)
    kept = faces[~collapsed]
    area = np.linalg.norm(find_normals(vertices[kept]), axis=1)
    extent = float(np.ptp(vertices, axis=0).max())
    degenerate = int(collapsed.sum() + (area <= 1e-14 * extent * extent).sum())
    duplicate = len(kept) - len(find_first_copies(kept))
    start, stop = kept.ravel(), kept[:, [1, 2, 0]].ravel()
    low, high = np.minimum(start, stop), np.maximum(start, stop)
    _, group, uses = np.unique(low * n + high, return_inverse=True, return_counts=True)
    balance = np.bincount(group, np.where(start < stop, 1, -1))
    odd = uses % 2 == 1
    return Topology(total, len(uses), int(odd.sum()), int(((balance != 0) & ~odd).sum()), degenerate, duplicate,
                    _count_bodies(n, kept))


def find_normals(triangles: np.ndarray) -> np.ndarray:
    """Return the normals (F, 3) of triangles (F, 3, 3), each as long as twice the triangle's area."""
    a, b, c = np.moveaxis(triangles, 1, 0)
    return np.cross(b - a, c - a)


def _measure_volumes(triangles: np.ndarray, group: np.ndarray) -> np.ndarray:
    """Return six times the volume that each group of triangles encloses; `group` (F,) numbers from zero."""
    a, b, c = np.moveaxis(triangles, 1, 0)
    return np.bincount(group, np.einsum("ni,ni->n", a, np.cross(b, c)))


def _count_bodies(count: int, faces: np.ndarray) -> int:
    roots = np.zeros(count, dtype=bool)
    roots[label_bodies(count, faces)[faces[:, 0]]] = True
    return int(roots.sum())


def label_bodies(count: int, faces: np.ndarray) -> np.ndarray:
    """Return (count,) the least vertex number that each vertex is connected to.

    Labels spread to the least of each face and jump to their label's label until nothing changes.
    """
    labels = np.arange(count)
    while True:
        least = labels[faces].min(axis=1)
        new = labels.copy()
        for k in range(3):
            np.minimum.at(new, labels[faces[:, k]], least)
        while not np.array_equal(new, shorter := new[new]):
            new = shorter
        if np.array_equal(new, labels):
            return labels
        labels = new


def orient_faces(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray | None:
    """Flip (F, 3) faces so that neighbours agree; return None if that is impossible, or there are too many faces.

    Neighbours are faces that share an edge with no third face. Each connected piece then gets a positive volume.
    """
    if len(faces) > _MOST_TURNED:
        return None
    start, stop = faces.ravel(), faces[:, [1, 2, 0]].ravel()
    owner = np.repeat(np.arange(len(faces)), 3)
    keys = np.minimum(start, stop) * len(vertices) + np.maximum(start, stop)
    order = np.argsort(keys)
    keys, owner, forward = keys[order], owner[order], (start < stop)[order]
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    pairs = first[np.diff(np.append(first, len(keys))) == 2]
    neighbours: list[list[tuple[int, bool]]] = [[] for _ in range(len(faces))]
    for f, g, same in zip(owner[pairs].tolist(), owner[pairs + 1].tolist(),
                          (forward[pairs] == forward[pairs + 1]).tolist()):
        neighbours[f].append((g, same))
        neighbours[g].append((f, same))
    turn: list[bool | None] = [None] * len(faces)
    piece = np.empty(len(faces), dtype=np.int64)
    pieces = 0
    for seed in range(len(faces)):
        if turn[seed] is not None:
            continue
        turn[seed], pending = False, [seed]
        while pending:
            f = pending.pop()
            piece[f] = pieces
            for g, same in neighbours[f]:
                wanted = turn[f] != same
                if turn[g] is None:
                    turn[g] = wanted
                    pending.append(g)
                elif turn[g] != wanted:
                    return None
        pieces += 1
    result = np.where(np.array(turn)[:, None], faces[:, ::-1], faces)
    volumes = _measure_volumes(vertices[result] - vertices.mean(axis=0), piece)
    return np.where((volumes < 0)[piece][:, None], result[:, ::-1], result)


def find_inside_out(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Find closed bodies whose faces point inward although they are in no other body; return (F,) of bool.

    The faces of such bodies, and of bodies inside of them, must be flipped. There are none if every outermost body
    points inward (then the whole mesh must be flipped), or if very many bodies point inward.
    """
    bodies, body = np.unique(label_bodies(len(vertices), faces)[faces[:, 0]], return_inverse=True)
    T = vertices[faces]
    volumes = _measure_volumes(T - vertices.mean(axis=0), body)
    inward = np.flatnonzero(volumes < 0)
    turned = np.zeros(len(bodies), dtype=bool)
    if not len(inward) or len(inward) > _MOST_INWARD:
        return turned[body]
    low, high = np.full((len(bodies), 3), np.inf), np.full((len(bodies), 3), -np.inf)
    np.minimum.at(low, body, T.min(axis=1))
    np.maximum.at(high, body, T.max(axis=1))
    _, first = np.unique(body, return_index=True)
    # Three points on a face of each body, none of them likely to lie on an edge of another as seen along z.
    points = np.einsum("ck,nki->nci", [np.roll((.31, .27, .42), k) for k in range(3)], T[first])

    def holds(outer: np.int64, inner: np.int64) -> bool:
        nested = (low[outer] <= low[inner]).all() and (high[inner] <= high[outer]).all()
        return outer != inner and nested and _surround(T[body == outer], points[inner])

    for b in inward:
        if not any(holds(other, b) for other in np.flatnonzero((low <= low[b]).all(axis=1))):
            turned[b] = True
            for other in np.flatnonzero((low >= low[b]).all(axis=1)):
                turned[other] |= holds(b, other)
    outermost = np.flatnonzero(~turned & (volumes > 0))
    if not any(not any(holds(b, other) for b in inward) for other in outermost):
        turned[:] = False
    return turned[body]


def _surround(triangles: np.ndarray, points: np.ndarray) -> bool:
    """Return whether most of some points lie inside a closed surface: an odd number of its faces is above them."""
    inside = 0
    for x, y, z in points:
        heights, _ = _find_crossings(triangles, x, y)
        inside += int((heights > z).sum()) % 2
    return 2 * inside > len(points)


def _find_crossings(triangles: np.ndarray, x: float, y: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the heights at which a line along z crosses triangles, and which of these face down; edges are ignored."""
    a, b, c = np.moveaxis(triangles, 1, 0)
    wc, wa, wb = [(q[:, 0] - p[:, 0]) * (y - p[:, 1]) - (q[:, 1] - p[:, 1]) * (x - p[:, 0])
                  for p, q in ((a, b), (b, c), (c, a))]
    down = (wa < 0) & (wb < 0) & (wc < 0)
    hit = down | ((wa > 0) & (wb > 0) & (wc > 0))
    return (wa * a[:, 2] + wb * b[:, 2] + wc * c[:, 2])[hit] / (wa + wb + wc)[hit], down[hit]


def find_first_copies(faces: np.ndarray, directed: bool = True) -> np.ndarray:
    """Return the ascending row numbers of the first of each set of equal faces.

    Faces with the same corners are equal; with `directed`, only those with the same direction.
    """
    if directed:
        lead = faces.argmin(axis=1)
        keys = np.take_along_axis(faces, (lead[:, None] + [0, 1, 2]) % 3, axis=1)
    else:
        keys = np.sort(faces, axis=1)
    order = np.lexsort(keys.T)
    ordered = keys[order]
    first = np.ones(len(order), dtype=bool)
    np.any(ordered[1:] != ordered[:-1], axis=1, out=first[1:])
    return np.sort(order[first])


def find_net_faces(faces: np.ndarray) -> np.ndarray:
    """Return the ascending row numbers of faces to keep: of equal faces, one in the most frequent direction; none if
    both directions are equally frequent."""
    corners = np.sort(faces, axis=1)
    lead = faces.argmin(axis=1)
    rows = np.arange(len(faces))
    sign = np.where(faces[rows, (lead + 1) % 3] < faces[rows, (lead + 2) % 3], 1, -1)
    _, group = np.unique(corners, axis=0, return_inverse=True)
    group = group.ravel()
    net = np.sign(np.bincount(group, sign))
    candidates = np.flatnonzero(sign == net[group])
    _, first = np.unique(group[candidates], return_index=True)
    return np.sort(candidates[first])


def count_overlaps(vertices: np.ndarray, faces: np.ndarray) -> tuple[int, int]:
    """Count the rays on which an oriented mesh encloses a place twice, or with the wrong orientation.

    Along a ray, the winding number must be 0 or 1. Rays through a crack are ignored. The rays are the same in every
    run, and spread evenly (Roberts' R2 sequence). Large meshes get fewer rays.

    Returns
    -------
    overlapping, sampled
        The number of such rays, and of all rays that hit the mesh.
    """
    rays = max(4, min(_MOST_RAYS, 4_000_000 // len(faces)))
    low, extent = vertices.min(axis=0), np.ptp(vertices, axis=0)
    places = low[:2] + extent[:2] * (np.outer(np.arange(1, rays + 1), (0.7548776662466927, 0.5698402909980532)) % 1)
    x = vertices[:, 0][faces]
    low_x, high_x = x.min(axis=1), x.max(axis=1)
    overlapping = sampled = 0
    for px, py in places:
        near = np.flatnonzero((low_x <= px) & (px < high_x))
        z, down = _find_crossings(vertices[faces[near]], px, py)
        if not len(z) or 2 * down.sum() != len(z):
            continue
        sampled += 1
        # From below, a face that points down is an entry. Crossings closer than rounding may swap.
        order = np.argsort(z)
        depth = np.cumsum(np.where(down, 1, -1)[order])
        apart = np.append(np.diff(z[order]) > 1e-9 * max(extent[2], 1e-300), True)
        overlapping += bool((((depth > 1) | (depth < 0)) & apart).any())
    return overlapping, sampled
