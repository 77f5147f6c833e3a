"""The search of a folder: what is found, in which order, and what is left out."""
import os

import pytest

from sdf_frames.document.folders import list_files, search_folder

FILES = ("b.sdf", "a.urdf", "notes.txt", "z/c.sdf", "m/d.sdf", "m/deep/e.sdf", ".hidden/f.sdf", "build/g.sdf",
         "m/install/h.sdf", "m/._d.sdf", "log/i.sdf", "node_modules/j.sdf", "__pycache__/k.sdf", "logs/l.sdf")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "link").symlink_to("z")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def search(folder, *suffixes):
    return list(search_folder(folder, suffixes, lambda path: False))


@pytest.mark.parametrize("name", [".", "./"])
def test_hidden_folders_builds_and_links_are_left_out(name):
    assert search(name, ".sdf", ".urdf") == ["a.urdf", "b.sdf", "logs/l.sdf", "m/d.sdf", "m/deep/e.sdf", "z/c.sdf"]
    assert search(name, ".urdf") == ["a.urdf"]


@pytest.mark.parametrize("name", ["build", ".hidden", "m/install", "link"])
def test_a_folder_that_is_named_is_searched(name, folder):
    assert len(search(name, ".sdf")) == len(search(str(folder / name), ".sdf")) == 1


def test_what_the_caller_skips_is_not_entered():
    asked = set()

    def skip(path):
        asked.add(path)
        return path in ("m", "b.sdf")
    assert list(search_folder(".", (".sdf",), skip)) == ["logs/l.sdf", "z/c.sdf"]
    assert asked == {"link", "logs", "m", "z", "b.sdf", "logs/l.sdf", "z/c.sdf"}


def test_a_folder_that_cannot_be_read_is_found_itself(folder, monkeypatch):
    """Nobody knows what is in it. Root may read every folder, so the system's refusal is imitated."""
    scan = os.scandir

    def refuse(path):
        if os.path.abspath(path) in (str(folder / "m/deep"), str(folder / "build")):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)
    monkeypatch.setattr("os.scandir", refuse)
    assert search(".", ".sdf") == ["b.sdf", "logs/l.sdf", "m/d.sdf", "z/c.sdf", "m/deep"]  # build is skipped
    assert search("m/deep", ".sdf") == ["m/deep"]
    assert list(search_folder(".", (".sdf",), lambda path: path == "m")) == ["b.sdf", "logs/l.sdf", "z/c.sdf"]
    assert {*FILES, "link"} - {*list_files(".")} == {"m/deep/e.sdf", "build/g.sdf"}
    assert {"m/deep", "build"} < {*list_files(".")}
