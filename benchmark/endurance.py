"""Whether the node keeps up and stays small: descriptions that come fast, and a day of joint states.

    python -m benchmark.endurance descriptions [COUNT [HERTZ]]
    python -m benchmark.endurance joint_states [HOURS [SECONDS]]

For a shell with ROS and the built package. `descriptions`: every third one is broken, and another process calls
`resolve_frame` without a pause. A good one that was not heard on /tf_static was either superseded (the next one had
been sent before the node was through with the one before), or published and replaced before this process got it, or
neither of the two. On a machine that keeps the node waiting, DDS replaces messages too, and these are of the third
kind. `joint_states`: HOURS of simulated time with states at 10 Hz pass in SECONDS; every transform on /tf is compared
with what its stamp says.
"""
from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from math import cos, sin
from pathlib import Path
from statistics import median
from typing import IO, Any

from benchmark.stops import list_descendants

_LINK = ('<link name="{}"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
         "</inertial></link>")
_JOINT = '<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/><axis xyz="0 0 1"/></joint>'
_JOINTS = 6


def write_robot(name: str) -> str:
    """A chain of `_JOINTS` continuous joints, with a frame of its own name at the end."""
    links = "".join(_LINK.format(f"l{n}") for n in range(_JOINTS + 1))
    joints = "".join(_JOINT.format(f"j{n}", "continuous", f"l{n}", f"l{n + 1}") for n in range(_JOINTS))
    end = _LINK.format(name) + _JOINT.format("end", "fixed", f"l{_JOINTS}", name)
    return f'<robot name="r">{links}{joints}{end}</robot>'


def read_memory(pid: int) -> float:
    """Megabytes that a process and those that it started hold."""
    total = 0
    for process in (pid, *list_descendants(pid)):
        status = Path(f"/proc/{process}/status").read_text()
        total += int(status.partition("VmRSS:")[2].split()[0])
    return total / 1024


def start_node(*parameters: str, log: IO[str] | None = None) -> subprocess.Popen[bytes]:
    """Start the node, silent, or with its log in a file."""
    from ament_index_python.packages import get_package_prefix
    program = Path(get_package_prefix("sdf_frames"), "lib/sdf_frames/sdf_frames_node")
    words = [word for parameter in parameters for word in ("-p", parameter)]
    level = "fatal" if log is None else "info"
    return subprocess.Popen([program, "--ros-args", "--log-level", level, *words], stdin=subprocess.DEVNULL,
                            stdout=log, stderr=log)


def explain_missing(sent: dict[int, float], missing: Iterable[int], log: str, first: int) -> Counter[str]:
    """Why descriptions were not heard on /tf_static, and how many for each reason.

    Parameters
    ----------
    sent : when each was sent, in seconds of the epoch.
    missing : those that were not heard.
    log : what the node wrote; the description N is that with `first` + N characters.
    """
    through: dict[int, float] = {}
    for part in log.split("Received robot_description")[1:]:
        length = re.search(r"(\d+) characters", part)
        stamps = re.findall(r"\[(\d+\.\d+)\] \[sdf_frames\]: (?!A newer)", part.rpartition("\n")[0])
        if length and stamps:
            through[int(length[1]) - first] = float(stamps[-1])
    reasons: Counter[str] = Counter()
    for number in missing:
        before = max((through[n] for n in through if n < number), default=0.0)
        is_superseded = number + 1 in sent and sent[number + 1] <= before
        reasons["published" if number in through else "superseded" if is_superseded else "unexplained"] += 1
    return reasons


def prepare() -> tuple[Any, Any, Any]:
    """rclpy, a node, and the QoS of descriptions and of what is kept."""
    import rclpy
    from rclpy.qos import DurabilityPolicy, QoSProfile
    rclpy.init()
    return rclpy, rclpy.create_node("enduring"), QoSProfile(depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL)


def wait_for_publisher(rclpy: Any, node: Any, topic: str) -> None:
    """Wait until the node is up."""
    while not node.count_publishers(topic):
        rclpy.spin_once(node, timeout_sec=0.1)


