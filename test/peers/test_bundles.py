"""A bundle loads alone, elsewhere than where it was made, in Drake, libsdformat 12 and Gazebo's physics; and for all
robots at hand, here.
"""
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
import trimesh
from sources import STRIDE, resource_paths, some, urdf_files

import sdf_frames as sf
from benchmark.libsdformat import compile_program, find_package

FILES = some(urdf_files(), STRIDE)
LEAST = 200 // STRIDE  # robots that are written, where there is a corpus
KINDS = ("sdf", "urdf")
URDF = """<robot name="arm"><link name="base">{0}{1}</link><link name="tip">{0}{2}</link>
<joint name="j" type="revolute"><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""
INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
SHAPES = '<{0}><geometry><mesh filename="package://made_here/meshes/{1}"/></geometry></{0}>'


@pytest.fixture
def make(tmp_path, monkeypatch):
    """Function that writes a bundle of a robot with an OBJ and a glTF file; its folder, which is all that is left."""
    for name in [name for name in os.environ if name.endswith(("_PATH", "_CACHE")) and name not in (
            "PATH", "LD_LIBRARY_PATH", "PYTHONPATH")]:
        monkeypatch.delenv(name)
    package = tmp_path / "made_here"
    (package / "meshes" / "parts").mkdir(parents=True)
    (package / "package.xml").write_text("<package><name>made_here</name></package>")
    box = trimesh.creation.box((1, 1, 1))
    text = box.export(file_type="obj")
    (package / "meshes" / "a box.obj").write_text(f"mtllib parts/box.mtl\nusemtl m\n{text}")
    (package / "meshes" / "parts" / "box.mtl").write_text("newmtl m\nmap_Kd box.png\n")
    (package / "meshes" / "parts" / "box.png").write_bytes(b"")
    for name, content in trimesh.Scene([box]).export(file_type="gltf").items():
        (package / "meshes" / name).write_bytes(content)
    shapes = [SHAPES.format(kind, name) for name in ("a box.obj", "model.gltf") for kind in ("visual", "collision")]
    (package / "arm.urdf").write_text(URDF.format(INERTIAL, "".join(shapes[:2]), "".join(shapes[2:])))

    def write(kind):
        made = sf.load(package / "arm.urdf").save_bundle(tmp_path / "new", kind)
        (tmp_path / "elsewhere").mkdir()
        shutil.move(tmp_path / "new", tmp_path / "elsewhere" / "arm")
        shutil.rmtree(package)
        assert made.missing == ()
        return tmp_path / "elsewhere" / "arm", made.files[0]
    return write


@pytest.mark.parametrize("kind", KINDS)
def test_drake_finds_the_meshes_of_a_bundle(make, kind):
    drake = pytest.importorskip("pydrake.all", reason="Drake is not installed (pip install drake)")
    folder, file = make(kind)
    plant, scene = drake.AddMultibodyPlantSceneGraph(drake.DiagramBuilder(), 1e-3)
    parser = drake.Parser(plant)
    parser.package_map().PopulateFromFolder(str(folder))
    parser.AddModels(str(folder / file))
    inspector = scene.model_inspector()
    shapes = [inspector.GetShape(one) for one in inspector.GetAllGeometryIds()]
    paths = {str(shape.source().path()) for shape in shapes if hasattr(shape, "source")}
    assert {Path(path).name for path in paths} == {"a_box.obj", "model.gltf"}
    assert all(Path(path).is_relative_to(folder) and Path(path).exists() for path in paths)


@pytest.mark.parametrize("kind", KINDS)
def test_libsdformat_loads_a_bundle(make, kind):
    folder, file = make(kind)
    answer = ask_libsdformat(folder / file, folder)
    assert answer["valid"], answer["errors"]


def test_libsdformat_finds_the_included_models_of_a_bundle(tmp_path):
    """From any working directory, if the folder above the bundle is searched, as for other models."""
    model = "<sdf version='1.9'><model name='{}'>{}</model></sdf>"
    (tmp_path / "hand.sdf").write_text(model.format("hand", "<link name='palm'/>"))
    (tmp_path / "arm.sdf").write_text(model.format("arm", "<include><uri>hand.sdf</uri></include><link name='l'/>"))
    sf.load(tmp_path / "arm.sdf").save_bundle(tmp_path / "new")
    (answer,) = ask_libsdformat(tmp_path / "new" / "model.sdf", tmp_path)["scopes"]
    assert answer.keys() == {"l", "hand", "hand::palm"}


def ask_libsdformat(file, folder):
    """What libsdformat makes of a file, if it searches a folder."""
    if find_package() is None:
        pytest.skip("libsdformat-dev, pkg-config or a C++ compiler is missing")
    program = compile_program("libsdformat_poses", Path(__file__).parent)
    done = subprocess.run([program], input=f"{file}\n", capture_output=True, text=True, timeout=60,
                          env={"PATH": os.environ["PATH"], "SDF_PATH": str(folder)})
    return json.loads(done.stdout.splitlines()[-1])


def test_gazebo_physics_loads_a_bundle(make, move):
    folder, file = make("sdf")
    moved = move("base", folder / file)
    assert moved["after"].keys() == {"base", "tip"}


@pytest.mark.skipif(not FILES, reason="no corpus, no package with robots")
def test_the_bundles_of_all_robots_load_alone(tmp_path, monkeypatch, record_property):
    """All that was found when it was written is in it, and nothing that it names is elsewhere."""
    written = 0
    for name, path in FILES.items():
        robot = sf.load(path, resource_paths=resource_paths(name))
        if not robot.convertible:
            continue
        for kind in KINDS:
            made = robot.save_bundle(tmp_path / "new", kind)
            with monkeypatch.context() as patch:
                for variable in ("AMENT_PREFIX_PATH", "GZ_SIM_RESOURCE_PATH", "SDF_PATH", "HOME"):
                    patch.delenv(variable, raising=False)
                shutil.move(tmp_path / "new", tmp_path / "elsewhere")
                alone = sf.load(tmp_path / "elsewhere" / made.files[0], resource_paths=[tmp_path / "elsewhere"],
                                confined=True)
                missing = {found.message for found in alone.find_missing_files()}
            assert missing <= {f"the file {uri!r} is not found" for uri in made.missing}, (name, kind)
            assert len(alone.links) == len(sf.loads(robot.to_sdf() if kind == "sdf" else robot.to_urdf()).links), name
            shutil.rmtree(tmp_path / "elsewhere")
            written += 1
    record_property("bundles", written)
    assert written >= LEAST
