"""What of a URDF is passed over, malformed or nameless: which finding it gives, at which line and path, and what just
gives none."""
import pytest

from sdf_frames.document.elements import line_of
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
def test_unknown_content_is_left_out_with_a_warning(parts, line, path, words):
    assert findings(**parts) == ([("urdf-content-unknown", "warning", line, path)],
                                 [f"{words}, which URDF does not define; it has no effect"])


@pytest.mark.parametrize("parts, line, path, words", [
    ({"inside": '<origin xyz="1 2 3"/>\n<origin xyz="4 5 6"/>'}, 3, f"{ROBOT}/origin[2]", "<robot> contains <origin>"),
    ({"link": f"{INERTIAL}\n{INERTIAL}"}, 5, f"{LINK}/inertial[2]", "<link> contains <inertial>"),
    ({"link": '<collision>\n<geometry><box size="1 1 1"/>\n<sphere radius="1"/></geometry></collision>'}, 6,
     f"{LINK}/collision/geometry/sphere", "<geometry> contains <sphere>"),
    ({"joint": '\n<origin xyz="1 0 0"/>\n<origin xyz="2 0 0"/>'}, 8, f"{JOINT}/origin[2]",
     "<joint> contains <origin>")])
def test_repeated_content_counts_once_with_a_warning(parts, line, path, words):
    assert findings(**parts) == ([("urdf-content-repeated", "warning", line, path)],
                                 [f"{words} more than once; only the first is used"])


@pytest.mark.parametrize("link, hint", [
    (INERTIAL * 2, "remove the others"),
    ('<visual><geometry><box size="1 1 1"/></geometry><origin/><origin/></visual>', "remove the others"),
    ('<collision><geometry><box size="1 1 1"/></geometry><geometry><sphere radius="1"/></geometry></collision>',
     "remove the others; write one <visual> or <collision> for each shape"),
    ('<collision><geometry><box size="1 1 1"/><sphere radius="1"/></geometry></collision>',
     "remove the others; write one <visual> or <collision> for each shape")])
def test_the_hint_for_repeated_content_speaks_of_shapes_only_at_shapes(link, hint):
    document, _ = read_xml(f'<robot name="r"><link name="a">{link}</link></robot>')
    assert [d.hint for d in read_robot(document)[1]] == [hint]


@pytest.mark.parametrize("parts", [
    {"robot": ' version="1.0"', "inside": '<origin xyz="1 2 3" rpy="0 0 1"/>', "link": INERTIAL},
    {"link": f"<visual>{BOX}</visual><visual>{BOX}</visual><collision>{BOX}</collision><collision>{BOX}</collision>"},
    {"robot": ' version="1.1"', "joint": '<origin xyz="0 0 0" quat_xyzw="0 0 1 0"/>'},
    # Of another program, or for a person.
    {"robot": ' xmlns:my="urn:my" my:colour="red" xml:lang="en"', "link": "<my:colision/>",
     "inside": "<my:links/><!-- some text -->"},
    {"inside": "<transmission name='t'><links/></transmission><ros2_control name='c'><links/></ros2_control>"}])
def test_known_content_and_names_with_a_prefix_get_no_warning(parts):
    assert findings(**parts) == ([], [])


LINK_A = '<link name="a"/>'


@pytest.mark.parametrize("content, program", [
    ("<mujoco><compiler/></mujoco>", "MuJoCo"), ("<isaac_sim_config/>", "Isaac Sim"), ("<loop_joint/>", "Isaac Sim"),
    ('<frame name="f" link="a"/>', "Drake"), ('<link name="a"><collision concave="yes"/></link>', "PyBullet"),
    ('<link name="a"><contact><lateral_friction value="1"/></contact></link>', "PyBullet")])
def test_elements_of_other_programs_are_not_to_be_removed(content, program):
    document, _ = read_xml(f'<robot name="r">{content}{"" if "<link" in content else LINK_A}</robot>')
    (found,) = [d for d in read_robot(document)[1] if d.name.startswith("urdf-content")]
    assert (found.name, found.severity) == ("urdf-content-of-others", "info")
    assert f"which {program} reads; in the SDF it has no effect" in found.message and "remove" not in found.hint


def test_an_attribute_of_another_program_is_not_to_be_removed():
    """Isaac Sim keeps a fixed joint that has it."""
    ends = '<parent link="a"/><child link="b"/>'
    text = (f'<robot name="r">{LINK_A}<link name="b"/>'
            f'<joint name="j" type="fixed" dont_collapse="true" colour="red">{ends}</joint></robot>')
    unknown, theirs = sorted(d for d in read_robot(read_xml(text)[0])[1] if d.name.startswith("urdf-content"))
    assert (theirs.name, theirs.severity) == ("urdf-content-of-others", "info")
    assert theirs.column == text.index("true") + 1
    assert theirs.message == ("<joint> contains attribute dont_collapse, which Isaac Sim reads; in the SDF it has no "
                              "effect")
    assert unknown.name == "urdf-content-unknown" and "attribute colour," in unknown.message


