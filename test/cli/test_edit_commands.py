"""The commands that change one robot: the pose in its forms, where the text goes, and what is said of the change."""
import io
import json
import re
import shlex

import pytest
from urdf_text import inertial, joint, link, robot

import sdf_frames as sf
from sdf_frames.cli import main

TEXT = robot(link("a", None, inertial(12, moments=(1, 1, 5))), link("b", 1),
             joint("j", "fixed", "a", "b", xyz="0 0 0", rpy="0 0 0"))
HAND = robot(link("palm"), name="hand")
MOUNT = """
  <joint name="l_palm_joint" type="fixed">
    <origin xyz="0 0 -1" rpy="0 0 0"/>
    <parent link="b"/>
    <child link="l_palm"/>
  </joint><link name="l_palm"></link>"""
IMPOSSIBLE = ("error: link 'a': the inertia is physically impossible: the two smaller principal moments together are "
              "less than the largest, by 3 kg·m² (1 + 1 < 5)")
#: By command: its words, the text by hand, and what is said of the change.
COMMANDS = {
    "place": ("place {} b --in a --xyz 1 0 0", TEXT.replace('xyz="0 0 0"', 'xyz="1 0 0"'),
              "r.urdf: 1 change\nframes:\n  ~ b: moved 1000 mm, turned 0 deg in a (joint j)\n"),
    "attach": ("attach {} hand.urdf --at b --prefix l_ --tf '0 0 -1 0 0 0 1'", TEXT.replace(
        "</robot>", MOUNT + "</robot>"), "r.urdf: 2 changes\nlinks:\n  + l_palm\njoints:\n  + l_palm_joint\n"),
    "reroot": ("reroot {} b", TEXT.replace(*['<parent link="{}"/><child link="{}"/>'.format(*e) for e in ("ab", "ba")]),
               "r.urdf: 3 changes\nmodels:\n  ~ __model__: canonical link a -> b\njoints:\n  ~ j: parent a -> b\n"
               "  ~ j: child b -> a\n"),
    "cut": ("cut {} --from b", robot(link("b", 1)),
            "r.urdf: 4 changes\nmodels:\n  ~ __model__: canonical link a -> b\nlinks:\n  - a\njoints:\n  - j\n"
            f"findings:\n  - I001: {IMPOSSIBLE}\n"),
    "repair": ("inertia {} --repair", TEXT.replace(*['ixx="{}" iyy="{}" izz="{}"'.format(*m) for m in ("115", "224")]),
               "r.urdf: 1 inertia repaired\nlink  value  old  new  change\na     ixx      1    2  +100 %\n"
               "      iyy      1    2  +100 %\n      izz      5    4   -20 %\n")}


def rounded(text: str) -> str:
    """The text with four digits of each number: a repaired inertia has a margin."""
    return re.sub(r"\d+\.\d{5,}", lambda number: f"{float(number[0]):.4g}", text)


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.urdf").write_text(TEXT)
    (tmp_path / "hand.urdf").write_text(HAND)
    return tmp_path / "r.urdf"


def run(*words):
    try:
        return main([*words, "--no-config"])
    except SystemExit as end:
        return end.code


def edit(command, *words, file="r.urdf"):
    return run(*shlex.split(COMMANDS[command][0].format(file)), *words)


def place_at(*words):
    return run("place", "r.urdf", "b", "--in", "a", *words)


def in_place(command):
    return "--write" if command == "repair" else "--in-place"


@pytest.mark.parametrize("command", COMMANDS)
def test_each_output_has_the_same_text(command, file, capsys, monkeypatch):
    """Standard output, from a file and from standard input; another file; JSON; the file itself.

    A dry run writes nothing; `inertia --repair` writes only where it is told to.
    """
    _, text, said = COMMANDS[command]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    for name in ("r.urdf", "-"):
        assert edit(command, "-o", "-", file=name) == 0
        out, err = capsys.readouterr()
        assert rounded(out) == text and said.replace("r.urdf", name) in err
    assert edit(command, "-o", "out.urdf") == 0
    assert (capsys.readouterr().out, rounded(file.with_name("out.urdf").read_text())) == (said, text)
    assert edit(command, "--json") == 0
    row = json.loads(capsys.readouterr().out)
    assert rounded(row["urdf"]) == text and row["valid"]
    if command == "repair":
        assert [round(row["repairs"][0][key]["inertia"]["izz"], 3) for key in ("old", "new")] == [5, 4]
    else:
        assert len(row["changes"]) == int(said.split()[1])
    assert (edit(command, "-o", "r.urdf"), file.read_text()) == (2, TEXT)
    assert edit(command, *([] if command == "repair" else ["--dry-run", "--in-place"])) == 0
    assert (capsys.readouterr().out, file.read_text()) == (said, TEXT)
    assert edit(command, in_place(command)) == 0
    assert rounded(file.read_text()) == text


