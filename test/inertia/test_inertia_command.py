"""The command `inertia`: JSON as the contract has it, the table, exit statuses."""
import json

import pytest
from inertia_snippets import MODELS
from urdf_text import inertial, joint, link, robot

from sdf_frames.cli import main

SIX = str(MODELS / "six_shapes.sdf")


def save(folder, inside):
    """The name of a file that holds one link."""
    path = folder / "m.sdf"
    path.write_text(f'<sdf version="1.12"><model name="m"><link name="l">{inside}</link></model></sdf>')
    return str(path)


def test_json_is_the_contract(capsys):
    assert main(["inertia", "--json", SIX, str(MODELS / "other_frame.sdf")]) == 0
    first, second = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert set(first) == {"file", "valid", "links", "totals", "diagnostics"} and first["valid"] and first["file"] == SIX
    (link,) = first["links"]
    assert set(link) == {"name", "mass", "pose", "inertia", "auto", "method", "physical", "collisions"}
    assert link["name"] == "l" and link["mass"] == 5 and link["auto"] and link["method"] == "exact" and link["physical"]
    assert len(link["pose"]) == 7 and set(link["inertia"]) == {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"}
    assert {(c["geometry"], c["density"]) for c in link["collisions"]} == {
        ("box", 500), ("cone", 100), ("capsule", 500), ("ellipsoid", 500), ("sphere", 500), ("cylinder", 500)}
    assert [x["name"] for x in second["links"]] == ["outer::base", "outer::inner::a", "outer::inner::b"]
    assert "collisions" not in second["links"][0] and second["links"][0]["method"] == "default"


def test_errors_give_status_1_and_the_other_files_their_answer(tmp_path, capsys):
    bad = save(tmp_path, "<inertial><mass>-1</mass></inertial>")
    assert main(["inertia", "--json", bad, str(tmp_path / "missing.sdf"), SIX]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [r["valid"] for r in rows] == [False, False, True]
    # Loading and computing find it both; it is said once.
    assert [d["name"] for d in rows[0]["diagnostics"]].count("inertia-invalid") == 1
    assert rows[0]["links"][0]["physical"] is False and rows[1]["links"] == []


def test_one_of_two_links_with_the_same_name_may_have_no_inertial(tmp_path, capsys):
    file = tmp_path / "twice.sdf"
    file.write_text(
        '<sdf version="1.6"><model name="m"><link name="l"/><link name="l"><inertial><mass>2</mass></inertial></link>'
        '</model></sdf>')
    assert main(["inertia", "--json", str(file), SIX]) == 1
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert [d["name"] for d in first["diagnostics"] if d["severity"] == "error"] == ["name-duplicate"]
    assert second["valid"]


def test_compare_shows_both(capsys, tmp_path):
    box = '<collision name="c"><geometry><box><size>1 2 3</size></box></geometry></collision>'
    path = save(tmp_path, f"<inertial><mass>3</mass></inertial>{box}")
    assert main(["inertia", "--compare", "--json", path]) == 0
    assert json.loads(capsys.readouterr().out)["computed"][0]["inertia"]["ixx"] == pytest.approx(3.25)
    # Recomputed, the declared inertia is the one beside it.
    assert main(["inertia", "--compare", "--recompute", "--json", path]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [answer[key][0]["inertia"]["ixx"] for key in ("links", "computed", "declared")] == pytest.approx(
        [3.25, 3.25, 1])


@pytest.mark.parametrize("arguments", [["--density", "-1"], ["--voxel-size", "zero"], ["--method", "guess"], []])
def test_wrong_usage_is_status_2(arguments, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["inertia", *arguments, *([SIX] if arguments else [])])
    assert stop.value.code == 2


def test_link_option(capsys):
    assert main(["inertia", "--json", "--link", "outer::base", str(MODELS / "other_frame.sdf")]) == 0
    assert len(json.loads(capsys.readouterr().out)["links"]) == 1
    assert main(["inertia", "--link", "nobody", SIX]) == 1
    assert "no link 'nobody'" in capsys.readouterr().err


def test_the_scale_of_a_mesh_file_is_refused_for_a_robot(tmp_path, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["inertia", "--scale", "0.001", save(tmp_path, "")])
    assert "--scale is for mesh files" in capsys.readouterr().err


def test_a_mass_that_nobody_wrote_is_assumed_and_is_no_reason_to_check_units(tmp_path, capsys):
    """Of a box of 10 µm with 1e-6 kg and moments of 1e-9 kg·m², the moments do not fit the geometry."""
    tip = '<link name="tip"><collision><geometry><box size="1e-5 1e-5 1e-5"/></geometry></collision></link>'
    (tmp_path / "r.urdf").write_text(robot(link("base", None, inertial(2, moments=(1, 2, 2))), tip,
                                           joint("j", "continuous", "base", "tip")))
    assert main(["inertia", "--json", "--massless", "keep", str(tmp_path / "r.urdf")]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert {link["name"]: link["method"] for link in answer["links"]} == {"base": "declared", "tip": "assumed"}
    assert [d["name"] for d in answer["diagnostics"]] == ["massless-link-kept"]