def test_equal_warnings_are_reported_once_with_a_count():
    assert findings(link="<colision/>\n<colision/><colision/>") == (
        [("urdf-content-unknown", "warning", 4, f"{LINK}/colision[1]")],
        ["<link> contains <colision>, which URDF does not define; it has no effect (3 times, here first)"])


@pytest.mark.parametrize("attributes, text", [
    ('xyz="1 2" rpy="0 0 0"', 'xyz="1 2"'), ('xyz="1 2 3 4"', 'xyz="1 2 3 4"'), ('xyz="1 2 nan"', 'xyz="1 2 nan"'),
    ('xyz=""', 'xyz=""'), ('rpy="a b c"', 'rpy="a b c"'), ('rpy="0,0,0"', 'rpy="0,0,0"')])
def test_a_malformed_origin_of_the_robot_counts_as_zeros(attributes, text):
    found, (message,) = findings(f"<!-- -->\n<origin {attributes}/>")
    assert found == [("model-origin-malformed", "warning", 3, f"{ROBOT}/origin")]
    assert message == f"<origin> of <robot>: {text} is not 3 numbers; zeros are used"


@pytest.mark.parametrize("name", ["", ' name=""'])
def test_a_joint_needs_a_name(name):
    assert findings(f'\n<joint{name} type="fixed"><parent link="a"/><child link="b"/></joint>')[0] == [
        ("joint-name-missing", "error", 3, f"{ROBOT}/joint" + ('[@name=""]' if name else "[1]"))]
    assert findings('<link name="c"/><joint name="k" type="fixed"><parent link="a"/><child link="c"/></joint>')[0] == []


def test_an_attribute_of_a_gazebo_block_that_nobody_knows_is_reported():
    from written_text import convert_text
    _, conversion, _ = convert_text(
        '<robot name="r"><link name="l"/>\n<gazebo reference="l" colour="red"><visual size="1"/>'
        '<collision size="2"/></gazebo></robot>')
    assert {(row.element, row.line) for row in conversion.rows if row.action == "dropped"} >= {
        ("gazebo/@colour", 2), ("visual/@size", 2), ("collision/@size", 2)}


# Attributes a to q and texts 0 to 15, each where URDF has none; n, o, p and texts 12, 14 and 15 are another program's.
EVERYWHERE = """<robot name="r" a="1" b="2">0
<origin xyz="1 2 3" c="1">1<x/></origin>
<origin d="1"/>
<material name="m" e="1">2<color rgba="1 1 1 1" f="1">3</color><color/><gloss/></material>
<link name="l" g="1">4
<inertial h="1">5<mass value="1">6</mass><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/><mass/></inertial>
<visual>7<geometry>8<box size="1 1 1">9</box></geometry></visual>
</link><link name="k"/>
<joint name="j" type="fixed" i="1">10<parent link="l" k="1"/><child link="k"/><axis/><axis/><hardware/></joint>
<gazebo reference="l" l="1">11<visual m="1">12<n/></visual><o/></gazebo>
<gazebo>13</gazebo>
<sensor name="s">14<p/></sensor><transmission q="1">15</transmission>
</robot>"""
UNKNOWN, AGAIN = "URDF does not define it", "an earlier one is used"


def test_everything_that_nobody_reads_is_listed_in_the_order_of_elements():
    def text(number):
        return f"URDF has no text here: '{number}'"
    robot, _ = read_robot(read_xml(EVERYWHERE, "r.urdf")[0])
    assert [(part.kind, part.owner, part.name, part.reason, line_of(part.element)) for part in robot.left_out] == [
        (kind, owner, "", reason, line) for kind, owner, reason, line in [
            ("robot/@a", "r", UNKNOWN, 1), ("robot/@b", "r", UNKNOWN, 1), ("robot/text()", "r", text(0), 1),
            ("origin/@c", "r", UNKNOWN, 2), ("origin/text()", "", text(1), 2), ("origin/x", "r", UNKNOWN, 2),
            ("robot/origin", "r", AGAIN, 3),
            ("material/@e", "m", UNKNOWN, 4), ("material/text()", "m", text(2), 4),
            ("color/@f", "m", UNKNOWN, 4), ("color/text()", "m", text(3), 4),
            ("material/color", "m", AGAIN, 4), ("material/gloss", "m", UNKNOWN, 4),
            ("link/@g", "l", UNKNOWN, 5), ("link/text()", "l", text(4), 5),
            ("inertial/@h", "l", UNKNOWN, 6), ("inertial/text()", "l", text(5), 6), ("mass/text()", "l", text(6), 6),
            ("inertial/mass", "l", AGAIN, 6),
            ("visual/text()", "l", text(7), 7), ("geometry/text()", "l", text(8), 7), ("box/text()", "l", text(9), 7),
            ("joint/@i", "j", UNKNOWN, 9), ("joint/text()", "j", text(10), 9), ("parent/@k", "j", UNKNOWN, 9),
            ("joint/axis", "j", "joints of this type have no axis", 9),
            ("joint/axis", "j", AGAIN, 9), ("joint/hardware", "j", UNKNOWN, 9),
            ("gazebo/@l", "l", UNKNOWN, 10), ("gazebo/text()", "l", text(11), 10), ("visual/@m", "l", UNKNOWN, 10),
            ("gazebo/text()", "", text(13), 11)]]


