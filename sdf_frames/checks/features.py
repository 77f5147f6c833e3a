"""Finds features of a URDF that not all programs take alike: a function a feature, over the parts of the robot."""
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
    """Something that a description may have, and that not all programs take alike.

    Attributes
    ----------
    says : template of what is found, with fields of what `find` yields.
    hint : what means the same everywhere.
    find : yields an element with its fields, for each that has the feature.
    """

    name: str
    says: str
    hint: str
    find: Callable[[Any], Iterable[tuple[Element | None, dict[str, Any]]]]


Found = Iterator[tuple[Element | None, dict[str, Any]]]
FEATURES: dict[str, dict[str, Feature]] = {"urdf": {}, "sdf": {}}
_TURNED = 1e-3  # part of a tensor that tells a turned one
_UNIT = 1e-3  # how far a written axis may be from a unit vector


def feature(name: str, says: str, hint: str = "", kind: str = "urdf") -> Callable[[Callable[[Any], Found]], Any]:
    """Put a detector into the table of features."""
    def add(find: Callable[[Any], Found]) -> Callable[[Any], Found]:
        FEATURES[kind][name] = Feature(name, says, hint, find)
        return find
    return add


def _put(find: Callable[..., Found], *rows: tuple[str, str, str, Any]) -> None:
    """Put detectors into the table that differ by a condition: name, what is said, hint, condition."""
    for name, says, hint, where in rows:
        feature(name, says, hint)(partial(find, where=where))


def _named(parts: Iterable[Link | Joint], where: Callable[[Any], bool]) -> Found:
    for part in parts:
        if where(part):
            yield part.element, {"name": part.name}


def _moving(robot: Robot, where: Callable[[Link, bool], bool]) -> Found:
    """Links without mass behind a moving joint; `where` is also told whether links hang on them."""
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
     ("massless-leaf-moving", "link {name!r} moves, has no mass, and nothing hangs on it", _MASS,
      lambda link, inside: not inside and not link.collisions))


@feature("massless-root", "link {name!r}, the root, has no mass")
def _find_massless_root(robot: Robot) -> Found:
    return _named(robot.links, lambda link: link.name == robot.root and link.inertial is None and len(robot.links) > 1)


@feature("mass-with-zero-inertia", "link {name!r} has a mass and an inertia of zeros", "write its inertia")
def _find_points(robot: Robot) -> Found:
    return _named(robot.links, lambda link: link.inertial is not None and link.inertial.mass > 0
                  and not any(link.inertial.tensor))


def _is_other_when_turned(inertial: urdf.Inertial) -> bool:
    turned = rotate_tensor(quaternion_from_rpy(*inertial.origin.rpy), inertial.tensor)
    return max(abs(a - b) for a, b in zip(turned, inertial.tensor)) > _TURNED * max(map(abs, inertial.tensor))


@feature("inertial-origin-rotated", "link {name!r}: the <origin> of its <inertial> is turned",
         "write rpy=\"0 0 0\", and the inertia along the axes of the link")
def _find_turned(robot: Robot) -> Found:
    for link in robot.links:
        inertial = link.inertial
        if inertial is not None and any(inertial.origin.rpy) and _is_other_when_turned(inertial):
            yield child_of(inertial, "origin"), {"name": link.name}


@feature("inertia-off-diagonal", "link {name!r}: its inertia has products (ixy, ixz, iyz)")
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
      "write the robot such that the offset is 0", lambda joint: joint.mimic is not None and joint.mimic.offset != 0))


@feature("mimic-of-a-mimic", "joint {name!r} mimics {leader!r}, which mimics another joint",
         "let it mimic the first joint of the chain")
def _find_chains(robot: Robot) -> Found:
    followers = {joint.name for joint in robot.joints if joint.mimic is not None}
    return _mimicking(robot, lambda joint: joint.mimic is not None and joint.mimic.joint in followers)


