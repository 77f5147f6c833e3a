"""Reads the parts of a link or joint: origins, shapes, materials, inertias, limits.

A part is refused by the rules of urdfdom 3: :class:`Unreadable` is raised, which the callers in this package turn into
a finding. Elements that hold more than is read here are appended to `extras`, for :mod:`sdf_frames.urdf.unread`.
"""
from __future__ import annotations

import re
from math import inf, isfinite
from typing import Any

from sdf_frames.diagnostics import suggest_name
from sdf_frames.document.elements import Element, tag_of
from sdf_frames.document.memory import remember_short
from sdf_frames.document.numbers import EXPAND, explain_numbers, is_unexpanded
from sdf_frames.spatial.pose import Vector, rpy_from_quaternion
from sdf_frames.urdf import model as urdf
from sdf_frames.urdf.versions import AFTER_BLANK, CHECKED, ends_with_blank, is_too_new, version_of

# Attributes by shape.
SHAPES = {"box": ["size"], "cylinder": ["radius", "length"], "sphere": ["radius"], "capsule": ["radius", "length"],
          "mesh": ["filename", "scale"]}
_MATERIAL_VALUES = {"color": "rgba", "texture": "filename"}
NAME = frozenset(("name",))
_PLACE = frozenset(("xyz", "rpy"))
_ROUND = {"cylinder": urdf.Cylinder, "sphere": urdf.Sphere, "capsule": urdf.Capsule}
ZERO = (0.0, 0.0, 0.0)
#: Values of attributes in hints; products of inertia are mostly zero.
FORMS = {"size": "X Y Z", "xyz": "X Y Z", "rgba": "RED GREEN BLUE ALPHA", "value": "KILOGRAMS",
         "ixy": "0", "ixz": "0", "iyz": "0"}
_COUNTS = {"a number": 1, "3 numbers": 3, "4 numbers": 4}
ONLY_ROTATION = "the only rotation: rpy stands beside it"
A_SHAPE = "a known shape"
_UNIT = re.compile(r"\d\s*(mm|cm|m|kg|g|deg|rad|s|°)\s*$")


class Unreadable(Exception):
    """An element that cannot be read.

    Attributes
    ----------
    attribute : the malformed attribute; None if something is missing.
    instead : the value that programs without this rule read; None if every program refuses the element.
    """

    def __init__(self, element: Element, problem: str, attribute: str | None = None, text: str = "", wanted: str = "",
                 instead: Any = None):
        super().__init__(problem)
        self.element, self.problem, self.attribute, self.text, self.wanted = element, problem, attribute, text, wanted
        self.instead = instead

    @property
    def missing(self) -> list[str]:
        """The attributes or elements that are missing, if that is the problem."""
        return re.findall(r"\b(?!or\b)\w+", self.text) if self.attribute is None else []

    @property
    def hint(self) -> str | None:
        """Return a hint, if the text shows what to do."""
        if is_unexpanded(self.text):
            return EXPAND
        if self.wanted == ONLY_ROTATION:
            return "remove one of the two"
        if _UNIT.search(self.text):
            return "write numbers without units; URDF has metres, radians, kilograms and seconds"
        if self.missing and self.text[0] != "<":
            return "add " + " ".join([f'{name}="{FORMS.get(name, "…")}"' for name in self.missing])
        if self.wanted == A_SHAPE:
            return suggest_name(tag_of(self.element), SHAPES)
        if self.attribute == "scale" and len(numbers_in(self.text) or ()) == 1:
            return f'write scale="{" ".join(3 * self.text.split())}"'
        return explain_numbers(self.text, _COUNTS.get(self.wanted, 0))


def read_vector(element: Element, attribute: str) -> Vector:
    """Read the three finite numbers of an attribute; zeros if there is no such attribute."""
    if (text := element.get(attribute)) is None:
        return ZERO
    x, y, z = _read_numbers(element, attribute, text, 3)
    return x, y, z


def _read_numbers(element: Element, attribute: str, text: str, count: int) -> tuple[float, ...]:
    """Read the `count` finite numbers in `text`."""
    values = numbers_in(text)
    if values is None or len(values) != count:
        raise Unreadable(element, f'{attribute}="{text}" is not {count} numbers', attribute, text, f"{count} numbers")
    return values


@remember_short
def numbers_in(text: str) -> tuple[float, ...] | None:
    """Read the numbers in `text`; None if it holds anything else."""
    try:
        values = tuple([float(part) for part in text.split()])
    except ValueError:
        return None
    # float() accepts more than the format allows: underscores, digits of other scripts, inf and nan.
    return values if all(map(isfinite, values)) and "_" not in text and text.isascii() else None


def _optional(element: Element, attribute: str) -> float | None:
    """Read the finite number of an attribute; None if there is no such attribute."""
    if (text := element.get(attribute)) is None:
        return None
    values = numbers_in(text)
    if values is None or len(values) != 1:
        raise Unreadable(element, f'{attribute}="{text}" is not a number', attribute, text, "a number")
    return values[0]


