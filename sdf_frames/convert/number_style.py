"""Writes the numbers of a document in another style: angles of poses in degrees, fewer digits."""
from __future__ import annotations

from math import degrees, nan
from typing import NamedTuple

from lxml import etree

from sdf_frames.document.elements import Element
from sdf_frames.document.numbers import format_number, read_bool, read_numbers
from sdf_frames.sdf.table import find_spec
from sdf_frames.sdf.values import read_pose_text
from sdf_frames.spatial.inertia import MOMENTS, find_defects
from sdf_frames.spatial.pose import rpy_from_quaternion

_NUMERIC = ("double", "float", "vector3", "vector2d", "color", "pose")


class NumberStyle(NamedTuple):
    """How to write numbers.

    Attributes
    ----------
    degrees : write poses as x y z and three angles in degrees, if their element has the attribute ``degrees``: a
        ``<pose>`` of an actor's waypoint has not.
    snap, tolerance : round angles that are within `tolerance` degrees of a multiple of `snap` degrees; 0 for none.
    precision : significant digits of every number; 0 for as many as the number needs.
    """

    degrees: bool = False
    snap: float = 0.0
    tolerance: float = 0.01
    precision: int = 0


NO_STYLE = NumberStyle()


def restyle_numbers(root: Element, style: NumberStyle) -> None:
    """Write the numbers of an ``<sdf>`` tree in a style, in place. Plugins and malformed numbers stay as they are.

    A tensor gets more digits if fewer would make it impossible.
    """
    needed = dict[Element | None, int]()
    for element in root.iter(etree.Element):
        if element.tag == "inertia" and style.precision:
            needed[element] = _find_digits(element, style.precision)
        spec = find_spec(element) if element.text else None
        if spec is None or spec.value is None or spec.value.type not in _NUMERIC:
            continue
        if spec.value.type == "pose" and "degrees" in spec.attributes and (style.degrees or style.snap):
            _turn_to_degrees(element, style)
        if style.precision and element.text:
            digits = needed.get(element.getparent(), style.precision)
            element.text = " ".join(_round(word, digits) for word in element.text.split())


def _turn_to_degrees(pose: Element, style: NumberStyle) -> None:
    text, form, in_degrees = pose.text or "", pose.get("rotation_format", ""), pose.get("degrees", "")
    X, _ = read_pose_text(text, form, in_degrees)
    if X is None:
        return
    if form == "quat_xyzw":
        angles = [degrees(a) for a in rpy_from_quaternion(*X[3:])]
    else:
        # Not by way of the quaternion, which would cost digits.
        written = (read_numbers(text, 6) or (0.0,) * 6)[3:]
        angles = list(written) if read_bool(in_degrees) else [degrees(a) for a in written]
    if style.snap:
        angles = [near if abs(a - (near := round(a / style.snap) * style.snap)) <= style.tolerance else a
                  for a in angles]
    pose.attrib.pop("rotation_format", "")
    pose.set("degrees", "true")
    pose.text = " ".join(map(format_number, (*X[:3], *angles)))


def _find_digits(inertia: Element, digits: int) -> int:
    """Return how many digits, at least `digits`, the moments of an ``<inertia>`` need to stay possible."""
    moments = [read_numbers(inertia.findtext(tag, "1" if tag[1] == tag[2] else "0"), 1) for tag in MOMENTS]
    xx, yy, zz, xy, xz, yz = [number[0] if number else nan for number in moments]
    for more in range(digits, 17) if not find_defects(1.0, (xx, yy, zz, xy, xz, yz)) else ():
        a, b, c, d, e, f = [float(f"{number:.{more}g}") for number in (xx, yy, zz, xy, xz, yz)]
        if not find_defects(1.0, (a, b, c, d, e, f)):
            return more
    return digits


def _round(word: str, digits: int) -> str:
    try:
        return format_number(float(f"{float(word):.{digits}g}"))
    except ValueError:
        return word
