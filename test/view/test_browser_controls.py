"""The controls of the page and of the HTML file in headless Chromium: on a phone, their buttons, their layers."""
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("viser")
pytest.importorskip("playwright", reason="pip install playwright")
from test_browser import _PATIENCE, ARM, browser, expect_poses, find_pixels, open_tab, page, shoot, wait_until  # noqa

import sdf_frames as sf  # noqa: E402
from sdf_frames.api.pose import Pose  # noqa: E402
from sdf_frames.view.camera import VIEWS, aim  # noqa: E402
from sdf_frames.view.page import write_html  # noqa: E402
from sdf_frames.view.build_scene import build_scenes  # noqa: E402

ROW = '<sdf version="1.11"><model name="row">{}</model></sdf>'.format("".join(
    f"""<link name="l{y}"><visual name="v"><pose>0 {3 * y} 0 0 0 0</pose><geometry><box><size>1 1 1</size></box>
    </geometry><material><diffuse>1 0 0 1</diffuse></material></visual></link>""" for y in range(-1, 2)))
#: Of the page and of the HTML file: the controls, and what is pressed to fold them.
_PANELS = {"page": ('.mantine-Paper-root[style*="min-height: 3.5em"]',) * 2, "file": ("#controls", "[name=fold]")}
_PLACES = """([canvas, panel]) => [canvas, panel].map(name => { const box = document.querySelector(name)
  ?.getBoundingClientRect(); return box && [box.left, box.top, box.right, box.bottom].map(Math.round); })"""


def write(tmp_path, robot, *choices):
    path = tmp_path / "robot.html"
    path.write_text(write_html(build_scenes(robot), *choices), encoding="utf-8")
    return path.as_uri()


@pytest.mark.parametrize("kind", ["page", "file"])
def test_on_a_phone_the_robot_stands_above_the_controls_and_fills_its_part(kind, browser, page, tmp_path):  # noqa: F811
    robot = sf.loads(ROW)
    page.add(lambda: robot)
    url = page.url if kind == "page" else write(tmp_path, robot, ["visuals"])
    panel, handle = _PANELS[kind]
    tab = browser.new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    tab.set_default_timeout(_PATIENCE)
    tab.goto(url)

    def fills(least, most):
        canvas, controls = tab.evaluate(_PLACES, ["canvas", panel])
        return canvas and controls and canvas == [0, 0, 390, controls[1]] and least < canvas[3] < most and (
            controls[::2] == [0, 390])
    wait_until(tab, lambda: fills(780, 840))

    def is_whole():
        rows, columns = find_pixels(tab, 0)
        columns = columns[(rows > 150) & (rows < 700)]  # not what viser says of software, nor its axes
        return len(columns) and columns.min() > 5 and columns.max() < 385 and np.ptp(columns) > .65 * 390
    wait_until(tab, is_whole)
    tab.evaluate("""name => { const found = document.querySelector(name);
      (found.querySelector('[style*="height: 3.5em"]') ?? found).click(); }""", handle)
    wait_until(tab, lambda: fills(.5 * 844, 780))
    tab.close()


def test_the_buttons_of_a_file_show_everything_from_their_side_and_move_joints_to_zero(open_tab, tmp_path):  # noqa: F811
    robot = sf.loads(ARM)
    positions = {"slide": 1.25, "hinge": 1}
    tab = open_tab(write(tmp_path, robot, ["visuals"], positions))
    assert tab.title() == "arm"
    expect_poses(tab, robot, positions, "/0")
    poses = robot.poses(positions)
    cubes = [(poses[name] @ Pose((*xy, z + .2 * up))).xyz for name, z in (("base", 0), ("tip", 1))
             for xy in product((-.2, .2), repeat=2) for up in (-1, 1)]
    points = np.array([*cubes, *[X.xyz for X in poses.values()]])
    place = """() => { const {camera, nodeRefFromName} = window.__viserMutable;
      return nodeRefFromName["/0"].worldToLocal(camera.position.clone()).toArray(); }"""
    for name in (*VIEWS, "all"):
        aim(expected := SimpleNamespace(), points, VIEWS[name], 630 / 600)
        tab.locator(f"[name={name}]").evaluate("button => button.click()")
        wait_until(tab, lambda camera=expected: np.allclose(tab.evaluate(place), camera.position, atol=1e-3))
    said = tab.locator("#controls").text_content
    assert "hinge: 1.000 rad (57\N{DEGREE SIGN})-2 to 2 rad" in said()
    assert "slide: 1.250 m, beyond the slider-1 to 1 m" in said()
    tab.locator("[name=zero]").evaluate("button => button.click()")
    expect_poses(tab, robot, {"slide": 0, "hinge": 0}, "/0")
    assert "hinge: 0.000 rad (0\N{DEGREE SIGN})" in said() and "slide: 0.000 m" in said()
    tab.locator("[name=fold]").evaluate("button => button.click()")
    wait_until(tab, lambda: tab.evaluate(_PLACES, ["canvas", "#controls"])[0][2] > 800)


