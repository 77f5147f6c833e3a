"""Declares the node's parameters."""
from __future__ import annotations

from collections.abc import Iterable

from rcl_interfaces.msg import FloatingPointRange, ParameterDescriptor
from rclpy.node import Node
from rclpy.parameter import Parameter

from sdf_frames.diagnostics import count_of, suggest_name
from sdf_frames.ros.description_files import find_description, guess_resource_paths
from sdf_frames.ros.distributions import list_given_parameters
from sdf_frames.ros.guard import GuardedNode
from sdf_frames.ros.settings import PARAMETERS, Settings, apply_values

#: So many unknown parameters are named at most.
_MOST_NAMED = 10


def _find_type(name: str) -> Parameter.Type:
    """The type of a parameter: that of its default."""
    default = PARAMETERS[name].default
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
    for name, row in PARAMETERS.items():
        descriptor = ParameterDescriptor(description=row.text + row.node, additional_constraints=row.constraints,
                                         read_only=row.read_only, dynamic_typing=row.any_type)
        if row.bounds is not None:  # rqt makes a slider of it
            descriptor.floating_point_range = [FloatingPointRange(from_value=row.bounds[0], to_value=row.bounds[1])]
        # An empty list has no element type, so the parameter is declared by type, and set if it has no value.
        node.declare_parameter(name, _find_type(name) if row.default == () else row.default, descriptor)
        if row.default == () and node.get_parameter_or(name).type_ is Parameter.Type.NOT_SET:
            node.set_parameters([Parameter(name, _find_type(name), [])])
    _add_resource_paths(node)
    settings, refusal = apply_values(Settings(), [node.get_parameter(name) for name in PARAMETERS])
    if refusal:
        raise ValueError(refusal)
    return settings


def _add_resource_paths(node: Node) -> None:
    """Add the package and the model around the file of the description to the resource paths."""
    file = node.get_parameter("model_file").value
    try:
        around = guess_resource_paths(find_description(file)) if file else []
    except FileNotFoundError:  # reported when the file is read
        around = []
    if around:
        paths = list(dict.fromkeys([*node.get_parameter("resource_paths").value, *around]))
        node.set_parameters([Parameter("resource_paths", _find_type("resource_paths"), paths)])


def warn_of_unknown(node: GuardedNode) -> None:
    """Name in the log the parameters given at start that a node has not declared, which rclpy ignores in silence."""
    known = node.get_parameters_by_prefix("")
    unknown = [name for name in list_given_parameters(node) if name not in known]
    said = [repr(name) + (f" ({hint})" if (hint := suggest_name(name, known)) else "")
            for name in unknown[:_MOST_NAMED]]
    if unknown:
        node.log.warning(f"Ignored {count_of(len(unknown), 'unknown parameter')}: {', '.join(said)}"
                         f"{', …' if len(unknown) > len(said) else ''}; --help lists the parameters")


def have_right_types(parameters: Iterable[Parameter]) -> bool:
    """Return whether the values of the node's own parameters have the types that rclpy accepts for them."""
    return all(parameter.type_ is _find_type(parameter.name) for parameter in parameters
               if parameter.name in PARAMETERS and not PARAMETERS[parameter.name].any_type)
