"""The one guard of a node: what a callback raises is reported, and the node lives on.

Everything that the executor does passes :meth:`Guard.run`: callbacks of subscriptions, timers and guard conditions,
coroutines, and what rclpy does itself, such as taking a message. Services also pass :meth:`Guard.answer`, so that the
caller gets an answer.
"""
from __future__ import annotations

import traceback
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from inspect import isawaitable
from typing import Any

from rcl_interfaces.msg import SetParametersResult
from rcl_interfaces.srv import SetParameters, SetParametersAtomically
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rosgraph_msgs.msg import Clock

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.ros import messages, stopping
from sdf_frames.ros.distributions import heed_again
from sdf_frames.ros.log import Log
from sdf_frames.ros.reporting import Reports
from sdf_frames.ros.timers import create_steady_timer
from sdf_frames.ros.untyped import Message
from sdf_frames.ros.work import WorkFailed
from sdf_frames.work import describe_fault

#: What :meth:`GuardedNode.call_each_second` takes for a second.
_SECOND = 1.0

#: Faults at more places than this are only counted.
_MOST_PLACES = 20


class Guard:
    """Reports faults: in the log once for each way to a place in the sources, on /diagnostics with their number."""

    def __init__(self, node: Node, log: Log, reports: Reports):
        self._node, self._log, self._reports = node, log, reports
        self._found: dict[tuple[object, ...], Diagnostic] = {}
        self._count = 0

    def run(self, function: Callable[[], object]) -> None:
        """Call a function; report what it raises, unless the end of ROS is the cause."""
        try:
            function()
        except Exception as error:
            if not self._node.context.ok():
                raise
            self.report(error)
            for node in self._node.executor.get_nodes() if self._node.executor is not None else []:
                heed_again(node)

    async def answer(self, service: str, callback: Callable[[Message, Message], Any], request: Message,
                     response: Message) -> Message:
        """Have a service's callback fill in a response; where it fails, the response says so and nothing else.

        Parameters
        ----------
        service : its name, for the log.
        callback : called with request and response; its result, if it has one, is the response.
        """
        try:
            filled = callback(request, response)
            filled = await filled if isawaitable(filled) else filled
            return response if filled is None else filled
        except WorkFailed as failure:
            finding, trace = failure.failed.finding, failure.failed.trace
            self._log.error(f"{service} failed:\n{trace}" if trace else f"{service}: {messages.describe(finding)}")
        except Exception as error:
            finding = self.report(error)
        return _refuse(request, type(response)(), finding)

    def report(self, error: Exception) -> Diagnostic:
        """Report a fault of ours, and return what was found."""
        finding = diagnose("node-fault", problem=describe_fault(error))
        place = type(error), *[(frame.f_code, line) for frame, line in traceback.walk_tb(error.__traceback__)]
        self._count += 1
        if place not in self._found and len(self._found) < _MOST_PLACES:
            self._found[place] = finding
            self._log.error("Unexpected:\n" + "".join(traceback.format_exception(error)))
        try:
            self._reports.add("callbacks", self._found.values(), ("good", "failed"), [("faults", str(self._count))])
        except Exception:  # the reporting itself is at fault
            if self._count < _MOST_PLACES:
                self._log.error(f"Unexpected:\n{traceback.format_exc()}")
        return finding


def _refuse(request: Message, response: Message, finding: Diagnostic) -> Message:
    """Say in a response why there is no answer, as far as it has a place for that."""
    is_ours = finding.name == "node-fault"
    text = "the node failed; see its log" if is_ours else messages.summarise([finding])
    if hasattr(response, "diagnostics"):
        response.diagnostics = [messages.to_diagnostic(finding)]
    for name in ("summary", "message"):
        if hasattr(response, name):
            setattr(response, name, text)
    if isinstance(response, SetParameters.Response):
        response.results = [SetParametersResult(reason=text) for _ in request.parameters]
    elif isinstance(response, SetParametersAtomically.Response):
        response.result.reason = text
    return response


class GuardedNode(Node):
    """A node whose callbacks all pass its :class:`Guard`; with a log that is safe for a terminal, and its reports.

    `beside` is another node of this process, if there is one.
    """

    def __init__(self, name: str, beside: GuardedNode | None = None, **options: Any):
        super().__init__(name, **options)
        self._each_second: list[Callable[[], object]] = [] if beside is None else beside._each_second
        if beside is None:
            create_steady_timer(self, _SECOND, self._pass_second)
        self.log = Log(self.get_logger())
        self.reports = Reports(self, self.log)
        self.call_each_second(self.reports.repeat)
        self.guard = Guard(self, self.log, self.reports)
        self.mend_services()
        self._guard_services()

    def mend_services(self) -> None:
        """Change what rclpy's own services do, before they are guarded."""

    def call_each_second(self, function: Callable[[], object]) -> None:
        """Have a function called, or a coroutine run, once a second of real time.

        All nodes of a process do that at once: whatever wakes the executor, it looks at everything that they have.
        """
        self._each_second.append(function)

    def _pass_second(self) -> None:
        for function in self._each_second if self.executor is not None else ():
            self.executor.create_task(function)

    def create_service(self, srv_type: Any, srv_name: str, callback: Callable[..., Any], **options: Any) -> Any:
        """Create a service that answers whatever happens."""
        service = super().create_service(srv_type, srv_name, callback, **options)
        self._guard_services()
        return service

    def _guard_services(self) -> None:
        """Guard the services that are not yet: rclpy makes some without :meth:`create_service`."""
        for service in self.services:
            if getattr(service.callback, "func", None) != self._answer:
                service.callback = partial(self._answer, service.srv_name, service.callback)

    async def _answer(self, *arguments: Any) -> Message:
        # The first services are made before there is a guard.
        return await self.guard.answer(*arguments)

    def create_subscription(self, msg_type: Any, topic: str, callback: Callable[..., Any], *arguments: Any,
                            **options: Any) -> Any:
        """Create a subscription; that of rclpy to /clock is given no time below zero, which no clock can be set to."""
        if msg_type is Clock:
            callback = partial(self._take_clock, callback)
        return super().create_subscription(msg_type, topic, callback, *arguments, **options)

    def _take_clock(self, take: Callable[[Message], None], message: Message) -> None:
        if message.clock.sec >= 0:
            take(message)
        else:
            self.reports.refuse_clock(message.clock.sec)

    def add_on_set_parameters_callback(self, callback: Callable[..., Any]) -> None:
        """Have a callback judge new values of parameters; where it fails, they are refused."""
        super().add_on_set_parameters_callback(partial(self._judge, callback))

    def _judge(self, callback: Callable[..., Any], parameters: list[Any]) -> SetParametersResult:
        try:
            return callback(parameters)
        except Exception as error:
            self.guard.report(error)
            return SetParametersResult(reason="the node failed; see its log")


def spin(nodes: Sequence[GuardedNode], wake: Callable[[], None] | None = None,
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
    stopping.spin_until_signal(partial(nodes[0].guard.run, executor.spin_once), wake or executor.wake)
    # Else Python takes it apart later, in any order, and rclpy complains of a part that is gone.
    executor.shutdown(0)
