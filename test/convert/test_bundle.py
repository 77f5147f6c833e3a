"""Bundles: what is in them, that they work alone, and what is refused."""
import json
import os
import re
import shutil
import stat
from contextlib import suppress

import pytest

import sdf_frames as sf
from sdf_frames.cli import main
from sdf_frames.document import writing

STL = ("solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
       "endsolid s\n")
OBJ = "mtllib {}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
DAE = ('<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><library_images><image id="a">'
       "<init_from>{}</init_from></image></library_images></COLLADA>")
INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
MESHES = ("package://arm/meshes/a.stl", "package://arm/copy/A.STL", "../other/a.stl", "package://arm/meshes/b.obj",
          "package://arm/meshes/c.dae", "package://arm/meshes/a.stl")


def write(top, files):
    for name, text in files.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text)


def make_urdf(meshes):
    shapes = "".join(f'<visual name="v{i}"><geometry><mesh filename="{uri}"/></geometry>'
                     '<material name="m"><texture filename="package://arm/looks/skin 1.png"/></material></visual>'
                     for i, uri in enumerate(meshes))
    return f'<robot name="My &amp; arm"><link name="base">{INERTIAL}{shapes}</link></robot>'


@pytest.fixture
def arm(tmp_path, monkeypatch):
    """A package with meshes of one name, of one content, and of files that name others; where it works from."""
    for name in ("SDF_PATH", "GZ_SIM_RESOURCE_PATH", "AMENT_PREFIX_PATH", "ROS_PACKAGE_PATH", "GAZEBO_MODEL_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    write(tmp_path / "ws", {
        "arm/package.xml": "<package><name>arm</name></package>", "arm/urdf/arm.urdf": make_urdf(MESHES),
        "arm/meshes/a.stl": STL, "arm/copy/A.STL": STL, "arm/other/a.stl": STL.replace("1 0 0", "2 0 0"),
        "arm/meshes/b.obj": OBJ.format("deep/b b.mtl"),
        "arm/meshes/deep/b b.mtl": "newmtl m\nmap_Kd ../../looks/t.png\n",
        "arm/meshes/c.dae": DAE.format("..\\looks\\t.png"), "arm/looks/t.png": "texture",
        "arm/looks/skin 1.png": "skin"})
    return tmp_path / "ws" / "arm" / "urdf" / "arm.urdf"


def read(folder):
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


FILES = {"meshes/a.stl", "meshes/a0.stl", "meshes/b.obj", "meshes/b_b.mtl", "meshes/t.png", "meshes/c.dae",
         "materials/textures/skin_1.png"}


def test_a_model_has_each_content_once_and_names_kept_apart(arm, tmp_path):
    made = sf.load(arm).save_bundle(tmp_path / "out")
    files = read(tmp_path / "out")
    assert files.keys() == FILES | {"model.sdf", "model.config", "bundle.json"}
    assert (made.files[0], set(made.files)) == ("model.sdf", set(files))
    assert made.size == sum(len(text.encode()) for text in files.values()) and made.missing == made.findings == ()
    robot = sf.load(tmp_path / "out")
    assert [uri.uri for uri in robot.uris if uri.kind == "mesh"] == [
        "meshes/a.stl", "meshes/a.stl", "meshes/a0.stl", "meshes/b.obj", "meshes/c.dae", "meshes/a.stl"]
    # What mesh files name in turn, as they name it now.
    assert files["meshes/b.obj"] == OBJ.format("b_b.mtl") and files["meshes/b_b.mtl"] == "newmtl m\nmap_Kd t.png\n"
    assert "<init_from>t.png</init_from>" in files["meshes/c.dae"] and files["meshes/t.png"] == "texture"
    assert "<name>My &amp; arm</name>" in files["model.config"]
    assert '<sdf version="1.7">model.sdf</sdf>' in files["model.config"]
    assert json.loads(files["bundle.json"]) == {
        "sdf_frames": "bundle", "kind": "sdf", "missing": [],
        "files": {name: len(text.encode()) for name, text in files.items() if name != "bundle.json"}}


