"""The switches and sliders of a page without a server: what the script is told. test_browser.py runs it."""
import json
import re

import numpy as np
import pytest

import sdf_frames as sf

pytest.importorskip("viser")
pytest.importorskip("trimesh")

from sdf_frames.view.page import write_html  # noqa: E402
from sdf_frames.view.scene import build_scenes  # noqa: E402

ROBOT = """<sdf version="1.9"><model name="m">
  <link name="base"><visual name="v"><geometry><box/></geometry></visual></link>
  <link name="hand"><pose>0 0 2 0 0 0</pose></link><link name="arm"><pose>0 0 1 0 0 0</pose></link>
  <link name="tool"><pose>0 0 3 0 0 0</pose></link><link name="gear"><pose>1 0 0 0 0 0</pose></link>
  <joint name="slide" type="prismatic"><parent>arm</parent><child>hand</child>
    <axis><xyz>1 0 0</xyz><limit><lower>-1</lower><upper>3</upper></limit></axis></joint>
  <joint name="turn" type="revolute"><parent>base</parent><child>arm</child><axis><xyz>0 1 0</xyz></axis></joint>
  <joint name="held" type="fixed"><parent>hand</parent><child>tool</child></joint>
  <joint name="follow" type="revolute"><parent>base</parent><child>gear</child>
    <axis><xyz>0 0 1</xyz><mimic joint="turn"><multiplier>-2</multiplier><offset>.5</offset></mimic></axis></joint>
</model></sdf>"""


def read(html):
    return json.loads(re.search(r"const scenes = (.*), box = document", html)[1])


@pytest.fixture(scope="module")
def told():
    return read(write_html(build_scenes(sf.loads(ROBOT)), ["frames"], {"turn": .5}))


def test_each_layer_with_something_in_it_has_a_switch(told):
    assert [(name, on) for name, on, _ in told["layers"]] == [
        ("visuals", False), ("frames", True), ("names", False), ("tree", False), ("joints", False), ("limits", False),
        ("inertia", False)]
    assert told["layers"][0][2] == ["/0/visuals"]


def test_joints_come_after_their_parents_with_their_axes_at_zero(told):
    (scene,) = told["scenes"]
    joints = {joint["name"]: joint for joint in scene["joints"]}
    names = list(joints)
    assert set(names) == {"turn", "slide", "follow"} and names.index("turn") < names.index("slide")
    turn, slide, follow = (joints[name] for name in ("turn", "slide", "follow"))
    assert (turn["parent"], slide["parent"]) == (-1, names.index("turn"))
    assert (turn["at"], turn["axis"], turn["q"]) == ([0, 0, 1], [0, 1, 0], .5)
    assert (turn["low"], turn["high"]) == (pytest.approx(-np.pi), pytest.approx(np.pi))
    assert (slide["slides"], slide["axis"], slide["low"], slide["high"]) == (True, [1, 0, 0], -1, 3)
    assert follow["follows"] == {"of": names.index("turn"), "k": -2, "c": .5} and turn["follows"] is None


def test_links_behind_a_fixed_joint_move_along(told):
    (scene,) = told["scenes"]
    names = [joint["name"] for joint in scene["joints"]]
    (axes,) = [part for part in scene["parts"] if part["name"].startswith("/0/frames/")]
    frames = ["__model__", "base", "hand", "arm", "tool", "gear", "slide", "turn", "held", "follow"]
    of = dict(zip(frames, [names[i] if i >= 0 else None for i in axes["of"]]))
    assert of["base"] is None and of["arm"] == "turn" and of["gear"] == "follow"
    assert of["hand"] == of["tool"] == "slide"
    # At zero, wherever the page was drawn.
    assert dict(zip(frames, axes["X"]))["tool"] == [0, 0, 3, 1, 0, 0, 0]


def test_names_cannot_leave_the_script():
    robot = sf.loads(ROBOT.replace('"turn"', '"a&lt;/script&gt;"'))
    html = write_html(build_scenes(robot))
    assert "a</script>" not in html and "a</script>" in [joint["name"] for joint in read(html)["scenes"][0]["joints"]]
