"""What is said of a surface and how it is integrated, word for word: cubes of 1 m with one defect each."""
import re

import numpy as np
import pytest
from inertia_snippets import CORNERS, CUBE, FLOOR

from sdf_frames.diagnostics import Location
from sdf_frames.document.uris import Resolver
from sdf_frames.inertia import meshes
from sdf_frames.inertia.mesh_file import Surface
from sdf_frames.inertia.meshes import MeshIntegrator, integrate_surface_by, place_surface, scale_surface
from sdf_frames.sdf.geometry import Mesh
from sdf_frames.spatial.solids import integrate_box

AT = Location("m.sdf", 7, "/sdf")
SOUP = CORNERS[CUBE].reshape(-1, 3), np.arange(36).reshape(-1, 3)  # each face with three corners of its own
BESIDE = np.vstack([CORNERS, CORNERS + [3, .3, .1]])


def judge(V, F, method="auto", size=None, has_unit=False):
    """The solid's volume, the method, and the messages without the file's name."""
    found = []
    solid, used = integrate_surface_by(Surface(np.asarray(V, float), np.asarray(F), has_unit), "m.obj", method, size,
                                       AT, found)
    assert all((d.file, d.line) == ("m.sdf", 7) for d in found)
    for words, name in (("faces without area", "mesh-degenerate-faces"), ("winding", "mesh-inconsistent-winding")):
        assert all(d.name == name for d in found if words in d.message)
    volume = None if solid is None else pytest.approx(solid.volume, rel=1e-4)
    return volume, used, [re.sub("^mesh m.obj:? ", "", d.message) for d in found]


TURNED = "the faces point inward; they are flipped for the computation"
TWO = "consists of 2 separate closed bodies"
OPEN = "is not closed: there is only one face at 3 of its 18 edges"
CLOSED = "1 hole closed along the border; the estimated error is none"


@pytest.mark.parametrize("V, F, expected", [
    (CORNERS, CUBE, (1, [])), (*SOUP, (1, [])), (CORNERS, CUBE[:, ::-1], (1, [TURNED])),
    (CORNERS, [*CUBE, (0, 0, 1), (5, 6, 6)], (1, ["faces without area: 2 of 14"])),
    (CORNERS, [*CUBE, *CUBE[:3]], (1, ["faces that appear more than once: 3"])),
    (CORNERS, [*CUBE, *CUBE[:, ::-1]], (1, ["faces that appear more than once: 12"])),
    (CORNERS, [*CUBE, *CUBE, *CUBE[:, ::-1], *CUBE[:, ::-1]], (1, ["faces that appear more than once: 24",
                                                                   "faces that appear more than once: 12"])),
    (CORNERS, [*CUBE[:11], CUBE[11, ::-1]], (1, ["the winding is inconsistent at 3 edges: some faces point inward, "
                                                 "others outward"])),
    (BESIDE, [*CUBE, *(CUBE + 8)], (2, [TWO])),
    (BESIDE, [*CUBE, *(CUBE[:, ::-1] + 8)], (2, ["12 of 24 faces belong to bodies whose faces point inward; they are "
                                                 "flipped for the computation", TWO])),
    (BESIDE, [*CUBE[:, ::-1], *(CUBE[:, ::-1] + 8)], (2, [TWO, TURNED])),
    (CORNERS, CUBE[1:], (1, [OPEN, CLOSED])),
])
def test_what_is_said_of_a_mesh(V, F, expected):
    volume, said = expected
    assert judge(V, F) == (volume, "exact", said)
    assert judge(np.asarray(V) * 2 + [9, 8, 7], F) == (8 * volume, "exact", said)


@pytest.mark.parametrize("method, volume", [("exact", 1), ("voxel", 1), ("hull", 1), ("shell", 6)])
def test_a_method_that_is_asked_for_is_used(method, volume):
    assert judge(CORNERS, CUBE, method, .125) == (volume, method, [])


