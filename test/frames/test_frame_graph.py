"""A whole frame graph, and what it says of unknown names. Expected values by hand."""
from __future__ import annotations

from math import pi

import pytest

from sdf_frames.convert.one_model import choose_model
from sdf_frames.frames.graph import BROKEN, SINK
from sdf_frames.frames.resolve import FrameRow, JointRow, count_consequences, express_scope
from sdf_frames.load import load_text


def load(inside, kind="model", attributes="", version="1.12"):
    return load_text(f'<sdf version="{version}"><{kind} name="m"{attributes}>{inside}</{kind}></sdf>')


# Frame by frame: what it is on, what its pose is relative to, and where that is. Only h and what is in n are turned.
NESTED = f"""<pose>9 0 0 0 0 0</pose>
<link name="a"/>
<link name="b"><pose relative_to="f">0 1 0 0 0 0</pose></link>
<joint name="j" type="revolute"><pose>0 0 1 0 0 0</pose><parent>q::l</parent><child>f</child>
  <axis><xyz>0 0 3</xyz></axis></joint>
<frame name="f" attached_to="n::g"><pose>1 0 0 0 0 0</pose></frame>
<frame name="h"><pose>0 0 5 0 0 {pi / 2!r}</pose></frame>
<model name="n"><pose relative_to="h">2 0 0 0 0 0</pose>
  <link name="l"/><frame name="g" attached_to="l"><pose>1 0 0 0 0 0</pose></frame>
  <joint name="k" type="universal"><pose relative_to="g"/><parent>world</parent><child>__model__</child>
    <axis><xyz expressed_in="__model__">0 1 0</xyz></axis><axis2><xyz>1 0 0</xyz></axis2></joint>
  <model name="o"><pose>0 0 1 0 0 0</pose><link name="p"/></model></model>
<model name="q"><static>true</static><pose>0 7 0 0 0 0</pose><link name="l"/></model>"""
NAMES = ["__model__", "a", "b", "j", "f", "h", "n", "q", "n::l", "n::k", "n::g", "n::o", "n::o::p", "q::l"]
S = 0.5 ** 0.5
TURNED = (S, 0, 0, S)
POSES = [(0, 0, 0, 1, 0, 0, 0), (0, 0, 0, 1, 0, 0, 0), (-1, 4, 5, *TURNED), (0, 4, 6, *TURNED), (0, 4, 5, *TURNED),
         (0, 0, 5, *TURNED), (0, 2, 5, *TURNED), (0, 7, 0, 1, 0, 0, 0), (0, 2, 5, *TURNED), (0, 3, 5, *TURNED),
         (0, 3, 5, *TURNED), (0, 2, 6, *TURNED), (0, 2, 6, *TURNED), (0, 7, 0, 1, 0, 0, 0)]


def test_a_whole_graph():
    graph = load(NESTED, attributes=' canonical_link="b"').graphs[0]
    assert (graph.kind, graph.name, graph.names) == ("model", "m", NAMES)
    assert graph.kinds == ["model", "link", "link", "joint", "frame", "frame", "model", "model", "link", "joint",
                           "frame", "model", "link", "link"]
    assert graph.attached == [2, SINK, SINK, 4, 10, 0, 8, SINK, SINK, 6, 8, 12, SINK, SINK]
    assert graph.relative == [SINK, 0, 4, 4, 10, 0, 5, 0, 6, 10, 8, 6, 11, 7]
    assert graph.bodies == [2, 1, 2, 8, 8, 2, 8, 7, 8, 8, 8, 12, 12, 13]
    assert graph.joints == [(3, ""), (9, "n::")]
    assert graph.vertices == {**{name: i for i, name in enumerate(NAMES)}, "n::__model__": 6, "n::o::__model__": 11,
                           "q::__model__": 7}
    assert [X[:3] for X in graph.raw] == [
        (9, 0, 0), (0, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 0, 5), (2, 0, 0), (0, 7, 0), (0, 0, 0), (0, 0, 0),
        (1, 0, 0), (0, 0, 1), (0, 0, 0), (0, 0, 0)]
    assert [graph.prefix(i) for i in (0, 1, 8, 11, 12)] == ["", "", "n::", "n::", "n::o::"]
    for X, expected in zip(graph.poses, POSES):
        assert X == pytest.approx(expected, abs=1e-12)
    assert graph.find("n::", "g") == 10 and graph.find("", "g") is None and graph.find("", "") is None


