"""The node in mode complement beside robot_state_publisher: together one tree, and no frame with two parents.

robot_state_publisher is played by a few lines here: as the real one it publishes a link below its joint's parent link,
on /tf_static where the joint is fixed and on /tf with the joint's position otherwise, and nothing across a floating
joint.
"""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from real_files import MISSING

pytest.importorskip("rclpy")

from .test_real_robots import (
    CORPUS,
    ROBOTS,
    Rotation,
    make_matrix,
    matrix_of_origin,
    matrix_of_transform,
    place_frame,
    read_numbers,
)

BUNDLED = Path(__file__).resolve().parents[2] / "robots" / "mobile_manipulator" / "mobile_manipulator.urdf"


def matrix_of_motion(joint, position: float) -> np.ndarray:
    """4x4 matrix of a joint's motion: a turn about its axis, or a shift along it."""
    if joint.get("type") not in ("prismatic", "revolute", "continuous"):
        return np.eye(4)
    axis = read_numbers(joint.find("axis"), "xyz", "1 0 0")
    motion = position * axis / np.linalg.norm(axis)
    if joint.get("type") == "prismatic":
        return make_matrix(Rotation.identity(), motion)
    return make_matrix(Rotation.from_rotvec(motion), np.zeros(3))


def to_message(prefix: str, parent: str, child: str, matrix: np.ndarray):
    from geometry_msgs.msg import TransformStamped
    stamped = TransformStamped(child_frame_id=prefix + child)
    stamped.header.frame_id = prefix + parent
    t, q = stamped.transform.translation, stamped.transform.rotation
    t.x, t.y, t.z = map(float, matrix[:3, 3])
    q.x, q.y, q.z, q.w = map(float, Rotation.from_matrix(matrix[:3, :3]).as_quat())
    return stamped


def publish_states(node, robot, position: float, prefix: str) -> None:
    """What robot_state_publisher sends for a URDF with every movable joint at `position`."""
    from tf2_msgs.msg import TFMessage
    still, moving = TFMessage(), TFMessage()
    for joint in robot.findall("joint"):
        if joint.get("type") == "floating":
            continue
        matrix = matrix_of_origin(joint.find("origin")) @ matrix_of_motion(joint, position)
        message = still if joint.get("type") in ("fixed", "planar") else moving
        message.transforms.append(to_message(prefix, joint.find("parent").get("link"), joint.find("child").get("link"),
                                             matrix))
    for topic, message in (("/tf_static", still), ("/tf", moving)):
        node.client.create_publisher(TFMessage, topic, node.latched).publish(message)


@pytest.mark.parametrize("path, prefix", [(BUNDLED, ""), (BUNDLED, "left/"),
                                          *((CORPUS / file, "") for file in ROBOTS.values())],
                         ids=["bundled", "bundled-left", *ROBOTS])
def test_together_one_tree(start_node, path, prefix):
    from tf2_msgs.msg import TFMessage
    if not path.is_file():
        pytest.skip(f"{path.name}: {MISSING}")
    text = path.read_text()
    robot = ElementTree.fromstring(text.encode())
    node = start_node(tf_mode="complement", frame_prefix=prefix)
    node.heard["/tf"] = []
    node.client.create_subscription(TFMessage, "/tf", node.heard["/tf"].append, node.hearing)
    node.publish(text)
    node.wait_for("/tf_static")
    publish_states(node, robot, 0.3, prefix)
    node.wait_for("/tf_static", 2)
    node.wait_for("/tf")

    transforms = [t for topic in ("/tf_static", "/tf") for message in node.heard[topic] for t in message.transforms]
    parents = {t.child_frame_id: t.header.frame_id for t in transforms}
    assert len(parents) == len(transforms), "a frame with two parents"
    root, = set(parents.values()) - parents.keys()
    wanted = {prefix + e.get("name") for kind in ("link", "joint") for e in robot.findall(kind)} | {prefix +
                                                                                                    robot.get("name")}
    assert wanted <= parents.keys() | {root}

    edges = {t.child_frame_id: matrix_of_transform(t.transform) for t in transforms}
    # With the joints away from zero, the frame of each joint still goes with its child link. (A movable joint to a link
    # without mass is none in the SDF: its frame stays where the joint is at zero.)
    model = ElementTree.fromstring(node.wait_for("/robot_description_sdf").data.encode()).find("model")
    moved = {(joint.get("name"), joint.findtext("child")) for joint in model.findall("joint")}
    ends = [(joint.get("name"), joint.find("child").get("link"), joint.get("type") == "fixed")
            for joint in robot.findall("joint")]
    checked = [(joint, link) for joint, link, fixed in ends if fixed or (joint, link) in moved]
    assert len(checked) > 10
    for joint, link in checked:
        ours, theirs = (place_frame(prefix + name, edges, parents) for name in (joint, link))
        assert np.abs(ours - theirs).max() < 1e-9, joint
