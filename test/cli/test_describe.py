"""What 'describe' says of elements; expectations are those of SDFormat 1.12's element files."""
import json
import sys

import pytest

from sdf_frames.cli import main


def describe(capsys, *names):
    assert main(["describe", *names]) == 0
    return capsys.readouterr().out


def test_an_element_with_its_attributes_children_and_parents(capsys):
    first, *lines = describe(capsys, "link/inertial").splitlines()
    assert first == "<inertial> in <link>"
    rows = {tag: " ".join(rest) for tag, *rest in (line.split() for line in lines if line[2] in "@<")}
    assert rows["@auto"] == "bool, default false"
    assert rows["<mass>"] == "at most once; double, default 1.0" and rows["<inertia>"] == "at most once"


def test_values_bounds_and_any_content(capsys):
    assert describe(capsys, "box/size").startswith("<size> in <box>\n  value: vector3, default 1 1 1")
    assert "  and anything else" in describe(capsys, "plugin")
    assert describe(capsys).startswith("<sdf>\n") and "<world>   any number" in describe(capsys)


def test_elements_attributes_and_children_have_the_specifications_texts(capsys):
    """As inertial.sdf and sensor.sdf of SDFormat 1.12 have them; of a child's text the first sentence."""
    text = " ".join(describe(capsys, "link/inertial").split())
    assert text.startswith("<inertial> in <link> The link's mass, position of its center of mass, its central inertia "
                           "properties")
    assert "@auto bool, default false Set to true if you want automatic computation for the moments of inertia" in text
    assert ("<density> at most once; double, default 1000.0 Mass Density of the collision geometry. "
            "<auto_inertia_params>") in text
    (answer,) = map(json.loads, describe(capsys, "--json", "link/inertial/mass").splitlines())
    assert answer["description"] == "The mass of the link."
    (answer,) = map(json.loads, describe(capsys, "--json", "sensor").splitlines())
    assert answer["attributes"]["name"]["description"].startswith("A unique name for the sensor.")


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


def test_unknown_elements_are_wrong_usage(capsys):
    assert main(["describe", "hypotenuse", "link/hypotenuse", "frame"]) == 2
    said = capsys.readouterr()
    assert said.err.splitlines() == ["SDFormat has no element 'hypotenuse'",
                                     "SDFormat has no element 'link/hypotenuse'"]
    assert said.out.startswith("<frame>")


def test_names_that_were_meant(capsys):
    assert main(["describe", "model/lnk"]) == 2 and main(["explain", "frame-atached-to-cycle"]) == 2
    assert main(["explain", "Z999"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "SDFormat has no element 'model/lnk'; did you mean 'link'?",
        "unknown diagnostic 'frame-atached-to-cycle'; did you mean 'frame-attached-to-cycle'?",
        "unknown diagnostic 'Z999'; 'sdf_frames explain' lists all"]
