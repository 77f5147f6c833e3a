"""Parameter joint_states: what joints move is on /tf, and not on /tf_static."""

from math import cos, sin

import pytest

pytest.importorskip("rclpy")

from geometry_msgs.msg import Transform
from rclpy.qos import QoSProfile
from sensor_msgs.msg import JointState, MultiDOFJointState
from tf2_msgs.msg import TFMessage

from .test_tf_monitor import Watch

ARM = """<sdf version="1.12"><model name="m"><link name="base"/>
  <model name="arm"><link name="upper"><pose>0 0 1 0 0 0</pose></link></model>
  <joint name="hinge" type="revolute"><parent>base</parent><child>arm::upper</child><axis><xyz>0 1 0</xyz></axis>
    </joint>
  <link name="wheel"/><joint name="caster" type="ball"><parent>base</parent><child>wheel</child></joint></model>
    </sdf>"""


class Listener:
    """What came on /tf since the last `forget`, newest last, by child."""

    def __init__(self, node):
        self.node, self.heard = node, {}
        node.client.create_subscription(TFMessage, "/tf", self._take, QoSProfile(depth=100))
        self.states = node.client.create_publisher(JointState, "/joint_states", 10)
        self.motions = node.client.create_publisher(MultiDOFJointState, "/multi_dof_joint_states", 10)

    def _take(self, message) -> None:
        for t in message.transforms:
            self.heard.setdefault(t.child_frame_id, []).append(t)

    def say(self, sec: int = 0, **positions: float) -> None:
        state = JointState(name=list(positions), position=list(positions.values()))
        state.header.stamp.sec = sec
        self.states.publish(state)

    def wait_for(self, child: str, condition, again=lambda: None):
        """The first transform of a child that fulfils a condition; `again()` is called until then."""
        def found():
            again()
            return [t for t in self.heard.get(child, ()) if condition(t)]
        self.node.spin_until(found, child)
        return found()[0]


@pytest.fixture
def running(start_node):
    node = start_node(robot_description=ARM, joint_states=True)
    return node, Listener(node)


def test_joints_are_at_zero_until_they_are_heard(running):
    node, tf = running
    t = tf.wait_for("arm/upper", lambda t: True)
    assert t.header.frame_id == "base" and t.transform.rotation.w == 1 and t.header.stamp.sec > 0
    assert {t.child_frame_id for t in node.wait_for("/tf_static").transforms} == {"m", "arm", "hinge", "caster"}
    tf.wait_for("wheel", lambda t: t.transform.rotation.w == 1)
    assert node.check_tf_until(lambda answer: answer.consistent)
    t = tf.wait_for("arm/upper", lambda t: t.transform.rotation.y, lambda: tf.say(5, hinge=1.0))
    assert (t.transform.rotation.y, t.transform.rotation.w) == pytest.approx((sin(0.5), cos(0.5)))
    assert t.header.stamp.sec == 5 and t.transform.translation.z == pytest.approx(1)
    del tf.heard["wheel"]
    tf.wait_for("wheel", lambda t: t.transform.rotation.w == 1)
    motion = Transform()
    motion.rotation.x, motion.rotation.w = 1.0, 0.0
    said = MultiDOFJointState(joint_names=["caster"], transforms=[motion])
    t = tf.wait_for("wheel", lambda t: t.transform.rotation.x, lambda: tf.motions.publish(said))
    assert t.transform.rotation.x == 1 and t.header.stamp.sec > 5, "a state without a stamp is one of now"


def test_states_that_come_fast_are_published_at_the_frequency(running):
    node, tf = running
    tf.wait_for("wheel", lambda t: True)
    tf.wait_for("arm/upper", lambda t: t.transform.rotation.y, lambda: tf.say(1, hinge=1.0))
    tf.heard.clear()
    sent = 0
    # The wheel is published by the timer, 20 times a second. A busy machine may send few states in this time.
    while len(tf.heard.get("wheel", ())) < 10 or sent < 200:
        sent += 1
        tf.say(sent + 1, hinge=sent * 1e-6)
        node.rclpy.spin_once(node.client, timeout_sec=0.001)
    assert len(tf.heard["arm/upper"]) <= len(tf.heard["wheel"]) + 3 < sent
    last = tf.wait_for("arm/upper", lambda t: t.header.stamp.sec == sent + 1)
    assert last.transform.rotation.y == pytest.approx(sin(sent * 5e-7), rel=1e-6), "the newest state is not lost"


