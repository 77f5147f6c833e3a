# needs: pycollada
import yourdfpy


def load(file):
    return yourdfpy.URDF.load(file, build_collision_scene_graph=True, load_collision_meshes=True, load_meshes=False)


def masses(u):
    return {link.name: link.inertial.mass if link.inertial else 0 for link in u.robot.links}


def tensors(u):
    found = {}
    for link in u.robot.links:
        if link.inertial:
            R = link.inertial.origin[:3, :3] if link.inertial.origin is not None else 1
            t = link.inertial.inertia if isinstance(R, int) else R @ link.inertial.inertia @ R.T
            found[link.name] = [t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2]]
    return found


def place(u, positions):
    u.update_cfg(positions) if positions else None
    return {link.name: u.get_transform(link.name) for link in u.robot.links}


def limits(u):
    return {j.name: j.limit and [j.limit.lower, j.limit.upper] if j.type != "continuous" else None
            for j in u.robot.joints}


def efforts(u):
    return {j.name: j.limit and [j.limit.effort, j.limit.velocity] for j in u.robot.joints}


def dynamics(u):
    return {j.name: [j.dynamics.damping, j.dynamics.friction] for j in u.robot.joints}


def freedom(u):
    return {"j": u.num_dofs}


def sizes(u):
    return {"tip": u.collision_scene.extents}
