"""Reading a mesh file: what comes back of parts and units, and each way in which a file is refused."""
import json
import struct

import numpy as np
import pytest

from sdf_frames.diagnostics import Location
from sdf_frames.document.budget import Budget, LimitExceeded, Spending
from sdf_frames.inertia import mesh_file
from sdf_frames.inertia.gltf_file import take_gltf
from sdf_frames.inertia.mesh_file import read_mesh_file, take_used
from sdf_frames.inertia.mesh_parts import MeshPart, VertexUnknown

TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
V = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], dtype=float)
F = np.array([(0, 1, 2)])
AT = Location("m.sdf", 7, "/sdf/model")


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "m.obj"
    path.write_text(TRIANGLE)
    return path


def give(monkeypatch, *parts):
    """What any file holds from now on."""
    monkeypatch.setattr(mesh_file, "_load_parts", lambda *_: list(parts))


def fail(monkeypatch, error):
    def refuse(*_):
        raise error
    monkeypatch.setattr(mesh_file, "_load_parts", refuse)


def test_used_vertices():
    vertices = np.arange(15).reshape(5, 3)
    assert take_used(vertices, np.array([(0, 3, 1), (3, 0, 1)])).tolist() == vertices[[0, 1, 3]].tolist()


@pytest.mark.parametrize(("extension", "has_unit"), [("obj", False), ("STL", False), ("off", False), ("ply", False),
                                                     ("dae", True), ("GLB", True), ("gltf", True)])
def test_formats_with_a_unit(tmp_path, monkeypatch, extension, has_unit):
    give(monkeypatch, MeshPart((frozenset("a"),), V, F))
    path = tmp_path / f"m.{extension}"
    path.write_bytes(b"")
    surface, found = read_mesh_file(str(path))
    assert surface.has_unit is has_unit and found == ()


def test_a_part_is_called_by_its_first_kind_of_name(path, monkeypatch):
    """What bears a name first hides what bears it second; Blender's exporter adds -mesh."""
    def names(*kinds):
        return tuple(frozenset(kind.split()) for kind in kinds)
    give(monkeypatch, MeshPart(names("node_a", "shape"), V, F), MeshPart(names("node_b", "node_a x-mesh"), V + 1, F),
         MeshPart(names("other"), V + 2, F), MeshPart(names("node_c", "shape"), V + 3, F))
    for submesh, shifts in (("node_a", [0]), ("node_b", [1]), ("shape", [0, 3]), ("x", [1]), ("other", [2])):
        surface, _ = read_mesh_file(str(path), submesh)
        assert surface.vertices[::3, 0].tolist() == shifts, submesh
    surface, (found,) = read_mesh_file(str(path), "gone", AT)
    assert surface is None and (found.name, found.line) == ("mesh-without-submesh", 7)
    assert "node_a, node_b, node_c, other" in found.hint and "named 'gone'" in found.message


def test_at_most_ten_names_are_listed(path, monkeypatch):
    give(monkeypatch, *[MeshPart((frozenset([f"n{i:02}"]),), V, F) for i in range(12)])
    _, (found,) = read_mesh_file(str(path), "gone")
    assert "n09" in found.hint and "n10" not in found.hint


@pytest.mark.parametrize(("index", "said"), [(3, "vertex 3, but there are 3"), (-1, "vertex -1, but there are 3")])
def test_indices_are_checked_in_every_part(path, monkeypatch, index, said):
    good, bad = MeshPart((frozenset("a"),), V, F), MeshPart((frozenset("b"),), V, np.array([(0, 1, index)]))
    give(monkeypatch, good, bad)
    surface, (found,) = read_mesh_file(str(path), at=AT)
    assert surface is None and found.name == "mesh-index-out-of-range" and said in found.message and found.line == 7


@pytest.mark.parametrize(("place", "count"), [(0, 1), (2, 1), (3, 0)])
def test_numbers_count_where_a_face_uses_them(path, monkeypatch, place, count):
    """Two of the three numbers of a vertex are bad: that is one vertex."""
    W = np.vstack([V, [(0, 0, 1)]])
    W[place, 1:] = np.nan, np.inf
    give(monkeypatch, MeshPart((frozenset("a"),), W, F))
    surface, found = read_mesh_file(str(path), at=AT)
    if count:
        assert surface is None and found[0].name == "mesh-not-finite" and "1 vertex" in found[0].message
    else:
        assert found == () and len(surface.vertices) == 4


