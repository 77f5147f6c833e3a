"""sf.diff: changes of twenty kinds and more, planted into a robot, each found and named, and nothing else."""

from math import pi

import pytest
from lxml import etree

import sdf_frames as sf

INERTIAL = ('<inertial><origin xyz="0 0 0.1"/><mass value="{}"/>'
            '<inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial>')
ROBOT = f"""<robot name="r">
<link name="base">{INERTIAL.format(4)}<visual name="hull"><origin xyz="0 0 1"/><geometry><box size="1 2 3"/></geometry>
  </visual></link>
<link name="upper">{INERTIAL.format(2)}<collision name="c"><geometry><mesh filename="package://p/arm.stl"/></geometry>
  </collision></link>
<link name="lower">{INERTIAL.format(1)}</link>
<link name="finger">{INERTIAL.format(0.5)}</link>
<link name="camera"/>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 1"/>
  <axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="3" velocity="4"/></joint>
<joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/>
  <limit lower="-1" upper="2" effort="3" velocity="4"/></joint>
<joint name="grip" type="prismatic"><parent link="lower"/><child link="finger"/><origin xyz="0 0 1"/><axis xyz="1 0 0"/>
  <limit lower="0" upper="0.1" effort="3" velocity="4"/></joint>
<joint name="mount" type="fixed"><parent link="upper"/><child link="camera"/><origin xyz="0.1 0 0"/></joint>
</robot>"""


def change(path: str, edit) -> sf.RobotDescription:
    """The robot with one element edited."""
    tree = etree.fromstring(ROBOT)
    element = tree.find(path)
    assert element is not None, path
    edit(element)
    return sf.loads(tree)


def put(path: str, **attributes: str):
    return lambda: change(path, lambda element: element.attrib.update(attributes))


def add(path: str, text: str):
    return lambda: change(path, lambda element: element.append(etree.fromstring(text)))


def drop(path: str):
    return lambda: change(path, lambda element: element.getparent().remove(element))


def rename(tag: str, old: str, new: str):
    return lambda: sf.loads(ROBOT.replace(f'{tag} name="{old}"', f'{tag} name="{new}"')
                            .replace(f'link="{old}"', f'link="{new}"'))


def cut_finger():
    link = ROBOT[ROBOT.index('<link name="finger"'):ROBOT.index('<link name="camera"')]
    joint = ROBOT[ROBOT.index('<joint name="grip"'):ROBOT.index('<joint name="mount"')]
    return sf.loads(ROBOT.replace(link, "").replace(joint, ""))


def add_tool():
    tool = (f'<link name="tool">{INERTIAL.format(1)}</link><joint name="t" type="continuous"><parent link="finger"/>'
            '<child link="tool"/><origin xyz="0 0 3"/></joint>')
    return sf.loads(ROBOT.replace("</robot>", f"{tool}</robot>"))


LOWER, ELBOW, BASE = "link[@name='lower']/inertial", "joint[@name='elbow']", "link[@name='base']"
ARM = "link[@name='upper']/collision/geometry/mesh"
HULL, MESH = "base::hull", "upper::c"
#: What is changed, what is found, and what is said of it.
CHANGES = {
    "mass": (put(f"{LOWER}/mass", value="1.1"), [("inertia", "lower", "mass")], "mass 1 -> 1.1 kg (+10 %)"),
    "centre": (put(f"{LOWER}/origin", xyz="0 0 0.102"), [("inertia", "lower", "com")], "centre of mass moved 2 mm"),
    "moments": (put(f"{LOWER}/inertia", izz="2"), [("inertia", "lower", "moments")],
                "moments differ by 20 % of the largest"),
    "moved joint": (put(f"{ELBOW}/origin", xyz="0 0.012 1"), [("frame", "lower", "pose")],
                    "moved 12 mm, turned 0 deg in upper"),
    "turned joint": (put(f"{ELBOW}/origin", rpy=f"0 0 {pi / 60!r}"), [("frame", "lower", "pose")],
                     "moved 0 mm, turned 3 deg in upper"),
    "moved frame": (put("joint[@name='mount']/origin", xyz="0.1 0 0.5"), [("frame", "camera", "pose")],
                    "moved 500 mm, turned 0 deg in upper (joint mount)"),
    "type": (put(ELBOW, type="prismatic"), [("joint", "elbow", "type")], "type revolute -> prismatic"),
    "axis": (put(f"{ELBOW}/axis", xyz="0 0 1"), [("joint", "elbow", "axis")], "axis 0 1 0 -> 0 0 1 (90 deg)"),
    "lower": (put(f"{ELBOW}/limit", lower="-1.5"), [("joint", "elbow", "lower")], "lower -1 -> -1.5 rad"),
    "upper": (put(f"{ELBOW}/limit", upper="1.5"), [("joint", "elbow", "upper")], "upper 2 -> 1.5 rad"),
    "stroke": (put("joint[@name='grip']/limit", upper="0.2"), [("joint", "grip", "upper")], "upper 0.1 -> 0.2 m"),
    "effort": (put(f"{ELBOW}/limit", effort="30"), [("joint", "elbow", "effort")], "effort 3 -> 30 N m"),
    "velocity": (put(f"{ELBOW}/limit", velocity="5"), [("joint", "elbow", "velocity")], "velocity 4 -> 5 rad/s"),
    "mimic": (add(ELBOW, '<mimic joint="shoulder" multiplier="2"/>'), [("joint", "elbow", "mimic")],
              "mimics nothing -> shoulder (2 q + 0)"),
    "parent": (put("joint[@name='grip']/parent", link="upper"),
               [("joint", "grip", "parent"), ("frame", "finger", "pose")], "parent lower -> upper"),
    "link removed": (cut_finger, [("link", "finger", "removed"), ("joint", "grip", "removed")], ""),
    "link added": (add_tool, [("link", "tool", "added"), ("joint", "t", "added")], ""),
    "link renamed": (rename("link", "lower", "forearm"), [("link", "lower", "renamed")], "renamed to forearm"),
    "leaf renamed": (rename("link", "finger", "gripper"), [("link", "finger", "renamed")], "renamed to gripper"),
    "joint renamed": (rename("joint", "elbow", "joint_2"), [("joint", "elbow", "renamed")], "renamed to joint_2"),
    "lumped link renamed": (rename("link", "camera", "eye"), [("link", "camera", "renamed")], "renamed to eye"),
    "robot renamed": (rename("robot", "r", "r2"), [("description", "r", "renamed")], "renamed to r2"),
    "fixed": (put(ELBOW, type="fixed"), [("joint", "elbow", "type")], "type revolute -> fixed"),
    "visual size": (put(f"{BASE}/visual/geometry/box", size="1 2 4"), [("visual", HULL, "geometry")],
                    "box size 1 2 3 -> box size 1 2 4"),
    "visual moved": (put(f"{BASE}/visual/origin", xyz="0 0 1.5"), [("visual", HULL, "pose")],
                     "moved 500 mm, turned 0 deg"),
    "visual removed": (drop(f"{BASE}/visual"), [("visual", HULL, "removed")], "box size 1 2 3"),
    "collision added": (add(BASE, '<collision name="k"><geometry><sphere radius="0.5"/></geometry></collision>'),
                        [("collision", "base::k", "added")], "sphere radius 0.5"),
    "uri": (put(ARM, filename="package://p/arm.dae"), [("collision", MESH, "uri")],
            "URI package://p/arm.stl -> package://p/arm.dae"),
    "scale": (put(ARM, scale="0.001 0.001 0.001"), [("collision", MESH, "geometry")], "mesh scale 1 1 1"),
}


