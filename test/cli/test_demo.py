"""`sdf_frames demo`: a copy of the bundled robot that stands alone, and the first commands on it."""
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sdf_frames.cli import main
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
    assert main(["demo", "--to", str(tmp_path)]) == 1
    assert "exists already: name another folder" in capsys.readouterr().err
    assert (tmp_path / "mobile_manipulator.urdf").read_text() == "mine"


@pytest.mark.skipif(sys.platform == "win32", reason="TMPDIR is of POSIX")
def test_without_a_folder_it_goes_to_a_temporary_one_that_stays(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert run_demo().returncode == 0
    (folder,) = tmp_path.iterdir()
    assert {"mobile_manipulator.urdf", "mobile_manipulator.sdf", "meshes"} == {p.name for p in folder.iterdir()}


def test_the_output_is_short_and_counts_the_lines_left_out(tmp_path):
    """The report alone has 100 lines, the tree 50."""
    lines = run_demo("--to", str(tmp_path / "robot")).stdout.splitlines()
    assert len(lines) <= 50
    left = [int(count) for count in re.findall(r"^… \((\d+) more lines\)$", "\n".join(lines), re.MULTILINE)]
    assert len(left) == 2 and sum(left) > 100
