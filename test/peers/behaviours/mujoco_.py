import mujoco
import numpy as np


def load(file):
    return mujoco.MjModel.from_xml_path(file)


def _bodies(m):
    return {m.body(i).name: i for i in range(1, m.nbody)}


def masses(m):
    return {name: m.body_mass[i] for name, i in _bodies(m).items()}


def tensors(m):
    found = {}
    for name, i in _bodies(m).items():
        R = np.zeros(9)
        mujoco.mju_quat2Mat(R, m.body_iquat[i])
        R = R.reshape(3, 3)
        t = R @ np.diag(m.body_inertia[i]) @ R.T
        found[name] = [t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2]]
    return found


def place(m, positions):
    d = mujoco.MjData(m)
    for name, value in positions.items():
        d.joint(name).qpos = value
    mujoco.mj_kinematics(m, d)
    poses = {}
    for name, i in _bodies(m).items():
        poses[name] = np.eye(4)
        poses[name][:3, :3], poses[name][:3, 3] = d.xmat[i].reshape(3, 3), d.xpos[i]
    return poses


def _joints(m):
    return {m.joint(i).name: i for i in range(m.njnt)}


def limits(m):
    return {name: m.jnt_range[i] if m.jnt_limited[i] else None for name, i in _joints(m).items()}


def efforts(m):
    return {name: [m.jnt_actfrcrange[i][1] if m.jnt_actfrclimited[i] else None, None] for name, i in _joints(m).items()}


def dynamics(m):
    return {name: [m.dof_damping[m.jnt_dofadr[i]], m.dof_frictionloss[m.jnt_dofadr[i]]]
            for name, i in _joints(m).items()}


def mimics(m):
    return {m.joint(m.eq_obj1id[k]).name: (m.eq_data[k][1], m.eq_data[k][0]) for k in range(m.neq)}


def freedom(m):
    return {"j": m.nv}


def sizes(m):
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for g in range(m.ngeom):
        size, kind = m.geom_size[g], mujoco.mjtGeom(m.geom_type[g])
        if kind == mujoco.mjtGeom.mjGEOM_MESH:
            k = m.geom_dataid[g]
            v = m.mesh_vert[m.mesh_vertadr[k]:m.mesh_vertadr[k] + m.mesh_vertnum[k]]
            R = np.zeros(9)
            mujoco.mju_quat2Mat(R, m.geom_quat[g])
            v = v @ R.reshape(3, 3).T
        else:
            r = size[0]
            half = {mujoco.mjtGeom.mjGEOM_BOX: size, mujoco.mjtGeom.mjGEOM_CYLINDER: [r, r, size[1]],
                    mujoco.mjtGeom.mjGEOM_CAPSULE: [r, r, size[1] + r], mujoco.mjtGeom.mjGEOM_SPHERE: [r] * 3}[kind]
            v = np.array([half, -np.array(half)])
        v = v + m.geom_pos[g]
        low, high = np.minimum(low, v.min(0)), np.maximum(high, v.max(0))
    return {"tip": high - low}


def is_finite(m):
    d = mujoco.MjData(m)
    mujoco.mj_step(m, d)
    return np.isfinite(d.qacc).all()
