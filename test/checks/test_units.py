"""Notes on values in another unit. Each is a value that a person would write in that unit."""
import json
import struct
from math import pi

import pytest
from urdf_text import inertial, joint, link, robot

import sdf_frames as sf
from sdf_frames.cli import main

LIMIT = '<axis xyz="0 0 1"/><limit lower="{}" upper="{}" effort="1" velocity="1"/>'
SHAPE = "<collision><geometry>{}</geometry></collision>"
ROD = SHAPE.format('<cylinder radius="0.05" length="0.6"/>')


def note(text):
    return [(d.code, d.severity, d.message, d.hint) for d in sf.loads(text).findings if d.name == "unit-mistaken"]


def arm(inside, kind="revolute", rpy=""):
    return robot(link("a", 1), link("b", 1), joint("j", kind, "a", "b", inside, rpy=rpy))


def test_limits_in_degrees():
    assert note(arm(LIMIT.format(-90, 172.5))) == [(
        "I026", "warning", "the limits of joint 'j': -90 to 172.5 looks like a value in degrees",
        "write radians: -1.5708 to 3.01069")]


@pytest.mark.parametrize("lower, upper", [
    (-1e16, 1e16), (-1000, 1000), (-12, 12.5), (-20 * pi, 20 * pi), (-31.4, 31.4), (0, -1), (-6.28, 6.28),
    (-1.79769e308, 1.79769e308)])
def test_limits_that_are_common_get_no_note(lower, upper):
    assert note(arm(LIMIT.format(lower, upper))) == []


def test_limits_of_joints_that_do_not_turn_are_metres():
    assert note(arm(LIMIT.format(-90, 90), "prismatic")) == [] == note(arm(LIMIT.format(-90, 90), "continuous"))


@pytest.mark.parametrize("rpy, noted", [
    ("0 0 90", True), ("-45 0 180", True), ("0 1.5707963 6.597345", False), (f"0 0 {3 * pi}", False),
    ("6 0 0", False), ("0 0 1000", False), ("1.57 0 90", False)])
def test_angles_in_degrees(rpy, noted):
    assert bool(note(arm("", "fixed", rpy))) == noted
    pose = f'<sdf version="1.9"><model name="m"><link name="l"><pose{{}}>0 0 0 {rpy}</pose></link></model></sdf>'
    assert bool(note(pose.format(""))) == noted and not note(pose.format(' degrees="true"'))


def test_the_note_on_an_angle_stands_at_the_attribute():
    text = arm("", "fixed", "0 0 90")
    (found,) = [d for d in sf.loads(text).findings if d.code == "I026"]
    assert found.message == "rpy of <joint> 'j': 0 0 90 looks like a value in degrees"
    assert found.hint == "write radians: 0 0 1.5708" and found.column == text.index("0 0 90") + 1


@pytest.mark.parametrize("size, noted", [("300 200 100", True), ("90 90 90", False), ("0.3 0.2 0.1", False)])
def test_shapes_in_millimetres(size, noted):
    box = SHAPE.format(f'<box size="{size}"/>')
    text = robot(link("a", 1, box), link("b", 1, SHAPE.format('<sphere radius="0.1"/>')),
                 joint("j", "continuous", "a", "b", '<axis xyz="0 0 1"/>', xyz="0 0 1"))
    assert note(text) == ([("I026", "warning", "a shape of link 'a', in a model of about 1 m: 300 m looks like a value "
                            "in millimetres", "write metres: 0.3 for 300")] if noted else [])


def test_a_shape_whose_size_is_no_number_is_not_compared():
    """Its diameter is more than the largest number."""
    shapes = SHAPE.format('<sphere radius="1e308"/>') + SHAPE.format('<box size="0.3 0.2 0.1"/>')
    assert note(robot(link("a", 1, shapes))) == []


