"""Moving joints as the mechanism of a scope has them: axes, limits, mimics, pitch; and which frames they carry."""
from __future__ import annotations

from math import inf, pi

import numpy as np
import pytest
from urdf_text import joint as urdf_joint
from urdf_text import link, robot

from sdf_frames.frames.joint_tracker import JointTracker
from sdf_frames.frames.kinematics import JointAxis, Limits, Mimic, MovingJoint, find_position, move_joint
from sdf_frames.frames.mechanism import build_mechanism
from sdf_frames.frames.tf import build_tf_tree
from sdf_frames.load import load_text
from sdf_frames.spatial.pose import IDENTITY
from sdf_frames.urdf.model import JOINT_TYPES, JointType

LINKS = '<link name="a"/><link name="b"><pose>0 0 2 0 0 0</pose></link><link name="c"/>'
Z = (0.0, 0.0, 1.0)
AXIS = "<axis><xyz>0 0 3</xyz>{}</axis>"


def joint(kind, inside="", name="j", child="b"):
    return f'<joint name="{name}" type="{kind}"><parent>a</parent><child>{child}</child>{inside}</joint>'


def build(body, **more):
    return build_mechanism(load_text(f'<sdf version="1.12"><model name="m">{body}</model></sdf>').scopes[0], **more)


def build_robot(*parts, renamed=None):
    loaded = load_text(robot(*parts))
    return build_mechanism(loaded.scopes[0], loaded.robot, renamed)


@pytest.mark.parametrize("kind, inside, axes, pitch", [
    ("revolute", AXIS.format(""), [JointAxis(Z)], 0), ("prismatic", AXIS.format(""), [JointAxis(Z)], 0),
    ("ball", "", [], 0), ("screw", AXIS.format(""), [JointAxis(Z)], 1 / (2 * pi)),
    ("universal", AXIS.format("") + "<axis2><xyz>4 0 0</xyz></axis2>", [JointAxis(Z), JointAxis((1, 0, 0))], 0),
    ("revolute2", AXIS.format("") + "<axis2><xyz>4 0 0</xyz></axis2>", [JointAxis(Z), JointAxis((1, 0, 0))], 0),
    # A second axis where there is one only means nothing, and neither do limits of a joint without any.
    ("revolute", AXIS.format("") + "<axis2><xyz>4 0 0</xyz></axis2>", [JointAxis(Z)], 0),
    ("continuous", AXIS.format("<limit><lower>-1</lower><effort>3</effort></limit>"), [JointAxis(Z)], 0)])
def test_each_type_of_joint(kind, inside, axes, pitch):
    """The child is at the joint, which is 0.5 above it."""
    mechanism = build(LINKS + joint(kind, "<pose>0 0 0.5 0 0 0</pose>" + inside))
    place = mechanism.index["b"]
    assert mechanism.carried == {"j": place}
    assert mechanism.joints == {place: MovingJoint("j", kind, tuple(axes), (0, 0, -0.5, 1, 0, 0, 0), pitch)}


@pytest.mark.parametrize("kind, inside", [
    ("fixed", ""), ("revolute", ""), ("gearbox", AXIS.format("") + "<axis2><xyz>4 0 0</xyz></axis2>"),
    ("universal", AXIS.format("")), ("revolute", AXIS.format("").replace("0 0 3", "0 0 0")),
    ("revolute", AXIS.format("").replace("<xyz>", '<xyz expressed_in="nowhere">'))])
def test_joints_that_move_nothing(kind, inside):
    assert build(LINKS + joint(kind, inside)).joints == {}


@pytest.mark.parametrize("inside, limits", [
    ("", Limits()), ("<lower>-1</lower><upper>2</upper><effort>3</effort><velocity>4</velocity>", Limits(-1, 2, 3, 4)),
    ("<lower>-1e16</lower><upper>1e16</upper><effort>1e16</effort><velocity>1e16</velocity>", Limits()),
    ("<lower>-1e15</lower><upper>1e15</upper>", Limits()),  # as to-urdf and graph take them
    ("<lower>-9e14</lower><upper>9e14</upper>", Limits(-9e14, 9e14)),
    ("<effort>-1</effort><velocity>-1</velocity>", Limits()),
    ("<effort>0</effort><velocity>0</velocity>", Limits(-inf, inf, 0, 0)),
    ("<lower>0</lower><upper>0</upper>", Limits(0, 0))])
