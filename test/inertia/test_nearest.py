"""The nearest possible tensor: by hand, and as the projection onto a convex set must be."""
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdf_frames.inertia.nearest import MARGIN, find_nearest_tensor, project_moments
from sdf_frames.spatial.inertia import find_unphysical

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


def test_the_nearest_tensor_by_hand():
    assert find_nearest_tensor((5, 1, 1, 0, 0, 0)) == pytest.approx((4, 2, 2, 0, 0, 0), rel=2 * MARGIN)
    for far in ((0, 0, 0, 0, 0, 0), (-1, -1, -1, 0, 0, 0), (-2, -2, 1, 0, 0, 0)):
        assert find_nearest_tensor(far) is None


@given(st.tuples(*[numbers] * 6), st.lists(st.tuples(*[numbers] * 9), min_size=1, max_size=5))
def test_the_nearest_tensor_is_the_projection(tensor, factors):
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
    others = [np.trace(B @ B.T) * np.eye(3) - B @ B.T for B in np.reshape(factors, (-1, 3, 3))]
    for P in (np.zeros((3, 3)), N * 2, *others):
        assert np.sum((I - N) * (P - N)) <= 20 * MARGIN * size * max(size, np.abs(P).max())
