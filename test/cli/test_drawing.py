"""What is drawn of a file: vertices and edges of each kind of graph. Expected graphs are worked out by hand."""
import pytest
from urdf_text import joint, link, robot

from sdf_frames.cli.drawing import describe_joint, draw_frame_graph, draw_kinematic, draw_robot, draw_tf_tree
from sdf_frames.load import load_text


def read(drawing):
    """Vertices by name, with their kind and whether they are broken, and edges by the names of their ends."""
    names = [vertex.label.split(" (")[0] for vertex in drawing.vertices]
    return ([(name, vertex.kind, vertex.broken) for name, vertex in zip(names, drawing.vertices)],
            [(names[edge.tail], names[edge.head], edge.label, edge.rigid, edge.broken) for edge in drawing.edges])


def load_model(inside, attributes=""):
    return load_text(f'<sdf version="1.11"><model name="m" {attributes}>{inside}</model></sdf>')


WORLD = load_text("""<sdf version="1.11"><world name="w"><model name="m"><link name="a"/><link name="b"/>
  <joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
  <joint name="k" type="fixed"><parent>a</parent><child>gone</child></joint>
  <frame name="f" attached_to="nowhere"><pose relative_to="lost"/></frame>
  <frame name="g" attached_to="h"/><frame name="h" attached_to="g"/><frame name="i" attached_to="g"/></model>
  <frame name="wf"><pose relative_to="m"/></frame></world></sdf>""")
SOUND = [("world", "world", False), ("wf", "frame", False), ("m", "model", False), ("m::a", "link", False),
         ("m::b", "link", False), ("m::j", "joint", False), ("m::k", "joint", False), ("m::f", "frame", False)]
CYCLE = [("m::g", "frame", True), ("m::h", "frame", True), ("m::i", "frame", False)]  # i only leads to the cycle


def edges(*ends, broken=()):
    """Without labels; those whose number is in `broken` are."""
    return [(tail, head, "", False, i in broken) for i, (tail, head) in enumerate(ends)]


def test_the_frame_graph_has_an_edge_for_each_attached_to():
    drawing = draw_frame_graph(WORLD.graphs[0], "frame")
    vertices, found = read(drawing)
    assert vertices == [*SOUND, *CYCLE, ("gone", "missing", True), ("nowhere", "missing", True)]
    assert found == edges(("wf", "world"), ("m", "m::a"), ("m::j", "m::b"), ("m::k", "gone"), ("m::f", "nowhere"),
                          ("m::g", "m::h"), ("m::h", "m::g"), ("m::i", "m::g"), broken=(3, 4, 5, 6))
    assert [vertex.label for vertex in drawing.vertices][9:12] == ["m::h (9)", "m::i (10)", "gone"]


def test_the_pose_graph_has_an_edge_for_each_relative_to():
    drawing = draw_frame_graph(WORLD.graphs[0], "pose")
    vertices, found = read(drawing)
    assert vertices == [*SOUND, *CYCLE, ("gone", "missing", True), ("lost", "missing", True)]
    assert found == edges(("m", "wf"), ("world", "m"), ("m", "m::a"), ("m", "m::b"), ("m::b", "m::j"),
                          ("gone", "m::k"), ("lost", "m::f"), ("m::h", "m::g"), ("m::g", "m::h"), ("m::g", "m::i"),
                          broken=(5, 6, 7, 8))


@pytest.mark.parametrize(("inside", "attributes", "name"), [
    ('<link name="a"/>', 'canonical_link="no"', "no"), ('<frame name="a"/>', "", "?")])
def test_a_model_without_its_canonical_link(inside, attributes, name):
    graph = load_model(inside, attributes).graphs[0]
    vertices, found = read(draw_frame_graph(graph, "frame"))
    assert vertices[0] == ("__model__", "model", False) and (name, "missing", True) in vertices
    assert ("__model__", name, "", False, True) in found


NESTED = load_model("""<model name="n"><static>true</static><link name="x"/></model><link name="a"/><link name="b"/>
  <joint name="j" type="fixed"><parent>world</parent><child>a</child></joint>
  <joint name="k" type="screw"><parent>a</parent><child>n</child></joint>
  <joint name="l" type="ball"><parent>b</parent><child>gone</child></joint>
  <joint name="o" type="ball"><parent>n::x</parent><child>b</child></joint>""")


def test_links_and_joints():
    drawing = draw_kinematic(NESTED.scopes[0])
    assert read(drawing) == (
        [("a", "link", False), ("b", "link", False), ("n::x", "link", False), ("world", "world", False),
         ("n::__model__", "model", False), ("gone", "missing", True)],
        [("world", "a", "j\nfixed", True, False), ("a", "n::__model__", "k\nscrew", False, False),
         ("b", "gone", "l\nball", False, True), ("n::x", "b", "o\nball", False, False)])


def test_the_tf_tree():
    """The frame of a joint is below its child; so is that of a model below its canonical link."""
    vertices, found = read(draw_tf_tree(NESTED))
    assert {name: kind for name, kind, _ in vertices} == {
        "world": "world", "m": "model", "n": "model", "a": "link", "b": "link", "n/x": "link", "j": "joint",
        "k": "joint", "o": "joint"}
    assert len(vertices) == 9 and not any(broken for *_, broken in vertices)
    assert sorted(found) == [
        ("a", "j", "", True, False), ("a", "m", "", True, False), ("b", "o", "", True, False),
        ("n", "k", "", True, False), ("n", "n/x", "", True, False), ("n/x", "b", "o\nball", False, False),
        ("world", "a", "", True, False), ("world", "n", "", True, False)]


