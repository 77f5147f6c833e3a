"""Publishes descriptions again and again: measures the time until TF, the waiting time of services, and memory.

    python -m benchmark.descriptions [FILE | LINKS [COUNT [HERTZ]]]

For a shell with ROS and the built package. FILE is a URDF, LINKS the number of links of a generated one. It is
published COUNT times, each time with another frame. Without HERTZ, the next one follows when TF has come; with HERTZ,
every third one is broken, and a good one that is not heard on /tf_static was superseded: the next one came before the
node, or DDS, was through with it. Another process calls `resolve_frame` without a pause meanwhile.
"""
from __future__ import annotations

import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median

from benchmark.models import URDF_FAMILIES
from benchmark.node import Listener, end_beside, read_memory, run_node, start_beside

_FRAME = "turn_"


def vary(text: str, number: int) -> str:
    """Add a new frame: otherwise TF is not published again."""
    parent = text.partition("<link name=")[2][1:].partition('"')[0]
    return text.replace("</robot>", f'<link name="{_FRAME}{number}"/><joint name="joint_of_{number}" type="fixed">'
                                    f'<parent link="{parent}"/><child link="{_FRAME}{number}"/></joint></robot>')


def call_often(pipe: Connection) -> None:
    """Call resolve_frame until the pipe ends the measurement; send the times of the answers."""
    from sdf_frames import srv
    listener, taken = Listener(), []
    client = listener.node.create_client(srv.ResolveFrame, "resolve_frame")
    client.wait_for_service(30)
    pipe.send("ready")
    while not pipe.poll(0.005):
        start = time.perf_counter()
        listener.spin_until(client.call_async(srv.ResolveFrame.Request(frame="none")).done)
        taken.append(time.perf_counter() - start)
    pipe.send(taken)


def measure(text: str, count: int, hertz: float) -> None:
    """Publish descriptions; print the time until TF, and the memory of the node."""
    from std_msgs.msg import String
    from tf2_msgs.msg import TFMessage
    listener = Listener()
    came: dict[int, float] = {}
    sent: dict[int, float] = {}
    memory: list[float] = []

    def take(message: TFMessage) -> None:
        for t in message.transforms:
            if t.child_frame_id.startswith(_FRAME):
                came.setdefault(int(t.child_frame_id.removeprefix(_FRAME)), time.monotonic())
    listener.node.create_subscription(TFMessage, "/tf_static", take, listener.latched)
    publisher = listener.node.create_publisher(String, "robot_description", listener.latched)
    with run_node() as node, start_beside(call_often) as (_, pipe):
        listener.spin_until(publisher.get_subscription_count)
        start = time.monotonic()
        for number in range(count):
            good = vary(text, number)
            message = String(data=good[:-20] if hertz and number % 3 == 1 else good)
            listener.spin(start + number / hertz - time.monotonic() if hertz else 0.2)
            sent[number] = time.monotonic()
            publisher.publish(message)
            if not hertz:
                listener.spin_until(lambda: number in came)  # noqa: B023 - it is called before the next turn
            if number % 100 == 99:
                memory.append(read_memory(node))
        listener.spin(2)
        answers = end_beside(pipe)
    wanted = [number for number in sent if not hertz or number % 3 != 1]
    late = sorted(came[number] - sent[number] for number in wanted if number in came)
    print(f"{len(late)} of {len(wanted)} good descriptions of {len(text) / 1e6:.2f} MB heard, after "
          f"{median(late) * 1e3:.0f} ms, at least {late[0] * 1e3:.0f}, at most {late[-1] * 1e3:.0f}")
    print(f"{len(answers)} answers of resolve_frame, after {median(answers) * 1e3:.1f} ms, "
          f"at most {max(answers) * 1e3:.0f}")
    if memory:
        print(f"memory {memory[0]:.1f} MB after 100, {memory[-1]:.1f} MB at the end")


def main(subject: str = "7", count: str = "20", hertz: str = "0") -> None:
    text = URDF_FAMILIES["chain, alternating"](int(subject)) if subject.isdigit() else Path(subject).read_text()
    measure(text, int(count), float(hertz))


if __name__ == "__main__":
    main(*sys.argv[1:])
