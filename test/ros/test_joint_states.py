"""Parameter joint_states: what joints move is on /tf, and not on /tf_static."""

import os
import signal
import time
from math import cos, pi, sin
from unittest.mock import Mock

import pytest
from urdf_text import joint, link, robot

pytest.importorskip("rclpy")

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Transform
from rclpy.qos import QoSProfile
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import JointState, MultiDOFJointState
from tf2_msgs.msg import TFMessage

from sdf_frames.frames.kinematics import JointAxis, MovingJoint
from sdf_frames.frames.tf import Step
from sdf_frames.frames.tf import Transform as Edge
from sdf_frames.ros import joint_motion
from sdf_frames.ros.joint_motion import JointMotion
from sdf_frames.ros.log import Log
from sdf_frames.ros.messages import to_transform
from sdf_frames.spatial.pose import IDENTITY

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
    node.spin_for(0.3)  # the states that were sent while the first was on its way
    tf.heard.clear()
    node.spin_for(1.5)
    assert not tf.heard, "nothing was heard anew"
    tf = Listener(node)
    tf.wait_for("wheel", lambda t: t.transform.rotation.w == 1)
    assert "arm/upper" not in tf.heard, "a new listener gets what was not heard of"
    motion = Transform()
    motion.rotation.x, motion.rotation.w = 1.0, 0.0
    said = MultiDOFJointState(joint_names=["caster"], transforms=[motion])
    t = tf.wait_for("wheel", lambda t: t.transform.rotation.x, lambda: tf.motions.publish(said))
    assert t.transform.rotation.x == 1 and t.header.stamp.sec > 5, "a state without a stamp is one of now"


def send_fast(node, tf) -> int:
    """Send states as fast as possible for a second by their stamps, which begin at 10 s; how many."""
    tf.wait_for("arm/upper", lambda t: t.transform.rotation.y, lambda: tf.say(1, hinge=1.0))
    node.spin_for(0.2)
    tf.heard.clear()
    start, sent, elapsed = time.monotonic(), 0, 0.0
    while elapsed < 1:
        sent, elapsed = sent + 1, time.monotonic() - start
        state = JointState(name=["hinge"], position=[sent * 1e-6])
        state.header.stamp.sec, state.header.stamp.nanosec = divmod(round((10 + elapsed) * 1e9), 10**9)
        tf.states.publish(state)
        node.rclpy.spin_once(node.client, timeout_sec=0.001)
    last = tf.wait_for("arm/upper", lambda t: t.header.stamp == state.header.stamp)
    assert last.transform.rotation.y == pytest.approx(sin(sent * 5e-7), rel=1e-6), "the newest state is not lost"
    return sent


def test_states_that_come_fast_are_published_at_the_frequency(running):
    """20 a second, by their stamps, as in robot_state_publisher. Two may come early, and the last one late."""
    node, tf = running
    assert send_fast(node, tf) > 50
    assert 10 <= len(tf.heard["arm/upper"]) <= 24


def test_ignore_timestamp_lifts_the_bound(start_node):
    """All are published but those that waited together."""
    node = start_node(robot_description=ARM, joint_states=True, ignore_timestamp=True)
    tf = Listener(node)
    sent = send_fast(node, tf)
    assert max(24, sent / 3) < len(tf.heard["arm/upper"]) <= sent


def test_of_states_that_wait_the_newest_counts_and_those_left_out_are_counted(running):
    node, tf = running
    counts = Watch(node, "sdf_frames: robot_description")
    tf.wait_for("arm/upper", lambda t: t.header.stamp.sec == 1, lambda: tf.say(1, hinge=1.0))
    node.spin_for(0.2)
    tf.heard.clear()
    os.kill(node.process.pid, signal.SIGSTOP)
    for sec in range(2, 52):
        tf.say(sec, hinge=sec * 0.01)
    node.spin_for(0.5)
    os.kill(node.process.pid, signal.SIGCONT)
    t = tf.wait_for("arm/upper", lambda t: t.header.stamp.sec == 51)
    assert t.transform.rotation.y == pytest.approx(sin(0.255))
    counts.heard.clear()
    node.spin_until(lambda: counts.heard, "the count")
    left_out = int(counts.heard[-1][2]["joint states left out to keep up"])
    assert len(tf.heard["arm/upper"]) < 10 and 30 < left_out <= 50 - len(tf.heard["arm/upper"])


def test_joints_that_are_never_heard_are_told_once(running):
    node, tf = running
    watch = Watch(node, "sdf_frames: joint_states")
    node.spin_until(lambda: watch.heard, "the error")
    level, message, _ = watch.heard[-1]
    assert level == b"\2" and "T007 tf-disconnected: frame 'wheel' has no parent in TF" in message
    assert "publish joint states of 'caster', 'hinge'" in message
    node.spin_until(lambda: tf.say(1, hinge=0.5) or "publish joint states of 'caster'; " in watch.heard[-1][1],
                    "the joint that still has no state")
    motion = Transform()
    motion.rotation.w = 1.0
    said = MultiDOFJointState(joint_names=["caster"], transforms=[motion])

    def is_over() -> bool:
        tf.say(1, hinge=0.5)
        tf.motions.publish(said)
        return watch.heard[-1][0] == b"\0"
    node.spin_until(is_over, "the end")
    assert node.log.read_text().count("T007") == 2 and "No longer present: T007" in node.log.read_text()


