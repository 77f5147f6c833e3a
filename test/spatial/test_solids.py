"""Closed forms of simple solids: the specification's vectors, limits that must agree, and a quadrature by hand."""
from math import isclose, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdf_frames.spatial.solids import (
    integrate_box,
    integrate_capsule,
    integrate_cone,
    integrate_cylinder,
    integrate_ellipsoid,
    integrate_sphere,
)

lengths = st.floats(1e-3, 1e3)

# libsdformat 17 at density 1000: mass, ixx, iyy, izz, z of the centre (spec/inertia.md §12).
VECTORS = [
    (integrate_box(1, 2, 3), 6000, 6500, 5000, 2500, 0),
    (integrate_cylinder(.5, 2), 1570.7963267948965, 621.77354602297987, 621.77354602297987, 196.34954084936206, 0),
    (integrate_sphere(.5), 523.59877559829886, 52.35987755982989, 52.35987755982989, 52.35987755982989, 0),
    (integrate_ellipsoid(.5, 1, 1.5), 3141.5926535897929, 2042.0352248333652, 1570.7963267948962, 785.39816339744812,
     0),
    (integrate_capsule(.5, 2), 2094.3951023931954, 1394.0817400304704, 1394.0817400304704, 248.70941840919195, 0),
    (integrate_cone(.5, 2), 523.59877559829886, 98.174770424681043, 98.174770424681043, 39.269908169872416, -.5),
]


@pytest.mark.parametrize("solid, mass, ixx, iyy, izz, z", VECTORS)
def test_solids_match_the_reference(solid, mass, ixx, iyy, izz, z):
    assert 1000 * solid.volume == pytest.approx(mass, rel=1e-14)
    assert [1000 * i for i in solid.moments] == pytest.approx([ixx, iyy, izz, 0, 0, 0], rel=1e-14)
    assert solid.centroid == pytest.approx((0, 0, z), abs=1e-15)


@given(lengths, lengths)
def test_capsule_is_a_cylinder_and_a_sphere_cut_in_two(r, length):
    # By hand: the halves of the sphere moved apart by `length` add m·(L²/4 + 3rL/8) to each transverse moment.
    m = 4 / 3 * pi * r ** 3
    sphere, cylinder, capsule = integrate_sphere(r), integrate_cylinder(r, length), integrate_capsule(r, length)
    assert isclose(capsule.volume, sphere.volume + cylinder.volume, rel_tol=1e-12)
    expected = cylinder.moments[0] + 0.4 * m * r * r + m * (length ** 2 / 4 + 3 * r * length / 8)
    assert isclose(capsule.moments[0], expected, rel_tol=1e-12)
    assert isclose(capsule.moments[2], cylinder.moments[2] + 0.4 * m * r * r, rel_tol=1e-12)


@given(lengths, lengths)
def test_cone_matches_its_textbook_form(r, length):
    cone = integrate_cone(r, length)
    m = pi * r * r * length / 3
    assert isclose(cone.volume, m, rel_tol=1e-12)
    # About the centroid: 3/20·m·r² + 3/80·m·h².
    assert isclose(cone.moments[0], 3 / 20 * m * r * r + 3 / 80 * m * length ** 2, rel_tol=1e-12)
    assert isclose(cone.moments[2], 3 / 10 * m * r * r, rel_tol=1e-12)
    assert cone.centroid == (0, 0, -length / 4)
