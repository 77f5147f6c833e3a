"""The work of the node, plain or with a lifecycle."""
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from rclpy.qos import QoSProfile
from std_msgs.msg import String
from std_srvs.srv import Trigger

import sdf_frames.srv as srv
from sdf_frames.diagnostics import diagnose
from sdf_frames.frames.tf_observed import Observed
from sdf_frames.ros import messages, services
from sdf_frames.ros.description_source import DescriptionSource
from sdf_frames.ros.descriptions import Descriptions
from sdf_frames.ros.guard import GuardedNode
from sdf_frames.ros.joint_motion import JointMotion
from sdf_frames.ros.parameter_changes import ParameterChanges
from sdf_frames.ros.parameters import declare_parameters, warn_of_unknown
from sdf_frames.ros.publishing import LATCHED, Publications
from sdf_frames.ros.tf_listening import find_publishers, listen
from sdf_frames.ros.tf_monitor import TfMonitor
from sdf_frames.ros.untyped import Message
from sdf_frames.ros.work import Work

#: Requests that may wait; ROS would drop further ones without an answer.
_REQUESTS = QoSProfile(depth=100)


class Converter:
    """Converts and publishes every description that arrives, and answers requests.

    `shared` is the work of another robot in this process, if there is one.

    Raises
    ------
    ValueError, rclpy.exceptions.ParameterException
        A parameter given at start is refused.
    """

    def __init__(self, node: GuardedNode, shared: Work | None = None):
        settings = declare_parameters(node)
        warn_of_unknown(node)
        self._node, self.log, self.work = node, node.log, Work(node, shared)
        self.state = services.State(settings, self.work, topic=node.resolve_topic_name("robot_description"))
        self.publications = Publications(node, self.log, self.work.pause)
        self.reports = node.reports
        self.reports.describe_output = self._describe_output
        report = partial(self.reports.add, "joint_states", verdicts=("followed", "not followed"))
        self.motion = JointMotion(node, report, self._is_frame, self.work.pause)
        self.monitor = TfMonitor(node, self.state, self.reports, self.log.error)
        self.descriptions = Descriptions(self.state, self.publications, self.motion, self.monitor, self.reports,
                                         self.log, self._do_later)
        self.changes = ParameterChanges(self.state, self.descriptions, self.reports, self._do_later)
        node.add_on_set_parameters_callback(self.changes.change)
        self.source = DescriptionSource(node, self.work, settings, partial(self.descriptions.take, source="file"),
                                        self._report_file)
        self._subscription: Any = None
        self._services: list[Any] = []

    def configure(self) -> None:
        """Start to receive descriptions and to answer requests."""
        node = self._node
        self._subscription = node.create_subscription(String, "robot_description", self._hear_description, LATCHED)
        callbacks: list[tuple[Any, ...]] = [
            (kind, handler.__name__, partial(handler, self.state)) for kind, handler in services.SERVICES]
        callbacks += [(Trigger, "~/reload", self._reload), (srv.CheckTf, "check_tf", self._check_tf)]
        self._services = [node.create_service(*row, qos_profile=_REQUESTS) for row in callbacks]
        self.source.watch()
        if self.state.settings.watch and not self.state.settings.model_file:
            self.log.warning("watch is set without model_file: there is no file to watch")

    def activate(self) -> None:
        """Publish the current description and all later ones."""
        self.publications.open()
        self.monitor.follow()
        if self.state.current is not None:
            self._do_later(self._publish_current)

    def deactivate(self) -> None:
        """Publish nothing more."""
        self.monitor.stop()
        self.motion.stop()
        self.publications.close()

    def close(self) -> None:
        """End the thread and the processes."""
        self.motion.stop()
        self.work.close()

    def clean_up(self) -> None:
        """Forget the description, and stop receiving and answering."""
        if self._subscription is not None:
            self._node.destroy_subscription(self._subscription)
        for service in self._services:
            self._node.destroy_service(service)
        self._subscription, self._services = None, []
        self.source.stop()
        self.reports.forget()
        self.state.current = self.state.received = self.state.table = None

    def read_now(self) -> bool:
        """Read the description that the parameters give, at once; whether it is good, or none is given."""
        settings = self.state.settings
        text = settings.robot_description
        if settings.model_file:
            text, problem = self.source.read_now()
            if problem:
                self.log.error(problem)
                return False
        return not text or self.descriptions.take_now(text)

    async def _publish_current(self) -> None:
        async with self.descriptions.turn:
            if self.state.current is not None:
                await self.descriptions.publish(self.state.current)

    async def start(self) -> None:
        """Take the description that a parameter gave at start."""
        settings = self.state.settings
        if settings.model_file:
            await self.source.reload()
        elif settings.robot_description:
            await self.descriptions.take(settings.robot_description, "parameter")
        elif self.descriptions.is_idle:
            self.log.info(f"Waiting for a description on {self.state.topic}; model_file, the launch argument model, is "
                          "empty")

    def _describe_output(self) -> list[tuple[str, str]]:
        return [*self.publications.describe(), *self.motion.describe()]

    def _do_later(self, function: Callable[[], object]) -> None:
        if self._node.executor is not None:
            self._node.executor.create_task(function)

    async def _hear_description(self, message: String) -> None:
        await self.descriptions.take(message.data, "topic")

    def _report_file(self, problem: str) -> None:
        found = [diagnose("model-file-unreadable", problem=problem)] if problem else []
        self.reports.add("model_file", found, ("read", "not read"))

    def _is_frame(self, name: str) -> bool:
        return self.state.table is not None and self.state.table.find(name) is not None

    async def _reload(self, _request: Message, response: Message) -> Message:
        """Read the file of the description again."""
        problem = await self.source.reload()
        async with self.descriptions.turn:  # where several come at once, this text may still wait to be read
            good = self.state.received is not None and self.state.received.good
        response.success = problem is None and good
        response.message = problem or ("read" if good else messages.summarise(
            self.state.received.findings if self.state.received is not None else ()))
        return response

    async def _check_tf(self, request: Message, response: Message) -> None:
        async def hear() -> tuple[list[Observed], dict[str, Any]]:
            return await listen(self._node, request.duration), {
                "publishers": find_publishers(self._node), "ages": self.monitor.list_ages()}
        await services.check_tf(self.state, request, response, hear)
