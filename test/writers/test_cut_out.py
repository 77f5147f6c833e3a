"""A part of a URDF as a robot of its own: what stays and what goes, and that no other byte changes."""
from __future__ import annotations

import pytest
from lxml import etree
from urdf_text import gazebo, joint, link, robot

from sdf_frames.load import load_text
from sdf_frames.writers.cut_out import cut
from sdf_frames.writers.written import render, rewrite

AXIS = '<axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="3" velocity="4"/>'
#: base - shoulder - (elbow - hand - finger, camera)
PARTS = (
    *[link(name, 1) for name in ("base", "shoulder", "elbow", "hand", "finger", "camera")],
    joint("j1", "revolute", "base", "shoulder", AXIS, xyz="0 0 1"), joint("j2", "revolute", "shoulder", "elbow", AXIS),
    joint("j3", "fixed", "elbow", "hand", xyz="1 0 0"), joint("j4", "prismatic", "hand", "finger", AXIS),
    joint("j5", "fixed", "shoulder", "camera"))


def cut_text(start, end=None, *more, parts=PARTS):
    """The tree of what stays, or None, and the names of the errors and warnings of cutting."""
    text, found = render(cut(load_text(robot(*parts, *more), "r.urdf"), start, end))
    names = [d.name for d in found if d.name.startswith(("cut", "frame-unknown"))]
    return None if text is None else etree.fromstring(text.encode()), names


def names(root, tag):
    return [element.get("name") for element in root.findall(tag)]


@pytest.mark.parametrize("start, end, links, joints", [
    ("shoulder", None, ["shoulder", "elbow", "hand", "finger", "camera"], ["j2", "j3", "j4", "j5"]),
    ("elbow", None, ["elbow", "hand", "finger"], ["j3", "j4"]), ("camera", None, ["camera"], []),
    ("base", "hand", ["base", "shoulder", "elbow", "hand"], ["j1", "j2", "j3"]),
    ("shoulder", "camera", ["shoulder", "camera"], ["j5"]), ("hand", "hand", ["hand"], [])])
def test_what_stays(start, end, links, joints):
    root, found = cut_text(start, end)
    assert (names(root, "link"), names(root, "joint"), found) == (links, joints, [])


def test_the_whole_changes_nothing():
    assert cut(load_text(robot(*PARTS)), "base").edits == ()


def test_every_other_byte_stays():
    text = """<?xml version='1.0'?>\r
<robot name="r">
  <!-- the base -->
  <link name="a" ><visual><geometry><sphere radius="1"/></geometry></visual></link>

  <link  name='ü' /><link name="c"/>
  <joint name="j" type="fixed"><parent link="a"/><child link="ü"/></joint>
  <joint name="k" type="fixed"><parent link="ü"/>
    <child link="c"/></joint>
  <material name="unused"/>
</robot>
"""
    expected = """<?xml version='1.0'?>\r
<robot name="r">
  <!-- the base -->

  <link  name='ü' /><link name="c"/>
  <joint name="k" type="fixed"><parent link="ü"/>
    <child link="c"/></joint>
  <material name="unused"/>
</robot>
"""
    assert rewrite(cut(load_text(text.encode(), "r.urdf"), "ü"))[0] == expected.encode()


def test_what_belongs_to_what_goes_goes_too():
    control = ('<ros2_control name="{}" type="system"><hardware/>{}</ros2_control>')
    actuated = '<joint name="{}"><command_interface name="position"/></joint>'
    motor = '<transmission name="{0}_t"><joint name="{0}"/><actuator name="m"/></transmission>'
    root, found = cut_text(
        "elbow", None, gazebo("shoulder", "<mu1>1</mu1>"), gazebo("j1", "<provideFeedback>1</provideFeedback>"),
        gazebo("hand", "<mu1>2</mu1>"), gazebo("", "<plugin name='p' filename='f'/>"), motor.format("j1"),
        motor.format("j4"), control.format("both", actuated.format("j2") + actuated.format("j4") + motor.format("j2")),
        control.format("gone", actuated.format("j1")), control.format("io", "<gpio name='g'/>"))
    assert found == []
    assert [block.get("reference") for block in root.findall("gazebo")] == ["hand", None]
    assert names(root, "transmission") == ["j4_t"] and names(root, "ros2_control") == ["both", "io"]
    both = root.find("ros2_control")
    assert [[e.tag, e.get("name")] for e in both] == [["hardware", None], ["joint", "j4"]]


def test_a_link_and_a_joint_of_one_name():
    """<gazebo> for the link stays, the transmission of the joint goes."""
    parts = (link("a", 1), link("b", 1), link("c", 1), joint("b", "revolute", "a", "b", AXIS),
             joint("d", "continuous", "b", "c", '<axis xyz="1 0 0"/>'))
    root, found = cut_text("b", None, gazebo("b", "<mu1>1</mu1>"),
                           '<transmission name="t"><joint name="b"/></transmission>', parts=parts)
    assert (len(root.findall("gazebo")), names(root, "transmission"), found) == (1, [], [])


def test_a_transmission_whose_joints_have_other_tags_goes():
    """As PR2's grippers and wrists have them."""
    ways = ['<transmission name="t"><gap_joint name="j1"/></transmission>',
            '<transmission name="u"><rollJoint name="j1"/></transmission>']
    root, found = cut_text("elbow", None, *ways)
    assert (names(root, "transmission"), found) == ([], [])


def test_a_material_that_a_visual_which_goes_defines():
    paint = '<material name="paint"><color rgba="1 0 0 1"/></material>'
    visual = '<visual><geometry><sphere radius="1"/></geometry>{}</visual>'
    parts = (link("a", None, visual.format(paint)), link("b", None, visual.format('<material name="paint"/>')),
             joint("j", "fixed", "a", "b"))
    root, _ = cut_text("b", parts=parts)
    assert etree.tostring(root.find("material")).decode() == paint
    assert cut_text("a", "a", parts=parts)[0].find("material") is None, "its own visual defines it"


def test_a_mimic_of_what_is_cut_is_refused():
    follower = (link("tip", 1), joint("j6", "revolute", "finger", "tip", AXIS + '<mimic joint="j2"/>'))
    made = cut(load_text(robot(*PARTS, *follower), "r.urdf"), "hand")
    assert made.source is None and made.findings[-1].name == "cut-mimic-leader"
    assert made.findings[-1].path == '/robot[@name="r"]/joint[@name="j6"]/mimic'
    assert cut_text("shoulder", None, *follower)[1] == []


@pytest.mark.parametrize("start, end, found", [
    ("elbow", "camera", "cut-not-below"), ("hand", "base", "cut-not-below"), ("hnd", None, "frame-unknown"),
    ("hand", "fingre", "frame-unknown")])
def test_what_cannot_be_cut_is_refused(start, end, found):
    assert cut_text(start, end) == (None, [found])


def test_what_still_names_it_is_told():
    plugin = gazebo("", "<plugin name='p' filename='f'><joints>j4, j1</joints><link>hand</link></plugin>")
    text = robot(*PARTS, plugin, "<frame name='f' link='camera'/>")
    told = [d for d in cut(load_text(text, "r.urdf"), "elbow").findings if d.name == "cut-still-named"]
    assert [(d.path, d.message.partition(": ")[2]) for d in told] == [
        ('/robot[@name="r"]/gazebo', "'j1'"), ('/robot[@name="r"]/frame[@name="f"]', "'camera'")]
