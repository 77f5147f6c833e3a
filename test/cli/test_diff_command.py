"""`sdf_frames diff`: text, JSON, exit statuses, and git."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from urdf_text import joint, link, robot

from sdf_frames.cli import main

ROOT = Path(__file__).resolve().parents[2]
SDF = ('<sdf version="1.9"><model name="m"><link name="l"><inertial><mass>{}</mass></inertial></link>'
       '<frame name="f"><pose>{} 0 0 0 0 0</pose></frame></model></sdf>')


@pytest.fixture
def files(tmp_path, monkeypatch):
    for name, values in (("a.sdf", (1, 0)), ("b.sdf", (2, 0.5)), ("c.sdf", (1, 0))):
        (tmp_path / name).write_text(SDF.format(*values))
    (tmp_path / "broken.sdf").write_text("<sdf")
    (tmp_path / "roots.urdf").write_text(robot(link("a", 1), link("b", 1)))
    (tmp_path / "bad.sdf").write_text(SDF.format("heavy", 0))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_differences_are_listed_by_subject(files, capsys):
    assert main(["diff", "a.sdf", "b.sdf"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "a.sdf -> b.sdf: 2 differences",
        "frames:",
        "  ~ f: moved 500 mm, turned 0 deg in __model__",
        "inertias:",
        "  ~ l: mass 1 -> 2 kg (+100 %)",
    ]


def test_no_differences(files, capsys):
    assert main(["diff", "a.sdf", "c.sdf"]) == 0
    assert capsys.readouterr().out == "a.sdf -> c.sdf: no differences\n"
    assert main(["diff", "a.sdf", "b.sdf", "--tolerance", "1"]) == 0


def test_json_is_one_object(files, capsys):
    assert main(["diff", "--json", "a.sdf", "b.sdf"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert (said["a"], said["b"], said["equal"]) == ("a.sdf", "b.sdf", False)
    assert [(c["subject"], c["name"], c["what"], c["new"]) for c in said["changes"]][1] == ("inertia", "l", "mass", 2.0)


@pytest.mark.parametrize(("name", "says"), [
    ("missing.sdf", "missing.sdf: No such file or directory"), (".", "this folder has no model.config"),
    ("broken.sdf", "broken.sdf:1"), ("roots.urdf", "error R014 robot-with-many-roots")])
def test_a_file_that_cannot_be_read_is_status_2(name, says, files, capsys):
    for words in (["a.sdf", name], [name, name], ["--json", name, name]):
        assert main(["diff", *words]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert says in said.err


def test_a_file_with_errors_is_compared(files, capsys):
    assert main(["diff", "a.sdf", "bad.sdf"]) == 1
    assert "findings:" in capsys.readouterr().out


def test_standard_input(files):
    done = subprocess.run(
        [sys.executable, "-m", "sdf_frames", "diff", "-", "c.sdf"], input=SDF.format(1, 0), cwd=files,
        env=dict(os.environ, PYTHONPATH=str(ROOT)), capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "- -> c.sdf: no differences\n")


URDF = robot(link("base", 1), link("hub"), link("arm", 1), joint("j", "continuous", "base", "hub"),
             joint("k", "fixed", "hub", "arm"))


@pytest.mark.parametrize(("options", "links"), [
    ([], {"base", "hub"}), (["--preserve-fixed-joints", "--massless", "keep"], {"base", "hub", "arm"})])
@pytest.mark.parametrize("source", ["file", "standard input"])
def test_a_urdf_counts_as_what_the_options_make_of_it(files, capsys, monkeypatch, options, links, source):
    """Against an empty model, each link of the conversion is one that was removed."""
    (files / "r.urdf").write_text(URDF)
    other = '<link name="other"><pose>9 9 9 0 0 0</pose></link>'
    (files / "empty.sdf").write_text(f'<sdf version="1.9"><model name="r">{other}</model></sdf>')
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(URDF.encode())))
    name = "r.urdf" if source == "file" else "-"
    assert main(["diff", "--json", name, "empty.sdf", *options]) == 1
    said = json.loads(capsys.readouterr().out)
    assert {c["name"] for c in said["changes"] if (c["subject"], c["what"]) == ("link", "removed")} == links
    assert said["a"] == name


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize("number", [0, 1])
def test_git_shows_differences_by_meaning(number, files):
    """The two snippets of docs/commands.md, as they stand there."""
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    snippet = re.findall(r"```sh\n# needs a clone of the repository\n(git config .*?)```", page, re.DOTALL)[number]
    program = files / "bin" / "sdf_frames"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m sdf_frames "$@"\n')
    program.chmod(0o755)
    environment = dict(
        os.environ, PATH=f"{program.parent}:{os.environ['PATH']}", HOME=str(files), GIT_CONFIG_NOSYSTEM="1",
        GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a@b", GIT_COMMITTER_NAME="a", GIT_COMMITTER_EMAIL="a@b")
    (files / "r.sdf").write_text(SDF.format(1, 0))
    script = f"git init -q . && git add r.sdf && git commit -q -m first && cp b.sdf r.sdf\n{snippet}"
    done = subprocess.run(["sh", "-e", "-c", script], cwd=files, env=environment, capture_output=True, text=True)
    assert "~ l: mass 1 -> 2 kg (+100 %)" in done.stdout, done.stdout + done.stderr


def test_page_and_picture_show_both(files, capsys):
    pytest.importorskip("viser")
    pytest.importorskip("pyvista")
    assert main(["diff", "a.sdf", "b.sdf", "--html", "out.html", "--png", "out.png"]) == 1
    said = capsys.readouterr().out
    assert said.splitlines()[0] == "a.sdf -> b.sdf: 2 differences" and "viser" not in said
    page = (files / "out.html").read_text()
    assert "~ l: mass 1 -&gt; 2 kg (+100 %)" in page and "__VISER_EMBED_DATA__" in page
    assert (files / "out.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("option", "module", "extra"), [("--png", "pyvista", "png"), ("--html", "viser", "view")])
def test_a_picture_needs_its_module(option, module, extra, files, capsys, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["diff", "a.sdf", "b.sdf", option, "out.png"]) == 2
    assert capsys.readouterr() == (
        "", f"sdf_frames diff: {module} is not installed: pip install 'sdf_frames[{extra}]'\n")


@pytest.mark.parametrize(("words", "what"), [(("/dev/null", "a.sdf"), "added"), (("a.sdf", "/dev/null"), "removed")])
@pytest.mark.skipif(os.devnull != "/dev/null", reason="no /dev/null")
def test_git_calls_the_other_one_of_a_new_file_dev_null(files, capsys, words, what):
    assert main(["diff", *words]) == 1
    assert capsys.readouterr() == (f"{words[0]} -> {words[1]}: file {what}\n", "")
    assert main(["diff", "--json", *words]) == 1
    said = json.loads(capsys.readouterr().out)
    assert [(c["subject"], c["name"], c["what"]) for c in said["changes"]] == [("description", "a.sdf", what)]


def test_arguments_of_xacro(files):
    pytest.importorskip("xacro")
    arg = '<xacro:arg name="m" default="1" xmlns:xacro="http://www.ros.org/wiki/xacro"/>'
    (files / "r.urdf.xacro").write_text(robot(arg, link("l", "$(arg m)")))
    (files / "r.urdf").write_text(robot(link("l", 3)))
    assert main(["diff", "r.urdf", "r.urdf.xacro"]) == 1
    assert main(["diff", "r.urdf", "r.urdf.xacro", "m:=3"]) == 0
@pytest.mark.parametrize("option", ["--html", "--png"])
def test_a_picture_that_cannot_be_written_is_status_2(option, files, capsys, monkeypatch):
    """Status 1 would say that the files differ."""
    pytest.importorskip("viser")
    pytest.importorskip("pyvista")
    pytest.importorskip("trimesh")
    monkeypatch.setattr("sdf_frames.view.rendering.render_picture", lambda *_: b"picture")
    monkeypatch.setattr("sdf_frames.view.page.write_html", lambda *_: "<html><body></body></html>")
    assert main(["diff", "a.sdf", "a.sdf", option, "missing/out.png"]) == 2
    said = capsys.readouterr()
    assert "no differences" in said.out and "cannot write missing/out.png: No such file or directory" in said.err


@pytest.mark.parametrize(("tolerance", "status", "colours"), [
    ("0.1", 1, ["B arm new", "B base same"]), ("0.001", 1, ["A base old", "B arm new", "B base new"])])
def test_what_page_and_picture_are_asked_for(tolerance, status, colours, files, monkeypatch):
    """A base that moved by 1 cm, and an arm that is new: both pictures show the same scenes and layers."""
    pytest.importorskip("viser")
    pytest.importorskip("pyvista")
    pytest.importorskip("trimesh")
    from sdf_frames.view.overlay import NEW, OLD, SAME
    box = '<link name="{}"><pose>{} 0 0 0 0 0</pose><visual name="v"><geometry><box/></geometry></visual></link>'
    for name, links in (("old", box.format("base", 0)), ("new", box.format("base", .01) + box.format("arm", 2))):
        (files / f"{name}.sdf").write_text(f'<sdf version="1.9"><model name="m">{links}</model></sdf>')
    asked = []
    monkeypatch.setattr("sdf_frames.view.page.write_html", lambda *words: asked.append(words) or "<body></body>")
    monkeypatch.setattr("sdf_frames.view.rendering.render_picture", lambda *words: asked.append(words) or b"picture")
    words = ["old.sdf", "new.sdf", "--tolerance", tolerance, "--html", "o.html", "--png", "o.png"]
    assert main(["diff", *words]) == status
    assert asked[0] == asked[1] and (files / "o.png").read_bytes() == b"picture"
    (scene,), layers = asked[0]
    names = {OLD: "old", NEW: "new", SAME: "same"}
    assert sorted(f"{shape.body} {names[shape.colour]}" for shape in scene.shapes) == colours
    assert set(layers) == {"visuals", "frames", "names"}
    for option, file in (("--html", "o.html"), ("--png", "o.png")):  # one without the other
        asked.clear()
        (files / file).unlink()
        assert main(["diff", "old.sdf", "old.sdf", option, file]) == 0
        assert len(asked) == 1 and (files / file).exists()
