"""Under which names TF has the frames of a model: with another prefix, or other separators."""

import pytest

from sdf_frames.frames.tf_observed import NameSuggestions

PREFIX = "(parameter frame_prefix)"


@pytest.mark.parametrize("missing, others, name, hint", [
    (["base", "arm"], ["r1/base", "r1/arm"], "arm", f"TF has 'r1/arm': names there begin with 'r1/' {PREFIX}"),
    (["base", "arm"], ["r1_base", "r1_arm"], "arm", f"TF has 'r1_arm': names there begin with 'r1_' {PREFIX}"),
    (["r1/base", "r1/arm"], ["base", "arm"], "r1/arm", f"TF has 'arm': names there lack 'r1/' {PREFIX}"),
    (["r1_base", "r1_arm"], ["base", "arm"], "r1_arm", f"TF has 'arm': names there lack 'r1_' {PREFIX}"),
    (["m::base", "m::arm"], ["m/base", "m/arm"], "m::arm",
     "TF has 'm/arm': names are joined otherwise there (parameter scope_separator)"),
    (["m/base", "m/arm"], ["r::m::base", "r::m::arm"], "m/arm",
     f"TF has 'r::m::arm': names there begin with 'r::' {PREFIX}"),
    # A single name is enough if a scope is in front of it, or nothing.
    (["arm"], ["r1/arm"], "arm", f"TF has 'r1/arm': names there begin with 'r1/' {PREFIX}"),
    (["r1/arm"], ["arm"], "r1/arm", f"TF has 'arm': names there lack 'r1/' {PREFIX}"),
    (["m::arm"], ["m/arm"], "m::arm", "TF has 'm/arm': names are joined otherwise there (parameter scope_separator)"),
    (["arm"], ["forearm"], "arm", None), (["forearm"], ["arm"], "forearm", None),
    # Of a likely prefix, the name itself must be there.
    (["base", "arm", "tip"], ["r1/base", "r1/arm"], "tip", None), (["base"], [], "base", None),
    ([], ["base"], "tip", None)])
def test_what_a_frame_is_called_in_tf(missing, others, name, hint):
    assert NameSuggestions(missing, others).suggest(name) == hint


def test_the_prefix_that_most_frames_have_is_meant():
    missing = ["base", "arm", "tip"]
    renaming = NameSuggestions(missing, ["a/base", "a/arm", "b/base", "b/arm", "b/tip"])
    assert renaming.suggest("arm") == f"TF has 'b/arm': names there begin with 'b/' {PREFIX}"
    assert renaming.suggest("tip") == f"TF has 'b/tip': names there begin with 'b/' {PREFIX}"


@pytest.mark.parametrize("place, found", [(19, True), (20, False)])
def test_twenty_missing_frames_are_compared(place, found):
    missing = [f"frame{i:02}" for i in range(30)]
    hint = NameSuggestions(missing, [f"r/{missing[place]}"]).suggest(missing[place])
    assert (hint is not None) == found
