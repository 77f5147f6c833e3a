"""The box equivalent to an inertia: a box gives itself back, in whatever axes its tensor is written."""
from math import sqrt

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sdf_frames.inertia.result import LinkInertia, find_equivalent_box
from sdf_frames.spatial.inertia import rotate_tensor
from sdf_frames.spatial.pose import rotate

LENGTH = st.floats(0.01, 10)
PART = st.floats(-1, 1)


def box_tensor(mass, a, b, c):
    return (mass / 12 * (b * b + c * c), mass / 12 * (a * a + c * c), mass / 12 * (a * a + b * b), 0.0, 0.0, 0.0)


# The quaternion's parts x, y and z are the largest, and two are equal.
@example(2.0, (1, 2, 3), (.1, .9, .3, .2))
@example(2.0, (1, 2, 3), (.1, .3, .9, .2))
@example(2.0, (1, 2, 3), (.1, .3, .2, .9))
@example(2.0, (1, 2, 3), (0, .6, .6, 0))
@given(st.floats(1e-3, 1e3), st.tuples(LENGTH, LENGTH, LENGTH), st.tuples(PART, PART, PART, PART).filter(
    lambda q: sum(v * v for v in q) > 0.01))
def test_a_turned_box_gives_itself_back(mass, size, q):
    length = sqrt(sum(v * v for v in q))
    q = tuple(v / length for v in q)
    tensor = rotate_tensor(q, box_tensor(mass, *size))
    box = find_equivalent_box(LinkInertia("l", mass, (1, 2, 3, 1, 0, 0, 0), tensor))
    if box is None:  # so flat that rounding takes a moment below what a body can have
        return
    assert sorted(box.size) == pytest.approx(sorted(size), rel=1e-6, abs=1e-6 * max(size))
    assert box.X[:3] == (1, 2, 3)
    again = rotate_tensor(box.X[3:], box_tensor(mass, *box.size))
    assert again == pytest.approx(tensor, abs=1e-9 * max(tensor))


def test_axes_kept_where_the_tensor_is_diagonal():
    box = find_equivalent_box(LinkInertia("l", 6.0, (0, 0, 0, sqrt(0.5), 0, 0, sqrt(0.5)), box_tensor(6.0, 1, 2, 3)))
    assert box.size == pytest.approx((1, 2, 3))
    assert rotate(box.X[3:], (1, 0, 0)) == pytest.approx((0, 1, 0))


def test_no_box_for_what_no_body_has():
    assert find_equivalent_box(LinkInertia("l", 0.0, physical=False)) is None
    assert find_equivalent_box(LinkInertia("l", 1.0, inertia=(float("inf"),) * 3 + (0.0,) * 3)) is None


@pytest.mark.parametrize("place", range(14))
def test_no_box_for_numbers_that_are_not_finite(place):
    values = [1.0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0]
    values[place] = float("inf")
    assert find_equivalent_box(LinkInertia("l", values[0], tuple(values[1:8]), tuple(values[8:]))) is None


def test_the_pose_of_a_link_counts():
    link = LinkInertia("l", 6.0, (1, 2, 3, 2, 0, 0, 2), (*box_tensor(6.0, 1, 2, 3)[:3], 0.0, 0.0, 0.0))
    assert find_equivalent_box(link).X == pytest.approx((1, 2, 3, sqrt(.5), 0, 0, sqrt(.5)))
    assert find_equivalent_box(link._replace(inertia=(5.0, 5.0, 10.0, 0, 0, 0))).size == pytest.approx(
        (sqrt(10), sqrt(10), 0))
