"""SIGINT and SIGTERM end the node with status 0 and without a traceback, whenever they come."""

import signal
import subprocess
import sys

import pytest

pytest.importorskip("rclpy")

from benchmark.stops import stop_often


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stop_at_work(start_node, pendulum, number):
    node = start_node(robot_description=pendulum)
    node.wait_for("/tf_static")
    status, text = node.stop(number)
    assert status == 0 and "Traceback" not in text and "Exception" not in text, text


def test_two_signals_at_once(start_node, pendulum):
    # A terminal signals the whole group, and launch signals the node again.
    node = start_node(robot_description=pendulum)
    node.wait_for("/tf_static")
    node.process.send_signal(signal.SIGINT)
    status, text = node.stop(signal.SIGINT)
    assert status == 0 and "Traceback" not in text and "Exception" not in text, text


def test_what_has_not_started_is_given_up_in_silence(ros_environment):
    """A signal comes before the executor has its first turn."""
    program = """
import threading
import rclpy
from sdf_frames.ros import guard, stopping

async def start():
    print("started")
rclpy.init()
stopping.note_signals()
stopping._noted.append(2)
node = guard.GuardedNode("n")
guard.spin([node], starts=[start])
for thread in {*threading.enumerate()} - {threading.current_thread()}:
    thread.join()
"""
    done = subprocess.run([sys.executable, "-c", program], env=ros_environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_stops_at_random_moments(ros_environment):
    # 500 of them, by hand: python -m benchmark.stops
    assert stop_often(20, seed=7, environment=ros_environment) == []
