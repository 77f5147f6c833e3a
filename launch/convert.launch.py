"""A robot's URDF or SDF in; its SDF, complete static TF and services out.

    ros2 launch sdf_frames convert.launch.py model:=path/to/robot.urdf.xacro robot_state_publisher:=true rviz:=true

Without `model` and `robot_description` the node waits for the topic robot_description.
"""
import os

from ament_index_python.packages import PackageNotFoundError, get_package_prefix
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.logging import get_logger
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import LifecycleNode, Node, SetRemap
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare
from rclpy.parameter import Parameter

from launch import LaunchDescription
from sdf_frames.diagnostics.render import escape_controls
from sdf_frames.document.expanded import plain_text
from sdf_frames.load import load_text
from sdf_frames.ros import description_files, jobs
from sdf_frames.ros.jobs import Text
from sdf_frames.ros.launch_arguments import ARGUMENTS, SHARED
from sdf_frames.ros.messages import describe
from sdf_frames.ros.settings import PARAMETERS, Settings, apply_values


def is_true(text: str) -> bool:
    """Read one of the choices of a switch."""
    return text.lower() == "true"


def require_package(argument: str, package: str) -> None:
    """End the launch, before it has started anything, if a package that an argument needs is not installed."""
    try:
        get_package_prefix(package)
    except PackageNotFoundError as error:
        raise RuntimeError(f"the argument {argument}: the package {package} is not installed; leave the argument out, "
                           f"or install ros-$ROS_DISTRO-{package.replace('_', '-')}") from error


def find_tf_root(description: str, settings: Settings) -> str:
    """Return the root of the TF tree, RViz's fixed frame; "" if it is unknown."""
    transforms = load_text(description, None, settings.loading).tf_tree(**settings.naming()).transforms
    children = {transform.child for transform in transforms}
    return next((transform.parent for transform in transforms if transform.parent not in children), "")


def refuse_errors(description: Text, settings: Settings) -> None:
    """End the launch if a description, read with the node's settings, has errors, or if there is no description."""
    if not description:
        raise RuntimeError("the argument strict needs the argument model or robot_description")
    errors = [d for d in load_text(description, None, settings.loading).diagnostics if d.severity == "error"]
    if errors:
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        raise RuntimeError(f"the model has errors: {describe(errors[0])}{more}")


def refuse_publisher(why: str) -> list:
    """Warn that robot_state_publisher is not started."""
    get_logger("sdf_frames").warning(f"robot_state_publisher is not started: {escape_controls(why)}")
    return []


def start_publisher(description: str, settings: Settings, values: dict) -> list:
    """Start robot_state_publisher on the URDF of a description; without a URDF, report that.

    It publishes its URDF on robot_description, too. Where ours is an SDF, that would be taken for a newer description.
    """
    if not description:
        return refuse_publisher("it needs the argument model or robot_description")
    loaded = load_text(description, None, settings.loading)
    # robot_state_publisher aborts on a description whose frames cannot be resolved.
    urdf, found = jobs.write_urdf(description, settings) if loaded.resolved else (None, loaded.diagnostics)
    if urdf is None:
        why = next((d.message for d in found if d.severity == "error"), "it cannot be written as URDF")
        return refuse_publisher(why)
    topics = [] if urdf == description else [("robot_description", "~/robot_description")]
    parameters = {"use_sim_time": is_true(values["use_sim_time"]), "frame_prefix": settings.frame_prefix,
                  "robot_description": urdf}
    return [Node(package="robot_state_publisher", executable="robot_state_publisher", output="screen",
                 namespace=values["namespace"], remappings=topics, parameters=[mark_texts(parameters)])]


def read_model(values: dict) -> tuple:
    """Read the description and list the folders of its meshes; an unreadable file ends the launch with the reason."""
    description, paths = values["robot_description"], [path for path in values["resource_paths"].split(":") if path]
    if values["model"]:
        try:
            path = description_files.find_description(values["model"])
            arguments = description_files.read_xacro_args(values["xacro_args"])
            description = description_files.read_description_file(path, arguments, paths)
        except (OSError, ValueError) as error:
            raise RuntimeError(f"the argument model: {error}") from error
        paths += description_files.guess_resource_paths(path)
    return description, paths


