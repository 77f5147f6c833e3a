"""Mesh files: formats, units, parts, scale, the verdict, the choice of method, and files that are broken."""
import base64
import json
import os
import struct
from pathlib import Path

import numpy as np
import pytest
from inertia_snippets import AUTO, codes

from sdf_frames.document.budget import DEFAULT, Budget
from sdf_frames.inertia.mesh_file import read_mesh_file
from sdf_frames.load import LoadOptions, load_file
from sdf_frames.spatial import voxels
from sdf_frames.spatial.solids import integrate_box

trimesh = pytest.importorskip("trimesh")

BOX = integrate_box(1, 2, 3)


@pytest.fixture
def compute(load, tmp_path):
    """Result for a link of density one whose collision is a mesh file in tmp_path."""
    def compute(name="m.stl", inside="", params="", attributes="", **options):
        text = (f'{AUTO}<collision name="c"><density>1</density>{params}<geometry><mesh{attributes}><uri>{name}</uri>'
                f"{inside}</mesh></geometry></collision>")
        return load(text, str(tmp_path / "model.sdf")).inertias(**options)
    return compute


@pytest.fixture
def box(tmp_path):
    """A closed 1 × 2 × 3 box, saved as m.stl."""
    mesh = trimesh.creation.box((1, 2, 3))
    mesh.export(tmp_path / "m.stl")
    return mesh


def save(mesh, path, keep=None, faces=None):
    F = np.array(mesh.faces) if faces is None else faces
    trimesh.Trimesh(mesh.vertices, F if keep is None else F[keep], process=False).export(path)


@pytest.mark.parametrize("extension", ["stl", "obj", "ply", "off", "glb", "dae", "STL"])
def test_every_format_gives_the_box(compute, tmp_path, extension):
    mesh = trimesh.creation.box((1, 2, 3))
    mesh.apply_translation((4, 5, 6))
    mesh.export(tmp_path / f"m.{extension}", file_type=extension.lower())
    result = compute(f"m.{extension}")
    (link,) = result.links
    assert result.diagnostics == () and link.method == "exact"
    assert link.mass == pytest.approx(6, rel=1e-6)
    assert link.pose[:3] == pytest.approx((4, 5, 6), rel=1e-6)
    assert link.inertia == pytest.approx(BOX.moments, rel=1e-6, abs=1e-5)


def two_parts(path):
    scene = trimesh.Scene()
    a, b = trimesh.creation.box((1, 2, 3)), trimesh.creation.box((2, 2, 2))
    b.apply_translation((10, 0, 0))
    scene.add_geometry(a, geom_name="a", node_name="a")
    scene.add_geometry(b, geom_name="b", node_name="b")
    path.write_bytes(scene.export(file_type="glb"))


@pytest.mark.parametrize("name, words", [("m.step", "files of type step"), ("m", "files whose names have no extension"),
                                         ("m.obj.zip", "files of type zip")])
def test_other_formats(compute, tmp_path, name, words):
    (tmp_path / name).write_text("v 0 0 0\n")
    (found,) = compute(name).diagnostics
    assert (found.name, found.severity) == ("mesh-format-unsupported", "error") and found.path.endswith("/mesh/uri")
    assert words in found.message


def test_other_defects_are_reported_beside_an_empty_volume(compute, tmp_path):
    """A square sheet of 100 m encloses nothing, and it looks like millimetres."""
    (tmp_path / "m.obj").write_text("v 0 0 0\nv 100 0 0\nv 100 100 0\nv 0 100 0\nf 1 2 3\nf 1 3 4\n")
    assert [d.name for d in compute("m.obj").diagnostics] == ["mesh-unit-suspicious", "mesh-without-volume"]


def test_submesh_and_center(compute, tmp_path):
    two_parts(tmp_path / "m.glb")
    assert compute("m.glb").links[0].mass == pytest.approx(14)
    (link,) = compute("m.glb", "<submesh><name>b</name></submesh>").links
    assert link.mass == pytest.approx(8) and link.pose[0] == pytest.approx(10)
    (link,) = compute("m.glb", "<submesh><name>b</name><center>true</center></submesh>").links
    assert link.mass == pytest.approx(8) and link.pose[:3] == pytest.approx((0, 0, 0), abs=1e-12)
    result = compute("m.glb", "<submesh><name>c</name></submesh>")
    assert codes(result) == ["G017"] and "a, b" in result.diagnostics[0].hint


