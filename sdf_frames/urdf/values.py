"""Numbers that read well and mean nothing: sizes and limits below zero, joints that mimic each other in a circle.

urdfdom and libsdformat take them all, so these are warnings.
"""
from __future__ import annotations

from sdf_frames.diagnostics import Related, diagnose
from sdf_frames.diagnostics.model import Location
from sdf_frames.document.numbers import format_numbers
from sdf_frames.document.xml_in import Element, locate
from sdf_frames.urdf.model import Box, Joint, Link, Mesh


def judge_values(robot: Element, links: dict[str, Link], joints: dict[str, Joint], found: list) -> None:
    """Findings about the values of links and joints go to `found`."""
    start = locate(robot)

    def at(kind: str, name: str, line: int | None) -> Location:
        return Location(start.file, line, f'{start.path}/{kind}[@name="{name}"]')

    for link in links.values():
        for shape in link.visuals + link.collisions:
            geometry = shape.geometry
            kind = type(geometry)
            if kind is Mesh:
                if 0.0 in geometry.scale:
                    found.append(diagnose("shape-size-impossible", at("link", link.name, shape.line), link=link.name,
                                          shape="mesh", what="scale", value=format_numbers(geometry.scale),
                                          problem="flattens it"))
            elif kind is Box and not any(geometry.size):
                found.append(diagnose(
                    "shape-size-impossible", at("link", link.name, shape.line), link=link.name, shape="box",
                    what="size",
                    value=format_numbers(geometry.size), problem="is zero: Gazebo makes it a cube of 1 m",
                    hint="remove the shape, or write its size in metres"))
            elif min(geometry.size if kind is Box else geometry) < 0.0:
                what, value = next((field, value) for field, value in zip(geometry._fields, geometry)
                                   if (min(value) if kind is Box else value) < 0.0)
                found.append(diagnose(
                    "shape-size-impossible", at("link", link.name, shape.line), link=link.name,
                    shape=kind.__name__.lower(),
                    what=what, value=format_numbers(value if kind is Box else (value,)), problem="is below zero"))
    followers = []
    for joint in joints.values():
        if joint.mimic is not None:
            followers.append(joint)
        for part, fields in ((joint.limit, ("effort", "velocity")), (joint.dynamics, ("damping", "friction"))):
            if part is not None and min(values := [getattr(part, field) for field in fields]) < 0.0:
                tag = "limit" if part is joint.limit else "dynamics"
                found.append(diagnose("joint-value-negative", at("joint", joint.name, part.line), joint=joint.name,
                                      tag=tag, values=
                                      " and ".join(f"{f} {format_numbers((v,))}" for f, v in zip(fields, values)
                                                   if v < 0.0),
                                      consequence="SDF takes that for no limit" if tag == "limit"
                                      else "it drives the joint"))
    _judge_mimics(followers, joints, at, found)


def _judge_mimics(followers: list[Joint], joints: dict[str, Joint], at, found: list) -> None:
    """A finding for each circle of two or more joints that mimic each other."""
    done: set[str] = set()
    for joint in followers:
        way: dict[str, Joint] = {}
        while joint is not None and joint.mimic is not None and joint.name not in done:
            done.add(joint.name)
            way[joint.name] = joint
            joint = joints.get(joint.mimic.joint)
        if joint is not None and joint.name in way:
            circle = list(way.values())[list(way).index(joint.name):]
            if len(circle) > 1:
                found.append(diagnose(
                    "mimic-cycle", at("joint", joint.name, joint.mimic.line), joints=" -> ".join([*(j.name
                                                                                                    for j in circle),
                                                                                                  joint.name]),
                    related=[Related(f"joint [{j.name}]", j.mimic.line, at("joint", j.name, None).path)
                             for j in circle[1:]]))