def test_a_whole_scope():
    scope = load(NESTED, attributes=' canonical_link="b"').scopes[0]
    assert (scope.kind, scope.name) == ("model", "m")
    assert [row[:5] for row in scope.frames] == [
        ("__model__", "model", "b", None, "b"), ("a", "link", None, None, "a"), ("b", "link", None, "f", "b"),
        ("j", "joint", "f", None, "n::l"), ("f", "frame", "n::g", None, "n::l"), ("h", "frame", None, None, "b"),
        ("n", "model", None, "h", "n::l"), ("q", "model", None, None, "q::__model__"),
        ("n::l", "link", None, None, "n::l"), ("n::k", "joint", "__model__", "g", "n::l"),
        ("n::g", "frame", "l", None, "n::l"), ("n::o", "model", None, None, "n::o::p"),
        ("n::o::p", "link", None, None, "n::o::p"), ("q::l", "link", None, None, "q::l")]
    turn, cross = scope.joints
    assert turn == JointRow("j", "revolute", "q::l", "n::l", ((0, (0.0, 0.0, 1.0)),))
    assert cross[:4] == ("n::k", "universal", "world", "n::l") and [index for index, _ in cross.axes] == [0, 1]
    assert cross.axes[0][1] == pytest.approx((0, 1, 0)) and cross.axes[1][1] == (1, 0, 0)


def test_poses_in_another_frame():
    """In g, which is at (0, 3, 5), turned by a quarter about z: what is along y from there is along its x."""
    scope = load(NESTED, attributes=' canonical_link="b"').scopes[0]
    rows = {row.name: row for row in express_scope(scope, "n::g").frames}
    assert rows["f"].pose == pytest.approx((1, 0, 0, 1, 0, 0, 0), abs=1e-12)
    assert rows["q"].pose == pytest.approx((4, 0, -5, S, 0, 0, -S), abs=1e-12)
    assert rows["f"][:5] == ("f", "frame", "n::g", None, "n::l") and express_scope(scope, "nowhere") is None


def test_poses_that_cannot_be_expressed():
    scope = load('<link name="a"/><frame name="f"><pose relative_to="x"/></frame>').scopes[0]
    for base in ("a", "f"):
        assert [row.pose is None for row in express_scope(scope, base).frames] == [base == "f", base == "f", True]
    far = '<link name="{}"><pose>{}1.5e308 0 0 0 0 0</pose></link>'
    scope = load(far.format("a", "") + far.format("b", "-")).scopes[0]
    assert [row.pose is None for row in express_scope(scope, "a").frames] == [False, False, True]


def test_frames_that_only_tf_has_can_be_the_reference_frame():
    scope = load('<pose>0 0 3 0 0 0</pose><link name="a"/><joint name="j" type="fixed"><parent>world</parent>'
                 "<child>a</child></joint>").scopes[0]
    assert scope.left_out == (FrameRow("world", "world", None, None, "world", (0, 0, -3, 1, 0, 0, 0)),)
    assert [row.pose[:3] for row in express_scope(scope, "world").frames] == [(0, 0, 3)] * 3
    assert express_scope(scope, "world").left_out[0].pose[:3] == (0, 0, 0)


@pytest.mark.parametrize("inside, count", [
    ('<frame name="f" attached_to="a"/>', 0), ('<frame name="f" attached_to="x"/>', 0),
    ('<frame name="f" attached_to="x"/><frame name="g" attached_to="f"/>', 1),
    ('<frame name="f"><pose relative_to="x"/></frame><frame name="g"><pose relative_to="f"/></frame>', 1),
    ('<frame name="f" attached_to="g"/><frame name="g" attached_to="f"/><frame name="h" attached_to="g"/>', 1),
    ('<frame name="f"><pose relative_to="g"/></frame><frame name="g"><pose relative_to="f"/></frame>', 0)])
