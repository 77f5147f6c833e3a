"""Parts of links and joints that cannot be read: what is said, and at which element or value (``^``)."""
from math import atan2, pi

import pytest
from urdf_text import with_lines

import sdf_frames as sf
from sdf_frames.document.elements import line_of
from sdf_frames.document.xml_in import read_xml
from sdf_frames.urdf.model import (
    Box,
    Calibration,
    Capsule,
    Collision,
    Cylinder,
    Dynamics,
    Inertial,
    Joint,
    Limit,
    Link,
    Material,
    Mesh,
    Mimic,
    Origin,
    Safety,
    Sphere,
    Visual,
)
from sdf_frames.urdf.parse import read_robot

JOINT = '<robot name="r" version="1.1"><link name="a"/><link name="b"/>\n<joint name="j" type="{}">{}</joint></robot>'
ENDS = '<parent link="a"/><child link="b"/>'
LINK = '<robot name="r" version="1.1"><link name="a">\n{}</link></robot>'
SPHERE = '<geometry><sphere radius="1"/></geometry>'


def judge(text):
    """The robot, and rule, message and column of each finding, all of line 2; the columns of the marks."""
    line = text.split("\n")[1]
    marks = [len("".join(line.split("^")[:i + 1])) + 1 for i in range(line.count("^"))]
    robot, found = read_robot(read_xml(text.replace("^", ""), "r.urdf")[0])
    assert {d.line for d in found} <= {2}
    return robot, [(d.name, d.message, d.column) for d in found], marks


@pytest.mark.parametrize("part, said", [
    ('^<limit velocity="1"/>', "<limit> has no effort"), ('^<limit effort="1"/>', "<limit> has no velocity"),
    ('<limit effort="^x" velocity="1"/>', '<limit> effort="x" is not a number'),
    ('<limit effort="1" velocity="^x"/>', '<limit> velocity="x" is not a number'),
    ('<limit lower="^x" effort="1" velocity="1"/>', '<limit> lower="x" is not a number'),
    ('<limit upper="^1 2" effort="1" velocity="1"/>', '<limit> upper="1 2" is not a number'),
    ("^<dynamics/>", "<dynamics> has no damping or friction"),
    ('<dynamics damping="^x"/>', '<dynamics> damping="x" is not a number'),
    ('<dynamics friction="^x"/>', '<dynamics> friction="x" is not a number'),
    ("^<mimic/>", "<mimic> has no joint"),
    ('<mimic joint="k" multiplier="^x"/>', '<mimic> multiplier="x" is not a number'),
    ('<mimic joint="k" offset="^x"/>', '<mimic> offset="x" is not a number'),
    ("^<safety_controller/>", "<safety_controller> has no k_velocity"),
    ('<safety_controller k_velocity="^x"/>', '<safety_controller> k_velocity="x" is not a number'),
    ('<safety_controller k_velocity="1" k_position="^x"/>', '<safety_controller> k_position="x" is not a number'),
    ('<safety_controller k_velocity="1" soft_lower_limit="^x"/>',
     '<safety_controller> soft_lower_limit="x" is not a number'),
    ('<safety_controller k_velocity="1" soft_upper_limit="^x"/>',
     '<safety_controller> soft_upper_limit="x" is not a number'),
    ('<calibration rising="^x"/>', '<calibration> rising="x" is not a number'),
    ('<calibration falling="^x"/>', '<calibration> falling="x" is not a number'),
    ('<origin xyz="^1 2" rpy="0 0 0"/>', '<origin> xyz="1 2" is not 3 numbers'),
    ('<origin xyz="1 2 3" rpy="^1 2 3 4"/>', '<origin> rpy="1 2 3 4" is not 3 numbers'),
    ('<origin quat_xyzw="^1 2 3"/>', '<origin> quat_xyzw="1 2 3" is not 4 numbers'),
    ('<origin xyz="^1 2" quat_xyzw="0 0 0 1"/>', '<origin> xyz="1 2" is not 3 numbers'),
    ('<axis xyz="^1 2"/>', '<axis> xyz="1 2" is not 3 numbers')])
def test_a_part_of_a_joint_that_refuses_the_robot(part, said):
    robot, found, marks = judge(JOINT.format("continuous", ENDS + part))
    only_urdfdom = said.startswith(("<safety", "<calibration"))
    rule = "joint-attribute-missing" if " has no " in said else (
        "joint-attribute-refused" if only_urdfdom else "joint-attribute-malformed")
    assert robot is None and found == [(rule, f"joint 'j': {said}", *marks)]


