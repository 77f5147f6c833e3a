"""Motion of a joint's child by hand: where it is at a position, which position a pose is, how far that is from the
limits."""
from math import inf, pi, sqrt

import pytest

from sdf_frames.frames.kinematics import JointAxis, Limits, Motion, MovingJoint

Z = (0.0, 0.0, 1.0)


def moving(kind, axis=Z, lower=-inf, upper=inf, point=(0.0, 0.0, 0.0)):
    """The joint stands at `point` of its child's frame."""
    child = (*[-p for p in point], 1.0, 0.0, 0.0, 0.0)
    return Motion(MovingJoint("j", kind, (JointAxis(axis, Limits(lower, upper)),), child))


def turning(lower=-inf, upper=inf, point=(0.0, 0.0, 0.0)):
    return moving("revolute", Z, lower, upper, point)


def test_a_prismatic_joint_moves_along_its_axis():
    slide = moving("prismatic", (0.6, 0.0, 0.8))
    assert slide.place(5.0) == pytest.approx((3, 0, 4, 1, 0, 0, 0))
    assert slide.find_position((3, 7, 4, 1, 0, 0, 0)) == pytest.approx(5)


def test_a_revolute_joint_turns_about_its_point():
    """A quarter turn about (1, 0) takes the origin to (1, -1)."""
    assert turning(point=(1.0, 0.0, 0.0)).place(pi / 2) == pytest.approx((1, -1, 0, sqrt(.5), 0, 0, sqrt(.5)))


@pytest.mark.parametrize("q", [-3.1, -1.0, 0.0, 0.5, 3.1])
def test_the_position_of_a_place(q):
    assert turning().find_position(turning().place(q)) == pytest.approx(q)
    # Two turns on is the same place.
    assert turning().find_position(turning().place(q + 4 * pi)) == pytest.approx(q)


@pytest.mark.parametrize("q, excess", [(-2.0, 1.0), (-1.0, 0.0), (0.3, 0.0), (2.0, 0.0), (2.5, 0.5), (9.0, 7.0)])
def test_a_prismatic_joint_exceeds_the_nearer_limit(q, excess):
    assert moving("prismatic", lower=-1.0, upper=2.0).find_excess(q) == pytest.approx(excess)


@pytest.mark.parametrize("lower, upper, q, excess", [
    (0.0, 1.0, 1.5, 0.5), (0.0, 1.0, -0.25, 0.25), (0.0, 1.0, 0.5, 0.0),
    # 6 is 2 pi - 0.283, 0.283 below the lower limit of the next turn.
    (0.0, 1.0, 6.0, 2 * pi - 6.0),
    # The limits are whole turns away from the position.
    (10.0, 11.0, 10.5 - 4 * pi, 0.0), (10.0, 11.0, 11.25 - 4 * pi, 0.25), (-11.0, -10.0, -10.5 + 6 * pi, 0.0),
    (-11.0, -10.0, -11.5 + 6 * pi, 0.5)])
def test_a_revolute_joint_exceeds_its_limits_by_the_smallest_turn(lower, upper, q, excess):
    assert turning(lower, upper).find_excess(q) == pytest.approx(excess)


@pytest.mark.parametrize("lower, upper", [(-inf, 1.0), (0.0, inf), (1.0, 1.0), (2.0, -2.0)])
def test_no_range_is_never_left(lower, upper):
    """Half a range means nothing where whole turns count, and neither does an empty one."""
    assert turning(lower, upper).find_excess(50.0) == 0.0


def test_half_a_range_bounds_what_slides():
    assert moving("prismatic", lower=0.0).find_excess(-3.0) == 3.0
    assert moving("prismatic", upper=0.0).find_excess(3.0) == 3.0
