"""Reading URDF: what is refused as urdfdom refuses it, and what is kept where urdfdom drops it."""
import pytest
import urdf_text
from real_files import CORPUS, MISSING, read_records

from sdf_frames.document.xml_in import read_xml
from sdf_frames.urdf.model import Box, Cylinder, Origin
from sdf_frames.urdf.parse import read_robot

INERTIA = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'


def read(text):
    document, found = read_xml(text, "robot.urdf")
    assert document is not None, found
    return read_robot(document)


def one_joint(attributes='type="continuous"', content='<parent link="a"/><child link="b"/>', more=""):
    return read(f'<robot name="r" version="1.1"><link name="a"/><link name="b"/><joint name="j" {attributes}>{content}'
                f'</joint>{more}</robot>')


def one_link(content, more=""):
    return read(f'<robot name="r" version="1.1"><link name="a">{content}</link>{more}</robot>')


ENDS = '<parent link="a"/><child link="b"/>'


@pytest.mark.parametrize("text, words", [
    ("<gazebo version='1.2'><model name='m'/></gazebo>", "rename <gazebo> to <sdf>"),
    ('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"/>', "name the file that calls them"),
])
def test_the_hint_for_a_refused_robot_names_the_usual_cause(text, words):
    assert words in read(text)[1][0].hint


@pytest.mark.parametrize("content, hint", [
    ('<origin xyz="1, 2, 3"/>', "separate numbers by spaces, without brackets and commas: 1 2 3"),
    ('<origin xyz="1 2 0,5"/>', "write 1 2 0.5"),
    ('<origin xyz="${a}, 2, 3"/>', "expand the file with xacro first: the text contains ${…} or $(…)"),
    ('<origin xyz="1 2"/>', "write 3 numbers"),
])
def test_the_hint_for_malformed_numbers_follows_their_text(content, hint):
    assert [d.hint for d in one_joint('type="fixed"', ENDS + content)[1]] == [hint]


@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
def test_only_a_revolute_joint_is_told_of_continuous_ones(kind):
    found, = one_joint(f'type="{kind}"', ENDS)[1]
    assert ("continuous" in found.hint) == (kind == "revolute") and "<limit lower" in found.hint


@pytest.mark.parametrize("version", ["1.0", "1.1", "1.2", "1.00", "01.0"])
def test_versions_are_numbers(version):
    robot, found = read(f'<robot name="r" version="{version}"><link name="a"/></robot>')
    assert robot is not None and not found


@pytest.mark.parametrize("inside, link, joint", [
    ('<origin xyz="0 0 ${h}"/>', "", ""), ("", '<inertial><mass value="${m}"/></inertial>', ""),
    ("", f'<inertial><origin xyz="${{x}} 0 0"/><mass value="1"/>{INERTIA}</inertial>', ""),
    ("", f'<inertial><mass value="1"/>{INERTIA.replace("1", "${i}", 1)}</inertial>', ""),
    ("", '<visual><geometry><box size="${s}"/></geometry></visual>', ""),
    ("", '<collision><geometry><sphere radius="${r}"/></geometry></collision>', ""),
    ("", "", '<origin rpy="0 0 ${pi}"/>'), ("", "", '<limit effort="${e}" velocity="1"/>')])
def test_wherever_a_number_should_be_xacro_that_was_not_expanded_is_named(inside, link, joint):
    text = '<robot name="r">{}<link name="a">{}</link><link name="b"/><joint name="j" type="fixed">{}{}</joint></robot>'
    for what in ("$", ""):
        _, (found,) = read(text.format(*[part.replace("$", what) for part in (inside, link, ENDS, joint)]))
        assert (found.hint == "expand the file with xacro first: the text contains ${…} or $(…)") is bool(what)


def test_the_axis_of_a_joint_of_an_unknown_type_is_judged_too():
    robot, found = one_joint('type="hinge"', ENDS + '<axis xyz="1 0"/>')
    assert robot is None and [d.name for d in found] == ["joint-type-unknown", "joint-attribute-malformed"]


