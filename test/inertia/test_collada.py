"""COLLADA: primitives, placements, skins, names, and what is malformed, each against values worked out by hand."""

import collada
import numpy as np
import pytest

from sdf_frames.document.budget import Budget, Spending
from sdf_frames.inertia.mesh_file import read_mesh_file
from sdf_frames.spatial.mesh_integrals import integrate_faces

# A cube of edge 2 about the origin: corner i has the signs of its bits (x = bit 2, y = bit 1, z = bit 0).
CORNERS = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
SIDES = ["0 1 3 2", "4 6 7 5", "0 4 5 1", "2 3 7 6", "0 2 6 4", "1 5 7 3"]
TRIANGLES = " ".join(f"{a} {b} {c} {a} {c} {d}" for a, b, c, d in map(str.split, SIDES))
INPUT = '<input semantic="VERTEX" source="#v" offset="0"/>'
PLAIN = f"<triangles>{INPUT}<p>{TRIANGLES}</p></triangles>"
NODE = '<node id="n" name="node"><instance_geometry url="#g"/></node>'


XYZ = "".join(f'<param name="{a}" type="float"/>' for a in "XYZ")


def dae(nodes=NODE, primitives=PLAIN, positions=None, stride=3, count=None, params=XYZ, unit="", library="",
        scene=None):
    values = positions or " ".join(str(v) for corner in CORNERS for v in corner)
    count = len(values.split()) // stride if count is None else count
    scene = '<scene><instance_visual_scene url="#s"/></scene>' if scene is None else scene
    return f'''<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>{unit}</asset>
<library_geometries><geometry id="g" name="cube"><mesh><source id="p"><float_array id="a" count="24">{values}</float_array>
<technique_common><accessor source="#a" count="{count}" stride="{stride}">{params}</accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
{primitives}</mesh></geometry></library_geometries>
{library}<library_visual_scenes><visual_scene id="s">{nodes}</visual_scene></library_visual_scenes>{scene}</COLLADA>'''  # noqa: E501


@pytest.fixture
def read(tmp_path):
    def read(text, submesh=None, budget=Budget()):
        path = tmp_path / "m.dae"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_mesh_file(str(path), submesh, spending=Spending(budget))
    return read


def measure(result):
    """Volume, centroid and diagonal moments of a file that is read without a finding."""
    surface, found = result
    assert found == ()
    return integrate_faces(surface.vertices, surface.faces)


TWO_INPUTS = INPUT + '<input semantic="NORMAL" source="#p" offset="1"/>'
PRIMITIVES = {
    "triangles": PLAIN,
    "with normals": f"<triangles>{TWO_INPUTS}<p>{' '.join(f'{i} 0' for i in TRIANGLES.split())}</p></triangles>",
    "polylist": f"<polylist>{INPUT}<vcount>{'4 ' * 6}</vcount><p>{' '.join(SIDES)}</p></polylist>",
    "polygons": f"<polygons>{INPUT}{''.join(f'<p>{s}</p>' for s in SIDES)}</polygons>",
    "trifans": f"<trifans>{INPUT}{''.join(f'<p>{s}</p>' for s in SIDES)}</trifans>",
    # A strip a b d c of the side a b c d: triangles a b d and d b c.
    "tristrips": f"<tristrips>{INPUT}{''.join('<p>{0} {1} {3} {2}</p>'.format(*s.split()) for s in SIDES)}</tristrips>",
    "several": f"<polylist>{INPUT}<vcount>4 4</vcount><p>{' '.join(SIDES[:2])}</p></polylist><lines>{INPUT}<p>0 1</p>"
               f"</lines><polygons>{INPUT}{''.join(f'<p>{s}</p>' for s in SIDES[2:])}</polygons>",
}


@pytest.mark.parametrize("name", PRIMITIVES)
def test_every_primitive_makes_the_cube(read, name):
    solid = measure(read(dae(primitives=PRIMITIVES[name])))
    assert solid.volume == 8 and solid.centroid == pytest.approx((0, 0, 0), abs=1e-15)
    assert solid.moments == pytest.approx((8 * 8 / 12,) * 3 + (0,) * 3)


