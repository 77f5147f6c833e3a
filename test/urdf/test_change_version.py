"""A robot in another version of URDF. Expected: by hand, from what urdfdom 6.0 does with each version."""
from math import cos, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from written_text import change_text_version, write_robot

import sdf_frames as sf
from robots import robots
from sdf_frames.document.xml_in import read_xml
from sdf_frames.urdf.change_version import split_capsule
from sdf_frames.urdf.model import UNLIMITED, Capsule, Cylinder, Limit, Sphere
from sdf_frames.urdf.parse import read_robot

VERSIONS = ("1.0", "1.1", "1.2")
LINKS = '<link name="a"/><link name="b"/>'
JOINT = ('<joint name="j" type="{}"><parent link="a"/><child link="b"/>{}</joint>')
SHAPE = '<link name="a">{}</link>'


def write(content, version=None):
    return f'<robot name="r"{f" version={version!r}" if version else ""}>{content}</robot>'


def change(content, version, to):
    """The content in another version (None if it cannot be), and the findings."""
    text, found = change_text_version(write(content, version), "r.urdf", to)
    if text is None:
        return None, found
    written = f"version='{to}'" if version else f'version="{to}"'  # the quotes stay
    assert text.startswith(f'<robot name="r" {written}>')
    return text.partition(">")[2].removesuffix("</robot>"), found


def names(found):
    return [(d.code, d.severity) for d in found]


@pytest.mark.parametrize("old, new, content, expected", [
    ("1.1", "1.0", '<origin  xyz="1 2 3" quat_xyzw="0 0 1 1" />', f'<origin  xyz="1 2 3" rpy="0 0 {pi / 2}" />'),
    ("1.2", "1.0", '<origin quat_xyzw="0 0 0 0"/>', '<origin rpy="0 0 0"/>'),
    ("1.2", "1.1", '<origin quat_xyzw="0 0 1 1"/>', '<origin quat_xyzw="0 0 1 1"/>'),
    ("1.0", "1.2", '<origin rpy="0 0 0.10"/>', '<origin rpy="0 0 0.10"/>')])
def test_only_the_rotation_is_rewritten(old, new, content, expected):
    assert change(LINKS + JOINT.format("fixed", content), old, new) == (LINKS + JOINT.format("fixed", expected), ())


def test_a_quaternion_that_had_no_effect_still_has_none():
    content = LINKS + JOINT.format("fixed", '<origin rpy="0 0 1" quat_xyzw="0 0 1 1"/>')
    text, found = change(content, None, "1.1")
    assert text == content.replace(' quat_xyzw="0 0 1 1"', "") and names(found) == [("C091", "warning")]
    assert found[0].message == "quat_xyzw of <origin> is removed: URDF 1.0 ignores it"
    assert found[0].path.endswith('joint[@name="j"]/origin') and found[0].column == len(write("")) - len(
        "</robot>") + content.index("0 0 1 1") + 1


@pytest.mark.parametrize("old, new, limit, expected, removed", [
    ("1.2", "1.1", 'lower="-1" upper="1"', f'lower="-1" upper="1" effort="{1e16}" velocity="{1e16}"', []),
    ("1.2", "1.0", 'lower="0" upper="1" effort="2" velocity="3" acceleration="4" jerk="5"',
     'lower="0" upper="1" effort="2" velocity="3"', ["acceleration", "jerk"]),
    ("1.0", "1.2", 'upper="1" effort="2" velocity="3"', 'upper="1" effort="2" velocity="3" lower="0"', []),
    ("1.1", "1.2", 'effort="2" velocity="3" deceleration="x"', 'effort="2" velocity="3" lower="0" upper="0"',
     ["deceleration"]),
    ("1.0", "1.1", 'effort="2" velocity="3" jerk="4"', 'effort="2" velocity="3" jerk="4"', [])])
