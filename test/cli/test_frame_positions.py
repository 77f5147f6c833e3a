"""`sdf_frames frames --from A --to B --joint NAME=VALUE`: poses worked out by hand."""

from __future__ import annotations

import json
from math import pi

import pytest

from sdf_frames.cli import main

# An arm of two links of a metre each, along x, that turns about z; the second joint is a universal one.
TEXT = """<sdf version="1.9"><model name="m"><link name="base"/><link name="arm"/>
<link name="hand"><pose>1 0 0 0 0 0</pose></link>
<joint name="shoulder" type="revolute"><parent>base</parent><child>arm</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="wrist" type="universal"><parent>arm</parent><child>hand</child><axis><xyz>0 0 1</xyz></axis>
  <axis2><xyz>1 0 0</xyz></axis2></joint></model></sdf>"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    (tmp_path / "m.sdf").write_text(TEXT)
    monkeypatch.chdir(tmp_path)
    return "m.sdf"


def run(capsys, *words) -> list[str]:
    assert main(["frames", *words]) == 0
    return capsys.readouterr().out.splitlines()


QUARTER = ["--joint", f"shoulder={pi / 2!r}"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], ["m.sdf: hand in base", "  x y z        1 0 0", "  qw qx qy qz  1 0 0 0"]),
        (QUARTER, ["m.sdf: hand in base", "  x y z        0 1 0", "  qw qx qy qz  0.707107 0 0 0.707107"]),
        (
            [*QUARTER, "--rpy"],
            ["m.sdf: hand in base", "  x y z                 0 1 0", "  roll pitch yaw (rad)  0 0 1.570796"],
        ),
        (
            [*QUARTER, "--degrees"],
            ["m.sdf: hand in base", "  x y z                 0 1 0", "  roll pitch yaw (deg)  0 0 90"],
        ),
        (
            [*QUARTER, "--matrix"],
            ["m.sdf: hand in base", "  0  -1  0  0", "  1   0  0  1", "  0   0  1  0", "  0   0  0  1"],
        ),
    ],
)
def test_a_pose_in_every_form(words, expected, file, capsys):
    assert run(capsys, "--from", "base", "--to", "hand", *words, file) == expected


def test_joints_of_two_axes(file, capsys):
    said = run(capsys, "--to", "hand", "--joint", f"wrist=0,{pi / 2!r}", "--degrees", file)
    assert said[2] == "  roll pitch yaw (deg)  90 0 0"


def test_json_keeps_the_contracts_fields(file, capsys):
    (line,) = run(capsys, "--json", "--from", "base", "--to", "hand", *QUARTER, file)
    (scope,) = json.loads(line)["scopes"]
    (frame,) = scope["frames"]
    assert frame["name"] == "hand"
    assert frame["pose"] == pytest.approx([0, 1, 0, 0.5**0.5, 0, 0, 0.5**0.5])
    assert (scope["joints"], scope["left_out"]) == ([], [])


def test_the_table_moves_too(file, capsys):
    said = run(capsys, *QUARTER, "--degrees", file)
    assert said[1].endswith("roll pitch yaw (deg)")
    assert [line for line in said if line.split()[:2] == ["hand", "link"]][0].split()[-6:] == [
        "0", "1", "0", "0", "0", "90"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ["--joint", "sholder=1"],
            "X027 joint-position-refused: --joint: no movable joint 'sholder'; did you mean 'shoulder'?"),
        (
            ["--joint", "wrist=1"],
            "X027 joint-position-refused: --joint: the position of the universal joint 'wrist' has the shape ()"),
        (["--joint", "shoulder=1,2"], "X027 joint-position-refused: --joint: more values than axes: shoulder"),
        (["--to", "hnd"], "M002 frame-unknown: there is no frame 'hnd'"),
        (["--from", "bse"], "M002 frame-unknown: there is no frame 'bse'"),
    ],
)
def test_unknown_frames_and_joints_are_errors_of_the_file(words, says, file, capsys):
    assert main(["frames", *words, file]) == 1
    said = capsys.readouterr()
    assert says in said.err
    assert said.out == ""


@pytest.mark.parametrize(
    "words", [["--joint", "shoulder"], ["--joint", "shoulder=much"], ["--matrix"], ["--rpy", "--degrees"]]
)
def test_wrong_usage(words, file, capsys):
    with pytest.raises(SystemExit) as caught:
        main(["frames", *words, file])
    assert caught.value.code == 2


def test_without_joints_numpy_is_not_needed(file, capsys, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "numpy", None)
    assert run(capsys, "--from", "base", "--to", "hand", "--degrees", file)[0] == "m.sdf: hand in base"
