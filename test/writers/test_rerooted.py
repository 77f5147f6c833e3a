"""A URDF with another root. Origins and axes are worked out by hand; poses at any position are compared with those of
the original, which other tests compare with other programs."""
from __future__ import annotations

from math import pi

import pytest
from lxml import etree
from urdf_text import gazebo, joint, link, robot

import sdf_frames as sf
from sdf_frames.load import load_text
from sdf_frames.writers.cut_out import cut
from sdf_frames.writers.rerooted import reroot
from sdf_frames.writers.written import render, rewrite

LIMIT = '<limit lower="-1" upper="2" effort="3" velocity="4"/>'


def turn(name, *parts, file="r.urdf"):
    """The tree of the robot with another root, and the names of the warnings."""
    text, found = render(reroot(load_text(robot(*parts), file), name))
    return etree.fromstring(text.encode()), [d.name for d in found if d.name.startswith("reversed")]


def ends(root):
    return {j.get("name"): (j.find("parent").get("link"), j.find("child").get("link")) for j in root.iter("joint")}


def numbers(element, attribute="xyz"):
    return [float(word) for word in element.get(attribute).split()]


def find(root, name):
    return root.find(f"joint[@name='{name}']")


def test_a_fixed_joint_is_turned_round():
    parts = (link("base", 1), link("flange"), link("arm", 2),
             joint("j", "fixed", "base", "flange", xyz="1 2 3", rpy=f"0 0 {pi / 2}"),
             joint("k", "fixed", "flange", "arm", xyz="0 0 1"))
    root, found = turn("flange", *parts)
    assert not found and ends(root) == {"j": ("flange", "base"), "k": ("flange", "arm")}
    # A quarter turn about z takes x to y: its inverse takes (1, 2, 3) to (2, -1, 3).
    origin = find(root, "j").find("origin")
    assert numbers(origin) == [-2, 1, -3] and numbers(origin, "rpy") == [0, 0, -pi / 2]
    assert etree.tostring(find(root, "k")) == etree.tostring(etree.fromstring(parts[-1]))


def test_an_axis_through_the_parents_frame_needs_no_link():
    root, found = turn("arm", link("base", 1), link("arm", 1), joint(
        "pan", "revolute", "base", "arm", '<axis xyz="0 0 2"/>' + LIMIT, xyz="0 0.5 0", rpy=f"{pi / 2} 0 0"))
    assert found == [] and ends(root) == {"pan": ("arm", "base")}, "the axis is -y of base, through its origin"
    assert numbers(find(root, "pan").find("axis")) == [0, 2, 0]
    assert numbers(find(root, "pan").find("origin")) == [0, 0, 0.5], "z of arm is -y of base"


def test_a_sliding_joint_needs_no_link():
    """Its axis is x of the arm, which is y of the base; the base slides along -y of its own frame."""
    root, _ = turn("arm", link("base", 1), link("arm", 1), joint(
        "slide", "prismatic", "base", "arm", LIMIT, xyz="1 2 3", rpy=f"0 0 {pi / 2}"))
    slide = find(root, "slide")
    assert ends(root) == {"slide": ("arm", "base")}
    assert numbers(slide.find("axis")) == [0, -1, 0], "an axis that was not written is x"
    assert numbers(slide.find("origin")) == [-2, 1, -3]
    assert dict(slide.find("limit").attrib) == {"lower": "-1", "upper": "2", "effort": "3", "velocity": "4"}


def test_an_axis_beside_the_parents_frame_gets_a_link():
    root, _ = turn("arm", link("base", 1), link("arm", 1), link("base_at_lift", 1), link("eye"),
                   joint("eye", "fixed", "base", "eye"),
                   joint("lift", "revolute", "base", "arm", '<axis xyz="0 1 0"/>' + LIMIT, xyz="1 0 3"),
                   joint("other", "fixed", "arm", "base_at_lift"))
    assert ends(root) == {"lift": ("arm", "base_at_lift0"), "base_at_lift_fixed": ("base_at_lift0", "base"),
                          "other": ("arm", "base_at_lift"), "eye": ("base", "eye")}
    assert numbers(find(root, "lift").find("origin")) == [0, 0, 0]
    assert numbers(find(root, "lift").find("axis")) == [0, -1, 0]
    assert numbers(find(root, "base_at_lift_fixed").find("origin")) == [-1, 0, -3]
    assert len(root.find("link[@name='base_at_lift0']")) == 0, "it has no mass"


