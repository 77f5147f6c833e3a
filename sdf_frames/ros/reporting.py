"""What the node says of its description: in the log once, on /diagnostics again and again."""
from __future__ import annotations

from collections.abc import Callable, Iterable

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.clock import Clock, ClockType
from rclpy.node import Node

from sdf_frames.diagnostics import Diagnostic
from sdf_frames.ros import messages
from sdf_frames.ros.log import Log
from sdf_frames.ros.publishing import LATCHED

#: More findings of one description than this are not logged; the services give all of them.
_MOST_LOGGED = 20

#: Seconds between messages on /diagnostics; diagnostic_aggregator calls a status stale after 5 s.
_PERIOD = 1.0


class Reports:
    """The node's log and its place on /diagnostics.

    Parameters
    ----------
    node, log : the node.
    describe_output : returns what the node publishes now, as (key, value) pairs.
    """

    def __init__(self, node: Node, log: Log, describe_output: Callable[[], list[tuple[str, str]]]):
        self._node, self._log, self._describe_output = node, log, describe_output
        self._name = node.get_fully_qualified_name().lstrip("/")
        self._findings: tuple[Diagnostic, ...] | None = None
        self._others: dict[str, tuple[Diagnostic, ...]] = {}
        self._robot = ""
        self._publisher = node.create_publisher(DiagnosticArray, "/diagnostics", LATCHED)
        # In real time, also where simulated time stands still: a monitor would take the node for dead.
        self._timer = node.create_timer(_PERIOD, self._repeat, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def report(self, findings: Iterable[Diagnostic], robot: str = "") -> None:
        """Put the findings on a description into the log and on /diagnostics."""
        self._findings, self._robot = tuple(findings), robot
        for finding in self._findings[:_MOST_LOGGED]:
            self._write(finding)
        if len(self._findings) > _MOST_LOGGED:
            self._log.info(f"{len(self._findings) - _MOST_LOGGED} further findings; validate_sdf gives all of them")
        self._publish()

    def add(self, subject: str, findings: Iterable[Diagnostic]) -> None:
        """Set what was found on something beside the description (`subject`), and publish it if it has changed."""
        findings = tuple(findings)
        before = self._others.get(subject, ())
        if findings == before:
            return
        for finding in findings:
            if finding not in before:
                self._write(finding)
        self._others[subject] = findings
        self._publish()

    def forget(self) -> None:
        """Say nothing more of the description."""
        self._findings, self._others, self._robot = None, {}, ""

    def _write(self, finding: Diagnostic) -> None:
        write = {"error": self._log.error, "warning": self._log.warning}.get(finding.severity, self._log.info)
        write(messages.describe(finding))

    def _repeat(self) -> None:
        if self._findings is not None:
            self._publish()

    def _publish(self) -> None:
        statuses = [messages.to_status(f"{self._name}: robot_description", self._findings or (), self._robot)]
        statuses += [messages.to_status(f"{self._name}: {subject}", found, self._robot)
                     for subject, found in self._others.items()]
        statuses[0].values += messages.to_values(self._describe_output())
        message = DiagnosticArray(status=statuses)
        message.header.stamp = self._node.get_clock().now().to_msg()
        self._publisher.publish(message)