def test_a_file_without_triangles(path, monkeypatch):
    give(monkeypatch)
    for submesh in (None, "a"):
        surface, (found,) = read_mesh_file(str(path), submesh, AT)
        assert surface is None and (found.name, found.line) == ("mesh-empty", 7)


@pytest.mark.parametrize(("error", "said"), [
    (ValueError("it is\n  bent"), "it is bent"), (ValueError(), "ValueError"), (RecursionError("deep"), "deep"),
    (KeyError("POSITION"), "its content is malformed ('POSITION')"),
    (AttributeError("x"), "its content is malformed (x)"),
    (IndexError("i"), "its content is malformed (i)"), (TypeError("t"), "its content is malformed (t)"),
    (AssertionError(), "its content is malformed (AssertionError)"),
    (ValueError(160 * "x"), 160 * "x"), (ValueError(161 * "x"), 157 * "x" + "…"),
    (ModuleNotFoundError("No module", name="chardet"), "its content is malformed: the text cannot be decoded")])
def test_errors_give_the_reason(path, monkeypatch, error, said):
    fail(monkeypatch, error)
    surface, (found,) = read_mesh_file(str(path), at=AT)
    assert surface is None and (found.name, found.line) == ("mesh-unreadable", 7)
    assert found.message.endswith(said) and found.message.count("x") <= 162
    if len(str(error)) == 161:
        assert 157 * "x" + "…" in found.message


def test_a_reader_with_a_message_of_its_own(path, monkeypatch):
    """As lxml's: `msg` is what it says, without the words around it."""
    error = ValueError("ValueError with much around: bent")
    error.msg = "bent"
    fail(monkeypatch, error)
    _, (found,) = read_mesh_file(str(path))
    assert "bent" in found.message and "around" not in found.message


def test_an_index_that_a_reader_refuses(path, monkeypatch):
    fail(monkeypatch, VertexUnknown(9, 4))
    surface, (found,) = read_mesh_file(str(path), at=AT)
    assert surface is None and "vertex 9, but there are 4" in found.message and found.line == 7


def test_limits_in_bytes_and_faces(path):
    path.write_text(TRIANGLE + "f 1 3 2\n")
    size = path.stat().st_size
    for budget, name in ((Budget(mesh_bytes=size), None), (Budget(mesh_bytes=size - 1), "mesh-too-large"),
                         (Budget(faces=2), None), (Budget(faces=1), "limit-exceeded")):
        surface, found = read_mesh_file(str(path), at=AT, spending=Spending(budget))
        assert (surface is None) == bool(name)
        assert [(d.name, d.line) for d in found] == ([] if name is None else [(name, 7)])


@pytest.mark.parametrize(("kind", "numbers"), [
    ("SCALAR", 1), ("VEC2", 2), ("VEC3", 3), ("VEC4", 4), ("MAT2", 4), ("MAT3", 9), ("MAT4", 16)])
def test_numbers_in_an_element_of_a_gltf_array(kind, numbers):
    text = json.dumps({"accessors": [{"count": 7, "type": kind}]}).encode()
    take_gltf(text, Budget(mesh_bytes=4 * 7 * numbers))
    with pytest.raises(LimitExceeded):
        take_gltf(text, Budget(mesh_bytes=4 * 7 * numbers - 1))


PLY = ("ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\n"
       "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")


@pytest.mark.parametrize(("text", "lines"), [(PLY, None), (PLY + "\n", None), (PLY.rpartition("3 0")[0], 3)])
def test_an_ascii_ply_has_a_line_for_each_element(tmp_path, text, lines):
    pytest.importorskip("trimesh")
    path = tmp_path / "m.ply"
    path.write_text(text)
    surface, found = read_mesh_file(str(path))
    if lines is None:
        assert found == () and surface.vertices.tolist() == V.tolist() and surface.faces.tolist() == F.tolist()
    else:
        assert f"its header says 4 elements, but {lines} lines follow" in found[0].message


