"""Rewrites a URDF for another version of the format, by edits that leave every other character as it is.

The version of a file decides what its content means (:mod:`~sdf_frames.urdf.versions`). Content that this version
ignores is removed if the other version would use it.
"""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from html import escape
from itertools import chain, count
from typing import Any

from sdf_frames.diagnostics import Diagnostic, Edit, diagnose, times_of
from sdf_frames.document.edits import append_sibling, edit_attributes, edit_tag, read_written
from sdf_frames.document.elements import Element, locate
from sdf_frames.document.numbers import format_number, write_numbers
from sdf_frames.spatial.pose import Pose, compose
from sdf_frames.urdf import model as urdf
from sdf_frames.urdf.read_parts import Unreadable, read_origin
from sdf_frames.urdf.values import judge_size
from sdf_frames.urdf.versions import CHECKED, NEWER, OLDEST, Version, read_version, write_version

_SINCE_QUATERNIONS = NEWER["origin", "@quat_xyzw"].since
SINCE_CAPSULES = NEWER["geometry", "capsule"].since
#: Where URDF has an <origin> that may hold a quaternion.
_ORIGINS = "link/inertial/origin | link/visual/origin | link/collision/origin | joint/origin"
_MORE_MASS = ("; the link has no <inertial>, and a program that computes its mass from the collisions counts the ends "
              "of the capsule twice")
Changes = tuple[list[Edit], list[Diagnostic]]


def split_capsule(capsule: urdf.Capsule) -> list[tuple[str, Pose, urdf.Geometry]]:
    """Return the cylinder and the two spheres that replace a capsule: suffix of the name, pose in the capsule."""
    half = capsule.length / 2
    return [("_side", (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0), urdf.Cylinder(*capsule)),
            ("_top", (0.0, 0.0, half, 1.0, 0.0, 0.0, 0.0), urdf.Sphere(capsule.radius)),
            ("_bottom", (0.0, 0.0, -half, 1.0, 0.0, 0.0, 0.0), urdf.Sphere(capsule.radius))]


def judge_version(robot: urdf.Robot, to: Version) -> list[Diagnostic]:
    """Return an error for each part of a robot that a version of URDF refuses and older ones allow."""
    if to < CHECKED:
        return []
    problems: list[tuple[Element | None, str, str]] = []
    for link in robot.links:
        for shape in link.shapes:
            if not isinstance(shape.geometry, urdf.Mesh) and (what := judge_size(shape.geometry)) is not None:
                problems.append((urdf.shape_of(shape), f"link {link.name!r}",
                                 f"the {what['what']} of a {type(shape.geometry).__name__.lower()} must be positive"))
    for joint in robot.joints:
        if (limit := joint.limit) is not None:
            about = limit.element, f"joint {joint.name!r}"
            if limit.upper < limit.lower:
                problems.append((*about, f"upper ({limit.upper:g}) must not be below lower ({limit.lower:g})"))
            problems += [(*about, f"{name} must not be negative") for name in ("effort", "velocity", *urdf.RATES)
                         if (getattr(limit, name) or 0.0) < 0.0]
    return [_refuse(element, to, where, problem) for element, where, problem in problems]


def _refuse(element: Element | None, to: Version, where: str, problem: str) -> Diagnostic:
    return diagnose("urdf-version-refused", None if element is None else locate(element), where=where,
                    version=write_version(to), problem=problem)


def change_version(robot: urdf.Robot, to: Version) -> Changes:
    """Find the edits of a robot's text that write it in another version, and findings on what changes.

    Do not use the edits if one of the findings is an error: the other version cannot express the robot.
    """
    root = robot.element
    written = read_version(robot.version)
    if root is None or written is None or written == to:
        return [], []
    found = judge_version(robot, to)
    edits = edit_attributes(root, {"version": ("version", write_version(to))}) if (
        to > OLDEST or robot.version is not None) else []
    for more, said in (_change_origins(root, written, to), _change_limits(robot, written, to),
                       *([_split_capsules(robot, to)] if written >= SINCE_CAPSULES > to else [])):
        edits += more
        found += said
    return edits, found


