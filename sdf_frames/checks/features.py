"""Finds features of a URDF that not all programs take alike: a function a feature, over the parts of the robot."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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


@feature("massless-link-moving", "link {name!r} moves and has no mass", _MASS)
def _find_massless(robot: Robot) -> Found:
    return _moving(robot, lambda link, inside: inside and not link.collisions)


@feature("massless-link-with-collision", "link {name!r} moves, and has a collision and no mass", _MASS)
def _find_massless_shapes(robot: Robot) -> Found:
    return _moving(robot, lambda link, inside: bool(link.collisions))


@feature("massless-leaf-moving", "link {name!r} moves, has no mass, and nothing hangs on it", _MASS)
def _find_massless_leaves(robot: Robot) -> Found:
    return _moving(robot, lambda link, inside: not inside and not link.collisions)


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


_COUPLE = "couple the joints in the program"


@feature("mimic", "joint {name!r} mimics {leader!r}", _COUPLE)
def _find_mimics(robot: Robot) -> Found:
    return _mimicking(robot, lambda joint: True)


@feature("mimic-of-a-mimic", "joint {name!r} mimics {leader!r}, which mimics another joint",
         "let it mimic the first joint of the chain")
def _find_chains(robot: Robot) -> Found:
    followers = {joint.name for joint in robot.joints if joint.mimic is not None}
    return _mimicking(robot, lambda joint: joint.mimic is not None and joint.mimic.joint in followers)


@feature("mimic-offset-at-rest", "joint {name!r} mimics {leader!r} with an offset of {offset:g}",
         "write the robot such that the offset is 0")
def _find_offsets(robot: Robot) -> Found:
    return _mimicking(robot, lambda joint: joint.mimic is not None and joint.mimic.offset != 0)


def _limited(robot: Robot, types: tuple[str, ...], where: Callable[[urdf.Limit, set[str]], bool]) -> Found:
    """Joints of some types with a <limit>; `where` is also told the attributes that it has."""
    for joint in robot.joints:
        limit = joint.limit
        if joint.type in types and limit is not None and limit.element is not None and where(
                limit, {*map(str, limit.element.keys())}):
            yield limit.element, {"name": joint.name, "lower": limit.lower, "upper": limit.upper}


_BOUNDED = ("revolute", "prismatic")
_BOUNDS = {"lower", "upper"}


@feature("continuous-joint-with-limits", "joint {name!r} is continuous and has limits from {lower:g} to {upper:g}",
         "remove lower and upper, or write type=\"revolute\"")
def _find_limited_wheels(robot: Robot) -> Found:
    return _limited(robot, ("continuous",), lambda limit, given: bool(given & _BOUNDS))


@feature("continuous-joint-limit-without-bounds", "joint {name!r} is continuous and has a <limit> without bounds")
def _find_wheels(robot: Robot) -> Found:
    return _limited(robot, ("continuous",), lambda limit, given: not given & _BOUNDS)


@feature("limit-without-lower-and-upper", "joint {name!r} has a <limit> without lower and upper, which are 0 then",
         "write lower and upper")
def _find_boundless(robot: Robot) -> Found:
    return _limited(robot, _BOUNDED, lambda limit, given: not given & _BOUNDS)


@feature("limits-zero", "joint {name!r} has limits of 0 and 0", "write type=\"fixed\", or the limits that are meant")
def _find_zero_limits(robot: Robot) -> Found:
    return _limited(robot, _BOUNDED, lambda limit, given: given >= _BOUNDS and limit.lower == limit.upper == 0)


@feature("limits", "joint {name!r} has limits from {lower:g} to {upper:g}")
def _find_limits(robot: Robot) -> Found:
    return _limited(robot, _BOUNDED, lambda limit, given: limit.lower < limit.upper)


@feature("limits-beyond-a-turn", "joint {name!r} has limits from {lower:g} to {upper:g}, more than a turn")
def _find_turns(robot: Robot) -> Found:
    return _limited(robot, ("revolute",), lambda limit, given: limit.lower < -2 * pi or limit.upper > 2 * pi)


@feature("effort-and-velocity", "joint {name!r} has limits of effort and velocity")
def _find_efforts(robot: Robot) -> Found:
    return _limited(robot, _BOUNDED, lambda limit, given: {"effort", "velocity"} <= given)


@feature("effort-zero", "joint {name!r} has an effort limit of 0", "write the effort that the motor gives")
def _find_zero_efforts(robot: Robot) -> Found:
    return _limited(robot, (*_BOUNDED, "continuous"), lambda limit, given: "effort" in given and limit.effort == 0)


@feature("limit-without-effort-and-velocity", "joint {name!r} has a <limit> without effort or velocity",
         "write effort and velocity")
def _find_no_efforts(robot: Robot) -> Found:
    return _limited(robot, (*_BOUNDED, "continuous"), lambda limit, given: not {"effort", "velocity"} <= given)


def _resisting(robot: Robot, name: str) -> Found:
    for joint in robot.joints:
        if joint.dynamics is not None and getattr(joint.dynamics, name):
            yield joint.dynamics.element, {"name": joint.name, "value": getattr(joint.dynamics, name)}


@feature("joint-damping", "joint {name!r} has damping of {value:g}")
def _find_damping(robot: Robot) -> Found:
    return _resisting(robot, "damping")


@feature("joint-friction", "joint {name!r} has friction of {value:g}")
def _find_friction(robot: Robot) -> Found:
    return _resisting(robot, "friction")


def _turning(robot: Robot, types: tuple[str, ...], where: Callable[[tuple[float, ...], float], bool]) -> Found:
    """Joints whose <axis> is written; `where` is told it and its length."""
    for joint in robot.joints:
        if joint.type in types and joint.axis is not None and joint.element is not None and (
                element := find_child(joint.element, "axis")) is not None and where(joint.axis, hypot(*joint.axis)):
            yield element, {"name": joint.name, "length": hypot(*joint.axis)}


_AXIS = "write an axis of length 1"


@feature("axis-not-unit-prismatic", "joint {name!r} has an axis of length {length:g}", _AXIS)
def _find_long_slides(robot: Robot) -> Found:
    return _turning(robot, ("prismatic",), lambda axis, length: length > 0 and abs(length - 1) > _UNIT)


@feature("axis-not-unit-revolute", "joint {name!r} has an axis of length {length:g}", _AXIS)
def _find_long_turns(robot: Robot) -> Found:
    return _turning(robot, ("revolute", "continuous"), lambda axis, length: length > 0 and abs(length - 1) > _UNIT)


@feature("axis-oblique-at-rest", "joint {name!r} turns about an axis that is none of x, y and z",
         "turn the <origin> of the joint, and write one of x, y and z")
def _find_oblique(robot: Robot) -> Found:
    return _turning(robot, ("revolute", "continuous"), lambda axis, length: sum(map(bool, axis)) > 1)


@feature("joint-without-axis", "joint {name!r} has no <axis>, and so turns about or slides along x", "write the axis")
def _find_no_axis(robot: Robot) -> Found:
    return _named(robot.joints, lambda joint: joint.type in urdf.JOINT_TYPES and joint.element is not None
                  and urdf.JOINT_TYPES[joint.type].has_axis and find_child(joint.element, "axis") is None)


@feature("planar-joint", "joint {name!r} is planar", "write two prismatic joints and a continuous one")
def _find_planar(robot: Robot) -> Found:
    return _named(robot.joints, lambda joint: joint.type == "planar")


@feature("floating-joint", "joint {name!r} is floating", "leave the joint out, and place the robot in the program")
def _find_floating(robot: Robot) -> Found:
    return _named(robot.joints, lambda joint: joint.type == "floating")


@feature("fixed-joint", "joint {name!r} is fixed")
def _find_fixed(robot: Robot) -> Found:
    return _named(robot.joints, lambda joint: joint.type == "fixed")


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


@feature("capsule", "a collision of link {name!r} is a capsule", "write a cylinder and two spheres")
def _find_capsules(robot: Robot) -> Found:
    return _shaped(robot, lambda shape: isinstance(shape, urdf.Capsule))


@feature("cylinder", "a collision of link {name!r} is a cylinder")
def _find_cylinders(robot: Robot) -> Found:
    return _shaped(robot, lambda shape: isinstance(shape, urdf.Cylinder))


@feature("sphere-of-radius-zero", "a collision of link {name!r} is a sphere of radius 0", "remove it")
def _find_points_of_shape(robot: Robot) -> Found:
    return _shaped(robot, lambda shape: isinstance(shape, urdf.Sphere) and shape.radius == 0)


@feature("two-collisions", "link {name!r} has several collisions")
def _find_several(robot: Robot) -> Found:
    return _named(robot.links, lambda link: len(link.collisions) > 1)


def _meshed(robot: Robot, where: Callable[[urdf.Mesh], bool]) -> Found:
    return _shaped(robot, lambda shape: isinstance(shape, urdf.Mesh) and where(shape))


_SCALE = "save the mesh in that size, and write no scale"


@feature("mesh-scale-uneven", "a mesh of link {name!r} has different scales in x, y and z", _SCALE)
def _find_uneven(robot: Robot) -> Found:
    return _meshed(robot, lambda mesh: len({*map(abs, mesh.scale)}) > 1)


@feature("mesh-scale-mirrored", "a mesh of link {name!r} has a negative scale", _SCALE)
def _find_mirrored(robot: Robot) -> Found:
    return _meshed(robot, lambda mesh: min(mesh.scale) < 0)


@feature("dae-collision", "a collision of link {name!r} is a COLLADA file", "save it as .obj")
def _find_collada(robot: Robot) -> Found:
    return _meshed(robot, lambda mesh: mesh.filename.lower().endswith(".dae"))


@feature("stl-collision", "a collision of link {name!r} is an STL file", "save it as .obj")
def _find_stl(robot: Robot) -> Found:
    return _meshed(robot, lambda mesh: mesh.filename.lower().endswith(".stl"))


_PATH = "write the path from the file"


@feature("file-uri", "a mesh of link {name!r} is named by file://", _PATH)
def _find_file_uris(robot: Robot) -> Found:
    return _meshed(robot, lambda mesh: mesh.filename.startswith("file://"))


@feature("package-uri", "a mesh of link {name!r} is named by package://", _PATH)
def _find_package_uris(robot: Robot) -> Found:
    return _meshed(robot, lambda mesh: mesh.filename.startswith("package://"))


@feature("single-link-robot", "the robot is the link {name!r} alone")
def _find_single(robot: Robot) -> Found:
    return _named(robot.links, lambda link: len(robot.links) == 1)


@feature("link-and-joint-of-one-name", "a link and a joint are called {name!r}", "rename one of them")
def _find_shared_names(robot: Robot) -> Found:
    names = {link.name for link in robot.links}
    return _named(robot.joints, lambda joint: joint.name in names)
