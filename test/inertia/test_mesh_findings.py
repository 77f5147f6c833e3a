"""What is wrong with a mesh file: one finding, at the place in the model that names the file; and what just is
right."""
import sys

import pytest

from sdf_frames.load import load_file

MODEL = """<sdf version="1.12"><model name="m">
<link name="l"><inertial auto="true"/>
<collision name="c"><density>1</density>
<geometry>
<mesh>
<uri>%s</uri>
</mesh>
</geometry></collision></link></model></sdf>"""
URI = '/sdf/model[@name="m"]/link[@name="l"]/collision[@name="c"]/geometry/mesh/uri'
# A corner of a cube: 1/6 m³.
POINTS = ["0 0 0", "1 0 0", "0 1 0", "0 0 1"]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def obj(faces=FACES, points=POINTS):
    return "".join(f"v {p}\n" for p in points) + "".join("f " + " ".join(str(k + 1) for k in f) + "\n" for f in faces)


def off(faces=FACES, points=POINTS):
    return "\n".join(["OFF", f"{len(points)} {len(faces)} 0", *points, *("3 {} {} {}".format(*f) for f in faces)])


def ply(faces=FACES, points=POINTS):
    return "\n".join(["ply", "format ascii 1.0", f"element vertex {len(points)}",
                      *(f"property double {c}" for c in "xyz"),
                      f"element face {len(faces)}", "property list uchar int vertex_indices", "end_header", *points,
                      *("3 {} {} {}".format(*f) for f in faces), ""])


def stl(faces=FACES, points=POINTS):
    return "solid m\n" + "".join("facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {points[k]}\n" for k in f)
                                 + "endloop\nendfacet\n" for f in faces) + "endsolid m\n"


def dae(faces=FACES, points=POINTS):
    return f"""<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a">{' '.join(points)}</float_array><technique_common><accessor source="#a" count="{len(points)}" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles><input semantic="VERTEX" source="#v" offset="0"/><p>{' '.join(str(k) for f in faces for k in f)}</p></triangles>
</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>"""  # noqa: E501


FORMATS = {"obj": obj, "off": off, "ply": ply, "stl": stl, "dae": dae}
INDEXED = sorted(set(FORMATS) - {"stl"})


@pytest.fixture
def compute(tmp_path):
    def compute(name, content, **options):
        if name.endswith(".ply"):
            pytest.importorskip("trimesh")
        (tmp_path / name).write_text(content)
        (tmp_path / "m.sdf").write_text(MODEL % name)
        return load_file(tmp_path / "m.sdf").inertias(**options)
    return compute


def places(result):
    return [(d.name, d.severity, d.line, d.path) for d in result.diagnostics]


@pytest.mark.parametrize("kind", FORMATS)
def test_a_closed_surface_is_without_findings(compute, kind):
    result = compute(f"m.{kind}", FORMATS[kind]())
    assert result.diagnostics == () and result.links[0].mass == pytest.approx(1 / 6)


@pytest.mark.parametrize("name, words", [("m.step", "files of type step"), ("m", "files whose names have no extension"),
                                         ("m.obj.zip", "files of type zip")])
def test_other_formats(compute, name, words):
    result = compute(name, obj())
    assert places(result) == [("mesh-format-unsupported", "error", 6, URI)] and words in result.diagnostics[0].message
    assert compute("m.OBJ", obj()).diagnostics == ()


@pytest.mark.parametrize("kind", ["obj", "off", "dae"])
def test_no_triangles(compute, kind):
    assert places(compute(f"m.{kind}", FORMATS[kind](faces=[]))) == [("mesh-empty", "error", 6, URI)]


@pytest.mark.parametrize("number", ["nan", "inf", "-inf"])
@pytest.mark.parametrize("kind", ["obj", "off", "ply", "stl"])
def test_coordinates_that_are_not_finite_are_errors(compute, kind, number):
    result = compute(f"m.{kind}", FORMATS[kind](points=[*POINTS[:3], f"0 {number} 1"]))
    assert places(result) == [("mesh-not-finite", "error", 6, URI)]
    # In an STL the point stands in each of its three triangles.
    assert ("3 vertices" if kind == "stl" else "1 vertex") in result.diagnostics[0].message
    if kind != "stl":  # a vertex that no face uses harms nobody
        assert compute(f"m.{kind}", FORMATS[kind](points=[*POINTS, f"0 {number} 1"])).diagnostics == ()


@pytest.mark.parametrize("index", [4, -1])
@pytest.mark.parametrize("kind", INDEXED)
def test_vertices_that_are_not_there(compute, kind, index):
    result = compute(f"m.{kind}", FORMATS[kind](faces=[*FACES[:3], (1, 2, index)]))
    assert places(result) == [("mesh-index-out-of-range", "error", 6, URI)]
    # OBJ counts from one.
    assert f"vertex {index + (kind == 'obj')}, but there are 4" in result.diagnostics[0].message


@pytest.mark.parametrize("kind", FORMATS)
def test_faces_without_area_are_reported_and_change_nothing(compute, kind):
    needle = (1, 1, 2) if kind != "stl" else (1, 2, 2)
    result = compute(f"m.{kind}", FORMATS[kind](faces=[*FACES, needle]))
    assert places(result) == [("mesh-degenerate-faces", "info", 6, URI)]
    assert "faces without area: 1 of 5" in result.diagnostics[0].message
    assert result.links[0].mass == pytest.approx(1 / 6)


def test_a_method_without_its_module_says_so(compute, monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.spatial", None)  # as where it is not installed
    (finding,) = compute("m.obj", obj(), method="hull").diagnostics
    assert (finding.name, finding.severity, finding.path) == ("inertia-method-unavailable", "error", URI)
    assert "scipy" in finding.message and "scipy" in finding.hint


def test_other_defects_are_reported_beside_an_empty_volume(compute):
    """A square sheet of 100 m encloses nothing, and it looks like millimetres."""
    sheet = obj([(0, 1, 2), (0, 2, 3)], ["0 0 0", "100 0 0", "100 100 0", "0 100 0"])
    assert [d.name for d in compute("m.obj", sheet).diagnostics] == ["mesh-unit-suspicious", "mesh-without-volume"]


def test_a_mesh_that_is_missing_is_reported_where_it_is_named():
    from sdf_frames.load import load_text
    text = ('<sdf version="1.12"><model name="m"><link name="l"><inertial auto="true"/><collision name="c"><geometry>'
            "\n<mesh>\n<uri>gone.stl</uri></mesh></geometry></collision></link></model></sdf>")
    found = load_text(text).inertias().diagnostics
    assert [(d.line, d.path.rpartition("/")[2]) for d in found if d.name == "uri-not-found"] == [(3, "uri")]
