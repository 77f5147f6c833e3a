"""What programs make of a robot: each feature is found where it is, and is told once for all that do alike."""
import json
import sys
from pathlib import Path

import pytest
from urdf_text import joint, link, robot

sys.path.insert(0, str(Path(__file__).parents[1] / "peers"))
from behaviours.cases import CASES, FILES  # noqa: E402

from sdf_frames.checks.becomes import EFFECTS, SAME, features_of, find_becomes, list_rows, read_rows  # noqa: E402
from sdf_frames.checks.programs import CONSUMERS  # noqa: E402
from sdf_frames.document.elements import locate
from sdf_frames.load import load_file, load_text  # noqa: E402

X = '<axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'
MIMICS = robot(link("base", 1), *[part for name, leader in (("b", "a"), ("c", "a"), ("a", "")) for part in (
    link(name, 1), joint(f"j{name}", "prismatic", "base", name, X + (leader and f'<mimic joint="j{leader}"/>')))])


def becomes(text, *programs):
    return [(one.feature.name, one.program, one.row.effect) for one in load_text(text).find_becomes(programs)]


def test_the_table_is_whole():
    rows = read_rows()
    assert len(rows) >= 400 and len({row.program for row in rows}) >= 18
    assert len({(row.feature, row.kind, row.program, row.until) for row in rows}) == len(rows)
    assert {row.effect for row in rows} <= {SAME, *EFFECTS}
    assert [row for row in rows if row.program not in CONSUMERS or row.feature not in CASES[row.kind]] == []
    assert [row for row in rows if row.effect != SAME and row.feature not in features_of(row.kind)] == []
    assert [row for row in rows if bool(row.sentence) == (row.effect == SAME)] == []


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in CASES for name in features_of(kind)])
def test_each_feature_is_found_in_its_robot(kind, name, tmp_path):
    """The robot is the one that the programs were asked about; the plain ones have few features."""
    (tmp_path / "r.txt").write_text(CASES[kind][name].text)
    loaded, find = load_file(tmp_path / "r.txt"), features_of(kind)[name].find
    found = [*find(loaded.robot or loaded.refused or loaded.root, loaded.resolver)]
    assert found and all(element is not None for element, _ in found)
    for element, fields in found:
        assert features_of(kind)[name].says.format(**fields) and locate(element).line == 1
    plain = load_text(CASES[kind]["limits" if kind == "urdf" else "link-without-inertial"].text)
    assert bool([*find(plain.robot or plain.root, plain.resolver)]) == (
        f"{kind} {name}" in ("urdf limits", "urdf effort-and-velocity", "urdf root-with-mass", "urdf inertia",
                             "sdf version-1.6"))


def test_a_feature_is_told_once_for_all_programs_that_do_alike():
    said = load_text(MIMICS).judge(["pybullet", "kinpy", "yourdfpy"])
    (finding,) = [d for d in said if d.code == "L053"]
    assert (finding.name, finding.severity) == ("program-loses", "warning")
    assert finding.message == ("joint 'jb' mimics 'ja' (2 times, here first); in PyBullet, kinpy: the mimic is "
                               "ignored, and both joints move freely")
    assert finding.path == '/robot[@name="r"]/joint[@name="jb"]/mimic'


def test_numbers_are_those_of_the_robot():
    oblique = X.replace("1 0 0", "0 3 4")
    text = robot(link("base", 1), link("tip", 1), joint("j", "prismatic", "base", "tip", oblique))
    (one,) = load_text(text).find_becomes(["yourdfpy"])
    assert one.message == "joint 'j' has an axis of length 5; a position of 1 moves it by 5 m"


def test_an_inertia_that_turning_does_not_change_is_the_same_everywhere():
    """A turn by half a turn about z leaves a diagonal tensor as it is; one of 0.5 rad does not."""
    text = CASES["urdf"]["inertial-origin-rotated"].text
    assert ("inertial-origin-rotated", "klampt", "changed") in becomes(text, "klampt")
    assert "inertial-origin-rotated" not in [
        name for name, *_ in becomes(text.replace("0 0 0.5", "0 0 3.141592653589793"), "klampt")]


def test_an_older_version_is_asked_for_by_its_number():
    assert ("mimic", "mujoco@3.3", "lost") in becomes(MIMICS, "mujoco@3.3")
    assert "mimic" not in {feature for feature, *_ in becomes(MIMICS, "mujoco")}
    old, new = ({row.feature for row in list_rows(key, "urdf")} for key in ("mujoco@3.13", "mujoco"))
    assert old - new == {"continuous-joint-with-limits", "inertial-origin-rotated"}
    assert list_rows("mujoco@4.0", "urdf") == list_rows("mujoco", "urdf")
    turned = {key: "inertial-origin-rotated" in {row.feature for row in list_rows(f"mujoco@{key}", "urdf")}
              for key in ("2.3.7", "3.1.2", "3.1.3", "3.12", "3.13", "3.14", "4.0")}
    assert turned == {"2.3.7": False, "3.1.2": False, "3.1.3": True, "3.12": True, "3.13": True, "3.14": False,
                      "4.0": False}


