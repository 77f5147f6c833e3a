"""Poses in a frame of one's choice; expectations are worked out by hand."""
import json

import pytest

from sdf_frames.cli import main

# b is turned by a half turn about z, so that in it x and y of the model are turned round.
TEXT = """<sdf version="1.9"><model name="m"><link name="a"/>
  <frame name="b" attached_to="a"><pose>1 2 3 0 0 3.141592653589793</pose></frame>
  <frame name="far" attached_to="a"><pose>1.5e308 0 0 0 0 0</pose></frame>
  <model name="n"><link name="a"><pose>-1.5e308 0 0 0 0 0</pose></link></model></model></sdf>"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "m.sdf"
    path.write_text(TEXT)
    return str(path)


def read(capsys) -> dict:
    return json.loads(capsys.readouterr().out)


def test_poses_in_another_frame(file, capsys):
    assert main(["frames", "--json", "--relative-to", "b", file]) == 0
    poses = {f["name"]: f["pose"] for f in read(capsys)["scopes"][0]["frames"]}
    assert poses["b"] == pytest.approx([0, 0, 0, 1, 0, 0, 0])
    assert poses["a"][:3] == pytest.approx([1, 2, -3])
    assert [abs(v) for v in poses["a"][3:]] == pytest.approx([0, 0, 0, 1])
    assert main(["frames", "--json", "--relative-to", "__model__", file]) == 0
    same = read(capsys)
    assert main(["frames", "--json", file]) == 0
    assert same == read(capsys)


def test_a_pose_too_large_for_a_number_is_none(file, capsys):
    main(["frames", "--json", "--relative-to", "n::a", file])
    poses = {f["name"]: f["pose"] for f in read(capsys)["scopes"][0]["frames"]}
    assert poses["far"] is None and poses["n::a"][:3] == [0, 0, 0]


def test_a_frame_that_is_not_there_is_an_error(file, capsys):
    assert main(["frames", "--json", "--relative-to", "n::b", file]) == 1
    answer = read(capsys)
    assert answer["valid"] is False and answer["scopes"] == []
    assert [(d["name"], d["hint"]) for d in answer["diagnostics"]
            if d["severity"] == "error"] == [("frame-unknown", "did you mean 'n::a'?")]
