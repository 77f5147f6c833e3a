"""The node `sdf_frames`: receives robot_description; publishes SDF, static TF and findings, and offers services.

All callbacks run in one thread; joint states are followed in another. Callbacks whose work can be long are coroutines:
a worker process does the work, and other callbacks run until the result is there.
"""
from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from reprlib import repr as shorten
from typing import Any

import rclpy
from rcl_interfaces.srv import SetParameters, SetParametersAtomically
from rclpy.callback_groups import CallbackGroup, ReentrantCallbackGroup
from rclpy.exceptions import NameValidationException, ParameterException
from rclpy.parameter import Parameter
from rclpy.qos import QoSProfile
from rclpy.signals import SignalHandlerOptions
from std_msgs.msg import String
from std_srvs.srv import Trigger

from sdf_frames.diagnostics.render import escape_controls
from sdf_frames.document.door import read_named
from sdf_frames.document.expanded import is_xacro, split_arguments
from sdf_frames.ros import messages, services, stopping
from sdf_frames.ros.description_source import DescriptionSource
from sdf_frames.ros.descriptions import Descriptions
from sdf_frames.ros.guard import GuardedNode, spin
from sdf_frames.ros.jobs import Text
from sdf_frames.ros.joint_motion import JointMotion
from sdf_frames.ros.messages import Message
from sdf_frames.ros.parameters import declare_parameters, warn_of_unknown
from sdf_frames.ros.publishing import LATCHED, Publications
from sdf_frames.ros.settings import PARAMETERS
from sdf_frames.ros.tf_monitor import TfMonitor
from sdf_frames.ros.work import Work

#: The most waiting requests; ROS drops further ones without an answer.
_REQUESTS = QoSProfile(depth=100)


