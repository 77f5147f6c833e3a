"""The service check_tf: the real node, and beside it a publisher of TF that does it right, wrong, twice or not at all.

The tester plays robot_state_publisher: of the pendulum it publishes the arm on /tf, with the hinge at 0.3 rad, and the
tip on /tf_static.
"""

import re
from itertools import product
from math import cos, inf, nan, pi, sin

import pytest

pytest.importorskip("rclpy")


def stamp(parent: str, child: str, x: float = 0.0, z: float = 0.0, yaw: float = 0.0, pitch: float = 0.0):
    from geometry_msgs.msg import TransformStamped
    stamped = TransformStamped(child_frame_id=child)
    stamped.header.frame_id = parent
    t, q = stamped.transform.translation, stamped.transform.rotation
    t.x, t.z = x, z
    q.w, q.x = cos(yaw / 2) * cos(pitch / 2), -sin(yaw / 2) * sin(pitch / 2)
    q.y, q.z = cos(yaw / 2) * sin(pitch / 2), sin(yaw / 2) * cos(pitch / 2)
    return stamped


def publish_static(node, *transforms):
    """Publish on /tf_static; what is returned can be destroyed again."""
    from tf2_msgs.msg import TFMessage
    publisher = node.client.create_publisher(TFMessage, "/tf_static", node.latched)
    publisher.publish(TFMessage(transforms=transforms))
    return publisher


def keep_publishing(node, *transforms):
    """Publish on /tf again and again, until what is returned is called."""
    from tf2_msgs.msg import TFMessage
    publisher = node.client.create_publisher(TFMessage, "/tf", 10)
    timer = node.client.create_timer(0.05, lambda: publisher.publish(TFMessage(transforms=transforms)))
    return timer.cancel


ARM = ("base", "arm", 0.0, 1.0, pi / 2, 0.3)
TIP = ("arm", "tip", 1.0)


def test_beside_a_publisher(start_node, pendulum):
    node = start_node(robot_description=pendulum, tf_mode="complement")
    node.wait_for("/tf_static")
    # The node publishes the frames of the joints, below the arm; the links are for someone else to publish.
    answer = node.check_tf_until(lambda answer: answer.heard == 3)
    assert not answer.consistent and answer.publishers == ["/tf_static /sdf_frames"]
    assert [(f.code, f.name, f.severity, f.line) for f in answer.diagnostics] == [
        ("T007", "tf-disconnected", "error", 6), ("T003", "tf-frame-missing", "error", 9)]
    assert answer.summary.startswith("inconsistent, 2 errors; T007") and "joint_states" in answer.diagnostics[0].hint
    assert "'arm'" in answer.diagnostics[0].message and "'tip'" in answer.diagnostics[1].message
    assert all(f.hint.endswith("; TF comes from /tf_static /sdf_frames") for f in answer.diagnostics)

    silence = keep_publishing(node, stamp(*ARM))
    right = publish_static(node, stamp(*TIP))
    answer = node.check_tf_until(lambda answer: answer.heard == 5)
    assert answer.consistent and answer.summary == "consistent" and not answer.diagnostics
    assert answer.publishers == ["/tf /tester", "/tf_static /sdf_frames", "/tf_static /tester"]

    silence()
    node.spin_for(1.5)
    finding = node.check_tf_until(lambda answer: answer.heard == 4).diagnostics[0]
    assert re.search(r"^publish joint states of 'hinge': .*; the last transform on /tf came \d+ s ago", finding.hint)
    keep_publishing(node, stamp(*ARM))
    node.check_tf_until(lambda answer: answer.consistent)

    twice = publish_static(node, stamp("base", "tip", 1.0))
    answer = node.check_tf_until(lambda answer: answer.diagnostics)
    finding, = answer.diagnostics
    assert not answer.consistent and (finding.name, finding.line) == ("tf-two-parents", 9)
    assert "'arm' (/tf_static)" in finding.message and "'base' (/tf_static)" in finding.message

    for publisher in (right, twice):
        node.client.destroy_publisher(publisher)
    publish_static(node, stamp("arm", "tip", 1.25))
    finding, = node.check_tf_until(lambda answer: answer.heard == 5).diagnostics
    assert (finding.name, finding.line) == ("tf-pose-differs", 9) and "0.25 m and 0 rad off in 'arm'" in finding.message
    assert node.check_tf_until(lambda answer: answer.heard == 5, position_tolerance=0.3).consistent


def test_alone_the_whole_tree_is_consistent_until_another_moves_what_is_static(start_node, pendulum):
    node = start_node(robot_description=pendulum, frame_prefix="r1/")
    node.wait_for("/tf_static")
    answer = node.check_tf_until(lambda answer: answer.heard == 5)
    assert answer.consistent and not answer.diagnostics
    keep_publishing(node, stamp("r1/base", "r1/arm", *ARM[2:]))
    finding, = node.check_tf_until(lambda answer: answer.diagnostics).diagnostics
    assert (finding.name, finding.severity, finding.line) == ("tf-static-and-moving", "error", 6)
    assert "tf_mode" in finding.hint


def test_with_tf_mode_none_the_links_suffice(start_node, pendulum):
    node = start_node(robot_description=pendulum, tf_mode="none")
    node.wait_for("/diagnostics")
    answer = node.call("check_tf", duration=0.5)
    assert [f.name for f in answer.diagnostics] == ["tf-empty"] and not answer.heard
    keep_publishing(node, stamp(*ARM))
    publish_static(node, stamp(*TIP))
    assert node.check_tf_until(lambda answer: answer.heard == 2).consistent


def test_a_joint_that_is_published_with_another_origin(start_node, pendulum):
    node = start_node(robot_description=pendulum, tf_mode="none")
    node.wait_for("/diagnostics")
    parent, child, x, *rest = ARM
    keep_publishing(node, stamp(parent, child, x + 0.1, *rest))
    publish_static(node, stamp(*TIP))
    answer = node.check_tf_until(lambda answer: answer.heard == 2)
    finding, = answer.diagnostics
    assert not answer.consistent and (finding.code, finding.severity, finding.line) == ("T012", "error", 6)
    assert "which leaves 0.1 m and 0 rad" in finding.message
    assert node.check_tf_until(lambda answer: answer.heard == 2, position_tolerance=0.11).consistent


def test_other_services_answer_meanwhile_and_a_signal_ends_the_listening(start_node, pendulum):
    from sdf_frames import srv
    node = start_node(robot_description=pendulum)
    node.wait_for("/tf_static")
    future = node.connect(srv.CheckTf, "check_tf").call_async(srv.CheckTf.Request(duration=60.0))
    node.spin_until(lambda: node.client.get_subscriptions_info_by_topic("/tf"), "the subscription")
    assert node.call("get_frames").frames
    assert not future.done()
    assert node.check_tf_until(lambda answer: answer.consistent), "a second call at the same time"
    assert node.stop()[0] == 0


def test_numbers_that_mean_nothing_are_refused(start_node):
    node = start_node()
    for field, value in product(("duration", "position_tolerance", "angle_tolerance"), (nan, -1.0, inf)):
        answer = node.call("check_tf", **{field: value})
        assert not answer.consistent and answer.summary.startswith("inconsistent, 1 error; M021")
        assert [(f.name, f.message) for f in answer.diagnostics] == [("number-refused", f"{field} is {value:g}")]


def test_check_tf_needs_a_description(start_node):
    node = start_node()
    answer = node.call("check_tf", duration=0.1)
    assert not answer.consistent and [f.name for f in answer.diagnostics] == ["description-missing"]
