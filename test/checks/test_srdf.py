"""An SRDF is checked against the URDF of its robot: every name, and every position of a state."""

import pytest
from urdf_text import joint, link, robot

import sdf_frames as sf
from sdf_frames.checks.srdf import _find_cyclic

LIMIT = '<limit lower="-1" upper="2" effort="1" velocity="1"/>'
ROBOT = robot(
    link("base", 1), link("upper", 1), link("lower", 1), link("finger", 1), link("base2", 1),
    joint("shoulder", "revolute", "base", "upper", LIMIT), joint("elbow", "continuous", "upper", "lower"),
    joint("grip", "prismatic", "lower", "finger", LIMIT), joint("mount", "fixed", "base", "base2"))
GROUPS = ('<virtual_joint name="world_joint" type="floating" parent_frame="world" child_link="base"/>'
          '<group name="arm"><chain base_link="base" tip_link="lower"/></group>'
          '<group name="hand"><joint name="grip"/></group>'
          '<group name="all"><group name="arm"/><group name="hand"/></group>'
          '<group name="fingers"><link name="finger"/></group><group name="root"><link name="base"/></group>')


def srdf(*parts: str, name: str = "r") -> str:
    return f'<robot name="{name}">{"".join(parts)}</robot>'


def check(*parts: str, name: str = "r") -> list[tuple[str, str]]:
    found = sf.loads(ROBOT).check_srdf(sf.loads(srdf(GROUPS, *parts, name=name)))
    return [(d.name, d.message) for d in found]


def state(group: str, joint: str, value: str) -> str:
    return f'<group_state name="s" group="{group}"><joint name="{joint}" value="{value}"/></group_state>'


@pytest.mark.parametrize("part", [
    "", state("arm", "shoulder", "2"), state("arm", "elbow", "100"), state("all", "grip", " -1 "),
    state("fingers", "grip", "0.5"), state("root", "world_joint", "0 0 0 0 0 0 1"),
    '<end_effector name="e" group="hand" parent_link="lower"/>', '<passive_joint name="elbow"/>',
    '<end_effector name="e" group="hand" parent_link="lower" parent_group="arm"/>',
    '<disable_collisions link1="base" link2="upper" reason="Adjacent"/><disable_default_collisions link="base"/>',
    '<enable_collisions link1="base" link2="lower"/>', '<passive_joint name="world_joint"/>',
    '<joint_property joint_name="elbow" property_name="p" value="1"/>', '<group name="x"><link name=" base "/></group>',
    '<link_sphere_approximation link="base"><sphere center="0 0 0" radius="1"/></link_sphere_approximation>'])
def test_what_is_right_has_no_findings(part):
    assert check(part) == []


@pytest.mark.parametrize("part, kind, severity", [
    ('<group name="x"><link name="none"/></group>', "link", "error"),
    ('<group name="x"><joint name="none"/></group>', "joint", "error"),
    ('<group name="x"><group name="none"/></group>', "group", "error"),
    ('<group name="x"><chain base_link="none" tip_link="lower"/></group>', "link", "error"),
    ('<group name="x"><chain base_link="base" tip_link="none"/></group>', "link", "error"),
    ('<group_state name="s" group="none"/>', "group", "error"), (state("arm", "none", "0"), "joint", "error"),
    ('<end_effector name="e" group="none" parent_link="base"/>', "group", "error"),
    ('<end_effector name="e" group="arm" parent_link="none"/>', "link", "error"),
    ('<end_effector name="e" group="arm" parent_link="base" parent_group="none"/>', "group", "error"),
    ('<virtual_joint name="v" type="fixed" parent_frame="w" child_link="none"/>', "link", "error"),
    ('<passive_joint name="none"/>', "joint", "error"),
    ('<joint_property joint_name="none" property_name="p" value="1"/>', "joint", "error"),
    ('<link_sphere_approximation link="none"/>', "link", "error"),
    ('<disable_collisions link1="none" link2="base"/>', "link", "warning"),
    ('<disable_collisions link1="base" link2="none"/>', "link", "warning"),
    ('<enable_collisions link1="none" link2="base"/>', "link", "warning"),
    ('<disable_default_collisions link="none"/>', "link", "warning")])
def test_an_unknown_name(part, kind, severity):
    """MoveIt leaves an element out, or ignores the pair: srdfdom logs an error or a warning."""
    (found,) = sf.loads(ROBOT).check_srdf(sf.loads(srdf(GROUPS, part)))
    assert (found.name, found.severity) == ("srdf-pair-unknown" if severity == "warning" else "srdf-name-unknown",
                                            severity)
    assert f"names the {kind} 'none', which does not exist" in found.message


def test_one_name_in_many_places_is_one_finding_at_what_moveit_leaves_out():
    pairs = "".join(f'\n<disable_collisions link1="wrist" link2="{other}"/>' for other in ("base", "upper", "lower"))
    text = srdf(GROUPS, pairs, '\n<group name="x"><link name="wrist"/></group>')
    (found,) = sf.loads(ROBOT).check_srdf(sf.loads(text, file="r.srdf"))
    assert (found.code, found.file, found.line, found.column) == ("D002", "r.srdf", 5, 29)
    assert [r.line for r in found.related] == [2, 3, 4]


