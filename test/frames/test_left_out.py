"""Frames that TF has and the SDF has not: the same names for `frames` and for lookups. Poses are worked out by hand."""
import json

import pytest
from urdf_text import inertial, joint

from sdf_frames.cli import main
from sdf_frames.frames.resolve import FrameRow
from sdf_frames.load import load_text

MASS = inertial()


# wire hangs, massless, on a moving joint; pad is fixed to it and plug turns on it, so all three are left out of the
# SDF.
TEXT = (f'<robot name="r"><link name="base">{MASS}</link><link name="wire"/><link name="pad"/><link name="plug">'
        f'{MASS}</link>'
        + joint("sway", "continuous", "base", "wire", xyz="1 0 0") + joint("glue", "fixed", "wire", "pad", xyz="0 1 0")
        + joint("twist", "continuous", "pad", "plug", xyz="0 0 1") + "</robot>")
EXPECTED = [FrameRow("wire", "link", None, None, "wire", (1, 0, 0, 1, 0, 0, 0)),
            FrameRow("sway", "joint", "wire", None, "wire", (1, 0, 0, 1, 0, 0, 0)),
            FrameRow("pad", "link", None, None, "wire", (1, 1, 0, 1, 0, 0, 0)),
            FrameRow("glue", "joint", "pad", None, "wire", (1, 1, 0, 1, 0, 0, 0)),
            FrameRow("plug", "link", None, None, "plug", (1, 1, 1, 1, 0, 0, 0)),
            FrameRow("twist", "joint", "plug", None, "plug", (1, 1, 1, 1, 0, 0, 0))]


def test_a_massless_subtree_is_listed_with_bodies_and_poses():
    loaded = load_text(TEXT)
    (scope,) = loaded.scopes
    assert [f.name for f in scope.frames] == ["__model__", "base"]
    assert sorted(scope.left_out, key=lambda f: f.name) == sorted(EXPECTED, key=lambda f: f.name)
    assert loaded.valid and loaded.resolved and loaded.convertible


def test_the_world_that_a_robot_is_fixed_to_is_a_frame():
    text = (f'<robot name="r"><link name="world"/><link name="base">{MASS}</link>' + joint("weld", "fixed", "world",
        "base", "0 0 1")
            + "</robot>")
    loaded = load_text(text)
    assert loaded.scopes[0].left_out == (FrameRow("world", "world", None, None, "world", (0, 0, 0, 1, 0, 0, 0)),)
    assert "world" in {t.parent for t in loaded.static_transforms()[0]}


def test_a_dropped_frame_whose_place_is_no_number_is_in_neither():
    loaded = load_text(TEXT.replace("1 0 0", "1e308 0 0").replace("0 1 0", "1.7e308 0 0"))
    transforms = loaded.static_transforms()[0]
    assert {f.name for f in loaded.scopes[0].left_out} == {"wire", "sway"} == {t.child for t in transforms} - {"r"}


def test_places_are_looked_up_for_those_who_ask(monkeypatch):
    loaded = load_text(TEXT)
    places = {t.child: t.place.line for t in loaded.static_transforms(places=True)[0]}
    monkeypatch.setattr("sdf_frames.frames.tf_tree.locate", None)
    assert load_text(TEXT).scopes[0].left_out == loaded.scopes[0].left_out
    assert set(places.values()) == {1} and {t.place.line for t in loaded.static_transforms()[0]} == {None}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "r.urdf"
    path.write_text(TEXT)
    return str(path)


def test_a_misspelt_one_is_guessed(file, capsys):
    assert main(["frames", "--json", "--relative-to", "plugg", file]) == 1
    (finding,) = [d for d in json.loads(capsys.readouterr().out)["diagnostics"] if d["severity"] == "error"]
    assert finding["hint"] == "did you mean 'plug'?"


def test_sensors_are_not_left_out():
    """TF has them only if it is asked to."""
    loaded = load_text('<sdf version="1.9"><model name="m"><link name="l"><sensor name="s" type="imu"/></link>'
                       '<joint name="j" type="fixed"><parent>world</parent><child>l</child></joint></model></sdf>')
    assert [row.name for row in loaded.scopes[0].left_out] == ["world"]
