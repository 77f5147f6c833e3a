"""Shapes as triangles: how many, how large, where, and outlines with and without shapely."""
from math import cos, pi, sin, sqrt

import numpy as np
import pytest

trimesh = pytest.importorskip("trimesh")

from sdf_frames.sdf.geometry import (  # noqa: E402
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    Empty,
    Heightmap,
    Plane,
    Polyline,
    Prism,
    Sphere,
)
from sdf_frames.view import triangles  # noqa: E402
from sdf_frames.view.triangles import make_solid, make_terrain, project_texture  # noqa: E402

SQUARE, HOLE, ASIDE = (((x, y), (x + a, y), (x + a, y + a), (x, y + a))
                       for x, y, a in ((0, 0, 4), (1, 1, 2), (6, 0, 1)))


@pytest.mark.parametrize("shape, half, volume, faces", [
    (Box((1, 2, 3)), (.5, 1, 1.5), 6, 12), (Sphere(2), (2, 2, 2), 32 / 3 * pi, 20 * 4 ** 3),
    (Ellipsoid((1, 2, 3)), (1, 2, 3), 8 * pi, 20 * 4 ** 3),
    # 32 sides of two triangles, and as many of one at each end; a tip instead of one end.
    (Cylinder(2, 6), (2, 2, 3), 24 * pi, 32 * 4), (Cone(2, 6), (2, 2, 3), 8 * pi, 32 * 2),
    (Capsule(1, 4), (1, 1, 3), 4 * pi + 4 / 3 * pi, None)])
def test_shapes_stand_about_their_origin(shape, half, volume, faces):
    (solid,) = make_solid(shape)
    assert solid.volume == pytest.approx(volume, rel=.03)
    assert solid.bounds == pytest.approx(np.array([half, half]) * [[-1], [1]], abs=.02 * max(half))
    assert solid.is_watertight
    if faces:
        assert len(solid.faces) == faces
    else:
        assert 400 < len(solid.faces) < 2000  # of old versions of trimesh, 1504


@pytest.mark.parametrize("radius", [0, 1e-200, 1e-9, .37, 50, 1e200])
def test_a_sphere_of_any_radius_has_its_points_on_it(radius):
    """The vertices of a ball of radius 1 are directions."""
    (ball,) = make_solid(Sphere(radius))
    (unit,) = make_solid(Sphere(1))
    assert np.linalg.norm(unit.vertices, axis=1) == pytest.approx(np.ones(20 * 2 ** 5 + 2))
    assert ball.vertices == pytest.approx(unit.vertices * radius, rel=1e-12, abs=0)
    assert (ball.faces == unit.faces).all()


def test_a_cone_has_its_tip_up():
    (cone,) = make_solid(Cone(2, 6))
    (tip,) = cone.vertices[cone.vertices[:, 2] > 2.9]
    assert tip == pytest.approx((0, 0, 3), abs=1e-12) and cone.vertices[:, 2].min() == -3


@pytest.mark.parametrize("normal, corners", [
    ((0, 0, 1), [[-1, -2, 0], [-1, 2, 0], [1, -2, 0], [1, 2, 0]]),
    ((0, 0, 0), [[-1, -2, 0], [-1, 2, 0], [1, -2, 0], [1, 2, 0]])])
def test_a_plane_lies_where_it_has_no_normal(normal, corners):
    (sheet,) = make_solid(Plane(normal, (2, 4)))
    assert sorted(sheet.vertices.tolist()) == corners
    assert sheet.face_normals == pytest.approx(np.array([(0, 0, 1)] * 2)) and sheet.area == 8


@pytest.mark.parametrize("normal", [(0, 3, 4), (1, 1, 0), (0, 0, -2), (-1, 0, 0)])
def test_a_plane_is_turned_to_its_normal(normal):
    (sheet,) = make_solid(Plane(normal, (2, 4)))
    length = sqrt(sum(n * n for n in normal))
    assert sheet.face_normals == pytest.approx(np.array([[n / length for n in normal]] * 2), abs=1e-12)
    assert sheet.area == pytest.approx(8) and sheet.vertices.mean(axis=0) == pytest.approx([0, 0, 0], abs=1e-12)


def test_a_plane_whose_normal_is_along_x_stands_on_its_shorter_side():
    """About y by a quarter turn: the side along x stands up, the one along y stays."""
    assert make_solid(Plane((1, 0, 0), (2, 4)))[0].extents == pytest.approx((0, 4, 2), abs=1e-12)


def test_a_plane_without_size_keeps_its_corners():
    assert len(make_solid(Plane((0, 0, 1), (0, 0)))[0].vertices) == 4


