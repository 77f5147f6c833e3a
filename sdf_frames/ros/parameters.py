"""The node's parameters: what they mean, what they may be, and their values as one frozen object."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from reprlib import repr as shorten
from typing import Any

from rcl_interfaces.msg import ParameterDescriptor
from rclpy.node import Node
from rclpy.parameter import Parameter

from sdf_frames.convert.options import MASSLESS_POLICIES, SDF_VERSIONS
from sdf_frames.document.budget import LIMITS, read_limits
from sdf_frames.frames.tf import MODES
from sdf_frames.ros.settings import Settings

_DAY = 86400.0


def _one_of(*choices: str) -> Callable[[str], str | None]:
    def check(value: str) -> str | None:
        return None if value in choices else f"is {shorten(value)}, not one of {', '.join(repr(c) for c in choices)}"
    return check


def _check_separator(value: str) -> str | None:
    if not value:
        return "is empty: the names of nested models would not be separated"
    return "contains white space" if any(letter.isspace() for letter in value) else None


def _check_prefix(value: str) -> str | None:
    if value.startswith("/"):
        return "starts with a slash, which tf2 does not allow"
    return "contains white space" if any(letter.isspace() for letter in value) else None


def _read_version(value: object) -> object:
    """A version as text, also where a command line made a number of it: 1.1 can only have been 1.10."""
    if isinstance(value, float):
        text = f"{value:g}"
        return "1.10" if text == "1.1" else text
    return value


def _check_limits(words: Iterable[str]) -> str | None:
    try:
        read_limits(filter(None, words))
    except ValueError as error:
        return f"is refused: {error}"
    return None


def _read_float(value: object) -> object:
    """A number as a float, also where a file or command line wrote a whole number."""
    return float(value) if type(value) is int else value


def _check_seconds(value: object) -> str | None:
    is_good = isinstance(value, float) and 0 < value <= _DAY
    return None if is_good else f"is {shorten(value)}, not a time above 0 s and up to {_DAY:g} s"


def _check_frequency(value: object) -> str | None:
    is_good = isinstance(value, float) and 0.001 <= value <= 1000
    return None if is_good else f"is {shorten(value)}, not a frequency from 0.001 to 1000 Hz"


@dataclass(frozen=True)
class _Parameter:
    """What is said about a parameter to people (`description`, `constraints`), and the rule for its values.

    `read_only` parameters are set when the node starts. `check` returns None, or why a value is refused, to be read
    after the parameter's name. With `read`, values of any type come in, and it makes the parameter's own of them.
    """

    description: str
    constraints: str = ""
    check: Callable[[Any], str | None] = lambda value: None
    read: Callable[[Any], object] | None = None
    read_only: bool = False


PARAMETERS: dict[str, _Parameter] = {
    "robot_description": _Parameter(
        "text of the description, URDF or SDF; has the same effect as a message on the topic robot_description",
        "text of a valid URDF or SDF; empty: wait for the topic"),
    "frame_prefix": _Parameter(
        "prefix of every TF frame id, with no separator added, as in robot_state_publisher",
        "no leading slash, no white space", _check_prefix),
    "scope_separator": _Parameter(
        "separator between the names of nested models in TF frame ids, in place of :: in SDF",
        "not empty, no white space", _check_separator),
    "tf_mode": _Parameter(
        "transforms on /tf_static: the whole tree with movable joints at zero (all), only the transforms that "
        "robot_state_publisher does not publish (complement), or no transforms (none)",
        f"one of {', '.join(MODES)}", _one_of(*MODES)),
    "preserve_fixed_joints": _Parameter("keep a URDF's fixed joints instead of lumping their links"),
    "massless": _Parameter("policy for the massless links of a URDF", f"one of {', '.join(MASSLESS_POLICIES)}",
                           _one_of(*MASSLESS_POLICIES)),
    "sdf_version": _Parameter(
        "SDF version to which a URDF is converted",
        f"one of {', '.join(SDF_VERSIONS)}; empty: the lowest that can express the robot", _one_of("", *SDF_VERSIONS),
        _read_version),
    "resource_paths": _Parameter(
        "folders to search for model://NAME, package://NAME and plain URIs, as DIR/NAME; the node reads files only "
        "below these folders, SDF_PATH, GZ_SIM_RESOURCE_PATH and installed ROS packages"),
    "limits": _Parameter(
        f"limits on the cost of one description, as NAME=VALUE: {', '.join(LIMITS)}; docs/limits.md explains each "
        "limit", "positive numbers", _check_limits),
    "inertia_markers": _Parameter("publish a box for each link's inertia on ~/inertia_markers, for RViz"),
    "sensor_frames": _Parameter(
        "also publish a frame for every sensor, under the frame id of its messages in Gazebo"),
    "time_limit": _Parameter("time limit in seconds for reading one description or answering one request",
                             "above 0, up to a day", _check_seconds, _read_float),
    "joint_states": _Parameter(
        "follow the topics joint_states and multi_dof_joint_states: publish the transforms of moving joints on /tf; a "
        "joint is at zero until its first state"),
    "publish_frequency": _Parameter("maximum rate of /tf in Hz, with joint_states", "0.001 to 1000",
                                    _check_frequency, _read_float),
    "model_name": _Parameter(
        "name of the model in TF, for a robot that was spawned under another name",
        "no leading slash, no white space; empty: the model's own", _check_prefix),
    "model_file": _Parameter(
        "path or package:// URI of the file of the description, for ~/reload and watch",
        "read only when the node starts, because xacro evaluates Python", read_only=True),
    "xacro_args": _Parameter("arguments of the model_file if that is a .xacro, such as 'prefix:=left_ mass:=2'",
                             "read only when the node starts", read_only=True),
    "watch": _Parameter("read the model_file again whenever it, or a file that a .xacro includes, changes",
                        "read only when the node starts", read_only=True),
    "monitor": _Parameter(
        "compare TF with the model continuously, as check_tf does, and report differences on /diagnostics"),
    "ignore_timestamp": _Parameter(
        "with joint_states, also accept states that are older than the last one of a joint"),
}


def _find_type(name: str) -> Parameter.Type:
    """The type of a parameter: that of its default."""
    default = getattr(Settings, name)
    return Parameter.Type.STRING_ARRAY if default == () else Parameter.Type.from_parameter_value(default)


def declare_parameters(node: Node) -> Settings:
    """Declare all parameters on a node and read their first values.

    Raises
    ------
    ValueError
        A value given at start is refused; the message says which and why.
    rclpy.exceptions.ParameterException
        A value given at start has another type.
    """
    defaults = Settings()
    for name, row in PARAMETERS.items():
        descriptor = ParameterDescriptor(description=row.description, additional_constraints=row.constraints,
                                         read_only=row.read_only, dynamic_typing=row.read is not None)
        # An empty list has no type of its own, so this one is declared by type, and set where nobody set it.
        default = getattr(defaults, name)
        node.declare_parameter(name, _find_type(name) if default == () else default, descriptor)
        if default == () and node.get_parameter_or(name).type_ is Parameter.Type.NOT_SET:
            node.set_parameters([Parameter(name, _find_type(name), [])])
    settings, refusal = apply_values(defaults, [node.get_parameter(name) for name in PARAMETERS])
    if refusal:
        raise ValueError(refusal)
    return settings


def have_right_types(parameters: Iterable[Parameter]) -> bool:
    """Return whether the values of the node's own parameters have the types that rclpy accepts for them."""
    return all(parameter.type_ is _find_type(parameter.name) for parameter in parameters
               if parameter.name in PARAMETERS and PARAMETERS[parameter.name].read is None)


def apply_values(settings: Settings, parameters: Iterable[Parameter]) -> tuple[Settings, str | None]:
    """Settings with some parameters changed.

    Returns
    -------
    settings, refusal
        The refusal is None, or says which value is refused and why; then the settings are the old ones. Parameters
        that are not the node's own (`use_sim_time`) are passed over.
    """
    values: dict[str, Any] = {}
    for parameter in parameters:
        row = PARAMETERS.get(parameter.name)
        if row is None:
            continue
        value = row.read(parameter.value) if row.read else parameter.value
        reason = row.check(value)
        if reason:
            return settings, f"{parameter.name} {reason}"
        values[parameter.name] = tuple(value) if isinstance(value, (list, tuple)) else value
    return replace(settings, **values), None
