"""The tree of links that a URDF is: which joints are in it, and which would close a loop."""
from __future__ import annotations

from sdf_frames.api.to_urdf import convert_to_urdf
from sdf_frames.convert import joint_tree
from sdf_frames.frames.forest import find_top
from sdf_frames.load import load_text


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
    _, rows, found = convert_to_urdf(loaded)
    assert [d.name for d in found if d.severity != "info"].count("urdf-joint-dropped") == 1
    assert [row.name for row in rows if row.element == "joint" and row.action == "dropped"] == [f"j{order[-1]}"]


def test_links_and_joints_are_written_from_the_root_down():
    """As the conversion to SDF visits them: children by the name of their joint, each subtree in one piece."""
    links = "".join(f'<link name="{name}"/>' for name in ("hand", "foot", "base", "knee"))
    ends = {"z": ("base", "foot"), "a": ("base", "knee"), "m": ("knee", "hand")}
    joints = "".join(f'<joint name="{name}" type="fixed"><parent>{parent}</parent><child>{child}</child></joint>'
                     for name, (parent, child) in ends.items())
    frame = '<frame name="eye" attached_to="knee"/>'
    text = f'<sdf version="1.12"><model name="m" canonical_link="base">{links}{joints}{frame}</model></sdf>'
    robot = load_text(convert_to_urdf(load_text(text)).text).robot
    assert [link.name for link in robot.links] == ["base", "knee", "eye", "hand", "foot"]
    assert [joint.name for joint in robot.joints] == ["a", "eye_fixed", "m", "z"]


def find(joints, names="abcde"):
    """Parents of the links by name, and the joints that are dropped, for joints as (name, parent, child)."""
    links = "".join(f'<link name="{name}"/>' for name in names)
    text = "".join(f'<joint name="{name}" type="fixed"><parent>{parent}</parent><child>{child}</child></joint>'
                   for name, parent, child in joints)
    graph = load_text(f'<sdf version="1.12"><model name="m">{links}{text}</model></sdf>').graphs[0]
    parents, loops = joint_tree.find_parents(graph, {})
    return {graph.names[child]: (above.parent and graph.names[above.parent], graph.names[above.joint], above.prefix)
            for child, above in parents.items()}, [graph.names[vertex] for vertex in loops]


def test_which_joints_are_in_the_tree():
    """The first joint above a link counts; one that would close a circle is dropped, also far up in the tree."""
    assert find([("j", "a", "b"), ("k", "c", "b")]) == ({"b": ("a", "j", "")}, ["k"])
    assert find([("j", "a", "b"), ("k", "b", "a")]) == ({"b": ("a", "j", "")}, ["k"])
    chain = [("ab", "a", "b"), ("bc", "b", "c"), ("cd", "c", "d")]
    above = {"b": ("a", "ab", ""), "c": ("b", "bc", ""), "d": ("c", "cd", "")}
    assert find([*chain, ("da", "d", "a")]) == (above, ["da"])
    assert find([*chain, ("ea", "e", "a"), ("de", "d", "e")]) == ({**above, "a": ("e", "ea", "")}, ["de"])
    assert find([*chain, ("da", "d", "a"), ("ea", "e", "a")]) == ({**above, "a": ("e", "ea", "")}, ["da"])


def test_the_world_is_above_and_in_no_circle():
    assert find([("w", "world", "a"), ("j", "a", "b"), ("x", "world", "b")]) == (
        {"a": (None, "w", ""), "b": ("a", "j", "")}, ["x"])


def test_joints_without_an_end_are_no_part_of_the_tree():
    assert find([("j", "nowhere", "b"), ("k", "a", "nowhere"), ("l", "a", "c")]) == ({"c": ("a", "l", "")}, [])
