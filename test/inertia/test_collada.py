"""COLLADA, read here: primitives, placements, skins, names, and what is malformed, each against values worked out by hand."""
import numpy as np
import pytest

from sdf_frames.inertia import collada_file
from sdf_frames.inertia.mesh_file import read_mesh_file
from sdf_frames.spatial.mesh_integrals import integrate_faces

# A cube of edge 2 about the origin: corner i has the signs of its bits (x = bit 2, y = bit 1, z = bit 0).
CORNERS = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
SIDES = ["0 1 3 2", "4 6 7 5", "0 4 5 1", "2 3 7 6", "0 2 6 4", "1 5 7 3"]
TRIANGLES = " ".join(f"{a} {b} {c} {a} {c} {d}" for a, b, c, d in map(str.split, SIDES))
INPUT = '<input semantic="VERTEX" source="#v" offset="0"/>'
PLAIN = f"<triangles>{INPUT}<p>{TRIANGLES}</p></triangles>"
NODE = '<node id="n" name="node"><instance_geometry url="#g"/></node>'


def dae(nodes=NODE, primitives=PLAIN, positions=None, stride=3, count=None, params="", unit="", library="", scene=None):
    values = positions or " ".join(str(v) for corner in CORNERS for v in corner)
    count = len(values.split()) // stride if count is None else count
    scene = '<scene><instance_visual_scene url="#s"/></scene>' if scene is None else scene
    return f'''<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>{unit}</asset>
<library_geometries><geometry id="g" name="cube"><mesh><source id="p"><float_array id="a" count="24">{values}</float_array>
<technique_common><accessor source="#a" count="{count}" stride="{stride}">{params}</accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
{primitives}</mesh></geometry></library_geometries>
{library}<library_visual_scenes><visual_scene id="s">{nodes}</visual_scene></library_visual_scenes>{scene}</COLLADA>'''


@pytest.fixture
def read(tmp_path):
    def read(text, submesh=None):
        path = tmp_path / "m.dae"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_mesh_file(str(path), submesh)
    return read


def measure(result):
    """Volume, centroid and diagonal moments of a file that is read without a finding."""
    surface, found = result
    assert found == ()
    return integrate_faces(surface.vertices, surface.faces)


TWO_INPUTS = INPUT + '<input semantic="NORMAL" source="#n" offset="1"/>'
PRIMITIVES = {
    "triangles": PLAIN,
    "with normals": f"<triangles>{TWO_INPUTS}<p>{' '.join(f'{i} 0' for i in TRIANGLES.split())}</p></triangles>",
    "polylist": f"<polylist>{INPUT}<vcount>{'4 ' * 6}</vcount><p>{' '.join(SIDES)}</p></polylist>",
    "polygons": f"<polygons>{INPUT}{''.join(f'<p>{s}</p>' for s in SIDES)}</polygons>",
    "trifans": f"<trifans>{INPUT}{''.join(f'<p>{s}</p>' for s in SIDES)}</trifans>",
    # A strip a b d c of the side a b c d: triangles a b d and d b c.
    "tristrips": f"<tristrips>{INPUT}{''.join('<p>{0} {1} {3} {2}</p>'.format(*s.split()) for s in SIDES)}</tristrips>",
    "several": f"<polylist>{INPUT}<vcount>4 4</vcount><p>{' '.join(SIDES[:2])}</p></polylist><lines>{INPUT}<p>0 1</p></lines>"
               f"<polygons>{INPUT}{''.join(f'<p>{s}</p>' for s in SIDES[2:])}</polygons>",
}


@pytest.mark.parametrize("name", PRIMITIVES)
def test_every_primitive_makes_the_cube(read, name):
    solid = measure(read(dae(primitives=PRIMITIVES[name])))
    assert solid.volume == 8 and solid.centroid == pytest.approx((0, 0, 0), abs=1e-15)
    assert solid.moments == pytest.approx((8 * 8 / 12,) * 3 + (0,) * 3)


def test_a_concave_polygon_is_filled_once(read):
    # An arrow head with its notch at the first corner, drawn up from z = 0 to 1: area 4 - 1.
    outline = [(0, 1), (2, 0), (0, 3), (-2, 0)]
    values = " ".join(f"{x} {y} {z}" for z in (0, 1) for x, y in outline)
    sides = [f"{k} {(k + 1) % 4} {4 + (k + 1) % 4} {4 + k}" for k in range(4)] + ["3 2 1 0", "4 5 6 7"]
    solid = measure(read(dae(primitives=f"<polygons>{INPUT}{''.join(f'<p>{s}</p>' for s in sides)}</polygons>", positions=values)))
    assert solid.volume == pytest.approx(4)


