import numpy as np
from rerun.urdf import UrdfTree


def load(file):
    return UrdfTree.from_file_path(file)


def _turn(q):
    x, y, z, w = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def place(t, positions):
    poses = {"base": np.eye(4)}
    for joint in t.joints():
        given = joint.compute_transform(positions.get(joint.name, 0.0))
        X = np.eye(4)
        X[:3, 3] = np.array(given.translation.as_arrow_array().to_pylist()).ravel()
        X[:3, :3] = _turn(np.array(given.quaternion.as_arrow_array().to_pylist()).ravel())
        poses[joint.child_link] = poses.get(joint.parent_link, np.eye(4)) @ X
    return poses


def limits(t):
    return {j.name: None if j.joint_type == "continuous" else [j.limit_lower, j.limit_upper] for j in t.joints()}


def efforts(t):
    return {j.name: [j.limit_effort, j.limit_velocity] for j in t.joints()}
