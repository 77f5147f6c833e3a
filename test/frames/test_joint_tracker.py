"""Positions of joints to transforms: every kind of joint, against values worked out by hand."""

from math import cos, isfinite, pi, sin, sqrt

import numpy as np
import pytest
from urdf_text import joint, robot
from urdf_text import link as urdf_link

import sdf_frames as sf
from sdf_frames.frames.joint_tracker import JointTracker
from sdf_frames.frames.tf import build_tf_tree
from sdf_frames.load import load_text

HALF = sqrt(0.5)
JOINT = "<joint name='{}' type='{}'><parent>{}</parent><child>{}</child>{}</joint>"
X, Y, Z = (f"<axis><xyz>{xyz}</xyz></axis>" for xyz in ("1 0 0", "0 1 0", "0 0 1"))


def track(text: str, *, ignore_stamps: bool = False, **naming) -> JointTracker:
    loaded = load_text(text)
    assert loaded.resolved, loaded.diagnostics
    tree = build_tf_tree(loaded.graphs[0], loaded.robot, motions=True, **naming)
    return JointTracker([t for t in tree.transforms if t.steps], ignore_stamps)


def sdf(*content: str) -> str:
    return f"<sdf version='1.12'><model name='m'><link name='base'/>{''.join(content)}</model></sdf>"


def link(name: str, pose: str = "0 0 0 0 0 0") -> str:
    return f"<link name='{name}'><pose>{pose}</pose></link>"


def sliders(j: str, k: str) -> str:
    """Two links on prismatic joints j and k, with these axes."""
    joints = [JOINT.format("j", "prismatic", "base", "a", j), JOINT.format("k", "prismatic", "base", "b", k)]
    return sdf(link("a"), link("b"), *joints)


