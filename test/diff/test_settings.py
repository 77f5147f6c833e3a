"""Damping, colours, sensors, plugins and every other setting: each planted change is found, named, and nothing else."""
import pytest
from urdf_text import gazebo, joint, link, robot

import sdf_frames as sf

CAMERA = """<sensor name="camera" type="camera"><pose>0 0 1 0 0 0</pose><update_rate>30</update_rate>
  <camera><image><width>640</width><height>480</height></image></camera>
  <plugin name="driver" filename="cam.so"><topic>image</topic><gain>0.5</gain></plugin></sensor>"""
MODEL = f"""<model name="m">
<link name="base"><gravity>false</gravity>
  <visual name="skin"><geometry><sphere><radius>1</radius></sphere></geometry><transparency>0.25</transparency>
    <material><ambient>1 0 0 1</ambient><diffuse>1 0 0 1</diffuse>
    <pbr><metal><albedo_map>model://m/red.png</albedo_map></metal></pbr></material></visual>
  <visual name="hills"><geometry><heightmap><uri>hills.png</uri><texture><size>1</size><diffuse>brown.png</diffuse>
    <normal>flat.png</normal></texture></heightmap></geometry></visual>
  <collision name="hull"><geometry><sphere><radius>1</radius></sphere></geometry>
    <surface><friction><ode><mu>0.8</mu></ode></friction></surface></collision>
  {CAMERA}
  <light name="lamp" type="point"><attenuation><range>10</range></attenuation></light></link>
<link name="arm"/>
<joint name="elbow" type="revolute"><parent>base</parent><child>arm</child>
  <axis><xyz>0 0 1</xyz><dynamics><damping>0.5</damping><friction>0.1</friction></dynamics></axis>
  <sensor name="torque" type="force_torque"><update_rate>100</update_rate></sensor></joint>
<model name="inner"><link name="core"/></model>
<plugin name="control" filename="control.so"><joint name="elbow"><p>10</p></joint></plugin>
</model>"""
WORLD = f"""<sdf version="1.11"><world name="w"><gravity>0 0 -9.8</gravity>
<physics name="fast" type="ode"><max_step_size>0.002</max_step_size></physics>
<light name="sun" type="directional"><pose>0 0 10 0 0 0</pose></light>
<actor name="walker"><script><trajectory id="0" type="walk"><waypoint><time>1</time><pose>1 0 0 0 0 0</pose></waypoint>
</trajectory></script></actor>
<plugin name="gz::sim::Physics" filename="physics.so"/>
{MODEL}</world></sdf>"""
# What is put in the place of what, and the change: subject, name, what, and words of its text.
CHANGES = {
    "damping": ("<damping>0.5<", "<damping>0.7<", ("joint", "m::elbow", "damping", "damping 0.5 -> 0.7")),
    "damping gone": ("<damping>0.5</damping>", "", ("joint", "m::elbow", "damping", "damping 0.5 -> 0")),
    "friction": ("<friction>0.1<", "<friction>0.2<", ("joint", "m::elbow", "friction", "friction 0.1 -> 0.2")),
    "spring": ("<friction>0.1</friction>", "<friction>0.1</friction><spring_stiffness>3</spring_stiffness>",
               ("joint", "m::elbow", "spring_stiffness", "spring_stiffness 0 -> 3")),
    "gear": ("</axis>", "</axis><gearbox_ratio>7</gearbox_ratio>", ("joint", "m::elbow", "gearbox_ratio", "1.0 -> 7")),
    "colour": ("1 0 0 1</diffuse>", "0 0 1 1</diffuse>", ("visual", "m::base::skin", "colour", "1 0 0 1 -> 0 0 1 1")),
    "colour in both words": ("1 0 0 1", "0 0 1 1", ("visual", "m::base::skin", "colour", "1 0 0 1 -> 0 0 1 1")),
    "ambient": ("1 0 0 1</ambient>", "0 0 1 1</ambient>", ("visual", "m::base::skin", "material/ambient", "0 0 1 1")),
    "texture": ("red.png", "blue.png", ("visual", "m::base::skin", "material/pbr/metal/albedo_map", "blue.png")),
    "transparency": ("0.25", "0.5", ("visual", "m::base::skin", "transparency", "0.25 -> 0.5")),
    "heightmap's texture": ("brown.png", "green.png",
                            ("visual", "m::base::hills", "geometry/heightmap/texture/diffuse", "green.png")),
    "surface": ("<mu>0.8", "<mu>0.9", ("collision", "m::base::hull", "surface/friction/ode/mu", "0.8 -> 0.9")),
    "gravity of a link": ("<gravity>false</gravity>", "", ("link", "m::base", "gravity", "false -> true")),
    "self collisions": ('<link name="arm"/>', '<link name="arm"/><self_collide>true</self_collide>',
                        ("model", "m", "self_collide", "self_collide false -> true")),
    "static": ('<model name="inner">', '<model name="inner"><static>1</static>',
               ("model", "m::inner", "static", "static false -> true")),
    "nested model moved": ('<model name="inner">', '<model name="inner"><pose>0 1 0 0 0 0</pose>',
                           ("frame", "m::inner", "pose", "moved 1000 mm, turned 0 deg in m")),
    "canonical link": ('<model name="m">', '<model name="m" canonical_link="arm">',
                       ("model", "m", "canonical_link", "canonical link m::base -> m::arm")),
    "sensor gone": (CAMERA, "", ("sensor", "m::base::camera", "removed", "")),
    "sensor new": ('<link name="arm"/>', '<link name="arm"><sensor name="imu" type="imu"/></link>',
                   ("sensor", "m::arm::imu", "added", "")),
    "part without content": ('<link name="arm"/>', '<link name="arm"><audio_sink/></link>',
                             ("audio_sink", "m::arm::audio_sink", "added", "")),
    "sensor renamed": ('name="camera"', 'name="eye"', ("sensor", "m::base::camera", "renamed", "m::base::eye")),
    "sensor moved": ("0 0 1 0 0 0", "0 0 1.5 0 0 0", ("sensor", "m::base::camera", "pose", "moved 500 mm")),
    "sensor of another type": ('type="camera"', 'type="depth"', ("sensor", "m::base::camera", "type", "-> depth")),
    "sensor rate": ("<update_rate>30<", "<update_rate>60<", ("sensor", "m::base::camera", "update_rate", "30 -> 60")),
    "sensor image": ("<width>640", "<width>800", ("sensor", "m::base::camera", "camera/image/width", "640 -> 800")),
    "sensor of a joint": ("<update_rate>100<", "<update_rate>50<",
                          ("sensor", "m::elbow::torque", "update_rate", "100 -> 50")),
    "plugin of a sensor": ("<gain>0.5", "<gain>0.6", ("plugin", "m::base::camera::driver", "gain", "0.5 -> 0.6")),
    "plugin of a model": ("<p>10", "<p>11", ("plugin", "m::control", "joint/p", "joint/p 10 -> 11")),
    "plugin's file": ("control.so", "other.so", ("plugin", "m::control", "filename", "control.so -> other.so")),
    "plugin of the world gone": ('<plugin name="gz::sim::Physics" filename="physics.so"/>', "",
                                 ("plugin", "gz::sim::Physics", "removed", "")),
    "light of a link": ("<range>10", "<range>20", ("light", "m::base::lamp", "attenuation/range", "10 -> 20")),
    "light moved": ("0 0 10 0 0 0", "0 0 20 0 0 0", ("light", "sun", "pose", "moved 10000 mm, turned 0 deg")),
    "actor": ("1 0 0 0 0 0", "2 0 0 0 0 0", ("actor", "walker", "script/trajectory/waypoint/pose", "2 0 0 0 0 0")),
    "physics": ("0.002", "0.004", ("physics", "fast", "max_step_size", "0.002 -> 0.004")),
    "gravity of the world": ("-9.8<", "-1.6<", ("world", "world", "gravity", "0 0 -9.8 -> 0 0 -1.6")),
}


