"""Shapes, materials, inertials and origins of SDFormat in a URDF. Expected values by hand."""
from __future__ import annotations

from math import pi

import pytest
from urdf_text import with_lines

from sdf_frames.convert.report import Row, make_rows
from sdf_frames.convert.urdf_bodies import copy_origin, is_identity, make_origin
from sdf_frames.document.elements import line_of
from sdf_frames.document.xml_in import read_xml
from sdf_frames.spatial.pose import pose_from_rpy
from sdf_frames.urdf.model import NO_ORIGIN, Box, Collision, Cylinder, Inertial, Material, Mesh, Origin, Sphere, Visual


def convert(to_robot, inside, **options):
    """The link that holds `inside`, and the rows but for the link's."""
    conversion = to_robot(f'<link name="l">\n{inside}</link>', **options)
    return conversion.robot.links[0], [row for row in make_rows(conversion.entries) if row.element != "link"]


def shape(geometry, tag="collision", inside="<pose>1 2 3 0 0 0</pose>", name="s"):
    return f'<{tag} name="{name}">{inside}<geometry>{geometry}</geometry></{tag}>'


PLACE = Origin((1, 2, 3))


@pytest.mark.parametrize("geometry, written, name", [
    ("<box><size>1 2 4</size></box>", Box((1, 2, 4)), "s"),
    ("<sphere><radius>2</radius></sphere>", Sphere(2), "s"),
    ("<cylinder><radius>2</radius><length>5</length></cylinder>", Cylinder(2, 5), "s"),
    ("<mesh><uri>a.stl</uri><scale>1 2 4</scale></mesh>", Mesh("uri a.stl", (1, 2, 4)), "s"),
    ("<mesh><uri>a.stl</uri></mesh>", Mesh("uri a.stl", (1, 1, 1)), "s"),
    ("<ellipsoid><radii>3 3 3</radii></ellipsoid>", Sphere(3), "s")])
@pytest.mark.parametrize("tag", ["visual", "collision"])
def test_shapes_that_urdf_has(tag, geometry, written, name, to_robot):
    link, rows = convert(to_robot, shape(geometry, tag))
    parts = (name, PLACE, written)
    assert with_lines((link.visuals, link.collisions)) == (
        ((Visual(*parts, None, 2),), ()) if tag == "visual" else ((), (Collision(*parts, 2),)))
    assert rows == [Row(tag, "s", "kept", None, 2, None)]


@pytest.mark.parametrize("geometry, what", [
    ("<ellipsoid><radii>3 3 2</radii></ellipsoid>", "ellipsoid"), ("<plane><normal>0 0 1</normal></plane>", "plane"),
    ("<cone><radius>1</radius><length>2</length></cone>", "cone"),
    ("<heightmap><uri>h.png</uri></heightmap>", "heightmap"),
    ("<polyline><point>0 0</point><point>1 0</point><point>0 1</point><height>1</height></polyline>", "polyline"),
    ("<empty/>", "empty")])
def test_shapes_that_urdf_does_not_have_are_left_out(geometry, what, to_robot):
    box = shape("<box><size>1 2 4</size></box>", name="t")
    link, rows = convert(to_robot, shape(geometry) + box)
    found = to_robot(f'<link name="l">\n{shape(geometry)}</link>').diagnostics
    assert [c.name for c in link.collisions] == ["t"]
    assert rows == [Row("collision", "s", "dropped", None, 2, f"URDF has no {what}"),
                    Row("collision", "t", "kept", None, 2)]
    # Of what has no shape, nothing is lost.
    assert [(d.code, d.severity, d.message, d.line) for d in found] == [
        ("C069", "warning", f"collision 's' is not in the URDF: URDF has no {what}", 2)] * (what != "empty")


@pytest.mark.parametrize("tag", ["visual", "collision"])
def test_a_capsule_is_a_cylinder_between_two_spheres(tag, to_robot):
    """Turned by a quarter about x, its axis is -y; of length 4, its ends are 2 from its middle."""
    pose = f"<pose>1 2 3 {pi / 2!r} 0 0</pose>"
    link, rows = convert(to_robot, shape("<capsule><radius>0.5</radius><length>4</length></capsule>", tag, pose))
    parts = link.visuals or link.collisions
    assert [(p.name, p.geometry, line_of(p.element)) for p in parts] == [
        ("s_side", Cylinder(0.5, 4), 2), ("s_top", Sphere(0.5), 2), ("s_bottom", Sphere(0.5), 2)]
    for part, xyz in zip(parts, ((1, 2, 3), (1, 0, 3), (1, 4, 3))):
        assert part.origin.xyz == pytest.approx(xyz) and part.origin.rpy == pytest.approx((pi / 2, 0, 0))
    assert rows == [Row(tag, "s", "moved", None, 2, "a capsule is written as a cylinder and two spheres")]


