"""Joints that move: joint states in, /tf out.

A state that comes after a quiet time is published at once. Where states come faster than they are to be published, no
callback runs for each of them: a timer takes them from the queue, which costs a tenth.
"""
from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable
from math import inf
from typing import Any

from builtin_interfaces.msg import Time
from geometry_msgs.msg import TransformStamped
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.subscription import Subscription
from sensor_msgs.msg import JointState, MultiDOFJointState
from tf2_msgs.msg import TFMessage

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.frames.joint_tracker import JointTracker, MovingEdge
from sdf_frames.ros import messages
from sdf_frames.ros.distributions import Gate, take_messages
from sdf_frames.ros.log import Log
from sdf_frames.ros.pieces import build_all
from sdf_frames.ros.settings import Settings
from sdf_frames.ros.timers import create_steady_timer
from sdf_frames.spatial.pose import IDENTITY

#: As robot_state_publisher's, which hears every publisher; deep enough for a second of states at 1 kHz.
_STATES = QoSProfile(depth=1000, reliability=ReliabilityPolicy.BEST_EFFORT)

_BILLION = 1_000_000_000

#: Seconds between reports of states that cannot be used, and without such states until that is no longer reported.
_REPORTING, _CALM = 1.0, 10.0

#: Names in states that are remembered; a publisher of ever new names must not fill the memory.
_MOST_NAMES = 10_000


