"""How long the node takes to publish a description's TF, and how long it keeps a service waiting meanwhile.

    python -m benchmark.node_times [FILE | LINKS] [COUNT]

For a shell with ROS and the built package. FILE is a description, LINKS the number of links of a generated URDF. The
description is published COUNT times, each time with another comment, and the order of two names changed so that TF
changes, too. Another process calls `resolve_frame` without a pause meanwhile; another one calls `get_frames` once after
each description.
"""
from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from benchmark.models import URDF_FAMILIES
from benchmark.ros_load import watch_standard_input


def _prepare(name: str):
    import rclpy
    from rclpy.qos import DurabilityPolicy, QoSProfile
    rclpy.init()
    return rclpy, rclpy.create_node(name), QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


def _call(rclpy, node, kind, name: str, patience: float = 120.0) -> float:
    """Seconds until the answer of a service."""
    client = node.create_client(kind, name)
    assert client.wait_for_service(patience), name
    start = time.perf_counter()
    future = client.call_async(kind.Request())
    rclpy.spin_until_future_complete(node, future, timeout_sec=patience)
    taken = time.perf_counter() - start
    node.destroy_client(client)
    return taken


def publish_often(text: str, count: int) -> list[dict]:
    """Publish a description `count` times; return seconds until TF came, and of one call of get_frames."""
    from std_msgs.msg import String
    from tf2_msgs.msg import TFMessage

    from sdf_frames import srv
    rclpy, node, latched = _prepare("publishing")
    heard: list = []
    publisher = node.create_publisher(String, "robot_description", latched)
    node.create_subscription(TFMessage, "/tf_static", lambda _: heard.append(time.perf_counter()), latched, raw=True)
    while not publisher.get_subscription_count():
        time.sleep(0.05)
    rows = []
    for turn in range(count):
        # A new frame each time: otherwise TF is not published again.
        changed = text.replace("</robot>",
                               f'<link name="turn_{turn}"/><joint name="turn_{turn}_joint" type="fixed"><parent link="'
                               f'{_first_link(text)}"/><child link="turn_{turn}"/></joint></robot>')
        message = String(data=changed)
        del heard[:]
        start = time.perf_counter()
        publisher.publish(message)
        while not heard:
            rclpy.spin_once(node, timeout_sec=10)
        rows.append({"tf": heard[0] - start, "get_frames": _call(rclpy, node, srv.GetFrames, "get_frames")})
        time.sleep(0.2)
    rclpy.shutdown()
    return rows


def _first_link(text: str) -> str:
    return text.partition("<link name=")[2][1:].partition('"')[0]


def call_often() -> None:
    """Call resolve_frame until standard input ends; print how long the answers took."""
    from sdf_frames import srv
    rclpy, node, _ = _prepare("calling")
    client = node.create_client(srv.ResolveFrame, "resolve_frame")
    client.wait_for_service(30)
    print("ready", flush=True)
    over = watch_standard_input()
    taken = []
    while not over.is_set():
        start = time.perf_counter()
        future = client.call_async(srv.ResolveFrame.Request(frame="none"))
        rclpy.spin_until_future_complete(node, future)
        taken.append(time.perf_counter() - start)
        time.sleep(0.005)
    print(json.dumps(taken), flush=True)
    rclpy.shutdown()


def measure(text: str, count: int) -> None:
    """Start the node and both clients, and print what they saw."""
    from ament_index_python.packages import get_package_prefix
    program = Path(get_package_prefix("sdf_frames"), "lib/sdf_frames/sdf_frames_node")
    node = subprocess.Popen([program, "--ros-args", "--log-level", "warn"], stdin=subprocess.DEVNULL)
    caller = subprocess.Popen([sys.executable, "-m", "benchmark.node_times", "--call"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True)
    try:
        assert caller.stdout is not None
        caller.stdout.readline()
        rows = publish_often(text, count)
        answers, _ = caller.communicate("")
        taken = json.loads(answers)
    finally:
        node.terminate()
        node.wait()
        caller.kill()
    times = [row["tf"] * 1e3 for row in rows]
    print(f"{len(text) / 1e6:.2f} MB, {count} times")
    print(f"to /tf_static: median {median(times):.0f} ms, best {min(times):.0f}, worst {max(times):.0f}")
    print(f"get_frames:    median {median(row['get_frames'] for row in rows) * 1e3:.0f} ms")
    print(f"resolve_frame meanwhile: {len(taken)} calls, median {median(taken) * 1e3:.1f} ms, "
          f"worst {' '.join(f'{t * 1e3:.0f}' for t in sorted(taken)[-5:])} ms")


if __name__ == "__main__":
    words = sys.argv[1:]
    if words[:1] == ["--call"]:
        call_often()
    else:
        subject = words[0] if words else "12000"
        measure(URDF_FAMILIES["chain, alternating"](int(subject)) if subject.isdigit() else Path(subject).read_text(),
                int(words[1]) if words[1:] else 20)
