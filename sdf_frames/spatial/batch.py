"""Rigid transforms as arrays: ``X`` of shape (N, 7), each row (x, y, z, qw, qx, qy, qz) with a unit quaternion."""
from __future__ import annotations

import numpy as np


def normalise_rows(X: np.ndarray) -> np.ndarray:
    """`X` in place with quaternions of length one; a zero quaternion becomes the identity."""
    length = np.sqrt(np.einsum("ij,ij->i", X[:, 3:], X[:, 3:]))
    if (zero := ~(length > 0)).any():
        X[zero, 3:] = (1.0, 0.0, 0.0, 0.0)
        length[zero] = 1.0
    X[:, 3:] /= length[:, None]
    return X


def compose_rows(X_AB: np.ndarray, X_BC: np.ndarray) -> np.ndarray:
    """``X_AC`` row by row; both of shape (N, 7)."""
    ax, ay, az, aw, ai, aj, ak = X_AB.T
    bx, by, bz, bw, bi, bj, bk = X_BC.T
    out = np.empty((max(len(X_AB), len(X_BC)), 7))
    tx, ty, tz = 2 * (aj * bz - ak * by), 2 * (ak * bx - ai * bz), 2 * (ai * by - aj * bx)
    out[:, 0] = ax + bx + aw * tx + aj * tz - ak * ty
    out[:, 1] = ay + by + aw * ty + ak * tx - ai * tz
    out[:, 2] = az + bz + aw * tz + ai * ty - aj * tx
    out[:, 3] = aw * bw - ai * bi - aj * bj - ak * bk
    out[:, 4] = aw * bi + ai * bw + aj * bk - ak * bj
    out[:, 5] = aw * bj - ai * bk + aj * bw + ak * bi
    out[:, 6] = aw * bk + ai * bj - aj * bi + ak * bw
    return out


def find_depths(parents: np.ndarray) -> np.ndarray:
    """Number of steps from each node to its root by pointer doubling; -1 for nodes that reach none (cycles).

    `parents` of shape (N,) holds the parent's index, negative for a root.
    """
    n = len(parents)
    # One more node, its own parent, stands above every root.
    above = np.append(np.where(parents < 0, n, parents), n)
    depth = (above != np.arange(n + 1)).astype(np.int64)
    for _ in range(max(n, 1).bit_length() + 1):
        if (above == n).all():
            break
        depth += depth[above]
        above = above[above]
    depth = depth[:n] - 1
    depth[above[:n] != n] = -1
    return depth


def find_roots(parents: np.ndarray) -> np.ndarray:
    """Index of the root that each node leads to by pointer doubling; -1 for nodes on or below a cycle."""
    n = len(parents)
    own = np.arange(n)
    above = np.where(parents < 0, own, parents)
    for _ in range(max(n, 1).bit_length() + 1):
        further = above[above]
        if np.array_equal(further, above):
            break
        above = further
    return np.where(parents[above] < 0, above, -1) if n else above


def resolve_rows(parents: np.ndarray, X_PF: np.ndarray) -> np.ndarray:
    """Pose of every node in its root's frame.

    Parameters
    ----------
    parents : (N,) int, index of the node that the pose is relative to, negative for a root.
    X_PF : (N, 7) pose of each node in its parent; a root's own is not used (a root is at the identity).

    Returns
    -------
    (N, 7)
        NaN for nodes on or below a cycle.

    Notes
    -----
    Trees deeper than a few levels are cut into bands of about sqrt(depth) levels: first every node is composed down
    to the top of its band, all bands side by side, then the band tops in order, then one product for all nodes. That
    takes about 2·sqrt(depth) array steps and work linear in N, for chains as for stars.
    """
    n = len(parents)
    depth = find_depths(parents)
    X = np.array(X_PF, dtype=float, copy=True)
    X[depth == 0] = (0, 0, 0, 1, 0, 0, 0)
    X[depth < 0] = np.nan
    deepest = int(depth.max(initial=0))
    if deepest <= 1:
        return X
    band = max(1, int(np.sqrt(deepest)))
    level = np.where(depth > 0, (depth - 1) % band, -1)
    order = np.argsort(level, kind="stable")
    bounds = np.searchsorted(level[order], np.arange(band + 1))
    for k in range(1, band):
        nodes = order[bounds[k]:bounds[k + 1]]
        X[nodes] = compose_rows(X[parents[nodes]], X[nodes])
    # X now is relative to the parent of each band's top; place the bands one after the other.
    group = np.where(depth > 0, (depth - 1) // band, -1)
    if group.max() < 1:
        return X
    anchor = parents.copy()
    for k in range(1, band):
        nodes = order[bounds[k]:bounds[k + 1]]
        anchor[nodes] = anchor[parents[nodes]]
    return _place_bands(X, anchor, group)


def _place_bands(X: np.ndarray, anchor: np.ndarray, group: np.ndarray) -> np.ndarray:
    """Compose each node with its anchor, the node above its band's top, band after band.

    Only nodes that are anchors themselves need the order; the rest follows in one product.
    """
    is_anchor = np.zeros(len(X), dtype=bool)
    is_anchor[anchor[group > 0]] = True
    tops = np.flatnonzero(is_anchor & (group > 0))
    tops = tops[np.argsort(group[tops], kind="stable")]
    bounds = np.searchsorted(group[tops], np.arange(1, group.max() + 2))
    for start, end in zip(bounds[:-1], bounds[1:]):
        nodes = tops[start:end]
        X[nodes] = compose_rows(X[anchor[nodes]], X[nodes])
    rest = np.flatnonzero(~is_anchor & (group > 0))
    X[rest] = compose_rows(X[anchor[rest]], X[rest])
    return X


def relate_rows(X_WA: np.ndarray, X_WB: np.ndarray) -> np.ndarray:
    """``X_AB`` row by row from poses of A and B in one frame W."""
    q = X_WA[:, 3:] * (1.0, -1.0, -1.0, -1.0)
    inverse = np.zeros_like(X_WA)
    inverse[:, 3:] = q
    origin = np.zeros_like(X_WA)
    origin[:, :3] = -X_WA[:, :3]
    origin[:, 3] = 1.0
    inverse[:, :3] = compose_rows(inverse, origin)[:, :3]
    return compose_rows(inverse, X_WB)