def test_every_cause_is_reported_not_only_the_first():
    _, found = read('<robot><link name="a"/><link name="a"/><link/><joint name="j" type="x"/></robot>')
    assert [d.name for d in found] == ["robot-name-missing", "urdf-name-duplicate", "link-name-missing",
                                       "joint-type-unknown",
                                       "joint-link-missing", "joint-link-missing"]
    assert found[1].related[0].message == "the first link 'a'"


def test_an_axis_without_xyz_is_that_of_urdfdom():
    assert one_joint('type="continuous"', ENDS + "<axis/>")[0].joints[0].axis == (0, 0, 0)


def test_loop_without_root():
    robot, found = read(urdf_text.robot(*map(urdf_text.link, "ab"), urdf_text.joint("j", "fixed", "a", "b"),
                                        urdf_text.joint("k", "fixed", "b", "a")))
    (finding,) = found
    assert robot is None and finding.name == "robot-without-root"
    assert finding.message == "every link has a parent, so there is no root link: joints j, k form a loop"
    assert [related.message for related in finding.related] == ["joint 'j'", "joint 'k'"]


SPHERE = '<geometry><sphere radius="1"/></geometry>'


def test_xacro_that_was_not_expanded():
    macro = '<xacro:macro name="w"><link name="w"/></xacro:macro>'
    for space in (' xmlns:xacro="http://www.ros.org/wiki/xacro"', ' xmlns:xacro="http://ros.org/wiki/xacro"', ""):
        document, _ = read_xml(f'<robot name="r"{space}><link name="a"/>\n{macro}<xacro:w/></robot>')
        robot, found = read_robot(document)
        assert robot is not None
        assert [(d.name, d.severity, d.line) for d in found] == [("xacro-unexpanded", "warning", 2)]
        assert "the robot still has 2 xacro elements, the first is <xacro:macro>:" in found[0].message


def test_white_space_around_a_number_means_nothing_but_to_urdfdom():
    robot, found = read(
        '<robot name="r"><link name="a"><visual><geometry><cylinder radius=" 1" length="2 "/></geometry></visual>'
        '</link><link name="b"/><joint name="j" type="revolute"><parent link="a"/><child link="b"/>'
                        '<limit effort="3 " velocity="&#9;4" lower=" -5 "/><dynamics damping="6&#10;"/></joint>'
                        '</robot>')
    assert [(d.name, d.severity) for d in found] == [
        ("urdf-content-disputed", "warning"), *3 * [("urdf-content-refused", "warning")]]
    assert robot.links[0].visuals[0].geometry == Cylinder(1, 2)
    assert robot.joints[0].limit[:4] == (-5, 0, 3, 4) and robot.joints[0].dynamics.damping == 6


def test_materials_are_looked_up_as_urdfdom_does():
    robot, found = read(
        '<robot name="r"><material name="red"><color rgba="1 0 0 1"/></material><link name="a">' + "".join(
            f'<visual>{SPHERE}<material name="{name}">{colour}</material></visual>' for name, colour in (
                ("red", ""), ("red", '<color rgba="0 1 0 1"/>'), ("blue", '<color rgba="0 0 1 1"/>'), ("blue", ""),
                ("none", ""), ("", '<color rgba="0 0 0 1"/>'))) + "</link></robot>")
    colours = [v.material and v.material.rgba for v in robot.links[0].visuals]
    assert colours == [(1, 0, 0, 1), (1, 0, 0, 1), (0, 0, 1, 1), (0, 0, 1, 1), None, (0, 0, 0, 1)]
    assert [d.name for d in found] == ["material-redefined", "material-undefined"]
    assert [(r.message, r.line) for r in found[0].related] == [("the definition of 'red' that is used", 1)]
    assert [m.name for m in robot.materials] == ["red"]


