"""xacro files on the command line, with arguments."""
import json
import signal
import sys

import pytest

from sdf_frames.cli import main

pytest.importorskip("xacro")

ROBOT = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="mass" default="1"/>
  <xacro:macro name="box" params="name"><link name="${name}"><inertial><mass value="$(arg mass)"/>
    <inertia ixx="${1+1}" iyy="2" izz="2" ixy="0" ixz="0" iyz="0"/></inertial></link></xacro:macro>
  <xacro:box name="base"/>
</robot>"""

#: Each command that takes a .xacro file; some end with an error for this robot.
COMMANDS_WITH_FILES = (
    "check", "convert", "simplify", "frames", "inertia", "inertia --repair", "upgrade --to 1.0", "upgrade", "uri",
    "print", "to-urdf", "graph", "reroot base", "cut --from base", "place base --in base --xyz 0 0 0",
    "attach robot.urdf --at base", "diff robot.urdf", "view --html page.html")


def test_arguments_are_given_as_name_and_value(tmp_path, capsys):
    file = tmp_path / "robot.urdf.xacro"
    file.write_text(ROBOT)
    assert main(["convert", str(file), "mass:=4.5"]) == 0
    out = capsys.readouterr().out
    assert "<mass>4.5</mass>" in out and "<ixx>2</ixx>" in out
    assert main(["check", str(file)]) == 0


@pytest.mark.parametrize("command", COMMANDS_WITH_FILES)
def test_an_argument_that_has_no_effect_is_a_warning_once(tmp_path, monkeypatch, capsys, command):
    """Also of commands that do not tell other warnings on the file. It is no finding on the robot, which changes."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "robot.urdf.xacro").write_text(ROBOT)
    (tmp_path / "robot.urdf").write_text(ROBOT.replace("$(arg mass)", "1").replace("${1+1}", "2"))
    words = command.split()
    if words[0] == "view":
        pytest.importorskip("viser")
    for file, why in (("robot.urdf.xacro", "this file declares the argument mass; did you mean 'mass'?"),
                      ("robot.urdf", "no FILE is a .xacro file")):
        main([words[0], file, *words[1:], "mas:=4.5"])
        said = "".join(capsys.readouterr())
        assert said.count("X033") == 1 and why in said


def test_an_argument_beside_a_mesh_is_a_warning(tmp_path, capsys):
    file = tmp_path / "a.obj"
    file.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
    assert main(["inertia", str(file), "mas:=4.5"]) == 0
    assert capsys.readouterr().err.count("X033") == 1


def test_an_argument_without_a_xacro_file_is_a_warning_once(tmp_path, monkeypatch, capsys):
    """Also for one file of two; an SRDF is checked against a .xacro. For `diff` a warning would be a difference."""
    monkeypatch.chdir(tmp_path)
    for name in ("a.urdf", "b.urdf", "c.urdf.xacro", "d:=e.urdf"):
        (tmp_path / name).write_text('<robot name="r"><link name="base"/></robot>')
    (tmp_path / "r.srdf").write_text('<robot name="r"/>')

    def list_codes(*words):
        main(["check", "--json", *words])
        return [[d["code"] for d in json.loads(line)["diagnostics"] if d["code"] == "X033"]
                for line in capsys.readouterr().out.splitlines()]
    assert list_codes("a.urdf", "b.urdf", "mass:=1", "x:=2") == [["X033"] * 2, []]
    assert list_codes("./d:=e.urdf", "a.urdf") == list_codes("d:=e.urdf", "a.urdf") == [[], []]
    assert list_codes("b.urdf", "c.urdf.xacro", "mass:=1") == [[], ["X033"]]  # it declares no such argument
    assert list_codes("r.srdf", "--urdf", "c.urdf.xacro", "mass:=1") == [[]]
    assert main(["diff", "a.urdf", "b.urdf", "mass:=1"]) == 0
    assert "the argument 'mass' has no effect: no FILE is a .xacro file" in capsys.readouterr().err


