"""What of a URDF is passed over, malformed or nameless: which finding it gives, at which line and path, and what just
gives none."""
import pytest

from sdf_frames.document.xml_in import read_xml
from sdf_frames.urdf.parse import read_robot

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
BOX = '<geometry><box size="1 1 1"/></geometry>'
ROBOT = '/robot[@name="r"]'
LINK, JOINT = f'{ROBOT}/link[@name="a"]', f'{ROBOT}/joint[@name="j"]'


def findings(inside="", link="", joint="", robot=""):
    """Content of the robot from line 2, of a link from line 4, and of a joint from line 6."""
    document, found = read_xml(
        f'<robot name="r"{robot}>\n{inside}\n<link name="a">\n{link}</link>'
        f'<link name="b"/>\n<joint name="j" type="fixed">\n'
        f'<parent link="a"/><child link="b"/>{joint}</joint>\n</robot>')
    more = read_robot(document)[1]
    return [(d.name, d.severity, d.line, d.path) for d in (*found, *more)], [d.message for d in more]


@pytest.mark.parametrize("parts, line, path, words", [
    ({"robot": ' colour="red"'}, 1, ROBOT, "<robot> contains attribute colour"),
    ({"inside": "<links/>"}, 2, f"{ROBOT}/links", "<robot> contains <links>"),
    ({"inside": "some text"}, 1, ROBOT, "<robot> contains text"),
    ({"link": "<colision/>"}, 4, f"{LINK}/colision", "<link> contains <colision>"),
    ({"link": f"\n<visual><mesh/>{BOX}</visual>"}, 5, f"{LINK}/visual/mesh", "<visual> contains <mesh>"),
    ({"link": '<inertial><mass value="1" unit="g"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
              '</inertial>'}, 4,
     f"{LINK}/inertial/mass", "<mass> contains attribute unit"),
    ({"joint": '<origin xyz="0 0 0" rqy="0 0 0"/>'}, 6, f"{JOINT}/origin", "<origin> contains attribute rqy"),
    # A quaternion is URDF 1.1's, which knows no <origin> of a robot.
    ({"inside": '<origin quat_xyzw="0 0 1 0"/>'}, 2, f"{ROBOT}/origin", "<origin> contains attribute quat_xyzw")])
def test_what_is_unknown_is_left_out_and_said(parts, line, path, words):
    assert findings(**parts) == ([("urdf-content-unknown", "warning", line, path)],
                                 [f"{words}, which URDF does not define; it is left out"])


def test_of_very_many_attributes_the_first_are_named():
    _, (message,) = findings(robot=" " + " ".join(f'a{i}="1"' for i in range(200)))
    assert message.startswith("<robot> contains attributes a0, a1, ") and "a19 and 180 more, " in message


@pytest.mark.parametrize("parts, line, path, words", [
    ({"inside": '<origin xyz="1 2 3"/>\n<origin xyz="4 5 6"/>'}, 3, f"{ROBOT}/origin[2]", "<robot> contains <origin>"),
    ({"link": f"{INERTIAL}\n{INERTIAL}"}, 5, f"{LINK}/inertial[2]", "<link> contains <inertial>"),
    ({"link": '<collision>\n<geometry><box size="1 1 1"/>\n<sphere radius="1"/></geometry></collision>'}, 6,
     f"{LINK}/collision/geometry/sphere", "<geometry> contains <sphere>"),
    ({"joint": '\n<origin xyz="1 0 0"/>\n<origin xyz="2 0 0"/>'}, 8, f"{JOINT}/origin[2]",
     "<joint> contains <origin>")])
def test_what_is_known_once_counts_once(parts, line, path, words):
    assert findings(**parts) == ([("urdf-content-repeated", "warning", line, path)],
                                 [f"{words} more than once; only the first is used"])


@pytest.mark.parametrize("parts", [
    {"robot": ' version="1.0"', "inside": '<origin xyz="1 2 3" rpy="0 0 1"/>', "link": INERTIAL},
    {"link": f"<visual>{BOX}</visual><visual>{BOX}</visual><collision>{BOX}</collision><collision>{BOX}</collision>"},
    {"joint": '<origin xyz="0 0 0" quat_xyzw="0 0 1 0"/>'},
    # Of another program, or for a person.
    {"robot": ' xmlns:my="urn:my" my:colour="red" xml:lang="en"', "link": "<my:colision/>",
     "inside": "<my:links/><!-- some text -->"},
    {"inside": "<transmission name='t'><links/></transmission><ros2_control name='c'><links/></ros2_control>"}])
def test_what_is_known_or_of_others_gives_no_finding(parts):
    assert findings(**parts) == ([], [])


