"""Reads each description in a worker process, publishes it if it is good, and reports on it."""
from __future__ import annotations

import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from rclpy.task import Future

from sdf_frames.diagnostics import Diagnostic, count_of
from sdf_frames.document.expanded import plain_text
from sdf_frames.inertia.result import LinkInertia
from sdf_frames.ros import jobs
from sdf_frames.ros.frame_table import FrameTable
from sdf_frames.ros.jobs import HeldDescription
from sdf_frames.ros.joint_motion import JointMotion
from sdf_frames.ros.log import Log
from sdf_frames.ros.pieces import Pieces, build_all
from sdf_frames.ros.publishing import Publications
from sdf_frames.ros.reporting import Reports
from sdf_frames.ros.services import State
from sdf_frames.ros.settings import Settings
from sdf_frames.ros.tf_monitor import TfMonitor
from sdf_frames.work import Failed


class Turn:
    """A lock for ``async with`` that is granted in order.

    ``finish(future, result)`` sets a future's result and wakes the executor.
    """

    def __init__(self, finish: Callable[[Future, object], None]):
        self._finish = finish
        self._taken = False
        self._waiting: deque[Future] = deque()

    async def __aenter__(self) -> None:
        if self._taken:
            future = Future()
            self._waiting.append(future)
            await future
        self._taken = True

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is GeneratorExit:  # the executor is gone, and takes nobody's turn any more
            return
        if self._waiting:  # it stays taken
            self._finish(self._waiting.popleft(), None)
        else:
            self._taken = False


T = TypeVar("T")


