"""Timers in real time."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.node import Node


def create_steady_timer(node: Node, seconds: float, callback: Callable[[], Any]) -> Any:
    """Create a timer that ignores simulated time, with which the node's own clock runs fast, stands still or jumps."""
    return node.create_timer(seconds, callback, clock=Clock(clock_type=ClockType.STEADY_TIME))
