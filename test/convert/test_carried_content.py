"""What URDF has and SDF has not goes through the SDF in this project's namespace, and comes back as it was."""
from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from lxml import etree
from real_files import CORPUS, MISSING, STEP, some_files
from urdf_text import joint, link, robot
from written_text import convert_text, convert_to_display, convert_to_urdf, upgrade_text

from sdf_frames.convert.options import ConvertOptions
from sdf_frames.convert.round_trip_attributes import NAMESPACE
from sdf_frames.load import load_text

AXIS = '<axis xyz="0 0 1"/>'
LIMIT = '<limit lower="-1" upper="2" effort="3" velocity="4"/>'
SAFETY = '<safety_controller k_velocity="5" k_position="6" soft_lower_limit="-0.5" soft_upper_limit="0.5"/>'
CONTROLS = (
    '<transmission name="t"><type>SimpleTransmission</type><joint name="turn"><hardwareInterface>Effort'
    "</hardwareInterface></joint></transmission>",
    '<ros2_control name="c" type="system"><hardware><plugin>p</plugin><param name="x">1</param></hardware>'
    '<joint name="turn"><command_interface name="position"/></joint><sensor name="ft"/></ros2_control>')


def turn(inside="", kind="revolute", parent="a"):
    return joint("turn", kind, parent, "b", AXIS + LIMIT + inside)


def go(text, **options):
    """The SDF's tree, the report, the URDF that comes back, and its rows."""
    sdf, conversion, found = convert_text(text, None, ConvertOptions(**options))
    assert sdf is not None, found
    result = convert_to_urdf(load_text(sdf))
    assert result.text is not None, result.diagnostics
    return etree.fromstring(sdf.encode()), conversion.rows, etree.fromstring(result.text.encode()), result.rows


def spell(element):
    """An element without white space, to compare."""
    return (element.tag, sorted(element.attrib.items()), (element.text or "").strip(), [spell(e) for e in element])


def actions(rows, *kinds):
    return [(row.element, row.name, row.action) for row in rows if row.element in kinds]


def test_controls_come_back_as_they_were():
    text = robot(link("a", 1), link("b", 1), turn(), *CONTROLS, '<loop_joint name="l"><link1 link="a"/></loop_joint>')
    sdf, rows, back, way_back = go(text)
    before = etree.fromstring(text)
    for tag in ("transmission", "ros2_control", "loop_joint"):
        assert [spell(e) for e in back.iterchildren(tag)] == [spell(e) for e in before.iterchildren(tag)] != []
    names = [("loop_joint", "l", "carried"), ("ros2_control", "c", "carried"), ("transmission", "t", "carried")]
    assert sorted(actions(rows, *[n[0] for n in names])) == names
    assert sorted(actions(way_back, *[n[0] for n in names])) == names
    # No reader of the SDF takes what is in there for elements of SDFormat.
    (container,) = sdf.find("model").iterchildren(f"{{{NAMESPACE}}}robot")
    assert {etree.QName(e).namespace for e in container.iter()} == {NAMESPACE}


@pytest.mark.parametrize("inside, kind, mode", [
    (SAFETY + '<calibration rising="0.1"/>', "revolute", {}), (SAFETY, "prismatic", {}),
    ('<dynamics damping="1" friction="2"/>', "fixed", {}), ("", "continuous", {}), ("", "floating", {}),
    ('<dynamics damping="1" friction="2"/>', "fixed", {"preserve_fixed_joints": True}), ("", "planar", {})])
def test_parts_of_joints_come_back(inside, kind, mode):
    text = robot(link("a", 1), link("b", 1), turn(inside, kind))
    _, rows, back, _ = go(text, **mode)
    parts = {e.tag: spell(e) for e in back.find("joint") if e.tag not in ("parent", "child")}
    expected = {e.tag: spell(e) for e in etree.fromstring(text).find("joint") if e.tag not in ("parent", "child")}
    assert parts == expected
    assert not [row for row in rows if row.action == "dropped"]


def test_rates_come_back_with_the_version_that_has_them():
    limit = '<limit lower="0" upper="1" acceleration="2" jerk="3"/>'
    text = robot(link("a", 1), link("b", 1), joint("j", "revolute", "a", "b", AXIS + limit)).replace(
        '<robot name="r"', '<robot name="r" version="1.2"')
    sdf, _, back, _ = go(text)
    assert back.get("version") == "1.2" and back.find("joint/limit").get("jerk") == "3"
    result = convert_to_urdf(load_text(etree.tostring(sdf).decode()), version="1.0")
    assert "jerk" not in result.text and "version" not in result.text[30:]
    assert ("limit", "j", "dropped") in actions(result.rows, "limit")


