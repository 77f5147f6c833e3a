"""Elements under <gazebo> that the SDF takes over: under which name, at which place, naming which bodies."""
from __future__ import annotations

from math import pi

import pytest
from lxml import etree
from urdf_text import gazebo, joint, link

from sdf_frames.convert.job import Job
from sdf_frames.convert.report import Row

BOX = '<geometry><box size="1 1 1"/></geometry>'
HALF, SHORT = repr(pi / 2), f"{pi / 2:.10f}"
# The tip is lumped into the base, 2 along its x and turned by a quarter about z; one part a line, the first on line 2.
LUMPED = [link("base", 1, f'<collision name="own">{BOX}</collision>'),
          link("tip", 1, f'<collision>{BOX}</collision><collision name="hit">{BOX}</collision>'),
          joint("weld", "fixed", "base", "tip", xyz="2 0 0", rpy=f"0 0 {HALF}"), link("arm", 1),
          joint("turn", "continuous", "base", "arm")]


@pytest.fixture
def carry(convert):
    """Parts of a robot -> its SDF, rows, and findings as (name, message, line, path)."""
    def carry(*parts):
        have, conversion, found = convert("\n".join(['<robot name="r">', *LUMPED, *parts, "</robot>"]))
        return have, list(conversion.rows), [(d.name, d.message, d.line, d.path) for d in found]
    return carry


def spell(element):
    copy = etree.fromstring(etree.tostring(element, with_tail=False), etree.XMLParser(remove_blank_text=True))
    etree.cleanup_namespaces(copy)
    return etree.tostring(copy).decode()


def read_pose(element):
    return [float(word) for word in element.findtext("pose").split()]


@pytest.mark.parametrize("tag", ["sensor", "light", "projector", "particle_emitter", "audio_source"])
def test_elements_with_a_pose_keep_their_place_when_their_link_is_lumped(tag, carry):
    """Half of its own turn about z, from (1, 0, 0) in the tip: from (2, 1, 0) in the base, turned by a half."""
    have, rows, found = carry(gazebo("tip", f'<{tag} name="s"><pose>1 0 0 0 0 {HALF}</pose><a/></{tag}>'))
    element = have.links["base"].find(tag)
    assert read_pose(element) == pytest.approx([2, 1, 0, 0, 0, pi]) and [e.tag for e in element] == ["a", "pose"]
    assert not found and [row for row in rows if row.element == tag] == [
        Row(tag, "s", "moved", "base", 7, "from a lumped link")]


