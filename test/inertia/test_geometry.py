"""<geometry> to typed shapes: defaults, replacements, what cannot be read."""
import pytest

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
    Polyline,
    Prism,
    Sphere,
    read_geometry,
)


def read(text):
    geometry, found = read_geometry(read_xml(f"<geometry>{text}</geometry>", "f.sdf")[0].root)
    return geometry, [d.name for d in found]


@pytest.mark.parametrize("text, shape", [
    ("<box/>", Box((1, 1, 1))), ("<box><size>1 2 3</size></box>", Box((1, 2, 3))), ("<sphere/>", Sphere(1)),
    ("<cylinder/>", Cylinder(1, 1)), ("<capsule/>", Capsule(.5, 1)), ("<cone/>", Cone(1, 1)),
    ("<ellipsoid/>", Ellipsoid((1, 1, 1))), ("<plane/>", Plane((0, 0, 1), (1, 1))), ("<empty/>", Empty()),
    ("", Empty()),
    ("<cone><radius>2</radius><length>3</length></cone>", Cone(2, 3)),
    ("<heightmap><uri>a.png</uri><size>9 9 1</size><pos>1 2 3</pos></heightmap>",
     Heightmap("a.png", (9, 9, 1), (1, 2, 3))),
    ("<image><uri>a.png</uri><height>2</height></image>", Image("a.png", 1, 2)),
    ("<polyline><point>0 0</point><point>1 0</point><point>0 1</point><height>2</height></polyline><polyline/>",
     Polyline((Prism(((0, 0), (1, 0), (0, 1)), 2), Prism((), 1))))])
def test_shapes_and_their_defaults(text, shape):
    assert read(text) == (shape, [])


# versions.md §5: replacements differ from the defaults for cylinders and cones.
@pytest.mark.parametrize("text, shape", [
    ("<box><size>1 0 3</size></box>", Box((1, 1, 1))), ("<sphere><radius>-1</radius></sphere>", Sphere(1)),
    ("<cylinder><radius>0</radius></cylinder>", Cylinder(.5, 1)), ("<cone><radius>0</radius></cone>", Cone(.5, 1)),
    ("<capsule><length>0</length></capsule>", Capsule(.5, 1)), ("<sphere><radius>nan</radius></sphere>", Sphere(1)),
    ("<ellipsoid><radii>1 1 -1</radii></ellipsoid>", Ellipsoid((1, 1, 1)))])
def test_dimensions_that_are_not_positive_are_replaced_with_a_warning(text, shape):
    assert read(text) == (shape, ["geometry-dimension-not-positive"])


@pytest.mark.parametrize("text", ["<box><size>1 2</size></box>", "<sphere><radius>big</radius></sphere>",
                                  "<mesh><uri>a.stl</uri><scale>1 1</scale></mesh>",
                                  "<polyline><point>1</point></polyline>"])
def test_a_shape_with_an_unreadable_number_is_left_out(text):
    assert read(text) == (None, ["geometry-value-unreadable"])


def test_mesh_with_everything():
    mesh, found = read('<mesh optimization="convex_hull"><uri>model://m/a.dae</uri><scale>1 -2 3</scale>'
                       "<submesh><name>part</name><center>true</center></submesh></mesh>")
    assert isinstance(mesh, Mesh) and not found
    assert (mesh.uri, mesh.scale, mesh.submesh, mesh.center, mesh.optimization) == (
        "model://m/a.dae", (1, -2, 3), "part", True, "convex_hull")


def test_mesh_needs_a_uri():
    assert read("<mesh/>") == (None, ["mesh-without-uri"])
    assert read("<mesh><uri>__default__</uri></mesh>") == (None, ["mesh-without-uri"])


def test_several_shapes_and_unknown_ones_are_pointed_out():
    assert read("<sphere/><box/>") == (Box(), ["geometry-several-shapes"])
    assert read("<torus/>") == (Empty(), ["geometry-unknown-shape"])
    assert read("<ext:torus xmlns:ext='x'/>") == (Empty(), [])


def test_no_geometry_is_empty():
    assert read_geometry(None) == (Empty(), ())


@pytest.mark.parametrize("points, volume", [
    (((0, 0), (2, 0), (0, 2)), 4.0), (((0, 0), (0, 2), (2, 0)), 4.0), (((0, 0), (1, 0), (2, 0)), None)])
def test_an_outline_has_the_volume_of_its_prism(points, volume):
    """Half of 2 x 2, 2 high; whichever way it runs; none if it is a line."""
    from sdf_frames.inertia.shapes import integrate_primitive
    solid = integrate_primitive(Polyline((Prism(points, 2),)))
    assert (solid and solid.volume) == volume
