"""The names of files in mesh files, by the specifications of the formats."""
import json
import struct

import pytest

from sdf_frames.convert.mesh_references import follow_references, rename_references
from sdf_frames.document.door import UNCONFINED

# COLLADA 1.4: the <init_from> of an <image> is a URI, that of a <surface> the id of an image.
DAE = """<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><!-- made by hand -->
<library_images><image id="a"><init_from>{}</init_from></image></library_images>
<library_effects><effect id="e"><profile_COMMON><newparam sid="s"><surface type="2D"><init_from>a</init_from></surface>
</newparam></profile_COMMON></effect></library_effects></COLLADA>
"""
DAE_15 = ('<COLLADA xmlns="http://www.collada.org/2008/03/COLLADASchema" version="1.5.0"><library_images><image id="a">'
          "<init_from><ref>{}</ref></init_from></image></library_images></COLLADA>")
# glTF 2.0: uri of buffers and images; data: URIs are no files.
GLTF = {"asset": {"version": "2.0"}, "buffers": [{"uri": "{}", "byteLength": 8}, {"byteLength": 4}],
        "images": [{"uri": "data:image/png;base64,AAAA"}, {"bufferView": 0}]}
OBJ = "# mtllib no.mtl\nv 0 0 0\nmtllib {}\nusemtl mtllib\n"
# The Wavefront specification of material files: options stand before the name.
MTL = "newmtl m\nKd 1 1 1\n{}\n"


def rename(content, extension, names):
    asked = []

    def say(name):
        asked.append(name)
        return names.get(name)
    new = rename_references(content.encode() if isinstance(content, str) else content, extension, say)
    return new, asked


@pytest.mark.parametrize("extension, text, name, asked", [
    ("dae", DAE, "../t/a.png", ["../t/a.png"]), ("dae", DAE_15, "a%20b.png", ["a%20b.png"]),
    ("obj", OBJ, "a.mtl", ["a.mtl"]), ("obj", OBJ, "a b.mtl", ["a b.mtl"]), ("obj", OBJ, "a.MTL b.mtl",
                                                                             ["a.MTL", "b.mtl"]),
    ("obj", OBJ, "a", ["a"]),
    ("mtl", MTL, "map_Kd a b.png", ["a b.png"]), ("mtl", MTL, "  bump -bm 0.5 a.png", ["a.png"]),
    ("mtl", MTL, "map_Ka -s 1 1 1 -o 0.5 -mm 0 1 -clamp on a.png", ["a.png"]), ("mtl", MTL, "Map_D\ta.tga", ["a.tga"]),
    ("mtl", MTL, "norm a.png\r", ["a.png"]), ("mtl", MTL, "Kd 0 0 0", []), ("mtl", MTL, "# map_Kd a.png", []),
    ("stl", "solid {}", "a.png", [])])
def test_names_are_asked_for_and_replaced(extension, text, name, asked):
    written = text.replace("{}", name)
    assert rename(written, extension, {}) == (written.encode(), asked), "without a new name nothing changes"
    new, _ = rename(written, extension, {word: f"x/{number}.new" for number, word in enumerate(asked)})
    for number, word in enumerate(asked):
        assert f"x/{number}.new" in new.decode() and word not in new.decode().replace("usemtl", "")
    if extension in ("obj", "mtl"):
        expected = written
        for number, word in enumerate(asked):
            expected = expected.replace(f" {word}", f" x/{number}.new").replace(f"\t{word}", f"\tx/{number}.new")
        assert new.decode() == expected
    if extension == "dae":
        assert ("<init_from>a</init_from>" in new.decode()) == (text is DAE)


def pack(header):
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 4)
    binary = struct.pack("<I4s", 8, b"BIN\0") + bytes(range(8))
    return struct.pack("<4sII", b"glTF", 2, 20 + len(text) + len(binary)) + struct.pack("<I4s", len(text),
                                                                                       b"JSON") + text + binary


@pytest.mark.parametrize("extension", ["gltf", "glb"])
def test_gltf(extension):
    header = json.loads(json.dumps(GLTF).replace("{}", "../a.bin"))
    content = pack(header) if extension == "glb" else json.dumps(header).encode()
    assert rename(content, extension, {}) == (content, ["../a.bin"])
    new, _ = rename(content, extension, {"../a.bin": "a much longer name.bin"})
    header["buffers"][0]["uri"] = "a much longer name.bin"
    if extension == "gltf":
        assert json.loads(new) == header
    else:  # a reader of the specification: 12 bytes, then chunks of a multiple of four bytes
        magic, version, length = struct.unpack_from("<4sII", new)
        size, kind = struct.unpack_from("<I4s", new, 12)
        assert (magic, version, length, kind, size % 4) == (b"glTF", 2, len(new), b"JSON", 0)
        assert json.loads(new[20:20 + size]) == header and new[20 + size:] == content[-16:]


@pytest.mark.parametrize("extension", ["dae", "obj", "mtl", "gltf", "glb", "stl", ""])
@pytest.mark.parametrize("content", [b"", b"<", b"{", b"[1]", b'{"images": [1]}', b'{"buffers": 3}', b"glTF",
                                     b"\xff" * 40, b"glTF\2\0\0\0\x20\0\0\0\xff\xff\xff\xffJSON{}", b"<init_from>",
                                     b"mtllib ", b"map_Kd -s"])
def test_what_is_no_such_file_stays(extension, content):
    assert rename(content, extension, {})[0] == content


def test_many_options_before_a_name_take_no_quadratic_time():
    """200,000 options took 51 s."""
    new, asked = rename("map_Kd " + "-cc on " * 200_000 + "a.png\n", "mtl", {"a.png": "b.png"})
    assert asked == ["a.png"] and new.endswith(b"-cc on b.png\n")


def test_a_file_is_followed_once_however_its_path_is_written(tmp_path):
    (tmp_path / "m.stl").write_text("solid\nendsolid\n")
    paths = [f"{tmp_path}/m.stl", f"{tmp_path}/../{tmp_path.name}/./m.stl"]
    assert len([*follow_references(paths, UNCONFINED)]) == 1