@pytest.mark.parametrize(("old", "new", "change"), CHANGES.values(), ids=CHANGES)
def test_a_planted_setting_is_found_and_nothing_else(old, new, change):
    assert old in WORLD
    a, b = sf.loads(WORLD), sf.loads(WORLD.replace(old, new))
    found = [c for c in sf.diff(a, b) if c.subject != "finding"]
    assert [(c.subject, c.name, c.what) for c in found] == [change[:3]]
    assert change[3] in found[0].text
    back = [c for c in sf.diff(b, a) if c.subject != "finding"]
    assert [(c.subject, c.old, c.new) for c in back] == [(c.subject, c.new, c.old) for c in found]


@pytest.mark.parametrize(("old", "new"), [
    ("<gravity>false", "<gravity>0"), ("<damping>0.5<", "<damping>5e-1<"), ("0 0 -9.8", " 0  0.0 -9.80 "),
    ("model://m/red", "package://m/red"), ('<link name="arm"/>', '<link name="arm"><gravity>true</gravity></link>'),
    ("<axis>", "<gearbox_ratio>1</gearbox_ratio><axis>"), ("<world", "<!-- nothing --><world"),
    ("<damping>0.5</damping><friction>0.1</friction>", "<friction>0.1</friction><damping>0.5</damping>"),
    ("0 0 1 0 0 0</pose><update", "0 0 1 0 0 6.283185307179586</pose><update")])
