"""Mesh files: formats, units, parts, scale, the verdict, the choice of method, and files that are broken."""
import base64
import json
import os
import struct
from pathlib import Path

import numpy as np
import pytest
from inertia_snippets import AUTO, codes

from sdf_frames.document.budget import DEFAULT, Budget, Spending
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


def test_scale_stretches_and_mirrors(compute, box):
    (link,) = compute(inside="<scale>2 -1 0.5</scale>").links
    assert link.mass == pytest.approx(6)
    assert link.inertia == pytest.approx(integrate_box(2, 2, 1.5).moments, abs=1e-12)


def test_collada_unit_and_node_transform(compute, tmp_path):
    mesh = trimesh.creation.box((100, 200, 300))
    mesh.export(tmp_path / "m.dae")
    text = (tmp_path / "m.dae").read_text()
    text = text.replace("<asset>", '<asset><unit name="centimeter" meter="0.01"/>') if "<unit" not in text else \
        __import__("re").sub(r"<unit[^>]*>", '<unit name="centimeter" meter="0.01"/>', text)
    text = text.replace("<instance_geometry", "<translate>500 0 0</translate><instance_geometry", 1)
    (tmp_path / "m.dae").write_text(text)
    (link,) = compute("m.dae").links
    assert link.mass == pytest.approx(6) and link.pose[:3] == pytest.approx((5, 0, 0), abs=1e-12)
    assert link.inertia == pytest.approx(BOX.moments, abs=1e-12)


def two_parts(path):
    scene = trimesh.Scene()
    a, b = trimesh.creation.box((1, 2, 3)), trimesh.creation.box((2, 2, 2))
    b.apply_translation((10, 0, 0))
    scene.add_geometry(a, geom_name="a", node_name="a")
    scene.add_geometry(b, geom_name="b", node_name="b")
    path.write_bytes(scene.export(file_type="glb"))


def test_submesh_and_center(compute, tmp_path):
    two_parts(tmp_path / "m.glb")
    assert compute("m.glb").links[0].mass == pytest.approx(14)
    (link,) = compute("m.glb", "<submesh><name>b</name></submesh>").links
    assert link.mass == pytest.approx(8) and link.pose[0] == pytest.approx(10)
    (link,) = compute("m.glb", "<submesh><name>b</name><center>true</center></submesh>").links
    assert link.mass == pytest.approx(8) and link.pose[:3] == pytest.approx((0, 0, 0), abs=1e-12)
    result = compute("m.glb", "<submesh><name>c</name></submesh>")
    assert codes(result) == ["G017"] and "a, b" in result.diagnostics[0].hint


def test_inverted_mesh_is_turned_with_a_note(compute, box, tmp_path):
    save(box, tmp_path / "m.stl", faces=np.array(box.faces)[:, ::-1])
    result = compute()
    assert codes(result) == ["G021"] and result.links[0].mass == pytest.approx(6)


def test_mixed_winding_is_mended_with_a_warning(compute, box, tmp_path):
    F = np.array(box.faces)
    F[3] = F[3, ::-1]
    save(box, tmp_path / "m.stl", faces=F)
    result = compute()
    assert codes(result) == ["G022"] and result.links[0].mass == pytest.approx(6) and result.links[0].method == "exact"


def test_a_plane_hole_is_closed_exactly(compute, tmp_path):
    """A plate of 0.3 × 0.2 × 0.005 without one of its 12 triangles: V = abc, Ixx = V (b² + c²) / 12."""
    plate = trimesh.creation.box((.3, .2, .005))
    for missing in range(12):
        save(plate, tmp_path / f"{missing}.stl", keep=np.arange(12) != missing)
        result = compute(f"{missing}.stl")
        assert codes(result) == ["G020", "G034"]
        assert result.diagnostics[1].message.endswith("the estimated error is none")
        (link,) = result.links
        assert link.method == "exact" and link.mass == pytest.approx(.0003, rel=1e-6)  # STL has single precision
        assert link.inertia[:3] == pytest.approx(
            [.0003 * s / 12 for s in (.2**2 + .005**2, .3**2 + .005**2, .3**2 + .2**2)], rel=1e-6)


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


