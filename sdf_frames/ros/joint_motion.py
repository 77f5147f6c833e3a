"""Receives joint states, and publishes the moving frames on /tf.

A thread waits for states: an executor would look at all services and timers of the node for each of them, which takes
several times as long as all the rest. States that wait together are taken together.
"""
from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from math import inf, isfinite
from typing import Any

import numpy as np
from builtin_interfaces.msg import Time
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message
from rclpy.subscription import Subscription
from sensor_msgs.msg import JointState, MultiDOFJointState
from tf2_msgs.msg import TFMessage

from sdf_frames.diagnostics import Diagnostic, count_of, diagnose, shorten_name
from sdf_frames.diagnostics.render import escape_controls
from sdf_frames.frames.joint_tracker import JointTracker, Moved
from sdf_frames.frames.kinematics import MovingJoint
from sdf_frames.frames.tf import Transform
from sdf_frames.ros import messages
from sdf_frames.ros.distributions import MessageWait, collect_messages, take_messages
from sdf_frames.ros.guard import GuardedNode
from sdf_frames.ros.pieces import build_all
from sdf_frames.ros.serialised import StateBytes, TfBytes
from sdf_frames.ros.services import State
from sdf_frames.ros.settings import Settings
from sdf_frames.spatial.pose import IDENTITY

#: As robot_state_publisher's, which receives from every publisher; deep enough for a second of states at 1 kHz.
_STATES = QoSProfile(depth=1000, reliability=ReliabilityPolicy.BEST_EFFORT)

_BILLION = 1_000_000_000

#: Nanoseconds that states may arrive early, as on a busy machine: the bound is one of the mean rate.
_EARLY = 50_000_000

#: Seconds after an unusable state until it is no longer reported, and until a joint without a state is reported.
_CALM, _PATIENCE = 10.0, 5.0

#: The most stored names in states, and kinds of states; a publisher of ever new ones must not fill the memory.
_MOST_NAMES, _MOST_KINDS = 10_000, 100

#: The most joints that a message names, and the most unknown joints.
_MOST_NAMED, _MOST_UNKNOWN = 5, 20


class _Following:
    """The state of following joint states with one description; states with the same names are of one kind.

    A kind is the hash of the names. For many names, the hash takes as long as the computation of the transforms.

    Attributes
    ----------
    period : nanoseconds between messages; 0 for no bound.
    due : by kind of states, the first stamp at which they may be published again.
    waiting : by kind, the number of states that are not yet published, and the last stamp.
    since : start of following, on the steady clock.
    listeners : the known subscriptions, and the number of matched ones.
    is_lacking : whether a listener has not received the frames of joints without a state.
    """

    def __init__(self, edges: list[Transform], stamped: list[Any], leaders: Sequence[MovingJoint] = ()):
        self.tracker, self.bytes, self.period = JointTracker(edges, leaders=leaders), TfBytes(stamped), 0
        self.leaders = leaders
        self.due: dict[int, int] = {}
        self.waiting: dict[int, tuple[int, int]] = {}
        self.due_at = -inf  # latest time to publish waiting states, on the steady clock
        self.since = time.monotonic()
        self.listeners: tuple[set[bytes], int] = set(), 0
        self.is_lacking = False
        self.seen: set[str] = set()
        self.unknown: list[str] = []


