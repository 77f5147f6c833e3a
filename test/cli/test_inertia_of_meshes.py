"""`sdf_frames inertia part.obj`: the inertia of a mesh file itself."""

from __future__ import annotations

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


def test_json_is_that_of_a_link(folder, capsys):
    """A cube of 0.1 m: m = ρ a³, I = m a² / 6 about its centre."""
    assert main(["inertia", "--json", "cube.obj", "--density", "2700", "--scale", "0.001"]) == 0
    said = json.loads(capsys.readouterr().out)
    (link,) = said["links"]
    assert link["mass"] == pytest.approx(2.7)
    assert link["pose"] == pytest.approx([0.05, 0.05, 0.05, 1, 0, 0, 0])
    assert link["inertia"] == pytest.approx(
        {"ixx": 0.0045, "iyy": 0.0045, "izz": 0.0045, "ixy": 0, "ixz": 0, "iyz": 0}, abs=1e-15
    )
    assert (link["name"], link["auto"], link["method"], link["physical"]) == ("cube.obj", True, "exact", True)
    assert link["collisions"][0]["density"] == 2700


def test_text_is_a_table(folder, capsys):
    assert main(["inertia", "cube.obj", "--scale", "0.001"]) == 0
    title, head, row = capsys.readouterr().out.splitlines()
    assert title == "cube.obj: mesh"
    assert row.split()[:5] == ["cube.obj", "1", "0.05", "0.05", "0.05"]
    assert row.endswith("exact   1000 kg/m³")


def test_meshes_and_robots_together(folder, capsys):
    assert main(["inertia", "--json", "cube.obj", "m.sdf"]) == 0
    assert [json.loads(line)["file"] for line in capsys.readouterr().out.splitlines()] == ["cube.obj", "m.sdf"]


@pytest.mark.parametrize(("name", "code"), [("flat.obj", "mesh-without-volume"), ("missing.stl", "file-unreadable")])
def test_a_mesh_that_cannot_be_computed_is_an_error(name, code, folder, capsys):
    assert main(["inertia", "--json", "--method", "exact", name, "cube.obj"]) == 1
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert code in [d["name"] for d in first["diagnostics"]]
    assert not first["valid"]
    assert second["valid"]


@pytest.mark.parametrize(
    "option", [["--write"], ["--compare"], ["--link", "l"], ["--plot", "x.png"], ["--calculator", "c"]]
)
def test_options_of_robots_are_wrong_usage(option, folder, capsys):
    with pytest.raises(SystemExit) as caught:
        main(["inertia", "cube.obj", *option])
    assert caught.value.code == 2
    assert f"{option[0]} is for robots and worlds, not for mesh files" in capsys.readouterr().err