def test_sheet_encloses_nothing_and_says_so_once(compute, tmp_path):
    trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]],
                    process=False).export(tmp_path / "m.stl")
    result = compute()
    assert codes(result) == ["G028"] and "4 of its 5 edges" in result.diagnostics[0].message
    assert result.links[0].mass == 0


def test_duplicates_count_once(compute, box, tmp_path):
    save(box, tmp_path / "m.stl", faces=np.vstack([box.faces, box.faces[:4]]))
    result = compute()
    assert codes(result) == ["G024"] and result.links[0].mass == pytest.approx(6)


def test_a_copy_and_a_reverse_of_a_face_cancel(compute, box, tmp_path):
    F = np.array(box.faces)
    save(box, tmp_path / "m.stl", faces=np.vstack([F, F[:1], F[:1, ::-1], F[3:4, ::-1], F[3:4], F[3:4]]))
    result = compute()
    assert codes(result) == ["G024"] and result.links[0].method == "exact"
    assert result.links[0].inertia == pytest.approx(BOX.moments, abs=1e-12)


@pytest.mark.parametrize("copies", [1, 2])
def test_mesh_drawn_from_both_sides_keeps_one(compute, box, tmp_path, copies):
    save(box, tmp_path / "m.stl", faces=np.vstack(copies * [box.faces, np.array(box.faces)[:, ::-1]]))
    result = compute()
    assert "G024" in codes(result) and result.links[0].mass == pytest.approx(6)


def test_bodies_that_share_a_face_are_both_counted(compute, tmp_path):
    V = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, -1]]
    up, down = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], [[0, 1, 2], [1, 0, 4], [2, 1, 4], [0, 2, 4]]
    trimesh.Trimesh(V, up + down, process=False).export(tmp_path / "m.stl")
    result = compute()
    assert result.links[0].mass == pytest.approx(1 / 3) and result.links[0].method == "exact"


def test_overlapping_bodies_are_warned_about(compute, tmp_path):
    a, b = trimesh.creation.box((1, 1, 1)), trimesh.creation.box((1, 1, 1))
    b.apply_translation((.5, .25, .125))
    trimesh.util.concatenate([a, b]).export(tmp_path / "m.stl")
    result = compute()
    assert codes(result) == ["G025", "G029"] and result.links[0].mass == pytest.approx(2)


@pytest.mark.parametrize("flip_small, flip_large, codes_expected, mass", [
    (False, False, ["G025"], 9), (True, False, ["G033", "G025"], 9), (False, True, ["G033", "G025"], 9),
    (True, True, ["G025", "G021"], 9)])
def test_a_body_that_looks_inward_is_turned_by_itself(compute, tmp_path, flip_small, flip_large, codes_expected, mass):
    small, large = trimesh.creation.box((1, 1, 1)), trimesh.creation.box((2, 2, 2))
    small.apply_translation((5, .3, .1))
    for mesh, flip in ((small, flip_small), (large, flip_large)):
        if flip:
            mesh.invert()
    save(trimesh.util.concatenate([small, large]), tmp_path / "m.stl")
    result = compute()
    assert codes(result) == codes_expected and result.links[0].mass == pytest.approx(mass)
    # 8 kg at the origin and 1 kg at x = 5.
    assert result.links[0].pose[0] == pytest.approx(5 / 9)


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


def test_millimetres_are_suspected(compute, tmp_path):
    trimesh.creation.box((100, 200, 300)).export(tmp_path / "m.stl")
    assert codes(compute()) == ["G026"]
    assert codes(compute(inside="<scale>0.001 0.001 0.001</scale>")) == []


def test_methods_on_a_concave_body(compute, tmp_path):
    annulus = trimesh.creation.annulus(.5, 1, 1, sections=64)
    annulus.export(tmp_path / "m.stl")
    exact, voxel, hull, shell = (compute(method=m).links[0] for m in ("exact", "voxel", "hull", "shell"))
    assert [x.method for x in (exact, voxel, hull, shell)] == ["exact", "voxel", "hull", "shell"]
    assert exact.mass == pytest.approx(np.pi * .75, rel=.003)
    assert voxel.mass == pytest.approx(exact.mass, rel=.02)
    assert hull.mass == pytest.approx(np.pi, rel=.003)
    assert shell.mass == pytest.approx(annulus.area)