def test_a_submesh_is_written_as_the_whole_mesh(to_robot):
    mesh = "<mesh><uri>a.stl</uri><submesh><name>lid</name></submesh></mesh>"
    link, rows = convert(to_robot, shape(mesh))
    assert with_lines(link.collisions) == (Collision("s", PLACE, Mesh("uri a.stl"), 2),)
    assert rows == [Row("collision", "s", "kept", None, 2, "the whole mesh is used: URDF has no <submesh>")]


def test_names_that_the_conversion_to_sdf_made_are_shortened_again(to_robot):
    """Of each kind, the place counts: l_visual_1 is what the second visual is called if it has no name."""
    box = "<box><size>1 1 1</size></box>"
    link, rows = convert(to_robot, "".join([
        shape(box, "visual", name="l_visual"), shape(box, "visual", name="l_visual_1"),
        shape(box, "collision", name="l_collision"), shape(box, "collision", name="l_visual_1"),
        shape(box, "visual", name="l_fixed_joint_lump__cap_visual_2")]))
    assert [v.name for v in link.visuals] == ["", "", "cap"]
    assert [c.name for c in link.collisions] == ["", "l_visual_1"]
    assert [(row.name, row.action, row.into) for row in rows if row.action == "renamed"] == [
        ("l_fixed_joint_lump__cap_visual_2", "renamed", "cap")]


SPHERE = "<sphere><radius>1</radius></sphere>"


@pytest.mark.parametrize("inside, rgba, texture", [
    ("<diffuse>1 0.5 0 0.25</diffuse><ambient>0 0 1 1</ambient>", (1, 0.5, 0, 0.25), None),
    ("<ambient>0 0 1 1</ambient>", (0, 0, 1, 1), None),
    ("<diffuse>1 0.5 0</diffuse>", (1, 0.5, 0, 1), None),          # alpha is 1 if it is not written
    ("<diffuse>red</diffuse><ambient>0 0 1 1</ambient>", (0, 0, 1, 1), None),
    ("<pbr><metal><albedo_map>a.png</albedo_map></metal></pbr>", None, "albedo_map a.png"),
    ("<diffuse>1 0 0 1</diffuse><pbr><metal><albedo_map>a.png</albedo_map></metal></pbr>", (1, 0, 0, 1),
     "albedo_map a.png")])
def test_colour_and_texture(inside, rgba, texture, to_robot):
    link, _ = convert(to_robot, shape(SPHERE, "visual", f"\n<material>{inside}</material>"))
    assert with_lines(link.visuals[0].material) == Material("s_material", rgba, texture, 3)


@pytest.mark.parametrize("inside", ["", "<material/>", "<material><specular>1 1 1 1</specular></material>",
                                    "<material><pbr><metal><albedo_map/></metal></pbr></material>"])
def test_a_material_that_urdf_cannot_express_is_left_out(inside, to_robot):
    link, _ = convert(to_robot, shape(SPHERE, "visual", inside))
    assert link.visuals[0].material is None


def test_materials_of_one_name_and_different_colours_are_numbered(to_robot):
    """All materials of a URDF share one scope; equal ones may share a name."""
    def visual(colour, name="v"):
        return shape(SPHERE, "visual", f"<material><diffuse>{colour}</diffuse></material>", name)
    red, green, blue = "1 0 0 1", "0 1 0 1", "0 0 1 1"
    frames = "".join(f'<link name="{link}">{visual(colour)}{visual(red, "w")}</link>'
                     for link, colour in zip("abcde", (red, green, red, blue, green)))
    joints = "".join(f'<joint name="{link}" type="fixed"><parent>a</parent><child>{link}</child></joint>'
                     for link in "bcde")
    links = to_robot(frames + joints).robot.links
    assert [[v.material.name for v in link.visuals] for link in links] == [
        ["v_material", "w_material"], ["v_material0", "w_material"], ["v_material", "w_material"],
        ["v_material1", "w_material"], ["v_material0", "w_material"]]