def test_material_without_a_name_is_read_with_a_warning():
    robot, found = one_link(
        f'<visual>{SPHERE}<material><color rgba="0 1 0 1"/></material></visual><visual>{SPHERE}<material/></visual>'
                            f"<collision>{SPHERE}</collision>")
    assert [v.material and v.material.rgba for v in robot.links[0].visuals] == [(0, 1, 0, 1), None]
    assert len(robot.links[0].collisions) == 1
    assert [(d.name, d.severity) for d in found] == [("material-unnamed", "warning")] * 2
    assert found[0].hint.endswith("this visual, all later visuals of the link, and all its collisions")


@pytest.mark.parametrize("quaternion", ["0 0 0 0", "0 -0.0 0e5 .0E-1"])
def test_a_quaternion_of_length_zero_turns_nothing(quaternion):
    """As for urdfdom 6."""
    robot, found = one_joint('type="fixed"', ENDS + f'<origin xyz="1 2 3" quat_xyzw="{quaternion}"/>')
    assert robot.joints[0].origin == Origin((1, 2, 3))
    assert [(d.name, d.severity, d.message) for d in found] == [(
        "urdf-content-disputed", "warning", "<origin> has quat_xyzw: its length is zero; it is no rotation")]


def test_content_without_kinematics_is_kept_as_elements():
    robot, _ = one_link("", '<gazebo reference="a"/><gazebo/><transmission name="t"/><ros2_control/><sensor name="s"/>'
                            '<origin xyz="1 2 3"/>')
    assert len(robot.gazebo) == 2 and len(robot.transmissions) == 1 and len(robot.ros2_control) == 1
    assert [e.tag for e in robot.others] == ["sensor"] and robot.origin == Origin((1, 2, 3), (0, 0, 0))


def test_verdicts_of_urdfdom_on_the_corpus():
    if not CORPUS.is_dir():
        pytest.skip(MISSING)
    records = [r for r in read_records() if "convert_rc" in r]
    compared = 0
    for record in records:
        document, _ = read_xml((CORPUS / record["file"]).read_bytes())
        if document is not None:
            robot, found = read_robot(document)
            assert (robot is None) == (record["convert_rc"] != 0), (record["file"], found)
            compared += 1
    assert compared >= 100


BOX = '<box size="1 1 1"/>'


def test_names_with_a_prefix_are_for_others():
    robot, found = one_link(f'<visual xmlns:d="urn:d" d:x="1"><geometry><d:convex/>{BOX}</geometry></visual>',
                            '<d:filter xmlns:d="urn:d"/>')
    assert [part.kind for part in robot.left_out] == ["visual/@d:x", "geometry/d:convex"] and not found
    assert robot.links[0].visuals[0].geometry == Box((1, 1, 1))


RED, BLUE = '<color rgba="1 0 0 1"/>', '<color rgba="0 0 1 1"/>'


@pytest.mark.parametrize("top, second, warned", [
    ("", BLUE, True), ("", RED, False), ("", "", False), ("", RED + '<texture filename="t"/>', True),
    (f'<material name="m">{RED}</material>', BLUE, True), (f'<material name="m">{BLUE}</material>', BLUE, True),
])
def test_a_material_that_is_defined_otherwise_again(top, second, warned):
    """urdfdom takes the robot's definition, else the first; with `top` blue it is the first visual that says
    otherwise."""
    visual = f'<visual><geometry>{BOX}</geometry><material name="m">%s</material></visual>'
    robot, found = one_link(visual % RED + visual % second, top)
    assert [d.name for d in found] == ["material-redefined"] * warned
    assert [(part.kind, part.owner, part.name) for part in robot.left_out] == [("material", "a", "m")] * warned
    wanted = (0, 0, 1, 1) if BLUE in top else (1, 0, 0, 1)
    assert [v.material.rgba for v in robot.links[0].visuals] == [wanted] * 2
