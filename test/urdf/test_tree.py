"""Links and joints that form no tree, or more than one: what is reported where, with which hint, and what is left."""
import pytest
import urdf_text

from sdf_frames.document.elements import line_of
from sdf_frames.document.xml_in import read_xml
from sdf_frames.urdf.parse import read_robot

ROBOT = '/robot[@name="r"]'


def read(*parts):
    """A robot of these parts, one on each line from the second, and its findings."""
    document, _ = read_xml("\n".join(['<robot name="r">', *parts, "</robot>"]), "r.urdf")
    return read_robot(document)


def joint(name, parent, child):
    return urdf_text.joint(name, "fixed", parent, child)


def test_a_link_with_several_parents_names_their_joints():
    robot, found = read(*map(urdf_text.link, "abc"), joint("i", "a", "c"), joint("j", "b", "c"), joint("k", "a", "b"))
    assert robot is None
    assert [(d.name, d.line, d.path, d.message) for d in found] == [
        ("link-with-many-parents", 4, f'{ROBOT}/link[@name="c"]', "link 'c' is the child of 2 joints: i, j")]
    assert [(r.message, r.line, r.path) for r in found[0].related] == [
        ("joint 'i'", 5, f'{ROBOT}/joint[@name="i"]'), ("joint 'j'", 6, f'{ROBOT}/joint[@name="j"]')]


@pytest.mark.parametrize("count, listed", [
    (2, "a, b"), (8, "a, b, c, d, e, f, g, h"), (9, "a, b, c, d, e, f, g, h, …")])
def test_at_most_eight_roots_are_listed(count, listed):
    robot, (found,) = read(*map(urdf_text.link, "abcdefghi"[:count]))
    assert robot is None
    assert (found.name, found.line, found.path) == ("robot-with-many-roots", 1, ROBOT)
    assert found.message == f"{count} links have no parent joint: {listed}"
    assert [(r.message, r.line, r.path) for r in found.related] == [
        (f"link {name!r}", line, f'{ROBOT}/link[@name="{name}"]') for line, name in enumerate("abcdefgh"[:count], 2)]


def test_ends_of_joints_that_do_not_exist_are_all_reported_and_eight_names_are_guessed():
    robot, found = read(urdf_text.link("base"), *[joint(f"j{i}", "bsae", "bsae") for i in range(5)])
    assert robot is None
    guess, none = "did you mean 'base'?", "define the link, or correct the name"
    assert [(d.name, d.line, d.path, d.message, d.hint) for d in found] == [
        ("joint-link-unknown", i + 3, f'{ROBOT}/joint[@name="j{i}"]/{role}',
         f"the {role} link 'bsae' of joint 'j{i}' does not exist", guess if 2 * i + k < 8 else none)
        for i in range(5) for k, role in enumerate(("child", "parent"))]


@pytest.mark.parametrize("parent, child", [("table_base", "table_link"), ("table_link", "table_base")])
def test_a_guess_is_never_the_other_end_of_the_joint(parent, child):
    for links, hint in ((["table_link", "wall"], "define the link, or correct the name"),
                        (["table_link", "table_bas"], "did you mean 'table_bas'?")):
        _, (found,) = read(*map(urdf_text.link, links), joint("j", parent, child))
        assert (found.name, found.hint) == ("joint-link-unknown", hint)


def test_a_link_in_capital_letters_is_named_where_it_stands():
    capital = '<Link name="arm"/>'
    _, (found,) = read(urdf_text.link("base"), capital, joint("j", "base", "arm"))
    assert (found.name, found.line, found.hint) == (
        "joint-link-unknown", 4, "write <link> for <Link>: tags are in lower case")
    assert [(r.message, r.line) for r in found.related] == [("'arm'", 3)]
    _, (found,) = read(capital)
    assert (found.name, found.line, found.hint) == (
        "robot-without-links", 2, "write <link> for <Link>: tags are in lower case")


def test_links_of_and_below_a_loop_are_left_out():
    robot, found = read(*map(urdf_text.link, "abcde"), joint("i", "a", "b"), joint("j", "c", "d"),
                        joint("k", "d", "c"), joint("l", "d", "e"))
    assert (robot.root, [l.name for l in robot.links], [j.name for j in robot.joints]) == ("a", ["a", "b"], ["i"])
    assert [(d.name, d.line, d.path) for d in found] == [
        ("link-unreachable", line, f'{ROBOT}/link[@name="{name}"]') for line, name in ((4, "c"), (5, "d"), (6, "e"))]
    assert {d.message[d.message.index("because"):] for d in found} == {
        "because nothing connects it to the root 'a': joints j, k form a loop"}
    assert {(d.hint, *[r.line for r in d.related]) for d in found} == {
        ("correct the parent or child of joint 'j'", 8, 9)}
    assert [(part.kind, part.owner, part.name, line_of(part.element)) for part in robot.left_out] == [
        ("link", "c", "c", 4), ("link", "d", "d", 5), ("link", "e", "e", 6),
        ("joint", "j", "j", 8), ("joint", "k", "k", 9), ("joint", "l", "l", 10)]
    assert {part.reason for part in robot.left_out} == {"on a loop of joints that is not connected to the root"}


def test_a_joint_that_leads_from_a_link_to_the_same_is_named():
    """libsdformat 12 loads such a robot without the links."""
    _, found = read(*map(urdf_text.link, "abc"), joint("i", "b", "b"), joint("j", "b", "c"))
    assert [(d.message, d.hint, d.related[0].line) for d in found] == [(
        f"link {name!r} is left out, because nothing connects it to the root 'a': "
        "joint 'i' has its child as its parent",
        "correct the parent or child of joint 'i'", 5) for name in "bc"]


@pytest.mark.parametrize("links, joints, hint", [
    # A link that was renamed: neither the root nor another child is meant.
    (["base_link", "camera_lnk", "camera_lens"], [("base_link", "camera_link"), ("base_link", "camera_lens")],
     "did you mean 'camera_lnk'?"),
    (["base_link", "cam"], [("base_link", "camera_link")], "define the link, or correct the name"),
    (["base", "arm_a", "arm_b_"], [("base", "arm_a"), ("arm_a", "arm_b")], "did you mean 'arm_b_'?"),
    (["arm", "am", "hand"], [("am", "arm"), ("arm", "arn")], "define the link, or correct the name"),
    (["arm", "hand"], [("arn", "hand")], "did you mean 'arm'?")])
def test_a_child_that_is_meant_is_the_child_of_no_other_joint(links, joints, hint):
    _, (found,) = read(*map(urdf_text.link, links), *[joint(f"j{i}", *ends) for i, ends in enumerate(joints)])
    assert (found.name, found.hint) == ("joint-link-unknown", hint)


def test_a_tree_may_branch_and_stand_in_any_order():
    robot, found = read(joint("i", "b", "d"), joint("j", "a", "b"), joint("k", "a", "c"), joint("l", "b", "e"),
                        *map(urdf_text.link, "edcba"))
    assert found == () and robot.left_out == () and robot.root == "a"
    assert [l.name for l in robot.links] == list("edcba") and [j.name for j in robot.joints] == list("ijkl")
