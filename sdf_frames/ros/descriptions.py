"""Reads each description in a worker process, publishes it if it is good, and reports on it.

When parameters change, the description is read with the new values before they are accepted.
"""
from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from rcl_interfaces.msg import SetParametersResult
from rclpy.parameter import Parameter

from sdf_frames.diagnostics import Diagnostic, count_of
from sdf_frames.document.expanded import plain_text
from sdf_frames.ros import jobs, messages
from sdf_frames.ros.frame_table import FrameTable
from sdf_frames.ros.guard import GuardedNode, refuse_values
from sdf_frames.ros.jobs import HeldDescription
from sdf_frames.ros.joint_motion import JointMotion
from sdf_frames.ros.messages import Message
from sdf_frames.ros.parameters import have_right_types
from sdf_frames.ros.pieces import build_all
from sdf_frames.ros.publishing import Publications
from sdf_frames.ros.services import State
from sdf_frames.ros.settings import Settings, apply_values
from sdf_frames.ros.tf_monitor import TfMonitor
from sdf_frames.ros.work import Turn, WorkFailed

T = TypeVar("T")


class Descriptions:
    """Takes descriptions and new values of parameters, one after the other.

    If the frames of a description cannot be resolved, only /diagnostics changes: the last good description stays
    published. If it resolves but cannot be converted, only its SDF is not published. New values of parameters are
    accepted unless they add errors to the description.

    `turn` is held while a description or a change of parameters is processed.
    """

    def __init__(self, node: GuardedNode, state: State, publications: Publications, motion: JointMotion,
                 monitor: TfMonitor):
        self._state, self._publications, self._motion, self._monitor = state, publications, motion, monitor
        self._reports, self._log, self._do_later = node.reports, node.log, node.do_later
        self.turn = Turn(state.work.finish)
        self._waiting: tuple[jobs.Text, str] | None = None
        # Readings with new values from a service; the reading to publish, and whether to report on it.
        self._prepared: dict[tuple[jobs.Text, Settings], HeldDescription] = {}
        self._due: tuple[HeldDescription, bool] | None = None
        self._life = 0  # the number of times that the node has forgotten its description

    def forget(self) -> None:
        """Forget all descriptions, also those that wait or that a process is reading."""
        self._life += 1
        self._waiting, self._due, self._prepared = None, None, {}
        self._state.current = self._state.received = self._state.table = None

    @property
    def is_idle(self) -> bool:
        """Whether no description has arrived yet."""
        return self._waiting is None and self._state.received is None

    async def take(self, text: jobs.Text, source: str) -> None:
        """Read a description, and publish it if it is good; skip it if a newer one arrives before its turn.

        Parameters
        ----------
        text : URDF or SDF.
        source : where it came from, for the log.
        """
        overtaken = self._waiting
        if overtaken is not None and text == plain_text(overtaken[0]):
            return
        self._waiting = text, source
        if overtaken is not None:
            # The waiting task takes this text in its turn.
            self._log.info("A newer robot_description arrived before the previous one was read; the previous one is "
                           "skipped")
            return
        async with self.turn:
            newest, self._waiting = self._waiting, None
            if newest is not None:
                await self._read_and_use(*newest)

    async def _read_and_use(self, text: jobs.Text, source: str) -> None:
        received = self._state.received
        # robot_state_publisher publishes what xacro makes of a file: the same text without places.
        if received is not None and text in (received.text, plain_text(received.text)) and received.complete:
            return
        self._log.info(f"Received robot_description by {source}: {count_of(len(plain_text(text)), 'character')}")
        life = self._life
        reading = await self.read(text, self._state.settings)
        if life == self._life:
            self._state.received = reading
            await self.use(reading)

    async def read(self, text: jobs.Text, settings: Settings) -> HeldDescription:
        """Read a description in the readers' process."""
        start = time.perf_counter()
        try:
            reading = await self._state.work.read(settings.time_limit, jobs.read_description, text,
                                                  settings.for_reading())
        except WorkFailed as failure:
            reading = HeldDescription(text, (self._note_failure(failure),), complete=False)
        self._log.info(f"Read {count_of(len(plain_text(text)), 'character')}, "
                       f"{reading.kind or 'no robot description'}, in {(time.perf_counter() - start) * 1e3:.0f} ms")
        return reading

    def _note_failure(self, failure: WorkFailed) -> Diagnostic:
        if failure.trace:
            self._log.error("Unexpected:", failure.trace)
        return failure.finding

    def take_now(self, text: jobs.Text) -> bool:
        """Take a description, blocking the node, and report on it; return whether it is good."""
        self._state.work.run_now(self._read_and_use(text, "parameter"))
        return self._state.received is not None and self._state.received.good

    async def use(self, reading: HeldDescription) -> None:
        """Publish a description if it is good, and report on it in any case."""
        findings = list(reading.findings)
        if reading.good:
            findings += await self.publish(reading)
        elif self._state.current is not None:
            self._log.warning("The description cannot be used; the last valid description stays.")
        if reading is self._state.received:  # not forgotten meanwhile
            self._reports.report(findings, (self._state.current or reading).robot)

    async def publish(self, reading: HeldDescription) -> list[Diagnostic]:
        """Make a good description the node's model, and publish it; return findings on publishing."""
        settings = self._state.settings
        if reading is not self._state.current:
            table, life = FrameTable(), self._life
            await build_all(table.add, reading.entries, self._state.work.pause)
            if life != self._life:
                return []
            self._state.current, self._state.table = reading, table
        if not self._publications.is_open:
            return []
        following = await self._motion.prepare(reading.moving, settings, reading.leaders)
        prepared = await self._publications.prepare(reading, self._monitor.look_ahead)
        if not self._is_shown(reading):  # closed or forgotten meanwhile
            return []
        found = self._publications.publish(reading, prepared)
        self._motion.follow(following, reading.moving, settings)
        self._monitor.follow()
        if reading is not self._publications.urdf_of:
            self._do_later(partial(self._publish_urdf, reading))
        if not settings.inertia_markers:
            self._publications.publish_markers((), None)
            self._reports.remove("inertia_markers")
        elif more := self._publications.prepare_markers():
            found += more
        else:
            self._do_later(partial(self._publish_markers, reading))
        return found

    async def _publish_urdf(self, reading: HeldDescription) -> None:
        """Publish the current model as URDF."""
        made: tuple[str | None, tuple[Diagnostic, ...]] | None = plain_text(reading.text), ()
        if reading.kind != "urdf" or "model://" in plain_text(reading.text):
            made = await self._work_on(reading, "robot_description_urdf", jobs.write_urdf,
                                       self._state.settings.for_reading())
        if made is not None and self._is_shown(reading):
            self._reports.add("robot_description_urdf", self._publications.publish_urdf(reading, *made))

    async def _publish_markers(self, reading: HeldDescription) -> None:
        """Publish the boxes of the current model's inertias."""
        links = await self._work_on(reading, "inertia_markers", jobs.find_inertias, self._state.settings.loading)
        if links is not None and self._is_shown(reading) and self._state.settings.inertia_markers:
            self._publications.publish_markers(links, self._state.table)
            self._reports.add("inertia_markers", [])

    async def _work_on(self, reading: HeldDescription, subject: str, function: Callable[..., T],
                       options: object) -> T | None:
        """Return the result of a job on a reading; if it fails, report the failure and return None."""
        try:
            return await self._state.work.answer(self._state.settings.time_limit, function, reading.text, options)
        except WorkFailed as failure:
            if self._is_shown(reading):
                self._reports.add(subject, [self._note_failure(failure)])
            return None

    def _is_shown(self, reading: HeldDescription) -> bool:
        return self._publications.is_open and self._state.current is reading

    async def answer_new_values(self, callback: Callable[[Message, Message], Message], one_by_one: bool,
                                request: Message, response: Message) -> Message:
        """Read the description with the new values of a request, then let rclpy's `callback` answer."""
        parts = [[p] for p in request.parameters] if one_by_one else [request.parameters]
        results = []
        for part in parts:
            async with self.turn:
                try:
                    new = [Parameter.from_parameter_msg(p) for p in part]
                except ValueError as problem:  # an unknown type
                    results.append(refuse_values(part, type(response)(), str(problem)))
                    continue
                if have_right_types(new):  # else rclpy refuses them
                    settings, _, texts = self._plan(new)
                    self._prepared = {(text, settings): await self.read(text, settings) for text in texts}
                results.append(callback(type(request)(parameters=part), type(response)()))
                self._prepared = {}
                await self._publish_due()
        if not one_by_one:
            return results[0]
        response.results = [result for answer in results for result in answer.results]
        return response

    def change(self, parameters: list[Parameter]) -> SetParametersResult:
        """Accept or refuse new parameter values; accepted values take effect in all topics at once."""
        refusal = self._apply(parameters)
        if self._due is not None:  # the new values are not from a service
            self._do_later(self._publish_due)
        return SetParametersResult(successful=refusal is None, reason=refusal or "")

    def _plan(self, parameters: list[Parameter]) -> tuple[Settings, str | None, list[jobs.Text]]:
        """Return settings with new values, why they are refused or None, and the texts to read with them."""
        state, new = self._state, self._find_new(parameters)
        settings, refusal = apply_values(state.settings, parameters)
        if refusal or settings == state.settings and not new:
            return settings, refusal, []
        text = new or state.received_text
        is_read = not new and state.received is not None and state.received.complete
        if not text or is_read and settings.for_reading() == state.settings.for_reading():
            return settings, None, []
        # If the last description has errors, the published one also takes the new values.
        held = [state.current.text] if state.current is not None and state.current is not state.received else []
        return settings, None, list(dict.fromkeys([text, *held]))

    def _find_new(self, parameters: list[Parameter]) -> str:
        """Return the description among new values; empty without one, and if it is the last one that arrived."""
        text: str = next((p.value for p in parameters if p.name == "robot_description"), "")
        return "" if text == plain_text(self._state.received_text) else text

    def _apply(self, parameters: list[Parameter]) -> str | None:
        """Apply new values; return why they are refused, or None."""
        state, new = self._state, self._find_new(parameters)
        settings, refusal, texts = self._plan(parameters)
        if refusal or settings == state.settings and not new:
            return refusal
        # Only a caller within this process has no prepared reading; it waits for one.
        readings = [self._prepared.get((text, settings)) or state.work.run_now(self.read(text, settings))
                    for text in texts]
        reading = readings[0] if readings else state.received
        before = state.current if state.current is state.received else None
        if reading is not None and not _is_acceptable(reading, before, bool(new)):
            self._reports.refuse((parameter.name for parameter in parameters), reading.findings)
            first = next(finding for finding in reading.findings if finding.severity == "error")
            return f"the description would have errors: {messages.describe(first)}"
        state.settings = settings
        if reading is None:
            return None
        state.received = reading
        if reading.good:
            self._due = reading, True
        elif len(readings) > 1 and readings[1].good:
            # The last description already had errors; the published one takes the new values.
            self._due = readings[1], False
        elif not readings and state.current is not None:
            self._due = state.current, False
        return None

    async def _publish_due(self) -> None:
        """Publish the description that was read with the changed parameters."""
        due, self._due = self._due, None
        if due is not None:
            reading, is_last = due
            await (self.use if is_last else self.publish)(reading)


def _is_acceptable(reading: HeldDescription, before: HeldDescription | None, is_new: bool) -> bool:
    """Return whether a new text is good; for the same text, whether new values make a good reading no worse."""
    if is_new:
        return reading.good
    return before is None or reading.good and (reading.convertible or not before.convertible)
