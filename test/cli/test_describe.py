"""What 'describe' says of elements; expectations are those of SDFormat 1.12's element files."""
import json

from sdf_frames.cli import main


def describe(capsys, *names):
    assert main(["describe", *names]) == 0
    return capsys.readouterr().out


def test_an_element_with_its_attributes_children_and_parents(capsys):
    first, *lines = describe(capsys, "link/inertial").splitlines()
    assert first == "<inertial> in <link>"
    rows = {tag: " ".join(rest) for tag, *rest in (line.split() for line in lines)}
    assert rows["@auto"] == "bool, default false"
    assert rows["<mass>"] == "at most once; double, default 1.0" and rows["<inertia>"] == "at most once"


def test_values_bounds_and_any_content(capsys):
    assert describe(capsys, "box/size").startswith("<size> in <box>\n  value: vector3, default 1 1 1")
    assert "  and anything else" in describe(capsys, "plugin")
    assert describe(capsys).startswith("<sdf>\n") and "<world>   any number" in describe(capsys)


def test_what_means_several_things_is_described_for_each(capsys):
    answers = [json.loads(line) for line in describe(capsys, "--json", "pose").splitlines()]
    assert len(answers) > 1 and {a["element"] for a in answers} == {"pose"}
    assert any("link" in a["in"] and a["attributes"]["degrees"]["type"] == "bool" for a in answers)
    (answer,) = map(json.loads, describe(capsys, "--json", "inertial/pose").splitlines())
    assert answer["in"] == ["inertial"]


def test_what_does_not_exist_is_wrong_usage(capsys):
    assert main(["describe", "hypotenuse", "link/hypotenuse", "frame"]) == 2
    said = capsys.readouterr()
    assert said.err.splitlines() == ["SDFormat has no element 'hypotenuse'", "SDFormat has no element 'link/hypotenuse'"]
    assert said.out.startswith("<frame>")


def test_names_that_were_meant(capsys):
    assert main(["describe", "model/lnk"]) == 2 and main(["explain", "frame-atached-to-cycle"]) == 2 and main(["explain", "Z999"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "SDFormat has no element 'model/lnk'; did you mean 'link'?",
        "no diagnostic is called 'frame-atached-to-cycle'; did you mean 'frame-attached-to-cycle'?",
        "no diagnostic is called 'Z999'; 'sdf_frames explain' lists them"]