def take(tracker: JointTracker, now: int | None = None) -> dict:
    """{child: (stamp, pose)} of what is to be published; None for a pose that is not finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        edges, stamps, poses = tracker.take(now)
    return {tracker.edges[number].child: (stamp, tuple(X) if all(map(isfinite, X)) else None)
            for number, stamp, X in zip(edges, np.broadcast_to(stamps, len(edges)).tolist(), poses.T.tolist())}


def near(X, *expected: float) -> bool:
    sign = 1 if sum(a * b for a, b in zip(X[3:], expected[3:])) >= 0 else -1
    return (*X[:3], *(sign * v for v in X[3:])) == pytest.approx(expected, abs=1e-12)


# The child a metre above the base; the joint where the child is.
@pytest.mark.parametrize("type_, more, position, expected", [
    ("revolute", Z, pi / 2, (0, 0, 1, HALF, 0, 0, HALF)),
    ("continuous", X, pi, (0, 0, 1, 0, 1, 0, 0)),
    ("prismatic", X, 0.25, (0.25, 0, 1, 1, 0, 0, 0)),
    # 0.1 m along the axis a turn
    ("screw", Z + "<screw_thread_pitch>0.1</screw_thread_pitch>", pi / 2, (0, 0, 1.025, HALF, 0, 0, HALF)),
    # The joint half a metre below its child: the child goes round it.
    ("revolute", "<pose>0 0 -0.5 0 0 0</pose>" + Y, pi / 2, (0.5, 0, 0.5, HALF, 0, HALF, 0)),
])
def test_joints_of_one_axis(type_, more, position, expected):
    tracker = track(sdf(link("a", "0 0 1 0 0 0"), JOINT.format("j", type_, "base", "a", more)))
    (stamp, X), = take(tracker, now=7).values()
    assert stamp == 7 and near(X, 0, 0, 1, 1, 0, 0, 0), "at zero until something is heard"
    tracker.hear(("j",), [position], 5)
    (stamp, X), = take(tracker).values()
    assert stamp == 5 and near(X, *expected)
    assert not take(tracker) and not take(tracker, now=8), "once"


def test_joints_of_two_axes():
    axes = X + Y.replace("axis>", "axis2>")
    tracker = track(sdf(link("a", "0 0 1 0 0 0"), JOINT.format("j", "universal", "base", "a", axes)))
    tracker.hear(("j",), [pi], 1)
    assert near(take(tracker)["a"][1], 0, 0, 1, 0, 1, 0, 0)
    tracker.hear(("j_axis2",), [pi], 2)
    # Half a turn about x, then about y, is half a turn about z.
    assert near(take(tracker)["a"][1], 0, 0, 1, 0, 0, 0, 1)


def test_names_of_nested_models():
    arm = f"<model name='arm'><link name='a'/><link name='b'/>{JOINT.format('j', 'prismatic', 'a', 'b', X)}</model>"
    for name in ("arm::j", "arm/j"):
        tracker = track(sdf(arm), scope_separator=".", frame_prefix="r1/")
        tracker.hear(("j", name), [9.0, 2.0], 1)
        (edge,) = tracker.edges
        assert (edge.parent, edge.child) == ("r1/arm.a", "r1/arm.b")
        assert near(take(tracker)["r1/arm.b"][1], 2, 0, 0, 1, 0, 0, 0)


def test_followers_follow_until_they_are_heard_themselves():
    mimic = ("<axis><xyz>1 0 0</xyz><mimic joint='j'><multiplier>-2</multiplier><offset>0.5</offset>"
             "<reference>0.25</reference></mimic></axis>")
    tracker = track(sliders(X, mimic))
    assert near(take(tracker, now=1)["b"][1], 1, 0, 0, 1, 0, 0, 0)  # -2 (0 - 0.25) + 0.5
    tracker.hear(("j",), [1.0], 3)
    found = take(tracker)
    assert found["a"][0] == found["b"][0] == 3 and near(found["b"][1], -1, 0, 0, 1, 0, 0, 0)  # -2 (1 - 0.25) + 0.5
    tracker.hear(("k",), [7.0], 4)
    assert near(take(tracker)["b"][1], 7, 0, 0, 1, 0, 0, 0)


def test_followers_of_a_urdf():
    text = """<robot name="r"><link name="base"/><link name="a"/><link name="b"/>
    <joint name="j" type="prismatic"><parent link="base"/><child link="a"/><axis xyz="0 0 2"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/></joint>
    <joint name="k" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
    <mimic joint="j" multiplier="3" offset="0.5"/></joint></robot>"""
    tracker = track(text)
    tracker.hear(("j",), [0.5], 1)
    found = take(tracker)
    assert near(found["a"][1], 0, 0, 0.5, 1, 0, 0, 0) and near(found["b"][1], 0, 0, 0, cos(1), 0, 0, sin(1))


@pytest.mark.parametrize(("kind", "yaw"), [("fixed", 0.5), ("floating", 0), ("planar", 0)])
def test_followers_of_a_joint_without_a_number(kind, yaw):
    """A fixed leader is at zero: what follows is locked at its offset. What follows a pose moves on its own.

    The node and the library have the same pose; a state or position of the joint itself counts.
    """
    text = robot(urdf_link("a", 1), urdf_link("b", 1), urdf_link("c", 1), joint("lead", kind, "a", "b"), joint(
        "k", "continuous", "b", "c", '<axis xyz="0 0 1"/><mimic joint="lead" multiplier="2" offset="0.5"/>'))
    tracker, described = track(text), sf.loads(text)
    one = {} if kind == "fixed" else {"lead": sf.Pose([1, 0, 0]) if kind == "floating" else [1, 0, 0]}
    tracker.hear_motions(("lead",), [(1, 0, 0, 1, 0, 0, 0)], 1)
    assert near(take(tracker, now=2)["c"][1], 0, 0, 0, cos(yaw / 2), 0, 0, sin(yaw / 2))
    assert described.pose("c", "b", one).rpy[2] == pytest.approx(yaw)
    tracker.hear(("k",), [pi], 3)
    assert near(take(tracker)["c"][1], 0, 0, 0, 0, 0, 0, 1)
    assert described.pose("c", "b", {**one, "k": 3.0}).rpy[2] == pytest.approx(3)


def test_what_follows_and_is_too_large_for_a_number_has_no_pose():
    """Its multiplied position is infinite. The other joints go on."""
    mimic = "<axis><xyz>0 0 1</xyz><mimic joint='j'><multiplier>2</multiplier></mimic></axis>"
    tracker = track(sdf(link("a"), link("b"), link("c"), link("d"), JOINT.format("j", "prismatic", "base", "a", X),
                        JOINT.format("k", "revolute", "base", "b", mimic),
                        JOINT.format("l", "revolute", "base", "c", Z)))
    tracker.hear(("j", "l"), [1.7e308, pi], 1)
    found = take(tracker)
    assert found["a"][1][0] == 1.7e308 and found["b"] == (1, None) and near(found["c"][1], 0, 0, 0, 0, 0, 0, 1)
    tracker.hear(("j",), [pi / 2], 2)
    assert near(take(tracker)["b"][1], 0, 0, 0, 0, 0, 0, 1)


def test_a_long_chain_of_followers_is_followed():
    count = 3_000
    axis = "<axis><xyz>1 0 0</xyz><mimic joint='j{}'><offset>1</offset><multiplier>1</multiplier></mimic></axis>"
    joints = [JOINT.format(f"j{n}", "prismatic", "base", f"a{n}", axis.format(n - 1) if n else X) for n in range(count)]
    tracker = track(sdf(*[link(f"a{n}") for n in range(count)], *joints))
    tracker.hear(("j0",), [2.0], 5)
    found = take(tracker)
    assert [found[f"a{n}"] for n in (0, 1, count - 1)] == [
        (5, (position, 0, 0, 1, 0, 0, 0)) for position in (2, 3, count + 1)]


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize("names, values, fault", [
    (["j", "k"], [1.0], "2 names but 1 position"), (["j"], [], "1 name but 0 positions"), ([], [], "no joints"),
    ([], [1.0], "0 names but 1 position"), (["j", "k"], [1.0, NAN], "joint k at nan"),
    (["j", "unknown"], [1.0, -INF], "joint unknown at -inf"), (["j", "k"], [1.0, 2.0], None)])
def test_a_state_that_cannot_be_used_is_ignored_as_a_whole(names, values, fault):
    tracker = track(sliders(X, X))
    assert tracker.hear((*names,), values, 1) == fault
    assert bool(take(tracker)) == (fault is None)


@pytest.mark.parametrize("bad", [(0, 0, 0, 0, 0, 0, 0), (NAN, 0, 0, 1, 0, 0, 0), (0, 0, 0, 1e308, 1e308, 1e308, 1e308)])
def test_motions_that_cannot_be_used_are_ignored_as_a_whole(bad):
    joints = [JOINT.format(name, "ball", "base", child, "") for name, child in ("ja", "kb")]
    tracker = track(sdf(link("a"), link("b"), *joints))
    good = (0, 0, 0, 0, 1, 0, 0)
    assert tracker.hear_motions(["j", "k"], [good, bad], 1).startswith("joint k at (")
    assert not take(tracker) and tracker.hear_motions(["j"], [good], 1) is None and "a" in take(tracker)


def test_a_ball_takes_the_turn_of_a_motion():
    tracker = track(sdf(link("a", "0 0 1 0 0 0"), JOINT.format("j", "ball", "base", "a", "")))
    tracker.hear_motions(["j"], [(9, 9, 9, 2, 0, 0, 2)], 1)
    assert near(take(tracker)["a"][1], 0, 0, 1, HALF, 0, 0, HALF)
    tracker.hear(("j",), [1.0], 2)
    assert not take(tracker)


def test_several_partial_sources_and_stamps():
    text = sliders(X, X)
    tracker = track(text)
    tracker.hear(("j", "unknown"), [1.0, 1.0], 10)
    assert {child: stamp for child, (stamp, _) in take(tracker, now=20).items()} == {"a": 10, "b": 20}
    tracker.hear(("k",), [2.0], 30)
    assert {child: stamp for child, (stamp, _) in take(tracker, now=40).items()} == {"b": 30}
    tracker.hear(("j",), [5.0], 9)
    assert not take(tracker), "it is older than the last one"
    tracker.forget_stamps()
    tracker.hear(("j",), [5.0], 9)
    assert take(tracker)["a"][1][0] == 5
    careless = track(text, ignore_stamps=True)
    for stamp, position in ((10, 1.0), (9, 3.0)):
        careless.hear(("j",), [position], stamp)
    assert take(careless)["a"] == (9, (3.0, 0, 0, 1, 0, 0, 0))


def test_a_stamp_is_published_once():
    """robot_state_publisher 3.3.3 publishes nothing of states whose stamp is that of a paused clock."""
    text = sliders(X, X)
    tracker, careless = track(text), track(text, ignore_stamps=True)
    for each in (tracker, careless):
        each.hear(("j",), [1.0], 10)
        assert take(each)["a"][0] == 10
        each.hear(("j",), [2.0], 10)
    assert not take(tracker) and take(careless)["a"] == (10, (2.0, 0, 0, 1, 0, 0, 0))
    tracker.hear(("k",), [3.0], 10)
    assert take(tracker) == {"b": (10, (3.0, 0, 0, 1, 0, 0, 0))}, "the stamp is new for this joint"
    tracker.hear(("j",), [4.0], 11)
    assert take(tracker) == {"a": (11, (4.0, 0, 0, 1, 0, 0, 0))}
    tracker.forget_stamps()
    tracker.hear(("j",), [5.0], 0)
    assert take(tracker) == {"a": (0, (5.0, 0, 0, 1, 0, 0, 0))}, "time begins anew"
    tracker.hear(("j",), [6.0], 1000)
    tracker.forget_stamps()
    assert not take(tracker), "the state is of a time that has not come yet"
    after = track(sliders(X, X))
    after.carry_over(tracker)
    assert not take(after)


def test_of_a_name_that_comes_twice_the_first_position_counts():
    """As in robot_state_publisher 3.3.3, which inserts the positions into a std::map."""
    tracker = track(sliders(X, X))
    tracker.hear(("j", "k", "j"), [1.0, 2.0, 3.0], 10)
    assert {child: X[0] for child, (_, X) in take(tracker).items()} == {"a": 1.0, "b": 2.0}


@pytest.mark.parametrize("ignore_stamps", [False, True])
def test_of_a_name_that_comes_twice_the_first_motion_counts(ignore_stamps):
    """Also if the name is written in two ways."""
    arm = f"<model name='arm'><link name='a'/><link name='b'/>{JOINT.format('j', 'floating', 'a', 'b', '')}</model>"
    tracker = track(sdf(arm), ignore_stamps=ignore_stamps)
    tracker.hear_motions(("arm::j", "arm/j", "arm::j"), [(x, 0, 0, 1, 0, 0, 0) for x in (1.0, 2.0, 3.0)], 10)
    assert [(stamp, X[0]) for stamp, X in take(tracker).values()] == [(10, 1.0)]


def test_states_are_carried_over_to_joints_of_the_same_name_and_type():
    def build(*kinds: str) -> JointTracker:
        """The joints j, k, … of these types, a metre apart, in the opposite order for each further joint."""
        joints = [*zip("jklmn", "abcde", kinds)][::(-1) ** len(kinds)]
        return track(sdf(*[link(child, f"{len(kinds)} 0 0 0 0 0") for _, child, _ in joints],
                         *[JOINT.format(name, kind, "base", child, Y) for name, child, kind in joints]))
    before, after = build("prismatic", "prismatic", "ball"), build("prismatic", "revolute", "ball", "prismatic")
    before.hear(("j", "k"), [0.5, 0.25], 10)
    before.hear_motions(["l"], [(0, 0, 0, 0, 1, 0, 0)], 12)
    take(before)
    after.carry_over(before)
    found = take(after, now=20)
    assert {child: stamp for child, (stamp, _) in found.items()} == {"a": 10, "b": 20, "c": 12, "d": 20}
    for child, pose in {"a": (4, 0.5, 0, 1, 0, 0, 0), "b": (4, 0, 0, 1, 0, 0, 0), "c": (4, 0, 0, 0, 1, 0, 0),
                        "d": (4, 0, 0, 1, 0, 0, 0)}.items():
        assert near(found[child][1], *pose)
    after.hear(("j",), [1.0], 9)
    assert not take(after), "it is older than the one that was carried over"
    empty = build()
    empty.carry_over(after)
    after = build("prismatic")
    after.carry_over(empty)
    assert not take(after)


def test_a_frame_whose_parent_is_left_out_moves_by_both_joints():
    # Another link bears the name that the nested one would have in TF; what hangs below it hangs below its parent.
    inner = f"<model name='n'><link name='a'/><link name='b'/>{JOINT.format('j', 'prismatic', 'a', 'b', X)}</model>"
    tracker = track(sdf(link("n/a"), inner, JOINT.format("p", "prismatic", "base", "n::a", Y)))
    tracker.hear(("n::j", "p"), [2.0, 3.0], 1)
    # The frames of the joint and of the model go with the link that is left out.
    assert [(edge.parent, edge.child) for edge in tracker.edges] == [("base", "p"), ("base", "n"), ("base", "n/b")]
    found = take(tracker)
    assert near(found["n/b"][1], 2, 3, 0, 1, 0, 0, 0) and near(found["n"][1], 0, 3, 0, 1, 0, 0, 0)


def test_a_sensor_of_a_link_that_is_left_out_moves_with_it():
    sensor = "<sensor name='s' type='imu'><pose>0 0 1 0 0 0</pose></sensor>"
    inner = f"<model name='n'><link name='a'>{sensor}</link></model>"
    tracker = track(sdf(link("n/a"), inner, JOINT.format("p", "prismatic", "base", "n::a", Y)), sensor_frames=True)
    tracker.hear(("p",), [3.0], 1)
    assert near(take(tracker)["m/n/a/s"][1], 0, 3, 1, 1, 0, 0, 0)


def test_the_name_of_a_spawned_model_may_be_taken():
    """A link of the name that the model was spawned under stays; the model's frame is left out."""
    text = sdf(link("spawned"), JOINT.format("j", "prismatic", "base", "spawned", X))
    assert [(edge.parent, edge.child) for edge in track(text, model_name="spawned").edges] == [("base", "spawned")]