def test_a_ground_of_100_m_gets_no_note():
    ground = ('<sdf version="1.9"><world name="w"><model name="g">{}<link name="l"><collision name="c"><geometry><box>'
              '<size>200 200 1</size></box></geometry></collision></link></model></world></sdf>')
    assert note(ground.format("")) == [] == note(ground.format("<static>true</static>"))


# A box of 1 kg and 0.1 m has 1/600 kg·m².
@pytest.mark.parametrize("factor, unit", [
    (1, None), (1e2, None), (1e4, None), (1e6, "kg·mm²"), (1e7, "g·cm²"), (1e9, "g·mm²"), (1e12, None)])
def test_inertias_in_another_unit(factor, unit):
    moments = 3 * (factor / 600,)
    box = SHAPE.format('<box size="0.1 0.1 0.1"/>')
    text = robot(f'<link name="a">{inertial(1, moments=moments)}{box}</link>')
    notes = note(text)
    assert [hint for *_, hint in notes] == ([f"write kg·m²: 0.00166667 for {factor / 600:.6g}"] if unit else [])
    assert all(message.endswith(f"looks like a value in {unit}") for *_, message, _ in notes)


@pytest.mark.parametrize("moment", [1, 0.1, 1e-4])
def test_a_placeholder_is_in_no_unit(moment):
    """Each is at least 5e5 times the moment of the box, which is 1/600 m² times its mass."""
    box = SHAPE.format('<box size="0.1 0.1 0.1"/>')
    text = robot(f'<link name="a">{inertial(1e-7, moments=3 * (moment,))}{box}</link>')
    assert note(text) == []
    assert note(text.replace(f'"{moment}"', f'"{moment * 1.2}"'))


def test_a_principal_moment_beyond_the_largest_number_is_in_no_unit():
    """It is ixx + |ixy|."""
    tensor = '<inertia ixx="1e308" iyy="1e308" izz="1e308" ixy="1e308" ixz="0" iyz="0"/>'
    box = SHAPE.format('<box size="0.1 0.1 0.1"/>')
    assert note(robot(f'<link name="a"><inertial><mass value="1"/>{tensor}</inertial>{box}</link>')) == []


@pytest.mark.parametrize("command", [["check"], ["check", "--assets"], ["inertia"]])
@pytest.mark.parametrize("shape", [
    '<box size="0.1 0.1 0.1"/>', '<cylinder radius="0.05" length="0.1"/>', '<sphere radius="0.05"/>'])
def test_an_inertia_in_another_unit_is_told_once_by_each_command(shape, command, tmp_path, capsys):
    inside = inertial(1, moments=3 * (1e6 / 600,)) + SHAPE.format(shape)
    (tmp_path / "r.urdf").write_text(robot(f'<link name="a">{inside}</link>'))
    main([*command, "--json", str(tmp_path / "r.urdf")])
    assert [d["code"] for d in json.loads(capsys.readouterr().out)["diagnostics"]] == ["I026"]


def test_the_unit_is_also_told_of_links_with_meshes(tmp_path):
    """The tetrahedron has a box of 0.1 m around it."""
    write_cube(tmp_path / "cube.stl", 0.1)
    text = robot(f'<link name="a">{inertial(1, moments=3 * (1e6 / 600,))}{SHAPE}</link>'.format(
        '<mesh filename="cube.stl"/>'))
    (tmp_path / "r.urdf").write_text(text)
    (found,) = sf.load(tmp_path / "r.urdf")._description.find_odd_inertias()
    assert (found.code, found.hint) == ("I026", "write kg·m²: 0.00166667 for 1666.67")


def write_cube(path, edge):
    """An STL file of one corner of a cube."""
    corners = [(0, 0, 0), (edge, 0, 0), (0, edge, 0), (0, 0, edge)]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    path.write_bytes(bytes(80) + struct.pack("<I", 4) + b"".join(
        struct.pack("<12fH", 0, 0, 0, *[x for i in face for x in corners[i]], 0) for face in faces))


