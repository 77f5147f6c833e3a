"""What SDFormat says and URDF has no element for goes under <gazebo>. Expected values by hand."""
import shutil
import subprocess

import pytest
from lxml import etree
from written_text import convert_to_display, convert_to_urdf, write_robot

import sdf_frames as sf
from sdf_frames.convert.report import Row, make_rows
from sdf_frames.load import load_file, load_text

BOX = "<geometry><box><size>1 1 1</size></box></geometry>"
SURFACE = "<surface><friction><ode><mu>{}</mu></ode></friction></surface>"
RED = ("<material><script><name>Gazebo/Red</name><uri>file://media/materials/scripts/gazebo.material</uri></script>"
       "</material>")


def collision(name, inside):
    return f'<collision name="{name}">{BOX}{inside}</collision>'


def visual(name, inside):
    return f'<visual name="{name}">{BOX}{inside}</visual>'


def read_gazebo(conversion):
    """The ``<gazebo>`` elements as text, without white space between elements."""
    texts = [etree.tostring(element, with_tail=False).decode() for element in conversion.robot.gazebo]
    return ["".join(line.strip() for line in text.splitlines()) for text in texts]


def test_what_a_link_and_all_its_shapes_say(to_robot):
    conversion = to_robot(f"""<link name="l">
<gravity>0</gravity>{collision("a", SURFACE.format(0.5))}
{collision("b", SURFACE.format(" 0.5 ").replace("<ode>", "<ode><!-- rubber -->"))}
{visual("v", "<transparency>0.5</transparency>")}
<enable_wind>true</enable_wind></link>""")
    surface = SURFACE.format(0.5)
    assert read_gazebo(conversion) == [
        '<gazebo reference="l"><gravity>0</gravity><enable_wind>true</enable_wind>'
        f'<visual><transparency>0.5</transparency></visual><collision>{surface}</collision></gazebo>']
    into = '<gazebo reference="l">'
    assert [row for row in make_rows(conversion.entries) if row.action == "moved"] == [
        Row("transparency", "v", "moved", into, 4), Row("surface", "a", "moved", into, 2),
        Row("surface", "b", "moved", into, 3), Row("gravity", "l", "moved", into, 2),
        Row("enable_wind", "l", "moved", into, 5)]
    assert conversion.diagnostics == ()


def test_settings_of_shapes_name_the_links_of_the_urdf(to_robot):
    plugin = '<plugin name="p" filename="p"><link_name>{}</link_name></plugin>'
    conversion = to_robot(f'<model name="n"><link name="k">{visual("v", plugin.format("k"))}</link></model>')
    assert read_gazebo(conversion) == [
        f'<gazebo reference="n/k"><visual>{plugin.format("n/k")}</visual></gazebo>']


@pytest.mark.parametrize("other", [SURFACE.format(0.6), ""])
def test_what_shapes_say_differently_is_left_out_with_a_warning(to_robot, other):
    """What they agree on is written."""
    conversion = to_robot(f"""<link name="l">
{collision("a", SURFACE.format(0.5) + "<max_contacts>4</max_contacts>")}
{collision("b", other + "<max_contacts>4</max_contacts>")}</link>""")
    assert read_gazebo(conversion) == [
        '<gazebo reference="l"><collision><max_contacts>4</max_contacts></collision></gazebo>']
    (finding,) = conversion.diagnostics
    assert (finding.name, finding.severity, finding.line) == ("urdf-setting-dropped", "warning", 2)
    assert finding.message == ("<surface> is not in the URDF: in link 'l', the collisions differ in it, and <gazebo> "
                               "sets it for all of them")
    assert finding.hint == ("write the same <surface> in each collision of the link, or give the collisions links of "
                            "their own")
    reason = "the collisions differ in it, and <gazebo> sets it for all of them"
    assert [row for row in make_rows(conversion.entries) if row.element == "surface"] == [
        Row("surface", name, "dropped", None, line, reason) for name, line in (("a", 2), ("b", 3))][:2 if other else 1]


def test_shapes_that_are_not_in_the_urdf_do_not_count(to_robot):
    plane = f'<collision name="p"><geometry><plane/></geometry>{SURFACE.format(9)}</collision>'
    conversion = to_robot(f'<link name="l">{plane}{collision("a", SURFACE.format(0.5))}</link>')
    assert read_gazebo(conversion) == [f'<gazebo reference="l"><collision>{SURFACE.format(0.5)}</collision></gazebo>']


@pytest.mark.parametrize(("first", "second", "written"), [(RED, RED, True), (RED, RED.replace("Red", "Blue"), False),
                                                          (RED, "", False)])
