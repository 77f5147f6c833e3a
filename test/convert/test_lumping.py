"""Lumping: recorded values, closed formulas, names, order."""
import numpy as np
import pytest
import urdf_text
from urdf_text import inertial, robot

from sdf_frames.document.elements import line_of

BOX = '<geometry><box size="1 1 1"/></geometry>'


def link(name, content=None):
    return urdf_text.link(name, 1 if content is None else None, content or "")


def joint(name, parent, child, xyz="0 0 0", rpy="0 0 0", kind="fixed"):
    return urdf_text.joint(name, kind, parent, child, xyz=xyz, rpy=rpy)


def test_inertia_as_libsdformat_17_gives_it(convert):
    # Recorded from the reference implementation.
    have, _, _ = convert(robot(
        link("base", inertial(2, "0.1 0 0", "0.1 0.2 0.3", (1, 1.5, 2), (0.01, 0, 0))),
        link("l1", inertial(1, "0 0 0.2", moments=(0.1, 0.1, 0.1))), joint("j1", "base", "l1", "0 0 1", "0 0 1.57")))
    mass, _, tensor = have.inertia("base")
    assert mass == 3
    assert list(map(float, have.links["base"].findtext("inertial/pose").split())) == pytest.approx(
        [0.0666666666666667, 0, 0.4, 0.1, 0.2, 0.3], abs=1e-15)
    assert tensor == pytest.approx(np.array([
        [1.9931695978813919, 0.042079136988978277, 0.25419731773259768],
        [0.042079136988978277, 2.5526651418852619, -0.1109490584120895],
        [0.25419731773259768, -0.1109490584120895, 2.18749859356668]]), rel=1e-12)


def test_turn_by_a_right_angle_of_pitch_is_exact(convert):
    # libsdformat takes a pitch this close to 90° for 90° itself.
    pitch = 1.5690
    have, _, _ = convert(robot(link("a", inertial(1, moments=(0, 0, 0))),
                               link("b", inertial(1, "1 0 0", f"0 {pitch} 0", (1, 2, 3))),
                               joint("j", "a", "b", rpy=f"0 {pitch} 0")))
    mass, X, tensor = have.inertia("a")
    c, s = np.cos(2 * pitch), np.sin(2 * pitch)
    R = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    com = np.array([np.cos(pitch), 0, -np.sin(pitch)])
    assert X[:3, 3] == pytest.approx(com / 2, abs=1e-15)
    d = com / 2
    want = R @ np.diag([1, 2, 3]) @ R.T + 2 * (d @ d * np.eye(3) - np.outer(d, d))
    assert tensor == pytest.approx(want, abs=1e-14)


def test_small_bodies_far_from_the_origin_keep_their_digits(convert):
    small = inertial(1e-3, "1000 0 0", moments=(1e-9, 1e-9, 1e-9))
    have, _, _ = convert(robot(link("a", small), link("b", small), joint("j", "a", "b")))
    assert np.diag(have.inertia("a")[2]) == pytest.approx([2e-9] * 3, rel=1e-12)


def test_a_frame_comes_after_the_one_that_it_is_attached_to(convert):
    """Drake misplaces a frame that comes before. Joints are named against the order of the tree."""
    have, _, _ = convert(robot(
        link("base"), link("l1"), link("l2"), link("m", ""), link("l3", ""), joint("j9", "base", "l1"),
        joint("j8", "l1", "l2"), joint("j7", "l2", "m"), joint("j6", "m", "l3"),
        '<gazebo><frame name="extra" attached_to="l3"/></gazebo>',
        '<gazebo reference="j7"><preserveFixedJoint>true</preserveFixedJoint></gazebo>'))
    known = set(have.links)
    for name, frame in have.frames.items():
        assert {frame.get("attached_to"), have.raw_pose(name)[0]} <= known
        known.add(name)
    assert known >= {"j9", "l1", "j8", "l2", "m", "j7", "l3", "extra"}
    assert have.body("l2") == "base"


def test_children_come_by_the_name_of_their_joint_in_byte_order(convert):
    have, _, _ = convert(robot(link("base"), link("a"), link("b"), joint("ja", "base", "a", kind="continuous"),
                               joint("Jb", "base", "b", kind="continuous")))
    assert list(have.links) == ["base", "b", "a"]


