"""The arguments of the launch files, from which `ros2 launch --show-args` and the table in docs/ros.md are made."""
from __future__ import annotations

from typing import NamedTuple

from sdf_frames.convert.options import MASSLESS_POLICIES, SDF_VERSIONS
from sdf_frames.frames.tf import MODES

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


ARGUMENTS = (
    Argument("model", "", "path or package:// URI of a .urdf, .sdf, .world or .xacro, or of a folder with a "
                          "model.config; empty: wait for the topic robot_description"),
    Argument("xacro_args", "", "arguments of a .xacro, such as 'prefix:=left_ mass:=2'"),
    Argument("robot_description", "", "text of the description, URDF or SDF; ignored if model is set"),
    Argument("model_name", "", "name of the model in TF, if it was spawned in Gazebo under another name"),
    Argument("namespace", "", "namespace of all nodes and topics except /tf, /tf_static and /diagnostics"),
    _switch("use_sim_time", "take the time from /clock"),
    Argument("frame_prefix", "", "prefix of every TF frame id, no separator added; also for robot_state_publisher"),
    Argument("scope_separator", "/", "separator between the names of nested models in TF frame ids"),
    Argument("tf_mode", "", "transforms on /tf_static; empty: all, or complement beside robot_state_publisher",
             ("", *MODES)),
    _switch("preserve_fixed_joints", "keep a URDF's fixed joints instead of lumping their links"),
    Argument("massless", "frame", "policy for the massless links of a URDF", MASSLESS_POLICIES),
    Argument("sdf_version", "", "SDF version to write; empty: the lowest that can express the robot",
             ("", *SDF_VERSIONS)),
    Argument("resource_paths", "", "folders, separated by colons, to search for model:// and package:// URIs; of a "
                                   "file in a package or model folder, the folders around it are added"),
    Argument("params_file", "", "YAML file with parameters of the node, such as config/sdf_frames.yaml; "
                                "overrides the arguments"),
    _switch("robot_state_publisher", "also start robot_state_publisher with the URDF of the model; tf_mode is then "
                                     "complement. If the model is an SDF, this URDF is on ~/robot_description"),
    _switch("joint_states", "follow joint_states: publish moving joints on /tf instead of /tf_static"),
    _switch("sensor_frames", "also publish a frame for every sensor, under the frame id of its messages in Gazebo"),
    _switch("inertia_markers", "publish a box for each link's inertia, which RViz shows"),
    _switch("monitor", "compare TF with the model continuously, and report differences on /diagnostics"),
    _switch("watch", "read the model again when its file, or a file that a .xacro includes, changes"),
    _switch("strict", "stop the launch with status 1 and the first error if the model has errors"),
    _switch("lifecycle", "start sdf_frames_lifecycle_node, which waits to be configured and activated"),
    _switch("view", "start sdf_frames_view, which shows the robot in the browser at the address that it logs (port "
                    "8080, or the next free one), moving with joint_states; needs pip install 'sdf_frames[view]'"),
    _switch("rviz", "start RViz with TF, inertia boxes and RobotModel; the latter reads robot_description_urdf"),
)
