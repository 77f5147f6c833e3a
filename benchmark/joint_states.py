"""What the node costs while it follows joint states, beside robot_state_publisher if that is installed.

    python -m benchmark.joint_states FILE [HERTZ [SECONDS]]

For a shell with ROS and the built package. Another process publishes positions of all movable joints of the URDF.
"""
from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

from benchmark.ros_load import read_cpu, send_steadily


def publish(path: str, hertz: float) -> None:
    """Publish states of all movable joints until standard input ends."""
    import rclpy
    from sensor_msgs.msg import JointState
    rclpy.init()
    node = rclpy.create_node("moving")
    publisher = node.create_publisher(JointState, "joint_states", 10)
    robot = ElementTree.parse(path).getroot()
    movable = [j.get("name") for j in robot.findall("joint") if j.get("type") not in ("fixed", "floating")]
    state = JointState(name=movable)

    def send(count: int) -> None:
        state.position = [0.1 + count * 1e-6] * len(state.name)
        state.header.stamp = node.get_clock().now().to_msg()
        publisher.publish(state)

    print(f"published {send_steadily(send, hertz):.0f} states of {len(state.name)} joints a second", flush=True)


def measure(path: str, hertz: float, seconds: float) -> None:
    """Start the programs, then the states; print what each of them used."""
    from ament_index_python.packages import PackageNotFoundError, get_package_prefix
    text = Path(path).read_text().replace('"', "'")
    parameters = Path("/tmp") / f"joint_states_{os.getpid()}.yaml"
    quoted = text.replace("\\", "\\\\").replace("\n", "\\n")
    parameters.write_text(f'/**:\n  ros__parameters:\n    joint_states: true\n    robot_description: "{quoted}"\n')
    running = {}
    for package, program in (("sdf_frames", "sdf_frames_node"), ("robot_state_publisher", "robot_state_publisher")):
        try:
            command = [f"{get_package_prefix(package)}/lib/{package}/{program}", "--ros-args", "--params-file",
                       str(parameters), "--log-level", "error"]
            running[package] = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except PackageNotFoundError:
            print(f"{package} is not installed")
    states = None
    try:
        time.sleep(8)
        states = subprocess.Popen([sys.executable, "-m", "benchmark.joint_states", "--publish", path, str(hertz)],
                                  stdin=subprocess.PIPE)
        time.sleep(3)
        before = {name: read_cpu(process.pid) for name, process in running.items()}
        start = time.monotonic()
        time.sleep(seconds)
        taken = time.monotonic() - start
        for name, process in running.items():
            print(f"{name}: {(read_cpu(process.pid) - before[name]) / taken * 100:.1f} % of a core")
    finally:
        if states is not None:
            states.communicate()
        for process in running.values():
            process.terminate()
            process.wait()
        parameters.unlink()


if __name__ == "__main__":
    words = sys.argv[1:]
    if words[0] == "--publish":
        publish(words[1], float(words[2]))
    else:
        measure(words[0], float(words[1]) if words[1:] else 1000, float(words[2]) if words[2:] else 10)
