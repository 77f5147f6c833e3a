"""What a triangle mesh encloses: closed or leaky, oriented, in how many bodies.

A closed, oriented surface has every directed edge run through as often one way as the other; then, and only then,
the sum over signed tetrahedra does not depend on the apex.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Topology:
    """Counts of a mesh whose vertices are merged.

    ``edges`` undirected edges; ``open`` of them with an odd number of faces; ``misdirected`` with an even number that
    do not run against one another; ``degenerate`` faces without area; ``duplicate`` faces beyond the first with the
    same corners; ``bodies`` components connected over vertices.
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
        """Whether the surface is closed and its faces agree on what is outside."""
        return self.open == 0 and self.misdirected == 0


def merge_vertices(vertices: np.ndarray, faces: np.ndarray, digits: float | None = None,
                   ) -> tuple[np.ndarray, np.ndarray]:
    """Vertices at the same place made one.

    Parameters
    ----------
    vertices : (V, 3).
    faces : (F, 3) indices.
    digits : edge of the grid that decides what is the same place; None for exact equality.

    Returns
    -------
    vertices, faces
        Only vertices that faces use.
    """
    V = np.ascontiguousarray(vertices, dtype=np.float64)
    keys = V + 0.0 if digits is None else np.round((V - V.min(axis=0)) / digits)
    keys = np.ascontiguousarray(keys + 0.0)  # -0.0 and 0.0 differ as bytes
    order = np.lexsort(keys.T)
    ordered = keys[order]
    new = np.empty(len(order), dtype=bool)
    new[:1] = True
    np.any(ordered[1:] != ordered[:-1], axis=1, out=new[1:])
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.cumsum(new) - 1
    merged, remapped = V[order[new]], number[faces]
    used = np.zeros(len(merged), dtype=bool)
    used[remapped.ravel()] = True
    if not used.all():
        renumber = np.cumsum(used) - 1
        merged, remapped = merged[used], renumber[remapped]
    return merged, remapped


def examine_topology(vertices: np.ndarray, faces: np.ndarray) -> Topology:
    """Count what :class:`Topology` says; `vertices` (V, 3) merged, `faces` (F, 3)."""
    total, n = len(faces), max(len(vertices), 1)
    a, b, c = faces.T
    collapsed = (a == b) | (b == c) | (c == a)
    kept = faces[~collapsed]
    T = vertices[kept]
    area = np.linalg.norm(np.cross(T[:, 1] - T[:, 0], T[:, 2] - T[:, 0]), axis=1)
    extent = float(np.ptp(vertices, axis=0).max()) if len(vertices) else 0.0
    degenerate = int(collapsed.sum() + (area <= 1e-14 * extent * extent).sum())
    ordered = np.sort(kept, axis=1)
    duplicate = len(ordered) - _count_distinct_rows(ordered)
    start, stop = kept.ravel(), np.roll(kept, -1, axis=1).ravel()
    low, high = np.minimum(start, stop), np.maximum(start, stop)
    keys = low * n + high
    order = np.argsort(keys, kind="stable")
    keys, signs = keys[order], np.where(start < stop, 1, -1)[order]
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1]))) if len(keys) else np.empty(0, np.int64)
    uses = np.diff(np.append(first, len(keys)))
    balance = np.add.reduceat(signs, first) if len(first) else np.empty(0, np.int64)
    odd = uses % 2 == 1
    return Topology(total, len(first), int(odd.sum()), int(((balance != 0) & ~odd).sum()), degenerate, duplicate,
                    len(np.unique(label_bodies(n, kept)[kept[:, 0]])) if len(kept) else 0)


def label_bodies(count: int, faces: np.ndarray) -> np.ndarray:
    """(count,) the least vertex number that each vertex is connected to.

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


def orient_faces(vertices: np.ndarray, faces: np.ndarray, limit: int = 300_000) -> np.ndarray | None:
    """The faces turned so that neighbours agree, or None where that is impossible or there are more than `limit`.

    Walks over edges that exactly two faces share; each connected piece then gets a positive volume.
    """
    if len(faces) > limit:
        return None
    start, stop = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
    owner = np.repeat(np.arange(len(faces)), 3)
    keys = np.minimum(start, stop) * (len(vertices) + 1) + np.maximum(start, stop)
    order = np.argsort(keys, kind="stable")
    keys, owner, forward = keys[order], owner[order], (start < stop)[order]
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    pairs = first[np.diff(np.append(first, len(keys))) == 2]
    neighbours: list[list[tuple[int, bool]]] = [[] for _ in range(len(faces))]
    for f, g, same in zip(owner[pairs].tolist(), owner[pairs + 1].tolist(),
                          (forward[pairs] == forward[pairs + 1]).tolist()):
        neighbours[f].append((g, same))
        neighbours[g].append((f, same))
    turn = [None] * len(faces)
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
    result = np.where(np.array(turn, dtype=bool)[:, None], faces[:, ::-1], faces)
    T = vertices[result] - vertices.mean(axis=0)
    volumes = np.bincount(piece, np.einsum("ni,ni->n", T[:, 0], np.cross(T[:, 1], T[:, 2])), pieces)
    return np.where((volumes < 0)[piece][:, None], result[:, ::-1], result)


def _count_distinct_rows(rows: np.ndarray) -> int:
    if not len(rows):
        return 0
    ordered = rows[np.lexsort(rows.T)]
    return 1 + int(np.any(ordered[1:] != ordered[:-1], axis=1).sum())