class Shell(GuardedNode):
    """The base of the plain and the lifecycle node.

    Converts and publishes every description that arrives, and answers requests. `beside` is the node of another robot
    in this process, whose worker processes are shared.

    Raises
    ------
    ValueError, rclpy.exceptions.ParameterException
        A parameter given at start is refused.
    """

    def __init__(self, beside: Shell | None = None, **options: Any) -> None:
        # The executor has one thread. Coroutines that must not overlap wait for their turn.
        self._group = ReentrantCallbackGroup()
        super().__init__("sdf_frames", beside, **options)
        settings = declare_parameters(self)
        warn_of_unknown(self)
        self.work: Work = Work(self, None if beside is None else beside.work)
        self.state = services.State(settings, self.work, topic=self.resolve_topic_name("robot_description"))
        self.publications = Publications(self, self.log, self.work.pause)
        self.motion = JointMotion(self, self.state)
        self.reports.describe_output = lambda: [*self.publications.describe(), *self.motion.describe()]
        self.monitor = TfMonitor(self, self.state)
        self.state.hear = self.monitor.hear
        self.descriptions = Descriptions(self, self.state, self.publications, self.motion, self.monitor)
        self.add_on_set_parameters_callback(self.descriptions.change)
        self.source = DescriptionSource(self, self.state, self.descriptions.take)
        self._subscription: Any = None
        self._offered: list[Any] = []

    @property
    def default_callback_group(self) -> CallbackGroup:
        """The callback group of all entities, including the parameter services."""
        return self._group

    def create_service(self, srv_type: Any, srv_name: str, callback: Callable[..., Any], **options: Any) -> Any:
        """Create a service; a service that sets parameters first reads the description with the new values."""
        def set_parameters(*messages: Message) -> Any:
            return self.descriptions.answer_new_values(callback, srv_type is SetParameters, *messages)
        sets = srv_type in (SetParameters, SetParametersAtomically)
        return super().create_service(srv_type, srv_name, set_parameters if sets else callback, **options)

    def configure(self) -> None:
        """Start to receive descriptions and to answer requests."""
        self._subscription = self.create_subscription(String, "robot_description", self._hear_description, LATCHED)
        callbacks: list[tuple[Any, ...]] = [
            (kind, handler.__name__, partial(services.answer, self.state, handler))
            for kind, handler in services.SERVICES]
        self._offered = [self.create_service(*row, qos_profile=_REQUESTS)
                         for row in (*callbacks, (Trigger, "~/reload", self._reload))]
        self.source.watch()
        if self.state.settings.watch and not self.state.settings.model_file:
            self.log.warning("watch is set without model_file: there is no file to watch")
        if self.state.settings.xacro_args and not is_xacro(self.state.settings.model_file):
            self.log.warning("xacro_args has no effect: model_file is no .xacro")

    def activate(self) -> None:
        """Publish the current description and all later ones."""
        self.publications.open()
        self.monitor.follow()
        self.do_later(self._publish_current)

    def deactivate(self) -> None:
        """Stop publishing."""
        self.monitor.stop()
        self.motion.stop()
        self.publications.close()

    def close(self) -> None:
        """End the thread and the worker processes."""
        self.motion.stop()
        self.work.close()

    def destroy_node(self) -> None:
        """End the thread and the worker processes, too."""
        self.close()
        super().destroy_node()

    def clean_up(self) -> None:
        """Forget the description, and stop receiving and answering."""
        if self._subscription is not None:
            self.destroy_subscription(self._subscription)
        for service in self._offered:
            self.retire_service(service)
        self._subscription, self._offered = None, []
        self.source.stop()
        self.reports.forget()
        self.descriptions.forget()

    def read_now(self) -> bool:
        """Read the description of the parameters at once; return whether it is good, or none is given."""
        settings = self.state.settings
        text: Text = settings.robot_description
        if settings.model_file:
            made = self.work.run_now(self.source.read())
            if made.problem:
                self.log.error(made.problem)
                return False
            text = made.text
        return not text or self.descriptions.take_now(text)

    async def start(self) -> None:
        """Take the description of a parameter at start."""
        settings = self.state.settings
        if settings.model_file:
            await self.source.reload()
        elif settings.robot_description:
            await self.descriptions.take(settings.robot_description, "parameter")
        elif self.descriptions.is_idle:
            self.log.info(f"Waiting for a description on {self.state.topic}; model_file, the launch argument model, is "
                          "empty")

    async def _publish_current(self) -> None:
        async with self.descriptions.turn:
            if (current := self.state.current) is not None and (found := await self.descriptions.publish(current)):
                self.reports.report([*(self.state.received or current).findings, *found], current.robot)

    async def _hear_description(self, message: String) -> None:
        await self.descriptions.take(message.data, "topic")

    async def _reload(self, _request: Message, response: Message) -> None:
        """Read the file of the description again."""
        problem = await self.source.reload()
        async with self.descriptions.turn:  # if several arrive at once, this text may still wait
            received = self.state.received
        response.success = problem is None and received is not None and received.good
        response.message = problem or ("read" if response.success else messages.summarise(
            received.findings if received is not None else ()))


