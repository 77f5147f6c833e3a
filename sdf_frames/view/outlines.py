"""Draws the range of sensors and lights as lines: frustums of cameras, fans of lidars, cones of lights.

A sensor looks along its x axis; z is up. Units are metres and radians.
"""
from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import ceil, cos, pi, sin, tan, tau
from typing import Any, TypeAlias

import numpy as np

from sdf_frames.api.parts import Part
from sdf_frames.document.numbers import read_number, read_vector
from sdf_frames.sdf.sensor_ids import CAMERAS

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"
_LIDARS = ("ray", "gpu_ray", "lidar", "gpu_lidar")
#: The largest angle in radians for which a frustum or cone exists.
_WIDEST = 2.8
#: Radians between two points of an arc.
STEP = pi / 18
_LARGEST = 1e9


def outline_part(part: Part, most: float) -> Numbers:
    """Draw the range of a sensor or light, up to `most` metres.

    `part` is a ``sensor`` or ``light``.

    Returns
    -------
    points
        (2 N, 3) in the frame of the part: points 2 i and 2 i + 1 are the ends of a line. Empty for a sensor without a
        direction, such as an IMU.

    Notes
    -----
    Source: sensor.sdf, camera.sdf, ray.sdf, lidar.sdf, logical_camera.sdf and light.sdf 1.12.
    """
    kind = part.find("@type")  # "" for a sensor without a type
    if part.kind == "light":
        return _outline_light(part, kind, most)
    if kind in CAMERAS:
        aspect = _read(part, "camera/image/width") / _read(part, "camera/image/height", least=1.0)
        return _outline_frustum(part, "camera", "camera/clip", aspect, most)
    if kind == "logical_camera":
        return _outline_frustum(part, kind, kind, _read(part, f"{kind}/aspect_ratio"), most)
    if kind in _LIDARS:
        return _outline_scan(part, "ray" if any(place.startswith("ray/") for place in part.settings) else "lidar", most)
    return np.zeros((0, 3))


def _read(part: Part, place: str, most: float = _LARGEST, least: float = 0.0) -> float:
    """Return the number at a path, or the nearest one from `least` to `most`."""
    value = read_number(part.find(place)) or 0.0
    return min(max(value, least), most) if value == value else least


def _outline_frustum(part: Part, tag: str, clip: str, aspect: float, most: float) -> Numbers:
    """Draw a frustum from the near to the far plane; `aspect` is width divided by height."""
    far = _read(part, f"{clip}/far", most)
    near = _read(part, f"{clip}/near", far)
    across = tan(_read(part, f"{tag}/horizontal_fov", _WIDEST) / 2)
    upward = across / min(max(aspect, 1e-2), 1e2)
    planes = [[np.array((x, y * across * x, z * upward * x)) for y, z in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
              for x in (near, far)]
    return np.array([*_close(planes[0]), *_close(planes[1]), *[point for pair in zip(*planes) for point in pair]])


def _outline_scan(part: Part, tag: str, most: float) -> Numbers:
    """Draw a fan from the smallest to the largest range, at the lowest and at the highest scan."""
    far = _read(part, f"{tag}/range/max", most)
    near = _read(part, f"{tag}/range/min", far)
    first, last = (_read(part, f"{tag}/scan/horizontal/{end}_angle", tau, -tau) for end in ("min", "max"))
    last = min(max(first, last), first + tau)
    turns = np.linspace(first, last, ceil((last - first) / STEP) + 1)
    points: list[Numbers] = []
    for pitch in dict.fromkeys(_read(part, f"{tag}/scan/vertical/{end}_angle", pi, -pi) for end in ("min", "max")):
        rim = [np.array((cos(pitch) * cos(turn), cos(pitch) * sin(turn), sin(pitch))) for turn in turns]
        points += _close([*[far * ray for ray in rim], *[near * ray for ray in reversed(rim)]])
    return np.array(points)


def _outline_light(part: Part, kind: str, most: float) -> Numbers:
    """Draw an arrow, a cone, or for a light that shines in all directions, a star."""
    if kind not in ("directional", "spot"):
        corners = [end for x, y in product((1, -1), repeat=2) for end in ((x, y, 1), (-x, -y, -1))]
        return np.array(corners) * most / 8
    along = np.array(read_vector(part.find("direction"), 3) or (0.0, 0.0, -1.0))
    along /= np.abs(along).max() or 1.0  # so that its square does not overflow
    along /= np.linalg.norm(along) or 1.0
    u, v = find_sides(along)
    sides = [u, v, -u, -v]
    if kind == "directional":
        tip = along * most / 2
        barbs = [end for side in sides for end in (tip, tip + (side - 2 * along) * most / 20)]
        return np.array([np.zeros(3), tip, *barbs])
    reach = _read(part, "attenuation/range", most)
    radius = reach * tan(_read(part, "spot/outer_angle", _WIDEST) / 2)
    rim = [reach * along + radius * (cos(turn) * u + sin(turn) * v) for turn in np.arange(0, tau, STEP)]
    return np.array([*_close(rim), *[end for side in sides for end in (np.zeros(3), reach * along + radius * side)]])


def find_sides(axis: Numbers) -> tuple[Numbers, Numbers]:
    """Find two unit vectors (3,) that make a right-handed frame with the unit vector `axis` (3,); zeros for zeros."""
    u = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    u /= np.linalg.norm(u) or 1.0
    return u, np.cross(axis, u)


def _close(corners: Sequence[Numbers]) -> list[Numbers]:
    """Return the ends of the lines from each corner to the next, and from the last to the first."""
    return [end for pair in zip(corners, [*corners[1:], corners[0]]) for end in pair]