def test_parameters_of_the_description_steer_voxels(compute, box):
    def params(text):
        return f'<auto_inertia_params xmlns:gz="http://gazebosim.org/schema">{text}</auto_inertia_params>'
    assert compute(params=params("<gz:voxel_size>0.1</gz:voxel_size>")).links[0].method == "exact"
    link = compute(params=params("<gz:method>voxel</gz:method><gz:voxel_size>0.25</gz:voxel_size>")).links[0]
    assert link.method == "voxel" and link.mass == pytest.approx(6)
    assert compute(params=params("<gz:method>voxel</gz:method>"), method="hull").links[0].method == "hull"


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


def test_a_thin_part_and_a_voxel_beyond_the_part(compute, tmp_path):
    trimesh.creation.box((.3, .2, .002)).export(tmp_path / "m.stl")
    result = compute(method="voxel", voxel_size=.001)
    assert codes(result) == ["G035"] and "is 2 voxels of 0.001 m thick" in result.diagnostics[0].message
    assert codes(compute(method="voxel", voxel_size=.0004)) == []  # five cells
    result = compute(method="voxel", voxel_size=.31)
    assert codes(result) == ["G036"] and result.diagnostics[0].severity == "error"
    assert result.links[0].method == "failed"


def test_too_many_voxels_are_made_fewer_with_a_warning(tmp_path, box):
    (tmp_path / "m.sdf").write_text(
        '<sdf version="1.12"><model name="m"><link name="l"><inertial auto="true"/><collision name="c">'
        '<density>1</density>'
        '<geometry><mesh><uri>m.stl</uri></mesh></geometry></collision></link></model></sdf>')
    loaded = load_file(tmp_path / "m.sdf", LoadOptions(budget=Budget(voxels=10_000)))
    result = loaded.inertias(method="voxel", voxel_size=1e-9)
    assert "--limit voxels=N" in result.diagnostics[0].hint
    assert codes(result) == ["G031"] and result.links[0].mass == pytest.approx(6, rel=.2)


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
        '<density>1</density>'
        '<geometry><mesh><uri>m.stl</uri></mesh></geometry></collision></link></model></sdf>')
    loaded = load_file(tmp_path / "m.sdf", LoadOptions(budget=Budget(voxels=20_000)))
    (found,) = [d for d in loaded.inertias(method="voxel", voxel_size=.02).diagnostics if d.code == "G031"]
    assert "more than 20000 tests of rays against triangles" in found.message


def test_optimization_is_a_hint_only(compute, box):
    result = compute(attributes=' optimization="convex_hull"')
    assert codes(result) == ["G030"] and result.links[0].mass == pytest.approx(6)


def test_missing_file_says_where_was_looked(compute, tmp_path):
    result = compute("nowhere.stl")
    (found,) = result.diagnostics
    assert found.name == "uri-not-found" and str(tmp_path) in found.hint
    assert (result.links[0].method, result.links[0].mass, result.links[0].physical) == ("failed", 0, False)


def stl(count, triangles):
    return b" " * 80 + struct.pack("<I", count) + b"".join(struct.pack("<12fH", 0, 0, 1, *t, 0) for t in triangles)


