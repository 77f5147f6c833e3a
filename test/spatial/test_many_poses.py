"""Transforms of many configurations at once: each is what the scalar functions make of it."""
from math import cos, pi, sin

import numpy as np
import pytest

from sdf_frames.spatial.batch import compose_batch, invert_batch, slide_along, turn_about
from sdf_frames.spatial.pose import compose, invert, normalise

AXIS = (0.48, 0.6, -0.64)


def make_poses(count, seed):
    """(7, count) poses."""
    return np.array([normalise(tuple(row)) for row in np.random.default_rng(seed).normal(size=(count, 7)).tolist()]).T


def test_products_and_inverses_are_those_of_each_configuration():
    X, Y = make_poses(20, 1), make_poses(20, 2)
    many, back = np.array(compose_batch(tuple(X), tuple(Y))).T, np.array(invert_batch(tuple(X))).T
    for x, y, product, inverse in zip(X.T.tolist(), Y.T.tolist(), many, back):
        assert product == pytest.approx(compose(tuple(x), tuple(y)), abs=1e-14)
        assert inverse == pytest.approx(invert(tuple(x)), abs=1e-14)
        assert compose_batch(tuple(x), tuple(y)) == pytest.approx(compose(tuple(x), tuple(y)), abs=1e-14)


@pytest.mark.parametrize("angle", [0.0, pi / 3, -2.5])
def test_a_turn_and_a_slide(angle):
    expected = (0, 0, 0, cos(angle / 2), *[sin(angle / 2) * a for a in AXIS])
    assert turn_about(AXIS, angle) == pytest.approx(expected, abs=1e-16)
    assert slide_along(AXIS, angle) == (*[angle * a for a in AXIS], 1, 0, 0, 0)
    assert {type(part) for part in turn_about(AXIS, angle)} == {float}


def test_turns_and_slides_of_many():
    angles = np.array([0.0, 1.0, -2.0])
    for make in (turn_about, slide_along):
        for k, angle in enumerate(angles.tolist()):
            one = [part[k] if isinstance(part, np.ndarray) else part for part in make(AXIS, angles)]
            assert one == pytest.approx(make(AXIS, angle), abs=1e-15)
