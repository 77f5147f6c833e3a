"""A whole robot: its SDF element by element, and its report row by row. Both were worked out by hand."""
from __future__ import annotations

import pytest
from lxml import etree
from urdf_text import gazebo, inertial, joint, link
from written_text import convert_text

from sdf_frames.convert.options import ConvertOptions
from sdf_frames.convert.report import Row
from sdf_frames.document.elements import line_of

# One part a line, the first on line 2. The tip is lumped into the base: two bodies of 1 kg, 2 m apart along z.
PARTS = [
    '<link name="base">' + inertial() + '<collision><geometry><box size="1 2 3"/></geometry></collision>'
    '<visual name="seen"><origin xyz="0 0 1"/><geometry><mesh filename="package://p/a.stl" scale="1 1 2"/></geometry>'
    '<material name="paint"><color rgba="0.4 0.8 1 0.5"/><texture filename="package://p/t.png"/></material></visual>'
    "</link>",
    '<link name="tip">' + inertial() + '<collision name="hit"><geometry><sphere radius="1"/></geometry></collision>'
    '<collision><geometry><cylinder radius="1" length="2"/></geometry></collision>'
    '<visual><origin xyz="1 0 0"/><geometry><sphere radius="3"/></geometry></visual></link>',
    joint("weld", "fixed", "base", "tip", xyz="0 0 2"),
    link("arm", 1),
    joint("turn", "revolute", "tip", "arm", '<axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="3" velocity="4"/>'
          '<dynamics damping="0.5" friction="0.25"/>', xyz="1 0 0", rpy="0 0 0.5"),
    link("hand", 1),
    joint("arm", "continuous", "arm", "hand", '<mimic joint="turn" multiplier="2" offset="0.5"/>'),
    link("ball", 1),
    joint("fly", "planar", "arm", "ball", '<axis xyz="0 0 1"/>', xyz="0 0 3"),
    link("plate"),
    joint("hold", "fixed", "hand", "plate", xyz="0 0 4"),
    gazebo("base", "<mu1>0.1</mu1><selfCollide>true</selfCollide><sensor name='imu' type='imu'/>"),
    gazebo("tip", "<kp>5</kp><material>Gazebo/Red</material><sensor name='imu' type='imu'/>"),
    gazebo("turn", "<stopCfm>0.2</stopCfm><sensor name='ft' type='force_torque'/>"),
    gazebo("hold", "<preserveFixedJoint>true</preserveFixedJoint>"),
    gazebo("", "<static>false</static><plugin name='p' filename='f'/><frame name='arm'/>"),
]
INERTIAL = ("<inertial><pose>0 0 0 0 0 0</pose><mass>1</mass><inertia><ixx>1</ixx><ixy>0</ixy><ixz>0</ixz><iyy>1</iyy>"
            "<iyz>0</iyz><izz>1</izz></inertia></inertial>")