def test_limits_say_what_the_other_version_takes_for_granted(old, new, limit, expected, removed):
    content = LINKS + JOINT.format("revolute", "<limit {}/>")
    text, found = change(content.format(limit), old, new)
    assert text == content.format(expected)
    assert [d.message.split(" of ")[0] for d in found] == removed and {d.name for d in found} <= {
        "urdf-attribute-removed"}


def test_a_continuous_joint_needs_no_positions():
    content = LINKS + JOINT.format("continuous", '<limit effort="2" velocity="3"/>')
    assert change(content, "1.0", "1.2") == (content, ())


@pytest.mark.parametrize("content, problem", [
    (LINKS + JOINT.format("revolute", '<limit lower="2" upper="1" effort="1" velocity="1"/>'),
     "joint 'j' cannot be written as URDF 1.2: upper (1) must not be below lower (2)"),
    (LINKS + JOINT.format("prismatic", '<limit lower="0" upper="1" effort="-1" velocity="1"/>'),
     "joint 'j' cannot be written as URDF 1.2: effort must not be negative"),
    (SHAPE.format('<visual><geometry><sphere radius="0"/></geometry></visual>'),
     "link 'a' cannot be written as URDF 1.2: the radius of a sphere must be positive")])
def test_what_the_other_version_refuses_is_an_error_that_names_it(content, problem):
    text, found = change(content, "1.1", "1.2")
    assert text is None and [d.message for d in found if d.severity == "error"] == [problem]
    assert change(content, "1.1", "1.0")[0] == content


def test_a_rotation_that_is_given_twice_cannot_lose_one():
    """urdfdom drops a visual with both in 1.1; in 1.0 one of them would count."""
    content = SHAPE.format('<visual><origin rpy="0 0 0" quat_xyzw="0 0 0 1"/><geometry><sphere radius="1"/></geometry>'
                           "</visual>")
    text, found = change(content, "1.1", "1.0")
    assert text is None and names(found)[-1] == ("C090", "error")


@pytest.mark.parametrize("content, code", [("<link/>", "R004"), ("<sdf version='1.7'/>", "C093"), ("<robot", "X002")])
def test_what_is_no_robot_is_reported(content, code):
    text = content if content[1] != "l" else write(content)
    assert [d.code for d in change_text_version(text, None, "1.1")[1] if d.severity == "error"] == [code]
    assert change_text_version(text, None, "1.1")[0] is None


CAPSULE = """<robot name="r" version="1.1">
  <link name="a">
    <visual name="v"> <!-- stays -->
      <origin xyz="1 0 0" rpy="0 {} 0"/>
      <geometry><capsule length="2.0" radius="0.10">  </capsule></geometry>
      <material name="red"><color rgba="1 0 0 1"/></material>
    </visual>
    <collision><geometry><capsule radius="0.1" length="1"/></geometry></collision>
  </link>
</robot>
"""


def test_a_capsule_becomes_a_cylinder_and_two_spheres():
    """A capsule that lies along x: its ends are 1 m before and behind its centre."""
    text, found = change_text_version(CAPSULE.format(pi / 2), "r.urdf", "1.0")
    lines, before = text.splitlines(), CAPSULE.format(pi / 2).splitlines()
    assert lines[:4] == [before[0].replace("1.1", "1.0"), *before[1:4]] and lines[5:7] == before[5:7]
    assert lines[4] == before[4].replace("capsule", "cylinder") and lines[7].startswith('    <visual name="v_top">')
    (link,) = read_robot(read_xml(text, None)[0])[0].links
    shapes = [(s.name, s.geometry, s.material.rgba, pytest.approx(s.origin.xyz)) for s in link.visuals]
    red = (1, 0, 0, 1)
    assert shapes == [("v", Cylinder(0.1, 2), red, (1, 0, 0)), ("v_top", Sphere(0.1), red, (2, 0, 0)),
                      ("v_bottom", Sphere(0.1), red, (0, 0, 0))]
    assert [(s.geometry, s.origin.xyz) for s in link.collisions] == [
        (Cylinder(0.1, 1), (0, 0, 0)), (Sphere(0.1), (0, 0, 0.5)), (Sphere(0.1), (0, 0, -0.5))]
    assert [(d.name, d.line, "twice" in d.message) for d in found] == [
        ("urdf-capsule-split", 5, False), ("urdf-capsule-split", 8, True)]