def test_joints_without_a_slider_keep_their_positions_in_a_file(open_tab, tmp_path):  # noqa: F811
    """Also a screw, a floating joint, and a joint that would follow another one if it had no position of its own."""
    joint = """<joint name="{}" type="{}"><origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/><parent link="{}"/>
      <child link="{}"/><axis xyz="0 0.6 0.8"/>{}</joint>""".format
    robot = sf.loads("".join(
        ['<robot name="r">', *[f'<link name="{name}"/>' for name in "abcde"], joint("float", "floating", "a", "b", ""),
         joint("plane", "planar", "b", "c", ""), joint("hinge", "continuous", "c", "d", ""),
         joint("follow", "continuous", "d", "e", '<mimic joint="hinge"/>'), "</robot>"]))
    given = {"float": Pose.from_rpy([1, 2, 3], [.3, .2, .1]), "plane": [.5, .6, .7], "follow": -.5}
    path = tmp_path / "robot.html"
    path.write_text(write_html(build_scenes(robot), ["frames"], given), encoding="utf-8")
    tab = open_tab(path.as_uri())
    expect_poses(tab, robot, given, "/0")
    tab.locator("input[name=hinge]").evaluate("input => { input.value = 1; input.oninput(); }")
    expect_poses(tab, robot, {**given, "hinge": float(tab.locator("input[name=hinge]").input_value())}, "/0")


def test_long_names_fit_into_the_controls_of_a_file(open_tab, tmp_path):  # noqa: F811
    name = "a_name_of_the_workshop" * 4
    tab = open_tab(write(tmp_path, sf.loads(ARM.replace('"arm"', f'"{name}"').replace('"hinge"', f'"{name}"'))))
    tab.locator("#controls summary", has_text=name).wait_for()
    assert tab.evaluate("""() => { const {scrollWidth, clientWidth} = document.querySelector("#controls");
      return scrollWidth - clientWidth; }""") == 0


def test_collisions_and_inertias_do_not_flicker_in_visuals(page, open_tab):  # noqa: F811
    """A cube of each, turned so that no corners are the same numbers: each layer colours all that is seen of it."""
    box = "<pose>0 0 0 {} {} {}</pose><geometry><box><size>1 1 1</size></box></geometry>".format
    page.add(lambda: sf.loads(f"""<sdf version="1.11"><model name="m"><link name="l"><pose>.1 .2 .3 .4 .5 .6</pose>
      <visual name="v">{box(0, 0, 0)}<material><diffuse>0 .2 1 1</diffuse></material></visual>
      <collision name="c">{box(0, np.pi / 2, np.pi)}</collision>
      <inertial><mass>6</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link></model></sdf>"""))
    nodes = page.shown[0].scenes[0]
    nodes.show("frames", False)
    tab = open_tab(page.url)
    wait_until(tab, lambda: len(find_pixels(tab, 2)[0]) > 1000)
    assert tab.title() == "sdf_frames"
    before = shoot(tab)
    cube = before[:, :, 2] > 1.3 * before[:, :, 0] + 20
    for layer in ("collisions", "inertia"):
        nodes.show(layer, True)
        wait_until(tab, lambda: (np.abs(shoot(tab) - before)[cube].max(axis=1) > 8).mean() > .99)
        before = shoot(tab)