def test_frames_that_are_lost_because_of_others(inside, count):
    assert count_consequences(load('<link name="a"/>' + inside).graphs[0]) == count


WORLD = ('<model name="one"><pose>1 0 0 0 0 0</pose><link name="a"/></model><model name="two"><pose>0 2 0 0 0 0</pose>'
         '<link name="b"><pose>0 0 3 0 0 0</pose></link></model>')


@pytest.mark.parametrize("inside, name, model, prefix, pose", [
    (WORLD, "two", "two", "two::", (0, 2, 0)), (WORLD, "one", "one", "one::", (1, 0, 0)), (WORLD, None, "m", "", None),
    (WORLD, "three", "m", "", None), (WORLD[:WORLD.index("<model name=\"two")], None, "one", "one::", (1, 0, 0))])
def test_one_model_of_a_world(inside, name, model, prefix, pose):
    graph, start, _ = choose_model(load(inside, "world").scopes[0], name)
    assert (graph.name, start, graph.kind) == (model, prefix, "model" if pose else "world")
    assert pose is None or graph.raw[0][:3] == pose


def test_a_root_model_is_the_one_meant():
    scope = load('<link name="a"/>').scopes[0]
    assert choose_model(scope, "whatever")[:2] == (scope.graph, "")


NOBODY = "name a frame of this scope, or define one of that name"
OUTSIDE = "that name exists outside of this model, but references can only use names inside of it"
POSE = "the pose of {} '{}' is relative to '{}', which is not in its scope"
M = '/sdf/model[@name="m"]'


@pytest.mark.parametrize("inside, message, line, path, hint", [
    ('\\n<frame name="f" attached_to="aa"/>', "frame 'f' is attached to 'aa', which is not in its scope", 2,
     '/frame[@name="f"]', "did you mean 'a'?"),
    ('<frame name="f">\\n<pose relative_to="aa"/></frame>', POSE.format("frame", "f", "aa"), 2,
     '/frame[@name="f"]/pose',
     "did you mean 'a'?"),
    ('<link name="k">\\n<pose relative_to="zzzz"/></link>', POSE.format("link", "k", "zzzz"), 2,
     '/link[@name="k"]/pose',
     NOBODY),
    ('<link name="k">\\n<pose relative_to="k"/></link>', "relative_to forms a cycle: k", 2, '/link[@name="k"]/pose',
     "make one of these poses relative to a frame outside the cycle"),
    ('<frame name="f" attached_to="model"/>', "frame 'f' is attached to 'model', which is not in its scope", 1,
     '/frame[@name="f"]', "did you mean '__model__'?"),
    ('<model name="n"><link name="l"/>\\n<frame name="f" attached_to="a"/></model>',
     "frame 'f' is attached to 'a', which is not in its scope", 2, '/model[@name="n"]/frame[@name="f"]', OUTSIDE),
    ('<model name="n"><link name="inner"/></model>\\n<frame name="f" attached_to="inner"/>',
     "frame 'f' is attached to 'inner', which is not in its scope", 2, '/frame[@name="f"]', "did you mean 'n::inner'?"),
    ('<joint name="j" type="fixed"><parent>world</parent>\\n<child>aa</child></joint>',
     "the child 'aa' of joint 'j' is not in its scope", 2, '/joint[@name="j"]/child', "did you mean 'a'?"),
    ('\\n<joint name="j" type="fixed"><parent>a</parent><child>j</child></joint>',
     "joint 'j' names itself as its child", 2,
     '/joint[@name="j"]', "name a link as the child"),
    ('<model name="n" canonical_link="ll"><link name="l"/></model>',
     "the canonical link 'll' of model 'n' does not exist", 1, '/model[@name="n"]', "did you mean 'l'?"),
    ('<model name="n"/>', "model 'n' has no link and no nested model", 1, '/model[@name="n"]',
     "add a link, or make the model static"),
    ('<model name="n" placement_frame="ll"><link name="l"/></model>', "the placement frame 'll' is not in model 'n'", 1,
     '/model[@name="n"]', "did you mean 'l'?")])
