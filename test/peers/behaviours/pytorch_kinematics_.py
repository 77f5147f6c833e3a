import pytorch_kinematics
import torch


def load(file):
    return pytorch_kinematics.build_chain_from_urdf(open(file, "rb").read())


def place(c, positions):
    q = {name: positions.get(name, 0.0) for name in c.get_joint_parameter_names()}
    return {name: X.get_matrix()[0].numpy() for name, X in c.forward_kinematics(
        {name: torch.tensor([float(v)]) for name, v in q.items()}).items()}


def limits(c):
    low, high = c.get_joint_limits()
    return dict(zip(c.get_joint_parameter_names(), zip(map(float, low), map(float, high))))
