"""Descriptions as they should not come: very long, in bytes that are not UTF-8, from two publishers at once."""

import pytest

pytest.importorskip("rclpy")

from rclpy.serialization import serialize_message
from std_msgs.msg import String

ROBOT = "<sdf version='1.9'><model name='{}'><link name='l'/></model></sdf>"


def children(node) -> set[str]:
    """Children of the transforms that came last."""
    return {transform.child_frame_id for transform in node.heard["/tf_static"][-1].transforms}


def test_a_description_of_60_mb_is_read_and_requests_are_answered_meanwhile(start_node, pendulum):
    node = start_node(robot_description=pendulum)
    node.wait_for("/tf_static")
    # libxml2 takes no comment of 10 MB or more.
    node.publish(ROBOT.format("long").replace("</model>", f"<!--{'x' * 1_000_000}-->" * 61 + "</model>"))
    node.spin_until(lambda: "Received robot_description by topic: 61" in node.log.read_text(), "the description")
    assert node.call("get_frames").success
    node.wait_for("/tf_static", 2)
    assert children(node) == {"long"}
    node.publish(ROBOT.format("next"))
    node.wait_for("/tf_static", 3)
    assert children(node) == {"next"}


@pytest.mark.parametrize("joint_states", [False, True])
def test_a_document_without_a_robot_takes_all_frames_back(start_node, pendulum, joint_states):
    node = start_node(robot_description=pendulum, joint_states=joint_states, inertia_markers=True, monitor=True)
    node.wait_for("/tf_static")
    node.publish("<sdf version='1.9'/>")
    node.wait_for("/tf_static", 2)
    assert children(node) == set()
    node.spin_until(lambda: "S016 nothing-described" in node.log.read_text(), "the reason")
    for name in ("get_frames", "validate_sdf", "compute_inertia", "convert_urdf", "check_tf", "resolve_frame"):
        node.call(name)
    assert "Unexpected" not in node.log.read_text() and "M007" not in node.log.read_text()


def test_an_empty_description_is_an_error_also_as_the_first_one(start_node):
    node = start_node()
    for count in (1, 2):
        node.publish("")
        node.spin_until(lambda count=count: node.log.read_text().count("X002 xml-malformed") == count, "the error")
        assert node.call("get_frames").success == (count == 2), "the last valid description stays"
        node.publish(ROBOT.format("good"))
        node.wait_for("/tf_static")
        node.spin_until(lambda: node.call("validate_sdf").valid, "the good one")


def test_bytes_that_are_not_utf_8_are_a_warning_with_their_place(start_node):
    node = start_node()
    node.spin_until(node.publisher.get_subscription_count, "the node")
    for number, name in enumerate((b"a\xffd", b"b\xc0d", b"c\xe2d"), 1):
        node.publisher.publish(serialize_message(String(data=ROBOT.format("bad"))).replace(b"bad", name))
        node.wait_for("/tf_static", number)
        assert children(node) == {f"{chr(name[0])}\ufffdd"}
        assert [d.code for d in node.call("validate_sdf").diagnostics] == ["X014"]
    status = node.wait_for("/diagnostics").status[0]
    assert status.level == b"\1" and "; X014 xml-invalid-bytes: " in status.message
    assert node.call("validate_sdf", sdf="<sdf>\n\ufffd</sdf>").diagnostics[0].line == 2


def test_a_message_that_is_cut_off_ends_nothing(start_node):
    node = start_node()
    node.spin_until(node.publisher.get_subscription_count, "the node")
    node.publisher.publish(serialize_message(String(data=ROBOT.format("cut")))[:-30])
    node.publish(ROBOT.format("whole"))
    node.wait_for("/tf_static")
    assert children(node) == {"whole"}


def test_of_two_publishers_the_last_description_stays(start_node):
    node = start_node()
    other = node.client.create_publisher(String, "/robot_description", node.latched)
    node.spin_until(lambda: node.publisher.get_subscription_count() and other.get_subscription_count(), "the node")
    for turn in range(10):
        node.publish(ROBOT.format(f"left{turn}"))
        other.publish(String(data=ROBOT.format(f"right{turn}")))
        # An executor takes messages before requests: after an answer, both have been taken.
        node.call("get_frames")
    node.spin_until(lambda: node.heard["/tf_static"] and children(node) & {"left9", "right9"}, "the last ones")
    node.spin_for(1.0)
    assert children(node) & {"left9", "right9"}
