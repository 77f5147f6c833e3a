"""Hints for content that URDF does not define where it stands: the right form of what is meant, with its values."""
import pytest

from sdf_frames.document.xml_in import read_xml
from sdf_frames.urdf.parse import read_robot

GENERAL = "correct the name, or remove it"


def hints(link="", joint=""):
    document, _ = read_xml(
        f'<robot name="r"><link name="a">{link}</link><link name="b"/><joint name="j" type="continuous">'
        f'<parent link="a"/><child link="b"/>{joint}</joint></robot>')
    return [d.hint for d in read_robot(document)[1] if d.hint and d.name != "inertial-incomplete"]


@pytest.mark.parametrize("joint, hint", [
    ("<origin>0 0 0.05 0 0 0</origin>", 'write <origin xyz="0 0 0.05" rpy="0 0 0"/>'),
    ("<origin>1 2 3</origin>", 'write <origin xyz="1 2 3"/>'), ("<origin>1 2</origin>", GENERAL),
    ('<origin xyz="0 0 1">1 2 3</origin>', GENERAL), ("<axis>0 1 0</axis>", 'write <axis xyz="0 1 0"/>'),
    ("<axis>z</axis>", 'write <axis xyz="X Y Z"/>'),
    ('<axis xyz="0 0 1">0 1 0</axis>', GENERAL), ('<dynamics damping="1">2</dynamics>', GENERAL)])
def test_text_is_written_as_attributes(joint, hint):
    assert hints(joint=joint) == [hint]


@pytest.mark.parametrize("link, hint", [
    ("<visual><geometry><box><size>1 2 3</size></box></geometry></visual>", 'write an attribute: <box size="1 2 3">'),
    ("<visual><geometry><mesh><uri>a.stl</uri></mesh></geometry></visual>",
     'write an attribute: <mesh filename="a.stl">'),
    ('<visual><geometry><box size="1 1 1"/></geometry><pose>0 0 1 0 0 0</pose></visual>',
     'write <origin xyz="0 0 1" rpy="0 0 0"/>'),
    ("<pose>0 0 1 0 0 0</pose>",
     "the pose of a link is the <origin> of the joint that it is the child of: move it there")])
def test_elements_of_sdformat_are_written_as_those_of_urdf(link, hint):
    assert hints(link) == [hint]


@pytest.mark.parametrize("link, hint", [
    ("<colision/>", "did you mean <collision>?"), ("<VISUAL/>", "did you mean <visual>?"),
    ('<visual><box size="1 1 1"/></visual>', "<box> belongs in <geometry>"),
    ("<sensor/>", '<sensor> belongs in <gazebo reference="a">'),
    ("<collision><geometry><box size='1 1 1'/></geometry><surface/></collision>",
     '<surface> is SDFormat: write its <mu> and <mu2> as <mu1> and <mu2> into <gazebo reference="a">'),
    ("<inertial><inertia>1 0</inertia></inertial>", "write it as attributes: ixx, ixy, ixz, iyy, iyz, izz"),
    ("<visual><geometry><origin/><box size='1 1 1'/></geometry></visual>", "<origin> belongs in <visual>"),
    ('<collision><geometry><sphere radius="1"/></geometry><material name="m"/></collision>',
     "<material> belongs in <visual>"), ("<geometry/>", "<geometry> belongs in <visual> or <collision>"),
    ('<joint name="k"/>', "<joint> belongs in <robot>"), ("<limit/>", "<limit> belongs in <joint>"),
    ("<inertial><mass><origin/></mass></inertial>", "<origin> belongs in <inertial>"),
    ("<material><visual/></material>", "<material> belongs in <visual>"),
    ("<mass value='1'/>", "<mass> belongs in <inertial>"),
    ("<gravity/>", GENERAL), ("<a_visual/>", GENERAL), ("<frame><colision/></frame>", GENERAL)])
def test_misspelt_elements_and_those_beside_their_place(link, hint):
    assert hints(link) == [hint]


@pytest.mark.parametrize("joint, hint", [
    ("<damping>0.1</damping>", 'write an attribute: <dynamics damping="0.1">'),
    ("<joint><uri>0.1</uri></joint>", "<joint> belongs in <robot>"), ("<xyz>0 0 1</xyz>", GENERAL),
    ("<damping/>", GENERAL), ('<axis xyz="0 0 1"/><axis2/>', "did you mean <axis>?"),
    ("<mass/>", "<mass> belongs in <inertial>")])
def test_elements_of_joints(joint, hint):
    assert hints(joint=joint) == [hint]