@pytest.mark.parametrize("edge, unit, scale", [
    (300, "millimetres", "0.001"), (0.0005, "metres scaled down once too often", "1000"), (0.3, None, None),
    (15, None, None)])
def test_a_mesh_of_another_size_than_the_rest(edge, unit, scale, tmp_path):
    write_cube(tmp_path / "odd.stl", edge)
    write_cube(tmp_path / "even.stl", 0.4)
    text = robot(*[link(name, 1, SHAPE.format(f'<mesh filename="{name}.stl"/>')) for name in ("odd", "even")],
                 link("box", 1, SHAPE.format('<box size="0.2 0.3 0.4"/>')), joint("j", "fixed", "odd", "even"),
                 joint("k", "fixed", "even", "box"))
    (tmp_path / "r.urdf").write_text(text)
    found = sf.load(tmp_path / "r.urdf")._description.find_odd_meshes()
    if unit is None:
        assert found == []
    else:
        (odd,) = found
        reason = "the rest of its model 0.4 m" + ("" if edge > 1 else " and more")
        assert (odd.code, odd.severity, odd.hint) == ("G026", "warning", f'write scale="{scale} {scale} {scale}"')
        assert odd.message == f"mesh odd.stl is {edge:.3g} m long, {reason}; its coordinates look like {unit}"
        assert odd.path.endswith('link[@name="odd"]/collision')


def chain(folder, kind="continuous", **shapes):
    """Links with these shapes, 0.2 m apart from each other, as the names of those whose meshes are suspicious."""
    (folder / "r.urdf").write_text(robot(*[link(name, 1, inside) for name, inside in shapes.items()], *[
        joint(f"j{b}", kind, a, b, xyz="0 0 0.2") for a, b in zip(shapes, [*shapes][1:])]))
    return [d.path.split('"')[3] for d in sf.load(folder / "r.urdf")._description.find_odd_meshes()]


def test_all_meshes_may_be_in_millimetres(tmp_path):
    """Those that the user has repaired are not named, nor are collisions of the right size."""
    mesh = '<mesh filename="{}.stl" scale="{}"/>'
    for edge in (300, 350, 60):
        write_cube(tmp_path / f"{edge}.stl", edge)
    raw = [SHAPE.format(mesh.format(edge, "1 1 1")) for edge in (300, 350, 60)]
    repaired = [SHAPE.format(mesh.format(edge, "0.001 0.001 0.001")) for edge in (300, 350, 60)]
    assert chain(tmp_path, a=raw[0], b=raw[1]) == ["a", "b"]
    assert chain(tmp_path, a=raw[0], b=raw[1], c=raw[2]) == ["a", "b", "c"]
    assert chain(tmp_path, "fixed", a=raw[0], b=raw[1]) == ["a", "b"]  # the SDF has one link, and frames
    assert chain(tmp_path, a=repaired[0], b=raw[1], c=raw[2]) == ["b", "c"]
    assert chain(tmp_path, a=repaired[0], b=repaired[1], c=raw[2]) == ["c"]
    assert chain(tmp_path, a=repaired[0], b=repaired[1], c=repaired[2]) == []
    drawn = [shape.replace("collision", "visual") for shape in raw]
    assert chain(tmp_path, a=repaired[0] + drawn[0], b=repaired[1] + drawn[1]) == ["a", "b"]