class Descriptions:
    """Takes descriptions in, one after the other.

    A description whose frames do not resolve changes nothing but /diagnostics: the last good one stays published. Of
    one that resolves and cannot be converted, only the SDF is withheld.

    `turn` is held while a description or a change of parameters is processed.

    `do_later` has the executor run a coroutine function.
    """

    def __init__(self, state: State, publications: Publications, motion: JointMotion, monitor: TfMonitor,
                 reports: Reports, log: Log, do_later: Callable[[Callable[[], Awaitable[None]]], None]):
        self._state, self._publications, self._motion, self._monitor = state, publications, motion, monitor
        self._reports, self._log, self._do_later = reports, log, do_later
        self.turn = Turn(state.work.finish)
        self._waiting: tuple[jobs.Text, str] | None = None

    @property
    def is_idle(self) -> bool:
        """Whether no description has come yet."""
        return self._waiting is None and self._state.received is None

    def drop_waiting(self) -> None:
        """Leave out the description that waits for its turn: a newer one came another way."""
        self._waiting = None

    async def take(self, text: jobs.Text, source: str) -> None:
        """Read a description and, if it is good, publish it; where a newer one comes before its turn, leave it.

        Parameters
        ----------
        text : URDF or SDF.
        source : where it came from, for the log.
        """
        overtaken, self._waiting = self._waiting, (text, source)
        if overtaken is not None:
            # The task that already waits takes this text in its turn.
            self._log.info("A newer robot_description arrived before the previous one was read; the previous one is "
                           "skipped")
            return
        async with self.turn:
            newest, self._waiting = self._waiting, None
            if newest is not None:
                await self._read_and_use(*newest)

    async def _read_and_use(self, text: jobs.Text, source: str) -> None:
        received = self._state.received
        if text == self._state.received_text and (received is None or received.complete):
            return
        self._log.info(f"Received robot_description by {source}: {count_of(len(plain_text(text)), 'character')}")
        reading = await self.read(text, self._state.settings)
        self._state.received = reading
        await self.use(reading)

    async def read(self, text: jobs.Text, settings: Settings) -> HeldDescription:
        """Read a description in the readers' process."""
        start = time.perf_counter()
        reading = self._take_answer(text, await self._state.work.read(
            settings.time_limit, jobs.read_description, text, settings.for_reading()))
        self._log.info(f"Read {count_of(len(plain_text(text)), 'character')}, "
                       f"{reading.kind or 'no robot description'}, in {(time.perf_counter() - start) * 1e3:.0f} ms")
        return reading

    def read_now(self, text: jobs.Text, settings: Settings) -> HeldDescription:
        """Read a description, blocking the node."""
        return self._take_answer(text, self._state.work.read_now(
            settings.time_limit, jobs.read_description, text, settings.for_reading()))

    def take_now(self, text: jobs.Text) -> bool:
        """Take a description, blocking the node, and report on it; return whether it is good."""
        reading = self.read_now(text, self._state.settings)
        self._state.received = reading
        if reading.good:
            self._state.current, self._state.table = reading, FrameTable(reading.entries)
        self._reports.report(reading.findings, (self._state.current or reading).robot)
        return reading.good

    def _take_answer(self, text: jobs.Text, answer: HeldDescription | Failed) -> HeldDescription:
        """Return the reading, or one with the error if the worker failed."""
        if isinstance(answer, Failed):
            if answer.trace:
                self._log.error(f"Unexpected: {answer.trace}")
            return HeldDescription(text, (answer.finding,), complete=False)
        return answer

    async def use(self, reading: HeldDescription) -> None:
        """Publish the last description if it is good; report on it in any case."""
        findings = list(reading.findings)
        if reading.good:
            findings += await self.publish(reading)
        elif self._state.current is not None:
            self._log.warning("The description cannot be used; the last valid description stays.")
        self._reports.report(findings, (self._state.current or reading).robot)

    async def publish(self, reading: HeldDescription) -> list[Diagnostic]:
        """Make a good description the node's model, and publish it; return the findings of that."""
        if reading is not self._state.current:
            table = FrameTable()
            await build_all(table.add, reading.entries, self._state.work.pause)
            self._state.current, self._state.table = reading, table
        if not self._publications.is_open:
            return []
        found = await self._publications.publish(reading, self._monitor.look_ahead)
        await self._motion.follow(reading.moving, self._state.settings)
        self._monitor.follow()
        self._update_urdf()
        return [*found, *self._update_markers()]

    def _update_urdf(self) -> None:
        """Have the current model published as URDF."""
        reading, settings = self._state.current, self._state.settings
        if reading is None:
            return

        def publish(urdf_and_findings: tuple[str | None, Sequence[Diagnostic]]) -> None:
            if self._publications.is_open:
                self._reports.add("robot_description_urdf", self._publications.publish_urdf(*urdf_and_findings))
        if reading.kind == "urdf" and "model://" not in plain_text(reading.text):
            publish((plain_text(reading.text), ()))
        else:
            self._work_later("robot_description_urdf", reading, publish, jobs.write_urdf, reading.text,
                             settings.for_reading())

    def _work_later(self, subject: str, reading: HeldDescription, use: Callable[[T], None], function: Callable[..., T],
                    *arguments: object) -> None:
        """Run a job in the background, and use its result if `reading` is still current.

        If the job fails, its error is reported under `subject`.
        """
        async def wait() -> None:
            answer: T | Failed = await future
            if self._state.current is not reading:
                return
            if not isinstance(answer, Failed):
                use(answer)
                return
            self._reports.add(subject, [answer.finding])
            if answer.trace:
                self._log.error(f"Unexpected: {answer.trace}")
        future = self._state.work.answer(self._state.settings.time_limit, function, *arguments)
        self._do_later(wait)

    def _update_markers(self) -> list[Diagnostic]:
        """Publish the boxes of the current model's inertias if they are wanted, else remove them."""
        reading, table, settings = self._state.current, self._state.table, self._state.settings
        if not settings.inertia_markers or reading is None:
            self._publications.publish_markers((), None)
            self._reports.remove("inertia_markers")
            return []
        if found := self._publications.prepare_markers():
            return found

        def publish(links: Pieces[LinkInertia]) -> None:
            if self._publications.is_open and self._state.settings.inertia_markers:
                self._publications.publish_markers(links, table)
                self._reports.add("inertia_markers", [])
        self._work_later("inertia_markers", reading, publish, jobs.find_inertias, reading.text, settings.loading)
        return []
