"""Checks numbers: sizes that are not positive, negative limits, and joints that mimic each other in a circle.

urdfdom and libsdformat accept all of these, so they are warnings.
"""
from __future__ import annotations

from typing import Any

from sdf_frames.diagnostics import Diagnostic, diagnose, relate
from sdf_frames.document.elements import locate
from sdf_frames.document.numbers import format_number, format_numbers
from sdf_frames.urdf.model import Geometry, Joint, Link, Mesh, Mimic, Sphere, shape_of
from sdf_frames.urdf.versions import CHECKED, DROPPED, version_of

#: The effect of a size of zero or below. Source: libsdformat 17 prints it on the console; 12 has no such check.
_REPLACED = "is not positive: libsdformat 17 uses {} instead, libsdformat 12 keeps it"
_RADIUS_REPLACED = 0.5  # of a cylinder or capsule; all other sizes become 1


def judge_values(links: dict[str, Link], joints: dict[str, Joint], found: list[Diagnostic]) -> None:
    """Check the values of links and joints; append findings to `found`."""
    for link in links.values():
        for shape in link.shapes:
            element = shape_of(shape)
            if element is not None and (what := judge_size(shape.geometry)) is not None:
                kind = type(shape.geometry).__name__.lower()
                if kind != "mesh" and version_of(element) >= CHECKED:
                    what["problem"] += f"; in URDF 1.2, {DROPPED}"
                found.append(diagnose("shape-size-impossible", locate(element, what["what"]), link=link.name,
                                      shape=kind, **what))
    for joint in joints.values():
        for tag, part, fields, consequence in (
                ("limit", joint.limit, ("effort", "velocity"), "SDF reads it as unlimited"),
                ("dynamics", joint.dynamics, ("damping", "friction"), "it accelerates the joint")):
            if part is not None and min(values := [getattr(part, field) for field in fields]) < 0.0:
                negative = {f: f"{f} {format_number(v)}" for f, v in zip(fields, values) if v < 0.0}
                found.append(diagnose("joint-value-negative", locate(part.element, next(iter(negative))),
                                      joint=joint.name, tag=tag, values=" and ".join(negative.values()),
                                      consequence=consequence))
    _judge_mimics(joints, found)


def judge_size(geometry: Geometry) -> dict[str, Any] | None:
    """Return the fields of a finding on a shape's size; None if the size is possible."""
    if isinstance(geometry, Mesh):
        return None if all(geometry.scale) else {
            "what": "scale", "value": format_numbers(geometry.scale), "problem": "flattens the mesh"}
    for what, value in zip(geometry._fields, geometry):
        sizes: tuple[float, ...] = value if isinstance(value, tuple) else (value,)
        if min(sizes) <= 0.0:
            instead = _RADIUS_REPLACED if what == "radius" and not isinstance(geometry, Sphere) else 1.0
            problem = _REPLACED.format(format_numbers([instead] * len(sizes)))
            return {"what": what, "value": format_numbers(sizes), "problem": problem,
                    "hint": "remove the shape, or write its size in metres"}
    return None


def _judge_mimics(joints: dict[str, Joint], found: list[Diagnostic]) -> None:
    """Report each circle of two or more joints that mimic each other."""
    done: set[str] = set()
    for follower in joints.values():
        way: dict[str, tuple[Joint, Mimic]] = {}
        joint: Joint | None = follower
        while joint is not None and joint.mimic is not None and joint.name not in done:
            done.add(joint.name)
            way[joint.name] = joint, joint.mimic
            joint = joints.get(joint.mimic.joint)
        if joint is not None and joint.name in way:
            circle = list(way.values())[list(way).index(joint.name):]
            if len(circle) > 1:
                names = [*[j.name for j, _ in circle], joint.name]
                found.append(diagnose(
                    "mimic-cycle", locate(circle[0][1].element), joints=" -> ".join(names),
                    related=[relate(f"joint {j.name!r}", locate(mimic.element)) for j, mimic in circle[1:]]))