def test_small_meshes_beside_large_ones_are_in_millimetres_too(tmp_path):
    """The links are 0.2 m apart, three in a row 0.4 m: 30 m is less than 100 times as long, 1.9 m less than 5 times."""
    for edge in (300, 350, 30, 1.9, 3000):
        write_cube(tmp_path / f"{edge}.stl", edge)
    corners = ["0 0 0", "30 0 0", "0 30 0", "0 0 30"]
    (tmp_path / "30.obj").write_text("".join(f"v {corner}\n" for corner in corners) + "f 1 3 2\nf 1 2 4\nf 1 4 3\n"
                                     "f 2 3 4\n")
    mesh = '<mesh filename="{}" scale="{}"/>'
    raw, hand, finger = (SHAPE.format(mesh.format(f"{edge}.stl", "1 1 1")) for edge in (300, 30, 1.9))
    assert chain(tmp_path, a=raw, b=raw.replace("300", "350"), c=hand) == ["a", "b", "c"]
    assert chain(tmp_path, a=raw, b=raw.replace("300", "350"), c=finger) == ["a", "b"]
    for other in ("30.obj", "1 1 1"), ("3000.stl", "0.01 0.01 0.01"):
        assert chain(tmp_path, a=raw, b=raw.replace("300", "350"), c=SHAPE.format(mesh.format(*other))) == ["a", "b"]
    box = SHAPE.format('<box size="0.2 0.3 0.4"/>')
    assert chain(tmp_path, a=box, b=box, c=hand) == []


@pytest.mark.parametrize("edge, named", [(0.008, []), (0.0019, ["screw"]), (0.0011, ["screw"])])
def test_a_screw_is_quiet_beside_parts_of_a_metre(edge, named, tmp_path):
    """A thousand times as long, it would be more than twice as long as the rest, 1 m."""
    for size in (1, edge):
        write_cube(tmp_path / f"{size}.stl", size)
    part, screw = (SHAPE.format(f'<mesh filename="{size}.stl"/>') for size in (1, edge))
    assert chain(tmp_path, a=part, b=SHAPE.format('<box size="1 1 0.9"/>'), screw=screw) == named


def test_grounds_and_buildings_are_quiet(tmp_path):
    """A ground of 200 m with nothing to compare it with, and two halls of 60 m whose frames are 5 m apart."""
    for edge in (200, 60, 70):
        write_cube(tmp_path / f"{edge}.stl", edge)
    mesh = SHAPE.format('<mesh filename="{}.stl"/>')
    assert chain(tmp_path, a=mesh.format(200)) == []
    (tmp_path / "r.urdf").write_text(robot(link("a", 1, mesh.format(60)), link("b", 1, mesh.format(70)),
                                           joint("j", "continuous", "a", "b", xyz="5 0 0")))
    assert sf.load(tmp_path / "r.urdf")._description.find_odd_meshes() == []


@pytest.mark.parametrize("uri", ["package://p/odd.stl", "model://p/odd.stl"])
def test_a_mesh_of_another_size_is_named_as_it_is_written(uri, tmp_path):
    (tmp_path / "p").mkdir()
    write_cube(tmp_path / "p" / "odd.stl", 300)
    text = robot(link("odd", 1, SHAPE.format(f'<mesh filename="{uri}"/>')),
                 link("box", 1, SHAPE.format('<box size="1 1 1"/>')), joint("j", "fixed", "odd", "box"))
    (odd,) = sf.loads(text, resource_paths=[tmp_path])._description.find_odd_meshes()
    assert odd.message.startswith(f"mesh {uri} is ")


def test_the_visual_and_the_collision_of_a_link_are_one_warning(tmp_path):
    write_cube(tmp_path / "odd.stl", 300)
    shapes = SHAPE.format('<mesh filename="odd.stl"/>')
    both = shapes + "\n" + shapes.replace("collision", "visual")
    (tmp_path / "r.urdf").write_text(robot(link("odd", 1, both), link("box", 1, SHAPE.format('<box size="1 1 1"/>')),
                                           joint("j", "fixed", "odd", "box")))
    (odd,) = sf.load(tmp_path / "r.urdf")._description.find_odd_meshes()
    assert [other.message for other in odd.related] == ["the same mesh"]
    assert {odd.path, odd.related[0].path} == {f'/robot[@name="r"]/link[@name="odd"]/{kind}'
                                               for kind in ("visual", "collision")}