def test_limits(inside, limits):
    (moving,) = build(LINKS + joint("revolute", AXIS.format(f"<limit>{inside}</limit>"))).joints.values()
    assert moving.axes == (JointAxis(Z, limits),)


def test_mimics():
    """The reference goes into the offset; names are those in the scope."""
    mimic = ('<mimic joint="{}"{}><multiplier>3</multiplier><offset>1</offset><reference>0.5</reference></mimic>')
    inner = ('<model name="n"><link name="a"/><link name="b"/><link name="c"/>'
             + joint("revolute", AXIS.format(mimic.format("u", ' axis="axis2"')))
             + joint("universal", AXIS.format("") + "<axis2><xyz>1 0 0</xyz></axis2>", "u", "c") + "</model>")
    joints = {moving.name: moving for moving in build(LINKS + inner).joints.values()}
    assert joints["n::j"].axes[0].mimic == Mimic("n::u", 3, -0.5, 1) and joints["n::u"].axes[1].mimic is None
    (moving,) = [m for m in build(LINKS + joint("revolute", AXIS.format(mimic.format("k", "")))
                                  + joint("revolute", AXIS.format(""), "k", "c")).joints.values() if m.name == "j"]
    assert moving.axes[0].mimic == Mimic("k", 3, -0.5, 0)


PARTS = "<axis xyz='{}'/><limit lower='-1' upper='2' effort='3' velocity='4'/>"


@pytest.mark.parametrize("kind, xyz, axes", [
    ("revolute", "0 3 4", [JointAxis((0, 0.6, 0.8), Limits(-1, 2, 3, 4))]),
    ("prismatic", "0 0 1", [JointAxis(Z, Limits(-1, 2, 3, 4))]),
    ("continuous", "0 0 1", [JointAxis(Z, Limits(-inf, inf, 3, 4))]),
    ("planar", "0 0 2", [JointAxis(Z, Limits(-inf, inf, 3, 4))]), ("floating", "0 0 1", [])])
def test_joints_of_a_robot(kind, xyz, axes):
    mechanism = build_robot(link("a", 1), link("b", 1), urdf_joint("j", kind, "a", "b", PARTS.format(xyz), xyz="0 0 2"))
    (moving,) = mechanism.joints.values()
    assert moving == MovingJoint("j", kind, tuple(axes)) and mechanism.carried == {"j": mechanism.index["b"]}
    assert mechanism.poses[mechanism.index["b"]] == (0, 0, 2, 1, 0, 0, 0)


def test_a_new_type_of_joint_needs_one_row(monkeypatch):
    """CONTRIBUTING says so."""
    monkeypatch.setitem(JOINT_TYPES, "slider", JointType(True, True, "prismatic"))
    (moving,) = build_robot(link("a", 1), link("b", 1), urdf_joint("j", "slider", "a", "b",
                                                                  PARTS.format("0 0 1"))).joints.values()
    assert moving == MovingJoint("j", "prismatic", (JointAxis(Z, Limits(-1, 2, 3, 4)),))


def test_which_frames_hang_where():
    """The frame f is on b; the joint's frame moves with its child, and x hangs on nothing."""
    mechanism = build(LINKS + joint("revolute", AXIS.format("")) + '<frame name="f" attached_to="b"/>'
                      '<frame name="x" attached_to="nowhere"/><frame name="y"><pose relative_to="x"/></frame>')
    names = {place: name for name, place in mechanism.index.items()}
    assert {names[i]: names.get(parent) for i, parent in enumerate(mechanism.parents) if i in names} == {
        "__model__": "a", "a": None, "b": "a", "c": "a", "j": "b", "f": "b"}
    assert mechanism.loose == frozenset() and mechanism.aliases == {}
    seen = set()
    for place in mechanism.order:
        assert mechanism.parents[place] in seen or mechanism.parents[place] == -1
        seen.add(place)