def test_what_the_schema_of_urdfdom_has_is_no_finding_but_a_row():
    """link/@type, collision/verbose and calibration/@reference_position of its xsd/urdf.xsd; no program reads them."""
    text = (f'<robot name="r"><link name="a" type="laser"/><link name="b">\n<collision>{BOX}<verbose value="1"/>'
            '</collision></link>\n<joint name="j" type="fixed"><parent link="a"/><child link="b"/>'
            '<calibration rising="0" reference_position="1"/></joint></robot>')
    robot, found = read_robot(read_xml(text)[0])
    assert found == ()
    assert [(part.kind, line_of(part.element), part.reason) for part in robot.left_out] == [
        (kind, line, "no reader of URDF uses it") for kind, line in (
            ("link/@type", 1), ("collision/verbose", 2), ("calibration/@reference_position", 3))]


def test_everything_that_nobody_reads_is_reported_once_a_kind():
    """An axis of a fixed joint is no finding; the texts of both <gazebo> are one."""
    found = read_robot(read_xml(EVERYWHERE, "r.urdf")[0])[1]
    line = [text.partition(" contains ") for text in (
        "robot contains attributes a, b", "robot contains text", "origin contains attribute c", "origin contains text",
        "origin contains <x>", "robot contains <origin>", "material contains attribute e", "material contains text",
        "color contains attribute f", "color contains text", "material contains <color>", "material contains <gloss>",
        "link contains attribute g", "link contains text", "inertial contains attribute h", "inertial contains text",
        "mass contains text", "inertial contains <mass>", "visual contains text", "geometry contains text",
        "box contains text", "joint contains attribute i", "joint contains text", "parent contains attribute k",
        "joint contains <axis>", "joint contains <hardware>", "gazebo contains attribute l", "gazebo contains text",
        "visual contains attribute m", "robot contains <sensor>")]
    again = ("<origin>", "<color>", "<mass>", "<axis>")
    assert [(d.name, d.message) for d in found] == [
        ("urdf-sensor-unused", "<robot> contains <sensor>, which URDF readers ignore")
        if what == "<sensor>" else
        ("urdf-content-repeated", f"<{tag}> contains {what} more than once; only the first is used") if what in again
        else ("urdf-content-unknown", f"<{tag}> contains {what}, which URDF does not define; "
              + ("they have no effect" if what == "attributes a, b" else "it has no effect")
              + (" (2 times, here first)" if tag == "gazebo" and what == "text" else ""))
        for tag, _, what in line]
    assert [d.column for d in found[:3]] == [20, 1, 24]


def test_a_macro_in_a_link_was_not_expanded_and_other_prefixes_are_for_others():
    """In the robot itself, macros are one finding of another kind."""
    found, _ = findings(link='<xacro:box xmlns:xacro="u"/>\n<a:b xmlns:a="u"/>')
    assert found == [("urdf-content-unknown", "warning", 4, f"{LINK}/xacro:box")]


@pytest.mark.parametrize("count, named", [(20, ""), (21, " and 1 more")])
def test_twenty_attributes_are_named(count, named):
    _, (message,) = findings(robot=" " + " ".join(f'a{i}="1"' for i in range(count)))
    listed = ", ".join(f"a{i}" for i in range(20))
    assert message == f"<robot> contains attributes {listed}{named}, which URDF does not define; they have no effect"


def test_attributes_with_a_prefix_are_listed_by_it():
    text = ('<robot name="r" xmlns:p="urn:p" p:a="1" xml:lang="en"><link name="l" q:b="1" xmlns:s="urn:s" s:c="1"/>'
            '<xacro:x xmlns:xacro="u"/></robot>')
    robot, found = read_robot(read_xml(text)[0])
    assert [part.kind for part in robot.left_out] == ["robot/@p:a", "robot/@xml:lang", "link/@q:b", "link/@s:c"]
    assert [d.name for d in found] == ["xacro-unexpanded"]


def test_shapes_of_one_kind_count_once_and_a_long_text_is_cut():
    robot, _ = read_robot(read_xml(
        '<robot name="r"><link name="l"><visual><geometry><torus/><box size="1 1 1"/><box/><mesh/></geometry></visual>'
        f'{"x" * 30}</link><link name="k">{"y" * 31}</link><joint name="j" type="fixed"><parent link="l"/>'
        '<child link="k"/></joint></robot>')[0])
    assert [(part.kind, part.owner, part.reason) for part in robot.left_out] == [
        ("link/text()", "l", f"URDF has no text here: '{'x' * 30}'"),  # found behind <visual>
        ("geometry/torus", "l", UNKNOWN), ("geometry/box", "l", AGAIN), ("geometry/mesh", "l", AGAIN),
        ("link/text()", "k", f"URDF has no text here: '{'y' * 30}'")]
