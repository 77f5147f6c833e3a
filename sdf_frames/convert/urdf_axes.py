"""Makes URDF joints from the axes of SDFormat: direction, limits, dynamics and mimic, with numbers as written."""
from __future__ import annotations

from math import isfinite
from typing import NamedTuple

from sdf_frames.convert.urdf_parts import copy_child
from sdf_frames.document.numbers import copy_numbers, read_number, read_numbers
from sdf_frames.document.xml_in import Element
from sdf_frames.frames.mechanism import read_limits
from sdf_frames.sdf.joint_types import JOINT_TYPES, ONE_AXIS_TYPES
from sdf_frames.sdf.model import Axis, Joint
from sdf_frames.spatial.pose import Vector
from sdf_frames.urdf import model as urdf
from sdf_frames.urdf.joint_types import WITHOUT_AXIS


class ResolvedAxis(NamedTuple):
    """An axis of a joint: unit vector in the joint frame (None if unresolved), and the joint that it mimics, if any."""

    xyz: Vector | None
    axis: Axis
    leader: str | None


def is_split(joint: Joint) -> bool:
    """Return whether a joint is written as two revolute joints, one for each axis."""
    return joint.type in JOINT_TYPES and JOINT_TYPES[joint.type].split and {a.number for a in joint.axes} == {0, 1}


def find_leader_problem(joint: Joint) -> str:
    """Return why no URDF joint can mimic this joint; "" if one can."""
    if is_split(joint) or joint.type in ONE_AXIS_TYPES:
        return ""
    return f"is a {joint.type} joint, which URDF does not have"


def make_joint(name: str, kind: str, parent: str, child: str, origin: urdf.Origin, axis: ResolvedAxis | None,
               element: Element | None) -> urdf.Joint:
    """Make a joint of the URDF type `kind`; a revolute joint without limits becomes continuous."""
    if kind in WITHOUT_AXIS:
        return urdf.Joint(name, kind, parent, child, origin, element=element)
    if axis is None and kind == "revolute":
        return urdf.Joint(name, "continuous", parent, child, origin, (0.0, 0.0, 1.0), element=element)
    if axis is None:
        unlimited = urdf.Limit(-urdf.UNLIMITED, urdf.UNLIMITED, urdf.UNLIMITED, urdf.UNLIMITED)
        return urdf.Joint(name, kind, parent, child, origin, (0.0, 0.0, 1.0), unlimited, element=element)
    limits = read_limits(axis.axis)
    # URDF has huge numbers for infinity.
    lower, upper, effort, velocity = (
        copy_child(axis.axis.element, f"limit/{tag}", min(max(value, -urdf.UNLIMITED), urdf.UNLIMITED))
        for tag, value in zip(limits._fields, limits))
    limit = urdf.Limit(lower, upper, effort, velocity)
    if kind == "revolute" and not (isfinite(limits.lower) or isfinite(limits.upper)):
        kind, limit = "continuous", limit._replace(lower=0.0, upper=0.0)
    xyz = _copy_xyz(axis.axis, name, axis.xyz or (0.0, 0.0, 1.0))
    return urdf.Joint(name, kind, parent, child, origin, xyz, limit, _read_dynamics(axis.axis.element),
                      _make_mimic(axis), element=element)


def _make_mimic(axis: ResolvedAxis) -> urdf.Mimic | None:
    if (mimic := axis.axis.mimic) is None or not axis.leader:
        return None
    # URDF's q = multiplier · q_leader + offset has no reference.
    return urdf.Mimic(axis.leader, copy_child(mimic.element, "multiplier", mimic.multiplier),
                      copy_child(mimic.element, "offset", mimic.offset - mimic.multiplier * mimic.reference))


def _copy_xyz(axis: Axis, joint: str, xyz: Vector) -> Vector:
    """Return an axis as it is written, if that is in the joint frame: URDF does not demand a unit vector."""
    text = axis.element.findtext("xyz")
    written = read_numbers(text, 3) if text and axis.expressed_in in ("", joint) else None
    if written is None:
        return xyz
    x, y, z = copy_numbers(text, written)
    return x, y, z


def _read_dynamics(axis: Element) -> urdf.Dynamics | None:
    """Read damping and friction; None if neither is written."""
    values = [read_number(axis.findtext(f"dynamics/{tag}") or "") for tag in ("damping", "friction")]
    return None if values == [None, None] else urdf.Dynamics(
        copy_child(axis, "dynamics/damping", values[0] or 0.0), copy_child(axis, "dynamics/friction", values[1] or 0.0))
