"""Single poses against closed forms, and the way back from rotations to angles, gimbal lock included."""
from math import acos, cos, isclose, pi, sin, sqrt

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from sdf_frames.spatial.batch import normalise_batch
from sdf_frames.spatial.pose import (
    IDENTITY,
    compose,
    invert,
    normalise,
    pose_from_rpy,
    quaternion_from_rpy,
    rotate,
    rotation_matrix,
    rpy_from_quaternion,
)

angles = st.floats(-pi, pi)
vectors = st.tuples(*[st.floats(-100, 100)] * 3)
poses = st.builds(lambda v, r: pose_from_rpy(*v, *r), vectors, st.tuples(angles, angles, angles))
QUICK = settings(max_examples=4 * settings.default.max_examples)
H = sqrt(0.5)


def product(A, B):
    """3×3 matrix product."""
    return tuple(tuple(sum(A[i][k] * B[k][j] for k in range(3)) for j in range(3)) for i in range(3))


def matrix_of_rpy(r, p, y):
    """Rz(yaw) · Ry(pitch) · Rx(roll), factor by factor."""
    Rx = ((1, 0, 0), (0, cos(r), -sin(r)), (0, sin(r), cos(r)))
    Ry = ((cos(p), 0, sin(p)), (0, 1, 0), (-sin(p), 0, cos(p)))
    Rz = ((cos(y), -sin(y), 0), (sin(y), cos(y), 0), (0, 0, 1))
    return product(Rz, product(Ry, Rx))


def close(A, B, tolerance=1e-12):
    return all(isclose(a, b, abs_tol=tolerance) for x, y in zip(A, B) for a, b in zip(x, y))


def angle_between(q, p):
    """Angle in radians that turns one unit quaternion into the other."""
    w, x, y, z = (v for v in compose((0, 0, 0, *q), invert((0, 0, 0, *p)))[3:])
    return 2 * acos(min(1, abs(w))) if abs(w) < 0.9 else 2 * sqrt(x * x + y * y + z * z)


@pytest.mark.parametrize("rpy, q", [
    ((0, 0, 0), (1, 0, 0, 0)), ((pi / 2, 0, 0), (H, H, 0, 0)), ((0, pi / 2, 0), (H, 0, H, 0)),
    ((0, 0, pi / 2), (H, 0, 0, H)),
    ((pi, 0, 0), (0, 1, 0, 0)), ((pi / 2, 0, pi / 2), (0.5, 0.5, 0.5, 0.5)),
    ((pi / 2, pi / 2, 0), (0.5, 0.5, 0.5, -0.5)),
])
def test_quaternions_of_quarter_turns(rpy, q):
    assert quaternion_from_rpy(*rpy) == pytest.approx(q, abs=1e-15)


@pytest.mark.parametrize("roll, pitch, yaw", [(0.0, 2.125, 0.0), (-0.0, 2.25, 0.0), (0.0, 2.5, -0.0)])
def test_negative_zeros_are_zeros(roll, pitch, yaw):
    """What remembers quaternions takes them for one another, so signs would depend on which was asked for first."""
    w, x, y, z = quaternion_from_rpy(roll, pitch, yaw)
    assert (w, y) == pytest.approx((cos(pitch / 2), sin(pitch / 2))) and (str(x), str(z)) == ("0.0", "0.0")


@given(angles, angles, angles)
@QUICK
def test_the_rotation_of_rpy_is_the_product_of_three(r, p, y):
    assert close(rotation_matrix(quaternion_from_rpy(r, p, y)), matrix_of_rpy(r, p, y))


@given(st.tuples(angles, angles, angles), vectors)
@QUICK
def test_turning_a_vector_is_multiplying_by_the_matrix(rpy, v):
    R = matrix_of_rpy(*rpy)
    expected = [sum(R[i][k] * v[k] for k in range(3)) for i in range(3)]
    assert rotate(quaternion_from_rpy(*rpy), v) == pytest.approx(expected, abs=1e-11)


@given(st.tuples(angles, angles, angles))
@example((0.3, pi / 2, 0.7))
@example((0.3, -pi / 2, 0.7))
@example((-3, pi / 2, 3))
@example((0.3, pi / 2 - 1e-9, 0.7))
@example((0.3, pi / 2 + 1e-12, 0.7))
@example((pi, 0, pi))
@settings(max_examples=10 * settings.default.max_examples)
def test_angles_give_their_rotation_back(rpy):
    """To rounding, at pitch ±90° too, where roll and yaw turn about one axis."""
    q = quaternion_from_rpy(*rpy)
    assert angle_between(quaternion_from_rpy(*rpy_from_quaternion(*q)), q) < 1e-14 * 10


@given(st.floats(-pi, pi), st.floats(-pi, pi), st.sampled_from([1, -1]), st.floats(-16, -4))
@QUICK
def test_near_gimbal_lock_nothing_is_lost(roll, yaw, sign, exponent):
    q = quaternion_from_rpy(roll, sign * (pi / 2 - 10 ** exponent), yaw)
    assert angle_between(quaternion_from_rpy(*rpy_from_quaternion(*q)), q) < 1e-13


@given(st.floats(-3.1, 3.1), st.floats(-1.5, 1.5), st.floats(-3.1, 3.1))
@QUICK
def test_away_from_gimbal_lock_angles_come_back_themselves(roll, pitch, yaw):
    """As far as rounding allows: its effect on roll and yaw grows with 1/cos(pitch)."""
    assert rpy_from_quaternion(*quaternion_from_rpy(roll, pitch, yaw)) == pytest.approx((roll, pitch, yaw),
        abs=1e-14 / cos(pitch) + 1e-14)