@pytest.mark.parametrize("shape, said", [
    ("^<visual/>", "it has no <geometry>"), ("<visual>^<geometry/></visual>", "<geometry> is empty"),
    ("<visual><geometry>^<torus/></geometry></visual>", "<torus> is not a known shape"),
    ("<visual><geometry>^<box/></geometry></visual>", "<box> has no size"),
    ('<visual><geometry><box size="^1 2"/></geometry></visual>', 'size="1 2" is not 3 numbers'),
    ("<visual><geometry>^<sphere/></geometry></visual>", "<sphere> has no radius"),
    ('<visual><geometry><sphere radius="^x"/></geometry></visual>', 'radius="x" is not a number'),
    ('<visual><geometry>^<cylinder length="1"/></geometry></visual>', "<cylinder> has no radius"),
    ('<visual><geometry>^<cylinder radius="1"/></geometry></visual>', "<cylinder> has no length"),
    ('<visual><geometry><cylinder radius="^1 2" length="1"/></geometry></visual>', 'radius="1 2" is not a number'),
    ('<visual><geometry><capsule radius="1" length="^x"/></geometry></visual>', 'length="x" is not a number'),
    ("<visual><geometry>^<mesh/></geometry></visual>", "<mesh> has no filename"),
    ('<visual><geometry>^<mesh filename="  "/></geometry></visual>', "<mesh> has no filename"),
    ('<visual><geometry>^<mesh filename="" scale="1"/></geometry></visual>', "<mesh> has no filename"),
    ('<visual><geometry><mesh filename="f" scale="^1"/></geometry></visual>', 'scale="1" is not 3 numbers'),
    (f'<visual>{SPHERE}<origin xyz="^x"/></visual>', 'xyz="x" is not 3 numbers')])
@pytest.mark.parametrize("kind", ["visual", "collision"])
def test_a_shape_that_is_left_out(kind, shape, said):
    robot, found, marks = judge(LINK.format(shape.replace("visual", kind)))
    assert found == [("shape-left-out", f"link 'a': a {kind} is left out: {said}", *marks)]
    assert with_lines(robot.links) == (Link("a", element=1),)
    assert [(part.kind, part.owner, part.name, part.reason, line_of(part.element)) for part in robot.left_out] == [
        (kind, "a", "", said, 2)]


@pytest.mark.parametrize("wrong, right, hint", [
    ('<cylinder radius="0.1" length="50mm"/>', '<cylinder radius="0.1" length="0.05"/>',
     "write numbers without units; URDF has metres, radians, kilograms and seconds"),
    ('<cilinder radius="0.1" length="1"/>', '<cylinder radius="0.1" length="1"/>', "did you mean 'cylinder'?"),
    ('<Box size="1 2 3"/>', '<box size="1 2 3"/>', "did you mean 'box'?"),
    ('<box size="1, 2, 3"/>', '<box size="1 2 3"/>', "separate numbers by spaces, without brackets and commas: 1 2 3"),
    ('<mesh filename="f" scale="0.001"/>', '<mesh filename="f" scale="0.001 0.001 0.001"/>',
     'write scale="0.001 0.001 0.001"')])
def test_what_would_mend_a_shape(wrong, right, hint):
    said, silence = (sf.loads(LINK.format(f"<visual><geometry>{shape}</geometry></visual>")).findings
                     for shape in (wrong, right))
    assert [d.hint for d in said if d.name == "shape-left-out"] == [hint]
    assert not [d for d in silence if d.name == "shape-left-out"]


@pytest.mark.parametrize("child", ['<child name="b"/>', "<child>b</child>"])
def test_what_would_mend_an_end_of_a_joint(child):
    text = ('<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="fixed"><parent link="a"/>'
            f"{child}</joint></robot>")
    hints = [d.hint for d in sf.loads(text).findings if d.name == "joint-link-missing"]
    assert hints == ['write <child link="b"/>']
    assert sf.loads(text.replace(child, hints[0].removeprefix("write "))).joints["j"].child == "b"


SIX = 'ixx="1" ixy="2" ixz="3" iyy="4" iyz="5" izz="6"'
ZERO_INERTIA, NO_MASS = "its inertia is treated as zero", "the link is treated as massless"


