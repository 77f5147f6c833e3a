"""What 'describe' says of elements; expectations are those of SDFormat 1.12's element files."""
import json
import re
import sys

import pytest

from sdf_frames.cli import main


def describe(capsys, *names):
    assert main(["describe", *names]) == 0
    return capsys.readouterr().out


def test_without_a_name_the_root_is_described(capsys):
    assert describe(capsys).startswith("<sdf>\n") and "<world>   any number" in describe(capsys)


def test_elements_attributes_and_children_have_the_specifications_texts(capsys):
    """As inertial.sdf and sensor.sdf of SDFormat 1.12 have them; of a child's text the first sentence."""
    text = " ".join(describe(capsys, "link/inertial").split())
    assert text.startswith("<inertial> in <link> The link's mass, position of its center of mass, its central inertia "
                           "properties")
    assert "@auto bool, default false Set to true if you want automatic computation for the moments of inertia" in text
    assert ("<density> at most once; double, default 1000.0 Mass Density of the collision geometry. "
            "<auto_inertia_params>") in text


@pytest.mark.parametrize("width", [40, 70, 200])
def test_texts_fit_the_terminal(width, capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("NO_COLOR", "1")
    assert max(map(len, describe(capsys, "box").splitlines())) <= min(width, 100)


def test_an_element_with_several_meanings_is_described_for_each(capsys):
    answers = [json.loads(line) for line in describe(capsys, "--json", "pose").splitlines()]
    assert len(answers) > 1 and {a["element"] for a in answers} == {"pose"}
    assert any("link" in a["in"] and a["attributes"]["degrees"]["type"] == "bool" for a in answers)
    (answer,) = map(json.loads, describe(capsys, "--json", "inertial/pose").splitlines())
    assert answer["in"] == ["inertial"]


# As capsule_shape.sdf, plugin.sdf and joint.sdf of SDFormat 1.12 have them.
CAPSULE = """<capsule> in <geometry>
  Capsule shape
  <radius>  once; double, default 0.5
            Radius of the capsule
  <length>  once; double, default 1
            Length of the cylindrical portion of the capsule along the z axis
"""
PLUGIN = """<plugin> in <actor>, <gui>, <include>, <model>, <projector>, <sensor>, <visual>, <world>
  A plugin is a dynamically loaded chunk of code. It can exist as a child of world, model, and
  sensor.
  @name      string
             A name for the plugin.
  @filename  required, string
             Name of the shared library to load. If the filename is not a full path name, the file
             will be searched for in the configuration paths.
  and anything else
"""
LOWER = """<lower> in <limit>
  value: double, default -inf
  Specifies the lower joint limit (radians for revolute joints, meters for prismatic joints). Omit
  if joint is continuous.
"""


@pytest.mark.parametrize(("element", "text"), [
    ("capsule", CAPSULE), ("geometry/capsule", CAPSULE), ("<capsule>", CAPSULE), ("/capsule/", CAPSULE),
    ("plugin", PLUGIN), ("axis/limit/lower", LOWER)])
def test_the_whole_text_of_an_element(element, text, capsys):
    assert describe(capsys, element) == text


def test_how_often_children_occur(capsys):
    """pose ?, script 1, animation and plugin *, link +; what is deprecated says so."""
    rows = dict(re.findall(r"^  (<\w+>) +([^;\n]+)", describe(capsys, "world/actor"), re.MULTILINE))
    assert rows == {"<pose>": "at most once", "<skin>": "at most once", "<animation>": "any number",
                    "<script>": "once", "<link>": "at least once", "<joint>": "any number", "<plugin>": "any number"}
    assert "\n  <thread_pitch>            deprecated; double, default 1.0\n" in describe(capsys, "model/joint")


def test_bounds_of_a_value(capsys):
    assert "\n  @tension    double, default 0.0, at least 0, at most 1\n" in describe(capsys, "trajectory")


def test_json_has_every_field(capsys):
    (answer,) = map(json.loads, describe(capsys, "--json", "trajectory").splitlines())
    tension = answer["attributes"].pop("tension")
    assert tension.pop("description").startswith("The tension of the trajectory spline")
    assert tension == {"type": "double", "default": "0.0", "required": False, "min": 0, "max": 1}
    assert answer["element"] == "trajectory" and answer["in"] == ["script"] and answer["value"] is None
    assert answer["children"] == {"waypoint": "*"} and answer["anything"] is False
    assert answer["attributes"]["id"]["required"] is True
    assert answer["attributes"]["type"]["default"] is None, "a required attribute without a default"
    (answer,) = map(json.loads, describe(capsys, "--json", "capsule/radius").splitlines())
    assert answer == {"element": "radius", "in": ["capsule"], "description": "Radius of the capsule",
                      "value": {"type": "double", "default": "0.5", "required": True, "min": None, "max": None},
                      "attributes": {}, "children": {}, "anything": False}
    (answer,) = map(json.loads, describe(capsys, "--json", "plugin").splitlines())
    assert answer["anything"] is True


def test_names_are_bold_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for name, value in (("COLUMNS", "60"), ("NO_COLOR", ""), ("TERM", "xterm")):
        monkeypatch.setenv(name, value)
    assert describe(capsys, "capsule").splitlines() == [
        "\x1b[1m<capsule>\x1b[0m in <geometry>", "  Capsule shape",
        "  \x1b[1m<radius>\x1b[0m  once; double, default 0.5", "            Radius of the capsule",
        "  \x1b[1m<length>\x1b[0m  once; double, default 1",
        "            Length of the cylindrical portion of the capsule", "            along the z axis"]


def test_several_elements_and_what_is_near(capsys):
    assert main(["describe", "capsule", "modle", "model/nothing/capsule", "capsule"]) == 2
    out, err = capsys.readouterr()
    assert out == CAPSULE * 2
    assert err == ("SDFormat has no element 'modle'; did you mean 'model'?\n"
                   "SDFormat has no element 'model/nothing/capsule'\n")