def test_joint_states_can_be_switched_on_and_off(start_node):
    node = start_node(robot_description=ARM)
    tf = Listener(node)
    assert {"arm/upper", "wheel"} < {t.child_frame_id for t in node.wait_for("/tf_static").transforms}
    assert node.set_parameter("joint_states", True).successful
    assert "wheel" not in {t.child_frame_id for t in node.wait_for("/tf_static", 2).transforms}
    tf.wait_for("wheel", lambda t: True)
    assert not node.set_parameter("publish_frequency", 0.0).successful
    assert node.set_parameter("publish_frequency", 5).successful
    assert node.set_parameter("joint_states", False).successful
    assert "wheel" in {t.child_frame_id for t in node.wait_for("/tf_static", 3).transforms}
    node.spin_until(lambda: not node.client.count_publishers("/tf"), "the end of the publisher")
    node.spin_for(0.3)  # what had been sent before
    tf.heard.clear()
    node.spin_for(0.5)
    assert not tf.heard


def test_beside_robot_state_publisher_only_what_it_skips_moves(start_node):
    node = start_node(robot_description=ARM, joint_states=True, tf_mode="complement")
    tf = Listener(node)
    tf.wait_for("wheel", lambda t: True)
    tf.say(3, hinge=1.0)
    node.spin_for(0.5)
    assert tf.heard.keys() == {"wheel"}
    assert {t.child_frame_id for t in node.wait_for("/tf_static").transforms} == {"m", "hinge", "caster"}


def test_states_that_cannot_be_used_are_ignored_whole_and_reported(running):
    node, tf = running
    watch = Watch(node, "sdf_frames: joint_states")
    counts = Watch(node, "sdf_frames: robot_description")
    state = JointState(name=["hinge", "arm::upper"], position=[0.5])
    node.spin_until(lambda: tf.states.publish(state) or watch.heard, "the warning")
    (level, message, _), *_ = watch.heard
    assert level == b"\1"
    assert "M022 joint-states-unusable: joint states cannot be used: 2 names but 1 position" in message
    for positions in ([], [float("nan")], [float("-inf")]):
        tf.states.publish(JointState(name=["hinge"], position=positions))
    tf.states.publish(JointState())
    bad = Transform()
    bad.rotation.w = 0.0
    tf.motions.publish(MultiDOFJointState(joint_names=["caster"], transforms=[bad]))
    node.spin_until(lambda: counts.heard and int(counts.heard[-1][2]["joint states ignored"]) >= 6, "the count")
    assert all(t.transform.rotation.w == 1 for child in ("arm/upper", "wheel") for t in tf.heard.get(child, ()))
    assert node.log.read_text().count("M022") == 1, "throttled"


def test_unknown_joints_are_named_once_and_others_of_the_state_move(running):
    node, tf = running
    counts = Watch(node, "sdf_frames: robot_description")
    for sec in (1, 2):
        state = JointState(name=["hinge", "nobody", "caster", "arm::upper", "arm/upper"], position=[0.5] * 5)
        state.header.stamp.sec = sec
        tf.wait_for("arm/upper", lambda t, sec=sec: t.header.stamp.sec == sec,
                    lambda state=state: tf.states.publish(state))
    node.spin_until(lambda: counts.heard and counts.heard[-1][2].get("unknown joints") == "nobody", "the name")
    assert node.log.read_text().count("does not have, which are ignored: nobody\n") == 1


def test_states_with_an_invalid_stamp_are_ignored(running):
    node, tf = running
    tf.wait_for("arm/upper", lambda t: t.header.stamp.sec == 1, lambda: tf.say(1, hinge=1.0))
    assert node.set_parameter("ignore_timestamp", True).successful
    node.spin_until(lambda: "the stamp -5 s 0 ns" in node.log.read_text() or tf.say(-5, hinge=0.5), "a warning")
    state = JointState(name=["hinge"], position=[0.25])
    state.header.stamp.sec, state.header.stamp.nanosec = 2**31 - 1, 2**32 - 1
    tf.states.publish(state)
    tf.wait_for("arm/upper", lambda t: t.header.stamp.sec == 2, lambda: tf.say(2, hinge=1.0))
    assert all(t.header.stamp.sec > 0 for t in tf.heard["arm/upper"])
