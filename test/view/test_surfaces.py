"""Triangles of shapes: volumes by formula, placement and colours of mesh files."""
import json
from importlib.util import find_spec
from math import pi

import numpy as np
import pytest

trimesh = pytest.importorskip("trimesh")

from sdf_frames.document.budget import Budget  # noqa: E402
from sdf_frames.document.confinement import Boundary  # noqa: E402
from sdf_frames.document.door import UNCONFINED, Door  # noqa: E402
from sdf_frames.sdf import geometry  # noqa: E402
from sdf_frames.view.colours import as_linear, find_colour, find_texture, has_colours, has_pattern  # noqa: E402
from sdf_frames.view.surfaces import SurfaceReader  # noqa: E402

#: The extras `png` and `view` bring it: without it, trimesh reads no colours.
needs_pillow = pytest.mark.skipif(find_spec("PIL") is None, reason="Pillow is not installed (pip install pillow)")


def paint(mesh, colour=(0, 0, 255, 255)):
    mesh.visual = trimesh.visual.TextureVisuals(
        material=trimesh.visual.material.PBRMaterial(baseColorFactor=list(colour)))


def read_file(path, reader=None, **choices):
    return (reader or SurfaceReader()).read(geometry.Mesh(path.name, object(), **choices), str(path))


def read(tmp_path, mesh, name, **choices):
    mesh.export(str(tmp_path / name))
    return read_file(tmp_path / name, **choices)


@needs_pillow
@pytest.mark.parametrize("form, expected", [("glb", 188), ("dae", 128)])
def test_colours_of_gltf_are_linear_light(tmp_path, form, expected):
    """Half of the light is 0.7354 in sRGB (IEC 61966-2-1: 1.055 * 0.5019608 ** (1 / 2.4) - 0.055)."""
    box = trimesh.creation.box((1, 1, 1))
    paint(box, [0, 128, 255, 255])
    if form == "dae":
        box.visual = trimesh.visual.ColorVisuals(box, face_colors=[0, 128, 255, 255])
    (surface,), problem = read(tmp_path, box, f"box.{form}")
    if form == "dae" and b"0.50196" not in (tmp_path / "box.dae").read_bytes():
        pytest.skip("this trimesh writes black to COLLADA")
    assert problem is None
    assert find_colour(surface) == pytest.approx((0, expected / 255, 1, 1), abs=1.5 / 255)


def test_broken_file_says_why(tmp_path):
    path = tmp_path / "broken.stl"
    path.write_text("solid nothing")
    _, problem = read_file(path)
    assert problem.startswith("broken.stl: ")


def test_budget_bounds_all_files_together(tmp_path):
    reader = SurfaceReader(Budget(faces=20))
    for name, length in (("box.stl", 1), ("other.stl", 2)):
        trimesh.creation.box((length, 1, 1)).export(tmp_path / name)
    assert read_file(tmp_path / "box.stl", reader)[1] is None
    assert read_file(tmp_path / "other.stl", reader)[1] is not None


@pytest.mark.parametrize("coloured", [False, True])
def test_decimated_mesh_keeps_its_size_and_colour(tmp_path, coloured):
    pytest.importorskip("fast_simplification")
    ball = trimesh.creation.icosphere(4)
    if coloured:
        paint(ball)
    path = tmp_path / ("ball.glb" if coloured else "ball.stl")
    ball.export(path)
    (whole,), _ = read_file(path)
    (likeness,), problem = read_file(path, SurfaceReader(most_faces=500))
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


def export_parts(tmp_path, **where):
    """Two boxes, red and blue, at x = 0 and x = 4, as one glTF."""
    scene = trimesh.Scene()
    for name, x, colour in (("red", 0, [255, 0, 0, 255]), ("blue", 4, [0, 0, 255, 255])):
        box = trimesh.creation.box((1, 2, 3))
        paint(box, colour)
        scene.add_geometry(box, node_name=name, geom_name=name,
                           transform=trimesh.transformations.translation_matrix((x, 0, 0)))
    return read(tmp_path, scene, "parts.glb", **where)


@needs_pillow
def test_parts_stand_where_the_file_has_them_in_their_colours(tmp_path):
    surfaces, problem = export_parts(tmp_path)
    assert problem is None
    seen = {tuple(np.round(find_colour(s), 2)): np.round(s.bounds, 6).tolist() for s in surfaces}
    assert seen == {(1, 0, 0, 1): [[-.5, -1, -1.5], [.5, 1, 1.5]], (0, 0, 1, 1): [[3.5, -1, -1.5], [4.5, 1, 1.5]]}
    scaled, _ = export_parts(tmp_path, scale=(2., -1., .5))
    bounds = sorted(np.round(s.bounds, 6).tolist() for s in scaled)
    assert bounds == [[[-1, -1, -.75], [1, 1, .75]], [[7, -1, -.75], [9, 1, .75]]]


