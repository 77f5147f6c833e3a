"""One document of several files: what is included stands in place, and everything is where it was."""
import json

import pytest
from lxml import etree
from urdf_text import joint, link, robot

from sdf_frames.cli import main
from sdf_frames.load import LoadOptions, load_file, load_text

ARM = """<sdf version="1.9"><model name="arm" canonical_link="upper">
  <static>true</static>
  <link name="lower"><pose>0 0 0.5 0 0 0</pose><visual name="v"><pose relative_to="__model__">0 1 0 0 0 0</pose>
    <geometry><mesh><uri>meshes/a.stl</uri></mesh></geometry></visual></link>
  <link name="upper"><pose relative_to="lower">0 0 1 0 0 0.5</pose></link>
  <joint name="elbow" type="revolute"><parent>lower</parent><child>upper</child><axis><xyz expressed_in="__model__">0 0 1</xyz></axis></joint>
  <frame name="grip" attached_to="upper"><pose>0.1 0 0 0 0 0</pose></frame>
  <frame name="foot"><pose relative_to="__model__">0 0.2 0 0 0 0</pose></frame>
  <include merge="true"><uri>model://tip</uri><pose relative_to="grip">0 0 0.3 0 0.2 0</pose></include>
  <plugin name="p" filename="p.so"><uri>meshes/a.stl</uri></plugin>
</model></sdf>"""  # noqa: E501
TIP = """<sdf version="1.9"><model name="tip"><link name="tip_link"><pose>0.01 0 0 0 0 0</pose></link></model></sdf>"""
WORLD = """<sdf version="1.9"><world name="w"><frame name="shelf"><pose>0 0 2 0 0 0</pose></frame>
  <include><uri>model://arm</uri><name>one</name><pose relative_to="shelf">1 0 0 0 0 0</pose><static>false</static></include>
  <include><uri>model://arm</uri><name>two</name><placement_frame>grip</placement_frame><pose>5 0 0 0 0 1.5</pose>
    <plugin name="q" filename="q.so"/></include>
  <model name="m"><link name="base"/>
    <include merge="true"><uri>model://arm</uri><placement_frame>grip</placement_frame><pose relative_to="base">0 0 7 0.1 0 0</pose></include>
    <frame name="end" attached_to="tip_link"/></model>
  <frame name="on_two" attached_to="two::grip"/></world></sdf>"""  # noqa: E501


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("arm", ARM), ("tip", TIP)):
        (tmp_path / "models" / name / "meshes").mkdir(parents=True)
        (tmp_path / "models" / name / "meshes" / "a.stl").write_text("solid a\nendsolid a\n")
        (tmp_path / "models" / name / "model.config").write_text('<model><sdf version="1.9">model.sdf</sdf></model>')
        (tmp_path / "models" / name / "model.sdf").write_text(text)
    (tmp_path / "w.sdf").write_text(WORLD)
    return tmp_path


def run_print(capsys, *arguments):
    status = main(["print", *arguments])
    return status, capsys.readouterr().out


def rows(loaded):
    return [{f.name: (f.kind, f.link, tuple(round(v, 12) for v in f.pose)) for f in scope.frames}
            for scope in loaded.scopes]


def joints(loaded):
    return [(j.name, j.type, j.parent, j.child, [(i, tuple(round(v, 12) for v in xyz)) for i, xyz in j.axes])
            for scope in loaded.scopes for j in scope.joints]


def test_everything_is_where_it_was_without_the_other_files(folder, capsys):
    status, text = run_print(capsys, "w.sdf", "--resource-path", "models")
    assert status == 0 and "<include" not in text
    before, after = load_file("w.sdf", LoadOptions(resource_paths=("models",))), load_text(text)
    assert before.valid and after.valid
    assert rows(after) == rows(before)
    assert joints(after) == joints(before)
    # By hand: the grip of the second arm is where the include says, and that of the merged one 7 above the base.
    frames = {f.name: f.pose for f in after.scopes[0].frames}
    assert frames["two::grip"][:3] == pytest.approx((5, 0, 0)) and frames["m::grip"][:3] == pytest.approx((0, 0, 7))
    one, two = after.root.worlds[0].models[:2]
    assert (one.static, two.static) == (False, True)
    assert [p.get("name") for p in two.element.iterchildren("plugin")] == ["p", "q"]


