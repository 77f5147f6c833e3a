"""``<gazebo>``: settings, carried elements, and what is rewritten on lumped links."""
import pytest
import urdf_text
from urdf_text import gazebo, inertial, link

BOX = '<geometry><box size="1 1 1"/></geometry>'
INERTIAL = inertial()


def robot(*more, kind="fixed", base="", tip="", xyz="1 2 3", rpy="0 0 0"):
    limit = '<limit lower="0" upper="1" effort="1" velocity="1"/>'
    return urdf_text.robot(link("base", 1, base), link("tip", 1, tip),
                           urdf_text.joint("j", kind, "base", "tip", limit, xyz=xyz, rpy=rpy), *more)


def pose(element):
    return [float(n) for n in element.findtext("pose").split()]


SHAPES = f'<collision>{BOX}</collision><collision name="named">{BOX}</collision><visual name="seen">{BOX}</visual>'


def test_contact_settings_reach_every_collision_named_or_not(convert):
    have, _, _ = convert(robot(gazebo("base", (
        "<mu1>0.1</mu1><mu2 value='0.2'/><fdir1>1 0 0</fdir1><kp>3</kp><kd>4</kd><maxVel>5</maxVel>"
        "<minDepth>6</minDepth>"
        "<laserRetro>7</laserRetro><maxContacts>8</maxContacts>")), base=SHAPES, kind="revolute"))
    collisions = have.links["base"].findall("collision")
    assert len(collisions) == 2
    for c in collisions:
        assert {p: c.findtext(p) for p in (
            "surface/friction/ode/mu", "surface/friction/ode/mu2", "surface/friction/ode/fdir1",
            "surface/contact/ode/kp",
            "surface/contact/ode/kd", "surface/contact/ode/max_vel", "surface/contact/ode/min_depth", "laser_retro",
            "max_contacts")} == dict(zip((
                "surface/friction/ode/mu", "surface/friction/ode/mu2", "surface/friction/ode/fdir1",
                "surface/contact/ode/kp",
                "surface/contact/ode/kd", "surface/contact/ode/max_vel", "surface/contact/ode/min_depth", "laser_retro",
                "max_contacts"), ("0.1", "0.2", "1 0 0", "3", "4", "5", "6", "7", "8")))


def test_settings_of_a_lumped_link_stay_with_its_shapes(convert):
    have, _, _ = convert(robot(gazebo("tip", "<mu1>0.5</mu1><material>Gazebo/Red</material>"), base=SHAPES, tip=SHAPES))
    assert [c.findtext("surface/friction/ode/mu") for c in have.links["base"].findall("collision")] == [None, None,
        "0.5", "0.5"]
    assert [v.findtext("material/script/name") for v in have.links["base"].findall("visual")] == [None, "Gazebo/Red"]


def test_last_setting_counts(convert):
    have, _, _ = convert(robot(gazebo("base", "<mu1>1</mu1>"), gazebo("base", "<mu1>2</mu1>"), base=SHAPES))
    assert [e.text for e in have.links["base"].find("collision").iter("mu")] == ["2"]


@pytest.mark.parametrize(("tag", "setting"), [("max_contacts", "maxContacts"), ("laser_retro", "laserRetro")])
def test_a_setting_overrides_an_element_before_it(tag, setting, convert):
    """In the other order there are both, of which the setting counts as the first: as libsdformat prints them."""
    element, short = f"<collision><{tag}>3</{tag}></collision>", f"<{setting}>4</{setting}>"
    for first, last, values in ((element, short, ["4"]), (short, element, ["4", "3"])):
        have, conversion, _ = convert(robot(gazebo("base", first), gazebo("base", last), base=SHAPES))
        assert [e.text for e in have.links["base"].find("collision").iter(tag)] == values
        assert [r.action for r in conversion.rows if r.element == tag] == ["dropped" if len(values) == 1 else "kept"]


def test_empty_direction_and_material_say_nothing(convert):
    have, conversion, _ = convert(robot(gazebo("base", "<fdir1/>"), gazebo("base", "<material> </material>"),
                                        base=SHAPES))
    assert have.links["base"].find("collision/surface") is None and have.links["base"].find("visual/material") is None
    assert {(r.element, r.action) for r in conversion.rows if r.element in ("fdir1", "material")} == {
        ("fdir1", "dropped"), ("material", "dropped")}