def test_the_output_replaces_files_of_its_own_kind_only(file, capsys):
    """The kind is that of FILE, which may be SDFormat."""
    model = '<sdf version="1.9"><model name="m"><link name="a"/><frame name="b"/></model></sdf>'
    (file.parent / "m.sdf").write_text(model)
    (file.parent / "old.sdf").write_text(model)
    words = ["place", "m.sdf", "b", "--in", "a", "--xyz", "1", "0", "0", "-o"]
    assert run(*words, "old.sdf") == 0 and "<pose>1 0 0" in (file.parent / "old.sdf").read_text()
    assert run(*words, "r.urdf") != 0 and file.read_text() == TEXT
    assert edit("place", "-o", "old.sdf") != 0 and "<sdf" in (file.parent / "old.sdf").read_text()
    (file.parent / "plot.svg").write_text("<svg/>")
    assert run(*words, "plot.svg") == edit("place", "-o", "plot.svg") == 2  # before the file is read
    assert capsys.readouterr().err.count("would overwrite") == 4


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_a_file_keeps_its_encoding(encoding, command, file, capsys):
    """Also in another folder, where relative URIs differ, and where the library writes it."""
    mesh = '<visual><geometry><mesh filename="b.stl"/></geometry></visual>'
    old, new = [f'<?xml version="1.0" encoding="{encoding}"?><!-- \xe9 -->' + text.replace(
        link("b", 1), link("b", 1, mesh)) for text in (TEXT, COMMANDS[command][1])]
    file.write_bytes(old.encode(encoding))
    file.with_name("b.stl").touch()
    file.with_name("out").mkdir()
    assert edit(command, "-o", "out/r.urdf") == edit(command, in_place(command)) == 0
    assert capsys.readouterr().out == 2 * COMMANDS[command][2]
    assert rounded((file.with_name("out") / "r.urdf").read_bytes().decode(encoding)) == new.replace("b.stl", "../b.stl")
    assert rounded(file.read_bytes().decode(encoding)) == new
    sf.load(file).save("out/saved.urdf")
    assert rounded((file.with_name("out") / "saved.urdf").read_bytes().decode(encoding)) == new.replace(
        "b.stl", "../b.stl")


@pytest.mark.parametrize(("words", "code"), [
    ("place r.urdf b --in a --xyz 1 0 0 --move x", "M002"), ("attach r.urdf hand.urdf --at x", "M002"),
    ("reroot r.urdf x", "M002"), ("cut r.urdf --from b --to a", "C109")])
def test_an_error_writes_nothing(words, code, file, capsys):
    assert run(*words.split(), "-o", "out.urdf", "--json") == 1
    row = json.loads(capsys.readouterr().out)
    assert (row["urdf"], row["changes"]) == (None, None) and code in {d["code"] for d in row["diagnostics"]}
    assert not file.with_name("out.urdf").exists()


@pytest.mark.parametrize("words", ["reroot r.urdf bare", "cut r.urdf --from bare"])
def test_a_new_error_of_the_result_is_a_warning(words, file, capsys):
    """Gazebo loads the robot, and no robot whose root has no mass."""
    file.write_text(robot(link("a", 1), link("bare"), link("b", 1), joint("j", "continuous", "a", "bare"),
                          joint("k", "continuous", "bare", "b")))
    assert run(*words.split(), "--json") == 0
    row = json.loads(capsys.readouterr().out)
    (found,) = row["diagnostics"]
    assert (found["code"], found["severity"]) == ("C112", "warning")
    assert "before: C004, robot 'r' has no link in the SDF" in found["message"]
    assert not sf.loads(row["urdf"]).valid and row["valid"]


def test_a_result_beyond_a_limit_is_an_error(file, capsys):
    """The robot has as many elements as the limit allows; the part adds a link and a joint with an origin and ends."""
    elements = len(re.findall(r"<\w", TEXT))
    assert run(*shlex.split(f"attach r.urdf hand.urdf --at b --json --limit elements={elements}")) == 1
    said = json.loads(capsys.readouterr().out)
    assert (said["valid"], said["changes"]) == (False, None)
    assert [d["message"] for d in said["diagnostics"]] == [
        f"{elements + 5} XML elements; the limit is {elements}"]