SDF = f"""<sdf version="1.11"><model xmlns:sdf_frames="urn:sdf_frames:urdf" name="r">
<link name="base">
  <inertial><pose>0 0 1 0 0 0</pose><mass>2</mass>
    <inertia><ixx>4</ixx><ixy>0</ixy><ixz>0</ixz><iyy>4</iyy><iyz>0</iyz><izz>2</izz></inertia></inertial>
  <collision name="base_collision"><pose>0 0 0 0 0 0</pose><geometry><box><size>1 2 3</size></box></geometry>
    <surface><friction><ode><mu>0.1</mu></ode></friction></surface></collision>
  <collision name="base_fixed_joint_lump__hit_collision_1" sdf_frames:parent="tip" sdf_frames:origin="0 0 0 0 0 0">
    <pose>0 0 2 0 0 0</pose>
    <geometry><sphere><radius>1</radius></sphere></geometry>
    <surface><contact><ode><kp>5</kp></ode></contact></surface></collision>
  <collision name="base_fixed_joint_lump__tip_collision_2" sdf_frames:parent="tip" sdf_frames:origin="0 0 0 0 0 0">
    <pose>0 0 2 0 0 0</pose>
    <geometry><cylinder><length>2</length><radius>1</radius></cylinder></geometry>
    <surface><contact><ode><kp>5</kp></ode></contact></surface></collision>
  <visual name="base_fixed_joint_lump__seen_visual"><pose>0 0 1 0 0 0</pose>
    <geometry><mesh><scale>1 1 2</scale><uri>model://p/a.stl</uri></mesh></geometry>
    <material><diffuse sdf_frames:rgba="0.4 0.8 1 0.5">0.5 1 1 0.5</diffuse><ambient>0.5 1 1 0.5</ambient>
      <pbr><metal><albedo_map>model://p/t.png</albedo_map></metal></pbr></material></visual>
  <visual name="base_fixed_joint_lump__tip_visual_1" sdf_frames:parent="tip" sdf_frames:origin="1 0 0 0 0 0">
    <pose>1 0 2 0 0 0</pose>
    <geometry><sphere><radius>3</radius></sphere></geometry>
    <material><script><name>Gazebo/Red</name><uri>file://media/materials/scripts/gazebo.material</uri></script></material>
  </visual>
  <self_collide>1</self_collide>
  <sensor name="imu" type="imu"/>
  <sensor name="tip_fixed_joint_lump__imu" type="imu"><pose>0 0 2 0 0 0</pose></sensor>
</link>
<joint type="revolute" name="turn" sdf_frames:parent="tip" sdf_frames:origin="1 0 0 0 0 0.5">
  <pose relative_to="base">1 0 2 0 0 0.5</pose><parent>base</parent><child>arm</child>
  <axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>2</upper><effort>3</effort><velocity>4</velocity></limit>
    <dynamics><damping>0.5</damping><friction>0.25</friction></dynamics></axis>
  <physics><ode><limit><cfm>0.2</cfm></limit></ode></physics>
  <sensor name="ft" type="force_torque"/>
</joint>
<link name="arm"><pose relative_to="turn"/>{INERTIAL}</link>
<joint type="revolute" name="arm_joint" sdf_frames:name="arm">
  <pose relative_to="arm">0 0 0 0 0 0</pose><parent>arm</parent><child>hand</child>
  <axis><xyz>1 0 0</xyz><mimic joint="turn"><multiplier>2</multiplier><offset>0.5</offset></mimic><limit/><dynamics/>
  </axis>
</joint>
<link name="hand"><pose relative_to="arm_joint"/>{INERTIAL}</link>
<frame name="fly" attached_to="ball" sdf_frames:type="planar" sdf_frames:axis="0 0 1">
  <pose relative_to="arm">0 0 3 0 0 0</pose></frame>
<link name="ball"><pose relative_to="fly"/>{INERTIAL}</link>
<frame name="weld" attached_to="base"><pose>0 0 2 0 0 0</pose></frame>
<frame name="tip" attached_to="weld"/>
<frame name="plate" attached_to="hand"><pose relative_to="hand">0 0 4 0 0 0</pose></frame>
<frame name="hold" attached_to="plate"><pose relative_to="hand">0 0 4 0 0 0</pose></frame>
<static>false</static>
<plugin name="p" filename="f"/>
<frame name="arm_frame"/>
</model></sdf>"""
SHARED = "SDF does not allow a link and a joint of the same name"
PRESERVED = "the link is massless, and its fixed joint is preserved"
NORMAL = "moves freely, and is no longer held in the plane with the normal 0 0 1"
ROWS = [
    Row("link", "base", "kept", None, 2), Row("collision", "base_collision", "kept", None, 2),
    Row("collision", "hit", "moved", "base", 3, "from a lumped link, named 'base_fixed_joint_lump__hit_collision_1'"),
    Row("collision", "base_fixed_joint_lump__tip_collision_2", "moved", "base", 3, "from a lumped link"),
    Row("visual", "seen", "renamed", "base_fixed_joint_lump__seen_visual", 2),
    Row("visual", "base_fixed_joint_lump__tip_visual_1", "moved", "base", 3, "from a lumped link"),
    Row("mu1", "base", "kept", "base", 13), Row("selfCollide", "base", "kept", "base", 13),
    Row("sensor", "imu", "kept", "base", 13), Row("kp", "tip", "moved", "base", 14),
    Row("material", "tip", "moved", "base", 14),
    Row("sensor", "imu", "moved", "base", 14, "from a lumped link, named 'tip_fixed_joint_lump__imu'"),
    Row("joint", "weld", "lumped", "base", 4, "fixed joint, now a frame"),
    Row("link", "tip", "lumped", "base", 3, "behind a fixed joint, now a frame"),
    Row("joint", "turn", "kept", None, 6), Row("stopCfm", "turn", "kept", "turn", 15),
    Row("sensor", "ft", "kept", "turn", 15), Row("link", "arm", "kept", None, 5),
    Row("joint", "arm", "renamed", "arm_joint", 8, SHARED), Row("link", "hand", "kept", None, 7),
    Row("joint", "hold", "to-frame", "plate", 12, PRESERVED), Row("link", "plate", "to-frame", "hand", 11, PRESERVED),
    Row("joint", "fly", "to-frame", "ball", 10, f"SDF has no planar joint; link 'ball' {NORMAL}"),
    Row("link", "ball", "kept", None, 9), Row("static", "r", "kept", "r", 17), Row("plugin", "p", "kept", "r", 17),
    Row("frame", "arm", "kept", "r", 17, "named 'arm_frame'"),
    Row("axis", "fly", "carried", None, 10, "SDF has no planar joint"),
    Row("preserveFixedJoint", "hold", "kept", None, 16, "controls the lumping of fixed joints")]
