"""Drake, and what it refuses in a URDF that Gazebo takes."""
from __future__ import annotations

from collections.abc import Iterator

from sdf_frames.checks.drake_sdf import MESH_FILES, MESHES, SMALLEST_SCALE, check_sdf_for_drake, find_for_drake
from sdf_frames.checks.programs import Program
from sdf_frames.checks.refusals import MISSING, check_files, check_rotations, check_world, list_files
from sdf_frames.diagnostics import Comparisons, Diagnostic, diagnose, suggest_name
from sdf_frames.document.elements import Element, child_or_self, locate, tag_of, text_of
from sdf_frames.document.uris import Resolver
from sdf_frames.inertia.mesh_formats import get_extension
from sdf_frames.sdf.names import WORLD_FRAME
from sdf_frames.urdf.model import Box, Collision, Joint, Link, Mesh, Robot, Sphere, Visual, find_short_axis, shape_of
from sdf_frames.urdf.read_parts import numbers_in

_SHORTEST_AXIS = 1e-8
_MOMENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
#: Ends of tags of Drake's own elements: the attribute with a name, and what that names.
_NAMING = {":member": ("link", "link"), "_body_A": ("name", "link"), "_body_B": ("name", "link"),
           "_frameA": ("name", "frame"), "_frameC": ("name", "frame"), "_constraint_joint": ("name", "joint"),
           "collision_filter_group": ("name", "group"), "member_group": ("name", "group")}
_MOTIONS = {"fixed": 0, "revolute": 1, "continuous": 1, "prismatic": 1, "planar": 3}


def check_for_drake(robot: Robot, *_: object) -> Iterator[Diagnostic]:
    """Report what makes Drake's parser, or the plant that it fills, raise an exception."""
    if robot.element is not None and robot.element.get("name") == "":
        yield diagnose("drake-name-empty", locate(robot.element, "name"), what="robot")
    for link in robot.links:
        yield from _check_inertia(link)
        parts: list[Visual | Collision] = [*link.visuals, *link.collisions]
        for part in parts:
            shape, element = part.geometry, shape_of(part)
            if part.element is not None and part.element.get("name") == "":
                yield diagnose("drake-name-empty", locate(part.element, "name"), what=tag_of(part.element))
            if element is None:
                continue
            if isinstance(shape, Mesh):
                if isinstance(part, Collision) and get_extension(shape.filename) not in MESHES:
                    yield diagnose("drake-mesh-format", locate(element, "filename"), file=shape.filename,
                                   known=MESH_FILES)
                least, sizes = SMALLEST_SCALE, [abs(scale) for scale in shape.scale]
            else:
                sizes = list(shape.size) if isinstance(shape, Box) else [*shape]
                least = 0.0 if isinstance(shape, Sphere) else 5e-324
            if min(sizes) < least:
                yield diagnose("drake-size-refused", locate(element), link=link.name, shape=tag_of(element))
    joints = {joint.name: joint for joint in robot.joints}
    for joint in robot.joints:
        yield from _check_joint(joint, joints)
    for element in robot.element.iterchildren("loop_joint") if robot.element is not None else ():
        yield diagnose("drake-joint-refused", locate(element), joint=element.get("name", ""),
                       problem="it is a <loop_joint>", hint="remove it; other programs do not read it")
    for material in robot.materials:
        if material.element is not None and (
                not material.name or material.rgba is None and material.texture is None
                and material.element.find("color[@rgba]") is None):  # then it is malformed, which R024 reports
            yield diagnose("drake-material-refused", locate(material.element), material=material.name,
                           problem="neither a colour nor a texture" if material.name else "no name")
    yield from _check_transmissions(robot, joints)
    yield from _check_frames(robot)
    yield from _check_names(robot)


def _check_inertia(link: Link) -> Iterator[Diagnostic]:
    for element in () if link.element is None else link.element.iterfind("inertial/inertia"):
        for name, text in element.attrib.items():
            if name in _MOMENTS and len(numbers_in(text) or ()) != 1:
                yield diagnose("drake-size-refused", locate(element, name), link=link.name, shape="inertia",
                               hint=f"write a number, not {text!r}")


def check_paths(robot: Robot, resolver: Resolver, *_: object) -> Iterator[Diagnostic]:
    """Report files that exist, but not where Drake looks for them."""
    known: set[tuple[str, str]] = set()
    for kind, uri, element in list_files(robot):
        if (kind, uri) not in known and resolver.find_file(uri, robot.file) is not None and (
                hint := find_for_drake(uri, robot.file, resolver)):
            yield diagnose(MISSING[kind], locate(element, "filename"), uri=uri, hint=hint)
        known.add((kind, uri))


def _check_frames(robot: Robot) -> Iterator[Diagnostic]:
    """Report each ``<frame>`` that Drake cannot place. URDF has no ``<frame>``, but Drake reads it."""
    taken = {link.name for link in robot.links}
    links, comparisons = {WORLD_FRAME, *taken}, Comparisons()
    for frame in () if robot.element is None else robot.element.iterchildren("frame"):
        name, link = frame.get("name", ""), frame.get("link", "")
        problems = {
            "it has no name": not name,
            f"link {link!r} does not exist" if link else "it has no link": link not in links,
            "a link or another frame has this name": name in taken,
            **{f"its {part} is not three numbers": len(numbers_in(frame.get(part, "0 0 0")) or ()) != 3
               for part in ("xyz", "rpy")}}
        if problem := next((text for text, is_so in problems.items() if is_so), None):
            yield diagnose("drake-frame-refused", locate(frame, "link"), name=name, problem=problem,
                           hint=None if link in links else suggest_name(link, links, comparisons))
        taken.add(name)


