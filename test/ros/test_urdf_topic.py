"""robot_description_urdf: what RViz and robot_state_publisher read. Expected values are worked out by hand."""

from xml.etree import ElementTree

import pytest

pytest.importorskip("rclpy")

from std_msgs.msg import String

ARM = """<sdf version="1.12"><model name="arm">
  <link name="base"><visual name="v"><geometry><mesh><uri>model://parts/base.stl</uri></mesh></geometry></visual></link>
  <link name="upper"><pose>0 0 1 0 0 0</pose><inertial><mass>3</mass></inertial></link>
  <joint name="hinge" type="revolute"><parent>base</parent><child>upper</child><axis><xyz>0 1 0</xyz></axis></joint>
  <link name="wheel"><pose>1 0 0 0 0 0</pose></link>
  <joint name="caster" type="ball"><parent>base</parent><child>wheel</child></joint>
  <link name="bolt"><pose>2 0 0 0 0 0</pose></link>
  <joint name="thread" type="screw"><parent>base</parent><child>bolt</child><axis><xyz>0 0 1</xyz></axis></joint>
  <link name="tool"><pose>3 0 0 0 0 0</pose></link>
  <joint name="wrist" type="universal"><parent>base</parent><child>tool</child><axis><xyz>1 0 0</xyz></axis>
    <axis2><xyz>0 1 0</xyz></axis2></joint>
  <frame name="look" attached_to="upper"><pose>0 0 2 0 0 0</pose></frame>
  <model name="hand"><pose>0 0 5 0 0 0</pose><link name="palm"/></model>
  <joint name="grip" type="prismatic"><parent>upper</parent><child>hand::palm</child><axis><xyz>0 0 1</xyz></axis>
    </joint>
</model></sdf>"""


def listen(node) -> list[str]:
    heard: list[str] = []
    node.client.create_subscription(String, "/robot_description_urdf", lambda message: heard.append(message.data),
                                    node.hearing)
    return heard


def test_a_urdf_stays_as_it_came(start_node, pendulum):
    node = start_node(robot_description=pendulum)
    heard = listen(node)
    node.spin_until(lambda: heard, "the URDF")
    assert heard == [pendulum]


def test_only_uris_that_rviz_cannot_open_change_in_a_urdf(start_node, pendulum, tmp_path):
    (tmp_path / "parts").mkdir()
    mesh = tmp_path / "parts" / "base.stl"
    mesh.write_text("solid s\nendsolid s\n")
    text = pendulum.replace("</robot>", '<!-- kept --><link name="a"><visual><geometry><mesh filename="{}"/></geometry>'
                                        '</visual></link>'
                            '<joint name="j" type="fixed"><parent link="base"/><child link="a"/></joint></robot>')
    node = start_node(resource_paths=[tmp_path], robot_description=text.format("model://parts/base.stl"))
    heard = listen(node)
    node.spin_until(lambda: heard, "the URDF")
    assert heard == [text.format(f"file://{mesh}")]


def test_an_sdf_is_converted(start_node, tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "base.stl").write_text("solid s\nendsolid s\n")
    node = start_node(resource_paths=[tmp_path], robot_description=ARM, scope_separator="_", tf_mode="complement")
    heard = listen(node)
    node.spin_until(lambda: heard, "the URDF")
    robot = ElementTree.fromstring(heard[0])
    assert {j.get("name"): (j.get("type"), j.find("child").get("link")) for j in robot.findall("joint")} == {
        "hinge": ("continuous", "upper"), "caster": ("floating", "wheel"), "thread": ("floating", "bolt"),
        "wrist": ("floating", "tool"), "grip": ("prismatic", "hand_palm"), "look_fixed": ("fixed", "look"),
        "hand_fixed": ("fixed", "hand")}
    assert robot.find(".//mesh").get("filename") == f"file://{tmp_path}/parts/base.stl"
    assert robot.find("link[@name='upper']/inertial/mass").get("value") == "3"
    # robot_state_publisher does not publish across floating joints; all else that is no link is ours anyway.
    children = {t.child_frame_id for t in node.wait_for("/tf_static").transforms}
    assert children == {"wheel", "bolt", "tool", "arm", "hinge", "caster", "thread", "wrist", "grip"}
    found = node.check_tf_until(lambda answer: answer.heard == len(children)).diagnostics
    assert {d.name for d in found} <= {"tf-frame-missing", "tf-disconnected"}, "what is at zero is meant to be"
    assert not any("wheel" in d.message or "bolt" in d.message or "tool" in d.message for d in found)


def test_a_description_that_urdf_cannot_express_is_reported(start_node):
    node = start_node(robot_description="<sdf version='1.12'><world name='w'><model name='a'><link name='l'/></model>"
                                        "<model name='b'><link name='l'/></model></world></sdf>")
    heard = listen(node)
    node.wait_for("/tf_static")
    node.spin_until(lambda: "M015 urdf-withheld" in node.log.read_text(), "the reason")
    node.spin_for(0.5)
    assert not heard
