"""Textures of materials, emitted light and heightmaps: as the description names them, and through the door."""
import numpy as np
import pytest

trimesh = pytest.importorskip("trimesh")
image = pytest.importorskip("PIL.Image")

import sdf_frames as sf  # noqa: E402
from sdf_frames.document.budget import Budget  # noqa: E402
from sdf_frames.sdf.geometry import Heightmap  # noqa: E402
from sdf_frames.view.build_scene import build_scenes  # noqa: E402
from sdf_frames.view.colours import find_colour, find_texture, has_pattern  # noqa: E402
from sdf_frames.view.surfaces import SurfaceReader  # noqa: E402

BOX = "<geometry><box><size>1 1 1</size></box></geometry>"
URDF = ('<robot name="r"><link name="l"><visual><geometry>{}</geometry><material name="m"><color rgba="0 1 0 1"/>'
        '<texture filename="red.png"/></material></visual></link></robot>')


@pytest.fixture
def folder(tmp_path):
    image.new("RGB", (4, 2), (255, 0, 0)).save(tmp_path / "red.png")
    return tmp_path


def draw(folder, text, name="robot.sdf", **choices):
    (folder / name).write_text(text)
    (scene,) = build_scenes(sf.load(folder / name, **choices))
    return scene.shapes


def write_sdf(visual):
    return f'<sdf version="1.9"><model name="m"><link name="l"><visual name="v">{visual}</visual></link></model></sdf>'


@pytest.mark.parametrize("workflow", ["metal", "specular"])
def test_an_albedo_map_is_drawn(folder, workflow):
    (shape,) = draw(folder, write_sdf(f"{BOX}<material><diffuse>0 0 1</diffuse><pbr><{workflow}><albedo_map>red.png"
                                      f"</albedo_map></{workflow}></pbr></material>"))
    (surface,) = shape.surfaces
    assert shape.colour is None and has_pattern(surface) and find_colour(surface) == (1, 0, 0, 1)
    assert surface.volume == pytest.approx(1)


@pytest.mark.parametrize("shape", ['<box size="1 1 1"/>', '<sphere radius="1"/>', '<mesh filename="box.stl"/>'])
def test_the_texture_of_a_urdf_is_drawn_on_every_shape(folder, shape):
    trimesh.creation.box((1, 1, 1)).export(folder / "box.stl")
    (drawn,) = draw(folder, URDF.format(shape), "robot.urdf")
    assert drawn.colour is None and find_texture(drawn.surfaces[0].visual).size == (4, 2)


def test_a_mesh_says_where_its_texture_is(folder):
    (folder / "sheet.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt .25 .5\nvt .75 .5\nvt .25 1\nf 1/1 2/2 3/3\n")
    (drawn,) = draw(folder, write_sdf("<geometry><mesh><uri>sheet.obj</uri></mesh></geometry><material><pbr><metal>"
                                      "<albedo_map>red.png</albedo_map></metal></pbr></material>"))
    (sheet,) = drawn.surfaces
    uv = {tuple(v): tuple(place) for v, place in zip(sheet.vertices.tolist(), sheet.visual.uv.tolist())}
    assert uv == {(0, 0, 0): (.25, .5), (1, 0, 0): (.75, .5), (0, 1, 0): (.25, 1)}


def test_a_texture_that_is_not_there_or_damaged_leaves_the_colour(folder):
    text = URDF.format('<box size="1 1 1"/>')
    (folder / "red.png").write_bytes(b"\x89PNG\r\n")
    assert [shape.colour for shape in draw(folder, text, "robot.urdf")] == [(0, 1, 0, 1)]
    (folder / "red.png").unlink()
    assert [shape.colour for shape in draw(folder, text, "robot.urdf")] == [(0, 1, 0, 1)]
    found = sf.load(folder / "robot.urdf").find_missing_files()
    assert [(d.name, d.line) for d in found] == [("asset-not-found", 1)]


def test_a_texture_outside_of_a_confined_load_is_not_opened(folder):
    inner = folder / "inner"
    inner.mkdir()
    text = URDF.format('<box size="1 1 1"/>').replace("red.png", "../red.png")
    assert [shape.colour for shape in draw(inner, text, "robot.urdf", confined=True)] == [(0, 1, 0, 1)]
    assert [shape.colour for shape in draw(inner, text, "robot.urdf")] == [None]


@pytest.mark.parametrize("material, expected", [
    ("<emissive>0 .5 0</emissive>", (0, .5, 0, 1)),
    ("<diffuse>.25 .75 0 1</diffuse><emissive>.25 .5 0 1</emissive>", (.5, 1, 0, 1)),
    ("<diffuse>.25 .75 0 .5</diffuse><emissive>0 0 0 1</emissive>", (.25, .75, 0, .5))])
def test_what_a_material_emits_is_added_to_its_colour(folder, material, expected):
    (shape,) = draw(folder, write_sdf(f"{BOX}<material>{material}</material>"))
    assert shape.colour == expected


@pytest.mark.parametrize("form, mode, values", [("png", "L", (0, 51, 102, 255)), ("tif", "I;16", (0, 200, 400, 1000)),
                                                ("png", "RGB", ((0,) * 3, (51,) * 3, (102,) * 3, (255,) * 3))])
def test_a_heightmap_is_a_grid_of_its_grey_values(folder, form, mode, values):
    """0.2 and 0.4 of the largest value."""
    picture = image.new(mode, (2, 2))
    for i, value in enumerate(values):
        picture.putpixel((i % 2, i // 2), value)
    picture.save(folder / f"h.{form}")
    (shape,) = draw(folder, write_sdf(f"<geometry><heightmap><uri>h.{form}</uri><size>2 4 10</size><pos>0 0 5</pos>"
                                      "</heightmap></geometry>"))
    assert shape.problem is None
    np.testing.assert_allclose(shape.surfaces[0].vertices, [(-1, 2, 5), (1, 2, 7), (-1, -2, 9), (1, -2, 15)], atol=1e-5)


def test_a_large_heightmap_is_drawn_coarser_and_a_larger_one_refused(folder):
    image.new("L", (600, 300), 255).save(folder / "h.png")
    heightmap = Heightmap("h.png", (6, 3, 1))
    (terrain,), problem = SurfaceReader().read(heightmap, str(folder / "h.png"))
    assert problem is None and len(terrain.vertices) == 257 * 257
    np.testing.assert_allclose(terrain.bounds, [(-3, -1.5, 1), (3, 1.5, 1)], atol=1e-6)
    _, problem = SurfaceReader(Budget(faces=359_999)).read(heightmap, str(folder / "h.png"))
    assert problem == "h.png: no image, or one over the limits"


def test_a_heightmap_of_no_image_is_a_box_that_says_so(folder):
    (folder / "h.dem").write_bytes(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 1 1\n")
    (box,), problem = SurfaceReader().read(Heightmap("h.dem"), str(folder / "h.dem"))
    assert len(box.faces) == 12 and problem.startswith("h.dem: no image")