def test_what_a_check_of_the_program_tells_is_told_once():
    """MuJoCo refuses a massless link (L024) and passes over quaternions (L044): becomes has them, findings once."""
    text = CASES["urdf"]["massless-link-moving"].text
    assert ("massless-link-moving", "mujoco", "refused") in becomes(text, "mujoco")
    assert [d.code for d in load_text(text).judge(["mujoco"]) if d.severity == "error"] == ["L024"]
    text = CASES["urdf"]["quat-xyzw"].text
    assert ("quat-xyzw", "drake", "lost") in becomes(text, "drake")
    assert [d.code for d in load_text(text).judge(["drake"]) if "quat" in d.message] == ["L044"]


def test_what_a_program_without_a_verdict_refuses_is_an_error():
    (finding,) = [d for d in load_text(CASES["urdf"]["capsule"].text).judge(["yourdfpy"]) if d.severity == "error"]
    assert (finding.code, finding.name) == ("L050", "program-refuses")


def test_what_programs_without_a_verdict_refuse_is_a_warning_if_all_are_asked():
    """One line for all of them; the verdicts of the others, and so the exit status, are their own."""
    text = CASES["urdf"]["capsule"].text
    (finding,) = [d for d in load_text(text).judge([*CONSUMERS])
                  if d.name == "program-refuses" and "capsule" in d.message]
    assert finding.severity == "warning"
    assert "in DART, kinpy, PlaCo, Robotics Toolbox, urchin, viser, yourdfpy: it is not loaded" in finding.message
    text = CASES["urdf"]["massless-link-moving"].text
    assert [d.code for d in load_text(text).judge([*CONSUMERS]) if d.severity == "error"] == ["L024"]
    assert [d.code for d in load_text(text).judge(["rod"])] == ["L001"]  # it reads SDFormat
    text = CASES["sdf"]["version-1.7"].text
    assert [d.message.split()[0] for d in load_text(text).judge([*CONSUMERS]) if d.code == "L001"] == [
        "ROS", "MuJoCo", "Pinocchio", "urdfdom"]


def test_a_verdict_on_loading_is_that_of_the_rules_of_the_program():
    """Drake is told of packages by its user; MuJoCo opens none."""
    loaded = load_text(CASES["urdf"]["package-uri"].text)
    errors = {program: [d.code for d in loaded.judge([program]) if d.severity == "error" and d.code != "L002"]
              for program in ("drake", "mujoco", "pybullet")}
    assert errors == {"drake": [], "mujoco": ["L023"], "pybullet": ["L050"]}
    assert ["L050"] == [d.code for d in loaded.judge(["drake"]) if d.name == "program-refuses"]


JUDGED = [row for row in read_rows() if row.effect == "refused" and row.rule]


@pytest.mark.parametrize("row", JUDGED, ids=[f"{row.program}-{row.feature}" for row in JUDGED])
def test_rules_tell_what_programs_with_a_verdict_refuse(row, tmp_path):
    """The exception is a package of Drake's."""
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / f"r.{row.kind}").write_text(CASES[row.kind][row.feature].text.replace("FOLDER", str(tmp_path)))
    found = load_file(tmp_path / f"r.{row.kind}").judge([row.program])
    assert row.rule in [d.code for d in found if d.severity == "error"]
    assert [(r.program, r.feature) for r in read_rows() if r.effect == "refused" and not r.rule
            and CONSUMERS[r.program].loads] == [("drake", "package-uri"), ("drake", "visual-package-uri")]


def test_a_urdf_that_is_included_has_no_features_of_sdformat(tmp_path):
    (tmp_path / "r.urdf").write_text(CASES["urdf"]["mimic"].text)
    (tmp_path / "w.sdf").write_text(
        "<sdf version='1.9'><world name='w'><include><uri>r.urdf</uri></include></world></sdf>")
    loaded = load_file(tmp_path / "w.sdf")
    assert [joint.name for joint in loaded.root.worlds[0].models[0].joints] == ["ja", "jb"]
    assert loaded.find_becomes(["pybullet", "drake"]) == []


def test_nothing_is_looked_for_where_nobody_asks():
    assert [*find_becomes(None, "urdf", ["gazebo"], None)] == []


def test_rows_have_what_was_seen_as_json():
    assert all(json.loads(row.seen) is not ... for row in read_rows() if row.seen)


@pytest.mark.parametrize(("feature", "program", "name"), [
    ("limits-zero", "mujoco", "program-tells"), ("massless-leaf-moving", "pinocchio", "program-fails-later"),
    ("mimic", "ikpy", ""), ("massless-link-moving", "dart", "program-changes")])
