"""Waiting in real time."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.task import Future


def create_steady_timer(node: Node, seconds: float, callback: Callable[[], Any]) -> Any:
    """Create a timer that ignores simulated time, with which the node's own clock runs fast, stands still or jumps."""
    return node.create_timer(seconds, callback, clock=Clock(clock_type=ClockType.STEADY_TIME))


async def wait(node: Node, seconds: float) -> None:
    """Return after so many seconds; the executor goes on meanwhile."""
    over = Future()
    timer = create_steady_timer(node, seconds, lambda: over.set_result(None))
    try:
        await over
    finally:
        node.destroy_timer(timer)