def _limited(robot: Robot, where: Callable[[str, urdf.Limit, set[str]], bool]) -> Found:
    """Joints with a <limit>; `where` is told their types, the limit, and the attributes that it has."""
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
     ("continuous-joint-limit-without-bounds", "joint {name!r} is continuous and has a <limit> without bounds", "",
      lambda kind, limit, given: kind == _ENDLESS and not given & _BOUNDS),
     ("limit-without-lower-and-upper", "joint {name!r} has a <limit> without lower and upper, which are 0 then",
      "write lower and upper", lambda kind, limit, given: kind != _ENDLESS and not given & _BOUNDS),
     ("limits-zero", "joint {name!r} has limits of 0 and 0", "write type=\"fixed\", or the limits that are meant",
      lambda kind, limit, given: kind != _ENDLESS and given >= _BOUNDS and limit.lower == limit.upper == 0),
     ("limits", _RANGE, "", lambda kind, limit, given: kind != _ENDLESS and limit.lower < limit.upper),
     ("limits-beyond-a-turn", f"{_RANGE}, more than a turn", "",
      lambda kind, limit, given: kind == "revolute" and (limit.lower < -2 * pi or limit.upper > 2 * pi)),
     ("effort-and-velocity", "joint {name!r} has limits of effort and velocity", "",
      lambda kind, limit, given: kind != _ENDLESS and given >= _DRIVE),
     ("effort-zero", "joint {name!r} has an effort limit of 0", "write the effort that the motor gives",
      lambda kind, limit, given: "effort" in given and limit.effort == 0),
     ("limit-without-effort-and-velocity", "joint {name!r} has a <limit> without effort or velocity",
      "write effort and velocity", lambda kind, limit, given: not given >= _DRIVE))


def _resisting(robot: Robot, where: str) -> Found:
    """Joints whose <dynamics> has a value that is not 0 in the attribute `where`."""
    for joint in robot.joints:
        if joint.dynamics is not None and getattr(joint.dynamics, where):
            yield joint.dynamics.element, {"name": joint.name, "value": getattr(joint.dynamics, where)}


_put(_resisting,
     ("joint-damping", "joint {name!r} has damping of {value:g}", "", "damping"),
     ("joint-friction", "joint {name!r} has friction of {value:g}", "", "friction"))


def _turning(robot: Robot, where: Callable[[bool, tuple[float, ...], float], bool]) -> Found:
    """Joints whose <axis> is written; `where` is told whether they slide, the axis and its length."""
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
     ("axis-oblique-at-rest", "joint {name!r} turns about an axis that is none of x, y and z",
      "turn the <origin> of the joint, and write one of x, y and z",
      lambda slides, axis, length: not slides and sum(map(bool, axis)) > 1))


@feature("joint-without-axis", "joint {name!r} has no <axis>, and so turns about or slides along x", "write the axis")
def _find_no_axis(robot: Robot) -> Found:
    return _named(robot.joints, lambda joint: joint.type in urdf.JOINT_TYPES and joint.element is not None
                  and urdf.JOINT_TYPES[joint.type].has_axis and find_child(joint.element, "axis") is None)


def _typed(robot: Robot, where: str) -> Found:
    return _named(robot.joints, lambda joint: joint.type == where)


_put(_typed,
     ("planar-joint", "joint {name!r} is planar", "write two prismatic joints and a continuous one", "planar"),
     ("floating-joint", "joint {name!r} is floating", "leave the joint out, and place the robot in the program",
      "floating"),
     ("fixed-joint", "joint {name!r} is fixed", "", "fixed"))


@feature("version-1.1", "the file is URDF {version}",
         "write it as URDF 1.0: sdf_frames upgrade --to 1.0 FILE -o OUT.urdf")
def _find_version(robot: Robot) -> Found:
    if robot.version not in (None, "", "1", "1.0"):
        yield robot.element, {"version": robot.version}


@feature("quat-xyzw", "quat_xyzw gives a rotation", "write rpy: sdf_frames upgrade --to 1.0 FILE -o OUT.urdf")
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


_SCALE, _PATH = "save the mesh in that size, and write no scale", "write the path from the file"
_put(_meshed,
     ("mesh-scale-uneven", "a mesh of link {name!r} has different scales in x, y and z", _SCALE,
      lambda mesh: len({*map(abs, mesh.scale)}) > 1),
     ("mesh-scale-mirrored", "a mesh of link {name!r} has a negative scale", _SCALE, lambda mesh: min(mesh.scale) < 0),
     ("dae-collision", "a collision of link {name!r} is a COLLADA file", "save it as .obj",
      lambda mesh: mesh.filename.lower().endswith(".dae")),
     ("stl-collision", "a collision of link {name!r} is an STL file", "save it as .obj",
      lambda mesh: mesh.filename.lower().endswith(".stl")),
     ("file-uri", "a mesh of link {name!r} is named by file://", _PATH,
      lambda mesh: mesh.filename.startswith("file://")),
     ("package-uri", "a mesh of link {name!r} is named by package://", _PATH,
      lambda mesh: mesh.filename.startswith("package://")))


@feature("single-link-robot", "the robot is the link {name!r} alone")
def _find_single(robot: Robot) -> Found:
    return _named(robot.links, lambda link: len(robot.links) == 1)


@feature("link-and-joint-of-one-name", "a link and a joint are called {name!r}", "rename one of them")
def _find_shared_names(robot: Robot) -> Found:
    names = {link.name for link in robot.links}
    return _named(robot.joints, lambda joint: joint.name in names)
