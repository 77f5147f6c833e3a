"""Hints for elements that SDFormat does not have where they stand; which readers take them is from those readers'
sources."""
import pytest
from lxml import etree

from sdf_frames.document.mends import MENDS, SDF
from sdf_frames.load import load_text
from sdf_frames.sdf.table import find_spec, load_table
from sdf_frames.sdf.unknown_elements import explain_unknown

LINK = '<link name="l">{}</link>'
SENSOR = LINK.format('<sensor name="s" type="{}">{}</sensor>')
JOINT = '<link name="a"/><link name="b"/><joint name="j" type="revolute"><parent>a</parent><child>b</child>{}</joint>'
SHAPE = LINK.format('<visual name="v"><geometry>{}</geometry></visual>')
WORLD = '<sdf version="{}"><world name="w">{}</world></sdf>'
IGNORED = "correct its name, or remove it; a plugin may still read it"
LIMIT = ("libsdformat read it from URDFs until version 5, without any effect; <physics><ode><limit> has <cfm> and "
         "<erp>, a URDF's <gazebo> block <stopCfm> and <stopErp>")
CONTROL = "move it below <robot>: controller_manager and its hardware read it only there"
PARENT_AXIS = ('until SDFormat 1.6; since 1.7 write <xyz expressed_in="__model__"> where it is true, and nothing where '
               "it is false")


def find(text: str, version: str = "1.9") -> list:
    """(message, hint) of each unknown element of a model's content, or of a document."""
    if "<sdf" not in text:
        text = f'<sdf version="{version}"><model name="m">{text}</model></sdf>'
    return [(d.message, d.hint) for d in load_text(text).diagnostics if d.name == "element-unknown"]


