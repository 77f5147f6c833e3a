"""Joints of SDFormat as joints of a URDF: axes, limits, dynamics and mimics, and the tree that they make."""
from __future__ import annotations

import pytest
from urdf_text import with_lines
from written_text import convert_to_urdf

from sdf_frames.convert import urdf_joints
from sdf_frames.frames.forest import find_top
from sdf_frames.load import load_text
from sdf_frames.urdf.model import Dynamics, Joint, Limit, Mimic, Origin

LINKS = '<link name="a"/><link name="b"><pose>1 2 3 0 0 0</pose></link><link name="c"/>'
ANY = 1e16  # written for no limit


def joint(axis="", kind="revolute", name="j", child="b"):
    return (f'<joint name="{name}" type="{kind}"><parent>a</parent><child>{child}</child>'
            f'{axis and f"<axis>{axis}</axis>"}</joint>')


def find_joint(conversion, name="j"):
    return {joint.name: joint for joint in conversion.robot.joints}[name]


@pytest.mark.parametrize("kind, axis, type, xyz, limit", [
    ("revolute", "<xyz>0 0 1</xyz><limit><lower>-1</lower><upper>2</upper><effort>3</effort><velocity>4</velocity>"
     "</limit>", "revolute", (0, 0, 1), Limit(-1, 2, 3, 4)),
    # Not limited on both sides: continuous.
    ("revolute", "<xyz>0 2 0</xyz>", "continuous", (0, 2, 0), None),
    ("revolute", "<xyz>0 0 1</xyz><limit><lower>-1e15</lower><upper>1e15</upper></limit>", "continuous", (0, 0, 1),
     None),
    ("revolute", "<xyz>0 0 1</xyz><limit><effort>-1</effort><velocity>-1</velocity></limit>", "continuous", (0, 0, 1),
     None),
    # A <limit> that states either is kept.
    ("revolute", "<xyz>0 0 1</xyz><limit><effort>2</effort></limit>", "continuous", (0, 0, 1), Limit(0, 0, 2, ANY)),
    ("revolute", "<xyz>0 0 1</xyz><limit><velocity>1e16</velocity></limit>", "continuous", (0, 0, 1),
     Limit(0, 0, ANY, 1e16)),
    # Limited on one side: revolute.
    ("revolute", "<xyz>0 0 1</xyz><limit><lower>-1</lower></limit>", "revolute", (0, 0, 1), Limit(-1, ANY, ANY, ANY)),
    ("revolute", "<xyz>0 0 1</xyz><limit><upper>-2</upper></limit>", "revolute", (0, 0, 1), Limit(-ANY, -2, ANY, ANY)),
    ("revolute", "<xyz>0 0 1</xyz><limit><lower>-9e14</lower><upper>1e15</upper></limit>", "revolute", (0, 0, 1),
     Limit(-9e14, ANY, ANY, ANY)),
    ("revolute", "<xyz>0 0 1</xyz><limit><lower>-1e15</lower><upper>9e14</upper></limit>", "revolute", (0, 0, 1),
     Limit(-ANY, 9e14, ANY, ANY)),
    # Effort and velocity: negative or at least 1e16 is no limit; zero is one.
    ("continuous", "<xyz>0 0 1</xyz><limit><effort>0</effort><velocity>-1</velocity></limit>", "continuous", (0, 0, 1),
     Limit(0, 0, 0, ANY)),
    ("prismatic", "<xyz>0 0 1</xyz><limit><effort>-1</effort><velocity>0</velocity></limit>", "prismatic", (0, 0, 1),
     Limit(-ANY, ANY, ANY, 0)),
    ("prismatic", "<xyz>0 0 1</xyz><limit><effort>1e16</effort><velocity>9e15</velocity></limit>", "prismatic",
     (0, 0, 1), Limit(-ANY, ANY, ANY, 9e15)),
    # Without an axis: about or along z, as SDFormat has it.
    ("revolute", "", "continuous", (0, 0, 1), None),
    ("prismatic", "", "prismatic", (0, 0, 1), Limit(-ANY, ANY, ANY, ANY)),
    ("fixed", "", "fixed", None, None), ("ball", "", "floating", None, None)])
def test_type_axis_and_limits(kind, axis, type, xyz, limit, to_robot):
    conversion = to_robot(LINKS + "\n" + joint(axis, kind))
    assert with_lines(find_joint(conversion)) == Joint("j", type, "a", "b", Origin((1, 2, 3)), xyz, limit, element=2)


