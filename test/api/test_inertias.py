"""Inertias of links and of mesh files: what is asked for, what is said of them, and what is refused."""

from math import pi, sqrt

import numpy as np
import pytest

import sdf_frames as sf
from sdf_frames.api.inertias import Inertia
from sdf_frames.diagnostics import Diagnostic
from sdf_frames.inertia import compute as compute_module

CUBE = "\n".join([*(f"v {x} {y} {z}" for x in (0, 1) for y in (0, 1) for z in (0, 1)),
                  "f 1 2 4 3", "f 5 7 8 6", "f 1 5 6 2", "f 3 4 8 7", "f 1 3 7 5", "f 2 6 8 4\n"])
LINK = (
    '<link name="{}"><inertial {}><mass>{}</mass></inertial><collision name="c"><geometry>{}</geometry></collision>'
    "</link>"
)
BALL = "<sphere><radius>1</radius></sphere>"


def model(*links):
    return sf.loads(f'<sdf version="1.11"><model name="m">{"".join(links)}</model></sdf>')


def test_the_box_of_a_cube_is_the_cube(tmp_path):
    (tmp_path / "cube.obj").write_text(CUBE)
    X, size = sf.mesh_inertia(tmp_path / "cube.obj").equivalent_box()
    assert X.xyz == pytest.approx((0.5, 0.5, 0.5)) and size == pytest.approx((1, 1, 1))
    assert Inertia(1.0, np.zeros(3), np.diag((1.0, 1.0, 3.0)), "declared", False).equivalent_box() is None


def test_a_density_is_for_what_has_none():
    """A ball of 1 m: 4/3 π ρ, and 2/5 m about each axis."""
    robot = sf.loads(f'<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true"/><collision name="c">'
                     f"<geometry>{BALL}</geometry></collision></link></model></sdf>")
    for options, density in (({}, 1000), ({"density": 7.0}, 7)):
        ball = robot.inertias(**options)["l"]
        assert ball.mass == pytest.approx(4 / 3 * pi * density)
        assert ball.tensor == pytest.approx(0.4 * ball.mass * np.eye(3))
        assert ball.com.tolist() == [0, 0, 0]


def test_only_links_that_are_asked_for_and_what_is_declared_unless_asked_otherwise():
    robot = model(LINK.format("a", "", 3, BALL), LINK.format("b", "", 5, BALL))
    found = robot.inertias(links=["b"])
    assert list(found) == ["b"]
    assert found.total.mass == 5
    assert (found["b"].method, found["b"].tensor.tolist()) == ("declared", np.eye(3).tolist())
    again = robot.inertias(recompute=True)
    assert list(again) == ["a", "b"]
    assert again["b"].method == "exact"
    assert again["b"].tensor == pytest.approx(2 * np.eye(3))
    with pytest.raises(KeyError, match="did you mean 'b'"):
        robot.inertias(links=["bb"])
    with pytest.raises(TypeError, match=r"links must be a sequence, such as \['b'\], not a single str"):
        robot.inertias(links="b")


def test_the_method_and_the_size_of_its_voxels(tmp_path):
    """A tetrahedron of 1/6 m³: coarse voxels miss it by more than fine ones."""
    (tmp_path / "t.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    robot = sf.loads(f'<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true"/><collision name="c">'
                     f"<geometry><mesh><uri>{tmp_path}/t.obj</uri></mesh></geometry></collision></link></model></sdf>")
    assert robot.inertias()["l"].method == "exact"
    coarse, fine = (robot.inertias("voxel", voxel_size=size)["l"] for size in (0.4, 0.02))
    assert coarse.method == fine.method == "voxel"
    assert abs(fine.mass - 1000 / 6) < abs(coarse.mass - 1000 / 6) / 5
    part = sf.mesh_inertia(tmp_path / "t.obj", method="voxel", voxel_size=0.4)
    assert part.mass == pytest.approx(coarse.mass)


def test_the_tensor_is_in_the_axes_of_the_link():
    """About z by 30°: Ixx = (3 + 1) / 2 + (3 - 1) / 2 cos 60°, Ixy = (3 - 1) / 2 sin 60°."""
    robot = sf.loads(f"""<sdf version="1.11"><model name="m"><link name="l"><inertial><pose>1 2 3 0 0 {pi / 6}</pose>
      <mass>2</mass><inertia><ixx>3</ixx><iyy>1</iyy><izz>3</izz></inertia></inertial></link></model></sdf>""")
    found = robot.inertias()["l"]
    c = sqrt(3) / 2
    assert found.tensor == pytest.approx(np.array([[2.5, c, 0], [c, 1.5, 0], [0, 0, 3]]))
    assert (found.mass, found.com.tolist(), found.physical) == (2, [1, 2, 3], True)
    assert "-0." not in str(found.tensor.tolist())


