"""Meshes of the shared corpus: the exact method against trimesh, bad ones with one clear finding."""
import os

import numpy as np
import pytest

from sdf_frames.inertia.mesh_file import read_mesh_file
from sdf_frames.inertia.meshes import integrate_surface_by
from sdf_frames.load import LoadOptions, load_file

trimesh = pytest.importorskip("trimesh")

EXTENSIONS = (".stl", ".obj", ".dae", ".glb", ".gltf", ".ply", ".off")


def find_meshes(corpus):
    return sorted(os.path.join(d, f) for d, _, files in os.walk(corpus) for f in files
                  if f.lower().endswith(EXTENSIONS))


def test_exact_equals_trimesh_on_every_watertight_mesh(corpus):
    compared = 0
    for path in find_meshes(corpus):
        surface, _ = read_mesh_file(path)
        if surface is None:
            continue
        mesh = trimesh.Trimesh(surface.vertices, surface.faces)  # merges vertices
        if not (mesh.is_watertight and mesh.is_winding_consistent):
            continue
        found = []
        solid, method = integrate_surface_by(surface, path, "auto", None, None, found)
        if any(d.name == "mesh-duplicate-faces" for d in found):
            continue
        theirs = trimesh.triangles.mass_properties(surface.vertices[surface.faces])
        sign = np.sign(theirs["volume"])
        ixx, iyy, izz, ixy, ixz, iyz = solid.moments
        ours = np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
        assert method == "exact", path
        assert solid.volume == pytest.approx(abs(theirs["volume"]), rel=1e-10), path
        size = float(np.ptp(surface.vertices, axis=0).max())
        assert solid.centroid == pytest.approx(theirs["center_mass"], abs=1e-10 * size), path
        assert ours == pytest.approx(sign * theirs["inertia"], abs=1e-10 * np.abs(ours).max()), path
        compared += 1
    assert compared >= 40


def test_a_mesh_either_has_a_volume_or_one_error(corpus):
    compared = 0
    for path in find_meshes(corpus):
        compared += 1
        surface, found = read_mesh_file(path)
        found = list(found)
        solid = None
        if surface is not None:
            solid, _ = integrate_surface_by(surface, path, "auto", None, None, found)
        if solid is None:
            assert [d.severity for d in found].count("error") == 1, path
        else:
            assert solid.volume > 0 and not any(d.severity == "error" for d in found), path
    assert compared >= 100


def test_malformed_meshes_are_named(corpus):
    malformed = [p for p in find_meshes(corpus) if os.path.basename(p).startswith("malformed")]
    assert len(malformed) >= 15
    for path in malformed:
        surface, found = read_mesh_file(path)
        found = list(found)
        if surface is not None:
            integrate_surface_by(surface, path, "auto", None, None, found)
        assert len(found) == 1 and found[0].code[0] == "G" and os.path.basename(path) in found[0].message, path


@pytest.mark.parametrize("name, mass, centre, moments", [
    ("cylinder_dae", 7791.146908482853, (0, 0, 0),
     (4544.8349785103655, 4544.834978510364, 3895.5720180321655, 0, 0, 0)),
    ("cylinder_dae_bottom_origin", 7791.14691401802, (0, 0, 1),
     (4544.834983122982, 4544.834983122977, 3895.572023567327, 0, 0, 0))])
def test_automatic_inertia_of_a_mesh_matches_the_reference(corpus, name, mass, centre, moments):
    (link,) = load_file(corpus / f"gazebosim+gz-sim/test/worlds/models/{name}/model.sdf",
                        LoadOptions()).inertias().links
    # The reference rounds vertices to single precision.
    assert link.mass == pytest.approx(mass, rel=1e-6)
    assert link.pose[:3] == pytest.approx(centre, abs=1e-6)
    assert link.inertia == pytest.approx(moments, rel=1e-6, abs=1e-6 * mass)
