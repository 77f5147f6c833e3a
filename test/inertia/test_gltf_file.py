"""What a glTF file may ask for: compression, arrays, trees of nodes and files, up to each limit."""
import json
import re

import numpy as np
import pytest
import trimesh

from sdf_frames.document.budget import Budget, LimitExceeded
from sdf_frames.document.confinement import Boundary
from sdf_frames.document.door import Door
from sdf_frames.inertia.gltf_file import make_file_resolver, take_gltf
from sdf_frames.inertia.mesh_file import read_mesh_file


def check(content, **budget):
    return take_gltf(content if isinstance(content, bytes) else json.dumps(content).encode(), Budget(**budget))


def make_chain(count):
    """Nodes, each the only child of the one before."""
    return {"nodes": [{"children": [k + 1]} if k + 1 < count else {} for k in range(count)]}


def make_binary(header, rest=b"", more=0):
    text = json.dumps(header).encode()
    return (b"glTF" + (2).to_bytes(4, "little") + bytes(4) + (len(text) + more).to_bytes(4, "little") + b"JSON" + text
            + rest)


STRIP = {"attributes": {"POSITION": 0}, "mode": 5}
ARRAY = {"count": 3, "type": "VEC3"}


LEAST = {"scenes": [{"nodes": []}], "nodes": [], "meshes": [], "accessors": [], "bufferViews": [], "buffers": []}
TREE = [{"children": [1, 2]}, {"children": [3]}, {}, {}, {}]


@pytest.mark.parametrize("content, taken", [
    ({}, {}), ({"extensionsUsed": ["KHR_draco_mesh_compression"], "extensionsRequired": ["KHR_materials_unlit"]}, {}),
    ({"meshes": [{"name": "m", "extras": {"a": [[]]}, "primitives": [{**STRIP, "indices": 0, "material": 3}]}],
      "accessors": [{**ARRAY, "extras": {}}]},
     {"meshes": [{"name": "m", "primitives": [{**STRIP, "indices": 0}]}], "accessors": [ARRAY]}),
    ({"meshes": [{"primitives": [{**STRIP, "mode": 4}]}], "accessors": [ARRAY], "images": [{"uri": "/secret.png"}]},
     {"meshes": [{"primitives": [{**STRIP, "mode": 4}]}], "accessors": [ARRAY]}),
    # The name "world" is that of trimesh's own root.
    ({"nodes": [{"name": "world", "camera": 0, "mesh": 1}], "scenes": [{"nodes": [0], "name": "s"}], "scene": 0},
     {"nodes": [{"mesh": 1, "matrix": np.eye(4).ravel().tolist()}], "scenes": [{"nodes": [0]}]})])
def test_what_trimesh_gets(content, taken):
    expected = {**LEAST, **taken}
    assert json.loads(check(content)) == expected
    binary = check(make_binary(content, b"BIN is no JSON"))
    size = int.from_bytes(binary[12:16], "little")
    assert binary[:8] == make_binary({})[:8] and int.from_bytes(binary[8:12], "little") == len(binary)
    assert binary[16:20] == b"JSON" and size % 4 == 0 and json.loads(binary[20:20 + size]) == expected
    assert binary[20 + size:] == b"BIN is no JSON"


