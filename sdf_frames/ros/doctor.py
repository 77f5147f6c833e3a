"""What this machine and the nodes that run on it have for a robot description.

    ros2 run sdf_frames doctor [--seconds 2]

Looks at packages, resource paths, the publishers of robot_description and of TF, and their QoS. Exit status: 0 if
no problems found, 1 otherwise.
"""
from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence

import rclpy
from ament_index_python.packages import get_packages_with_prefixes
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.topic_endpoint_info import TopicEndpointInfo

from sdf_frames.api.machine import Remark, look_at_modules, look_at_places, write_remarks

#: What each package is for; those that nothing works without come first.
_PACKAGES = {"sdf_frames": "the services' types", "tf2_msgs": "TF",
             "robot_state_publisher": "robot_state_publisher:=true", "launch_ros": "ros2 launch", "rviz2": "rviz:=true",
             "visualization_msgs": "inertia_markers:=true", "ros_gz_sim": "spawning in Gazebo"}
_NEEDED = 2
#: What the nodes report on, as the names of their statuses end.
SUBJECTS = (": robot_description", ": robot_description_urdf", ": model_file", ": inertia_markers", ": tf",
            ": joint_states", ": clock", ": callbacks")


def look_at_packages() -> Iterator[Remark]:
    """Which packages are there."""
    distribution = os.environ.get("ROS_DISTRO", "unknown")
    middleware = os.environ.get("RMW_IMPLEMENTATION") or "the default middleware"
    yield Remark(False, f"ROS 2 {distribution}, {middleware}")
    known = get_packages_with_prefixes()
    for number, (name, use) in enumerate(_PACKAGES.items()):
        if name in known:
            yield Remark(False, f"package {name}: {known[name]}")
        else:
            yield Remark(number < _NEEDED, f"package {name} is missing; {use} needs it")


def look_at_publishers(topic: str, publishers: Sequence[TopicEndpointInfo], latched: bool) -> Iterator[Remark]:
    """Yield the publishers of a topic; if it must be `latched`, also whether late subscribers receive messages."""
    if not publishers:
        yield Remark(False, f"{topic}: no publisher")
    for info in publishers:
        name = f"{info.node_namespace.rstrip('/')}/{info.node_name}"
        qos = info.qos_profile
        if latched and qos.durability == DurabilityPolicy.VOLATILE:
            yield Remark(True, f"{topic}: {name} is volatile, so subscribers with transient local durability receive "
                            f"nothing; publish it as transient local")
        elif qos.reliability == ReliabilityPolicy.BEST_EFFORT:
            yield Remark(True, f"{topic}: {name} is best effort, so reliable subscribers such as tf2 receive nothing; "
                            f"publish it as reliable")
        else:
            yield Remark(False, f"{topic}: {name}")


def look_at_graph(node: Node) -> Iterator[Remark]:
    """What runs: descriptions, TF, and the node."""
    topics = dict(node.get_topic_names_and_types())
    endings = ("robot_description", "robot_description_sdf", "robot_description_urdf")
    descriptions = [name for name in sorted(topics) if name.rpartition("/")[2] in endings]
    for topic in descriptions or ["/robot_description"]:
        publishers = node.get_publishers_info_by_topic(topic)
        yield from look_at_publishers(topic, publishers, latched=True)
        if len(publishers) > 1:
            yield Remark(True, f"{topic}: {len(publishers)} publishers replace each other's description; stop all but "
                               f"one")
    for topic in ("/tf", "/tf_static"):
        yield from look_at_publishers(topic, node.get_publishers_info_by_topic(topic), topic == "/tf_static")
    ours = sorted(name.removesuffix("check_tf") for name, kinds in node.get_service_names_and_types()
                  if kinds == ["sdf_frames/srv/CheckTf"])
    for namespace in ours:
        yield Remark(False, f"sdf_frames runs in {namespace}; to compare TF with the model:  "
                         f"ros2 service call {namespace}check_tf sdf_frames/srv/CheckTf")
    if not ours:
        yield Remark(False, "the node sdf_frames is not running")


def listen_to_nodes(node: Node, seconds: float) -> dict[str, DiagnosticStatus]:
    """Listen to /diagnostics for so long; return the last status of each subject of the sdf_frames nodes."""
    last: dict[str, DiagnosticStatus] = {}

    def take(message: DiagnosticArray) -> None:
        last.update((status.name, status) for status in message.status if status.name.endswith(SUBJECTS))
    # As these nodes publish it: what they said last comes at once.
    node.create_subscription(DiagnosticArray, "/diagnostics", take, QoSProfile(
        depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL))
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        rclpy.spin_once(node, timeout_sec=0.1)
    return last


def look_at_statuses(statuses: Iterable[DiagnosticStatus]) -> Iterator[Remark]:
    """What the nodes report of themselves; warnings on a description are no problem of this machine."""
    for status in statuses:
        most = DiagnosticStatus.WARN if status.name.endswith(SUBJECTS[0]) else DiagnosticStatus.OK
        if status.level > most:
            yield Remark(True, f"{status.name}: {status.message}")


def main(args: list[str] | None = None) -> int:
    """Print what there is; 1 if something is wrong."""
    parser = argparse.ArgumentParser(prog="doctor", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="time to look for other nodes (default: 2)")
    seconds = parser.parse_args(args).seconds
    rclpy.init()
    node = rclpy.create_node("sdf_frames_doctor")
    statuses = listen_to_nodes(node, seconds)
    # The first place is --resource-path, which this program does not have.
    places = [Remark(False, "place 1: resource_paths, a parameter of the nodes"), *[*look_at_places()][1:]]
    remarks = [*look_at_modules(), *look_at_packages(), *places, *look_at_graph(node),
               *look_at_statuses(statuses.values())]
    node.destroy_node()
    rclpy.try_shutdown()
    sys.stdout.write(write_remarks(remarks))
    return int(any(remark.is_wrong for remark in remarks))


if __name__ == "__main__":
    sys.exit(main())
