"""Listens to TF for a while, or watches it and reports errors on /diagnostics within a second.

A timer takes the messages on /tf from their queue and notes each frame's parent. With the parameter monitor, the tree
is compared with the model, as by check_tf: at once if a parent has changed, else once a second while anything moves.
Without it, the node looks once a second for other publishers of its own frames. Reading messages takes at most 5 % of a
core, without monitor 1.25 %. If more messages arrive, a random sample is read.
"""
from __future__ import annotations

import random
import time
from collections.abc import Callable, Container, Sequence
from itertools import chain
from typing import Any

from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message
from tf2_msgs.msg import TFMessage

from sdf_frames.diagnostics import count_of, diagnose
from sdf_frames.frames.tf_check import find_doubles
from sdf_frames.frames.tf_observed import Observed
from sdf_frames.ros import jobs
from sdf_frames.ros.distributions import collect_messages, take_messages
from sdf_frames.ros.guard import GuardedNode
from sdf_frames.ros.jobs import Edge
from sdf_frames.ros.messages import read_transform
from sdf_frames.ros.services import State
from sdf_frames.ros.work import WorkFailed

#: Seconds to listen by default, and at most.
_DEFAULT, _LONGEST = 2.0, 60.0

#: Seconds between looks at the queue with the parameter monitor; without it, they come once a second.
_PERIOD = 0.25

#: Seconds of each look that reading messages may take.
_READING = 0.05 * _PERIOD

#: Messages that are always read at each look, however long that takes.
_LEAST_READ = 10

#: The most stored transforms of other nodes; a publisher of ever new names must not fill the memory.
_MOST_TRANSFORMS = 10_000

#: Seconds between comparisons while no name changes, and between looks at the publishers.
_PAUSE = 0.9

#: Seconds that other nodes have to publish TF for a new description.
_GRACE = 2.0

#: Seconds in which the publishers of /tf_static find a new subscription and send it their transforms, also on a busy
#: machine and for a node that has just started.
_ANSWER = 1.0

#: Seconds after which a parent is forgotten if only another parent of the same frame is still published.
_STALE = 3.0

#: Deep enough for a publisher at 4 kHz. Best effort, since lost messages need not be sent again.
_MOVING = QoSProfile(depth=1000, reliability=ReliabilityPolicy.BEST_EFFORT)
_STATIC = QoSProfile(depth=1000, durability=DurabilityPolicy.TRANSIENT_LOCAL)


#: The last transforms of each parent and child, by topic.
_Stored = dict[tuple[str, str, bool], tuple[Observed, ...]]


def observe(message: TFMessage, static: bool) -> list[Observed]:
    """Return the transforms of a message."""
    return [Observed(stamped.header.frame_id, stamped.child_frame_id, read_transform(stamped.transform), static)
            for stamped in message.transforms]


def _store(stored: _Stored, o: Observed, most: int) -> bool:
    """Store the last transform of a parent and child, or on /tf_static the last two: each may be of another node.

    A further parent and child is left out if `most` are stored. Return whether a new transform is stored.
    """
    key = o.parent, o.child, o.static
    before = stored.get(key, ())
    if o in before or not before and len(stored) >= most:
        return False
    stored[key] = (*before[-1:], o) if o.static else (o,)
    return True


def _list_stored(stored: _Stored) -> list[Observed]:
    return [*chain.from_iterable(stored.values())]


def find_publishers(node: Node) -> list[str]:
    """Return the publishers of TF, each as its topic and the full name of its node."""
    return sorted({f"{topic} {info.node_namespace.rstrip('/')}/{info.node_name}"
                   for topic in ("/tf", "/tf_static") for info in node.get_publishers_info_by_topic(topic)})