@pytest.mark.parametrize("kind", ["continuous", "revolute"])
def test_a_continuous_joint_is_written_without_lower_and_upper(kind):
    """The check of a URDF warns of them (R043)."""
    inside = LINKS + joint("<xyz>0 0 1</xyz><limit><effort>5</effort></limit>", kind)
    text = convert_to_urdf(load_text(f'<sdf version="1.12"><model name="m">{inside}</model></sdf>'))[0]
    assert '<limit effort="5" velocity="1e+16"/>' in text
    assert "R043" not in [d.code for d in load_text(text).diagnostics]


@pytest.mark.parametrize("frame, xyz", [
    ("", (0, 2, 0)), ("j", (0, 2, 0)),     # as written, in the joint's own frame
    ("turned", (-1, 0, 0)), ("__model__", (0, 1, 0))])  # of unit length, in the joint's frame
def test_an_axis_in_another_frame_is_turned_into_the_joints(frame, xyz, to_robot):
    axis = f'<xyz expressed_in="{frame}">0 2 0</xyz>' if frame else "<xyz>0 2 0</xyz>"
    turned = '<frame name="turned"><pose>0 0 0 0 0 1.5707963267948966</pose></frame>'
    assert find_joint(to_robot(LINKS + joint(axis) + turned)).axis == pytest.approx(xyz, abs=1e-15)


@pytest.mark.parametrize("inside, dynamics", [
    ("", None), ("<dynamics/>", None), ("<dynamics><damping>0.5</damping></dynamics>", Dynamics(0.5, 0)),
    ("<dynamics><friction>0.25</friction></dynamics>", Dynamics(0, 0.25)),
    ("<dynamics><damping>0.5</damping><friction>0.25</friction></dynamics>", Dynamics(0.5, 0.25))])
def test_damping_and_friction(inside, dynamics, to_robot):
    assert find_joint(to_robot(LINKS + joint(f"<xyz>0 0 1</xyz>{inside}"))).dynamics == dynamics


def test_the_reference_of_a_mimic_goes_into_its_offset(to_robot):
    """SDFormat: q = multiplier · (q_leader − reference) + offset; URDF has no reference."""
    mimic = '<mimic joint="k"><multiplier>3.0</multiplier><offset>1</offset><reference>0.5</reference></mimic>'
    conversion = to_robot(LINKS + joint(f"<xyz>0 0 1</xyz>{mimic}") + joint("<xyz>0 0 1</xyz>", name="k", child="c"))
    assert find_joint(conversion).mimic == Mimic("k", 3, -0.5) and find_joint(conversion, "k").mimic is None


def test_a_loop_is_found_without_a_walk_up_the_chain_for_each_joint():
    """A chain of 300 joints in any order, closed at its end: one joint is dropped, and few links are looked at."""
    n = 300
    order = [(7 * i) % n for i in range(n)]
    links = "".join(f'<link name="l{i}"/>' for i in range(n))
    joints = "".join(f'<joint name="j{i}" type="revolute"><parent>l{i}</parent><child>l{(i + 1) % n}</child>'
                     "<axis><xyz>0 0 1</xyz></axis></joint>" for i in order)
    loaded = load_text(f'<sdf version="1.12"><model name="m">{links}{joints}</model></sdf>')

    class Above(dict):
        looks = 0

        def get(self, *key):
            Above.looks += 1
            return super().get(*key)
    above = Above()
    for i in order:
        find_top(above, i)
        if i != order[-1]:
            above[i + 1] = i
    assert Above.looks < 20 * n  # walks to the top are 45,150
    _, rows, found, _ = convert_to_urdf(loaded)
    assert [d.name for d in found if d.severity != "info"].count("urdf-joint-dropped") == 1
    assert [row.name for row in rows if row.element == "joint" and row.action == "to-frame"] == [f"j{order[-1]}"]


def find(joints, names="abcde"):
    """Parents of the links by name, and the joints that are dropped, for joints as (name, parent, child)."""
    links = "".join(f'<link name="{name}"/>' for name in names)
    text = "".join(f'<joint name="{name}" type="fixed"><parent>{parent}</parent><child>{child}</child></joint>'
                   for name, parent, child in joints)
    graph = load_text(f'<sdf version="1.12"><model name="m">{links}{text}</model></sdf>').graphs[0]
    parents, loops = urdf_joints.find_parents(graph, {})
    return {graph.names[child]: (above.parent and graph.names[above.parent], graph.names[above.joint], above.prefix)
            for child, above in parents.items()}, [graph.names[edge.joint] for edge in loops]


