"""PR2, Atlas, iCub and Valkyrie through the node: one tree, no frame missing, no frame with two parents, links where
forward kinematics of the URDF has them. The expected values come from the URDF by other code than the library's.
"""

from xml.etree import ElementTree

import numpy as np
import pytest
from real_files import CORPUS, MISSING

pytest.importorskip("rclpy")
Rotation = pytest.importorskip("scipy.spatial.transform").Rotation

ROBOTS = {
    "PR2": "PR2+pr2_common/xacro_expanded/pr2_description/robots/pr2.urdf",
    "Atlas": "osrf+drcsim/xacro_expanded/atlas_description/robots/atlas_v5.urdf",
    "iCub": "robotology+icub-models/iCub/robots/iCubGazeboV2_5/model.urdf",
    "Valkyrie": "gkjohnson+nasa-urdf-robots/val_description/model/robots/valkyrie_sim.urdf",
}


def read_numbers(element, attribute: str, default: str) -> np.ndarray:
    return np.array([float(word) for word in (element.get(attribute, default) if element is not None
                                              else default).split()])


def make_matrix(rotation: Rotation, position) -> np.ndarray:
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = rotation.as_matrix(), position
    return matrix


def matrix_of_origin(origin) -> np.ndarray:
    """4x4 matrix of an <origin>: R = Rz(yaw) Ry(pitch) Rx(roll)."""
    turn = Rotation.from_euler("xyz", read_numbers(origin, "rpy", "0 0 0"))
    return make_matrix(turn, read_numbers(origin, "xyz", "0 0 0"))


def matrix_of_transform(transform) -> np.ndarray:
    """4x4 matrix of a geometry_msgs/Transform."""
    q, t = transform.rotation, transform.translation
    xyzw = np.array((q.x, q.y, q.z, q.w))
    assert abs(np.linalg.norm(xyzw) - 1) < 1e-9
    return make_matrix(Rotation.from_quat(xyzw), (t.x, t.y, t.z))


def place_frame(frame: str, edges: dict, parents: dict) -> np.ndarray:
    """4x4 matrix of a frame of TF in the root; `edges` are the matrices of frames in their parents."""
    matrix = np.eye(4)
    while frame in parents:
        matrix, frame = edges[frame] @ matrix, parents[frame]
    return matrix


def place_links(robot) -> dict:
    """4x4 matrix of every link of a URDF in the root link, joints at zero."""
    joints = {}
    for joint in robot.findall("joint"):
        joints.setdefault(joint.find("parent").get("link"), []).append(joint)
    children = {joint.find("child").get("link") for joint in robot.findall("joint")}
    root, = [link.get("name") for link in robot.findall("link") if link.get("name") not in children]
    places, pending = {root: np.eye(4)}, [root]
    while pending:
        parent = pending.pop()
        for joint in joints.get(parent, ()):
            child = joint.find("child").get("link")
            places[child] = places[parent] @ matrix_of_origin(joint.find("origin"))
            pending.append(child)
    return places


@pytest.mark.parametrize("name", ROBOTS)
def test_tf_of_real_robot(start_node, name):
    path = CORPUS / ROBOTS[name]
    if not path.is_file():
        pytest.skip(f"{path.name}: {MISSING}")
    text = path.read_text()
    robot = ElementTree.fromstring(text.encode())
    node = start_node()
    node.publish(text)
    transforms = node.wait_for("/tf_static").transforms
    parents = {t.child_frame_id: t.header.frame_id for t in transforms}
    assert len(parents) == len(transforms), "a frame with two parents"
    frames = parents.keys() | set(parents.values())
    assert len(set(parents.values()) - parents.keys()) == 1, "one tree"
    wanted = {e.get("name") for kind in ("link", "joint") for e in robot.findall(kind)}
    assert wanted <= frames, f"missing: {sorted(wanted - frames)}"
    # Links are where the URDF's own kinematics has them.
    edges = {t.child_frame_id: matrix_of_transform(t.transform) for t in transforms}
    expected = place_links(robot)
    base = np.linalg.inv(place_frame(next(iter(expected)), edges, parents))
    for link in expected:
        relative = base @ place_frame(link, edges, parents)
        assert np.abs(relative - expected[link]).max() < 1e-9, link