@pytest.mark.parametrize("how", ["parameter", "signal"])
def test_missing_joint_states_are_not_said_to_be_there_when_the_node_stops_to_listen(running, how):
    node, _ = running
    watch = Watch(node, "sdf_frames: joint_states")
    node.spin_until(lambda: watch.heard, "the error")
    if how == "parameter":
        assert node.set_parameter("joint_states", False).successful
        other = Watch(node, "sdf_frames: robot_description")
        node.spin_until(lambda: len(other.heard) > 1, "later statuses")
        watch.heard.clear()
        other.heard.clear()
        node.spin_until(lambda: other.heard, "statuses without this one")
        assert watch.heard == []
    status, log = node.stop()
    assert status == 0 and "T007" in log and "No longer present" not in log


@pytest.mark.parametrize(("name", "value"), [("time_limit", 50.0), ("publish_frequency", 50.0),
                                             ("ignore_timestamp", True), ("inertia_markers", True)])
def test_joints_keep_their_positions_when_another_parameter_changes(running, name, value):
    node, tf = running
    tf.wait_for("arm/upper", lambda t: t.header.stamp.sec == 5, lambda: tf.say(5, hinge=1.0))
    tf.heard.clear()
    assert node.set_parameter(name, value).successful
    late = Listener(node)  # it receives the joint without a state, at zero
    late.wait_for("wheel", lambda t: t.transform.rotation.w == 1)
    said = [*tf.heard.get("arm/upper", ()), *late.heard.get("arm/upper", ())]
    assert {t.header.stamp.sec for t in said} <= {5}, "not at zero, with the present time"
    tf.wait_for("arm/upper", lambda t: t.header.stamp.sec == 6, lambda: tf.say(6, hinge=0.5))


def test_joints_keep_their_positions_in_a_new_description(running):
    node, tf = running
    tf.wait_for("arm/upper", lambda t: t.header.stamp.sec == 5, lambda: tf.say(5, hinge=1.0))
    node.spin_for(0.3)  # the states that were sent while the first was on its way
    tf.heard.clear()
    node.publish(ARM.replace('<link name="base"/>', '<link name="base"><inertial><mass>2</mass></inertial></link>'))
    node.wait_for("/robot_description_sdf", 2)
    node.spin_for(1.0)
    assert not tf.heard, "the joints are the same"
    node.publish(ARM.replace("0 0 1", "0 0 2"))
    t = tf.wait_for("arm/upper", lambda t: t.transform.translation.z == pytest.approx(2))
    assert t.header.stamp.sec == 5 and t.transform.rotation.y == pytest.approx(sin(0.5))
    tf.wait_for("wheel", lambda t: t.transform.rotation.w == 1 and t.header.stamp.sec > 5)
    assert {t.header.stamp.sec for t in tf.heard["arm/upper"]} == {5}


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


def test_beside_robot_state_publisher_followers_of_its_joints_move(start_node):
    """A screw joint, which URDF does not have, follows hinge: at 2 rad, it has moved by 0.1 m · 2/2π along z."""
    mimic = '<mimic joint="hinge"><multiplier>2</multiplier><offset>0</offset><reference>0</reference></mimic>'
    node = start_node(joint_states=True, tf_mode="complement", robot_description=ARM.replace("<axis><xyz>0 1 0", (
        f'<axis><xyz>0 1 0</xyz></axis></joint><link name="nut"/><joint name="screw" type="screw"><parent>base</parent>'
        f"<child>nut</child><screw_thread_pitch>0.1</screw_thread_pitch><axis>{mimic}<xyz>0 0 1")))
    tf = Listener(node)
    t = tf.wait_for("nut", lambda t: t.header.stamp.sec == 3, lambda: tf.say(3, hinge=1.0)).transform
    assert (t.translation.z, t.rotation.w, t.rotation.z) == pytest.approx((0.1 / pi, cos(1), sin(1)))
    assert tf.heard.keys() <= {"nut", "wheel"}


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


def test_a_name_of_a_state_forges_no_line_of_the_log(running):
    node, tf = running
    counts = Watch(node, "sdf_frames: robot_description")
    names = ["x\n[ERROR] [1795919999.0] [controller_manager]: emergency stop", "\x9b31m"]
    state = JointState(name=names, position=[0.0, 0.0])
    node.spin_until(lambda: tf.states.publish(state) or "emergency" in node.log.read_text(), "the warning")
    log = node.log.read_text()
    assert r"ignored: x\n[ERROR] [1795919999.0] [controller_manager]: emergency stop, \x9b31m" in log, log
    assert "\n[ERROR]" not in log and "\x9b" not in log
    shown = r"x\n[ERROR] [1795919999.0] [controller_manager]: emergency stop, \x9b31m"
    node.spin_until(lambda: counts.heard and counts.heard[-1][2].get("unknown joints") == shown, "the names")