def test_an_include_gives_its_model_a_namespace(folder, capsys):
    """As libsdformat 17 writes it."""
    world = '<sdf version="1.12"><world name="w"><include><uri>model://arm</uri>{}</include></world></sdf>'
    (folder / "w.sdf").write_text(world.format("<namespace>robots/{name}</namespace>"))
    status, text = run_print(capsys, "w.sdf", "--resource-path", "models")
    assert status == 0 and ' namespace="robots/{name}"' in text
    (folder / "w.sdf").write_text(world.format("^<namespace>{</namespace>").replace("^", "\n"))
    assert main(["check", "--json", "w.sdf", "--resource-path", "models"]) == 0
    (finding,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert (finding["code"], finding["line"], finding["column"]) == ("S025", 2, 1)


def test_includes_that_are_not_found_stay_and_the_status_is_1(folder, capsys):
    assert main(["print", "--json", "w.sdf"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["sdf"].count("<include") == 3 and {d["name"] for d in answer["diagnostics"]} >= {"uri-not-found"}
    assert main(["print", "--json", "missing.sdf"]) == 1
    assert json.loads(capsys.readouterr().out)["sdf"] is None


def test_includes_stay_on_request(folder, capsys):
    status, text = run_print(capsys, "-i", "w.sdf", "--resource-path", "models")
    assert status == 0 and text.count("<include") == 3 and 'version="1.12"' in text


def test_names_of_old_files_are_made_different(folder, capsys):
    (folder / "models" / "tip" / "model.sdf").write_text(
        '<sdf version="1.6"><model name="tip"><link name="tip_link"/><link name="b"/>'
        '<joint name="b" type="fixed"><parent>tip_link</parent><child>b</child></joint></model></sdf>')
    (folder / "o.sdf").write_text(
        '<sdf version="1.9"><world name="w"><include><uri>model://tip</uri></include></world></sdf>')
    status, text = run_print(capsys, "o.sdf", "--resource-path", "models")
    assert status == 0 and '<joint name="b_joint"' in text and load_text(text).valid


@pytest.mark.parametrize("options, pose", [
    ([], "1 2 3 1.5707 0 0.1234567"),
    (["--precision", "3"], "1 2 3 1.57 0 0.123"),
    # 1.5707 rad are 89.99448…°, 0.1234567 rad 7.07354…°
    (["--degrees", "--precision", "6"], "1 2 3 89.9945 0 7.07355"),
    (["--snap-to-degrees", "45", "--precision", "6"], "1 2 3 90 0 7.07355"),
    (["--snap-to-degrees", "1", "--snap-tolerance", "0.1"], "1 2 3 90 0 7"),
])
def test_numbers(options, pose, folder, capsys):
    (folder / "n.sdf").write_text(
        '<sdf version="1.9"><model name="0.123456"><pose>1 2 3 1.5707 0 0.1234567</pose><link name="l">'
        '<pose rotation_format="quat_xyzw">0 0 0  0 0 0.7071067811865476 0.7071067811865476</pose></link>'
        '<plugin name="p" filename="f"><pose>0.123456789 0 0 0 0 0.123456789</pose></plugin></model></sdf>')
    status, text = run_print(capsys, "n.sdf", *options)
    assert status == 0
    root = load_text(text).root.element
    assert root.findtext("model/pose") == pose and root.find("model").get("name") == "0.123456"
    assert root.findtext("model/plugin/pose") == "0.123456789 0 0 0 0 0.123456789"
    turned = root.find("model/link/pose")
    if any("degrees" in o for o in options):
        assert dict(turned.attrib) == {"degrees": "true"}
        assert [float(v) for v in turned.text.split()] == pytest.approx([0] * 5 + [90])
    else:
        assert dict(turned.attrib) == {"rotation_format": "quat_xyzw"}


def test_automatic_inertias_are_written_in_included_models_too(folder, capsys):
    """A box of 1 x 2 x 3 m with 500 kg/m³: 3000 kg, m/12 (b² + c²) about each axis."""
    (folder / "models" / "tip" / "model.sdf").write_text(
        '<sdf version="1.11"><model name="tip"><link name="l"><inertial auto="true"/><collision name="c">'
        '<density>500</density>'
        '<geometry><box><size>1 2 3</size></box></geometry></collision></link></model></sdf>')
    (folder / "o.sdf").write_text(
        '<sdf version="1.11"><world name="w"><include><uri>model://tip</uri></include></world></sdf>')
    status, text = run_print(capsys, "o.sdf", "--expand-auto-inertials", "--resource-path", "models")
    assert status == 0
    inertial = load_text(text).root.element.find("world/model/link/inertial")
    assert inertial.get("auto") is None and float(inertial.findtext("mass")) == pytest.approx(3000)
    assert [float(inertial.findtext(f"inertia/{k}")) for k in ("ixx", "iyy", "izz")] == pytest.approx(
        [3250, 2500, 1250])


@pytest.mark.parametrize("options, joints", [([], 0), (["--preserve-fixed-joints"], 1)])
def test_a_urdf_is_printed_as_it_is_converted(options, joints, folder, capsys):
    (folder / "r.urdf").write_text(robot(link("a", 1), link("b", 1), joint("weld", "fixed", "a", "b")))
    _, text = run_print(capsys, "r.urdf", *options)
    assert text.count("<joint ") == joints
    assert main(["convert", "r.urdf", *options]) == 0 and capsys.readouterr().out == text


def test_plugins_and_poses_of_includes_stay_where_params_reach_into_them(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "part.sdf").write_text(
        '<sdf version="1.12"><model name="part"><pose>9 9 9 0 0 0</pose><link name="l"/></model></sdf>')
    (tmp_path / "whole.sdf").write_text(
        '<sdf version="1.12"><model name="whole"><include><uri>part.sdf</uri><name>a</name><pose>1 2 3 0 0 0</pose>'
        '<plugin name="p" filename="f"/></include></model></sdf>')
    (tmp_path / "w.sdf").write_text(
        '<sdf version="1.12" xmlns:experimental="e"><world name="w"><include><uri>whole.sdf</uri><experimental:params>'
        '<frame element_id="a" action="add" name="new"/></experimental:params></include></world></sdf>')
    status, text = run_print(capsys, "w.sdf")
    model = etree.fromstring(text).find("world/model/model")
    assert status == 0 and sorted(c.tag for c in model) == ["frame", "link", "plugin", "pose"]
    assert model.findtext("pose") == "1 2 3 0 0 0" and model.find("plugin").get("filename") == "f"


def test_numbers_keep_their_text_without_a_style(tmp_path, capsys):
    (tmp_path / "m.sdf").write_text(
        '<sdf version="1.12"><model name="m"><link name="l"><pose>1.500 0 0 0 0 1e0</pose></link></model></sdf>')
    assert main(["print", str(tmp_path / "m.sdf")]) == 0
    assert "<pose>1.500 0 0 0 0 1e0</pose>" in capsys.readouterr().out


@pytest.mark.parametrize("options, said", [
    ("--snap-tolerance 3", "--snap-tolerance needs --snap-to-degrees N"),
    *[(f"--snap-to-degrees 2 --snap-tolerance {t}", "--snap-tolerance must be less than 2, ") for t in (2, 3)],
    ("--snap-to-degrees 0.01", "--snap-tolerance must be less than 0.01, ")])  # the default
def test_a_tolerance_that_fits_no_step_is_refused(options, said, tmp_path, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["print", *options.split(), str(tmp_path / "m.sdf")])
    assert said in capsys.readouterr().err
