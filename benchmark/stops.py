"""Stop the node at random moments of its start: each stop must end it with status 0, at the first signal, and leave
nothing behind.

    python -m benchmark.stops [COUNT [SEED [LONGEST]]]

For a shell with ROS and the built package. SIGINT and SIGTERM alternate, single and double.
"""
from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from multiprocessing.pool import ThreadPool
from pathlib import Path

#: Seconds after which a node that was signalled is taken for one that goes on.
_PATIENCE = 60.0

#: Nodes that run side by side, as each of them mostly waits for its moment.
_AT_ONCE = 4

_SIGNALS = (signal.SIGINT, signal.SIGTERM)

DESCRIPTION = (
    "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
    "</robot>")


def list_descendants(pid: int) -> list[int]:
    """Processes that a process started, and those that these did."""
    children = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children += map(int, file.read_text().split())
        except OSError:  # it ended meanwhile
            continue
    return children + [below for child in children for below in list_descendants(child)]


def is_running(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for_first_line(pid: int) -> None:
    """Wait until the first line of the program has run, which holds both signals back; nothing can heed them before."""
    wanted = sum(1 << number - 1 for number in _SIGNALS)
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        rows = dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines()
                    if ":\t" in line)
        if "SigBlk" not in rows or wanted & ~(int(rows["SigBlk"], 16) | int(rows["SigCgt"], 16)) == 0:
            return
        time.sleep(0.0005)


def find_node() -> Path:
    """The program of the node: as `ros2 run` starts it, by its own first line."""
    from ament_index_python.packages import get_package_prefix
    return Path(get_package_prefix("sdf_frames"), "lib/sdf_frames/sdf_frames_node")


def stop_once(number: int, twice: bool, delay: float, environment: dict | None = None) -> str:
    """Start the node, signal it after `delay` seconds, and return what was wrong with its end; empty for nothing."""
    process = subprocess.Popen([find_node(), "--ros-args", "-p", f'robot_description:="{DESCRIPTION}"'],
                               env=environment, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    wait_for_first_line(process.pid)
    time.sleep(delay)
    descendants = list_descendants(process.pid)
    for _ in range(2 if twice else 1):
        process.send_signal(number)
    try:
        _, text = process.communicate(timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        return f"it went on\n{process.communicate()[1]}"
    end = time.monotonic() + _PATIENCE
    while (left := [pid for pid in descendants if is_running(pid)]) and time.monotonic() < end:
        time.sleep(0.05)
    wrong = [f"status {process.returncode}"] if process.returncode else []
    wrong += [f"processes {left} remain"] if left else []
    wrong += ["it complained"] if any(word in text for word in ("Traceback", "Exception", "Error", "Warning")) else []
    return "\n".join([*wrong, text]) if wrong else ""


def stop_often(count: int, seed: int, longest: float = 3.0, environment: dict | None = None) -> list[str]:
    """Stop the node `count` times; return what was wrong, each with the moment and the signal."""
    # A shell without job control has started us with SIGINT ignored; the node would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    moments = random.Random(seed)
    stops = [(_SIGNALS[turn % 2], turn % 4 > 1, moments.uniform(0, longest), environment) for turn in range(count)]
    found = []
    with ThreadPool(_AT_ONCE) as pool:
        for (number, twice, delay, _), wrong in zip(stops, pool.imap(lambda stop: stop_once(*stop), stops)):
            if wrong:
                found.append(f"{number.name}{' twice' if twice else ''} after {delay:.3f} s: {wrong}")
                print(found[-1], flush=True)
    return found


if __name__ == "__main__":
    words = sys.argv[1:]
    failures = stop_often(int(words[0]) if words else 500, int(words[1]) if words[1:] else 1,
                          float(words[2]) if words[2:] else 3.0, dict(os.environ))
    print(f"{len(failures)} wrong")
    sys.exit(bool(failures))
