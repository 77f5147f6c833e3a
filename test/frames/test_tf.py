"""The static TF tree: who hangs below whom, and where. Poses are worked out by hand."""

from collections import Counter
from math import pi

import pytest
from real_files import CORPUS, MISSING

from sdf_frames.frames.tf import build_tf_tree
from sdf_frames.load import load_file, load_text

ARM = """<robot name="arm">
  <link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="flange"/>
  <link name="camera"/>
  <link name="hand"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="mount" type="fixed"><parent link="base"/><child link="flange"/><origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/></joint>
  <joint name="look" type="fixed"><parent link="flange"/><child link="camera"/><origin xyz="0 0 2"/></joint>
  <joint name="turn" type="revolute"><parent link="flange"/><child link="hand"/><origin xyz="3 0 0"/><axis xyz="0 0 1"/>
    <limit effort="1" velocity="1" lower="-1" upper="1"/></joint>
</robot>"""  # noqa: E501


LINKED = """<sdf version="1.9"><model name="m"><link name="base"/><frame name="mark"/>
  <link name="f"/><joint name="jf" type="fixed"><parent>base</parent><child>f</child></joint>
  <link name="r"/><joint name="jr" type="revolute"><parent>base</parent><child>r</child><axis/></joint>
  <link name="p"/><joint name="jp" type="prismatic"><parent>r</parent><child>p</child><axis/></joint>
  <link name="c"/><joint name="jc" type="continuous"><parent>r</parent><child>c</child><axis/></joint>
  <link name="b"/><joint name="jb" type="ball"><parent>base</parent><child>b</child></joint>
  <link name="s"/><joint name="js" type="screw"><parent>base</parent><child>s</child><axis/></joint>
  <link name="free"/></model></sdf>"""


def test_frames_that_robot_state_publisher_publishes_too():
    """Of an SDFormat model, children of joints that URDF has, and frames. A ball joint floats there."""
    built = build_tf_tree(load_text(LINKED).graphs[0])
    assert {t.child for t in built.transforms} == {"m", "mark", *"frpcbs", "free", "jf", "jr", "jp", "jc", "jb", "js"}
    assert built.elsewhere - {"m"} == {"mark", *"frpc"}
    floating = ARM.replace('type="revolute"', 'type="floating"')
    for text, children in ((ARM, {"flange", "camera", "hand"}), (floating, {"flange", "camera"})):
        loaded = load_text(text)
        assert build_tf_tree(loaded.graphs[0], loaded.robot).elsewhere == children


def tree(text: str, **options) -> dict:
    transforms, found = load_text(text).static_transforms(**options)
    children = [t.child for t in transforms]
    assert len(children) == len(set(children))
    return {t.child: (t.parent, t.pose) for t in transforms}


def near(pose: tuple, x: float, y: float, z: float, yaw: float = 0.0) -> bool:
    from math import cos, sin
    return pose == pytest.approx((x, y, z, cos(yaw / 2), 0, 0, sin(yaw / 2)), abs=1e-12)


def test_links_of_a_urdf_hang_as_robot_state_publisher_hangs_them():
    frames = tree(ARM)
    assert set(frames) == {"flange", "camera", "hand", "mount", "look", "turn", "arm"}
    # A lumped joint hangs below the link that it was attached to, its link below the joint.
    assert frames["mount"][0] == "base" and near(frames["mount"][1], 1, 0, 0, pi / 2)
    assert frames["flange"][0] == "mount" and near(frames["flange"][1], 0, 0, 0)
    assert frames["look"][0] == "flange" and near(frames["look"][1], 0, 0, 2)
    assert frames["camera"][0] == "look"
    # The hand's URDF parent is the flange, although its SDFormat joint has base as its parent.
    assert frames["hand"][0] == "flange" and near(frames["hand"][1], 3, 0, 0)
    assert frames["turn"][0] == "hand" and near(frames["turn"][1], 0, 0, 0)
    assert frames["arm"][0] == "base"


def test_complement_leaves_out_what_robot_state_publisher_publishes():
    frames = tree(ARM, mode="complement")
    assert set(frames) == {"mount", "look", "turn", "arm"}
    assert frames["look"][0] == "flange" and frames["turn"][0] == "hand"


