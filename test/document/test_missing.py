"""What is said of a URI that leads nowhere."""
import sys
from pathlib import Path

import pytest

import sdf_frames as sf
from sdf_frames.document import search_places
from sdf_frames.document.numbers import EXPAND
from sdf_frames.document.uri_hints import explain
from sdf_frames.document.uris import Resolver

REMOTE = "nothing is downloaded; put the model into the local Fuel cache or refer to a local copy"


@pytest.fixture(autouse=True)
def no_environment(monkeypatch, tmp_path):
    for name in ("SDF_PATH", "GZ_SIM_RESOURCE_PATH", "AMENT_PREFIX_PATH", "ROS_PACKAGE_PATH", "GAZEBO_MODEL_PATH",
                 "IGN_GAZEBO_RESOURCE_PATH", "GZ_FUEL_CACHE_PATH"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


@pytest.mark.parametrize("uri, base, count, hint", [
    ("HTTP://x", None, 0, REMOTE), ("https://x", None, 0, REMOTE), ("http://x/y", None, 0, REMOTE),
    ("model://x", None, 0, "no resource path is set; give --resource-path DIR (in Python: resource_paths), "
     "where DIR/NAME is the model or package"),
    ("model://", None, 1, "no resource path contains such a file"),
    ("model://x", None, 2,
     "model x is in no folder that is searched (2 places searched); "
     "give --resource-path DIR (in Python: resource_paths), where DIR/x is the model"),
    ("package://x/y.stl", None, 1,
     "package x is not installed (1 place searched); give --resource-path DIR (in Python: resource_paths), "
     "where DIR/x is the package"),
    ("package://un%20known/a.stl", None, 52,
     "package un known is not installed (52 places searched); "
     "give --resource-path DIR (in Python: resource_paths), where DIR/un known is the package"),
    ("meshes\\a.stl", None, 1, "write meshes/a.stl: URIs have no backslashes"),
    ("$(find x)/y.stl", None, 1, EXPAND), ("package://${x}/y.stl", None, 1, EXPAND),
    ("packages://x/y.stl", None, 0, "did you mean package://x/y.stl?"),
    ("Modle://x/y.stl", None, 0, "did you mean model://x/y.stl?"),
    # A file of this name in any folder above would be found.
    ("no_such_x", "a/b.sdf", 1, "tried a/no_such_x, 0/no_such_x"),
    ("no_such_x", None, 1, "tried 0/no_such_x, ./no_such_x"),
    ("no_such_x", None, 4, "5 places searched; sdf_frames uri FILE lists them")])
def test_where_a_uri_was_looked_for_is_told_in_a_line(uri, base, count, hint):
    assert explain(uri, base, Resolver([str(i) for i in range(count)])) == hint


@pytest.fixture
def folder(tmp_path):
    """A package in a workspace, with a file in it, and its neighbours."""
    for path in ("src/arm/urdf/a.urdf", "src/arm/meshes/Link.STL", "src/hands/gripper/finger.stl",
                 "src/checkout/x.stl"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    for path, name in (("arm", "arm"), ("hands/gripper", "gripper"), ("checkout", "renamed")):
        (tmp_path / "src" / path / "package.xml").write_text(f"<package><name>{name}</name></package>")
    return tmp_path


@pytest.mark.parametrize("uri, paths, hint", [
    # In another case, with another ending or letter, in the folder that has the package.
    ("package://arm/meshes/link.stl", [], "did you mean package://arm/meshes/Link.STL?"),
    ("package://arm/Meshes/Link.STL", [], "did you mean package://arm/meshes/Link.STL?"),
    ("package://arm/mesh/Link.STL", [], "did you mean package://arm/meshes/Link.STL?"),
    ("../meshes/Limk.STL", [], "did you mean package://arm/meshes/Link.STL?"),
    ("file://TOP/src/arm/meshes/link.stl", [], "did you mean file://TOP/src/arm/meshes/Link.STL?"),
    ("TOP/src/arm/meshes/link.stl", [], "did you mean package://arm/meshes/Link.STL?"),
    ("package://Gripper/finger.stl", ["src/hands"],
     "package Gripper is not installed (1 place searched); did you mean package://gripper/finger.stl?"),
    ("package://amr/meshes/Link.STL", ["src/hands"],
     "package amr is not installed (1 place searched); did you mean package://arm/meshes/Link.STL?"),
    # No folder in place of a file, and nothing that is not like it.
    ("package://arm/mesh/other.stl", ["src/hands"], "tried TOP/src/arm/mesh/other.stl"),
    ("../meshes/bracket.STL", ["src/hands"], "tried TOP/src/arm/urdf/../meshes/bracket.STL, "
                                             "TOP/src/hands/../meshes/bracket.STL"),
    # A neighbour, which is not taken by itself.
    ("package://gripper/finger.stl", [], "give --resource-path TOP/src/hands (in Python: resource_paths)"),
    ("package://renamed/x.stl", [], "give --resource-path TOP/src/checkout (in Python: resource_paths)"),
    ("package://gripper/none.stl", [], "no resource path is set; give --resource-path DIR (in Python: resource_paths), "
     "where DIR/NAME is the model "
                                       "or package"),
    # With other slashes, a name is missing, or taken for a host.
    ("file:/TOP/src/arm/meshes/Link.STL", [], "did you mean file://TOP/src/arm/meshes/Link.STL?"),
    ("file:TOP/src/arm/meshes/Link.STL", [], "did you mean file://TOP/src/arm/meshes/Link.STL?"),
    ("package:/arm/meshes/Link.STL", [], "did you mean package://arm/meshes/Link.STL?"),
    ("package:///meshes/Link.STL", [], "did you mean package://arm/meshes/Link.STL?"),
    ("package://meshes/Link.STL", [], "did you mean package://arm/meshes/Link.STL?"),
    ("model:/gone/Link.STL", ["src/hands"], "write model://NAME/PATH, with two slashes before the name of the model"),
    ("package:/gone/Link.STL", ["src/hands"],
     "write package://NAME/PATH, with two slashes before the name of the package"),
    # The path of another computer.
    ("C:\\Users\\Jörg\\arm\\meshes\\Link.STL", [], "did you mean package://arm/meshes/Link.STL?"),
    ("file:///d:/arm/meshes/Link.STL", [], "did you mean package://arm/meshes/Link.STL?"),
    ("/home/jo/src/arm/urdf/a.urdf", [], "did you mean package://arm/urdf/a.urdf?"),
    ("C:\\Users\\Jörg\\other.stl", [], "write a path relative to this file: only Windows has drives"),
    # A relative URI from the package's folder, and a resource path one level too deep or too high.
    ("meshes/Link.STL", [], "did you mean package://arm/meshes/Link.STL?"),
    ("model://arm2/meshes/x.stl", ["other/arm2"],
     "model arm2 is in no folder that is searched (1 place searched); "
     "give --resource-path TOP/other (in Python: resource_paths)"),
    ("model://arm2/meshes/x.stl", ["."],
     "model arm2 is in no folder that is searched (1 place searched); "
     "give --resource-path TOP/other (in Python: resource_paths)"),
    ("package://cup/x.stl", [], "give --resource-path 'TOP/src/my hands' (in Python: resource_paths)")])
def test_what_would_help_is_told(folder, uri, paths, hint):
    (folder / "other" / "arm2" / "meshes").mkdir(parents=True)
    (folder / "other" / "arm2" / "meshes" / "x.stl").touch()
    (folder / "src" / "my hands" / "cup").mkdir(parents=True)
    (folder / "src" / "my hands" / "cup" / "x.stl").touch()
    (folder / "src" / "my hands" / "cup" / "package.xml").write_text("<package><name>cup</name></package>")
    resolver = Resolver([str(folder / path) for path in paths])
    base = str(folder / "src" / "arm" / "urdf" / "a.urdf")
    uri = uri.replace("TOP", str(folder))
    assert resolver.find(uri, base) is None
    assert explain(uri, base, resolver).replace(str(folder), "TOP").replace("/./", "/") == hint
    if "did you mean" in hint:
        assert Resolver([str(folder / path) for path in paths]).find(
            hint.rpartition(" ")[2][:-1].replace("TOP", str(folder)), base) is not None
    if "give --resource-path TOP" in hint:
        told = hint.partition("--resource-path ")[2].partition(" (")[0].replace("TOP", str(folder))
        assert Resolver([told]).find(uri, base) is not None


@pytest.mark.parametrize("name, uri, hint", [
    # Readers of SDFormat open relative URIs.
    ("a.sdf", "../meshes/Limk.STL", "did you mean ../meshes/Link.STL?"),
    ("a.world", "/home/jo/arm/meshes/Link.STL", "did you mean ../meshes/Link.STL?"),
    ("a.sdf", "meshes/Link.STL", "give --resource-path TOP/src/arm (in Python: resource_paths)"),
    # No package around the URDF has the file.
    ("../../r.urdf", "arm/mesh/Link.STL", "did you mean arm/meshes/Link.STL?"),
    ("../../r.urdf", "C:/src/arm/meshes/Link.STL", "did you mean arm/meshes/Link.STL?"),
    ("../../hands/gripper/r.urdf", "../arm/meshes/Link.STL", "did you mean ../../arm/meshes/Link.STL?")])
def test_only_a_urdf_in_the_package_of_a_file_gets_its_uri(folder, name, uri, hint):
    found = explain(uri, str(folder / "src" / "arm" / "urdf" / name), Resolver())
    assert found.replace(str(folder), "TOP") == hint


def test_a_model_in_a_folder_beside_that_of_the_world_is_found(tmp_path):
    """The usual `worlds/` and `models/`; without a model.config, a folder of that name is no model."""
    for name in ("models/crate", "media/crate"):
        (tmp_path / "proj" / name).mkdir(parents=True)
    world, models = str(tmp_path / "proj" / "worlds" / "w.sdf"), tmp_path / "proj" / "models"
    unknown = "model crate is in no folder that is searched (1 place searched); give --resource-path "
    assert explain("model://crate", world, Resolver(["none"])).startswith(f"{unknown}DIR ")
    (models / "crate" / "model.config").touch()
    assert explain("model://crate", world, Resolver(["none"])) == f"{unknown}{models} (in Python: resource_paths)"
    assert Resolver([str(models)]).find("model://crate", world) == str(models / "crate")
    confined = Resolver([str(tmp_path / "proj" / "worlds")], confined=True)
    assert str(models) not in explain("model://crate", world, confined)


def test_hints_for_very_many_uris_stop_to_search_folders(tmp_path, monkeypatch):
    monkeypatch.setattr(search_places, "_MOST_LOOKS", 300)
    (tmp_path / "models" / "crate").mkdir(parents=True)
    (tmp_path / "models" / "crate" / "model.config").touch()
    world, resolver = str(tmp_path / "worlds" / "w.sdf"), Resolver(["none"])
    assert f"--resource-path {tmp_path / 'models'}" in explain("model://crate", world, Resolver(["none"]))
    for number in range(300):
        explain(f"model://no_{number}", world, resolver)
    assert "--resource-path DIR" in explain("model://crate", world, resolver)


def test_confined_no_hint_tells_what_is_outside(folder):
    base, outside = str(folder / "src" / "arm" / "urdf" / "a.urdf"), str(folder / "src")
    for uri in ("package://gripper/finger.stl", "package://renamed/x.stl", "package://Arm/meshes/link.stl"):
        hint = explain(uri, base, Resolver([str(folder / "src" / "arm" / "urdf")], confined=True))
        assert outside not in hint and "places" not in hint and "1 place searched" in hint


MESH = '<geometry><mesh\n  scale="1 1 1"\n  filename="package://gone/a.stl"/></geometry>'
INERTIAL = '<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
URDF = f'<robot name="r"><link name="l">{INERTIAL}<visual>{MESH}</visual><collision>{MESH}</collision></link></robot>'


def test_a_file_of_a_urdf_is_named_as_it_is_written(tmp_path):
    """The SDF has model:// URIs, and inertias are computed from the SDF; the line is that of the file's name."""
    robot = sf.loads(URDF, file=tmp_path / "r.urdf", resource_paths=["x"])
    (found,) = robot.inertias(density=1.0, recompute=True).findings
    assert (found.name, found.line, found.column) == ("uri-not-found", 5, 13)
    assert found.message == "'package://gone/a.stl' is not found"
    assert found.hint.startswith("package gone is not installed (")
    (found,) = robot.find_missing_files()
    assert (found.message, found.line, [r.line for r in found.related]) == (
        "the file 'package://gone/a.stl' is not found", 3, [5])
    assert [(u.uri, u.line, u.column) for u in robot.uris] == [("package://gone/a.stl", line, 13) for line in (3, 5)]


def test_a_folder_is_no_mesh(tmp_path):
    (tmp_path / "meshes").mkdir()
    text = '<link name="l"><visual><geometry><mesh filename="meshes"/></geometry></visual></link>'
    (found,) = sf.loads(f'<robot name="r">{text}</robot>', file=tmp_path / "r.urdf").find_missing_files()
    assert (found.code, found.hint) == ("U016", "this is a folder: name a file in it")


def test_every_place_of_a_file_is_named():
    lines = '<visual><geometry><mesh filename="gone.stl"/></geometry></visual>\n' * 50
    (found,) = sf.loads(f'<robot name="r"><link name="l">{INERTIAL}\n{lines}</link></robot>').find_missing_files()
    assert [found.line, *[r.line for r in found.related]] == [*range(2, 52)]


@pytest.mark.parametrize("package, folder, step", [
    ("example-robot-data", "lib/python*/site-packages/cmeel.prefix/share/example-robot-data", 2),
    ("icub-models", "share/iCub", 4)])
def test_the_robots_of_python_packages_have_their_meshes(package, folder, step):
    """Without ROS. Of example-robot-data, a file names meshes of a program that is not in it: /usr/Romeo."""
    files = [path for top in Path(sys.prefix).glob(folder) for path in sorted(top.rglob("*.urdf"))]
    if not files:
        pytest.skip(f"{package} is not installed")
    count = 0
    for path in files[::step]:
        robot = sf.load(path)
        count += len(robot.uris)
        missing = {found.message for found in robot.find_missing_files()}
        assert not [message for message in missing if "file:///usr/Romeo" not in message], path
    assert count > 100