def test_unknown_elements_of_links_and_joints_come_back_also_from_lumped_ones():
    inside = '<self_collision_checking><origin xyz="0 0 0"/></self_collision_checking>'
    text = robot(link("a", 1, inside), link("b", 1, inside), joint("j", "fixed", "a", "b", '<gains p="1"/>'),
                 link("c", inside=inside), joint("k", "continuous", "b", "c", AXIS))
    sdf, rows, back, _ = go(text)
    assert sorted(link.get("name") for link in back.iter("link") if link.find("self_collision_checking") is not None
                  ) == ["a", "b"]
    assert spell(back.find("link/self_collision_checking")) == spell(etree.fromstring(inside))
    assert back.find("joint/gains").get("p") == "1"
    # What belongs to a link that the SDF has not is lost, as its row says.
    assert [row[1:] for row in actions(rows, "link/self_collision_checking")] == [
        ("a", "carried"), ("b", "carried"), ("c", "dropped")]


STRANGE = ('<limit lower="-1" upper="2" effort="3" velocity="4" d:acceleration="7" current="5"/>'
           '<dynamics damping="1" friction="2" mu="0.5" none="" e:f="1"/><safety_controller k_velocity="5" soft="1"/>')


@pytest.mark.parametrize("kind", ["revolute", "fixed"])
def test_attributes_of_parts_of_joints_that_urdf_does_not_define_come_back(kind):
    """Drake reads such a one. One that is empty would be refused by libsdformat; one may have no namespace."""
    text = robot(link("a", 1), link("b", 1), joint("turn", kind, "a", "b", AXIS + STRANGE)).replace(
        "<robot ", '<robot xmlns:d="http://drake.mit.edu" ')
    sdf, rows, back, _ = go(text)
    before, after = (root.find("joint") for root in (etree.fromstring(text.replace(' e:f="1"', "")), back))
    for tag in ("limit", "dynamics", "safety_controller"):
        expected = dict(before.find(tag).attrib)
        expected.pop("none", None)
        assert expected.items() <= dict(after.find(tag).attrib).items() and len(after.findall(tag)) == 1
    assert b'd:acceleration="7"' in etree.tostring(back)
    assert {(row.element, row.action) for row in rows if "@" in row.element} == {
        ("limit/@d:acceleration", "carried"), ("limit/@current", "carried"), ("dynamics/@mu", "carried"),
        ("safety_controller/@soft", "carried"), ("dynamics/@none", "dropped"), ("dynamics/@e:f", "dropped")}
    if kind == "revolute":  # a joint that has no limits any more has no place for them
        sdf.find("model/joint").set("type", "ball")
        sdf.find("model/joint").remove(sdf.find("model/joint/axis"))
        result = convert_to_urdf(load_text(etree.tostring(sdf).decode()))
        assert b"acceleration" not in result.text.encode()
        assert ("limit", "turn", "dropped") in actions(result.rows, "limit")


def test_attributes_of_the_robot_links_and_joints_that_urdf_does_not_define_come_back():
    """Isaac Sim reads the joint's. A lumped joint is a frame in the SDF."""
    text = robot(link("a", 1).replace("<link ", '<link type="x" '), link("b", 1).replace("<link ", '<link id="2" '),
                 joint("weld", "fixed", "a", "b").replace("<joint ", '<joint dont_collapse="true" none="" ')).replace(
                     "<robot ", '<robot by="me" ')
    sdf, rows, back, _ = go(text)
    assert [dict(e.attrib) for e in back] == [
        {"name": "a", "type": "x"}, {"name": "b", "id": "2"},
        {"name": "weld", "type": "fixed", "dont_collapse": "true"}]
    assert dict(back.attrib) == {"name": "r", "by": "me"}
    # What is written counts before what somebody adds there.
    edited = etree.tostring(sdf).decode().replace('dont_collapse="true"', 'dont_collapse="true" name="x" type="y"')
    assert etree.fromstring(convert_to_urdf(load_text(edited)).text.encode()).find("joint").attrib == back[-1].attrib
    assert sorted((row.element, row.action) for row in rows if "@" in row.element) == [
        ("joint/@dont_collapse", "carried"), ("joint/@none", "dropped"), ("link/@id", "carried"),
        ("link/@type", "carried"), ("robot/@by", "carried")]