@pytest.mark.parametrize(("where", "low", "high"), [
    ({"submesh": "blue"}, (3.5, -1, -1.5), (4.5, 1, 1.5)),
    ({"submesh": "blue", "center": True}, (-.5, -1, -1.5), (.5, 1, 1.5)),
    ({"center": True}, (-2.5, -1, -1.5), (2.5, 1, 1.5))])
def test_a_part_of_a_file_or_its_middle_are_as_in_the_inertia(tmp_path, where, low, high):
    """Of what trimesh reads, parts have other names: such surfaces have no colours of their own."""
    (surface,), problem = export_parts(tmp_path, **where)
    assert problem is None and not has_colours(surface)
    np.testing.assert_allclose(surface.bounds, (low, high), atol=1e-6)


@pytest.mark.parametrize(("shape", "said"), [
    (geometry.Mesh("model://x/y.stl", object()), "model://x/y.stl is not found"),
    (geometry.Heightmap("h.png"), "h.png is not found"),
    (geometry.Image("i.png"), "i.png: images are not drawn")])
def test_what_cannot_be_drawn_is_a_small_box(shape, said):
    (box,), problem = SurfaceReader().read(shape, None)
    assert problem == said
    np.testing.assert_allclose(box.bounds, ((-.05,) * 3, (.05,) * 3))


def test_one_file_is_read_once_for_each_way_to_use_it(tmp_path):
    trimesh.creation.box((1, 2, 3)).export(tmp_path / "a.stl")
    trimesh.creation.box((1, 2, 3)).export(tmp_path / "b.stl")
    reader = SurfaceReader()
    read = [reader.read(geometry.Mesh("u", object(), **how), str(tmp_path / name)) for name, how in (
        ("a.stl", {}), ("a.stl", {}), ("b.stl", {}), ("a.stl", {"scale": (2, 1, 1)}), ("a.stl", {"center": True}))]
    first, same, *others = (surfaces[0] for surfaces, _ in read)
    assert first is same and len({id(surface) for surface in (first, *others)}) == 4
    np.testing.assert_allclose(others[1].extents, (2, 2, 3))


def test_a_likeness_is_for_parts_of_more_triangles_alone(tmp_path):
    pytest.importorskip("fast_simplification")
    trimesh.creation.icosphere(2).export(tmp_path / "ball.stl")
    for most, same in ((None, True), (320, True), (319, False)):
        (surface,), problem = read_file(tmp_path / "ball.stl", SurfaceReader(most_faces=most))
        assert problem is None and (len(surface.faces) == 320) is same


@pytest.mark.parametrize("loaded", [trimesh.Scene(), RuntimeError("no")])
def test_what_trimesh_cannot_read_has_no_colours(tmp_path, monkeypatch, loaded):
    def load(_content, force, **_):
        assert force == "scene"
        if isinstance(loaded, Exception):
            raise loaded
        return loaded
    trimesh.creation.box((1, 2, 3)).export(tmp_path / "box.obj")
    monkeypatch.setattr("sdf_frames.view.surfaces.trimesh.load", load)
    (surface,), problem = read_file(tmp_path / "box.obj")
    assert problem is None and not has_colours(surface)


@pytest.mark.parametrize(("mode", "form"), [("RGB", "JPEG"), ("RGBA", "PNG"), ("L", "JPEG")])
def test_textures_that_let_light_through_keep_that(tmp_path, mode, form):
    image = pytest.importorskip("PIL.Image")
    sheet = trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], process=False)
    sheet.visual = trimesh.visual.TextureVisuals(
        uv=[[0, 0], [1, 0], [0, 1]],
        material=trimesh.visual.material.PBRMaterial(baseColorTexture=image.new(mode, (8, 4))))
    (surface,), _ = read(tmp_path, sheet, "sheet.glb")
    texture, material = find_texture(surface.visual), surface.visual.material
    assert (texture.format, texture.mode, texture.size) == (form, "RGBA" if form == "PNG" else "RGB", (8, 4))
    assert (material.metallicFactor, material.roughnessFactor, material.doubleSided) == (0, .8, True)
    np.testing.assert_allclose(surface.visual.uv, [[0, 0], [1, 0], [0, 1]])


