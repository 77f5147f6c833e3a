"""Parameter monitor: what is wrong with TF is on /diagnostics, by finding, until it is right again."""
from __future__ import annotations

import re

import pytest

pytest.importorskip("rclpy")

from diagnostic_msgs.msg import DiagnosticArray

from .test_check_tf import ARM, TIP, keep_publishing, publish_static, stamp


class Watch:
    """The statuses of one name, newest last, as (level, message, {key: value})."""

    def __init__(self, node, name: str = "sdf_frames: tf"):
        self.node, self.name, self.heard = node, name, []
        node.client.create_subscription(DiagnosticArray, "/diagnostics", self._take, node.hearing)

    def _take(self, message) -> None:
        self.heard += [(s.level, s.message, {v.key: v.value for v in s.values}) for s in message.status
                       if s.name == self.name]

    def wait_for(self, *codes: str) -> dict:
        """Wait until exactly these codes are reported; return the values."""
        def is_there() -> bool:
            return bool(self.heard) and {key.split()[0] for key in self.heard[-1][2] if key[0] == "T"} == set(codes)
        self.node.spin_until(is_there, f"{codes}, last {self.heard[-1:]}")
        level, message, values = self.heard[-1]
        assert level == (b"\2" if codes else b"\0") and message.startswith("inconsistent" if codes else "consistent")
        return values


def test_a_second_parent_is_reported_by_name_until_it_is_gone(start_node, pendulum):
    node = start_node(robot_description=pendulum, monitor=True)
    watch = Watch(node)
    values = watch.wait_for()
    assert values["frames heard"] == "5" and values["publishers"] == "/tf_static /sdf_frames"
    planted = publish_static(node, stamp("base", "tip", 1.0))
    values = watch.wait_for("T006")
    assert ("frame 'tip' has several parents in TF: 'base' (/tf_static), 'tip_joint' (/tf_static)"
            in values["T006 tf-two-parents"])
    assert "stop all publishers but one" in values["T006 tf-two-parents"], "the remedy"
    assert values["publishers"] == "/tf_static /sdf_frames, /tf_static /tester"
    node.client.destroy_publisher(planted)
    watch.wait_for()
    assert node.log.read_text().count("T006") == 2, "in the log when it comes and when it goes"


def test_moving_frames_are_monitored_too(start_node, pendulum):
    node = start_node(robot_description=pendulum, tf_mode="complement", monitor=True)
    watch = Watch(node)
    watch.wait_for("T007", "T003")
    keep_publishing(node, stamp(*ARM))
    tip = publish_static(node, stamp(*TIP))
    watch.wait_for()
    stray = keep_publishing(node, stamp("base", "tip", 1.0))
    assert "'base' (/tf)" in watch.wait_for("T006")["T006 tf-two-parents"]
    stray()
    watch.wait_for()
    node.client.destroy_publisher(tip)
    moved = publish_static(node, stamp("arm", "tip", 1.25))
    assert "0.25 m" in watch.wait_for("T005")["T005 tf-pose-differs"]
    node.client.destroy_publisher(moved)
    publish_static(node, stamp(*TIP))
    watch.wait_for()


def test_the_monitor_can_be_switched_off_and_on(start_node, pendulum):
    node = start_node(robot_description=pendulum)
    node.wait_for("/tf_static")
    assert not node.client.get_subscriptions_info_by_topic("/tf")
    assert node.set_parameter("monitor", True).successful
    watch = Watch(node)
    watch.wait_for()
    assert node.set_parameter("monitor", False).successful
    node.spin_until(lambda: not node.client.get_subscriptions_info_by_topic("/tf"), "the end of the subscription")
    rows = Watch(node, "sdf_frames: robot_description").heard
    del watch.heard[:]
    node.spin_until(lambda: len(rows) >= 3, "further diagnostics")
    assert not watch.heard[1:], "one may have been on its way"


def test_a_new_description_is_what_counts(start_node, pendulum):
    node = start_node(monitor=True)
    watch = Watch(node)
    node.publish(pendulum)
    assert watch.wait_for()["frames heard"] == "5"
    node.publish(pendulum.replace("tip", "end").replace('xyz="1 0 0"', 'xyz="2 0 0"'))
    node.wait_for("/tf_static", 2)
    del watch.heard[:]
    watch.wait_for()
    assert "T0" not in node.log.read_text(), "what the node itself has published before is no second parent"


def test_errors_that_appear_together_are_all_logged_in_their_order(start_node):
    names = ["f", "b", "e", "a", "d", "c"]
    text = "".join(f'<link name="{name}"/><joint name="to_{name}" type="fixed"><parent link="root"/>'
                   f'<child link="{name}"/></joint>' for name in names)  # one line, as programs write it
    node = start_node(monitor=True, tf_mode="complement", robot_description='<robot name="r"><link name="root">'
                      '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
                      f"</link>{text}</robot>")

    def find_reported() -> list:
        return re.findall(r"T003 tf-frame-missing: frame '(\w)'", node.log.read_text())
    node.spin_until(lambda: len(find_reported()) >= len(names), "an error for each link")
    assert sorted(find_reported()) == sorted(names)
    answer = node.call("check_tf", duration=0.5)
    assert find_reported() == [d.message.split("'")[1] for d in answer.diagnostics]
