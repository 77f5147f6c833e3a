"""STL, OBJ and OFF as strangers write them: a box of 1 × 2 × 3 m, whatever surrounds its numbers, and what is
malformed."""
import struct
import warnings

import numpy as np
import pytest

from sdf_frames.inertia.mesh_file import read_mesh_file
from sdf_frames.spatial.mesh_integrals import integrate_faces

trimesh = pytest.importorskip("trimesh")

MESH = trimesh.creation.box((1, 2, 3))
V, F = np.array(MESH.vertices), np.array(MESH.faces)
T = V[F]


@pytest.fixture
def read(tmp_path):
    def read(name, content, submesh=None):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_mesh_file(str(path), submesh)
    return read


def volume_of(result):
    surface, found = result
    assert found == ()
    return integrate_faces(surface.vertices, surface.faces).volume


def ascii_stl(triangles=T, name="box", normal="0 0 1"):
    facets = "".join(f"  facet normal {normal}\n    outer loop\n"
                     + "".join("      vertex {!r} {!r} {!r}\n".format(*map(float, v)) for v in t)
                     + "    endloop\n  endfacet\n" for t in triangles)
    return f"solid {name}\n{facets}endsolid {name}\n"


def binary_stl(header=b"", tail=b"", count=None, attribute=0):
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *t.ravel(), attribute) for t in T)
    return header.ljust(80, b" ") + struct.pack("<I", len(T) if count is None else count) + body + tail


STL = {
    "plain": ascii_stl(), "upper case": ascii_stl().upper(), "old Mac's line ends": ascii_stl().replace("\n", "\r"),
    "Windows' line ends": ascii_stl().replace("\n", "\r\n"), "tabs": ascii_stl().replace("      vertex ", "\tvertex\t"),
    "no name": ascii_stl(name=""), "a name of Latin-1": ascii_stl(name="körper").encode("latin-1"),
    "a name of words": ascii_stl(name="facet normal vertex 1 2 3 endfacet"),
    "a byte-order mark": b"\xef\xbb\xbf" + ascii_stl().encode(),
    "blank lines before": "\n \n" + ascii_stl(), "two solids": ascii_stl(T[:5]) + ascii_stl(T[5:], "rest"),
    "normals that are none": ascii_stl(normal="nan -nan(ind) -1.#IND"),
    "binary": binary_stl(), "binary that says solid": binary_stl(b"solid of some program"),
    "binary that says it all": binary_stl(b"solid facet normal vertex endsolid"),
    "binary with colours": binary_stl(b"COLOR=\xff\x00\xff\xff", attribute=0x8fff),
    "binary with bytes after": binary_stl(tail=b"\n" + bytes(36)),
    "binary that says solid, with bytes after": binary_stl(b"solid", bytes(3)),
}


@pytest.mark.parametrize("name", STL)
def test_stl(read, name):
    assert volume_of(read("m.stl", STL[name])) == pytest.approx(6)


def test_ascii_keeps_its_digits(read):
    surface, _ = read("m.stl", ascii_stl(T + 0.1))
    assert surface.vertices.max() == 1.5 + 0.1
    text = "".join("v {!r} {!r} {!r}\n".format(*map(float, v)) for v in V + 0.1) + "f 1 2 3\n"
    surface, _ = read("m.obj", text)
    assert (surface.vertices == (V + 0.1)[:3]).all()


VERTICES = "".join("v {:g} {:g} {:g}\n".format(*v) for v in V)


def faces(pattern="f {} {} {}\n", rows=F + 1):
    return "".join(pattern.format(*row) for row in rows)


OBJ = {
    "plain": VERTICES + faces(), "negative indices": VERTICES + faces(rows=F - 8), "faces first": faces() + VERTICES,
    "textures and normals": VERTICES + "vt 0 0\nvn 0 0 1\n" + faces("f {}/1/1 {}/1/1 {}/1/1\n"),
    "normals": VERTICES + faces("f {}//1 {}//1 {}//1\n"),
    "textures": VERTICES + faces("f {}/1 {}/1 {}/1\n"), "weights": VERTICES.replace("\n", " 1.0\n") + faces(),
    "colours": VERTICES.replace("\n", " 1 0 0\n") + faces(),
    "comments": "# v 1 2\n" + VERTICES.replace("\n", " # v\n") + faces("f {} {} {} # f 1 2\n"),
    "continued lines": VERTICES + faces("f {} \\\n {} {}\n"),
    "Windows' line ends": (VERTICES + faces()).replace("\n", "\r\n"),
    "old Mac's line ends": (VERTICES + faces()).replace("\n", "\r"),
    "tabs": (VERTICES + faces()).replace(" ", "\t"), "indented": "  " + (VERTICES + faces()).replace("\n", "\n  "),
    "materials": "mtllib none.mtl\n" + VERTICES + "usemtl a\ns 1\n" + faces(rows=F[:5] + 1) + "usemtl b\ns off\n"
    + faces(rows=F[5:] + 1),
    "lines and points": VERTICES + "p 1\nl 1 2 3\n" + faces() + "f 1 2\n",
    "negative indices in the middle": VERTICES + faces(rows=F - 8) + "v 9 9 9\n",
    "many vertices": "v 9 9 9\n" * 1000 + VERTICES + faces(rows=F + 1001),
    "a comment of Latin-1": f"# k\u00f6rper\n{VERTICES}{faces()}".encode("latin-1"),
}


