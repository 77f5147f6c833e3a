"""Colours of visuals: what is written, in which order it counts, and what cannot be read."""
import pytest
from lxml import etree

from sdf_frames.sdf.geometry import SCRIPT_COLOURS, read_colour

DIFFUSE, AMBIENT = "<diffuse>{}</diffuse>", "<ambient>{}</ambient>"
SCRIPT = "<script><uri>u</uri><name> {} </name></script>"
GREY = (0.7, 0.7, 0.7)


@pytest.mark.parametrize(("material", "colour"), [
    ("", None), (DIFFUSE.format("0.1 0.2 0.3 0.4"), (0.1, 0.2, 0.3, 0.4)),
    (DIFFUSE.format("0.1 0.2 0.3"), (0.1, 0.2, 0.3, 1)), (AMBIENT.format("0 0 1 1"), (0, 0, 1, 1)),
    (AMBIENT.format("0 0 1 1") + DIFFUSE.format("1 0 0 1"), (1, 0, 0, 1)),
    (DIFFUSE.format("red") + AMBIENT.format("0 0 1 1"), (0, 0, 1, 1)),
    (DIFFUSE.format("2 -1 0.5 7"), (1, 0, 0.5, 1)), (DIFFUSE.format("1 0"), None), (DIFFUSE.format(""), None),
    (SCRIPT.format("Gazebo/Orange"), (1, 0.51, 0.05, 1)), (SCRIPT.format("Gazebo/Unheard"), None),
    (SCRIPT.format("Gazebo/Orange") + AMBIENT.format("0 0 1 1"), (0, 0, 1, 1))])
@pytest.mark.parametrize(("transparency", "opacity"), [
    ("", 1), ("<transparency>0.25</transparency>", 0.75), ("<transparency>1.5</transparency>", 0),
    ("<transparency>-1</transparency>", 1), ("<transparency>much</transparency>", 1), ("<transparency/>", 1)])
def test_the_first_colour_that_can_be_read_counts(material, colour, transparency, opacity):
    """Diffuse, ambient, script; grey where only the transparency is known."""
    visual = etree.fromstring(f"<visual><material>{material}</material>{transparency}</visual>")
    if colour is None and opacity < 1:
        colour = (*GREY, 1)
    expected = None if colour is None else pytest.approx((*colour[:3], colour[3] * opacity))
    assert read_colour(visual) == expected


@pytest.mark.parametrize(("inside", "colour"), [("", None), ("<transparency>0.5</transparency>", (*GREY, 0.5))])
def test_a_visual_without_a_material(inside, colour):
    assert read_colour(etree.fromstring(f"<visual>{inside}</visual>")) == colour


def test_colours_of_scripts_are_colours():
    assert {name.removeprefix("Gazebo/") for name in SCRIPT_COLOURS} == {
        "Black", "FlatBlack", "DarkGrey", "Grey", "Gray", "White", "Red", "Green", "Blue", "Yellow", "Purple",
        "Turquoise", "Orange", "SkyBlue", "ZincYellow", "Wood", "LightWood", "WoodPallet", "GrassFloor", "Gold",
        "Indigo"}
    assert all(len(colour) == 3 and 0 <= min(colour) and max(colour) <= 1 for colour in SCRIPT_COLOURS.values())
    pure = {"Red": (1, 0, 0), "Green": (0, 1, 0), "Blue": (0, 0, 1), "White": (1, 1, 1), "Black": (0, 0, 0),
            "Yellow": (1, 1, 0), "Purple": (1, 0, 1), "Turquoise": (0, 1, 1), "Indigo": (0.33, 0, 0.5),
            "Gray": SCRIPT_COLOURS["Gazebo/Grey"]}
    assert {name: SCRIPT_COLOURS[f"Gazebo/{name}"] for name in pure} == pure
