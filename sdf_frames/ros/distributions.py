"""Differences between distributions of ROS 2, and uses of undocumented parts of rclpy."""
from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from itertools import chain
from math import inf
from typing import Any

from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.guard_condition import GuardCondition
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.subscription import Subscription

from sdf_frames.diagnostics import shorten_name
from sdf_frames.diagnostics.render import escape_controls


def collect_messages(node: Node, kind: Any, topic: str, qos: QoSProfile) -> Subscription:
    """Subscribe without an executor: serialised messages wait in the queue for :func:`take_messages`."""
    group = MutuallyExclusiveCallbackGroup()
    subscription = node.create_subscription(kind, topic, lambda _: None, qos, callback_group=group, raw=True)
    group.beginning_execution(subscription)  # never ends, so that the executor runs no callback of the group
    return subscription


def mend_transitions(node: Any, complain: Callable[[str], None], report: Callable[[Exception], object]) -> None:
    """Make a lifecycle node refuse transitions that its state does not have, and report exceptions of its callbacks.

    Without this, rclpy ends the node at such a transition, and ignores the exceptions.
    """
    service = node._service_change_state
    change = service.callback

    def respond(request: Any, response: Any) -> Any:
        # rcl also writes the label into the log, as it is.
        request.transition.label = escape_controls(shorten_name(request.transition.label))
        try:
            return change(request, response)
        except RuntimeError as error:
            complain(f"Refused the transition {request.transition.label or request.transition.id}: "
                     f"{str(error).partition(', at ')[0]}")
            response.success = False
            return response
    service.callback = respond

    def run(callback: Callable[[Any], Any], state: Any) -> Any:
        try:
            return callback(state)
        except Exception as error:
            report(error)
            raise
    for number, callback in node._callbacks.items():
        node._callbacks[number] = partial(run, callback)


def list_given_parameters(node: Node) -> list[str]:
    """List the parameters that a command line, a file or a launch file gave the node, declared or not."""
    return [*node._parameter_overrides]


def heed_again(node: Node) -> None:
    """Make the executor use entities again whose message or request it could not take; rclpy would ignore them."""
    for entity in chain(node.subscriptions, node.timers, node.clients, node.services, node.guards, node.waitables):
        entity._executor_event = False


class MessageWait:
    """Waits for messages in a separate thread. This costs less than an executor, which checks all entities each time.

    Parameters
    ----------
    subscriptions : from :func:`collect_messages`; in use until :meth:`close`.
    """

    def __init__(self, node: Node, subscriptions: list[Subscription]):
        self._guard = GuardCondition(None, None, context=node.context)
        self._subscriptions, self._handles = subscriptions, [subscription.handle for subscription in subscriptions]
        self._held = ExitStack()
        for handle in (node.context.handle, self._guard.handle, *self._handles):
            self._held.enter_context(handle)
        self._set = rclpy_implementation.WaitSet(len(self._handles), 1, 0, 0, 0, 0, node.context.handle)

    def close(self) -> None:
        """Release the subscriptions; no thread waits any more."""
        self._held.close()

    def wake(self) -> None:
        """Make :meth:`wait` return; callable from any thread."""
        self._guard.trigger()

    def wait(self, seconds: float) -> list[Subscription]:
        """Wait for a message or :meth:`wake`, not longer than this; return the subscriptions that have messages."""
        self._set.clear_entities()
        for handle in self._handles:
            self._set.add_subscription(handle)
        self._set.add_guard_condition(self._guard.handle)
        self._set.wait(-1 if seconds == inf else int(max(seconds, 0.0) * 1e9))
        ready = self._set.get_ready_entities("subscription")
        return [each for each, handle in zip(self._subscriptions, self._handles) if handle.pointer in ready]


def take_messages(subscription: Subscription) -> list[Any]:
    """Take the messages in the queue of a subscription, oldest first, as executors do from Humble to Rolling."""
    messages = []
    with subscription.handle:
        while (taken := subscription.handle.take_message(subscription.msg_type, subscription.raw)) is not None:
            messages.append(taken[0])
    return messages