SHAPES = (
    '<visual name="v" look="1" e:f="3"><origin xyz="1 2 3" rpy="0 0 0" mood="2"/><geometry name="g" d:k="8">'
    '<box size="1 2 3" edge="0.1"><d:hull n="1"/></box><hole depth="3"/></geometry><material name="red" shade="4">'
    '<color rgba="1 0 0 1" x="5"/><gloss/></material><d:proximity><d:stiff value="6"/></d:proximity></visual>'
    '<collision group="default"><geometry name="h"><sphere radius="1"/></geometry><verbose value="x"/>'
    '<material name="plain"><color rgba="0 1 0 1"/></material></collision>')


def strip_names(element):
    """A shape, without the names that the way back gives materials."""
    (own,) = element.iterchildren("material") if element.tag == "visual" else (element,)
    own.attrib.pop("name", None)
    return spell(element)


@pytest.mark.parametrize("options", [{}, {"preserve_fixed_joints": True}])
def test_unknown_content_of_shapes_comes_back_also_to_the_lumped_link(options):
    """urdfdom's schema has <verbose>, and robots have a <material> in a <collision>; other names are made up."""
    text = robot(link("a", 1, SHAPES), link("b", 1, SHAPES), joint("j", "fixed", "a", "b")).replace(
        "<robot ", '<robot xmlns:d="http://drake.mit.edu" xmlns:e="urn:e" ')
    sdf, rows, back, way_back = go(text, **options)
    for name in ("a", "b"):
        for tag in ("visual", "collision"):
            before, after = (root.find(f"link[@name='{name}']/{tag}") for root in (etree.fromstring(text), back))
            assert strip_names(after) == strip_names(before)
    dropped = [row for row in (*rows, *way_back) if row.action == "dropped"]
    assert dropped == [] and len([row for row in rows if row.action == "carried"]) == 2 * 16
    written = etree.tostring(back)
    assert all(part in written for part in (b' e:f="3"', b' d:k="8"', b'<d:hull n="1"/>', b'<d:stiff value="6"/>'))


def test_unknown_attributes_of_other_parts_of_links_and_joints_come_back():
    inertial = ('<inertial by="cad"><origin xyz="0 0 1" rpy="0 0 0" frame="x"/><mass value="1" kg="1"/>'
                '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1" about="com"/><note/></inertial>')
    inside = AXIS.replace("/>", ' rpy="0 0 0"/>') + '<origin xyz="1 0 0" rpy="0 0 0" k="1"/>' + LIMIT
    text = robot(f'<link name="a">{inertial}</link>', f'<link name="b">{inertial}</link>',
                 joint("turn", "revolute", "a", "b", inside))
    sdf, rows, back, _ = go(text)
    before = etree.fromstring(text)
    for path in ("link/inertial", "joint/axis", "joint/origin"):
        assert list(map(spell, back.iterfind(path))) == list(map(spell, before.iterfind(path))) != []
    assert not [row for row in rows if row.action == "dropped"]
    # A part that somebody writes twice counts as one; what somebody has taken away does not come back.
    twice = re.sub('(<sdf_frames:axis [^>]*>)', r'\1<sdf_frames:axis k="2"/>', etree.tostring(sdf).decode())
    (axis,) = etree.fromstring(convert_to_urdf(load_text(twice)).text.encode()).iter("axis")
    assert dict(axis.attrib) == {"xyz": "0 0 1", "rpy": "0 0 0", "k": "2"}
    sdf.find("model/link/inertial/mass").text = "0"
    result = convert_to_urdf(load_text(etree.tostring(sdf).decode()))
    assert result.text.count('by="cad"') == 1
    assert actions(result.rows, "inertial") == [  # that of the SDF, and what it carries
        ("inertial", "a", "dropped"), ("inertial", "a", "dropped"), ("inertial", "b", "carried")]