def measure_descriptions(count: int, hertz: float, log: IO[str]) -> None:
    """Publish descriptions; print when they came out, and what the node holds, whose log goes to a file."""
    from std_msgs.msg import String
    from tf2_msgs.msg import TFMessage
    rclpy, node, kept = prepare()
    came: dict[int, float] = {}

    def take(message: TFMessage) -> None:
        for t in message.transforms:
            if t.child_frame_id.startswith("robot"):
                came.setdefault(int(t.child_frame_id[5:]), time.time())
    node.create_subscription(TFMessage, "/tf_static", take, kept)
    publisher = node.create_publisher(String, "robot_description", kept)
    running = start_node(log=log)
    caller = subprocess.Popen([sys.executable, "-m", "benchmark.node_times", "--call"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True)
    assert caller.stdout is not None
    caller.stdout.readline()
    wait_for_publisher(rclpy, node, "/tf_static")
    sent: dict[int, float] = {}
    memory: list[float] = []
    # Each has a length of its own, by which the log names it.
    first = len(write_robot(f"robot{count}")) + len("<!---->")
    try:
        start = time.monotonic()
        for number in range(count):
            text = write_robot(f"robot{number}")
            text = text[:-20] if number % 3 == 1 else text
            text += f"<!--{'.' * (first + number - len(text) - 7)}-->"
            while (left := start + number / hertz - time.monotonic()) > 0:
                rclpy.spin_once(node, timeout_sec=left)
            sent[number] = time.time()
            publisher.publish(String(data=text))
            if number % 100 == 99:
                memory.append(read_memory(running.pid))
        end = time.monotonic() + 2
        while time.monotonic() < end:
            rclpy.spin_once(node, timeout_sec=0.1)
        answers = json.loads(caller.communicate("")[0])
    finally:
        running.terminate()
        running.wait()
        caller.kill()
    good = [number for number in sent if number % 3 != 1]
    late = sorted(came[number] - sent[number] for number in good if number in came)
    log.seek(0)
    missing = [number for number in good if number not in came]
    reasons = explain_missing(sent, missing, log.read(), first)
    print(f"{len(late)} of {len(good)} good descriptions of {count} at {hertz:g} Hz heard, after {median(late):.3f} s, "
          f"at most {late[-1]:.3f} s; others: " + ", ".join(f"{n} {reason}" for reason, n in sorted(reasons.items())))
    print(f"{len(answers)} answers of resolve_frame, after {median(answers):.4f} s, at most {max(answers):.3f} s")
    print(f"memory {memory[0]:.1f} MB after 100, {memory[-1]:.1f} MB after {100 * len(memory)}: "
          f"{(memory[-1] / memory[0] - 1) * 100:+.2f} %")


def measure_joint_states(hours: float, seconds: float) -> None:
    """Let a day pass; print how far /tf was off, and what the node holds."""
    from builtin_interfaces.msg import Time
    from rclpy.qos import QoSProfile
    from rosgraph_msgs.msg import Clock
    from sensor_msgs.msg import JointState
    from tf2_msgs.msg import TFMessage
    rclpy, node, _ = prepare()
    count = int(hours * 36000)
    worst, last, heard = 0.0, 0, 0

    def find_position(tenths: int, joint: int) -> float:
        return (tenths * 0.01 + joint) % 6 - 3

    def take(message: TFMessage) -> None:
        nonlocal worst, last, heard
        for t in message.transforms:
            tenths = t.header.stamp.sec * 10 + t.header.stamp.nanosec // 100_000_000
            q = find_position(tenths, int(t.child_frame_id[1:]) - 1)
            z, w = t.transform.rotation.z, t.transform.rotation.w
            sign = 1 if z * sin(q / 2) + w * cos(q / 2) > 0 else -1  # both quaternions are one turn
            worst = max(worst, abs(sign * z - sin(q / 2)), abs(sign * w - cos(q / 2)))
            last, heard = max(last, tenths), heard + 1
    node.create_subscription(TFMessage, "/tf", take, QoSProfile(depth=100))
    clock, states = node.create_publisher(Clock, "/clock", 10), node.create_publisher(JointState, "/joint_states", 10)
    running = start_node("joint_states:=true", "use_sim_time:=true", "monitor:=true",
                         f"robot_description:={json.dumps(write_robot('end_of_arm'))}")
    memory: list[float] = []
    try:
        wait_for_publisher(rclpy, node, "/tf")
        state = JointState(name=[f"j{n}" for n in range(_JOINTS)])
        start = time.monotonic()
        for tenths in range(1, count + 1):
            while (left := start + tenths / count * seconds - time.monotonic()) > 0:
                rclpy.spin_once(node, timeout_sec=left)
            stamp = Time(sec=tenths // 10, nanosec=tenths % 10 * 100_000_000)
            clock.publish(Clock(clock=stamp))
            state.header.stamp, state.position = stamp, [find_position(tenths, n) for n in range(_JOINTS)]
            states.publish(state)
            if tenths * 20 % count < 20:
                memory.append(read_memory(running.pid))
        end = time.monotonic() + 2
        while time.monotonic() < end:
            rclpy.spin_once(node, timeout_sec=0.1)
    finally:
        running.terminate()
        running.wait()
    print(f"{count} states of {_JOINTS} joints, {hours:g} simulated hours in {seconds:g} s; {heard} transforms heard")
    print(f"largest difference from what the stamp says: {worst:.1e}; the last transform is {(count - last) / 10:g} s "
          f"behind the last state")
    print(f"memory {memory[1]:.1f} MB after {2 * hours / 20:g} h, {memory[-1]:.1f} MB at the end: "
          f"{(memory[-1] / memory[1] - 1) * 100:+.2f} %")


if __name__ == "__main__":
    what, *words = sys.argv[1:]
    if what == "descriptions":
        with tempfile.TemporaryFile("w+") as log:
            measure_descriptions(int(words[0]) if words else 1000, float(words[1]) if words[1:] else 20, log)
    else:
        measure_joint_states(float(words[0]) if words else 24, float(words[1]) if words[1:] else 600)
