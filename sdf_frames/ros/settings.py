"""The table of the node's parameters, and their values. Imports no ROS, because worker processes use it."""

import re
from collections.abc import Callable, Iterable
from functools import partial
from reprlib import repr as shorten
from typing import Annotated, Any, NamedTuple

from sdf_frames.document.budget import Budget, read_limits
from sdf_frames.frames.sensor_frames import OPTICAL_FRAME_NAME
from sdf_frames.frames.tf import MODES
from sdf_frames.options import OPTIONS, LoadOptions, Option
from sdf_frames.sdf.names import SEPARATOR

_DAY = 86400.0
_LONGEST = 1000
_NOT_FOR_READING = ("robot_description", "inertia_markers", "time_limit", "publish_frequency", "ignore_timestamp",
                    "model_file", "xacro_args", "watch", "monitor")


class Parameter(NamedTuple):
    """A row of the table of parameters.

    Attributes
    ----------
    text, node, launch : as those of an :class:`Option`.
    constraints, choices : the values that it may have, in words, and listed.
    bounds : the least and the largest value of a number.
    read : makes the setting of a value, or raises ValueError with the reason, to be read after the parameter's name.
    any_type : values of any type come in; otherwise only those of the default's.
    read_only : set when the node starts.
    default, field : the default, and the field of :class:`Settings` or :class:`LoadOptions`.
    """

    text: str
    constraints: str = ""
    read: Callable[[Any], Any] = lambda value: value
    node: str = ""
    launch: str | None = None
    any_type: bool = False
    read_only: bool = False
    choices: tuple[str, ...] = ()
    bounds: tuple[float, float] | None = None
    default: Any = None
    field: str = ""


def _read_choice(choices: tuple[str, ...], value: Any) -> Any:
    if value in choices:
        return value
    raise ValueError(f"is {shorten(value)}, not one of {', '.join(map(repr, choices))}")


def _read_name(value: str, without: str = "", leads: bool = True) -> str:
    """Read a part of TF names: `without` says why it must not be empty, `leads` whether names begin with it."""
    if without and not value:
        raise ValueError(f"is empty: {without}")
    if leads and value.startswith("/"):
        raise ValueError("starts with a slash, which tf2 does not allow")
    if len(value) > _LONGEST:
        raise ValueError(f"has {len(value)} letters, more than {_LONGEST}; all names of TF would have them")
    if any(letter.isspace() for letter in value):
        raise ValueError("contains white space")
    return value


def _number(text: str, least: float, most: float, unit: str) -> Parameter:
    """Return the row of a number; a file or command line may write it as a whole number."""
    def read(value: Any) -> float:
        if type(value) in (int, float) and least <= value <= most:
            return float(value)
        raise ValueError(f"is {shorten(value)}, not from {least:g} to {most:g} {unit}")
    return Parameter(text, f"{least:g} to {most:g} {unit}", read, launch="", any_type=True,
                     bounds=(float(least), float(most)))


class Settings(NamedTuple):
    """Values of the parameters, in the order in which they are declared.

    `loading` is how a description from the network is loaded: confined to the resource paths.
    """

    robot_description: Annotated[str, Parameter(
        "text of the description, URDF or SDF", "text of a valid URDF or SDF; empty: wait for the topic",
        node="; has the same effect as a message on the topic robot_description", launch="; ignored if model is set"),
    ] = ""
    model_name: Annotated[str, Parameter(
        "name of the model in TF, for a robot that was spawned under another name",
        "no leading slash, no white space; empty: the model's own", _read_name, launch="")] = ""
    frame_prefix: Annotated[str, Parameter(
        "prefix of every TF frame id, with no separator added", "no leading slash, no white space", _read_name,
        node=", as in robot_state_publisher", launch="; also for robot_state_publisher")] = ""
    scope_separator: Annotated[str, Parameter(
        "separator between the names of nested models in TF frame ids, in place of :: in SDF",
        "not empty, no white space",
        partial(_read_name, without="the names of nested models would not be separated", leads=False), launch="")
    ] = SEPARATOR
    tf_mode: Annotated[str, Parameter(
        "transforms on /tf_static: the whole tree with movable joints at zero (all), only the transforms that "
        "robot_state_publisher does not publish (complement), or no transforms (none)",
        f"one of {', '.join(MODES)}", partial(_read_choice, MODES))] = "all"
    loading: LoadOptions = LoadOptions(confined=True)
    sensor_frames: Annotated[bool, Parameter(
        "also publish a frame for every sensor, under the frame id of its messages in Gazebo", launch="")] = False
    optical_frames: Annotated[bool, Parameter(
        "also publish a frame with z forward for every camera that has none: a frame in which ROS expects images",
        launch="")] = False
    optical_frame_name: Annotated[str, Parameter(
        "name of the frames of optical_frames; {id}, {sensor} and {link} stand for the frame id, the sensor and its "
        "link", "not empty, no leading slash, no white space",
        partial(_read_name, without="the frames would have no name"), launch="")] = OPTICAL_FRAME_NAME
    joint_states: Annotated[bool, Parameter(
        "follow the topics joint_states and multi_dof_joint_states: publish the transforms of moving joints on /tf; a "
        "joint is at zero until its first state", launch="")] = False
    publish_frequency: Annotated[float, _number(
        "maximum rate of /tf in Hz, with joint_states", 0.001, 1000, "Hz")] = 20.0
    ignore_timestamp: Annotated[bool, Parameter(
        "with joint_states, also accept states that are older than the last one of a joint, and publish at any rate",
        launch="")] = False
    inertia_markers: Annotated[bool, Parameter(
        "publish a box for each link's inertia on ~/inertia_markers, for RViz", launch="")] = False
    monitor: Annotated[bool, Parameter(
        "compare TF with the model continuously, as check_tf does, and report differences on /diagnostics",
        launch="")] = False
    time_limit: Annotated[float, _number(
        "time limit in seconds for reading one description or answering one request", 1e-6, _DAY, "s")] = 60.0
    model_file: Annotated[str, Parameter(
        "path or package:// URI of the file of the description, for ~/reload and watch",
        "read only when the node starts, because xacro evaluates Python", read_only=True)] = ""
    xacro_args: Annotated[str, Parameter(
        "arguments of the description if its file is a .xacro, such as 'prefix:=left_ mass:=2'",
        "read only when the node starts", launch="", read_only=True)] = ""
    watch: Annotated[bool, Parameter(
        "read the file of the description again whenever it, or a file that a .xacro includes, changes",
        "read only when the node starts", launch="", read_only=True)] = False

    def naming(self) -> dict[str, Any]:
        """Return the options of :func:`sdf_frames.frames.tf.build_tf_tree`."""
        return {"scope_separator": self.scope_separator, "frame_prefix": self.frame_prefix,
                "sensor_frames": self.sensor_frames, "optical_frames": self.optical_frames,
                "optical_frame_name": self.optical_frame_name, "model_name": self.model_name}

    def for_reading(self) -> "Settings":
        """Return these settings with the defaults for all that does not change how a description is read."""
        return self._replace(**{name: self._field_defaults[name] for name in _NOT_FOR_READING})


