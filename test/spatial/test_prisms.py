"""Prisms over outlines: areas by hand and from triangles, whatever touches; crossings by hand."""
from math import cos, pi, sin
from random import Random

import pytest

from sdf_frames.spatial import prisms
from sdf_frames.spatial.prisms import integrate_prism


def rectangle(x0, y0, x1, y1):
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def turn(loops, angle):
    c, s = cos(angle), sin(angle)
    return [[(c * x - s * y, s * x + c * y) for x, y in loop] for loop in loops]


TOUCHING = [
    ([rectangle(0, 0, 1, 1), rectangle(0, 0, 2, 2)], 4 - 1),  # they start in the same corner
    ([rectangle(0, 0, 4, 4), rectangle(0, 1, 1, 2)], 16 - 1),  # a hole at the wall
    ([rectangle(0, 0, 1, 1), rectangle(1, 0, 2, 1)], 1 + 1),
    ([rectangle(0, 0, 1, 1), rectangle(0, 0, 1, 1)], 0),
    ([[(0, 0), (1, 1), (2, 2), (2, 0), (1, 1), (0, 2)]], 1 + 1),  # both ways round
    ([[(0, 0), (4, 0), (4, 4), (0, 4), (0, 2), (1, 2), (1, 3), (3, 3), (3, 1), (1, 1), (1, 2), (0, 2)]], 16 - 4),
    ([[(0, 0), (3, 0), (0, 3)], [(1, 1), (2, 1), (1, 2)], rectangle(0, 0, 1, 1)], 4.5 - .5 - 1),
]


@pytest.mark.parametrize("angle", [0, .3, pi / 2, 1, 2.7, pi, 4])
@pytest.mark.parametrize("loops, area", TOUCHING)
def test_outlines_may_touch_themselves_and_each_other(loops, area, angle):
    for given in (loops, loops[::-1], [loop[::-1] for loop in loops]):
        solid, crossing = integrate_prism(turn(given, angle), 2)
        assert crossing is None and solid.volume == pytest.approx(2 * area)


def test_moments_of_a_plate_with_a_hole_at_its_wall():
    """About the centre of the plate, 4 x 4: a hole of 1 at (-1.5, -.5)."""
    solid, _ = integrate_prism([rectangle(0, 0, 4, 4), rectangle(0, 1, 1, 2)], 1)
    assert solid.centroid == pytest.approx((2 + 1.5 / 15, 2 + .5 / 15, .5))
    xx, yy, xy = 16 * 16 / 12 - 1 / 12 - 1.5 ** 2 * 16 / 15, 16 * 16 / 12 - 1 / 12 - .5 ** 2 * 16 / 15, -.75 * 16 / 15
    assert solid.moments == pytest.approx((yy + 15 / 12, xx + 15 / 12, xx + yy, -xy, 0, 0))


@pytest.mark.parametrize("angle", [0, .3, pi / 2, 1, 2.7])
@pytest.mark.parametrize("y, crosses", [(.333333, False), (.333, True)])
def test_outlines_in_six_digits_may_touch(y, crosses, angle):
    """The triangles have the areas 3 · 3 / 2 and 0.5 · (2/3) / 2; a corner of the second is at (1, 1/3), on a side."""
    solid, crossing = integrate_prism(turn([[(0, 0), (3, 1), (0, 3)], [(1, y), (1.5, 1), (1, 1)]], angle), 1)
    assert (crossing is not None) == crosses
    assert solid.volume == (0 if crosses else pytest.approx(4.5 - 1 / 6))


@pytest.mark.parametrize("angle", [0, .3, pi / 2, 1, 2.7, pi, 4])
@pytest.mark.parametrize("loops, points", [
    ([[(0, 0), (1, 1), (1, 0), (0, 1)]], [(.5, .5)]),
    ([rectangle(0, 1, 3, 2), rectangle(1, 0, 2, 3)], rectangle(1, 1, 2, 2)),
    ([rectangle(0, 0, 2, 2), rectangle(1, 1, 3, 3)], [(2, 1), (1, 2)]),
    ([rectangle(5, 5, 6, 6), [(0, 0), (4, 0), (0, 4)], [(1, 1), (3, 3), (1, 2)]], [(2, 2), (5 / 3, 7 / 3)]),
])
def test_outlines_that_cross_enclose_nothing(loops, points, angle):
    for given in (loops, loops[::-1], [loop[::-1] for loop in loops]):
        solid, crossing = integrate_prism(turn(given, angle), 1)
        assert solid.volume == 0.0
        assert any(crossing == pytest.approx(point, abs=1e-12) for point in turn([points], angle)[0])