def test_a_frame_whose_body_is_unknown_is_loose():
    mechanism = build(LINKS + '<frame name="x" attached_to="nowhere"><pose relative_to="a">1 0 0 0 0 0</pose></frame>')
    assert mechanism.loose == frozenset([mechanism.index["x"]])


def follow(joint_name="lead", multiplier=2.0, offset=0.5, axis=0):
    return JointAxis(Z, mimic=Mimic(joint_name, multiplier, offset, axis))


LEAD = MovingJoint("lead", "revolute", (JointAxis(Z),))
TWO = MovingJoint("two", "universal", (JointAxis(Z), JointAxis((1.0, 0.0, 0.0))))
PLANE, FREE = MovingJoint("plane", "planar", (JointAxis(Z),)), MovingJoint("free", "floating", ())


@pytest.mark.parametrize("axes, given, position", [
    ([JointAxis(Z)], {}, (0,)), ([JointAxis(Z)], {"j": (3.0,)}, (3,)), ([JointAxis(Z)], {"j": (None,)}, (0,)),
    ([follow()], {"lead": (1.0,)}, (2.5,)), ([follow()], {}, (0.5,)), ([follow()], {"lead": (1.0,), "j": (7.0,)}, (7,)),
    # A leader that does not move is at zero; one whose state is a pose has no number to follow.
    ([follow("welded")], {}, (0.5,)), ([follow("free")], {"free": (1.0,) * 7}, (0,)), ([follow("free")], {}, (0,)),
    ([follow("plane")], {"plane": (1.0,) * 3}, (0,)), ([follow("plane")], {}, (0,)), ([follow("j")], {}, (0.5,)),
    ([follow("two", axis=1)], {"two": (5.0, 1.0)}, (2.5,)), ([follow("lead", axis=1)], {"lead": (1.0,)}, (0,)),
    ([JointAxis(Z), follow()], {"lead": (1.0,)}, (0, 2.5)), ([follow(), JointAxis(Z)], {"j": (None, 3.0)}, (0.5, 3)),
    ([JointAxis(Z), JointAxis(Z)], {"j": (4.0, None)}, (4, 0)), ([], {}, ())])
def test_the_position_of_a_joint(axes, given, position):
    moving = MovingJoint("j", "universal" if len(axes) == 2 else "revolute", tuple(axes))
    assert find_position(moving, given, {one.name: one for one in (moving, LEAD, TWO, PLANE, FREE)}, {}) == position


def test_joints_that_follow_each_other_in_a_circle():
    one, other = (MovingJoint(name, "revolute", (follow(leader),)) for name, leader in (("a", "b"), ("b", "a")))
    followed = {}
    # b is 2 · 0 + 0.5, since a does not follow itself.
    assert find_position(one, {}, {"a": one, "b": other}, followed) == (1.5,)
    assert find_position(other, {}, {"a": one, "b": other}, followed) == (0.5,)


def test_a_long_chain_of_followers_takes_linear_time():
    """Each joint is a millimetre ahead of its leader. Walked anew for each joint, these are 200 million steps."""
    count = 20_000
    joints = {f"j{n}": MovingJoint(f"j{n}", "prismatic", (follow(f"j{n + 1}", 1.0, 0.001),)) for n in range(count)}
    joints[f"j{count}"] = MovingJoint(f"j{count}", "prismatic", (JointAxis(Z),))
    followed: dict = {}
    for n, joint in enumerate(joints.values()):
        (q,) = find_position(joint, {f"j{count}": (1.0,)}, joints, followed)
        assert q == pytest.approx(1 + 0.001 * (count - n))


def test_joints_without_a_position_stay_at_zero():
    for kind in ("ball", "floating"):
        assert move_joint(MovingJoint("j", kind, ()), ()) == IDENTITY
    planar = MovingJoint("j", "planar", (JointAxis(Z),))
    assert move_joint(planar, (0.0,)) == IDENTITY and move_joint(planar, (1.0, 2.0, 0.0)) == (1, 2, 0, 1, 0, 0, 0)


