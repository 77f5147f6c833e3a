"""The node `sdf_frames`: robot_description in; SDF, static TF, findings and services out.

All callbacks run in one thread. Those whose work can be long are coroutines: a worker process does the work, and other
callbacks run until the result is there.
"""
from __future__ import annotations

import time
import traceback
from collections import deque
from collections.abc import Callable

import rclpy
from rcl_interfaces.msg import SetParametersResult
from rcl_interfaces.srv import SetParameters, SetParametersAtomically
from rclpy.callback_groups import CallbackGroup, ReentrantCallbackGroup
from rclpy.exceptions import ParameterException
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import QoSProfile
from rclpy.signals import SignalHandlerOptions
from rclpy.task import Future
from std_msgs.msg import String

from sdf_frames import srv
from sdf_frames.diagnostics import diagnose
from sdf_frames.ros import jobs, messages, services, stopping
from sdf_frames.ros.jobs import Reading
from sdf_frames.ros.parameters import apply_values, declare_parameters, have_right_types
from sdf_frames.ros.publishing import LATCHED, Publications
from sdf_frames.ros.settings import Settings
from sdf_frames.ros.tf_listening import find_publishers, listen
from sdf_frames.ros.turns import Turn
from sdf_frames.ros.worker import Failed, describe_fault
from sdf_frames.ros.workers import Workers

#: Requests that may come at once; ROS drops those beyond, which would never be answered.
_REQUESTS = QoSProfile(depth=100)

#: Requests that are worked on at the same time.
_MOST_WORKERS = 2


