"""Holes of a triangle mesh whose borders are simple loops, and faces that close them."""
from __future__ import annotations

import numpy as np


def find_borders(faces: np.ndarray) -> list[np.ndarray] | None:
    """Find the borders of the holes of a mesh whose vertices are merged.

    Parameters
    ----------
    faces : (F, 3).

    Returns
    -------
    list of (N,) vertex numbers, or None
        One loop for each hole, in the direction of the missing faces. None if a border is not simple: more than two
        faces meet at an open edge, neighbours disagree on the outside, or a border passes a vertex twice.
    """
    a, b, c = faces.T
    kept = faces[(a != b) & (b != c) & (c != a)]
    start, stop = kept.ravel(), kept[:, [1, 2, 0]].ravel()
    # One key for each edge: the added number exceeds the multiplied one.
    keys = np.minimum(start, stop) * kept.max(initial=0) + np.maximum(start, stop)
    _, first, group, uses = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    balance = np.bincount(group, np.where(start < stop, 1, -1))
    open_edges = first[uses == 1]
    if (balance[uses > 1] != 0).any():
        return None
    # A missing face runs along an edge in the opposite direction to the existing face.
    following = dict(zip(stop[open_edges].tolist(), start[open_edges].tolist()))
    if len(following) != len(open_edges) or set(following) != set(following.values()):
        return None
    loops = []
    while following:
        vertex, loop = next(iter(following)), []
        while vertex in following:
            loop.append(vertex)
            vertex = following.pop(vertex)
        loops.append(np.array(loop))
    return loops


def close_borders(vertices: np.ndarray, faces: np.ndarray, loops: list[np.ndarray], apex: float | None = None,
                  ) -> tuple[np.ndarray, np.ndarray]:
    """Return the mesh with a fan of faces in each hole.

    Parameters
    ----------
    apex : where along its loop, from 0 to 1, each fan has its apex; None for the mean of the loop's vertices.
        For a plane hole, every choice encloses the same solid.

    Returns
    -------
    vertices, faces
    """
    V, F = [vertices], [faces]
    added = len(vertices)
    for loop in loops:
        if apex is None:
            V.append(vertices[loop].mean(axis=0)[None])
            F.append(np.stack([loop, np.roll(loop, -1), np.full(len(loop), added)], axis=1))
            added += 1
        else:
            turned = np.roll(loop, -int(apex * len(loop)))
            F.append(np.stack([np.full(len(loop) - 2, turned[0]), turned[1:-1], turned[2:]], axis=1))
    return np.concatenate(V), np.concatenate(F)
