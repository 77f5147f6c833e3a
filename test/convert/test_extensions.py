"""``<gazebo>``: settings, carried elements, and what is rewritten on lumped links."""
import pytest
import urdf_text
from urdf_text import gazebo, inertial, link

from sdf_frames.convert.emit import Emitter
from sdf_frames.document.budget import make_budget
from sdf_frames.load import LoadOptions, load_text

BOX = '<geometry><box size="1 1 1"/></geometry>'
INERTIAL = inertial()


def robot(*more, kind="fixed", base="", tip="", xyz="1 2 3", rpy="0 0 0"):
    limit = '<limit lower="0" upper="1" effort="1" velocity="1"/>'
    return urdf_text.robot(link("base", 1, base), link("tip", 1, tip),
                           urdf_text.joint("j", kind, "base", "tip", limit, xyz=xyz, rpy=rpy), *more)


def pose(element):
    return [float(n) for n in element.findtext("pose").split()]


SHAPES = f'<collision>{BOX}</collision><collision name="named">{BOX}</collision><visual name="seen">{BOX}</visual>'


def test_material_with_children_under_gazebo_is_taken_for_what_it_is(convert):
    have, _, _ = convert(robot(gazebo("base", "<material><diffuse>1 0 0 1</diffuse></material>"), base=SHAPES))
    assert have.links["base"].findtext("visual/material/diffuse") == "1 0 0 1"


@pytest.mark.parametrize("tag, path, values, written", [
    ("selfCollide", "self_collide", ("true", "false"), "0"), ("selfCollide", "self_collide", ("true", "1"), "1"),
    ("dampingFactor", "velocity_decay/linear", ("0.1", "0.2"), "0.2")])
def test_a_conflict_of_lumped_links_is_a_warning(tag, path, values, written, convert):
    have, _, found = convert(robot(*[gazebo(name, f"<{tag}>{value}</{tag}>")
                                     for name, value in zip(("base", "tip"), values)]))
    assert [e.text for e in have.links["base"].findall(path)] == [written]
    assert [(d.name, d.message) for d in found] == [("setting-of-lumped-link", (
        f"<{tag}> of lumped link 'tip' differs from that of 'base', and holds for both"))] * (written != "1")


def test_sensor_pose_on_a_lumped_link_keeps_all_digits(convert):
    # Recorded from libsdformat, which prints six: -0.0119039 0.220401 1.97547 0.3 0.2 1.67
    have, _, _ = convert(robot(
        link("end", 1), urdf_text.joint("k", "fixed", "tip", "end", xyz="0.1 0 1", rpy="0.3 0.2 0.1"),
        gazebo("end", '<sensor name="imu" type="imu"><pose>0.123456789 0 0 0 0 0</pose></sensor>'), xyz="0 0 1",
        rpy="0 0 1.57"))
    sensor = have.links["base"].find("sensor")
    assert pose(sensor) == pytest.approx([-0.0119039, 0.220401, 1.97547, 0.3, 0.2, 1.67], abs=5e-6)
    assert len(sensor.findtext("pose").split()[1]) > 12
    assert sensor[-1].tag == "pose"


@pytest.mark.parametrize("given, expected", [
    ("", "1 2 3 0 0 0"), ("<pose/>", "1 2 3 0 0 0"), ("<pose>1 0 0 0 0 0</pose>", "2 2 3 0 0 0"),
    ('<pose relative_to="base">1 0 0 0 0 0</pose>', "1 0 0 0 0 0"),
    ('<pose degrees="true">0 0 0 0 0 180</pose>', "1 2 3 0 0 3.141592653589793"),
    ('<pose rotation_format="quat_xyzw">1 0 0 0 0 0 1</pose>', "2 2 3 0 0 0")])
def test_poses_of_what_moves_with_a_lumped_link(given, expected, convert):
    have, _, _ = convert(robot(gazebo("tip", f'<sensor name="s" type="x">{given}</sensor>')))
    assert pose(have.links["base"].find("sensor")) == pytest.approx([float(n) for n in expected.split()])


def test_scoped_names_inside_extensions_keep_the_version_low(convert):
    text = robot("\n", gazebo("base", '<sensor name="s" type="imu">\n<api name="a::b"/></sensor>'), "\n",
                 gazebo("", '<frame name="c::d"/>'))
    assert convert(text)[0].version == "1.7" and not convert(text)[2]
    have, _, found = convert(text, sdf_version="1.9")
    assert have is None and [(d.name, d.severity, d.line, d.path, d.sdformat) for d in found] == [
        ("scoped-name-in-extension", "error", 3, '/robot[@name="r"]/gazebo[@reference="base"]/sensor[@name="s"]/'
         'api[@name="a::b"]', "RESERVED_NAME"),
        ("scoped-name-in-extension", "error", 4, '/robot[@name="r"]/gazebo[2]/frame[@name="c::d"]', "RESERVED_NAME")]


