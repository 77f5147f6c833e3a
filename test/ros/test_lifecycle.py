"""The node with a lifecycle: what it does in each state."""

import signal

import pytest

pytest.importorskip("rclpy")

from lifecycle_msgs.srv import ChangeState
from tf2_msgs.msg import TFMessage

from sdf_frames.srv import CheckTf

from .test_long_work import go_on, halt

TRANSITIONS = {"configure": 1, "cleanup": 2, "activate": 3, "deactivate": 4}


def make_request(name: str) -> ChangeState.Request:
    request = ChangeState.Request()
    request.transition.id = TRANSITIONS[name]
    return request


def change(node, name: str) -> bool:
    return node.call_type(ChangeState, "/sdf_frames/change_state", make_request(name)).success


def hear_late(node) -> TFMessage:
    """What is kept for somebody who comes late."""
    late: list = []
    subscription = node.client.create_subscription(TFMessage, "/tf_static", late.append, node.hearing)
    node.spin_until(lambda: late, "what is kept")
    node.client.destroy_subscription(subscription)
    return late[0]


def wait_for_silence(node) -> None:
    """Wait until nobody is there who could send a tree, or keep one for somebody who comes late."""
    node.spin_until(lambda: not node.client.count_publishers("/tf_static"), "the end of the publisher")


def test_from_start_to_end(start_node, pendulum):
    node = start_node(program="sdf_frames_lifecycle_node", robot_description=pendulum)
    assert change(node, "configure")
    assert len(node.call("get_frames").frames) == 6, "it answers"
    node.wait_for("/diagnostics")
    assert not node.heard["/tf_static"] and not node.heard["/robot_description_sdf"]
    assert change(node, "activate")
    assert len(node.wait_for("/tf_static").transforms) == 5
    node.wait_for("/robot_description_sdf")
    assert len(hear_late(node).transforms) == 5
    assert change(node, "deactivate")
    wait_for_silence(node)
    assert node.call("get_frames").success
    node.publish(pendulum.replace("tip", "end"))
    node.spin_until(lambda: "end" in {f.name for f in node.call("get_frames").frames}, "the next description")
    assert not node.client.count_publishers("/tf_static") and len(node.heard["/tf_static"]) == 1
    assert change(node, "activate")
    assert "end" in {t.child_frame_id for t in node.wait_for("/tf_static", 2).transforms}
    node.spin_until(lambda: "M005" in node.log.read_text(), "the warning of the frame that listeners keep")
    assert change(node, "deactivate")
    node.client.destroy_publisher(node.publisher)  # it is latched: a configured node would hear "end" from it again
    assert change(node, "cleanup")
    node.spin_until(lambda: not node.clients["get_frames"].service_is_ready(), "the end of the services")
    assert change(node, "configure"), "with the description of the parameter again"
    assert "tip" in {f.name for f in node.call("get_frames").frames}
    assert node.stop()[0] == 0


def test_a_bad_description_cannot_be_configured(start_node):
    node = start_node(program="sdf_frames_lifecycle_node", robot_description="<robot name='r'/>")
    assert not change(node, "configure")
    assert "R002" in node.log.read_text()


def test_a_transition_that_the_state_does_not_have_is_refused(start_node, pendulum):
    node = start_node(program="sdf_frames_lifecycle_node", robot_description=pendulum)
    for name in ("activate", "deactivate", "cleanup"):
        assert not change(node, name)
    assert "Refused the transition 3" in node.log.read_text()
    request = ChangeState.Request()
    request.transition.id, request.transition.label = 3, "x\n[ERROR] [1] [safety]: forged"
    assert not node.call_type(ChangeState, "/sdf_frames/change_state", request).success
    log = node.log.read_text()
    assert r"x\n[ERROR] [1] [safety]: forged" in log and "\n[ERROR] [1] [safety]" not in log, log
    assert change(node, "configure") and not change(node, "configure")
    assert change(node, "activate") and not change(node, "cleanup")
    assert len(node.wait_for("/tf_static").transforms) == 5, "the node lives on"


def test_a_reading_that_outlives_the_cleanup_is_given_up(start_node, pendulum):
    node = start_node(program="sdf_frames_lifecycle_node")
    assert change(node, "configure")
    workers = halt(node, 1)
    node.publish(pendulum)
    node.spin_until(lambda: "Received robot_description" in node.log.read_text(), "the description")
    assert change(node, "cleanup")
    node.client.destroy_publisher(node.publisher)  # it is latched
    go_on(workers)
    node.spin_until(lambda: "Read " in node.log.read_text(), "the end of reading")
    assert change(node, "configure") and change(node, "activate")
    assert not node.call("get_frames").success and not node.heard["/tf_static"]


def test_a_publication_that_outlives_the_activity_is_given_up(start_node, pendulum):
    """The first publication waits for the answers of other publishers of TF."""
    node = start_node(program="sdf_frames_lifecycle_node", robot_description=pendulum, joint_states=True)
    assert change(node, "configure") and change(node, "activate") and change(node, "deactivate")
    node.spin_for(1.5)
    assert not node.client.count_publishers("/tf") and not node.client.count_subscribers("/joint_states")
    assert change(node, "activate") and len(node.wait_for("/tf_static").transforms) == 4
    node.spin_until(lambda: node.client.count_publishers("/tf") == 1, "the moving frames")
    assert "Unexpected" not in node.stop()[1]


def test_a_request_under_way_is_answered_after_the_cleanup(start_node, pendulum):
    node = start_node(program="sdf_frames_lifecycle_node", robot_description=pendulum)
    assert change(node, "configure")
    answer = node.connect(CheckTf, "check_tf").call_async(CheckTf.Request(duration=2.0))
    node.spin_for(0.5)
    assert change(node, "cleanup")
    node.spin_until(answer.done, "the answer")
    assert [d.code for d in answer.result().diagnostics] == ["M001"]
    node.spin_until(lambda: not node.clients["check_tf"].service_is_ready(), "the end of the service")
    assert "Unexpected" not in node.stop()[1]


def test_a_signal_ends_a_node_that_is_being_configured(start_node, pendulum):
    node = start_node(program="sdf_frames_lifecycle_node", robot_description=pendulum, time_limit=1000.0)
    halt(node, 1)
    node.connect(ChangeState, "/sdf_frames/change_state").call_async(make_request("configure"))
    node.spin_until(lambda: "Received robot_description" in node.log.read_text(), "the description")
    assert node.stop(signal.SIGTERM)[0] == 0
