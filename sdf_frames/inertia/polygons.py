"""Cuts the polygons of mesh files into triangles."""
from __future__ import annotations

import numpy as np

#: A triangle is turned if its part of the polygon's area is less.
_FLAT = -1e-9
#: Areas below this share of the square of a polygon's length are zero.
_ROUNDING = 1e-12
#: Limits on cutting ears: corners of a polygon, and corners that are tried in one file (5 s). The rest stays as fans.
_MOST_CORNERS, _MOST_TRIES = 2_000, 200_000


def cut_polygons(corners: np.ndarray, counts: np.ndarray, V: np.ndarray | None = None) -> np.ndarray:
    """(F, 3) of polygons as fans, whose integrals of volume are right also where a polygon is concave.

    `corners` are the indices of all polygons in a row, `counts` how many of them each polygon has. With the vertices
    `V` (V, 3), concave polygons are cut so that no triangle is turned or outside of its polygon; those that cut
    themselves or are beyond the limits stay fans.
    """
    F = _cut_fans(corners, counts)
    if V is None or counts.max(initial=0) <= 3 or not (corners.min() >= 0 and corners.max() < len(V)):
        return F
    fans = np.maximum(counts - 2, 0)
    with np.errstate(all="ignore"):  # numbers that are not finite are refused later
        turned, normals = _find_turned(F, fans, V)
        if turned.any():
            ring, normals = corners[np.repeat(turned, counts)], normals[turned]
            F[np.repeat(turned, fans)] = _cut_concave(ring, counts[turned], normals, V)
    return F


def _cut_fans(corners: np.ndarray, counts: np.ndarray) -> np.ndarray:
    first = np.cumsum(counts) - counts
    fans = np.maximum(counts - 2, 0)
    lead = np.repeat(first, fans)
    if not len(lead):
        return np.empty((0, 3), dtype=np.int64)
    step = np.arange(len(lead)) - np.repeat(np.cumsum(fans) - fans, fans)
    return corners[np.stack([lead, lead + step + 1, lead + step + 2], axis=1)]


def _find_turned(F: np.ndarray, fans: np.ndarray, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (P,) whether a triangle of a polygon is turned against its normal, and (P, 3) normals by area."""
    owner = np.repeat(np.arange(len(fans)), fans)
    a, b, c = V[F[:, 0]], V[F[:, 1]], V[F[:, 2]]
    n = np.cross(b - a, c - a)
    N = np.stack([np.bincount(owner, n[:, k], len(fans)) for k in range(3)], axis=1)
    against = np.einsum("fk,fk->f", n, N[owner]) < _FLAT * np.einsum("pk,pk->p", N, N)[owner]
    return np.bincount(owner, against, len(fans)) > 0, N


def _cut_concave(corners: np.ndarray, counts: np.ndarray, normals: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Cut concave polygons as fans from their notches; those with several notches that such a fan misses, by ears."""
    starts, fans = np.cumsum(counts) - counts, counts - 2
    rows, owner, first = np.cumsum(fans) - fans, np.repeat(np.arange(len(counts)), counts), np.repeat(starts, counts)
    place, counted = np.arange(len(corners)) - first, np.repeat(counts, counts)
    before, after = (V[corners[first + (place + step) % counted]] for step in (-1, 1))
    turn = np.einsum("ck,ck->c", np.cross(V[corners] - before, after - V[corners]), normals[owner])
    notch = np.lexsort((turn, owner))[starts]
    corners = corners[first + (place + place[notch][owner]) % counted]
    F, tries = _cut_fans(corners, counts), _MOST_TRIES
    turned, _ = _find_turned(F, fans, V)
    for k in np.flatnonzero(turned & (counts <= _MOST_CORNERS)):
        if tries > 0:
            own = corners[starts[k]:starts[k] + counts[k]]
            ears, used = _cut_ears(_lay_flat(V[own], normals[k]))
            F[rows[k]:rows[k] + fans[k]] = own[ears]
            tries -= used
    return F


def _lay_flat(P: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Return (N, 2) points along two axes across a normal, about which they go round as before."""
    k = int(np.abs(normal).argmax())
    u, v = np.delete(P, k, axis=1).T
    return np.stack([u, v] if (normal[k] > 0) == (k != 1) else [v, u], axis=1)


def _cut_ears(P: np.ndarray) -> tuple[np.ndarray, int]:
    """Return (N - 2, 3) corners of the triangles of a polygon (N, 2) that turns left, and how many corners were tried.

    A corner is an ear if it is convex, and no other corner is inside its triangle or on its border. If there is no ear,
    the polygon cuts itself, and what is left of it becomes a fan.
    """
    ring, ears = np.arange(len(P)), []
    least = _ROUNDING * np.ptp(P, axis=0).max() ** 2
    k = failed = tries = 0
    while len(ring) > 3 and failed < len(ring):
        tries += 1
        corners = ring[[k - 1, k, (k + 1) % len(ring)]]
        T, others = P[corners], P[ring]
        is_ear = _turn(*T) > least
        if is_ear:
            inside = np.minimum.reduce([_turn(T[i], T[i - 2], others) for i in range(3)]) >= -least
            is_ear = not (inside & (others[:, None] != T).any(axis=2).all(axis=1)).any()
        if is_ear:
            ears.append(corners)
            ring, failed = np.delete(ring, k), 0
        else:
            failed, k = failed + 1, k + 1
        k %= len(ring)
    ears += [ring[[0, i, i + 1]] for i in range(1, len(ring) - 1)]
    return np.array(ears), tries


def _turn(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Return twice the areas (N,) of the triangles from a to b to the points c (N, 2)."""
    (x, y), d = b - a, c - a
    return x * d[..., 1] - y * d[..., 0]
