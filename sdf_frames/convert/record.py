"""What the SDF of a URDF records for the way back, where SDFormat's own words do not hold it.

The record is attributes in a namespace of this project, which other readers ignore; libsdformat asks that none is
empty. A recorded value counts as long as it agrees with the SDF's own: who edits the SDF need not know of it.
"""
from __future__ import annotations

from functools import cache

from sdf_frames.document.numbers import copy_numbers, read_numbers
from sdf_frames.document.xml_in import Element

NAMESPACE = "urn:sdf_frames:urdf"
PREFIXES = {"sdf_frames": NAMESPACE}
#: Of a joint that has another name in SDF, or of the frame that stands for it: the name in the URDF.
NAME = "name"
#: Of a joint whose parent link was lumped: that link, and the joint's pose in it.
PARENT, ORIGIN = "parent", "origin"
#: Of the frame that stands for a joint without counterpart: its type and axis.
TYPE, AXIS = "type", "axis"
#: Of a <diffuse>: the URDF's colour, or NO_COLOUR.
RGBA, NO_COLOUR = "rgba", "none"


@cache
def attribute(name: str) -> str:
    """The name of an attribute of the record as lxml has it."""
    return f"{{{NAMESPACE}}}{name}"


def scale_colour(rgba: tuple[float, ...]) -> tuple[float, ...]:
    """The diffuse and ambient colour of a URDF colour: 1.25 times it, as libsdformat has it, which undoes the 0.8 and
    0.4·½ of Gazebo's own defaults."""
    red, green, blue, alpha = rgba
    return (min(1.25 * red, 1.0), min(1.25 * green, 1.0), min(1.25 * blue, 1.0), alpha)


def restore_colour(diffuse: Element, rgba: tuple[float, ...]) -> tuple[float, ...] | None:
    """The colour that a ``<diffuse>`` of the value `rgba` was made of; `rgba` itself where no record says so."""
    text = diffuse.get(attribute(RGBA))
    if text is None:
        return rgba
    if text == NO_COLOUR:
        return None if tuple(rgba) == (1.0, 1.0, 1.0, 1.0) else rgba
    recorded = read_numbers(text, 4)
    return copy_numbers(text, recorded) if recorded and scale_colour(recorded) == tuple(rgba) else rgba