@pytest.mark.parametrize(("roots", "seen"), [(None, True), (["model"], True), (["model/meshes", "other"], False)])
def test_textures_beside_the_folder_of_the_mesh_are_read_through_the_door(tmp_path, roots, seen):
    """As models of Gazebo have them; trimesh reads none outside of the mesh's folder from version 5 on."""
    image = pytest.importorskip("PIL.Image")
    for folder in ("meshes", "materials/textures"):
        (tmp_path / "model" / folder).mkdir(parents=True)
    image.new("RGB", (2, 2), (255, 0, 0)).save(tmp_path / "model/materials/textures/red.png")
    mesh = tmp_path / "model/meshes/m.obj"
    mesh.write_text("mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl red\nf 1/1 2/2 3/3\n")
    mesh.with_suffix(".mtl").write_text("newmtl red\nmap_Kd ../materials/textures/red.png\n")
    door = UNCONFINED if roots is None else Door(Boundary([str(tmp_path / root) for root in roots]))
    (surface,), problem = read_file(mesh, SurfaceReader(door=door))
    texture = find_texture(surface.visual)
    assert problem is None and (texture is not None and texture.size == (2, 2)) is seen


def test_a_texture_starts_no_program(tmp_path, monkeypatch):
    """Pillow gives PostScript, whatever the file is called, to the first ``gs`` of PATH."""
    plugin = pytest.importorskip("PIL.EpsImagePlugin")
    monkeypatch.setattr(plugin, "gs_binary", None, raising=False)
    (tmp_path / "gs").write_text("#!/bin/sh\ntouch '{}'\n".format(tmp_path / "ran"))
    (tmp_path / "gs").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    (tmp_path / "t.png").write_text("%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\nshowpage\n")
    mesh = tmp_path / "m.obj"
    mesh.write_text("mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl a\nf 1/1 2/2 3/3\n")
    mesh.with_suffix(".mtl").write_text("newmtl a\nmap_Kd t.png\n")
    (surface,), problem = read_file(mesh)
    assert problem is None and find_texture(surface.visual) is None and not (tmp_path / "ran").exists()
    with plugin.Image.open(tmp_path / "t.png") as opened:  # as ever for others
        assert opened.format == "EPS"


@needs_pillow
@pytest.mark.parametrize(("size", "place", "coloured"), [
    ((1, 2, 3), (0, 0, 0), True), ((1000, 2000, 3000), (0, 0, 0), True), ((1, 2, 4), (0, 0, 0), False),
    ((1, 2, 3), (1, 0, 0), False), ((1.0005, 2, 3), (0, 0, 0), True), ((1.0007, 2, 3), (0, 0, 0), False),
    ((0, 0, 0), (0, 0, 0), False)])
def test_colours_are_taken_if_trimesh_sees_the_same_surface(tmp_path, monkeypatch, size, place, coloured):
    """In any unit, to a ten-thousandth of the longest side, which is 3 m: corners of 0.5 m may be off by 0.3 mm."""
    box = trimesh.creation.box((1, 1, 1))
    paint(box)
    box.vertices = box.vertices * size + place
    trimesh.creation.box((1, 2, 3)).export(tmp_path / "box.obj")
    monkeypatch.setattr("sdf_frames.view.surfaces.trimesh.load", lambda *_, **__: trimesh.Scene(box))
    (surface,), problem = read_file(tmp_path / "box.obj")
    assert problem is None and has_colours(surface) is coloured
    np.testing.assert_allclose(surface.bounds, ((-.5, -1, -1.5), (.5, 1, 1.5)), atol=3e-4)


@needs_pillow
@pytest.mark.parametrize("coloured", [False, pytest.param(True, marks=needs_pillow)])
def test_a_concave_polygon_is_drawn_as_it_is(tmp_path, coloured):
    """An L of 3 m²; the fan from its first corner, as trimesh draws it, has 1 m² more, and back."""
    corners = [(2, 1), (1, 1), (1, 2), (0, 2), (0, 0), (2, 0)]
    (tmp_path / "m.mtl").write_text("newmtl red\nKd 1 0 0\n")
    (tmp_path / "m.obj").write_text("mtllib m.mtl\n" + "".join(f"v {x} {y} 0\n" for x, y in corners)
                                    + "usemtl red\n" * coloured + "f 1 2 3 4 5 6\n")
    (surface,), _ = read_file(tmp_path / "m.obj", scale=(1.0, 2.0, 1.0))
    assert surface.area == pytest.approx(6) and has_colours(surface) == coloured
    assert not coloured or find_colour(surface) == (1, 0, 0, 1)


