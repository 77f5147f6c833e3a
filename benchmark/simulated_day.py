"""A day of joint states: whether the node's transforms are right at their stamps, and whether the node stays small.

    python -m benchmark.simulated_day [HOURS [SECONDS]]

For a shell with ROS and the built package. HOURS of simulated time with states at 10 Hz pass in SECONDS; every
transform on /tf is compared with what its stamp says.
"""
from __future__ import annotations

import json
import sys
import time
from math import cos, sin

from benchmark.node import Listener, read_memory, run_node

_JOINTS = 6
_ROBOT = '<robot name="r"><link name="l0"/>' + "".join(
    f'<link name="l{n + 1}"/><joint name="j{n}" type="continuous"><parent link="l{n}"/><child link="l{n + 1}"/>'
    '<axis xyz="0 0 1"/></joint>' for n in range(_JOINTS)) + "</robot>"


def find_position(tenths: int, joint: int) -> float:
    """The position of a joint at a time."""
    return (tenths * 0.01 + joint) % 6 - 3


def measure(hours: float = 24, seconds: float = 600) -> None:
    """Let a day pass; print how far /tf was off, and what the node holds."""
    from builtin_interfaces.msg import Time
    from rosgraph_msgs.msg import Clock
    from sensor_msgs.msg import JointState
    from tf2_msgs.msg import TFMessage
    listener, count = Listener(), int(hours * 36000)
    worst, last, heard = 0.0, 0, 0
    memory: list[float] = []

    def take(message: TFMessage) -> None:
        nonlocal worst, last, heard
        for t in message.transforms:
            tenths = t.header.stamp.sec * 10 + t.header.stamp.nanosec // 100_000_000
            q = find_position(tenths, int(t.child_frame_id[1:]) - 1)
            z, w = t.transform.rotation.z, t.transform.rotation.w
            sign = 1 if z * sin(q / 2) + w * cos(q / 2) > 0 else -1  # both quaternions are one turn
            worst = max(worst, abs(sign * z - sin(q / 2)), abs(sign * w - cos(q / 2)))
            last, heard = max(last, tenths), heard + 1
    listener.node.create_subscription(TFMessage, "/tf", take, 100)
    clock = listener.node.create_publisher(Clock, "/clock", 10)
    states = listener.node.create_publisher(JointState, "/joint_states", 10)
    state = JointState(name=[f"j{n}" for n in range(_JOINTS)])
    parameters = ("joint_states:=true", "use_sim_time:=true", "monitor:=true",
                  f"robot_description:={json.dumps(_ROBOT)}")
    with run_node("--ros-args", *(word for each in parameters for word in ("-p", each))) as node:
        listener.spin_until(lambda: listener.node.count_publishers("/tf"))
        start = time.monotonic()
        for tenths in range(1, count + 1):
            listener.spin(start + tenths / count * seconds - time.monotonic())
            stamp = Time(sec=tenths // 10, nanosec=tenths % 10 * 100_000_000)
            clock.publish(Clock(clock=stamp))
            state.header.stamp, state.position = stamp, [find_position(tenths, n) for n in range(_JOINTS)]
            states.publish(state)
            if tenths * 20 % count < 20:
                memory.append(read_memory(node))
        listener.spin(2)
    print(f"{count} states of {_JOINTS} joints, {hours:g} simulated hours in {seconds:g} s; {heard} transforms heard")
    print(f"largest difference from what the stamp says: {worst:.1e}; the last transform is {(count - last) / 10:g} s "
          f"behind the last state")
    print(f"memory {memory[1]:.1f} MB after a tenth, {memory[-1]:.1f} MB at the end")


if __name__ == "__main__":
    measure(*map(float, sys.argv[1:]))
