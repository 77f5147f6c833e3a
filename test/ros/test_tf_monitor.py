"""Parameter monitor: what is wrong with TF is on /diagnostics, by finding, until it is right again."""

import re
from math import inf
from unittest.mock import Mock

import pytest
from urdf_text import joint, link, robot

pytest.importorskip("rclpy")

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.serialization import serialize_message
from tf2_msgs.msg import TFMessage

from sdf_frames.ros import tf_monitor
from sdf_frames.ros.doctor import listen_to_nodes, look_at_statuses
from sdf_frames.ros.guard import GuardedNode
from sdf_frames.ros.tf_monitor import _Moving

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


def test_without_monitor_frames_of_two_publishers_are_reported_and_the_publishers_named(start_node, pendulum):
    node = start_node(robot_description=pendulum)
    watch = Watch(node)
    node.wait_for("/tf_static")
    assert not watch.heard
    stop = keep_publishing(node, stamp(*ARM))
    values = watch.wait_for("T010")
    assert "frame 'arm' is on both /tf and /tf_static" in values["T010 tf-static-and-moving"]
    assert "set tf_mode:=complement" in values["T010 tf-static-and-moving"], "the remedy"
    assert "/tf /tester" in values["T010 tf-static-and-moving"], "who"
    second = publish_static(node, stamp("base", "tip", 1.0))
    watch.wait_for("T006", "T010")
    row, = look_at_statuses(listen_to_nodes(node.client, 1.5).values())
    assert row.is_wrong and row.text.startswith("sdf_frames: tf: inconsistent, 2 errors; T0")
    node.client.destroy_publisher(second)
    watch.wait_for("T010")
    stop()
    assert node.set_parameter("tf_mode", "none").successful
    watch.wait_for()
    assert node.log.read_text().count("T010") == 2, "in the log when it comes and when it goes"


def test_what_others_publish_already_is_reported_before_the_node_publishes(start_node, pendulum):
    node = start_node()
    keep_publishing(node, stamp(*ARM))
    static = publish_static(node, stamp("base", "tip", 1.0))
    node.spin_until(lambda: static.get_subscription_count() and node.client.count_subscribers("/tf"), "the listener")
    node.spin_for(1.0)
    node.publish(pendulum)
    node.spin_until(lambda: "Published" in node.log.read_text(), "the transforms")
    log = node.log.read_text()
    assert 0 < log.find("T006") < log.find("Published"), log


def test_beside_what_it_leaves_to_others_the_node_reports_nothing(start_node, pendulum):
    node = start_node(robot_description=pendulum, tf_mode="complement")
    watch = Watch(node)
    keep_publishing(node, stamp(*ARM))
    publish_static(node, stamp(*TIP))
    node.wait_for("/tf_static", 2)
    node.spin_for(3.0)
    assert not watch.heard and "T0" not in node.log.read_text()


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
    assert node.set_parameter("monitor", True).successful
    watch = Watch(node)
    watch.wait_for()
    assert node.set_parameter("monitor", False).successful
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
    parts = [part for name in names for part in (link(name), joint(f"to_{name}", "fixed", "root", name))]
    node = start_node(monitor=True, tf_mode="complement", robot_description=robot(link("root", 1), *parts))

    def find_reported() -> list:
        return re.findall(r"T003 tf-frame-missing: frame '(\w)'", node.log.read_text())
    node.spin_until(lambda: len(find_reported()) >= len(names), "an error for each link")
    assert sorted(find_reported()) == sorted(names)
    answer = node.call("check_tf", duration=0.5)
    assert find_reported() == [d.message.split("'")[1] for d in answer.diagnostics]


def test_a_malformed_message_is_reported_and_the_monitor_goes_on(start_node, pendulum):
    """The first claims 2,147,483,647 transforms and has none."""
    node = start_node(robot_description=pendulum, monitor=True, tf_mode="complement")
    watch = Watch(node)
    keep_publishing(node, stamp(*ARM))
    publish_static(node, stamp(*TIP))
    watch.wait_for()
    publisher = node.client.create_publisher(TFMessage, "/tf", 10)
    for data in (b"\0\1\0\0\xff\xff\xff\x7f", b"\0\1\0\0\1\0\0\0" + b"\xff" * 40):
        node.spin_until(lambda data=data: publisher.publish(data) or any(
            "M020 tf-message-unreadable" in values for _, _, values in watch.heard), "the warning")
        node.spin_until(lambda: watch.heard[-1][0] == b"\0", "the end of the warning")
        del watch.heard[:-1]
    stray = keep_publishing(node, stamp("base", "tip", 1.0))
    watch.wait_for("T006")
    stray()
    watch.wait_for()


def test_messages_that_wait_when_the_monitor_starts_end_nothing(monkeypatch):
    """They come between the subscription to /tf and the first look at it."""
    waiting = [serialize_message(TFMessage(transforms=[stamp(*ARM)]))]
    monkeypatch.setattr(tf_monitor, "collect_messages", Mock())
    monkeypatch.setattr(tf_monitor, "take_messages", lambda _: waiting)
    monitor = tf_monitor.TfMonitor(Mock(), Mock(settings=Mock(monitor=True)))
    monitor.follow()
    assert monitor._list_heard(0.0) == [], "they are older than the description"


