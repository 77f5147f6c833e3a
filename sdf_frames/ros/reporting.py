"""Reports on the description: once in the log, and repeatedly on /diagnostics."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.node import Node

from sdf_frames.convert.massless import LOSSES
from sdf_frames.diagnostics import ERROR, Diagnostic, diagnose
from sdf_frames.diagnostics.render import count_findings
from sdf_frames.ros import messages
from sdf_frames.ros.log import Log
from sdf_frames.ros.publishing import LATCHED

#: Most findings of one description that are logged; the services return all.
_MOST_LOGGED = 20

#: Families of findings on the node's work with a description; each finding is logged.
_OF_THE_NODE = "MT"
#: Warnings that are logged: losses, a document without a robot, and xacro that was not expanded, or not as meant.
_TOLD = (*LOSSES, "nothing-described", "xacro-unexpanded", "xacro-argument-unknown")

#: Messages after which simulated time that has not begun is reported: a simulator needs time to start.
_PATIENCE = 5

_NAME = re.compile(r"'[^']*'")


@dataclass(frozen=True)
class _Subject:
    """The findings on a subject other than the description."""

    findings: tuple[Diagnostic, ...] = ()
    verdicts: tuple[str, str] = ("valid", "invalid")
    values: tuple[tuple[str, str], ...] = ()


def _identify(finding: Diagnostic) -> tuple[object, ...]:
    """Return the subject of a finding, without its numbers.

    The first name in its message counts, too: frames that the conversion made of one line have the same place.
    """
    name = _NAME.search(finding.message)
    return finding.code, finding.file, finding.line, finding.path, name and name[0]


class Reports:
    """The node's log and its place on /diagnostics.

    `describe_output` returns what the node publishes now, as (key, value) pairs.
    """

    def __init__(self, node: Node, log: Log):
        self._node, self._log = node, log
        self.describe_output: Callable[[], list[tuple[str, str]]] = list
        self._name = node.get_fully_qualified_name().lstrip("/")
        self._findings: tuple[Diagnostic, ...] | None = None
        self._others: dict[str, _Subject] = {}
        self._robot = ""
        self._timeless = 0  # looks in a row at which simulated time had not begun
        self._refused_clock = 0  # the last time below zero on /clock since the last look, in seconds
        self._publisher = node.create_publisher(DiagnosticArray, "/diagnostics", LATCHED)

    def report(self, findings: Iterable[Diagnostic], robot: str = "") -> None:
        """Put the findings on a description into the log and on /diagnostics.

        `robot` is the name of the model that is published, or else of the one in error; empty: as before.
        """
        self._findings, self._robot = tuple(findings), robot or self._robot
        self.log(self._findings)
        self._publish()

    def log(self, findings: Sequence[Diagnostic]) -> None:
        """Put findings into the log alone: errors, and the warnings that matter most; one line counts the others."""
        serious = [d for d in findings if d.severity == ERROR or d.name in _TOLD or d.code[0] in _OF_THE_NODE]
        for finding in serious[:_MOST_LOGGED]:
            self._write(finding)
        shown = set(map(id, serious[:_MOST_LOGGED]))
        if rest := count_findings(d for d in findings if id(d) not in shown):
            self._log.info(f"Not shown: {rest}; the service validate_sdf lists them")

    def refuse(self, parameters: Iterable[str], findings: Sequence[Diagnostic]) -> None:
        """Log why new values of parameters are refused; the description in use is not at fault."""
        self._log.warning(f"Refused the new value of {', '.join(parameters)}: the description would have errors")
        self.log(findings)

    def add(self, subject: str, findings: Iterable[Diagnostic], verdicts: tuple[str, str] = ("valid", "invalid"),
            values: Iterable[tuple[str, str]] = ()) -> None:
        """Set the findings on a subject other than the description, and publish them at once if they have changed.

        A finding that was there before, with other numbers, is no change: the next message has the new ones.

        Parameters
        ----------
        subject : what it is, as it stands in the name of the status.
        verdicts : the good one and the bad one.
        values : further pairs of key and value.
        """
        new = _Subject(tuple(findings), verdicts, tuple(values))
        before = self._others.get(subject, _Subject())
        self._others[subject] = new
        known, found = ({_identify(finding): finding for finding in s.findings} for s in (before, new))
        for key, finding in found.items():
            if key not in known:
                self._write(finding)
        for key, finding in known.items():
            if key not in found:
                self._log.info(f"No longer present: {messages.describe(finding._replace(hint=None))}")
        if known.keys() != found.keys() or before.verdicts != verdicts:
            self._publish()

    def remove(self, subject: str) -> None:
        """Remove the findings on a subject other than the description."""
        self._others.pop(subject, None)

    def forget(self) -> None:
        """Forget the findings on the description."""
        self._findings, self._others, self._robot = None, {}, ""

    def _write(self, finding: Diagnostic) -> None:
        write = {"error": self._log.error, "warning": self._log.warning}.get(finding.severity, self._log.info)
        write(messages.describe(finding))

    def repeat(self) -> None:
        """Publish again, and look at the clock; diagnostic_aggregator calls a status stale after 5 s."""
        self._look_at_clock()
        if self._findings is not None or self._others:
            self._publish()

    def _look_at_clock(self) -> None:
        clock = self._node.get_clock()
        is_timeless = clock.ros_time_is_active and not clock.now().nanoseconds
        self._timeless = self._timeless + 1 if is_timeless else 0
        is_reported = "clock" in self._others
        found = [diagnose("clock-silent")] if is_timeless and (is_reported or self._timeless >= _PATIENCE) else []
        if self._refused_clock:
            found, self._refused_clock = [diagnose("clock-negative", seconds=self._refused_clock)], 0
        if found or is_reported:
            verdict = "silent" if is_timeless else "running"  # a silent clock is not an error
            self.add("clock", found, (verdict, verdict))

    def refuse_clock(self, seconds: int) -> None:
        """Report a time below zero on /clock at the next look."""
        self._refused_clock = seconds

    def _publish(self) -> None:
        subjects = self._others
        if self._findings is not None:
            description = _Subject(self._findings, values=tuple(self.describe_output()))
            subjects = {"robot_description": description, **subjects}
        message = DiagnosticArray(status=[
            messages.to_status(f"{self._name}: {name}", subject.findings, self._robot or self._name, subject.verdicts,
                               subject.values) for name, subject in subjects.items()])
        message.header.stamp = self._node.get_clock().now().to_msg()
        self._publisher.publish(message)
