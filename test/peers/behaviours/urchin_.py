# needs: pycollada
import numpy as np
import urchin


def load(file):
    return urchin.URDF.load(file)


def masses(u):
    return {link.name: link.inertial.mass for link in u.links}


def tensors(u):
    found = {}
    for link in u.links:
        R = link.inertial.origin[:3, :3]
        t = R @ link.inertial.inertia @ R.T
        found[link.name] = [t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2]]
    return found


def place(u, positions):
    return u.link_fk(cfg=positions, use_names=True)


def limits(u):
    return {j.name: j.limit and [j.limit.lower, j.limit.upper] if j.joint_type != "continuous" else None
            for j in u.joints}


def efforts(u):
    return {j.name: j.limit and [j.limit.effort, j.limit.velocity] for j in u.joints}


def dynamics(u):
    return {j.name: [j.dynamics.damping, j.dynamics.friction] for j in u.joints}


def sizes(u):
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for c in u.link_map["tip"].collisions:
        scale = c.geometry.mesh.scale if c.geometry.mesh is not None and c.geometry.mesh.scale is not None else 1
        for mesh in c.geometry.meshes:
            v = mesh.vertices * scale + c.origin[:3, 3]
            low, high = np.minimum(low, v.min(0)), np.maximum(high, v.max(0))
    return {"tip": high - low}
