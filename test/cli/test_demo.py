"""`sdf_frames demo`: a copy of the bundled robot that stands alone, and the first commands on it."""
import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sdf_frames.cli import demo, main
from sdf_frames.cli.demo import STEPS

TOP = Path(__file__).resolve().parents[2]
ORIGINAL = TOP / "robots" / "mobile_manipulator" / "mobile_manipulator.urdf"


def run_demo(*options):
    return subprocess.run([sys.executable, "-m", "sdf_frames", "demo", *options], cwd=TOP, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, encoding="utf-8", check=False)


def test_every_step_is_shown_as_typed_and_then_run(tmp_path):
    done = run_demo("--to", str(tmp_path / "robot"))
    assert done.returncode == 0, done.stdout
    assert [f"sdf_frames {step}" for _, step in STEPS] == re.findall(r"^\$ (sdf_frames .*)$", done.stdout, re.MULTILINE)
    assert f"$ cd {tmp_path / 'robot'}" in done.stdout
    assert "mobile_manipulator.urdf: valid" in done.stdout
    assert "base_footprint" in done.stdout and "left_wheel_joint" in done.stdout, "frames of the tree"
    assert "90 elements: 43 kept, 28 lumped, 19 moved" in done.stdout, "the counts of the report"
    assert (tmp_path / "robot" / "mobile_manipulator.sdf").read_text(encoding="utf-8").startswith("<?xml")


def test_the_copy_stands_alone(tmp_path, capsys, monkeypatch):
    """Its links are those of the original, and its mesh is found without the package around it."""
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "--to", "robot"]) == 0
    assert Path.cwd() == tmp_path
    urdf = tmp_path / "robot" / "mobile_manipulator.urdf"
    assert re.findall(r'<link name="(\w+)"', urdf.read_text()) == re.findall(r'<link name="(\w+)"',
        ORIGINAL.read_text())
    assert "The bundled robot, a mobile manipulator, is now in robot.\n" in capsys.readouterr().out
    monkeypatch.delenv("AMENT_PREFIX_PATH", raising=False)
    assert main(["check", "--assets", "--strict", str(urdf)]) == 0, capsys.readouterr().out


def test_a_copy_that_may_have_been_edited_is_kept(tmp_path, capsys):
    (tmp_path / "mobile_manipulator.urdf").write_text("mine")
    assert main(["demo", "--to", str(tmp_path)]) == 2
    assert "exists already: name another folder" in capsys.readouterr().err
    assert (tmp_path / "mobile_manipulator.urdf").read_text() == "mine"


def test_no_file_beside_the_robot_is_overwritten(tmp_path, capsys):
    mesh = tmp_path / "meshes" / "gripper_palm.obj"
    mesh.parent.mkdir()
    mesh.write_text("mine")
    assert main(["demo", "--to", str(tmp_path)]) == 2
    assert f"{mesh} exists already" in capsys.readouterr().err
    assert mesh.read_text() == "mine" and sorted(os.listdir(tmp_path)) == ["meshes"]


@pytest.mark.skipif(sys.platform == "win32", reason="TMPDIR is of POSIX")
def test_without_a_folder_it_goes_to_a_temporary_one_that_stays(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert run_demo().returncode == 0
    (folder,) = tmp_path.iterdir()
    assert {"mobile_manipulator.urdf", "mobile_manipulator.sdf", "meshes"} == {p.name for p in folder.iterdir()}


def run_with(answers, folder, monkeypatch, capsys):
    """Status and lines of the demo where each command answers with (lines on both streams, status)."""
    typed = []

    def answer(words):
        typed.append((" ".join(words), os.getcwd()))
        lines, status = answers[len(typed) - 1]
        for i in range(lines):
            print(f"line {i + 1}", file=(sys.stdout, sys.stderr)[i % 2])
        return status
    monkeypatch.setattr("sdf_frames.cli.main", answer)
    status = demo.run(argparse.Namespace(to=folder))
    said = capsys.readouterr()
    assert said.err == "" and {where for _, where in typed} == {os.path.realpath(folder)}
    return status, said.out.splitlines(), [words for words, _ in typed]


STARTED = ["The bundled robot, a mobile manipulator, is now in a robot.", "", "$ cd 'a robot'",
           "", "# Check the robot:", "$ sdf_frames check mobile_manipulator.urdf"]
CONVERT = ["", "# Write it as SDFormat, and report what happened to every element:",
           "$ sdf_frames convert mobile_manipulator.urdf -o mobile_manipulator.sdf --report"]


def test_the_whole_output(tmp_path, monkeypatch, capsys):
    """Of each command the first 15 lines, whichever stream they are for; then how many more there are, if any."""
    monkeypatch.chdir(tmp_path)
    status, lines, typed = run_with([(1, 0), (15, 0), (16, 0)], "a robot", monkeypatch, capsys)
    first = [f"line {i}" for i in range(1, 16)]
    assert lines == [
        *STARTED, "line 1", *CONVERT, *first,
        "", "# Show the tree of frames that is published to TF:", "$ sdf_frames graph mobile_manipulator.urdf",
        *first, "… (1 more lines)",
        "", "Next: edit mobile_manipulator.urdf and check it again. 'sdf_frames --help' lists all commands."]
    assert status == 0 and typed == [command for _, command in STEPS] and Path.cwd() == tmp_path


def test_a_command_that_fails_ends_it_with_all_its_lines(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    status, lines, _ = run_with([(0, 0), (17, 2)], "a robot", monkeypatch, capsys)
    assert lines == [*STARTED, *CONVERT, *[f"line {i}" for i in range(1, 18)]]
    assert status == 2 and Path.cwd() == tmp_path


@pytest.mark.parametrize(("error", "said"), [
    (PermissionError(13, "Permission denied", "there\x1b"), "there\\x1b: Permission denied"),
    (FileNotFoundError("the bundled robot is not installed"), "the bundled robot is not installed")])
def test_what_cannot_be_copied_is_said(monkeypatch, capsys, error, said):
    def fail(folder):
        raise error
    monkeypatch.setattr(demo, "copy_robot", fail)
    assert demo.run(argparse.Namespace(to="x")) == 1
    assert capsys.readouterr() == ("", f"sdf_frames demo: {said}\n")


def test_a_robot_that_is_not_installed(monkeypatch, tmp_path):
    monkeypatch.setattr(demo, "find_robot", lambda: None)
    with pytest.raises(FileNotFoundError, match="^the bundled robot is not installed: there is no folder "
                                                "package://sdf_frames/robots/mobile_manipulator$"):
        demo.copy_robot(str(tmp_path))