def test_names_of_lumped_shapes(convert):
    shapes = f"<collision>{BOX}</collision><collision name='c2'>{BOX}</collision><visual>{BOX}</visual>"
    have, _, _ = convert(robot(link("base", inertial(1) + shapes), link("base2", shapes), link("tip", shapes),
                               joint("j1", "base", "base2"), joint("j2", "base2", "tip")))
    assert [c.get("name") for c in have.links["base"].findall("collision")] == [
        "base_collision", "base_fixed_joint_lump__c2_collision_1", "base2_collision_2",
        "base_fixed_joint_lump__c2_collision_3",
        "base_fixed_joint_lump__tip_collision_4", "base_fixed_joint_lump__c2_collision_5"]
    assert [v.get("name") for v in have.links["base"].findall("visual")] == [
        "base_visual", "base2_visual_1", "base_fixed_joint_lump__tip_visual_2"]


@pytest.mark.parametrize("tags, options, kind", [
    ([], {}, None), ([], {"preserve_fixed_joints": True}, "fixed"),
    (["disableFixedJointLumping"], {}, "revolute"),
    (["disableFixedJointLumping"], {"preserve_fixed_joints": True}, "revolute"),
    (["preserveFixedJoint"], {}, "fixed"), (["preserveFixedJoint", "disableFixedJointLumping"], {}, "fixed"),
    (["disableFixedJointLumping", "preserveFixedJoint"], {}, "fixed"),
])
def test_preserve_beats_disable(tags, options, kind, convert):
    tags = "".join(f'<gazebo reference="j"><{t}>true</{t}></gazebo>' for t in tags)
    have, _, _ = convert(robot(link("a"), link("b"), joint("j", "a", "b"), tags), **options)
    assert (have.joints["j"].get("type") if "j" in have.joints else None) == kind
    if kind == "revolute":
        limit = have.joints["j"].find("axis/limit")
        assert (limit.findtext("lower"), limit.findtext("upper")) == ("0", "0")


@pytest.mark.parametrize("value", ["false", "no", "0", ""])
def test_switches_that_are_off_do_nothing(value, convert):
    have, _, _ = convert(robot(link("a"), link("b"), joint("j", "a", "b"),
                               f'<gazebo reference="j"><preserveFixedJoint>{value}</preserveFixedJoint></gazebo>'))
    assert not have.joints


def test_deep_chains_need_no_recursion(convert):
    n = 3000
    text = robot(*(link(f"l{i}") for i in range(n)),
                 *(joint(f"j{i}", f"l{i}", f"l{i + 1}", "0.001 0 0") for i in range(n - 1)))
    have, conversion, _ = convert(text)
    assert list(have.links) == ["l0"] and len(have.frames) == 2 * (n - 1)
    mass, X, _ = have.inertia("l0")
    assert mass == n and X[0, 3] == pytest.approx(0.001 * (n - 1) / 2)
    assert len(conversion.rows) == 2 * n - 1


def test_overflow_is_an_error_not_an_infinity(convert):
    have, _, found = convert(robot(link("a", inertial(1e308)), link("b", inertial(1e308)),
                                   joint("j", "a", "b", "1e200 0 0")))
    assert have is None and [d.name for d in found] == ["number-overflow"]


def test_numbers_too_small_for_libsdformat_are_zeros(convert):
    """It reads with C++'s stod, which refuses what is below the normal numbers."""
    from sdf_frames.document.numbers import read_number
    have, _, _ = convert(robot(link("a", inertial(products=("5e-324", "2.3e-308", "-1e-310")))))
    inertia = have.links["a"].find("inertial/inertia")
    assert [read_number(inertia.findtext(t)) for t in ("ixy", "ixz", "iyz")] == [0, 2.3e-308, 0]


def is_written(text, wanted):
    """Whether a text is just that, or after the word near, says that except for rounding."""
    near = wanted.removeprefix("near ")
    return text == wanted or near != wanted and list(map(float, text.split())) == pytest.approx(
        list(map(float, near.split())), abs=1e-14)


@pytest.mark.parametrize("weld, own, written", [
    # One of the two turns: its angles are as written. Both do: computed.
    (("1 2 3", "0 0 0"), ("0 0 1", "0.1 0.2 0.3"), "1 2 4 0.1 0.2 0.3"),
    (("1 2 3", "0.1 0.2 0.3"), ("0 0 0", "0 0 0"), "1 2 3 0.1 0.2 0.3"),
    (("0 0 0", "0 0 0"), ("1 2 3", "0.1 0.2 0.3"), "1 2 3 0.1 0.2 0.3"),
    (("0 0 0", "0 0 0"), ("0 0 0", "0 0 0"), "0 0 0 0 0 0"),
    (("1 2 3", "0 0 0.5"), ("0 0 4", "0 0 0"), "1 2 7 0 0 0.5"),
    (("1 2 3", "0 0 0.5"), ("0 0 4", "0 0 0.25"), "near 1 2 7 0 0 0.75")])
