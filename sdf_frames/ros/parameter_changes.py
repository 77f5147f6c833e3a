"""Parameters that change while the node runs: the description is read with the new values before they are accepted."""
from __future__ import annotations

from collections.abc import Awaitable, Callable

from rcl_interfaces.msg import SetParametersResult
from rclpy.parameter import Parameter

from sdf_frames.ros import jobs, messages
from sdf_frames.ros.descriptions import Descriptions
from sdf_frames.ros.jobs import HeldDescription
from sdf_frames.ros.parameters import have_right_types
from sdf_frames.ros.reporting import Reports
from sdf_frames.ros.services import State
from sdf_frames.ros.settings import Settings, apply_values
from sdf_frames.ros.untyped import Message


class ParameterChanges:
    """Accepts new values of parameters, unless they add errors to the description.

    Parameters
    ----------
    state, descriptions, reports : the parts of the node that follow its parameters.
    publish_later : has the executor run a coroutine function, for values that did not come by a service.
    """

    def __init__(self, state: State, descriptions: Descriptions, reports: Reports,
                 publish_later: Callable[[Callable[[], Awaitable[None]]], None]):
        self._state, self._descriptions, self._reports = state, descriptions, reports
        self._publish_later = publish_later
        self._prepared: tuple[Settings, dict[jobs.Text, HeldDescription]] | None = None
        # The reading to publish, and whether to report on it.
        self._due: tuple[HeldDescription, bool] | None = None

    async def respond(self, callback: Callable[[Message, Message], Message], one_by_one: bool,
                      request: Message, response: Message) -> Message:
        """Read the description with the values that a request brings; then rclpy's `callback` answers."""
        parts = [[p] for p in request.parameters] if one_by_one else [request.parameters]
        results = []
        for part in parts:
            async with self._descriptions.turn:
                new = [Parameter.from_parameter_msg(p) for p in part]
                self._prepared = await self._prepare(new) or (self._state.settings, {})
                answer = callback(type(request)(parameters=part), type(response)())
                self._prepared = None
                await self._publish_due()
            results.append(answer)
        if not one_by_one:
            return results[0]
        response.results = [result for answer in results for result in answer.results]
        return response

    def change(self, parameters: list[Parameter]) -> SetParametersResult:
        """Accept or refuse new parameter values; accepted values take effect in all topics at once."""
        refusal = self._apply(parameters)
        if self._due is not None and self._prepared is None:
            self._publish_later(self._publish_due)
        return SetParametersResult(successful=refusal is None, reason=refusal or "")

    def _plan(self, parameters: list[Parameter]) -> tuple[Settings, str | None, list[jobs.Text]]:
        """Settings with new values, or why they are refused, and the texts that have to be read with them."""
        state = self._state
        settings, refusal = apply_values(state.settings, parameters)
        if refusal or settings == state.settings:
            return settings, refusal, []
        text = settings.robot_description if self._is_new_text(settings) else state.received_text
        is_read = state.received is not None and text == state.received_text and state.received.complete
        if not text or is_read and settings.for_reading() == state.settings.for_reading():
            return settings, None, []
        # The one that is published, where the last one is in error, takes the new values, too.
        held = [state.current.text] if state.current is not None and state.current is not state.received else []
        return settings, None, list(dict.fromkeys([text, *held]))

    def _is_new_text(self, settings: Settings) -> bool:
        return settings.robot_description != self._state.settings.robot_description

    async def _prepare(self, parameters: list[Parameter]) -> tuple[Settings, dict[jobs.Text, HeldDescription]] | None:
        """Read what has to be read with new values: the settings, and the readings by text."""
        if not have_right_types(parameters):  # rclpy will refuse them
            return None
        settings, _, texts = self._plan(parameters)
        return settings.for_reading(), {text: await self._descriptions.read(text, settings) for text in texts}

    def _apply(self, parameters: list[Parameter]) -> str | None:
        """Take new values over, or return why not."""
        state = self._state
        settings, refusal, texts = self._plan(parameters)
        if refusal or settings == state.settings:
            return refusal
        is_new, before = self._is_new_text(settings), state.current if state.current is state.received else None
        prepared = self._prepared[1] if self._prepared and self._prepared[0] == settings.for_reading() else {}
        # Only a caller within this process comes unprepared; it waits.
        readings = [prepared[text] if text in prepared else self._descriptions.read_now(text, settings)
                    for text in texts]
        reading = readings[0] if readings else state.received
        if reading is not None and not _is_acceptable(reading, before, is_new):
            self._reports.refuse((parameter.name for parameter in parameters), reading.findings)
            first = next(finding for finding in reading.findings if finding.severity == "error")
            return f"the description would have errors: {messages.describe(first)}"
        state.settings = settings
        if is_new and settings.robot_description:
            self._descriptions.drop_waiting()  # the description from the topic that waits for its turn is older
        if reading is None:
            return None
        state.received = reading
        if reading.good:
            self._due = reading, True
        elif len(readings) > 1 and readings[1].good:
            # The last description was bad before; the good one that is still published follows the new values.
            self._due = readings[1], False
        return None

    async def _publish_due(self) -> None:
        """Publish the description as read with the changed parameters."""
        due, self._due = self._due, None
        if due is None:
            return
        reading, is_last = due
        await (self._descriptions.use if is_last else self._descriptions.publish)(reading)


def _is_acceptable(reading: HeldDescription, before: HeldDescription | None, is_new: bool) -> bool:
    """Whether a reading with new values is no worse than the one before, if that was good; a new text must be good."""
    if is_new:
        return reading.good
    return before is None or reading.good and (reading.convertible or not before.convertible)
