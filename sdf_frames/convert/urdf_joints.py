"""Makes the joints of a URDF from those of SDFormat, with numbers as written, and finds the tree that a URDF needs.

In that tree each link has at most one parent; other joints are left out, with links that mark where.
"""
from __future__ import annotations

from collections.abc import Iterator
from math import isinf
from typing import NamedTuple

from sdf_frames.convert.undo_lumping import FreeJoint
from sdf_frames.convert.urdf_bodies import copy_child, make_origin
from sdf_frames.convert.urdf_job import UrdfJob, is_split
from sdf_frames.document.elements import Element, locate
from sdf_frames.document.numbers import Written, copy_numbers, read_number, read_numbers
from sdf_frames.frames.forest import find_top
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.mechanism import read_limits
from sdf_frames.frames.resolve import JointEdge, list_joint_edges
from sdf_frames.sdf.model import ONE_AXIS_TYPES, Axis, Joint
from sdf_frames.spatial.pose import Vector, compose, invert
from sdf_frames.urdf import model as urdf

_WORLD = -1  # in place of a vertex


class ResolvedAxis(NamedTuple):
    """An axis of a joint: unit vector in the joint frame (None if unresolved), and the joint that it mimics, if any."""

    xyz: Vector | None
    axis: Axis
    leader: str | None


def find_leader_problem(joint: Joint) -> str:
    """Return why no URDF joint can mimic this joint; "" if one can."""
    if is_split(joint) or joint.type in ONE_AXIS_TYPES:
        return ""
    return f"is a {joint.type} joint, which URDF does not have"


def make_joint(name: str, kind: str, parent: str, child: str, origin: urdf.Origin, axis: ResolvedAxis | None,
               element: Element | None) -> urdf.Joint:
    """Make a joint of the URDF type `kind`; a revolute joint without limits becomes continuous.

    A continuous joint has a ``<limit>`` only where the SDF states an effort or a velocity.
    """
    if kind in urdf.WITHOUT_AXIS:
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
    if kind in ("revolute", "continuous") and isinf(limits.lower) and isinf(limits.upper):
        kind, limit = "continuous", limit._replace(lower=0.0, upper=0.0)
    is_stated = kind != "continuous" or isinstance(effort, Written) or isinstance(velocity, Written)
    xyz = _copy_xyz(axis.axis, name, axis.xyz or (0.0, 0.0, 1.0))
    return urdf.Joint(name, kind, parent, child, origin, xyz, limit if is_stated else None,
                      _read_dynamics(axis.axis.element), _make_mimic(axis), element=element)


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


def find_parents(graph: FrameGraph, free: dict[int, FreeJoint]) -> tuple[
        dict[int, JointEdge], dict[JointEdge, tuple[JointEdge, JointEdge] | None]]:
    """Find the joint above each link except roots, and the joints that are left out; `free` are also joints.

    A joint is left out if it closes a loop, if an end is a static model, or if its child has a parent already: then
    with the joint above the child, and the one of the two that does not hang from the world.
    """
    parents: dict[int, JointEdge] = {}
    left = list[JointEdge]()
    above: dict[int, int] = {}  # a link that is higher up in the same tree
    for edge in (*list_joint_edges(graph), *_list_free_edges(graph, free)):
        parent, child = _WORLD if edge.parent is None else edge.parent, edge.child
        if child in parents or find_top(above, parent) == child or _ends_at_model(graph, edge):
            left.append(edge)
        else:
            parents[child] = edge
            above[child] = parent
    tops = [[find_top(above, _WORLD if end is None else end) for end in (edge.parent, edge.child)] for edge in left]
    return parents, {edge: (other, other if parent == _WORLD else edge)
                     if parent != child and (other := parents.get(edge.child)) else None
                     for edge, (parent, child) in zip(left, tops)}


def _ends_at_model(graph: FrameGraph, edge: JointEdge) -> bool:
    """Return whether an end of a joint is a static model, whose links are one body."""
    return any(end is not None and graph.kinds[end] == "model" for end in (edge.parent, edge.child))


def _list_free_edges(graph: FrameGraph, free: dict[int, FreeJoint]) -> Iterator[JointEdge]:
    """Yield the frames that represent floating and planar joints as their joints."""
    for child, (vertex, _, _) in free.items():
        place = graph.relative[vertex]
        yield JointEdge(vertex, graph.prefix(child), graph.bodies[place] if place > 0 else None, child)


def mark_joint(job: UrdfJob, edge: JointEdge) -> list[str]:
    """Add a link, at the pose of a joint that is left out, to each link that the joint connects; return their names."""
    made = []
    element = job.graph.entities[edge.joint].element
    for body in (edge.parent, edge.child):
        if body is not None and job.graph.kinds[body] != "model":
            made.append(job.used.find_free(f"{job.names[body]}_{job.names[edge.joint]}"))
            job.links.append(urdf.Link(made[-1], element=element))
            origin = make_origin(compose(invert(job.poses[body]), job.poses[edge.joint]))
            job.joints.append(urdf.Joint(job.used.find_free(f"{made[-1]}_fixed"), "fixed", job.names[body], made[-1],
                                         origin, element=element))
    return made


def report_left_out(job: UrdfJob, edge: JointEdge, twice: tuple[JointEdge, JointEdge] | None,
                    made: list[str]) -> None:
    """Report that a joint is left out, and the links `made` at its place; `twice` is as :func:`find_parents` has it."""
    entity, name, marks = job.graph.entities[edge.joint], job.names[edge.joint], ", ".join(made)
    reason = "it closes a kinematic loop, which URDF cannot express"
    hint = f"the loop is closed where these links meet: {marks}"
    if _ends_at_model(job.graph, edge):
        reason = "its parent or child is a static model, not a link"
        hint = f"name a link as its parent or child; these links mark the joint: {marks}"
    elif twice is not None:
        other, turned = [job.names[joint] for joint, *_ in twice]
        reason = f"its child is also the child of joint {other!r}, and a link of a URDF has one parent"
        hint = (f"in the SDF, exchange parent and child of joint {turned!r} and of each joint above it, negate the "
                f"axes, and write each <pose> relative to the old child; these links mark the joint: {marks}")
    job.tell(job.graph.kinds[edge.joint], name, "to-frame" if made else "dropped", " and ".join(made) or None,
             entity.element, reason)
    for axis in entity.axes if isinstance(entity, Joint) else ():
        if axis.mimic is not None:
            job.tell("mimic", name, "dropped", None, axis.mimic.element, "its joint is left out")
    job.report("urdf-joint-dropped", locate(entity.element), name=name, reason=reason, hint=hint)


def sort_tree(links: list[urdf.Link], joints: list[urdf.Joint], root: str) -> tuple[
        tuple[urdf.Link, ...], tuple[urdf.Joint, ...]]:
    """Sort links and joints from the root down, children by the name of their joint, as the conversion to SDF does."""
    by_name, ordered = {link.name: link for link in links}, urdf.sort_joints(joints, root)
    return tuple([by_name[name] for name in (root, *[joint.child for joint in ordered])]), tuple(ordered)
