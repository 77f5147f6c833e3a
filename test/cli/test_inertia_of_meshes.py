"""`sdf_frames inertia part.obj`: the inertia of a mesh file itself."""

import json

import pytest

from sdf_frames.cli import main

CORNERS = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
ROBOT = '<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    lines = [f"v {x * 100} {y * 100} {z * 100}" for x, y, z in CORNERS]
    quads = [f"f {' '.join(str(i + 1) for i in quad)}" for quad in QUADS]
    (tmp_path / "cube.obj").write_text("\n".join([*lines, *quads]))
    (tmp_path / "flat.obj").write_text("\n".join([*lines, quads[0]]))
    (tmp_path / "m.sdf").write_text(ROBOT)
    monkeypatch.chdir(tmp_path)


def test_meshes_and_robots_together(folder, capsys):
    assert main(["inertia", "--json", "cube.obj", "m.sdf"]) == 0
    assert [json.loads(line)["file"] for line in capsys.readouterr().out.splitlines()] == ["cube.obj", "m.sdf"]


@pytest.mark.parametrize(("method", "mass", "remark"), [("shell", "120000", "2 kg/m² (--density)"),
                                                        ("exact", "2e+06", "2 kg/m³ (--density)")])
def test_a_density_has_the_unit_of_what_it_is_for(method, mass, remark, folder, capsys):
    """The cube has edges of 100 m: six faces of 10,000 m², and 1,000,000 m³."""
    assert main(["inertia", "--method", method, "--density", "2", "cube.obj"]) == 0
    row = capsys.readouterr().out.splitlines()[2]
    assert row.split()[1] == mass and row.endswith(remark)


@pytest.mark.parametrize(("name", "code"), [("flat.obj", "mesh-without-volume"), ("missing.stl", "file-unreadable")])
def test_a_mesh_that_cannot_be_computed_is_an_error(name, code, folder, capsys):
    assert main(["inertia", "--json", "--method", "exact", name, "cube.obj"]) == 1
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert code in [d["name"] for d in first["diagnostics"]]
    assert not first["valid"]
    assert second["valid"]


@pytest.mark.parametrize("option", [["--write"], ["--compare"], ["--link", "l"], ["--calculator", "c"]])
def test_options_of_robots_are_wrong_usage(option, folder, capsys):
    with pytest.raises(SystemExit) as caught:
        main(["inertia", "cube.obj", *option])
    assert caught.value.code == 2
    assert f"{option[0]} is for robots and worlds, not for mesh files" in capsys.readouterr().err


# Corners at the origin and on the axes, at a = 1, b = 2 and c = 3 m: V = a b c / 6, centre of mass (a, b, c) / 4,
# ixx = 3 m (b² + c²) / 80, and so on, ixy = m a b / 80, and so on.
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
LINK = {"name": "part.obj", "auto": True, "method": "exact", "physical": True}
RATIOS = {"ixx": 39 / 80, "iyy": 30 / 80, "izz": 15 / 80, "ixy": 2 / 80, "ixz": 3 / 80, "iyz": 6 / 80}
COLLISION = {"name": "parts/part.obj", "geometry": "mesh", "method": "exact"}


@pytest.mark.parametrize(("options", "density", "source", "scale"), [
    (["--density", "80"], 80, "argument", 1), ([], 1000, "default", 1), (["--scale", "0.1"], 1000, "default", 0.1)])
def test_the_whole_answer(options, density, source, scale, folder, capsys, tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "part.obj").write_text(TETRAHEDRON)
    assert main(["inertia", "--json", "parts/part.obj", *options]) == 0
    answer = json.loads(capsys.readouterr().out)
    (link,) = answer.pop("links")
    assert answer == {"file": "parts/part.obj", "valid": True, "totals": [], "diagnostics": []}
    mass = pytest.approx(density * scale**3)
    assert link.pop("inertia") == pytest.approx({key: density * scale**5 * ratio for key, ratio in RATIOS.items()})
    assert link.pop("pose") == pytest.approx([.25 * scale, .5 * scale, .75 * scale, 1, 0, 0, 0])
    assert link.pop("collisions") == [
        {**COLLISION, "density": density, "density_from": source, "mass": mass, "volume": pytest.approx(scale**3)}]
    assert link == {**LINK, "mass": mass}


def test_tables_of_several_files_have_a_blank_line_between_them(folder, capsys):
    assert main(["inertia", "cube.obj", "m.sdf", "./cube.obj"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "obj" in line and ":" in line or ".sdf" in line] == [
        "cube.obj: mesh", "m.sdf: model m", "./cube.obj: mesh"]
    assert [i for i, line in enumerate(lines) if not line] == [3, 8]


def test_voxels_are_as_large_as_asked(folder, capsys, monkeypatch):
    from sdf_frames.api import inertias
    asked, real = [], inertias.mesh_inertia
    monkeypatch.setattr(inertias, "mesh_inertia", lambda *words, **choices: asked.append((words, choices)) or real(
        *words, **choices))
    main(["inertia", "cube.obj", "--method", "voxel", "--voxel-size", "20", "--density", "5"])
    ((words, choices),) = asked
    assert (words, choices["method"], choices["scale"], choices["voxel_size"]) == (("cube.obj", 5.0), "voxel", 1, 20)


@pytest.mark.parametrize(("limit", "status", "code"), [
    ("faces=2", 1, "X024"), ("mesh_bytes=9", 1, "G016"), ("voxels=9", 0, "G031"), ("faces=12", 0, None)])
def test_limits_also_hold_for_mesh_files(folder, capsys, limit, status, code):
    """The cube has 12 faces."""
    assert main(["inertia", "cube.obj", "--json", "--method", "voxel", "--limit", limit]) == status
    codes = {d["code"] for d in json.loads(capsys.readouterr().out)["diagnostics"]}
    assert code in codes if code else not codes & {"X024", "G016", "G031"}


def test_a_mesh_without_volume_has_no_table(folder, capsys):
    assert main(["inertia", "--method", "exact", "flat.obj"]) == 1
    said = capsys.readouterr()
    assert said.out == "" and "mesh-without-volume" in said.err


def test_the_scale_may_be_given_for_meshes_beside_robots(folder, capsys):
    assert main(["inertia", "--scale", "0.001", "m.sdf", "cube.obj"]) == 0


def test_the_hint_for_a_mesh_file_names_the_option(folder, capsys):
    """The cube has edges of 100 m."""
    main(["inertia", "cube.obj", "--json"])
    (found,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert (found["code"], found["hint"]) == (
        "G026", "give --scale 0.001 (in Python: scale=0.001), or save the mesh in metres")
