"""Checks numbers: sizes and limits below zero, and joints that mimic each other in a circle.

urdfdom and libsdformat accept all of these, so they are warnings.
"""
from __future__ import annotations

from typing import Any

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.numbers import format_number, format_numbers
from sdf_frames.document.xml_in import Element
from sdf_frames.urdf.model import Box, Collision, Geometry, Joint, Link, Mesh, Mimic, Visual
from sdf_frames.urdf.tree import locate_part, relate_part


def judge_values(robot: Element, links: dict[str, Link], joints: dict[str, Joint], found: list[Diagnostic]) -> None:
    """Check the values of links and joints; append findings to `found`."""
    for link in links.values():
        shapes: list[Visual | Collision] = [*link.visuals, *link.collisions]
        for shape in shapes:
            if (what := _judge_size(shape.geometry)) is not None:
                kind = type(shape.geometry).__name__.lower()
                found.append(diagnose("shape-size-impossible", locate_part(robot, link, shape.line), link=link.name,
                                      shape=kind, **what))
    for joint in joints.values():
        for tag, part, fields, consequence in (
                ("limit", joint.limit, ("effort", "velocity"), "SDF reads it as unlimited"),
                ("dynamics", joint.dynamics, ("damping", "friction"), "it accelerates the joint")):
            if part is not None and min(values := [getattr(part, field) for field in fields]) < 0.0:
                negative = [f"{f} {format_number(v)}" for f, v in zip(fields, values) if v < 0.0]
                found.append(diagnose("joint-value-negative", locate_part(robot, joint, part.line), joint=joint.name,
                                      tag=tag, values=" and ".join(negative), consequence=consequence))
    _judge_mimics(robot, joints, found)


def _judge_size(geometry: Geometry) -> dict[str, Any] | None:
    """Return the fields of a finding on a shape's size; None if the size is possible."""
    if isinstance(geometry, Mesh):
        if 0.0 in geometry.scale:
            return {"what": "scale", "value": format_numbers(geometry.scale), "problem": "flattens the mesh"}
    elif isinstance(geometry, Box):
        if not any(geometry.size):
            return {"what": "size", "value": format_numbers(geometry.size),
                    "problem": "is zero: Gazebo uses a cube of 1 m instead",
                    "hint": "remove the shape, or write its size in metres"}
        if min(geometry.size) < 0.0:
            return {"what": "size", "value": format_numbers(geometry.size), "problem": "is negative"}
    elif min(geometry) < 0.0:
        what, value = next((field, value) for field, value in zip(geometry._fields, geometry) if value < 0.0)
        return {"what": what, "value": format_number(value), "problem": "is negative"}
    return None


def _judge_mimics(robot: Element, joints: dict[str, Joint], found: list[Diagnostic]) -> None:
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
                    "mimic-cycle", locate_part(robot, joint, circle[0][1].line), joints=" -> ".join(names),
                    related=[relate_part(robot, j, mimic.line) for j, mimic in circle[1:]]))