def test_surface_and_material_given_whole_replace_what_is_there(convert):
    have, _, _ = convert(robot(
        gazebo("base", "<collision><surface><bounce/></surface></collision>"),
        gazebo("base", "<collision><surface><contact/></surface><max_contacts>3</max_contacts></collision>"),
        gazebo("base", "<visual><material><diffuse>1 0 0 1</diffuse></material></visual>"),
        base=SHAPES.replace("</visual>", '<material name="m"><color rgba="0 0 1 1"/></material></visual>')))
    collision = have.links["base"].find("collision")
    assert [e.tag for e in collision.find("surface")] == ["contact"] and collision.findtext("max_contacts") == "3"
    material = have.links["base"].find("visual/material")
    assert [(e.tag, e.text) for e in material] == [("diffuse", "1 0 0 1")]


def test_colour_is_libsdformats_with_all_its_digits(convert):
    have, _, _ = convert(
        robot(base=f'<visual>{BOX}<material name="m"><color rgba="0.3 0.9 0 0.5"/></material></visual>'))
    material = have.links["base"].find("visual/material")
    assert material.findtext("diffuse") == material.findtext("ambient") == "0.375 1 0 0.5"


def test_material_with_children_under_gazebo_is_taken_for_what_it_is(convert):
    have, _, _ = convert(robot(gazebo("base", "<material><diffuse>1 0 0 1</diffuse></material>"), base=SHAPES))
    assert have.links["base"].findtext("visual/material/diffuse") == "1 0 0 1"


def test_texture_becomes_the_albedo_map(convert):
    have, _, _ = convert(
        robot(base=f'<visual>{BOX}<material name="m"><texture filename="package://p/t.png"/></material></visual>'))
    material = have.links["base"].find("visual/material")
    assert material.findtext("pbr/metal/albedo_map") == "model://p/t.png" and material.findtext("diffuse") == "1 1 1 1"


@pytest.mark.parametrize("text, gravity",
                         [("true", "false"), ("1", "false"), ("false", "true"), ("NO", "true"), ("0", "true")])
def test_gravity_is_the_inverse(text, gravity, convert):
    have, _, _ = convert(robot(gazebo("base", f"<turnGravityOff>{text}</turnGravityOff>")))
    assert have.links["base"].findtext("gravity") == gravity


def test_link_settings(convert):
    have, _, found = convert(robot(
        gazebo("base",
            "<turnGravityOff>false</turnGravityOff><dampingFactor>0.1</dampingFactor><selfCollide>true</selfCollide>"),
        gazebo("tip", "<turnGravityOff>true</turnGravityOff><dampingFactor>0.2</dampingFactor>")))
    link = have.links["base"]
    assert link.findtext("self_collide") == "1" and link.findtext("gravity") == "false"
    assert [(e.findtext("linear"), e.findtext("angular")) for e in link.findall("velocity_decay")] == [("0.2", "0.2")]
    assert [d.name for d in found] == ["gravity-of-lumped-link", "setting-of-lumped-link"]


@pytest.mark.parametrize("other, said", [
    ("false", ["<selfCollide> of lumped link 'tip' overrides that of 'base'"]), ("1", [])])
def test_a_conflict_of_lumped_links_is_a_warning(other, said, convert):
    have, _, found = convert(robot(gazebo("base", "<selfCollide>true</selfCollide>"),
                                   gazebo("tip", f"<selfCollide>{other}</selfCollide>")))
    assert have.links["base"].findtext("self_collide") == ("1" if other == "1" else "0")
    assert [(d.name, d.message) for d in found] == [("setting-of-lumped-link", words) for words in said]


