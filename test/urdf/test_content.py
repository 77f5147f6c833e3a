"""Hints for content that URDF does not define where it stands: the right form of what is meant, with its values."""
import pytest

from sdf_frames.document.xml_in import read_xml
from sdf_frames.urdf.parse import read_robot

GENERAL = "correct the name, or remove it"


def hints(link="", joint=""):
    document, _ = read_xml(
        f'<robot name="r"><link name="a">{link}</link><link name="b"/><joint name="j" type="continuous">'
        f'<parent link="a"/><child link="b"/>{joint}</joint></robot>')
    return [d.hint for d in read_robot(document)[1] if d.name == "urdf-content-unknown"]


@pytest.mark.parametrize("joint, hint", [
    ("<origin>0 0 0.05 0 0 0</origin>", 'write <origin xyz="0 0 0.05" rpy="0 0 0"/>'),
    ("<origin>1 2 3</origin>", 'write <origin xyz="1 2 3"/>'), ("<origin>1 2</origin>", GENERAL),
    ('<origin xyz="0 0 1">1 2 3</origin>', GENERAL), ("<axis>0 1 0</axis>", 'write <axis xyz="0 1 0"/>'),
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
    ("<inertial><inertia>1 0</inertia></inertial>", "write it as attributes: ixx, ixy, ixz, iyy, iyz, izz"),
    ("<gravity/>", GENERAL), ("<a_visual/>", GENERAL), ("<frame><colision/></frame>", GENERAL)])
def test_misspelt_elements_and_those_beside_their_place(link, hint):
    assert hints(link) == [hint]


@pytest.mark.parametrize("joint, hint", [
    ('<origin xyz="0 0 0" rqy="0 0 0"/>', "did you mean rpy?"), ('<origin pos="0 0 0"/>', "did you mean xyz?"),
    ('<axis xyz="0 0 1" colour="red"/>', GENERAL),
    ('<safety_controller k_velocity="1" soft_lower="0" soft_upper="1"/>',
     "did you mean soft_lower_limit, soft_upper_limit?"),
    ('<limit effort="1" velocity="1" uper="1" colour="red"/>', GENERAL)])
def test_misspelt_attributes(joint, hint):
    assert hints(joint=joint) == [hint]