def test_a_material_of_gazebo_that_all_visuals_have(to_robot, first, second, written):
    conversion = to_robot(f'<link name="l">{visual("a", first)}{visual("b", second)}</link>')
    assert read_gazebo(conversion) == ['<gazebo reference="l"><material>Gazebo/Red</material></gazebo>'] * written
    assert [d.name for d in conversion.diagnostics] == ["urdf-setting-dropped"] * (not written)
    assert {entry.action for entry in conversion.entries if entry.kind == "material"} == {
        "moved" if written else "dropped"}


@pytest.mark.parametrize("more", [
    "<specular>0.1 0.1 0.1 1</specular>", "<emissive>0 0 1 1</emissive>", "<ambient>0 1 0 1</ambient>",
    "<lighting>false</lighting>", "<pbr><metal><roughness>0.4</roughness></metal></pbr>",
    "<script><uri>model://bot/own.material</uri><name>Own</name></script>"])
def test_a_material_that_urdf_cannot_say(to_robot, more):
    material = f"<material><diffuse>1 0 0 1</diffuse>{more}</material>"
    conversion = to_robot(f'<link name="l">{visual("v", material)}</link>')
    assert read_gazebo(conversion) == [f'<gazebo reference="l"><visual>{material}</visual></gazebo>']
    assert conversion.diagnostics == () and make_rows(conversion.entries)[1] == Row("material", "v", "moved",
                                                                      '<gazebo reference="l">', 1)
    again = sf.loads(write_robot(conversion.robot), massless="keep").to_sdf()
    assert "".join(again.split()).count("".join(material.split())) == 1


@pytest.mark.parametrize("same", ["<specular>0 0 0 1.0</specular>", "<ambient>1.0 0 0 1</ambient>",
                                  "<double_sided>0</double_sided>", "<lighting>true</lighting>"])
def test_a_material_that_urdf_can_say(to_robot, same):
    material = f"<material><diffuse>1 0 0 1</diffuse>{same}</material>"
    assert read_gazebo(to_robot(f'<link name="l">{visual("v", material)}</link>')) == []


def test_visuals_whose_materials_differ(to_robot):
    """The blue one, of which nothing is lost, has no row."""
    conversion = to_robot(f"""<link name="l">{visual("a", "<material><diffuse>0 0 1 1</diffuse></material>")}
        {visual("b", "<material><diffuse>1 0 0 1</diffuse><specular>1 1 1 1</specular></material>")}</link>""")
    reason = ("the visuals differ in it, and <gazebo> sets it for all of them; only colours and textures are written, "
              "and readers that convert to SDFormat brighten the colours")
    assert [row for row in make_rows(conversion.entries) if row.element == "material"] == [
        Row("material", "b", "dropped", None, 2, reason)]
    assert [d.message for d in conversion.diagnostics] == [f"<material> is not in the URDF: in link 'l', {reason}"]
    assert [v.material.rgba[:3] for v in conversion.robot.links[0].visuals] == [(0, 0, 1), (1, 0, 0)]


def test_the_spring_of_a_joint(to_robot):
    """Zeros are no spring; a fixed joint has none."""
    joint = ('<joint name="{}" type="{}"><parent>a</parent><child>{}</child><axis><xyz>0 0 1</xyz>\n<dynamics>'
             '<spring_reference>{}</spring_reference><spring_stiffness>{}</spring_stiffness></dynamics></axis></joint>')
    conversion = to_robot("".join(f'<link name="{name}"/>' for name in "abcd") + joint.format(
        "j", "revolute", "b", "-0.1", "3") + joint.format("k", "prismatic", "c", "0", "0") + joint.format(
        "l", "ball", "d", "0", "3"))
    assert read_gazebo(conversion)[0] == (
        '<gazebo reference="j"><springReference>-0.1</springReference><springStiffness>3</springStiffness></gazebo>')
    assert "spring" not in "".join(read_gazebo(conversion)[1:])
    assert [row for row in make_rows(conversion.entries) if "spring" in row.element] == [
        Row(name, "j", "moved", '<gazebo reference="j">', 2) for name in ("spring_reference", "spring_stiffness")]
    again = sf.loads(write_robot(conversion.robot), massless="keep").to_sdf()
    assert again.count("<spring_stiffness>3</spring_stiffness>") == 1