@pytest.mark.parametrize("kind", ["sdf", "urdf"])
def test_it_works_alone_wherever_it_lies(arm, tmp_path, kind, monkeypatch):
    robot = sf.load(arm)
    before = [link.name for link in robot.links.values()]
    robot.save_bundle(tmp_path / "out", kind)
    (tmp_path / "elsewhere").mkdir()
    shutil.move(tmp_path / "out", tmp_path / "elsewhere" / "renamed")
    shutil.rmtree(tmp_path / "ws")
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "elsewhere" / "renamed"
    file = folder / "model.sdf" if kind == "sdf" else folder / "urdf" / "out.urdf"
    alone = sf.load(file, resource_paths=[folder], confined=True)
    assert {uri.path is not None for uri in alone.uris} == {True} and len(alone.uris) >= len(MESHES) - 1
    assert [link.name for link in alone.links.values()] == before
    text = sf.loads(file.read_text(), resource_paths=[folder])  # as a topic brings it
    assert kind == "sdf" or text.find_missing_files() == ()


def test_a_ros_package(arm, tmp_path):
    made = sf.load(arm).save_bundle(tmp_path / "My-Arm 2", "urdf")
    files = read(tmp_path / "My-Arm 2")
    assert files.keys() == FILES | {"package.xml", "CMakeLists.txt", "urdf/my_arm_2.urdf", "bundle.json"}
    assert made.files[0] == "urdf/my_arm_2.urdf"
    assert "<name>my_arm_2</name>" in files["package.xml"] and "The robot My &amp; arm<" in files["package.xml"]
    assert "project(my_arm_2)" in files["CMakeLists.txt"]
    assert "install(DIRECTORY materials meshes urdf DEST" in files["CMakeLists.txt"]
    # Nothing but the names of files has changed.
    expected = make_urdf([f"package://my_arm_2/meshes/{name}" for name in (
        "a.stl", "a.stl", "a0.stl", "b.obj", "c.dae", "a.stl")])
    assert files["urdf/my_arm_2.urdf"] == expected.replace("arm/looks/skin 1.png",
                                                           "my_arm_2/materials/textures/skin_1.png")