def test_a_picture_also_takes_materials_and_colours():
    looks = {"materials": [{"name": "m"}], "textures": [{"source": 0}], "images": [{"uri": "a.png"}], "samplers": [{}]}
    primitive = {"attributes": {"POSITION": 0, "TEXCOORD_0": 0, "COLOR_0": 0, "NORMAL": 0, "_OWN": 0}, "material": 0}
    header = {**looks, "meshes": [{"primitives": [primitive]}], "accessors": [ARRAY], "extras": 1}
    plain, full = (json.loads(take_gltf(json.dumps(header).encode(), looks=some)) for some in (False, True))
    assert plain == {**LEAST, "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "accessors": [ARRAY]}
    for name in ("NORMAL", "_OWN"):
        del primitive["attributes"][name]
    assert full == {**LEAST, **looks, "meshes": [{"primitives": [primitive]}], "accessors": [ARRAY]}


NO_JSON = "its content is malformed: its header is not JSON in UTF-8"


@pytest.mark.parametrize("content, said", [
    # trimesh guesses at encodings, and takes the file model.gltf of the folder if it cannot decode this one.
    (b"{", NO_JSON), (b"", NO_JSON), (b"[" * 100_000, NO_JSON), (b'{"a": "\xe9"}', NO_JSON),
    (b"\xef\xbb\xbf{}", NO_JSON),
    ("{}".encode("utf-16"), NO_JSON), (make_binary({"asset": {}}, more=-3), NO_JSON),
    ([], "its content is not a JSON object"), (b"3", "its content is not a JSON object"),
    *[({"extensionsRequired": ["x", name]}, f"it is compressed ({name}); save it without compression")
      for name in ("KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression")],
    (make_binary({"extensionsRequired": ["KHR_draco_mesh_compression"]}, b"more"),
     "it is compressed (KHR_draco_mesh_compression); save it without compression"),
    ({"asset": {"version": "1.0"}, "nodes": {}}, "it is glTF 1.0; save it as glTF 2.0"),
    ({"meshes": [{"primitives": [{**STRIP, "mode": 4}, STRIP]}]},
     "it has triangle strips without indices, which versions of trimesh read differently"),
    ({"nodes": [{"children": [2]}, {"children": [2]}, {}]}, "a node has two parents"),
    ({"nodes": [{"children": [1, 1]}, {}]}, "a node has two parents"),
    ({"nodes": [{}, {"children": [2]}, {"children": [1]}]}, "a node is below itself"),
    ({"nodes": [{"children": [0]}]}, "a node is below itself"),
    *[({"nodes": [{"children": children}, {}]},
       "its content is malformed: nodes[0].children is not a list of indices from 0")
      for children in ([-1], [1.0], [True], ["1"], [None], [[1]], {"0": 1}, "1", 1, None)],
    *[({"nodes": [{}, {}], "scenes": [{"nodes": [0]}, {"nodes": nodes}]},
       "its content is malformed: scenes[1].nodes is not a list of indices from 0") for nodes in ([-1], 0, [0.5])],
    ({"nodes": [{"children": [2]}, {}]}, "its content is malformed: there is no node 2; its nodes are 2"),
    ({"nodes": [], "scenes": [{"nodes": [0]}]}, "its content is malformed: there is no node 0; its nodes are 0"),
    *[({"nodes": TREE, "scenes": [{"nodes": nodes}]}, "a scene lists a node twice, or one that is below another")
      for nodes in ([0, 0], [0, 1], [3])],
    ({"nodes": {}}, "its content is malformed: nodes is not a list of objects"),
    ({"nodes": [3]}, "its content is malformed: nodes is not a list of objects"),
    ({"nodes": [{"matrix": [[1]]}]}, "its content is malformed: nodes[0].matrix is not a list of 16 numbers"),
    ({"accessors": [ARRAY, {**ARRAY, "count": -7}]},
     "its content is malformed: accessors[1].count is not an index or count from 0"),
    *[({"accessors": [ARRAY, {**ARRAY, "sparse": {"count": 1}}], "meshes": [{"primitives": [{**used}]}]},
       "its accessors[1] is sparse; save it without sparse accessors")
      for used in ({"attributes": {"POSITION": 1}}, {"attributes": {"POSITION": 0}, "indices": 1})],
    ({"bufferViews": [{"byteLength": 9, "byteStride": 0}]},
     "its content is malformed: bufferViews[0].byteStride is not a number above 0")])
def test_what_is_refused(content, said):
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        check(content)


def test_sparse_arrays_that_draw_nothing_are_passed_over():
    """Morph targets have them, most often."""
    check({"accessors": [ARRAY, {**ARRAY, "sparse": {"count": 1}}],
           "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "targets": [{"POSITION": 1}]}]}]})


def test_nodes_are_counted():
    """However deep they are: each becomes a root of its own."""
    check(make_chain(5000), mesh_nodes=5000)
    with pytest.raises(LimitExceeded) as error:
        check(make_chain(5001), mesh_nodes=5000)
    assert (error.value.name, error.value.counted) == ("mesh_nodes", 5001)


QUARTER = [0, 0, 5 ** .5, 5 ** .5]  # a quarter turn about z; it need not be a unit
SHEAR = [1, 0, 0, 0, 3, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1]  # by columns: x gains 3y + 7


@pytest.mark.parametrize("nodes, places", [
    ([{"mesh": 0}], [(1, 2, 3)]), ([{}], []), ([{"mesh": 0, "translation": [4, 5, 6]}], [(5, 7, 9)]),
    ([{"mesh": 0, "rotation": QUARTER}], [(-2, 1, 3)]), ([{"mesh": 0, "scale": [2, 3, -4]}], [(2, 6, -12)]),
    ([{"mesh": 0, "translation": [4, 5, 6], "rotation": QUARTER, "scale": [2, 3, 4]}], [(4 - 6, 5 + 2, 6 + 12)]),
    ([{"mesh": 0, "matrix": SHEAR}], [(1 + 6 + 7, 2 + 8, 3 + 9)]),
    # Of a tree: each in front of what is below it, and what is below in its order; another tree is not in the scene.
    ([{"rotation": QUARTER, "children": [2, 1]}, {"mesh": 0}, {"mesh": 0, "scale": [2, 2, 2], "children": [3]},
      {"mesh": 0, "translation": [10, 0, 0]}, {"mesh": 0}], [(-4, 2, 6), (-4, 22, 6), (-2, 1, 3)])])
def test_nodes_stand_where_all_above_put_them(nodes, places):
    taken = json.loads(check({"nodes": nodes, "scenes": [{}, {"nodes": [0]}], "scene": 1}))
    assert taken["scenes"] == [{"nodes": [*range(len(places))]}] and "scene" not in taken
    matrices = [np.array(node["matrix"]).reshape(4, 4).T for node in taken["nodes"]]
    assert [X @ (1, 2, 3, 1) for X in matrices] == [pytest.approx((*place, 1)) for place in places]


@pytest.mark.parametrize("content, size", [
    ({"accessors": [ARRAY, {"count": 5, "type": "SCALAR"}]}, 4 * (9 + 5)),
    # A view is a copy of its bytes.
    ({"accessors": [ARRAY], "bufferViews": [{"byteLength": 50}, {"byteLength": 50}]}, 100),
    # What is drawn is held twice, once more for each time that it is drawn.
    ({"accessors": [ARRAY, {"count": 5, "type": "SCALAR"}], "meshes": [
        {"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 0}}]},
        {"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}, {"attributes": {}}]}]}, 4 * (14 + 9 + 9 + 5))])
def test_arrays_take_four_bytes_a_number(content, size):
    check(content, mesh_bytes=size)
    with pytest.raises(LimitExceeded) as error:
        check(content, mesh_bytes=size - 1)
    assert (error.value.name, error.value.counted) == ("mesh_bytes", size)


def test_files_are_those_of_the_folder(tmp_path):
    pytest.importorskip("trimesh")
    folder = tmp_path / "sub"
    (folder / "deep").mkdir(parents=True)
    (tmp_path / "out.bin").write_bytes(b"out")
    (folder / "in.bin").write_bytes(b"inside")
    (folder / "deep" / "in.bin").write_bytes(b"deep")
    resolver = make_file_resolver(str(folder), Door(Boundary([str(folder)])), Budget(mesh_bytes=10))
    assert resolver.get("in.bin") == b"inside" and resolver.get("deep/in.bin") == b"deep"
    for name in ("../out.bin", str(tmp_path / "out.bin")):
        with pytest.raises(ValueError, match=f"it refers to {name}, outside of its folder"):
            resolver.get(name)
    for name in ("gone.bin", "deep"):
        with pytest.raises(ValueError, match=f"its buffer {name} is not found"):
            resolver.get(name)
    with pytest.raises(LimitExceeded) as error:
        resolver.get("deep/in.bin")
    assert (error.value.name, error.value.counted) == ("mesh_bytes", 14), "all buffers together"
    with pytest.raises(ValueError, match="nothing is written"):
        resolver.write("in.bin", b"")
    assert resolver.keys() == () and resolver.namespaced("deep") is resolver


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_what_placing_makes_infinite_is_a_finding_not_a_warning(tmp_path):
    files = trimesh.exchange.gltf.export_gltf(trimesh.Scene(trimesh.creation.box()))
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    model = json.loads((tmp_path / "model.gltf").read_text())
    huge = [1e308, 0, 0, 0, 0, 1e308, 0, 0, 0, 0, 1e308, 0, 0, 0, 0, 1]
    model |= {"nodes": [{"matrix": huge, "children": [1]}, {"matrix": huge, "mesh": 0}], "scenes": [{"nodes": [0]}]}
    (tmp_path / "model.gltf").write_text(json.dumps(model))
    surface, (finding,) = read_mesh_file(str(tmp_path / "model.gltf"))
    assert surface is None and finding.name == "mesh-not-finite"
