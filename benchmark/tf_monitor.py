"""What the parameter `monitor` costs while TF comes fast, and how soon it reports a second parent.

    python -m benchmark.tf_monitor FILE [HERTZ [SECONDS [COUNT]]]

For a shell with ROS and the built package. Another process plays robot_state_publisher for the URDF or SDF: all that
moves is in one message on /tf, HERTZ times a second. A second parent of a fixed frame is planted COUNT times.
"""
from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from benchmark.ros_load import read_cpu, send_steadily


def publish(path: str, hertz: float) -> None:
    """Publish TF of a robot until standard input ends."""
    import rclpy
    from builtin_interfaces.msg import Time
    from rclpy.serialization import serialize_message
    from tf2_msgs.msg import TFMessage

    from sdf_frames.load import load_file
    from sdf_frames.ros.messages import to_transform
    from sdf_frames.ros.publishing import LATCHED
    rclpy.init()
    node = rclpy.create_node("moving")
    tree = load_file(path).tf_tree()
    ours = {t.child for t in tree.select("complement")}
    theirs = [t for t in tree.transforms if t.child not in ours]
    moving, still = (TFMessage(transforms=[to_transform(t.parent, t.child, t.pose, Time()) for t in theirs
                                           if t.movable == movable]) for movable in (True, False))
    node.create_publisher(TFMessage, "/tf_static", LATCHED).publish(still)
    publisher = node.create_publisher(TFMessage, "/tf", 100)
    data = serialize_message(moving)
    rate = send_steadily(lambda _: publisher.publish(data), hertz)
    print(f"published {rate:.0f} messages of {len(moving.transforms)} transforms a second", flush=True)


def plant_often(path: str, count: int) -> list[float]:
    """Plant a second parent and take it away; return the seconds until each was reported by name."""
    import rclpy
    from builtin_interfaces.msg import Time
    from diagnostic_msgs.msg import DiagnosticArray
    from tf2_msgs.msg import TFMessage

    from sdf_frames.load import load_file
    from sdf_frames.ros.messages import to_transform
    from sdf_frames.ros.publishing import LATCHED
    child = next(t for t in load_file(path).tf_tree().transforms if not t.movable).child
    rclpy.init()
    node = rclpy.create_node("planting")
    reported: list[bool] = []

    def take(message: DiagnosticArray) -> None:
        for status in message.status:
            if status.name.endswith(": tf"):
                reported.append(any(v.key.startswith("T006") and repr(child) in v.value for v in status.values))
    node.create_subscription(DiagnosticArray, "/diagnostics", take, LATCHED)

    def wait_for(value: bool) -> None:
        while not reported or reported[-1] != value:
            rclpy.spin_once(node, timeout_sec=0.05)
    taken = []
    for turn in range(count):
        wait_for(False)
        time.sleep(1 + 0.1 * (turn % 10))
        publisher = node.create_publisher(TFMessage, "/tf_static", LATCHED)
        start = time.monotonic()
        publisher.publish(TFMessage(transforms=[to_transform("planted", child, (0, 0, 0, 1, 0, 0, 0), Time())]))
        wait_for(True)
        taken.append(time.monotonic() - start)
        node.destroy_publisher(publisher)
    rclpy.shutdown()
    return taken


def measure(path: str, hertz: float, seconds: float, count: int) -> None:
    """Start the node without and with the monitor; print what it used."""
    from ament_index_python.packages import get_package_prefix
    program = Path(get_package_prefix("sdf_frames"), "lib/sdf_frames/sdf_frames_node")
    for monitor in ("false", "true"):
        node = subprocess.Popen([program, "--ros-args", "--log-level", "fatal", "-p", "tf_mode:=complement", "-p",
                                 f"monitor:={monitor}", "-p", f"model_file:={os.path.abspath(path)}"],
                                stdin=subprocess.DEVNULL)
        moving = subprocess.Popen([sys.executable, "-m", "benchmark.tf_monitor", "--publish", path, str(hertz)],
                                  stdin=subprocess.PIPE)
        try:
            time.sleep(15)
            before, start = read_cpu(node.pid), time.monotonic()
            time.sleep(seconds)
            used = (read_cpu(node.pid) - before) / (time.monotonic() - start)
            print(f"monitor {monitor}: {used * 100:.2f} % of a core, worker processes included")
            if monitor == "true":
                taken = plant_often(path, count)
                print(f"a second parent is reported after {median(taken):.2f} s, at most {max(taken):.2f} s "
                      f"({count} times)")
        finally:
            moving.communicate()
            node.terminate()
            node.wait()


if __name__ == "__main__":
    words = sys.argv[1:]
    if words[0] == "--publish":
        publish(words[1], float(words[2]))
    else:
        measure(words[0], float(words[1]) if words[1:] else 1000, float(words[2]) if words[2:] else 20,
                int(words[3]) if words[3:] else 20)