class TfMonitor:
    """Compares TF with the current model if the parameter `monitor` is set; always looks for doubled frames."""

    def __init__(self, node: GuardedNode, state: State):
        self._node, self._state, self._reports = node, state, node.reports
        self._subscription: Any = None
        self._timer: Any = None
        self._static: _Static | None = None  # None while TF is not followed
        self._moving = _Moving()
        self._busy = self._is_full = self._differs = self._changed = self._moved = False
        self._ours: list[str] = []  # children of the static transforms that this node publishes
        node.call_each_second(self._tick)

    def follow(self) -> None:
        """Listen anew, and compare TF with the current model."""
        if self._is_full != self._state.settings.monitor:
            self.stop()
        now = time.monotonic()
        if self._static is None:
            self._is_full, self._begun = self._state.settings.monitor, now
            self._hear_moving(True)
            if self._is_full:
                self._timer = self._node.create_steady_timer(_PERIOD, self._tick)
        else:
            self._static.stop()
        self._take_moving(now)  # older messages, which are not used
        self._static, self._moving = _Static(self._node, self._count_most), _Moving()
        self._begin, self._compared, self._looked = now + _GRACE, now, now
        self._changed, self._moved, self._differs = True, True, False

    def stop(self) -> None:
        """Stop comparing, and remove the reports."""
        self._reports.remove("tf")
        if self._static is not None:
            self._hear_moving(False)
            self._static.stop()
            self._static = None
        if self._timer is not None:
            self._node.destroy_timer(self._timer)
            self._timer = None

    def _count_most(self) -> int:
        return _MOST_TRANSFORMS + len(self._ours)

    def _hear_moving(self, wanted: bool) -> None:
        """Subscribe to /tf, or end the subscription."""
        if wanted and self._subscription is None:
            self._subscription = collect_messages(self._node, TFMessage, "/tf", _MOVING)
        elif not wanted and self._subscription is not None:
            self._node.destroy_subscription(self._subscription)
            self._subscription = None

    async def look_ahead(self, edges: Sequence[Edge], before: Sequence[Edge]) -> None:
        """Report the frames that other nodes already publish, before this node publishes `edges` instead of `before`.

        The first description waits until other publishers could answer, because its TF cannot be withdrawn.
        """
        self._ours = [edge.child for edge in edges]
        if self._is_full or self._static is None:
            return
        now = time.monotonic()
        if not before and (rest := self._begun + _ANSWER - now) > 0:
            await self._node.sleep(rest)
            now = time.monotonic()
        self._take_moving(now)
        others = set(self._list_heard(now)).difference(map(_observe, before))
        self._report_doubles([*others, *map(_observe, edges)] if others else ())

    async def _tick(self) -> None:
        if self._static is None:
            return
        now = time.monotonic()
        self._take_moving(now)
        if now - self._looked >= _PAUSE:
            self._looked = now
            # Not for this node's own messages: receiving them costs as much as sending them.
            if now - self._begun > _GRACE and not self._is_full:
                topic = self._node.resolve_topic_name("/tf")  # rclpy counts publishers without remapping
                self._hear_moving(self._node.count_publishers(topic) > self._state.settings.joint_states)
            self._static.look_again(self._differs)
        self._changed |= self._static.take_changes(now)
        # A difference can end without a message: a parent that is no longer published.
        is_due = self._changed or (self._moved or self._differs) and now - self._compared >= _PAUSE
        if is_due and now >= self._begin and not self._busy:
            self._busy, self._changed, self._moved, self._compared = True, False, False, now
            try:
                await self._compare(now)
            finally:
                self._busy = False

    def _take_moving(self, now: float) -> None:
        if self._subscription is not None and (waiting := take_messages(self._subscription)):
            self._moved = True
            self._changed |= self._moving.take(waiting, now)

    async def _compare(self, now: float) -> None:
        reading = self._state.current
        if reading is None:
            return
        heard, publishers = self._list_heard(now), find_publishers(self._node)
        if not self._is_full:
            self._report_doubles(heard)
            return
        settings = self._state.settings
        try:
            found = await self._state.work.read(settings.time_limit, jobs.check_tf, reading.text,
                                                settings.for_reading(), heard, {"publishers": publishers})
        except WorkFailed as failure:
            self._node.log.error(f"monitor: {failure.finding.message}")
            return
        if self._static is not None and reading is self._state.current:
            self._differs = bool(found)
            if count := self._moving.take_unreadable():
                found.append(diagnose("tf-message-unreadable", messages=count_of(count, "message")))
            values = [("frames heard", str(len({o.child for o in heard}))),
                      ("publishers", ", ".join(publishers))]
            self._reports.add("tf", found, ("consistent", "inconsistent"), values)

    async def hear(self, seconds: float) -> tuple[list[Observed], dict[str, Any]]:
        """Listen as a tf2 listener does, for some seconds; the executor runs other callbacks.

        Return the last transform of each parent and child on /tf, and the last two on /tf_static; and for
        :func:`~sdf_frames.frames.tf_check.check_tf` the publishers, and the age of each frame on /tf.
        """
        node, heard = self._node, _Stored()

        def take(message: TFMessage, static: bool) -> None:
            for o in observe(message, static):
                _store(heard, o, self._count_most())
        subscriptions = [
            node.create_subscription(TFMessage, "/tf", lambda message: take(message, False), QoSProfile(depth=100)),
            node.create_subscription(TFMessage, "/tf_static", lambda message: take(message, True), QoSProfile(
                depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL))]
        try:
            await node.sleep(min(seconds, _LONGEST) if seconds > 0 else _DEFAULT)
        finally:
            for subscription in subscriptions:
                node.destroy_subscription(subscription)
        return _list_stored(heard), {"publishers": find_publishers(node),
                                     "ages": self._moving.list_ages(time.monotonic())}

    def _list_heard(self, now: float) -> list[Observed]:
        heard = self._static.list_transforms() if self._static is not None else []
        return heard + self._moving.list_transforms(now, {o.child for o in heard})

    def _report_doubles(self, heard: Sequence[Observed]) -> None:
        found = find_doubles(self._ours, heard, find_publishers(self._node)) if heard else ()
        if found or self._differs:
            self._reports.add("tf", found, ("consistent", "inconsistent"))
        self._differs = bool(found)