def test_an_error_with_another_name_in_its_message_is_not_new(file, capsys):
    """No link of the robot has mass: C004 names its root link."""
    file.write_text(robot(link("a"), link("b"), joint("j", "continuous", "a", "b")))
    assert run("reroot", "r.urdf", "b", "--json") == 0
    row = json.loads(capsys.readouterr().out)
    assert row["diagnostics"] == [] and [change["name"] for change in row["changes"][-2:]] == ["C004"] * 2


@pytest.mark.parametrize("command", COMMANDS)
def test_a_xacro_file_is_expanded_and_never_replaced(command, file, capsys):
    """What place has to change is not in what it could write."""
    pytest.importorskip("xacro")
    path = file.rename(file.with_suffix(".urdf.xacro"))
    assert edit(command, in_place(command), file=path.name) == 2 and "xacro file" in capsys.readouterr().err
    assert edit(command, "-o", "out.urdf", file=path.name) == int(command == "place")
    assert path.read_text() == TEXT and file.with_name("out.urdf").exists() == (command != "place")


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
    assert place_at(*shlex.split(words)) == 0
    assert capsys.readouterr().out == TEXT.replace('<origin xyz="0 0 0" rpy="0 0 0"/>', origin)


@pytest.mark.parametrize(("rpy", "radians"), [("0 0 90", "0 0 1.5708"), ("0 -45 0", "0 -0.785398 0"),
                                              ("0 0 90 --degrees", None), ("0 0 1.57", None), ("0 0 6.5708", None)])
def test_degrees_without_the_option_give_a_warning(rpy, radians, file, capsys):
    assert place_at("--xyz", "0", "0", "0", "--json", "--rpy", *rpy.split()) == 0
    said = [d for d in json.loads(capsys.readouterr().out)["diagnostics"] if d["code"] == "I026"]
    assert [(d["severity"], d["file"], d["message"], d["hint"]) for d in said] == ([] if radians is None else [
        ("warning", "r.urdf", f"--rpy: {rpy} looks like a value in degrees",
         f"write radians: {radians}, or add --degrees")])


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
    assert place_at(*words) == 2
    assert problem in capsys.readouterr().err and file.read_text() == TEXT


def test_nothing_changes_where_it_is_already(file, capsys):
    assert place_at("--xyz", "0", "0", "0", "--in-place") == 0
    assert (capsys.readouterr().out, file.read_text()) == ("r.urdf: no changes\n", TEXT)
    assert place_at("--xyz", "0", "0", "0", "--json") == 0
    assert json.loads(capsys.readouterr().out)["changes"] == []


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
    status = run("place", "r.urdf.xacro", frame, "--in", base, "--xyz", "1", "2", "3", "--json", "-o", "out.urdf")
    (found,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert (found["file"], found["line"], found["column"]) == place
    assert (status, found["code"], found["hint"]) == (1, "C101", hint) and not (tmp_path / "out.urdf").exists()


def test_of_a_xacro_file_that_is_right_the_text_is_made(file, capsys):
    """The argument of xacro follows an option."""
    pytest.importorskip("xacro")
    arg = '<xacro:arg name="h" default="1" xmlns:xacro="http://www.ros.org/wiki/xacro"/>'
    text = TEXT.replace("<link", arg + "<link", 1).replace('xyz="0 0 0"', 'xyz="0 0 $(arg h)"')
    file.with_name("r.urdf.xacro").write_text(text)
    words = ["place", "r.urdf.xacro", "b", "--in", "a", "--xyz", "0", "0", "4", "--dry-run"]
    assert run(*words, "h:=4") == 0
    assert capsys.readouterr() == ("r.urdf.xacro: no changes\n", "")
    assert run(*words) == 1


def test_attach_writes_over_no_file_that_it_reads(file, capsys):
    words = ["attach", "r.urdf", "hand.urdf", "--at", "b"]
    for wrong in ([*words, "-o", "hand.urdf"], [*words, "--include", "--prefix", "l_"], [*words, "--joint", "a\x01"],
                  ["attach", "-", "-", "--at", "b"]):
        assert run(*wrong) == 2
    assert file.with_name("hand.urdf").read_text() == HAND and capsys.readouterr().out == ""