def test_what_a_nested_model_says_is_reported(to_robot):
    conversion = to_robot("""<link name="a"/><model name="n"><link name="b"/>
<plugin name="p" filename="f"/><enable_wind>true</enable_wind><static>false</static></model>""")
    assert read_gazebo(conversion) == []
    reason = "'n' is a nested model, which URDF does not have"
    assert [row for row in make_rows(conversion.entries) if row.action == "dropped"] == [
        Row("plugin", "p", "dropped", None, 2, reason), Row("enable_wind", "n", "dropped", None, 2, reason)]
    assert [(d.message, d.line) for d in conversion.diagnostics if d.name == "urdf-setting-dropped"] == [
        (f"<{tag}> is not in the URDF: {reason}", 2) for tag in ("plugin", "enable_wind")]


ARM = """<sdf version="1.9" xmlns:sdf_frames="urn:sdf_frames:urdf"><model name="arm"><static>true</static>
<sdf_frames:robot><sdf_frames:ros2_control name="c"><sdf_frames:joint name="elbow"/></sdf_frames:ros2_control>
</sdf_frames:robot><self_collide>true</self_collide><plugin name="inner" filename="i"/>
<link name="a"/><gripper name="g"><palm_link>a</palm_link></gripper></model></sdf>"""
MIDDLE = """<sdf version="1.9"><model name="middle"><include merge="true"><uri>arm.sdf</uri>
<plugin name="added" filename="f"/></include></model></sdf>"""
ADDED = '<plugin name="added" filename="f"/>'


@pytest.fixture
def convert_including(tmp_path):
    """What a model or world holds -> the Written of a file that holds it, beside arm.sdf and middle.sdf."""
    def convert_including(kind, inside):
        for name, text in (("arm", ARM), ("middle", MIDDLE), (
                "whole", f'<sdf version="1.9"><{kind} name="r">{inside}</{kind}></sdf>')):
            (tmp_path / f"{name}.sdf").write_text(text)
        return convert_to_urdf(load_file(tmp_path / "whole.sdf"))
    return convert_including


@pytest.mark.parametrize("include", [f'<include merge="true"><uri>arm.sdf</uri>{ADDED}</include>',
                                     '<include merge="true"><uri>middle.sdf</uri></include>'], ids=["once", "twice"])
def test_the_content_of_a_merged_model(include, convert_including):
    """SDFormat gives it to the model around, except for settings of the merged model itself, such as <static>."""
    written = convert_including("model", f"""<plugin name="first" filename="f"/>{include}
        <link name="b"/><joint name="elbow" type="revolute"><parent>b</parent><child>a</child>
        <axis><xyz>0 0 1</xyz></axis></joint><plugin name="last" filename="f"/>""")
    robot = etree.fromstring(written.text.encode())
    assert [(part.tag, part.get("name")) for part in robot.find("gazebo")] == [
        ("plugin", "first"), ("plugin", "inner"), ("gripper", "g"), ("plugin", "added"), ("plugin", "last")]
    assert len(robot.findall("gazebo")) == 1
    assert [(part.get("name"), part.find("joint").get("name")) for part in robot.findall("ros2_control")] == [
        ("c", "elbow")]
    assert {(row.name, row.action) for row in written.rows if row.element in ("plugin", "ros2_control")} == {
        *[(name, "moved") for name in ("first", "inner", "added", "last")], ("c", "carried")}


@pytest.mark.parametrize("given", ["false", "true", ""])
def test_what_an_include_of_a_world_overrides(given, convert_including):
    static = f"<static>{given}</static>" if given else ""
    written = convert_including("world", f"<include><uri>arm.sdf</uri><name>A</name>{static}{ADDED}</include>")
    assert written.text.count(f"<static>{given or 'true'}</static>") == written.text.count("<static>") == 1
    assert [part.get("name") for part in etree.fromstring(written.text.encode()).iterfind("gazebo/plugin")] == [
        "inner", "added"]
    assert {row.name for row in written.rows if row.element == "static"} == {"A"}


@pytest.mark.parametrize("static", ["", "<static>false</static>"])
def test_what_a_nested_include_says_is_reported(static, convert_including):
    """Also if the nested model is static; that is said with fixed joints."""
    lost = ["self_collide", "plugin", "gripper", "plugin"]
    written = convert_including("model", f'<link name="b"/><include><uri>arm.sdf</uri><name>A</name>{static}{ADDED}'
                                         "</include>")
    found = [d for d in written.diagnostics if d.name == "urdf-setting-dropped"]
    assert [d.message for d in found] == [
        f"<{tag}> is not in the URDF: 'A' is a nested model, which URDF does not have" for tag in lost]
    assert [d.file.rpartition("/")[2] for d in found] == ["arm.sdf"] * (len(lost) - 1) + ["whole.sdf"]
    assert "<gazebo>" not in written.text


