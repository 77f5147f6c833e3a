"""Children of <state> under the names of 1.12."""
import pytest
from lxml import etree

from sdf_frames.sdf.upgrade import upgrade_tree

STATE = '<sdf version="1.11"><world name="w"><state world_name="w"><model name="m">{}</model></state></world></sdf>'


def upgraded(inside):
    root = etree.fromstring(STATE.format(inside))
    assert upgrade_tree(root, "1.12") == ()
    return root.find("world/state/model_state")


@pytest.mark.parametrize("old, first, second", [
    ("velocity", "linear_velocity", "angular_velocity"),
    ("acceleration", "linear_acceleration", "angular_acceleration"),
    ("wrench", "force", "torque")])
def test_six_numbers_become_three_and_three(old, first, second):
    link = upgraded(f'<link name="l"><{old}>1 2 3 4 5 6</{old}></link>').find("link_state")
    assert [(e.tag, e.text) for e in link] == [(first, "1 2 3"), (second, "4 5 6")]


@pytest.mark.parametrize("text", ["1 2 3", "1 2 3 4 5 6 7", ""])
def test_velocities_without_six_numbers_stay(text):
    link = upgraded(f'<link name="l"><velocity>{text}</velocity></link>').find("link_state")
    assert [(e.tag, e.text or "") for e in link] == [("velocity", text)]


def test_a_name_that_is_taken_keeps_the_old_one():
    link = upgraded('<link name="l"><force>1 2 3</force><wrench>1 2 3 4 5 6</wrench></link>').find("link_state")
    assert [e.tag for e in link] == ["force", "wrench"]


@pytest.mark.parametrize("attribute, name",
                         [("", "axis_state"), (' axis="0"', "axis_state"), (' axis=" 1 "', "axis2_state")])
def test_angles_are_positions_of_axes(attribute, name):
    joint = upgraded(f'<joint name="j"><angle{attribute}>0.5</angle></joint>').find("joint_state")
    assert [(e.tag, dict(e.attrib), e.findtext("position")) for e in joint] == [(name, {}, "0.5")]
