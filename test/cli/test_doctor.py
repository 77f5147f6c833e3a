"""What `doctor` says of this machine without ROS."""

import json
import re
from pathlib import Path

import pytest

from sdf_frames import __version__
from sdf_frames.api.machine import _MODULES
from sdf_frames.cli import main


@pytest.fixture(autouse=True)
def bare(monkeypatch, tmp_path):
    """A machine without ROS, settings and folders of models."""
    for name in ("ROS_DISTRO", "SDF_PATH", "GZ_SIM_RESOURCE_PATH", "AMENT_PREFIX_PATH", "ROS_PACKAGE_PATH",
                 "IGN_GAZEBO_RESOURCE_PATH", "GAZEBO_MODEL_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def test_places_that_are_there_and_places_that_lead_nowhere(tmp_path, monkeypatch, capsys):
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"       sdf_frames {__version__}, Python 3.") and lines[-1] == "no problems found"
    assert "       ROS 2 is not set up in this shell" in lines and "       no settings" in lines
    monkeypatch.setenv("SDF_PATH", f"{tmp_path}:{tmp_path}/none")
    assert main(["doctor", "--resource-path", str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert f"       place 1: --resource-path: {tmp_path}" in lines and f"       place 2: SDF_PATH: {tmp_path}" in lines
    assert "       place 3: GZ_SIM_RESOURCE_PATH is not set" in lines
    assert lines[-1] == "1 wrong" and f"wrong: place 2: {tmp_path}/none is not a folder" in lines


def test_modules_that_are_missing_name_what_installs_them(monkeypatch, capsys):
    monkeypatch.setattr("sdf_frames.api.machine.find_spec", lambda name: None)
    assert main(["doctor"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "       module xacro is missing; for .xacro files:  pip install 'sdf_frames[xacro]'" in lines
    # Without these two, which every installation has, meshes cannot be read.
    assert [line.partition(" is missing")[0] for line in lines if line.startswith("wrong: ")] == [
        "wrong: module trimesh", "wrong: module collada"]


def test_settings_and_ros_are_named(tmp_path, monkeypatch, capsys):
    (tmp_path / ".sdf_frames.toml").write_text('resource-path = ["models"]\n')
    monkeypatch.setenv("ROS_DISTRO", "jazzy")
    assert main(["doctor", "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["wrong"] == 1
    assert {"is_wrong": True, "text": f"place 1: {tmp_path}/models is not a folder"} in answer["remarks"]
    texts = [remark["text"] for remark in answer["remarks"]]
    assert f"settings of the folder {tmp_path}" in texts and "place 1: --resource-path: no folder" in texts
    assert "ROS 2 jazzy; ros2 run sdf_frames doctor checks its nodes and topics" in texts


def test_the_extras_are_those_of_the_package():
    tomllib = pytest.importorskip("tomllib")
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    names = {"collada": "pycollada", "fast_simplification": "fast-simplification"}
    extras = {"": project["dependencies"], **project["optional-dependencies"]}
    for module, (_, extra) in _MODULES.items():
        assert any(package.startswith(names.get(module, module)) for package in extras[extra]), module
    optional = {re.match(r"[\w-]+", package)[0] for extra, packages in extras.items() for package in packages
                if extra not in ("", "all", "test")}
    assert optional <= {names.get(module, module) for module in _MODULES}