def test_what_is_merged_into_a_nested_model_is_reported(convert_including):
    written = convert_including("model", """<link name="b"/><model name="n"><link name="c"/><include merge="true">
        <uri>arm.sdf</uri></include></model>""")
    assert [d.message for d in written.diagnostics if d.name == "urdf-setting-dropped"] == [
        f"<{tag}> is not in the URDF: 'n' is a nested model, which URDF does not have" for tag in ("plugin", "gripper")]


def test_what_a_urdf_cannot_say_of_an_inertial_is_reported(to_robot):
    conversion = to_robot("""<link name="a"><inertial><mass>1</mass><density>2</density>
<fluid_added_mass><xx>3</xx></fluid_added_mass>
<custom>4</custom></inertial></link>""")
    assert [(d.name, d.message, d.line) for d in conversion.diagnostics] == [
        ("urdf-setting-dropped", f"<{tag}> is not in the URDF: in link 'a', URDF has no place for it", line)
        for tag, line in (("fluid_added_mass", 2), ("custom", 3))]
    assert [row for row in make_rows(conversion.entries) if row.action == "dropped"] == [
        Row(tag, "a", "dropped", None, line, "URDF has no place for it")
        for tag, line in (("fluid_added_mass", 2), ("custom", 3))]


@pytest.mark.parametrize("tag", ["visual", "collision"])
def test_the_optimization_of_a_mesh_is_reported(to_robot, tag):
    conversion = to_robot(f"""<link name="l"><{tag} name="s"><geometry>
<mesh optimization="convex_decomposition"><uri>a.stl</uri><convex_decomposition><max_convex_hulls>4</max_convex_hulls>
</convex_decomposition></mesh></geometry></{tag}></link>""")
    reason = f"{tag} 's' has the original mesh"
    assert [(d.code, d.message, d.line, d.column) for d in conversion.diagnostics] == [
        ("C067", f"<mesh optimization> is not in the URDF: {reason}", 2, 21)]
    assert Row("mesh/@optimization", "s", "dropped", None, 2, reason) in make_rows(conversion.entries)


@pytest.mark.parametrize("include, told", [
    ("<namespace>fleet</namespace>", ("<namespace>", "whole.sdf")), ("", ("<model namespace>", "arm.sdf")),
    ("<namespace/>", ("<model namespace>", "arm.sdf"))])
@pytest.mark.parametrize("kind", ["world", "model"])
def test_the_namespace_of_a_model_is_reported(convert_including, monkeypatch, kind, include, told):
    """That of the include overrides that of the model."""
    monkeypatch.setitem(globals(), "ARM", ARM.replace('name="arm"', 'name="arm" namespace="own"'))
    found = convert_including(kind, f"<include><uri>arm.sdf</uri>{include}</include>").diagnostics
    assert [(d.message, d.file.rpartition("/")[2]) for d in found if d.message.endswith("of a model")] == [
        (f"{told[0]} is not in the URDF: URDF has no namespace of a model", told[1])]


def test_what_a_joint_and_the_model_say(to_robot):
    """In the order of the links and joints of the URDF; the model last."""
    conversion = to_robot("""<self_collide>true</self_collide><plugin name="p" filename="f"/>
<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis>
<physics><ode><cfm_damping>1</cfm_damping></ode></physics></joint>
<link name="b"><gravity>0</gravity></link><link name="a"><kinematic>1</kinematic></link>""")
    assert read_gazebo(conversion) == [
        '<gazebo reference="a"><kinematic>1</kinematic></gazebo>',
        '<gazebo reference="b"><gravity>0</gravity></gazebo>',
        '<gazebo reference="j"><physics><ode><cfm_damping>1</cfm_damping></ode></physics></gazebo>',
        '<gazebo><self_collide>true</self_collide><plugin name="p" filename="f"/></gazebo>']


SETTINGS = """<robot name="r"><link name="a"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual>{shape}</visual><collision>{shape}</collision><collision>{shape}</collision></link>
<gazebo reference="a"><mu1>0.3</mu1><mu2>0.4</mu2><fdir1>1 0 0</fdir1><kp>1000</kp><kd>10</kd><minDepth>0.001</minDepth>
<maxVel>0.1</maxVel><selfCollide>true</selfCollide><gravity>false</gravity><material>Gazebo/Red</material>
<maxContacts>4</maxContacts><laserRetro>3</laserRetro><dampingFactor>0.2</dampingFactor></gazebo>
</robot>""".format(shape='<geometry><box size="1 1 1"/></geometry>')