def test_each_effect_has_its_rule(feature, program, name):
    said = {d.name for d in load_text(CASES["urdf"][feature].text).judge([program]) if d.code.startswith("L05")}
    assert name in said if name else "program-loses" not in said  # what has no row is not known


WORLD = robot(link("world"), link("base", 1), joint("f", "fixed", "world", "base"))
FOOT = robot(link("foot"), link("base", 1), joint("f", "fixed", "foot", "base"))
PARALLEL = CASES["sdf"]["use-parent-model-frame"].text.replace("1.5707963267948966", "0")
PLACED = CASES["sdf"]["joint-pose"].text.replace("-0.5 0 0", "0 0 0")


@pytest.mark.parametrize(("text", "program", "feature", "is_found"), [
    (FOOT, "mujoco", "root-with-mass", True), (WORLD, "mujoco", "root-with-mass", False),
    (FOOT.replace('mass value="1"', 'mass value="0"'), "mujoco", "root-with-mass", False),
    (FOOT.replace('mass value="1"', 'mass value="0"'), "dart", "massless-link-fixed", False),
    (CASES["urdf"]["massless-link-fixed"].text, "dart", "massless-link-fixed", True),
    (CASES["urdf"]["zero-mass-link-moving"].text, "dart", "massless-link-moving", False),
    (CASES["urdf"]["massless-leaf-moving"].text, "dart", "massless-link-moving", True),
    (CASES["urdf"]["mimic-on-a-fixed-joint"].text, "pybullet", "mimic", False),
    (CASES["urdf"]["limits-equal"].text, "mujoco", "limits-zero", False),
    (CASES["urdf"]["limits-zero"].text, "mujoco", "limits-equal", False),
    (PARALLEL, "pybullet", "use-parent-model-frame", False),
    (PARALLEL.replace("<axis>", "<pose>0 0 0 0 0 1.5</pose><axis>"), "pybullet", "use-parent-model-frame", True),
    (PLACED, "pybullet", "joint-pose", False)])
def test_a_feature_is_found_only_where_it_matters(text, program, feature, is_found):
    assert (feature in {name for name, *_ in becomes(text, program)}) == is_found


HAND = ('<model name="hand"><pose>0 1 0 0 0 0</pose><link name="palm"/><link name="tip"/><joint name="k" type="fixed">'
        '<pose>0 0 2 0 0 0</pose><parent>palm</parent><child>tip</child></joint><frame name="e"><pose>0 0 1 0 0 0'
        "</pose></frame></model>")


@pytest.mark.parametrize(("frames", "is_misplaced"), [
    (('f" attached_to="hand::k', ""), True), (('f" attached_to="hand::e', ""), False),
    (('f" attached_to="hand', ""), False), (('f" attached_to="g', ""), True), (("", 'f" attached_to="g'), False)])
def test_frames_of_a_world_that_drake_misplaces(frames, is_misplaced):
    """Expected: the poses of f in Drake 1.51, beside those of the specification."""
    before, after = (f'<frame name="{name}"><pose>1 0 0 0 0 0</pose></frame>' if name else "" for name in frames)
    text = (f'<sdf version="1.9"><world name="w">{HAND}{before}<frame name="g"><pose>3 0 0 0 0 0</pose></frame>{after}'
            "</world></sdf>")
    assert ("frame-attached-to-posed" in {name for name, *_ in becomes(text, "drake")}) == is_misplaced


def test_files_that_are_not_loaded_are_told_once(tmp_path):
    """PyBullet refuses missing meshes of collisions and visuals; meshes that are there are read."""
    (tmp_path / "t.obj").write_bytes(FILES["t.obj"])
    parts = {tag: "".join(f'<{tag}><geometry><mesh filename="{name}"/></geometry></{tag}>' for name in names)
             for tag, names in (("visual", ("a.obj", "t.obj", "b.obj", "package://p/a.obj")),
                                ("collision", ("t.obj", "package://p/b.obj")))}
    (tmp_path / "r.urdf").write_text(robot(link("a", inside=parts["visual"] + parts["collision"])))
    said = [d.message for d in load_file(tmp_path / "r.urdf").judge(["pybullet"]) if d.name == "program-refuses"]
    assert said == [
        "a mesh of link 'a' has a package:// URI; in PyBullet: it is not loaded unless the program gets the path of "
        "the package", "the file 'a.obj' of a visual is not found (2 times, here first); in PyBullet: it is not loaded"]


def test_a_replaced_inertia_is_told_once():
    """PyBullet replaces every inertia, that of a rotated <inertial> for the same reason."""
    said = [d for d in load_text(CASES["urdf"]["inertial-origin-rotated"].text).judge(["pybullet"])
            if "inertia" in d.message]
    assert [(d.name, d.message.partition(";")[0], d.hint) for d in said] == [
        ("program-changes", "link 'base' has an inertia (2 times, here first)",
         "load it with pybullet.loadURDF(FILE, flags=pybullet.URDF_USE_INERTIA_FROM_FILE)")]
