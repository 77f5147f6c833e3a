"""How long ten robots in one process take to start, and what they hold.

    python -m benchmark.many_robots [COUNT]

For a shell with ROS and the built package. RSS is what all processes hold, PSS counts shared pages once.
"""
from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmark.endurance import prepare, read_memory
from benchmark.joint_states import GEN3
from benchmark.models import CORPUS
from benchmark.ros_load import read_cpu
from benchmark.stops import list_descendants


def measure(count: int) -> None:
    """Start the robots, and print the figures."""
    from ament_index_python.packages import get_package_prefix
    from tf2_msgs.msg import TFMessage
    rclpy, node, kept = prepare()
    seen: set[str] = set()
    node.create_subscription(TFMessage, "/tf_static", lambda message: seen.update(
        t.child_frame_id.partition("/")[0] for t in message.transforms), kept)
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write("".join(f"r{i}: {{model_file: '{CORPUS / GEN3}', frame_prefix: r{i}/, joint_states: true}}\n"
                           for i in range(count)))
        file.flush()
        start = time.monotonic()
        process = subprocess.Popen([Path(get_package_prefix("sdf_frames"), "lib/sdf_frames/sdf_frames_node"),
                                    "--robots", file.name, "--ros-args", "--log-level", "fatal"])
        while len(seen) < count:
            rclpy.spin_once(node, timeout_sec=0.05)
        taken, used = time.monotonic() - start, read_cpu(process.pid)
        time.sleep(3)
        shared = sum(int(Path(f"/proc/{pid}/smaps_rollup").read_text().partition("Pss:")[2].split()[0])
                     for pid in (process.pid, *list_descendants(process.pid))) / 1024
        held, before = read_memory(process.pid), read_cpu(process.pid)
        time.sleep(10)
        print(f"{count} on /tf_static after {taken:.1f} s, {used:.1f} s of CPU; {held:.0f} MB, PSS {shared:.0f}; "
              f"idle {(read_cpu(process.pid) - before) * 10:.1f} % of a core")
        process.terminate()
        process.wait()


if __name__ == "__main__":
    measure(int(sys.argv[1]) if sys.argv[1:] else 10)
