"""Whether the node keeps up and stays small: descriptions that come fast, and a day of joint states.

    python -m benchmark.endurance descriptions [COUNT [HERTZ]]
    python -m benchmark.endurance joint_states [HOURS [SECONDS]]

For a shell with ROS and the built package. `descriptions`: every third one is broken, and another process calls
`resolve_frame` without a pause. A good one that is not heard on /tf_static was superseded: the next one came before the
node, or DDS, was through with it.
`joint_states`: HOURS of simulated time with states at 10 Hz pass in SECONDS; every transform on /tf is compared
with what its stamp says.
"""
from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import cos, sin
from pathlib import Path
from statistics import median

from benchmark.stops import find_node, list_descendants

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


class Ground:
    """A node of ours beside the one that is measured, and the memory that this one held."""

    def __init__(self) -> None:
        import rclpy
        from rclpy.qos import DurabilityPolicy, QoSProfile
        rclpy.init()
        self.rclpy, self.node = rclpy, rclpy.create_node("enduring")
        self.kept = QoSProfile(depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self.memory: list[float] = []

    @contextmanager
    def run_node(self, topic: str, *parameters: str) -> Iterator[Callable[[], None]]:
        """Run the node, silent, from when it publishes a topic; yields what notes its memory."""
        words = [word for parameter in parameters for word in ("-p", parameter)]
        running = subprocess.Popen([find_node(), "--ros-args", "--log-level", "fatal", *words],
                                   stdin=subprocess.DEVNULL)

        def note_memory() -> None:
            some = [Path(f"/proc/{pid}/status").read_text() for pid in (running.pid, *list_descendants(running.pid))]
            self.memory.append(sum(int(text.partition("VmRSS:")[2].split()[0]) for text in some) / 1024)
        try:
            while not self.node.count_publishers(topic):
                self.rclpy.spin_once(self.node, timeout_sec=0.1)
            yield note_memory
        finally:
            running.terminate()
            running.wait()

    def spin_until(self, end: float) -> None:
        """Hear what comes until a moment."""
        while (left := end - time.monotonic()) > 0:
            self.rclpy.spin_once(self.node, timeout_sec=left)

    def describe_memory(self, first: int, when: str) -> str:
        """How the memory grew since a look."""
        before, after = self.memory[first], self.memory[-1]
        return f"memory {before:.1f} MB after {when}, {after:.1f} MB at the end: {(after / before - 1) * 100:+.2f} %"


def measure_descriptions(count: float = 1000, hertz: float = 20) -> None:
    """Publish descriptions; print when they came out, and what the node holds."""
    from std_msgs.msg import String
    from tf2_msgs.msg import TFMessage
    ground = Ground()
    came: dict[int, float] = {}

    def take(message: TFMessage) -> None:
        for t in message.transforms:
            if t.child_frame_id.startswith("robot"):
                came.setdefault(int(t.child_frame_id[5:]), time.time())
    ground.node.create_subscription(TFMessage, "/tf_static", take, ground.kept)
    publisher = ground.node.create_publisher(String, "robot_description", ground.kept)
    sent: dict[int, float] = {}
    with ground.run_node("/tf_static") as note_memory, subprocess.Popen(
            [sys.executable, "-m", "benchmark.node_times", "--call"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True) as caller:
        assert caller.stdout is not None
        caller.stdout.readline()
        start = time.monotonic()
        for number in range(int(count)):
            text = write_robot(f"robot{number}")
            ground.spin_until(start + number / hertz)
            sent[number] = time.time()
            publisher.publish(String(data=text[:-20] if number % 3 == 1 else text))
            if number % 100 == 99:
                note_memory()
        ground.spin_until(time.monotonic() + 2)
        answers = json.loads(caller.communicate("")[0])
    good = [number for number in sent if number % 3 != 1]
    late = sorted(came[number] - sent[number] for number in good if number in came)
    print(f"{len(late)} of {len(good)} good descriptions of {count:g} at {hertz:g} Hz heard, after "
          f"{median(late):.3f} s, at most {late[-1]:.3f} s")
    print(f"{len(answers)} answers of resolve_frame, after {median(answers):.4f} s, at most {max(answers):.3f} s")
    print(ground.describe_memory(0, "100"))


def measure_joint_states(hours: float = 24, seconds: float = 600) -> None:
    """Let a day pass; print how far /tf was off, and what the node holds."""
    from builtin_interfaces.msg import Time
    from rosgraph_msgs.msg import Clock
    from sensor_msgs.msg import JointState
    from tf2_msgs.msg import TFMessage
    ground, count = Ground(), int(hours * 36000)
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
    ground.node.create_subscription(TFMessage, "/tf", take, 100)
    clock = ground.node.create_publisher(Clock, "/clock", 10)
    states = ground.node.create_publisher(JointState, "/joint_states", 10)
    state = JointState(name=[f"j{n}" for n in range(_JOINTS)])
    with ground.run_node("/tf", "joint_states:=true", "use_sim_time:=true", "monitor:=true",
                         f"robot_description:={json.dumps(write_robot('end_of_arm'))}") as note_memory:
        start = time.monotonic()
        for tenths in range(1, count + 1):
            ground.spin_until(start + tenths / count * seconds)
            stamp = Time(sec=tenths // 10, nanosec=tenths % 10 * 100_000_000)
            clock.publish(Clock(clock=stamp))
            state.header.stamp, state.position = stamp, [find_position(tenths, n) for n in range(_JOINTS)]
            states.publish(state)
            if tenths * 20 % count < 20:
                note_memory()
        ground.spin_until(time.monotonic() + 2)
    print(f"{count} states of {_JOINTS} joints, {hours:g} simulated hours in {seconds:g} s; {heard} transforms heard")
    print(f"largest difference from what the stamp says: {worst:.1e}; the last transform is {(count - last) / 10:g} s "
          f"behind the last state")
    print(ground.describe_memory(1, f"{2 * hours / 20:g} h"))


if __name__ == "__main__":
    what, *words = sys.argv[1:]
    {"descriptions": measure_descriptions, "joint_states": measure_joint_states}[what](*map(float, words))