def test_the_holes_of_several_bodies_are_closed(compute, tmp_path):
    """Two boxes, one turned inside out, each without a lid: 6 and 1 m³."""
    a, b = trimesh.creation.box((1, 2, 3)), trimesh.creation.box((1, 1, 1))
    b.apply_translation((5, 0, 0))
    for mesh in (a, b):
        mesh.update_faces(np.array(mesh.face_normals)[:, 2] < .5)
    both = trimesh.util.concatenate([a, b])
    F = np.array(both.faces)
    F[-10:] = F[-10:, ::-1]
    save(both, tmp_path / "m.obj", faces=F)
    result = compute("m.obj")
    assert "2 holes" in result.diagnostics[-1].message and result.links[0].method == "exact"
    assert result.links[0].mass == pytest.approx(7)


def test_a_hole_with_a_tangled_border_leaves_the_choice_to_the_error(compute, tmp_path):
    """Two faces that touch in a vertex are missing of a fine sphere: 4/3 π m³; voxels of a closed form's size or hull,
    to 1 %."""
    sphere = trimesh.creation.icosphere(subdivisions=4)
    F = np.array(sphere.faces)
    vertex = F[7, 0]
    touching = np.flatnonzero((vertex == F).any(axis=1))
    across = next(k for k in touching if len(set(F[k]) & set(F[touching[0]])) == 1)
    save(sphere, tmp_path / "m.stl", keep=~np.isin(np.arange(len(F)), (touching[0], across)))
    result = compute()
    assert codes(result) == ["G020", "G027"] and "with an estimated error of" in result.diagnostics[1].message
    assert result.links[0].mass == pytest.approx(4 / 3 * np.pi, rel=.01)


def test_cracks_without_area_do_not_matter(compute, box, tmp_path):
    """A T-junction: one face of the box cut in two at a point in the middle of its edge, which its neighbour lacks."""
    V, F = np.array(box.vertices), np.array(box.faces)
    a, b, c = F[0]
    V = np.vstack([V, (V[a] + V[b]) / 2])
    trimesh.Trimesh(V, np.vstack([[[a, 8, c], [8, b, c]], F[1:]]), process=False).export(tmp_path / "m.stl")
    result = compute()
    assert codes(result) == ["G032"] and result.links[0].method == "exact"
    assert result.links[0].inertia == pytest.approx(BOX.moments, abs=1e-12)


def test_open_cup_falls_back_to_its_hull(compute, tmp_path):
    """A cube without its lid and one wall has an inside only by goodwill."""
    V = trimesh.creation.box((1, 1, 1))
    keep = (np.array(V.face_normals)[:, 2] < .5) & (np.array(V.face_normals)[:, 0] < .5)
    save(V, tmp_path / "m.stl", keep=keep)
    result = compute()
    assert codes(result) == ["G020", "G027"] and "method hull" in result.diagnostics[1].message
    assert result.links[0].method == "hull" and result.links[0].mass == pytest.approx(1)


def test_a_copy_and_a_reverse_of_a_face_cancel(compute, box, tmp_path):
    F = np.array(box.faces)
    save(box, tmp_path / "m.stl", faces=np.vstack([F, F[:1], F[:1, ::-1], F[3:4, ::-1], F[3:4], F[3:4]]))
    result = compute()
    assert codes(result) == ["G024"] and result.links[0].method == "exact"
    assert result.links[0].inertia == pytest.approx(BOX.moments, abs=1e-12)


@pytest.mark.parametrize("shell_inward", [False, True])
def test_a_cavity_stays_one_beside_another_body(compute, tmp_path, shell_inward):
    """A hollow box of 8 - 1, whole or inside out, beside a solid one of 1."""
    outer, inner, beside = (trimesh.creation.box((a, a, a)) for a in (2, 1, 1))
    inner.invert()
    beside.apply_translation((5, .3, .1))
    hollow = trimesh.util.concatenate([outer, inner])
    if shell_inward:
        hollow.invert()
    save(trimesh.util.concatenate([beside, hollow]), tmp_path / "m.stl")
    result = compute()
    assert codes(result) == (["G033", "G025"] if shell_inward else ["G025"])
    assert result.links[0].mass == pytest.approx(8)


@pytest.mark.parametrize("offset", [.3, .5, .7])
def test_overlaps_are_found_wherever_they_are(compute, tmp_path, offset):
    a, b = trimesh.creation.box((1, 1, 1)), trimesh.creation.box((1, 1, 1))
    b.apply_translation((offset, offset, offset))
    save(trimesh.util.concatenate([a, b]), tmp_path / "m.stl")
    assert codes(compute()) == ["G025", "G029"]


@pytest.mark.parametrize("thickness", [.002, .01])
def test_voxels_are_refined_until_they_settle(compute, tmp_path, thickness):
    """64 cells along the longest side of a plate are thicker than the plate; its volume is known."""
    trimesh.creation.box((.3, .2, thickness)).export(tmp_path / "m.stl")
    result = compute(method="voxel")
    assert result.links[0].mass == pytest.approx(.06 * thickness, rel=.08)
    assert codes(result) == ["G035"], "the budget ended, which is said"