AXIS = "<axis><xyz>0 0 1</xyz></axis>"
TWICE = f"""<link name="a"/><link name="b"/><link name="c"/>
  <joint name="j1" type="revolute"><parent>a</parent><child>b</child>{AXIS}</joint>
  <joint name="j2" type="prismatic"><parent>a</parent><child>c</child>{AXIS}</joint>"""


@pytest.mark.parametrize("second", [
    '<joint name="j3" type="ball"><parent>b</parent><child>c</child></joint>',
    f'<joint name="j3" type="gearbox"><parent>b</parent><child>c</child>{AXIS}{AXIS.replace("axis", "axis2")}'
    "<gearbox_reference_body>a</gearbox_reference_body></joint>"])
def test_a_link_below_two_joints_has_the_label_of_the_joint_that_the_tree_has(second):
    found = read(draw_tf_tree(load_model(TWICE + second)))[1]
    assert ("a", "b", "j1\nrevolute", False, False) in found and ("a", "c", "j2\nprismatic", False, False) in found


def test_a_joint_of_the_world_labels_the_link_that_it_holds():
    loaded = load_text(f"""<sdf version="1.11"><world name="w">
      <joint name="rail" type="prismatic"><parent>world</parent><child>m::a</child>{AXIS}</joint>
      <model name="m"><link name="a"/><link name="b"/>
      <joint name="r" type="revolute"><parent>b</parent><child>a</child>{AXIS}</joint></model></world></sdf>""")
    assert ("world", "m/a", "rail\nprismatic", False, False) in read(draw_tf_tree(loaded))[1]


URDF = robot(link("base", 1), link("arm", 1), link("hand", 1), link("eye", 1), link("wheel", 1),
             joint("elbow", "revolute", "base", "arm",
                   '<axis xyz="0 0 1"/><limit lower="-1.5" upper="2" effort="1" velocity="1"/>'),
             joint("rail", "prismatic", "arm", "hand",
                   '<axis xyz="0 0 1"/><limit lower="0" upper="0.25" effort="1" velocity="1"/><mimic joint="elbow"/>'),
             joint("weld", "fixed", "hand", "eye"),
             joint("roll", "continuous", "base", "wheel",
                   '<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'))


def test_joints_of_a_urdf_have_labels_as_written():
    labels = ["elbow\nrevolute, -1.5 to 2 rad", "rail\nprismatic, 0 to 0.25 m, mimics elbow", "roll\ncontinuous"]
    loaded = load_text(URDF)
    assert sorted(edge.label for edge in draw_robot(loaded.robot).edges) == [*labels, "weld\nfixed"]
    tree = read(draw_tf_tree(loaded))[1]
    assert sorted(label for *_, label, rigid, _ in tree if not rigid) == labels
    assert ("hand", "weld", "", True, False) in tree and ("weld", "eye", "", True, False) in tree


def limits(lower="", upper="", more=""):
    bounds = "".join(f"<{tag}>{value}</{tag}>" for tag, value in (("lower", lower), ("upper", upper)) if value)
    return f"<axis><xyz>0 0 1</xyz><limit>{bounds}</limit>{more}</axis>"


@pytest.mark.parametrize(("kind", "axes", "said"), [
    ("revolute", limits("-1", "1"), "revolute, -1 to 1 rad"),
    ("revolute", limits("-1e14", "1e14"), "revolute, -100000000000000 to 100000000000000 rad"),
    ("revolute", limits("-1e15", "1e15"), "revolute"),  # from here on there is no limit
    ("revolute", limits("-1e16", "1e16"), "revolute"),
    ("revolute", limits("-1e15", "2"), "revolute, up to 2 rad"),
    ("prismatic", limits("2", "1e15"), "prismatic, from 2 m"),
    ("revolute", limits("-inf", "inf"), "revolute"),
    ("screw", limits("0.123456", "3"), "screw, 0.1235 to 3 rad"),
    ("continuous", limits("-1", "1"), "continuous"),
    ("universal", limits("-1", "1") + limits("-2", "2").replace("axis>", "axis2>"),
     "universal, -1 to 1 rad, -2 to 2 rad"),
    ("revolute", limits("-1", "1", '<mimic joint="o"><multiplier>1</multiplier><offset>0</offset></mimic>'),
     "revolute, -1 to 1 rad, mimics o"),
    ("ball", "", "ball")])
def test_a_joint_in_words(kind, axes, said):
    loaded = load_model(f'<link name="a"/><link name="b"/><link name="c"/><joint name="o" type="revolute"><parent>a'
                        f'</parent><child>c</child><axis><xyz>0 0 1</xyz></axis></joint><joint name="j" type="{kind}">'
                        f"<parent>a</parent><child>b</child>{axes}</joint>")
    graph = loaded.graphs[0]
    (found,) = [graph.joint(vertex) for vertex, _ in graph.joints if graph.joint(vertex).name == "j"]
    assert describe_joint(found) == said
