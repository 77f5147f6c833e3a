"""Which part of one description is which part of the other: names first, then the best pair."""
import pytest

import sdf_frames as sf
from sdf_frames.diff.matching import match, match_frames, match_joints, match_links


def as_tuple(found):
    return found.same, found.removed, found.added


def test_namesakes_are_pairs_whatever_the_score():
    found = match(["a", "b", "c"], ["c", "b", "d"], lambda old, new: None)
    assert as_tuple(found) == ({"b": "b", "c": "c"}, ["a"], ["d"])
    assert found.renamed == {}


def test_the_best_score_is_taken_first_and_each_name_once():
    points = {("a", "x"): 1, ("a", "y"): 2, ("b", "y"): 3, ("b", "x"): 2, ("c", "x"): 0.5}
    found = match("abc", "xyz", lambda old, new: points.get((old, new)))
    # b-y has 3, then a-y and b-x are taken in part: a-x is left; nobody is left for c.
    assert as_tuple(found) == ({"b": "y", "a": "x"}, ["c"], ["z"])
    assert found.renamed == {"b": "y", "a": "x"}


def test_the_more_similar_name_wins_at_equal_scores():
    found = match(["left_arm", "right_arm"], ["right_arm_2", "left_arm_2"], lambda old, new: 1.0)
    assert found.renamed == {"left_arm": "left_arm_2", "right_arm": "right_arm_2"}


def load(inside):
    return sf.loads(f'<sdf version="1.11"><model name="m">{inside}</model></sdf>')


BOX = '<{0} name="s"><geometry><box><size>1 2 3</size></box></geometry></{0}>'
SPHERE = '<{0} name="s"><geometry><sphere><radius>1</radius></sphere></geometry></{0}>'


def link(name, inside="", x=0):
    return f'<link name="{name}"><pose>{x} 0 0 0 0 0</pose>{inside}</link>'


def joint(name, parent, child, kind="fixed"):
    axis = "<axis><xyz>0 0 1</xyz></axis>" if kind != "fixed" else ""
    return f'<joint name="{name}" type="{kind}"><parent>{parent}</parent><child>{child}</child>{axis}</joint>'


BASE = link("base")


@pytest.mark.parametrize(("old", "new", "renamed"), [
    # A link without joints is known by its place.
    (link("a"), link("b"), True), (link("a"), link("b", x=1e-3), False), (link("a"), link("b", x=1e-7), True),
    # One at a joint, by the joint, by what is behind it, or by its shapes.
    (link("a") + joint("j", "base", "a"), link("b") + joint("j", "base", "b"), True),
    (link("a") + joint("j", "base", "a"), link("b") + joint("k", "base", "b"), True),
    (link("a") + joint("j", "base", "a"), link("b"), False),
    (link("a"), link("b") + joint("j", "base", "b"), False),
    (link("a", BOX.format("visual")) + joint("j", "base", "a"), link("b", BOX.format("visual")), True),
    (link("a", BOX.format("visual")) + joint("j", "base", "a"), link("b", SPHERE.format("visual")), False),
    (link("a", BOX.format("visual")) + joint("j", "base", "a"),
     link("b", BOX.format("visual") + SPHERE.format("collision")), False)])
def test_a_renamed_link_stands_where_it_stood_and_keeps_something(old, new, renamed):
    found = match_links(load(BASE + old), load(BASE + new), 1e-9)
    assert found.renamed == ({"a": "b"} if renamed else {})
    assert (found.removed, found.added) == (([], []) if renamed else (["a"], ["b"]))


def test_a_renamed_joint_joins_the_same_links_best_by_the_same_type():
    links = BASE + link("a") + link("b")
    a = load(links + joint("j", "base", "a", "revolute") + joint("k", "base", "b"))
    b = load(links + joint("x", "base", "b") + joint("y", "base", "a", "continuous")
             + joint("z", "base", "a", "revolute"))
    found = match_joints(a, b, {})
    assert as_tuple(found) == ({"j": "z", "k": "x"}, [], ["y"])
    # The links may have other names: joint k is at what was called b.
    found = match_joints(load(links + joint("k", "base", "b")), load(links + joint("x", "base", "a")), {"b": "a"})
    assert found.renamed == {"k": "x"}
    assert match_joints(load(links + joint("k", "base", "b")), load(links + joint("x", "base", "a")), {}).renamed == {}


def frame(name, to="base", x=0):
    return f'<frame name="{name}" attached_to="{to}"><pose relative_to="__model__">{x} 0 0 0 0 0</pose></frame>'


@pytest.mark.parametrize(("new", "renamed"), [
    (frame("g"), True), (frame("g", x=1), False), (frame("g", "other"), False),
    (frame("g", "between"), True), ('<model name="g"><link name="l"/></model>', False)])
def test_a_renamed_frame_is_of_one_kind_and_on_one_body(new, renamed):
    links = BASE + link("other") + frame("between")
    a, b = load(links + frame("f")), load(links + new)
    found = match_frames(a, b, {name: name for name in ("base", "other")}, 1e-9, (), ())
    assert ("f" in found.renamed) == renamed


def test_the_frame_with_the_same_attachment_is_the_renamed_one():
    links = BASE + frame("between")
    a = load(links + frame("f", "between"))
    b = load(links + frame("fa") + frame("zzz", "between"))
    assert match_frames(a, b, {"base": "base"}, 1e-9, (), ()).renamed == {"f": "zzz"}
