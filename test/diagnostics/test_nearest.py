"""The name that was meant."""
from itertools import count

import pytest

from sdf_frames.diagnostics.nearest import find_nearest, suggest_name


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