def test_references_that_lead_nowhere(inside, message, line, path, hint):
    found = [d for d in load('<link name="a"/>' + inside.replace("\\n", "\n")).diagnostics if d.severity == "error"]
    assert [(d.message, d.line, d.path.removeprefix(M), d.hint) for d in found] == [
        (message.replace("cycle: k", "cycle: k -> k"), line, path, hint)]
    graph = load('<link name="a"/>' + inside.replace("\\n", "\n")).graphs[0]
    assert BROKEN in graph.attached + graph.relative or "cycle" in message or "placement" in message


@pytest.mark.parametrize("version, hint", [
    ("1.7", "add a link, or make the model static"),
    ("1.6", "add a link, or make the model static; SDFormat 1.6 allowed such models, but libsdformat applies this "
            "rule of "
            "1.7 to every version")])
def test_a_model_without_links(version, hint):
    (finding,) = load("", version=version).diagnostics
    assert (finding.name, finding.message, finding.hint) == (
        "model-without-link", "model 'm' has no link and no nested model", hint)


@pytest.mark.parametrize("attached, inside, cycle, names", [
    ("f g", "", "f -> g -> f", ["frame 'g'"]), ("f g h", "", "f -> g -> h -> f", ["frame 'g'", "frame 'h'"]),
    ("f", "", "f -> f", [])])
def test_members_of_a_cycle(attached, inside, cycle, names):
    members = attached.split()
    text = "\n".join(f'<frame name="{name}" attached_to="{target}"/>'
                     for name, target in zip(members, [*members[1:], members[0]]))
    (finding,) = load('<link name="a"/>\n' + text).diagnostics
    assert finding.message == f"attached_to forms a cycle: {cycle}; no link carries these frames"
    assert (finding.line, finding.path) == (2, M + '/frame[@name="f"]')
    assert [(r.message, r.line, r.path) for r in finding.related] == [
        (name, 3 + i, f"{M}/frame[@name=\"{name[-2]}\"]") for i, name in enumerate(names)]
    text = text.replace("attached_to", "relative_to").replace('" relative_to', '"><pose relative_to').replace(
        "/>", "/></frame>")
    (finding,) = load('<link name="a"/>\n' + text).diagnostics
    assert finding.message == f"relative_to forms a cycle: {cycle}"
    assert (finding.line, finding.path) == (2, M + '/frame[@name="f"]/pose')


def test_two_cycles_are_two_findings():
    frames = "".join(f'<frame name="{a}" attached_to="{b}"/>' for a, b in ("fg", "gf", "hi", "ih"))
    poses = "".join(f'<frame name="{a}"><pose relative_to="{b}"/></frame>' for a, b in ("pq", "qp", "rs", "sr"))
    found = load('<link name="a"/>' + frames + poses).diagnostics
    assert [d.message.partition(": ")[2].partition(";")[0] for d in found] == ["f -> g -> f", "h -> i -> h",
        "p -> q -> p", "r -> s -> r"]


def test_a_cycle_through_a_joint_is_shown_at_its_child():
    text = ('<link name="a"/><joint name="j" type="fixed"><parent>a</parent>\n<child>f</child></joint>\n'
            '<frame name="f" attached_to="j"/>')
    (finding,) = load(text).diagnostics
    assert (finding.message.partition(";")[0], finding.line, finding.path) == (
        "attached_to forms a cycle: j -> f -> j", 2, M + '/joint[@name="j"]/child')
    assert [(r.message, r.line) for r in finding.related] == [("frame 'f'", 3)]


PLACED = '<model name="{0}" placement_frame="{1}"><pose{2}>5 0 0 0 0 0</pose><link name="l"/>{3}</model>'
F = '<frame name="f"><pose>1 2 0 0 0 0</pose></frame>'


def test_a_root_model_that_is_placed():
    graph = load(F + '<pose>5 0 0 0 0 0</pose><link name="l"/>', attributes=' placement_frame="f"').graphs[0]
    assert graph.raw[0] == (4, -2, 0, 1, 0, 0, 0) and graph.poses[0][:3] == (0, 0, 0)
    assert graph.poses[graph.vertices["f"]][:3] == (1, 2, 0)


