"""Words of messages: the name that was meant, and counts."""
import re
from difflib import get_close_matches
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdf_frames.diagnostics import count_of, find_nearest, plural, shorten_name, suggest_name
from sdf_frames.diagnostics.catalogue import BY_CODE
from sdf_frames.diagnostics.words import _compare_alone, _leave_differences

PACKAGE = Path(__file__).resolve().parents[2] / "sdf_frames"

WORDS = st.lists(st.sampled_from(["l_", "r_", "wrist", "elbow", "roll", "1"]), max_size=5).map("".join)


def test_the_nearest_come_first():
    assert find_nearest("base_lnk", ["arm_link", "base_link", "base_link_2"], 2) == ["base_link", "base_link_2"]
    assert suggest_name("base_lnk", ["arm_link", "base_link"]) == "did you mean 'base_link'?"
    assert suggest_name("zzz", ["arm_link", "base_link"]) is suggest_name("zzz", []) is None


def test_names_are_shown_up_to_100_letters():
    assert shorten_name("x" * 100) == "x" * 100 and shorten_name("x" * 101) == "x" * 99 + "…"


@pytest.mark.parametrize("before, found", [(0, ["linka"]), (4999, ["linka"]), (5000, [])])
def test_only_the_first_few_thousand_names_are_compared(before, found):
    assert find_nearest("linkb", ["x"] * before + ["linka"]) == found
    assert suggest_name("name_7", (f"name_{i}" for i in count())) == "did you mean 'name_7'?"


@pytest.mark.parametrize("before, found", [(199, 1), (200, 0)])
def test_long_names_count_as_several_and_longer_ones_are_not_compared(before, found):
    """5,000 of 20 by 20 letters are 200 of 100 by 100. difflib takes 12 s for two names of 100,000 letters."""
    assert len(find_nearest("b" * 100, ["a" * 100] * before + ["b" * 99])) == found
    assert find_nearest("b" * 100, ["b" * 101]) == find_nearest("b" * 101, ["b" * 100]) == []


@given(word=WORDS, names=st.lists(WORDS, max_size=20), most=st.integers(1, 4))
def test_the_near_ones_are_those_of_difflib_that_are_like_without_what_both_have(word, names, most):
    close = get_close_matches(word, names, len(names) or 1)
    found = find_nearest(word, names, len(names) or 1)
    assert sorted(found) == sorted([n for n in close if _compare_alone(*_leave_differences(word, n))])
    assert find_nearest(word, names, most) == found[:most]


@pytest.mark.parametrize("word, nearest, others", [
    ("laser_link", "laser", ["base_link"]), ("gripper", "griper", ["gripper_base"]), ("link_1", "link1", ["link"]),
    ("wheel_left", "wheel_leftt", ["wheel_left_link"]), ("Laser", "laser", ["Laser_link"]),
    ("left_arm_lnik", "left_arm_link", ["left_arm", "right_arm_link"]), ("link_2", "link_2", ["link_20", "link"])])
def test_a_part_more_is_nearer_than_another_word_and_farther_than_a_slip(word, nearest, others):
    assert find_nearest(word, [*others, nearest]) == find_nearest(word, [nearest, *others]) == [nearest]


def test_one_thing_has_the_singular():
    assert [count_of(number, "link") for number in (0, 1, 2)] == ["0 links", "1 link", "2 links"]
    assert [count_of(number, "vertex", "vertices") for number in (1, 2)] == ["1 vertex", "2 vertices"]
    assert [plural("that is", number, "that are") for number in (1, 5)] == ["that is", "that are"]


def test_no_plural_is_written_by_hand():
    """Such as ``link{'s' if n > 1 else ''}`` or ``loop(s)``."""
    sources = [path for path in PACKAGE.rglob("*.py") if path.name != "words.py"]
    assert len(sources) > 250
    by_hand = re.compile(r"""('s'|"s") (if |\*)|else ('s'|"s")\}""")
    assert not [path for path in sources if by_hand.search(path.read_text(encoding="utf-8"))]
    assert not [rule for rule in BY_CODE.values() if "(s)" in rule.template + rule.hint]


@pytest.mark.parametrize("word, name, like", [
    ("camera_link", "base_link", False), ("camera_link", "camra_link", True), ("left_arm", "right_arm", False),
    ("forearm", "forearm_link", True), ("angular_vel", "angular_velocity", True), ("forearm.stl", "part_mm.stl", False),
    ("a::hand", "a::hnad", True), ("r_gripper_l_parallel_link", "l_gripper_palm_link", False),
    ("r_gripper_r_parallel_link", "r_upper_arm_roll_link", False), ("left_amr", "left_arm", True),
    ("nosuch.urdf", "s.urdf", False)])
def test_what_two_names_share_whole_makes_them_no_more_alike(word, name, like):
    assert find_nearest(word, [name]) == [name] * like
