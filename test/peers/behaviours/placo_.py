import numpy as np
import placo


def load(file):
    return placo.RobotWrapper(file)


def place(r, positions):
    for name, value in positions.items():
        r.set_joint(name, value)
    r.update_kinematics()
    return {name: np.array(r.get_T_world_frame(name)) for name in r.frame_names()}


def limits(r):
    return {name: r.get_joint_limits(name) for name in r.joint_names()}


def freedom(r):
    return {"j": r.model.nv - 6}
