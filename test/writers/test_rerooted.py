"""A URDF with another root: origins and axes by hand, and what is refused or told."""
from math import pi

import pytest
from urdf_text import gazebo, joint, link, robot

import sdf_frames as sf
from sdf_frames.load import load_text
from sdf_frames.writers.cut_out import cut
from sdf_frames.writers.rerooted import reroot
from sdf_frames.writers.written import render, rewrite

LIMIT = '<limit lower="-1" upper="2" effort="3" velocity="4"/>'
AXIS = '<axis xyz="{}"/>' + LIMIT
LINKS = (link("base", 1) + link("arm", 1) + link("base_at_lift")
         + joint("base_at_lift_fixed", "fixed", "base", "base_at_lift"))
QUATERNION = joint("j", "fixed", "base", "arm", xyz="1 0 0").replace("0 0\"/>", '0 0" quat_xyzw="1 0 0 0"/>')


@pytest.mark.parametrize(("before", "after"), [
    # A quarter turn about z takes x to y: its inverse takes (1, 2, 3) to (2, -1, 3).
    (joint("j", "fixed", "base", "arm", xyz="1 2 3", rpy=f"0 0 {pi / 2}"),
     joint("j", "fixed", "arm", "base", xyz="-2 1 -3", rpy=f"0 0 {-pi / 2}")),
    (QUATERNION, joint("j", "fixed", "arm", "base", xyz="-1 0 0", rpy=f"{-pi} 0 0")),
    # The axis is -y of the base, through its origin; z of the arm is -y of the base.
    (joint("pan", "revolute", "base", "arm", AXIS.format("0 0 2"), xyz="0 0.5 0", rpy=f"{pi / 2} 0 0"),
     joint("pan", "revolute", "arm", "base", AXIS.format("0 2 0"), xyz="0 0 0.5", rpy=f"{-pi / 2} 0 0")),
    # An axis that is not written is x of the arm, which is y of the base: the base slides along -y of its own frame.
    (joint("slide", "prismatic", "base", "arm", LIMIT, xyz="1 2 3", rpy=f"0 0 {pi / 2}"),
     joint("slide", "prismatic", "arm", "base", LIMIT, xyz="-2 1 -3", rpy=f"0 0 {-pi / 2}").replace(
         ' type="prismatic">', ' type="prismatic"><axis xyz="0 -1 0"/>')),
    # The axis passes the origin of the base at a distance: the joint gets a link of its own, with a free name.
    (joint("lift", "revolute", "base", "arm", AXIS.format("0 1 0"), xyz="1 0 3"),
     joint("lift", "revolute", "arm", "base_at_lift0", AXIS.format("0 -1 0"), xyz="0 0 0", rpy="0 0 0")
     + '<link name="base_at_lift0"/>'
     + joint("base_at_lift0_fixed", "fixed", "base_at_lift0", "base", xyz="-1 0 -3", rpy="0 0 0"))])
def test_a_reversed_joint(before, after):
    text = '<robot name="r" version="1.1">{}</robot>'.format(LINKS + "{}")
    assert render(reroot(load_text(text.format(before)), "arm"))[0] == text.format(after)


def test_every_other_byte_stays():
    text = ('\ufeff<?xml version="1.0"?>\r\n<robot name="r"><!-- ü -->\r\n  <link name=\'a\' />\n'
            '  <link name="b&amp;c"><odd/></link>\n\n  <joint type="fixed" name="j">\n    <child link="b&amp;c" />'
            '<parent  link = "a"/>\n    <!-- {} -->\n  </joint>\n</robot>\n<!-- end -->')
    assert reroot(load_text(text), "a").edits == (), "it is the root"
    made = reroot(load_text(text.encode("utf-8"), "r.urdf"), "b&c")
    expected = text.replace('<child link="b&amp;c" />', '<child link="a" />').replace('link = "a"',
                                                                                     'link = "b&amp;c"')
    assert rewrite(made)[0] == expected.encode("utf-8")