def make(*loops, height=3.0):
    return make_solid(Polyline(tuple(Prism(loop, height) for loop in loops)))


def test_outlines_are_drawn_up_and_inner_ones_are_holes():
    pytest.importorskip("shapely")
    solids = make(SQUARE, HOLE, ASIDE, ((9, 9), (8, 8)))
    assert sorted(round(solid.volume, 6) for solid in solids) == [3, 36]
    assert min(s.bounds[0][2] for s in solids) == 0 and max(s.bounds[1][2] for s in solids) == 3
    assert make(SQUARE, SQUARE) == make(((0, 0), (1, 1))) == make() == make_solid(Empty()) == []
    # The height of the first counts, as in gz.
    first, second = Prism(SQUARE, 1.0), Prism(ASIDE, 5.0)
    assert sum(s.volume for s in make_solid(Polyline((first, second)))) == pytest.approx(16 + 1)


def test_without_shapely_there_are_walls(monkeypatch):
    """Two triangles over each side of an outline, with their front outward where it runs counter-clockwise."""
    monkeypatch.setattr(triangles, "find_spec", lambda name: None)
    (walls,) = make(SQUARE)
    assert sorted(walls.vertices.tolist()) == sorted([x, y, z] for x, y in SQUARE for z in (0, 3))
    assert walls.area == pytest.approx(4 * 4 * 3) and len(walls.faces) == 8
    outward = (walls.triangles_center - [2, 2, 1.5])[:, :2]
    assert ((walls.face_normals[:, :2] * outward).sum(axis=1) > 1.9).all() and (walls.face_normals[:, 2] == 0).all()
    assert len(make(((0, 0), (1, 0), (1, 1), (0, 0)))[0].vertices) == 8  # the first point may come again
    assert [s.area for s in make(ASIDE, ((0, 0), (1, 0)), ((5, 5),), height=2.0)] == [8, 4]


def test_only_outlines_of_so_many_points_are_filled(monkeypatch):
    """A star of 40,000 points crosses itself in 800 million places."""
    pytest.importorskip("shapely")
    filled = []
    monkeypatch.setattr(trimesh.creation, "extrude_polygon", lambda polygon, height: filled.append(polygon.area))
    circles = {n: [(cos(2 * pi * k / n), sin(2 * pi * k / n)) for k in range(n)] for n in (1000, 1001)}
    assert make(circles[1000], [(x / 2, y / 2) for x, y in circles[1000]]) == [None]
    assert filled == [pytest.approx(3 * pi / 4, rel=1e-4)]
    walls = make(circles[1000], circles[1001])
    assert [wall.area for wall in walls] == [pytest.approx(2 * pi * 3, rel=1e-4)] * 2 and len(filled) == 1


def test_a_terrain_has_its_corners_and_its_highest_point_where_the_sdf_says():
    """2 rows of 3 heights over 4 m by 2 m, 6 m high: the second value of the row at +y is the largest."""
    terrain = make_terrain(np.array([[0.0, 100.0, 50.0], [0.0, 0.0, 25.0]]), Heightmap("h.png", (4, 2, 6), (10, 20, 1)))
    assert terrain.vertices.tolist() == [[8, 21, 1], [10, 21, 7], [12, 21, 4], [8, 19, 1], [10, 19, 1], [12, 19, 2.5]]
    assert len(terrain.faces) == 4 and (terrain.face_normals[:, 2] > 0).all()


def test_a_black_picture_is_a_flat_terrain():
    assert make_terrain(np.zeros((2, 2)), Heightmap("h.png", (4, 2, 6))).bounds.tolist() == [[-2, -1, 0], [2, 1, 0]]


@pytest.mark.parametrize("towards, left_bottom, right_top", [
    ((1, 0, 0), (1, -2, -3), (1, 2, 3)), ((-1, 0, 0), (-1, 2, -3), (-1, -2, 3)), ((0, 1, 0), (1, 2, -3), (-1, 2, 3)),
    ((0, -1, 0), (-1, -2, -3), (1, -2, 3)), ((0, 0, 1), (-1, -2, 3), (1, 2, 3)), ((0, 0, -1), (1, -2, -3), (-1, 2, -3)),
])
def test_a_picture_is_upright_on_each_side_of_a_box(towards, left_bottom, right_top):
    """Of the person who stands before the side; above and below, y is up."""
    V, F, uv = project_texture(make_solid(Box((2, 4, 6)))[0])
    places = {tuple(V[i].tolist()): tuple(uv[i].tolist()) for face in F for i in face
              if np.cross(V[face[1]] - V[face[0]], V[face[2]] - V[face[0]]) @ towards > 0}
    assert len(places) == 4 and places[left_bottom] == (0, 0) and places[right_top] == (1, 1)
