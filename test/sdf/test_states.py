"""Children of <state> under the names of 1.12."""
import pytest
from lxml import etree

from sdf_frames.sdf.upgrade import upgrade_tree

STATE = '<sdf version="1.11"><world name="w"><state world_name="w"><model name="m">{}</model></state></world></sdf>'


def upgraded(inside):
    root = etree.fromstring(STATE.format(inside))
    assert upgrade_tree(root, "1.12") == ()
    return root.find("world/state/model_state")


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


def test_every_child_of_a_state_that_got_another_name():
    old = ('<state world_name="w"><sim_time>1 0</sim_time><model name="m"><pose>1 0 0 0 0 0</pose><model name="n"/>'
           '<link name="l"><collision name="c"/><pose/></link><joint name="j"/></model><light name="x"/>'
           '<joint name="k"/><link name="y"/></state>')
    root = etree.fromstring(f'<sdf version="1.11"><world name="w">{old}{old}</world></sdf>')
    assert upgrade_tree(root, "1.12") == ()
    new = old
    for tag in ("model", "light", "joint", "collision"):
        new = new.replace(f"<{tag} ", f"<{tag}_state ").replace(f"</{tag}>", f"</{tag}_state>")
    new = new.replace('<link name="l">', '<link_state name="l">').replace("</link>", "</link_state>")
    assert etree.tostring(root, encoding="unicode") == f'<sdf version="1.12"><world name="w">{new}{new}</world></sdf>'


@pytest.mark.parametrize("inside, wanted", [
    ('<link name="l">\n <wrench>1 2 3 4 5 6</wrench>\n <velocity>6 5 4 3 2 1</velocity></link>',
     '<link_state name="l">\n <force>1 2 3</force>\n <torque>4 5 6</torque>\n <linear_velocity>6 5 4</linear_velocity>'
     "<angular_velocity>3 2 1</angular_velocity></link_state>"),
    ('<link name="l"><torque/><wrench>1 2 3 4 5 6</wrench><acceleration>1 2 3 4 5 6</acceleration></link>',
     '<link_state name="l"><torque/><wrench>1 2 3 4 5 6</wrench><linear_acceleration>1 2 3</linear_acceleration>'
     "<angular_acceleration>4 5 6</angular_acceleration></link_state>"),
    # Two angles of one axis, or one beside its new name, say nothing clear.
    ('<joint name="j"><angle axis="1">1</angle><angle>2</angle></joint>',
     '<joint_state name="j"><axis2_state><position>1</position></axis2_state><axis_state><position>2</position>'
     "</axis_state></joint_state>"),
    ('<joint name="j"><angle>1<a/>\n <b/>\n</angle></joint>',
     '<joint_state name="j"><axis_state><a/><b/><position>1</position></axis_state></joint_state>'),
    ('<joint name="j"><angle axis="0">1</angle><angle>2</angle></joint>',
     '<joint_state name="j"><angle axis="0">1</angle><angle>2</angle></joint_state>'),
    ('<joint name="j"><axis_state/><angle>2</angle><angle axis="2">3</angle></joint>',
     '<joint_state name="j"><axis_state/><angle>2</angle><angle axis="2">3</angle></joint_state>')])
def test_what_links_and_joints_of_a_state_say(inside, wanted):
    state = upgraded(inside)
    assert etree.tostring(state[0], encoding="unicode") == wanted
