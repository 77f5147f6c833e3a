"""The command place: the pose in its forms, where the text goes, and what is said of the change."""
import io
import json
import shlex

import pytest
from urdf_text import joint, link, robot

import sdf_frames as sf
from sdf_frames.cli import main

TEXT = robot(link("a"), link("b"), joint("j", "fixed", "a", "b", xyz="0 0 0", rpy="0 0 0"))


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.urdf").write_text(TEXT)
    return tmp_path / "r.urdf"


def run(*words):
    try:
        return main(["place", "r.urdf", "b", "--in", "a", "--no-config", *words])
    except SystemExit as end:
        return end.code


QUARTER = '<origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/>'


@pytest.mark.parametrize(("words", "origin"), [
    ("--xyz 1 -2e-3 .5", '<origin xyz="1 -0.002 0.5" rpy="0 0 0"/>'),
    ("--xyz -.5 -1. 0 --rpy 0.1 0 -1e-3", '<origin xyz="-0.5 -1 0" rpy="0.1 0 -0.001"/>'),
    ("--xyz 1 2 3 --rpy 0 0 90 --degrees", QUARTER), ("--xyz 1 2 3 --quat 0 0 2 2", QUARTER),
    ("--xyz 1 2 3 --quat 0 0 1e308 1e308", QUARTER), ("--xyz 1 2 3 --quat 0 0 1e-200 1e-200", QUARTER),
    ("--tf '1 2 3 0 0 1 1'", QUARTER), ("--tf '1, 2, 3, 0, 0, 1, 1'", QUARTER), ("--matrix rows.txt", QUARTER),
    ("--matrix lists.txt", QUARTER)])
def test_the_pose(words, origin, file, capsys):
    file.with_name("rows.txt").write_text("0 -1 0 1\n1 0 0 2\n0 0 1 3\n0 0 0 1")
    file.with_name("lists.txt").write_text("[[0,-1,0,1],[1,0,0,2],[0,0,1,3],[0,0,0,1]]")
    assert run(*shlex.split(words)) == 0
    assert capsys.readouterr().out == TEXT.replace('<origin xyz="0 0 0" rpy="0 0 0"/>', origin)


@pytest.mark.parametrize(("rpy", "radians"), [("0 0 90", "0 0 1.5708"), ("0 -45 0", "0 -0.785398 0"),
                                              ("0 0 90 --degrees", None), ("0 0 1.57", None), ("0 0 6.5708", None)])
def test_degrees_without_the_option_give_a_warning(rpy, radians, file, capsys):
    assert run("--xyz", "0", "0", "0", "--json", "--rpy", *rpy.split()) == 0
    said = [d for d in json.loads(capsys.readouterr().out)["diagnostics"] if d["code"] == "I026"]
    assert [(d["severity"], d["file"], d["message"], d["hint"]) for d in said] == ([] if radians is None else [
        ("warning", "r.urdf", f"--rpy: {rpy} looks like a value in degrees",
         f"write radians: {radians}, or add --degrees")])


def test_attach_warns_of_degrees_too(file, capsys):
    file.with_name("p.urdf").write_text(robot(link("p")))
    assert main(["attach", "r.urdf", "p.urdf", "--at", "b", "--rpy", "0", "0", "90", "--no-config"]) == 0
    assert "I026 unit-mistaken: --rpy: 0 0 90 looks like a value in degrees" in capsys.readouterr().err


@pytest.mark.parametrize(("words", "problem"), [
    ([], "give the pose: --xyz with --rpy or --quat, --matrix, or --tf"),
    (["--rpy", "0", "0", "1"], "give the pose: --xyz with --rpy or --quat, --matrix, or --tf"),
    (["--xyz", "1", "nan", "0"], "'nan' is not a finite number"), (["--xyz", "1", "1e999", "0"], "'1e999' is not"),
    (["--tf", "1 2 3"], "--tf takes seven numbers"), (["--tf", "1 2 3 x 0 0 1"], "--tf takes seven numbers"),
    (["--tf", ""], "--tf takes seven numbers"), (["--tf", "1"], "--tf takes seven numbers"),
    (["--tf", "1 2 3 0 0 0 0"], "the quaternion 0 0 0 0 is no rotation"),
    (["--xyz", "0", "0", "0", "--quat", "0", "0", "0", "0"], "the quaternion 0 0 0 0 is no rotation"),
    *[([*words, "--degrees"], "--degrees is for --rpy, which is missing") for words in (
        ["--xyz", "1", "0", "0"], ["--tf", "1 2 3 0 0 0 1"], ["--xyz", "1", "0", "0", "--quat", "0", "0", "90", "0"])],
    (["--tf", "1 2 3 0 0 0 1", "--xyz", "0", "0", "0"], "leave out --xyz"),
    (["--matrix", "gone.txt"], "--matrix gone.txt: No such file"), (["--matrix", "r.urdf"], "is not a finite number")])
