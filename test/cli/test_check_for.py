"""``check --for``: one verdict for each program, and the findings as they are for it."""
import json

import pytest

from sdf_frames.cli import main

#: Its only link has no mass: SDFormat cannot hold it, urdfdom reads it.
MASSLESS = '<robot name="r"><link name="base"/></robot>'
UNKNOWN_LINK = ('<robot name="r"><link name="base"/><joint name="j" type="fixed"><parent link="base"/>'
                '<child link="tip"/></joint></robot>')
SDF = '<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>'


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("massless.urdf", MASSLESS), ("unknown.urdf", UNKNOWN_LINK), ("m.sdf", SDF)):
        (tmp_path / name).write_text(text)
    return tmp_path


def check(capsys, *words):
    """The status, and the last lines from the verdict on."""
    status = main(["check", *words])
    out = capsys.readouterr().out
    return status, out[out.rindex(f"{words[0]}: "):]


@pytest.mark.parametrize(("words", "status", "said"), [
    (["massless.urdf"], 1, "massless.urdf: invalid for Gazebo (1 error), valid for ROS: --for ros\n"),
    (["unknown.urdf"], 1, "unknown.urdf: invalid (1 error)\n"),
    (["m.sdf"], 0, "m.sdf: valid\n"),
    (["massless.urdf", "--for", "ros"], 0, "massless.urdf: valid for ROS\n"),
    (["massless.urdf", "--for", "gazebo"], 1, "massless.urdf: invalid for Gazebo (1 error)\n"),
    (["massless.urdf", "--for", "ros", "--error", "C004"], 0, "massless.urdf: valid for ROS\n"),
    (["massless.urdf", "--for", "ros,gazebo", "--ignore", "C004"], 0,
     "massless.urdf: valid for ROS, Gazebo; 1 of 1 link is not in the SDF\n"),
    (["m.sdf", "--for", "ros", "--concise"], 1, "m.sdf: invalid for ROS (1 error)\n")])
def test_verdicts(capsys, words, status, said):
    ended, out = check(capsys, *words)
    assert (ended, out.split("|")[0]) == (status, said)


def test_the_table_of_several(capsys):
    status, out = check(capsys, "massless.urdf", "--for", "ros", "--for", "gazebo")
    first, *rows = out.splitlines()
    assert (status, first) == (1, "massless.urdf: valid for ROS; invalid for Gazebo (1 error)")
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    assert cells[0] == ["", "ros", "gazebo"] and cells[2][0] == "version" and all(cells[2])
    assert cells[3:] == [["verdict", "valid", "invalid"], ["C004 robot-without-mass", "", "error"]]
    assert len({len(row) for row in rows}) == 1
    assert "|" not in check(capsys, "massless.urdf", "--for", "all", "--concise")[1]


@pytest.mark.parametrize(("words", "valid", "consumers"), [
    (["massless.urdf"], False, {"gazebo": False, "ros": True}),
    (["massless.urdf", "--for", "urdfdom"], True, {"gazebo": False, "ros": True, "urdfdom": True}),
    (["massless.urdf", "--for", "urdfdom,gazebo"], False, {"gazebo": False, "ros": True, "urdfdom": True}),
    (["unknown.urdf"], False, {"gazebo": False, "ros": False}),
    (["m.sdf"], True, {"gazebo": True}),
    (["m.sdf", "--for", "mujoco"], False, {"gazebo": True, "mujoco": False})])
def test_json(capsys, words, valid, consumers):
    assert main(["check", "--json", *words]) == (not valid)
    answer = json.loads(capsys.readouterr().out)
    assert (answer["valid"], answer["consumers"]) == (valid, consumers)


def test_settings_name_programs_and_the_option_overrides_them(capsys, folder):
    (folder / ".sdf_frames.toml").write_text('for = ["ros", "urdfdom"]')
    assert check(capsys, "massless.urdf", "--concise") == (0, "massless.urdf: valid for ROS, urdfdom\n")
    assert check(capsys, "massless.urdf", "--for", "gazebo")[0] == 1
    (folder / ".sdf_frames.toml").write_text('for = ["rso"]')
    with pytest.raises(SystemExit, match="2"):
        main(["check", "massless.urdf"])
    assert "for: unknown program 'rso'; did you mean 'ros'?" in capsys.readouterr().err


def test_sarif_baseline_and_strict(capsys, folder):
    assert main(["check", "m.sdf", "--for", "ros", "--format", "sarif"]) == 1
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("L001", "error")
    (folder / "warned.urdf").write_text(MASSLESS.replace("<link", "<lnik/><link"))  # R029 concerns all, C004 Gazebo
    assert check(capsys, "warned.urdf", "--for", "ros") == (0, "warned.urdf: valid for ROS (1 warning)\n")
    assert check(capsys, "warned.urdf", "--for", "ros", "--strict")[0] == 1
    assert main(["check", "warned.urdf", "--for", "ros", "--write-baseline", "known.json"]) == 0
    assert check(capsys, "warned.urdf", "--for", "ros", "--strict", "--baseline", "known.json")[0] == 0
    assert check(capsys, "warned.urdf", "--baseline", "known.json") == (
        1, "warned.urdf: invalid for Gazebo (1 error), valid for ROS: --for ros\n")


def test_explain_tells_what_a_code_is_for_each_program(capsys):
    assert main(["explain", "C004"]) == 0
    assert "error for Gazebo, nothing for ROS, nothing for Drake" in " ".join(capsys.readouterr().out.split())
    assert main(["explain", "R009", "T003"]) == 0
    assert "'check --for'" not in capsys.readouterr().out
