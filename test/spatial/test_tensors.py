"""Tensors and bodies without NumPy against point masses and matrices, and bodies whose masses add up to nothing."""
from math import cos, pi, sin

import numpy as np
import pytest

from sdf_frames.spatial.inertia import ZERO_TENSOR, combine_bodies, rotate_tensor, scale_tensor

TENSOR = (2.0, 3.0, 4.0, 0.5, -0.25, 0.125)
OTHER = (20.0, 30.0, 40.0, 5.0, 6.0, -7.0)


def matrix(tensor):
    xx, yy, zz, xy, xz, yz = tensor
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def measure(masses, points):
    """Mass, centre and tensor (3, 3) of point masses, by their definition."""
    m, P = np.asarray(masses), np.asarray(points)
    centre = m @ P / m.sum()
    return m.sum(), centre, sum(k * (p @ p * np.eye(3) - np.outer(p, p)) for k, p in zip(m, P - centre))


def test_a_heavier_body_of_the_same_shape():
    assert scale_tensor(2.0, TENSOR) == (4.0, 6.0, 8.0, 1.0, -0.5, 0.25)


# Half turns about x, y and z change the sign of the products of inertia with the two other axes.
@pytest.mark.parametrize("q, signs", [((1, 0, 0, 0), (1, 1, 1)), ((0, 1, 0, 0), (-1, -1, 1)),
                                      ((0, 0, 1, 0), (-1, 1, -1)), ((0, 0, 0, 1), (1, -1, -1)),
                                      ((0.0, -1.0, 0.0, 0.0), (-1, -1, 1))])
def test_half_turns(q, signs):
    assert rotate_tensor(q, TENSOR) == (*TENSOR[:3], *[s * t for s, t in zip(signs, TENSOR[3:])])


@pytest.mark.parametrize("q", [(.5, .5, .5, .5), (.6, .8, 0, 0), (.6, 0, .8, 0), (.6, 0, 0, .8), (.1, -.7, .5, .5)])
def test_turning_is_multiplying_by_the_matrix_from_both_sides(q):
    trimesh = pytest.importorskip("trimesh")
    R = trimesh.transformations.quaternion_matrix(q)[:3, :3]
    assert matrix(rotate_tensor(q, TENSOR)) == pytest.approx(R @ matrix(TENSOR) @ R.T, abs=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_joined_bodies_are_all_their_points(seed):
    rng = np.random.default_rng(seed)
    masses, points = rng.random(12) + 0.1, rng.normal(size=(12, 3)) + [3, -2, 5]
    bodies = []
    for some in (slice(0, 5), slice(5, 6), slice(6, 12)):
        m, centre, I = measure(masses[some], points[some])
        bodies.append((m, tuple(centre), (*np.diag(I), I[0, 1], I[0, 2], I[1, 2])))
    mass, centre, tensor = combine_bodies(iter(bodies))
    m, c, I = measure(masses, points)
    assert mass == pytest.approx(m) and centre == pytest.approx(c) and matrix(tensor) == pytest.approx(I)


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
@pytest.mark.parametrize("tilt", [0.0, 1e-13, -1e-13])
def test_products_of_inertia_that_are_rounding_errors_are_zero(axis, tilt):
    """A quarter turn of a body with the moments a, b, c has none; a tilt by t about z has the product t (b - a)."""
    half = (pi / 2 + tilt) / 2
    turned = rotate_tensor((cos(half), *[sin(half) * a for a in axis]), (1e-9, 2e-9, 2.5e-9, 0.0, 0.0, 0.0))
    assert any(turned[3:])
    _, _, tensor = combine_bodies([(1.0, (0.0, 0.0, 0.0), turned)])
    products = {(1, 0, 0): (0, 0, 0.5e-9), (0, 1, 0): (0, -1.5e-9, 0), (0, 0, 1): (1e-9, 0, 0)}[axis]
    assert tensor[:3] == turned[:3] and tensor[3:] == pytest.approx([tilt * p for p in products], rel=1e-2, abs=0)


@pytest.mark.parametrize("masses", [(0.0, 0.0), (2.0, -2.0)])
def test_without_a_centre_of_mass_nothing_is_shifted(masses):
    one, two = (masses[0], (1.0, 2.0, 3.0), TENSOR), (masses[1], (4.0, 5.0, 6.0), OTHER)
    assert combine_bodies([one, two]) == (0.0, (1.0, 2.0, 3.0), (22.0, 33.0, 44.0, 5.5, 5.75, -6.875))
    assert combine_bodies([]) == (0.0, (0.0, 0.0, 0.0), ZERO_TENSOR)
