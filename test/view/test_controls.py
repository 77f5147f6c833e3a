"""The switches and sliders of a page without a server: what the script is told. test_browser.py runs it."""
import json
import re
import shutil
import subprocess
from types import SimpleNamespace

import numpy as np
import pytest
from urdf_text import gazebo, joint, link, robot

import sdf_frames as sf

pytest.importorskip("viser")
pytest.importorskip("trimesh")

from sdf_frames.view.build_scene import build_scenes  # noqa: E402
from sdf_frames.view.camera import LENS, MARGIN, VIEWS, aim  # noqa: E402
from sdf_frames.view.page import write_html  # noqa: E402

ROBOT = """<sdf version="1.9"><model name="m">
  <link name="base"><visual name="v"><geometry><box/></geometry></visual></link>
  <link name="hand"><pose>0 0 2 0 0 0</pose></link><link name="arm"><pose>0 0 1 0 0 0</pose></link>
  <link name="tool"><pose>0 0 3 0 0 0</pose></link><link name="gear"><pose>1 0 0 0 0 0</pose></link>
  <joint name="slide" type="prismatic"><parent>arm</parent><child>hand</child>
    <axis><xyz>1 0 0</xyz><limit><lower>-1</lower><upper>3</upper></limit></axis></joint>
  <joint name="turn" type="revolute"><parent>base</parent><child>arm</child><axis><xyz>0 1 0</xyz></axis></joint>
  <joint name="held" type="fixed"><parent>hand</parent><child>tool</child></joint>
  <joint name="follow" type="revolute"><parent>base</parent><child>gear</child>
    <axis><xyz>0 0 1</xyz><mimic joint="turn"><multiplier>-2</multiplier><offset>.5</offset></mimic></axis></joint>
</model></sdf>"""


def read(html):
    return json.loads(re.search(r"const scenes = (.*), box = document", html)[1])


@pytest.fixture(scope="module")
def told():
    return read(write_html(build_scenes(sf.loads(ROBOT)), ["frames"], {"turn": .5}))


def test_each_layer_with_something_in_it_has_a_switch(told):
    assert [(name, on) for name, on, _ in told["layers"]] == [
        ("visuals", False), ("frames", True), ("names", False), ("tree", False), ("joints", False), ("limits", False),
        ("inertia", False)]
    assert told["layers"][0][2] == ["/0/visuals"]


def test_joints_come_after_their_parents_with_their_axes_at_zero(told):
    (scene,) = told["scenes"]
    joints = {joint["name"]: joint for joint in scene["joints"]}
    names = list(joints)
    assert set(names) == {"turn", "slide", "follow"} and names.index("turn") < names.index("slide")
    turn, slide, follow = (joints[name] for name in ("turn", "slide", "follow"))
    assert (turn["parent"], slide["parent"]) == (-1, names.index("turn"))
    assert (turn["at"], turn["axis"], turn["q"]) == ([0, 0, 1], [0, 1, 0], .5)
    assert (turn["low"], turn["high"]) == (-3.1416, 3.1416)
    assert (slide["slides"], slide["axis"], slide["low"], slide["high"], slide["q"]) == (True, [1, 0, 0], -1, 3, 0)
    assert follow["follows"] == {"of": names.index("turn"), "k": -2, "c": .5} and turn["follows"] is None
    (axes,) = [part for part in scene["parts"] if part["name"].startswith("/0/frames/")]
    assert [0, 0, 3, 1, 0, 0, 0] in axes["X"]  # the tool is where it is at zero, wherever the page was drawn


def test_names_cannot_leave_the_script():
    robot = sf.loads(ROBOT.replace('"turn"', '"a&lt;/script&gt;"'))
    html = write_html(build_scenes(robot))
    assert "a</script>" not in html and "a</script>" in [joint["name"] for joint in read(html)["scenes"][0]["joints"]]


def describe(inside, layers=("frames",), positions=None):
    """The one scene of a model, as the script knows it, and which joint carries each frame."""
    text = f'<sdf version="1.11"><model name="m">{inside}</model></sdf>'
    (scene,) = read(write_html(build_scenes(sf.loads(text)), list(layers), positions))["scenes"]
    (axes,) = [part for part in scene["parts"] if part["name"].startswith("/0/frames/")]
    return scene, axes["of"]


JOINT = ('<joint name="{}" type="{}"><parent>{}</parent><child>{}</child>{}</joint>')
AXIS = "<axis><xyz>0 0 1</xyz>{}</axis>"