@pytest.mark.parametrize("k", [1, 2, 250, 499, 500])
def test_a_star_that_crosses_itself(k):
    """A star {1001/k} crosses itself unless k is 1; the area of a regular polygon is n/2 · sin(2π/n)."""
    n = 1001
    star = [(cos(2 * pi * i * k / n), sin(2 * pi * i * k / n)) for i in range(n)]
    solid, crossing = integrate_prism([star], 2.0)
    assert (crossing is None) == (k == 1)
    assert solid.volume == (pytest.approx(n * sin(2 * pi / n)) if k == 1 else 0.0)


@pytest.mark.parametrize("draw_one", [
    lambda k: rectangle(-k, -k, k, k), lambda k: rectangle(0, 0, 1, 1), lambda k: rectangle(0, 0, 1, 1 + k / 1000),
    lambda k: rectangle(k % 32, k // 32, k % 32 + .5, k // 32 + .5), lambda k: [(0, k), (5000, k + .1), (0, k + .2)],
    lambda k: [(0, k), (500, 1000), (0, k + .2)]])
def test_time_is_nearly_linear(monkeypatch, draw_one):
    """How often a place on an edge is asked for, at 2,000 to 4,000 corners: at most 50 times a corner."""
    looks = []
    real = prisms._Edge.find_x
    monkeypatch.setattr(prisms._Edge, "find_x", lambda edge, y: looks.append(1) or real(edge, y))
    loops = [draw_one(k) for k in range(1, 1001)]
    integrate_prism(loops, 1.0)
    assert len(looks) < 50 * sum(map(len, loops))


@pytest.mark.parametrize("x", [-3, 0, 1.2, 5])
def test_an_outline_beyond_the_end_of_another_is_not_a_hole(x):
    """Both edges of a triangle lean to the right or left of what is above it, and do not go on there."""
    triangle = [(0, 0), (2, 0), (1, 1)]
    square = [(x, 2), (x + 1, 2), (x + 1, 3), (x, 3)]
    for loops in ([triangle, square], [square, triangle[::-1]]):
        assert integrate_prism(loops, 1)[0].volume == pytest.approx(1 + 1)


def test_outlines_that_touch_and_lean():
    """A diamond with a diamond in it that touches it in a corner, and a triangle in that."""
    outer, inner, core = ([(2, 0), (0, 2), (-2, 0), (0, -2)], [(0, 0), (1, -.5), (2, 0), (1, .5)],
                          [(.8, -.2), (1.2, 0), (.8, .2)])
    for loops in ((outer, inner, core), (core, inner, outer), (inner[::-1], core, outer[::-1])):
        assert integrate_prism(loops, 1.0)[0].volume == pytest.approx(8 - 1 + .08)


@pytest.mark.parametrize("loops, height", [
    ([[(1, 1), (2, 1), (2, 2), (1, 2)]], 0.0), ([[(1, 1), (2, 1), (2, 2)]], -1.0), ([[(1, 1), (2, 1)]], 1.0),
    ([[(1, 1), (2, 2), (3, 3)]], 1.0), ([], 1.0)])
def test_a_prism_of_nothing_is_nothing_at_the_origin(loops, height):
    assert integrate_prism(loops, height) == ((0.0, (0.0, 0.0, 0.0), (0.0,) * 6), None)


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
    solid, crossing = integrate_prism(given, 2.5)
    assert crossing is None
    assert solid.volume == pytest.approx(volume) and solid.centroid == pytest.approx(centroid)
    assert solid.moments == pytest.approx(moments, abs=1e-9 * max(moments))


@pytest.mark.parametrize("loops, area", [
    ([[], [(0, 0), (1, 0), (0, 1)]], .5), ([[(5, 5)], [(0, 0), (1, 0), (0, 1)]], .5),
    ([[(0, 0), (1, 0), (0, 1)], [(.2, .2), (.3, .2)]], .5)])
def test_outlines_of_fewer_than_three_points_are_passed_over(loops, area):
    assert integrate_prism(loops, 1.0)[0].volume == area