def _require(element: Element, attribute: str) -> float:
    if (value := _optional(element, attribute)) is None:
        raise Unreadable(element, f"<{tag_of(element)}> has no {attribute}", None, attribute)
    return value


def _or_zero(element: Element, attribute: str) -> float:
    return _optional(element, attribute) or 0.0


def read_origin(element: Element | None, extras: list[Element]) -> urdf.Origin:
    """Read ``<origin xyz rpy>``, since URDF 1.1 also ``quat_xyzw``; a quaternion of length 0 is no rotation."""
    if element is None:
        return urdf.NO_ORIGIN
    if len(element):
        extras.append(element)
    xyz, rpy = element.get("xyz"), element.get("rpy")
    if not _PLACE.issuperset(element.keys()):
        extras.append(element)
        if (quat := element.get("quat_xyzw")) is not None and not is_too_new(element, "@quat_xyzw"):
            x, y, z, w = _read_numbers(element, "quat_xyzw", quat, 4)
            if rpy is not None:
                raise Unreadable(element, "it has both rpy and quat_xyzw", "quat_xyzw", quat, ONLY_ROTATION)
            angles = rpy_from_quaternion(w, x, y, z) if any((x, y, z, w)) else ZERO
            return urdf.Origin(read_vector(element, "xyz"), angles)
    return _origin_of(xyz, rpy) or urdf.Origin(read_vector(element, "xyz"), read_vector(element, "rpy"))  # which raises


@remember_short
def _origin_of(xyz: str | None, rpy: str | None) -> urdf.Origin | None:
    """Read an origin; None if one of the texts is not three numbers."""
    position, angles = [ZERO if text is None else numbers_in(text) for text in (xyz, rpy)]
    if position is None or angles is None or not len(position) == len(angles) == 3:
        return None
    return urdf.Origin(position, angles) if any(position) or any(angles) else urdf.NO_ORIGIN


def read_geometry(element: Element | None, parent: Element, extras: list[Element]) -> urdf.Geometry:
    """Read the first shape in ``<geometry>``; readers ignore the others."""
    if element is None:
        raise Unreadable(parent, "it has no <geometry>", text="<geometry>")
    if len(element) != 1 or element.keys():
        extras.append(element)
    if not len(element):
        raise Unreadable(element, "<geometry> is empty", text=" ".join(f"<{tag}>" for tag in SHAPES))
    shape = next((child for child in element if child.tag in SHAPES), element[0])
    tag = shape.tag
    if (wanted := SHAPES.get(tag)) is None:
        extras.append(shape)
        raise Unreadable(shape, f"<{tag_of(shape)}> is not {A_SHAPE}", wanted=A_SHAPE)
    given = [key for key in wanted if key in shape.attrib]
    if len(shape.keys()) != len(given) or len(shape) or tag == "capsule" or (
            tag in AFTER_BLANK and ends_with_blank(shape)):
        extras.append(shape)
    if not given or tag == "mesh" and not shape.get("filename", "").strip():
        raise Unreadable(shape, f"<{tag}> has no {wanted[0]}", text=wanted[0])
    if tag == "mesh":
        return urdf.Mesh(shape.get("filename", ""), *[read_vector(shape, name) for name in given[1:]])
    if tag == "box":
        return urdf.Box(read_vector(shape, "size"))
    return _ROUND[tag](*[_require(shape, key) for key in wanted])


def read_material(element: Element, extras: list[Element]) -> tuple[urdf.Material, Unreadable | None]:
    """Read a material, and the problem of its colour, if any; components out of range are clamped."""
    texture = colour = unreadable = None
    if len(element) > 1 or not NAME.issuperset(element.keys()):
        extras.append(element)
    for child in element:
        tag = child.tag
        value = _MATERIAL_VALUES.get(tag)
        if value is None or child.get(value) is None or len(child.keys()) != 1 or len(child):
            extras.append(child)
        if tag == "texture" and texture is None:
            texture = child.get("filename")
        elif tag == "color" and colour is None and (text := child.get("rgba")) is not None:
            try:
                colour = _read_numbers(child, "rgba", text, 4)
            except Unreadable as problem:
                unreadable = problem
            else:
                if min(colour) < 0.0 or max(colour) > 1.0:
                    unreadable = Unreadable(child, "out of range", "rgba", text)
                    colour = tuple([min(max(c, 0.0), 1.0) for c in colour])
    return urdf.Material(element.get("name") or "", colour, texture, element), unreadable


_NO_TENSOR: tuple[float, ...] = (0.0,) * 6