@pytest.mark.parametrize("between", ["<!-- 7 -->", "<?pi 7?>", pytest.param(" " * 10_000_001, id="long")])
def test_comments_instructions_and_long_texts_are_no_obstacle(read, between):
    """By default, the XML parser refuses texts of more than ten million characters."""
    text = dae(primitives=PLAIN.replace("<p>0 1", f"<p>0 {between} 1")).replace("-1 -1 -1", f"-1 {between} -1 -1", 1)
    assert measure(read(text)).volume == 8


def test_an_accessor_may_count_the_numbers(read):
    """As ImageToStl.com writes it: 24 for 8 corners. A corner that is missing is found where a face names it."""
    assert measure(read(dae(count=24))).volume == 8
    surface, (finding,) = read(dae(positions="0 0 0 1 0 0 0 1 0", count=8))
    assert surface is None and finding.name == "mesh-index-out-of-range"


def test_a_concave_polygon_is_filled_once(read):
    # An arrow head with its notch at the first corner, drawn up from z = 0 to 1: area 4 - 1.
    outline = [(0, 1), (2, 0), (0, 3), (-2, 0)]
    values = " ".join(f"{x} {y} {z}" for z in (0, 1) for x, y in outline)
    sides = [f"{k} {(k + 1) % 4} {4 + (k + 1) % 4} {4 + k}" for k in range(4)] + ["3 2 1 0", "4 5 6 7"]
    solid = measure(
        read(dae(primitives=f"<polygons>{INPUT}{''.join(f'<p>{s}</p>' for s in sides)}</polygons>", positions=values)))
    assert solid.volume == pytest.approx(4)
    # The fan from the corner beside the notch folds back over it; it has two caps of 4.
    turned = ["0 3 2 1", "5 6 7 4"]
    surface, _ = read(dae(primitives=f"<polygons>{INPUT}{''.join(f'<p>{s}</p>' for s in turned)}</polygons>",
                          positions=values))
    T = surface.vertices[surface.faces]
    assert np.abs(np.cross(T[:, 1] - T[:, 0], T[:, 2] - T[:, 0])[:, 2]).sum() / 2 == pytest.approx(8)


def test_transformations_apply_in_the_order_in_which_they_stand(read):
    inner = '<rotate>0 0 2 90</rotate><scale>1 2 3</scale><translate>1 0 0</translate><instance_geometry url="#g"/>'
    solid = measure(read(dae(f"<node><translate>10 0 0</translate><node>{inner}</node></node>")))
    # The cube's centre (1, 0, 0), stretched, turned to (0, 1, 0), moved; edges 2, 4, 6 of which the first is now along
    # y.
    assert solid.volume == pytest.approx(48) and solid.centroid == pytest.approx((10, 1, 0), abs=1e-14)
    assert solid.moments[:3] == pytest.approx((48 / 12 * (4 + 36), 48 / 12 * (16 + 36), 48 / 12 * (16 + 4)))


def test_matrices_mirrors_and_the_unit(read):
    nodes = '<node><matrix>-1 0 0 100 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#g"/></node>'
    solid = measure(read(dae(nodes, unit='<unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis>')))
    assert solid.volume == pytest.approx(8e-6) and solid.centroid == pytest.approx((1, 0, 0))


@pytest.mark.parametrize("place", ["library", "nodes"])
def test_nodes_may_be_instanced_before_they_are_defined(read, place):
    names = "dcba"  # each shows the one before it in the alphabet, "a" the cube
    text = "".join(f'<node id="{x}"><translate>1 0 0</translate><instance_node url="#{chr(ord(x) - 1)}"/></node>'
                   for x in names[:-1])
    text += NODE.replace('id="n"', 'id="a"')
    if place == "nodes":
        # All are shown: 3, 2, 1 and 0 from the origin.
        solid = measure(read(dae(text)))
        assert solid.volume == 32 and solid.centroid == pytest.approx((1.5, 0, 0))
    else:
        # Of two libraries the first uses the second.
        text = text.replace('<node id="b">', '</library_nodes><library_nodes><node id="b">')
        solid = measure(
            read(dae('<node><instance_node url="#d"/></node>', library=f"<library_nodes>{text}</library_nodes>")))
        assert solid.volume == 8 and solid.centroid == pytest.approx((3, 0, 0))