def test_a_binary_ply_is_not_counted_by_lines(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    path = tmp_path / "m.ply"
    trimesh.creation.box().export(path, encoding="binary")
    surface, found = read_mesh_file(str(path))
    assert found == () and len(surface.faces) == 12


PLY = ("ply\nformat {} 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
       "element face {}\nproperty list uchar int vertex_indices\nend_header\n")


@pytest.mark.parametrize("sizes, said", [
    ((3, 3, 3), None), ((4, 4), None),
    ((4, 3), "cannot be read: it is cut off, or its faces have different numbers of corners: save the mesh as ASCII"),
    ((4, 3, 5), "cannot be read: its faces have different numbers of corners: save the mesh as ASCII PLY, STL or OBJ")])
def test_faces_of_several_sizes_in_a_binary_ply(tmp_path, sizes, said):
    """trimesh reads all faces with the size of the first: 4, 3 and 5 corners have the length of three times 4."""
    pytest.importorskip("trimesh")
    path = tmp_path / "m.ply"
    path.write_bytes(PLY.format("binary_little_endian", len(sizes)).encode()
                     + struct.pack("<12f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
                     + b"".join(struct.pack(f"<B{size}i", size, *[i % 4 for i in range(size)]) for size in sizes))
    surface, found = read_mesh_file(str(path))
    assert found == () if said is None else surface is None and said in found[0].message


@pytest.mark.parametrize("line, faces", [
    ("3 1 2 3", 4), ("4 1 0 2 3", 5), ("999999999 1 2 3", None), ("-3 1 2 3", None), ("2 1 2 3", None), ("3 1 2", None),
    ("4 1 2 3", None)])
def test_a_face_of_an_ascii_ply_has_the_corners_that_it_says(tmp_path, line, faces):
    pytest.importorskip("trimesh")
    path = tmp_path / "m.ply"
    rows = ["0 0 0", "1 0 0", "0 1 0", "0 0 1", "3 0 2 1", "3 0 1 3", "3 0 3 2", line]
    path.write_text(PLY.format("ascii", 4) + "\n".join(rows) + "\n")
    surface, found = read_mesh_file(str(path))
    assert (surface and len(surface.faces)) == faces
    assert faces is not None or f"a line does not hold as many numbers as it says: {line}" in found[0].message


def take(vertices, faces):
    return mesh_file._take_faces(type("Geometry", (), {"vertices": vertices, "faces": faces})())


def test_surfaces_from_trimesh_become_triangles():
    assert [array.tolist() for array in take(V, F)] == [V.tolist(), F.tolist()]
    assert [[array.shape for array in take(V, none)] for none in (np.empty((0, 3), int), None)] == [[(0, 3)] * 2] * 2
    # A polygon is cut into a fan.
    square = np.vstack([V, [(1, 1, 0), (2, 2, 0)]])
    assert take(square, np.array([(0, 1, 3, 2)]))[1].tolist() == [[0, 1, 3], [0, 3, 2]]
    assert take(square, np.array([(0, 1, 4, 3, 2)]))[1].tolist() == [[0, 1, 4], [0, 4, 3], [0, 3, 2]]


def test_corners_that_older_versions_number_thrice():
    """Of two triangles without indices: six vertices, each of which is said to have three corners."""
    six = np.vstack([V, V + 1])
    assert take(six, np.arange(18).reshape(6, 3))[1].tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize(("vertices", "faces", "said"), [
    (V[:, :2], F, "a vertex does not have three coordinates"), (V[0], F, "a vertex does not have three coordinates"),
    (V, F[:, :2], "not triangles"), (V, F[0], "not triangles"), (V, F.astype(float), "not triangles")])
def test_arrays_that_are_not_a_surface_are_refused(vertices, faces, said):
    with pytest.raises(ValueError, match=said):
        take(vertices, faces)
    assert take(V, F.astype("uint8"))[1].tolist() == F.tolist()


def test_parts_stand_where_their_node_puts_them():
    X = np.diag([2.0, 3, 4, 1])
    X[:3, 3] = 1, 0, 0
    part = mesh_file._place_part("n", V, F, X)
    assert part.vertices.tolist() == [[1, 0, 0], [3, 0, 0], [1, 3, 0]] and part.faces.tolist() == F.tolist()
    X[0, 0] = -2  # a mirror turns the faces
    part = mesh_file._place_part("n", V, F, X)
    assert part.vertices.tolist() == [[1, 0, 0], [-1, 0, 0], [1, 3, 0]] and part.faces.tolist() == [[2, 1, 0]]
