"""Algorithms on graphs in which every vertex has at most one parent, as a list of parent indices.

A negative parent means none. All functions are linear in the number of vertices, for chains as for stars.
"""
from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TypeVar

from sdf_frames.spatial.pose import IDENTITY, Pose, compose, normalise

T = TypeVar("T")
CYCLE = -1
_UNSEEN = -2


def find_roots(parents: Sequence[int]) -> tuple[list[int], list[int]]:
    """Find the root of every vertex, and an order in which parents come before their children.

    `parents` (N,) has the index of each vertex's parent, negative for a root.

    Returns
    -------
    roots : (N,) index of the root that each vertex leads to; `CYCLE` for vertices on or below a cycle.
    order : the vertices that have a root, each after its parent.
    """
    roots = [_UNSEEN] * len(parents)
    order: list[int] = []
    for start, seen in enumerate(roots):
        if seen != _UNSEEN:
            continue
        path, vertex, last = [], start, start
        while vertex >= 0 and roots[vertex] == _UNSEEN:
            roots[vertex] = CYCLE  # until its root is known: a path that comes back to it is a cycle
            path.append(vertex)
            vertex, last = parents[vertex], vertex
        root = last if vertex < 0 else roots[vertex]
        for member in path:
            roots[member] = root
        if root != CYCLE:
            order += reversed(path)
    return roots, order


def find_top(above: dict[T, T], vertex: T) -> T:
    """Return the root of the tree that a vertex is in; shorten the path to it, so that long chains stay fast."""
    while (higher := above.get(vertex)) is not None:
        above[vertex] = above.get(higher, higher)
        vertex = higher
    return vertex


def find_cycles(parents: Sequence[int]) -> list[list[int]]:
    """Find the cycles; each is a list of its members, in the order of the references."""
    cycles: list[list[int]] = []
    seen: set[int] = set()
    for start, root in enumerate(find_roots(parents)[0]):
        if root != CYCLE:
            continue
        path, vertex = [], start
        while vertex not in seen:
            seen.add(vertex)
            path.append(vertex)
            vertex = parents[vertex]
        if vertex in path:
            cycles.append(path[path.index(vertex):])
    return cycles


def resolve_poses(parents: Sequence[int], X_PF: Sequence[Pose | None],
                  forest: tuple[list[int], list[int]] | None = None) -> list[Pose | None]:
    """Compute the pose of every vertex in vertex 0.

    Parameters
    ----------
    parents : (N,) vertex that each pose is relative to, negative for none.
    X_PF : (N,) pose of each vertex in its parent, with a unit quaternion, or None if there is none. The pose of
        vertex 0 is not used.
    forest : the result of :func:`find_roots` for the parents, if it is known.

    Returns
    -------
    list
        (N,) poses with unit quaternions; None for a vertex that is not connected to vertex 0, or whose path has a
        missing pose or a position that overflows.
    """
    poses: list[Pose | None] = [None] * len(X_PF)
    roots, order = forest or find_roots(parents)
    for vertex in order:
        if vertex == 0 and parents[0] < 0:
            poses[0] = IDENTITY
        elif roots[vertex] == 0 and (X := X_PF[vertex]) is not None and (X_P := poses[parents[vertex]]) is not None:
            x, y, z, *_ = X = compose(X_P, X)
            poses[vertex] = X if isfinite(x) and isfinite(y) and isfinite(z) else None
    return [None if X is None else normalise(X) for X in poses]