def test_the_three_shapes_fill_the_space_of_the_capsule():
    capsule, inside = Capsule(0.5, 2.0), {True: 0, False: 0}
    for n in range(4000):
        x, z = 0.6 * sin(n), 1.7 * sin(0.7 * n + 1)
        wanted = x * x + max(abs(z) - 1, 0) ** 2 <= 0.25
        parts = [(abs(x) <= g.radius and abs(z) <= g.length / 2) if isinstance(g, Cylinder)
                 else x * x + (z - X[2]) ** 2 <= g.radius ** 2 for _, X, g in split_capsule(capsule)]
        assert any(parts) == wanted
        inside[wanted] += 1
    assert min(inside.values()) > 1000


@pytest.mark.parametrize("encode", [
    str, str.encode, lambda text: b"\xef\xbb\xbf" + text.encode(), lambda text: text.replace("\n", "\r\n").encode()])
def test_every_other_byte_stays(encode):
    text = f'<?xml version="1.0"?>\n<!-- Ärger -->\n{write(LINKS + JOINT.format("fixed", ""), "1.1")}\n\n'
    given = encode(text)
    changed, _ = change_text_version(given, None, "1.2")
    expected = given if isinstance(given, str) else given.decode()
    assert changed == expected.replace("'1.1'", "'1.2'")
    assert change_text_version(changed, None, "1.2")[0] == changed


def test_a_text_in_another_encoding_becomes_utf_8():
    text = '<?xml version="1.0" encoding="ISO-8859-1"?>\n<robot name="ä" version="1.1"><link name="a"/></robot>'
    changed, _ = change_text_version(text.encode("latin-1"), None, "1.0")
    assert changed == '<?xml version="1.0"?>\n<robot name="ä" version="1.0"><link name="a"/></robot>'


def test_the_library_writes_the_version_that_is_asked_for():
    robot = sf.loads(CAPSULE.format(0))
    assert robot.to_urdf() == CAPSULE.format(0) == robot.to_urdf(version="1.1")
    assert robot.to_urdf(version="1.0") == change_text_version(CAPSULE.format(0), None, "1.0")[0]
    assert 'filename="file' not in robot.to_urdf(version="1.0", uri_style="file")
    with pytest.raises(ValueError, match="version must be one of 1.0, 1.1, 1.2, not '1.3'"):
        robot.to_urdf(version="1.3")
    upside_down = write(LINKS + JOINT.format("revolute", '<limit lower="2" upper="1" effort="1" velocity="1"/>'))
    with pytest.raises(sf.InvalidDescription, match="upper .1. must not be below lower"):
        sf.loads(upside_down).to_urdf(version="1.2")


SDF = ('<sdf version="1.9"><model name="m"><link name="a"><collision name="c"><geometry><capsule><radius>0.10</radius>'
       "<length>{}</length></capsule></geometry></collision></link></model></sdf>")


def test_a_capsule_of_sdf_stays_one_where_urdf_has_capsules():
    written = {version: sf.loads(SDF.format("2.0")).to_urdf(version=version) for version in (None, *VERSIONS)}
    assert written[None] == written["1.0"] and "capsule" not in written["1.0"] and "version" not in written[None][22:]
    for version in ("1.1", "1.2"):
        assert f'<robot name="m" version="{version}">' in written[version]
        assert '<capsule radius="0.10" length="2.0"/>' in written[version]