def test_voxels_of_a_thick_part_settle(compute, tmp_path):
    """A block askew: V = 0.3 · 0.2 · 0.1."""
    block = trimesh.creation.box((.3, .2, .1))
    block.apply_transform(trimesh.transformations.euler_matrix(.3, .4, .5))
    block.export(tmp_path / "m.stl")
    result = compute(method="voxel")
    assert codes(result) == [] and result.links[0].mass == pytest.approx(.006, rel=.01)


def save_open_plates(path, thickness):
    """Two plates of 1 m x 1 m that overlap, each without the two triangles of one side."""
    mesh = trimesh.creation.box((1, 1, thickness))
    F = np.roll(mesh.faces, 4, axis=0)[:10]
    V = np.concatenate([mesh.vertices, mesh.vertices + (.1, .07, 0)])
    trimesh.Trimesh(V, np.concatenate([F, F + 8]), process=False).export(path)


@pytest.mark.parametrize("thickness, shape", [(1e-4, (1, 1)), (1e-7, (1e-7, 1))])
def test_open_plates_and_needles_are_refined_for_a_second_or_so(compute, tmp_path, monkeypatch, thickness, shape):
    """What costs time is counted: cells, and tests of rays, of which a second allows for five million."""
    save_open_plates(tmp_path / "m.stl", thickness)
    cells, tests, fill, toggle = [], [], voxels.voxelise_mesh, voxels._toggle

    def count_cells(*arguments):
        grid = fill(*arguments)
        cells.append(grid.filled.size)
        return grid

    def count_tests(T, start, span, face, within, *rest):
        tests.append(len(within))
        assert sum(tests) < 10_000_000
        toggle(T, start, span, face, within, *rest)
    monkeypatch.setattr(voxels, "voxelise_mesh", count_cells)
    monkeypatch.setattr(voxels, "_toggle", count_tests)
    compute(inside=f"<scale>{shape[0]} {shape[1]} 1</scale>")
    assert 0 < sum(cells) < 50_000_000


@pytest.mark.parametrize("size, shape", [((1, .85, .019), (512, 436, 10)), ((1, 4e-5, 4e-5), (1 << 14, 1, 1))])
def test_refining_ends_before_a_grid_of_16_mebicells_and_at_16384_along_a_side(
        compute, tmp_path, monkeypatch, size, shape):
    """A plate of 9.7 voxels of 1/512 m, of which half the size would make 20 · 1024 · 871 cells, over 2^24; a needle.
    """
    trimesh.creation.box(size).export(tmp_path / "m.stl")
    shapes, fill = [], voxels.voxelise_mesh

    def note_shape(*arguments):
        grid = fill(*arguments)
        shapes.append(grid.filled.shape)
        return grid
    monkeypatch.setattr(voxels, "voxelise_mesh", note_shape)
    assert codes(compute(method="voxel")) == ["G035"]
    assert max(shapes) == shape


def test_overlapping_triangles_count_against_the_limit_on_voxels(compute, tmp_path):
    """40 squares over 50 x 50 columns are 1e5 tests of rays along z alone, more than the limit; the grid itself is
    not."""
    mesh = trimesh.creation.box((1, 1, 1))
    F = np.concatenate([mesh.faces + 8 * k for k in range(40)])
    V = np.concatenate([mesh.vertices + (0, 0, k) for k in range(40)]) * (1, 1, .001)
    trimesh.Trimesh(V, F, process=False).export(tmp_path / "m.stl")
    (tmp_path / "m.sdf").write_text(
        '<sdf version="1.12"><model name="m"><link name="l"><inertial auto="true"/><collision name="c">'
        '<density>1</density><geometry><mesh><uri>m.stl</uri></mesh></geometry></collision></link></model></sdf>')
    loaded = load_file(tmp_path / "m.sdf", LoadOptions(budget=Budget(voxels=20_000)))
    (found,) = [d for d in loaded.inertias(method="voxel", voxel_size=.02).diagnostics if d.code == "G031"]
    assert "more than 20000 tests of rays against triangles" in found.message


def test_optimization_is_a_hint_only(compute, box):
    result = compute(attributes=' optimization="convex_hull"')
    assert codes(result) == ["G030"] and result.links[0].mass == pytest.approx(6)


def test_missing_file_says_where_was_looked(compute, tmp_path):
    result = compute("nowhere.stl")
    (found,) = result.diagnostics
    assert found.name == "uri-not-found" and str(tmp_path) in found.hint and found.path.endswith("/mesh/uri")
    assert (result.links[0].method, result.links[0].mass, result.links[0].physical) == ("failed", 0, False)