@pytest.mark.parametrize("kind, top, name, said", [
    ("floating", "a", "joint-not-reversible", "joint 'j' is floating"),
    ("planar", "a", "joint-not-reversible", "joint 'j' is planar"),
    ("fixed", "world", "world-not-reversible", "the link 'world' cannot be below link 'b'")])
def test_what_cannot_be_turned_is_refused(kind, top, name, said):
    made = reroot(load_text(robot(link(top), link("b", 1), joint("j", kind, top, "b"))), "b")
    (d,) = [d for d in made.findings if d.name == name]
    assert made.source is None and d.path == '/robot[@name="r"]/joint[@name="j"]' and d.message.startswith(said)


def test_no_number_that_is_not_finite():
    text = robot(link("a"), link("b"), joint("j", "fixed", "a", "b", xyz="1.7e308 1.7e308 1.7e308", rpy="1 2 3"))
    written, found = render(reroot(load_text(text), "b"))
    assert written is None and found[-1].name == "number-overflow"


@pytest.mark.parametrize("write, done", [(reroot, "re-rooted"), (cut, "cut")])
def test_sdf_is_refused(write, done):
    made = write(load_text('<sdf version="1.9"><model name="m"><link name="a"/></model></sdf>'), "a")
    assert made.source is None and made.findings[-1].name == "edit-needs-urdf"
    assert made.findings[-1].message.endswith(f"only a URDF can be {done}")


@pytest.mark.parametrize("write", [reroot, cut])
def test_the_name_of_a_joint_is_told_that_it_is_not_a_link(write):
    joints = [joint(f"turn{i}", "fixed", f"l{i}", f"l{i + 1}") for i in range(8)]
    made = write(load_text(robot(*[link(f"l{i}", 1) for i in range(9)], *joints)), "turn0")
    assert made.source is None and made.findings[-1].name == "frame-unknown"
    assert made.findings[-1].message == "there is no link 'turn0'"
    assert made.findings[-1].hint == "choose one of l0, l1, l2, l3, l4, l5, l6, l7, …"


def test_a_force_torque_sensor_is_told():
    parts = (link("a", 1), link("b", 1), joint("j", "fixed", "a", "b"), joint("k", "fixed", "b", "c"), link("c", 1))
    sensor = '<sensor name="s" type="{}"/>'
    for name, kind, told in (("j", "force_torque", 1), ("k", "force_torque", 0), ("j", "imu", 0)):
        changed = sf.loads(robot(*parts, gazebo(name, sensor.format(kind)))).reroot("b")
        assert [d.name for d in changed.findings].count("reversed-joint-sensor") == told


def test_a_frame_at_a_reversed_joint_stays_where_it_was():
    """The joint's frame was that of b, and is that of a now; a name of a link means the link."""
    content = ('<frame name="f" attached_to="{0}"><pose relative_to=\'{0}\'>0 0 1 0 0 0</pose></frame>'
               '<joint name="l" type="revolute"><parent> {0} </parent><child>c</child>'
               '<axis><xyz expressed_in="{0}">1 0 0</xyz></axis></joint>')
    parts = (link("a", 1), link("b", 1), link("c", 1), joint("k", "fixed", "b", "c", xyz="1 0 0"),
             joint("j", "prismatic", "a", "b", AXIS.format("1 0 0"), xyz="0 0 2"))
    made, _ = render(reroot(load_text(robot(*parts, gazebo(None, content.format("j")))), "b"))
    assert content.format("b") in made
    X = sf.loads(made).pose("f", "b")
    assert X.xyz.tolist() == [0, 0, 1] and X.quat_wxyz.tolist() == [1, 0, 0, 0]
    plugin = "<plugin name='p' filename='f'><parent>j</parent></plugin>"
    assert plugin in render(reroot(load_text(robot(*parts, gazebo(None, plugin))), "b"))[0]
    same = robot(*parts, link("j"), joint("i", "fixed", "a", "j"), gazebo(None, content.format("j")))
    assert content.format("j") in render(reroot(load_text(same), "b"))[0]
