"""Rigid transforms as arrays: ``X`` of shape (N, 7), each row (x, y, z, qw, qx, qy, qz) with a unit quaternion."""
from __future__ import annotations

import numpy as np

from sdf_frames.spatial.pose import compose

_BAND = 8  # levels composed one by one before the tree is contracted
_FEW = 20  # nodes a level up to which products one by one are quicker than arrays
_BLOCK = 4096  # rows whose intermediate results stay in the processor's cache


def normalise_rows(X: np.ndarray) -> np.ndarray:
    """`X` in place with quaternions of length one; a zero quaternion becomes the identity."""
    length = np.sqrt(np.einsum("ij,ij->i", X[:, 3:], X[:, 3:]))
    if (zero := ~(length > 0)).any():
        X[zero, 3:] = (1.0, 0.0, 0.0, 0.0)
        length[zero] = 1.0
    X[:, 3:] /= length[:, None]
    return X


def compose_rows(X_AB: np.ndarray, X_BC: np.ndarray) -> np.ndarray:
    """``X_AC`` row by row; both of shape (N, 7), or one of them (1, 7)."""
    n = max(len(X_AB), len(X_BC))
    out = np.empty((n, 7))
    if n <= 2 * _BLOCK or len(X_AB) != len(X_BC):
        _compose_block(X_AB, X_BC, out)
        return out
    for start in range(0, n, _BLOCK):
        block = slice(start, start + _BLOCK)
        _compose_block(X_AB[block], X_BC[block], out[block])
    return out


def _compose_block(X_AB: np.ndarray, X_BC: np.ndarray, out: np.ndarray) -> None:
    ax, ay, az, aw, ai, aj, ak = X_AB.T
    bx, by, bz, bw, bi, bj, bk = X_BC.T
    tx, ty, tz = 2 * (aj * bz - ak * by), 2 * (ak * bx - ai * bz), 2 * (ai * by - aj * bx)
    out[:, 0] = ax + bx + aw * tx + aj * tz - ak * ty
    out[:, 1] = ay + by + aw * ty + ak * tx - ai * tz
    out[:, 2] = az + bz + aw * tz + ai * ty - aj * tx
    out[:, 3] = aw * bw - ai * bi - aj * bj - ak * bk
    out[:, 4] = aw * bi + ai * bw + aj * bk - ak * bj
    out[:, 5] = aw * bj - ai * bk + aj * bw + ak * bi
    out[:, 6] = aw * bk + ai * bj - aj * bi + ak * bw


def find_depths(parents: np.ndarray) -> np.ndarray:
    """Number of steps from each node to its root by pointer doubling; -1 for nodes that reach none (cycles).

    `parents` of shape (N,) holds the parent's index, negative for a root.
    """
    n = len(parents)
    is_root = parents < 0
    if (is_root | is_root.take(parents, mode="clip")).all():  # nothing deeper than one level, as most models are
        return np.where(is_root, 0, 1)
    # One more node, its own parent, stands above every root.
    above = np.append(np.where(is_root, n, parents), n)
    depth = (above != np.arange(n + 1)).astype(np.int64)
    for _ in range(max(n, 1).bit_length() + 1):
        if (above == n).all():
            break
        depth += depth[above]
        above = above[above]
    depth = np.where(above[:n] == n, depth[:n] - 1, -1)
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
    Deep trees are cut into bands of a few levels. Every node is composed down to the node above its band's top, all
    bands side by side; the tree of those anchors, that many times smaller, is resolved in the same way; one product
    then places all nodes. That takes O(log depth) array steps and work linear in N, for chains as for stars.
    Few nodes on many levels are composed one by one, each below what it is relative to: an array step costs as much as
    some twenty products.
    """
    depth = find_depths(parents)
    X = np.array(X_PF, dtype=float, copy=True)
    X[depth == 0] = (0, 0, 0, 1, 0, 0, 0)
    X[depth < 0] = np.nan
    deepest = int(depth.max(initial=0))
    if deepest > 1 and len(X) <= _FEW * min(deepest, 2 * _BAND):
        rows, above = X.tolist(), parents.tolist()
        order = np.argsort(depth, kind="stable")
        for node in order[np.searchsorted(depth[order], 2):].tolist():
            rows[node] = compose(rows[above[node]], rows[node])
        X[:] = rows
    else:
        _compose_down(parents, X, depth)
    return X


def _compose_down(parents: np.ndarray, X: np.ndarray, depth: np.ndarray) -> None:
    """Turn `X`, poses in each node's parent, into poses in its root, in place."""
    deepest = int(depth.max(initial=0))
    if deepest <= 1:
        return
    band = deepest if deepest <= 2 * _BAND else _BAND
    level = np.where(depth > 0, (depth - 1) % band, -1)
    order = np.argsort(level.astype(np.int8), kind="stable")
    bounds = np.searchsorted(level[order], np.arange(band + 1))
    anchor = parents.copy()
    for start, end in zip(bounds[1:-1], bounds[2:]):
        nodes = order[start:end]
        above = parents[nodes]
        X[nodes] = compose_rows(X[above], X[nodes])
        anchor[nodes] = anchor[above]
    if deepest <= band:
        return
    is_anchor = np.zeros(len(X), dtype=bool)
    is_anchor[anchor[depth > band]] = True
    is_anchor[anchor[is_anchor & (depth > 0)]] = True
    tops = np.flatnonzero(is_anchor)
    number = np.empty(len(X), dtype=np.int64)
    number[tops] = np.arange(len(tops))
    X_tops, depth_tops = X[tops], depth[tops] // band
    _compose_down(np.where(depth_tops > 0, number[anchor[tops]], -1), X_tops, depth_tops)
    X[tops] = X_tops
    rest = np.flatnonzero(~is_anchor & (depth > band))
    X[rest] = compose_rows(X[anchor[rest]], X[rest])
