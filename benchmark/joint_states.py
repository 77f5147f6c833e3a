"""Measures the node while it follows joint states, beside robot_state_publisher if it is installed, and beside a
subscriber in rclpy that does nothing.

    python -m benchmark.joint_states [ROUNDS [SECONDS]]

For a shell with ROS and the built package. All programs run at once, so that they see the same machine. Another process
publishes positions of all movable joints, and this one listens to each `/tf`. A row has for each program: the CPU time
for each state that was sent (the least of the rounds), messages on `/tf` for each state, the median time from a state's
stamp to its transforms, and the memory before and after all rounds. The last row has no states: CPU time in per cent of
a core.
"""
from __future__ import annotations

import json
import sys
import tempfile
import time
from contextlib import ExitStack, nullcontext, suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import NamedTuple
from xml.etree import ElementTree

from benchmark.models import CORPUS, GEN3, ROBOTS, URDF_FAMILIES
from benchmark.node import Listener, end_beside, read_cpu, read_memory, run_node, start_beside

_ROBOTS = {"PR2": ROBOTS["PR2"], "gen3": GEN3}
#: Robot, states a second, and the parameter publish_frequency.
ROWS = (("PR2", 50, 50), ("PR2", 200, 200), ("PR2", 1000, 1000), ("gen3", 200, 200), ("chain of 400", 200, 200),
        ("PR2", 0, 200))


class Round(NamedTuple):
    """A program in one round: CPU time per state in µs (without states, in per cent), messages per state, delay in ms.
    """

    cost: float
    messages: float
    delay: float


def publish(pipe: Connection, path: str, hertz: float, programs: int) -> None:
    """Publish states of all movable joints until the pipe ends the measurement; send their number."""
    from sensor_msgs.msg import JointState
    node = Listener().node
    publisher = node.create_publisher(JointState, "joint_states", 10)
    robot = ElementTree.parse(path).getroot()
    state = JointState(name=[j.get("name") for j in robot.findall("joint")
                             if j.get("type") not in ("fixed", "floating")])
    while publisher.get_subscription_count() < programs:  # a program that is found later would miss the first states
        time.sleep(0.05)
    pipe.send("ready")
    start, sent = time.monotonic(), 0
    while not pipe.poll(0.2 / hertz):
        while sent < int((time.monotonic() - start) * hertz):
            state.header.stamp, state.position = node.get_clock().now().to_msg(), [0.1 + sent * 1e-6] * len(state.name)
            publisher.publish(state)
            sent += 1
    pipe.send(sent)


def do_nothing(pipe: Connection) -> None:
    """Subscribe to joint states, and do nothing with them."""
    from rclpy.qos import QoSProfile, ReliabilityPolicy
    from sensor_msgs.msg import JointState
    listener = Listener()
    listener.node.create_subscription(JointState, "joint_states", lambda _: None,
                                      QoSProfile(depth=1000, reliability=ReliabilityPolicy.BEST_EFFORT))
    pipe.send("ready")
    listener.rclpy.spin(listener.node)


def list_programs(file: str, frequency: float) -> dict[str, list[str]]:
    """List the commands of the programs that publish /tf, each with a topic /tf of its own."""
    from ament_index_python.packages import PackageNotFoundError, get_package_prefix
    commands = {}
    for package, program in (("sdf_frames", "sdf_frames_node"), ("robot_state_publisher", "robot_state_publisher")):
        with suppress(PackageNotFoundError):
            commands[package] = [
                f"{get_package_prefix(package)}/lib/{package}/{program}", "--ros-args", "--params-file", file, "-p",
                f"publish_frequency:={float(frequency)}", "-r", f"/tf:=/tf_{package}", "-r",
                f"robot_description:=description_of_{package}"]
    return commands


def measure_round(running: dict[str, int], urdf: Path, hertz: float, seconds: float) -> dict[str, Round]:
    """Publish states for some seconds, and measure each program."""
    from rclpy.qos import QoSProfile
    from rclpy.serialization import deserialize_message
    from tf2_msgs.msg import TFMessage
    listener, heard = Listener(), dict.fromkeys(running, 0)
    delays: dict[str, list[float]] = {name: [] for name in running}

    def take(name: str, data: bytes) -> None:
        now, heard[name] = time.time(), heard[name] + 1
        if heard[name] % 10 == 0:  # reading all takes too long
            stamp = deserialize_message(data, TFMessage).transforms[0].header.stamp
            delays[name].append((now - stamp.sec - stamp.nanosec / 1e9) * 1e3)
    for name in running:
        listener.node.create_subscription(TFMessage, f"/tf_{name}", partial(take, name), QoSProfile(depth=1000),
                                          raw=True)
    listener.spin(1)
    with start_beside(publish, str(urdf), hertz, len(running)) if hertz else nullcontext((0, None)) as (_, pipe):
        listener.spin(2)
        before = {name: read_cpu(pid) for name, pid in running.items()}
        listener.spin(seconds)
        used = {name: read_cpu(pid) - before[name] for name, pid in running.items()}
        sent = end_beside(pipe) if pipe else 0
        listener.spin(0.5)
    listener.rclpy.shutdown()
    return {name: Round(used[name] / (hertz * seconds) * 1e6 if hertz else used[name] / seconds * 100,
                        heard[name] / sent if sent else 0, median(found) if found else 0)
            for name, found in delays.items()}


def measure(robot: str, hertz: float, frequency: float, rounds: int, seconds: float) -> None:
    """Print a row of the table."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        urdf, file = Path(folder, "robot.urdf"), Path(folder, "parameters.yaml")
        urdf.write_text((CORPUS / _ROBOTS[robot]).read_text() if robot in _ROBOTS else
                        URDF_FAMILIES["chain, all revolute"](401))
        file.write_text("/**:\n  ros__parameters:\n    joint_states: true\n    robot_description: "
                        + json.dumps(urdf.read_text()) + "\n")
        running = {"nothing": stack.enter_context(start_beside(do_nothing))[0]}
        for name, (program, *words) in list_programs(str(file), frequency).items():
            running[name] = stack.enter_context(run_node(*words, program=program))
        time.sleep(10)
        before = {name: read_memory(pid) for name, pid in running.items()}
        found = [measure_round(running, urdf, hertz, seconds) for _ in range(rounds)]
        after = {name: read_memory(pid) for name, pid in running.items()}
    print(f"{robot}, {hertz} states a second, publish_frequency {frequency}:")
    for name in running:
        costs, *rest = zip(*(row[name] for row in found))
        cost, (messages, delay) = min(costs), map(median, rest)
        print(f"  {name} {cost:.1f} {'µs' if hertz else '%'}, {messages:.2f} messages a state, {delay:.1f} ms, "
              f"{before[name]:.1f} MB before, {after[name]:.1f} MB after", flush=True)


if __name__ == "__main__":
    words = sys.argv[1:]
    for row in ROWS:
        measure(*row, int(words[0]) if words else 3, float(words[1]) if words[1:] else 10)
