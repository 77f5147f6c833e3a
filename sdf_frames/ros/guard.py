"""The guard of a node: exceptions of callbacks are reported, and the node continues.

The executor runs everything in :meth:`GuardedNode.run_guarded`: callbacks of subscriptions, timers and guard
conditions, coroutines, and rclpy's own work, such as taking a message. Each service is also guarded by itself, so that
the caller gets an answer.
"""
from __future__ import annotations

import traceback
import warnings
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from inspect import isawaitable
from typing import Any

from rcl_interfaces.msg import SetParametersResult
from rcl_interfaces.srv import SetParameters, SetParametersAtomically
from rclpy.clock import Clock, ClockType
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.task import Future
from rosgraph_msgs.msg import Clock as ClockMessage

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.ros import messages, stopping
from sdf_frames.ros.distributions import heed_again
from sdf_frames.ros.log import Log
from sdf_frames.ros.messages import Message
from sdf_frames.ros.reporting import Reports
from sdf_frames.ros.work import WorkFailed
from sdf_frames.work import describe_fault

#: What :meth:`GuardedNode.call_each_second` takes for a second.
_SECOND = 1.0

#: Seconds between looks whether a service has answered.
_SOON = 0.1

#: Faults at more places than this are only counted.
_MOST_PLACES = 20

_FAILED = "the node failed; see its log"


class GuardedNode(Node):
    """A node with guarded callbacks, a log that is safe for a terminal, and its reports.

    The log has each fault once for each traceback; /diagnostics has the faults and their number.
    `beside` is another node of this process, if there is one.
    """

    def __init__(self, name: str, beside: GuardedNode | None = None, **options: Any):
        super().__init__(name, **options)
        self._each_second: list[Callable[[], object]] = [] if beside is None else beside._each_second
        if beside is None:
            self.create_steady_timer(_SECOND, self._pass_second)
        self.log = Log(self.get_logger())
        self.reports = Reports(self, self.log)
        self.call_each_second(self.reports.repeat)
        self._faults: dict[tuple[object, ...], Diagnostic] = {}
        self._count = 0  # of faults
        self._answering: Counter[str] = Counter()  # requests under way, by service
        self.mend_services()
        self._guard_services()

    def mend_services(self) -> None:
        """Change rclpy's own services before they are guarded."""

    def call_each_second(self, function: Callable[[], object]) -> None:
        """Call a function, or run a coroutine, once a second of real time.

        All nodes of a process share one timer, because the executor checks all their entities each time it wakes.
        """
        self._each_second.append(function)

    def _pass_second(self) -> None:
        for function in self._each_second:
            self.do_later(function)

    def do_later(self, function: Callable[[], object]) -> None:
        """Have the executor call a function, or run a coroutine."""
        if self.executor is not None:
            self.executor.create_task(function)

    def create_steady_timer(self, seconds: float, callback: Callable[[], Any]) -> Any:
        """Create a timer that ignores simulated time, which may run fast, stop or jump."""
        return self.create_timer(seconds, callback, clock=Clock(clock_type=ClockType.STEADY_TIME))

    async def sleep(self, seconds: float) -> None:
        """Wait for some seconds of real time; the executor runs other callbacks."""
        over: Future = Future()
        timer = self.create_steady_timer(seconds, lambda: over.set_result(None))
        try:
            await over
        finally:
            self.destroy_timer(timer)

    def run_guarded(self, function: Callable[[], object]) -> None:
        """Call a function, and report its exception, unless the exception is due to the shutdown of ROS."""
        try:
            function()
        except Exception as error:
            if not self.context.ok():
                raise
            self.report_fault(error)
            for node in self.executor.get_nodes() if self.executor is not None else []:
                heed_again(node)

    def report_fault(self, error: Exception) -> Diagnostic:
        """Report a fault of this program, and return the finding."""
        finding = diagnose("node-fault", problem=describe_fault(error))
        place = type(error), *[(frame.f_code, line) for frame, line in traceback.walk_tb(error.__traceback__)]
        self._count += 1
        if place not in self._faults and len(self._faults) < _MOST_PLACES:
            self._faults[place] = finding
            self.log.error("Unexpected:", "".join(traceback.format_exception(error)))
        try:
            self.reports.add("callbacks", self._faults.values(), ("good", "failed"), [("faults", str(self._count))])
        except Exception:  # a fault of the reporting itself
            if self._count < _MOST_PLACES:
                self.log.error("Unexpected:", traceback.format_exc())
        return finding

    def create_service(self, srv_type: Any, srv_name: str, callback: Callable[..., Any], **options: Any) -> Any:
        """Create a service that always answers."""
        service = super().create_service(srv_type, srv_name, callback, **options)
        self._guard_services()
        return service

    def retire_service(self, service: Any) -> None:
        """Destroy a service, once its requests are answered."""
        if self._answering[service.srv_name]:
            self.do_later(partial(self._retire_later, service))
        else:
            self.destroy_service(service)

    async def _retire_later(self, service: Any) -> None:
        await self.sleep(_SOON)
        self.retire_service(service)

    def _guard_services(self) -> None:
        """Guard the services without a guard: rclpy makes some without :meth:`create_service`."""
        for service in self.services:
            if getattr(service.callback, "func", None) != self._answer:
                service.callback = partial(self._answer, service.srv_name, service.callback)

    async def _answer(self, service: str, callback: Callable[[Message, Message], Any], request: Message,
                      response: Message) -> Message:
        """Let the callback of a service fill in a response; if it fails, return a response with the failure only."""
        self._answering[service] += 1
        try:
            filled = callback(request, response)
            filled = await filled if isawaitable(filled) else filled
            return response if filled is None else filled
        except WorkFailed as failure:
            finding = failure.finding
            self.log.error(f"{service} failed: {messages.describe(finding)}", failure.trace)
        except Exception as error:
            finding = self.report_fault(error)
        finally:
            self._answering[service] -= 1
        return _refuse(request, type(response)(), finding)

    def create_subscription(self, msg_type: Any, topic: str, callback: Callable[..., Any], *arguments: Any,
                            **options: Any) -> Any:
        """Create a subscription; rclpy's own for /clock gets no time below zero, which would raise an exception."""
        if msg_type is ClockMessage:
            callback = partial(self._take_clock, callback)
        return super().create_subscription(msg_type, topic, callback, *arguments, **options)

    def _take_clock(self, take: Callable[[Message], None], message: Message) -> None:
        if message.clock.sec >= 0:
            take(message)
        else:
            self.reports.refuse_clock(message.clock.sec)

    def add_on_set_parameters_callback(self, callback: Callable[..., Any]) -> None:
        """Let a callback judge new values of parameters; if it fails, they are refused."""
        super().add_on_set_parameters_callback(partial(self._judge, callback))

    def _judge(self, callback: Callable[..., Any], parameters: list[Any]) -> SetParametersResult:
        try:
            return callback(parameters)
        except Exception as error:
            self.report_fault(error)
            return SetParametersResult(reason=_FAILED)


