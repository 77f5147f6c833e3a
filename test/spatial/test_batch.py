"""Arrays of poses against single ones, and trees of every shape against a walk node by node."""
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdf_frames.spatial import batch
from sdf_frames.spatial.batch import compose_rows, find_depths, find_roots, normalise_rows, resolve_rows
from sdf_frames.spatial.pose import IDENTITY, compose, pose_from_rpy

QUICK = settings(max_examples=100, deadline=None)


def random_poses(n, seed=0):
    chance = np.random.default_rng(seed)
    return np.array([pose_from_rpy(*row) for row in chance.uniform(-3, 3, (n, 6))]).reshape(-1, 7)


def walk(parents, i):
    """Nodes from `i` up to a root; None where it goes round."""
    path = [i]
    while parents[path[-1]] >= 0:
        path.append(int(parents[path[-1]]))
        if len(path) > len(parents):
            return None
    return path


@st.composite
def graphs(draw, most=40):
    """Parent indices with any edges at all: forests, and cycles with trees on them."""
    n = draw(st.integers(1, most))
    return np.array([draw(st.integers(-2, n - 1)) for _ in range(n)])


@st.composite
def forests(draw, most=60):
    """Parent indices without cycles, in any order."""
    n = draw(st.integers(1, most))
    parents = np.array([draw(st.integers(-1, i - 1)) for i in range(n)])
    order = np.array(draw(st.permutations(range(n))))
    shuffled = np.empty(n, dtype=int)
    shuffled[order] = np.where(parents < 0, -1, order[parents])
    return shuffled


def test_rows_compose_as_single_poses_do():
    A, B = random_poses(50, 1), random_poses(50, 2)
    assert np.allclose(compose_rows(A, B), [compose(a, b) for a, b in zip(A, B)], atol=1e-12)


def test_one_row_composes_with_many():
    A, B = random_poses(1, 1), random_poses(50, 2)
    assert np.allclose(compose_rows(A, B), [compose(A[0], b) for b in B], atol=1e-12)
    assert np.allclose(compose_rows(B, A), [compose(b, A[0]) for b in B], atol=1e-12)


def test_rows_are_normalised_in_place_and_zero_is_no_turn():
    X = np.array([[1.0, 2, 3, 2, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 3, 0, 4]])
    assert normalise_rows(X) is X
    assert X.tolist() == [[1, 2, 3, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0.6, 0, 0.8]]


@given(graphs())
@QUICK
def test_depths_are_steps_to_the_root(parents):
    paths = [walk(parents, i) for i in range(len(parents))]
    assert find_depths(parents).tolist() == [-1 if p is None else len(p) - 1 for p in paths]


@given(graphs())
@QUICK
def test_roots_are_where_paths_end(parents):
    paths = [walk(parents, i) for i in range(len(parents))]
    assert find_roots(parents).tolist() == [-1 if p is None else p[-1] for p in paths]


def resolve_by_walking(parents, X):
    result = []
    for i in range(len(parents)):
        path = walk(parents, i)
        if path is None:
            result.append((np.nan,) * 7)
            continue
        pose = IDENTITY
        for node in path[:-1]:
            pose = compose(X[node], pose)
        result.append(pose)
    return np.array(result).reshape(-1, 7)


def assert_resolves_as_by_walking(parents, X):
    """Both with array steps and with products one by one, whichever the size would choose."""
    expected = resolve_by_walking(parents, X)
    for few in (0, 1_000_000):
        with mock.patch.object(batch, "_FEW", few):
            assert np.allclose(resolve_rows(parents, X), expected, atol=1e-9, equal_nan=True)


@given(forests())
@QUICK
def test_forests_resolve_as_by_walking(parents):
    X = random_poses(len(parents))
    assert_resolves_as_by_walking(parents, X)


@given(graphs())
@QUICK
def test_what_hangs_on_a_cycle_has_no_pose_and_the_rest_has(parents):
    X = random_poses(len(parents))
    assert_resolves_as_by_walking(parents, X)


def shape(name, n):
    """Parents of a chain, star, binary tree, comb (a chain with a tooth each), broom and two trees."""
    i = np.arange(n)
    return {"chain": i - 1, "star": np.where(i, 0, -1), "binary": np.where(i, (i - 1) // 2, -1),
            "comb": np.where(i == 0, -1, np.where(i % 2, i - 1, i - 2)), "broom": np.where(i == 0, -1, np.minimum(i - 1, n // 2)),
            "two trees": np.where(i < 2, -1, i - 2)}[name]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 9, 10, 17, 100, 250])
@pytest.mark.parametrize("name", ["chain", "star", "binary", "comb", "broom", "two trees"])
def test_every_shape_and_size_resolves_as_by_walking(name, n):
    parents = shape(name, n)
    X = random_poses(n)
    assert_resolves_as_by_walking(parents, X)


@pytest.mark.parametrize("name", ["chain", "star", "binary"])
def test_steps_of_one_metre_are_counted_exactly(name):
    """Poses along x without turns: the position is the depth, to the last bit."""
    parents = shape(name, 100_000)
    X = np.zeros((100_000, 7))
    X[:, 0] = X[:, 3] = 1
    found = resolve_rows(parents, X)
    assert np.array_equal(found[:, 0], find_depths(parents))
    assert np.array_equal(found[:, 1:], np.tile([0, 0, 1, 0, 0, 0], (100_000, 1)))


def test_a_long_chain_of_quarter_turns_stays_a_rotation():
    """Ten thousand steps of 1 m and 90° about z walk round a square: after 4 k + r steps as after r."""
    parents = shape("chain", 10_000)
    X = np.tile(pose_from_rpy(1, 0, 0, 0, 0, np.pi / 2), (10_000, 1))
    found = resolve_rows(parents, X)
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    assert np.allclose(found[:, :2], corners[np.arange(10_000) % 4], atol=1e-8)
    assert np.allclose(np.linalg.norm(found[:, 3:], axis=1), 1, atol=1e-11)


def test_input_arrays_are_left_alone():
    parents, X = shape("chain", 50), random_poses(50)
    before = parents.copy(), X.copy()
    resolve_rows(parents, X)
    assert np.array_equal(parents, before[0]) and np.array_equal(X, before[1])


def test_nothing_resolves_to_nothing():
    assert resolve_rows(np.empty(0, dtype=int), np.empty((0, 7))).shape == (0, 7)
    assert find_roots(np.empty(0, dtype=int)).size == find_depths(np.empty(0, dtype=int)).size == 0