@given(st.tuples(angles, angles, angles), st.floats(1e-6, 1e6))
@QUICK
def test_the_length_of_a_quaternion_does_not_matter_for_its_angles(rpy, length):
    q = quaternion_from_rpy(*rpy)
    scaled = rpy_from_quaternion(*[length * v for v in q])
    assert angle_between(quaternion_from_rpy(*scaled), q) < 1e-13


def test_a_zero_quaternion_is_the_identity():
    assert rpy_from_quaternion(0, 0, 0, 0) == (0, 0, 0)
    assert normalise((1, 2, 3, 0, 0, 0, 0)) == (1, 2, 3, 1, 0, 0, 0)


@pytest.mark.parametrize("length", [1e-300, 1e-200, 1e-160, 1e160, 1e200, 1e300])
def test_quaternions_of_which_the_squares_overflow_or_vanish_rotate(length):
    quarter = (length, 0, 0, length)
    unit = pytest.approx((H, 0, 0, H), abs=1e-15)
    assert rpy_from_quaternion(*quarter) == pytest.approx((0, 0, pi / 2), abs=1e-15)
    assert normalise((1, 2, 3, *quarter))[3:] == unit
    assert normalise_batch(np.array([quarter]), -1)[0] == unit


@given(poses)
@QUICK
def test_the_identity_and_the_inverse(X):
    assert compose(X, IDENTITY) == X == compose(IDENTITY, X)
    assert compose(X, invert(X)) == pytest.approx(IDENTITY, abs=1e-12)
    assert compose(invert(X), X) == pytest.approx(IDENTITY, abs=1e-11)


@given(poses, vectors)
@QUICK
def test_a_product_moves_points_as_its_factors_do(X, p):
    """X·(p, no turn) is the point p of X's frame."""
    moved = [a + b for a, b in zip(X[:3], rotate(X[3:], p))]
    assert compose(X, (*p, 1, 0, 0, 0))[:3] == pytest.approx(moved, abs=1e-11)


@given(poses, st.floats(0.01, 100))
@QUICK
def test_inverse_and_length_of_an_unnormalised_quaternion(X, length):
    long = (*X[:3], *[length * v for v in X[3:]])
    assert normalise(long) == pytest.approx(X, abs=1e-11)
    assume(length < 10)
    w, x, y, z = compose(long, invert(long))[3:]
    assert (w, x, y, z) == pytest.approx((1, 0, 0, 0), abs=1e-12)


@pytest.mark.parametrize("rpy", [(1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0), (0, 0, 0), (1.0, 1.0, 0), (0, 1.0, 1.0)])
def test_a_pose_of_few_angles(rpy):
    q = [cos(.5), *(sin(.5) * a for a in rpy)] if sum(rpy) == 1 else quaternion_from_rpy(*rpy)
    assert pose_from_rpy(1, 2, 3, *rpy) == pytest.approx((1, 2, 3, *q), abs=1e-15)
    assert pose_from_rpy(1, 2, 3, 0, -0.0, 0) == (1, 2, 3, 1, 0, 0, 0)


@pytest.mark.parametrize("X", [(1, 2, 3, H, -0.0, H, -0.0), (1, 2, 3, H, H, -0.0, -0.0),
                               (1, 2, 3, -0.0, -0.0, -0.0, -1)])
def test_a_translation_keeps_a_quaternion_to_the_bit(X):
    """The sign of its zeros too, from both sides: what is written again does not change."""
    step = (5.0, 6.0, 7.0, 1.0, 0.0, 0.0, 0.0)
    assert list(map(repr, compose(X, step)[3:])) == list(map(repr, X[3:])) == list(map(repr, compose(step, X)[3:]))
    assert compose(step, X)[:3] == (6, 8, 10)


@pytest.mark.parametrize("q", [(H, H, 0, 0), (H, 0, H, 0), (H, 0, 0, H), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1),
                               (-1, 0, 0, 0)])
@pytest.mark.parametrize("p", [(.5, .5, .5, .5), (H, -H, 0, 0), (.5, -.5, .5, .5), (1, 0, 0, 0), (-1, 0, 0, 0)])
def test_products_of_turns_about_one_axis(q, p):
    """Their matrices are multiplied, whichever parts of a quaternion are zero or one."""
    for a, b in ((q, p), (p, q)):
        product_ = compose((1, 2, 3, *a), (4, 5, 6, *b))
        assert close(rotation_matrix(product_[3:]), product(rotation_matrix(a), rotation_matrix(b)))
        assert product_[:3] == pytest.approx([u + v for u, v in zip((1, 2, 3), rotate(a, (4, 5, 6)))])
        w, *v = a
        u, *t = b
        assert product_[3] == pytest.approx(w * u - sum(x * y for x, y in zip(v, t)))


@pytest.mark.parametrize("length", [1.0000001e-150, 1e-100, 1e150])
@pytest.mark.parametrize("q, rpy", [((0, 1, 0, 0), (pi, 0, 0)), ((H, 0, H, 0), (0, pi / 2, 0)), ((H, 0, 0, H),
                                                                                             (0, 0, pi / 2))])
def test_very_short_and_very_long_quaternions_are_turns(q, rpy, length):
    assert rpy_from_quaternion(*[length * v for v in q]) == pytest.approx(rpy, abs=1e-7)


def test_a_quaternion_that_is_not_finite_is_no_turn():
    for bad in (float("inf"), float("nan")):
        assert normalise((1, 2, 3, 1, bad, 0, 0)) == (1, 2, 3, 1, 0, 0, 0)
    assert normalise((1, 2, 3, 0, 0, 0, -2)) == (1, 2, 3, 0, 0, 0, -1)