def test_the_settings_of_a_urdf_come_back():
    there = sf.loads(SETTINGS).to_sdf()
    assert "<mu>0.3</mu>" in there and "Gazebo/Red" in there and "<self_collide>" in there
    assert sf.loads(sf.loads(there).to_urdf()).to_sdf() == there


@pytest.mark.parametrize("block", [
    '<gazebo reference="b"><provideFeedback>true</provideFeedback><gravity>false</gravity></gazebo>',
    '<gazebo><plugin name="p" filename="f"/></gazebo><gazebo><static>false</static></gazebo>'],
    ids=["a link and a joint of one name", "static behind a plugin"])
def test_settings_stay_where_they_are_on_further_ways(block):
    body = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    robot = (f'<robot name="r"><link name="a">{body}</link><link name="b">{body}</link><joint name="b" '
             f'type="continuous"><parent link="a"/><child link="b"/></joint>{block}</robot>')
    there = sf.loads(robot).to_sdf()
    back = sf.loads(there).to_urdf()
    again = sf.loads(sf.loads(back).to_sdf())
    assert again.to_urdf() == back
    assert (again.tree.find("model/joint/physics/provide_feedback") is None) == ("provide" not in block)


@pytest.mark.skipif(shutil.which("ign") is None, reason="ign (Debian package ignition-tools) is not installed")
def test_libsdformat_reads_the_settings_as_they_were(tmp_path):
    def read(urdf):
        (tmp_path / "r.urdf").write_text(urdf)
        command = ["ign", "sdf", "-p", str(tmp_path / "r.urdf")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        return done.stdout[done.stdout.index("<sdf"):]
    once = read(SETTINGS)
    assert "<mu2>0.4</mu2>" in once
    assert read(convert_to_urdf(load_text(once)).text) == once


def test_a_display_needs_no_warning():
    body = collision("a", SURFACE.format(1)) + collision("b", "")
    loaded = load_text(f'<sdf version="1.9"><model name="m"><link name="l">{body}</link></model></sdf>')
    assert "urdf-setting-dropped" in [d.name for d in convert_to_urdf(loaded).diagnostics]
    assert convert_to_display(loaded).diagnostics == ()


NAMING = """<link name="base"><sensor name="cam" type="camera"><frame_id>arm::tool</frame_id></sensor></link>
<model name="arm"><link name="tool"><sensor name="imu" type="imu"><frame_id>tool</frame_id></sensor></link>
<link name="f"/><frame name="tcp" attached_to="f"/>
<joint name="slide" type="prismatic"><parent>tool</parent><child>f</child><axis><xyz>0 0 1</xyz></axis></joint></model>
<joint name="turn" type="revolute"><parent>base</parent><child>arm::tool</child><axis><xyz>0 0 1</xyz></axis></joint>
<gripper name="g"><gripper_link>arm::f</gripper_link><palm_link> arm::tool </palm_link></gripper>
<plugin name="arm::slide" filename="arm::tool"><joint_name>arm::slide</joint_name><joint_name>turn</joint_name>
<joints>turn, arm::slide</joints><parent_link>arm::tool</parent_link><robot_base_frame>arm::tcp</robot_base_frame>
<child_link>other::link</child_link><topic>arm::tool</topic></plugin>"""


@pytest.mark.parametrize("separator", ["/", "__"])
def test_content_for_programs_names_the_links_and_joints_of_the_urdf(separator, to_robot):
    gazebo = etree.Element("robot")
    gazebo.extend(to_robot(NAMING, separator=separator).robot.gazebo)
    texts = [(element.tag, (element.text or "").strip()) for element in gazebo.iter("*") if not len(element)]
    wanted = [("frame_id", "arm/tool"), ("frame_id", "arm/tool"), ("gripper_link", "arm/f"), ("palm_link", "arm/tool"),
              ("joint_name", "arm/slide"), ("joint_name", "turn"), ("joints", "turn, arm/slide"),
              ("parent_link", "arm/tool"), ("robot_base_frame", "arm/tcp"), ("child_link", "other::link"),
              ("topic", "arm::tool")]
    wanted = [(tag, text.replace("/", separator)) for tag, text in wanted]
    assert [pair for pair in texts if pair[0] in dict(wanted)] == wanted
    plugin = gazebo.find("gazebo/plugin")
    assert (plugin.get("name"), plugin.get("filename")) == ("arm::slide", "arm::tool")