class SdfFramesNode(Shell):
    """The node that publishes from its start to its end."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.configure()
        self.activate()


def split_ros_args(words: Iterable[str]) -> tuple[list[str], list[str]]:
    """Split a command line into words of the program and words for rcl, which are between --ros-args and --.

    rclpy's function also removes NAME:=VALUE elsewhere, which is an argument of a .xacro here.
    """
    parts: tuple[list[str], list[str]] = [], []
    is_ros = False
    for word in words:
        is_ros |= word == "--ros-args"
        parts[is_ros].append(word)
        is_ros &= word != "--"
    return parts


def read_arguments(words: Sequence[str]) -> dict[str, list[Parameter]]:
    """Read the program's words of a command line; return the parameters that they set, by namespace.

    Without --robots there is one node, in no namespace.

    Raises
    ------
    ValueError
        The file of --robots cannot be used.
    SystemExit
        After --help, and with status 2 after an argument that is unknown.
    """
    program = os.path.basename(words[0])
    listed = "\n".join(f"  {name:24}{row.text}{row.node}" for name, row in PARAMETERS.items())
    parser = argparse.ArgumentParser(
        program, f"{program} [FILE [NAME:=VALUE ...] | --robots FILE] [--ros-args -p PARAMETER:=VALUE ...]",
        "Converts robot_description between URDF and SDFormat, checks it, and publishes its frames.",
        f"parameters:\n{listed}", formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="*", metavar="FILE",
                        help="the parameter model_file: a .urdf, .sdf, .world or .xacro; NAME:=VALUE is an argument of "
                             "the .xacro (default: wait for the topic robot_description)")
    parser.add_argument("--robots", metavar="FILE",
                        help="several robots in one process: a YAML file with NAMESPACE: {PARAMETER: VALUE, ...} each")
    found = parser.parse_args(split_ros_args(words)[0][1:])
    files, values = split_arguments(found.file)
    if len(files) > 1 or values and not files or files and found.robots:
        parser.error("give one FILE")
    if found.robots:
        return read_robots(found.robots)
    xacro_args = shlex.join(f"{name}:={value}" for name, value in values.items())
    return {"": [Parameter(name, value=value)
                 for name, value in (("model_file", "".join(files)), ("xacro_args", xacro_args)) if value]}


def read_robots(path: str) -> dict[str, list[Parameter]]:
    """Read the parameters of several robots, by namespace.

    Raises
    ------
    ValueError
        The file cannot be read, or has another form.
    """
    import yaml  # type: ignore[import-untyped,unused-ignore]
    try:
        robots = yaml.safe_load(read_named(path))
        if not robots or not isinstance(robots, dict) or not all(
                isinstance(values, dict | None) for values in robots.values()):
            raise ValueError("it must have NAMESPACE: {PARAMETER: VALUE, ...} for each robot")
        spaces = [str(space).strip("/") for space in robots]
        if again := [space for number, space in enumerate(spaces) if space in spaces[:number]]:
            raise ValueError(f"there are two robots in the namespace '/{again[0]}'")
        return {str(space): [_read_value(str(name), value) for name, value in (values or {}).items()]
                for space, values in robots.items()}
    except (OSError, TypeError, ValueError, yaml.YAMLError) as error:
        raise ValueError(f"--robots {path}: {' '.join(str(error).split())}") from None


def _read_value(name: str, value: Any) -> Parameter:
    """Make a parameter of a value in a YAML file."""
    for number in value if isinstance(value, list) else [value]:
        if isinstance(number, int) and not -2**63 <= number < 2**63:
            raise ValueError(f"{name} is {shorten(number)}: a whole number must fit in 64 bits")
    # rclpy takes an empty list for bytes. Every list among the parameters has texts, and empty texts are left out.
    return Parameter(name, value=[""] if value == [] else value)


def run_node(kind: Callable[..., Any]) -> int:
    """Run a node of this class for each robot, with the command line of the process, until a signal ends them.

    Returns
    -------
    int
        0 after a signal; 1 where ROS's part of the command line or a parameter given at start is refused.
    """
    nodes: list[Any] = []
    space = ""
    try:
        robots = read_arguments(sys.argv)
        rclpy.init(args=split_ros_args(sys.argv)[1], signal_handler_options=SignalHandlerOptions.NO)
        stopping.note_signals()
        for space, parameters in robots.items():
            nodes.append(kind(beside=nodes[0] if nodes else None, parameter_overrides=parameters,
                              **{"namespace": space} if space else {}))
    except (ValueError, NameValidationException, ParameterException, RuntimeError) as refusal:
        # One line: the rest of rcl's message names a place in its sources.
        where = f"{space}: " if space else ""
        print(f"sdf_frames_node: {escape_controls(where + str(refusal).partition(', at ')[0])}", file=sys.stderr)
        for node in nodes:
            node.close()
        return 1
    spin(nodes, lambda: [node.work.pause() for node in nodes], [node.start for node in nodes])
    for node in nodes:
        node.close()
    rclpy.try_shutdown()
    return 0
