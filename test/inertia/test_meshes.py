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


TRIANGLE = {
    "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "bufferViews": [{"buffer": 0, "byteLength": 36}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
    "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64," + base64.b64encode(
        np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype="<f4").tobytes()).decode()}]}


def gltf(tmp_path, uri):
    """A triangle whose buffer is `uri`."""
    (tmp_path / "sub").mkdir(exist_ok=True)
    path = tmp_path / "sub" / "m.gltf"
    path.write_text(json.dumps({**TRIANGLE, "buffers": [{"uri": uri, "byteLength": 36}]}))
    return str(path)


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
