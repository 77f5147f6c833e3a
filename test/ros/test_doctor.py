"""The doctor: what it says of this machine, and of nodes that publish so that nobody hears them."""

import subprocess
import sys

import pytest

pytest.importorskip("rclpy")

from sdf_frames.ros.doctor import look_at_graph


def test_publishers_that_nobody_hears_are_wrong(start_node, pendulum):
    from rclpy.qos import QoSProfile, ReliabilityPolicy
    from std_msgs.msg import String
    from tf2_msgs.msg import TFMessage
    node = start_node(robot_description=pendulum)
    node.wait_for("/tf_static")
    node.client.create_publisher(TFMessage, "/tf", QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT))
    # The node's own publishers and the tester's latched one on robot_description are as they should be.
    latched = {(False, "/robot_description: /tester"), (False, "/tf_static: /sdf_frames"),
               (False, "/robot_description_sdf: /sdf_frames")}
    node.spin_until(lambda: latched <= set(look_at_graph(node.client)), "the graph")
    node.spin_until(lambda: node.client.count_publishers("/tf"), "the publisher")
    rows = list(look_at_graph(node.client))
    wrong, = [row.text for row in rows if row.is_wrong]
    assert wrong.startswith("/tf: /tester is best effort")
    node.client.create_publisher(String, "/robot_description", 1)
    node.spin_until(lambda: node.client.count_publishers("/robot_description") == 2, "the publisher")
    assert any(row.is_wrong and row.text.startswith("/robot_description: /tester is volatile")
               for row in look_at_graph(node.client))
    assert (True, "/robot_description: 2 publishers replace each other's description; stop all but one") in list(
        look_at_graph(node.client))
    assert any("sdf_frames runs in /;" in row.text for row in rows)


def test_doctor_prints_packages_and_publishers(ros_environment):
    environment = {**ros_environment, "SDF_PATH": "", "GZ_SIM_RESOURCE_PATH": ""}
    done = subprocess.run([sys.executable, "-m", "sdf_frames.ros.doctor", "--seconds", "0.5"], env=environment,
                          capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "package tf2_msgs: " in done.stdout and "place 1: resource_paths, a parameter of the nodes" in done.stdout
    assert "--resource-path" not in done.stdout and done.stdout.count("place 2: ") == 1
    assert "module trimesh: " in done.stdout and done.stdout.endswith("no problems found\n")
