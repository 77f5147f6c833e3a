"""Triangles of shapes: volumes by formula, placement and colours of mesh files."""
from math import pi

import numpy as np
import pytest

trimesh = pytest.importorskip("trimesh")

from sdf_frames.inertia.triangles import make_solid  # noqa: E402
from sdf_frames.sdf import geometry  # noqa: E402
from sdf_frames.view.surfaces import SurfaceReader, find_colour, find_texture, has_colours  # noqa: E402


@pytest.mark.parametrize(("shape", "volume"), [
    (geometry.Box((1, 2, 3)), 6),
    (geometry.Sphere(.5), 4 / 3 * pi * .5 ** 3),
    (geometry.Ellipsoid((.1, .2, .3)), 4 / 3 * pi * .006),
    (geometry.Cylinder(.5, 2), pi * .25 * 2),
    (geometry.Capsule(.5, 2), pi * .25 * 2 + 4 / 3 * pi * .125),
    (geometry.Cone(.5, 2), pi * .25 * 2 / 3),
])
def test_volume_and_centre(shape, volume):
    solid, = make_solid(shape)
    assert solid.volume == pytest.approx(volume, rel=.03)
    low, high = solid.bounds
    np.testing.assert_allclose(low + high, 0, atol=1e-9)


def test_polyline_with_a_hole():
    pytest.importorskip("shapely")
    outer = geometry.Prism(((0, 0), (2, 0), (2, 2), (0, 2)), 3)
    inner = geometry.Prism(((.5, .5), (1.5, .5), (1.5, 1.5), (.5, 1.5)), 3)
    assert sum(s.volume for s in make_solid(geometry.Polyline((outer, inner)))) == pytest.approx((4 - 1) * 3)


def test_plane_is_turned_to_its_normal():
    sheet, = make_solid(geometry.Plane((1, 0, 0), (2, 4)))
    # About y by a quarter turn: the side along x stands up, the one along y stays.
    np.testing.assert_allclose(sheet.extents, (0, 4, 2), atol=1e-12)
    assert sheet.area == pytest.approx(2 * 4)
    (flat,) = make_solid(geometry.Plane((0, 0, 1), (2, 4)))
    assert sorted(flat.vertices.tolist()) == [[-1, -2, 0], [-1, 2, 0], [1, -2, 0], [1, 2, 0]]
    np.testing.assert_allclose(flat.face_normals, [(0, 0, 1)] * 2)


def read(tmp_path, mesh, name, **choices):
    path = tmp_path / name
    mesh.export(path)
    element = object()
    return SurfaceReader().read(geometry.Mesh(name, element, **choices), str(path))


def test_scale_and_colour_of_a_file(tmp_path):
    box = trimesh.creation.box((1, 2, 3))
    box.visual = trimesh.visual.TextureVisuals(
        material=trimesh.visual.material.PBRMaterial(baseColorFactor=[0, 0, 255, 255]))
    (surface,), problem = read(tmp_path, box, "box.glb", scale=(.001, .001, .001))
    assert problem is None
    np.testing.assert_allclose(surface.extents, (.001, .002, .003), rtol=1e-5)
    assert has_colours(surface)
    np.testing.assert_allclose(find_colour(surface), (0, 0, 1, 1), atol=.01)


def test_file_without_colours_is_grey(tmp_path):
    (surface,), problem = read(tmp_path, trimesh.creation.box((1, 1, 1)), "box.stl")
    assert problem is None and not has_colours(surface)
    r, g, b, a = find_colour(surface)
    assert a == 1 and max(r, g, b) - min(r, g, b) < .1


def test_broken_file_says_why(tmp_path):
    path = tmp_path / "broken.stl"
    path.write_text("solid nothing")
    _, problem = SurfaceReader().read(geometry.Mesh("broken.stl", object()), str(path))
    assert problem.startswith("broken.stl: ")


def test_budget_bounds_all_files_together(tmp_path):
    from sdf_frames.document.budget import Budget
    reader = SurfaceReader(Budget(faces=20))
    path = tmp_path / "box.stl"
    trimesh.creation.box((1, 1, 1)).export(path)
    other = tmp_path / "other.stl"
    trimesh.creation.box((2, 1, 1)).export(other)
    assert reader.read(geometry.Mesh("a", object()), str(path))[1] is None
    assert reader.read(geometry.Mesh("b", object()), str(other))[1] is not None


@pytest.mark.parametrize("coloured", [False, True])
def test_decimated_mesh_keeps_its_size_and_colour(tmp_path, coloured):
    pytest.importorskip("fast_simplification")
    ball = trimesh.creation.icosphere(4)
    if coloured:
        ball.visual = trimesh.visual.TextureVisuals(
            material=trimesh.visual.material.PBRMaterial(baseColorFactor=[0, 0, 255, 255]))
    path = tmp_path / ("ball.glb" if coloured else "ball.stl")
    ball.export(path)
    mesh = geometry.Mesh("ball", object())
    (whole,), _ = SurfaceReader().read(mesh, str(path))
    (likeness,), problem = SurfaceReader(most_faces=500).read(mesh, str(path))
    assert problem is None and len(whole.faces) == 5120 and 300 < len(likeness.faces) <= 500
    assert likeness.volume == pytest.approx(4 / 3 * pi, rel=.03)
    assert has_colours(likeness) == coloured
    if coloured:
        np.testing.assert_allclose(find_colour(likeness), (0, 0, 1, 1), atol=.01)


def test_texture_is_made_smaller_and_drops_what_is_not_seen(tmp_path):
    image = pytest.importorskip("PIL.Image")
    sheet = trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], process=False)
    sheet.visual = trimesh.visual.TextureVisuals(
        uv=[[0, 0], [1, 0], [0, 1]], material=trimesh.visual.material.PBRMaterial(
            baseColorTexture=image.new("RGB", (4096, 2048), (0, 255, 0)),
            normalTexture=image.new("RGB", (64, 64), (128, 128, 255))))
    (surface,), _ = read(tmp_path, sheet, "sheet.glb")
    texture = find_texture(surface.visual)
    assert texture.size == (1024, 512) and texture.getpixel((5, 5)) == (0, 255, 0)
    assert len(surface.export(file_type="glb")) < 40_000  # a JPEG


def test_the_main_colour_of_a_texture_is_its_mean():
    image = pytest.importorskip("PIL.Image")
    picture = image.new("RGB", (2, 2), (255, 255, 255))
    picture.putpixel((0, 0), (0, 0, 255))
    picture.putpixel((1, 1), (0, 255, 255))
    box = trimesh.creation.box((1, 1, 1))
    box.visual = trimesh.visual.TextureVisuals(
        uv=np.zeros((len(box.vertices), 2)),
        material=trimesh.visual.material.PBRMaterial(baseColorTexture=picture, metallicFactor=0.0))
    np.testing.assert_allclose(find_colour(box), (.5, .75, 1, 1), atol=.01)


def test_equal_shapes_share_their_triangles():
    reader = SurfaceReader()
    sizes = (1, 2, 3), (1, 2, 3), (1, 2, 4)
    (first,), (same,), (other,) = (reader.read(geometry.Box(size), None)[0] for size in sizes)
    assert first is same and first is not other