def test_each_link_is_carried_by_the_last_joint_above_it():
    """Links are listed from the tip to the base; a fixed joint and a ball joint, which has no slider, lie between."""
    scene, of = describe("".join(f'<link name="{name}"/>' for name in ("tip", "d", "c", "b", "a", "base", "lone"))
                         + JOINT.format("fourth", "continuous", "d", "tip", AXIS.format(""))
                         + JOINT.format("ball", "ball", "c", "d", "")
                         + JOINT.format("third", "prismatic", "b", "c", AXIS.format(""))
                         + JOINT.format("held", "fixed", "a", "b", "")
                         + JOINT.format("first", "revolute", "base", "a", AXIS.format("")))
    assert [(joint["name"], joint["parent"]) for joint in scene["joints"]] == [
        ("first", -1), ("third", 0), ("fourth", 1)]
    # The model stands with its first link; then the links, then the joints with their children.
    assert of == [2, 2, 1, 1, 0, 0, -1, -1, 2, 1, 1, 0, 0]


@pytest.mark.parametrize(("position", "follows"), [(None, True), (-.5004, True), (-.4, False)])
def test_a_joint_with_a_position_of_its_own_does_not_follow(position, follows):
    """The gear follows to -2 times 0.5 and 0.5: joint_states also have it there, with the noise of a sensor."""
    given = {"turn": .5} if position is None else {"turn": .5, "follow": position}
    (scene,) = read(write_html(build_scenes(sf.loads(ROBOT)), ["frames"], given))["scenes"]
    (follow,) = [joint for joint in scene["joints"] if joint["name"] == "follow"]
    assert (follow["follows"] is not None) is follows and follow["q"] == (position or 0)


def test_a_long_chain_takes_no_quadratic_work():
    """Each name is looked up a few times, not once for each link below it."""
    from sdf_frames.view.controls import _find_carriers
    looked_up = []

    class Name(str):
        def __hash__(self):
            looked_up.append(self)
            return super().__hash__()

    names = [Name(f"l{i}") for i in range(300)]
    joints = [SimpleNamespace(parent=parent, child=child, movable=True, type="revolute", pose=sf.Pose())
              for parent, child in zip(names, names[1:])]
    for given in (joints, joints[::-1]):
        order, carrier = _find_carriers(SimpleNamespace(joints=given, bodies=names[::-1]))
        assert order == joints and [carrier[name] for name in names] == [*range(-1, 299)]
    assert len(looked_up) < 2 * 20 * 300


def test_a_joint_without_a_slider_stays_where_it_is():
    """A screw of 0.5 m a turn: half a turn is 0.25 m up, and takes x = 1 to x = -1. The arm turns about y."""
    scene, of = describe('<link name="base"/><link name="nut"/><link name="arm"><pose>1 0 0 0 0 0</pose></link>'
                         + JOINT.format("screw", "screw", "base", "nut", AXIS.format("")
                                        + "<screw_thread_pitch>.5</screw_thread_pitch>")
                         + JOINT.format("hinge", "revolute", "nut", "arm", "<axis><xyz>0 1 0</xyz></axis>"),
                         positions={"screw": np.pi, "hinge": .5})
    (hinge,) = scene["joints"]
    assert (hinge["at"], hinge["axis"], hinge["q"]) == (pytest.approx([-1, 0, .25]), pytest.approx([0, -1, 0]), .5)
    (axes,) = [part for part in scene["parts"] if part["name"].startswith("/0/frames/")]
    assert of == [-1, -1, -1, 0, -1, 0] and axes["X"][3] == pytest.approx([-1, 0, .25, 0, 0, 0, 1], abs=1e-7)
    assert [-1, 0, .25, 1, 0, 0, 0] in scene["points"]["X"]


@pytest.mark.parametrize("kind", ["revolute", "fixed"])
def test_a_joint_that_closes_a_loop_carries_nothing(kind):
    """Which has no slider: parents come first, also around a loop. The loop is closed at its last joint."""
    scene, of = describe('<link name="a"/><link name="b"/><link name="c"/>' + "".join(
        JOINT.format(parent + child, how, parent, child, AXIS.format(""))
        for parent, child, how in (("c", "a", kind), ("a", "b", "revolute"), ("b", "c", "revolute"))))
    joints = scene["joints"]
    assert [(joint["name"], joint["parent"]) for joint in joints] == [("ab", -1), ("bc", 0)]
    assert of[:4] == [-1, -1, 0, 1]


