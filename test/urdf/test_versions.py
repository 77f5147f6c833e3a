"""What each version of URDF has. Expected: what check_urdf of urdfdom 6.0 says of the same texts (test/peers)."""
import pytest

from sdf_frames.document.xml_in import read_xml
from sdf_frames.urdf.parse import read_robot

JOINT = ('<link name="a"/><link name="b"/><joint name="j" type="{}"><parent link="a"/><child link="b"/>'
         '<axis xyz="0 0 1"/>{}</joint>')
LINK = '<link name="a"><visual><geometry>{}</geometry></visual></link>'
FULL = '<limit lower="0" upper="1" effort="1" velocity="1"/>'
VERSIONS = ("1.0", "1.1", "1.2")
#: A robot's content, and the versions that urdfdom refuses.
REFUSED = {
    JOINT.format("revolute", FULL + '<origin quat_xyzw="0 0 0 1"/>'): (),
    JOINT.format("revolute", FULL + '<origin quat_xyzw="0 0 0 0"/>'): (),
    JOINT.format("revolute", FULL + '<origin quat_xyzw="0 0 1"/>'): ("1.1", "1.2"),
    JOINT.format("revolute", FULL + '<origin rpy="0 0 0" quat_xyzw="0 0 0 1"/>'): ("1.1", "1.2"),
    JOINT.format("revolute", '<limit upper="1" effort="1" velocity="1"/>'): ("1.2",),
    JOINT.format("prismatic", '<limit lower="-1" effort="1" velocity="1"/>'): ("1.2",),
    JOINT.format("continuous", '<limit effort="1" velocity="1"/>'): (),
    JOINT.format("revolute", '<limit lower="0" upper="1" velocity="1"/>'): ("1.0", "1.1"),
    JOINT.format("continuous", '<limit effort="1"/>'): ("1.0", "1.1"),
    JOINT.format("prismatic", '<limit lower="2" upper="1" effort="1" velocity="1"/>'): ("1.2",),
    JOINT.format("continuous", '<limit lower="2" upper="1" effort="1" velocity="1"/>'): ("1.2",),
    JOINT.format("revolute", '<limit lower="0" upper="1" effort="-1" velocity="1"/>'): ("1.2",),
    JOINT.format("revolute", '<limit lower="0" upper="1" effort="1" velocity="-1"/>'): ("1.2",),
    JOINT.format("revolute", FULL.replace("/>", ' acceleration="1" deceleration="2" jerk="3"/>')): (),
    JOINT.format("revolute", FULL.replace("/>", ' acceleration="-1"/>')): ("1.2",),
    JOINT.format("revolute", FULL.replace("/>", ' jerk="x"/>')): ("1.2",),
    LINK.format('<capsule radius="1" length="1"/>'): (), LINK.format('<sphere radius="0"/>'): ()}
#: What a shape holds, and the versions in which urdfdom drops it with the shapes behind it.
DROPPED = {
    '<geometry><sphere radius="0"/></geometry>': ("1.2",), '<geometry><box size="0 1 1"/></geometry>': ("1.2",),
    '<geometry><sphere radius="1 "/></geometry>': VERSIONS, '<geometry><box size="1 1 1 "/></geometry>': (),
    '<geometry><capsule radius="1" length="1"/></geometry>': ("1.0",),
    '<geometry><capsule radius="1" length="0"/></geometry>': ("1.0", "1.2"),
    '<origin rpy="0 0 0" quat_xyzw="0 0 0 1"/><geometry><sphere radius="1"/></geometry>': ("1.1", "1.2")}


def write(content, version):
    return f'<robot name="r" version="{version}">{content}</robot>'


def read(content, version):
    return read_robot(read_xml(write(content, version), "r.urdf")[0])


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("content", REFUSED)
def test_what_urdfdom_refuses_is_refused(content, version):
    assert (read(content, version)[0] is None) == (version in REFUSED[content])


@pytest.mark.parametrize("content, rule, where", [
    (JOINT.format("fixed", '<origin xyz="1 2 3" quat_xyzw="0 0 1 1"/>'),
     "<origin> has quat_xyzw: it came with URDF 1.1, and this file is URDF 1.0; urdfdom ignores it",
     '/joint[@name="j"]/origin'),
    (LINK.format('<capsule radius="1" length="2"/>'),
     "<geometry> has <capsule>: it came with URDF 1.1, and this file is URDF 1.0; urdfdom drops this shape, and all "
     "that follow it in the link", '/link[@name="a"]/visual/geometry/capsule'),
    (JOINT.format("revolute", FULL.replace("/>", ' jerk="3"/>')),
     "<limit> has jerk: it came with URDF 1.2, and this file is URDF 1.0; urdfdom ignores it",
     '/joint[@name="j"]/limit')])
def test_what_came_later_is_a_finding_where_it_stands(content, rule, where):
    robot, (found,) = read(content, "1.0")
    assert (found.name, found.severity, found.message) == ("urdf-content-disputed", "warning", rule)
    assert found.path.endswith(where) and found.hint.startswith(f'write version="{rule.split("URDF ")[1][:3]}"')
    assert read(content, "1.2")[1] == ()