def test_limits_of_sdf_that_the_version_refuses_are_not_written():
    joint = ('<link name="b"/><joint name="j" type="prismatic"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz>'
             "<limit><lower>2</lower><upper>1</upper></limit></axis></joint></model>")
    robot = sf.loads(SDF.format("2").replace("</model>", joint))
    assert 'lower="2" upper="1"' in robot.to_urdf(version="1.1")
    with pytest.raises(sf.InvalidDescription, match=r"joint 'j'.*upper \(1\) must not be below lower \(2\)"):
        robot.to_urdf(version="1.2")


def turn(rpy):
    """x, y, z, w of three angles: the formula of the specification."""
    (a, d), (b, e), (c, f) = [(cos(v / 2), sin(v / 2)) for v in rpy]
    return d * b * c - a * e * f, a * e * c + d * b * f, a * b * f - d * e * c, a * b * c + d * e * f


def write_in(robot, version):
    """A robot as text of a version that uses what that version has."""
    joints = [joint if joint.limit is None else joint._replace(limit=Limit(
        min(joint.limit[:2]), max(joint.limit[:2]), *joint.limit[2:4])) for joint in robot.joints]
    tree = read_xml(write_robot(robot._replace(joints=tuple(joints), version=version)), None)[0].root
    origins = tree.iter("origin") if version > "1.0" else ()
    for number, origin in enumerate(origins):
        if number % 2:
            origin.set("quat_xyzw", " ".join(map(repr, turn(map(float, origin.attrib.pop("rpy").split())))))
    for number, limit in enumerate(tree.iter("limit") if version == "1.2" else ()):
        limit.attrib.pop("effort" if number % 2 else "velocity")
    for capsule in list(tree.iter("capsule")) if version == "1.0" else ():
        capsule.tag = "cylinder"
    return etree.tostring(tree, encoding="unicode")


def measure(text):
    """Poses, masses and limits of a robot, to compare."""
    robot, _ = read_robot(read_xml(text, None)[0])
    values = []
    for origin in [*[link.inertial.origin for link in robot.links if link.inertial],
                   *[joint.origin for joint in robot.joints]]:
        x, y, z, w, i, j, k = origin.pose()
        values += [x, y, z, *(abs(v) for v in (w, i, j, k)), w * i, w * j, w * k, i * j, i * k, j * k]
    for link in robot.links:
        values += link.inertial[1:8] if link.inertial else (0,)
    for joint in robot.joints:
        values += [] if joint.limit is None else [min(v, UNLIMITED) for v in joint.limit[:4]]
    return values, [(type(j.limit), j.type, j.parent, j.child) for j in robot.joints]


@given(robots(), st.sampled_from(VERSIONS), st.sampled_from(VERSIONS))
def test_there_and_back_keeps_poses_masses_and_limits(robot, old, new):
    text = write_in(robot, old)
    there, found = change_text_version(text, None, new)
    assert there is not None, found
    assert change_text_version(there, None, new)[0] == there  # a second time changes no byte
    back, _ = change_text_version(there, None, old)
    for other in (there, back):
        assert measure(other)[1] == measure(text)[1]
        assert measure(other)[0] == pytest.approx(measure(text)[0], abs=1e-9, rel=1e-9)


def test_a_sphere_of_a_capsule_takes_no_name_of_another_shape():
    capsule, sphere = '<capsule radius="1" length="2"/>', '<sphere radius="3"/>'
    shapes = "".join(f'<collision name="{name}"><geometry>{shape}</geometry></collision>' for name, shape in (
        ("c", capsule), ("c_top", sphere), ("c_top0", sphere)))
    text, _ = change_text_version(f'<robot name="r" version="1.1"><link name="l">{shapes}</link></robot>', None, "1.0")
    names = [shape.get("name") for shape in etree.fromstring(text).iter("collision")]
    assert names == ["c", "c_top1", "c_bottom", "c_top", "c_top0"]