def test_the_total_is_about_the_common_centre():
    """Two balls of 5 kg, 2 m apart: 2 · 2/5 · 5 = 4 along their line, and 2 · 5 · 1² more across it."""
    robot = model(LINK.format("a", 'auto="true"', 5, BALL),
                  LINK.format("b", 'auto="true"', 5, BALL).replace("<inertial", "<pose>2 0 0 0 0 0</pose><inertial"))
    total = robot.inertias().total
    assert (total.mass, total.method, total.physical) == (pytest.approx(10), "total", True)
    assert total.com == pytest.approx([1, 0, 0])
    assert total.tensor == pytest.approx(np.diag([4.0, 14, 14]))


def test_a_total_is_physical_if_each_link_is():
    odd = '<link name="odd"><inertial><mass>1</mass><inertia><izz>5</izz></inertia></inertial></link>'
    found = model(LINK.format("a", "", 3, BALL), odd).inertias()
    assert [found["a"].physical, found["odd"].physical, found.total.physical] == [True, False, False]
    assert [d.code for d in found.findings] == ["I001"]
    assert found.total.findings == found.findings
    assert found["odd"].findings == ()


def note(severity, message):
    return Diagnostic("I001", "n", severity, message)


@pytest.mark.parametrize(("physical", "findings", "valid", "verdict"), [
    (True, [], True, "usable, method hull"), (True, [note("info", "a")], True, "usable, method hull"),
    (True, [note("info", "a"), note("warning", "b"), note("warning", "c")], True, "usable, with a warning: b"),
    (False, [note("warning", "a")], False, "not usable: no solid body can have this inertia"),
    (True, [note("warning", "a"), note("error", "b"), note("error", "c")], False, "not usable: b"),
    (False, [note("error", "b")], False, "not usable: b")])
def test_the_verdict(physical, findings, valid, verdict):
    made = Inertia(1.23456789, np.array([1.0, -2.5, 1 / 3]), np.eye(3), "hull", physical, tuple(findings))
    assert (made.valid, made.verdict) == (valid, verdict)
    assert repr(made) == f"<Inertia: 1.23457 kg, com 1 -2.5 0.333333 m, hull, {'valid' if valid else 'not valid'}>"


@pytest.mark.parametrize(("options", "problem"), [
    ({"density": 0}, "density must be a positive number, not 0"),
    ({"density": float("inf")}, "density must be a positive number, not inf"),
    *[({name: value}, f"{name} must be a positive number, not {value!r}".replace("[", r"\["))
      for name in ("density", "voxel_size") for value in ("x", b"x", 1j, [1])],
    ({"voxel_size": float("nan")}, "voxel_size must be a positive number, not nan"),
    ({"method": "guess"}, "method must be one of auto, exact, voxel, hull, shell, not 'guess'")])
def test_choices_that_cannot_be(options, problem, tmp_path):
    (tmp_path / "cube.obj").write_text(CUBE)
    robot, path = model(LINK.format("a", "", 3, BALL)), tmp_path / "cube.obj"
    for compute in (robot.inertias, lambda **given: sf.mesh_inertia(path, **given)):
        with pytest.raises(ValueError, match=problem):
            compute(**options)


def test_a_mass_that_is_known_takes_the_place_of_the_density(tmp_path):
    (tmp_path / "cube.obj").write_text(CUBE)
    cube = sf.mesh_inertia(tmp_path / "cube.obj", mass=3.0)
    assert cube.mass == 3
    assert cube.tensor == pytest.approx(np.eye(3) * 3 / 6)  # m a² / 6
    with pytest.raises(ValueError, match="mass must be a positive number, not 0"):
        sf.mesh_inertia(tmp_path / "cube.obj", mass=0)
    with pytest.raises(ValueError, match="give a density or a mass: both are None"):
        sf.mesh_inertia(tmp_path / "cube.obj", density=None)


@pytest.mark.parametrize("scale", [0, (1, 1), (1, 0, 1), (1, 1, 1, 1), float("nan"), (1, float("inf"), 1)])
def test_scales_that_cannot_be(scale, tmp_path):
    (tmp_path / "cube.obj").write_text(CUBE)
    with pytest.raises(ValueError, match="scale must be one number or three numbers, all nonzero, not "):
        sf.mesh_inertia(tmp_path / "cube.obj", scale=scale)


@pytest.mark.parametrize("scale", ["x", b"x", 1j, None, ["1", 1, 1]])
def test_scales_that_are_no_numbers(scale, tmp_path):
    (tmp_path / "cube.obj").write_text(CUBE)
    with pytest.raises(ValueError, match="scale must consist of numbers: "):
        sf.mesh_inertia(tmp_path / "cube.obj", scale=scale)


