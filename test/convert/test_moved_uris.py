"""Relative URIs of what is written to another folder: each leads to the file that it led to before."""
import io
import json
import os

import pytest
from written_text import move_text

import sdf_frames as sf
from sdf_frames.cli import main
from sdf_frames.convert.moved_uris import find_references, list_gazebo_paths, move_uri
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import read_xml

INERTIAL = ('<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>')
URDF = f"""<robot name="r"><!-- kept -->
<link name="l">{INERTIAL}<visual><geometry><mesh filename="meshes/a &amp; b.stl"/></geometry>
<material name="m"><color rgba="1 1 1 1"/><texture filename='skin.png'/></material></visual>
<collision><geometry><mesh filename="file://meshes/c.stl"/></geometry></collision></link>
<gazebo reference="l"><sensor name="s" type="camera"><plugin name="p" filename="libp.so"><uri>meshes/c.stl</uri>
</plugin></sensor></gazebo>
<gazebo reference="l"><visual><material><script><uri>scripts</uri><name>A</name></script></material></visual></gazebo>
</robot>"""
MODEL = """<model name="m"><link name="l"><inertial><mass>1</mass></inertial>
<visual name="v"><geometry><mesh><uri> meshes/a &amp; b.stl </uri></mesh></geometry>
<material><script><uri>scripts</uri><name>A</name></script><pbr><metal><albedo_map>skin.png</albedo_map>
<normal_map><![CDATA[meshes/../skin.png]]></normal_map></metal></pbr></material></visual>
<collision name="c"><geometry><mesh><uri>./meshes/c.stl</uri></mesh></geometry></collision>
<collision name="d"><geometry><mesh><uri>meshes/gone.stl</uri></mesh></geometry></collision>
<sensor name="s" type="camera"><plugin name="p" filename="libp.so"><uri>skin.png</uri></plugin></sensor></link>
</model>"""
SDF = f'<sdf version="1.9">{MODEL}</sdf>'
WORLD = """<sdf version="1.9"><world name="w"><include><uri>part</uri></include><include><name>n</name><uri>a.sdf</uri>
</include><actor name="a"><skin><filename>meshes/c.stl</filename></skin><animation name="x"><filename>skin.png
</filename></animation></actor>
<model name="h"><static>true</static><link name="l"><collision name="c">
<geometry><heightmap><uri>skin.png</uri></heightmap></geometry></collision></link></model></world></sdf>"""
FILES = ("meshes/a & b.stl", "meshes/c.stl", "skin.png", "scripts/a.material", "part/meshes/a & b.stl",
         "part/meshes/c.stl", "part/skin.png", "part/scripts/b.material")