@pytest.mark.parametrize("turned", [False, True])
def test_of_two_joints_above_a_link_the_first_carries_it(turned):
    """The other one closes a loop, and takes no position."""
    joints = [JOINT.format(kind, kind, parent, "c", AXIS.format(""))
              for kind, parent in (("fixed", "a"), ("revolute", "b"))]
    links = '<link name="a"/><link name="b"/><link name="c"/>'
    scene, of = describe(links + "".join(joints[::-1] if turned else joints))
    assert [joint["name"] for joint in scene["joints"]] == (["revolute"] if turned else [])
    assert of[:4] == [-1, -1, -1, 0 if turned else -1]


def test_a_link_behind_a_fixed_joint_that_the_sdf_has_as_a_locked_one_is_carried():
    """A joint that is not lumped is revolute from 0 to 0 in the SDF, and takes no position."""
    text = robot(link("a", 1), link("b", 1), link("c", 1), joint("turn", "continuous", "a", "b", '<axis xyz="0 0 1"/>'),
                 joint("held", "fixed", "b", "c"), gazebo("held", "<disableFixedJointLumping>1"
                                                          "</disableFixedJointLumping>"))
    (scene,) = build_scenes(sf.loads(text), as_sdf=True)
    assert [(one.name, one.type) for one in scene.joints] == [("turn", "continuous"), ("held", "revolute")]
    (told,) = read(write_html([scene], ["frames"]))["scenes"]
    (axes,) = [part for part in told["parts"] if part["name"].startswith("/0/frames/")]
    carried = {drawn.frame.name: of for drawn, of in zip(scene.frames, axes["of"])}
    assert [one["name"] for one in told["joints"]] == ["turn"]
    assert (carried["a"], carried["b"], carried["c"]) == (-1, 0, 0)


def limits(lower, upper):
    return AXIS.format(f"<limit><lower>{lower}</lower><upper>{upper}</upper></limit>")


@pytest.mark.parametrize(("kind", "axis", "low", "high", "said"), [
    ("revolute", limits(-1, 2), -1, 2, "-1 to 2 rad"), ("revolute", limits("-inf", 2), -3.1416, 2, "-inf to 2 rad"),
    ("revolute", limits(-1, "inf"), -1, 3.1416, "-1 to inf rad"),
    ("continuous", AXIS.format(""), -3.1416, 3.1416, "no limits"),
    ("prismatic", limits("-inf", "inf"), -1, 1, "no limits"), ("prismatic", limits(0, .5), 0, .5, "0 to 0.5 m"),
    ("prismatic", limits(.25, .25), .249, .251, "0.25 to 0.25 m"),
    ("prismatic", limits(5, "inf"), 5, 6, "5 to inf m"), ("prismatic", limits(1, "inf"), 1, 2, "1 to inf m"),
    ("prismatic", limits("-inf", -4), -5, -4, "-inf to -4 m"),
    ("prismatic", limits(.999, "inf"), .999, 1.999, "0.999 to inf m"),
    ("revolute", limits(4, "inf"), 4, 7.1416, "4 to inf rad"),
    ("revolute", limits("-inf", -4), -7.1416, -4, "-inf to -4 rad"),
    ("revolute", limits("-1e12", "1e12"), -3.1416, 3.1416, "-1e+12 to 1e+12 rad"),
    ("revolute", limits(-10000, 10001), -10000, 3.1416, "-1e+04 to 1e+04 rad"),
    ("prismatic", limits(-20000, 20000), -20000, 20000, "-2e+04 to 2e+04 m")])
def test_how_far_a_slider_goes(kind, axis, low, high, said):
    scene, _ = describe('<link name="a"/><link name="b"/>' + JOINT.format("j", kind, "a", "b", axis),
                        positions={"j": .25})
    (joint,) = scene["joints"]
    assert joint["limits"] == said
    assert (joint["low"], joint["high"], joint["slides"], joint["q"]) == (
        pytest.approx(low), pytest.approx(high), kind == "prismatic", .25)
    assert joint["follows"] is None and scene["title"] == "Joints of m"


def test_where_a_joint_is_and_which_way_it_points():
    """Turned about x by a quarter: z becomes -y; 2 m above the base."""
    scene, _ = describe(f'<link name="a"/><link name="b"><pose>0 0 2 {np.pi / 2} 0 0</pose></link>'
                        + JOINT.format("j", "revolute", "a", "b", AXIS.format("")))
    (joint,) = scene["joints"]
    np.testing.assert_allclose(joint["at"], (0, 0, 2), atol=1e-12)
    np.testing.assert_allclose(joint["axis"], (0, -1, 0), atol=1e-12)
    axes = next(part for part in scene["parts"] if part["name"].startswith("/0/frames/"))
    half = round(.5 ** .5, 7)
    assert axes["X"] == [[0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0], [0, 0, 2, half, half, 0, 0],
                         [0, 0, 2, half, half, 0, 0]]