def test_another_spelling_is_not_a_difference(old, new):
    assert old in WORLD
    assert not [*sf.diff(sf.loads(WORLD), sf.loads(WORLD.replace(old, new)))]


def test_a_texture_whose_name_has_a_blank_is_compared_by_its_content(tmp_path):
    for name, content in (("red wood.png", b"red"), ("red_wood.png", b"red"), ("blue wood.png", b"blue")):
        (tmp_path / name).write_bytes(content)

    def paint(name):
        visual = ('<visual><geometry><sphere radius="1"/></geometry><material name="m"><texture filename="{}"/>'
                  "</material></visual>")
        return sf.loads(robot(link("a", 1, visual.format(tmp_path / name))), file=str(tmp_path / "r.urdf"))

    assert not [*sf.diff(paint("red wood.png"), paint("red_wood.png"))]
    assert not [*sf.diff(paint("red_wood.png"), paint("red wood.png"))]
    assert [c.name for c in sf.diff(paint("red wood.png"), paint("blue wood.png"))] == ["a::visual[1]"]


def test_parts_go_with_what_they_are_in():
    """A link that is gone or renamed takes its sensors along; nobody wants each of them named."""
    gone = sf.diff(sf.loads(WORLD), sf.loads(WORLD.replace(MODEL, "")))
    assert {c.subject for c in gone} == {"model", "link", "joint"}
    renamed = sf.diff(sf.loads(WORLD), sf.loads(WORLD.replace('"base"', '"trunk"').replace(">base<", ">trunk<")))
    assert [(c.subject, c.name, c.new) for c in renamed] == [("link", "m::base", "m::trunk")]


URDF = robot(
    link("base", 4, '<visual><geometry><sphere radius="1"/></geometry><material name="red"><color rgba="0.8 0 0 1"/>'
                    "</material></visual>"),
    link("arm", 1), joint("elbow", "revolute", "base", "arm", '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
                          '<dynamics damping="0.5" friction="0.1"/><safety_controller k_velocity="10"/>'
                          '<calibration rising="1"/>'),
    gazebo("base", "<mu1>0.8</mu1><selfCollide>true</selfCollide>"
                   '<sensor name="imu" type="imu"><update_rate>100</update_rate></sensor>'),
    gazebo("", '<plugin name="drive" filename="drive.so"><rate>50</rate></plugin>'),
    '<transmission name="t"><type>simple</type><joint name="elbow"><hardwareInterface>effort</hardwareInterface>'
    "</joint></transmission>",
    '<ros2_control name="c" type="system"><joint name="elbow"><command_interface name="effort"><param name="max">2'
    "</param></command_interface></joint></ros2_control>")
