"""Shapes as written, and their defaults where they are not: those of the SDFormat specification."""
import pytest
from lxml import etree

from sdf_frames.document.xml_in import read_xml
from sdf_frames.load import load_text
from sdf_frames.sdf.geometry import Box, Capsule, Cone, Cylinder, Ellipsoid, Empty, Sphere, read_geometry


def read(shape):
    document, _ = read_xml(f'<sdf version="1.12"><geometry>{shape}</geometry></sdf>')
    return read_geometry(document.root.find("geometry"))


@pytest.mark.parametrize("text, values", [
    ("<box/>", ((1, 1, 1),)), ("<box><size>1 2 3</size></box>", ((1, 2, 3),)),
    ("<sphere/>", (1,)), ("<sphere><radius>2</radius></sphere>", (2,)),
    ("<cylinder/>", (1, 1)), ("<cylinder><radius>2</radius><length>3</length></cylinder>", (2, 3)),
    ("<capsule/>", (0.5, 1)), ("<capsule><radius>2</radius><length>3</length></capsule>", (2, 3)),
    ("<cone/>", (1, 1)), ("<cone><radius>2</radius><length>3</length></cone>", (2, 3)),
    ("<ellipsoid/>", ((1, 1, 1),)), ("<ellipsoid><radii>1 2 3</radii></ellipsoid>", ((1, 2, 3),)),
    ("<plane/>", ((0, 0, 1), (1, 1))), ("<plane><normal>1 0 0</normal><size>4 5</size></plane>", ((1, 0, 0), (4, 5))),
    ("<heightmap><uri>h</uri></heightmap>", ("h", (1, 1, 1), (0, 0, 0))),
    ("<heightmap><uri>h</uri><size>4 5 6</size><pos>1 2 3</pos></heightmap>", ("h", (4, 5, 6), (1, 2, 3))),
    ("<image><uri>i</uri></image>", ("i", 1, 1)),
    ("<image><uri>i</uri><scale>4</scale><height>5</height></image>", ("i", 4, 5)), ("<empty/>", ())])
def test_a_shape(text, values):
    shape, found = read(text)
    given = (getattr(shape, name) for name in shape.__slots__)
    assert found == () and tuple(value for value in given if not etree.iselement(value)) == values
    assert text.startswith(f"<{type(shape).__name__.lower()}")


def test_polylines_are_prisms_each_with_its_height():
    outline = "<polyline>{}<point>0 0</point><point>1 0</point><point>0 1</point></polyline>"
    shape, found = read(outline.format("<height>2</height>") + outline.format(""))
    assert found == () and [(p.points, p.height) for p in shape.prisms] == [
        (((0, 0), (1, 0), (0, 1)), 2), (((0, 0), (1, 0), (0, 1)), 1)]


def said(shape):
    """The shape, and rule, message and column of each finding on the text without its mark; the mark's column."""
    text = f'<sdf version="1.12"><geometry>{shape}</geometry></sdf>'
    document, _ = read_xml(text.replace("^", ""))
    geometry, found = read_geometry(document.root.find("geometry"))
    return geometry, [(d.name, d.message, d.column) for d in found], text.index("^") + 1


def not_positive(shape, tag, text, default):
    return "geometry-dimension-not-positive", (
        f"<{tag}> of the {shape} is {text}, which is not positive: libsdformat 17 uses {default} instead, "
        "libsdformat 12 keeps it")


@pytest.mark.parametrize("text, shape, finding", [
    ("<box>^<size>1 0 1</size></box>", Box((1, 1, 1)), not_positive("box", "size", "1 0 1", "1 1 1")),
    ("<sphere>^<radius>0</radius></sphere>", Sphere(1), not_positive("sphere", "radius", "0", "1")),
    ("<cylinder>^<radius>-2</radius><length>3</length></cylinder>", Cylinder(0.5, 3),
     not_positive("cylinder", "radius", "-2", "0.5")),
    ("<cylinder><radius>3</radius>^<length>nan</length></cylinder>", Cylinder(3, 1),
     not_positive("cylinder", "length", "nan", "1")),
    ("<capsule>^<radius>0</radius><length>3</length></capsule>", Capsule(0.5, 3),
     not_positive("capsule", "radius", "0", "0.5")),
    ("<capsule>^<length>-1</length></capsule>", Capsule(0.5, 1), not_positive("capsule", "length", "-1", "1")),
    ("<cone>^<radius>0</radius><length>3</length></cone>", Cone(0.5, 3), not_positive("cone", "radius", "0", "0.5")),
    ("<cone>^<length>0</length></cone>", Cone(1, 1), not_positive("cone", "length", "0", "1")),
    ("<ellipsoid>^<radii>1 1 -1</radii></ellipsoid>", Ellipsoid((1, 1, 1)),
     not_positive("ellipsoid", "radii", "1 1 -1", "1 1 1"))])