class JointMotion:
    """Publishes what joints move, as far as it is told to follow anything.

    Parameters
    ----------
    report : ``report(findings)`` reports what is wrong with joint states now.
    is_frame : whether a frame of the model, also that of a joint, has a name.
    pause : what :func:`sdf_frames.ros.pieces.build_all` waits for.
    """

    def __init__(self, node: Node, log: Log, report: Callable[[list[Diagnostic]], None],
                 is_frame: Callable[[str], bool], pause: Callable[[], Awaitable[None]]):
        self._node, self._log, self._report, self._is_frame, self._pause = node, log, report, is_frame, pause
        self._gate = Gate()
        self._tracker = JointTracker(())
        self._stamped: list[TransformStamped] = []
        self._publisher: Any = None
        self._subscriptions: list[Subscription] = []
        self._timer: Any = None
        self._period = 0.0
        self._published, self._rest = 0.0, 0.0  # of the steady clock: the last message, and until when there is none
        self._last_now = 0
        self._ignored = 0  # states
        self._problem, self._problem_at, self._report_at = "", -inf, -inf  # times are of the steady clock
        self._seen: set[str] = set()
        self._unknown: list[str] = []

    async def follow(self, edges: Iterable[MovingEdge], settings: Settings) -> None:
        """Follow joint states with these transforms from now on; without any, with none."""
        edges = await build_all(lambda edge: edge, edges, self._pause)
        if not settings.joint_states:
            self.stop()
            return
        stamped = await build_all(lambda edge: messages.to_transform(edge.parent, edge.child, IDENTITY, Time()), edges,
                                  self._pause)
        self._tracker, self._stamped = JointTracker(edges, settings.ignore_timestamp), stamped
        self._seen, self._unknown = set(), []
        self._period = 1 / settings.publish_frequency
        if self._publisher is None:
            # Absolute, as tf2's listeners expect it.
            self._publisher = self._node.create_publisher(TFMessage, "/tf", QoSProfile(depth=100))
            self._subscriptions = [
                self._node.create_subscription(kind, topic, self._hear, _STATES, callback_group=self._gate)
                for kind, topic in ((JointState, "joint_states"), (MultiDOFJointState, "multi_dof_joint_states"))]
        if self._timer is not None:
            self._node.destroy_timer(self._timer)
        self._timer = create_steady_timer(self._node, self._period, self._tick)

    def stop(self) -> None:
        """Follow nothing any more."""
        if self._publisher is None:
            return
        self._node.destroy_timer(self._timer)
        for subscription in self._subscriptions:
            self._node.destroy_subscription(subscription)
        self._node.destroy_publisher(self._publisher)
        self._publisher, self._timer, self._subscriptions = None, None, []
        self._clear_problem()

    def describe(self) -> list[tuple[str, str]]:
        """Return what is published, as pairs for /diagnostics."""
        if self._publisher is None:
            return []
        unknown = [("unknown joints", ", ".join(self._unknown[:20]))] if self._unknown else []
        return [("transforms on /tf", str(len(self._stamped))), ("joint states ignored", str(self._ignored)), *unknown]

    def _hear(self, state: JointState | MultiDOFJointState) -> None:
        """Publish a state at once, unless one has just been published; the timer takes those that come next."""
        self._take(state, self._read_clock())
        if time.monotonic() - self._published >= self._period:
            self._publish(None)
        self._gate.is_open = False

    def _tick(self) -> None:
        if (begin := time.monotonic()) < self._rest:
            return
        now = self._read_clock()
        states = [] if self._gate.is_open else [state for s in self._subscriptions for state in take_messages(s)]
        for state in states:
            self._take(state, now)
        self._publish(now or None)
        self._gate.is_open = not states
        end = time.monotonic()
        self._report_problem(end)
        # With thousands of joints, half of the time is left to everything else.
        self._rest = end + (end - begin) if end - begin > self._period else end

    def _read_clock(self) -> int:
        """Nanoseconds; 0 while simulated time has not begun."""
        now: int = self._node.get_clock().now().nanoseconds
        if now < self._last_now:
            self._log.warning("Time has jumped back; the next joint states are accepted with any time stamp")
            self._tracker.forget_stamps()
        self._last_now = now
        return now

    def _take(self, state: JointState | MultiDOFJointState, now: int) -> None:
        at = state.header.stamp
        # A state without a stamp is one of now.
        stamp = at.sec * _BILLION + at.nanosec or now
        fault: str | None
        if at.sec < 0 or at.nanosec >= _BILLION:  # rclcpp::Time throws on a time below 0
            fault = f"the stamp {at.sec} s {at.nanosec} ns"
        elif isinstance(state, JointState):
            fault = self._tracker.hear(state.name, state.position, stamp)
            self._look_at_names(state.name)
        else:
            motions = [*map(messages.read_transform, state.transforms)]
            fault = self._tracker.hear_motions(state.joint_names, motions, stamp)
            self._look_at_names(state.joint_names)
        if fault is not None:
            self._ignored += 1
            self._problem = fault

    def _look_at_names(self, names: list[str]) -> None:
        """Warn once of each name that nothing in the model has."""
        if self._seen.issuperset(names) or len(self._seen) > _MOST_NAMES:
            return
        new = [name for name in dict.fromkeys(names) if name not in self._seen]
        self._seen.update(new)
        unknown = [name for name in new if not (
            self._tracker.knows(name) or self._is_frame(name) or self._is_frame(name.replace("/", "::")))]
        if unknown:
            self._unknown += unknown
            self._log.warning("Joint states name joints that the model does not have, which are ignored: "
                              + ", ".join(unknown[:20]) + (", …" if len(unknown) > 20 else ""))

    def _report_problem(self, now: float) -> None:
        """Report the last problem, once a second at most, until there has been none for a while."""
        if now < self._report_at + _REPORTING:
            return
        if self._problem:
            self._report([diagnose("joint-states-unusable", problem=self._problem)])
            self._problem, self._problem_at, self._report_at = "", now, now
        elif now > self._problem_at + _CALM:
            self._clear_problem()

    def _clear_problem(self) -> None:
        if self._problem_at > -inf:
            self._report([])
            self._problem_at = -inf

    def _publish(self, now: int | None) -> None:
        """Publish what is new, and at `now` that of which nothing was heard."""
        transforms = []
        stamp, at = -1, Time()
        for number, nanoseconds, X in self._tracker.take(now):
            stamped = self._stamped[number]
            if X is None:
                self._problem = f"the pose of frame {stamped.child_frame_id} would not be finite"
                continue
            if nanoseconds != stamp:
                stamp, at = nanoseconds, Time(sec=nanoseconds // _BILLION, nanosec=nanoseconds % _BILLION)
            stamped.header.stamp = at
            t, q = stamped.transform.translation, stamped.transform.rotation
            t.x, t.y, t.z, q.w, q.x, q.y, q.z = X
            transforms.append(stamped)
        if transforms:
            self._publisher.publish(TFMessage(transforms=transforms))
            self._published = time.monotonic()