def test_each_place_of_a_part_costs_its_faces_and_shares_its_texture(tmp_path):
    """A triangle in a file of a thousand vertices, in four places: metre by metre along x."""
    from PIL import Image
    vertices = np.zeros((1000, 3))
    vertices[[1, 2], [0, 1]] = 1
    mesh = trimesh.Trimesh(vertices, [[0, 1, 2]], process=False)
    mesh.visual = trimesh.visual.TextureVisuals(
        uv=np.zeros((1000, 2)), material=trimesh.visual.material.PBRMaterial(baseColorTexture=Image.new("RGB", (8, 8))))
    scene = trimesh.Scene()
    scene.add_geometry(mesh, geom_name="m", node_name="n0")
    for k in range(1, 4):
        scene.graph.update(f"n{k}", geometry="m", matrix=trimesh.transformations.translation_matrix((k, 0, 0)))
    parts, problem = read(tmp_path, scene, "places.glb")
    assert problem is None and [len(part.vertices) for part in parts] == [3] * 4
    assert sorted(part.bounds[0][0] for part in parts) == [0, 1, 2, 3]
    assert len({id(find_texture(part.visual)) for part in parts}) == 1 and find_texture(parts[0].visual) is not None


@needs_pillow
@pytest.mark.parametrize(("uses", "parts"), [(3, 3), (2001, 1)])
def test_an_obj_file_of_very_many_materials_is_drawn_in_one_colour(tmp_path, uses, parts):
    corners = "".join(f"v {x} {y} {z}\n" for x, y, z in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)))
    faces = "".join(f"usemtl m{i}\nf 1 2 3\nf 1 3 4\n" for i in range(uses))
    (tmp_path / "m.mtl").write_text("".join(f"newmtl m{i}\nKd 1 0 0\n" for i in range(uses)))
    (tmp_path / "m.obj").write_text(f"mtllib m.mtl\n{corners}{faces}")
    surfaces, problem = read_file(tmp_path / "m.obj")
    assert problem is None and len(surfaces) == parts and sum(len(s.faces) for s in surfaces) == 2 * uses


#: Two triangles of a square with one side in common.
SQUARE = """ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
element face 2
property list uchar int vertex_indices
property uchar red
property uchar green
property uchar blue
end_header
0 0 0
1 0 0
1 1 0
0 1 0
3 0 1 2 255 0 0
3 0 2 3 {}
"""


@needs_pillow
@pytest.mark.parametrize(("second", "vertices", "faces"), [
    ("0 0 255", 6, [[255, 0, 0, 255], [0, 0, 255, 255]]), ("255 0 0", 4, [[255, 0, 0, 255]] * 2)])
def test_colours_of_faces_do_not_mix_and_need_no_scipy(tmp_path, monkeypatch, second, vertices, faces):
    """The extra `view` does not bring SciPy, with which trimesh would take the mean of the faces at each vertex."""
    (tmp_path / "square.ply").write_text(SQUARE.format(second))
    monkeypatch.setattr("trimesh.geometry.scipy", None)
    (surface,), problem = read_file(tmp_path / "square.ply")
    assert problem is None and len(surface.vertices) == vertices
    assert has_pattern(surface) is (vertices == 6)
    corners = surface.visual.vertex_colors[surface.faces]
    assert corners.tolist() == [[colour] * 3 for colour in faces]
    assert surface.triangles.tolist() == [[[0, 0, 0], [1, 0, 0], [1, 1, 0]], [[0, 0, 0], [1, 1, 0], [0, 1, 0]]]


@needs_pillow
def test_a_decimated_mesh_has_its_colour_at_its_vertices(tmp_path, monkeypatch):
    pytest.importorskip("fast_simplification")
    ball = trimesh.creation.icosphere(3)
    paint(ball)
    ball.export(tmp_path / "ball.glb")
    monkeypatch.setattr("trimesh.geometry.scipy", None)
    (likeness,), _ = read_file(tmp_path / "ball.glb", SurfaceReader(most_faces=500))
    assert likeness.visual.kind == "vertex" and not has_pattern(likeness)


@needs_pillow
def test_colours_of_vertices_are_dull_on_the_page(tmp_path):
    """A glTF mesh without a material is a metal, which is black without a room around it. For 188, see above."""
    (tmp_path / "square.ply").write_text(SQUARE.format("0 188 0"))
    (surface,), _ = read_file(tmp_path / "square.ply")
    content = as_linear(surface).export(file_type="glb")
    told = json.loads(content[20:20 + int.from_bytes(content[12:16], "little")])
    (mesh,) = told["meshes"]
    (part,) = mesh["primitives"]
    look = told["materials"][part["material"]]
    assert look["pbrMetallicRoughness"]["metallicFactor"] == 0 and look["doubleSided"]
    assert "baseColorFactor" not in look["pbrMetallicRoughness"] and "COLOR_0" in part["attributes"]
    assert bytes((255, 0, 0, 255) * 3 + (0, 128, 0, 255) * 3) in content