@pytest.mark.parametrize("inside, said, inertial", [
    ("", f"<inertial> has no <mass>; {NO_MASS}", None),
    (f"<inertia {SIX}/>", f"<inertial> has no <mass>; {NO_MASS}", None),
    ('<mass value="1"/>', f"<inertial> has no <inertia>; {ZERO_INERTIA}", (1, 0, 0, 0, 0, 0, 0)),
    ('<mass value="1"/>^<inertia ixx="1" iyy="1" izz="1"/>', f"<inertia> has no ixy, ixz, iyz; {ZERO_INERTIA}",
     (1, 0, 0, 0, 0, 0, 0)),
    *[(f'<mass value="1"/><inertia {SIX.replace("5", "^" + text)}/>', f'iyz="{text}" is not a number; {ZERO_INERTIA}',
       (1, 0, 0, 0, 0, 0, 0)) for text in ("x", "nan", "inf", "1_0", "\uff11", "5 5", "")],
    (f"^<mass/><inertia {SIX}/>", f"<mass> has no value; {NO_MASS}", None)])
def test_an_inertial_as_far_as_it_can_be_read(inside, said, inertial):
    robot, found, marks = judge(LINK.format(("" if "^" in inside else "^") + f"<inertial>{inside}</inertial>"))
    assert found == [("inertial-incomplete", f"link 'a': {said}", *marks)]
    assert with_lines(robot.links[0].inertial) == (inertial and Inertial(Origin(), *inertial, 2))


@pytest.mark.parametrize("inside, said", [
    *[(f'<mass value="^{text}"/>', f'<mass> value="{text}" is not a number') for text in ("x", "", "1,5", "inf")],
    ('<mass value="1"/><origin rpy="^x"/>', '<origin> rpy="x" is not 3 numbers'),
    ('<origin xyz="^1"/><mass value="x"/>', '<origin> xyz="1" is not 3 numbers')])
def test_a_mass_that_is_written_and_unknown(inside, said):
    robot, found, marks = judge(LINK.format(f"<inertial>{inside}<inertia {SIX}/></inertial>"))
    assert found == [("mass-unknown", f"link 'a': the mass in its <inertial> cannot be used: {said}", *marks)]
    assert [(link.name, link.inertial) for link in robot.links] == [("a", None)]  # the kinematics do not depend on it


@pytest.mark.parametrize("colour, read, is_found", [
    ("0 0.5 1 1", (0, 0.5, 1, 1), False), ("1 1 1", None, True), ("1 1 1 1 1", None, True), ("a b c d", None, True),
    ("-0.5 0 2 1", (0, 0, 1, 1), True), ("1 1 1 1.5", (1, 1, 1, 1), True)])
def test_colours(colour, read, is_found):
    text = f'<visual>{SPHERE}<material name="m"><texture filename="t"/><color rgba="^{colour}"/></material></visual>'
    robot, found, marks = judge(LINK.format(text))
    assert with_lines(robot.links[0].visuals[0].material) == Material("m", read, "t", 2)
    assert found == [("colour-malformed", f"material 'm': rgba=\"{colour}\" is not four numbers from 0 to 1",
                      *marks)] * is_found


def test_the_first_of_repeated_parts_counts():
    part = '<origin xyz="{0} 0 0"/><mass value="{0}"/><inertia ixx="{0}" ixy="0" ixz="0" iyy="{0}" iyz="0" izz="{0}"/>'
    shape = ('<origin xyz="{0} 0 0"/><geometry><sphere radius="{0}"/></geometry><material name="m{0}">'
             '<color rgba="0 0 0 1"/><color rgba="1 0 0 1"/><texture filename="{0}"/><texture filename="u"/>'
             "</material>")
    first = [text.format(1) + text.format(2) for text in (part, shape)]
    robot, _, _ = judge(LINK.format(f'<inertial>{first[0]}</inertial><inertial>{part.format(3)}</inertial>'
                                    f'<visual name="v">{first[1]}</visual><collision>{first[1]}</collision>'))
    place = Origin((1, 0, 0), (0, 0, 0))
    assert with_lines(robot.links) == (Link(
        "a", Inertial(place, 1, 1, 0, 0, 1, 0, 1, 2),
        (Visual("v", place, Sphere(1), Material("m1", (0, 0, 0, 1), "1", 2), 2),),
        (Collision("", place, Sphere(1), 2),), 1),)
    again = ["inertial/origin", "inertial/mass", "inertial/inertia", "link/inertial", "visual/origin",
             "visual/geometry", "visual/material", "material/color", "material/texture", "collision/origin",
             "collision/geometry", "collision/material", "collision/material"]
    assert sorted(part.kind for part in robot.left_out) == sorted(again)