def read_inertial(element: Element, extras: list[Element]) -> tuple[urdf.Inertial | None, tuple[Unreadable, ...]]:
    """Read an ``<inertial>``; return it, or None, and the parts that cannot be read.

    Without a readable mass there is no inertial. With an unreadable origin there is none either, because the mass would
    be in the wrong place. An unreadable tensor is zero, as in libsdformat. A problem whose `attribute` is "value", or
    one of ``<origin>``, means that a mass is written but cannot be used.
    """
    at = mass = tensor = None
    origin = urdf.NO_ORIGIN
    unreadable_parts: list[Unreadable] = []
    parts = 0
    for child in element:
        tag = child.tag
        try:
            if tag == "mass" and mass is None:
                mass = _require(child, "value")
                parts += len(child.keys()) == 1 and not len(child) and not ends_with_blank(child)
            elif tag == "inertia" and tensor is None:
                tensor = _NO_TENSOR
                tensor = _read_tensor(child)
                parts += len(child.keys()) == 6 and not len(child) and not ends_with_blank(child)
            elif tag == "origin" and at is None:
                at = child
                origin = read_origin(child, extras)
                parts += 1
        except Unreadable as unreadable:
            unreadable_parts.append(unreadable)
            if tag == "origin":
                return None, tuple(unreadable_parts)
    if parts != len(element) or element.keys():
        extras.append(element)
    if mass is None:
        if not unreadable_parts:
            unreadable_parts.append(Unreadable(element, "<inertial> has no <mass>", text="<mass>"))
        return None, tuple(unreadable_parts)
    if tensor is None:
        tensor = _NO_TENSOR
        unreadable_parts.append(Unreadable(element, "<inertial> has no <inertia>", text="<inertia>"))
    return urdf.Inertial._make((origin, mass, *tensor, element)), tuple(unreadable_parts)


def _read_tensor(element: Element) -> tuple[float, ...]:
    if missing := [name for name in urdf.TENSOR if element.get(name) is None]:
        raise Unreadable(element, "<inertia> has no " + ", ".join(missing), text=", ".join(missing))
    return tuple([_require(element, name) for name in urdf.TENSOR])


def read_limit(element: Element) -> urdf.Limit:
    """Read a ``<limit>``; effort and velocity are infinite if they are not written, as URDF 1.2 allows."""
    checked = version_of(element) >= CHECKED
    values = {name: _optional(element, name) for name in (*urdf.Limit._fields[:4], *(urdf.RATES if checked else ()))}
    lower, upper, effort, velocity, *rates = values.values()
    limit = urdf.Limit(lower or 0.0, upper or 0.0, inf if effort is None else effort,
                       inf if velocity is None else velocity, element, *rates)
    joint = element.getparent()
    row = None if joint is None else urdf.JOINT_TYPES.get(joint.get("type", ""))
    needed = ("effort", "velocity") if not checked else ("lower", "upper") if row is not None and row.bounded else ()
    if (missing := next((name for name in needed if values[name] is None), None)) is not None:
        raise Unreadable(element, f"<limit> has no {missing}", None, missing, instead=limit)
    if checked:
        _check_limit(limit, values)
    return limit


def _check_limit(limit: urdf.Limit, values: dict[str, float | None]) -> None:
    """Refuse limits as URDF 1.2 does: lower must not exceed upper, and only positions may be negative."""
    element = limit.element
    assert element is not None
    if limit.upper < limit.lower:
        raise Unreadable(element, "upper is below lower", "upper", element.get("upper", ""),
                         f"at least lower ({limit.lower:g}), as URDF 1.2 requires", limit)
    for name in ("effort", "velocity", *urdf.RATES):
        if (value := values[name]) is not None and value < 0.0:
            raise Unreadable(element, f"{name} is negative", name, element.get(name, ""),
                             "zero or more, as URDF 1.2 requires", limit)


def read_dynamics(element: Element) -> urdf.Dynamics:
    damping, friction = _optional(element, "damping"), _optional(element, "friction")
    dynamics = urdf.Dynamics(damping or 0.0, friction or 0.0, element)
    if damping is None and friction is None:
        raise Unreadable(element, "<dynamics> has neither damping nor friction", None, "damping or friction",
                         instead=dynamics)
    return dynamics


def read_mimic(element: Element) -> urdf.Mimic:
    joint = element.get("joint")
    multiplier = _optional(element, "multiplier")
    mimic = urdf.Mimic(joint or "", 1.0 if multiplier is None else multiplier, _or_zero(element, "offset"), element)
    if joint is None:
        raise Unreadable(element, "<mimic> has no joint", None, "joint", instead=mimic)
    return mimic


def read_safety(element: Element) -> urdf.Safety:
    return urdf.Safety(_require(element, "k_velocity"), _or_zero(element, "k_position"),
                       _or_zero(element, "soft_lower_limit"), _or_zero(element, "soft_upper_limit"), element)


def read_calibration(element: Element) -> urdf.Calibration:
    return urdf.Calibration(_optional(element, "rising"), _optional(element, "falling"), element)
