"""The command line as other programs see it: JSON lines, exit statuses, streams."""

import io
import json
import sys
from types import SimpleNamespace

import pytest
from urdf_text import joint, link, robot

from sdf_frames.cli import main

GOOD = ('<sdf version="1.9"><model name="m"><link name="a"/><link name="b"><pose>0 0 1 0 0 0</pose></link>'
        '<joint name="j" type="revolute"><pose>0 0 -1 0 0 0</pose><parent>a</parent><child>b</child><axis>'
        '<xyz>0 2 0</xyz></axis></joint>'
        '<frame name="f" attached_to="j"><pose relative_to="b">1 0 0 0 0 0</pose></frame></model></sdf>')
BAD = '<sdf version="1.9"><model name="m">\n<link name="a"/>\n<frame name="f" attached_to="g"/>\n</model></sdf>'
URDF = robot(link("a", 2), link("b"), joint("j", "fixed", "a", "b"))


@pytest.fixture
def folder(tmp_path):
    for name, text in (("good.sdf", GOOD), ("bad.sdf", BAD), ("robot.xml", URDF), ("broken.urdf", "<robot")):
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def run(folder, monkeypatch, capfd):
    """Function that runs a command in the folder; its status, and what it printed."""
    def run(*arguments: str, stdin: str = "") -> SimpleNamespace:
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        try:
            status = main(list(arguments))
        except SystemExit as end:
            status = end.code
        stdout, stderr = capfd.readouterr()
        return SimpleNamespace(returncode=status, stdout=stdout, stderr=stderr)
    return run


def lines(result) -> list[dict]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize("command", ["check", "frames", "inertia", "convert"])
def test_one_bad_file_never_stops_the_others(command, run):
    files = ["missing.sdf", "bad.sdf", "broken.urdf", "robot.xml"]
    result = run(command, "--json", *files)
    assert result.returncode == 1
    objects = lines(result)
    assert [o["file"] for o in objects] == files
    assert [o["valid"] for o in objects] == [False, False, False, True]
    assert all(isinstance(o["diagnostics"], list) for o in objects)


def test_a_missing_file_at_the_end_never_stops_the_others(run):
    """Two names without --json may be an input and its output: that is wrong usage (test_answers.py)."""
    assert [o["file"] for o in lines(run("upgrade", "--json", "good.sdf", "gone.sdf"))] == ["good.sdf", "gone.sdf"]
    result = run("print", "good.sdf", "good.sdf", "gone.sdf")
    assert result.returncode == 1 and result.stdout.count("<sdf ") == 2 and "gone.sdf" in result.stderr


def test_check_json_has_the_contracts_fields(run):
    result = run("check", "--json", "bad.sdf")
    (finding,) = lines(result)[0]["diagnostics"]
    assert set(finding) == {"code", "name", "severity", "message", "file", "line", "column", "path", "hint", "related",
                            "sdformat"}
    assert (finding["line"], finding["column"], finding["severity"], finding["sdformat"]) == (
        3, 30, "error", "FRAME_ATTACHED_TO_INVALID")
    assert finding["path"] == '/sdf/model[@name="m"]/frame[@name="f"]'


def test_standard_input_is_a_file_named_by_a_dash(run):
    result = run("check", "--json", "-", stdin=GOOD)
    assert result.returncode == 0 and lines(result) == [
        {"file": "-", "valid": True, "resolved": True, "consumers": {"gazebo": True}, "diagnostics": []}]


def test_a_dash_is_standard_output(run, folder):
    result = run("convert", "-", "-o", "-", stdin=URDF)
    assert result.returncode == 0 and result.stdout == run("convert", "robot.xml").stdout
    assert not (folder / "-").exists()


def test_severities_can_be_overridden(run, folder):
    odd = folder / "odd.sdf"
    odd.write_text('<sdf version="1.9"><model name="m"><link name="a"/><colour/></model></sdf>')
    assert run("check", "odd.sdf").returncode == 0
    assert run("check", "--strict", "odd.sdf").returncode == 1
    assert run("check", "--error", "element-unknown", "odd.sdf").returncode == 1
    assert run("check", "--strict", "--ignore", "S003", "odd.sdf").returncode == 0
    assert run("check", "--error", "S999", "odd.sdf").returncode == 2


def test_upgrade_keeps_comments_and_says_when_it_cannot(run, folder):
    (folder / "old.sdf").write_text(
        '<sdf version="1.4"><!-- mine --><model name="m"><link name="l"/><other/></model></sdf>')
    result = run("upgrade", "old.sdf", "--resource-path", ".")
    assert result.returncode == 0 and "<!-- mine -->" in result.stdout and "<other/>" in result.stdout
    assert 'version="1.12"' in result.stdout
    (answer,) = lines(run("upgrade", "--json", "robot.xml"))
    assert [d["name"] for d in answer["diagnostics"]] == ["upgrade-of-urdf"]
    assert "--to 1.0" in answer["diagnostics"][0]["hint"] and "convert" in answer["diagnostics"][0]["hint"]
    assert run("upgrade", "--output-dir", "new", "old.sdf", "robot.xml").returncode == 1
    assert sorted(p.name for p in (folder / "new").iterdir()) == ["old.sdf"]


def test_upgrade_writes_another_version_of_a_urdf(run, folder):
    """The file's kind is that of the version: a URDF is written as such, with its own key in JSON."""
    assert run("upgrade", "--to", "1.1", "robot.xml", "--output-dir", "new").returncode == 0
    text = (folder / "robot.xml").read_text()
    new = text.replace('<robot name="r"', '<robot name="r" version="1.1"')
    assert (folder / "new" / "robot.urdf").read_text() == new != text
    result = run("upgrade", "--to", "1.0", "--json", "good.sdf", "robot.xml")
    sdf, urdf = lines(result)
    assert result.returncode == 1 and [d["name"] for d in sdf["diagnostics"]] == ["urdf-version-of-sdf"]
    assert list(urdf) == ["file", "valid", "urdf", "diagnostics"] and urdf["urdf"] == text
    assert run("upgrade", "--to", "1.2", "--in-place", "robot.xml").returncode == 0
    assert 'version="1.2"' in (folder / "robot.xml").read_text()


@pytest.mark.parametrize("options, status", [
    ((), 0), (("--massless", "error"), 1), (("--massless", "keep"), 0), (("--preserve-fixed-joints",), 0)])
def test_check_uses_the_options_of_conversion(options, status, tmp_path):
    """The second link of the robot has no mass."""
    path = tmp_path / "r.urdf"
    path.write_text(URDF.replace('type="fixed"', 'type="continuous"'))
    assert main(["check", *options, str(path)]) == status


UNIT = [1.0, 0.0, 0.0, 0.0]
def frame(name, kind, link, attached_to=None):
    return {"name": name, "kind": kind, "attached_to": attached_to, "relative_to": None, "link": link,
            "pose": [0.0, 0.0, 0.0, *UNIT]}
