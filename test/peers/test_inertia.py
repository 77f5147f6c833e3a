"""Mesh inertia as other programs integrate it: MuJoCo's exact method and Drake, on every closed mesh of the corpus.

MuJoCo keeps vertices in single precision; each mesh goes to it scaled to a size of one and moved to the origin, so that
the difference is that of its numbers, not of where the mesh was drawn. Drake reads OBJ, in double precision.
"""

import os

import numpy as np
import pytest
from sources import CORPUS

from sdf_frames.inertia.mesh_file import read_mesh_file
from sdf_frames.inertia.mesh_formats import FORMATS
from sdf_frames.inertia.meshes import integrate_surface_by

trimesh = pytest.importorskip("trimesh")

MESHES = sorted(os.path.join(d, f) for d, _, files in os.walk(CORPUS) for f in files
                if f.lower().endswith(tuple(f".{e}" for e in FORMATS)))
SINGLE = 1e-6
DOUBLE = 1e-12
MOST_FACES = 200_000  # that MuJoCo takes
needs_corpus = pytest.mark.skipif(not MESHES, reason="no corpus")


def closed_meshes():
    """(file, surface with merged vertices at the origin and of size one) of every closed, consistently wound mesh."""
    for path in MESHES:
        surface, _ = read_mesh_file(path)
        if surface is None:
            continue
        mesh = trimesh.Trimesh(surface.vertices, surface.faces)
        mesh.update_faces(mesh.nondegenerate_faces())
        if not (mesh.is_watertight and mesh.is_winding_consistent) or len(mesh.faces) > MOST_FACES:
            continue
        if mesh.volume < 0:
            mesh.invert()
        V = (mesh.vertices - mesh.bounds.mean(axis=0)) / mesh.extents.max()
        yield path, type(surface)(V, np.asarray(mesh.faces), surface.has_unit)


def integrate(surface, path):
    """(volume, centre, 3 x 3 tensor about it) by our exact method; None for meshes that count some faces once."""
    found = []
    solid, _ = integrate_surface_by(surface, path, "exact", None, None, found)
    if solid is None or any(d.name == "mesh-duplicate-faces" for d in found):
        return None
    ixx, iyy, izz, ixy, ixz, iyz = solid.moments
    return solid.volume, np.array(solid.centroid), np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])


def compare(path, ours, volume, centre, tensor, tolerance):
    """Largest relative difference."""
    assert volume == pytest.approx(ours[0], rel=tolerance), path
    assert centre == pytest.approx(ours[1], abs=tolerance), path
    assert tensor == pytest.approx(ours[2], abs=tolerance * np.abs(ours[2]).max()), path
    return max(abs(volume / ours[0] - 1), np.abs(tensor - ours[2]).max() / np.abs(ours[2]).max())


@needs_corpus
def test_mujoco_integrates_the_same(record_property):
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")
    compared, refused, worst = 0, [], 0.0
    for path, surface in closed_meshes():
        ours = integrate(surface, path)
        if ours is None:
            continue
        spec = mujoco.MjSpec()
        spec.add_mesh(name="m", uservert=surface.vertices.astype(np.float32).ravel(), userface=surface.faces.ravel(),
                      inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_EXACT)
        body = spec.worldbody.add_body(name="b")
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname="m", density=1.0)
        try:
            model = spec.compile()
        except ValueError as error:  # it judges meshes too
            refused.append((os.path.basename(path), str(error).splitlines()[0]))
            continue
        R = np.zeros(9)
        mujoco.mju_quat2Mat(R, model.body_iquat[1])
        R = R.reshape(3, 3)
        worst = max(worst,
            compare(path, ours, model.body_mass[1], model.body_ipos[1], R @ np.diag(model.body_inertia[1]) @ R.T,
                                   SINGLE))
        compared += 1
    record_property("compared", compared)
    record_property("worst", float(worst))
    assert compared >= 40 and not refused, refused


@needs_corpus
def test_drake_integrates_the_same(tmp_path, record_property):
    geometry = pytest.importorskip("pydrake.geometry", reason="Drake is not installed (pip install drake)")
    tree = pytest.importorskip("pydrake.multibody.tree")
    compared, refused, worst = 0, [], 0.0
    for number, (path, surface) in enumerate(closed_meshes()):
        ours = integrate(surface, path)
        if ours is None or len(surface.faces) > 50_000:
            continue
        file = tmp_path / f"{number}.obj"
        file.write_text("".join([f"v {x!r} {y!r} {z!r}\n" for x, y, z in surface.vertices.tolist()]
                                + [f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in surface.faces.tolist()]))
        try:
            theirs = tree.CalcSpatialInertia(geometry.Mesh(str(file)), 1.0)
        except (RuntimeError, ValueError) as error:
            refused.append((os.path.basename(path), str(error).splitlines()[0][:100]))
            continue
        about = theirs.Shift(theirs.get_com()).CalcRotationalInertia().CopyToFullMatrix3()
        worst = max(worst, compare(path, ours, theirs.get_mass(), theirs.get_com(), about, DOUBLE))
        compared += 1
    record_property("compared", compared)
    record_property("worst", float(worst))
    assert compared >= 40 and not refused, refused