@pytest.mark.parametrize("frame, relative, inside, expected", [
    ("f", "", F, (4, -2, 0)), ("f", ' relative_to="k"', F, (4, -2, 7)), ("l", "", "", (5, 0, 0)),
    ("l", "", '<frame name="l2"/>', (5, 0, 0)),
    # The frame is in a model that is placed itself: g is 1 along x there, and 4 - 2 = 2 from the middle one's frame.
    ("i::g", "", PLACED.format("i", "h", "", '<frame name="g"><pose>1 0 0 0 0 0</pose></frame><frame name="h"><pose>4 '
                                             '0 0 0 0 0'
                               "</pose></frame>"), (3, 0, 0))])
def test_a_nested_model_that_is_placed(frame, relative, inside, expected):
    text = '<link name="k"><pose>0 0 7 0 0 0</pose></link>' + PLACED.format("n", frame, relative, inside)
    loaded = load(text)
    assert loaded.valid, loaded.diagnostics
    graph = loaded.graphs[0]
    assert graph.poses[graph.vertices["n"]][:3] == expected
    at = graph.poses[graph.vertices[f"n::{frame}"]][:3]
    assert at == (5, 0, 7 if relative else 0)


@pytest.mark.parametrize("kind", ["model", "world"])
def test_a_placed_model_that_is_too_far(kind):
    text = PLACED.format("n", "f", "", '<frame name="f"><pose>-1.5e308 0 0 0 0 0</pose></frame>').replace(
        "<pose>5 ", "<pose>1.5e308 ")
    found = [d for d in load(('<link name="a"/>' if kind == "model" else "") + text, kind).diagnostics
             if d.name == "pose-overflow"]
    assert [d.message for d in found] == [f"the pose of model 'n' in the {kind} is too large for a floating-point "
                                          f"number"]


def test_a_placement_frame_that_leads_elsewhere():
    """f is not placed in its own model: where the model is cannot be said, and what is in it neither."""
    text = ('<link name="a"/><model name="n" placement_frame="f"><link name="l"/><frame name="f"><pose '
            'relative_to="x"/></frame>'
            "</model>")
    graph = load(text).graphs[0]
    assert [graph.poses[graph.vertices[name]] for name in ("n", "n::l", "n::f")] == [None] * 3
    assert graph.poses[graph.vertices["a"]] is not None


@pytest.mark.parametrize("name, message, hint", [
    ("__model__", "relative_to forms a cycle: n -> n", "make one of these poses relative to a frame outside the cycle"),
    ("n", POSE.format("model", "n", "n"), "name another frame: a pose cannot be relative to its own frame"),
    ("nn", POSE.format("model", "n", "nn"), "name a frame of this scope, or define one of that name")])
def test_a_model_of_a_world_knows_its_own_frame_as_model(name, message, hint):
    """Pose frame semantics 6. In a model, __model__ is the frame around."""
    model = f'<model name="n"><pose relative_to="{name}">1 0 0 0 0 0</pose><link name="l"/></model>'
    (finding,) = load(model, "world").diagnostics
    assert (finding.message, finding.hint) == (message, hint)
    if name == "__model__":
        loaded = load(f'<model name="o"><pose>0 0 1 0 0 0</pose><link name="k"/>{model}</model>', "world")
        graph = loaded.graphs[0]
        assert loaded.valid and graph.poses[graph.vertices["o::n"]][:3] == (1, 0, 1)
        graph = load('<link name="k"/>' + model).graphs[0]
        assert graph.poses[graph.vertices["n"]][:3] == (1, 0, 0)


@pytest.mark.parametrize("attributes, pose", [("", (1, 2, -6)), (' placement_frame="nowhere"', None)])
def test_the_pose_of_a_joint_in_the_world(attributes, pose):
    """Until 1.6, that of a joint whose child is the world; the model is 9 up, unless nobody knows where it is."""
    graph = load('<pose>0 0 9 0 0 0</pose><link name="b"/><joint name="j" type="fixed"><pose>1 2 3 0 0 0</pose>'
                 "<parent>b</parent><child>world</child></joint>", attributes=attributes, version="1.6").graphs[0]
    X = graph.poses[graph.vertices["j"]]
    assert (None if X is None else X[:3]) == pose