def test_a_joint_that_follows_a_fixed_joint_is_locked():
    """At its offset: the script takes a leader without a number for zero."""
    text = robot(link("a", 1), link("b", 1), link("c", 1), joint("lead", "fixed", "a", "b"), joint(
        "j", "continuous", "b", "c", '<axis xyz="0 0 1"/><mimic joint="lead" multiplier="3" offset="-0.5"/>'))
    (scene,) = read(write_html(build_scenes(sf.loads(text))))["scenes"]
    assert [(one["name"], one["follows"]) for one in scene["joints"]] == [("j", {"of": -1, "k": 3, "c": -.5})]


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_joints_that_follow_each_other_in_a_circle_have_a_position():
    """By hand: a is 2 · (2 · 0 + 0.5) + 0.5, since it does not follow itself. Joint d follows c, which is at 3 rad."""
    leaders = {"a": "b", "b": "a", "c": "", "d": "c"}
    joints = [joint(name, "continuous", "base", f"l{name}", '<axis xyz="0 0 1"/>' + (
        leader and f'<mimic joint="{leader}" multiplier="2" offset="0.5"/>')) for name, leader in leaders.items()]
    links = [link(name, 1) for name in ("base", "la", "lb", "lc", "ld")]
    html = write_html(build_scenes(sf.loads(robot(*links, *joints))), ["frames"], {"c": 3.0})
    (scene,) = read(html)["scenes"]
    names = [one["name"] for one in scene["joints"]]
    script = re.search(r"function position.*?; }\n", html, re.DOTALL)[0] + (
        f"const joints = {json.dumps(scene['joints'])};"
        "console.log(JSON.stringify(joints.map(joint => position(joints, joint))))")
    found = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True).stdout
    found = dict(zip(names, json.loads(found)))
    assert found["a"] == found["b"] == 1.5 and (found["c"], found["d"]) == (3, 6.5)


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_a_joint_above_the_canonical_link_moves_the_same_on_the_page_and_in_its_script():
    """A gantry by hand: the cart 0.8 m along x, the hand 1 m along the arm, which is turned from z to x."""
    inside = ('<link name="cart"><pose>0 0 1 0 0 0</pose></link><link name="arm"><pose>0 0 1 0 0 0</pose></link>'
              '<frame name="hand" attached_to="arm"><pose>0 0 1 0 0 0</pose></frame>'
              + JOINT.format("rail", "prismatic", "world", "cart", "<axis><xyz>1 0 0</xyz></axis>")
              + JOINT.format("turn", "revolute", "cart", "arm", "<axis><xyz>0 1 0</xyz></axis>"))
    (scene,) = build_scenes(sf.loads(f'<sdf version="1.11"><model name="m">{inside}</model></sdf>'))
    positions = {"rail": .8, "turn": np.pi / 2}
    html = write_html([scene], ["frames"], positions)
    (told,) = read(html)["scenes"]
    (axes,) = [part for part in told["parts"] if part["name"].startswith("/0/frames/")]
    script = "".join(re.search(pattern, html, re.DOTALL)[0] for pattern in (
        "const dot.*?;", "const turn = .*?(?=const findPoints)")) + (
        f"const moved = turnJoints({json.dumps(told['joints'])});"
        f"console.log(JSON.stringify(carry({json.dumps(axes)}, moved)))")
    found = json.loads(subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True).stdout)
    drawn = {frame.frame.name: (xyz, (scene.place(positions)[frame.body] @ frame.X_BF).xyz)
             for frame, (xyz, _) in zip(scene.frames, found) if frame.body}
    for name, xyz in {"__model__": (.8, 0, 0), "cart": (.8, 0, 1), "arm": (.8, 0, 1), "hand": (1.8, 0, 1)}.items():
        np.testing.assert_allclose(drawn[name], (xyz, xyz), atol=1e-6)


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_a_view_shows_all_of_a_world_with_many_points():
    """More points than a call takes arguments. The camera is where Python aims it."""
    points = np.array([(x, y, z) for x in (-1, 5) for y in (0, 2) for z in (0, 3)], float)
    html = write_html(build_scenes(sf.loads(ROBOT)))
    script = re.search(r"const dot.*?(?=const head)", html, re.DOTALL)[0] + f"""
        globalThis.window = {{__viserMutable: {{canvas: {{clientWidth: 300, clientHeight: 200}}}}}};
        const scenes = {{lens: {LENS}, margin: {MARGIN}}}, send = told => console.log(JSON.stringify(told));
        const findPoints = () => Array(25000).fill({points.tolist()}).flat();
        fit({list(VIEWS["all"])})"""
    position, look_at = json.loads(subprocess.run(["node", "-e", script], capture_output=True, text=True,
                                                  check=True).stdout)
    aim(camera := SimpleNamespace(), points, VIEWS["all"], 1.5)
    np.testing.assert_allclose(position["position"], camera.position, atol=1e-9)
    np.testing.assert_allclose(look_at["look_at"], camera.look_at, atol=1e-9)