SKIN = "base::visual[1]"
URDF_CHANGES = {
    "damping": ('damping="0.5"', 'damping="0.7"', ("joint", "elbow", "damping", "damping 0.5 -> 0.7")),
    "friction": ('friction="0.1"', 'friction="0.2"', ("joint", "elbow", "friction", "friction 0.1 -> 0.2")),
    # SDFormat's colours are brighter, 1 at most: 1 for 0.8 and for 0.9.
    "colour": ("0.8 0 0 1", "0.4 0 0 1", ("visual", SKIN, "colour", "colour 0.8 0 0 1 -> 0.4 0 0 1")),
    "bright colour": ("0.8 0 0 1", "0.9 0 0 1", ("visual", SKIN, "colour", "colour 0.8 0 0 1 -> 0.9 0 0 1")),
    "sensor": ("<update_rate>100", "<update_rate>50", ("sensor", "base::imu", "update_rate", "100 -> 50")),
    "plugin": ("<rate>50", "<rate>60", ("plugin", "drive", "rate", "rate 50 -> 60")),
    "self collisions": ("<selfCollide>true", "<selfCollide>false", ("link", "base", "self_collide", "true -> false")),
    "safety": ('k_velocity="10"', 'k_velocity="11"',
               ("joint", "elbow", "safety_controller/k_velocity", "k_velocity 10 -> 11")),
    "calibration": ('rising="1"', 'rising="2"', ("joint", "elbow", "calibration/rising", "rising 1 -> 2")),
    "kind": ('type="system"', 'type="actuator"', ("ros2_control", "c", "type", "type system -> actuator")),
    "transmission": (">effort<", ">velocity<",
                     ("transmission", "t", "joint[elbow]/hardwareInterface", "effort -> velocity")),
    "transmission renamed": ('transmission name="t"', 'transmission name="u"', ("transmission", "t", "renamed", "u")),
    "ros2_control": ('"max">2', '"max">3',
                     ("ros2_control", "c", "joint[elbow]/command_interface[effort]/param[max]", "2 -> 3")),
}


@pytest.mark.parametrize(("old", "new", "change"), URDF_CHANGES.values(), ids=URDF_CHANGES)
def test_a_planted_setting_of_a_urdf_is_found_and_nothing_else(old, new, change):
    assert old in URDF
    a, b = sf.loads(URDF), sf.loads(URDF.replace(old, new))
    found = [c for c in sf.diff(a, b) if c.subject != "finding"]
    assert [(c.subject, c.name, c.what) for c in found] == [change[:3]]
    assert change[3] in found[0].text
    converted = {c.what for c in sf.diff(a, sf.loads(b.to_sdf()))}
    only_urdf = change[0] in ("transmission", "ros2_control") or "safety" in change[2] or "calibration" in change[2]
    assert converted == (set() if only_urdf else {change[2]})


def test_a_material_of_a_urdf_counts_where_it_is_used():
    """Its colour is one change, that of the visual; of a material that nothing uses there is nothing to say."""
    text = robot(link("base", 4, '<visual><geometry><sphere radius="1"/></geometry><material name="red"/></visual>'),
                 '<material name="red"><color rgba="0.8 0 0 1"/></material>',
                 '<material name="unused"><color rgba="0 0 1 1"/></material>')
    a = sf.loads(text)
    found = sf.diff(a, sf.loads(text.replace("0.8 0 0 1", "0.4 0 0 1")))
    assert [(c.subject, c.name, c.what) for c in found] == [("visual", SKIN, "colour")]
    assert not [*sf.diff(a, sf.loads(text.replace("0 0 1 1", "0 1 0 1")))]


def test_a_urdf_with_all_that_and_its_conversion_do_not_differ():
    assert not [*sf.diff(sf.loads(URDF), sf.loads(sf.loads(URDF).to_sdf()))]


@pytest.mark.parametrize("said", ['k_position="0.0"', 'soft_lower_limit="0" soft_upper_limit="-0"'])
def test_what_is_not_said_of_a_safety_controller_is_zero(said):
    """urdfdom, which alone reads it, takes 0 for each attribute that is not written, except k_velocity."""
    same = sf.loads(URDF.replace('k_velocity="10"', f'k_velocity="10" {said}'))
    assert not [*sf.diff(sf.loads(URDF), same)]
    other = sf.loads(URDF.replace('k_velocity="10"', 'k_velocity="10" k_position="2"'))
    assert [(c.what, c.old, c.new) for c in sf.diff(same, other)] == [
        ("safety_controller/k_position", "0.0" if "0.0" in said else "0", "2")]


