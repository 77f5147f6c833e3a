"""``sdf_frames convert`` as a process-level contract, run in this process."""
import json

import pytest
from urdf_text import joint, link, robot

from sdf_frames.cli import main

GOOD = robot(link("a", 1), link("b"), joint("j", "fixed", "a", "b"))


@pytest.fixture
def files(tmp_path):
    for name, text in (("good.urdf", GOOD), ("bad.urdf", '<robot name="r"/>'),
                       ("flat.urdf", GOOD.replace('ixx="1"', 'ixx="9"')),
                       ("model.sdf", '<sdf version="1.7"><model name="m"><link name="l"/></model></sdf>')):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_output_file_and_directory(files, tmp_path, capsys):
    assert main(["convert", str(files / "good.urdf"), "-o", str(tmp_path / "out.sdf")]) == 0
    assert main(["convert", str(files / "good.urdf"), str(files / "bad.urdf"), "--output-dir",
                 str(tmp_path / "many")]) == 1
    written = (tmp_path / "out.sdf").read_text()
    assert '<frame name="j" attached_to="a">' in written and (tmp_path / "many" / "good.sdf").read_text() == written
    assert sorted(p.name for p in (tmp_path / "many").iterdir()) == ["good.sdf"]
    assert main(["convert", str(files / "good.urdf"), f"-o{tmp_path}/near.sdf"]) == 0
    assert (tmp_path / "near.sdf").read_text() == written
    assert capsys.readouterr().out == ""


def test_wrong_usage(files, capsys):
    two = [str(files / "good.urdf")] * 2
    for wrong in ([two[1], "-o", "x"], ["--massless", "guess"], ["--sdf-version", "2.0"]):
        with pytest.raises(SystemExit) as stop:
            main(["convert", two[0], *wrong])
        assert stop.value.code == 2


def test_sdf_is_refused_with_a_hint(files, capsys):
    assert main(["convert", "--json", str(files / "model.sdf")]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert [d["name"] for d in answer["diagnostics"]] == ["already-sdf"] and answer["sdf"] is None


def test_options_reach_the_conversion(files, capsys):
    assert main(["convert", "--preserve-fixed-joints", "--massless", "keep", "--sdf-version", "1.9",
                 str(files / "good.urdf")]) == 0
    out = capsys.readouterr().out
    assert '<joint type="fixed" name="j">' in out and '<sdf version="1.9">' in out


@pytest.mark.parametrize("options", [[], ["--check"]])
def test_an_impossible_inertia_is_an_error_and_the_result_is_written(options, files, capsys):
    assert main(["convert", *options, str(files / "flat.urdf")]) == 1
    out, err = capsys.readouterr()
    assert "<sdf" in out and "flat.urdf:1:" in err and err.count("inertia-invalid") == 1


TWO = robot(link("a", 1, '<collision><geometry><sphere radius="1"/></geometry></collision>'), link("b", 1),
            joint("j", "continuous", "a", "b", '<axis xyz="{}"/>'), "{}")


@pytest.mark.parametrize("axis, gazebo, name", [
    ("0 0 0", "", "joint-axis-zero"),
    ("1 0 0", '<gazebo reference="a"><sensor name="s"/></gazebo>', "attribute-missing"),
    ("1 0 0", '<gazebo reference="a"><sensor name="s" type="imu"><update_rate>x</update_rate></sensor></gazebo>',
     "value-invalid"),
    ("1 0 0", '<gazebo reference="a"><pose>1 2 3</pose></gazebo>', "value-invalid"),
    ("1 0 0", '<gazebo reference="a"><collision><surface><friction><ode><mu>x</mu></ode></friction></surface>'
              '</collision></gazebo>',
     "value-invalid"),
    ("1 0 0", '<gazebo><joint name="k" type="fixed"><parent>a</parent><child>c</child></joint></gazebo>',
     "joint-child-unknown"),
    ("1 0 0", '<gazebo><frame name="f" attached_to="c"/></gazebo>', "frame-attached-to-unknown"),
])
@pytest.mark.parametrize("options", [[], ["--check"]])
def test_values_that_readers_refuse_are_errors_and_the_result_is_written(axis, gazebo, name, options, tmp_path, capsys):
    file = tmp_path / "two.urdf"
    file.write_text(TWO.format(axis, gazebo))
    assert main(["convert", "--json", *options, str(file)]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert [d["name"] for d in answer["diagnostics"]] == [name] and answer["valid"] is False
    assert "<sdf" in answer["sdf"]


def test_sound_content_of_gazebo_gives_no_finding(tmp_path, capsys):
    file = tmp_path / "two.urdf"
    file.write_text(TWO.format("1e-4 0 0", '<gazebo reference="a"><sensor name="s" type="imu"/></gazebo>'))
    assert main(["convert", "--json", str(file)]) == 0
    assert json.loads(capsys.readouterr().out)["diagnostics"] == []


def test_missing_files_are_reported_with_check_too(files, capsys):
    mesh = '<visual><geometry><mesh filename="package://nowhere/m.stl"/></geometry></visual>'
    (files / "mesh.urdf").write_text(robot(link("a", 1, mesh)))
    for options in ([], ["--check"]):
        main(["convert", "--json", "--uri-style", "file", *options, str(files / "mesh.urdf")])
        names = [d["name"] for d in json.loads(capsys.readouterr().out)["diagnostics"]]
        assert names.count("asset-not-found") == 1, options


def test_findings_on_the_version_are_at_the_robot():
    from written_text import convert_text

    from sdf_frames.convert.urdf_to_sdf import ConvertOptions
    _, _, found = convert_text("\n" + GOOD, "r.urdf", ConvertOptions(sdf_version="1.99"))
    (finding,) = [d for d in found if d.name == "sdf-version-unknown"]
    assert (finding.file, finding.line, finding.path) == ("r.urdf", 2, '/robot[@name="r"]')
    assert "'1.99'" in finding.message and "1.7 to 1.12" in finding.hint