FOUND = [
    ("joint-renamed", 8, '/robot[@name="r"]/joint[@name="arm"]',
     "joint 'arm' has the same name as a link, which SDF does not allow; it is renamed to 'arm_joint'"),
    ("moved-name-taken", 14, '/robot[@name="r"]/gazebo[@reference="tip"]/sensor[@name="imu"]',
     "<sensor> 'imu' moves from link 'tip' to 'base', where that name is taken; it is renamed to "
     "'tip_fixed_joint_lump__imu'"),
    ("joint-without-counterpart", 10, '/robot[@name="r"]/joint[@name="fly"]',
     f"SDF has no planar joint: joint 'fly' becomes a frame, and its child link 'ball' {NORMAL}"),
    ("added-name-taken", 17, '/robot[@name="r"]/gazebo[5]/frame[@name="arm"]',
     "<frame> 'arm' in <gazebo> has the same name as a link or joint of the robot, which libsdformat's check refuses; "
     "it is renamed to 'arm_frame'")]


def spell(text):
    parser = etree.XMLParser(remove_blank_text=True)
    return etree.tostring(etree.fromstring(text.encode(), parser), method="c14n").decode().replace("><", ">\n<")


def write(*parts, name="r"):
    return "\n".join([f'<robot name="{name}">', *parts, "</robot>"])


def test_a_whole_robot():
    sdf, conversion, found = convert_text(write(*PARTS), "r.urdf")
    assert spell(sdf).splitlines() == spell(SDF).splitlines()
    assert list(conversion.rows) == ROWS
    assert [(d.name, d.line, d.path, d.message) for d in found] == FOUND and {d.file for d in found} == {"r.urdf"}
    assert [(name, i.mass, line_of(i.element)) for name, i in conversion.inertials] == [
        ("base", 2, 2), ("arm", 1, 5), ("hand", 1, 7), ("ball", 1, 9)]


@pytest.mark.parametrize("style, mesh", [("model", "model://p/a.stl"), ("package", "package://p/a.stl"),
                                         ("keep", "package://p/a.stl")])
def test_the_style_of_uris(style, mesh):
    for text in (write(*PARTS), write(*PARTS).replace("package://", "model://")):
        sdf, _, _ = convert_text(text, options=ConvertOptions(uri_style=style))
        root = etree.fromstring(sdf.encode())
        wanted = mesh if style != "keep" else "package://p/a.stl" if "package://" in text else "model://p/a.stl"
        assert root.findtext(".//mesh/uri") == wanted
        assert root.findtext(".//albedo_map") == wanted.replace("a.stl", "t.png")


def find(parts, **options):
    """The version of the SDF, and name, message, line, path and hint of each finding."""
    sdf, conversion, found = convert_text(write(*parts), "r.urdf", ConvertOptions(**options))
    return (conversion.document.root.get("version"), [(d.name, d.message, d.line, d.path, d.hint) for d in found],
            sdf is not None)


MIMIC = [link("a", 1), link("b", 1), link("c", 1), joint("lead", "continuous", "a", "b"),
         joint("one", "continuous", "a", "c", '<mimic joint="lead"/>'), link("d", 1),
         joint("two", "continuous", "c", "d", '<mimic joint="lead"/>')]
TURNED = gazebo("a", '<sensor name="s" type="imu"><pose degrees="true">0 0 0 0 0 90</pose></sensor>')
ROBOT = (1, '/robot[@name="r"]')
LOWEST = "do not set the version: the lowest sufficient version is then chosen"


@pytest.mark.parametrize("parts, version", [
    ([link("a", 1)], "1.7"), ([link("a", 1), TURNED], "1.9"), (MIMIC, "1.11"), ([*MIMIC, TURNED], "1.11")])
def test_the_lowest_sufficient_version_is_written(parts, version):
    assert find(parts) == (version, [], True)
    assert find(parts, sdf_version=version) == (version, [], True)
    assert find(parts, sdf_version="1.12") == ("1.12", [], True)


CAPSULE = link("a", 1, '<collision><geometry><capsule radius="1" length="1"/></geometry></collision>')


