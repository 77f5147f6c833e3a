"""What the node costs while it follows joint states, beside robot_state_publisher if that is installed, and beside a
subscriber in rclpy that does nothing.

    python -m benchmark.joint_states [ROUNDS [SECONDS]]      # the table of docs/project/speed.md
    python -m benchmark.joint_states --inside                # one state in one process, without DDS

For a shell with ROS and the built package. All programs run at once, so that they see the same machine; another process
publishes positions of all movable joints, and another one listens to each `/tf`. A row has for each program the CPU
time for each state that was sent (the median over the rounds), messages on `/tf` for each state, and the median time
from a state's stamp to its transforms. `idle` has no states: per cent of a core.
"""
from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any
from xml.etree import ElementTree

from benchmark.models import CORPUS, ROBOTS, URDF_FAMILIES
from benchmark.ros_load import read_cpu, send_steadily, watch_standard_input

GEN3 = "Kinovarobotics+ros_kortex/kortex_description/arms/gen3/7dof/urdf/GEN3-7DOF-VISION_ARM_URDF_V12.urdf"
#: Robot, states a second, and the parameter publish_frequency.
ROWS = (("PR2", 50, 50), ("PR2", 200, 200), ("PR2", 1000, 1000), ("gen3", 200, 200), ("chain of 400", 200, 200),
        ("PR2", 0, 200))
NODES = ("sdf_frames", "robot_state_publisher")


def read_robot(name: str) -> str:
    """URDF of a robot of the table."""
    if name == "chain of 400":
        return URDF_FAMILIES["chain, all revolute"](401)
    return (CORPUS / (ROBOTS["PR2"] if name == "PR2" else GEN3)).read_text()


def publish(path: str, hertz: float) -> None:
    """Publish states of all movable joints until standard input ends; print how many."""
    import rclpy
    from rclpy.serialization import serialize_message
    from sensor_msgs.msg import JointState

    from sdf_frames.ros.serialised import StateBytes
    rclpy.init()
    node = rclpy.create_node("moving")
    publisher = node.create_publisher(JointState, "joint_states", 10)
    robot = ElementTree.parse(path).getroot()
    names = [j.get("name") for j in robot.findall("joint") if j.get("type") not in ("fixed", "floating")]
    state = JointState(name=names, position=[0.1] * len(names), velocity=[0.0] * len(names), effort=[0.0] * len(names))
    data = bytearray(serialize_message(state))
    places = StateBytes().read(bytes(data))[0]
    import numpy as np

    def send(count: int) -> None:
        now = time.time_ns()
        data[places.seconds:places.seconds + 8] = np.array(divmod(now, 10**9), dtype="i4").tobytes()
        end = places.positions + 8 * len(names)
        data[places.positions:end] = np.full(len(names), 0.1 + count * 1e-6).tobytes()
        publisher.publish(bytes(data))
    while publisher.get_subscription_count() < 2:
        time.sleep(0.05)
    start = time.monotonic()
    rate = send_steadily(send, hertz)
    print(round(rate * (time.monotonic() - start)), flush=True)


def listen(topics: list[str]) -> None:
    """Count messages until standard input ends; print for each topic how many, and the median delay in ms."""
    import rclpy
    from rclpy.qos import QoSProfile
    from rclpy.serialization import deserialize_message
    from tf2_msgs.msg import TFMessage
    rclpy.init()
    node, over = rclpy.create_node("listening"), watch_standard_input()
    heard: dict[str, list[float]] = {topic: [] for topic in topics}
    turns = [0]

    def take(topic: str, data: bytes) -> None:
        turns[0] += 1
        if turns[0] % 10:
            heard[topic].append(-1.0)
            return
        now, message = time.time(), deserialize_message(data, TFMessage)
        stamp = message.transforms[0].header.stamp
        heard[topic].append(now - stamp.sec - stamp.nanosec / 1e9)
    for topic in topics:
        node.create_subscription(TFMessage, topic, partial(take, topic), QoSProfile(depth=1000), raw=True)
    print("ready", flush=True)
    while not over.is_set():
        rclpy.spin_once(node, timeout_sec=0.1)
    delays = {topic: [d for d in found if d >= 0] for topic, found in heard.items()}
    print(json.dumps({topic: (len(found), median(delays[topic]) * 1e3 if delays[topic] else None)
                      for topic, found in heard.items()}), flush=True)


def do_nothing() -> None:
    """Subscribe to joint states, and do nothing with them."""
    import rclpy
    from rclpy.qos import QoSProfile, ReliabilityPolicy
    from sensor_msgs.msg import JointState
    rclpy.init()
    node = rclpy.create_node("nothing")
    node.create_subscription(JointState, "joint_states", lambda _: None,
                             QoSProfile(depth=1000, reliability=ReliabilityPolicy.BEST_EFFORT))
    rclpy.spin(node)


def start_role(*words: str) -> subprocess.Popen[str]:
    """Start another role of this file."""
    return subprocess.Popen([sys.executable, "-m", "benchmark.joint_states", *words], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, text=True)


