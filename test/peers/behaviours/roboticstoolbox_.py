import roboticstoolbox as rtb


def load(file):
    return rtb.Robot.URDF(file)


def masses(r):
    return {link.name: link.m for link in r.links}


def tensors(r):
    return {link.name: [t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2]] for link in r.links for t in [link.I]}


def _joints(r):
    return {link._joint_name: link for link in r.links if link.isjoint}


def place(r, positions):
    q = [0.0] * r.n
    for name, value in positions.items():
        q[_joints(r)[name].jindex] = value
    frames = r.fkine_all(q)
    return {link.name: X.A for link, X in zip(r.links, frames[1:] if len(frames) > len(r.links) else frames)}


def limits(r):
    return {name: link.qlim for name, link in _joints(r).items()}


def dynamics(r):
    return {name: [link.B, link.Tc[0]] for name, link in _joints(r).items()}


def freedom(r):
    return {"j": r.n}