def test_joint_settings(convert):
    have, _, _ = convert(robot(kind="revolute", *[gazebo("j", (
        "<stopCfm>0.1</stopCfm><stopErp>0.2</stopErp><springReference>0.3</springReference>"
        "<springStiffness>4</springStiffness>"
        "<provideFeedback>yes</provideFeedback><implicitSpringDamper>1</implicitSpringDamper>"
        "<fudgeFactor>0.5</fudgeFactor>"))]))
    joint = have.joints["j"]
    assert [joint.findtext(p) for p in (
        "physics/ode/limit/cfm", "physics/ode/limit/erp", "axis/dynamics/spring_reference",
        "axis/dynamics/spring_stiffness",
        "physics/provide_feedback", "physics/ode/implicit_spring_damper", "physics/ode/cfm_damping",
        "physics/ode/fudge_factor",
    )] == ["0.1", "0.2", "0.3", "4", "true", "true", "true", "0.5"]
    assert joint.find("physics/ode/provide_feedback") is None  # not SDF


def test_a_malformed_number_is_reported_once_and_left_out(convert):
    have, _, found = convert(robot(gazebo("base", "<mu1>slippery</mu1><mu2>0.5m</mu2>"), base=SHAPES))
    assert [d.name for d in found] == ["extension-value-malformed"]
    ode = have.links["base"].find("collision/surface/friction/ode")
    assert [(e.tag, e.text) for e in ode] == [("mu2", "0.5")]


@pytest.mark.parametrize("text, names",
    [("1 0 0", []), ("1f", ["extension-value-malformed"]), ("0,5 0 0", ["extension-value-malformed"])])
def test_a_malformed_friction_direction_is_left_out(convert, text, names):
    """libsdformat 17 writes it, and does not load what it wrote."""
    have, _, found = convert(robot(gazebo("base", f"<mu1>1</mu1><fdir1>{text}</fdir1>"), base=SHAPES))
    assert [d.name for d in found] == names
    assert have.links["base"].findtext("collision/surface/friction/ode/fdir1") == (None if names else text)


def test_bare_content_goes_to_the_model(convert):
    have, _, _ = convert(robot(gazebo("", '<static>true</static><plugin name="p" filename="f"><a>1</a></plugin>')))
    assert have.model.findtext("static") == "true" and have.model.findtext("plugin/a") == "1"
    tags = [e.tag for e in have.model]
    assert tags == ["link", "frame", "frame", "static", "plugin"]


def test_robot_origin_is_the_model_pose(convert):
    have, _, _ = convert(robot('<origin xyz="1 2 3"/>'))
    both, conversion, _ = convert(
        robot('<origin xyz="1 2 3"/>', gazebo("", "<pose>4 5 6 0 0 0</pose><static>1</static>")))
    assert len(both.model.findall("pose")) == 1 and pose(both.model) == [1, 2, 3, 0, 0, 0]
    assert [(r.action, r.line) for r in conversion.rows if r.element == "pose"] == [("dropped", 1)]
    assert have.model[-1].tag == "pose" and have.model[-1].text == "1 2 3 0 0 0"