def test_transformations_apply_in_the_order_in_which_they_stand(read):
    inner = '<rotate>0 0 2 90</rotate><scale>1 2 3</scale><translate>1 0 0</translate><instance_geometry url="#g"/>'
    solid = measure(read(dae(f"<node><translate>10 0 0</translate><node>{inner}</node></node>")))
    # The cube's centre (1, 0, 0), stretched, turned to (0, 1, 0), moved; edges 2, 4, 6 of which the first is now along y.
    assert solid.volume == pytest.approx(48) and solid.centroid == pytest.approx((10, 1, 0), abs=1e-14)
    assert solid.moments[:3] == pytest.approx((48 / 12 * (4 + 36), 48 / 12 * (16 + 36), 48 / 12 * (16 + 4)))


def test_matrices_mirrors_and_the_unit(read):
    nodes = '<node><matrix>-1 0 0 100 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#g"/></node>'
    solid = measure(read(dae(nodes, unit='<unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis>')))
    assert solid.volume == pytest.approx(8e-6) and solid.centroid == pytest.approx((1, 0, 0))


def test_nodes_are_instanced_where_they_are_wanted(read):
    library = f"<library_nodes>{NODE}</library_nodes>"
    nodes = "".join(f'<node name="{x}"><translate>{x} 0 0</translate><instance_node url="#n"/></node>' for x in (-5, 5))
    solid = measure(read(dae(nodes, library=library)))
    assert solid.volume == 16 and solid.centroid == pytest.approx((0, 0, 0), abs=1e-14)
    assert solid.moments[0] == pytest.approx(2 * 16 / 3) and solid.moments[1] == pytest.approx(2 * 16 / 3 + 16 * 25)


SKIN = ('<library_controllers><controller id="c"><skin source="#{}"><bind_shape_matrix>2 0 0 3 0 2 0 0 0 0 2 0 0 0 0 1'
        '</bind_shape_matrix></skin></controller><controller id="m"><morph source="#g"/></controller></library_controllers>')


@pytest.mark.parametrize("source", ["g", "m"])
def test_a_skin_is_taken_in_its_bind_shape(read, source):
    node = '<node><translate>0 0 1</translate><instance_controller url="#c"><skeleton>#bone</skeleton></instance_controller></node>'
    solid = measure(read(dae(node, library=SKIN.format(source))))
    assert solid.volume == pytest.approx(64) and solid.centroid == pytest.approx((3, 0, 1))


def test_coordinates_keep_their_digits(read):
    positions = " ".join(repr(v + 0.1) for corner in CORNERS for v in corner)
    surface, _ = read(dae(positions=positions))
    assert surface.vertices.max() == 1 + 0.1 and surface.vertices.min() == -1 + 0.1


def test_strides_and_nameless_parameters(read):
    positions = " ".join(f"7 {x} {y} {z}" for x, y, z in CORNERS)
    params = '<param type="float"/>' + "".join(f'<param name="{a}" type="float"/>' for a in "XYZ")
    assert measure(read(dae(positions=positions, stride=4, params=params))).volume == 8


def test_submesh_is_a_node_before_it_is_a_geometry_or_what_is_below_a_node(read):
    two = PRIMITIVES["several"]  # two primitives, as a mesh of two materials has
    nodes = (f'<node id="top" name="top">{NODE}<node name="cube"><translate>9 0 0</translate><scale>2 2 2</scale>'
             '<instance_geometry url="#g"/></node></node>')
    text = dae(nodes, primitives=two)
    assert measure(read(text, "node")).volume == pytest.approx(8)
    assert measure(read(text, "cube")).volume == pytest.approx(64)  # the node of that name, not each use of the geometry
    assert measure(read(text, "g")).volume == measure(read(text, "top")).volume == pytest.approx(72)
    surface, (found,) = read(text, "nothing")
    assert surface is None and found.code == "G017" and "cube, node" in found.hint


