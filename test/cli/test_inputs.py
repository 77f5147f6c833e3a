"""Which files a command line names: what is found in folders, and what is left out."""
import json
import os
import sys
from argparse import ArgumentParser, Namespace

import pytest

from sdf_frames.cli import main
from sdf_frames.cli.config import ProjectSettings
from sdf_frames.cli.inputs import search, settle_inputs

FILES = ("a.urdf", "b.sdf", "c.world", "d.urdf.xacro", "e.sdf.xacro", "f.world.xacro", "part.xacro", "notes.txt",
         "g.sdf.bak", "sub/h.sdf", "sub/deep/i.urdf", ".hidden/j.sdf", ".k.sdf", "build/l.sdf", "sub/install/m.sdf",
         "log/n.sdf", "node_modules/o.sdf", "__pycache__/p.sdf", "built/q.sdf")
FOUND = ["a.urdf", "b.sdf", "c.world", "d.urdf.xacro", "e.sdf.xacro", "f.world.xacro"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("exclude", "found"), [
    ((), [*FOUND, "built/q.sdf", "sub/h.sdf", "sub/deep/i.urdf"]),
    (("sub", "built"), [*FOUND]),
    (("*.xacro", "?.sdf"), ["a.urdf", "c.world", "sub/deep/i.urdf"]),
    (("sub/h.sdf", "deep"), [*FOUND, "built/q.sdf"]),
    (("*.sdf", "*.urdf"), ["c.world", "d.urdf.xacro", "e.sdf.xacro", "f.world.xacro"])])
def test_a_folder_is_searched(folder, exclude, found):
    """Files of a folder come before those of the folders in it; hidden and built ones are not entered."""
    assert search(".", exclude, ProjectSettings()) == found
    assert search("./", exclude, ProjectSettings()) == found


def test_paths_begin_as_the_folder_is_named(folder):
    assert search("sub", (), ProjectSettings()) == ["sub/h.sdf", "sub/deep/i.urdf"]
    assert search(str(folder / "sub"), (), ProjectSettings()) == [f"{folder}/sub/h.sdf", f"{folder}/sub/deep/i.urdf"]
    assert search("build", (), ProjectSettings()) == ["build/l.sdf"]  # which is named


def test_patterns_of_the_project_lead_from_its_folder(folder, monkeypatch):
    settings = ProjectSettings(str(folder), exclude=("sub/h.sdf", "built"))
    monkeypatch.chdir(folder / "sub")
    assert search(".", (), settings) == ["deep/i.urdf"]
    assert search("..", ("*.world", "*.xacro", "?.urdf"), settings) == ["../b.sdf"]


@pytest.mark.parametrize("name", ["b.sdf", "gone.sdf", "-", "empty", "model"])
def test_what_is_no_folder_to_search_is_named_as_it_is(folder, name):
    """Files, a folder without descriptions, and that of a model."""
    (folder / "empty").mkdir()
    (folder / "model").mkdir()
    (folder / "model" / "model.config").write_text('<model><sdf version="1.9">m.sdf</sdf></model>')
    (folder / "model" / "m.sdf").write_text("")
    assert search(name, (), ProjectSettings()) == [name]


def settle(**given):
    args = Namespace(**{"no_config": False, "config": None, "resource_paths": ["x"], "files": ["b.sdf"], "exclude": [],
                        "force_exclude": False, "parser": ArgumentParser(), **given})
    settle_inputs(args)
    return args


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_folder_in_a_folder_that_cannot_be_read_is_an_error(tmp_path, monkeypatch, capsys, jobs):
    """Root may read every folder, so the system's refusal is imitated."""
    for name in ("a/m.sdf", "b/n.sdf"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>')
    monkeypatch.chdir(tmp_path)
    scan = os.scandir

    def refuse(path):
        if os.path.basename(path) == "b":
            raise PermissionError(13, "Permission denied", path)
        return scan(path)
    monkeypatch.setattr("os.scandir", refuse)
    for words, found in (((".",), {"a/m.sdf": [], "b": ["X001"]}), (("a", "b"), {"a/m.sdf": [], "b": ["X001"]}),
                         ((".", "--exclude", "b"), {"a/m.sdf": []})):
        assert main(["check", "--json", "--jobs", jobs, *words]) == ("b" in found)
        answers = map(json.loads, capsys.readouterr().out.splitlines())
        assert {answer["file"]: [d["code"] for d in answer["diagnostics"]] for answer in answers} == found


def test_settings_add_to_the_options(folder):
    pytest.importorskip("tomllib" if sys.version_info >= (3, 11) else "tomli")
    (folder / ".sdf_frames.toml").write_text('resource-path = ["models"]\nexclude = ["sub"]')
    (folder / "own.toml").write_text("")
    args = settle(files=["sub", "b.sdf", "built"])
    assert args.resource_paths == ["x", os.path.join(folder, "models")] and args.settings.exclude == ("sub",)
    assert args.files == ["sub", "b.sdf", "built/q.sdf"]  # nothing is left of the first
    assert args.searched and not settle().searched
    for other in ({"no_config": True}, {"config": "own.toml"}):
        assert settle(**other).resource_paths == ["x"] and settle(**other).settings.exclude == ()


def test_files_that_are_named_are_left_out_if_that_is_asked_for(folder):
    """As ruff: pre-commit names every file, and does not know the settings."""
    (folder / "own.toml").write_text('exclude = ["sub", "c.*"]')
    named = ["sub/h.sdf", "a.urdf", "c.world", "b.sdf"]
    assert settle(files=named, exclude=["b.*"], config="own.toml").files == named
    assert settle(files=named, exclude=["b.*"], config="own.toml", force_exclude=True).files == ["a.urdf"]


def test_commands_without_files_or_settings_are_left_alone(folder):
    args = Namespace(files=["."])
    settle_inputs(args)
    assert vars(args) == {"files": ["."]}
    args = Namespace(no_config=True, resource_paths=[])
    settle_inputs(args)
    assert args.settings == ProjectSettings() and not hasattr(args, "files")


def test_settings_that_are_wrong_are_wrong_usage(folder, capsys):
    with pytest.raises(SystemExit, match="2"):
        settle(config="gone.toml")
    assert "gone.toml: No such file or directory" in capsys.readouterr().err


def test_a_resource_path_that_is_not_there_is_told(folder, capsys):
    (folder / "b.sdf").write_text('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>')
    assert main(["check", "b.sdf", "--resource-path", "gone", "--resource-path", "sub", "--resource-path", ""]) == 0
    assert capsys.readouterr().err == "sdf_frames check: --resource-path gone: there is no such folder\n"