def test_wrong_usage(words, problem, file, capsys):
    assert run(*words) == 2
    assert problem in capsys.readouterr().err and file.read_text() == TEXT


def test_what_changed_is_said_beside_the_text(file, capsys):
    assert run("--xyz", "1", "0", "0") == 0
    said = capsys.readouterr().err
    assert "info C100 pose-placed" in said
    assert said.endswith("r.urdf: 1 change\nframes:\n  ~ b: moved 1000 mm, turned 0 deg in a (joint j)\n")


def test_a_dry_run_writes_nothing(file, capsys):
    assert run("--xyz", "1", "0", "0", "--dry-run", "--in-place") == 0
    assert capsys.readouterr().out == "r.urdf: 1 change\nframes:\n  ~ b: moved 1000 mm, turned 0 deg in a (joint j)\n"
    assert file.read_text() == TEXT


def test_nothing_changes_where_it_is_already(file, capsys):
    assert run("--xyz", "0", "0", "0", "--in-place") == 0
    assert (capsys.readouterr().out, file.read_text()) == ("r.urdf: no changes\n", TEXT)
    assert run("--xyz", "0", "0", "0", "--json") == 0
    assert json.loads(capsys.readouterr().out)["changes"] == []


def test_a_file_in_place_and_json(file, capsys):
    assert run("--xyz", "1", "0", "0", "--in-place", "--json") == 0
    row = json.loads(capsys.readouterr().out)
    wanted = TEXT.replace('xyz="0 0 0"', 'xyz="1 0 0"')
    assert file.read_text() == row["urdf"] == wanted and row["valid"]
    assert [(c["subject"], c["name"], c["what"]) for c in row["changes"]] == [("frame", "b", "pose")]


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_a_file_keeps_its_encoding(encoding, file, capsys):
    """Also where another file is written, in another folder, and where the library writes it."""
    mesh = '<visual><geometry><mesh filename="a.stl"/></geometry></visual>'
    text = f'<?xml version="1.0" encoding="{encoding}"?><!-- \xe9 -->' + TEXT.replace(
        '<link name="a"/>', link("a", inside=mesh))
    file.write_bytes(text.encode(encoding))
    file.with_name("a.stl").touch()
    file.with_name("out").mkdir()
    placed = text.replace('xyz="0 0 0"', 'xyz="1 0 0"')
    moved = file.with_name("out") / "r.urdf"
    assert run("--xyz", "1", "0", "0", "-o", "out/r.urdf") == 0
    assert moved.read_bytes() == placed.replace("a.stl", "../a.stl").encode(encoding)
    sf.load(file).save(moved)
    assert moved.read_bytes() == text.replace("a.stl", "../a.stl").encode(encoding)
    capsys.readouterr()
    assert run("--xyz", "1", "0", "0", "--in-place", "--json") == 0
    assert file.read_bytes() == placed.encode(encoding)
    assert [c["subject"] for c in json.loads(capsys.readouterr().out)["changes"]] == ["frame"]