NO_POSITION = '<triangles><input semantic="VERTEX" source="#p" offset="0"/><p>0 1 2</p></triangles>'
LOOP = '<node id="n"><instance_geometry url="#g"/><instance_node url="#n"/></node>'
MALFORMED = {
    "a number that is none": (dae(positions="0 0 0 1 0 x 0 1 0"), "no number"),
    "an index that is none": (dae(primitives=f"<triangles>{INPUT}<p>0 1 a</p></triangles>"), "no number"),
    "too few corners": (dae(primitives=f"<polylist>{INPUT}<vcount>4</vcount><p>0 1 2</p></polylist>"), "3 corners"),
    "a negative count": (dae(primitives=f"<polylist>{INPUT}<vcount>-3 6</vcount><p>0 1 2</p></polylist>"), "3 corners"),
    "half a triangle": (dae(primitives=f"<triangles>{INPUT}<p>0 1 2 3</p></triangles>"), "4 corners"),
    "half a corner": (dae(primitives=f"<triangles>{TWO_INPUTS}<p>0 1 2</p></triangles>"), "no multiple of 2"),
    "an offset below zero": (dae(primitives=PLAIN.replace('offset="0"', 'offset="-1"')), "not a whole number"),
    "an offset that is none": (dae(primitives=PLAIN.replace('offset="0"', 'offset="x"')), "not a whole number"),
    "an index too large": (dae(primitives=f"<triangles>{INPUT}<p>0 1 8</p></triangles>"), "vertex 8"),
    "an index below zero": (dae(primitives=f"<triangles>{INPUT}<p>0 1 -1</p></triangles>"), "vertex -1"),
    "no position": (dae(primitives=NO_POSITION), "no positions"),
    "no vertices": (dae(primitives="<triangles><p>0 1 2</p></triangles>"), "names no vertices"),
    "a hole": (dae(primitives=f"<polygons>{INPUT}<ph><p>0 1 2</p><h>0 1 2</h></ph></polygons>"), "holes"),
    "fewer numbers than said": (dae(count=9), "fewer than its accessor"),
    "two coordinates": (dae(stride=2), "fewer than three"),
    "not a number": (dae(positions="0 0 0 1 0 0 0 nan 0", primitives=f"<triangles>{INPUT}<p>0 1 2</p></triangles>"), "not finite"),
    "a node in itself": (dae(LOOP), "instanced in themselves"),
    "a reference to nothing": (dae(NODE.replace("#g", "#h")), "#h, which is not there"),
    "a reference to elsewhere": (dae(NODE.replace("#g", "file.dae#g")), "outside of the file"),
    "a transformation of too few numbers": (dae(NODE.replace("<instance", "<translate>1 2</translate><instance")), "3 numbers"),
    "a transformation that is not read": (dae(NODE.replace("<instance", "<skew>1 0 0 1 0 1 0</skew><instance")), "<skew>"),
    "no scene": (dae(scene=""), "no scene"),
    "another root": ("<robot/>", "<robot>"),
    "a broken tag": (dae()[:-3], "m.dae"),
    "entities": (dae().replace("<COLLADA", '<!DOCTYPE x [<!ENTITY e "1">]><COLLADA'), "entities"),
    "entities in UTF-16": ((dae().replace('"1.0"', '"1.0" encoding="UTF-16"').replace("<COLLADA", "<!DOCTYPE x []><COLLADA")
                            ).encode("utf-16"), "entities"),
    "controllers in a ring": (dae('<node><instance_controller url="#c"/></node>', library=SKIN.format("c")), "one another"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_what_is_malformed_is_one_error_that_says_what(read, name):
    text, words = MALFORMED[name]
    surface, (found,) = read(text)
    assert surface is None and found.severity == "error" and words in found.message, found.message


def test_instances_of_instances_end(read, monkeypatch):
    monkeypatch.setattr(collada_file, "MOST_NODES", 3000)
    levels = "".join(f'<node id="l{k}"><instance_node url="#l{k + 1}"/><instance_node url="#l{k + 1}"/></node>' for k in range(40))
    surface, (found,) = read(dae('<node><instance_node url="#l0"/></node>',
                                 library=f"<library_nodes>{levels}<node id='l40'>{NODE}</node></library_nodes>"))
    assert surface is None and "too many" in found.message
    monkeypatch.setattr(collada_file, "MOST_TRIANGLES", 20)
    surface, (found,) = read(dae(NODE + NODE.replace('"n"', '"k"')))
    assert surface is None and "more than 20 triangles" in found.message


def test_corpus_agrees_with_another_reader(corpus):
    """pycollada keeps single precision, and leaves out skins."""
    collada = pytest.importorskip("collada")
    compared = 0
    for path in sorted(corpus.rglob("*.dae")):
        content = path.read_bytes()
        surface, _ = read_mesh_file(str(path))
        if surface is None or b"<instance_controller" in content:
            continue
        other = collada.Collada(str(path), ignore=[collada.common.DaeError])
        unit = other.assetInfo.unitmeter or 1.0
        total = np.zeros(4)
        for geometry in other.scene.objects("geometry"):
            for primitive in geometry.primitives():
                triangles = primitive.triangleset() if hasattr(primitive, "triangleset") else primitive
                T = unit * np.asarray(triangles.vertex, dtype=float)[triangles.vertex_index]
                area = np.linalg.norm(np.cross(T[:, 1] - T[:, 0], T[:, 2] - T[:, 0]), axis=1)
                total += [area.sum(), *(area @ T.mean(axis=1))]
        T = surface.vertices[surface.faces]
        area = np.linalg.norm(np.cross(T[:, 1] - T[:, 0], T[:, 2] - T[:, 0]), axis=1)
        assert [area.sum(), *(area @ T.mean(axis=1))] == pytest.approx(total, rel=1e-4, abs=1e-4 * area.sum() * np.abs(T).max()), path
        compared += 1
    assert compared >= 15