def test_sensor_pose_on_a_lumped_link_keeps_all_digits(convert):
    # Recorded from libsdformat, which prints six: -0.0119039 0.220401 1.97547 0.3 0.2 1.67
    have, _, _ = convert(robot(
        f'<link name="end">{INERTIAL}</link><joint name="k" type="fixed"><parent link="tip"/><child link="end"/>'
        '<origin xyz="0.1 0 1" rpy="0.3 0.2 0.1"/></joint>',
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
@pytest.mark.parametrize("tag", ["sensor", "light", "projector"])
def test_poses_of_what_moves_with_a_lumped_link(tag, given, expected, convert):
    have, _, _ = convert(robot(gazebo("tip", f'<{tag} name="s" type="x">{given}</{tag}>')))
    assert pose(have.links["base"].find(tag)) == pytest.approx([float(n) for n in expected.split()])


@pytest.mark.parametrize("given", [
    "<pose>1 2</pose>", '<pose degrees="perhaps">1 2 3 0 0 0</pose>',
    '<pose rotation_format="matrix">1 2 3 0 0 0</pose>'])
def test_unreadable_pose_is_reported(given, convert):
    _, _, found = convert(robot(gazebo("tip", f'<sensor name="s" type="imu">{given}</sensor>')))
    assert [d.name for d in found] == ["moved-pose-malformed"] and "1 2" in found[0].message


def test_two_sensors_of_one_name_on_one_body(convert):
    sensor = '<sensor name="s" type="imu"/>'
    have, _, found = convert(robot(gazebo("base", sensor), gazebo("tip", sensor)))
    assert [s.get("name") for s in have.links["base"].findall("sensor")] == ["s", "tip_fixed_joint_lump__s"]
    assert [d.name for d in found] == ["moved-name-taken"]


@pytest.mark.parametrize("reference", ["tip", ""])
@pytest.mark.parametrize("offset, expected", [("", "1 2 3"), ("<xyzOffset>1 0 0</xyzOffset>", "2 2 3")])
def test_plugin_offset_is_applied_once(reference, offset, expected, convert):
    # Recorded from libsdformat under the link's reference: 2 4 6 and 2 2 3.
    have, _, _ = convert(
        robot(gazebo(reference, f'<plugin name="p" filename="f"><bodyName>tip</bodyName><frameName>tip</frameName>'
                                      f"{offset}</plugin>")))
    plugin = next(have.model.iter("plugin"))
    assert plugin.findtext("bodyName") == plugin.findtext("frameName") == "base"
    assert (plugin.findtext("xyzOffset"), plugin.findtext("rpyOffset")) == (expected, "0 0 0")


def test_plugin_of_another_link_is_left_alone(convert):
    have, _, _ = convert(robot(gazebo("", '<plugin name="p" filename="f"><bodyName>base</bodyName></plugin>')))
    assert [e.tag for e in have.model.find("plugin")] == ["bodyName"]


def test_joint_under_gazebo_keeps_its_place_when_its_child_is_lumped(convert):
    have, _, _ = convert(
        robot(gazebo("", '<joint name="loop" type="ball"><parent>other</parent><child>tip</child></joint>'),
                               f'<link name="other">{INERTIAL}</link><joint name="k" type="continuous">'
                               f'<parent link="base"/>'
                               '<child link="other"/></joint>'))
    loop = have.joints["loop"]
    assert (loop.findtext("parent"), loop.findtext("child")) == ("other", "base")
    assert loop.find("pose").get("relative_to") == "tip"
    assert have.pose("loop")[:3, 3] == pytest.approx([1, 2, 3])


def test_gripper_and_contact_and_projector_names_follow(convert):
    have, _, _ = convert(robot(
        gazebo("", "<gripper name='g'><gripper_link>tip</gripper_link><palm_link>base</palm_link></gripper>"
               "<plugin name='p' filename='f'><projector>tip/beam</projector></plugin>"),
        gazebo("tip",
               '<sensor name="c" type="contact"><contact><collision>tip_collision</collision></contact></sensor>'),
        gazebo("tip", '<sensor name="d" type="contact"><contact><collision>named</collision></contact></sensor>'),
        base=SHAPES, tip=SHAPES))
    assert have.model.findtext("gripper/gripper_link") == have.model.findtext("gripper/palm_link") == "base"
    assert have.model.findtext("plugin/projector") == "base/beam"
    names = [c.get("name") for c in have.links["base"].findall("collision")]
    assert [e.text for e in have.links["base"].iter("collision") if e.text and e.text.strip()] == names[2:]


def test_settings_of_a_lumped_joint_are_reported_with_the_remedy(convert):
    have, conversion, found = convert(robot(gazebo("j", '<provideFeedback>true</provideFeedback>'
                                                   '<sensor name="ft" type="force_torque"/>')))
    assert [d.name for d in found] == ["extension-of-lost-joint", "sensor-without-joint"]
    assert all("preserveFixedJoint" in d.hint and "j" in d.hint for d in found)
    assert [(r.element, r.action) for r in conversion.rows if r.element in ("provideFeedback", "sensor")] == [
        ("provideFeedback", "dropped"), ("sensor", "dropped")]
    have, _, found = convert(robot(gazebo("j", '<sensor name="ft" type="force_torque"/>'
                                          '<preserveFixedJoint>true</preserveFixedJoint>')))
    assert have.joints["j"].find("sensor").get("name") == "ft" and not found


def test_reference_to_nothing_is_reported(convert):
    _, conversion, found = convert(robot(gazebo("tipp", "<mu1>1</mu1><plugin name='p' filename='f'/>")))
    assert [d.name for d in found] == ["gazebo-reference-unknown"]
    assert [(r.element, r.name, r.action) for r in conversion.rows[-2:]] == [("mu1", "tipp", "dropped"),
        ("plugin", "p", "dropped")]


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


def lost(kind, gazebo, tip="", root=INERTIAL, name="base"):
    """A tip on line 3, and what <gazebo> says of it on line 6."""
    return (f'<robot name="r">\n<link name="{name}">{root}</link>\n<link name="tip">{tip}</link>\n'
            f'<joint name="j" type="{kind}"><parent link="{name}"/><child link="tip"/>'
            f'</joint>\n<gazebo reference="%s">\n{gazebo}</gazebo></robot>')


@pytest.mark.parametrize("tag, content", [("sensor", 'name="s" type="imu"'), ("plugin", 'name="p" filename="f"')])
def test_content_for_a_dropped_link_is_left_out_with_a_warning(convert, tag, content):
    _, conversion, found = convert(lost("continuous", f"<{tag} {content}/>") % "tip")
    assert [(d.name, d.severity, d.line, d.path) for d in found] == [
        ("massless-link-dropped", "warning", 3, '/robot[@name="r"]/link[@name="tip"]'),
        ("extension-of-lost-link", "warning", 6,
         f'/robot[@name="r"]/gazebo[@reference="tip"]/{tag}[@name="{content[6]}"]')]
    assert (tag, "dropped", 6) in [(r.element, r.action, r.line) for r in conversion.rows]
    # A fixed joint makes the link a frame, and a mass makes it a link.
    for text in (lost("fixed", f"<{tag} {content}/>"), lost("continuous", f"<{tag} {content}/>", tip=INERTIAL)):
        have, _, found = convert(text % "tip")
        assert have is not None and not found


@pytest.mark.parametrize("break_", ["\n", ""])
def test_the_path_tells_gazebo_elements_of_one_reference_apart(convert, break_):
    sensor = '<sensor name="%s" type="imu"/>'
    text = lost("continuous",
        f'{sensor % "s"}</gazebo>{break_}<gazebo reference="base"/><gazebo reference="tip"><mu1>1</mu1></gazebo>'
        f'{break_}'
                              f'<gazebo reference="tip">{break_}{sensor % "t"}')
    paths = [d.path for d in convert(text % "tip")[2] if d.name == "extension-of-lost-link" and "/sensor" in d.path]
    assert paths == [f'/robot[@name="r"]/gazebo[@reference="tip"][{number}]/sensor[@name="{name}"]'
                     for number, name in ((1, "s"), (3, "t"))]


def test_blocks_without_a_reference_are_counted_among_all(convert):
    blocks = '<gazebo reference="base"/>\n<gazebo/>\n<gazebo>\n<link name="a"/></gazebo>'
    text = f'<robot name="r"><link name="a">{INERTIAL}</link>\n{blocks}</robot>'
    assert ("added-name-taken", 5, '/robot[@name="r"]/gazebo[3]/link[@name="a"]') in [(d.name, d.line, d.path)
        for d in convert(text)[2]]


def test_the_world_takes_no_extensions(convert):
    text = lost("fixed", '<sensor name="s" type="imu"/>', tip=INERTIAL, root="", name="world")
    assert [(d.name, d.line, d.path) for d in convert(text % "world")[2]] == [
        ("extension-of-lost-link", 6, '/robot[@name="r"]/gazebo[@reference="world"]/sensor[@name="s"]')]
    assert not convert(text % "tip")[2]


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
    inertial = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    have, _, _ = convert(
        f'<robot name="r"><link name="a">{inertial}</link><link name="b"/><joint name="j" type="fixed">'
        f'<parent link="a"/><child link="b"/>'
        '</joint><gazebo><static>true</static></gazebo><gazebo><plugin name="p" filename="f"/></gazebo></robot>')
    assert [e.text for e in have.model.findall("static")] == ["true"]


@pytest.mark.parametrize("pose, version", [
    ("<pose>1 2 3 0 0 0</pose>", "1.7"), ('<pose degrees="true">1 2 3 0 0 90</pose>', "1.9"),
    ('<pose rotation_format="quat_xyzw">1 2 3 0 0 0 1</pose>', "1.9")])
def test_degrees_and_rotation_format_in_an_extension_need_sdf_1_9(convert, pose, version):
    """``degrees`` and ``rotation_format`` are of SDF 1.9."""
    from sdf_frames.convert.urdf_to_sdf import convert_text
    solid = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    sdf, _, found = convert_text(
        f'<robot name="r"><link name="l">{solid}</link><gazebo reference="l"><sensor name="s" type="imu">{pose}'
        f'</sensor>'
                                 "</gazebo></robot>")
    assert f'<sdf version="{version}">' in sdf and [d for d in found if d.severity == "error"] == []


@pytest.mark.parametrize("tag, path",
                         [("provideFeedback", "provide_feedback"), ("implicitSpringDamper", "implicit_spring_damper")])
@pytest.mark.parametrize("value, text",
                         [("true", "true"), ("1", "true"), ("false", "false"), ("0", "false"), ("no", "false")])
def test_yes_or_no_of_a_joint_is_written_as_sdf_does(tag, path, value, text):
    from sdf_frames.convert.urdf_to_sdf import convert_text
    solid = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    sdf, _, _ = convert_text(
        f'<robot name="r"><link name="a">{solid}</link><link name="b">{solid}</link><joint name="j" type="continuous">'
                             f'<parent link="a"/><child link="b"/></joint><gazebo reference="j"><{tag}>{value}'
                             f'</{tag}></gazebo></robot>')
    assert f"<{path}>{text}</{path}>" in sdf


def test_the_later_of_two_surfaces_counts_whatever_stands_between():
    """A block without blobs between two that have them."""
    from sdf_frames.convert.urdf_to_sdf import convert_text
    solid = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    shape = '<collision><geometry><sphere radius="1"/></geometry></collision>'
    surface = "<collision><surface><contact><collide_bitmask>{}</collide_bitmask></contact></surface></collision>"
    blocks = [surface.format(3), surface.format(5), "<selfCollide>true</selfCollide>"]
    body = "".join(f'\n<gazebo reference="l">{block}</gazebo>' for block in blocks)
    sdf, conversion, _ = convert_text(f'<robot name="r"><link name="l">{solid}{shape}</link>{body}</robot>')
    assert "<collide_bitmask>5<" in sdf and "<collide_bitmask>3<" not in sdf and "<self_collide>1<" in sdf
    assert [(row.line, row.action) for row in conversion.rows if row.line == 2] == [(2, "dropped")]


def test_a_reference_to_nothing_is_placed_at_its_first_block(convert):
    _, _, (finding,) = convert(robot("\n" + gazebo("tipp", "<mu1>1</mu1>"), "\n", gazebo("tipp", "<kp>1</kp>")))
    assert (finding.name, finding.path) == ("gazebo-reference-unknown",
                                            '/robot[@name="r"]/gazebo[@reference="tipp"][1]')
    assert finding.line == 2


@pytest.mark.parametrize("tag", ["mu1", "mu2", "fdir1", "kp", "kd", "maxVel", "minDepth"])
def test_a_later_setting_goes_into_a_surface_that_is_given_whole(convert, tag):
    """Of two blocks the later counts: what it says of the surface stays, what the earlier one said goes."""
    value = "1 0 0" if tag == "fdir1" else "7"
    whole = "<collision><surface><bounce/></surface></collision>"
    _, conversion, _ = convert(robot(gazebo("base", f"<{tag}>{value}</{tag}>"), gazebo("base", whole), base=SHAPES))
    assert (tag, "dropped") in [(r.element, r.action) for r in conversion.rows]


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


@pytest.mark.parametrize("named, message", [
    ({"uri_style": "https"}, "uri_style must be one of model, package, keep, not 'https'"),
    ({"massless": "none"}, "massless must be one of frame, keep, error, not 'none'")])
def test_options_that_do_not_exist(named, message):
    from sdf_frames.convert.options import ConvertOptions
    with pytest.raises(ValueError, match=f"^{message}$"):
        ConvertOptions(**named)