def test_publishers_of_moving_frames_are_seen_on_the_topic_that_tf_is_remapped_to(ros):
    node = GuardedNode("remapped", cli_args=["--ros-args", "-r", "/tf:=/r1/tf"])
    monitor = tf_monitor.TfMonitor(node, Mock(settings=Mock(monitor=False, joint_states=False)))
    monitor.follow()
    monitor._begun = monitor._looked = -inf
    monitor._begin = inf
    publisher = node.create_publisher(TFMessage, "/tf", 10)
    try:
        assert publisher.topic_name == "/r1/tf"
        while not node.count_publishers("/r1/tf"):
            ros.spin_once(node, timeout_sec=0.05)
        with pytest.raises(StopIteration):
            monitor._tick().send(None)
        assert monitor._subscription is not None, "it still listens to /r1/tf"
    finally:
        node.destroy_node()


def read_messages(moving, now: float, *messages: list) -> bool:
    """Give messages to what holds the moving transforms; each is a list of (parent, child, x)."""
    return moving.take([serialize_message(TFMessage(transforms=[stamp(*edge) for edge in edges]))
                        for edges in messages], now)


def test_the_last_of_each_frame_is_kept_and_a_second_parent_until_it_is_stale():
    moving = _Moving()
    assert read_messages(moving, 0.0, [("base", "arm", 1.0), ("arm", "hand", 0.0)]), "names that are new"
    assert not read_messages(moving, 1.0, [("base", "arm", 3.0)], [("base", "arm", 2.0)])
    assert read_messages(moving, 1.5, [("rail", "arm", 0.0)])

    def list_arms(now: float, **static) -> set:
        return {(o.parent, o.pose[0]) for o in moving.list_transforms(now, **static) if o.child == "arm"}
    assert list_arms(1.5) == {("base", 2.0), ("rail", 0.0)}
    assert not read_messages(moving, 4.0, [("base", "arm", 5.0)])
    assert list_arms(4.5) == {("base", 5.0), ("rail", 0.0)} and list_arms(4.6) == {("base", 5.0)}
    assert list_arms(99.0) == {("base", 5.0)}, "nothing came since: it stays where it is"
    assert not list_arms(99.0, static={"arm"})
    assert moving.list_ages(99.0) == {"arm": 95.0, "hand": 99.0}


def test_names_without_end_do_not_fill_the_memory():
    moving = _Moving()
    for number in range(25):
        read_messages(moving, float(number), [("base", f"frame{number}_{n}", 0.0) for n in range(1000)])
    assert len(moving.list_transforms(25.0)) <= 10_000


def hear_static(monitor, *edges: tuple) -> None:
    """Give a monitor a message on /tf_static with these transforms, each (parent, child, x)."""
    monitor._static._hear(TFMessage(transforms=[stamp(*edge) for edge in edges]))


def test_poses_and_names_without_end_on_tf_static_do_not_fill_the_memory():
    monitor = tf_monitor.TfMonitor(Mock(), Mock())
    monitor._static = tf_monitor._Static(Mock(), monitor._count_most)
    monitor._ours = [f"ours{n}" for n in range(1000)]
    for x in range(1000):
        hear_static(monitor, ("base", "camera", float(x)))
    assert [o.pose[0] for o in monitor._list_heard(0.0)] == [998.0, 999.0], "the previous one may be of another node"
    for number in range(25):
        hear_static(monitor, *[("base", f"frame{number}_{n}", 0.0) for n in range(1000)])
    assert len(monitor._list_heard(0.0)) == 11_001, "10,000 beside those of the node, one of them with two poses"
    hear_static(monitor, ("base", "camera", -1.0))
    assert [o.pose[0] for o in monitor._list_heard(0.0) if o.child == "camera"] == [-1.0, 999.0]
    assert len(monitor._static._anew) == 11_000


def test_a_transform_on_tf_static_that_is_repeated_or_resent_is_no_change():
    static = tf_monitor._Static(Mock(), lambda: 100)
    first, second = (TFMessage(transforms=[stamp("base", "arm", x)]) for x in (1.0, 2.0))
    for message, is_change in ((first, True), (second, True), (first, False), (second, False)):
        static._hear(message)
        assert static.take_changes(0.0) == is_change
    assert not static.take_changes(float("inf"))
    static._listen()
    for message in (second, first):
        static._hear(message)
    assert not static.take_changes(float("1e99")), "the same transforms in another order"
    static._listen()
    static._hear(second)
    assert static.take_changes(float("1e99")) and [o.pose[0] for o in static.list_transforms()] == [2.0]


def test_listening_for_a_while_keeps_the_last_of_each_frame_only():
    monitor, subscribed = tf_monitor.TfMonitor(Mock(), Mock(settings=Mock(monitor=True))), {}
    monitor._node.create_subscription = lambda kind, topic, take, qos: subscribed.setdefault(topic, take)

    async def sleep(seconds: float) -> None:
        for x in range(100):
            for take in subscribed.values():
                take(TFMessage(transforms=[stamp("base", "arm", float(x))]))
    monitor._node.sleep, monitor._node.get_publishers_info_by_topic = sleep, Mock(return_value=[])
    with pytest.raises(StopIteration) as ended:
        monitor.hear(1.0).send(None)
    heard, _ = ended.value.value
    assert {(o.topic, o.pose[0]) for o in heard} == {("/tf", 99.0), ("/tf_static", 98.0), ("/tf_static", 99.0)}
