"""The name that was meant."""
from difflib import get_close_matches
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdf_frames.diagnostics.nearest import find_nearest, suggest_name

WORDS = st.lists(st.sampled_from(["l_", "r_", "wrist", "elbow", "roll", "1"]), max_size=5).map("".join)


def test_the_nearest_come_first():
    assert find_nearest("base_lnk", ["arm_link", "base_link", "base_link_2"], 2) == ["base_link", "base_link_2"]
    assert suggest_name("base_lnk", ["arm_link", "base_link"]) == "did you mean 'base_link'?"


def test_no_suggestion_without_a_similar_name():
    assert suggest_name("zzz", ["arm_link", "base_link"]) is None
    assert suggest_name("zzz", []) is None


def test_only_so_many_names_are_compared():
    assert suggest_name("name_7", (f"name_{i}" for i in count())) == "did you mean 'name_7'?"


@pytest.mark.parametrize("before, found", [(0, ["link_a"]), (4999, ["link_a"]), (5000, [])])
def test_only_the_first_few_thousand_names_are_compared(before, found):
    assert find_nearest("link_b", ["x"] * before + ["link_a"]) == found


@pytest.mark.parametrize("word, name", [(100, 101), (101, 100)])
def test_long_names_are_not_compared(word, name):
    """difflib takes 12 s for two names of 100,000 letters."""
    assert find_nearest("a" * 100, ["a" * 100]) == ["a" * 100]
    assert find_nearest("a" * word, ["a" * name]) == []


@pytest.mark.parametrize("before, found", [(199, 1), (200, 0)])
def test_long_names_count_as_several(before, found):
    """5,000 of 20 by 20 letters are 200 of 100 by 100."""
    assert len(find_nearest("b" * 100, ["a" * 100] * before + ["b" * 99])) == found


@given(word=WORDS, names=st.lists(WORDS, max_size=20), most=st.integers(1, 4))
def test_the_nearest_are_those_of_difflib(word, names, most):
    assert find_nearest(word, names, most) == get_close_matches(word, names, most)