@pytest.mark.parametrize("parts, low, content, needed, line, path", [
    ([link("a", 1), TURNED], "1.8", "<pose degrees>", "1.9", 3, '/gazebo[@reference="a"]/sensor[@name="s"]'),
    ([*MIMIC, TURNED], "1.8", "<mimic> of joint 'one'", "1.11", 6, '/joint[@name="one"]/mimic'),
    ([link("b", 1), CAPSULE, joint("f", "fixed", "b", "a")], "1.7", "<capsule> in link 'a'", "1.8", 3,
     '/link[@name="a"]/collision')])
def test_a_version_that_is_too_low(parts, low, content, needed, line, path):
    found = find(parts, sdf_version=low)
    # In URDF 1.0 a capsule is disputed, too.
    assert (*found[:1], [f for f in found[1] if f[0] != "urdf-content-disputed"], found[2]) == (low, [
        ("sdf-version-too-low", f"SDF {low} cannot express {content}, which needs SDF {needed}", line,
         f"{ROBOT[1]}{path}", LOWEST)], False)


@pytest.mark.parametrize("version", ["1.6", "2.0", "x"])
def test_a_version_that_cannot_be_written(version):
    assert find(MIMIC, sdf_version=version) == ("1.11", [
        ("sdf-version-unknown", f"SDF version {version!r} cannot be written", *ROBOT,
         "choose a version from 1.7 to 1.12")], False)


def test_a_root_link_named_world():
    sdf, conversion, found = convert_text(write(
        f'<link name="world">{inertial()}</link>', link("a", 1), joint("weld", "fixed", "world", "a", xyz="1 2 3")))
    assert spell(sdf) == spell(
        f'<sdf version="1.7"><model name="r"><joint type="fixed" name="weld"><pose relative_to="__model__">1 2 3 0 0 0'
        '</pose><parent>world</parent><child>a</child></joint>'
        f'<link name="a"><pose relative_to="weld"/>{INERTIAL}</link></model></sdf>')
    assert list(conversion.rows) == [Row("link", "world", "kept", "world", 2, "becomes the SDF world"),
                                     Row("joint", "weld", "kept", None, 4), Row("link", "a", "kept", None, 3)]
    assert [d.message for d in found] == [
        "the root link 'world' becomes the SDF world, which cannot hold an inertial; it is left out"]


def test_the_pose_of_the_robot_is_the_models():
    sdf, conversion, _ = convert_text(write('<origin xyz="1 2 3" rpy="0 0 0.5"/>', link("a", 1), gazebo(
        "", "<pose>9 9 9 0 0 0</pose>\n<static>1</static>")))
    assert spell(sdf) == spell(f'<sdf version="1.7"><model name="r"><link name="a">{INERTIAL}</link>'
                               "<static>true</static><pose>1 2 3 0 0 0.5</pose></model></sdf>")
    assert [row for row in conversion.rows if row.element in ("pose", "static")] == [
        Row("static", "r", "kept", "r", 5), Row("pose", "r", "dropped", None, 4, "the robot's <origin> is used")]


def test_numbers_that_are_too_large():
    far = [joint(f"j{i}", "fixed", f"l{i}", f"l{i + 1}", xyz="1e308 0 0") for i in range(2)]
    _, found, written = find([*(link(f"l{i}", 1) for i in range(3)), *far])
    assert not written and found == [
        ("number-overflow", "a number of the robot is nan, infinite, or too large for a floating-point number", 2,
         '/robot[@name="r"]/link[@name="l0"]/inertial',
         "write a finite number, or check the units of masses and lengths")]


@pytest.mark.parametrize("text, name, line, path", [
    ("<robot", "xml-malformed", 1, None), ("\n<sdf version='1.7'/>", "already-sdf", 2, "/sdf"),
    ('<robot name="r"/>', "robot-without-links", 1, '/robot[@name="r"]')])
def test_a_text_without_a_robot_gives_only_an_error(text, name, line, path):
    sdf, conversion, (finding,) = convert_text(text, "r.urdf")
    assert sdf is None and conversion is None
    assert (finding.name, finding.file, finding.line, finding.path) == (name, "r.urdf", line, path)


def test_findings_of_reading_come_before_those_of_converting():
    """Except for what the SDF loses, which comes first."""
    text = write(link("a", 1, "<colour/>"), link("b"), joint("j", "continuous", "a", "b"), link("c", 1),
                 joint("k", "floating", "a", "c"))
    assert [d.name for d in convert_text(text)[2]] == ["massless-link-dropped", "urdf-content-unknown",
                                                       "joint-without-counterpart"]