JOINTS = '''<source id="j"><Name_array id="ja" count="1">bone</Name_array><technique_common><accessor source="#ja" count="1" stride="1">
<param name="JOINT" type="name"/></accessor></technique_common></source><source id="b"><float_array id="ba" count="16">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1
</float_array><technique_common><accessor source="#ba" count="1" stride="16"><param name="TRANSFORM" type="float4x4"/></accessor></technique_common></source>
<source id="w"><float_array id="wa" count="1">1</float_array><technique_common><accessor source="#wa" count="1" stride="1">
<param name="WEIGHT" type="float"/></accessor></technique_common></source><joints><input semantic="JOINT" source="#j"/>
<input semantic="INV_BIND_MATRIX" source="#b"/></joints><vertex_weights count="1"><input semantic="JOINT" source="#j" offset="0"/>
<input semantic="WEIGHT" source="#w" offset="1"/><vcount>1</vcount><v>0 0</v></vertex_weights>'''  # noqa: E501
TARGETS = '''<source id="t"><IDREF_array id="ta" count="1">g</IDREF_array><technique_common><accessor source="#ta" count="1" stride="1">
<param name="MORPH_TARGET" type="IDREF"/></accessor></technique_common></source><source id="k"><float_array id="ka" count="1">1</float_array>
<technique_common><accessor source="#ka" count="1" stride="1"><param name="MORPH_WEIGHT" type="float"/></accessor></technique_common></source>
<targets><input semantic="MORPH_TARGET" source="#t"/><input semantic="MORPH_WEIGHT" source="#k"/></targets>'''  # noqa: E501
SHAPE = "<bind_shape_matrix>2 0 0 3 0 2 0 0 0 0 2 0 0 0 0 1</bind_shape_matrix>"


def controllers(source="g"):
    """A skin "c" of what has the id `source`, and a morph "m" of the cube."""
    return (f'<library_controllers><controller id="m"><morph source="#g">{TARGETS}</morph></controller>'
            f'<controller id="c"><skin source="#{source}">{SHAPE}{JOINTS}</skin></controller></library_controllers>')


@pytest.mark.parametrize("controller, volume, x", [("c", 64, 3), ("m", 8, 0)])
def test_a_skin_is_taken_in_its_bind_shape_and_a_morph_as_its_base(read, controller, volume, x):
    node = (
        f'<node><translate>0 0 1</translate><instance_controller url="#{controller}"><skeleton>#bone</skeleton>'
        f'</instance_controller></node>')
    solid = measure(read(dae(node, library=controllers())))
    assert solid.volume == pytest.approx(volume) and solid.centroid == pytest.approx((x, 0, 1))


def test_a_file_without_a_namespace_is_read(read):
    assert measure(read(dae().replace(' xmlns="http://www.collada.org/2005/11/COLLADASchema"', ""))).volume == 8


def test_coordinates_keep_their_digits(read):
    positions = " ".join(repr(v + 0.1) for corner in CORNERS for v in corner)
    surface, _ = read(dae(positions=positions))
    assert surface.vertices.max() == 1 + 0.1 and surface.vertices.min() == -1 + 0.1


def test_submesh_is_a_node_before_it_is_a_geometry_or_what_is_below_a_node(read):
    two = PRIMITIVES["several"]  # two primitives, as a mesh of two materials has
    nodes = (f'<node id="top" name="top">{NODE}<node name="cube"><translate>9 0 0</translate><scale>2 2 2</scale>'
             '<instance_geometry url="#g"/></node></node>')
    text = dae(nodes, primitives=two)
    assert measure(read(text, "node")).volume == pytest.approx(8)
    # the node of that name, not each use of the geometry
    assert measure(read(text, "cube")).volume == pytest.approx(64)
    assert measure(read(text, "g")).volume == measure(read(text, "top")).volume == pytest.approx(72)
    surface, (found,) = read(text, "nothing")
    assert surface is None and found.code == "G017" and "cube, node" in found.hint