def _refuse(request: Message, response: Message, finding: Diagnostic) -> Message:
    """Fill the fields of a response that can state why there is no answer."""
    text = _FAILED if finding.name == "node-fault" else messages.summarise([finding])
    if hasattr(response, "diagnostics"):
        response.diagnostics = [messages.to_diagnostic(finding)]
    for name in ("summary", "message"):
        if hasattr(response, name):
            setattr(response, name, text)
    return refuse_values(getattr(request, "parameters", ()), response, text)


def refuse_values(parameters: Sequence[Message], response: Message, reason: str) -> Message:
    """Refuse new values of parameters, if the response is one to them."""
    if isinstance(response, SetParameters.Response):
        response.results = [SetParametersResult(reason=reason) for _ in parameters]
    elif isinstance(response, SetParametersAtomically.Response):
        response.result.reason = reason
    return response


def spin(nodes: Sequence[GuardedNode], wake: Callable[[], object] | None = None,
         starts: Iterable[Callable[[], Awaitable[None]]] = ()) -> None:
    """Run nodes until a signal ends them.

    Parameters
    ----------
    wake : wakes the executor from another thread.
    starts : run first.
    """
    executor = SingleThreadedExecutor()
    for node in nodes:
        executor.add_node(node)
    for start in starts:
        executor.create_task(start)
    stopping.spin_until_signal(partial(nodes[0].run_guarded, executor.spin_once), wake or executor.wake)
    # What had not started yet is given up.
    warnings.filterwarnings("ignore", "coroutine .* was never awaited", RuntimeWarning)
    # Else Python takes it apart later, in any order, and rclpy complains of a part that is gone.
    executor.shutdown(0)