@pytest.mark.parametrize("names, positions, stamp", [
    (["unknown", "j"], [1.0, 2.0], 10), (["late", "j"], [1.0, 2.0], 10), (["ball", "j"], [1.0, 2.0], 10)])
def test_what_is_passed_over_does_not_hide_what_follows(names, positions, stamp):
    """Unknown names, what is older than what was heard, and joints that take whole poses."""
    tracker = track(sdf(link("a"), link("b"), link("c"), link("d"), JOINT.format("j", "prismatic", "base", "a", X),
                        JOINT.format("k", "prismatic", "base", "b", X),
                        JOINT.format("late", "prismatic", "base", "c", X),
                        JOINT.format("ball", "ball", "base", "d", "")))
    tracker.hear(("late",), [0.5], 11)
    assert set(take(tracker)) == {"c"}
    tracker.hear((*names,), positions, stamp)
    assert take(tracker) == {"a": (10, (2.0, 0, 0, 1, 0, 0, 0))}


@pytest.mark.parametrize("first, then, counts", [(10, 10, True), (10, 9, False), (10, 11, True), (0, 0, True)])
def test_of_two_with_one_stamp_the_later_counts(first, then, counts):
    tracker = track(sdf(link("a"), link("b"), JOINT.format("j", "prismatic", "base", "a", X),
                        JOINT.format("ball", "ball", "base", "b", "")))
    for stamp, position, quaternion in ((first, 1.0, (1, 0, 0, 0)), (then, 2.0, (0, 0, 0, 3))):
        tracker.hear(("j",), [position], stamp)
        tracker.hear_motions(["unknown", "j", "ball"], [(0, 0, 0, *quaternion)] * 3, stamp)
    expected = (then, 2.0, (0, 0, 0, 1)) if counts else (first, 1.0, (1, 0, 0, 0))
    found = take(tracker)
    assert (found["a"][0], found["a"][1][0]) == expected[:2]
    assert (found["b"][0], tuple(found["b"][1][3:])) == (expected[0], expected[2])