LOOP = '<node id="n"><instance_geometry url="#g"/><instance_node url="#n"/></node>'
HOLE = f"<polygons>{INPUT}<p>0 1 2</p><ph><p>0 1 2</p><h>0 1 2</h></ph></polygons>"
MALFORMED = {
    "a number that is none": (dae(positions="0 0 0 1 0 x 0 1 0"), "'x' is not a number"),
    "an index that is none": (dae(primitives=f"<triangles>{INPUT}<p>0 1 a</p></triangles>"), "'a' is not a number"),
    "too few corners": (dae(primitives=f"<polylist>{INPUT}<vcount>4</vcount><p>0 1 2</p></polylist>"), "3 corners"),
    "too many corners": (dae(primitives=f"<polylist>{INPUT}<vcount>3</vcount><p>0 1 2 3</p></polylist>"), "4 corners"),
    "a negative count": (dae(primitives=f"<polylist>{INPUT}<vcount>-3 6</vcount><p>0 1 2</p></polylist>"), "3 corners"),
    "half a triangle": (dae(primitives=f"<triangles>{INPUT}<p>0 1 2 3</p></triangles>"), "4 corners"),
    "half a corner": (dae(primitives=f"<triangles>{TWO_INPUTS}<p>0 1 2</p></triangles>"), "a corner without 2 indices"),
    "half an index": (dae(primitives=f"<triangles>{INPUT}<p>0 1 2.5</p></triangles>"), "not a whole number"),
    "two lists of triangles": (dae(primitives=f"<triangles>{INPUT}<p>0 1 2</p><p>1 2 3</p></triangles>"),
                               "more than one <p>"),
    "an offset below zero": (dae(primitives=PLAIN.replace('offset="0"', 'offset="-1"')), "offset '-1'"),
    "an offset that is none": (dae(primitives=PLAIN.replace('offset="0"', 'offset="x"')), "offset 'x'"),
    "an index too large": (dae(primitives=f"<triangles>{INPUT}<p>0 1 8</p></triangles>"), "vertex 8, but there are 8"),
    "an index beyond 32 bits": (dae(primitives=f"<triangles>{INPUT}<p>0 1 {2 ** 32 + 2}</p></triangles>"),
                                "vertex 4294967298, but there are 8"),
    "an index beyond 64 bits": (dae(primitives=f"<triangles>{INPUT}<p>0 1 {2 ** 64 + 2}</p></triangles>"),
                                "not a whole number"),
    "an index below zero": (dae(primitives=f"<triangles>{INPUT}<p>0 1 -1</p></triangles>"), "vertex -1"),
    "no position": (dae().replace('"POSITION"', '"NORMAL"'), "no input POSITION"),
    "no vertices": (dae(primitives="<triangles><p>0 1 2</p></triangles>"), "no input VERTEX"),
    "vertices that are not there": (dae().replace('<vertices id="v"', '<vertices id="w"'), "not in its mesh"),
    "a hole": (dae(primitives=HOLE), "holes"),
    "four coordinates": (dae(stride=4), "not three numbers"),
    "an offset of positions": (dae().replace('stride="3"', 'stride="3" offset="3"'), "not three numbers"),
    "two coordinates": (dae(stride=2, params=XYZ[:-len(XYZ) // 3]), "not three numbers"),
    "half a position": (dae(positions="0 0 0 1"), "not three numbers"),
    "not a number": (dae(positions="0 0 0 1 0 0 0 nan 0", primitives=f"<triangles>{INPUT}<p>0 1 2</p></triangles>"),
                     "not finite"),
    "a node in itself": (dae(LOOP), "contains an instance of itself"),
    "a reference to nothing": (dae(NODE.replace("#g", "#h")), "the geometry #h, which is not in the file"),
    "a reference to a spline": (dae().replace("mesh>", "spline>"), "#g has no <mesh>"),
    "a reference to elsewhere": (dae(NODE.replace("#g", "file.dae#g")), "the geometry file.dae#g"),
    "a transformation of too few numbers": (dae(NODE.replace("<instance", "<translate>1 2</translate><instance")),
                                            "not hold 3 numbers"),
    "a transformation that is not finite": (dae(NODE.replace("<instance", "<scale>1 2 inf</scale><instance")),
                                            "3 numbers"),
    "a transformation that is not read": (dae(NODE.replace("<instance", "<skew>1 0 0 1 0 1 0</skew><instance")),
                                          "<skew>"),
    "a skin of a morph": (dae('<node><instance_controller url="#c"/></node>', library=controllers("m")),
                          "the geometry #m, which is not in the file"),
    "a controller of nothing": (dae('<node><instance_controller url="#e"/></node>',
                                    library='<library_controllers><controller id="e"/></library_controllers>'),
                                "the geometry None, which is not in the file"),
    "no scene": (dae(scene=""), "no scene"),
    "another root": ("<robot/>", "<robot>"),
    "a broken tag": (dae()[:-3], "m.dae"),
    "entities": (dae().replace("<COLLADA", '<!DOCTYPE x [<!ENTITY e "1">]><COLLADA'), "entities"),
    "a scene that is not there": (dae(scene='<scene><instance_visual_scene url="#t"/></scene>'), "the visual_scene #t"),
    "entities in UTF-16": (
        (dae().replace('"1.0"', '"1.0" encoding="UTF-16"').replace("<COLLADA", "<!DOCTYPE x []><COLLADA")
                            ).encode("utf-16"), "entities"),
    "entities in UTF-32": (
        (dae().replace('"1.0"', '"1.0" encoding="UTF-32"').replace("<COLLADA", "<!DOCTYPE x []><COLLADA")
                            ).encode("utf-32"), "entities"),
    "entities in UTF-7": (dae().replace('"1.0"', '"1.0" encoding="UTF-7"')
                          .replace("<COLLADA", "+ADwAIQ-DOCTYPE x []><COLLADA"), "entities"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_file_is_one_error_with_the_reason(read, name):
    text, words = MALFORMED[name]
    surface, (found,) = read(text)
    assert surface is None and found.severity == "error" and words in found.message, found.message


def test_an_instance_has_only_the_vertices_of_its_faces(read):
    """Else a file of 1 MB would have 200,000 times its vertices: 10 GB and more."""
    surface, found = read(dae(NODE * 5, f"<triangles>{INPUT}<p>7 999 3</p></triangles>", positions="0 0 1 " * 1000))
    assert (found, len(surface.vertices), surface.faces.tolist()) == (
        (), 15, [[3 * k + 1, 3 * k + 2, 3 * k] for k in range(5)])
    surface, (found,) = read(dae(NODE * 5, PLAIN.replace("<p>0", "<p>8")))
    assert surface is None and found.name == "mesh-index-out-of-range"


def test_the_parts_of_a_geometry_are_counted(read):
    """As nodes, but for the first, which is that of its node: here two nodes with two parts each, in a scene."""
    source = '<source id="q"><float_array id="b" count="9">0 0 0 1 0 0 0 1 0</float_array><technique_common>' \
        f'<accessor source="#b" count="3" stride="3">{XYZ}</accessor></technique_common></source>'
    text = dae(NODE * 2, f'{PLAIN}<triangles><input semantic="VERTEX" source="#q" offset="0"/><p>0 1 2</p></triangles>')
    text = text.replace("<vertices", f"{source}<vertices", 1)
    surface, found = read(text, budget=Budget(mesh_nodes=4))
    assert found == () and len(surface.faces) == 2 * (12 + 1)
    surface, (found,) = read(text, budget=Budget(mesh_nodes=3))
    assert surface is None and found.message.startswith("4 ") and found.message.endswith(" is 3")


def test_instances_of_instances_end(read):
    levels = "".join(f'<node id="l{k}"><instance_node url="#l{k + 1}"/><instance_node url="#l{k + 1}"/></node>'
                     for k in range(40))
    surface, (found,) = read(dae('<node><instance_node url="#l0"/></node>',
                                 library=f"<library_nodes>{levels}<node id='l40'>{NODE}</node></library_nodes>"),
                             budget=Budget(mesh_nodes=3000))
    assert surface is None and found.name == "limit-exceeded"
    assert found.message.startswith("3001 ") and found.message.endswith(" is 3000")
    surface, (found,) = read(dae(NODE + NODE.replace('"n"', '"k"')), budget=Budget(faces=20))
    assert surface is None and found.name == "limit-exceeded"
    assert found.message.startswith("24 ") and found.message.endswith(" is 20")


def test_corpus_is_placed_as_the_library_places_it(corpus):
    """pycollada's own placements are of single precision."""
    compared = 0
    for path in sorted(corpus.rglob("*.dae")):
        surface, _ = read_mesh_file(str(path))
        if surface is None:
            continue
        other = collada.Collada(str(path), ignore=[collada.common.DaeError])
        unit = other.assetInfo.unitmeter or 1.0
        bound = [*other.scene.objects("geometry"), *(skin.geometry for skin in other.scene.objects("controller"))]
        total = np.zeros(4)
        for primitive in (p for geometry in bound for p in geometry.primitives()):
            triangles = primitive.triangleset() if hasattr(primitive, "triangleset") else primitive
            if hasattr(triangles, "triangles") and len(triangles):
                T = unit * np.asarray(triangles.vertex, dtype=float)[triangles.vertex_index]
                area = np.linalg.norm(np.cross(T[:, 1] - T[:, 0], T[:, 2] - T[:, 0]), axis=1)
                total += [area.sum(), *(area @ T.mean(axis=1))]
        T = surface.vertices[surface.faces]
        area = np.linalg.norm(np.cross(T[:, 1] - T[:, 0], T[:, 2] - T[:, 0]), axis=1)
        assert [area.sum(), *(area @ T.mean(axis=1))] == pytest.approx(total, rel=1e-4,
            abs=1e-4 * area.sum() * np.abs(T).max()), path
        compared += 1
    assert compared >= 25


def test_the_unit_scales_the_mesh(read):
    plain, half = (measure(read(dae(unit=f'<unit meter="{text}"/>'))) for text in ("1", "0.5"))
    assert half.volume == pytest.approx(plain.volume / 8)


@pytest.mark.parametrize("meter", ["inf", "nan", "0", "-2", "much", ""])
def test_a_unit_of_no_length_is_an_error(tmp_path, meter):
    """Its numbers would be a guess: Gazebo takes 0 for a point, and pycollada for metres."""
    path = tmp_path / "m.dae"
    path.write_text(dae(unit=f'<unit meter="{meter}"/>'))
    surface, (finding,) = read_mesh_file(str(path))
    assert surface is None and finding.name == "mesh-unreadable"
    assert finding.message.endswith(f"the meter of its <unit> is not a positive number: {meter!r}")


NOTHING = {
    "a geometry that nobody shows": ("library", "<library_geometries><geometry id='h'><spline/></geometry>"
                                     "</library_geometries>"),
    "bind_material": ("node", "<instance_geometry url='#g'><bind_material><technique_common><instance_material "
                      "symbol='a' target='no'/></technique_common></bind_material></instance_geometry>"),
    "asset": ("unit", "<unit meter='1'/><created>never</created><modified>never</modified>"),
    "extra": ("library", "<extra><technique profile='x'/></extra>"),
    "lines": ("primitives", f"<lines count='1'>{INPUT}<p>0 x</p></lines>"),
    "linestrips": ("primitives", f"<linestrips count='1'>{INPUT}<p>0 x</p></linestrips>"),
    "points": ("primitives", "<points><p>0 x</p></points>"),
    "library_animations": ("library", "<library_animations><animation id='a'><source id='s'><float_array id='f'>x"
                           "</float_array><technique_common/></source></animation></library_animations>"),
    "library_cameras": ("library", "<library_cameras><camera id='x'/></library_cameras>"),
    "library_effects": ("library", "<library_effects><effect id='x'/></library_effects>"),
    "library_images": ("library", "<library_images><image id='x'/></library_images>"),
    "library_lights": ("library", "<library_lights><light id='x'/></library_lights>"),
    "library_materials": ("library", "<library_materials><material id='x'/></library_materials>"),
    "instance_camera": ("node", "<instance_camera url='#no'/>"),
    "instance_light": ("node", "<instance_light url='#no'/>"),
}


@pytest.mark.parametrize("name", NOTHING)
def test_what_is_no_mesh_may_be_broken(read, name):
    place, text = NOTHING[name]
    if place == "node":
        shown = "" if "instance_geometry" in text else '<instance_geometry url="#g"/>'
        text = dae(f"<node>{shown}{text}</node>")
    elif place == "primitives":
        text = dae(primitives=PLAIN + text)
    else:
        text = dae(**{place: text})
    assert measure(read(text)).volume == 8




@pytest.mark.parametrize("kind, inside", [("triangles", ""), ("triangles", "<p></p>"), ("polylist", ""),
                                          ("tristrips", ""), ("trifans", "")])
def test_a_primitive_without_corners_is_passed_over(read, kind, inside):
    assert measure(read(dae(primitives=f"<{kind} count='0'>{INPUT}{inside}</{kind}>{PLAIN}"))).volume == 8


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_what_placing_makes_infinite_is_a_finding_not_a_warning(read):
    huge = "<scale>1e308 1e308 1e308</scale>"
    surface, (finding,) = read(dae(NODE.replace("<instance", f"{huge}{huge}<instance")))
    assert surface is None and finding.name == "mesh-not-finite"