def test_standard_input(file, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert main(["place", "-", "b", "--in", "a", "--xyz", "1", "0", "0"]) == 0
    assert capsys.readouterr().out == TEXT.replace('xyz="0 0 0"', 'xyz="1 0 0"')


def test_an_error_writes_nothing(file, capsys):
    assert run("--xyz", "1", "0", "0", "--move", "x", "-o", "out.urdf", "--json") == 1
    row = json.loads(capsys.readouterr().out)
    assert (row["urdf"], row["changes"], row["diagnostics"][-1]["code"]) == (None, None, "M002")
    assert not file.with_name("out.urdf").exists()


CAMERA = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:macro name="camera" params="name *origin">
<link name="${name}"/>
<joint name="${name}_joint" type="fixed">
<xacro:insert_block name="origin"/>
<parent link="a"/><child link="${name}"/></joint>
<joint name="${name}_lens" type="fixed"><origin xyz="0 0 0.01"/>
<parent link="${name}"/><child link="${name}_optical"/></joint><link name="${name}_optical"/>
</xacro:macro></robot>"""
USED = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:include filename="camera.xacro"/><link name="a"/>
<xacro:camera name="left"><origin xyz="0 0.1 0"/></xacro:camera>
<xacro:camera name="right">
  <origin xyz="0 ${-0.1} 0"/></xacro:camera></robot>"""


@pytest.mark.parametrize(("frame", "base", "place", "hint"), [
    ("right", "a", ("r.urdf.xacro", 5, 3), 'write <origin xyz="1 2 3" rpy="0 0 0"/> here, and expand the file again'),
    ("left_optical", "left", ("camera.xacro", 7, 41), 'write <origin xyz="1 2 3" rpy="0 0 0"/> here, and expand the '
                                                      'file again; 2 elements are made from this line')])
def test_of_a_xacro_file_the_line_is_said(frame, base, place, hint, tmp_path, monkeypatch, capsys):
    pytest.importorskip("xacro")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "camera.xacro").write_text(CAMERA)
    (tmp_path / "r.urdf.xacro").write_text(USED)
    status = main(["place", "r.urdf.xacro", frame, "--in", base, "--xyz", "1", "2", "3", "--json", "-o", "out.urdf"])
    (found,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert (found["file"], found["line"], found["column"]) == place
    assert (status, found["code"], found["hint"]) == (1, "C101", hint) and not (tmp_path / "out.urdf").exists()


def test_of_a_xacro_file_that_is_right_the_text_is_made(file, capsys):
    """The argument of xacro follows an option."""
    pytest.importorskip("xacro")
    arg = '<xacro:arg name="h" default="1" xmlns:xacro="http://www.ros.org/wiki/xacro"/>'
    file.with_name("r.urdf.xacro").write_text(robot(arg, link("a"), link("b"), joint(
        "j", "fixed", "a", "b", xyz="0 0 $(arg h)")))
    words = ["place", "r.urdf.xacro", "b", "--in", "a", "--xyz", "0", "0", "4", "--dry-run", "--no-config"]
    assert main([*words, "h:=4"]) == 0
    assert capsys.readouterr() == ("r.urdf.xacro: no changes\n", "")
    assert main(words) == 1


def test_attach(file, capsys):
    file.with_name("hand.urdf").write_text(robot(link("palm"), name="hand"))
    words = ["attach", "r.urdf", "hand.urdf", "--at", "b", "--prefix", "l_", "--tf", "0 0 -1 0 0 0 1"]
    said = "r.urdf: 2 changes\nlinks:\n  + l_palm\njoints:\n  + l_palm_joint\n"
    assert main([*words, "--dry-run", "-o", "out.urdf"]) == 0
    assert capsys.readouterr().out == said and not file.with_name("out.urdf").exists()
    assert main([*words, "-o", "out.urdf"]) == 0
    assert (capsys.readouterr().out, file.read_text()) == (said, TEXT)
    assert '<origin xyz="0 0 -1" rpy="0 0 0"/>' in file.with_name("out.urdf").read_text()


def test_attach_writes_over_no_file_that_it_reads(file, capsys):
    file.with_name("hand.urdf").write_text(robot(link("palm"), name="hand"))
    assert main(["attach", "r.urdf", "hand.urdf", "--at", "b", "-o", "hand.urdf"]) == 2
    assert "palm" in file.with_name("hand.urdf").read_text() and capsys.readouterr().out == ""
    with pytest.raises(SystemExit, match="2"):
        main(["attach", "r.urdf", "hand.urdf", "--at", "b", "--include", "--prefix", "l_"])
    with pytest.raises(SystemExit, match="2"):
        main(["attach", "-", "-", "--at", "b"])
    with pytest.raises(SystemExit, match="2"):
        main(["attach", "r.urdf", "hand.urdf", "--at", "b", "--joint", "a\x01"])