@pytest.mark.parametrize("shrunk, merged", [(2e-7, True), (6e-6, False)])
@pytest.mark.parametrize("size", [1.0, 0.01, 20.0])
def test_corners_within_a_millionth_of_the_size_are_one(shrunk, merged, size):
    """Each face by itself, shrunk about its middle."""
    V, F = SOUP
    middles = np.repeat(V.reshape(-1, 3, 3).mean(axis=1), 3, axis=0)
    _, _, found = judge(size * (V - shrunk * (V - middles)), F)
    assert (found == []) == merged


@pytest.mark.parametrize("cubes, merged", [(1, False), (16, False), (17, True)])
def test_merging_collapses_no_more_than_a_hundredth_of_the_faces(cubes, merged):
    """Cubes of 12 faces, one of them with a crack, and a needle with two sides that is thinner than what is merged."""
    V = np.vstack([CORNERS + [3 * k, 0, 0] for k in range(cubes)])
    F = np.vstack([CUBE + 8 * k for k in range(cubes)])
    F[0, 0] = len(V)
    needle = np.array([(0, 9, 0), (0, 9 + 1e-7, 0), (0, 9, 1)])
    V = np.vstack([V, [(1e-7, 0, 0)], needle])
    F = np.vstack([F, [(len(V) - 3, len(V) - 2, len(V) - 1), (len(V) - 2, len(V) - 3, len(V) - 1)]])
    _, _, found = judge(V, F)
    assert (found[0] == f"faces without area: 2 of {12 * cubes + 2}") == merged
    assert any("there is only one face at" in text for text in found) != merged


@pytest.mark.parametrize("V, F, method, said", [
    (CORNERS, FLOOR, "auto", ["encloses no volume (method hull): 4 of its 5 edges are open"]),
    (CORNERS, FLOOR, "exact", ["encloses no volume (method exact): 4 of its 5 edges are open"]),
    (CORNERS, [*FLOOR, (0, 0, 1)], "exact", ["faces without area: 1 of 3",
                                             "encloses no volume (method exact): 4 of its 5 edges are open"]),
    (CORNERS * [1, 1, 0], CUBE, "exact", ["faces without area: 8 of 12", "encloses no volume (method exact)"]),
])
def test_what_encloses_no_volume(V, F, method, said):
    volume, used, found = judge(V, F, method)
    assert volume is None and used == ("hull" if method == "auto" else method)
    assert found[-1] == said[-1] and [text for text in said if text not in found] == []


@pytest.mark.parametrize("extent, has_unit, said", [
    (50.0, False, None), (50.5, False, "is 50.5 m long, and its format has no unit; its coordinates look like "
                                       "millimetres"), (50.5, True, None), (2e-4, False, None), (2e-4, True, None),
    (1.9e-4, False, "is 0.00019 m long; its coordinates look like metres scaled down once too often"),
    (1.9e-4, True, "is 0.00019 m long; its coordinates look like metres scaled down once too often")])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_units_that_are_suspicious(axis, extent, has_unit, said):
    V = CORNERS * 1e-4 + (40 if extent > 1 else 0)
    V[:, axis] = CORNERS[:, axis] * extent
    _, _, found = judge(V, CUBE, has_unit=has_unit)
    assert found == ([said] if said else [])


def test_the_scale_that_mends_a_unit_is_the_hint():
    """In a description, whose place is added later, or for a file that is not part of one."""
    for factor, scale in ((100, "0.001"), (1e-4, "1000")):
        for at, words in ((None, f"multiply the mesh's scale by {scale}"),
                          (AT, f"give --scale {scale} (in Python: scale={scale})")):
            found = []
            integrate_surface_by(Surface(CORNERS * factor, CUBE, False), "m.obj", "auto", None, at, found)
            assert found[0].hint == f"{words}, or save the mesh in metres"