def test_every_other_byte_stays():
    text = ('\ufeff<?xml version="1.0"?>\r\n<robot name="r"><!-- ü -->\r\n  <link name=\'a\' />\n'
            '  <link name="b&amp;c"><odd/></link>\n\n  <joint type="fixed" name="j">\n    <child link="b&amp;c" />'
            '<parent  link = "a"/>\n    <!-- {} -->\n  </joint>\n</robot>\n<!-- end -->')
    made = reroot(load_text(text.encode("utf-8"), "r.urdf"), "b&c")
    expected = text.replace('<child link="b&amp;c" />', '<child link="a" />').replace('link = "a"',
                                                                                     'link = "b&amp;c"')
    assert rewrite(made)[0] == expected.encode("utf-8")


def test_an_origin_as_quaternion():
    text = ('<robot name="r" version="1.1"><link name="a"/><link name="b"/><joint name="j" type="fixed"><origin '
            'xyz="1 0 0" quat_xyzw="1 0 0 0"/><parent link="a"/><child link="b"/></joint></robot>')
    origin = etree.fromstring(render(reroot(load_text(text), "b"))[0].encode()).find("joint/origin")
    assert dict(origin.attrib) == {"xyz": "-1 0 0", "rpy": f"{-pi} 0 0"}


def test_the_root_itself_changes_nothing():
    made = reroot(load_text(robot(link("a"), link("b"), joint("j", "fixed", "a", "b"))), "a")
    assert made.edits == () and made.source is not None


@pytest.mark.parametrize("kind, name, parts", [
    ("floating", "joint-not-reversible", ()), ("planar", "joint-not-reversible", ()),
    ("fixed", "world-not-reversible", ("world",))])
def test_what_cannot_be_turned_is_refused(kind, name, parts):
    top = parts[0] if parts else "a"
    made = reroot(load_text(robot(link(top), link("b", 1), joint("j", kind, top, "b"))), "b")
    (d,) = [d for d in made.findings if d.name == name]
    assert made.source is None and d.path == '/robot[@name="r"]/joint[@name="j"]' and "'j'" in d.message


def test_no_number_that_is_not_finite():
    text = robot(link("a"), link("b"), joint("j", "fixed", "a", "b", xyz="1.7e308 1.7e308 1.7e308", rpy="1 2 3"))
    written, found = render(reroot(load_text(text), "b"))
    assert written is None and found[-1].name == "number-overflow"


def test_an_unknown_link():
    text = robot(link("arm"), link("b"), joint("j", "fixed", "arm", "b"))
    made = reroot(load_text(text), "amr")
    assert made.source is None and [(d.name, d.hint) for d in made.findings][-1:] == [
        ("frame-unknown", "did you mean 'arm'?")]


@pytest.mark.parametrize("write, done", [(reroot, "re-rooted"), (cut, "cut")])
def test_sdf_is_refused(write, done):
    made = write(load_text('<sdf version="1.9"><model name="m"><link name="a"/></model></sdf>'), "a")
    assert made.source is None and made.findings[-1].name == "edit-needs-urdf"
    assert made.findings[-1].message.endswith(f"only a URDF can be {done}")


def test_a_force_torque_sensor_is_told():
    parts = (link("a", 1), link("b", 1), joint("j", "fixed", "a", "b"), joint("k", "fixed", "b", "c"), link("c", 1))
    sensor = '<sensor name="s" type="force_torque"/>'
    changed = sf.loads(robot(*parts, gazebo("j", sensor))).reroot("b")
    assert [d.name for d in changed.findings].count("reversed-joint-sensor") == 1
    assert turn("b", *parts, gazebo("k", sensor), gazebo("j", '<sensor name="s" type="imu"/>'))[1] == []
