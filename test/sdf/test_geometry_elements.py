"""Shapes as written, and their defaults where they are not: those of the SDFormat specification."""
import pytest
from lxml import etree

from sdf_frames.document.xml_in import read_xml
from sdf_frames.sdf.geometry import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    Empty,
    Heightmap,
    Image,
    Mesh,
    Plane,
    Sphere,
    read_geometry,
)


def read(shape):
    document, _ = read_xml(f'<sdf version="1.12"><geometry>{shape}</geometry></sdf>')
    return read_geometry(document.root.find("geometry"))


def fields(shape, kind):
    assert isinstance(shape, kind)
    return tuple(getattr(shape, name) for name in kind.__slots__ if not etree.iselement(getattr(shape, name)))


@pytest.mark.parametrize("text, kind, values", [
    ("<box/>", Box, ((1, 1, 1),)), ("<box><size>1 2 3</size></box>", Box, ((1, 2, 3),)),
    ("<sphere/>", Sphere, (1,)), ("<sphere><radius>2</radius></sphere>", Sphere, (2,)),
    ("<cylinder/>", Cylinder, (1, 1)), ("<cylinder><radius>2</radius><length>3</length></cylinder>", Cylinder, (2, 3)),
    ("<capsule/>", Capsule, (0.5, 1)), ("<capsule><radius>2</radius><length>3</length></capsule>", Capsule, (2, 3)),
    ("<cone/>", Cone, (1, 1)), ("<cone><radius>2</radius><length>3</length></cone>", Cone, (2, 3)),
    ("<ellipsoid/>", Ellipsoid, ((1, 1, 1),)), ("<ellipsoid><radii>1 2 3</radii></ellipsoid>", Ellipsoid, ((1, 2, 3),)),
    ("<plane/>", Plane, ((0, 0, 1), (1, 1))),
    ("<plane><normal>1 0 0</normal><size>4 5</size></plane>", Plane, ((1, 0, 0), (4, 5))),
    ("<heightmap><uri>h</uri></heightmap>", Heightmap, ("h", (1, 1, 1), (0, 0, 0))),
    ("<heightmap><uri>h</uri><size>4 5 6</size><pos>1 2 3</pos></heightmap>", Heightmap, ("h", (4, 5, 6), (1, 2, 3))),
    ("<image><uri>i</uri></image>", Image, ("i", 1, 1)),
    ("<image><uri>i</uri><scale>4</scale><height>5</height></image>", Image, ("i", 4, 5)), ("<empty/>", Empty, ())])
def test_a_shape(text, kind, values):
    shape, found = read(text)
    assert found == () and fields(shape, kind) == values


@pytest.mark.parametrize("inside, expected", [
    ("", ((1, 1, 1), None, False)), ("<scale>1 2 -3</scale>", ((1, 2, -3), None, False)),
    ("<submesh><name>s</name></submesh>", ((1, 1, 1), "s", False)),
    ("<submesh><name>s</name><center>true</center></submesh>", ((1, 1, 1), "s", True))])
def test_a_mesh(inside, expected):
    mesh, found = read(f"<mesh><uri>m.stl</uri>{inside}</mesh>")
    assert isinstance(mesh, Mesh) and found == ()
    assert (mesh.uri, mesh.scale, mesh.submesh, mesh.center) == ("m.stl", *expected)


def test_polylines_are_prisms_each_with_its_height():
    outline = "<polyline>{}<point>0 0</point><point>1 0</point><point>0 1</point></polyline>"
    shape, found = read(outline.format("<height>2</height>") + outline.format(""))
    assert found == () and [(p.points, p.height) for p in shape.prisms] == [
        (((0, 0), (1, 0), (0, 1)), 2), (((0, 0), (1, 0), (0, 1)), 1)]


@pytest.mark.parametrize("text",
    ["<box><size>0 1 1</size></box>", "<sphere><radius>-1</radius></sphere>", "<box><size>1 1</size></box>",
                                  "<plane><size>a b</size></plane>", "<polyline><point>1</point></polyline>"])
def test_sizes_that_no_shape_has_are_findings(text):
    assert len(read(text)[1]) == 1