def test_a_colour_that_one_file_does_not_state():
    bare = sf.loads(URDF.replace('<material name="red"><color rgba="0.8 0 0 1"/></material>', ""))
    assert ("colour", "0.8 0 0 1", None, "colour 0.8 0 0 1 -> not stated") in [
        (c.what, c.old, c.new, c.text) for c in sf.diff(sf.loads(URDF), bare)]


def test_settings_that_an_include_adds_are_compared(tmp_path):
    (tmp_path / "model.sdf").write_text(f'<sdf version="1.11">{MODEL}</sdf>')
    text = '<sdf version="1.11"><world name="w"><include><uri>model.sdf</uri>{}</include></world></sdf>'
    plain, static, more = (sf.loads(text.format(inside), file=str(tmp_path / "w.sdf")) for inside in (
        "", "<static>true</static>", '<plugin name="extra" filename="extra.so"/>'))
    assert not [*sf.diff(plain, sf.loads(f'<sdf version="1.11"><world name="w">{MODEL}</world></sdf>'))]
    assert ("model", "m", "static") in [(c.subject, c.name, c.what) for c in sf.diff(plain, static)]
    assert [(c.subject, c.name, c.what) for c in sf.diff(plain, more)] == [("plugin", "m::extra", "added")]


def test_where_a_root_model_stands_in_the_world():
    text = '<sdf version="1.11"><model name="m">{}<link name="l"/></model></sdf>'
    a, b = sf.loads(text.format("")), sf.loads(text.format("<pose>1 0 0 0 0 0</pose>"))
    (change,) = sf.diff(a, b)
    assert (change.subject, change.name, change.what) == ("model", "__model__", "pose")
    assert change.text == "moved 1000 mm, turned 0 deg"


def test_damping_of_a_joint_that_the_sdf_cannot_express():
    text = robot(link("base", 4), link("head"), joint("pan", "continuous", "base", "head", '<dynamics damping="{}"/>'))
    (change,) = sf.diff(sf.loads(text.format(1)), sf.loads(text.format(2)))
    assert (change.subject, change.name, change.old, change.new) == ("joint", "pan", "1", "2")


@pytest.mark.parametrize(("old", "new", "what"), [
    ("1 2 3 0 0 0", "1 2 4 0 0 0", "pose"), ("<range>5", "<range>6", "attenuation/range"), ("point", "spot", "type")])
def test_a_light_alone(old, new, what):
    """A file may have a light and nothing else: it has no frames."""
    text = ('<sdf version="1.11"><light name="lamp" type="point"><pose>1 2 3 0 0 0</pose><attenuation><range>5</range>'
            "</attenuation></light></sdf>")
    assert not sf.diff(sf.loads(text), sf.loads(text))
    (change,) = sf.diff(sf.loads(text), sf.loads(text.replace(old, new)))
    assert (change.subject, change.name, change.what) == ("light", "lamp", what)


@pytest.mark.parametrize(("old", "new", "differs"), [
    ("0 0 1", "0 0 1 1", False), ("0 0 1 1", "0 0 1", False), ("0 0 1", "0 0 1 0.5", True), ("0 0 1", "0 1 1 1", True)])
@pytest.mark.parametrize("tag", ["diffuse", "ambient", "specular", "emissive"])
def test_a_colour_of_three_numbers_is_opaque(tag, old, new, differs):
    text = ('<sdf version="1.11"><model name="m"><link name="l"><visual name="v"><geometry><sphere/></geometry>'
            "<material><{0}>{1}</{0}></material></visual></link></model></sdf>")
    assert bool(sf.diff(sf.loads(text.format(tag, old)), sf.loads(text.format(tag, new)))) is differs


def test_the_colour_of_an_sdf_that_was_edited_counts():
    """The SDF of a URDF records the URDF's colour, which means nothing once the SDF's own is another one."""
    text = sf.loads(URDF).to_sdf()
    assert "<diffuse" in text and text.count("1 0 0 1") == 2
    found = sf.diff(sf.loads(URDF), sf.loads(text.replace("1 0 0 1", "0 1 0 1")))
    assert [(c.what, c.text) for c in found] == [("colour", "colour 1 0 0 1 -> 0 1 0 1")]
    bare = text.replace('sdf_frames:rgba="0.8 0 0 1"', "")  # as libsdformat writes it
    assert bare != text and not sf.diff(sf.loads(URDF), sf.loads(bare))