def _observe(edge: Edge) -> Observed:
    return Observed(edge.parent, edge.child, edge.pose, static=True)


class _Moving:
    """The last transform on /tf for each parent and child."""

    def __init__(self) -> None:
        self._last: dict[tuple[str, str], tuple[Observed, float]] = {}
        self._unreadable = 0
        self._most = _LEAST_READ

    def take(self, waiting: list[bytes], now: float) -> bool:
        """Take serialised messages, oldest first; return whether they have new names."""
        if len(waiting) > self._most:
            waiting = [waiting[i] for i in sorted(random.sample(range(len(waiting)), self._most))]
        start, before = time.perf_counter(), len(self._last)
        for data in waiting:
            try:
                message = deserialize_message(data, TFMessage)
            except RuntimeError:  # RMWError, which rclpy keeps to itself
                self._unreadable += 1
                continue
            self._last.update({(o.parent, o.child): (o, now) for o in observe(message, static=False)})
        each = (time.perf_counter() - start) / len(waiting)
        self._most = max(_LEAST_READ, int(_READING / each))
        is_new = len(self._last) > before
        if len(self._last) > _MOST_TRANSFORMS:
            self._last = {}
        return is_new

    def take_unreadable(self) -> int:
        """Return how many messages could not be read since the last call."""
        count, self._unreadable = self._unreadable, 0
        return count

    def list_transforms(self, now: float, static: Container[str] = ()) -> list[Observed]:
        """Return the last transform for each parent and child; `static` are children on /tf_static.

        A transform that is older than `_STALE` seconds is left out if its child has another parent.
        """
        ages = self.list_ages(now)
        return [o for o, at in self._last.values()
                if now - at <= _STALE or now - at == ages[o.child] and o.child not in static]

    def list_ages(self, now: float) -> dict[str, float]:
        """Return the seconds since the last transform of each child."""
        ages: dict[str, float] = {}
        for o, at in self._last.values():
            ages[o.child] = min(now - at, ages.get(o.child, now - at))
        return ages


class _Static:
    """The transforms on /tf_static. A new subscription shows which ones are gone: publishers resend theirs.

    `count_most` returns how many are stored at most.
    """

    def __init__(self, node: Node, count_most: Callable[[], int]):
        self._node, self._count_most = node, count_most
        self._kept = _Stored()
        self._senders: frozenset[bytes] = frozenset()
        self._changed = False
        self._listen()

    def stop(self) -> None:
        """Stop listening."""
        self._node.destroy_subscription(self._subscription)

    def _listen(self) -> None:
        self._anew = _Stored()
        self._since = time.monotonic()  # start of the subscription that fills `anew`; infinite once it is full
        self._subscription: Any = self._node.create_subscription(TFMessage, "/tf_static", self._hear, _STATIC)

    def _hear(self, message: TFMessage) -> None:
        most = self._count_most()
        for o in observe(message, static=True):
            self._changed |= _store(self._kept, o, most)
            _store(self._anew, o, most)

    def look_again(self, differs: bool) -> None:
        """Subscribe again if a publisher has gone, or if TF differs from the model."""
        senders = frozenset(bytes(info.endpoint_gid) for info in self._node.get_publishers_info_by_topic("/tf_static"))
        gone, self._senders = self._senders - senders, senders
        if (gone or differs) and self._since == float("inf"):
            self.stop()
            self._listen()

    def take_changes(self, now: float) -> bool:
        """Return whether the stored transforms have changed since the last call."""
        if now - self._since >= _ANSWER:
            before, self._since, self._kept = self.list_transforms(), float("inf"), dict(self._anew)
            self._changed |= before != self.list_transforms()
        changed, self._changed = self._changed, False
        return changed

    def list_transforms(self) -> list[Observed]:
        """Return the transforms on /tf_static, always in the same order."""
        return sorted(_list_stored(self._kept))
