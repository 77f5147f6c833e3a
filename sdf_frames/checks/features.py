"""Finds features of a URDF that programs interpret differently: one function for each feature."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from math import hypot, pi
from typing import Any, NamedTuple

from sdf_frames.document.elements import Element, find_child
from sdf_frames.spatial.inertia import rotate_tensor
from sdf_frames.spatial.pose import quaternion_from_rpy
from sdf_frames.urdf import model as urdf
from sdf_frames.urdf.model import Joint, Link, Robot, child_of, shape_of


class Feature(NamedTuple):
    """Something in a description that programs interpret differently.

    Attributes
    ----------
    says : template of the message, with the fields that `find` yields.
    hint : what to write so that all programs agree.
    find : yields each element that has the feature, with the fields of `says`.
    """

    name: str
    says: str
    hint: str
    find: Callable[[Any], Iterable[tuple[Element | None, dict[str, Any]]]]


Found = Iterator[tuple[Element | None, dict[str, Any]]]
FEATURES: dict[str, dict[str, Feature]] = {"urdf": {}, "sdf": {}}
_TURNED = 1e-3  # smallest relative change of a tensor that counts as a rotation
_UNIT = 1e-3  # largest difference of the length of a unit axis from 1


def feature(name: str, says: str, hint: str = "", kind: str = "urdf") -> Callable[[Callable[[Any], Found]], Any]:
    """Add a detector to the table of features."""
    def add(find: Callable[[Any], Found]) -> Callable[[Any], Found]:
        FEATURES[kind][name] = Feature(name, says, hint, find)
        return find
    return add


def _put(find: Callable[..., Found], *rows: tuple[str, str, str, Any]) -> None:
    """Add detectors that differ only in a condition: name, message, hint, condition."""
    for name, says, hint, where in rows:
        feature(name, says, hint)(partial(find, where=where))


def _named(parts: Iterable[Link | Joint], where: Callable[[Any], bool]) -> Found:
    for part in parts:
        if where(part):
            yield part.element, {"name": part.name}


def _moving(robot: Robot, where: Callable[[Link, bool], bool]) -> Found:
    """Find massless links behind a movable joint; `where` gets the link, and whether it has child links."""
    moved = {joint.child for joint in robot.joints if joint.type != "fixed"}
    parents = {joint.parent for joint in robot.joints}
    return _named(robot.links, lambda link: link.name in moved and (link.inertial is None or not link.inertial.mass)
                  and where(link, link.name in parents))


_MASS = "give the link a mass and an inertia, or fix it to its parent"
_put(_moving,
     ("massless-link-moving", "link {name!r} moves and has no mass", _MASS,
      lambda link, inside: inside and not link.collisions),
     ("massless-link-with-collision", "link {name!r} moves, and has a collision and no mass", _MASS,
      lambda link, inside: bool(link.collisions)),
     ("massless-leaf-moving", "link {name!r} moves, has no mass, and has no child link", _MASS,
      lambda link, inside: not inside and not link.collisions))


@feature("massless-root", "link {name!r}, the root, has no mass")
def _find_massless_root(robot: Robot) -> Found:
    return _named(robot.links, lambda link: link.name == robot.root and link.inertial is None and len(robot.links) > 1)


@feature("mass-with-zero-inertia", "link {name!r} has a mass and an inertia of 0", "write its inertia")
def _find_points(robot: Robot) -> Found:
    return _named(robot.links, lambda link: link.inertial is not None and link.inertial.mass > 0
                  and not any(link.inertial.tensor))


def _is_other_when_turned(inertial: urdf.Inertial) -> bool:
    turned = rotate_tensor(quaternion_from_rpy(*inertial.origin.rpy), inertial.tensor)
    return max(abs(a - b) for a, b in zip(turned, inertial.tensor)) > _TURNED * max(map(abs, inertial.tensor))


@feature("inertial-origin-rotated", "link {name!r}: the <origin> of its <inertial> is rotated",
         "write rpy=\"0 0 0\", and the inertia along the axes of the link")
def _find_turned(robot: Robot) -> Found:
    for link in robot.links:
        inertial = link.inertial
        if inertial is not None and any(inertial.origin.rpy) and _is_other_when_turned(inertial):
            yield child_of(inertial, "origin"), {"name": link.name}


@feature("inertia-off-diagonal", "link {name!r}: its inertia has products of inertia (ixy, ixz, iyz)")
def _find_products(robot: Robot) -> Found:
    for link in robot.links:
        if link.inertial is not None and any(link.inertial.tensor[3:]):
            yield child_of(link.inertial, "inertia"), {"name": link.name}


def _mimicking(robot: Robot, where: Callable[[Joint], bool]) -> Found:
    for joint in robot.joints:
        if joint.mimic is not None and where(joint):
            yield joint.mimic.element, {"name": joint.name, "leader": joint.mimic.joint, "offset": joint.mimic.offset}


_put(_mimicking,
     ("mimic", "joint {name!r} mimics {leader!r}", "couple the joints in the program", lambda joint: True),
     ("mimic-offset-at-rest", "joint {name!r} mimics {leader!r} with an offset of {offset:g}",
      "change the zero positions of the joints so that the offset is 0",
      lambda joint: joint.mimic is not None and joint.mimic.offset != 0))


@feature("mimic-of-a-mimic", "joint {name!r} mimics {leader!r}, which mimics another joint",
         "let it mimic the first joint of the chain")
def _find_chains(robot: Robot) -> Found:
    followers = {joint.name for joint in robot.joints if joint.mimic is not None}
    return _mimicking(robot, lambda joint: joint.mimic is not None and joint.mimic.joint in followers)


def _limited(robot: Robot, where: Callable[[str, urdf.Limit, set[str]], bool]) -> Found:
    """Find joints with a <limit>; `where` gets the joint type, the limit, and the names of its attributes."""
    for joint in robot.joints:
        limit = joint.limit
        if joint.type in _LIMITED and limit is not None and limit.element is not None and where(
                joint.type, limit, {*map(str, limit.element.keys())}):
            yield limit.element, {"name": joint.name, "lower": limit.lower, "upper": limit.upper}


_ENDLESS, _BOUNDS, _DRIVE = "continuous", {"lower", "upper"}, {"effort", "velocity"}
_LIMITED = ("revolute", "prismatic", _ENDLESS)
_RANGE = "joint {name!r} has limits from {lower:g} to {upper:g}"
_put(_limited,
     ("continuous-joint-with-limits", "joint {name!r} is continuous and has limits from {lower:g} to {upper:g}",
      "remove lower and upper, or write type=\"revolute\"",
      lambda kind, limit, given: kind == _ENDLESS and bool(given & _BOUNDS)),
     ("continuous-joint-limit-without-bounds",
      "joint {name!r} is continuous and has a <limit> without lower and upper", "",
      lambda kind, limit, given: kind == _ENDLESS and not given & _BOUNDS),
     ("limit-without-lower-and-upper", "joint {name!r} has a <limit> without lower and upper, so both are 0",
      "write lower and upper", lambda kind, limit, given: kind != _ENDLESS and not given & _BOUNDS),
     ("limits-zero", "joint {name!r} has lower and upper limits of 0", "write type=\"fixed\", or the real limits",
      lambda kind, limit, given: kind != _ENDLESS and given >= _BOUNDS and limit.lower == limit.upper == 0),
     ("limits", _RANGE, "", lambda kind, limit, given: kind != _ENDLESS and limit.lower < limit.upper),
     ("limits-beyond-a-turn", f"{_RANGE}, more than a turn", "",
      lambda kind, limit, given: kind == "revolute" and (limit.lower < -2 * pi or limit.upper > 2 * pi)),
     ("effort-and-velocity", "joint {name!r} has limits for effort and velocity", "",
      lambda kind, limit, given: kind != _ENDLESS and given >= _DRIVE),
     ("effort-zero", "joint {name!r} has an effort limit of 0", "write the largest effort of the motor",
      lambda kind, limit, given: "effort" in given and limit.effort == 0),
     ("limit-without-effort-and-velocity", "joint {name!r} has a <limit> without effort or velocity",
      "write effort and velocity", lambda kind, limit, given: not given >= _DRIVE))


def _resisting(robot: Robot, where: str) -> Found:
    """Find joints whose <dynamics> has a nonzero value in the attribute `where`."""
    for joint in robot.joints:
        if joint.dynamics is not None and getattr(joint.dynamics, where):
            yield joint.dynamics.element, {"name": joint.name, "value": getattr(joint.dynamics, where)}


_put(_resisting,
     ("joint-damping", "joint {name!r} has damping of {value:g}", "", "damping"),
     ("joint-friction", "joint {name!r} has friction of {value:g}", "", "friction"))


def _turning(robot: Robot, where: Callable[[bool, tuple[float, ...], float], bool]) -> Found:
    """Find joints with an <axis>; `where` gets whether the joint is prismatic, the axis, and its length."""
    for joint in robot.joints:
        if joint.type in _LIMITED and joint.axis is not None and joint.element is not None and (
                element := find_child(joint.element, "axis")) is not None and where(
                    joint.type == "prismatic", joint.axis, hypot(*joint.axis)):
            yield element, {"name": joint.name, "length": hypot(*joint.axis)}


_LONG, _AXIS = "joint {name!r} has an axis of length {length:g}", "write an axis of length 1"
_put(_turning,
     ("axis-not-unit-prismatic", _LONG, _AXIS,
      lambda slides, axis, length: slides and length > 0 and abs(length - 1) > _UNIT),
     ("axis-not-unit-revolute", _LONG, _AXIS,
      lambda slides, axis, length: not slides and length > 0 and abs(length - 1) > _UNIT),
     ("axis-oblique-at-rest", "joint {name!r} turns about an axis other than x, y or z",
      "rotate the <origin> of the joint so that the axis is x, y or z",
      lambda slides, axis, length: not slides and sum(map(bool, axis)) > 1))


@feature("joint-without-axis", "joint {name!r} has no <axis>, so its axis is x", "write <axis xyz=\"1 0 0\"/>")
def _find_no_axis(robot: Robot) -> Found:
    return _named(robot.joints, lambda joint: joint.type in urdf.JOINT_TYPES and joint.element is not None
                  and urdf.JOINT_TYPES[joint.type].has_axis and find_child(joint.element, "axis") is None)


def _typed(robot: Robot, where: str) -> Found:
    return _named(robot.joints, lambda joint: joint.type == where)


_put(_typed,
     ("planar-joint", "joint {name!r} is planar", "replace it by two prismatic joints and a continuous one", "planar"),
     ("floating-joint", "joint {name!r} is floating", "remove the joint, and place the robot in the program",
      "floating"),
     ("fixed-joint", "joint {name!r} is fixed", "", "fixed"))


@feature("version-1.1", "the file is URDF {version}",
         "write it as URDF 1.0: sdf_frames upgrade --to 1.0 FILE -o OUT.urdf")
def _find_version(robot: Robot) -> Found:
    if robot.version not in (None, "", "1", "1.0"):
        yield robot.element, {"version": robot.version}


@feature("quat-xyzw", "a rotation is written as quat_xyzw", "write rpy: sdf_frames upgrade --to 1.0 FILE -o OUT.urdf")
def _find_quaternions(robot: Robot) -> Found:
    if robot.version not in (None, "", "1", "1.0") and robot.element is not None:
        for origin in robot.element.iter("origin"):
            if "quat_xyzw" in origin.attrib:
                yield origin, {}


def _shaped(robot: Robot, where: Callable[[Any], bool]) -> Found:
    for link in robot.links:
        for part in link.collisions:
            if where(part.geometry):
                yield shape_of(part), {"name": link.name}


_put(_shaped,
     ("capsule", "a collision of link {name!r} is a capsule", "write a cylinder and two spheres",
      lambda shape: isinstance(shape, urdf.Capsule)),
     ("cylinder", "a collision of link {name!r} is a cylinder", "", lambda shape: isinstance(shape, urdf.Cylinder)),
     ("sphere-of-radius-zero", "a collision of link {name!r} is a sphere of radius 0", "remove it",
      lambda shape: isinstance(shape, urdf.Sphere) and shape.radius == 0))


@feature("two-collisions", "link {name!r} has several collisions")
def _find_several(robot: Robot) -> Found:
    return _named(robot.links, lambda link: len(link.collisions) > 1)


def _meshed(robot: Robot, where: Callable[[urdf.Mesh], bool]) -> Found:
    return _shaped(robot, lambda shape: isinstance(shape, urdf.Mesh) and where(shape))


_SCALE, _PATH = "save the mesh in that size, and remove the scale", "write a path relative to the URDF"
_put(_meshed,
     ("mesh-scale-uneven", "a mesh of link {name!r} is scaled differently in x, y and z", _SCALE,
      lambda mesh: len({*map(abs, mesh.scale)}) > 1),
     ("mesh-scale-mirrored", "a mesh of link {name!r} has a negative scale", _SCALE, lambda mesh: min(mesh.scale) < 0),
     ("dae-collision", "a collision of link {name!r} is a COLLADA file", "save it as .obj",
      lambda mesh: mesh.filename.lower().endswith(".dae")),
     ("stl-collision", "a collision of link {name!r} is an STL file", "save it as .obj",
      lambda mesh: mesh.filename.lower().endswith(".stl")),
     ("file-uri", "a mesh of link {name!r} has a file:// URI", _PATH,
      lambda mesh: mesh.filename.startswith("file://")),
     ("package-uri", "a mesh of link {name!r} has a package:// URI", _PATH,
      lambda mesh: mesh.filename.startswith("package://")))


@feature("single-link-robot", "the robot has only the link {name!r}")
def _find_single(robot: Robot) -> Found:
    return _named(robot.links, lambda link: len(robot.links) == 1)


@feature("link-and-joint-of-one-name", "a link and a joint are both called {name!r}", "rename one of them")
def _find_shared_names(robot: Robot) -> Found:
    names = {link.name for link in robot.links}
    return _named(robot.joints, lambda joint: joint.name in names)
