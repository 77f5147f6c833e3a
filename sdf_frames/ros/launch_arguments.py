"""The arguments of the launch files, from which `ros2 launch --show-args` and the table in docs/ros.md are made."""
from __future__ import annotations

from typing import NamedTuple

from sdf_frames.frames.tf import MODES
from sdf_frames.ros.settings import PARAMETERS

#: As YAML and as Python write them: both are common in launch files that include ours.
BOOLEANS = ("true", "false", "True", "False")


class Argument(NamedTuple):
    """An argument of a launch file; `choices` is empty where any text will do."""

    name: str
    default: str
    description: str
    choices: tuple[str, ...] = ()


def _switch(name: str, description: str) -> Argument:
    return Argument(name, "false", description, BOOLEANS)


#: The arguments that set a parameter of the same name.
SHARED = tuple(
    _switch(name, row.text + row.launch) if row.default is False else
    Argument(name, str(row.default or ""), row.text.replace("``", "") + row.launch, row.choices)
    for name, row in PARAMETERS.items() if row.launch is not None)

ARGUMENTS = (
    Argument("model", "", "path or package:// URI of a .urdf, .sdf, .world or .xacro, or of a folder with a "
                          "model.config; empty: wait for the topic robot_description"),
    *SHARED,
    Argument("robots", "", "YAML file with NAMESPACE: {PARAMETER: VALUE, ...} of several robots, which one process "
                           "publishes; empty: one robot"),
    Argument("tf_mode", "", "transforms on /tf_static; empty: all, or complement beside robot_state_publisher",
             ("", *MODES)),
    Argument("namespace", "", "namespace of all nodes and topics except /tf, /tf_static and /diagnostics; the file "
                              "robots has that of each of its robots"),
    _switch("tf_in_namespace", "remap /tf and /tf_static of all nodes into the namespace: the robot has its own tree"),
    Argument("node_name", "sdf_frames", "name of the node"),
    Argument("log_level", "info", "lowest level of the node's messages in the log",
             ("debug", "info", "warn", "error", "fatal")),
    _switch("use_sim_time", "take the time from /clock"),
    Argument("params_file", "", "YAML file with parameters of the node, such as config/sdf_frames.yaml; "
                                "overrides the arguments"),
    _switch("robot_state_publisher", "also start robot_state_publisher with the URDF of the model; tf_mode is then "
                                     "complement, unless it is given. If the model is an SDF, this URDF is on "
                                     "~/robot_description"),
    _switch("strict", "stop the launch with status 1 and the first error if the model has errors"),
    _switch("lifecycle", "start sdf_frames_lifecycle_node, which waits to be configured and activated"),
    _switch("view", "start sdf_frames_view, which shows the robot in the browser at the address that it logs (port "
                    "8080, or the next free one), moving with joint_states; needs pip install 'sdf_frames[view]'"),
    _switch("rviz", "start RViz with TF, inertia boxes and RobotModel; the latter reads robot_description_urdf"),
)
