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
