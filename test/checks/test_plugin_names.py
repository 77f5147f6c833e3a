"""Names of links and joints in plugins, transmissions, ros2_control and contact sensors that lead nowhere."""

import pytest
from urdf_text import gazebo, joint, link, robot

from sdf_frames.checks.plugin_names import CLASSIC, SYSTEMS
from sdf_frames.load import load_text
from sdf_frames.options import LoadOptions

NAMES = {"plugin-name-unknown", "plugin-name-lumped", "plugin-joint-fixed", "plugin-joint-mimics",
         "contact-collision-unknown"}
LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'


def find(text: str, **options: object) -> list[tuple[str, str]]:
    """Names and messages of the findings that are tested here."""
    loaded = load_text(text, "file.urdf", LoadOptions(**options))
    assert loaded.root is not None
    return [(d.name, d.message) for d in loaded.diagnostics if d.name in NAMES]


def plugin(filename: str, content: str, name: str = "p") -> str:
    return f'<plugin filename="{filename}" name="{name}">{content}</plugin>'


def model(*parts: str) -> str:
    """A model with links a, b and c, the joint ab that moves, bc that is fixed, and mimic, which follows ab."""
    body = '<link name="a"/><link name="b"/><link name="c"/><link name="d"/><frame name="f"/>'
    axis = "<axis><xyz>0 0 1</xyz>{}</axis>"
    mimic = '<mimic joint="ab"><multiplier>1</multiplier><offset>0</offset><reference>0</reference></mimic>'
    body += f'<joint name="ab" type="revolute"><parent>a</parent><child>b</child>{axis.format("")}</joint>'
    body += '<joint name="bc" type="fixed"><parent>b</parent><child>c</child></joint>'
    body += f'<joint name="bd" type="revolute"><parent>b</parent><child>d</child>{axis.format(mimic)}</joint>'
    return f'<sdf version="1.11"><model name="m">{body}{"".join(parts)}</model></sdf>'


def car(content: str) -> str:
    """A URDF whose wheel is behind a fixed joint, as is its sensor; a third link hangs at a joint that moves."""
    return robot(link("base", 1), link("wheel", 1), link("arm", 1), joint("wheel_joint", "fixed", "base", "wheel"),
                 joint("arm_joint", "revolute", "base", "arm", LIMIT), content)


@pytest.mark.parametrize("filename", [
    "gz-sim-diff-drive-system", "libgz-sim-diff-drive-system.so", "ignition-gazebo-diff-drive-system",
    "libignition-gazebo6-diff-drive-system.so", "/opt/lib/libgz-sim8-diff-drive-system.so", "libDiffDrivePlugin.so",
    "libgazebo_ros_diff_drive.so", "gazebo_ros_diff_drive"])
def test_every_form_of_a_file_name_is_known(filename):
    found = find(model(plugin(filename, "<left_joint>ab</left_joint><right_joint>ad</right_joint>")))
    assert found == [("plugin-name-unknown", "<right_joint> of plugin 'p' names the joint 'ad', which does not exist")]


def test_an_unknown_name_has_a_place_and_the_nearest_name():
    text = model("\n" + plugin("gz-sim-joint-controller-system", "\n <joint_name>abb</joint_name>"))
    (found,) = [d for d in load_text(text, "m.sdf").diagnostics if d.name in NAMES]
    assert (found.code, found.severity, found.line, found.column, found.hint) == (
        "N008", "warning", 3, 2, "did you mean 'ab'?")
    assert found.path == '/sdf/model[@name="m"]/plugin[@name="p"]/joint_name'


def test_an_attribute_is_the_place():
    text = model(plugin("gz-sim-wheel-slip-system", '\n<wheel\n  link_name="e"/><wheel link_name="a"/>'))
    (found,) = [d for d in load_text(text).diagnostics if d.name in NAMES]
    assert (found.line, found.column) == (3, 14)


@pytest.mark.parametrize("filename, content", [
    ("gz-sim-diff-drive-system", "<frame_id>odom</frame_id><child_frame_id>robot</child_frame_id>"),
    ("gz-sim-detachable-joint-system",
     "<parent_link>a</parent_link><child_model>other</child_model><child_link>lid</child_link>"),
    ("gz-sim-odometry-publisher-system", "<odom_frame>odom</odom_frame><robot_base_frame>x</robot_base_frame>"),
    ("libmine.so", "<joint_name>none</joint_name>"),
    ("gz-sim-joint-controller-system", "<joint_name>$(arg joint)</joint_name>"),
    ("gz-sim-joint-controller-system", "<joint_name></joint_name>"),
    ("gz-sim-joint-controller-system", "<joint_name>m::ab</joint_name>"),
    ("gz-sim-joint-state-publisher-system", "<joint_name>bc</joint_name><joint_name>bd</joint_name>"),
    ("libgazebo_ros_joint_state_publisher.so", "<jointName>ab, bc,bd</jointName>"),
    ("libgazebo_ros_ft_sensor.so", "<jointName>bc</jointName>")])
def test_what_is_right_or_not_of_the_model_is_not_reported(filename, content):
    """Names of the world and of TF, plugins of others, text to be filled in; what only reads may name a fixed joint."""
    assert find(model(plugin(filename, content))) == []


def test_names_in_nested_models_are_known():
    inside = '<model name="n"><link name="x"/></model>'
    for name, count in (("n::x", 0), ("m::n::x", 0), ("x", 0), ("n::y", 1), ("n", 1)):
        known = plugin("gz-sim-lift-drag-system", f"<link_name>{name}</link_name>")
        assert len(find(model(inside, known))) == count, name


