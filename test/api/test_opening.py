"""sf.load and sf.loads: what they read, what they raise, which options they refuse."""

import copy
import os
import pickle
import sys
from errno import EISDIR, ENOENT
from importlib.util import find_spec

import pytest
import urdf_text
from lxml import etree

import sdf_frames as sf
from sdf_frames.api import loading
from sdf_frames.load import load_text

URDF = urdf_text.robot(urdf_text.link("l", 1))
SDF = '<sdf version="1.6"><!-- kept --><model name="m"><link name="l"/></model></sdf>'
BAD = '<sdf version="1.9"><model name="m"><link name="l"/><frame name="f" attached_to="ll"/></model></sdf>'


@pytest.mark.parametrize("text", [
    URDF, URDF.encode(), f'<?xml version="1.0" encoding="utf-16"?>{URDF}'.encode("utf-16"), etree.fromstring(URDF)])
def test_loads_takes_text_bytes_and_elements(text):
    robot = sf.loads(text, file="there/r.urdf")
    assert (robot.kind, robot.name, robot.file, robot.valid, [*robot.links]) == (
        "urdf", "r", "there/r.urdf", True, ["l"])


def test_an_element_that_is_loaded_stays_as_it_was():
    tree = etree.fromstring(f"<x>{SDF}tail</x>")
    before = etree.tostring(tree)
    assert sf.loads(tree[0]).links["l"].name == "l"
    assert etree.tostring(tree) == before


@pytest.mark.parametrize("name", ["r.urdf", "r.sdf", "r.world", "r.txt"])
def test_the_root_element_decides_not_the_suffix(name, tmp_path):
    (tmp_path / name).write_text(URDF)
    assert sf.load(tmp_path / name).kind == "urdf"
    assert sf.load(str(tmp_path / name)).kind == "urdf"


def test_a_folder_with_a_model_config(tmp_path):
    (tmp_path / "model.config").write_text('<model><name>m</name><sdf version="1.6">m.sdf</sdf></model>')
    (tmp_path / "m.sdf").write_text(SDF)
    assert sf.load(tmp_path).name == "m"
    wrong, = sf.load(tmp_path / "model.config").errors
    assert (wrong.code, wrong.hint) == ("X004", "this is the model.config of a model: name its folder")


def test_a_xacro_file(tmp_path):
    pytest.importorskip("xacro")
    path = tmp_path / "r.urdf.xacro"
    path.write_text(URDF.replace('name="r"', 'name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"').replace(
        "<link", '<xacro:arg name="heavy" default="false"/><link', 1).replace(
        '<mass value="1"/>', '<xacro:if value="$(arg heavy)"><mass value="8"/></xacro:if>'
        '<xacro:unless value="$(arg heavy)"><mass value="2"/></xacro:unless>'))
    assert sf.load(path).inertias()["l"].mass == 2
    assert sf.load(path, xacro_args={"heavy": True}).inertias()["l"].mass == 8
    assert sf.load(path, xacro_args={"heavy": "false"}).inertias()["l"].mass == 2
    (found,) = sf.load(path, xacro_args={"heavi": True}).findings
    assert (found.name, found.hint) == (
        "xacro-argument-unknown", "this file declares the argument heavy; did you mean 'heavy'?")
    with pytest.raises(ValueError, match=r"confined: a \.xacro file runs Python code"):
        sf.load(path, confined=True)