class JointMotion:
    """Publishes the frames that joints move, while it follows joint states."""

    def __init__(self, node: GuardedNode, state: State):
        self._node, self._log, self._state = node, node.log, state
        self._following: _Following | None = None
        self._followed: Iterable[Transform] | None = None
        self._publisher: Any = None
        self._subscriptions: list[Subscription] = []
        self._thread: threading.Thread | None = None
        self._wait: MessageWait
        self._takes_bytes = True
        self._states = StateBytes()
        self._clock = node.get_clock()
        self._last_now = 0
        self._ignored = self._left_out = 0  # states
        self._problem, self._problem_at = "", -inf  # why the last one was ignored, and the time of the report
        self._fault: Exception | None = None
        self._unusable: Diagnostic | None = None
        self._found: list[Diagnostic] = []
        node.call_each_second(self._look)

    async def prepare(self, edges: Iterable[Transform], settings: Settings,
                      leaders: Sequence[MovingJoint] = ()) -> _Following | None:
        """Prepare to follow joint states with these transforms; None if the parameters do not ask for it."""
        following, pause = self._following, self._state.work.pause
        if not settings.joint_states:
            return None
        if following is not None and edges is self._followed:
            return following
        listed = await build_all(lambda edge: edge, edges, pause)
        if following is not None and (leaders, _compare(listed)) == (
                following.leaders, _compare(following.tracker.edges)):
            return following
        return _Following(listed, await build_all(lambda edge: messages.to_transform(
            edge.parent, edge.child, IDENTITY, Time()), listed, pause), leaders)

    def follow(self, following: _Following | None, edges: Iterable[Transform], settings: Settings) -> None:
        """Follow joint states with prepared transforms, or stop if there are none; joints keep their positions."""
        if following is None:
            self.stop()
            return
        following.tracker.ignore_stamps = settings.ignore_timestamp
        period = 0 if settings.ignore_timestamp else round(_BILLION / settings.publish_frequency)
        if period != following.period:
            following.due.clear()
            following.period, following.due_at = period, -inf
        self._following, self._followed = following, edges
        if self._thread is None:
            self._start()
        self._wait.wake()
        self._look()

    def _start(self) -> None:
        # Absolute, as tf2's listeners expect it.
        self._publisher = self._node.create_publisher(TFMessage, "/tf", QoSProfile(depth=100))
        self._subscriptions = [
            collect_messages(self._node, kind, topic, _STATES)
            for kind, topic in ((JointState, "joint_states"), (MultiDOFJointState, "multi_dof_joint_states"))]
        self._wait = MessageWait(self._node, self._subscriptions)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop following joint states."""
        if self._thread is None:
            return
        self._following = None
        self._wait.wake()
        self._thread.join()
        self._wait.close()
        for subscription in self._subscriptions:
            self._node.destroy_subscription(subscription)
        self._node.destroy_publisher(self._publisher)
        self._thread, self._publisher, self._subscriptions = None, None, []
        self._unusable, self._found = None, []
        self._node.reports.remove("joint_states")

    def describe(self) -> list[tuple[str, str]]:
        """Return numbers on the published frames, as pairs for /diagnostics."""
        if (following := self._following) is None:
            return []
        names = escape_controls(", ".join(following.unknown[:_MOST_UNKNOWN]))
        unknown = [("unknown joints", names)] if names else []
        return [("transforms on /tf", str(len(following.tracker.edges))), ("joint states ignored", str(self._ignored)),
                ("joint states left out to keep up", str(self._left_out)), *unknown]

    @np.errstate(over="ignore", invalid="ignore")
    def _run(self) -> None:
        ready, last = self._subscriptions, self._following
        while (following := self._following) is not None:
            try:
                before, last = last, following
                if before is not None and before is not following:
                    following.tracker.carry_over(before.tracker)
                self._take_turn(following, ready)
            except Exception as fault:
                self._fault = fault
            ready = self._wait.wait(following.due_at - time.monotonic())

    def _take_turn(self, following: _Following, ready: list[Subscription]) -> None:
        """Take waiting messages, and publish transforms that are due."""
        now = self._read_clock(following)
        for subscription in ready:
            for data in take_messages(subscription):
                self._take(following, subscription.msg_type, data, now)
        at = time.monotonic()
        if at >= following.due_at:
            self._plan_next(following)  # first, so that a failed publication is not repeated at once
            self._publish(following, following.tracker.take())
        elif following.waiting and following.due_at == inf:
            following.due_at = at + following.period / _BILLION
        if following.is_lacking and now:
            following.is_lacking = False
            self._publish(following, following.tracker.take(now))

    def _plan_next(self, following: _Following) -> None:
        """Find the stamp from which each published kind may be published again."""
        period = following.period  # another thread may change it
        for kind, (count, stamp) in following.waiting.items():
            due = following.due.get(kind, stamp)
            # Of states that arrived together, one was published; the bound would have allowed more.
            self._left_out += max(0, min(count - 1, (stamp - due) // period if period else count))
            following.due[kind] = min(max(due, stamp), stamp + _EARLY) + period
        if len(following.due) > _MOST_KINDS:
            following.due.clear()
        following.waiting.clear()
        following.due_at = inf

    def _read_clock(self, following: _Following) -> int:
        """Return the time in nanoseconds; 0 while simulated time has not started."""
        # rclpy needs 30 times as long for system time.
        now = self._clock.now().nanoseconds if self._clock.ros_time_is_active else time.time_ns()
        if now < self._last_now:
            self._log.warning("Time has jumped back; the next joint states are accepted with any time stamp")
            following.tracker.forget_stamps()
            following.due.clear()
            following.is_lacking = True  # listeners forget all that is on /tf, too
        self._last_now = now
        return now

    def _take(self, following: _Following, type_: type, data: bytes, now: int) -> None:
        """Take a serialised message, and record that it waits, or why it is ignored."""
        values: Any
        hear: Callable[..., str | None]
        if type_ is JointState:
            names, sec, nanosec, values = self._states.read(data)
            hear = following.tracker.hear
        else:
            state = deserialize_message(data, type_)
            names, sec, nanosec = tuple(state.joint_names), state.header.stamp.sec, state.header.stamp.nanosec
            values, hear = [*map(messages.read_transform, state.transforms)], following.tracker.hear_motions
        kind, stamp = hash(names), sec * _BILLION + nanosec or now  # a state without a stamp gets the current time
        # rclcpp::Time throws an exception for a time below 0.
        fault = (f"the stamp {sec} s {nanosec} ns" if sec < 0 or nanosec >= _BILLION else hear(names, values, stamp))
        if fault is not None:
            self._ignored += 1
            self._problem = fault
        else:
            following.waiting[kind] = following.waiting.get(kind, (0, 0))[0] + 1, stamp
            if stamp >= following.due.get(kind, stamp) - _EARLY:
                following.due_at = -inf
        if kind not in following.due:
            self._look_at_names(following, names)

    def _look_at_names(self, following: _Following, names: tuple[str, ...]) -> None:
        """Warn once of each name that no part of the model has."""
        seen = following.seen
        if seen.issuperset(names) or len(seen) > _MOST_NAMES:
            return
        new = [name for name in dict.fromkeys(names) if name not in seen]
        seen.update(new)
        table = self._state.table
        unknown = [name for name in new if not following.tracker.knows(name) and (
            table is None or not (table.find(name) or table.find(name.replace("/", "::"))))]
        if unknown:
            shown = [*map(shorten_name, unknown[:_MOST_UNKNOWN])]
            following.unknown += shown
            self._log.warning("Joint states name joints that the model does not have, which are ignored: "
                              + ", ".join(shown) + (", …" if len(unknown) > _MOST_UNKNOWN else ""))

    def _look(self) -> None:
        """Report problems, and look for listeners without the frames of joints without a state."""
        if (following := self._following) is None:
            return
        fault, self._fault = self._fault, None
        if fault is not None:
            raise fault
        at, problem = time.monotonic(), self._problem
        self._problem = ""
        if not following.tracker.is_complete:
            self._look_for_listeners(following)
        if problem:
            self._unusable, self._problem_at = diagnose("joint-states-unusable", problem=problem), at
        elif at >= self._problem_at + _CALM:
            self._unusable = None
        unheard = following.tracker.list_unheard() if at > following.since + _PATIENCE else []
        found = [d for d in (self._unusable, tell_unheard(unheard) if unheard else None) if d is not None]
        if found != self._found:
            self._report(found)

    def _report(self, found: list[Diagnostic]) -> None:
        self._found = found
        self._node.reports.add("joint_states", found, ("followed", "not followed"))

    def _look_for_listeners(self, following: _Following) -> None:
        """Publish joints without a state at zero, once for each listener."""
        # A new listener may have replaced another one, and a known one may not be matched yet.
        known, count = following.listeners
        listeners = {bytes(info.endpoint_gid) for info in
                     self._node.get_subscriptions_info_by_topic(self._publisher.topic_name)}
        following.listeners = listeners, self._publisher.get_subscription_count()
        if listeners - known or following.listeners[1] > count:
            following.is_lacking = True
        self._wait.wake()  # also without a listener: time may have started, or jumped back

    def _publish(self, following: _Following, moved: Moved) -> None:
        if not isfinite(np.add.reduce(moved.poses, axis=None)) and not (
                is_finite := np.isfinite(moved.poses).all(axis=0)).all():
            child = following.tracker.edges[moved.edges[is_finite.argmin()]].child
            self._problem = f"the pose of frame {child} would not be finite"
            moved = Moved(moved.edges[is_finite], moved.stamps[is_finite], moved.poses[:, is_finite])
        if not len(moved.edges):
            return
        if self._takes_bytes:
            try:
                self._publisher.publish(following.bytes.write(moved))
                return
            except RuntimeError as error:
                self._log.info(f"ROS does not publish serialised messages; objects are published: {error}")
                self._takes_bytes = False
        self._publisher.publish(following.bytes.fill(moved))


def _compare(edges: Iterable[Transform]) -> list[tuple[object, ...]]:
    """Return what must be equal for transforms to move in the same way."""
    return [(edge, edge.steps) for edge in edges]


def tell_unheard(edges: list[Transform]) -> Diagnostic:
    """Return the finding on frames that wait for joint states."""
    joints = [*dict.fromkeys([step.joint.name for edge in edges for step in edge.steps])]
    named = ", ".join(map(repr, joints[:_MOST_NAMED])) + (", …" if len(joints) > _MOST_NAMED else "")
    more = f"; so it is with {count_of(len(edges) - 1, 'other')}" if len(edges) > 1 else ""
    return diagnose("tf-disconnected", name=edges[0].child, expected=edges[0].parent, more=more, hint=(
        f"publish joint states of {named}; each listener of /tf received these frames once, with the joints at zero"))