@pytest.mark.parametrize("inside, kinds", [
    ('<color rgba="0 0 0 1"/><color rgba="1 0 0 1"/>', ["material/color"]), ('<color rgba="0 0 0 1"/>', []),
    ('<color rgba="0 0 0 1"/><texture filename="t"/>', []),
    ('<texture filename="t"/><texture filename="u"/>', ["material/texture"])])
def test_a_material_has_one_colour_and_one_texture(inside, kinds):
    robot, _, _ = judge(LINK.format(f'<visual>{SPHERE}<material name="m">{inside}</material></visual>'))
    assert [part.kind for part in robot.left_out] == kinds


def test_everything_that_a_joint_says():
    parts = ('<origin rpy="0 0 3" xyz="1 2 3"/><axis xyz="0 2 0"/><limit velocity="4" effort="3" upper="2" lower="1"/>'
             '<dynamics friction="2" damping="1"/><mimic offset="3" multiplier="2" joint="k"/>'
             '<safety_controller soft_upper_limit="4" soft_lower_limit="3" k_position="2" k_velocity="1"/>'
             '<calibration falling="2" rising="1"/>')
    robot, found, _ = judge(JOINT.format("revolute", '<child link="b"/>' + parts + '<parent link="a"/>'))
    assert found == []
    assert with_lines(robot.joints) == (Joint(
        "j", "revolute", "a", "b", Origin((1, 2, 3), (0, 0, 3)), (0, 2, 0), Limit(1, 2, 3, 4, 2), Dynamics(1, 2, 2),
        Mimic("k", 2, 3, 2), Safety(1, 2, 3, 4, 2), Calibration(1, 2, 2), 2),)


def test_defaults_of_the_parts_of_a_joint():
    parts = ('<limit velocity="4" effort="3"/><dynamics damping="1"/><mimic joint="k"/><safety_controller '
             'k_velocity="1"/><calibration/>')
    robot, found, _ = judge(JOINT.format("revolute", ENDS + parts))
    assert found == []
    assert with_lines(robot.joints) == (Joint(
        "j", "revolute", "a", "b", Origin(), (1, 0, 0), Limit(0, 0, 3, 4, 2), Dynamics(1, 0, 2), Mimic("k", 1, 0, 2),
        Safety(1, 0, 0, 0, 2), Calibration(None, None, 2), 2),)
    robot, _, _ = judge(JOINT.format("continuous", ENDS + '<dynamics friction="1"/><calibration falling="1"/>'))
    joint = with_lines(robot.joints[0])
    assert joint.dynamics == Dynamics(0, 1, 2) and joint.calibration == Calibration(None, 1, 2)


@pytest.mark.parametrize("kind, has_axis, is_bounded", [
    ("revolute", True, True), ("continuous", True, False), ("prismatic", True, True), ("fixed", False, False),
    ("floating", False, False), ("planar", True, False)])
def test_types_of_joints(kind, has_axis, is_bounded):
    """An axis that means nothing may say anything; a limit that is not needed is read all the same."""
    robot, found, _ = judge(JOINT.format(kind, ENDS))
    assert (robot is None) is is_bounded
    hint = f"joint 'j' is {kind} and has no <limit>"
    assert found == [("joint-limit-missing", hint, 1)] * is_bounded
    limit = '<limit effort="1" velocity="2"/>'
    robot, found, _ = judge(JOINT.format(kind, ENDS + limit))
    assert found == [] and robot.joints[0].axis == ((1, 0, 0) if has_axis else None)
    assert with_lines(robot.joints[0].limit) == Limit(0, 0, 1, 2, 2)
    robot, found, _ = judge(JOINT.format(kind, ENDS + limit + '<axis xyz="nonsense"/>'))
    assert (robot is None) is has_axis and len(found) == has_axis


@pytest.mark.parametrize("text, shape", [
    ('<box size=" 1  2\n3 "/>', Box((1, 2, 3))), ('<sphere radius="3"/>', Sphere(3)),
    ('<cylinder length="2" radius="1"/>', Cylinder(1, 2)), ('<capsule length="2" radius="1"/>', Capsule(1, 2)),
    ('<mesh scale="1 2 3" filename="f"/>', Mesh("f", (1, 2, 3)))])