def test_a_joint_that_follows_one_without_a_slider_has_its_own():
    mimic = '<mimic joint="{}"><multiplier>3</multiplier><offset>-.5</offset></mimic>'
    scene, _ = describe('<link name="a"/><link name="b"/><link name="c"/>'
                        + JOINT.format("lead", "screw", "a", "b", AXIS.format(""))
                        + JOINT.format("j", "revolute", "a", "c", AXIS.format(mimic.format("lead"))))
    assert [(joint["name"], joint["follows"]) for joint in scene["joints"]] == [("j", None)]


@pytest.mark.parametrize(("kind", "number", "lead", "starts"), [
    ("universal", 2, {"lead": (.5, .75)}, 2), ("universal", 1, {"lead": (.5, .75)}, 1.25), ("universal", 2, {}, -.25),
    ("screw", 1, {"lead": .5}, 1.25), ("screw", 1, {}, -.25), ("revolute", 2, {"lead": .5}, 0),
    ("ball", 1, {"lead": (1, 0, 0, 0)}, 0)])
def test_where_a_joint_starts_that_follows_an_axis(kind, number, lead, starts):
    """At three times the axis less 0.25; at zero if the leader has no such axis."""
    first, second = AXIS.format(""), "<axis2><xyz>1 0 0</xyz></axis2>" if kind == "universal" else ""
    mimic = (f'<mimic joint="lead" axis="axis{"2" if number == 2 else ""}"><multiplier>3</multiplier>'
             "<offset>-.25</offset></mimic>")
    scene, _ = describe('<link name="a"/><link name="b"/><link name="c"/>'
                        + JOINT.format("lead", kind, "a", "b", first + second)
                        + JOINT.format("j", "revolute", "a", "c", AXIS.format(mimic)), positions=lead)
    (joint,) = [joint for joint in scene["joints"] if joint["name"] == "j"]
    assert (joint["q"], joint["follows"]) == (starts, None)


def test_the_page_has_the_names_of_its_robots_as_its_title():
    texts = [ROBOT, ROBOT.replace('name="m"', 'name="&lt;n>"')]
    html = write_html([scene for text in texts for scene in build_scenes(sf.loads(text))])
    assert re.findall("<title>.*?</title>", html) == ["<title>m, &lt;n&gt;</title>"]


def test_what_is_missing_is_told_once():
    lost = '<visual name="v"><geometry><mesh><uri>no.stl</uri></mesh></geometry></visual>'
    told = read(write_html(build_scenes(sf.loads(ROBOT.replace("</link>", f"{lost}</link>")))))
    assert told["problems"] == ["no.stl is not found"]


def test_controls_stand_at_the_end_of_the_page():
    """Behind what a </body> within the page's own script is."""
    from sdf_frames.view.controls import add_controls
    page = add_controls("<body>'</body>'<p></body></html>", [], {})
    head, _, tail = page.partition("<style>\nbody ")
    assert head == "<body>'</body>'<p>" and tail.endswith("</script></body></html>")
    told = read(page)
    assert (told["layers"], told["scenes"], told["problems"]) == ([], [], [])


def test_switches_of_several_scenes_are_one():
    texts = [ROBOT, ROBOT.replace('name="m"', 'name="n"')]
    scenes = [scene for text in texts for scene in build_scenes(sf.loads(text))]
    found = read(write_html(scenes, ["frames"]))
    assert found["layers"][1] == ["frames", True, ["/0/frames", "/1/frames"]]
    assert [scene["title"] for scene in found["scenes"]] == ["Joints of m", "Joints of n"]
    assert {part["name"].split("/")[1] for part in found["scenes"][1]["parts"]} == {"1"}
