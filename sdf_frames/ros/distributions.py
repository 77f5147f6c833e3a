"""What differs between the distributions of ROS 2, or is no documented part of rclpy."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.callback_groups import CallbackGroup
from rclpy.subscription import Subscription

from sdf_frames.ros.untyped import Message


class Gate(CallbackGroup):
    """A callback group whose callbacks run only while it is open; messages wait in the queue otherwise."""

    def __init__(self, is_open: bool = True) -> None:
        super().__init__()
        self.is_open = is_open

    def can_execute(self, entity: Any) -> bool:
        """Whether a callback may run now."""
        return self.is_open

    def beginning_execution(self, entity: Any) -> bool:
        """Take note that a callback begins; whether it may."""
        return self.is_open

    def ending_execution(self, entity: Any) -> None:
        """Take note that a callback has ended."""


def refuse_wrong_transitions(node: Any, complain: Callable[[str], None]) -> None:
    """Have a lifecycle node answer False to a transition that its state does not have; rclpy's own would end it."""
    service = getattr(node, "_service_change_state", None)
    if service is None:
        return
    change = service.callback

    def respond(request: Message, response: Message) -> Message:
        try:
            return change(request, response)
        except RuntimeError as error:
            complain(f"Refused the transition {request.transition.label or request.transition.id}: "
                     f"{str(error).partition(', at ')[0]}")
            response.success = False
            return response
    service.callback = respond


def take_messages(subscription: Subscription) -> list[Message]:
    """Take what waits in the queue of a subscription, oldest first, as executors do from Humble to Rolling."""
    messages = []
    with subscription.handle:
        while (taken := subscription.handle.take_message(subscription.msg_type, subscription.raw)) is not None:
            messages.append(taken[0])
    return messages