@pytest.mark.parametrize("kind, q, X", [
    ("revolute", (pi,), (0, 0, 0, 0, 0, 0, 1)), ("continuous", (pi,), (0, 0, 0, 0, 0, 0, 1)),
    ("prismatic", (2.0,), (0, 0, 2, 1, 0, 0, 0)), ("screw", (pi,), (0, 0, 0.5 * pi, 0, 0, 0, 1)),
    ("ball", (0.0, 1.0, 0.0, 0.0), (0, 0, 0, 0, 1, 0, 0)),
    ("floating", (1.0, 2.0, 3.0, 0.0, 1.0, 0.0, 0.0), (1, 2, 3, 0, 1, 0, 0))])
def test_the_pose_at_a_position(kind, q, X):
    axes = () if kind in ("ball", "floating") else (JointAxis(Z),)
    assert move_joint(MovingJoint("j", kind, axes, pitch=0.5), q) == pytest.approx(X, abs=1e-15)


def track(body, **options):
    graph = load_text(f'<sdf version="1.12"><model name="m">{body}</model></sdf>').graphs[0]
    return JointTracker([t for t in build_tf_tree(graph, motions=True).transforms if t.steps], **options)


def test_steps_between_frames():
    """A fixed pose, the motion, a fixed pose of the child; of two joints on the way to one frame, one step each."""
    text = LINKS + joint("revolute", "<pose>0 0 0.5 0 0 0</pose>" + AXIS.format(""))
    (edge,) = track(text).edges
    assert (edge.parent, edge.child) == ("a", "b")
    ((X_PJ, moving),) = edge.steps
    assert (X_PJ[:3], moving.name, moving.X_JC[:3]) == ((0, 0, 2.5), "j", (0, 0, -0.5))


def list_stamps(moved):
    return sorted(zip(moved.edges.tolist(), np.broadcast_to(moved.stamps, len(moved.edges)).tolist()))


def test_stamps_of_followers_are_the_latest_of_their_leaders():
    """The second axis of u follows k, the first j; v follows the first axis of u."""
    mimic = '<mimic joint="{}"><multiplier>1</multiplier></mimic>'
    axes = AXIS.format(mimic.format("j")) + AXIS.format(mimic.format("k")).replace("axis>", "axis2>")
    links = '<link name="d"/><link name="e"/>'
    tracker = track(LINKS + links + joint("prismatic", AXIS.format("")) + joint("prismatic", AXIS.format(""), "k", "c")
                    + joint("universal", axes, "u", "d") + joint("revolute", AXIS.format(mimic.format("u")), "v", "e"))
    tracker.hear(("j",), [1.0], 3)
    assert list_stamps(tracker.take(1)) == [(0, 3), (1, 1), (2, 3), (3, 3)]
    tracker.hear(("k",), [1.0], 7)
    assert list_stamps(tracker.take()) == [(1, 7), (2, 7)]
    tracker.hear(("j",), [2.0], 5)
    assert list_stamps(tracker.take()) == [(0, 5), (2, 7), (3, 5)]


def test_what_only_the_urdf_has_is_found_by_name_if_its_place_is_a_number():
    """The hub is massless behind a joint that moves; what is fixed to it overflows."""
    parts = [link("base", 1), link("hub"), link("tip"),
             urdf_joint("turn", "continuous", "base", "hub", xyz="1e308 0 0"),
             urdf_joint("weld", "fixed", "hub", "tip", xyz="1e308 0 0")]
    mechanism = build_robot(*parts)
    assert set(mechanism.index) == {"__model__", "base", "hub", "turn"}
    assert [joint.pitch for joint in mechanism.joints.values()] == [0.0]


def test_frames_that_nothing_carries_are_loose_unless_the_static_model_does():
    """In a static model, frames are on the model itself, which is the first frame."""
    lost = '<frame name="f" attached_to="nowhere"><pose relative_to="__model__"/></frame><frame name="g"/>'
    for static in ("", "<static>true</static>"):
        mechanism = build(f'{static}<link name="a"/>{lost}')
        assert [name for name, i in mechanism.index.items() if i in mechanism.loose] == ["f"]