def test_shapes(text, shape):
    robot, found = read_robot(read_xml(LINK.format(f"<collision><geometry>{text}</geometry></collision>"))[0])
    said = ["urdf-content-disputed"] if "\n" in text else []
    assert [d.name for d in found] == said and robot.links[0].collisions[0].geometry == shape


@pytest.mark.parametrize("first, second", [("<torus/>", '<box size="1 1 1"/>'), ("<!-- -->", '<sphere radius="2"/>')])
def test_the_first_shape_that_is_known_counts(first, second):
    robot, _ = read_robot(read_xml(LINK.format(f"<visual><geometry>{first}{second}</geometry></visual>"))[0])
    assert robot.links[0].visuals[0].geometry in (Box((1, 1, 1)), Sphere(2))


@pytest.mark.parametrize("kind, inside", [("link", ""), ("material", '<color rgba="0 0 0 1"/>'), ("joint", ENDS)])
def test_the_second_of_a_name_is_reported_with_the_first(kind, inside):
    one = f'<{kind} name="^x" type="fixed">{inside}</{kind}>'
    text = f'<robot name="r"><link name="a"/><link name="b"/>\n{one}{one}</robot>'
    marks = [len("".join(text.split("\n")[1].split("^")[:i + 1])) + 1 for i in range(2)]
    robot, found = read_robot(read_xml(text.replace("^", ""), "r.urdf")[0])
    (found,) = [d for d in found if d.name == "urdf-name-duplicate"]
    assert robot is None and found.severity == "error"
    assert (found.message, found.line, found.column) == (f"a {kind} named 'x' is already defined", 2, marks[1])
    assert [(r.message, r.line, r.column) for r in found.related] == [(f"the first {kind} 'x'", 2, marks[0])]


@pytest.mark.parametrize("robot, rule, message", [
    ('^<robot><link name="a"/></robot>', "robot-name-missing", "<robot> has no name"),
    ('<robot name="r" version="^2.0"><link name="a"/></robot>', "urdf-version-unknown",
     "URDF version '2.0' is unknown; the versions are 1.0, 1.1 and 1.2"),
    ('<robot name="r" version="^1"><link name="a"/></robot>', "urdf-version-unknown", "URDF version '1' is unknown"),
    ('^<robot name="r"/>', "robot-without-links", "robot 'r' has no <link>"),
    ('<robot name="r">^<link/><link name="a"/></robot>', "link-name-missing", "a <link> has no name"),
    ('<robot name="r"><link name="a"/>^<joint/></robot>', "joint-name-missing", "a <joint> has no name"),
    ("^<model/>", "not-a-robot-description", "the root element is <model>, neither <robot> (URDF) nor <sdf>"),
    ('<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="^hinge"><parent link="a"/>'
     '<child link="b"/></joint></robot>', "joint-type-unknown", "joint 'j' has an unknown type 'hinge'"),
    ('<robot name="r"><link name="a"/><link name="b"/>^<joint name="j" type="fixed"><parent link="a"/></joint></robot>',
     "joint-link-missing", "joint 'j' has no child link"),
    ('<robot name="r"><link name="a"/><x:y xmlns:x="u"/>^<xacro:z xmlns:xacro="u"/></robot>', "xacro-unexpanded",
     "the robot still has 1 xacro element, the first is <xacro:z>:")])
def test_what_of_a_robot_is_reported_where(robot, rule, message):
    read, found, marks = judge("\n" + robot)
    assert (read is None) == (rule != "xacro-unexpanded")
    assert [(name, said[:len(message)], column) for name, said, column in found] == [(rule, message, *marks)]


@pytest.mark.parametrize("quaternion, rpy", [
    ("1 0 0 0", (pi, 0, 0)), ("0 0 3 4", (0, 0, 2 * atan2(3, 4))), ("0 0 0 1", (0, 0, 0)), ("1 0 0 1", (pi / 2, 0, 0)),
    ("0 2 0 2", (0, pi / 2, 0)), ("0 0 0 1e-9", (0, 0, 0)), ("1 1 0 0", (pi, 0, pi / 2)), ("9e-10 0 0 0", (pi, 0, 0))])
def test_a_quaternion_as_angles(quaternion, rpy):
    """About the fixed axes x, y, z."""
    robot, found, _ = judge(JOINT.format("fixed", ENDS + f'<origin xyz="1 2 3" quat_xyzw="{quaternion}"/>'))
    assert found == [] and robot.joints[0].origin.xyz == (1, 2, 3)
    assert robot.joints[0].origin.rpy == pytest.approx(rpy, abs=1e-12)