def _offer(option: Option) -> Parameter:
    """Return the parameter that sets a load option: an empty text stands for None, a list of texts for limits.

    An empty text in a list, which is all that `ros2 param set` can give for an empty list, is left out.
    """
    text = option.text.replace("``", "") + (f"; empty: {option.otherwise}" if option.otherwise else "")
    row = Parameter(text, f"one of {', '.join(option.choices)}" if option.choices else "", node=option.node or "",
                    launch=option.launch, default=option.default, field=option.field, choices=option.choices)
    if isinstance(option.default, Budget):
        return row._replace(default=(), read=_read_limits, constraints="positive numbers")
    if option.default == ():
        return row._replace(read=lambda words: tuple(filter(None, words)))
    if option.default is None:
        choices = ("", *option.choices)
        return row._replace(default="", choices=choices, any_type=True,
                            read=lambda value: _read_choice(choices, _spell(value)) or None)
    return row._replace(read=partial(_read_choice, option.choices)) if option.choices else row


def _read_limits(words: Iterable[str]) -> Budget:
    try:
        return read_limits(filter(None, words))
    except ValueError as error:
        raise ValueError(f"is refused: {error}") from None


def _spell(value: object) -> object:
    """Return a version as text, also if a command line made a number of it: 1.1 can only have been 1.10."""
    if isinstance(value, float):
        text = f"{value:g}"
        return "1.10" if text == "1.1" else text
    return value


#: The table by name: the node's own parameters, and its load options.
PARAMETERS: dict[str, Parameter] = {
    **{field: kind.__metadata__[0]._replace(field=field, default=Settings._field_defaults[field])
       for field, kind in Settings.__annotations__.items() if field != "loading"},
    **{name: _offer(option) for name, option in OPTIONS.items() if option.node is not None}}


#: How a message names a load option that the node offers: ``--massless keep (in Python: massless='keep')``.
_CALLED = re.compile(
    rf"(?:{'|'.join(option.flag for option in OPTIONS.values() if option.flag and option.node is not None)})"
    r"(?: (.*?))? \(in Python: (\w+)[^)]*\)")


def name_parameters(text: str) -> str:
    """Write NAME:=VALUE in a message for each parameter, in place of the names for the command line and Python."""
    return _CALLED.sub(lambda option: f"{option[2]}:={option[1] or 'true'}", text)


def apply_values(settings: Settings, parameters: Iterable[Any]) -> tuple[Settings, str | None]:
    """Return settings with some parameters changed.

    Returns
    -------
    settings, refusal
        The refusal is None, or says which value is refused and why; then the settings are the old ones. Parameters
        that are not the node's own (`use_sim_time`) are passed over.
    """
    own: dict[str, Any] = {}
    loading: dict[str, Any] = {}
    for parameter in parameters:
        if (row := PARAMETERS.get(parameter.name)) is None:
            continue
        try:
            (loading if parameter.name in OPTIONS else own)[row.field] = row.read(parameter.value)
        except ValueError as problem:
            return settings, f"{parameter.name} {problem}"
    return settings._replace(**own, loading=settings.loading._replace(**loading)), None