def test_content_of_plugins_requires_no_version(convert):
    plugin = '<plugin name="a::b" filename="f"><mimic/><x name="c::d"/></plugin>'
    text = robot(gazebo("base", f'{plugin}<sensor name="s" type="imu">{plugin}</sensor>'))
    assert convert(text)[0].version == "1.7"
    have, _, found = convert(text, sdf_version="1.9")
    assert have.version == "1.9" and not found


def test_the_world_takes_no_extensions(convert):
    for name, found in (("tip", []), ("world", [
            ("extension-of-lost-link", '/robot[@name="r"]/gazebo[@reference="world"]/sensor[@name="s"]')])):
        text = urdf_text.robot(link("world"), link("tip", 1), urdf_text.joint("j", "fixed", "world", "tip"),
                               gazebo(name, '<sensor name="s" type="imu"/>'))
        assert [(d.name, d.path) for d in convert(text)[2]] == found


@pytest.mark.parametrize("content, what", [
    (INERTIAL, "an inertial"), (f"<visual>{BOX}</visual>", "visuals"), (f"<collision>{BOX}</collision>", "collisions"),
    (f"{INERTIAL}<visual>{BOX}</visual>", "an inertial and visuals")])
def test_the_world_takes_no_content(convert, content, what):
    text = (f'<robot name="r">\n<link name="%s">\n{content}</link>\n<link name="tip">{INERTIAL}</link>\n'
            '<joint name="j" type="fixed"><parent link="%s"/><child link="tip"/></joint></robot>')
    (finding,) = convert(text % ("world", "world"))[2]
    assert (finding.name, finding.severity, finding.line, finding.path) == (
        "world-link-content", "warning", 2, '/robot[@name="r"]/link[@name="world"]')
    assert f"cannot hold {what}; " in finding.message
    assert "world-link-content" not in [d.name for d in convert(text % ("earth", "earth"))[2]]
    assert not convert(text.replace(content, "", 1) % ("world", "world"))[2]


def test_the_robot_is_left_as_it_is():
    from sdf_frames.convert.urdf_to_sdf import convert_robot
    from sdf_frames.document.xml_in import read_xml
    from sdf_frames.document.xml_out import write_xml
    from sdf_frames.urdf.parse import read_robot
    text = robot(gazebo("tip", '<sensor name="s" type="imu"><pose>1 0 0 0 0 0</pose></sensor><visual><a/></visual>'),
                 tip=SHAPES)
    parsed, _ = read_robot(read_xml(text)[0])
    first = write_xml(convert_robot(parsed).document.root)
    assert write_xml(convert_robot(parsed).document.root) == first


def test_entities_are_text_as_they_stand(convert):
    from sdf_frames.document.xml_out import write_xml
    text = '<!DOCTYPE r [<!ENTITY e "x">]>' + robot(gazebo("base", '<sensor name="s" type="imu">&e;<a>1</a></sensor>'))
    have, conversion, _ = convert(text)
    assert have.links["base"].findtext("sensor/a") == "1"
    assert "&amp;e;<a>" in write_xml(conversion.document.root).replace(" ", "").replace("\n", "")


def test_static_stays_whatever_comes_after(convert):
    """libsdformat 12 and 17 set it to false again for each bare <gazebo> and lumped joint that follows."""
    have, conversion, _ = convert(
        robot(gazebo("", "<static>true</static>"), gazebo("", '<plugin name="p" filename="f"/>')))
    assert [e.text for e in have.model.findall("static")] == ["true"]
    assert [(row.action, row.into) for row in conversion.rows if row.element == "static"] == [("kept", "r")]


@pytest.mark.parametrize("tag, path", [
    ("provideFeedback", "provide_feedback"), ("implicitSpringDamper", "ode/implicit_spring_damper"),
    ("cfmDamping", "ode/cfm_damping")])
@pytest.mark.parametrize("value, text", [
    ("true", "true"), ("1", "true"), ("false", "false"), ("0", "false"), ("no", "false")])
def test_yes_or_no_of_a_joint_is_written_as_sdf_does(tag, path, value, text, convert):
    have, conversion, _ = convert(robot(gazebo("j", f"<{tag}>{value}</{tag}>"), kind="revolute"))
    assert have.joints["j"].findtext(f"physics/{path}") == text
    assert [(row.action, row.into) for row in conversion.rows if row.element == tag] == [("kept", "j")]


def test_a_reference_to_nothing_is_placed_at_its_first_block(convert):
    _, _, (finding,) = convert(robot("\n" + gazebo("tipp", "<mu1>1</mu1>"), "\n", gazebo("tipp", "<kp>1</kp>")))
    assert (finding.name, finding.path) == ("gazebo-reference-unknown",
                                            '/robot[@name="r"]/gazebo[@reference="tipp"][1]')
    assert finding.line == 2


def test_a_setting_that_comes_again_in_one_element_takes_the_place(convert):
    """mu and mu1 are one; the earlier one has a row."""
    have, conversion, _ = convert(robot(gazebo("base", "<mu1>1</mu1>\n<mu1>2</mu1>\n<kp>3</kp>"), base=SHAPES))
    assert [e.text for e in have.links["base"].find("collision").iter("mu")] == ["2"]
    dropped = [(r.element, r.line, r.reason) for r in conversion.rows if r.action == "dropped"]
    assert ("mu1", 1, "a later value is used") in dropped and {element for element, _, _ in dropped} == {"mu1"}