class SdfFramesNode(Node):
    """Converts every description it receives, and publishes what came out.

    A description whose frames do not resolve changes nothing but /diagnostics: the last good one stays published. Of one that
    resolves and cannot be converted, only the SDF is withheld.
    """

    def __init__(self):
        # In one thread, a group keeps coroutines apart at most; those that need it wait for their turn.
        self._group = ReentrantCallbackGroup()
        self._turn = Turn(self._finish)
        self._waiting: tuple[str, str] | None = None
        self._prepared: tuple | None = None
        self._answers: deque = deque()
        super().__init__("sdf_frames")
        self.state = services.State(declare_parameters(self), self._work_on_request)
        self._answered = self.create_guard_condition(self._deliver)
        # Descriptions have a process of their own: no request holds them up.
        self._readers, self._workers = Workers(1), Workers(_MOST_WORKERS)
        self.publications = Publications(self)
        self.state.topic = self.resolve_topic_name("robot_description")
        self.create_subscription(String, "robot_description", self._hear_description, LATCHED)
        self.add_on_set_parameters_callback(self._change_parameters)
        for service_type, handler in ((srv.ValidateSdf, services.validate_sdf), (srv.ComputeInertia, services.compute_inertia),
                                      (srv.ConvertUrdf, services.convert_urdf), (srv.ResolveFrame, services.resolve_frame),
                                      (srv.GetFrames, services.get_frames)):
            self.create_service(service_type, handler.__name__, self._answer_with(handler), qos_profile=_REQUESTS)
        self.create_service(srv.CheckTf, "check_tf", self._check_tf, qos_profile=_REQUESTS)

    @property
    def default_callback_group(self) -> CallbackGroup:
        """The group of everything, the parameter services included."""
        return self._group

    def create_service(self, srv_type, srv_name, callback, **options):
        """Create a service; those that set parameters first have the description read with the new values."""
        if srv_type in (SetParameters, SetParametersAtomically):
            callback = self._set_parameters_with(callback, one_by_one=srv_type is SetParameters)
        return super().create_service(srv_type, srv_name, callback, **options)

    def close(self) -> None:
        """End the worker processes."""
        self._readers.close()
        self._workers.close()

    def destroy_node(self) -> None:
        """End the worker processes, too."""
        self.close()
        super().destroy_node()

    async def start(self) -> None:
        """Take the description that a parameter gave at start."""
        if self.state.settings.robot_description:
            await self.take_description(self.state.settings.robot_description, "parameter")
        elif self._waiting is None and self.state.received is None:
            self.get_logger().info(f"Waiting for a description on {self.state.topic}")

    # Work in other processes

    def wake(self) -> None:
        """Have the executor look at what has changed; from any thread."""
        self._answered.trigger()

    def _finish(self, future: Future, result: object) -> None:
        """Set a future's result, and have the executor look at who waits for it."""
        future.set_result(result)
        self.wake()

    def _work(self, workers: Workers, limit: float, function: Callable, *arguments) -> Future:
        """A future of what a function of :mod:`sdf_frames.ros.jobs` returns in another process, or of a Failed."""
        future = Future()

        def take(answer: object) -> None:  # in another thread
            self._answers.append((future, answer))
            self.wake()
        workers.submit(take, limit, function, *arguments)
        return future

    def _deliver(self) -> None:
        """Hand answers to those who wait for them."""
        while self._answers:
            future, answer = self._answers.popleft()
            future.set_result(answer)

    async def _work_on_request(self, function: Callable, *arguments):
        answer = await self._work(self._workers, self.state.settings.time_limit, function, *arguments)
        if isinstance(answer, Failed):
            raise services.WorkFailed(answer)
        return answer

    def _take_reading(self, text: str, answer: object) -> Reading:
        """A reading also where the work failed."""
        if isinstance(answer, Failed):
            if answer.trace:
                self.get_logger().error(f"Unexpected: {answer.trace}")
            return Reading(text, (answer.finding,), complete=False)
        return answer

    async def _read(self, text: str, settings: Settings) -> Reading:
        """Read a description beside everything else."""
        start = time.perf_counter()
        reading = self._take_reading(text, await self._work(
            self._readers, settings.time_limit, jobs.read_description, text, settings.for_reading()))
        self.get_logger().info(f"Read {len(text)} characters, {reading.kind or 'no robot description'}, "
                               f"in {(time.perf_counter() - start) * 1e3:.0f} ms")
        return reading

    # Services

    def _answer_with(self, handler: Callable) -> Callable:
        async def respond(request, response):
            return await services.answer(handler, self.state, request, response, self.get_logger().error)
        return respond

    async def _check_tf(self, request, response):
        """Listen to TF, then answer."""
        heard = await listen(self, request.duration)
        return await services.answer(services.check_tf, self.state, request, response, self.get_logger().error, heard,
                                     find_publishers(self))

    # Descriptions

    async def _hear_description(self, message: String) -> None:
        await self.take_description(message.data, "topic")

    async def take_description(self, text: str, source: str) -> None:
        """Read a description and, if it is good, publish it; where a newer one comes before its turn, leave it.

        Parameters
        ----------
        text
            URDF or SDF.
        source
            Where it came from, for the log.
        """
        overtaken, self._waiting = self._waiting, (text, source)
        if overtaken is not None:
            # The one that waits already takes this text when its turn comes.
            self.get_logger().info("A newer robot_description came before the last one was read; that one is left out")
            return
        async with self._turn:
            newest, self._waiting = self._waiting, None
            if newest is not None:
                await self._guard(self._read_and_use, *newest)

    async def _read_and_use(self, text: str, source: str) -> None:
        received = self.state.received
        if text == self.state.received_text and (received is None or received.complete):
            return
        self.get_logger().info(f"Received robot_description by {source}: {len(text)} characters")
        reading = await self._read(text, self.state.settings)
        self.state.received = reading
        self._use(reading)

    def _use(self, reading: Reading) -> None:
        """Publish a description if it is good; report on it in any case."""
        findings = list(reading.findings)
        if reading.good:
            self.state.current = reading
            findings += self.publications.publish(reading)
            findings += self._update_markers()
        elif self.state.current is not None:
            self.get_logger().warning("The frames of the description do not resolve; the last good one stays.")
        self.publications.report(findings, reading.robot)

    def _update_markers(self) -> list:
        """Have the inertias' boxes of the current model published where they are wanted, and taken back where not."""
        reading, settings = self.state.current, self.state.settings
        if not settings.inertia_markers or reading is None:
            self.publications.publish_markers((), None)
            return []
        if found := self.publications.prepare_markers():
            return found

        def publish(future: Future) -> None:
            answer = future.result()
            if isinstance(answer, Failed):
                self.get_logger().error(f"inertia_markers: {messages.describe(answer.finding)}\n{answer.trace}")
            elif self.state.current is reading and self.state.settings.inertia_markers:
                self.publications.publish_markers(answer, reading)
        self._work(self._workers, settings.time_limit, jobs.find_inertias, reading.text,
                   settings.load_options()).add_done_callback(publish)
        return []

    # Parameters

    def _set_parameters_with(self, callback: Callable, one_by_one: bool) -> Callable:
        """The callback of a parameter service, after the description was read with the values that it brings."""
        async def respond(request, response):
            parts = [[p] for p in request.parameters] if one_by_one else [request.parameters]
            results = []
            for part in parts:
                async with self._turn:
                    self._prepared = await self._guard(self._prepare, [Parameter.from_parameter_msg(p) for p in part])
                    answer = callback(type(request)(parameters=part), type(response)())
                    self._prepared = None
                results.append(answer)
            if not one_by_one:
                return results[0]
            response.results = [result for answer in results for result in answer.results]
            return response
        return respond

    def _plan(self, parameters: list) -> tuple[Settings, str | None, list[str]]:
        """Settings with new values, or why they are refused, and the texts that have to be read with them."""
        state = self.state
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
        return settings.robot_description != self.state.settings.robot_description

    async def _prepare(self, parameters: list) -> tuple | None:
        """Read what has to be read with new values: the settings, and the readings by text."""
        if not have_right_types(parameters):  # rclpy will refuse them
            return None
        settings, _, texts = self._plan(parameters)
        return settings.for_reading(), {text: await self._read(text, settings) for text in texts}

    def _change_parameters(self, parameters: list) -> SetParametersResult:
        """Accept or refuse new parameter values; what is accepted shows at once in all that is published."""
        try:
            refusal = self._apply_parameters(parameters)
        except Exception as error:
            self._report_fault(error)
            refusal = "the node failed; see its log"
        return SetParametersResult(successful=refusal is None, reason=refusal or "")

    def _apply_parameters(self, parameters: list) -> str | None:
        """Take new values over, or return why not."""
        state = self.state
        settings, refusal, texts = self._plan(parameters)
        if refusal or settings == state.settings:
            return refusal
        is_new, was_good = self._is_new_text(settings), state.received is state.current and state.current is not None
        prepared = self._prepared[1] if self._prepared and self._prepared[0] == settings.for_reading() else {}
        # Only a caller within this process comes unprepared; it waits.
        readings = [prepared[text] if text in prepared else self._read_now(text, settings) for text in texts]
        reading = readings[0] if readings else state.received
        if reading is not None and not self._is_acceptable(reading, is_new, was_good):
            self.publications.report(reading.findings, reading.robot)
            first = next(finding for finding in reading.findings if finding.severity == "error")
            return f"the description would be in error: {messages.describe(first)}"
        state.settings = settings
        if is_new and settings.robot_description:
            self._waiting = None  # what came before by the topic, and waits for its turn, is older
        if reading is None:
            return None
        state.received = reading
        if reading.good:
            self._use(reading)
        elif len(readings) > 1 and readings[1].good:
            # The last description was bad before; the good one that is still published follows the new values.
            state.current = readings[1]
            self.publications.publish(state.current)
            self._update_markers()
        return None

    def _is_acceptable(self, reading: Reading, is_new: bool, was_good: bool) -> bool:
        """Whether a reading with new values is no worse than the one before: what resolves stays so, what is convertible too."""
        if is_new or not was_good:
            return reading.good or not is_new
        return reading.good and (reading.convertible or not self.state.current.convertible)

    def _read_now(self, text: str, settings: Settings) -> Reading:
        return self._take_reading(text, self._readers.wait(settings.time_limit, jobs.read_description, text, settings.for_reading()))

    # Faults

    async def _guard(self, work: Callable, *arguments):
        """Do the work of a callback; a fault is reported, and the node lives on."""
        try:
            return await work(*arguments)
        except Exception as error:
            self._report_fault(error)

    def _report_fault(self, error: Exception) -> None:
        self.get_logger().error(f"Unexpected: {traceback.format_exc()}")
        self.publications.report([diagnose("node-fault", problem=describe_fault(error))])


def main(args: list[str] | None = None) -> int:
    """Run the node until a signal ends it.

    Parameters
    ----------
    args
        Command line with ROS arguments; by default that of the process.

    Returns
    -------
    int
        0 after a signal; 1 where a parameter given at start is refused.
    """
    rclpy.init(args=args, signal_handler_options=SignalHandlerOptions.NO)
    stopping.note_signals()
    try:
        node = SdfFramesNode()
    except (ValueError, ParameterException) as refusal:
        rclpy.logging.get_logger("sdf_frames").fatal(str(refusal))
        return 1
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    executor.create_task(node.start)
    stopping.wake_on_signals(node.wake)
    while not stopping.is_stopped():
        executor.spin_once()
    stopping.ignore_signals()
    node.close()
    rclpy.try_shutdown()
    return 0
