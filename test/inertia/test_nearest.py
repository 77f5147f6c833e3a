"""The nearest possible tensor: by hand, and as the projection onto a convex set must be."""
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdf_frames.spatial.inertia import find_unphysical
from sdf_frames.writers.repaired import MARGIN, find_nearest_tensor, project_moments

COMPONENTS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
numbers = st.floats(-10, 10, allow_subnormal=False)


def write_matrix(tensor):
    xx, yy, zz, xy, xz, yz = tensor
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


@pytest.mark.parametrize("moments, nearest", [
    ((2, 3, 4), (2, 3, 4)), ((1, 1, 2), (1, 1, 2)),
    # The plane a + b = c has the normal (1, 1, -1): a third of what c is too much goes to each.
    ((1, 1, 5), (2, 2, 4)), ((-1, 4, 6), (0, 5, 5)),
    # Beyond the edge of the set, on which a is 0 and b equals c.
    ((-9, 2, 4), (0, 3, 3)), ((-3, -2, 1), (0, 0, 0)), ((0, 0, 0), (0, 0, 0))])
def test_moments_by_hand(moments, nearest):
    assert project_moments(moments) == pytest.approx(nearest)


def test_a_tensor_along_its_axes_by_hand():
    assert find_nearest_tensor((1, 1, 5, 0, 0, 0)) == pytest.approx((2, 2, 4, 0, 0, 0), rel=2 * MARGIN)
    assert find_nearest_tensor((5, 1, 1, 0, 0, 0)) == pytest.approx((4, 2, 2, 0, 0, 0), rel=2 * MARGIN)


@pytest.mark.parametrize("tensor", [(0, 0, 0, 0, 0, 0), (-1, -1, -1, 0, 0, 0), (-2, -2, 1, 0, 0, 0)])
def test_where_nothing_is_near(tensor):
    assert find_nearest_tensor(tensor) is None


@given(st.tuples(*[numbers] * 6), st.lists(st.tuples(*[numbers] * 9), min_size=1, max_size=5))
def test_it_is_the_projection(tensor, factors):
    """The nearest point of a convex set is the one from which the given point lies at an obtuse angle to all others.

    The set are the tensors tr(S) 1 - S, where S, the second moments of the mass, is B times its transpose.
    """
    nearest = find_nearest_tensor(tensor)
    size = max(1.0, *map(abs, tensor))
    if nearest is None:
        nearest = (0.0,) * 6
    else:
        assert not find_unphysical(1.0, nearest)
        a, b, c = np.linalg.eigvalsh(write_matrix(nearest))
        assert a + b - c >= MARGIN * c, "rounding, to single precision, keeps it possible"
    I, N = write_matrix(tensor), write_matrix(nearest)
    others = [np.zeros((3, 3)), N * 2, *[np.array(f).reshape(3, 3) for f in factors]]
    for B in others:
        P = np.trace(S := B @ B.T) * np.eye(3) - S if B is not others[1] else B
        assert np.sum((I - N) * (P - N)) <= 20 * MARGIN * size * max(size, np.abs(P).max())
