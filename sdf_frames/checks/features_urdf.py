"""Finds features of a URDF that programs interpret differently: a detector for each feature."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from math import hypot, pi
from typing import Any

from sdf_frames.checks.features import FEATURES, Feature, Found, add_features, feature
from sdf_frames.checks.refusals import list_files
from sdf_frames.document.elements import Element, find_child
from sdf_frames.document.uris import Resolver
from sdf_frames.spatial.inertia import rotate_tensor
from sdf_frames.spatial.pose import quaternion_from_rpy
from sdf_frames.urdf import model as urdf
from sdf_frames.urdf.model import Joint, Link, Robot, child_of, shape_of

_TURNED = 1e-3  # smallest relative change of a tensor that counts as a rotation
_UNIT = 1e-3  # largest difference of the length of a unit axis from 1


def _named(parts: Iterable[Link | Joint], where: Callable[[Any], bool]) -> Found:
    for part in parts:
        if where(part):
            yield part.element, {"name": part.name}


def _light(robot: Robot, where: tuple[bool | None, ...]) -> Found:
    """Find links without mass, except the root.

    `where` says whether the link moves, its mass is stated (as 0), it has collisions, and it has child links; None for
    either.
    """
    moves = {joint.child: joint.type != "fixed" for joint in robot.joints}
    parents = {joint.parent for joint in robot.joints}
    for link in robot.links:
        traits = moves.get(link.name), link.inertial is not None, bool(link.collisions), link.name in parents
        if traits[0] is not None and (link.inertial is None or not link.inertial.mass) and all(
                wanted in (None, trait) for wanted, trait in zip(where, traits)):
            yield link.element, {"name": link.name}


_MASS = "give the link a mass and an inertia, or fix it to its parent"
_ZERO = "write an <inertial> with a mass of 0 and an inertia of 0"
add_features(_light,
    ("massless-link-moving", "link {name!r} moves and has no mass", _MASS, (True, False, False, None)),
    ("massless-link-with-collision", "link {name!r} moves, and has a collision and no mass", _MASS,
     (True, False, True, None)),
    ("massless-leaf-moving", "link {name!r} moves, has no mass, and has no child link", _MASS,
     (True, False, False, False)),
    ("massless-leaf-with-collision", "link {name!r} moves, and has a collision, no mass and no child link", _MASS,
     (True, False, True, False)),
    ("massless-link-fixed", "link {name!r} is fixed to another one and has no mass", _ZERO,
     (False, False, False, None)),
    ("massless-link-fixed-with-collision", "link {name!r} is fixed to another one, and has a collision and no mass",
     _ZERO, (False, False, True, None)),
    ("zero-mass-link-moving", "link {name!r} moves and has a mass of 0", _MASS, (True, True, False, None)),
    ("zero-mass-link-with-collision", "link {name!r} moves, and has a collision and a mass of 0", _MASS,
     (True, True, True, None)),
    ("zero-mass-leaf-moving", "link {name!r} moves, has a mass of 0, and has no child link", _MASS,
     (True, True, None, False)))


@feature("massless-root", "link {name!r}, the root, has no mass")
def _find_massless_root(robot: Robot) -> Found:
    return _named(robot.links, lambda link: link.name == robot.root and link.inertial is None and len(robot.links) > 1)


@feature("root-with-mass", "link {name!r}, the root, or a link fixed to it has mass",
         "for a base that moves in MuJoCo, add <link name=\"world\"/> and a floating joint from it to the root")
def _find_heavy_root(robot: Robot) -> Found:
    fixed: dict[str, list[str]] = {}
    for joint in robot.joints:
        if joint.type == "fixed":
            fixed.setdefault(joint.parent, []).append(joint.child)
    still = [robot.root]
    for name in still:  # it grows meanwhile
        still += fixed.pop(name, ())
    heavy = {link.name for link in robot.links if link.inertial is not None and link.inertial.mass}
    return _named(robot.links, lambda link: link.name == robot.root != "world" and not heavy.isdisjoint(still))


def _weighed(robot: Robot, where: Callable[[urdf.Inertial], bool]) -> Found:
    return _named(robot.links, lambda link: link.inertial is not None and where(link.inertial))


add_features(_weighed,
    ("inertia", "link {name!r} has an inertia",
     "load it with pybullet.loadURDF(FILE, flags=pybullet.URDF_USE_INERTIA_FROM_FILE)",
     lambda inertial: inertial.mass > 0),
    ("mass-with-zero-inertia", "link {name!r} has a mass and an inertia of 0", "write its inertia",
     lambda inertial: inertial.mass > 0 and not any(inertial.tensor)),
    ("zero-mass-with-tensor", "link {name!r} has a mass of 0, and an inertia", "write an inertia of 0, or the mass",
     lambda inertial: inertial.mass == 0 and any(inertial.tensor)))


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


def _mimicking(robot: Robot, where: Callable[[Joint, urdf.Mimic, Joint | None], bool]) -> Found:
    """Find joints that mimic; `where` gets the joint, its <mimic>, and the joint that leads."""
    joints = {joint.name: joint for joint in robot.joints}
    for joint in robot.joints:
        if joint.mimic is not None and where(joint, joint.mimic, joints.get(joint.mimic.joint)):
            yield joint.mimic.element, {"name": joint.name, "leader": joint.mimic.joint, "offset": joint.mimic.offset}


_FREE = "remove <mimic>, or change the type of one of the two joints"
add_features(_mimicking,
    ("mimic", "joint {name!r} mimics {leader!r}", "couple the joints in the program",
     lambda joint, mimic, leader: joint.type != "fixed"),
    ("mimic-offset-at-rest", "joint {name!r} mimics {leader!r} with an offset of {offset:g}",
     "change the zero positions of the joints so that the offset is 0",
     lambda joint, mimic, leader: joint.type != "fixed" and mimic.offset != 0),
    ("mimic-of-a-mimic", "joint {name!r} mimics {leader!r}, which mimics another joint",
     "let it mimic the first joint of the chain",
     lambda joint, mimic, leader: joint.type != "fixed" and leader is not None and leader.mimic is not None),
    ("mimic-of-a-fixed-joint", "joint {name!r} mimics {leader!r}, which is fixed", _FREE,
     lambda joint, mimic, leader: joint.type != "fixed" and leader is not None and leader.type == "fixed"),
    ("mimic-on-a-fixed-joint", "joint {name!r} is fixed and mimics {leader!r}", "remove <mimic>",
     lambda joint, mimic, leader: joint.type == "fixed"))


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
add_features(_limited,
    ("continuous-joint-with-limits", "joint {name!r} is continuous and has limits from {lower:g} to {upper:g}",
     "remove lower and upper, or write type=\"revolute\"",
     lambda kind, limit, given: kind == _ENDLESS and bool(given & _BOUNDS)),
    ("continuous-joint-limit-without-bounds",
     "joint {name!r} is continuous and has a <limit> without lower and upper", "",
     lambda kind, limit, given: kind == _ENDLESS and not given & _BOUNDS),
    ("limit-without-lower-and-upper", "joint {name!r} has a <limit> without lower and upper, so both are 0",
     "write lower and upper", lambda kind, limit, given: kind != _ENDLESS and not given & _BOUNDS),
    ("limit-without-lower", "joint {name!r} has a <limit> without lower, so lower is 0", "write lower",
     lambda kind, limit, given: kind != _ENDLESS and given & _BOUNDS == {"upper"}),
    ("limit-without-upper", "joint {name!r} has a <limit> without upper, so upper is 0", "write upper",
     lambda kind, limit, given: kind != _ENDLESS and given & _BOUNDS == {"lower"}),
    ("limits-reversed", _RANGE, "exchange lower and upper",
     lambda kind, limit, given: kind != _ENDLESS and given >= _BOUNDS and limit.lower > limit.upper),
    ("limits-equal", _RANGE, "write type=\"fixed\", or the real limits",
     lambda kind, limit, given: kind != _ENDLESS and given >= _BOUNDS and limit.lower == limit.upper != 0),
    ("limits-zero", "joint {name!r} has lower and upper limits of 0", "write type=\"fixed\", or the real limits",
     lambda kind, limit, given: kind != _ENDLESS and given >= _BOUNDS and limit.lower == limit.upper == 0),
    ("limits", _RANGE, "", lambda kind, limit, given: kind != _ENDLESS and limit.lower < limit.upper),
    ("limits-beyond-a-turn", f"{_RANGE}, more than a turn", "",
     lambda kind, limit, given: kind == "revolute" and (limit.lower < -2 * pi or limit.upper > 2 * pi)),
    ("effort-and-velocity", "joint {name!r} has limits for effort and velocity", "",
     lambda kind, limit, given: given >= _DRIVE),
    ("effort-zero", "joint {name!r} has an effort limit of 0", "write the largest effort of the motor",
     lambda kind, limit, given: "effort" in given and limit.effort == 0),
    ("limit-without-effort-and-velocity", "joint {name!r} has a <limit> without effort or velocity",
     "write effort and velocity", lambda kind, limit, given: not given >= _DRIVE))


def _resisting(robot: Robot, where: str) -> Found:
    """Find joints whose <dynamics> has a nonzero value in the attribute `where`."""
    for joint in robot.joints:
        if joint.dynamics is not None and getattr(joint.dynamics, where):
            yield joint.dynamics.element, {"name": joint.name, "value": getattr(joint.dynamics, where)}


add_features(_resisting,
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
add_features(_turning,
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


add_features(_typed,
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


add_features(_shaped,
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


_SCALE = "save the mesh in that size, and remove the scale"
_PATH = "write a path relative to the URDF; RViz, however, needs package:// or file://"
_PACKAGE = "package://"
add_features(_meshed,
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
     lambda mesh: mesh.filename.startswith(_PACKAGE)))


def _list_meshes(robot: Robot, kind: str) -> list[tuple[str, Element]]:
    return [(uri, element) for used, uri, element in list_files(robot) if used == kind and element.tag == "mesh"]


@feature("visual-package-uri", "the mesh {file!r} of a visual has a package:// URI", _PATH)
def _find_packaged_visuals(robot: Robot) -> Found:
    """Find visuals, unless a collision has such a URI, too: programs that refuse the one refuse the other."""
    if not any(uri.startswith(_PACKAGE) for uri, _ in _list_meshes(robot, "collision")):
        for uri, element in _list_meshes(robot, "visual"):
            if uri.startswith(_PACKAGE):
                yield element, {"file": uri}


def _find_missing(kind: str, robot: Robot, resolver: Resolver) -> Found:
    """Find missing meshes, except those in packages, which have features of their own."""
    for uri, element in _list_meshes(robot, kind):
        if not uri.startswith(_PACKAGE) and resolver.find_file(uri, robot.file) is None:
            yield element, {"file": uri}


for _kind in ("collision", "visual"):
    FEATURES["urdf"][f"{_kind}-file-missing"] = Feature(
        f"{_kind}-file-missing", f"the file {{file!r}} of a {_kind} is not found", "correct the path",
        partial(_find_missing, _kind))


@feature("single-link-robot", "the robot has only the link {name!r}")
def _find_single(robot: Robot) -> Found:
    return _named(robot.links, lambda link: len(robot.links) == 1)


@feature("link-and-joint-of-one-name", "a link and a joint are both called {name!r}", "rename one of them")
def _find_shared_names(robot: Robot) -> Found:
    names = {link.name for link in robot.links}
    return _named(robot.joints, lambda joint: joint.name in names)
