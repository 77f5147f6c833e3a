"""Attributes in the SDF of a URDF from which ``to-urdf`` makes the same URDF again.

They hold what SDFormat cannot express, such as the name of a joint that was renamed. Their namespace is this
project's, so other readers ignore them; libsdformat demands that none is empty. A value counts as long as it agrees
with the elements of the SDF, so that an SDF can be edited without knowing of these attributes.
"""
from __future__ import annotations

from sdf_frames.document.elements import Element
from sdf_frames.document.numbers import copy_numbers, read_numbers
from sdf_frames.sdf.names import CARRIED, NAMESPACE

PREFIXES = {"sdf_frames": NAMESPACE}
#: On a joint that has another name in SDF, or on the frame that represents it: the name in the URDF.
NAME = "name"
#: On a joint whose parent link was lumped, and on a shape of a lumped link: that link, and the pose in it.
PARENT, ORIGIN = "parent", "origin"
#: On the frame that represents a floating or planar joint: its type and axis. On a fixed joint that is written as a
#: revolute one locked at 0: its type.
TYPE, AXIS = "type", "axis"
#: On a model: the version of the URDF, if it is not 1.0.
VERSION = "version"
#: On a <diffuse>: the URDF's colour, or NO_COLOUR.
RGBA, NO_COLOUR = "rgba", "none"


def attribute(name: str) -> str:
    """Return an attribute's name with its namespace, as lxml writes it."""
    return CARRIED + name


def scale_colour(rgba: tuple[float, ...]) -> tuple[float, ...]:
    """Return the diffuse and ambient colour for a colour (r, g, b, a) of a URDF: 1.25 times it, at most 1.

    libsdformat does the same. It makes up for the factors 0.8 and 0.4·½ of Gazebo's own defaults.
    """
    red, green, blue, alpha = rgba
    return (min(1.25 * red, 1.0), min(1.25 * green, 1.0), min(1.25 * blue, 1.0), alpha)


def restore_colour(diffuse: Element, rgba: tuple[float, ...]) -> tuple[float, ...] | None:
    """Return the URDF colour that a ``<diffuse>`` of the value `rgba` was made from; `rgba` if no attribute says so."""
    text = diffuse.get(attribute(RGBA))
    if text is None:
        return rgba
    if text == NO_COLOUR:
        return None if tuple(rgba) == (1.0, 1.0, 1.0, 1.0) else rgba
    recorded = read_numbers(text, 4)
    return copy_numbers(text, recorded) if recorded and scale_colour(recorded) == tuple(rgba) else rgba