BROKEN = {
    "huge_header.stl": b" " * 80 + struct.pack("<I", 43_000_000), "garbage.stl": bytes(range(256)) * 4,
    "empty.obj": b"", "wires.obj": b"v 0 0 0\nv 1 0 0\nl 1 2\n", "not_xml.dae": b"hello",
    "bad.glb": b"glTF" + bytes(40), "bad.gltf": b"{", "unknown.xyz": b"1 2 3",
    "headless.ply": b"ply\nformat ascii 1.0\n",
    "negative.ply": b"ply\nformat ascii 1.0\nelement vertex -5\nproperty float x\nend_header\n",
}


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_broken_file_is_one_error_and_no_exception(compute, tmp_path, name):
    (tmp_path / name).write_bytes(BROKEN[name])
    result = compute(name)
    assert len(result.diagnostics) == 1, result.diagnostics
    found = result.diagnostics[0]
    assert found.severity == "error" and found.code[0] == "G" and name in found.message and found.line


def gltf(tmp_path, uri):
    """A triangle whose buffer is `uri`."""
    accessor = {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}
    (tmp_path / "sub").mkdir(exist_ok=True)
    (tmp_path / "sub" / "m.gltf").write_text(json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "buffers": [{"uri": uri, "byteLength": 36}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}], "accessors": [accessor]}))
    return str(tmp_path / "sub" / "m.gltf")


def test_buffers_are_read_from_the_files_folder_only(tmp_path):
    path = gltf(tmp_path, "b.bin")
    content = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype="<f4").tobytes()
    (tmp_path / "sub" / "b.bin").write_bytes(content)
    (tmp_path / "b.bin").write_bytes(content)
    assert len(read_mesh_file(path)[0].faces) == 1
    surface, (found,) = read_mesh_file(gltf(tmp_path, "../b.bin"))
    assert surface is None and "outside of its folder" in found.message


TRIANGLE = {
    "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "bufferViews": [{"buffer": 0, "byteLength": 36}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
    "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64," + base64.b64encode(
        np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype="<f4").tobytes()).decode()}]}


@pytest.mark.parametrize("change, code, words", [
    ({"accessors": [{"componentType": 5126, "count": 400_000_000, "type": "VEC3"}]}, "G016", "the limit is 1073741824"),
    ({"accessors": [{**TRIANGLE["accessors"][0], "count": 10 ** 6}] * 100}, "G016", "the limit is 1073741824"),
    ({"accessors": [{**TRIANGLE["accessors"][0], "count": 50_000_000}],
      "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}]}, "G016", "the limit is 1073741824"),
    ({"nodes": [{"children": [i + 1]} for i in range(50_000)] + [{"mesh": 0}]}, "X024", "the limit is 50000"),
    ({"accessors": [{"count": "3", "type": "VEC3"}]}, "G011", "malformed")])
def test_a_small_gltf_file_cannot_be_a_large_mesh(tmp_path, change, code, words):
    path = tmp_path / "m.gltf"
    path.write_text(json.dumps({**TRIANGLE, **change}))
    surface, (found,) = read_mesh_file(str(path))
    assert surface is None and found.code == code and words in found.message


@pytest.mark.skipif(not Path(os.devnull).is_char_device(), reason="no device here")
def test_a_device_is_not_read_as_a_mesh(tmp_path):
    """A pipe or /dev/zero would be read for ever."""
    (tmp_path / "m.stl").symlink_to(os.devnull)
    surface, (found,) = read_mesh_file(str(tmp_path / "m.stl"))
    assert surface is None and "it is not a file" in found.message


def test_directory_and_oversized_files_are_refused(tmp_path):
    (tmp_path / "d.stl").mkdir()
    assert read_mesh_file(str(tmp_path / "d.stl"))[1][0].code == "G011"
    with open(tmp_path / "big.stl", "wb") as stream:
        stream.truncate(DEFAULT.mesh_bytes + 1)
    assert read_mesh_file(str(tmp_path / "big.stl"))[1][0].code == "G016"


@pytest.mark.parametrize("seed", range(40))
def test_damaged_files_never_raise(tmp_path, seed):
    rng = np.random.default_rng(seed)
    extension = ["stl", "obj", "ply", "off", "glb", "dae"][seed % 6]
    path = tmp_path / f"m.{extension}"
    trimesh.creation.icosphere(subdivisions=1).export(path)
    content = bytearray(path.read_bytes())
    for _ in range(20):
        content[rng.integers(len(content))] = rng.integers(256)
    path.write_bytes(content[:rng.integers(len(content))] if seed % 2 else content)
    surface, found = read_mesh_file(str(path))
    assert (surface is None) == any(d.severity == "error" for d in found)
