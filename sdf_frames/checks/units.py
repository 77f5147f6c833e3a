"""Reports values that are probably in another unit: degrees, millimetres, kg·mm².

Values that people write for "no limit", such as 1e16, and multiples of pi are not reported.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import pi, radians
from typing import TYPE_CHECKING

from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.document.elements import Element, child_or_self, locate, tag_of
from sdf_frames.document.memory import remember_short
from sdf_frames.document.numbers import format_number, format_numbers, read_bool, read_numbers
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.resolve import Scope
from sdf_frames.sdf.model import Link, Root, walk_links
from sdf_frames.spatial.inertia import LEAST_REACH2, LIKE, Tensor

if TYPE_CHECKING:
    from sdf_frames.convert.urdf_to_sdf import Conversion

_TURNING = ("revolute", "revolute2", "universal")
_MOST_DEGREES = 720.0
#: Smallest suspicious size of a shape, in metres.
_LONG = 50.0
_SHAPES = ("box", "sphere", "cylinder", "capsule", "ellipsoid", "cone")


def check_units(root: Root, scopes: Sequence[Scope], conversion: Conversion | None = None) -> Iterator[Diagnostic]:
    """Report limits, angles, shapes and inertias in a probably wrong unit, and moments about exchanged axes.

    Parameters
    ----------
    root, scopes : the document, and its worlds and root model.
    conversion : the conversion of the URDF that the document was made from.
    """
    for scope in scopes:
        yield from _check_limits(scope.graph)
    source = None if conversion is None else conversion.robot.element
    yield from _check_angles(root.element if source is None else source)
    if any(_find_largest(size.text) >= _LONG for shape in root.element.iter(*_SHAPES) for size in shape):
        from sdf_frames.checks.sizes import check_shape_units
        for scope in scopes:
            yield from check_shape_units(scope.graph)
    for _, prefix, link in walk_links(root):
        if link.inertial is not None and link.inertial.moments and _may_mislead(link.inertial.moments, link):
            from sdf_frames.checks.sizes import check_inertia  # 9 ms, which most robots do not need
            yield from check_inertia(prefix + link.name, link)


def _may_mislead(moments: Tensor, link: Link) -> bool:
    """Return whether moments are so large or so different that unit or axes may be wrong; False for mesh collisions."""
    least, _, most = sorted(moments[:3])
    mass = 0.0 if link.inertial is None else link.inertial.mass or 0.0
    return (most > LEAST_REACH2 * mass or most >= LIKE * least) and bool(link.collisions) and all(
        collision.element.find("geometry/mesh") is None for collision in link.collisions)


def are_degrees(angles: Sequence[float], most: float = 2 * pi) -> bool:
    """Return whether an angle exceeds `most` radians, and all angles could be degrees that are round numbers."""
    return most < max(map(abs, angles)) <= _MOST_DEGREES and all(2 * angle == round(2 * angle) for angle in angles)


def _check_limits(graph: FrameGraph) -> Iterator[Diagnostic]:
    for vertex, _ in graph.joints:
        joint = graph.joint(vertex)
        for axis in joint.axes if joint.type in _TURNING else ():
            limits = [value for value in (axis.lower, axis.upper) if value is not None]
            if limits and are_degrees(limits, 4 * pi):
                yield diagnose("unit-mistaken", locate(child_or_self(axis.element, "limit")), unit="degrees",
                               what=f"the limits of joint {joint.name!r}", wanted="radians: " + " to ".join(
                                   _to_radians(limits)), value=" to ".join(map(format_number, limits)))


def report_degrees(what: str, angles: Sequence[float], at: Location, more: str = "") -> Diagnostic:
    """Return the warning about angles that are probably degrees; `more` ends the hint."""
    return diagnose("unit-mistaken", at, unit="degrees", what=what, value=format_numbers(angles),
                    wanted="radians: " + " ".join(_to_radians(angles)) + more)


def _to_radians(degrees: Sequence[float]) -> list[str]:
    return [f"{radians(angle):.6g}" for angle in degrees]


def _check_angles(root: Element) -> Iterator[Diagnostic]:
    """Check the rotations of poses and origins, and the angles that a lidar scans, as they are written."""
    for element in root.iter("origin", "pose", "min_angle", "max_angle"):
        if element.tag not in ("origin", "pose"):
            angle = read_numbers(element.text or "", 1)
            if angle is not None and are_degrees(angle):
                yield report_degrees(f"<{tag_of(element)}>", angle, locate(element))
            continue
        is_pose = element.tag == "pose"
        angles = _find_pose_degrees(element.text) if is_pose else _find_degrees(element.get("rpy"))
        if angles is None or is_pose and (read_bool(element.get("degrees", "false")) is not False
                                          or element.get("rotation_format", "") not in ("", "euler_rpy")):
            continue
        owner = next(element.iterancestors(), element)
        name = f" {owner.get('name')!r}" if owner.get("name") else ""
        yield report_degrees(f"{'the rotation' if is_pose else 'rpy'} of <{tag_of(owner)}>{name}", angles,
                             locate(element, None if is_pose else "rpy"))


@remember_short
def _find_degrees(text: str | None) -> tuple[float, ...] | None:
    """Return the three angles of a text if they are probably degrees."""
    angles = read_numbers(text, 3) if text else None
    return angles if angles is not None and are_degrees(angles) else None


@remember_short
def _find_pose_degrees(text: str | None) -> tuple[float, ...] | None:
    """Apply :func:`_find_degrees` to the numbers after the first three."""
    return _find_degrees(" ".join(text.split()[3:])) if text else None


@remember_short
def _find_largest(text: str | None) -> float:
    """Return the largest absolute value of the numbers in a text."""
    return max([abs(number) for word in (text or "").split() for number in read_numbers(word, 1) or ()], default=0.0)
