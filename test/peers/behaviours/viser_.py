# needs: yourdfpy pycollada
"""viser's ViserUrdf, with the frames that it shows and the limits that its sliders get."""
from pathlib import Path

import numpy as np
import viser
from viser.extras import ViserUrdf

UNTOLD = ("masses", "tensors", "efforts", "dynamics", "is_finite", "freedom", "sizes")
SERVER = viser.ViserServer(port=0, verbose=False)


def load(file):
    SERVER.scene.reset()
    return ViserUrdf(SERVER, Path(file), load_meshes=False, load_collision_meshes=True), Path(file)


def place(robot, positions):
    urdf = robot[0]
    urdf.update_cfg(np.array([positions.get(name, 0.0) for name in urdf.get_actuated_joint_names()]))
    joints, poses = urdf._urdf.joint_map.values(), {urdf._urdf.base_link: np.eye(4)}
    frames = {joint.child: (joint.parent, frame) for joint, frame in zip(joints, urdf._joint_frames)}

    def find(name):
        if name not in poses:
            parent, frame = frames[name]
            X = np.eye(4)
            X[:3, :3] = viser.transforms.SO3(frame.wxyz).as_matrix()
            X[:3, 3] = frame.position
            poses[name] = find(parent) @ X
        return poses[name]
    for name in frames:
        find(name)
    return poses


def limits(robot):
    return robot[0].get_actuated_joint_limits()
