"""Forests of every shape against a walk vertex by vertex."""
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdf_frames.frames.forest import CYCLE, find_cycles, find_roots, resolve_poses
from sdf_frames.spatial.pose import IDENTITY, compose, normalise, pose_from_rpy


def random_poses(n, seed=0):
    chance = Random(seed)
    return [pose_from_rpy(*[chance.uniform(-3, 3) for _ in range(6)]) for _ in range(n)]


def walk(parents, i):
    """Vertices from `i` up to a root; None where it goes round."""
    path = [i]
    while parents[path[-1]] >= 0:
        path.append(parents[path[-1]])
        if len(path) > len(parents):
            return None
    return path


@st.composite
def graphs(draw, most=40):
    """Parent indices with any edges at all: forests, and cycles with trees on them."""
    n = draw(st.integers(1, most))
    return [draw(st.integers(-2, n - 1)) for _ in range(n)]


@given(graphs())
def test_roots_are_where_paths_end(parents):
    paths = [walk(parents, i) for i in range(len(parents))]
    assert find_roots(parents)[0] == [CYCLE if p is None else p[-1] for p in paths]


@given(graphs())
def test_parents_come_before_their_children(parents):
    order = find_roots(parents)[1]
    place = {vertex: k for k, vertex in enumerate(order)}
    assert sorted(order) == [i for i in range(len(parents)) if walk(parents, i) is not None]
    assert all(parents[v] < 0 or place[parents[v]] < place[v] for v in order)


@given(graphs())
def test_cycles_are_those_who_come_back_to_themselves(parents):
    def comes_back(i):
        vertex = parents[i]
        for _ in parents:
            if vertex in (i, -1, -2):
                break
            vertex = parents[vertex]
        return vertex == i

    cycles = find_cycles(parents)
    assert sorted(v for cycle in cycles for v in cycle) == [i for i in range(len(parents)) if comes_back(i)]
    assert all(parents[a] == b for cycle in cycles for a, b in pairwise([*cycle, cycle[0]]))


def resolve_by_walking(parents, X):
    result = []
    for i in range(len(parents)):
        path = walk(parents, i)
        if path is None or path[-1] != 0:
            result.append(None)
            continue
        pose = IDENTITY
        for node in path[:-1]:
            pose = compose(X[node], pose)
        result.append(pose)
    return result


def assert_resolves_as_by_walking(parents, X):
    for found, expected in zip(resolve_poses(parents, X), resolve_by_walking(parents, X), strict=True):
        assert (found is None) == (expected is None)
        assert found is None or np.allclose(found, expected, atol=1e-9)


@given(graphs())
def test_frames_below_a_cycle_have_no_pose_and_the_others_have_one(parents):
    assert_resolves_as_by_walking(parents, random_poses(len(parents)))


def shape(name, n):
    """Parents of a chain, star, binary tree, comb (a chain with a tooth each), broom and two trees."""
    return [{"chain": i - 1, "star": 0 if i else -1, "binary": (i - 1) // 2 if i else -1,
             "comb": -1 if i == 0 else i - 1 if i % 2 else i - 2, "broom": -1 if i == 0 else min(i - 1, n // 2),
             "two trees": -1 if i < 2 else i - 2}[name] for i in range(n)]


@pytest.mark.parametrize("n", [1, 2, 3, 10, 100])
@pytest.mark.parametrize("name", ["chain", "star", "binary", "comb", "broom", "two trees"])
def test_every_shape_and_size_resolves_as_by_walking(name, n):
    assert_resolves_as_by_walking(shape(name, n), random_poses(n))


@pytest.mark.parametrize("name", ["chain", "star", "binary"])
def test_steps_of_one_metre_are_counted_exactly(name):
    """Poses along x without turns: the position is the depth, to the last bit."""
    parents = shape(name, 10_000)
    depths = [0] * len(parents)
    for i, parent in enumerate(parents):
        depths[i] = depths[parent] + 1 if i else 0
    found = resolve_poses(parents, [(1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)] * len(parents))
    assert found == [(depth, 0, 0, 1, 0, 0, 0) for depth in depths]


def test_a_long_chain_of_quarter_turns_stays_a_rotation():
    """Ten thousand steps of 1 m and 90° about z walk round a square: after 4 k + r steps as after r."""
    found = np.array(resolve_poses(shape("chain", 10_000), [pose_from_rpy(1, 0, 0, 0, 0, np.pi / 2)] * 10_000))
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    assert np.allclose(found[:, :2], corners[np.arange(10_000) % 4], atol=1e-8)
    assert np.allclose(np.linalg.norm(found[:, 3:], axis=1), 1, atol=1e-11)


def test_frames_below_a_missing_or_infinite_pose_have_no_pose():
    X = normalise((1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0))
    far = (1e308, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    assert resolve_poses([-1, 0, 1, 2], [X, X, None, X]) == [IDENTITY, X, None, None]
    assert resolve_poses([-1, 0, 1, 2], [X, far, far, X]) == [IDENTITY, far, None, None]


def test_nothing_resolves_to_nothing():
    assert resolve_poses([], []) == [] and find_roots([]) == ([], []) and find_cycles([]) == []
