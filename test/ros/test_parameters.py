"""Parameters over ROS: what is accepted shows at once, what is refused gives a reason."""
from __future__ import annotations

from xml.etree import ElementTree

import pytest

pytest.importorskip("rclpy")

# A link with mass behind a fixed joint: lumped by default, kept on demand.
BRACKET = """<robot name="bracket">
  <link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="part"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="bolt" type="fixed"><origin xyz="0 0 2"/><parent link="base"/><child link="part"/></joint>
</robot>"""


def links_of(message) -> set:
    return {e.get("name") for e in ElementTree.fromstring(message.data.encode()).find("model").findall("link")}


def test_conversion_follows_parameters(start_node):
    node = start_node(robot_description=BRACKET)
    assert links_of(node.wait_for("/robot_description_sdf")) == {"base"}
    assert node.set_parameter("preserve_fixed_joints", True).successful
    assert links_of(node.wait_for("/robot_description_sdf", 2)) == {"base", "part"}
    assert node.set_parameter("sdf_version", "1.12").successful
    text = node.wait_for("/robot_description_sdf", 3).data
    assert ElementTree.fromstring(text.encode()).get("version") == "1.12"


def test_version_given_as_number(start_node):
    # `ros2 param set ... sdf_version 1.10` sends the number 1.1.
    node = start_node(robot_description=BRACKET)
    node.wait_for("/robot_description_sdf")
    assert node.set_parameter("sdf_version", 1.1).successful
    text = node.wait_for("/robot_description_sdf", 2).data
    assert ElementTree.fromstring(text.encode()).get("version") == "1.10"


def test_names_follow_parameters(start_node, pendulum):
    node = start_node(robot_description=pendulum)
    node.wait_for("/tf_static")
    assert node.set_parameter("frame_prefix", "r1/").successful
    message = node.wait_for("/tf_static", 2)
    assert {t.child_frame_id for t in message.transforms} == {"r1/arm", "r1/pendulum", "r1/hinge", "r1/tip_joint", "r1/tip"}
    assert {frame.tf_frame for frame in node.call("get_frames").frames} == {
        "r1/base", "r1/arm", "r1/pendulum", "r1/hinge", "r1/tip_joint", "r1/tip"}
    assert len(node.heard["/robot_description_sdf"]) == 1, "the SDF has not changed"
    assert node.set_parameter("tf_mode", "none").successful
    assert not node.wait_for("/tf_static", 3).transforms, "late listeners must not get the old tree"


@pytest.mark.parametrize("name, value, reason", [
    ("tf_mode", "sometimes", "tf_mode is 'sometimes', not one of"),
    ("massless", "ignore", "massless is 'ignore', not one of"),
    ("sdf_version", "1.4", "sdf_version is '1.4', not one of"),
    ("scope_separator", "", "scope_separator is empty"),
    ("frame_prefix", "/r1", "frame_prefix starts with a slash"),
    ("robot_description", "<robot name='r'/>", "the description would be in error: R002"),
])
def test_refused_values_give_a_reason(start_node, pendulum, name, value, reason):
    node = start_node(robot_description=pendulum)
    node.wait_for("/tf_static")
    result = node.set_parameter(name, value)
    assert not result.successful and result.reason.startswith(reason), result.reason
    node.spin_for(0.3)
    assert len(node.heard["/tf_static"]) == 1 and node.call("validate_sdf").valid


def test_description_by_parameter_replaces_the_one_of_the_topic(start_node, pendulum):
    node = start_node()
    node.publish(pendulum)
    node.wait_for("/robot_description_sdf")
    assert node.set_parameter("robot_description", BRACKET).successful
    assert links_of(node.wait_for("/robot_description_sdf", 2)) == {"base"}


def test_every_parameter_describes_itself(start_node):
    from rcl_interfaces.srv import DescribeParameters

    from sdf_frames.ros.parameters import PARAMETERS
    node = start_node()
    answer = node.call_type(DescribeParameters, "/sdf_frames/describe_parameters",
                            DescribeParameters.Request(names=list(PARAMETERS)))
    assert all(descriptor.description for descriptor in answer.descriptors)
    assert len(answer.descriptors) == 8


def test_bad_value_at_start_ends_the_node(start_node):
    node = start_node(tf_mode="sometimes")
    assert node.process.wait(timeout=20) == 1
    text = node.log.read_text()
    assert "tf_mode is 'sometimes', not one of 'all', 'complement', 'none'" in text and "Traceback" not in text
