"""use_sim_time without /clock: what the node does by real time goes on, and /diagnostics says what is missing."""

import pytest

pytest.importorskip("rclpy")

from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticArray
from rosgraph_msgs.msg import Clock

from .test_joint_states import ARM, Listener
from .test_long_work import halt, start_workers


@pytest.fixture
def timeless(start_node):
    """A node that follows joint states, whose simulated time has not begun; and every message on /diagnostics."""
    node = start_node(robot_description=ARM, joint_states=True, use_sim_time=True)
    return node, hear_diagnostics(node)


def hear_diagnostics(node) -> list:
    heard: list = []
    node.client.create_subscription(DiagnosticArray, "/diagnostics", heard.append, node.hearing)
    return heard


def level_of(message, name: str) -> bytes | None:
    return next((s.level for s in message.status if s.name == f"sdf_frames: {name}"), None)


def message_of(message, name: str) -> str:
    return next(s.message for s in message.status if s.name == f"sdf_frames: {name}")


def test_a_clock_that_is_silent_is_reported_until_it_runs(timeless):
    node, heard = timeless
    tf = Listener(node)
    node.spin_until(lambda: heard and level_of(heard[-1], "clock") == b"\1", "the warning")
    assert message_of(heard[-1], "clock").startswith("silent, 1 warning; M016")
    assert "M016" in node.log.read_text()
    node.wait_for("/tf_static")
    count = len(heard)
    node.spin_until(lambda: len(heard) >= count + 2, "messages that go on")
    assert level_of(heard[-1], "robot_description") == b"\0" and level_of(heard[-1], "clock") == b"\1"
    assert not tf.heard, "a joint that was not heard of has no time"
    tf.wait_for("arm/upper", lambda t: t.header.stamp.sec == 5, lambda: tf.say(5, hinge=1.0))
    clock = node.client.create_publisher(Clock, "/clock", 1)
    assert tf.wait_for("wheel", lambda t: True, lambda: clock.publish(Clock(clock=Time(sec=7)))).header.stamp.sec == 7
    node.spin_until(lambda: level_of(heard[-1], "clock") == b"\0", "the end of the warning")
    assert message_of(heard[-1], "clock") == "running"
    ended = next(line for line in node.log.read_text().splitlines() if "No longer present: M016" in line)
    assert ended.endswith("there was no message on /clock"), "a hint would ask for what is done"


def test_joints_without_a_state_are_published_again_after_a_jump_back(timeless):
    """A listener of tf2 then forgets what was on /tf."""
    node, _ = timeless
    clock, tf = node.client.create_publisher(Clock, "/clock", 1), Listener(node)
    for sec in (7, 2):
        tf.wait_for("wheel", lambda t: t.header.stamp.sec == sec, lambda: clock.publish(Clock(clock=Time(sec=sec))))
    assert "Time has jumped back" in node.log.read_text()


def test_time_limits_are_of_real_time(start_node, pendulum):
    """The robot is a URDF: for SDFormat, a job that writes the URDF may reach the limit first and free a worker."""
    node = start_node(robot_description=pendulum, use_sim_time=True)
    heard = hear_diagnostics(node)
    node.wait_for("/tf_static")
    start_workers(node, pendulum)
    assert node.set_parameter("time_limit", 0.5).successful
    halt(node)  # the node kills them at the limit
    answer = node.call("validate_sdf", sdf=pendulum)
    assert [d.code for d in answer.diagnostics] == ["M012"]
    node.publish(pendulum.replace("pendulum", "other"))
    node.spin_until(lambda: heard[-1].status[0].level == b"\2", "the limit")
    assert "M012" in heard[-1].status[0].message


def test_a_time_below_zero_is_ignored_and_reported(timeless):
    node, heard = timeless
    tf = Listener(node)
    clock = node.client.create_publisher(Clock, "/clock", 1)
    tf.wait_for("wheel", lambda t: True, lambda: clock.publish(Clock(clock=Time(sec=7))))
    node.spin_until(lambda: clock.publish(Clock(clock=Time(sec=-3))) or heard and level_of(heard[-1], "clock") == b"\1",
                    "the warning")
    assert "M019 clock-negative: /clock says -3 s" in message_of(heard[-1], "clock")
    assert "Traceback" not in node.log.read_text()
    node.spin_until(lambda: level_of(heard[-1], "clock") == b"\0", "the end of the warning")
    for _ in range(10):
        clock.publish(Clock(clock=Time(sec=9)))
        node.spin_for(0.05)
    later = Listener(node)  # which gets a joint that was not heard of once, too
    t = later.wait_for("wheel", lambda t: t.header.stamp.sec == 9)
    assert t.header.frame_id == "base"
