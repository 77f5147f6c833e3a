"""Files that descriptions refer to: looked for, explained, rewritten."""

import json

import pytest

from sdf_frames.cli import main

URDF = """<robot name="r"><link name="a"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><mesh filename="package://arm/meshes/a.stl"/></geometry></visual></link></robot>"""  # noqa: E501


@pytest.fixture
def robot(tmp_path):
    (tmp_path / "packages" / "arm" / "meshes").mkdir(parents=True)
    (tmp_path / "packages" / "arm" / "meshes" / "a.stl").write_text("solid a\nendsolid a\n")
    (tmp_path / "r.urdf").write_text(URDF)
    return tmp_path


def uri_of(text: str) -> str:
    return text.partition("<uri>")[2].partition("</uri>")[0]


def test_the_file_style_resolves_and_explains_what_it_tried(robot, capsys):
    packages = str(robot / "packages")
    assert main(["convert", "--uri-style", "file", "--resource-path", packages, str(robot / "r.urdf")]) == 0
    assert uri_of(capsys.readouterr().out) == f"file://{packages}/arm/meshes/a.stl"
    assert main(["convert", "--json", "--uri-style", "file", "--resource-path", str(robot), str(robot / "r.urdf")]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert finding["name"] == "asset-not-found"
    assert finding["hint"].endswith(f"give --resource-path {packages} (in Python: resource_paths)")


def test_a_percent_sign_of_a_path_is_encoded(robot, capsys):
    packages = robot / "100% %41"
    (robot / "packages").rename(packages)
    assert main(["convert", "--uri-style", "file", "--resource-path", str(packages), str(robot / "r.urdf")]) == 0
    (robot / "r.sdf").write_text(text := capsys.readouterr().out)
    assert uri_of(text) == f"file://{robot}/100%25 %2541/arm/meshes/a.stl"
    assert main(["check", "--assets", str(robot / "r.sdf")]) == 0


def test_check_looks_for_assets_on_request(robot, capsys):
    assert main(["check", str(robot / "r.urdf")]) == 0
    assert main(["check", "--assets", str(robot / "r.urdf")]) == 1
    assert "asset-not-found" in capsys.readouterr().out
    assert main(["check", "--assets", "--resource-path", str(robot / "packages"), str(robot / "r.urdf")]) == 0


def test_assets_of_the_package_around_a_file_are_found(robot, capsys, monkeypatch):
    for variable in ("AMENT_PREFIX_PATH", "SDF_PATH", "GZ_SIM_RESOURCE_PATH"):  # the hint would name their folders too
        monkeypatch.delenv(variable, raising=False)
    (robot / "packages" / "arm" / "package.xml").write_text("<package><name>arm</name></package>")
    (robot / "packages" / "arm" / "r.urdf").write_text(URDF)
    (robot / "packages" / "arm").rename(robot / "packages" / "checkout")
    file, mesh = str(robot / "packages" / "checkout" / "r.urdf"), robot / "packages" / "checkout" / "meshes" / "a.stl"
    assert main(["check", "--assets", file]) == 0
    capsys.readouterr()
    assert main(["convert", "--uri-style", "file", file]) == 0
    assert uri_of(capsys.readouterr().out) == f"file://{mesh}"
    mesh.unlink()
    assert main(["check", "--json", "--assets", file]) == 1
    assert json.loads(capsys.readouterr().out)["diagnostics"][-1]["hint"] == f"tried {mesh}"


def test_a_urdfs_uri_is_quoted_as_it_is_written(robot, capsys):
    assert main(["check", "--assets", "--json", str(robot / "r.urdf")]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert finding["message"] == "the file 'package://arm/meshes/a.stl' is not found" and finding["line"] == 2