# The new place, from the folder above that of the robots.
PLACES = ["out.{}", "robots/sub/out.{}", "else/where/out.{}", "else/äö 机/out.{}", "link/deep/out.{}", "link/out.{}"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Robots in robots/, which link leads to, too."""
    robots = tmp_path / "robots"
    for name in FILES:
        (robots / name).parent.mkdir(parents=True, exist_ok=True)
        (robots / name).write_bytes(name.encode())
    for name, text in {"a.urdf": URDF, "a.sdf": SDF, "w.sdf": WORLD, "part/model.sdf": SDF,
                       "part/model.config": '<model><sdf version="1.9">model.sdf</sdf></model>'}.items():
        (robots / name).write_text(text, encoding="utf-8")
    (tmp_path / "far" / "away").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "far" / "away")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def list_found(path):
    """The real file of each reference of a file that leads to one, in the order of the document."""
    document, _ = read_xml(path.read_bytes(), str(path))
    paths = [Resolver().find(uri, str(path)) for _, _, uri in find_references(document.root)]
    return [os.path.realpath(p) for p in paths if p is not None]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("command", [
    ["convert", "robots/a.urdf", "-o"], ["convert", "--preserve-fixed-joints", "robots/a.urdf", "-o"],
    ["print", "robots/a.sdf", "-o"], ["print", "--preserve-includes", "robots/w.sdf", "-o"],
    ["upgrade", "robots/a.sdf", "-o"], ["upgrade", "robots/w.sdf", "-o"], ["to-urdf", "robots/a.sdf", "-o"],
    ["save", "robots/a.urdf", "sdf"], ["save", "robots/a.urdf", "urdf"], ["save", "robots/w.sdf", "sdf"]])
def test_every_file_that_was_found_is_found_from_the_new_place(folder, command, place, capsys):
    """What the output leads to from its own place is what the same output leads to beside the source."""
    source = folder / command[-2]
    kind = command[-1] if command[0] == "save" else "urdf" if command[0] == "to-urdf" else "sdf"
    beside, there = source.parent / f"beside.{kind}", folder / place.format(kind)
    there.parent.mkdir(parents=True, exist_ok=True)
    for path in (beside, there):
        if command[0] == "save":
            assert sf.load(source).save(path) == ()
        else:
            main([*command, str(path)])
    assert len(list_found(beside)) >= 3 and list_found(there) == list_found(beside)
    assert "U020" not in capsys.readouterr().err
    assert there.read_text(encoding="utf-8").count("gone.stl") == beside.read_text(encoding="utf-8").count("gone.stl")
    if kind == "sdf" and source.name != "w.sdf":  # the library lists no URIs of actors, nor of <gazebo>
        assert not [change for change in sf.diff(sf.load(beside), sf.load(there)) if change.subject != "finding"]


def test_a_path_that_begins_with_a_slash_and_leads_beside_the_file_is_moved(folder, capsys):
    """There is no /meshes/c.stl: the file beside the source is taken. Some robots of PyBullet have such paths."""
    shape = '<link name="l"><visual name="v"><geometry><mesh><uri>{}</uri></mesh></geometry></visual></link>'
    whole = folder / "robots" / "skin.png"
    for uri, moved in {
            "/meshes/c.stl": "../robots/meshes/c.stl", str(whole): str(whole), "/gone.stl": "/gone.stl"}.items():
        (folder / "robots" / "s.sdf").write_text(
            f'<sdf version="1.9"><model name="m">{shape.format(uri)}</model></sdf>')
        assert main(["print", "robots/s.sdf", "-o", "far/out.sdf"]) == 0
        assert f"<uri>{moved}</uri>" in (folder / "far" / "out.sdf").read_text()
    (folder / "robots" / "s.sdf").write_text(
        f'<sdf version="1.9"><model name="m">{shape.format("/meshes/c.stl")}</model></sdf>')
    assert main(["print", "robots/s.sdf"]) == 0 and "U020" in capsys.readouterr().err


def test_models_of_a_world_lead_to_their_own_files(folder):
    """What is written of an included file leads from the folder of the file that includes it, then from the new one."""
    for words, kind in ((["print", "robots/w.sdf"], "sdf"), (["to-urdf", "--model", "m", "robots/w.sdf"], "urdf")):
        for place in (f"robots/x.{kind}", f"else/x.{kind}"):
            main([*words, "--parents", "-o", place])
            found = list_found(folder / place)
            wanted = {str(folder / "robots" / name) for name in FILES if name[:5] == "part/" and "scripts" not in name}
            assert wanted <= set(found), (words, place)


@pytest.mark.parametrize("merge", ["false", "true"])
def test_what_a_urdf_takes_of_an_included_file_leads_to_the_files_of_that_file(folder, merge):
    """Also under <gazebo>, except in plugins. Both folders have scripts/ and skin.png."""
    (folder / "robots" / "n.sdf").write_text(
        f'<sdf version="1.9"><model name="r"><include merge="{merge}"><uri>part</uri></include></model></sdf>')
    for place in ("robots/n.urdf", "else/n.urdf"):
        main(["to-urdf", "robots/n.sdf", "--parents", "-o", place])
        assert {*list_found(folder / place)} == {str(folder / "robots" / name) for name in (
            "part/meshes/a & b.stl", "part/meshes/c.stl", "part/skin.png", "part/scripts", "skin.png")}


def test_folders_and_batch(folder):
    main(["convert", "--output-dir", "made/by", "robots/a.urdf"])
    wanted = {str(folder / "robots" / name) for name in FILES[:3]}
    assert set(list_found(folder / "made" / "by" / "a.sdf")) >= wanted
    pytest.importorskip("pyarrow")
    main(["batch", "convert", "robots/a.urdf", "--to", "results", "--jobs", "1"])
    (path,) = (folder / "results" / "files").rglob("*.sdf")
    assert set(list_found(path)) >= wanted


def test_nothing_else_changes(folder):
    """Bytes that need no change stay: also comments, quotes, line ends, and URIs that lead to nothing or everywhere."""
    text = ("<sdf version='1.12'><!-- é -->\r\n<model name='m'>\t<link name='l'><visual name='v'><geometry><mesh>"
            "<uri>{}</uri></mesh></geometry></visual></link></model ></sdf>\n")
    old, new = str(folder / "robots" / "a.sdf"), str(folder / "sub" / "a.sdf")
    for uri, moved in (("meshes/c.stl", "../robots/meshes/c.stl"), (" skin.png\n", " ../robots/skin.png\n"),
                       ("file://skin.png", "file://../robots/skin.png"), ("gone.stl", "gone.stl"),
                       *[(uri, uri) for uri in ("model://m/a.stl", f"{folder}/robots/skin.png", "https://a.org/b.stl",
                                                "", "__default__")]):
        assert move_text(text.format(uri), old, new, Resolver()) == (text.format(moved), ())
        assert move_text(text.format(uri), old, str(folder / "robots" / "b.sdf"), Resolver()) == (text.format(uri), ())
    # What only the resource paths lead to is found from everywhere, and a text without a place has nothing else.
    assert move_uri("b.material", old, new, Resolver([folder / "robots" / "part" / "scripts"])) == "b.material"
    assert move_uri("skin.png", old, None, Resolver([folder / "robots"])) == "skin.png"


@pytest.mark.parametrize("command", ["upgrade", "print", "to-urdf", "convert", "batch", "save"])
@pytest.mark.parametrize("uri, resources", [("../robots/skin.png", "robots"), ("skin.png", "robots"),
                                            ("file://skin.png", "robots")])
def test_what_is_beside_a_file_is_relative_whatever_the_resource_paths_lead_to(folder, monkeypatch, command, uri,
                                                                                resources):
    """robots/../robots/skin.png exists below the resource path, too; who reads the output may have no such path."""
    monkeypatch.setenv("GZ_SIM_RESOURCE_PATH", str(folder / resources))
    source = folder / "robots" / ("k.urdf" if command == "convert" else "k.sdf")
    source.write_text({"k.sdf": SDF, "k.urdf": URDF}[source.name].replace("skin.png", uri))
    (folder / "else").mkdir()
    out = folder / "else" / "k.urdf" if command == "to-urdf" else folder / "else" / "k.sdf"
    if command == "save":
        sf.load(source).save(out)
    elif command == "batch":
        pytest.importorskip("pyarrow")
        main(["batch", "upgrade", str(source), "--to", "results", "--jobs", "1"])
        (out,) = (folder / "results" / "files").rglob("*.sdf")
    else:
        main([command, str(source), "-o", str(out)])
    monkeypatch.delenv("GZ_SIM_RESOURCE_PATH")
    assert str(folder / "robots" / "skin.png") in list_found(out)


@pytest.mark.parametrize("command", ["convert a.urdf", "print a.sdf", "upgrade a.sdf", "to-urdf a.sdf"])
def test_a_text_without_a_place_names_its_files_once(folder, monkeypatch, capsys, command):
    monkeypatch.chdir(folder / "robots")
    main(command.split())
    _, *named = capsys.readouterr().err.split("U020 relative-uris-lost")
    assert len(named) == 1 and "only in the folder .: " in named[0]
    assert "skin.png" in named[0] and "gone.stl" not in named[0]
    main([*command.split(), "--resource-path", "."])
    assert "U020" not in capsys.readouterr().err


def test_a_repair_that_only_prints_a_table_names_no_files(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    for words, count in (([], 0), (["-o", "-"], 1), (["--json"], 1), (["-o", "b.urdf"], 0)):
        main(["inertia", "--repair", "robots/a.urdf", *words])
        out, err = capsys.readouterr()
        assert (out + err).count("relative-uris-lost") == count


def test_a_text_from_standard_input_has_no_place_either(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder / "robots")
    for output, count in (("out.sdf", 0), ("../out.sdf", 1)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(URDF.encode())))
        assert main(["convert", "-", "-o", output]) == 0
        assert capsys.readouterr().err.count("warning U020") == count, "in the first, it is written beside its files"


def test_what_cannot_be_written_is_named(folder):
    """A folder that XML cannot name."""
    odd = folder / "a\x01b"
    odd.mkdir()
    (odd / "a.stl").write_text("x")
    text = '<robot name="r"><link name="l"><visual><geometry><mesh filename="{}"/></geometry></visual></link></robot>'
    same, (finding,) = move_text(text.format("a.stl"), str(odd / "a.urdf"), str(folder / "b.urdf"), Resolver())
    assert same == text.format("a.stl") and (finding.name, finding.severity) == ("relative-uris-lost", "warning")


def test_a_uri_in_pieces_is_moved(folder):
    """Readers read it without the instruction, and up to the second comment."""
    pieces = "<sdf version='1.9'><include><uri><!-- a -->ro<?b?>bots<!-- c -->d</uri></include></sdf>"
    moved, found = move_text(pieces, str(folder / "a.sdf"), str(folder / "other" / "b.sdf"), Resolver())
    assert moved == pieces.replace("ro<?b?>bots", "../robots<?b?>") and not found


def test_many_are_counted(folder):
    text = "".join(f"<link name='l{i}'><visual><geometry><mesh filename='m{i}.stl'/></geometry></visual></link>"
                   for i in range(10))
    for i in range(10):
        (folder / f"m{i}.stl").write_text("x")
    _, (finding,) = move_text(f"<robot name='r'>{text}</robot>", str(folder / "a.urdf"), None, Resolver())
    assert finding.message.endswith("m7.stl and 2 more")


@pytest.mark.parametrize("scheme", ["package", "model"])
def test_a_package_that_the_output_leaves_is_named(scheme, tmp_path):
    """Only this project looks for the package around the file: Gazebo and ROS have lists of folders of their own."""
    tmp_path /= "my robots"
    (tmp_path / "arm" / "urdf").mkdir(parents=True)
    (tmp_path / "arm" / "package.xml").write_text("<package><name>arm</name></package>")
    old, inside, outside = (str(tmp_path / name) for name in ("arm/urdf/a.urdf", "arm/b.sdf", "c.sdf"))
    uris = f"<uri>{scheme}://arm/a.stl</uri><uri>{scheme}://arm/b.stl</uri><uri>{scheme}://other/b.stl</uri>"
    text = f"<robot>{uris}</robot>"
    for new in (outside, None):
        same, (finding,) = move_text(text, old, new, Resolver())
        assert same == text
        assert (finding.name, finding.severity, finding.file) == ("package-left", "info", old)
        assert "'arm'" in finding.message and f"GZ_SIM_RESOURCE_PATH to '{tmp_path}';" in finding.hint
    assert move_text(text, old, inside, Resolver()) == (text, ())
    assert move_text(text, old, outside, Resolver([str(tmp_path)])) == (text, ())
    (tmp_path / "arm" / "package.xml").write_text("<package><name>leg</name></package>")
    _, (finding,) = move_text(text, old, inside, Resolver())
    assert f"'arm' is found in {tmp_path}/arm, where" in finding.message, "by its name alone"
    _, (finding,) = move_text(text.replace("arm", "leg"), old, outside, Resolver())
    assert "a folder that has it as leg" in finding.hint


def test_the_name_of_a_package_with_blanks_ends_at_a_slash(tmp_path):
    for name in ("one/arm", "two/my arm"):
        (tmp_path / name).mkdir(parents=True)
    resolver = Resolver([str(tmp_path / "one"), str(tmp_path / "two")])
    text = "<uri>model://arm model://my arm/a.dae</uri><!-- and others -->\n<p>my arm/</p>"
    assert list_gazebo_paths(text, None, resolver) == [str(tmp_path / "one"), str(tmp_path / "two")]


def test_the_variable_that_gazebo_needs_is_printed(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("GZ_SIM_RESOURCE_PATH", raising=False)
    for folder, name in (("src/arm", "arm"), ("a b/my hand", "my hand"), ("src/checkout", "renamed")):
        (tmp_path / folder / "urdf").mkdir(parents=True)
        (tmp_path / folder / "package.xml").write_text(f"<package><name>{name}</name></package>")
    shapes = "".join(f'<visual><geometry><mesh filename="package://{name}/a.stl"/></geometry></visual>'
                     for name in ("my hand", "arm", "renamed", "gone", "arm"))
    file = tmp_path / "src" / "arm" / "urdf" / "arm.urdf"
    file.write_text(URDF.replace("</link>", f"{shapes}</link>", 1))
    command = ["convert", str(file), "--print-resource-path", "--resource-path", str(tmp_path / "a b"),
               "--resource-path", str(tmp_path / "src" / "checkout")]
    main(command)
    assert f"export GZ_SIM_RESOURCE_PATH='{tmp_path}/a b:{tmp_path}/src'\n" in capsys.readouterr().err
    file.write_text(URDF)
    main(command)
    assert "# no package for GZ_SIM_RESOURCE_PATH was found\n" in capsys.readouterr().err
    file.write_text(URDF.replace("</link>", f"{shapes}</link>", 1))
    main([*command, "--json"])
    folders = json.loads(capsys.readouterr().out)["gz_sim_resource_path"]
    assert folders == [f"{tmp_path}/a b", f"{tmp_path}/src"]