def make_parameters(values: dict, paths: list) -> dict:
    """Make the node's parameters, with the types of their defaults."""
    given = {**values, "tf_mode": values["tf_mode"] or "all", "model_file": values["model"]}
    parameters = {"use_sim_time": is_true(values["use_sim_time"])}
    for name in ("tf_mode", "model_file", *(argument.name for argument in SHARED)):
        default = PARAMETERS[name].default
        if isinstance(default, bool):
            parameters[name] = is_true(given[name])
        elif isinstance(default, float):
            parameters[name] = read_number(name, given[name])
        elif isinstance(default, str):
            parameters[name] = given[name]
        elif words := paths if name == "resource_paths" else given[name].split():
            parameters[name] = words
    return parameters


def read_number(name: str, text: str) -> float:
    """Read the number of an argument."""
    try:
        return float(text)
    except ValueError as error:
        raise RuntimeError(f"the argument {name}: {error}") from error


def make_settings(parameters: dict) -> Settings:
    """Make the settings that the node will have; a value that the node would refuse ends the launch."""
    settings, refusal = apply_values(Settings(), [Parameter(name, value=value) for name, value in parameters.items()])
    if refusal:
        raise RuntimeError(f"the argument {refusal}")
    return settings


def mark_texts(parameters: dict) -> dict:
    """Mark the texts among parameters, or YAML may read numbers."""
    return {name: ParameterValue(value, value_type=str) if isinstance(value, str) else value
            for name, value in parameters.items()}


def list_namespaces(values: dict) -> list:
    """List the namespaces of the node, one for each robot."""
    if not values["robots"]:
        return [values["namespace"]]
    from sdf_frames.ros.node import read_robots
    try:
        robots = read_robots(values["robots"])
    except ValueError as error:
        raise RuntimeError(f"the argument robots: {error}") from error
    if values["namespace"]:
        get_logger("sdf_frames").warning("the argument namespace is not used for the robots: write their namespaces "
                                         f"into {escape_controls(values['robots'])}")
    return list(robots)


def make_nodes(context) -> list:
    """Read the description and make the nodes."""
    values = {name: LaunchConfiguration(name).perform(context) for name, *_ in ARGUMENTS}
    text, paths = read_model(values)
    parameters = make_parameters(values, paths)
    settings = make_settings(parameters)
    if is_true(values["strict"]):
        refuse_errors(text, settings)
    description = plain_text(text)
    if values["params_file"] and not os.path.isfile(values["params_file"]):
        raise RuntimeError(f"the argument params_file: there is no file {values['params_file']}")
    for argument, package in (("robot_state_publisher", "robot_state_publisher"), ("rviz", "rviz2")):
        if is_true(values[argument]):
            require_package(argument, package)
    files = [values["params_file"]] if values["params_file"] else []
    actions = [SetRemap(f"/{topic}", topic) for topic in ("tf", "tf_static") if is_true(values["tf_in_namespace"])]
    if is_true(values["robot_state_publisher"]):
        started = start_publisher(description, settings, values)
        actions += started
        if started and not values["tf_mode"]:
            parameters["tf_mode"] = "complement"
    if is_true(values["view"]):
        actions.append(Node(package="sdf_frames", executable="sdf_frames_view", output="screen",
                            namespace=values["namespace"], parameters=[{"resource_paths": paths}] if paths else []))
    if is_true(values["rviz"]):
        config = PathJoinSubstitution([FindPackageShare("sdf_frames"), "rviz", "sdf_frames.rviz"])
        root = find_tf_root(description, settings)
        actions.append(Node(package="rviz2", executable="rviz2", output="screen", namespace=values["namespace"],
                            arguments=["-d", config, *(["-f", root] if root else [])],
                            parameters=[{"use_sim_time": parameters["use_sim_time"]}]))
    kind, program = ((LifecycleNode, "sdf_frames_lifecycle_node") if is_true(values["lifecycle"])
                     else (Node, "sdf_frames_node"))
    spaces = list_namespaces(values)
    loggers = [f"{space.strip('/')}/{values['node_name']}".lstrip("/").replace("/", ".") for space in spaces]
    # With robots, the file names the namespaces: a namespace from here would apply to all robots.
    actions.append(kind(package="sdf_frames", executable=program, name=values["node_name"], output="screen",
                        namespace=None if values["robots"] else values["namespace"],
                        parameters=[mark_texts(parameters), *files],
                        arguments=[*(["--robots", values["robots"]] if values["robots"] else []), "--ros-args", *[
                            word for name in loggers for word in ("--log-level", f"{name}:={values['log_level']}")]]))
    return actions


def generate_launch_description() -> LaunchDescription:
    """Declare the arguments; all else depends on their values."""
    declared = [DeclareLaunchArgument(name, default_value=default, description=what, choices=list(choices) or None)
                for name, default, what, choices in ARGUMENTS]
    return LaunchDescription([*declared, OpaqueFunction(function=make_nodes)])