def test_a_quaternion_turns_nothing_in_a_file_of_urdf_1_0():
    """As robot_state_publisher has it; a capsule is read, as SDF has it, too."""
    content = JOINT.format("fixed", '<origin xyz="1 2 3" quat_xyzw="0 0 1 1"/>').replace('<axis xyz="0 0 1"/>', "")
    assert [read(content, v)[0].joints[0].origin.rpy for v in VERSIONS] == [
        (0, 0, 0), *2 * [pytest.approx((0, 0, 1.5707963267948966))]]
    assert [part.kind for part in read(content, "1.0")[0].left_out] == ["origin/@quat_xyzw"]
    robot, _ = read(LINK.format('<capsule radius="1" length="2"/>'), "1.0")
    assert robot.links[0].visuals[0].geometry == (1, 2) and robot.left_out == ()


def test_limits_of_urdf_1_2_need_no_effort_and_have_rates():
    robot, found = read(JOINT.format("revolute", '<limit lower="-1" upper="1" acceleration="3" jerk="4"/>'), "1.2")
    assert found == ()
    limit = robot.joints[0].limit
    assert (*limit[:4], *limit[5:]) == (-1, 1, float("inf"), float("inf"), 3, None, 4)


def test_a_shape_without_size_is_dropped_by_urdfdom_since_1_2():
    said = [read(LINK.format('<sphere radius="0"/>'), version)[1][0].message for version in VERSIONS]
    dropped = "; in URDF 1.2, urdfdom drops this shape, and all that follow it in the link"
    assert [text.endswith(dropped) for text in said] == [False, False, True]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("content", DROPPED)
def test_a_shape_that_urdfdom_drops_has_a_warning(content, version):
    _, found = read(f'<link name="a"><visual>{content}</visual></link>', version)
    dropped = [d for d in found if "drops this shape" in d.message or d.name == "shape-left-out"]
    assert bool(dropped) == (version in DROPPED[content]) and all(d.severity == "warning" for d in dropped)


_ORIGIN = '<visual><origin xyz="0 0{}1"/><geometry><sphere radius="1"/></geometry></visual>'


@pytest.mark.parametrize("blank", ["\n", "\t", " \r\n  ", "&#9;", " &#x0A; ", "&#10;&#13;"])
@pytest.mark.parametrize("content, names", [
    (JOINT.format("fixed", '<origin xyz="0 0{}1"/>'), ["urdf-content-refused"]),
    (JOINT.format("fixed", "").replace("0 0 1", "0 0{}1"), ["urdf-content-refused"]),
    (f'<link name="a">{_ORIGIN}</link>', ["urdf-content-disputed"]),
    (LINK.format('<box size="1 1{}1"/>'), ["urdf-content-disputed"]),
    (LINK.format('<sphere\nradius="1"/>') + "<!-- 1{} -->", [])])
def test_breaks_between_numbers_are_no_blanks_for_urdfdom(content, names, blank):
    """Expected: Pinocchio 4.1 with urdfdom 6.0, which refuses the joint, and makes no shapes of the link."""
    robot, found = read(content.format(blank), "1.0")
    assert robot is not None and [d.name for d in found] == names
    assert [d.name for d in read(content.format(" "), "1.0")[1]] == []


@pytest.mark.parametrize(("text", "refused"), [
    ("0 0 \n1", False), ("\n0 0 1", False), ("0 \t\t0 1", False), ("0 0. &#9;1", False), ("0 0 1", False),
    ("\n 0 0 1", True), (" \n 0 0 1", True), ("0 0 1\n", True), ("0 0 1 \n", True), ("0 0\t\t 1", True)])
def test_a_break_may_stand_only_before_a_number(text, refused):
    """Expected: Pinocchio 4.1 with urdfdom 6.0."""
    _, found = read(JOINT.format("fixed", f'<origin xyz="{text}"/>'), "1.0")
    assert [d.name for d in found] == ["urdf-content-refused"] * refused


def test_a_blank_behind_a_name_follows_no_number():
    """Pinocchio 4.1 with urdfdom 6.0 loads such a mimic."""
    mimic = JOINT.format("continuous", '<mimic joint="{}"/>').replace('name="j"', 'name="j "')
    assert [d.name for d in read(mimic.format("k "), "1.0")[1]] == []
    assert [d.name for d in read(mimic.format('k" offset="1 '), "1.0")[1]] == ["urdf-content-refused"]


@pytest.mark.parametrize(("mass", "ixx", "said"), [
    ("2 ", "1", "drops this <inertial>"), ("2", "1 ", "makes the tensor zero, keeps the mass")])
def test_a_blank_behind_a_number_of_an_inertial(mass, ixx, said):
    """Pinocchio 4.1 with urdfdom 6.0, and libsdformat 12 with urdfdom 3.0: no mass, or the mass with a tensor of 0."""
    tensor = f'<inertia ixx="{ixx}" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    _, found = read(f'<link name="a"><inertial><mass value="{mass}"/>{tensor}</inertial></link>', "1.0")
    assert [said in d.message and "the shapes of the link" in d.message for d in found] == [True]
