"""Which files are watched: those that are named, and descriptions beside them, which they may include."""
import os

import pytest

from sdf_frames.cli import main, watching


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name in ("m.sdf", "part.sdf", "robot.urdf", "parts.xacro", "w.world", "model.config", "part.xml", "limits.yaml",
                 "poses.yml", "notes.txt"):
        (tmp_path / name).write_text("1")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def touch_then_stop(monkeypatch, name):
    """Each pause changes the file; after the second, Ctrl-C."""
    pauses = []

    def sleep(seconds):
        pauses.append(seconds)
        if len(pauses) == 2:
            raise KeyboardInterrupt
        os.utime(name, (len(pauses), len(pauses)))
    monkeypatch.setattr(watching.time, "sleep", sleep)
    return pauses


@pytest.mark.parametrize(("name", "rounds"), [
    ("m.sdf", 2), ("part.sdf", 2), ("robot.urdf", 2), ("parts.xacro", 2), ("w.world", 2), ("model.config", 2),
    ("part.xml", 2), ("limits.yaml", 2), ("poses.yml", 2), ("notes.txt", 1)])
def test_a_change_beside_a_file_is_a_change(folder, monkeypatch, capsys, name, rounds):
    done = []
    pauses = touch_then_stop(monkeypatch, name)
    assert watching.watch(["m.sdf"], lambda: done.append(1) or 7) == 7
    assert len(done) == rounds and pauses == [.5, .5]
    assert capsys.readouterr().err == "watching 9 files; Ctrl-C to stop\n" * rounds


def test_files_of_any_name_are_watched_and_their_size_too(folder, monkeypatch):
    """A change within the same tick of the clock."""
    (folder / "sub").mkdir()
    file = folder / "sub" / "robot.xml.in"
    file.write_text("1")
    os.utime(file, ns=(5, 5))
    before = watching._take_stamp(["sub/robot.xml.in", "gone/m.sdf", "m.sdf"])
    assert before["sub/robot.xml.in"][:2] == (5, 1) and "gone/m.sdf" not in before
    assert {os.path.basename(path) for path in before} >= {"robot.xml.in", "m.sdf", "part.sdf"}
    file.write_text("22")
    os.utime(file, ns=(5, 5))
    assert watching._take_stamp(["sub/robot.xml.in"])["sub/robot.xml.in"][:2] == (5, 2)


def test_watching_ends_after_the_given_rounds(folder, monkeypatch):
    monkeypatch.setattr(watching.time, "sleep", lambda seconds: (folder / "m.sdf").write_text("more"))
    done = []
    assert watching.watch(["m.sdf"], lambda: done.append(1) or len(done), rounds=1) == 1
    assert len(done) == 1


@pytest.mark.parametrize(("terminal", "wiped"), [(True, "\x1b[2J\x1b[H"), (False, "")])
def test_a_terminal_is_wiped_before_each_round(folder, monkeypatch, capsys, terminal, wiped):
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal)
    watching.watch(["m.sdf"], lambda: print("said") or 0, rounds=1)
    assert capsys.readouterr().out == f"{wiped}said\n"


def test_check_is_done_again_after_a_change(folder, monkeypatch, capsys):
    (folder / "m.sdf").write_text('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>')
    touch_then_stop(monkeypatch, "m.sdf")
    assert main(["check", "--watch", "m.sdf"]) == 0
    assert capsys.readouterr().out == "m.sdf: valid\n" * 2
