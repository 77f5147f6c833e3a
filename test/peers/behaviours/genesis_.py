# needs: torch
import genesis as gs
import numpy as np

gs.init(backend=gs.cpu, logging_level="error")
UNTOLD = ("follows",)  # its constraint acts only while it simulates


def load(file):
    scene = gs.Scene(show_viewer=False)
    entity = scene.add_entity(gs.morphs.URDF(file=file, fixed=True))
    scene.build()
    return scene, entity


def masses(r):
    return {link.name: link.get_mass() for link in r[1].links}


def place(r, positions):
    for name, value in positions.items():
        r[1].set_dofs_position(np.array([value]), r[1].get_joint(name).dofs_idx_local)
    poses = {}
    for link in r[1].links:
        w, x, y, z = np.array(link.get_quat()).ravel()
        poses[link.name] = np.eye(4)
        poses[link.name][:3, :3] = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                                    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                                    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
        poses[link.name][:3, 3] = np.array(link.get_pos()).ravel()
    return poses


def _joints(r):
    return {j.name: j.dofs_idx_local for j in r[1].joints if j.n_dofs == 1}


def limits(r):
    low, high = r[1].get_dofs_limit()
    return {name: [float(low[i[0]]), float(high[i[0]])] for name, i in _joints(r).items()}


def efforts(r):
    _, most = r[1].get_dofs_force_range()
    return {name: [float(most[i[0]]), None] for name, i in _joints(r).items()}
