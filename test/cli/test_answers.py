"""What commands print of files: JSON lines, findings and their lines, notes, and the exit status."""
import io
import json
import sys

import pytest

from sdf_frames.cli import main

SOUND = '<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>'
ODD = '<sdf version="1.9"><model name="m">\n<link name="l"><colour/></link></model></sdf>'
BROKEN = '<sdf version="1.9"><model name="m">\n<link name="l"/><frame name="f" attached_to="g"/></model></sdf>'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("sound", SOUND), ("odd", ODD), ("broken", BROKEN)):
        (tmp_path / f"{name}.sdf").write_text(text)
    return tmp_path


def type_in(monkeypatch, text):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


F001 = ("error F001 frame-attached-to-unknown: frame 'f' is attached to 'g', which is not in its scope\n"
        '    | <link name="l"/><frame name="f" attached_to="g"/></model></sdf>\n'
        '    at /sdf/model[@name="m"]/frame[@name="f"]\n'
        '    hint: name a frame of this scope, or define one of that name\n')


@pytest.mark.parametrize("command", [["frames"], ["graph", "--kind", "frame"], ["inertia"], ["print"]])
def test_findings_of_standard_input_quote_its_lines(folder, monkeypatch, capsys, command):
    type_in(monkeypatch, BROKEN)
    assert main([*command, "-"]) == 1
    out, err = capsys.readouterr()
    assert err == f"-:2:46: {F001}" and out


@pytest.mark.parametrize(("words", "status", "out"), [
    (["--quiet", "sound.sdf", "odd.sdf"], 0, ""),
    (["-q", "odd.sdf", "broken.sdf"], 1, f"broken.sdf:2:46: {F001}broken.sdf: invalid (1 error)\n"
                                         "2 files: 1 valid, 1 with errors; F001 x 1\n"),
    (["-q", "broken.sdf"], 1, f"broken.sdf:2:46: {F001}broken.sdf: invalid (1 error)\n"),
    (["--statistics", "sound.sdf"], 0, ""),
    (["--statistics", "odd.sdf"], 0, "1  S003  warning  element-unknown\n"),
    (["--statistics", "-q", "odd.sdf", "broken.sdf"], 1, "1  F001  error    frame-attached-to-unknown\n"
                                                         "2 files: 1 valid, 1 with errors; F001 x 1\n"),
    (["--concise", "broken.sdf"], 1, f"broken.sdf:2:46: {F001.splitlines()[0]}\nbroken.sdf: invalid (1 error)\n"),
    (["--format", "github", "sound.sdf", "broken.sdf"], 1,
     "::error file=broken.sdf,line=2,col=46,title=F001 frame-attached-to-unknown::frame 'f' is attached to 'g', "
     "which is not in its scope%0Aname a frame of this scope, or define one of that name\n"
     "2 files: 1 valid, 1 with errors; F001 x 1\n"),
    (["--format", "github", "--statistics", "broken.sdf"], 1, "1  F001  error    frame-attached-to-unknown\n"
                                                              "1 file: 1 with errors; F001 x 1\n"),
    (["--format", "github", "sound.sdf"], 0, "1 file: 1 valid\n"),
    (["--format", "github", "--quiet", "sound.sdf"], 0, "")])
def test_forms_of_check(folder, capsys, words, status, out):
    assert main(["check", *words]) == status
    assert capsys.readouterr() == (out, "")


