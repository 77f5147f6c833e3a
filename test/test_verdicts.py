"""Three verdicts on a description: it was read, its kinematics resolve, it is convertible.

What needs only kinematics is given whenever kinematics resolve. Poses are sums of the origins, worked out by hand.
"""
import json

import pytest
import urdf_text
from real_files import MISSING, STEP, some_files
from urdf_text import joint, link

from sdf_frames.cli import main
from sdf_frames.load import LoadOptions, load_file, load_text

MASS = ('<inertial><mass value="{}"/><inertia ixx="{}" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>')
LIMIT = '<limit effort="1" velocity="1"/>'


def robot(base="", arm=MASS.format(1, 1), tip="", more="", arm_at="1 0 0"):
    return urdf_text.robot(link("base", None, base), link("arm", None, arm), link("tip", None, tip),
                           joint("turn", "continuous", "base", "arm", LIMIT + more, xyz=arm_at),
                           joint("hold", "fixed", "arm", "tip", LIMIT, xyz="0 2 0"))


UNCONVERTIBLE = {  # text, options, the error
    "massless root": (robot(), {}, "robot-without-mass"),
    "no inertial at all": (robot(arm=""), {}, "robot-without-mass"),
    "one bad inertia": (robot(MASS.format(1, 9)), {}, "inertia-invalid"),
    "one bad inertia, lumped": (robot(MASS.format(1, 1), MASS.format(1, 9), MASS.format(1e-9, 1)), {},
                                "inertia-invalid"),
    "policy error": (robot(MASS.format(1, 1), ""), {"massless": "error"}, "massless-link-refused"),
    "mass unread": (robot(MASS.format("1,5", 1)), {}, "mass-unknown"),
    "mimic of nobody": (robot(MASS.format(1, 1), more='<mimic joint="none"/>'), {}, "mimic-joint-missing"),
    "version too low": (robot(MASS.format(1, 1), more='<mimic joint="turn2"/>').replace(
        "</robot>", link("c", 1) + joint("turn2", "continuous", "base", "c", LIMIT, xyz="0 0 1") + "</robot>"),
        {"sdf_version": "1.7"}, "sdf-version-too-low"),
    "mass overflows": (robot(MASS.format(1, 1), MASS.format(1e308, 1), MASS.format(1e308, 1)), {}, "number-overflow"),
}


@pytest.fixture(params=UNCONVERTIBLE)
def case(request):
    text, options, error = UNCONVERTIBLE[request.param]
    return load_text(text, "r.urdf", LoadOptions(**options)), error


def test_a_robot_that_cannot_be_converted_has_kinematics(case):
    loaded, error = case
    assert [d.name for d in loaded.diagnostics if d.severity == "error"] == error.split()
    assert not loaded.valid and loaded.resolved and not loaded.convertible
    (scope,) = loaded.scopes
    poses = {f.name: f.pose[:3] for f in (*scope.frames, *scope.left_out)}
    assert (poses["base"], poses["arm"], poses["tip"]) == ((0, 0, 0), (1, 0, 0), (1, 2, 0))
    assert poses["turn"] == (1, 0, 0) and poses["hold"] == (1, 2, 0)


def test_tf_has_the_tree_of_the_urdf(case):
    loaded, _ = case
    transforms, found = loaded.static_transforms()
    tree = {t.child: (t.parent, t.pose[:3], t.movable) for t in transforms}
    assert tree["arm"] == ("base", (1, 0, 0), True) and found == ()
    # A lumped link hangs below the frame of its joint, others the other way round.
    tip = tree["hold"] if tree["tip"][0] == "hold" else tree["tip"]
    assert tip == ("arm", (0, 2, 0), False)


@pytest.mark.parametrize("loaded, resolved, convertible", [
    (load_text(robot(MASS.format(1, 1))), True, True),
    (load_text("<robot name='r'/>"), False, False),
    (load_text("nothing"), False, False),
    (load_text('<sdf version="1.9"><model name="m"><link name="l"/><include><uri>model://none</uri></include></model>'
               '</sdf>'),
     False, False),
    (load_text('<sdf version="1.9"><light name="l" type="point"/></sdf>'), True, True),
    (load_text(robot(arm_at="1e308 0 0").replace('"0 2 0"', '"1.7e308 0 0"')), False, False),
    (load_text('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>'), True, True),
    (load_text('<sdf version="1.9"><model name="m"><link name="l"><inertial><mass>-1</mass></inertial></link></model>'
               '</sdf>'),
     True, False),
    (load_text('<sdf version="1.9"><model name="m"><link name="l"/><frame name="f" attached_to="g"/></model></sdf>'),
     False, False)])
def test_verdicts(loaded, resolved, convertible):
    assert (loaded.resolved, loaded.convertible, loaded.valid) == (resolved, convertible, convertible)


def run(command, text, tmp_path, capsys):
    file = tmp_path / "r.urdf"
    file.write_text(text)
    status = main([*command, "--json", str(file)])
    return status, json.loads(capsys.readouterr().out)


def test_commands_give_what_needs_only_kinematics_and_end_with_1(tmp_path, capsys):
    status, answer = run(["check"], robot(), tmp_path, capsys)
    assert (status, answer["valid"], answer["resolved"], answer["convertible"]) == (1, False, True, False)
    status, answer = run(["frames"], robot(), tmp_path, capsys)
    assert status == 1
    assert [f["name"] for f in answer["scopes"][0]["frames"] if f["kind"] == "link"] == ["base", "arm", "tip"]
    assert [(j["parent"], j["child"], j["type"]) for j in answer["scopes"][0]["joints"]] == [
        ("base", "arm", "revolute"), ("arm", "tip", "fixed")]
    status, answer = run(["graph"], robot(), tmp_path, capsys)
    assert status == 1 and "└─ arm" in answer["graph"]
    status, answer = run(["convert"], robot(), tmp_path, capsys)
    assert status == 1 and answer["sdf"] is None


def test_inertia_gives_what_is_declared(tmp_path, capsys):
    status, answer = run(["inertia"], robot(tip=MASS.format(3, 1)), tmp_path, capsys)
    assert status == 1 and {li["name"]: li["mass"] for li in answer["links"]} == {"arm": 1, "tip": 3}
    assert {li["method"] for li in answer["links"]} == {"declared"}
    status, answer = run(["inertia", "--link", "base"], robot(), tmp_path, capsys)
    assert answer["links"] == []
    assert [d["name"] for d in answer["diagnostics"]] == ["robot-without-mass", "inertia-unknown-link"]


def test_no_real_urdf_that_is_read_loses_its_tf():
    files = some_files("*.urdf")
    if not files:
        pytest.skip(MISSING)
    compared = 0
    for loaded in map(load_file, map(str, files)):
        if loaded.robot is None:
            continue
        compared += 1
        transforms = loaded.static_transforms()[0]
        assert loaded.resolved
        assert {t.child for t in transforms} >= {link.name for link in loaded.robot.links} - {loaded.robot.root}
    assert compared >= 95 // STEP