BROKEN = {
    "empty.stl": b"", "truncated.stl": stl(12, [(0, 0, 0, 1, 0, 0, 0, 1, 0)]), "huge_header.stl": stl(43_000_000, []),
    "garbage.stl": bytes(range(256)) * 4, "empty.obj": b"", "wires.obj": b"v 0 0 0\nv 1 0 0\nl 1 2\n",
    "nan.stl": stl(1, [(float("nan"), 0, 0, 1, 0, 0, 0, 1, 0)]),
    "infinite.off": b"OFF\n3 1 0\n0 0 0\n1 0 inf\n0 1 0\n3 0 1 2\n",
    "out_of_range.off": b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n", "not_xml.dae": b"hello",
    "no_scene.dae": b'<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" '
                    b'version="1.4.1"/>',
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
    ({"nodes": [{"children": [1, 1]}, {"mesh": 0}]}, "G011", "a node has two parents"),
    ({"nodes": [{"mesh": 0}, {"children": [2]}, {"children": [1]}]}, "G011", "a node is below itself"),
    ({"nodes": [{"mesh": 0, "children": [7]}]}, "G011", "malformed"),
    ({"accessors": [{"count": "3", "type": "VEC3"}]}, "G011", "malformed"),
    ({"meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "mode": 5}]}]}, "G011", "strips without indices")])
def test_a_small_gltf_file_cannot_be_a_large_mesh(tmp_path, change, code, words):
    path = tmp_path / "m.gltf"
    path.write_text(json.dumps({**TRIANGLE, **change}))
    surface, (found,) = read_mesh_file(str(path))
    assert surface is None and found.code == code and words in found.message


def test_gltf_nodes_stand_where_their_parents_put_them(tmp_path):
    """100 nodes one below the other, each a metre further, each with a triangle."""
    path = tmp_path / "m.gltf"
    nodes = [{"children": [i + 1] if i < 99 else [], "translation": [1, 0, 0], "mesh": 0} for i in range(100)]
    path.write_text(json.dumps({**TRIANGLE, "nodes": [{k: v for k, v in n.items() if v != []} for n in nodes]}))
    surface, found = read_mesh_file(str(path))
    assert found == () and len(surface.faces) == 100
    assert sorted(set(surface.vertices[:, 0].tolist())) == list(range(1, 102))
    surface, (found,) = read_mesh_file(str(path), spending=Spending(Budget(faces=99)))
    assert surface is None and found.name == "limit-exceeded"
    assert found.message.startswith("100 ") and found.message.endswith(" is 99")


@pytest.mark.skipif(not Path(os.devnull).is_char_device(), reason="no device here")
def test_a_device_is_not_read_as_a_mesh(tmp_path):
    """A pipe or /dev/zero would be read for ever."""
    (tmp_path / "m.stl").symlink_to(os.devnull)
    surface, (found,) = read_mesh_file(str(tmp_path / "m.stl"))
    assert surface is None and "it is not a file" in found.message


def test_compressed_gltf_is_refused_and_not_taken_for_empty(tmp_path):
    for name in ("KHR_draco_mesh_compression", "EXT_meshopt_compression"):
        path = tmp_path / "m.gltf"
        path.write_text(
            json.dumps({"asset": {"version": "2.0"}, "extensionsRequired": [name], "scenes": [{"nodes": []}]}))
        surface, (found,) = read_mesh_file(str(path))
        assert surface is None and name in found.message and found.code == "G011"


@pytest.mark.parametrize("lost", [1, 5, 11])
def test_ascii_ply_that_is_cut_off_is_refused(tmp_path, lost):
    path = tmp_path / "m.ply"
    trimesh.creation.box().export(path, encoding="ascii")
    lines = path.read_text().splitlines(keepends=True)
    assert read_mesh_file(str(path))[1] == ()
    path.write_text("".join(lines[:-lost]))
    surface, (found,) = read_mesh_file(str(path))
    assert surface is None and "20 elements" in found.message and f"{20 - lost} lines" in found.message


def test_a_binary_file_is_malformed_whatever_modules_are_installed(tmp_path):
    path = tmp_path / "m.glb"
    trimesh.creation.box().export(path)
    content = bytearray(path.read_bytes())
    content[12:16] = (2 ** 31 - 1).to_bytes(4, "little")
    path.write_bytes(content)
    surface, (found,) = read_mesh_file(str(path))
    assert surface is None and "charset" not in found.message + str(found.hint)


def test_collada_entities_are_not_expanded(tmp_path):
    path = tmp_path / "m.dae"
    trimesh.creation.box().export(path)
    text = path.read_text()
    head, rest = text.split("<COLLADA", 1)
    path.write_text(f'{head}<!DOCTYPE COLLADA [<!ENTITY a SYSTEM "file:///etc/hostname">]><COLLADA{rest}')
    surface, (found,) = read_mesh_file(str(path))
    assert surface is None and "entities" in found.message


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
