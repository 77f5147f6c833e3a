"""Waiting in real time."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.task import Future


def create_steady_timer(node: Node, seconds: float, callback: Callable[[], Any]) -> Any:
    """Create a timer that ignores simulated time, which may run fast, stop or jump."""
    return node.create_timer(seconds, callback, clock=Clock(clock_type=ClockType.STEADY_TIME))


async def wait(node: Node, seconds: float) -> None:
    """Wait for some seconds; the executor runs other callbacks."""
    over = Future()
    timer = create_steady_timer(node, seconds, lambda: over.set_result(None))
    try:
        await over
    finally:
        node.destroy_timer(timer)