@pytest.mark.parametrize("text, origin", [
    ("<pose>1 2 3 4 5 6</pose>", Origin((1, 2, 3), (4, 5, 6))), ("<pose/>", NO_ORIGIN),
    ('<pose rotation_format="">1 2 3 4 5 6</pose>', Origin((1, 2, 3), (4, 5, 6))),
    ('<pose rotation_format="euler_rpy">1 2 3 4 5 6</pose>', Origin((1, 2, 3), (4, 5, 6))),
    ('<pose degrees="false">1 2 3 4 5 6</pose>', Origin((1, 2, 3), (4, 5, 6))),
    ('<pose degrees="true">1 2 3 4 5 6</pose>', None), ("<pose>1 2 3</pose>", None),
    ('<pose rotation_format="quat_xyzw">1 2 3 0 0 0 1</pose>', None),
    ('<pose rotation_format="quat_xyzw">1 2 3 0 0 0</pose>', None)])
def test_poses_that_are_copied_as_written(text, origin):
    document, _ = read_xml(text)
    assert copy_origin(document.root) == origin


def test_no_pose_is_the_identity():
    assert copy_origin(None) == NO_ORIGIN


@pytest.mark.parametrize("angle, written", [(9e-16, 0.0), (-9e-16, 0.0), (2e-15, 2e-15), (0.5, 0.5)])
def test_angles_that_are_rounding_errors_become_zero(angle, written):
    origin = make_origin(pose_from_rpy(1e-20, 0.0, 3.0, 0.0, 0.0, angle))
    assert origin.xyz == (1e-20, 0, 3) and origin.rpy == pytest.approx((0, 0, written), rel=1e-6, abs=0)


@pytest.mark.parametrize("X, same", [
    ((0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0), True), ((0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0), True),
    ((1e-12, -1e-12, 0.0, 1.0, 0.0, 0.0, 0.0), True), ((0.0, 0.0, 2e-12, 1.0, 0.0, 0.0, 0.0), False),
    ((-2e-12, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0), False), ((0.0, 0.0, 0.0, 0.9, 0.4, 0.0, 0.0), False)])
def test_poses_that_count_as_the_identity(X, same):
    assert is_identity(X) == same


def test_an_inertial_is_written_as_it_is_in_the_sdf(to_robot):
    conversion = to_robot('<link name="l"><inertial><pose>0.10 0 0 0.50 0 0</pose><mass>2.0</mass><inertia>'
                          "<ixx>1.10</ixx><ixy>0.10</ixy><ixz>0.20</ixz><iyy>1.20</iyy><iyz>0.30</iyz><izz>1.30</izz>"
                          "</inertia></inertial></link>")
    assert with_lines(conversion.robot.links[0].inertial) == Inertial(
        Origin((0.1, 0, 0), (0.5, 0, 0)), 2, 1.1, 0.1, 0.2, 1.2, 0.3, 1.3, 1)


@pytest.mark.parametrize("inside, inertial", [
    ("", Inertial(NO_ORIGIN, 1, 1, 0, 0, 1, 0, 1, 1)),  # what SDFormat gives a link that states nothing
    ("<inertial><mass>0</mass><inertia><ixx>0</ixx><iyy>0</iyy><izz>0</izz></inertia></inertial>", None)])
def test_a_link_without_mass_has_no_inertial(inside, inertial, to_robot):
    conversion = to_robot(f'<link name="l">{inside}</link>')
    assert with_lines(conversion.robot.links[0].inertial) == inertial


def test_an_automatic_inertia_is_written_as_computed(to_robot):
    """A ball of radius 0.5 and density 600/π: of 100 kg, with the moment 0.4 · 100 · 0.25 about its centre."""
    ball = (f'<collision name="c"><density>{600 / pi!r}</density><pose>0 0 2 0 0 0</pose><geometry><sphere>'
            "<radius>0.5</radius></sphere></geometry></collision>")
    inertial, = [link.inertial for link in to_robot(
        f'<link name="l"><inertial auto="true"><pose>9 0 0 0 0 0</pose></inertial>{ball}</link>').robot.links]
    assert inertial.origin.xyz == pytest.approx((0, 0, 2)) and inertial.mass == pytest.approx(100)
    assert inertial[2:8] == pytest.approx((10, 0, 0, 10, 0, 10), abs=1e-9)
