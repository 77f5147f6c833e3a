import kinpy


def load(file):
    return kinpy.build_chain_from_urdf(open(file, "rb").read())


def place(c, positions):
    poses = {}
    for name, X in c.forward_kinematics(positions).items():
        poses[name] = X.matrix()
    return poses