@pytest.mark.parametrize("tag", ["plugin", "velocity_decay"])
def test_poses_of_elements_without_a_place_are_not_changed(tag, carry):
    have, _, _ = carry(gazebo("tip", f"<{tag}><pose>1 0 0 0 0 0</pose></{tag}>"))
    assert read_pose(have.links["base"].find(tag)) == [1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("how, text", [
    ("", "1 2"), ("", "x y z 0 0 0"), (' degrees="perhaps"', "1 2 3 0 0 0"),
    (' rotation_format="matrix"', "1 2 3 0 0 0")])
def test_a_pose_that_cannot_be_read(how, text, carry):
    have, _, found = carry(gazebo("tip", f'\n<sensor name="s" type="imu">\n<pose{how}> {text} </pose></sensor>'))
    assert read_pose(have.links["base"].find("sensor")) == pytest.approx([2, 0, 0, 0, 0, pi / 2])
    assert found == [
        ("moved-pose-malformed",
         f"<sensor> 's' of lumped link 'tip' has the malformed pose \"{text}\"; zeros are used", 9,
         '/robot[@name="r"]/gazebo[@reference="tip"]/sensor[@name="s"]/pose')]


def test_names_that_are_taken_in_the_body(carry):
    """Of each tag its own: two sensors, the second and third renamed; the light may have the name of a sensor."""
    sensor = '<sensor name="{}" type="imu"/>'
    have, rows, found = carry(
        gazebo("base", sensor.format("s")),
        gazebo("tip", sensor.format(" s ") + '<light name="s"/>' + sensor.format("t") + sensor.format("t")),
        gazebo("tip", sensor.format("tip_fixed_joint_lump__s")))
    base = have.links["base"]
    assert [e.get("name") for e in base.findall("sensor")] == [
        "s", "tip_fixed_joint_lump__s", "t", "tip_fixed_joint_lump__t",
        "tip_fixed_joint_lump__tip_fixed_joint_lump__s"]
    assert base.find("light").get("name") == "s"
    path = '/robot[@name="r"]/gazebo[@reference="tip"][{}]/sensor[@name="{}"]'
    said = "<sensor> {0!r} moves from link 'tip' to 'base', where that name is taken; it is renamed to {1!r}"
    assert found == [("moved-name-taken", said.format(old, f"tip_fixed_joint_lump__{old}"), line, path.format(*at))
                     for old, line, *at in (("s", 8, 1, " s "), ("t", 8, 1, "t"),
                                            ("tip_fixed_joint_lump__s", 9, 2, "tip_fixed_joint_lump__s"))]
    assert [row.name for row in rows if row.element == "sensor"] == ["s", " s ", "t", "t", "tip_fixed_joint_lump__s"]


def test_shapes_that_are_added_to_a_lumped_link_have_free_names(carry):
    added = f'<collision name="base_fixed_joint_lump__own_collision">{BOX}</collision>'
    have, _, found = carry(gazebo("tip", f"<extra>{added}</extra>"))
    assert not found and len(have.links["base"].findall("extra")) == 1


@pytest.mark.parametrize("name, new", [
    ("base", "base_frame"), ("tip", "tip_frame"), ("weld", "weld_frame"), ("turn", "turn_frame"), ("free", "free"),
    (" arm ", "arm_frame")])
def test_names_that_links_and_joints_have(name, new, carry):
    have, rows, found = carry(gazebo("", f'<frame name="{name}"/>'))
    assert [f.get("name") for f in have.model.findall("frame")][-1].strip() == new
    same = "has the same name as a link or joint of the robot, which libsdformat's check refuses"
    assert [message for _, message, _, _ in found] == ([] if name == new else [
        f"<frame> {name.strip()!r} in <gazebo> {same}; it is renamed to {new!r}"])
    assert [row for row in rows if row.element == "frame"] == [
        Row("frame", name, "kept", "r", 7, None if name == new else f"named {new!r}")]


def test_names_that_are_free_once_and_taken_then(carry):
    """A name that <gazebo> has given is taken for the next; a plugin may have any name, and so may what has none."""
    have, _, found = carry(gazebo("", '<frame name="a"/><frame name="a"/><frame name="a_frame"/>'
                                      '<plugin name="a"/><plugin name="base"/><frame/>'))
    assert [f.get("name") for f in have.model.findall("frame")[2:6]] == ["a", "a_frame", "a_frame_frame", None]
    assert [p.get("name") for p in have.model.findall("plugin")] == ["a", "base"]
    assert [name for name, *_ in found] == ["added-name-taken"] * 2


def test_a_name_with_a_prefix_is_written_as_in_the_file(carry):
    have, _, found = carry(gazebo("", '<joint:slider xmlns:joint="urn:x" name="base"/>'))
    assert have.model.find("{urn:x}slider").get("name") == "base_slider"
    assert [message.partition(" in ")[0] for _, message, _, _ in found] == ["<joint:slider> 'base'"]


def test_names_of_what_is_left_out_are_free(convert):
    have, _, found = convert("".join(['<robot name="r">', link("a", 1), link("b"), link("c", 1),
                                      joint("j", "continuous", "a", "b"), joint("k", "continuous", "b", "c"),
                                      gazebo("", '<frame name="b"/><frame name="j"/><frame name="c"/>'), "</robot>"]))
    assert [f.get("name") for f in have.model.findall("frame")] == ["b", "j", "c"]
    assert "added-name-taken" not in [d.name for d in found]


@pytest.mark.parametrize("inside, written", [
    ("<bodyName>base</bodyName>", "<bodyName>base</bodyName>"), ("<bodyName/>", "<bodyName/>"),
    ("<bodyName>arm</bodyName>", "<bodyName>arm</bodyName>"),
    ("<bodyName>none</bodyName>", "<bodyName>none</bodyName>"),
    ("<bodyName> tip </bodyName>",
     f"<bodyName>base</bodyName><xyzOffset>2 0 0</xyzOffset><rpyOffset>0 0 {SHORT}</rpyOffset>"),
    ("<frameName>tip</frameName><xyzOffset>1,0,0</xyzOffset>",
     f"<frameName>base</frameName><xyzOffset>2 1 0</xyzOffset><rpyOffset>0 0 {SHORT}</rpyOffset>"),
    # Of both, the first; numbers that cannot be read are zeros.
    ("<rpyOffset>0 0 x</rpyOffset><frameName>tip</frameName><bodyName>tip</bodyName>",
     f"<rpyOffset>0 0 {SHORT}</rpyOffset><frameName>base</frameName><bodyName>base</bodyName>"
     "<xyzOffset>2 0 0</xyzOffset>"),
    ("<frameName>tip</frameName><bodyName>arm</bodyName>",
     "<frameName>base</frameName><bodyName>arm</bodyName><xyzOffset>2 0 0</xyzOffset>"
     f"<rpyOffset>0 0 {SHORT}</rpyOffset>"),
    ("<projector>tip/beam/a</projector><projector>arm/beam</projector><projector>tip</projector>",
     "<projector>base/beam/a</projector><projector>arm/beam</projector><projector>tip</projector>")])
@pytest.mark.parametrize("reference", ["", "tip"])
def test_bodies_that_a_plugin_names(inside, written, reference, carry):
    """libsdformat adds the offset twice where the plugin is the link's."""
    have, _, _ = carry(gazebo(reference, f'<plugin name="p">{inside}</plugin>'))
    plugin = next(have.model.iter("plugin"))
    for tag in ("xyzOffset", "rpyOffset"):  # without what rounding leaves of nothing
        if (element := plugin.find(tag)) is not None:
            element.text = " ".join(f"{round(float(word), 10):.12g}" for word in element.text.split())
    assert spell(plugin) == f'<plugin name="p">{written}</plugin>'


def test_joints_that_a_plugin_names(convert):
    """Where an element's tag says joint, and it holds a name alone."""
    have, _, _ = convert("".join([
        '<robot name="r">', link("a", 1), link("b", 1), joint("b", "continuous", "a", "b"),
        gazebo("", '<plugin name="p"><!-- b --><joint>b</joint><leftJointName> b </leftJointName><link>b</link><joint>b'
                   "<x>b</x></joint><joint>a</joint></plugin>"), "</robot>"]))
    assert [(e.tag, e.text) for e in have.model.find("plugin").iter("joint", "leftJointName", "link", "x")] == [
        ("joint", "b_joint"), ("leftJointName", "b_joint"), ("link", "b"), ("joint", "b"), ("x", "b"), ("joint", "a")]


@pytest.mark.parametrize("inside, written", [
    ("<parent>tip</parent><child>arm</child>", "<parent>base</parent><child>arm</child>"),
    ("<parent>arm</parent><child> tip </child>", '<pose relative_to="tip"/><parent>arm</parent><child>base</child>'),
    ("<parent>arm</parent><child>tip</child><pose>1 0 0 0 0 0</pose>",
     '<parent>arm</parent><child>base</child><pose relative_to="tip">1 0 0 0 0 0</pose>'),
    ('<parent>arm</parent><child>tip</child><pose relative_to="arm"/>',
     '<parent>arm</parent><child>base</child><pose relative_to="arm"/>'),
    ("<child>tip</child>", '<pose relative_to="tip"/><child>base</child>'),
    ("<parent>tip</parent>", "<parent>base</parent>"),
    ("<parent/><child>none</child>", "<parent/><child>none</child>")])
def test_links_that_a_joint_names(inside, written, carry):
    have, rows, _ = carry(gazebo("", f'<joint name="loop" type="ball">{inside}</joint>'))
    loop = have.model.find("joint[@name='loop']")
    assert spell(loop) == f'<joint name="loop" type="ball">{written}</joint>'
    assert [row for row in rows if row.name == "loop"] == [Row("extension", "loop", "kept", "r", 7)]


def test_links_that_a_gripper_names(carry):
    have, _, _ = carry(gazebo("", "<gripper><gripper_link>tip</gripper_link><gripper_link> tip </gripper_link>"
                                  "<gripper_link>arm</gripper_link><palm_link>tip</palm_link><other>tip</other></gripper>"))
    assert [e.text for e in have.model.find("gripper")] == ["base", "base", "arm", "base", "tip"]


@pytest.mark.parametrize("text, name", [
    # Names before lumping: SDF's of a shape without and with a name, and the URDF's; else as written.
    ("tip_collision", "base_fixed_joint_lump__tip_collision_1"), (" hit ", "base_fixed_joint_lump__hit_collision_2"),
    ("hit_collision_1", "base_fixed_joint_lump__hit_collision_2"), ("other", "other"),
    ("base_fixed_joint_lump__tip_collision_1", "base_fixed_joint_lump__tip_collision_1")])
def test_collisions_that_a_contact_sensor_names(text, name, carry):
    sensor = f'<sensor name="s" type="contact"><contact><collision>{text}</collision></contact></sensor>'
    have, _, _ = carry(gazebo("tip", sensor))
    assert have.links["base"].findtext("sensor/contact/collision") == name
    have, _, _ = carry(gazebo("base", sensor.replace(text, "own")))
    assert have.links["base"].findtext("sensor/contact/collision") == "base_fixed_joint_lump__own_collision"


@pytest.mark.parametrize("text, on_base, on_tip, on_plate", [
    # The collision of the sensor's own link is meant, else the first of the others: the base's, then the tip's.
    ("c", "base_fixed_joint_lump__c_collision_1", "base_fixed_joint_lump__c_collision_3",
     "base_fixed_joint_lump__c_collision_1"),
    ("tip_collision_2", *["base_fixed_joint_lump__tip_collision_4"] * 3),
    ("c_collision_1", "base_fixed_joint_lump__c_collision_1", "base_fixed_joint_lump__c_collision_3",
     "base_fixed_joint_lump__c_collision_1"), ("base_collision", *["base_collision"] * 3), ("tip_collision", *[
         "base_fixed_joint_lump__tip_collision_2"] * 3)])
def test_a_name_that_several_links_use(text, on_base, on_tip, on_plate, convert):
    none, c = f"<collision>{BOX}</collision>", f'<collision name="c">{BOX}</collision>'
    sensor = f'<sensor name="s" type="contact"><contact><collision>{text}</collision></contact></sensor>'
    parts = [link("base", 1, none + c), link("tip", 1, none + c + none), link("plate", 1),
             joint("a", "fixed", "base", "tip"), joint("b", "fixed", "base", "plate")]
    for name, expected in (("base", on_base), ("tip", on_tip), ("plate", on_plate)):
        have, _, _ = convert("".join(['<robot name="r">', *parts, gazebo(name, sensor), "</robot>"]))
        assert have.links["base"].findtext("sensor/contact/collision") == expected


def test_many_contact_sensors_of_a_body_ask_for_its_collisions_once(carry, monkeypatch):
    asked = []
    name_shapes = Job.name_shapes
    monkeypatch.setattr(Job, "name_shapes", lambda job, i, kind: asked.append(kind) or name_shapes(job, i, kind))
    carry(*[gazebo("tip", f'<sensor name="s{k}" type="contact"><contact/></sensor>') for k in range(10)])
    assert asked.count("collision") == 3  # to write those of the base and of the arm, and once for the sensors


def test_a_contact_sensor_without_lumping_keeps_its_names(convert):
    contact = "<contact><collision>c</collision><collision>x</collision></contact>"
    sensor = f'<sensor name="s" type="contact">{contact}</sensor>'
    have, _, _ = convert("".join(['<robot name="r">', link("l", 1, f'<collision name="c">{BOX}</collision>'),
                                  gazebo("l", sensor), "</robot>"]))
    assert [e.text for e in have.links["l"].findall("sensor/contact/collision")] == ["l_fixed_joint_lump__c_collision",
        "x"]


def test_many_elements_of_one_name_take_no_quadratic_time(carry):
    """10,000 sensors of one name in a lumped link took 11 s."""
    have, _, found = carry(gazebo("tip", '<sensor name="s" type="imu"/>' * 10_000))
    names = [sensor.get("name") for sensor in have.links["base"].iter("sensor")]
    assert names[:3] == ["s", "tip_fixed_joint_lump__s", "tip_fixed_joint_lump__s0"]
    assert len(set(names)) == 10_000 and names[-1] == "tip_fixed_joint_lump__s9997"
