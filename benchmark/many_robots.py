"""How long ten robots in one process take to start, and what they hold.

    python -m benchmark.many_robots [COUNT]

For a shell with ROS and the built package. RSS is what all processes hold, PSS counts shared pages once.
"""
from __future__ import annotations

import sys
import tempfile
import time

from benchmark.models import CORPUS, GEN3
from benchmark.node import Listener, read_cpu, read_memory, run_node


def measure(count: int) -> None:
    """Start the robots, and print the figures."""
    from tf2_msgs.msg import TFMessage
    listener = Listener()
    seen: set[str] = set()
    listener.node.create_subscription(TFMessage, "/tf_static", lambda message: seen.update(
        t.child_frame_id.partition("/")[0] for t in message.transforms), listener.latched)
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write("".join(f"r{i}: {{model_file: '{CORPUS / GEN3}', frame_prefix: r{i}/, joint_states: true}}\n"
                           for i in range(count)))
        file.flush()
        start = time.monotonic()
        with run_node("--robots", file.name) as node:
            listener.spin_until(lambda: len(seen) >= count)
            taken, used = time.monotonic() - start, read_cpu(node)
            time.sleep(3)
            before = read_cpu(node)
            time.sleep(10)
            print(f"{count} on /tf_static after {taken:.1f} s, {used:.1f} s of CPU; {read_memory(node):.0f} MB, "
                  f"PSS {read_memory(node, 'Pss'):.0f}; idle {(read_cpu(node) - before) * 10:.1f} % of a core")


if __name__ == "__main__":
    measure(int(sys.argv[1]) if sys.argv[1:] else 10)
