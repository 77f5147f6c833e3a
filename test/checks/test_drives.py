"""Limits that programs take in different ways: an effort or velocity of 0, and a range of a continuous joint."""
import pytest
from urdf_text import joint, link, robot

from sdf_frames.load import load_text


def find(*limits, kind="revolute"):
    """The warnings on a robot with a joint for each of the limits, with the lines of all places."""
    parts = [link("base", 1)]
    for number, limit in enumerate(limits):
        parts += ["\n", link(f"l{number}", 1), joint(f"j{number}", kind, "base", f"l{number}", f"<limit {limit}/>")]
    return [(d.code, d.message, [d.line, *[place.line for place in d.related]])
            for d in load_text(robot(*parts)).diagnostics]


FULL = 'lower="-1" upper="1" effort="{}" velocity="{}"'


def test_limits_of_0_are_reported_once_each():
    assert find(FULL.format(0, 2), FULL.format(0, 2)) == [
        ("R042", "joint 'j0' has a limit of 0 for effort (2 times, here first)", [2, 3])]
    assert find(FULL.format(5, 2), FULL.format(5, 0)) == [
        ("R042", "joint 'j1' has a limit of 0 for velocity, unlike other joints", [3])]
    assert find(FULL.format(0, 0), FULL.format(0, 0)) == [
        ("R042", "joint 'j0' has a limit of 0 for effort and velocity (2 times, here first)", [2, 3])]
    assert find(FULL.format(0, 0), FULL.format(5, 2), FULL.format(0, 0)) == [
        ("R042", "joint 'j0' has a limit of 0 for effort and velocity, unlike other joints (2 times, here first)",
         [2, 4])]
    assert find(FULL.format(0, 0), FULL.format(0, 2)) == [
        ("R042", "joint 'j0' has a limit of 0 for effort (2 times, here first)", [2, 3]),
        ("R042", "joint 'j0' has a limit of 0 for velocity, unlike other joints", [2])]
    assert find(FULL.format(5, 2)) == []


@pytest.mark.parametrize(("kind", "limit", "codes"), [
    ("continuous", FULL.format(1, 1), ["R043"]), ("continuous", 'effort="1" velocity="1"', []),
    ("continuous", 'upper="1" effort="1" velocity="1"', ["R043"]), ("fixed", FULL.format(0, 0), [])])
def test_a_continuous_joint_has_no_range(kind, limit, codes):
    assert [code for code, *_ in find(limit, kind=kind)] == codes


DRIVE = ' effort="1" velocity="1"'


@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
def test_a_joint_whose_range_is_0_cannot_move(kind):
    """URDF's default of lower and upper is 0."""
    def held(place, what, times=""):
        code = "R045" if what == "lower and upper limits of 0" else "R046"
        return code, f"joint 'j{place[0] - 2}' has {what}; Gazebo and other programs lock the joint{times}", place
    zero, missing = 'lower="0" upper="-0.0"' + DRIVE, "lower and upper limits of 0"
    assert find(zero, FULL.format(1, 1), zero, kind=kind) == [held([2, 4], missing, " (2 times, here first)")]
    missing = "a <limit> without {}, so lower and upper are 0"
    assert find(DRIVE, 'upper="0"' + DRIVE, DRIVE, 'lower="0"' + DRIVE, kind=kind) == [
        held([2, 4], missing.format("lower and upper"), " (2 times, here first)"),
        held([3], missing.format("lower")), held([5], missing.format("upper"))]
    assert find('upper="1"' + DRIVE, 'lower="-1"' + DRIVE, 'lower="0.5" upper="0.5"' + DRIVE, kind=kind) == []


@pytest.mark.parametrize(("limit", "codes"), [
    (DRIVE, {"gazebo": "R046", "ros": "R046", "drake": "L052", "mujoco": "L052", "genesis": "L052"}),
    ('lower="0" upper="0"' + DRIVE,
     {"gazebo": "R045", "pinocchio": "R045", "drake": "R045", "mujoco": "L051", "placo": "L052"}),
    ('lower="0"' + DRIVE, {"urdfdom": "R046", "drake": "L052", "mujoco": "L052"})])
def test_each_program_is_told_once_what_it_makes_of_a_range_of_0(limit, codes):
    """Drake, MuJoCo and others take a missing limit for none; MuJoCo says that it ignores a range of 0."""
    loaded = load_text(robot(link("a", 1), link("b", 1), joint("j", "revolute", "a", "b", f"<limit {limit}/>")))
    found = {program: [d.code for d in [*loaded.judge([program])] if "effort" not in d.message and d.path is not None
                       and d.path.endswith("/limit")] for program in codes}
    assert found == {program: [code] for program, code in codes.items()}