def test_what_is_not_found_is_told_and_the_rest_is_written(arm, tmp_path, capsys):
    (arm.parents[1] / "meshes" / "a.stl").unlink()
    (arm.parents[1] / "looks" / "t.png").unlink()
    assert main(["convert", str(arm), "--bundle", str(tmp_path / "out"), "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    missing = ["package://arm/meshes/a.stl", "../../looks/t.png (in b b.mtl)", "..\\looks\\t.png (in c.dae)"]
    assert answer["bundle"]["missing"] == missing and len(answer["bundle"]["files"]) == 9
    found = [(d["name"], d["severity"]) for d in answer["diagnostics"] if d["name"].endswith(("not-found", "-missing"))]
    assert found == [("asset-not-found", "error"), *[("mesh-reference-missing", "warning")] * 2]
    assert "package://arm/meshes/a.stl" in (tmp_path / "out" / "model.sdf").read_text()
    assert main(["convert", str(arm), "--bundle", str(tmp_path / "out")]) == 1
    said = capsys.readouterr()
    assert said.out == "" and f"{tmp_path}/out: a model for Gazebo of 9 files, " in said.err
    assert f" bytes; not found: {', '.join(missing)}\n" in said.err


@pytest.mark.parametrize("version", ["1.9", "1.12"])
def test_upgrade_bundles_an_sdf(arm, tmp_path, version):
    write(arm.parent, {"a.sdf": '<sdf version="1.6"><model name="m"><link name="l"><visual name="v"><geometry><mesh>'
                                "<uri>../meshes/a.stl</uri></mesh></geometry></visual></link></model></sdf>"})
    assert main(["upgrade", "--to", version, str(arm.parent / "a.sdf"), "--bundle", str(tmp_path / "out")]) == 0
    made = read(tmp_path / "out")
    assert set(made) == {"model.sdf", "model.config", "bundle.json", "meshes/a.stl"} and made["meshes/a.stl"] == STL
    assert f'<sdf version="{version}">' in made["model.sdf"] and "<uri>meshes/a.stl</uri>" in made["model.sdf"]


def test_an_older_bundle_is_replaced_and_nothing_else(arm, tmp_path, capsys):
    robot, out = sf.load(arm), tmp_path / "out"
    robot.save_bundle(out)
    (arm.parents[1] / "meshes" / "b.obj").unlink()
    robot = sf.load(arm)
    assert "meshes/b.obj" not in robot.save_bundle(out).files and not (out / "meshes" / "b.obj").exists()
    (out / "notes.txt").write_text("mine")
    before = read(tmp_path)
    for folder, said in ((out, "notes.txt"), (tmp_path / "ws", "is not a bundle"), (arm, "is not a folder")):
        with pytest.raises(FileExistsError, match=said):
            robot.save_bundle(folder)
        assert main(["convert", str(arm), "--bundle", str(folder)]) == 2 and said in capsys.readouterr().err
    assert read(tmp_path) == before
    (out / "notes.txt").unlink()
    (out / "others").symlink_to(arm.parent)
    with pytest.raises(FileExistsError, match="a file that is not part of the bundle, others;"):
        robot.save_bundle(out)
    (tmp_path / "empty").mkdir()
    robot.save_bundle(tmp_path / "empty")
    (tmp_path / "link").symlink_to("empty")
    robot.save_bundle(tmp_path / "link")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "empty" / "model.sdf").exists()


def test_a_bundle_is_not_made_of_itself(arm, tmp_path):
    sf.load(arm).save_bundle(tmp_path / "out", "urdf")
    before = read(tmp_path / "out")
    with pytest.raises(FileExistsError, match="would overwrite its input"):
        sf.load(tmp_path / "out" / "urdf" / "out.urdf").save_bundle(tmp_path / "out")
    assert read(tmp_path / "out") == before


@pytest.mark.parametrize("kind", ["sdf", "urdf"])
def test_a_bundle_does_not_replace_the_file_that_its_robot_was_made_from(kind, tmp_path, capsys):
    """Without meshes, too, and after an edit."""
    out = tmp_path / "out"
    made = sf.loads('<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" '
                    'iyy="1" iyz="0" izz="1"/></inertial></link></robot>').save_bundle(out, kind)
    source, before = out / made.files[0], read(out)
    robot = sf.load(source)
    for changed in (robot, robot.repair_inertias()):
        for other in ("sdf", "urdf"):
            with pytest.raises(FileExistsError, match="would overwrite its input"):
                changed.save_bundle(out, other)
    command = "to-urdf" if kind == "sdf" else "convert"
    assert main([command, str(source), "--bundle", str(out)]) == 2
    assert "would overwrite its input" in capsys.readouterr().err
    assert read(out) == before


@pytest.mark.parametrize("there", [False, True])
def test_a_half_made_bundle_never_stays(arm, tmp_path, monkeypatch, there):
    robot = sf.load(arm)
    if there:
        robot.save_bundle(tmp_path / "out")
    before, count, write_beside = read(tmp_path), [], writing._write_beside

    def fail(*arguments):
        count.append(1)
        if len(count) == 4:
            raise OSError(28, "no space left")
        write_beside(*arguments)
    monkeypatch.setattr(writing, "_write_beside", fail)
    with pytest.raises(OSError, match="no space left"):
        robot.save_bundle(tmp_path / "out")
    assert read(tmp_path) == before and sorted(p.name for p in tmp_path.iterdir()) == [*(["out"] * there), "ws"]


def test_the_limit_of_bytes(arm, tmp_path, capsys):
    size = sum(len(text.encode()) for name, text in read(arm.parents[1]).items()
               if name.startswith(("meshes", "copy", "other", "looks")))
    assert sf.load(arm, limits={"bundle_bytes": size}).save_bundle(tmp_path / "out").missing == ()
    with pytest.raises(sf.InvalidDescription, match="of all files that a bundle"):
        sf.load(arm, limits={"bundle_bytes": size - 1}).save_bundle(tmp_path / "none")
    assert main(["convert", str(arm), "--bundle", str(tmp_path / "none"), "--limit", "bundle_bytes=10"]) == 1
    assert "X024" in capsys.readouterr().err and not (tmp_path / "none").exists()


def test_confined_a_mesh_file_leads_nowhere_outside(arm, tmp_path):
    """Neither by its own name nor by those in it: what is outside looks as if it did not exist."""
    package = arm.parents[1]
    (tmp_path / "secret.png").write_text("secret")
    write(package, {"meshes/c.dae": DAE.format("../../../secret.png"),
                    "meshes/deep/b b.mtl": f"newmtl m\nmap_Kd {tmp_path}/secret.png\n",
                    "urdf/arm.urdf": make_urdf([*MESHES, "../../../secret.png"])})
    made = sf.load(arm, confined=True, resource_paths=[package]).save_bundle(tmp_path / "out")
    assert "secret" not in " ".join(read(tmp_path / "out")) and len(made.missing) == 3
    assert not any("secret" in text for name, text in read(tmp_path / "out").items() if name.endswith(".png"))
    assert len(sf.load(arm).save_bundle(tmp_path / "out").missing) == 0


def test_includes_and_folders_of_a_model(tmp_path, monkeypatch):
    monkeypatch.delenv("GZ_SIM_RESOURCE_PATH", raising=False)
    mesh = "<visual name='v'><geometry><mesh><uri>{}</uri></mesh></geometry>{}</visual>"
    script = "<material><script><uri>model://arm/scripts</uri><uri>file://media/gazebo.material</uri><name>a</name></script></material>"
    write(tmp_path / "m", {
        "arm/model.config": '<model><name>arm</name><sdf version="1.9">arm.sdf</sdf></model>',
        "arm/arm.sdf": f"<sdf version='1.9'><model name='arm'><include><uri>model://hand</uri></include><link name='l'>"
                       f"{mesh.format('meshes/a.stl', script)}</link></model></sdf>",
        "arm/meshes/a.stl": STL,
        "arm/scripts/a.material": "material a {}", "arm/scripts/deep/b": "", "arm/scripts/.b": "",
        "hand/model.config": '<model><name>hand</name><sdf version="1.9">hand.sdf</sdf></model>',
        "hand/hand.sdf": "<sdf version='1.9'><model name='hand'><link name='h'>" + mesh.format("a.stl", "")
                         + "</link></model></sdf>",
        "hand/a.stl": STL.replace("1 0 0", "3 0 0")})
    made = sf.load(tmp_path / "m" / "arm", resource_paths=[tmp_path / "m"]).save_bundle(tmp_path / "out")
    assert set(made.files) == {"model.sdf", "model.config", "bundle.json", "meshes/a.stl", "meshes/a0.stl",
                               "models/hand.sdf", "materials/scripts/a.material"} and made.missing == ()
    shutil.rmtree(tmp_path / "m")
    alone = sf.load(tmp_path / "out")
    assert alone.valid and set(alone.models) >= {"hand"} and alone.find_missing_files() == ()
    made = alone.save_bundle(tmp_path / "package", "urdf")  # where includes are in place
    assert made.missing == () and {"meshes/a.stl", "meshes/a0.stl"} <= set(made.files)


@pytest.mark.parametrize("first, second", [("folder", "image"), ("image", "folder")])
def test_a_folder_of_textures_and_another_image_of_the_same_name(tmp_path, first, second):
    """The files of a folder keep their names, since scripts find them by these."""
    uris = {"folder": "<visual name='f'>{}<material><script><uri>textures</uri><name>a</name></script></material>"
                      "</visual>".format(shape := "<geometry><box><size>1 1 1</size></box></geometry>"),
            "image": f"<visual name='i'>{shape}<material><pbr><metal><albedo_map>ground.png</albedo_map></metal></pbr>"
                     "</material></visual>"}
    write(tmp_path / "m", {
        "m.sdf": f"<sdf version='1.9'><model name='m'><link name='l'>{uris[first]}{uris[second]}</link></model></sdf>",
        "ground.png": "alone", "textures/ground.png": "in a folder"})
    made = sf.load(tmp_path / "m" / "m.sdf").save_bundle(tmp_path / "out")
    alone = sf.load(tmp_path / "out").to_sdf()
    texts = read(tmp_path / "out")
    (folder,) = re.findall("<uri>(.*)</uri>", alone)
    (image,) = re.findall("<albedo_map>(.*)</albedo_map>", alone)
    assert made.missing == () and texts[f"{folder}/ground.png"] == "in a folder" and texts[image] == "alone"


@pytest.mark.parametrize("uri", ["../keys", "file://{}/keys"])
def test_a_folder_is_no_mesh(tmp_path, uri, capsys):
    """All commands say so; a bundle does not copy the files of the folder."""
    uri = uri.format(tmp_path)
    write(tmp_path, {"keys/id": "secret", "urdf/r.urdf": f"""<robot name="r"><link name="l"><inertial><mass value="1"/>
        <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
        <visual><geometry><mesh filename="{uri}"/></geometry></visual></link></robot>"""})
    file = str(tmp_path / "urdf" / "r.urdf")
    for command in (["check", "--assets", file], ["uri", file], ["convert", file, "--uri-style", "file"],
                    ["convert", file, "--bundle", str(tmp_path / "out")]):
        assert main(command) == 1
        output = "".join(capsys.readouterr())
        assert "U016" in output and "this is a folder: name a file in it" in output
    assert f"<uri>{uri}</uri>" in read(tmp_path / "out")["model.sdf"]
    assert set(read(tmp_path / "out")) == {"model.sdf", "model.config", "bundle.json"}


def test_an_included_folder_without_a_model_is_missing(tmp_path):
    write(tmp_path, {
        "hand/model.config": '<model><name>hand</name><sdf version="1.9">made_later.sdf</sdf></model>',
        "arm.sdf": "<sdf version='1.9'><model name='arm'><include><uri>hand</uri></include><link name='l'/></model>"
                   "</sdf>"})
    made = sf.load(tmp_path / "arm.sdf").save_bundle(tmp_path / "out")
    assert made.missing == ("hand",) and "<uri>hand</uri>" in read(tmp_path / "out")["model.sdf"]


def test_uris_in_pieces_are_changed_in_the_main_text_and_in_models(tmp_path, monkeypatch):
    """Of a <uri>, readers read the text up to a comment in it; the other pieces are those of sections."""
    mesh = "<visual name='v'><geometry><mesh><uri>{}</uri></mesh></geometry></visual>"
    model = "<sdf version='1.9'><model name='{}'>{}<link name='l'>{}</link></model></sdf>"
    write(tmp_path / "m", {
        "arm/arm.sdf": model.format("arm", "<include><uri>../hand<!-- x -->tail</uri></include>",
                                    mesh.format("parts/a.stl<!-- y -->tail")), "arm/parts/a.stl": STL,
        "hand/model.config": '<model><name>hand</name><sdf version="1.9">hand.sdf</sdf></model>',
        "hand/hand.sdf": model.format("hand", "", mesh.format("<!-- z --><![CDATA[b]]>.s<?p?>tl")),
        "hand/b.stl": STL.replace("1 0 0", "3 0 0")})
    made = sf.load(tmp_path / "m" / "arm" / "arm.sdf").save_bundle(tmp_path / "out")
    assert made.missing == ()
    texts = read(tmp_path / "out")
    assert "<uri>model://out/models/hand.sdf<!-- x -->tail</uri>" in texts["model.sdf"]
    assert "<uri>meshes/a.stl<!-- y -->tail</uri>" in texts["model.sdf"]
    assert "<uri><!-- z -->../meshes/b.stl<?p?></uri>" in texts["models/hand.sdf"]
    assert sf.load(tmp_path / "out").find_missing_files() == ()


def test_wrong_use(arm, tmp_path, capsys):
    with pytest.raises(ValueError, match="kind must be one of sdf, urdf"):
        sf.load(arm).save_bundle(tmp_path / "out", "usd")
    for words, said in ((["--bundle", ""], "the name of the output is empty"),
                        ([str(arm), "--bundle", "x"], "--bundle takes one FILE"),
                        (["--bundle", "x", "-o", "y"], "argument -o/--output: not allowed with argument --bundle")):
        with pytest.raises(SystemExit):
            main(["convert", str(arm), *words])
        assert said in capsys.readouterr().err
    world = sf.loads('<sdf version="1.9"><world name="w"/></sdf>')
    with pytest.raises(sf.InvalidDescription, match="a bundle holds one model") as error:
        world.save_bundle(tmp_path / "out")
    assert [found.name for found in error.value.findings] == ["bundle-without-model"]
    assert not (tmp_path / "out").exists()


def test_a_file_that_cannot_be_read_is_named(arm, tmp_path, monkeypatch, capsys):
    def refuse(_door, path):
        raise PermissionError(13, "Permission denied", path)
    monkeypatch.setattr("sdf_frames.document.door.Door.measure", refuse)
    with pytest.raises(PermissionError, match="its file .*a.stl cannot be read: Permission denied"):
        sf.load(arm).save_bundle(tmp_path / "out")
    assert main(["convert", str(arm), "--bundle", str(tmp_path / "out")]) == 1
    assert "a.stl cannot be read: Permission denied" in capsys.readouterr().err and not (tmp_path / "out").exists()


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_files_have_the_rights_of_new_files(arm, tmp_path):
    """Others may read them, as far as the system says: they are written to be shared."""
    old = os.umask(0o022)
    try:
        sf.load(arm).save_bundle(tmp_path / "out")
    finally:
        os.umask(old)
    assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "out").rglob("*") if path.is_file()} == {0o644}


