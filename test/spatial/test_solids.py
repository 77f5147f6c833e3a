"""Closed forms of simple solids: the specification's vectors, limits that must agree, and a quadrature by hand."""
from math import cos, isclose, pi, sin
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdf_frames.spatial import solids
from sdf_frames.spatial.solids import (
    integrate_box,
    integrate_capsule,
    integrate_cone,
    integrate_cylinder,
    integrate_ellipsoid,
    integrate_prism,
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


@pytest.mark.parametrize("k", [1, 2, 250, 499, 500])
def test_outlines_that_cross_take_no_longer(monkeypatch, k):
    """A star {1001/k} crosses itself in up to half a million points; its area is n/2 · sin(2πk/n) by its winding."""
    looks = []
    real = solids._find_x
    monkeypatch.setattr(solids, "_find_x", lambda edge, y: looks.append(1) or real(edge, y))
    n = 1001
    star = [(cos(2 * pi * i * k / n), sin(2 * pi * i * k / n)) for i in range(n)]
    assert integrate_prism([star], 2.0).volume == pytest.approx(n * sin(2 * pi * k / n))
    integrate_prism([star, [(.9 * x, .9 * y) for x, y in star], [(x / 2, y / 2) for x, y in star]], 1.0)
    assert len(looks) < 40 * n


@pytest.mark.parametrize("x", [-3, 0, 1.2, 5])
def test_an_outline_beyond_the_end_of_another_is_not_a_hole(x):
    """Both edges of a triangle lean to the right or left of what is above it, and do not go on there."""
    triangle = [(0, 0), (2, 0), (1, 1)]
    square = [(x, 2), (x + 1, 2), (x + 1, 3), (x, 3)]
    for loops in ([triangle, square], [square, triangle[::-1]]):
        assert integrate_prism(loops, 1).volume == pytest.approx(1 + 1)


def test_outlines_that_touch_and_lean():
    """A diamond with a diamond in it that touches it in a corner, and a triangle in that."""
    outer, inner, core = ([(2, 0), (0, 2), (-2, 0), (0, -2)], [(0, 0), (1, -.5), (2, 0), (1, .5)],
                          [(.8, -.2), (1.2, 0), (.8, .2)])
    for loops in ((outer, inner, core), (core, inner, outer), (inner[::-1], core, outer[::-1])):
        assert solids.integrate_prism(loops, 1.0).volume == pytest.approx(8 - 1 + .08)


@pytest.mark.parametrize("loops, height", [
    ([[(1, 1), (2, 1), (2, 2), (1, 2)]], 0.0), ([[(1, 1), (2, 1), (2, 2)]], -1.0), ([[(1, 1), (2, 1)]], 1.0),
    ([[(1, 1), (2, 2), (3, 3)]], 1.0), ([], 1.0)])
def test_a_prism_of_nothing_is_nothing_at_the_origin(loops, height):
    assert solids.integrate_prism(loops, height) == (0.0, (0.0, 0.0, 0.0), (0.0,) * 6)


def draw(rng, x, y, size):
    """A star of 7 to 11 corners about (x, y), no side of which is nearer to it than 0.4 of its `size`."""
    n = rng.randint(7, 11)
    angles = [2 * pi * (k + rng.uniform(-.2, .2)) / n for k in range(n)]
    return [(x + r * cos(a), y + r * sin(a)) for a, r in ((a, size * rng.uniform(.5, 1)) for a in angles)]


def add_triangles(loops, height):
    """Volume, centroid and moments of outlines with their signs, which are fans of triangles from the origin."""
    area = sx = sy = sxx = syy = sxy = 0.0
    for sign, loop in loops:
        for (x0, y0), (x1, y1) in zip(loop, loop[1:] + loop[:1]):
            a = sign * (x0 * y1 - x1 * y0) / 2
            area, sx, sy = area + a, sx + a * (x0 + x1) / 3, sy + a * (y0 + y1) / 3
            # A third of the area in the middle of each side.
            middles = [(x0 / 2, y0 / 2), (x1 / 2, y1 / 2), ((x0 + x1) / 2, (y0 + y1) / 2)]
            sxx += sum(a / 3 * x * x for x, _ in middles)
            syy += sum(a / 3 * y * y for _, y in middles)
            sxy += sum(a / 3 * x * y for x, y in middles)
    cx, cy, szz = sx / area, sy / area, area * height * height / 12
    sxx, syy, sxy = sxx - area * cx * cx, syy - area * cy * cy, sxy - area * cx * cy
    return area * height, (cx, cy, height / 2), [height * m for m in (syy + szz, sxx + szz, sxx + syy, -sxy, 0, 0)]


@pytest.mark.parametrize("seed", range(25))
def test_outlines_in_outlines_by_triangles(seed):
    """Two stars with two stars in each, one of which has others in it, four deep; whatever their order and winding."""
    rng = Random(seed)
    loops = []
    for x, y in ((-7, 3), (9, -5)):
        loops.append((1, draw(rng, x, y, 8)))
        for dx in (-1.6, 1.6):
            loops.append((-1, draw(rng, x + dx, y, 1.4)))
        # Within a hole is an island, within that a hole.
        loops += [(1, draw(rng, x + 1.6, y, .5)), (-1, draw(rng, x + 1.6, y, .19))]
    volume, centroid, moments = add_triangles(loops, 2.5)
    given = [loop[::rng.choice((1, -1))] for _, loop in rng.sample(loops, len(loops))]
    given = [loop + loop[:1] if rng.random() < .5 else loop for loop in given]
    solid = integrate_prism(given, 2.5)
    assert solid.volume == pytest.approx(volume) and solid.centroid == pytest.approx(centroid)
    assert solid.moments == pytest.approx(moments, abs=1e-9 * max(moments))


@pytest.mark.parametrize("loops, area", [
    ([[], [(0, 0), (1, 0), (0, 1)]], .5), ([[(5, 5)], [(0, 0), (1, 0), (0, 1)]], .5),
    ([[(0, 0), (1, 0), (0, 1)], [(.2, .2), (.3, .2)]], .5)])
def test_outlines_of_fewer_than_three_points_are_passed_over(loops, area):
    assert integrate_prism(loops, 1.0).volume == area