def test_complement_has_the_root_link_where_it_hangs_below_something():
    # A static model's links hang below its frame; robot_state_publisher knows nothing of that frame.
    frames = tree(ARM.replace("</robot>", "<gazebo><static>true</static></gazebo></robot>"), mode="complement")
    assert set(frames) == {"base", "mount", "look", "turn"} and frames["base"][0] == "arm"


def test_frames_of_an_attached_to_cycle_hang_below_the_root():
    """Their poses are known, but no link carries them: a transform between them would be a loop."""
    text = """<sdf version="1.9"><model name="m"><link name="l"/>
      <frame name="a" attached_to="b"><pose relative_to="l">1 0 0 0 0 0</pose></frame>
      <frame name="b" attached_to="a">%s</frame><frame name="c" attached_to="b"><pose relative_to="l">0 2 0 0 0 0</pose>
      </frame></model></sdf>"""
    posed = tree(text % '<pose relative_to="l">0 0 3 0 0 0</pose>')
    assert {child: parent for child, (parent, _) in posed.items()} == {"m": "l", "a": "l", "b": "l", "c": "l"}
    assert near(posed["a"][1], 1, 0, 0) and near(posed["b"][1], 0, 0, 3) and near(posed["c"][1], 0, 2, 0)
    unposed = tree((text % "").replace('<pose relative_to="l">1 0 0 0 0 0</pose>', ""))  # this never ended
    assert {child: parent for child, (parent, _) in unposed.items()} == {"m": "l", "c": "l"}


@pytest.mark.parametrize("file", [
    "PR2+pr2_common/xacro_expanded/pr2_description/robots/pr2.urdf",
    "osrf+drcsim/xacro_expanded/atlas_description/robots/atlas_v5.urdf",
    "robotology+icub-models/iCub/robots/iCubGazeboV2_5/model.urdf",
    "gkjohnson+nasa-urdf-robots/val_description/model/robots/valkyrie_sim.urdf"])
def test_real_robots_give_one_tree_with_every_frame(file):
    path = CORPUS / file
    if not path.exists():
        pytest.skip(f"{file}: {MISSING}")
    loaded = load_file(path)
    transforms, found = loaded.static_transforms()
    assert not found
    parents = Counter(t.child for t in transforms)
    assert max(parents.values()) == 1
    names = set(parents) | {t.parent for t in transforms}
    assert len(names - set(parents)) == 1, "one root"
    links = {link.name for link in loaded.robot.links}
    assert links | {joint.name for joint in loaded.robot.joints} <= names
    assert {f.name for f in loaded.scopes[0].frames if f.name != "__model__"} <= names
    above = {t.child: t.parent for t in transforms}
    for joint in loaded.robot.joints:
        parent = above[joint.child]
        while parent not in links:
            parent = above[parent]
        assert parent == joint.parent


BRANCH = """<robot name="r">{0}
  <joint name="{1}" type="revolute"><parent link="base"/><child link="tool"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/>
    <limit effort="1" velocity="1" lower="-1" upper="1"/></joint>
  <joint name="{2}" type="fixed"><parent link="tool"/><child link="tip"/><origin xyz="0 1 0"/></joint>
  <link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="tool"/><link name="tip"/>
</robot>"""  # noqa: E501


@pytest.mark.parametrize("first, second, joints", [
    ("turn", "hold", {"turn": "tool", "hold": "tip"}), ("tool", "tip", {}), ("tip", "hold", {"hold": "tip"}),
    ("turn", "base", {"turn": "tool"})])
def test_a_branch_that_the_sdf_lacks_stands_where_the_urdf_has_it(first, second, joints):
    """A joint that bears a link's name has no frame of its own, and takes none from the link."""
    frames = tree(BRANCH.format("", first, second))
    assert frames["tool"][0] == "base" and near(frames["tool"][1], 1, 0, 0)
    assert frames["tip"][0] == "tool" and near(frames["tip"][1], 0, 1, 0)
    assert {name: parent for name, (parent, _) in frames.items() if name not in ("base", "tool", "tip", "r")} == joints
    assert all(near(frames[name][1], 0, 0, 0) for name in joints)
