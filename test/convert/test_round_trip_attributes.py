"""The record for the way back: what is written, that other readers do not mind it, and when it counts."""
from __future__ import annotations

import shutil
import subprocess

import pytest
from lxml import etree
from urdf_text import gazebo, joint, link, robot
from written_text import convert_text, convert_to_urdf

from sdf_frames.convert.round_trip_attributes import NAMESPACE
from sdf_frames.load import load_text

BOX = "<geometry><box size='1 1 1'/></geometry>"


def paint(material):
    return robot(link("a", 1, f"<visual>{BOX}{material}</visual>"))


def colour_after(sdf):
    text = convert_to_urdf(load_text(sdf)).text
    colour = etree.fromstring(text.encode()).find(".//material/color")
    return None if colour is None else colour.get("rgba")


@pytest.mark.parametrize("rgba", ["0.3 0.9 0.1 1", "0.8 1 0 0.5"])
def test_a_colour_comes_back_although_the_sdf_brightens_it(rgba):
    """1.25 x 0.3 = 0.375; what would be more than 1 is 1."""
    sdf, _, _ = convert_text(paint(f'<material name="m"><color rgba="{rgba}"/></material>'))
    diffuse = {"0.3 0.9 0.1 1": "0.375 1 0.125 1", "0.8 1 0 0.5": "1 1 0 0.5"}[rgba]
    assert f">{diffuse}</diffuse>" in sdf and f"<ambient>{diffuse}</ambient>" in sdf
    assert colour_after(sdf) == rgba
    edited = sdf.replace(f">{diffuse}</diffuse>", ">0 0 1 1</diffuse>")
    assert colour_after(edited) == "0 0 1 1"


def test_a_texture_without_a_colour_stays_without_a_colour():
    sdf, _, _ = convert_text(paint('<material name="m"><texture filename="a.png"/></material>'))
    assert ">1 1 1 1</diffuse>" in sdf and colour_after(sdf) is None
    assert colour_after(sdf.replace(">1 1 1 1</diffuse>", ">1 0 0 1</diffuse>")) == "1 0 0 1"


def test_a_colour_of_another_sdf_is_copied():
    text = ('<sdf version="1.9"><model name="m"><link name="a"><visual name="v"><geometry><box/></geometry><material>'
            "<ambient>.3 .3 .3 1</ambient><diffuse>.3 .3 .3 1</diffuse></material></visual></link></model></sdf>")
    assert colour_after(text) == ".3 .3 .3 1"


def test_materials_of_one_name_are_told_apart():
    """Visuals of two links may have one name in SDF; materials of a URDF share one scope."""
    link = ('<link name="{0}"><visual name="v"><geometry><box/></geometry><material><diffuse>{1}</diffuse></material>'
            "</visual></link>")
    text = "".join(link.format(*pair) for pair in (("a", "1 0 0 1"), ("b", "0 1 0 1"), ("c", "1 0 0 1")))
    joints = "".join(f'<joint name="j{c}" type="fixed"><parent>a</parent><child>{c}</child></joint>' for c in "bc")
    urdf = convert_to_urdf(load_text(f'<sdf version="1.9"><model name="m">{text}{joints}</model></sdf>')).text
    loaded = load_text(urdf)
    assert "material-redefined" not in [d.name for d in loaded.diagnostics]
    assert {link.name: link.visuals[0].material[:2] for link in loaded.robot.links} == {
        "a": ("v_material", (1, 0, 0, 1)), "b": ("v_material0", (0, 1, 0, 1)), "c": ("v_material", (1, 0, 0, 1))}


def test_a_robot_without_losses_has_no_record():
    sdf, _, _ = convert_text(paint(""))
    assert NAMESPACE not in sdf


TEXTURED = (f'<visual>{BOX}<material name="t"><texture filename="t.png"/></material></visual>'
            f'<visual>{BOX}<material name="m"><color rgba="0.1 0.2 0.3 1"/></material></visual>')
ROBOT = robot(*[link(name, 1) for name in "abcd"], link("e", 1, TEXTURED),
              link("f", 1, f"<collision>{BOX}</collision><visual>{BOX}</visual>"), joint("af", "fixed", "a", "f"),
              joint("ab", "fixed", "a", "b"), joint("c", "continuous", "b", "c"), joint("bd", "planar", "b", "d"),
              joint("be", "continuous", "b", "e"))


def test_no_attribute_of_the_record_is_empty_and_our_reader_passes_over_them():
    """libsdformat refuses empty ones."""
    sdf, _, _ = convert_text(ROBOT)
    texts = {name.partition("}")[2]: text for e in etree.fromstring(sdf.encode()).iter()
             for name, text in e.attrib.items() if name.startswith("{")}
    assert texts.keys() == {"parent", "origin", "name", "type", "axis", "rgba"} and all(texts.values())
    assert [d.name for d in load_text(sdf).diagnostics if d.severity != "info"] == []


@pytest.mark.skipif(shutil.which("ign") is None,
                    reason="ign (Debian package ignition-tools, with libsdformat-dev) is not installed")
