"""`sdf_frames uri` and robot.uris: every URI, where it leads, what was tried, and near misses."""

import json

import pytest

from sdf_frames.cli import main

MESH = '<visual name="{}"><geometry><mesh><uri>{}</uri></mesh></geometry></visual>'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name in ("SDF_PATH", "GZ_SIM_RESOURCE_PATH", "AMENT_PREFIX_PATH"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "models" / "part" / "meshes").mkdir(parents=True)
    (tmp_path / "models" / "part" / "meshes" / "Arm.STL").write_text("solid")
    (tmp_path / "models" / "part" / "model.config").write_text(
        '<model><name>p</name><sdf version="1.9">m.sdf</sdf></model>')
    (tmp_path / "models" / "part" / "m.sdf").write_text(
        f'<sdf version="1.9"><model name="p"><link name="l">{MESH.format("v", "meshes/Arm.STL")}</link></model></sdf>')
    meshes = (MESH.format(name, f"model://part/meshes/{file}") for name, file in (("v", "arm.stl"), ("w", "Amr.STL")))
    (tmp_path / "w.sdf").write_text(
        '<sdf version="1.9"><world name="w">\n<include><uri>model://part</uri></include>\n<model name="m">'
        '<link name="l">\n{}\n{}</link></model></world></sdf>'.format(*meshes))
    (tmp_path / "r.urdf").write_text(
        '<robot name="r"><link name="l"><visual><geometry><mesh filename="package://part/meshes/Arm.STL"/>'
        "</geometry></visual></link></robot>")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_places_to_look_in(folder, capsys):
    (folder / "n.sdf").write_text(
        '<sdf version="1.9"><world name="w"><include><uri>http://example.com/nowhere</uri></include></world></sdf>'
    )
    assert main(["uri", "n.sdf"]) == 1
    assert "no folder to search" in capsys.readouterr().out


def test_the_whole_text(folder, capsys, monkeypatch):
    for name in ("ROS_PACKAGE_PATH", "IGN_GAZEBO_RESOURCE_PATH", "GAZEBO_MODEL_PATH", "GZ_FUEL_CACHE_PATH",
                 "IGN_FUEL_CACHE_PATH", "ROBOT_DESCRIPTIONS_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(folder / "home"))
    assert main(["uri", "w.sdf", "--resource-path", "models"]) == 1
    out, err = capsys.readouterr()
    assert "w.sdf:4:34: error U016 asset-not-found" in err
    assert "hint: did you mean model://part/meshes/Arm.STL?" in err
    assert out == """w.sdf: 4 URIs, 2 not found
  model://part  (include, line 2)
    found  models/part  (--resource-path)
  model://part/meshes/arm.stl  (mesh, line 4)
    tried  models/part/meshes/arm.stl
    near   models/part/meshes/Arm.STL
  model://part/meshes/Amr.STL  (mesh, line 5)
    tried  models/part/meshes/Amr.STL
    near   models/part/meshes/Arm.STL
  meshes/Arm.STL  (mesh, models/part/m.sdf:1)
    found  models/part/meshes/Arm.STL
  packages and models are searched in this order:
     1  --resource-path: models
     2  SDF_PATH is not set
     3  GZ_SIM_RESOURCE_PATH is not set
     4  the package or model around the file
     5  AMENT_PREFIX_PATH is not set
     6  ROS_PACKAGE_PATH is not set
     7  IGN_GAZEBO_RESOURCE_PATH is not set
     8  GAZEBO_MODEL_PATH is not set
     9  packages beside the folders above the file, for $(find NAME)
    10  a folder of that name above the file
    11  Gazebo's cache of Fuel: none in HOME/.gz/fuel
    12  Ignition's cache of Fuel: none in HOME/.ignition/fuel
    13  the cache of robot_descriptions: none in HOME/.cache/robot_descriptions
    14  the data of installed Python packages
""".replace("HOME", str(folder / "home"))
    assert main(["uri", "r.urdf", "--resource-path", "models"]) == 0
    assert capsys.readouterr().out == """r.urdf: 1 URI, 0 not found
  package://part/meshes/Arm.STL  (mesh, line 1)
    found  models/part/meshes/Arm.STL  (--resource-path)
"""
    (folder / "e.sdf").write_text('<sdf version="1.9"><world name="w"/></sdf>')
    assert main(["uri", "e.sdf"]) == 0
    assert capsys.readouterr().out == "e.sdf: 0 URIs, 0 not found\n"


def test_json_has_every_field(folder, capsys):
    assert main(["uri", "--json", "w.sdf", "--resource-path", "models"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["uris"][1] == {
        "uri": "model://part/meshes/arm.stl", "kind": "mesh", "file": "w.sdf", "line": 4, "path": None,
        "tried": ["models/part/meshes/arm.stl"], "near": ["models/part/meshes/Arm.STL"],
        "column": 34, "hint": "did you mean model://part/meshes/Arm.STL?", "place": ""}
    assert (answer["uris"][0]["path"], answer["uris"][0]["place"]) == ("models/part", "--resource-path")
    assert answer["uris"][0]["near"] == []
    assert [(d["name"], d["file"], d["line"], d["hint"]) for d in answer["diagnostics"]] == [
        ("asset-not-found", "w.sdf", line, "did you mean model://part/meshes/Arm.STL?") for line in (4, 5)]


def test_files_that_cannot_be_opened(folder, capsys, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "xacro", None)
    (folder / "x.urdf.xacro").write_text('<robot name="r"/>')
    (folder / "taken").mkdir()
    assert main(["uri", "--json", "x.urdf.xacro", "gone.sdf", "taken", "r.urdf", "--resource-path", "models"]) == 1
    answers = list(map(json.loads, capsys.readouterr().out.splitlines()))
    assert [(a["file"], a["valid"], len(a["uris"]), [d["name"] for d in a["diagnostics"]]) for a in answers] == [
        ("x.urdf.xacro", False, 0, ["xacro-missing"]), ("gone.sdf", False, 0, ["file-unreadable"]),
        ("taken", False, 0, ["file-unreadable"]), ("r.urdf", True, 1, [])]
    assert "sdf_frames[xacro]" in answers[0]["diagnostics"][0]["hint"]
    assert [a["diagnostics"][0]["file"] for a in answers[:3]] == ["x.urdf.xacro", "gone.sdf", "taken"]
    assert "No such file or directory" in answers[1]["diagnostics"][0]["message"]