@pytest.mark.parametrize("command", COMMANDS_WITH_FILES)
def test_the_settings_can_leave_the_warning_out(tmp_path, monkeypatch, capsys, command):
    """But not for `diff`, whose page says that it does not read them."""
    monkeypatch.chdir(tmp_path)
    pytest.importorskip("tomllib" if sys.version_info >= (3, 11) else "tomli")
    (tmp_path / ".sdf_frames.toml").write_text('ignore = ["X033"]\n')
    (tmp_path / "robot.urdf").write_text(ROBOT.replace("$(arg mass)", "1").replace("${1+1}", "2"))
    words = command.split()
    if words[0] == "view":
        pytest.importorskip("viser")
    main([words[0], "robot.urdf", *words[1:], "mas:=4.5"])
    assert ("X033" in "".join(capsys.readouterr())) is (words[0] == "diff")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_arguments_in_the_settings_are_for_the_files_of_their_pattern(tmp_path, monkeypatch, capsys, jobs):
    """The robot cannot be read without the argument. Of two values the later counts; the command line comes last."""
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        (tmp_path / f"{name}.urdf.xacro").write_text(ROBOT.replace('<xacro:arg name="mass" default="1"/>', ""))
    pytest.importorskip("tomllib" if sys.version_info >= (3, 11) else "tomli")
    (tmp_path / ".sdf_frames.toml").write_text(
        'xacro-args = ["mass:=2"]\n[per-file."b.*"]\nxacro-args = ["mass:=3"]\n')

    def find_masses(*words):
        assert main(["inertia", "--json", "--jobs", jobs, *words]) == 0
        return [json.loads(line)["totals"][0]["mass"] for line in capsys.readouterr().out.splitlines()]
    assert find_masses("a.urdf.xacro", "b.urdf.xacro") == [2, 3]
    assert find_masses("a.urdf.xacro", "b.urdf.xacro", "mass:=4") == [4, 4]
    assert main(["check", "--no-config", "a.urdf.xacro"]) == 1


def test_a_failed_expansion_is_an_error(tmp_path, capsys):
    file = tmp_path / "robot.xacro"
    file.write_text(ROBOT.replace("${1+1}", "${nothing}"))
    assert main(["check", str(file)]) == 1
    assert "xacro-failed" in capsys.readouterr().out


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no timer that sends a signal")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_expansion_ends_at_the_limit_of_seconds(tmp_path, capsys, jobs):
    files = [tmp_path / "a.urdf.xacro", tmp_path / "b.urdf.xacro"]
    for file in files:
        file.write_text(ROBOT.replace("${1+1}", "${len([x for x in range(10**9) if x == -1])}"))
    assert main(["check", "--json", "--jobs", jobs, *map(str, files), "--limit", "seconds=0.1"]) == 1
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for answer, file in zip(answers, files, strict=True):
        (found,) = answer["diagnostics"]
        assert (found["code"], found["file"]) == ("X024", str(file)) and "the limit is 0.1" in found["message"]
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL and signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_findings_in_a_macro_of_another_file_name_that_file(tmp_path, capsys):
    head, macro, use = ROBOT.partition("<xacro:macro")[0], *ROBOT.partition("<xacro:macro")[2].split("</xacro:macro>")
    (tmp_path / "box.xacro").write_text(f'<robot xmlns:xacro="http://www.ros.org/wiki/xacro">\n<xacro:macro{macro}</xacro:macro></robot>'
                                        .replace("${1+1}", "9").replace("$(arg mass)", "1"))
    file = tmp_path / "robot.urdf.xacro"
    file.write_text(f'{head}<xacro:include filename="box.xacro"/>{use}'.replace("</robot>", '<lnk name="x"/></robot>'))
    assert main(["check", "--json", str(file)]) == 1
    found = {d["name"]: d for d in json.loads(capsys.readouterr().out)["diagnostics"]}
    assert (found["inertia-invalid"]["file"], found["inertia-invalid"]["line"]) == (str(tmp_path / "box.xacro"), 2)
    unknown = found["urdf-content-unknown"]
    line = next(i for i, text in enumerate(file.read_text().splitlines(), 1) if "<lnk" in text)
    assert (unknown["file"], unknown["line"]) == (str(file), line)
    # The report has the lines of the file itself; what another file has, has none.
    assert main(["convert", "--json", str(file)]) == 1
    rows = {(r["element"], r["name"]): r["line"] for r in json.loads(capsys.readouterr().out)["report"]}
    assert rows["link", "base"] is None
    assert main(["frames", "--json", str(file)]) == 1 and main(["inertia", "--json", str(file)]) == 1
    for answer in map(json.loads, capsys.readouterr().out.splitlines()):
        assert all(d["file"].startswith(str(tmp_path)) and d["line"] <= line for d in answer["diagnostics"])


def test_fix_leaves_a_xacro_file_alone(tmp_path, capsys):
    file = tmp_path / "m.sdf.xacro"
    text = """<sdf version="1.6" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="n" value="a"/><model name="m">
        <link name="${n}"/><joint name="a" type="fixed"><parent>world</parent><child>a</child></joint></model></sdf>"""  # noqa: E501
    file.write_text(text)
    assert main(["check", "--fix", str(file)]) == 0
    assert file.read_text() == text and "name-renamed" in capsys.readouterr().out
