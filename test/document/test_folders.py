"""The search of a folder: what is found, in which order, and what is left out."""
import pytest

from sdf_frames.document.folders import search_folder

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