@pytest.mark.parametrize("link, joint, names, hint", [
    ('<visual><geometry><cylinder radius="1" lenght="2"/></geometry></visual>', "", ["shape-left-out"],
     "did you mean length?"),
    ('<visual><geometry><cylinder diameter="1" height="2" colour="red"/></geometry></visual>', "",
     ["shape-left-out", "urdf-content-unknown"], 'write radius="0.5", half of the diameter'),
    ('<visual><geometry><mesh file="a.stl"/></geometry></visual>', "", ["shape-left-out"], "did you mean filename?"),
    ('<visual><box size="1 1 1"/></visual>', "", ["shape-left-out"], "<box> belongs in <geometry>"),
    ('<visual><geometry/><box size="1 1 1"/></visual>', "", ["shape-left-out"], "<box> belongs in <geometry>"),
    ('<visual><geometry filename="a.stl" scale="1 2 3"/></visual>', "", ["shape-left-out"],
     'write <mesh filename="a.stl" scale="1 2 3"/> into <geometry>'),
    ('<inertial><mass value="1"/></inertial><inertia ixx="1"/>', "", ["inertial-incomplete"],
     "<inertia> belongs in <inertial>"),
    ('<inertial><mas value="1"/></inertial>', "", ["inertial-incomplete"], "did you mean <mass>?"),
    ('<inertial><mass value="1"/><inertia ixx="1" iyyy="1" izzz="1"/></inertial>', "", ["inertial-incomplete"],
     "did you mean iyy?; did you mean izz?"),
    ('<inertial><mass value="1"/><inertia ixx="1" iyy="1"/></inertial>', "", ["inertial-incomplete"],
     'add ixy="0" ixz="0" iyz="0" izz="…"'),
    ("", "<limits/>", ["joint-limit-missing"], "did you mean <limit>?"), ("", '<limit effort="1" speed="1"/>', [
        "joint-attribute-missing", "urdf-content-unknown"], 'add velocity="…"'),
    ("", '<limit effort="1" velocity="1"/><dynamics/>', ["joint-attribute-missing"], 'add damping="…" friction="…"'),
    ("", '<limit effort="1" velocty="1"/>', ["joint-attribute-missing"], "did you mean velocity?"),
    ("", '<limit><effort>1</effort></limit>', ["joint-attribute-missing"], 'write an attribute: <limit effort="1">')])
def test_one_cause_is_told_once_with_the_hint_that_mends_it(link, joint, names, hint):
    document, _ = read_xml(
        f'<robot name="r"><link name="a">{link}</link><link name="b"/><joint name="j" '
        f'type="{"revolute" if joint else "fixed"}"><parent link="a"/><child link="b"/>{joint}</joint></robot>')
    found = read_robot(document)[1]
    assert [d.name for d in found] == names and found[0].hint == hint


def test_a_misspelt_end_of_a_joint_is_named():
    document, _ = read_xml('<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="fixed">'
                           '<parnt link="a"/><child link="b"/></joint></robot>')
    assert [(d.name, d.hint) for d in read_robot(document)[1]] == [("joint-link-missing", "did you mean <parent>?")]


@pytest.mark.parametrize("link, joint, hint", [
    ("", '<pose xyz="1 2 3" rpy="0 0 1"/>', 'write <origin xyz="1 2 3" rpy="0 0 1"/>'), ("", "<pose/>", GENERAL),
    ("<selfCollide>1</selfCollide>", "",
     'Gazebo takes it from <gazebo reference="a">: write <selfCollide>1</selfCollide> there'),
    ("", "<provideFeedback>1</provideFeedback>",
     'Gazebo takes it from <gazebo reference="j">: write <provideFeedback>1</provideFeedback> there'),
    ("<plugin/>", "", '<plugin> belongs in <gazebo reference="a">'),
    (f"<selfCollide>{'1' * 1000}</selfCollide>", "", GENERAL), ("", f'<pose xyz="{"1 " * 1000}"/>', GENERAL),
    ("", f'<dynamics damping="1" lower="{"1" * 1000}"/>', GENERAL),
    ("", "<transmission/>", "move it below <robot>: controller_manager and its hardware read it only there"),
    ("", '<dynamics damping="1" lower="1" upper="2"/>', 'write <limit lower="1" upper="2"/> beside <dynamics>'),
    ('<visual rgba="1 0 0 1"><geometry><box size="1 1 1"/></geometry></visual>', "", GENERAL),
    ('<visual><geometry name="g"><box size="1 1 1"/></geometry></visual>', "", GENERAL)])
def test_what_is_right_elsewhere_or_under_another_name(link, joint, hint):
    assert hints(link, joint) == [hint]


@pytest.mark.parametrize("attributes, parent, hint", [
    ('parent="a"', "", 'write <parent link="a"/>'),
    ('lower="0" upper="1"', '<parent link="a"/>', 'write <limit lower="0" upper="1"/> into <joint>'),
    ('axis="0 0 1"', '<parent link="a"/>', 'write <axis xyz="0 0 1"/>')])
def test_attributes_of_a_joint_are_written_as_elements(attributes, parent, hint):
    document, _ = read_xml(f'<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous" '
                           f'{attributes}>{parent}<child link="b"/></joint></robot>')
    assert [d.hint for d in read_robot(document)[1]] == [hint]


@pytest.mark.parametrize("joint, hint", [
    ('<origin xyz="0 0 0" rqy="0 0 0"/>', "did you mean rpy?"), ('<origin pos="0 0 0"/>', "did you mean xyz?"),
    ('<axis xyz="0 0 1" colour="red"/>', GENERAL),
    ('<safety_controller k_velocity="1" soft_lower="0" soft_upper="1"/>',
     "did you mean soft_lower_limit, soft_upper_limit?"),
    ('<limit effort="1" velocity="1" uper="1" colour="red"/>', GENERAL)])
def test_misspelt_attributes(joint, hint):
    assert hints(joint=joint) == [hint]