def test_a_xacro_file_that_cannot_be_expanded_has_findings(tmp_path):
    pytest.importorskip("xacro")
    (tmp_path / "r.xacro").write_text(
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:nothing/></robot>')
    assert "xacro-failed" in [d.name for d in sf.load(tmp_path / "r.xacro").findings]


def test_without_xacro_the_error_names_the_extra(tmp_path, monkeypatch):
    (tmp_path / "r.xacro").write_text(URDF)
    monkeypatch.setitem(sys.modules, "xacro", None)
    with pytest.raises(ImportError, match=r"pip install 'sdf_frames\[xacro\]'"):
        sf.load(tmp_path / "r.xacro")


@pytest.mark.parametrize("suffix", ["urdf", "xacro"])
def test_without_a_file_or_model_load_raises_as_open_does(suffix, tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        sf.load(tmp_path / f"no.{suffix}")
    assert (caught.value.errno, caught.value.filename) == (ENOENT, str(tmp_path / f"no.{suffix}"))
    (tmp_path / f"robot.{suffix}").touch()
    with pytest.raises(FileNotFoundError, match=f"No such file or directory; did you mean 'robot.{suffix}'"):
        sf.load(tmp_path / f"robto.{suffix}")
    with pytest.raises(IsADirectoryError, match=r"this folder has no model\.config; name a \.urdf, ") as caught:
        sf.load(tmp_path)
    assert (caught.value.errno, caught.value.filename) == (EISDIR, str(tmp_path))
    (tmp_path / "empty").mkdir()
    with pytest.raises(IsADirectoryError, match="this folder has no robot description; name a "):
        sf.load(tmp_path / "empty")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_raises_as_open_does(tmp_path):
    (tmp_path / "r.urdf").write_text(URDF)
    (tmp_path / "r.urdf").chmod(0)
    with pytest.raises(PermissionError):
        sf.load(tmp_path / "r.urdf")


@pytest.mark.parametrize("text", ["", "<", "<html/>", BAD, b"\xff\xfe\x00"])
def test_a_bad_description_is_an_object_with_findings(text):
    robot = sf.loads(text)
    assert not robot.valid and robot.findings and "\n" not in repr(robot)


def test_strict_raises_with_file_and_line():
    with pytest.raises(sf.InvalidDescription, match=r"^bad\.sdf:1: F\d+ .*'?ll") as caught:
        sf.loads(BAD, file="bad.sdf", strict=True)
    assert any(d.severity == "error" for d in caught.value.findings)
    assert isinstance(caught.value, ValueError)


def test_the_error_can_be_pickled():
    """A process pool ends if it cannot read the error of a worker."""
    with pytest.raises(sf.InvalidDescription) as caught:
        sf.loads(BAD, file="bad.sdf", strict=True)
    copied = pickle.loads(pickle.dumps(caught.value))
    assert type(copied) is sf.InvalidDescription and str(copied) == str(caught.value)
    assert (copied.file, copied.findings) == ("bad.sdf", caught.value.findings)


def test_the_text_of_the_error_says_what_to_do():
    found = [sf.Diagnostic("F001", "n", "error", "wrong", hint="do this"), sf.Diagnostic("F001", "n", "error", "bad")]
    assert str(sf.InvalidDescription("a.sdf", found)) == "a.sdf: F001 wrong\n    hint: do this\na.sdf: F001 bad"


@pytest.mark.parametrize(("count", "last"), [(1, "wrong 0"), (5, "wrong 4"), (6, "and 1 more errors")])
def test_five_errors_are_shown(count, last):
    found = [sf.Diagnostic("F001", "n", "error", f"wrong {i}") for i in range(count)]
    note = sf.Diagnostic("F001", "n", "warning", "not shown")
    lines = str(sf.InvalidDescription("a.sdf", [note, *found, note])).splitlines()
    assert lines[0] == "a.sdf: F001 wrong 0" and len(lines) == count and lines[-1].endswith(last)
    assert str(sf.InvalidDescription(None, found[:1])) == "<text>: F001 wrong 0"
    assert str(sf.InvalidDescription(None, [found[0]._replace(file="b.sdf", line=3)])) == "b.sdf:3: F001 wrong 0"
    assert str(sf.InvalidDescription("a.sdf", [note])) == "the description has errors"


@pytest.mark.parametrize("text", [URDF, SDF])
@pytest.mark.parametrize(("options", "error", "says"), [
    ({"resource_paths": "models"}, TypeError,
     r"resource_paths must be a sequence, such as \['models'\], not a single str"),
    ({"resource_paths": 3}, TypeError, "resource_paths must be a sequence"),
    ({"massless": "drop"}, ValueError, "massless must be one of frame, keep, error, not 'drop'"),
    ({"sdf_version": "1.3"}, ValueError, "sdf_version must be one of 1.7, .*, not '1.3'"),
    ({"sdf_version": 1.9}, ValueError, "sdf_version must be one of"),
    ({"auto_inertia": True}, ValueError, "auto_inertia must be one of skip, save, save-in-element"),
    ({"inertia_failure": "skip"}, ValueError, "inertia_failure must be one of error, default, not"),
    ({"inertia_calculator": 3}, TypeError, "a calculator is a function, a name or a mapping"),
    ({"inertia_calculator": "nobody"}, ValueError, "inertia_calculator: .*nobody"),
    ({"preserve_fixed_joints": "yes"}, TypeError, "preserve_fixed_joints must be True or False"),
    ({"confined": 1}, TypeError, "confined must be True or False"),
    ({"strict": None}, TypeError, "strict must be True or False"),
    ({"limits": {"elephants": 3}}, ValueError, "there is no limit 'elephants'"),
    ({"limits": {"seconds": -3}}, ValueError, "the limit seconds must be a positive number"),
    ({"limits": 3}, TypeError, "limits must be a mapping from names to numbers"),
    ({"resource_path": []}, TypeError, "unknown option 'resource_path'; did you mean")])
def test_an_option_that_cannot_be_is_refused_at_once(text, options, error, says):
    with pytest.raises(error, match=says):
        sf.loads(text, **options)


@pytest.mark.parametrize("text", [3, None, ["<sdf/>"]])
def test_texts_of_wrong_types_are_refused(text):
    with pytest.raises(TypeError, match="text must be a string, bytes or an lxml element"):
        sf.loads(text)


def test_xacro_arguments_are_for_xacro_files(tmp_path):
    (tmp_path / "r.urdf").write_text(URDF)
    with pytest.raises(ValueError, match="is not a .xacro file"):
        sf.load(tmp_path / "r.urdf", xacro_args={"a": 1})
    with pytest.raises(TypeError, match="xacro_args must be a mapping from names to values"):
        sf.load(tmp_path / "r.urdf", xacro_args=["a:=1"])
    with pytest.raises(TypeError, match="each name in xacro_args must be a str, not int"):
        sf.load(tmp_path / "r.urdf", xacro_args={3: 4})


def test_a_limit_is_kept():
    assert [d.name for d in sf.loads(SDF, limits={"elements": 2}).findings if d.severity == "error"]
    assert sf.loads(SDF, limits={"elements": 20}).valid


def test_resource_paths_are_searched(tmp_path):
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "model.config").write_text('<model><name>m</name><sdf version="1.6">m.sdf</sdf></model>')
    (tmp_path / "part" / "m.sdf").write_text(SDF)
    world = '<sdf version="1.9"><world name="w"><include><uri>model://part</uri></include></world></sdf>'
    assert "m::l" in sf.loads(world, resource_paths=[tmp_path]).frames
    assert not sf.loads(world).valid


def test_places_of_a_xacro_file_are_its_own(tmp_path):
    """The macro is three lines above its use; each part has the line where it is written."""
    pytest.importorskip("xacro")
    path = tmp_path / "r.xacro"
    part = URDF[URDF.index("<link"):-len("</robot>")].replace('name="l"', 'name="${name}"')
    path.write_text('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n<xacro:macro name="part" '
                    f'params="name">\n{part}\n</xacro:macro>\n\n<xacro:part name="l"/>\n</robot>')
    robot = sf.load(path)
    assert (robot.links["l"].file, robot.links["l"].line) == (str(path), 3)


def test_a_confined_description_reads_nothing_outside(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "secret.sdf").write_text(SDF)
    world = '<sdf version="1.9"><world name="w"><include><uri>{}</uri></include></world></sdf>'
    uri = f"file://{tmp_path}/secret.sdf"
    assert "m::l" in sf.loads(world.format(uri), resource_paths=[tmp_path / "in"]).frames
    confined = sf.loads(world.format(uri), resource_paths=[tmp_path / "in"], confined=True)
    assert "m::l" not in confined.frames
    assert [(reference.path, reference.tried + reference.near) for reference in confined.uris] == [(None, ())]


def test_a_calculator_is_asked_for_meshes(tmp_path):
    asked = []

    def calculate(density, mesh, params):
        asked.append((density, mesh.uri, params))
        return sf.Solid(2.0, (0.0, 0.0, 1.0), (1.0, 1.0, 1.0, 0.0, 0.0, 0.0))

    text = ('<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true"/><collision name="c">'
            "<density>3</density><geometry><mesh><uri>part.stl</uri></mesh></geometry></collision></link></model></sdf>")
    inertia = sf.loads(text, inertia_calculator=calculate).inertias()["l"]
    assert asked == [(3.0, "part.stl", None)]
    assert (inertia.mass, inertia.com.tolist(), inertia.method) == (6.0, [0, 0, 1], "custom")
    assert inertia.tensor.diagonal().tolist() == [3, 3, 3]


def test_readers_of_other_formats(tmp_path):
    (tmp_path / "part.toml").write_text("anything")
    world = '<sdf version="1.9"><world name="w"><include><uri>part.toml</uri></include></world></sdf>'
    robot = sf.loads(
        world, file=tmp_path / "w.sdf", include_readers=[lambda path: SDF if path.endswith(".toml") else None])
    assert "m::l" in robot.frames


def test_asking_whether_a_name_is_there_looks_for_no_other(monkeypatch):
    """difflib compares a name with thousands of others; only errors take it."""
    robot = sf.loads(SDF)
    monkeypatch.setattr("sdf_frames.api.errors.find_nearest", lambda *_: pytest.fail("asked for the nearest"))
    assert "k" not in robot.links
    assert "l" in robot.links


@pytest.mark.parametrize("text", ["<robot name='r'/>", b" <sdf version='1.9'/>"])
def test_a_text_in_place_of_a_name_is_told_to_loads(text):
    with pytest.raises(FileNotFoundError, match="^load takes the name of a file; for a text, call loads$"):
        sf.load(text)


def test_convert_writes_what_the_suffix_says_and_never_its_source(tmp_path):
    """Back and forth; without a target, the other format. A file of the target's kind is replaced."""
    source, target, back = tmp_path / "r.urdf", tmp_path / "r.sdf", tmp_path / "back.urdf"
    source.write_text(URDF)
    target.write_text('<sdf version="1.9"/>')
    assert sf.convert(source, target, sdf_version="1.9") == target.read_text() == sf.convert(source, sdf_version="1.9")
    assert '<sdf version="1.9">' in target.read_text()
    assert sf.convert(target, back) == back.read_text() == sf.convert(target)
    assert sf.load(back).name == "r" and list(sf.load(back).links) == ["l"]
    with pytest.raises(FileExistsError):
        sf.convert(source, source)


def test_descriptions_can_be_pickled_and_copied(tmp_path):
    """Also of a .xacro file that cannot be expanded, of which there are only findings."""
    urdf = sf.loads(URDF.replace("<link", "<odd/><link"), file="r.urdf", sdf_version="1.10")
    bad = tmp_path / "r.urdf.xacro"
    bad.write_text('<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:no/></robot>')
    texts = [urdf, sf.loads(b'<sdf version="1.6"><model name="m"><link name="k"/></model></sdf>'), sf.loads("<html/>")]
    for robot in [*texts, sf.load(bad)] if find_spec("xacro") else texts:
        again = pickle.loads(pickle.dumps(robot))
        assert (repr(again), again.findings, [*again.links]) == (repr(robot), robot.findings, [*robot.links])
        assert copy.copy(robot) is copy.deepcopy(robot) is robot
    assert pickle.loads(pickle.dumps(urdf)).to_sdf() == urdf.to_sdf()


def test_worlds_can_be_pickled_and_copied(monkeypatch):
    """All worlds of a file together load it once."""
    text = "".join(f'<world name="w{k}"><model name="m"><pose>{k} 0 0 0 0 0</pose><link name="l"/></model></world>'
                   for k in range(3))
    robot = sf.loads(f'<sdf version="1.12">{text}</sdf>')
    packed = pickle.dumps((robot, robot.worlds))
    loads = []
    monkeypatch.setattr(loading, "load_text", lambda *given: loads.append(1) or load_text(*given))
    again, worlds = pickle.loads(packed)
    assert loads == [1] and repr(again) == repr(robot)
    assert [world.pose("m::l").xyz.tolist() for world in worlds.values()] == [[k, 0, 0] for k in range(3)]
    assert repr(worlds["w2"].inertias().total) == repr(robot.worlds["w2"].inertias().total)
    assert copy.copy(robot.worlds["w1"]) is copy.deepcopy(robot.worlds["w1"]) is robot.worlds["w1"]


@pytest.mark.parametrize("text", [
    '<robot name="r"><link name="l"><visual><geometry><mesh filename="a.stl" scale="1 2 3"/></geometry></visual></link>'
    '</robot>',
    '<sdf version="1.11"><model name="m"><link name="l"><visual name="v"><geometry><mesh><uri>a.stl</uri></mesh>'
    '</geometry></visual></link></model></sdf>'])
def test_links_with_meshes_can_be_pickled_and_are_equal_if_they_say_the_same(text):
    link, same = sf.loads(text).links["l"], sf.loads(text).links["l"]
    assert pickle.loads(pickle.dumps(link)) == copy.deepcopy(link) == link == same
    assert link != sf.loads(text.replace("a.stl", "b.stl")).links["l"]
    assert "Element" not in repr(link)


def test_errors_and_warnings_are_findings():
    robot = sf.loads('<sdf version="1.9"><model name="m"><odd/><link name="l"/><frame name="f" attached_to="no"/>'
                     '</model></sdf>')
    assert [d.code for d in robot.errors] == ["F001"] and [d.code for d in robot.warnings] == ["S003"]
    assert set(robot.errors + robot.warnings) <= set(robot.findings)


def test_a_description_is_the_same_after_the_working_directory_changes(tmp_path, monkeypatch):
    for name in ("a", "b", "part/model"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        uri = {"a": "<include><uri>b.sdf</uri></include><include><uri>model://part</uri></include>"}.get(name, "")
        (tmp_path / f"{name}.sdf").write_text(f'<sdf version="1.11"><model name="{name[0]}">{uri}<link name="l"/>'
                                              '</model></sdf>')
    (tmp_path / "part" / "model.config").write_text("<model><name>part</name><sdf>model.sdf</sdf></model>")
    (tmp_path / "sub").mkdir()
    (tmp_path / "ws").mkdir()
    (tmp_path / "part").rename(tmp_path / "ws" / "part")
    monkeypatch.chdir(tmp_path)
    robot, before = sf.load("a.sdf", resource_paths=["ws"]), (tmp_path / "a.sdf").read_text()
    monkeypatch.chdir("sub")
    for name in ("a.sdf", "b.sdf"):
        with pytest.raises(FileExistsError):
            robot.save(f"../{name}")
    assert (tmp_path / "a.sdf").read_text() == before and not robot.find_missing_files()
    assert set(pickle.loads(pickle.dumps(robot)).links) == set(robot.links) == {"l", "b::l", "p::l"}