@pytest.mark.parametrize("content, hint", [
    # In the wrong place.
    (LINK.format("<static>true</static>"), "<static> belongs in <model>"),
    ('<link name="l"/><inertial><mass>1</mass></inertial>', "<inertial> belongs in <link>"),
    (SENSOR.format("imu", "<enable_orientation>0</enable_orientation><imu/>"), "<enable_orientation> belongs in <imu>"),
    (SENSOR.format("ray", "<ray/><noise/>"), "<noise> belongs in <ray>"),
    (LINK.format("<pose>0 0 0 0 0 0<relative_to>x</relative_to></pose>"), "relative_to is an attribute of <pose>"),
    (WORLD.format("1.9", '<physics name="p" type="ode"><gravity>0 0 -9</gravity></physics>'),
     "<gravity> belongs in <world>"), (WORLD.format("1.9", '<link name="l"/>'), "<link> belongs in <model>"),
    (JOINT.format("<velocity_decay><linear>1</linear></velocity_decay>"), "<velocity_decay> belongs in <link>"),
    (LINK.format("<geometry/>"), "<geometry> belongs in <collision> or <visual>"),
    (JOINT.format("<limit/>"), "<limit> belongs in <axis> or <axis2>"),
    (SHAPE.format("<box><size>1 1 1</size></box><pose>1 2 3 0 0 0</pose>"),
     "write <pose>1 2 3 0 0 0</pose> into <visual>"),
    (SHAPE.format('<box><size>1 1 1</size></box><origin xyz="1 2 3"/>'),
     "write <pose>1 2 3 0 0 0</pose> into <visual>"),
    (LINK.format('<visual name="v"><geometry><empty/></geometry><color rgba="1 0 0 1"/></visual>'),
     "write <diffuse>1 0 0 1</diffuse> into <material>"),
    (JOINT.format("<axis><xyz>0 0 1</xyz><pose>1 0 0 0 0 0</pose></axis>"),
     "write <pose>1 0 0 0 0 0</pose> into <joint>"),
    # Misspelt, or with another name.
    (SENSOR.format("ray", "<alwaysOn>1</alwaysOn>"), "did you mean <always_on>?"),
    (SENSOR.format("ray", "<frame>f</frame>"), "did you mean <frame_id>?"),
    (JOINT.format("<axis><xyz>0 0 1</xyz><dynamics><stiffness>1</stiffness></dynamics></axis>"),
     "did you mean <spring_stiffness>?"),
    *[(LINK.format(f"<inertial><inertia><{wrong}>0</{wrong}></inertia></inertial>"),
       f"the tensor is symmetric: write <{right}>")
      for wrong, right in (("iyx", "ixy"), ("izx", "ixz"), ("izy", "iyz"))],
    *[(LINK.format(f'<inertial auto="true"><auto_inertia_params><{name}>1</{name}></auto_inertia_params></inertial>'),
       f"of Gazebo's own parameters, the name is <gz:{name}>") for name in ("method", "voxel_size")],
    (LINK.format("<inertial><damping/></inertial>"), "<velocity_decay> of the link is its name since SDFormat 1.2"),
    (SENSOR.format("imu", "<imu><topic>t</topic></imu>"), "until SDFormat 1.6; the sensor itself has a <topic>"),
    # Of URDF or of another reader.
    (LINK.format('<origin xyz="1 2 3" rpy="0 0 1"/>'), "write <pose>1 2 3 0 0 1</pose>"),
    (LINK.format('<origin rpy="0 0 1"/>'), "write <pose>0 0 0 0 0 1</pose>"),
    (LINK.format('<origin xyz="1 2 3" quat_xyzw="0 0 1 0"/>'),
     'write <pose rotation_format="quat_xyzw">1 2 3 0 0 1 0</pose>'),
    (LINK.format("<origin>0 0 0.05 0 0 0</origin>"), "write <pose>0 0 0.05 0 0 0</pose>"),
    (LINK.format('<visual name="v"><geometry><empty/></geometry><material><color rgba="1 0 0 1"/></material></visual>'),
     "write <diffuse>1 0 0 1</diffuse>"),
    (LINK.format('<collision name="c"><geometry><empty/></geometry><material/></collision>'),
     "<material> belongs in a <visual> of the link"),
    ('<link name="l"/><gazebo reference="l"><mu1>0.5</mu1></gazebo>',
     "only URDF has <gazebo>: write its content into the link or joint that it names, <mu1> and <mu2> as <mu> and "
     "<mu2> into <surface><friction><ode> of each <collision>"),
    (LINK.format("<contact><lateral_friction>1</lateral_friction></contact>"),
     "leave it for PyBullet, which reads it; Gazebo and Drake do not"),
    (SENSOR.format("imu", "<imu><noise/></imu>"), "until SDFormat 1.5; since 1.6 each axis of "
     "<angular_velocity> and <linear_acceleration> has a <noise>"),
    ('<link name="l"/><frame name="f"><link>l</link></frame>',
     'write the name of the link as <frame attached_to="…">'),
    # The table of mends.
    (SENSOR.format("imu", "<frameName>f</frameName>"), "plugins of Gazebo Classic read it; for the sensor of a new "
     "Gazebo, write <gz_frame_id>f</gz_frame_id>"),
    (SENSOR.format("gpu_lidar", "<lidar><frame_id>f</frame_id></lidar>"),
     "write <gz_frame_id>f</gz_frame_id> into <sensor>, or since SDFormat 1.12 <frame_id>"),
    (JOINT.format("<use_parent_model_frame>1</use_parent_model_frame><axis><xyz>0 0 1</xyz></axis>"),
     f"its place was <axis>, {PARENT_AXIS}"),
    (SHAPE.format("<uri>a.stl</uri>"), "write <mesh><uri>a.stl</uri></mesh>"),
    (LINK.format('<visual name="v"><geometry><empty/></geometry><material><texture filename="a.png"/></material>'
                 "</visual>"), "write <pbr><metal><albedo_map>a.png</albedo_map></metal></pbr>"),
    ('<link name="l"/><ros2_control name="c"/>', CONTROL),
    # Of which nothing is known.
    (LINK.format("<origin/>"), IGNORED), (SENSOR.format("imu", "<noise/>"), IGNORED),
    (SENSOR.format("imu", '<port device="d"/>'), IGNORED), ('<zyx/><link name="l"/>', IGNORED),
    (SHAPE.format("<cylinder><radius>1</radius><height>high</height></cylinder>"), IGNORED)])
def test_hints(content, hint):
    assert [found for _, found in find(content)] == [hint]


def test_a_block_of_ros2_control_in_gazebo_belongs_below_robot():
    link = '<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>' \
           "</inertial></link>"
    for where in ("<gazebo>", '<gazebo reference="a">'):
        loaded = load_text(f'<robot name="r">{link}{where}<ros2_control name="c"/></gazebo></robot>')
        assert [d.hint for d in loaded.diagnostics] == [CONTROL]