def test_the_pose_of_a_joint_below_a_lumped_link(weld, own, written, convert):
    have, _, _ = convert(robot(link("a"), link("b"), link("c"), joint("ab", "a", "b", *weld),
                               joint("bc", "b", "c", *own, kind="continuous")))
    assert is_written(have.joints["bc"].findtext("pose"), written)
    assert have.raw_pose("bc")[0] == "a"


@pytest.mark.parametrize("first, second, written", [
    (("1 0 0", "0 0 0"), ("0 2 0", "0 0 0"), "1 2 0 0 0 0"), (("1 0 0", "0 0 0.5"), (None, None), "1 0 0 0 0 0.5"),
    ((None, None), ("1 0 0", "0 0 0.5"), "1 0 0 0 0 0.5"),
    (("1 0 0", "0 0 0.5"), ("0 0 3", "0 0 0.25"), "near 1 0 3 0 0 0.75")])
def test_the_pose_of_a_shape_below_two_lumped_links(first, second, written, convert):
    def weld(name, parent, child, xyz, rpy):
        return urdf_text.joint(name, "fixed", parent, child, xyz=xyz or "", rpy=rpy or "")
    have, _, _ = convert(robot(link("a"), link("b"), link("c", inertial(1) + f"<visual>{BOX}</visual>"),
                               weld("ab", "a", "b", *first), weld("bc", "b", "c", *second)))
    assert is_written(have.links["a"].findtext("visual/pose"), written)


def test_what_is_lumped_into_a_frame_goes_to_the_frames_link(convert):
    """a -preserved- b -lumped- c -preserved- d, of which a alone has mass."""
    keep = '<gazebo reference="{}"><preserveFixedJoint>true</preserveFixedJoint></gazebo>'
    have, conversion, _ = convert(robot(
        link("a"), link("b", ""), link("c", f"<visual>{BOX}</visual>"), link("d", f"<visual>{BOX}</visual>"),
        joint("ab", "a", "b", "1 0 0", "0 0 0.5"), joint("bc", "b", "c", "0 0 2"), joint("cd", "c", "d", "0 0 3"),
        keep.format("ab"), keep.format("cd")))
    assert list(have.links) == ["a"] and list(have.frames) == ["b", "ab", "bc", "c", "d", "cd"]
    poses = [v.findtext("pose") for v in have.links["a"].findall("visual")]
    assert is_written(poses[0], "near 1 0 2 0 0 0.5") and is_written(poses[1], "near 1 0 5 0 0 0.5")
    assert [(have.frames[name].get("attached_to"), have.raw_pose(name)[0]) for name in have.frames] == [
        ("a", "a"), ("b", "a"), ("b", "b"), ("bc", "bc"), ("b", "b"), ("d", "b")]
    assert {row.name: (row.action, row.into) for row in conversion.rows if row.element == "link"} == {
        "a": ("kept", None), "b": ("to-frame", "a"), "c": ("lumped", "a"), "d": ("to-frame", "b")}


def test_a_body_has_the_axes_of_its_links_own_inertial_or_of_the_link(convert):
    """A massless root takes what is fixed to it: the sum is about the link's axes, at the other's centre of mass."""
    turned = inertial(2, "0 0 1", f"0 0 {np.pi / 2!r}", (1, 2, 2.5))
    have, conversion, _ = convert(robot(link("a", ""), "\n", link("b", turned), joint("ab", "a", "b", "1 0 0")))
    mass, X, tensor = have.inertia("a")
    assert mass == 2 and X[:3, 3] == pytest.approx([1, 0, 1]) and X[:3, :3] == pytest.approx(np.eye(3))
    assert tensor == pytest.approx(np.diag([2, 1, 2.5])) and line_of(conversion.inertials[0][1].element) == 2
    have, _, _ = convert(robot(link("a", turned), link("b", inertial(2, "0 0 1", moments=(1, 2, 2.5))),
                               joint("ab", "a", "b")))
    mass, X, tensor = have.inertia("a")
    assert X[:3, :3] == pytest.approx(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]))
    assert tensor == pytest.approx(np.diag([3, 3, 5]))


@pytest.mark.parametrize("moments, products, counts", [
    ((0, 0, 0), (0, 0, 0), False), ((0, 0, 1), (0, 0, 0), True), ((1, 0, 0), (0, 0, 0), True),
    ((0, 0, 0), (0, 0, 1), True)])
def test_a_massless_link_counts_by_its_tensor(moments, products, counts, convert):
    have, _, _ = convert(robot(link("a", inertial(1, "0.1 0 0")),
                               link("b", inertial(0, "5 5 5", "", moments, products)),
                               joint("ab", "a", "b")))
    assert have.links["a"].findtext("inertial/pose") == "0.1 0 0 0 0 0"  # without mass it moves no centre
    tensor = have.inertia("a")[2]
    assert (tensor == np.eye(3)).all() == (not counts)
