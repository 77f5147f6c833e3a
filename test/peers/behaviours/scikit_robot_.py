from skrobot.models.urdf import RobotModelFromURDF


def load(file):
    return RobotModelFromURDF(urdf_file=file)


def masses(r):
    return {link.name: link.mass for link in r.link_list}


def tensors(r):
    return {link.name: [t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2]] for link in r.link_list
            for t in [link.inertia_tensor]}


def place(r, positions):
    for name, value in positions.items():
        r.__dict__[name].joint_angle(value)
    return {link.name: link.worldcoords().T() for link in r.link_list}


def limits(r):
    return {j.name: [j.min_angle, j.max_angle] for j in r.joint_list}


def efforts(r):
    return {j.name: [j.max_joint_torque, j.max_joint_velocity] for j in r.joint_list}
