"""Numbers of a document in another style. Expected texts by hand."""
from __future__ import annotations

from math import pi

import pytest
from lxml import etree

from sdf_frames.convert.number_style import NumberStyle, restyle_numbers
from sdf_frames.load import load_text

DEGREES = NumberStyle(degrees=True)


def restyle(inside, style):
    root = load_text(f'<sdf version="1.12"><model name="m"><link name="l"/>{inside}</model></sdf>').root.element
    restyle_numbers(root, style)
    return root.find("model")


@pytest.mark.parametrize("pose, written", [
    (f"<pose>1 2.50 3 {pi / 2!r} 0 {-pi!r}</pose>", "1 2.5 3 90 0 -180"),
    ("<pose>0 0 0 0.5 0 0</pose>", "0 0 0 28.64788975654116 0 0"),
    ('<pose degrees="true">0 0 0 90.50 0 0</pose>', "0 0 0 90.5 0 0"),
    ('<pose degrees="false">0 0 0 0 0 0</pose>', "0 0 0 0 0 0"),
    ('<pose rotation_format="euler_rpy" degrees="1">0 0 0 1 2 3</pose>', "0 0 0 1 2 3"),
    ('<pose rotation_format="quat_xyzw">1 2 3 0 0 0 1</pose>', "1 2 3 0 0 0")])
def test_poses_in_degrees(pose, written):
    element = restyle(pose, DEGREES).find("pose")
    assert (element.text, dict(element.attrib)) == (written, {"degrees": "true"})


@pytest.mark.parametrize("pose", ["<pose>1 2 x 0 0 0</pose>", "<pose>1 2</pose>", "<pose/>"])
def test_poses_that_cannot_be_read_stay(pose):
    styles = NumberStyle(), NumberStyle(degrees=True, snap=5.0)
    before, after = (restyle(pose, style).find("pose") for style in styles)
    assert (after.text, dict(after.attrib)) == (before.text, dict(before.attrib))


def test_a_pose_that_cannot_be_in_degrees_stays_in_radians():
    """In actor.sdf and link_state.sdf 1.12, these elements have no attributes."""
    text = """<sdf version="1.12"><world name="w"><actor name="a"><skin><filename>a.dae</filename></skin><script>
        <trajectory id="0" type="t"><waypoint><time>0</time><pose>1 0 0 0 0 1.57</pose></waypoint></trajectory></script>
        </actor><state world_name="w"><model_state name="m"><link_state name="l"><velocity>0 0 0 0 0 2</velocity>
        <acceleration>0 0 0 0 0 2</acceleration><wrench>0 0 1 0 0 3</wrench></link_state><joint_state name="j">
        <angle axis="0">1.57</angle></joint_state></model_state></state></world></sdf>"""
    root = load_text(text).root.element
    before = etree.tostring(root)
    restyle_numbers(root, NumberStyle(degrees=True, snap=5.0, tolerance=9.0))
    assert etree.tostring(root) == before


@pytest.mark.parametrize("snap, tolerance, angle, written", [
    (45.0, 0.01, 44.99, "45"), (45.0, 0.01, 45.01, "45"), (45.0, 0.01, 45.02, "45.02"), (45.0, 0.01, -89.995, "-90"),
    (45.0, 0.5, 44.6, "45"), (45.0, 0.5, 44.4, "44.4"), (5.0, 1.0, 11.0, "10"), (0.0, 9.0, 44.0, "44")])
def test_angles_near_a_step_are_rounded(snap, tolerance, angle, written):
    pose = f'<pose degrees="true">{angle:g} 0 {angle:g} 0 0 {angle:g}</pose>'
    style = NumberStyle(degrees=not snap, snap=snap, tolerance=tolerance)
    assert restyle(pose, style).findtext("pose") == f"{angle:g} 0 {angle:g} 0 0 {written}"


INERTIA = "<inertial><mass>1.23456</mass><inertia><ixx>0.000123456</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"


@pytest.mark.parametrize("inside, path, written", [
    ("<pose>1.23456 0 0 123456 0 0</pose>", "pose", "1.23 0 0 123000 0 0"),
    (f'<link name="k">{INERTIA}</link>', "link[@name='k']/inertial/mass", "1.23"),
    (f'<link name="k">{INERTIA}</link>', "link[@name='k']/inertial/inertia/ixx", "0.000123"),
    ('<link name="k"><visual name="v"><geometry><box><size>1.23456 2.0 3</size></box></geometry><material><diffuse>'
     "0.123456 0 0 1</diffuse></material></visual></link>", "link[@name='k']/visual/geometry/box/size", "1.23 2 3"),
    ('<link name="k"><visual name="v"><geometry><box/></geometry><material><diffuse>0.123456 0 0 1</diffuse></material>'
     "</visual></link>", "link[@name='k']/visual/material/diffuse", "0.123 0 0 1"),
    ('<link name="k"><visual name="v"><geometry><plane><size>1.23456 2.0</size></plane></geometry></visual></link>',
     "link[@name='k']/visual/geometry/plane/size", "1.23 2"),
    ('<link name="k"><particle_emitter name="e" type="point"><particle_scatter_ratio>0.123456</particle_scatter_ratio>'
     "</particle_emitter></link>", "link[@name='k']/particle_emitter/particle_scatter_ratio", "0.123"),
    # Texts of other kinds, plugins, and what is no number stay.
    ('<plugin name="p" filename="f"><pose>1.23456 0 0 0 0 0</pose></plugin>', "plugin/pose", "1.23456 0 0 0 0 0"),
    ('<link name="k"><visual name="v"><geometry><mesh><uri>1.23456</uri></mesh></geometry></visual></link>',
     "link[@name='k']/visual/geometry/mesh/uri", "1.23456"),
    ("<unheard>1.23456</unheard>", "unheard", "1.23456")])
def test_digits(inside, path, written):
    assert restyle(inside, NumberStyle(precision=3)).findtext(path) == written


def test_a_word_that_is_no_number_stays():
    assert restyle("<pose>1.23456 y 0 0 0 0</pose>", NumberStyle(precision=3)).findtext("pose") == "1.23 y 0 0 0 0"


@pytest.mark.parametrize("moments, written", [
    # A disc: with two digits, 0.33 + 0.33 < 0.67, which no body can have; with three, 0.333 + 0.333 < 0.667, and so on.
    (("0.33333", "0.33333", "0.66666"), ["0.33333", "0.33333", "0.66666"]),
    (("0.12345", "0.12345", "0.12345"), ["0.12", "0.12", "0.12"]),
    (("1.2345", "1.2345", "9.8765"), ["1.2", "1.2", "9.9"])])  # it was impossible before
def test_a_tensor_gets_the_digits_that_it_needs(moments, written):
    inside = "".join(f"<{tag}>{number}</{tag}>" for tag, number in zip(("ixx", "iyy", "izz"), moments))
    tree = restyle(f'<link name="k"><inertial><inertia>{inside}</inertia></inertial></link>', NumberStyle(precision=2))
    assert [e.text for e in tree.find("link[@name='k']/inertial/inertia")] == written
