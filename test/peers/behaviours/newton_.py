# needs: trimesh pycollada
import newton
import numpy as np
import warp as wp

wp.config.quiet = True
wp.set_device("cpu")


def load(file):
    builder = newton.ModelBuilder()
    builder.add_urdf(file)
    return builder


def _short(labels):
    return {label.split("/")[-1]: i for i, label in enumerate(labels)}


def masses(b):
    return {name: b.body_mass[i] for name, i in _short(b.body_label).items()}


def tensors(b):
    found = {}
    for name, i in _short(b.body_label).items():
        t = np.array(b.body_inertia[i]).reshape(3, 3)
        found[name] = [t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2]]
    return found


def place(b, positions):
    joints = _short(b.joint_label)
    for name, value in positions.items():
        b.joint_q[b.joint_q_start[joints[name]]] = value
    model = b.finalize(device="cpu")
    state = model.state()
    newton.eval_fk(model, model.joint_q, model.joint_qd, state)
    poses = {}
    for name, i in _short(b.body_label).items():
        x, y, z, *q = state.body_q.numpy()[i]
        poses[name] = np.eye(4)
        poses[name][:3, :3] = np.array(wp.quat_to_matrix(wp.quat(*map(float, q)))).reshape(3, 3)
        poses[name][:3, 3] = x, y, z
    return poses


def _one(b, *rows):
    return {name: [row[b.joint_qd_start[i]] for row in rows] for name, i in _short(b.joint_label).items()
            if b.joint_qd_start[i] < len(rows[0])}


def limits(b):
    return _one(b, b.joint_limit_lower, b.joint_limit_upper)


def efforts(b):
    return _one(b, b.joint_effort_limit, b.joint_velocity_limit)


def dynamics(b):
    return _one(b, b.joint_damping, b.joint_friction)


def mimics(b):
    names = [label.split("/")[-1] for label in b.joint_label]
    return {names[k]: b.joint_mimic_coeffs[k][::-1] for k, leader in enumerate(b.joint_mimic_joint) if leader >= 0}


def freedom(b):
    i = _short(b.joint_label)["j"]
    starts = [*b.joint_qd_start, b.joint_dof_count]
    return {"j": starts[i + 1] - starts[i]}


def sizes(b):
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for i, body in enumerate(b.shape_body):
        if body != _short(b.body_label)["tip"]:
            continue
        size, at = np.array(b.shape_scale[i], float), np.array(b.shape_transform[i])[:3]
        kind = int(b.shape_type[i])
        if b.shape_source[i] is not None:
            v = np.array(b.shape_source[i].vertices) * size
        else:
            r, h = size[0], size[1]
            half = {int(newton.GeoType.BOX): size, int(newton.GeoType.CYLINDER): [r, r, h],
                    int(newton.GeoType.CAPSULE): [r, r, h + r], int(newton.GeoType.SPHERE): [r] * 3}[kind]
            v = np.array([half, -np.array(half)])
        low, high = np.minimum(low, v.min(0) + at), np.maximum(high, v.max(0) + at)
    return {"tip": high - low}