def test_unknown_content_of_a_part_that_a_shape_no_longer_has_is_dropped_with_a_row():
    sdf, _, _ = convert_text(robot(link("a", 1, SHAPES.replace("d:", "").replace(' e:f="3"', ""))))
    text = sdf.replace("<box>", "<sphere><radius>1</radius></sphere><box>").replace("size>", "none>")
    tree = etree.fromstring(text.encode())
    visual = tree.find(".//visual")
    visual.remove(visual.find("material"))
    visual.find("geometry").remove(visual.find("geometry/box"))
    result = convert_to_urdf(load_text(etree.tostring(tree).decode()))
    back = etree.fromstring(result.text.encode()).find("link/visual")
    assert [e.tag for e in back.iter()] == ["visual", "origin", "geometry", "sphere", "proximity", "stiff"]
    assert actions(result.rows, "geometry", "material", "origin") == [
        ("origin", "v", "carried"), ("geometry", "v", "dropped"), ("material", "v", "dropped"),
        ("geometry", "a", "carried"), ("material", "a", "carried")]
    # Nor does that of a shape that URDF does not have.
    visual.find("geometry")[:] = [etree.fromstring("<plane><normal>0 0 1</normal></plane>")]
    result = convert_to_urdf(load_text(etree.tostring(tree).decode()))
    assert "<visual" not in result.text
    assert [row[2] for row in actions(result.rows, "proximity")] == ["dropped"]


def test_a_joint_has_no_limit_that_its_urdf_had_not():
    """In URDF 1.0 a continuous joint needs none; soft limits and rates of 1.2 stay."""
    text = robot(link("a", 1), link("b", 1), link("c", 1), joint("turn", "continuous", "a", "b", AXIS + SAFETY),
                 joint("spin", "continuous", "b", "c", AXIS + '<limit effort="1e16" velocity="2"/>'))
    _, _, back, _ = go(text)
    (limit,) = back.iter("limit")
    assert limit.getparent().get("name") == "spin"
    assert [float(limit.get(name)) for name in ("effort", "velocity")] == [1e16, 2]
    assert back.find("joint/safety_controller") is not None
    rates = AXIS + '<limit {}="3"/>'
    text = robot(link("a", 1), link("b", 1), joint("turn", "continuous", "a", "b", rates)).replace(
        '<robot name="r"', '<robot name="r" version="1.2"')
    for name in ("jerk", "current"):
        (limit,) = go(text.format(name))[2].iter("limit")
        assert limit.get(name) == "3" and limit.get("effort") != "0"


def test_names_follow_the_joints_and_links():
    """A joint with the name of a link is renamed in SDF."""
    controls = CONTROLS[1].replace('"turn"', '"b"')
    text = robot(link("a", 1), link("b", 1), joint("b", "continuous", "a", "b", AXIS), controls)
    sdf, _, back, _ = go(text)
    assert [e.get("name") for e in sdf.iter(f"{{{NAMESPACE}}}joint") if e.get("name")] == ["b_joint"]
    assert [spell(e) for e in back.iterchildren("ros2_control")] == [spell(etree.fromstring(controls))]
    # Somebody gives the joint another name: the controls name it, too, if they are changed with it.
    renamed = etree.tostring(sdf).decode().replace("b_joint", "turn")
    back = etree.fromstring(convert_to_urdf(load_text(renamed)).text.encode())
    assert {j.get("name") for j in back.iter("joint")} == {"turn"}


def test_names_follow_those_that_upgrade_changes():
    """SDFormat 1.8 has no '::' in names. Controls, attributes and unknown parts name the joint and the lumped link."""
    shape = '<visual><geometry><sphere radius="1"/></geometry></visual>'
    text = robot(link("a", 1), link("b", 1), link("plate", 1, shape), turn("<gear ratio='2'/>", parent="plate"),
                 joint("weld", "fixed", "a", "plate"), *CONTROLS,
                 '<mount link="plate"><joint1>weld</joint1><other joint="turn" link="none"/></mount>')
    sdf, _, _ = convert_text(text, None, ConvertOptions(sdf_version="1.7"))
    for name in ("turn", "plate", "weld"):
        sdf = sdf.replace(f'"{name}"', f'"{name}::x"').replace(f">{name}<", f">{name}::x<")
    upgraded, found = upgrade_text(sdf, None, "1.12")
    assert sorted(d.path.rpartition("/")[2] for d in found if d.name == "name-not-allowed") == [
        "frame[@name=\"plate::x\"]", "frame[@name=\"weld::x\"]", "joint[@name=\"turn::x\"]"]
    back = etree.fromstring(convert_to_urdf(load_text(upgraded)).text.encode())
    for name in ("turn", "plate", "weld"):
        text = text.replace(f'"{name}"', f'"{name}_x"').replace(f">{name}<", f">{name}_x<")
    before = etree.fromstring(text)
    for path in ("transmission", "ros2_control", "mount", "joint[@name='turn_x']/gear", "joint[@name='turn_x']/parent",
                 "link[@name='plate_x']/visual/geometry"):
        assert spell(back.find(path)) == spell(before.find(path)), path