def test_many_places_are_counted():
    pairs = "".join(f'\n<disable_collisions link1="none" link2="base" reason="{i}"/>' for i in range(20))
    (found,) = sf.loads(ROBOT).check_srdf(sf.loads(srdf(pairs)))
    assert len(found.related) == 9 and found.related[-1].message == "and 11 more places, from here on"


def test_the_name_that_was_meant():
    (found,) = sf.loads(ROBOT).check_srdf(sf.loads(srdf('<passive_joint name="shuolder"/>')))
    assert (found.hint, found.column) == ("did you mean 'shoulder'?", 38)


@pytest.mark.parametrize("part, name, words", [
    (state("arm", "shoulder", "2.5"), "srdf-value-outside", "to 2.5, which is outside of its limits -1 to 2"),
    (state("arm", "shoulder", "1 2"), "srdf-value-invalid", "revolute joint 'shoulder' to '1 2'; it takes 1 number"),
    (state("arm", "elbow", "left"), "srdf-value-invalid", "it takes 1 number"),
    (state("arm", "elbow", "nan"), "srdf-value-invalid", "it takes 1 number"),
    (state("root", "world_joint", "0 0 0"), "srdf-value-invalid", "it takes 7 numbers"),
    (state("arm", "grip", "0"), "srdf-state-outside-group", "joint 'grip', which is not part of group 'arm'"),
    ('<virtual_joint name="v" type="planer" parent_frame="w" child_link="base"/>', "srdf-joint-type-unknown", "planer"),
    ('<group name="hand"/>', "srdf-group-repeated", "two groups are named 'hand'"),
    ('<group name="x"><group name="x"/></group>', "srdf-group-cycle", "group 'x' contains itself"),
    ('<group><joint name="elbow"/></group>', "srdf-attribute-missing", "<group> has no name"),
    ('<group name="x"><chain base_link="base"/></group>', "srdf-attribute-missing", "<chain> has no tip_link"),
    ('<disable_collisions link1="base"/>', "srdf-attribute-missing", "<disable_collisions> has no link2"),
    (state("arm", "elbow", ""), "srdf-attribute-missing", "<joint> has no value")])
def test_what_moveit_does_not_take(part, name, words):
    (found,) = check(part)
    assert found[0] == name and words in found[1]


def test_groups_of_a_circle_alone_contain_themselves():
    """Each group that contains itself, by hand: two circles, one leads to the other over a group that is in none."""
    inside = {"above": "a", "a": "b", "b": "c a", "c": "b way", "way": "d", "d": "d e", "e": "f", "f": "e"}
    groups = "".join(f'<group name="{name}">' + "".join(f'<group name="{sub}"/>' for sub in names.split()) + "</group>"
                     for name, names in inside.items())
    assert sorted(message.split("'")[1] for name, message in check(groups)) == ["a", "b", "c", "d", "e", "f"]


def test_groups_that_all_contain_all_are_looked_at_a_few_times_each():
    class Subgroups(list):
        looks = 0

        def __iter__(self):
            Subgroups.looks += 1
            return super().__iter__()

    names = [f"g{number}" for number in range(50)]
    assert _find_cyclic({name: Subgroups(names) for name in names}) == {*names}
    assert Subgroups.looks <= 3 * len(names)


def test_what_states_ask_for_is_within_the_limit_of_elements():
    """1,500 groups in each other, each with a state, are over a million pairs of groups; chains count likewise."""
    nested = "".join(f'<group name="g{i}"><group name="g{i - 1}"/></group>' for i in range(1, 1500))
    first = '<group name="g0"><joint name="grip"/></group>'
    states = "".join(state(f"g{i}", "grip", "0") for i in range(1500))
    assert check(first, nested) == []
    assert [name for name, _ in check(first, nested, states)] == ["limit-exceeded"]


def test_a_chain_over_the_root_has_the_joints_of_both_sides():
    """MoveIt walks up from both ends until they meet: from the finger and from base2, past the base."""
    chain = '<group name="x"><chain base_link="base2" tip_link="upper"/></group>'
    assert check(chain, state("x", "shoulder", "0"), state("x", "elbow", "0")) == [
        ("srdf-state-outside-group",
         "state 's' sets joint 'elbow', which is not part of group 'x'; MoveIt ignores the value")]


def test_the_robot_has_another_name():
    assert [name for name, _ in check(name="other")] == ["srdf-robot-differs"]


def test_an_srdf_alone_says_what_it_is():
    loaded = sf.loads(srdf(GROUPS), file="r.srdf")
    assert [(d.code, d.severity, d.hint) for d in loaded.findings] == [
        ("D001", "error", "check it against the URDF of its robot: sdf_frames check r.srdf --urdf ROBOT.urdf")]
    assert (loaded.kind, loaded.valid, len(loaded.links)) == (None, False, 0)


def test_misuse():
    sdf = sf.loads('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>')
    with pytest.raises(ValueError, match="is not an SRDF"):
        sf.loads(ROBOT).check_srdf(sdf)
    assert [d.name for d in sdf.check_srdf(sf.loads(srdf(GROUPS)))] == ["srdf-needs-urdf"]


def test_a_urdf_that_cannot_be_read_says_why():
    found = sf.loads('<robot name="r"><link/></robot>').check_srdf(sf.loads(srdf(GROUPS)))
    assert [d.name for d in found] == ["link-name-missing"]