def _change_origins(root: Element, written: Version, to: Version) -> Changes:
    """Write quaternions as angles for a version without them; remove those that had no effect for one with them."""
    edits: list[Edit] = []
    found: list[Diagnostic] = []
    idle: list[Element] = []
    origins: Any = root.xpath(_ORIGINS) if (written < _SINCE_QUATERNIONS) != (to < _SINCE_QUATERNIONS) else ()
    for origin in origins:
        if origin.get("quat_xyzw") is None:
            continue
        change = None
        if written < to:
            idle.append(origin)
        else:
            try:
                change = "rpy", write_numbers(read_origin(origin, []).rpy)
            except Unreadable as unreadable:
                found.append(_refuse(origin, to, "<origin>", unreadable.problem))
        edits += edit_attributes(origin, {"quat_xyzw": change})
    return edits, [*found, *_report_removed(idle, "quat_xyzw", f"URDF {write_version(written)} ignores it")]


def _change_limits(robot: urdf.Robot, written: Version, to: Version) -> Changes:
    """Write attributes that only one of the two versions requires, and remove rates that only one of them uses."""
    edits: list[Edit] = []
    removed: dict[str, list[Element]] = defaultdict(list)
    for joint in robot.joints if (written < CHECKED) != (to < CHECKED) else ():
        if (limit := joint.limit) is not None and (element := limit.element) is not None:
            for name in urdf.RATES:
                if name in element.attrib:
                    removed[name].append(element)
                    edits += edit_attributes(element, {name: None})
            edits += edit_attributes(element, {
                name: (name, format_number(value)) for name, value in _list_demanded(joint, limit, to)
                if name not in element.attrib})
    why = "ignores it" if written < to else "has no such limit"
    version = write_version(min(written, to))
    return edits, [d for name, where in removed.items() for d in _report_removed(where, name, f"URDF {version} {why}")]


def _list_demanded(joint: urdf.Joint, limit: urdf.Limit, to: Version) -> Iterator[tuple[str, float]]:
    """Yield the attributes that a version requires in a limit, with the meaning of their absence in the other one."""
    if to < CHECKED:
        yield from (("effort", urdf.UNLIMITED), ("velocity", urdf.UNLIMITED))
    elif urdf.JOINT_TYPES[joint.type].bounded:
        yield from (("lower", limit.lower), ("upper", limit.upper))


def _report_removed(elements: list[Element], what: str, reason: str) -> list[Diagnostic]:
    return [diagnose("urdf-attribute-removed", locate(elements[0], what), tag=elements[0].tag, what=what, reason=reason,
                     times=times_of(len(elements)))] if elements else []


def _split_capsules(robot: urdf.Robot, to: Version) -> Changes:
    """Write each capsule as a cylinder, in its place, and two spheres after it."""
    edits: list[Edit] = []
    found: list[Diagnostic] = []
    for link in robot.links:
        taken = {"visual": {v.name for v in link.visuals}, "collision": {c.name for c in link.collisions}}
        for shape in link.shapes:
            capsule, element = urdf.shape_of(shape), shape.element
            if not isinstance(shape.geometry, urdf.Capsule) or capsule is None or element is None:
                continue
            edits += edit_tag(capsule, "cylinder")
            spheres = []
            for suffix, X, sphere in split_capsule(shape.geometry)[1:]:
                at = compose(shape.origin.pose(), X)[:3]
                name = _find_free(shape.name + suffix, taken[str(element.tag)]) if shape.name else ""
                spheres.append(_write_sphere(element, name, (*at, *shape.origin.rpy), sphere))
            edits.append(append_sibling(element, spheres))
            adds_mass = link.inertial is None and element.tag == "collision"
            found.append(diagnose("urdf-capsule-split", locate(capsule), link=link.name, kind=element.tag,
                                  version=write_version(to), consequence=_MORE_MASS if adds_mass else ""))
    return edits, found


def _find_free(name: str, taken: set[str]) -> str:
    """Return a name, with a number if it is taken, and take it."""
    free = next(one for one in chain((name,), (f"{name}{number}" for number in count())) if one not in taken)
    taken.add(free)
    return free


def _write_sphere(element: Element, name: str, at: tuple[float, ...], sphere: urdf.Geometry) -> str:
    """Write a sphere as another ``<visual>`` or ``<collision>`` like `element`."""
    material = element.find("material") if element.tag == "visual" else None
    return "".join([
        f"<{element.tag}", f' name="{escape(name)}"' if name else "", ">",
        f'<origin xyz="{write_numbers(at[:3])}" rpy="{write_numbers(at[3:])}"/>',
        f'<geometry><sphere radius="{write_numbers(sphere)}"/></geometry>',  # type: ignore[arg-type]
        "" if material is None else read_written(material), f"</{element.tag}>"])
