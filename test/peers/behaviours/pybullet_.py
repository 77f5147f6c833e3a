# needs: numpy
import numpy as np
import pybullet as p

p.connect(p.DIRECT)


def load(file):
    p.resetSimulation()
    return p.loadSDF(file)[0] if file.endswith(".sdf") else p.loadURDF(file)


def couples(b):
    return p.getNumConstraints()


def _links(b):
    return {p.getBodyInfo(b)[0].decode(): -1, **{
        p.getJointInfo(b, i)[12].decode(): i for i in range(p.getNumJoints(b))}}


def masses(b):
    return {name: p.getDynamicsInfo(b, i)[0] for name, i in _links(b).items()}


def tensors(b):
    found = {}
    for name, i in _links(b).items():
        info = p.getDynamicsInfo(b, i)
        R = np.array(p.getMatrixFromQuaternion(info[4])).reshape(3, 3)
        t = R @ np.diag(info[2]) @ R.T
        found[name] = [t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2]]
    return found


def place(b, positions):
    joints = {p.getJointInfo(b, i)[1].decode(): i for i in range(p.getNumJoints(b))}
    for name, value in positions.items():
        p.resetJointState(b, joints[name], value)
    poses = {}
    for name, i in _links(b).items():
        at, q = p.getBasePositionAndOrientation(b) if i < 0 else p.getLinkState(b, i, 0, 1)[4:6]
        poses[name] = np.eye(4)
        poses[name][:3, :3], poses[name][:3, 3] = np.array(p.getMatrixFromQuaternion(q)).reshape(3, 3), at
    return poses


def _joints(b):
    return {info[1].decode(): info for info in (p.getJointInfo(b, i) for i in range(p.getNumJoints(b)))}


def limits(b):
    return {name: None if info[8] > info[9] else info[8:10] for name, info in _joints(b).items()}


def efforts(b):
    return {name: info[10:12] for name, info in _joints(b).items()}


def dynamics(b):
    return {name: info[6:8] for name, info in _joints(b).items()}


def sizes(b):
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for _, _, kind, size, _, at, _ in p.getCollisionShapeData(b, _links(b)["tip"]):
        if kind == p.GEOM_MESH:
            v = np.array(p.getMeshData(b, _links(b)["tip"])[1])
        else:
            half = {p.GEOM_BOX: np.array(size) / 2, p.GEOM_CYLINDER: [size[1], size[1], size[0] / 2],
                    p.GEOM_CAPSULE: [size[1], size[1], size[0] / 2 + size[1]], p.GEOM_SPHERE: [size[0]] * 3}[kind]
            v = np.array([half, -np.array(half)])
        low, high = np.minimum(low, v.min(0) + at), np.maximum(high, v.max(0) + at)
    return {"tip": high - low}


def fall(b):
    p.setGravity(0, 0, -9.8)
    p.stepSimulation()
    return place(b, {})


def coast(b):
    p.resetBaseVelocity(b, [1, 0, 0])
    p.stepSimulation()
    return p.getBaseVelocity(b)[0][0]


def is_finite(b):
    p.setGravity(0, 0, -9.8)
    p.stepSimulation()
    return all(np.isfinite(p.getJointState(b, i)[:2]).all() for i in range(p.getNumJoints(b)))
