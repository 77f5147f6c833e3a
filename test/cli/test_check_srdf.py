"""``check robot.srdf --urdf robot.urdf``, and ``--urdf`` alone, which is a flag."""

import json

import pytest
from urdf_text import link, robot

from sdf_frames.cli import main

URDF = robot(link("a", 2))
SRDF = '<robot name="r">\n<group name="g"><link name="{}"/></group>\n</robot>'
#: URDF cannot have its frame.
SDF = '<sdf version="1.9"><model name="m"><link name="a"/><frame name="f"/></model></sdf>'


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    for name, text in (("r.urdf", URDF), ("good.srdf", SRDF.format("a")), ("bad.srdf", SRDF.format("b")),
                       ("m.sdf", SDF), ("broken.urdf", "<robot"), ("srdf.xml", SRDF.format("b"))):
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(capsys, *words: str) -> tuple[int, list[tuple[str, list[str]]]]:
    """The exit status, and the codes of each file."""
    status = main(["check", "--json", *words])
    answers = map(json.loads, capsys.readouterr().out.splitlines())
    return status, [(answer["file"], [d["code"] for d in answer["diagnostics"]]) for answer in answers]


@pytest.mark.parametrize("words, status, answers", [
    (["good.srdf", "--urdf", "r.urdf"], 0, [("good.srdf", [])]),
    (["--urdf", "r.urdf", "good.srdf", "bad.srdf"], 1, [("good.srdf", []), ("bad.srdf", ["D002"])]),
    (["srdf.xml", "--urdf=r.urdf"], 1, [("srdf.xml", ["D002"])]),  # told by its root element
    (["bad.srdf"], 1, [("bad.srdf", ["D001"])]),
    (["bad.srdf", "--urdf"], 1, [("bad.srdf", ["D001"])]),
    (["good.srdf", "--urdf", "broken.urdf"], 1, [("good.srdf", ["X002"])]),
    (["good.srdf", "--urdf", "none.urdf"], 1, [("good.srdf", ["X001"])]),
    (["good.srdf", "--urdf", "m.sdf"], 1, [("good.srdf", ["D012"])]),
    # As before --urdf took a URDF:
    (["m.sdf", "--urdf"], 1, [("m.sdf", ["C071"])]), (["--urdf", "m.sdf"], 1, [("m.sdf", ["C071"])]),
    (["--urdf", "m.sdf", "r.urdf"], 1, [("m.sdf", ["C071"]), ("r.urdf", [])]),
    (["--urdf", "r.urdf", "m.sdf"], 1, [("r.urdf", []), ("m.sdf", ["C071"])])])
def test_what_the_word_behind_the_option_is(capsys, words, status, answers):
    assert check(capsys, *words) == (status, answers)


def test_a_place_in_the_srdf(capsys):
    assert main(["check", "--concise", "bad.srdf", "--urdf", "r.urdf"]) == 1
    assert "bad.srdf:2:29: error D002" in capsys.readouterr().out


def test_a_comment_suppresses_a_code(folder, capsys):
    text = (folder / "bad.srdf").read_text().replace("<group", "<!-- sdf_frames: ignore D002 --><group")
    (folder / "bad.srdf").write_text(text)
    assert check(capsys, "bad.srdf", "--urdf", "r.urdf") == (0, [("bad.srdf", [])])


def test_without_a_file_the_working_directory_is_checked(capsys):
    status, answers = check(capsys)
    assert (status, [file for file, _ in answers]) == (1, ["broken.urdf", "m.sdf", "r.urdf"])
