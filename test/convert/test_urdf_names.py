"""Names in a URDF: each is unique among links or joints, whatever the SDF calls them."""
from __future__ import annotations

import pytest
from lxml import etree
from written_text import convert_to_urdf

from sdf_frames.load import load_text

LINK = '<link name="{}"><inertial><mass>1</mass></inertial></link>'
JOINT = '<joint name="{}" {} type="revolute"><parent>{}</parent><child>{}</child><axis><xyz>0 0 1</xyz></axis></joint>'


def read(content: str, **options):
    """Return the names of links, each joint's parent and child, and what the warnings on names say."""
    text, _, found, _ = convert_to_urdf(load_text(
        f'<sdf version="1.11" xmlns:sdf_frames="urn:sdf_frames:urdf"><model name="m">{content}</model></sdf>'),
        **options)
    root = etree.fromstring(text.encode())
    joints = [(j.get("name"), j.find("parent").get("link"), j.find("child").get("link")) for j in root.iter("joint")]
    return ([link.get("name") for link in root.iter("link")], joints,
            [d.message for d in found if d.name == "urdf-name-taken"])


def test_a_name_with_the_separator_in_it_is_not_that_of_a_nested_link():
    links, joints, told = read(
        LINK.format("base") + LINK.format("a/b") + JOINT.format("a/k", "", "base", "a/b")
        + f'<model name="a">{LINK.format("b")}{LINK.format("c")}{JOINT.format("k", "", "b", "c")}</model>'
        + JOINT.format("j", "", "base", "a::b"))
    assert sorted(links) == ["a", "a/b", "a/b0", "a/c", "base"]
    assert sorted(joints) == [("a/k", "base", "a/b"), ("a/k0", "a/b0", "a/c"), ("a_fixed", "a/b0", "a"),
                              ("j", "base", "a/b0")]
    assert told == ["link 'a::b' is renamed to 'a/b0' in the URDF, where 'a/b' is another link",
                    "joint 'a::k' is renamed to 'a/k0' in the URDF, where 'a/k' is another joint"]


def test_two_joints_cannot_get_back_the_same_name():
    """As after a copy of a joint in an SDF that was converted from a URDF."""
    links = "".join(map(LINK.format, "abc"))
    _, joints, told = read(links + JOINT.format("x_joint", 'sdf_frames:name="x"', "a", "b")
                           + JOINT.format("x_joint_2", 'sdf_frames:name="x"', "a", "c"))
    assert joints == [("x", "a", "b"), ("x0", "a", "c")]
    assert told == ["joint 'x_joint_2' is renamed to 'x0' in the URDF, where 'x' is another joint"]


@pytest.mark.parametrize("joint_frames", [True, False])
def test_a_frame_for_a_joint_is_a_link_with_a_name_of_its_own(joint_frames):
    """URDF joint `tip` of link `tip` is the frame `tip_joint`. With a second frame upon it, it is not a pair."""
    frames = ('<frame name="tip_joint" attached_to="a" sdf_frames:name="tip"/>'
              '<frame name="tip" attached_to="tip_joint"/>')
    more = "" if joint_frames else '<frame name="mark" attached_to="tip_joint"/>'
    links, _, told = read(LINK.format("a") + frames + more, joint_frames=joint_frames)
    assert sorted(links) == sorted(["a", "tip", "tip_joint"] + (["mark"] if more else []))
    assert told == []