def test_what_an_include_does_not_take_is_told():
    """Its own elements, plugins and those of other namespaces are left alone."""
    assert find("<include><uri>none</uri><scale>2 2 2</scale><mass>3</mass><name>a</name><b:c xmlns:b='b'/>"
                '<plugin name="p" filename="f"><mass>3</mass></plugin></include><link name="l"/>') == [
        ("unknown element <scale> in <include>: libsdformat ignores it",
         "an <include> scales no model: write <scale> into each <mesh> of the model"),
        ("unknown element <mass> in <include>: libsdformat ignores it", "<mass> belongs in <inertial>")]


def test_states_of_old_versions_are_known():
    text = (
        '<model name="m"><link name="l"/></model><state world_name="w"><model name="m"><link name="l">'
        '<pose>1 0 0 0 0 0</pose></link></model></state>')
    assert find(WORLD.format("1.6", text)) == []
    assert find(WORLD.format("1.12", text)) == [
        ("unknown element <model> in <state>: libsdformat ignores it", "did you mean <model_state>?")]


def test_the_table_holds_only_what_the_schema_lacks():
    pending, seen = [load_table()], set()
    while pending:
        spec = pending.pop()
        if id(spec) not in seen:
            seen.add(id(spec))
            assert not [key for key in MENDS if key[:2] == (SDF, spec.tag) and key[2] in spec.children]
            pending += spec.children.values()
    assert all(row.hint and row.source for row in MENDS.values())


def test_elements_of_others_stand_in_elements_of_sdformat_that_do_not_have_them():
    pending, specs = [("", load_table())], {}
    while pending:
        above, spec = pending.pop()
        paths = {spec.tag, f"{above}/{spec.tag}"}
        if not paths <= specs.keys():
            pending += [(spec.tag, child) for child in spec.children.values()]
        for path in paths:
            specs.setdefault(path, []).append(spec)
    of_sdf = [(parent, tag) for form, parent, tag in MENDS if form == SDF]
    for parent, tag in of_sdf:
        assert parent in specs, parent
        assert any(tag not in spec.children for spec in specs[parent]), (parent, tag)
    assert len(of_sdf) >= 60


def test_a_child_that_stands_beside_is_named_before_others():
    visual = etree.fromstring('<sdf><model><link><visual><geometry><sphere/></geometry></visual></link></model></sdf>')
    geometry = visual.find(".//geometry")
    spec = find_spec(geometry)
    radius, size = etree.SubElement(geometry, "radius"), etree.SubElement(geometry, "size")
    assert explain_unknown(radius, spec, {"sphere"}) == "<radius> belongs in <sphere>"
    assert explain_unknown(size, spec, {"sphere", "plane"}) == "<size> belongs in <plane>"
    assert explain_unknown(radius, spec, set()) == IGNORED


@pytest.mark.parametrize("content, hint", [
    ('<link name="l"><inertial><inertia ixx="3"/></inertial></link>', "write an element: <ixx>3</ixx>"),
    ('<include degrees="true"><uri>none</uri><pose>0 0 0 0 0 0</pose></include><link name="l"/>',
     "degrees is an attribute of <pose>"),
    ('<link name="l"><pose rpy="0 0 1"/></link>', "write the value as text: <pose>0 0 0 0 0 1</pose>"),
    ('<link name="l"><visual name="v"><geometry><mesh filename="a.stl"/></geometry></visual></link>',
     "write an element: <uri>a.stl</uri>"),
    ('<include degrees="true"><uri>none</uri></include><link name="l"/>', "correct its name, or remove it"),
    ('<link name="l"/><link name="k"><pose frame="l">1 0 0 0 0 0</pose></link>',
     'SDFormat 1.7 and later call it relative_to: write relative_to="l"'),
    ('<link name="l"><pose frame=""/></link>', "remove it"),
    ('<link nam="k" name="l"/>', "did you mean name?"), ('<link name="l"><inertial value="2"/></link>',
                                                         "correct its name, or remove it")])
def test_unknown_attributes(content, hint):
    text = f'<sdf version="1.9"><model name="m">{content}</model></sdf>'
    assert [d.hint for d in load_text(text).diagnostics if d.name == "attribute-unknown"] == [hint]


def test_a_needed_value_in_an_attribute_is_told_once():
    text = '<link name="a"/><joint name="j" type="fixed"><parent>a</parent><child link="b" nick="c"/></joint>'
    found = load_text(f'<sdf version="1.9"><model name="m">{text}</model></sdf>').diagnostics
    assert [(d.name, d.hint) for d in found if d.name != "joint-child-unknown"] == [
        ("attribute-unknown", "correct its name, or remove it"),
        ("element-empty", "write the value as text: <child>b</child>")]