def test_alike_is_said_once_and_counted():
    assert findings(link="<colision/>\n<colision/><colision/>") == (
        [("urdf-content-unknown", "warning", 4, f"{LINK}/colision[1]")],
        ["<link> contains <colision>, which URDF does not define; it is left out (3 times, here first)"])


@pytest.mark.parametrize("attributes, text", [
    ('xyz="1 2" rpy="0 0 0"', 'xyz="1 2"'), ('xyz="1 2 3 4"', 'xyz="1 2 3 4"'), ('xyz="1 2 nan"', 'xyz="1 2 nan"'),
    ('xyz=""', 'xyz=""'), ('rpy="a b c"', 'rpy="a b c"'), ('rpy="0,0,0"', 'rpy="0,0,0"')])
def test_a_malformed_origin_of_the_robot_counts_as_zeros(attributes, text):
    found, (message,) = findings(f"<!-- -->\n<origin {attributes}/>")
    assert found == [("model-origin-malformed", "warning", 3, f"{ROBOT}/origin")]
    assert message == f"<origin> of <robot>: {text} is not 3 numbers; zeros are used"


@pytest.mark.parametrize("origin", ['xyz="1 2 3" rpy="0 0 1"', 'xyz=" 1  2 3 "', 'rpy="1e0 .5 -0"', ""])
def test_an_origin_of_the_robot_may_leave_attributes_out(origin):
    assert findings(f"<origin {origin}/>") == ([], [])


@pytest.mark.parametrize("name", ["", ' name=""'])
def test_a_joint_needs_a_name(name):
    assert findings(f'\n<joint{name} type="fixed"><parent link="a"/><child link="b"/></joint>')[0] == [
        ("joint-name-missing", "error", 3, f"{ROBOT}/joint" + ('[@name=""]' if name else "[1]"))]
    assert findings('<link name="c"/><joint name="k" type="fixed"><parent link="a"/><child link="c"/></joint>')[0] == []


def test_a_shape_that_cannot_be_read_hides_nothing_that_follows():
    """The rows go on behind the <geometry> without a shape, in the same link and in the next."""
    from sdf_frames.convert.urdf_to_sdf import convert_text
    body = ('<visual><geometry/></visual>\n<collision><geometry><box size="1 1 1" colour="red"/></geometry>'
            '</collision>\n'
            '<inertial unit="lb"><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
            '</inertial>')
    _, conversion, _ = convert_text(f'<robot name="r">\n<link name="l">\n{body}</link>\n</robot>')
    assert {(row.element, row.line) for row in conversion.rows if row.action == "dropped"} >= {("box/@colour", 4),
        ("inertial/@unit", 5)}


def test_an_attribute_of_a_gazebo_block_that_nobody_knows_is_reported():
    from sdf_frames.convert.urdf_to_sdf import convert_text
    _, conversion, _ = convert_text(
        '<robot name="r"><link name="l"/>\n<gazebo reference="l" colour="red"><visual size="1"/></gazebo></robot>')
    assert {(row.element, row.line) for row in conversion.rows if row.action == "dropped"} >= {("gazebo/@colour", 2),
        ("visual/@size", 2)}


@pytest.mark.parametrize("attributes", ['xyz="1 0 0" rad="1"', 'rpy="0 0 1" rad="1"', 'rad="1"',
                                        'xyz="1 0 0" rpy="0 0 1" rad="1"', 'rad="1" rpy="0 0 1" xyz="1 0 0"'])
def test_an_origin_holds_xyz_and_rpy_and_nothing_else(attributes):
    found, (message,) = findings(joint=f"<origin {attributes}/>")
    assert found == [("urdf-content-unknown", "warning", 6, f"{JOINT}/origin")]
    assert message.startswith("<origin> contains attribute rad")


@pytest.mark.parametrize("attributes", ['xyz="1 0 0"', 'rpy="0 0 1"', "", 'rpy="0 0 1" xyz="1 0 0"'])
def test_an_origin_may_hold_less(attributes):
    assert findings(joint=f"<origin {attributes}/>") == ([], [])


def test_what_a_visual_adds_to_a_material_that_is_known_is_reported():
    material = '<material name="red"><color rgba="1 0 0 1"/></material>'
    shape = '<visual><geometry><sphere radius="1"/></geometry>{}</visual>'
    found, messages = findings(inside=material,
                               link=shape.format('\n<material name="red" shine="1"><gloss/></material>'))
    assert [name for name, *_ in found] == ["urdf-content-unknown"] * 2
    assert sorted(m.partition(",")[0] for m in messages) == [
        "<material> contains <gloss>", "<material> contains attribute shine"]