def test_libsdformat_accepts_the_record_without_a_word(tmp_path):
    path = tmp_path / "robot.sdf"
    path.write_text(convert_text(ROBOT)[0])
    done = subprocess.run(["ign", "sdf", "-k", str(path)], capture_output=True, text=True, timeout=60)
    # Of its command-line tool, not of the file.
    said = [line for line in (done.stdout + done.stderr).splitlines() if "libignition-tools-backward" not in line]
    assert said == ["Valid."]


@pytest.mark.parametrize("where", [
    '<visual name="v">{box}</visual>', '<visual name="v">{box}</visual><visual name="w">{box}</visual>',
    '<visual name="v">{box}<material name="m"><color rgba="0.1 0.2 0.3 1"/></material></visual>'])
def test_a_colour_under_gazebo_comes_back_as_it_is(where):
    """A URDF's colour is made brighter in the SDF; one under <gazebo> is not, there and back and there again."""
    inside = where.format(box=BOX)
    text = robot(link("a", 1, inside), gazebo(
        "a", "<visual><material><diffuse>0.8 0.4 0.2 1</diffuse></material></visual>"))
    sdf, _, _ = convert_text(text)
    back = convert_to_urdf(load_text(sdf)).text
    assert {colour.get("rgba") for colour in etree.fromstring(back.encode()).iter("color")} == {"0.8 0.4 0.2 1"}
    again, _, _ = convert_text(back)
    assert [e.text for e in etree.fromstring(again.encode()).iter("diffuse", "ambient")] == (
        ["0.8 0.4 0.2 1"] * inside.count("<visual"))


def test_different_colours_under_gazebo_come_back_with_their_lumped_links():
    colour = "<visual><material><diffuse>{}</diffuse></material></visual>"
    visual = f'<visual name="v">{BOX}</visual>'
    text = robot(link("a", 1, visual), link("b", 1, visual), joint("j", "fixed", "a", "b"),
                 gazebo("a", colour.format("0.8 0.4 0 1")),
                 gazebo("b", colour.format("0 0.2 0.8 1")))
    sdf, _, _ = convert_text(text)
    back = convert_to_urdf(load_text(sdf)).text
    again, _, _ = convert_text(back)
    for tree in (sdf, again):
        assert [e.text for e in etree.fromstring(tree.encode()).iter("diffuse")] == ["0.8 0.4 0 1", "0 0.2 0.8 1"]
    assert convert_to_urdf(load_text(again)).text == back


def test_different_colours_of_one_link_of_another_sdf_are_brightened_when_converted_again():
    """<gazebo> has one colour for all visuals of a link: round_trip.md says so."""
    visual = '<visual name="{}"><geometry><box/></geometry><material><diffuse>{}</diffuse></material></visual>'
    body = visual.format("v", "0.8 0.4 0 1") + visual.format("w", "0 0.2 0.8 1")
    back = convert_to_urdf(load_text(
        f'<sdf version="1.9"><model name="m"><link name="a">{body}</link></model></sdf>')).text
    assert [e.get("rgba") for e in etree.fromstring(back.encode()).iter("color")] == ["0.8 0.4 0 1", "0 0.2 0.8 1"]
    again, _, _ = convert_text(back)
    assert [e.text for e in etree.fromstring(again.encode()).iter("diffuse")] == ["1 0.5 0 1", "0 0.25 1 1"]
    assert convert_to_urdf(load_text(again)).text == back


@pytest.mark.parametrize("diffuse, said", [("1 1 0 1", False), ("0.9 1 0 1", True)])
def test_gazebo_says_a_colour_of_another_sdf_only_where_it_would_be_made_brighter(diffuse, said):
    text = (f'<sdf version="1.9"><model name="m"><link name="a"><visual name="v"><geometry><box/></geometry><material>'
            f"<diffuse>{diffuse}</diffuse></material></visual></link></model></sdf>")
    assert ("<diffuse>" in convert_to_urdf(load_text(text)).text) == said


LOCKED = robot(link("a", 1), link("b", 1), joint("j", "fixed", "a", "b", xyz="1 2 3"), gazebo(
    "j", "<disableFixedJointLumping>true</disableFixedJointLumping><springStiffness>3</springStiffness>"))


@pytest.mark.parametrize("edit, kind", [
    (("", ""), "fixed"), (("<upper>0</upper>", "<upper>1</upper>"), "revolute"),
    (('type="revolute"', 'type="prismatic"'), "prismatic")])
def test_a_locked_joint_is_a_fixed_one_again_until_somebody_lets_it_move(edit, kind):
    sdf, _, _ = convert_text(LOCKED)
    back = convert_to_urdf(load_text(sdf.replace(*edit))).text
    robot = etree.fromstring(back.encode())
    assert robot.find("joint").get("type") == kind
    assert robot.findtext("gazebo/springStiffness") == "3"
    assert [e.text for e in robot.iter("disableFixedJointLumping")] == ["true"] * (kind == "fixed")
    if kind == "fixed":
        assert convert_text(back)[0] == sdf