def test_a_nested_robot_has_the_names_of_its_model():
    sdf, _, _ = convert_text(robot(link("a", 1), link("b", 1), turn(), *CONTROLS))
    model = etree.fromstring(sdf.encode()).find("model")
    whole = etree.fromstring('<sdf version="1.9"><model name="m"><link name="base"><inertial><mass>1</mass></inertial>'
                             "</link></model></sdf>")
    whole[0].append(model)
    text = convert_to_urdf(load_text(etree.tostring(whole).decode())).text
    back = etree.fromstring(text.encode())
    assert "r/turn" in [j.get("name") for j in back.iterchildren("joint")]
    assert back.find("transmission/joint").get("name") == "r/turn"


def test_the_urdf_for_display_has_the_controls():
    sdf, _, _ = convert_text(robot(link("a", 1), link("b", 1), turn(SAFETY), *CONTROLS))
    back = etree.fromstring(convert_to_display(load_text(sdf), "/").text.encode())
    assert [spell(e) for e in back.iterchildren("ros2_control")] == [spell(etree.fromstring(CONTROLS[1]))]
    assert back.find("joint/safety_controller") is not None


def test_a_part_that_no_longer_fits_is_dropped_with_a_row():
    """The joint was fixed; somebody has made it a revolute one with limits of its own."""
    sdf, _, _ = convert_text(robot(link("a", 1), link("b", 1), turn(kind="fixed")), None,
                             ConvertOptions(preserve_fixed_joints=True))
    axis = "<axis><xyz>1 0 0</xyz><limit><lower>-3</lower><upper>3</upper></limit></axis>"
    text = sdf.replace('type="fixed"', 'type="revolute"').replace("<sdf_frames:joint>", axis + "<sdf_frames:joint>")
    result = convert_to_urdf(load_text(text))
    limit = etree.fromstring(result.text.encode()).find("joint/limit")
    assert (limit.get("lower"), limit.get("upper")) == ("-3", "3")
    assert ("limit", "turn", "dropped") in actions(result.rows, "limit")


IGN = shutil.which("ign") or shutil.which("gz")


@pytest.mark.skipif(IGN is None, reason="neither ign nor gz is installed")
def test_libsdformat_loads_the_content_without_a_word(tmp_path):
    text = robot(link("a", 1, '<x><y z="1"/></x>' + SHAPES), link("b", 1), link("c", 1, SHAPES.replace("plain", "")),
                 turn(SAFETY), *CONTROLS, joint("w", "fixed", "a", "c", '<axis xyz="0 0 1"/><gains p="1"/>')).replace(
                     "<robot ", '<robot xmlns:d="http://drake.mit.edu" xmlns:e="urn:e" ')
    (tmp_path / "r.sdf").write_text(convert_text(text)[0])
    ran = subprocess.run([IGN, "sdf", "-k", str(tmp_path / "r.sdf")], capture_output=True, text=True)
    said = [line for line in (ran.stdout + ran.stderr).splitlines() if "backtrace" not in line.lower()]
    assert ran.returncode == 0 and said == ["Valid."]
    printed = subprocess.run([IGN, "sdf", "-p", str(tmp_path / "r.sdf")], capture_output=True, text=True).stdout
    back = etree.fromstring(convert_to_urdf(load_text(printed)).text.encode())
    assert [spell(e) for e in back.iterchildren("ros2_control")] == [spell(etree.fromstring(CONTROLS[1]))]


@pytest.mark.skipif(not CORPUS.is_dir(), reason=MISSING)
def test_controls_of_real_robots_come_back_as_they_were(record_property):
    compared = 0
    for path in some_files("*.urdf"):
        sdf, conversion, _ = convert_text(path.read_bytes(), str(path))
        if sdf is None or not (before := [*conversion.robot.transmissions, *conversion.robot.ros2_control]):
            continue
        result = convert_to_urdf(load_text(sdf))
        if result.text is None:
            continue  # links that are no bodies
        back = etree.fromstring(result.text.encode())
        assert [spell(e) for tag in ("transmission", "ros2_control") for e in back.iterchildren(tag)] == [
            spell(e) for e in before], path
        compared += len(before)
    record_property("compared", compared)
    assert compared >= 400 // STEP