@pytest.mark.parametrize("edge, scale, hint", [
    (0.3, "0.001 0.001 -0.001", "1 1 -1"), (300, "2 2 1", "0.002 0.002 0.001"), (300, "1 1 1", "0.001 0.001 0.001")])
def test_the_scale_that_a_mesh_has_counts(edge, scale, hint, tmp_path):
    """Applied, the hint is the last one: it does not lead back."""
    write_cube(tmp_path / "odd.stl", edge)
    def hint_of(scale):
        path = tmp_path / "r.urdf"
        path.write_text(robot(link("a", 1, SHAPE.format(f'<mesh filename="odd.stl" scale="{scale}"/>')), *[
            link(name, 1, SHAPE.format(f'<box size="0.{i} 0.3 0.4"/>')) for i, name in enumerate("bcd", 1)],
            *[joint(f"j{name}", "fixed", "a", name) for name in "bcd"]))
        return [d.hint for d in sf.load(path)._description.find_odd_meshes()]
    assert hint_of(scale) == [f'write scale="{hint}"'] and hint_of(hint) == []


@pytest.mark.parametrize("xyz, size, said", [
    ("0 0 250", 0.3, "; the rest of its model is about 0.3 m"), ("0 0 29", 0.3, None), ("0 0 250", 3, None),
    ("0 0 9", 0.01, None), ("0 0 2000", 30, "; the rest of its model is about 30 m")])
def test_a_joint_far_from_all_else_is_probably_in_millimetres(xyz, size, said):
    """From 10 m on, a hundred times as far as the rest of the model is large; from 1,000 m on, always."""
    box = SHAPE.format(f'<box size="{size} 0.01 0.01"/>')
    text = robot(link("a", 1, box), link("b", 1, box), link("c", 1), joint("j", "continuous", "a", "b", xyz=xyz),
                 joint("k", "continuous", "b", "c", xyz="0 0 0.2"))
    found = [d.message for d in sf.loads(text).findings if d.name == "distance-suspicious"]
    assert found == ([] if said is None else [f"joint 'j' is {xyz[4:]} m away from the frame that its pose is relative "
                                              f"to{said}"])


@pytest.mark.parametrize("command", [["check"], ["check", "--assets"], ["inertia"]])
@pytest.mark.parametrize("shape, moments, told", [
    # A rod of 2 kg, 0.6 m long along z and 0.05 m thick: m (3 r² + l²) / 12 across, m r² / 2 along.
    (ROD, (0.06125, 0.06125, 0.0025), 0), (ROD, (0.0025, 0.06125, 0.06125), 1),
    (SHAPE.format('<sphere radius="0.01"/>') + ROD, (0.0025, 0.06125, 0.06125), 1),
    (ROD, (0.06125, 0.0025, 0.6125), 0)])  # impossible, which is an error of its own
def test_exchanged_moments_are_told_once_by_each_command(shape, moments, told, command, tmp_path, capsys):
    (tmp_path / "r.urdf").write_text(robot(f'<link name="a">{inertial(2, moments=moments)}{shape}</link>'))
    main([*command, "--json", str(tmp_path / "r.urdf")])
    assert capsys.readouterr().out.count('"I028"') == told



def test_files_are_asked_for_what_the_table_of_inertias_says_of_them(tmp_path, capsys):
    """2.95 kg m² for 7.3 kg in a box of 0.2 × 0.2 × 0.3 m, whose corners are 0.206 m from its centre."""
    box = SHAPE.format('<box size="0.2 0.2 0.3"/>')
    (tmp_path / "r.urdf").write_text(robot(f'<link name="a">{inertial(7.3, moments=[2.95] * 3)}{box}</link>'))
    said = {}
    for options in (["check"], ["check", "--assets"], ["inertia"]):
        assert main([*options, str(tmp_path / "r.urdf")]) == 0
        said[options[-1]] = "I013" in "".join(capsys.readouterr())
    assert said == {"check": False, "--assets": True, "inertia": True}