def test_what_a_material_names_is_a_picture_whatever_it_is_called(arm, tmp_path):
    """A chain of 600 materials ended in a RecursionError."""
    folder = arm.parent.parent / "meshes"
    (folder / "b.obj").write_text(OBJ.format("m0.mtl"))
    for number in range(3):
        (folder / f"m{number}.mtl").write_text(f"map_Kd m{number + 1}.mtl\n")
    sf.load(arm).save_bundle(tmp_path / "out")
    made = read(tmp_path / "out")
    assert made["meshes/m0.mtl"] == made["meshes/m1.mtl"].replace("2", "1") == "map_Kd m1.mtl\n"
    assert "meshes/m2.mtl" not in made


def test_chains_of_includes_are_limited(tmp_path):
    for number in range(4):
        include = f"<include><uri>m{number + 1}.sdf</uri></include>" if number < 3 else ""
        (tmp_path / f"m{number}.sdf").write_text(
            f'<sdf version="1.9"><model name="m{number}"><link name="l"/>{include}</model></sdf>')
    for limit, made in ((3, True), (2, False)):
        robot = sf.load(tmp_path / "m0.sdf", limits={"include_depth": limit})
        with suppress(sf.InvalidDescription):
            robot.save_bundle(tmp_path / f"out{limit}")
        assert (tmp_path / f"out{limit}").exists() is made


def test_a_list_that_nests_deeply_is_that_of_no_bundle(arm, tmp_path, capsys):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "bundle.json").write_text("[" * 100_000)
    assert main(["convert", str(arm), "--bundle", str(tmp_path / "out")]) == 2
    assert "is not a bundle" in capsys.readouterr().err


def test_standard_input_is_no_file_in_the_bundle(tmp_path, monkeypatch):
    from io import BytesIO, TextIOWrapper
    monkeypatch.chdir(tmp_path)
    text = '<sdf version="1.12"><model name="m"><link name="a"/></model></sdf>'
    for _ in range(2):
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(text.encode())))
        assert main(["upgrade", "--no-config", "--bundle", str(tmp_path / "b"), "-"]) == 0
        monkeypatch.chdir(tmp_path / "b")