def _check_names(robot: Robot) -> Iterator[Diagnostic]:
    """Report names in Drake's own elements that name nothing."""
    blocks = [] if robot.element is None else [*robot.element.iterchildren("*")]
    own = [e for block in blocks if tag_of(block).startswith("drake:") for e in block.iter("*")]  # by this very prefix
    frames = [] if robot.element is None else [*robot.element.iterchildren("frame")]
    links, comparisons = [link.name for link in robot.links if link.name != WORLD_FRAME], Comparisons()
    joints = [joint.name for joint in robot.joints if joint.type != "floating"]  # Drake has no joint for these
    names = {"link": {*links}, "joint": {*joints},
             "frame": {*links, *[f"{name}_parent" for name in joints], *[frame.get("name", "") for frame in frames]},
             "group": {element.get("name", "") for element in own if tag_of(element) == "drake:collision_filter_group"}}
    for element in own:
        for attribute, kind in [row for end, row in _NAMING.items() if tag_of(element).endswith(end)]:
            if (name := element.get(attribute)) is not None and name not in names[kind]:
                yield diagnose("drake-name-unknown", locate(element, attribute), tag=tag_of(element), kind=kind,
                               name=name, hint=suggest_name(name, names[kind], comparisons))


def _check_joint(joint: Joint, joints: dict[str, Joint]) -> Iterator[Diagnostic]:
    for part, name in ((joint.limit, "velocity"), (joint.dynamics, "damping")):
        if part is not None and getattr(part, name) < 0.0:
            yield diagnose("drake-value-negative", locate(part.element, name), joint=joint.name, value=name)
    limit = joint.limit
    if limit is not None and limit.element is not None and {"lower", "upper"} <= set(limit.element.keys()) and (
            limit.lower > limit.upper):
        yield diagnose("drake-limits-reversed", locate(limit.element), joint=joint.name, lower=limit.lower,
                       upper=limit.upper)
    if (axis := find_short_axis(joint, _SHORTEST_AXIS)) is not None and "xyz" in axis.attrib:
        yield diagnose("drake-joint-refused", locate(axis, "xyz"), joint=joint.name, problem="its axis is too short",
                       hint="write an axis of length 1")
    if joint.mimic is not None and ((leader := joints.get(joint.mimic.joint)) is None or leader is joint):
        yield diagnose("drake-joint-refused", locate(joint.mimic.element, "joint"), joint=joint.name,
                       problem="it mimics itself" if leader else f"joint {joint.mimic.joint!r} does not exist",
                       hint="name another joint of the robot in <mimic>, or remove <mimic>")
    elif joint.mimic is not None and leader is not None:
        own, other = _MOTIONS.get(joint.type), _MOTIONS.get(leader.type)
        if leader.type == "floating" or None not in (own, other) and own != other:
            yield diagnose("drake-mimic-refused", locate(joint.mimic.element), joint=joint.name, leader=leader.name,
                           type=joint.type, other=leader.type)


def _check_transmissions(robot: Robot, joints: dict[str, Joint]) -> Iterator[Diagnostic]:
    actuators: set[str] = set()
    for element in robot.transmissions:
        problem = _judge_transmission(element, joints, actuators)
        if problem:
            yield diagnose("drake-transmission-refused", locate(element), problem=problem)


def _judge_transmission(element: Element, joints: dict[str, Joint], actuators: set[str]) -> str:
    """Return what Drake refuses in a transmission; empty for types other than SimpleTransmission, which it ignores."""
    kind = element.get("type") or text_of(child_or_self(element, "type"))
    if child_or_self(element, "type") is element and "type" not in element.attrib:
        return "it has no type"
    if "SimpleTransmission" not in kind:
        return ""
    actuator, end = element.find("actuator"), element.find("joint")
    if actuator is None or not actuator.get("name"):
        return "it has no <actuator> with a name"
    if end is None or not end.get("name"):
        return "it has no <joint> with a name"
    joint = joints.get(end.get("name", ""))
    if joint is None:
        return f"joint {end.get('name')!r} does not exist"
    if joint.type in ("floating", "planar"):
        return f"joint {joint.name!r} is {joint.type}"
    if joint.limit is not None and joint.limit.effort < 0.0:
        return f"joint {joint.name!r} has a negative effort"
    if joint.type == "fixed" or joint.limit is not None and joint.limit.effort == 0.0:
        return ""
    name = actuator.get("name", "")
    if name in actuators:
        return f"another actuator is called {name!r}"
    actuators.add(name)
    return ""


PROGRAM = Program("drake", "Drake", "1.51", ("urdf", "sdf"),
                  "Parser.AddModels and Finalize succeed for a plant with a SceneGraph", "1.15",
                  (check_files, check_rotations, check_world, check_for_drake), (check_sdf_for_drake,), (check_paths,))
