"""Poses of SDFormat 1.6 in frames that no pose can name since: computed by hand."""
from __future__ import annotations

from math import pi

import pytest
from lxml import etree
from written_text import upgrade_text


def upgrade(inside, kind="model", to="1.12"):
    text, found = upgrade_text(f'<sdf version="1.6"><{kind} name="m">{inside}</{kind}></sdf>', None, to)
    assert text is not None, found
    return etree.fromstring(text.encode())


def read(pose):
    return [round(float(word), 12) for word in pose.text.split()], dict(pose.attrib)


LINKS = (f'<link name="a"><pose>1 0 0 0 0 {pi / 2!r}</pose>{{}}</link><link name="b"><pose>0 5 0 0 0 0</pose></link>')
INERTIAL = '<inertial><pose frame="{}">{}</pose><mass>1</mass></inertial>'


@pytest.mark.parametrize("frame, pose, expected", [
    # a is at (1, 0), turned by a quarter about z: b, 5 along y, is 5 along its x and 1 along its y.
    ("b", "0 0 2 0 0 0", [5, 1, 2, 0, 0, -pi / 2]), ("b", "1 0 0 0 0 0", [5, 0, 0, 0, 0, -pi / 2]),
    ("a", "1 2 3 0 0 0", [1, 2, 3, 0, 0, 0]), ("__model__", "1 0 0 0 0 0", [0, 0, 0, 0, 0, -pi / 2])])
@pytest.mark.parametrize("to", ["1.7", "1.12"])
def test_an_inertial_in_another_frame(frame, pose, expected, to):
    written, attributes = read(upgrade(LINKS.format(INERTIAL.format(frame, pose)), to=to).find(".//inertial/pose"))
    assert written == pytest.approx(expected, abs=1e-11) and attributes == {}


def test_inertials_of_several_links_and_models():
    """Each in the link of its own model; in a world, each in its own model."""
    model = '<model name="{}">{}</model>'
    other = f'<link name="c">{INERTIAL.format("b", "0 0 3 0 0 0")}</link>'
    inner = LINKS.format(INERTIAL.format("b", "0 0 2 0 0 0")) + other
    root = upgrade(model.format("n", inner + model.format("o", inner)), "world")
    poses = [read(pose)[0] for pose in root.iterfind(".//inertial/pose")]
    assert poses == [pytest.approx(expected, abs=1e-11) for expected in (
        [5, 1, 2, 0, 0, -pi / 2], [0, 5, 3, 0, 0, 0]) * 2]
    assert b"urn" not in etree.tostring(root) and b"ns0" not in etree.tostring(root)


def test_a_frame_that_does_not_exist_says_nothing():
    """It is reported on loading; the numbers stay."""
    root = upgrade(LINKS.format(INERTIAL.format("nowhere", "1 2 3 0 0 0")))
    written, attributes = read(root.find(".//inertial/pose"))
    assert written == [1, 2, 3, 0, 0, 0] and attributes == {}


JOINT = '<joint name="j" type="fixed">{}<parent>b</parent><child>world</child></joint>'


@pytest.mark.parametrize("model_pose, joint_pose, expected", [
    ("", "<pose>1 2 3 0 0 0</pose>", [1, 2, 3, 0, 0, 0]),
    ("<pose>0 0 9 0 0 0</pose>", "<pose>1 2 3 0 0 0</pose>", [1, 2, -6, 0, 0, 0]),
    (f"<pose>0 0 0 0 0 {pi / 2!r}</pose>", "<pose>1 0 0 0 0 0</pose>", [0, -1, 0, 0, 0, -pi / 2])])
def test_a_joint_whose_child_is_the_world(model_pose, joint_pose, expected):
    """Its pose was in the world: it is written in its model."""
    root = upgrade(model_pose + LINKS.format("") + JOINT.format(joint_pose))
    joint = root.find(".//joint")
    written, attributes = read(joint.find("pose"))
    assert written == pytest.approx(expected, abs=1e-11) and attributes == {"relative_to": "__model__"}
    assert (joint.findtext("parent"), joint.findtext("child")) == ("world", "b")


def test_a_joint_of_a_nested_model_in_a_world():
    """The outer model is 10 up, the inner 5 along x in it."""
    joint = JOINT.format("<pose>1 2 3 0 0 0</pose>")
    inner = f'<model name="n"><pose>5 0 0 0 0 0</pose>{LINKS.format("")}{joint}</model>'
    root = upgrade(f'<model name="o"><pose>0 0 10 0 0 0</pose><link name="l"/>{inner}</model>', "world")
    written, attributes = read(root.find(".//joint/pose"))
    assert written == [-4, 2, -7, 0, 0, 0] and attributes == {"relative_to": "__model__"}
    assert [read(model.find("pose")) for model in root.iter("model")] == [([0, 0, 10, 0, 0, 0], {}),
        ([5, 0, 0, 0, 0, 0], {})]


@pytest.mark.parametrize("kind, height", [("model", 0), ("world", 10)])
def test_a_model_that_is_placed_by_its_own_joint(kind, height):
    """The joint is at 5 along x in the world, link k 1 further, and the model, in k's frame, 1 to the left of that.

    Written in the model, the pose of the joint would lead in a circle: that of the model is written in its scope.
    """
    inner = (f'<model name="n"><pose frame="k">0 1 0 0 0 0</pose>{LINKS.format("")}'
             f'{JOINT.format("<pose>5 0 0 0 0 0</pose>")}</model>')
    parts = f'<link name="l"/><link name="k"><pose frame="n::j">1 0 0 0 0 0</pose></link>{inner}'
    outer = f'<model name="o"><pose>0 0 {height} 0 0 0</pose>{parts}</model>' if height else parts
    root = upgrade(outer, kind)
    n = root.find(".//model[@name='n']")
    assert read(n.find("joint/pose")) == ([-1, -1, 0, 0, 0, 0], {"relative_to": "__model__"})
    assert read(n.find("pose")) == ([6, 1, -height, 0, 0, 0], {})
    assert read(root.find(".//link[@name='k']/pose")) == ([1, 0, 0, 0, 0, 0], {"relative_to": "n::j"})
    assert not height or read(root.find("world/model/pose")) == ([0, 0, 10, 0, 0, 0], {})