@pytest.mark.parametrize("name", OBJ)
def test_obj(read, name):
    assert volume_of(read("m.obj", OBJ[name])) == pytest.approx(6)


# An L drawn up from z = 0 to 1: area 3, its caps concave hexagons, its sides quadrangles.
OUTLINE = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
L_POINTS = [(x, y, z) for z in (0, 1) for x, y in OUTLINE]
L_FACES = [(5, 4, 3, 2, 1, 0), (6, 7, 8, 9, 10, 11)] + [(k, (k + 1) % 6, (k + 1) % 6 + 6, k + 6) for k in range(6)]


def test_polygons_of_any_number_of_corners(read):
    obj = "".join("v {} {} {}\n".format(*p) for p in L_POINTS) + "".join("f " + " ".join(str(k + 1) for k in f) + "\n"
        for f in L_FACES)
    assert volume_of(read("m.obj", obj)) == pytest.approx(3)
    off = "".join("{} {} {}\n".format(*p)
                  for p in L_POINTS) + "".join(f"{len(f)} " + " ".join(map(str, f)) + " 255 0 0\n" for f in L_FACES)
    for head in ("OFF\n12 8 0\n", "OFF 12 8 0\n", "# made by hand\nOFF # 3D\n\n12 8\n", "12 8 18\n",
                 "# \u00f6\n12 8\n"):
        assert volume_of(read("m.off", (head + off).encode("latin-1"))) == pytest.approx(3)
    coloured = "COFF\n12 8 0\n" + "".join("{} {} {} 255 0 0 255\n".format(*p) for p in L_POINTS) + off.split("\n",
        12)[-1]
    assert volume_of(read("m.off", coloured)) == pytest.approx(3)


def test_the_surface_of_concave_polygons_is_not_folded(read):
    """Caps of 3 each, and sides of 8 around: the area for --method shell, and the picture."""
    obj = "".join("v {} {} {}\n".format(*p) for p in L_POINTS) + "".join(
        f"f {' '.join(str(k + 1) for k in f)}\n" for f in L_FACES)
    off = "OFF\n12 8 0\n" + "".join("{} {} {}\n".format(*p) for p in L_POINTS) + "".join(
        f"{len(f)} {' '.join(map(str, f))}\n" for f in L_FACES)
    for name, text in (("m.obj", obj), ("m.off", off)):
        surface, _ = read(name, text)
        T = surface.vertices[surface.faces]
        area = np.linalg.norm(np.cross(T[:, 1] - T[:, 0], T[:, 2] - T[:, 0]), axis=1).sum() / 2
        assert area == pytest.approx(14)


@pytest.mark.parametrize("word", ["o", "g"])
def test_submesh_is_an_object_or_group_of_an_obj(read, word):
    second = "".join("v {:g} {:g} {:g}\n".format(*(2 * v)) for v in V)
    text = f"{word} one\n{VERTICES}{faces()}{word} two big\n{second}{faces(rows=F + 9)}{word} empty\n"
    assert volume_of(read("m.obj", text)) == pytest.approx(54)
    assert volume_of(read("m.obj", text, "one")) == pytest.approx(6)
    assert volume_of(read("m.obj", text, "two big")) == volume_of(read("m.obj", text, "big")) == pytest.approx(48)
    surface, (found,) = read("m.obj", text, "empty")
    assert surface is None and found.code == "G017" and "one, two big" in found.hint