@pytest.mark.parametrize("blocks, said", [
    (("<mu1>1</mu1>\n<mu1>2</mu1>",), ("mu1", "1", "2", 1)),
    (("\n<mu1>1</mu1>", "\n<mu1 value='2'/><kp>3</kp>"), ("mu1", "1", "2", 2)),
    (("<selfCollide>true</selfCollide>", "<selfCollide>no</selfCollide>"), ("selfCollide", "true", "no", 1)),
    (("<mu1>1</mu1>", "<mu1>1.0</mu1>"), None),
    (("<selfCollide>true</selfCollide>", "<selfCollide>1</selfCollide>"), None),
    (("<mu1>1</mu1>", "<mu2>2</mu2>"), None)])
def test_a_setting_with_several_values(convert, blocks, said):
    _, _, found = convert(robot(*[gazebo("base", block) for block in blocks], base=SHAPES))
    told = [(d.message, d.line) for d in found if d.name == "setting-overridden"]
    if said is None:
        assert told == []
    else:
        tag, first, last, line = said
        message = f"<{tag}> of 'base' is set to {first!r} and later to {last!r}; the last value is used"
        assert told == [(message, line)]


@pytest.mark.parametrize("content, version", [
    ('<sensor name="s" type="imu"><pose>0 0 0 0 0 0</pose></sensor>', None),
    ('<sensor name="s" type="imu"><pose degrees="true">0 0 0 0 0 90</pose></sensor>', "1.9"),
    ('<link name="x"><inertial auto="true"/></link>', "1.11"),
    ("<fluid_added_mass><xx>1</xx></fluid_added_mass>", "1.10"),
    *[(f'<link name="x"><collision name="c"><geometry><{tag}/></geometry></collision></link>', version)
      for tag, version in (("capsule", "1.8"), ("ellipsoid", "1.8"), ("cone", "1.11"), ("box", None))],
    ('<link name="x"><pose rotation_format="euler_rpy">0 0 0 0 0 0</pose></link>', "1.9"),
    ('<joint name="x" type="screw"><screw_thread_pitch>1</screw_thread_pitch></joint>', "1.10"),
    ('<link name="x"><collision name="c"><density>1</density></collision></link>', "1.11"),
    ('<link name="x"><inertial><auto_inertia_params/></inertial></link>', "1.11"),
    ('<joint name="x" type="fixed"><axis><mimic joint="y"/></axis></joint>', "1.11"),
    ('<plugin name="p" filename="f"><capsule/><inertial auto="true"/><pose degrees="true"/></plugin>', None)])
def test_a_warning_names_the_version_that_copied_content_needs(convert, content, version):
    """But for what is in plugins."""
    _, _, found = convert(robot(gazebo("base", content), kind="revolute"), sdf_version="1.7")
    said = [d.message for d in found if "1.7" in d.message]
    assert (len(said) == 1 and version in said[0]) if version else said == []


@pytest.mark.parametrize("version, refused", [("1.7", False), ("1.8", True)])
def test_since_1_8_names_have_no_delimiter(version, refused, convert):
    have, _, found = convert(robot(gazebo("", '<frame name="c::d"/>')), sdf_version=version)
    assert (have is None, [d.name for d in found]) == (refused, ["scoped-name-in-extension"] * refused)


@pytest.mark.parametrize("content", ["<mu1>{}</mu1>", "<collision><surface><a>{}</a></surface></collision>"])
def test_what_is_replaced_is_not_written_for_each_shape(content, convert, monkeypatch):
    """The last of many counts. The work for n collisions and n settings grows as n, not as its square."""
    def count_parts(n: int) -> int:
        parts = []
        put = Emitter._put_contents
        monkeypatch.setattr(Emitter, "_put_contents",
                            lambda self, parent, contents, *whole: [parts.extend(contents),
                                                                    put(self, parent, contents, *whole)])
        have, rows, _ = convert(robot(*[gazebo("base", content.format(i)) for i in range(1, n + 1)],
                                      base=f"<collision>{BOX}</collision>" * n))
        monkeypatch.undo()
        last = [e.text for e in have.links["base"].iter("mu", "a")]
        assert last == [str(n)] * n
        return len(parts)

    assert count_parts(20) == 2 * count_parts(10)


def test_copies_for_shapes_are_limited():
    plugins = "".join(f'<visual><plugin name="p{i}" filename="f"/></visual>' for i in range(30))
    text = robot(gazebo("base", plugins), base=f"<visual>{BOX}</visual>" * 30)
    for few, wanted in ((900, []), (899, [("limit-exceeded", "900 XML elements; the limit is 899")])):
        found = load_text(text, options=LoadOptions(budget=make_budget({"elements": few}))).diagnostics
        assert [(d.name, d.message) for d in found if d.severity == "error"] == wanted