@pytest.mark.parametrize(("old", "new", "tolerance", "differs"), [
    ("0", "1e-13", 1e-6, False), ("0", "1e-11", 1e-6, True), ("0", "1e-13", 0, True), ("100", "100.00001", 1e-6, False),
    ("100", "100.001", 1e-6, True), ("a", "b", 1e-6, True), ("1 2", "1 2 3", 1e-6, True), ("1 2", "1  2.0", 0, False),
    ("0xff", "255", 0, False), ("255", "0xfe", 1e-6, True), ("0xg", "16", 1e-6, True)])
def test_when_two_settings_say_the_same(old, new, tolerance, differs):
    plugin = '<plugin name="p" filename="f"><x>{}</x></plugin>'
    text = f'<sdf version="1.11"><model name="m"><link name="l"/>{plugin}</model></sdf>'
    a, b = (sf.loads(text.format(value)) for value in (old, new))
    assert bool(sf.diff(a, b, tolerance=tolerance)) == differs


@pytest.mark.parametrize(("length", "shown"), [(60, "y" * 60), (61, "y" * 57 + "…")])
def test_texts_are_shown_up_to_sixty_characters(length, shown):
    text = '<sdf version="1.11"><model name="m"><link name="l"/><plugin name="p" filename="{}"/></model></sdf>'
    (change,) = sf.diff(*(sf.loads(text.format(name)) for name in ("f", "y" * length)))
    assert change.text == f"filename f -> {shown}"


def test_repeated_elements_of_a_urdf_are_numbered():
    parts = "<joint><x>1</x><x>{}</x><x a='1'/></joint>"
    texts = [robot(link("base", 1), f'<transmission name="t">{parts.format(value)}</transmission>') for value in (2, 3)]
    assert [(c.subject, c.name, c.what, c.old, c.new) for c in sf.diff(*map(sf.loads, texts))] == [
        ("transmission", "t", "joint/x[2]", "2", "3")]
    bare = robot(link("base", 1), "<transmission><x/></transmission>")
    assert [(c.name, c.what) for c in sf.diff(sf.loads(robot(link("base", 1))), sf.loads(bare))] == [
        ("transmission", "added")]


def test_a_renamed_part_may_name_a_renamed_link():
    """Both have another name in the second description, and say the same."""
    text = ('<sdf version="1.12"><model name="m"><link name="{0}"/><link name="b"><pose>1 0 0 0 0 0</pose></link>'
            '<joint name="j" type="fixed"><parent>{0}</parent><child>b</child></joint>'
            '<plugin name="{1}" filename="f"><body>{0}</body></plugin></model></sdf>')
    changes = sf.diff(sf.loads(text.format("a", "p")), sf.loads(text.format("z", "q")))
    assert [(c.subject, c.what, c.old, c.new) for c in changes] == [
        ("link", "renamed", "a", "z"), ("plugin", "renamed", "p", "q")]


def test_what_is_in_a_renamed_part_is_compared():
    text = ('<sdf version="1.12"><model name="m"><link name="a"><sensor name="{}" type="imu">'
            '<update_rate>5</update_rate><plugin name="p" filename="f"><x>{}</x></plugin></sensor></link></model>'
            "</sdf>")
    changes = sf.diff(sf.loads(text.format("cam", 1)), sf.loads(text.format("eye", 2)))
    assert [(c.subject, c.name, c.text) for c in changes] == [
        ("sensor", "a::cam", "renamed to a::eye"), ("plugin", "a::cam::p", "x 1 -> 2")]


@pytest.mark.parametrize("degrees, changes", [("0 90 180", 0), ("0 90 181", 1)])
def test_a_pose_in_degrees_is_the_same_in_radians(degrees, changes):
    text = ('<sdf version="1.12"><model name="m"><link name="l"><sensor name="s" type="camera"><camera>{}'
            "<horizontal_fov>1</horizontal_fov></camera></sensor></link></model></sdf>")
    one, two = (sf.loads(text.format(pose)) for pose in (
        "<pose>1 2 3 0 1.5707963267948966 3.141592653589793</pose>", f'<pose degrees="true">1 2 3 {degrees}</pose>'))
    assert len(sf.diff(one, two)) == len(sf.diff(two, one)) == changes
