"""What the node publishes, in the buffer of a real tf2 listener: every frame is where the URDF has it."""

from itertools import permutations
from xml.etree import ElementTree

import numpy as np
import pytest

pytest.importorskip("rclpy")
pytest.importorskip("tf2_py", reason="tf2_py is not installed; it is not on PyPI")

import tf2_py
from rclpy.time import Time

from .test_beside_robot_state_publisher import BUNDLED, matrix_of_motion
from .test_joint_states import Listener
from .test_real_robots import matrix_of_origin, matrix_of_transform, place_frame


def test_a_listener_of_tf2_sees_every_frame_from_every_other(start_node):
    robot = ElementTree.parse(BUNDLED).getroot()
    joints = robot.findall("joint")
    movable = [joint.get("name") for joint in joints if joint.get("type") in ("revolute", "continuous", "prismatic")]
    positions = {name: 0.1 + 0.05 * n for n, name in enumerate(movable)}
    node = start_node(robot_description=BUNDLED.read_text(), joint_states=True)
    tf = Listener(node)
    node.wait_for("/tf_static")
    last = next(joint for joint in reversed(joints) if joint.get("name") in positions).find("child").get("link")
    tf.wait_for(last, lambda t: t.header.stamp.sec == 5, lambda: tf.say(5, **positions))

    buffer = tf2_py.BufferCore()
    for message in node.heard["/tf_static"]:
        for t in message.transforms:
            buffer.set_transform_static(t, "sdf_frames")
    for heard in tf.heard.values():
        for t in heard:
            if t.header.stamp.sec == 5:
                buffer.set_transform(t, "sdf_frames")
    edges, parents = {}, {}
    for joint in joints:
        child = joint.find("child").get("link")
        parents[child] = joint.find("parent").get("link")
        edges[child] = matrix_of_origin(joint.find("origin")) @ matrix_of_motion(
            joint, positions.get(joint.get("name"), 0.0))
    links = {link.get("name"): place_frame(link.get("name"), edges, parents) for link in robot.findall("link")}
    assert len(links) > 20 and len(movable) > 5
    for target, source in permutations(links, 2):
        found = matrix_of_transform(buffer.lookup_transform_core(target, source, Time(seconds=5)).transform)
        expected = np.linalg.inv(links[target]) @ links[source]
        assert np.abs(found - expected).max() < 1e-9, (target, source)