def test_json_has_the_file_first_and_its_findings_last(folder, capsys):
    assert main(["check", "--json", "sound.sdf", "broken.sdf"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == ('{"file": "sound.sdf", "valid": true, "resolved": true, "consumers": {"gazebo": true}, '
                        '"diagnostics": []}')
    answer = json.loads(lines[1])
    assert list(answer) == ["file", "valid", "resolved", "consumers", "diagnostics"] and len(answer["diagnostics"]) == 1
    assert main(["check", "--format", "json", "sound.sdf"]) == 0
    assert capsys.readouterr().out.splitlines() == lines[:1]


def test_further_frames_without_a_pose_are_counted(folder, capsys):
    more = '<frame name="h{0}" attached_to="f"/>'
    for count, said in ((1, "; 1 more frame without pose or body"), (2, "; 2 more frames without pose or body")):
        text = BROKEN.replace("</model>", "".join(map(more.format, range(count))) + "</model>")
        (folder / "echo.sdf").write_text(text)
        assert main(["check", "-q", "echo.sdf"]) == 1
        assert capsys.readouterr().out.splitlines()[-1] == f"echo.sdf: invalid (1 error){said}"


def test_sarif_is_one_log_for_all_files(folder, capsys):
    assert main(["check", "--format", "sarif", "odd.sdf", "sound.sdf", "broken.sdf"]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    (run,) = json.loads(line)["runs"]
    assert [result["ruleId"] for result in run["results"]] == ["S003", "F001"]
    assert main(["check", "--format", "sarif", "sound.sdf"]) == 0


def test_sarif_names_files_of_the_working_directory_by_relative_paths(folder, capsys):
    (folder / "world.sdf").write_text("<sdf version='1.9'><world name='w'><include><uri>model://odd</uri></include>"
                                      "</world></sdf>")
    (folder / "models/odd").mkdir(parents=True)
    (folder / "models/odd/model.config").write_text("<model><sdf version='1.9'>model.sdf</sdf></model>")
    (folder / "models/odd/model.sdf").write_text(BROKEN)
    assert main(["check", "--format", "sarif", "--resource-path", str(folder / "models"), "world.sdf"]) == 1
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "models/odd/model.sdf"


@pytest.mark.parametrize(("words", "problem"), [
    (["check", "--json", "--format", "github", "sound.sdf"], "--json and --format github exclude each other"),
    (["check", "--write-baseline", "-", "sound.sdf"], "--write-baseline needs a file, not standard output"),
    (["check", "--fix", "-"], "--fix needs files, not standard input"),
    (["check", "--watch", "sound.sdf", "-"], "--watch needs files, not standard input"),
    (["graph", "-o", "x", "sound.sdf", "odd.sdf"], "-o takes one FILE"),
    (["graph", "--kind", "pose", "--format", "text", "sound.sdf"],
     "--format text draws the tree only; use dot or mermaid"),
    (["graph", "--format", "png", "sound.sdf"], "--format png needs -o OUT"),
    (["graph", "--json", "-o", "x.png", "sound.sdf"], "--format png needs -o OUT"),
    (["inertia", "--write", "-"], "--write needs files, not standard input"),
    (["inertia", "--compare", "part.stl"], "--compare is for robots and worlds, not for mesh files"),
    (["inertia", "--link", "a", "sound.sdf", "part.STL"], "--link is for robots and worlds, not for mesh files"),
    (["print", "sound.sdf", "out.sdf"], "out.sdf does not exist; to write it, use -o out.sdf"),
    (["to-urdf", "sound.sdf", "out.urdf"], "out.urdf does not exist; to write it, use -o out.urdf"),
    (["print", "-o", "x", "sound.sdf", "odd.sdf"], "-o takes one FILE; use --output-dir for several"),
    (["print", "-o", "", "sound.sdf"], "the name of the output is empty"),
    (["upgrade", "--output-dir", "d", "a/m.sdf", "b/n.sdf", "b/m.world"],
     "a/m.sdf and b/m.world would both be written to d/m.sdf"),
    (["upgrade", "--output-dir", "d", "a/m.sdf", "b/M.sdf"],
     "a/m.sdf and b/M.sdf would both be written to d/M.sdf, where case does not count"),
    (["view", "--html", "x"], "--png and --html need a FILE"),
    (["print", "--output-dir", "", "sound.sdf"], "the name of the output is empty"),
    (["diff", "-", "-"], "standard input (-) can be read only once"),
    *[(["simplify", option, "a", name], f"argument {option}: '{name}' is a FILE: write it before this option, which "
       "takes every word behind it as a name") for option in ("--frames", "--keep") for name in ("sound.sdf", "-")],
    (["simplify", "--frames", "a.b"], "the following arguments are required: FILE"),
    (["check", "mass:=2"], "name at least one FILE")])
def test_options_that_do_not_go_together(folder, capsys, words, problem):
    with pytest.raises(SystemExit, match="2"):
        main(words)
    assert capsys.readouterr().err.splitlines()[0] == f"sdf_frames {words[0]}: {problem}"


@pytest.mark.parametrize(("name", "output"), [("-", "stdin.sdf"), ("sound.sdf", "sound.sdf"), ("odd.sdf", "odd.sdf")])
def test_results_are_named_like_their_input(folder, monkeypatch, capsys, name, output):
    type_in(monkeypatch, SOUND)
    assert main(["print", "--output-dir", "out", name]) == 0
    assert capsys.readouterr().out == "" and [path.name for path in (folder / "out").iterdir()] == [output]
    type_in(monkeypatch, SOUND)
    assert main(["print", "-o", "-", name]) == 0
    assert capsys.readouterr().out.startswith("<?xml")


def test_closed_standard_input_is_a_finding(folder, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["check", "-"]) == 1
    assert "-: error X001 file-unreadable: cannot read -: standard input is closed" in capsys.readouterr().out


@pytest.mark.parametrize("fails", [False, True])
def test_what_is_not_written_is_not_said_to_be_there(folder, monkeypatch, capsys, fails):
    def fail(*_):
        raise RuntimeError("a defect")
    if fails:
        monkeypatch.setattr("sdf_frames.document.writing.write_whole", fail)
    assert main(["print", "--json", "--output-dir", "out", "sound.sdf"]) == int(fails)
    answer = json.loads(capsys.readouterr().out)
    assert (answer["sdf"] is None) is fails
    assert [d["code"] for d in answer["diagnostics"]] == (["X011"] if fails else [])