OFF = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n"
MALFORMED = {
    "empty.stl": (b"", "empty"), "short.stl": (b"solid"[:4], "4 bytes"),
    "more.stl": (binary_stl(count=13), "13 triangles, but there are bytes for 12"),
    "none.stl": (binary_stl(count=0), "no triangles"), "cut.stl": (ascii_stl()[:700], "cut off"),
    "vertex.stl": (ascii_stl().replace("      vertex", "", 1), "35 vertices"),
    "word.stl": (ascii_stl().replace("vertex 0.5", "vertex zz", 1), "'zz' is not a number"),
    "number.stl": (ascii_stl().replace("vertex 0.5", "vertex", 1), "malformed"),
    "nan.stl": (ascii_stl().replace("vertex 0.5", "vertex nan", 1), "not finite"),
    "spaces.stl": (b"solid x\nfacet normal" + b" " * 100_000, "cut off"),
    "zero.obj": (VERTICES + "f 0 1 2\n", "vertex 0, but there are 8"),
    "range.obj": (VERTICES + "f 1 2 9\n", "vertex 9"),
    "negative.obj": (VERTICES + "f -1 -2 -9\n", "vertex -9"), "before.obj": ("f -1 -2 -3\n" + VERTICES, "vertex -"),
    "word.obj": (VERTICES + "f 1 2 x\n", "'x' is not a number"), "half.obj": (VERTICES + "f 1 2 2.5\n", "whole number"),
    "huge.obj": (VERTICES + f"f 1 2 {'9' * 400}\n", "whole number"),
    "exact.obj": (VERTICES + f"f 1 2 {2 ** 53 - 1}\n", "vertex 9007199254740991"),
    "rounded.obj": (VERTICES + f"f 1 2 {2 ** 53}\n", "whole number"),  # 2 ** 53 + 1 would be the same number
    "second.obj": ("v 1 2 3\nv 1 2\n" + VERTICES + faces(), "vertex 2 has fewer"),
    "number.obj": (VERTICES.replace("0.5", "0.5x", 1) + faces(), "0.5x' is not a number"),
    "short.obj": ("v 1 2\n" + VERTICES + faces(), "vertex 1 has fewer"),
    "infinite.obj": (VERTICES.replace("0.5", "inf", 1) + faces(), "not finite"),
    "no_counts.off": ("OFF\n", "numbers of its vertices"), "few.off": (OFF, "3 vertices and 1 faces, but has 3 lines"),
    "many.off": ("OFF\n9999999999999 1 0\n", "lines for them"), "corners.off": (OFF + "4 0 1 2\n", "fewer corners"),
    "less.off": (OFF + "-1 0 1 2\n", "fewer corners"),
    "word.off": (OFF + "3 0 1 x\n", "not a number"), "range.off": (OFF + "3 0 1 3\n", "vertex 3"),
    "two.off": (OFF.replace("1 0 0", "1 0") + "3 0 1 2\n", "fewer than three"),
    "83.stl": (bytes(83), "it has 83 bytes, too few for an STL file"),
    "133.stl": (bytes(134), "no triangles, but there are bytes for some"),
    "huge.off": (OFF + f"3 0 1 {10 ** 30}\n", "an index that is too large"),
    "minus.off": ("OFF\n-1 1 0\n0 0 0\n0 0 0\n", "it says -1 vertices and 1 faces"),
    "minus_faces.off": (OFF.replace(" 1 0", " -1 0", 1), "it says 3 vertices and -1 faces"),
    "binary.off": (b"OFF BINARY\n\0\0\0\3", "BINARY"), "four.off": ("4OFF\n1 1 0\n", "4OFF"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_file_is_one_error_with_the_reason(read, name):
    content, words = MALFORMED[name]
    surface, (found,) = read(name, content)
    assert surface is None and found.severity == "error" and words in found.message, found.message


@pytest.mark.parametrize("name", ["word.obj", "number.obj", "word.stl"])
def test_numpy_before_2_3_only_warns_of_what_is_no_number(read, name, monkeypatch):
    real = np.fromstring

    def warn(text, sep):
        try:
            return real(text, sep=sep)
        except ValueError as error:
            warnings.warn(str(error), DeprecationWarning, stacklevel=1)
            return np.zeros(3)

    monkeypatch.setattr(np, "fromstring", warn)
    test_a_malformed_file_is_one_error_with_the_reason(read, name)


@pytest.mark.parametrize("content", [bytes(84), bytes(133), b"solid x\nendsolid x\n"])
def test_an_stl_file_may_have_no_triangles(read, content):
    surface, (found,) = read("m.stl", content)
    assert surface is None and found.name == "mesh-empty"


def test_corpus_agrees_with_trimesh(corpus):
    compared = 0
    for path in sorted(p for p in corpus.rglob("*") if p.suffix.lower() in (".stl", ".obj", ".off")):
        surface, _ = read_mesh_file(str(path))
        if surface is None or len(surface.faces) > 100_000:
            continue
        try:
            theirs = trimesh.load(str(path), process=False, force="mesh", skip_materials=True)
        except IndexError:  # trimesh 3.9: an OBJ with negative indices
            continue
        if path.name == "polygonfaces.obj":  # a pentagon that is far from planar has no true area
            continue
        ours = trimesh.Trimesh(surface.vertices, surface.faces, process=False)
        assert ours.area == pytest.approx(theirs.area, rel=1e-6), path
        assert ours.bounds == pytest.approx(theirs.bounds, rel=1e-6, abs=1e-6 * ours.scale), path
        compared += 1
    assert compared >= 20