def test_a_size_that_is_not_positive_is_replaced_as_libsdformat_does(text, shape, finding):
    geometry, found, mark = said(text)
    assert geometry == shape and found == [(*finding, mark)]


@pytest.mark.parametrize("kind", ["visual", "collision"])
@pytest.mark.parametrize("shape, count", [("<sphere><radius>0</radius></sphere>", 1),
                                          ("<sphere><radius>1e-9</radius></sphere>", 0)])
def test_every_shape_of_a_file_is_judged_once(kind, shape, count):
    text = (f'<sdf version="1.12"><model name="m"><link name="l"><{kind} name="c"><geometry>{shape}</geometry></{kind}>'
            "</link></model></sdf>")
    assert [(d.name, d.severity) for d in load_text(text).diagnostics] == [
        ("geometry-dimension-not-positive", "warning")] * count


@pytest.mark.parametrize("text, finding", [
    ("<box>^<size>1 1</size></box>", ("size", "box", "1 1", "3 numbers")),
    ("<sphere>^<radius>big</radius></sphere>", ("radius", "sphere", "big", "a number")),
    ("<plane>^<normal>up</normal></plane>", ("normal", "plane", "up", "3 numbers")),
    ("<plane>^<size>1</size></plane>", ("size", "plane", "1", "2 numbers")),
    ("<polyline><point>1 2</point>^<point>1</point></polyline>", ("point", "polyline", "1", "2 numbers")),
    ("<polyline>^<height>x</height></polyline>", ("height", "polyline", "x", "a number")),
    ("<mesh><uri>m.stl</uri>^<scale>x</scale></mesh>", ("scale", "mesh", "x", "3 numbers"))])
def test_a_size_that_cannot_be_read_leaves_no_shape(text, finding):
    geometry, found, mark = said(text)
    tag, shape, value, wanted = finding
    assert geometry is None
    assert found == [("geometry-value-unreadable", f"<{tag}> of the {shape} is not {wanted}: {value!r}", mark)]


@pytest.mark.parametrize("inside", ["", "<uri/>", "<uri>__default__</uri>", "<uri> </uri>"])
def test_a_mesh_without_a_file(inside):
    geometry, found, mark = said(f"^<mesh>{inside}</mesh>")
    assert geometry is None and [(rule, column) for rule, _, column in found] == [("mesh-without-uri", mark)]


ORDER = ("box", "capsule", "cone", "cylinder", "ellipsoid", "plane", "sphere", "heightmap", "mesh", "polyline", "image",
         "empty")


@pytest.mark.parametrize("first, second", list(zip(ORDER, ORDER[1:])))
def test_the_first_of_several_shapes_in_libsdformats_order_counts(first, second):
    content = {"mesh": "<uri>m.stl</uri>"}
    document, _ = read_xml('<sdf version="1.12"><geometry>' + "".join(
        f"<{tag}>{content.get(tag, '')}</{tag}>" for tag in (second, first)) + "</geometry></sdf>")
    geometry, (found,) = read_geometry(document.root[0])
    assert type(geometry).__name__.lower() == first
    assert (found.name, found.column) == ("geometry-several-shapes", 21)
    assert found.message == f"the geometry contains {second} and {first}; only the {first} is used"


def test_shapes_that_sdformat_does_not_have_are_passed_over():
    geometry, found, mark = said("<a:b/><!-- -->^<torus/><box/>")
    assert geometry == Box() and [(rule, column) for rule, _, column in found] == [("geometry-unknown-shape", mark)]
    assert "<torus>" in found[0][1]
    geometry, found, _ = said("^<torus/>")
    assert geometry == Empty() and len(found) == 1
    assert read_geometry(None) == (Empty(), ())


def test_the_first_of_repeated_dimensions_counts():
    geometry, found = read("<box><size>1 2 3</size><size>4 5 6</size></box><box><size>7 8 9</size></box>")
    assert geometry == Box((1, 2, 3)) and found == ()


@pytest.mark.parametrize("optimization, inside, values", [
    (' optimization="convex_hull"', "<uri> m.stl </uri>", ((1, 1, 1), None, False, "convex_hull")),
    ("", "<uri>m.stl</uri><scale>1 2 -3</scale>", ((1, 2, -3), None, False, "")),
    ("", "<uri>m.stl</uri><submesh><name/><center>1</center></submesh>", ((1, 1, 1), None, True, "")),
    ("", "<uri>m.stl</uri><submesh><name>s</name></submesh>", ((1, 1, 1), "s", False, "")),
    ("", "<uri>m.stl</uri><submesh><name>s</name><center>x</center></submesh>", ((1, 1, 1), "s", False, ""))])
def test_values_of_a_mesh(optimization, inside, values):
    mesh, found = read(f"<mesh{optimization}>{inside}</mesh>")
    assert found == () and mesh.path is None and mesh.uri == "m.stl"
    assert (mesh.scale, mesh.submesh, mesh.center, mesh.optimization) == values