def test_which_joints_are_in_the_tree():
    """The first joint above a link counts; one that would close a circle is dropped, also far up in the tree."""
    assert find([("j", "a", "b"), ("k", "c", "b")]) == ({"b": ("a", "j", "")}, ["k"])
    assert find([("j", "a", "b"), ("k", "b", "a")]) == ({"b": ("a", "j", "")}, ["k"])
    chain = [("ab", "a", "b"), ("bc", "b", "c"), ("cd", "c", "d")]
    above = {"b": ("a", "ab", ""), "c": ("b", "bc", ""), "d": ("c", "cd", "")}
    assert find([*chain, ("da", "d", "a")]) == (above, ["da"])
    assert find([*chain, ("ea", "e", "a"), ("de", "d", "e")]) == ({**above, "a": ("e", "ea", "")}, ["de"])
    assert find([*chain, ("da", "d", "a"), ("ea", "e", "a")]) == ({**above, "a": ("e", "ea", "")}, ["da"])


def test_a_second_parent_is_no_loop(to_robot):
    """Without directions, a -> c <- d -> e is a tree, and a -> b -> c <- a has a loop, also through the world."""
    for edges, loops in (("ac dc de", {"dc": False}), ("ab bc ac", {"ac": True}), ("dc ac ad", {"ac": True}),
                         ("wa ab wb", {"wb": True}), ("ac dc wc", {"dc": False, "wc": False})):
        joints = [(one, "world" if one[0] == "w" else one[0], one[1]) for one in edges.split()]
        content = "".join(f'<joint name="{name}" type="fixed"><parent>{parent}</parent><child>{child}</child></joint>'
                          for name, parent, child in joints)
        found = to_robot("".join(f'<link name="{name}"/>' for name in "abcde") + content).diagnostics
        dropped = [d for d in found if d.name == "urdf-joint-dropped"]
        assert {d.message.split("'")[1]: "loop" in d.message and "loop" in d.hint for d in dropped} == loops
    assert dropped[0].message == (
        "joint 'dc' is not in the URDF: its child is also the child of joint 'ac', and a link of a URDF has one parent")
    assert dropped[0].hint == (
        "in the SDF, exchange parent and child of joint 'dc' and of each joint above it, negate the axes, and write "
        "each <pose> relative to the old child; these links mark the joint: d_dc, c_dc")


@pytest.mark.parametrize("world", [0, 1])
def test_the_hint_for_a_second_parent_exchanges_no_joint_with_the_world(world, to_robot):
    """With joint k exchanged as the hint says, the tree has both joints: no link of a URDF is above the world."""
    def convert(k):
        joints = [f'<joint name="{name}" type="revolute">{pose}<parent>{parent}</parent><child>{child}</child><axis>'
                  f"<xyz>{x} 0 0</xyz></axis></joint>" for name, parent, child, x, pose in (k, ("j", "x", "b", 1, ""))]
        fixed = '<joint name="x" type="fixed"><parent>world</parent><child>x</child></joint>'
        return to_robot(LINKS + '<link name="x"/>' + fixed + "".join(joints[::-1] if world else joints))
    (finding,) = [d for d in convert(("k", "a", "b", 1, "")).diagnostics if d.name == "urdf-joint-dropped"]
    assert "exchange parent and child of joint 'k' and" in finding.hint
    robot = convert(("k", "b", "a", -1, '<pose relative_to="b"/>')).robot
    joints = {joint.name: (joint.parent, joint.child, joint.axis) for joint in robot.joints}
    assert joints["j"] == ("x", "b", (1, 0, 0)) and joints["k"][::2] == ("b", (-1, 0, 0))


def test_the_world_is_above_and_in_no_circle():
    assert find([("w", "world", "a"), ("j", "a", "b"), ("x", "world", "b")]) == (
        {"a": (None, "w", ""), "b": ("a", "j", "")}, ["x"])


def test_joints_without_an_end_are_no_part_of_the_tree():
    assert find([("j", "nowhere", "b"), ("k", "a", "nowhere"), ("l", "a", "c")]) == ({"c": ("a", "l", "")}, [])