@pytest.mark.parametrize("factor, size, what", [
    (1e50, None, None), (-1.01e50, None, "a coordinate of 1.01e+50 m"), (np.inf, None, "a coordinate of inf m"),
    (1.0, 1.01e50, "a voxel of 1.01e+50 m")])
def test_what_is_too_large_to_be_computed(factor, size, what):
    V = np.where(CORNERS > 0, factor, 0)
    volume, method, found = judge([*V, [np.inf] * 3], CUBE, "voxel" if size else "exact", size, True)  # one is not used
    assert (volume is None) == (what is not None) and method == ("voxel" if size else "exact")
    assert found == ([f"{what} is more than 1e+50 m, the limit for computing integrals"] if what else [])


@pytest.mark.parametrize("scale", [(1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2), (2, 3, 4), (-1, 1, 1), (1, -2, 1),
                                   (1, 1, -1), (-1, -2, 1), (-1, 1, -1), (-1, -1, -3)])
def test_scale(scale):
    """An odd number of mirrors reverses the faces."""
    V, F = CORNERS + [1, 2, 3], CUBE
    scaled = scale_surface(Surface(V, F, True), tuple(map(float, scale)))
    odd = sum(s < 0 for s in scale) % 2
    assert scaled.vertices.tolist() == [[a * b for a, b in zip(v, scale)] for v in V.tolist()]
    assert scaled.faces.tolist() == [list(f)[::-1] if odd else list(f) for f in F.tolist()] and scaled.has_unit
    assert not scale_surface(Surface(V, F, False), (2.0, 2.0, 2.0)).has_unit


@pytest.mark.parametrize("center, low", [(False, [2, -2, 12]), (True, [-1, -1, -2])])
def test_the_middle_of_what_faces_use_goes_to_the_origin(center, low):
    """Before it is scaled, here by 2, -2 and 4."""
    V = np.vstack([CORNERS + [1, 0, 3], [(99, 99, 99)]])
    placed = place_surface(Surface(V, CUBE, False), Mesh("m", None, center=center, scale=(2.0, -2.0, 4.0)))
    used = placed.vertices[:8]
    assert used.min(axis=0).tolist() == low and np.ptp(used, axis=0).tolist() == [2, 2, 4]


def test_each_file_is_read_once_and_each_answer_is_kept(tmp_path, monkeypatch):
    """Two collisions of one mesh, one of them scaled, and a submesh that is not there."""
    path = tmp_path / "m.obj"
    path.write_text("".join("v {:g} {:g} {:g}\n".format(*v) for v in CORNERS)
                    + "".join("f {} {} {}\n".format(*f) for f in CUBE + 1))
    read, real = [], meshes.read_mesh_file
    monkeypatch.setattr(meshes, "read_mesh_file", lambda *a: (read.append(a[1]), real(*a))[1])
    from sdf_frames.document.xml_in import read_xml

    def make(scale=(1.0, 1.0, 1.0), submesh=None):
        element = read_xml("<mesh><uri>m.obj</uri></mesh>", str(tmp_path / "m.sdf"))[0].root
        return Mesh("m.obj", element, scale=scale, submesh=submesh)
    integrator = MeshIntegrator(Resolver())
    for scale, volume in (((1.0, 1.0, 1.0), 1), ((2.0, 1.0, 1.0), 2), ((1.0, 1.0, 1.0), 1)):
        solid, method, found = integrator.integrate(make(scale))
        assert (solid.volume, method, found) == (pytest.approx(volume), "exact", ())
        assert solid.moments == pytest.approx(integrate_box(volume, 1, 1).moments, abs=1e-12)
    for _ in range(2):
        solid, _, found = integrator.integrate(make(submesh="none"))
        assert solid is None and [(d.name, d.file, d.line) for d in found] == [
            ("mesh-without-submesh", str(tmp_path / "m.sdf"), 1)]
    assert read == [None, "none"]
    assert integrator.spending.spent["faces"] == 24
