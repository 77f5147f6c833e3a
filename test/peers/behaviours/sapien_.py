import numpy as np
import sapien

UNTOLD = ("follows",)  # its constraint acts only while it simulates


def load(file):
    scene = sapien.Scene([sapien.physx.PhysxCpuSystem()])
    robot = scene.create_urdf_loader().load(file)
    return scene, robot


def masses(r):
    return {link.name: link.mass for link in r[1].links}


def tensors(r):
    found = {}
    for link in r[1].links:
        X = link.cmass_local_pose.to_transformation_matrix()[:3, :3]
        t = X @ np.diag(link.inertia) @ X.T
        found[link.name] = [t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2]]
    return found


def place(r, positions):
    names = [j.name for j in r[1].active_joints]
    r[1].set_qpos(np.array([positions.get(name, 0.0) for name in names]))
    return {link.name: link.entity_pose.to_transformation_matrix() for link in r[1].links}


def limits(r):
    return {j.name: j.limits[0] for j in r[1].active_joints}


def dynamics(r):
    return {j.name: [j.damping, j.friction] for j in r[1].active_joints}
