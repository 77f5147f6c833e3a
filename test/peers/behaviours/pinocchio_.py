import numpy as np
import pinocchio as pin

UNTOLD = ("extra",)  # each of its frames has the inertia of all that is fixed together


def load(file):
    model = pin.buildModelFromUrdf(file)
    return model, file


def _bodies(m):
    return {f.name: f for f in m[0].frames if f.type == pin.FrameType.BODY}


def _inertias(m):
    return {name: m[0].inertias[f.parentJoint] for name, f in _bodies(m).items() if f.parentJoint}


def masses(m):
    return {name: inertia.mass for name, inertia in _inertias(m).items()}


def tensors(m):
    return {name: [t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2]]
            for name, inertia in _inertias(m).items() for t in [inertia.inertia]}


def place(m, positions):
    model = m[0]
    q, data = pin.neutral(model), model.createData()
    for name, value in positions.items():
        q[model.joints[model.getJointId(name)].idx_q] = value
    pin.framesForwardKinematics(model, data, q)
    return {name: data.oMf[model.getFrameId(name)].homogeneous for name in _bodies(m)}


def _one(m, *rows):
    return {name: [row[m[0].joints[i].idx_v] for row in rows] for i, name in enumerate(m[0].names) if i}


def limits(m):
    return {name: None if m[0].joints[i].nq == 2 else [row[m[0].joints[i].idx_q] for row in (
        m[0].lowerPositionLimit, m[0].upperPositionLimit)] for i, name in enumerate(m[0].names) if i}


def efforts(m):
    return _one(m, m[0].effortLimit if hasattr(m[0], "effortLimit") else m[0].upperEffortLimit,
                m[0].velocityLimit if hasattr(m[0], "velocityLimit") else m[0].upperVelocityLimit)


def dynamics(m):
    return _one(m, m[0].damping, m[0].friction if hasattr(m[0], "friction") else m[0].upperDryFrictionLimit)


def freedom(m):
    return {"j": m[0].nv}


def sizes(m):
    import os
    g = pin.buildGeomFromUrdf(m[0], m[1], pin.GeometryType.COLLISION, os.path.dirname(m[1]))
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for o in g.geometryObjects:
        o.geometry.computeLocalAABB()
        box, t = o.geometry.aabb_local, o.placement.translation
        low, high = np.minimum(low, box.min_ + t), np.maximum(high, box.max_ + t)
    return {"tip": high - low}


def is_finite(m):
    model = m[0]
    return np.isfinite(pin.aba(model, model.createData(), pin.neutral(model), np.zeros(model.nv),
                               np.zeros(model.nv))).all()