@pytest.mark.parametrize(("make", "expected", "says"), CHANGES.values(), ids=CHANGES)
def test_a_planted_change_is_found_and_nothing_else(make, expected, says):
    found = sf.diff(sf.loads(ROBOT), make())
    shown = sorted((c.subject, c.name, c.what) for c in found if c.subject != "finding")
    assert shown == sorted(expected), str(found)
    assert says in str(found)
    assert found


def test_order_does_not_matter():
    tree = etree.fromstring(ROBOT)
    tree[:] = sorted(tree, key=lambda element: element.get("name"))
    assert not sf.diff(sf.loads(ROBOT), sf.loads(tree))


def test_a_robot_and_its_conversion_do_not_differ():
    robot = sf.loads(ROBOT)
    assert not sf.diff(robot, sf.loads(robot.to_sdf()))


def test_content_that_the_sdf_cannot_express_is_a_difference():
    robot = sf.loads(ROBOT.replace('name="mount" type="fixed"', 'name="mount" type="continuous"'))
    found = sf.diff(robot, sf.loads(robot.to_sdf()))
    assert {(c.name, c.what) for c in found} == {("camera", "removed"), ("mount", "removed")}
    assert {"camera", "mount"} <= {row.name for row in robot.report if row.action == "dropped"}


@pytest.mark.parametrize("tolerance", [-1, float("nan"), float("inf")])
def test_a_tolerance_that_cannot_be(tolerance):
    with pytest.raises(ValueError, match="tolerance must be a finite number from 0 on"):
        sf.diff(sf.loads(ROBOT), sf.loads(ROBOT), tolerance=tolerance)


def test_what_cannot_be_read_is_not_compared():
    """Two roots, an unknown version, a missing limit, no XML: the robots of each pair differ in an unknown way."""
    loose = '<link name="alone"><inertial><mass value="{}"/></inertial></link></robot>'
    broken = [(ROBOT.replace("</robot>", loose.format(mass)) for mass in (1, 5)),
              (ROBOT.replace("<robot ", f'<robot version="{version}" ') for version in (8, 9)),
              (ROBOT.replace('<limit lower="0" upper="0.1" effort="3" velocity="4"/>', axis) for axis in ("", " ")),
              ("<", "<sdf")]
    for one, other in broken:
        a, b, whole = sf.loads(one), sf.loads(other), sf.loads(ROBOT)
        for pair, errors in (((a, b), a.errors + b.errors), ((a, whole), a.errors), ((whole, b), b.errors)):
            with pytest.raises(sf.InvalidDescription) as raised:
                sf.diff(*pair)
            assert [d for d in raised.value.findings if d.severity == "error"] == [*errors] != []


def test_a_light_with_an_error_is_compared():
    """It has no frames, but parts."""
    text = '<sdf version="1.9"><light name="l" type="{}"><intensity>{}</intensity></light></sdf>'
    assert [c.what for c in sf.diff(*(sf.loads(text.format("odd", x)) for x in (1, 2)))] == ["intensity"]