@pytest.mark.parametrize("version", ["", ' version="1.9"'])
def test_a_urdf_in_an_sdf_element_is_told_to_go_without_it(version):
    """With a version or without: a version would not make it SDFormat."""
    hints = [d.hint for d in load_text(f'<sdf{version}><robot name="r"><link name="a"/></robot></sdf>').diagnostics]
    assert hints[0] == "a URDF has no <sdf> around its <robot>: remove <sdf> and </sdf>"


@pytest.mark.parametrize("content, text, hint", [
    (JOINT.format("<axis><xyz>0 1 0</xyz>0 1 0</axis>"), "0 1 0", "write it as a comment, or remove it"),
    (SHAPE.format("<cylinder>0.1 2</cylinder>"), "0.1 2", "write <radius>0.1</radius><length>2</length>"),
    (SHAPE.format("<cylinder>0.1</cylinder>"), "0.1", "write its values as elements: <radius>, <length>"),
    (SHAPE.format("<cylinder><!-- -->0.1<radius>2</radius></cylinder>"), "0.1", "write <length>0.1</length>"),
    (SHAPE.format("<mesh>a b.stl</mesh>"), "a b.stl", "write <uri>a b.stl</uri>"),
    (SHAPE.format("<box>1 2</box>"), "1 2", "write its values as elements: <size>"),
    (SHAPE.format("<box>" + 101 * "1" + "</box>"), 57 * "1" + "…", "write it as a comment, or remove it"),
    ('<link name="l"/> by <!-- --> me', "by", "write it as a comment, or remove it"),
    ('<link name="l"/><include><uri>none</uri>text</include>', "text", "write it as a comment, or remove it")])
def test_text_in_an_element_without_a_value(content, text, hint):
    """libsdformat 12 accepts such a file, and prints it without the text (`ign sdf -p`)."""
    found = load_text(f'<sdf version="1.12"><model name="m">{content}</model></sdf>').diagnostics
    (one,) = [d for d in found if d.name == "element-text-unknown"]
    assert (one.severity, one.hint) == ("warning", hint) and f"the text {text!r}:" in one.message


def test_white_space_comments_plugins_and_the_elements_of_others_are_no_text():
    content = ('<link name="l">\n <!-- text -->\t<a:b>text<c/>text</a:b><sensor name="s" type="imu">'
               '<plugin name="p" filename="f">text<d>text</d></plugin></sensor></link>')
    assert load_text(f'<sdf version="1.12" xmlns:a="a"><model name="m">{content}</model></sdf>').diagnostics == ()


@pytest.mark.parametrize("ends, frame", [
    ("<parent>a</parent>", "a"), ('<parent link="a"/>', "a"), ("<parent>world</parent>", "__model__"), ("", "PARENT")])
def test_the_origin_of_a_joint_is_in_its_parent(ends, frame):
    joint = f'<joint name="j" type="fixed">{ends}<child>b</child><origin xyz="1 2 3" rpy="0 0 1"/></joint>'
    assert [h for _, h in find(f'<link name="a"/><link name="b"/>{joint}')] == [
        f'write <pose relative_to="{frame}">1 2 3 0 0 1</pose>; if the child link has no <pose>, write '
        '<pose relative_to="j"/> into it']


@pytest.mark.parametrize("auto, shape, names", [
    ("true", "collision", ["mesh-without-uri"]), ("true", "visual", ["mesh-unnamed", "auto-inertia-no-collision"]),
    ("false", "collision", ["mesh-unnamed"])])
def test_a_mesh_without_a_file_that_is_weighed_is_told_once(auto, shape, names):
    text = (f'<link name="l"><inertial auto="{auto}"><density>1</density></inertial><{shape} name="s"><geometry><mesh/>'
            f"</geometry></{shape}></link>")
    found = load_text(f'<sdf version="1.12"><model name="m">{text}</model></sdf>').diagnostics
    assert [d.name for d in found if d.severity != "info"] == names


@pytest.mark.parametrize("name", ["concave", "group", "mask"])
def test_attributes_of_another_program_are_not_to_be_removed(name):
    text = f'<link name="l"><collision name="c" {name}="1"><geometry><empty/></geometry></collision></link>'
    assert [(d.name, d.hint) for d in load_text(f'<sdf version="1.12"><model name="m">{text}</model></sdf>').diagnostics
            ] == [("attribute-unknown", "leave it for PyBullet, which reads it; Gazebo and Drake do not")]
