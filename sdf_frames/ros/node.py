"""The node `sdf_frames`: robot_description in; SDF, static TF, findings and services out.

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
from typing import Any

import rclpy
from rcl_interfaces.srv import SetParameters, SetParametersAtomically
from rclpy.callback_groups import CallbackGroup, ReentrantCallbackGroup
from rclpy.exceptions import NameValidationException, ParameterException
from rclpy.parameter import Parameter
from rclpy.signals import SignalHandlerOptions

from sdf_frames.diagnostics.render import escape_controls
from sdf_frames.document.door import read_named
from sdf_frames.document.expanded import split_arguments
from sdf_frames.ros import stopping
from sdf_frames.ros.converter import Converter
from sdf_frames.ros.guard import GuardedNode, spin
from sdf_frames.ros.settings import PARAMETERS


class Shell(GuardedNode):
    """The base of the plain and the lifecycle node; a :class:`Converter` does all the work."""

    converter: Converter

    def __init__(self, beside: Shell | None = None, **options: Any) -> None:
        # In one thread, a group keeps coroutines apart at most; those that need it wait for their turn.
        self._group = ReentrantCallbackGroup()
        super().__init__("sdf_frames", beside, **options)
        self.converter = Converter(self, None if beside is None else beside.converter.work)

    @property
    def default_callback_group(self) -> CallbackGroup:
        """The group of everything, the parameter services included."""
        return self._group

    def create_service(self, srv_type: Any, srv_name: str, callback: Callable[..., Any], **options: Any) -> Any:
        """Create a service; those that set parameters first have the description read with the new values."""
        if srv_type in (SetParameters, SetParametersAtomically):
            callback = partial(self._set_parameters, callback, srv_type is SetParameters)
        return super().create_service(srv_type, srv_name, callback, **options)

    async def _set_parameters(self, *arguments: Any) -> Any:
        return await self.converter.changes.respond(*arguments)

    def destroy_node(self) -> None:
        """End the thread and the worker processes, too."""
        self.converter.close()
        super().destroy_node()


class SdfFramesNode(Shell):
    """The node that publishes from its start to its end."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.converter.configure()
        self.converter.activate()

    async def start(self) -> None:
        """Take the description that the parameters give."""
        await self.converter.start()


def split_ros_args(words: Iterable[str]) -> tuple[list[str], list[str]]:
    """Split a command line into the program's words and those for rcl, from each --ros-args to the next --.

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
    """Read a command line, but not what is for rcl; return the parameters that it sets, by namespace.

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
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise ValueError(f"--robots {path}: {' '.join(str(error).split())}") from None
    if not robots or not isinstance(robots, dict) or not all(
            isinstance(values, dict | None) for values in robots.values()):
        raise ValueError(f"--robots {path}: it must have NAMESPACE: {{PARAMETER: VALUE, ...}} for each robot")
    return {str(space): [Parameter(str(name), value=value) for name, value in (values or {}).items()]
            for space, values in robots.items()}


def run_node(kind: Callable[..., Any]) -> int:
    """Run a node of this class for each robot, with the command line of the process, until a signal ends them.

    Returns
    -------
    int
        0 after a signal; 1 where ROS's part of the command line or a parameter given at start is refused.
    """
    nodes: list[Any] = []
    try:
        robots = read_arguments(sys.argv)
        rclpy.init(args=split_ros_args(sys.argv)[1], signal_handler_options=SignalHandlerOptions.NO)
        stopping.note_signals()
        for space, parameters in robots.items():
            nodes.append(kind(beside=nodes[0] if nodes else None, parameter_overrides=parameters,
                              **{"namespace": space} if space else {}))
    except (ValueError, NameValidationException, ParameterException, RuntimeError) as refusal:
        # One line: rcl's own message goes on with where in its sources it was raised.
        print(f"sdf_frames_node: {escape_controls(str(refusal).partition(', at ')[0])}", file=sys.stderr)
        for node in nodes:
            node.converter.close()
        return 1
    spin(nodes, nodes[0].converter.work.wake, [node.start for node in nodes])
    for node in nodes:
        node.converter.close()
    rclpy.try_shutdown()
    return 0