def start_programs(file: str, frequency: float) -> dict[str, subprocess.Popen[Any]]:
    """Start all programs that are compared, each with a topic /tf of its own."""
    from ament_index_python.packages import PackageNotFoundError, get_package_prefix
    running: dict[str, subprocess.Popen[Any]] = {"nothing": start_role("--nothing")}
    for package, program in zip(NODES, ("sdf_frames_node", "robot_state_publisher")):
        try:
            path = f"{get_package_prefix(package)}/lib/{package}/{program}"
        except PackageNotFoundError:
            continue
        running[package] = subprocess.Popen(
            [path, "--ros-args", "--params-file", file, "-p", f"publish_frequency:={float(frequency)}", "-r",
             f"/tf:=/tf_{package}", "-r", f"robot_description:=description_of_{package}", "--log-level", "error"],
            stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return running


def measure(robot: str, hertz: float, frequency: float, rounds: int, seconds: float) -> None:
    """Print a row of the table."""
    with tempfile.TemporaryDirectory() as folder:
        urdf, file = Path(folder, "robot.urdf"), Path(folder, "parameters.yaml")
        urdf.write_text(read_robot(robot))
        file.write_text("/**:\n  ros__parameters:\n    joint_states: true\n    robot_description: "
                        + json.dumps(urdf.read_text()) + "\n")
        running = start_programs(str(file), frequency)
        rows: dict[str, list[tuple[float, float, float | None]]] = {name: [] for name in running}
        try:
            time.sleep(10)
            for _ in range(rounds):
                listener = start_role("--listen", *[f"/tf_{name}" for name in running if name in NODES])
                assert listener.stdout is not None
                listener.stdout.readline()
                time.sleep(1)
                states = start_role("--publish", str(urdf), str(hertz)) if hertz else None
                time.sleep(2)
                before = {name: read_cpu(process.pid) for name, process in running.items()}
                time.sleep(seconds)
                used = {name: read_cpu(process.pid) - before[name] for name, process in running.items()}
                sent = int(states.communicate("")[0]) if states is not None else 0
                heard = json.loads(listener.communicate("")[0])
                for name in running:
                    count, delay = heard.get(f"/tf_{name}", (0, None))
                    cost = used[name] / (hertz * seconds) * 1e6 if hertz else used[name] / seconds * 100
                    rows[name].append((cost, count / sent if sent else 0, delay))
        finally:
            for name, process in running.items():
                (process.kill if name == "nothing" else process.terminate)()  # rclpy may hang at the end
                process.wait()
    cells = [f"{name} {median(r[0] for r in found):.{0 if hertz else 2}f} {'µs' if hertz else '%'}"
             + (f", {median(r[1] for r in found):.2f} messages a state, {median(r[2] or -1 for r in found):.1f} ms"
                if name in NODES and hertz else "") for name, found in rows.items()]
    print(f"{robot} {hertz}/{frequency}: {'; '.join(cells)}", flush=True)


def measure_inside() -> None:
    """Print the CPU time of a state from its bytes to the bytes of its transforms, and of its parts."""
    import numpy as np
    from builtin_interfaces.msg import Time
    from rclpy.serialization import serialize_message
    from sensor_msgs.msg import JointState

    from sdf_frames.frames.joint_tracker import JointTracker
    from sdf_frames.frames.moving_edges import build_moving_edges
    from sdf_frames.load import load_text
    from sdf_frames.ros.messages import to_transform
    from sdf_frames.ros.serialised import StateBytes, TfBytes
    from sdf_frames.spatial.pose import IDENTITY
    for robot in ("PR2", "gen3", "chain of 400"):
        loaded = load_text(read_robot(robot))
        edges = build_moving_edges(loaded.graphs[0], loaded.robot)
        tracker, states = JointTracker(edges), StateBytes()
        tf = TfBytes([to_transform(edge.parent, edge.child, IDENTITY, Time()) for edge in edges])
        names = [edge.steps[0].joint.name for edge in edges]
        data = serialize_message(JointState(name=names, position=[0.1] * len(names)))
        places = tracker.find_places(names)
        best = [np.inf] * 3
        for _ in range(20):
            taken = [0.0] * 3
            for stamp in range(100):
                marks = [time.process_time()]
                positions = states.read(data)[3]
                marks.append(time.process_time())
                tracker.hear_places(places, positions, stamp)
                moved = tracker.take()
                marks.append(time.process_time())
                tf.write(moved)
                marks.append(time.process_time())
                taken = [t + (b - a) * 1e4 for t, a, b in zip(taken, marks, marks[1:])]
            best = min(best, taken, key=sum)
        print(f"{robot}: {sum(best):.1f} µs: read {best[0]:.1f}, kinematics {best[1]:.1f}, write {best[2]:.1f}")


if __name__ == "__main__":
    role, *words = sys.argv[1:] or [""]
    if role == "--publish":
        publish(words[0], float(words[1]))
    elif role == "--listen":
        listen(words)
    elif role == "--nothing":
        do_nothing()
    elif role == "--inside":
        measure_inside()
    else:
        for row in ROWS:
            measure(*row, int(role or 3), float(words[0]) if words else 10)