def test_a_name_of_another_kind_is_told():
    both = plugin("gz-sim-lift-drag-system", "<link_name>ab</link_name><control_joint_name>f</control_joint_name>")
    assert [message.partition(", ")[2] for _, message in find(model(both))] == [
        "but that is a joint", "but that is a frame"]


def test_a_failed_include_may_have_brought_the_name():
    missing = "<include><uri>model://nowhere</uri></include>"
    assert find(model(missing, plugin("gz-sim-lift-drag-system", "<link_name>x</link_name>"))) == []


def test_a_joint_that_cannot_follow_a_command():
    moves = plugin("gz-sim-joint-position-controller-system", "<joint_name>bc</joint_name><joint_name>bd</joint_name>")
    assert [(name, message.partition(", ")[2]) for name, message in find(model(moves))] == [
        ("plugin-joint-fixed", "which is fixed and cannot move"),
        ("plugin-joint-mimics", "which follows joint 'ab' (<mimic>)")]


def test_a_lumped_wheel_cannot_be_driven():
    drive = gazebo("", "\n" + plugin("libgazebo_ros_diff_drive.so", "<leftJoint>wheel_joint</leftJoint>"))
    (found,) = [d for d in load_text(car(drive), "car.urdf").diagnostics if d.name in NAMES]
    assert (found.name, found.file, found.line) == ("plugin-joint-fixed", "car.urdf", 2)
    assert found.message.endswith("which is lumped into link 'base': it is fixed")
    assert find(car(drive), preserve_fixed_joints=True)[0][1].endswith("which is fixed and cannot move")


def test_a_lumped_link_is_named_with_the_joint_to_keep():
    force = gazebo("", plugin("gz-sim-hydrodynamics-system", "<link_name>wheel</link_name>"))
    (found,) = [d for d in load_text(car(force)).diagnostics if d.name in NAMES]
    assert found.name == "plugin-name-lumped"
    assert '<gazebo reference="wheel_joint">' in found.hint and "or name link 'base'" in found.hint
    kept = gazebo("wheel_joint", "<preserveFixedJoint>true</preserveFixedJoint>")
    assert find(car(force + kept)) == [] == find(car(force), preserve_fixed_joints=True)
    assert find(car(force.replace(">wheel<", ">base<"))) == []


def test_what_the_conversion_rewrites_is_not_reported():
    assert find(car(gazebo("", plugin("libgazebo_ros_p3d.so", "<bodyName>wheel</bodyName>")))) == []


def test_a_link_that_is_lost_is_reported_once_by_the_conversion():
    text = car(link("tip") + joint("tip_joint", "continuous", "arm", "tip") + gazebo("", plugin(
        "gz-sim-joint-controller-system", "<joint_name>tip_joint</joint_name>")))
    assert find(text) == []
    assert "massless-link-dropped" in [d.name for d in load_text(text).diagnostics]


def test_joints_of_transmissions():
    """Also those of the PR2's gripper and wrist. An actuator has a name of its own."""
    transmissions = "".join(f'<transmission name="t"><actuator name="motor"/><{tag} name="{name}"/></transmission>'
                            for tag, name in (("joint", "arm_joint"), ("joint", "arm_jiont"), ("flexJoint", "none"),
                                              ("gap_joint", "wheel_joint")))
    assert find(car(transmissions)) == [
        ("plugin-name-unknown", "<joint> of <transmission> 't' names the joint 'arm_jiont', which does not exist"),
        ("plugin-name-unknown", "<flexJoint> of <transmission> 't' names the joint 'none', which does not exist"),
        ("plugin-joint-fixed", "<gap_joint> of <transmission> 't' names the joint 'wheel_joint', which is fixed and "
                               "cannot move")]


@pytest.mark.parametrize("attributes, interfaces, names", [
    ("", "<command_interface name='position'/>", ["plugin-joint-mimics"]),
    ("", "<state_interface name='position'/>", []),
    (" mimic='false'", "<command_interface name='position'/>", []),
    (" mimic='true'", "<command_interface name='position'/>", ["plugin-joint-mimics"])])
def test_mimic_joints_of_ros2_control(attributes, interfaces, names):
    """Its parser refuses commands for a mimic joint, unless mimic="false" says that the joint does not follow."""
    follower = joint("two", "revolute", "arm", "hand", LIMIT + '<mimic joint="arm_joint"/>')
    control = (f'<ros2_control name="s" type="system"><joint name="two"{attributes}>{interfaces}</joint>'
               '<sensor name="imu"/><gpio name="io"/></ros2_control>')
    assert [name for name, _ in find(car(link("hand", 1) + follower + control))] == names


def test_ros2_control_is_checked_of_a_robot_that_cannot_be_converted():
    text = robot(link("base"), '<ros2_control name="s" type="system"><joint name="none"/></ros2_control>')
    loaded = load_text(text)
    assert loaded.root is None
    assert [d.name for d in loaded.diagnostics if d.name in NAMES] == ["plugin-name-unknown"]


def test_contact_sensors_name_collisions_of_their_link():
    shape = '<collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry></collision>'
    sensor = '<sensor name="s" type="contact"><contact><collision>{}</collision></contact></sensor>'
    text = '<sdf version="1.11"><model name="m"><link name="a">{}</link></model></sdf>'
    for name, hint in (("c", None), ("m::a::c", None), ("d", "name one of 'c'")):
        found = [d for d in load_text(text.format(shape + sensor.format(name))).diagnostics if d.name in NAMES]
        assert [d.hint for d in found] == ([hint] if hint else []), name


def test_the_table_says_who_reads_each_parameter():
    for stem, known in (SYSTEMS | CLASSIC).items():
        assert known.parameters and known.source.endswith((".cc", ".cpp")), stem