def test_a_part_of_a_mesh_file(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    scene = trimesh.Scene()
    scene.add_geometry(trimesh.creation.box((1, 1, 1)), node_name="one", geom_name="one")
    scene.add_geometry(trimesh.creation.box((2, 1, 1)), node_name="two", geom_name="two")
    scene.export(str(tmp_path / "parts.glb"))
    assert sf.mesh_inertia(tmp_path / "parts.glb", submesh="two").mass == pytest.approx(2000)
    assert not sf.mesh_inertia(tmp_path / "parts.glb", submesh="three").valid


def test_what_failed_has_no_numbers(tmp_path):
    (tmp_path / "flat.obj").write_text(CUBE.partition("f 5")[0])
    part = sf.mesh_inertia(tmp_path / "flat.obj")
    assert np.isnan([part.mass, *part.com, *part.tensor.ravel()]).all()
    assert part.com.shape == (3,)
    assert part.tensor.shape == (3, 3)
    assert (part.method, part.physical, part.valid) == ("failed", False, False)
    assert {d.file for d in part.findings} == {str(tmp_path / "flat.obj")}


def write_box(path, a, b, c):
    """An OBJ of a box whose corner is the origin."""
    corners = [f"v {x} {y} {z}\n" for x in (0, a) for y in (0, b) for z in (0, c)]
    path.write_text("".join(corners) + CUBE[CUBE.index("f"):])
    return path


def test_a_box_of_aluminium(tmp_path):
    """m = ρ a b c, I = m/12 (b² + c², …) about its centre."""
    part = sf.mesh_inertia(write_box(tmp_path / "box.obj", 0.1, 0.2, 0.3), density=2700.0)
    mass = 2700 * 0.1 * 0.2 * 0.3
    assert part.mass == pytest.approx(mass)
    assert part.com == pytest.approx([0.05, 0.1, 0.15])
    assert part.tensor == pytest.approx(np.diag([0.04 + 0.09, 0.01 + 0.09, 0.01 + 0.04]) * mass / 12, abs=1e-15)
    assert (part.method, part.valid, part.verdict) == ("exact", True, "usable, method exact")


def test_scale_and_default_density(tmp_path):
    path = write_box(tmp_path / "box.obj", 100, 200, 300)
    assert sf.mesh_inertia(path, scale=0.001).mass == pytest.approx(6.0)
    assert sf.mesh_inertia(path, scale=(0.001, 0.001, -0.002)).com == pytest.approx([0.05, 0.1, -0.3])
    assert sf.mesh_inertia(path, scale=(0.001, 0.001, -0.002)).mass == pytest.approx(12.0)


def test_a_file_that_is_not_a_mesh_is_not_valid(tmp_path):
    (tmp_path / "x.stl").write_text("hello")
    assert not sf.mesh_inertia(tmp_path / "x.stl").valid
    (tmp_path / "x.step").write_text("hello")
    assert "step" in sf.mesh_inertia(tmp_path / "x.step").verdict


def test_a_file_that_is_not_there_raises(tmp_path):
    with pytest.raises(FileNotFoundError):
        sf.mesh_inertia(tmp_path / "no.stl")


def test_the_inertias_of_all_worlds_are_computed_once(monkeypatch):
    text = '<sdf version="1.11">{}</sdf>'.format("".join(
        f'<world name="w{k}"><model name="m"><link name="l"><inertial><mass>{k}</mass></inertial></link></model>'
        "</world>"
        for k in range(1, 5)))
    counted = []
    compute = compute_module.compute_inertias
    monkeypatch.setattr(compute_module, "compute_inertias", lambda *given: counted.append(1) or compute(*given))
    worlds = sf.loads(text).worlds
    assert [world.inertias().total.mass for world in worlds.values()] == [1, 2, 3, 4] and len(counted) == 1
    assert worlds["w2"].inertias(density=5.0).total.mass == 2 and len(counted) == 2


def test_limits_of_a_mesh_are_those_of_load(tmp_path):
    """The box has 12 faces."""
    path = write_box(tmp_path / "box.obj", 0.1, 0.2, 0.3)
    assert sf.mesh_inertia(path, limits={"faces": 12}).valid
    assert [d.name for d in sf.mesh_inertia(path, limits={"faces": 11}).findings] == ["limit-exceeded"]
    with pytest.raises(ValueError, match="there is no limit 'face'"):
        sf.mesh_inertia(path, limits={"face": 12})
    with pytest.raises(TypeError, match="limits must be a mapping"):
        sf.mesh_inertia(path, limits=["faces=12"])