def test_long_names_of_states_are_cut_in_all_messages():
    """20 names of 400 kB made each message on /diagnostics one of 8 MB."""
    motion, following = follow_a_slider()
    motion._following, motion._state.table, motion._log = following, None, Log(logger := Mock())
    names = [f"{number}" + "x" * 400_000 for number in range(30)]
    motion._take(following, JointState, serialize_message(JointState(name=names, position=[0.0] * 30)), 0)
    shown = [f"{number}".ljust(99, "x") + "…" for number in range(20)]
    assert dict(motion.describe())["unknown joints"] == ", ".join(shown)
    assert logger.warning.call_args.args[0].endswith(f"ignored: {', '.join(shown)}, …")
    assert len(following.unknown) == 20
    motion._take(following, JointState, serialize_message(JointState(name=names[:1], position=[float("nan")])), 0)
    assert motion._problem == f"joint {shown[0]} at nan"


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


def make_chain(kind: str, count: int, multiplier: float) -> str:
    """A robot with the joints j0, j1, … side by side, each of which mimics the one before."""
    axis = '<axis xyz="0 0 1"/><limit lower="-9" upper="9" effort="1" velocity="1"/>'
    mimics = ["", *[f'<mimic joint="j{n}" multiplier="{multiplier}"/>' for n in range(count - 1)]]
    return robot(link("base", 1), *[link(f"a{n}", 1) for n in range(count)],
                 *[joint(f"j{n}", kind, "base", f"a{n}", axis + mimic) for n, mimic in enumerate(mimics)])


def test_a_long_chain_of_mimic_joints_moves(start_node):
    node = start_node(robot_description=make_chain("prismatic", 2000, 1.0), joint_states=True)
    tf = Listener(node)
    t = tf.wait_for("a1999", lambda t: t.transform.translation.z, lambda: tf.say(5, j0=0.25))
    assert t.transform.translation.z == pytest.approx(0.25)


def test_a_position_that_its_multiplier_makes_infinite_moves_nothing_else(start_node):
    node = start_node(robot_description=make_chain("continuous", 2, 2.0), joint_states=True)
    tf = Listener(node)
    tf.wait_for("a1", lambda t: t.transform.rotation.w == 1)
    tf.wait_for("a0", lambda t: t.header.stamp.sec == 3, lambda: tf.say(3, j0=1.7e308))
    t = tf.wait_for("a1", lambda t: t.header.stamp.sec == 4, lambda: tf.say(4, j0=1.0))
    assert (t.transform.rotation.z, t.transform.rotation.w) == pytest.approx((sin(1), cos(1)))
    assert not [t for t in tf.heard["a1"] if t.header.stamp.sec == 3]


def follow_a_slider() -> tuple[JointMotion, joint_motion._Following]:
    slider = MovingJoint("j", "prismatic", (JointAxis((0.0, 0.0, 1.0)),))
    edge = Edge("a", "b", IDENTITY, steps=(Step(IDENTITY, slider),))
    return JointMotion(Mock(), Mock()), joint_motion._Following([edge], [to_transform("a", "b", IDENTITY, Time())])


def test_no_state_is_left_out_where_each_is_published():
    """20 states a second, each up to 20 ms late."""
    motion, following = follow_a_slider()
    following.period = 50_000_000
    for n in range(100):
        state = JointState(name=["j"], position=[float(n)])
        at = (200 + n) * 50_000_000 + n * 7 % 21 * 1_000_000
        state.header.stamp.sec, state.header.stamp.nanosec = divmod(at, 10**9)
        motion._take(following, JointState, serialize_message(state), 0)
        motion._plan_next(following)
    motion._following = following
    assert dict(motion.describe())["joint states left out to keep up"] == "0"


@pytest.mark.parametrize("refuses", [False, True])
def test_where_bytes_are_refused_messages_are_published(refuses):
    published = []

    def publish(message):
        if refuses and isinstance(message, bytes):
            raise RuntimeError("not implemented")
        published.append(message)
    motion, following = follow_a_slider()
    motion._publisher = Mock(publish=publish)
    for stamp in (3, 4):
        following.tracker.hear(("j",), [0.5], stamp)
        motion._publish(following, following.tracker.take())
    assert [type(message) for message in published] == [TFMessage if refuses else bytes] * 2
    t = published[-1] if refuses else deserialize_message(published[-1], TFMessage)
    assert (t.transforms[0].transform.translation.z, t.transforms[0].header.stamp.nanosec) == (0.5, 4)
