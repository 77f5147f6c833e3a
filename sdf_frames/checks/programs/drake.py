"""Drake, and what it refuses in a URDF, or in an SDFormat file, that Gazebo takes."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan
from operator import mul
from os.path import dirname, isabs, relpath

from sdf_frames.checks.programs import Program
from sdf_frames.checks.refusals import MISSING, check_files, check_rotations, check_world, list_files
from sdf_frames.diagnostics import Diagnostic, Location, diagnose, relate, suggest_name
from sdf_frames.document.confinement import decode
from sdf_frames.document.elements import Element, child_or_self, file_of, locate, tag_of, text_of
from sdf_frames.document.numbers import read_number
from sdf_frames.document.uri_hints import explain
from sdf_frames.document.uris import Resolver
from sdf_frames.frames.graph import SINK, FrameGraph
from sdf_frames.frames.resolve import list_joint_edges, resolve_axis
from sdf_frames.inertia.declared import check_declared
from sdf_frames.inertia.mesh_formats import get_extension
from sdf_frames.sdf.model import JOINT_TYPES, Frame, Root, walk_links, walk_models
from sdf_frames.sdf.model import Joint as SdfJoint
from sdf_frames.sdf.model import Link as SdfLink
from sdf_frames.sdf.table import version_key
from sdf_frames.spatial.pose import IDENTITY, compose, invert
from sdf_frames.urdf.model import Box, Collision, Joint, Link, Mesh, Robot, Sphere, Visual, find_short_axis, shape_of
from sdf_frames.urdf.read_parts import numbers_in

#: Suffixes of mesh files that Drake can make a convex hull of, as it does for each collision.
_MESHES = ("obj", "vtk", "gltf")
_MESH_FILES = ", ".join(f".{form}" for form in _MESHES)
_SMALLEST_SCALE = 1e-8
_SHORTEST_AXIS = 1e-8
_LARGEST_COSINE = 2e-14
_MOMENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
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
                if isinstance(part, Collision) and get_extension(shape.filename) not in _MESHES:
                    yield diagnose("drake-mesh-format", locate(element, "filename"), file=shape.filename,
                                   known=_MESH_FILES)
                least, sizes = _SMALLEST_SCALE, [abs(scale) for scale in shape.scale]
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
                hint := _find_file(uri, robot.file, resolver)):
            yield diagnose(MISSING[kind], locate(element, "filename"), uri=uri, hint=hint)
        known.add((kind, uri))


def _find_file(uri: str, file: str | None, resolver: Resolver) -> str:
    """Return what to write so that Drake finds the file of a URI; empty if Drake finds it.

    Drake looks for a path beside the file, and for file:// from the root of the file system. Its PackageMap is
    assumed to have all packages.
    """
    if (path := resolver.find_file(uri, file)) is None:
        return explain(uri, file, resolver)
    scheme, _, rest = uri.rpartition("://")
    if scheme in ("model", "package") or path in (rest, decode(rest)) or (
            not scheme and not isabs(rest) and file is not None and resolver.find_beside(uri, file)):
        return ""
    shown = relpath(path, dirname(file or ""))
    return f"write {shown}: Drake looks for a path beside the file, and for file:// from the root of the file system"


def _check_frames(robot: Robot) -> Iterator[Diagnostic]:
    """Report each ``<frame>`` that Drake cannot place. URDF has no ``<frame>``, but Drake reads it."""
    taken = {link.name for link in robot.links}
    links = {"world", *taken}
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
                           hint=None if link in links else suggest_name(link, links))
        taken.add(name)


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


_SUFFIX = ".sdf"
_WITHOUT = ("gearbox", "revolute2")
_FRICTION = "surface/friction/ode"
_UNREAD = ("empty", "heightmap", "image", "polyline")  # shapes of which Drake reads nothing
_UNSIZED = (*_UNREAD, "cone")
# What must be a number, by the type of joint; Drake reads nan elsewhere.
_LIMITS = ("limit/lower", "limit/upper", "limit/effort", "limit/velocity")
_FINITE = {"revolute": (*_LIMITS, "dynamics/spring_stiffness"), "prismatic": _LIMITS,
           "continuous": ("limit/effort", "limit/velocity", "dynamics/spring_stiffness"), "screw": ("limit/effort",),
           "ball": ("dynamics/damping",), "universal": ("dynamics/damping",)}
_SPRUNG = ("revolute", "continuous", "prismatic")


def check_sdf_for_drake(root: Root, resolver: Resolver, file: str | None,
                        graphs: Sequence[FrameGraph]) -> Iterator[Diagnostic]:
    """Report what makes Drake refuse an SDFormat file, as it is read from `file` (None for a text without a file)."""
    if file is not None and not file.lower().endswith(_SUFFIX):
        yield diagnose("drake-file-suffix", Location(file), file=file)
    if len(root.worlds) + (root.model is not None) != 1:
        yield diagnose("drake-several-or-nothing", locate(root.element))
    # Drake reads the states of 1.12 only: reading renamed older ones.
    states = [*root.element.iterfind("world/state/model_state"), *root.element.iterfind("world/state/light_state")]
    for element in states[:1] if version_key(root.version) < (1, 12) else ():
        yield diagnose("drake-element-unknown", locate(element), tag=tag_of(element).removesuffix("_state"),
                       hint="remove <state>")
    elements = [root.element, *[model.element for _, _, model, _ in walk_models(root)],
                *[link.element for *_, link in walk_links(root)]]  # those of included files have trees of their own
    trees = {file_of(element): element.getroottree().getroot() for element in elements}
    for tree in [tree for tree in trees.values() if tree.tag == "sdf"]:
        yield from _check_elements(tree)
    missing: set[tuple[str, str]] = set()
    for _, _, link in walk_links(root):
        yield from _check_sdf_link(link, bool(root.worlds), resolver, missing)
    for _, _, model, _ in walk_models(root):
        for joint in model.joints:
            yield from _check_sdf_joint(joint, "static models" if model.static else "")
    for world in root.worlds:
        for joint in world.joints:
            yield from _check_sdf_joint(joint, "worlds")
    for graph in graphs:
        yield from _check_names(graph)
        for vertex, _ in graph.joints:
            joint = graph.joint(vertex)
            axes = [resolve_axis(graph, vertex, axis) or (0.0, 0.0, 0.0) for axis in joint.axes]
            if joint.type == "universal" and len(axes) == 2 and abs(sum(map(mul, *axes))) > _LARGEST_COSINE:
                yield diagnose("drake-joint-refused", locate(joint.element), joint=joint.name,
                               problem="its axes are not orthogonal", hint="write orthogonal axes")


def _check_elements(sdf: Element) -> Iterator[Diagnostic]:
    for element in sdf.iter("gz_frame_id"):
        yield diagnose("drake-element-unknown", locate(element), tag="gz_frame_id",
                       hint="write <frame_id>, which SDFormat 1.12 has, or remove it")
    for element in sdf.iter("include"):
        uri = text_of(child) if (child := element.find("uri")) is not None else ""
        scheme, colon, rest = uri.rpartition("://")
        if scheme in ("model", "package") and rest and "/" not in rest:
            yield diagnose("drake-include-bare", locate(element), uri=uri, path="", hint=f"write {uri}/")
        elif uri and scheme in ("", "file") and not isabs(rest):
            yield diagnose("drake-include-bare", locate(element), uri=uri, path=rest)


def _check_names(graph: FrameGraph) -> Iterator[Diagnostic]:
    """Report frames that have the same name in one model of Drake.

    Drake adds a frame to the model of the link or frame that it is attached to. For each joint it adds NAME_child to
    the model of the child link, and NAME_parent, unless that is at the origin of the parent link.
    """
    added = [(vertex, entity.name, vertex) for vertex, entity in enumerate(graph.entities)
             if isinstance(entity, (Frame, SdfLink)) and graph.bodies[vertex] != SINK]
    for joint, _, parent, child in list_joint_edges(graph):
        X_PS = graph.raw[0] if parent is None else (X_SP := graph.poses[parent]) and invert(X_SP)
        X_SJ, name = graph.poses[joint], graph.entities[joint].name
        added.append((joint, f"{name}_child", child))
        if X_PS and X_SJ and compose(X_PS, X_SJ) != IDENTITY:
            added.append((joint, f"{name}_parent", child))
    first: dict[str, Element] = {}
    told: set[int] = set()
    for vertex, name, held in added:
        while isinstance(frame := graph.entities[held], (Frame, SdfJoint)):
            held = graph.attached[held] if isinstance(frame, Frame) else graph.bodies[held]
        kind = graph.kinds[held]
        name = (graph.prefix(held) if kind == "link" else f"{graph.names[held]}::" if held else "") + name
        element = graph.entities[vertex].element
        if kind != "world" and (other := first.setdefault(name, element)) is not element and vertex not in told:
            told.add(vertex)
            yield diagnose("drake-name-taken", locate(element, "name"), name=name,
                           related=[relate("the first", locate(other))])


def _check_sdf_link(link: SdfLink, in_world: bool, resolver: Resolver,
                    missing: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    for d in check_declared(link, link.name, ()) if in_world else ():
        yield diagnose("drake-size-refused", d.location, link=link.name, shape="inertial", related=d.related,
                       hint=f"write a possible inertia ({d.message.rpartition('impossible: ')[2]}): Drake takes "
                            "impossible ones only outside of worlds")
    if "::" in link.name:
        yield diagnose("drake-name-scoped", locate(link.element, "name"), link=link.name)
    for kind, parts in (("collision", link.collisions), ("visual", link.parts)):
        for part in parts:
            if part.element.tag == kind:
                yield from _check_shape(link.name, kind, part.element, resolver, missing)


def _check_shape(link: str, kind: str, part: Element, resolver: Resolver,
                 missing: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    element = part.find("geometry/mesh/uri")
    if element is not None and (uri := text_of(element)):
        hint = _find_file(uri, file_of(element), resolver)
        if hint and (kind, uri) not in missing:
            missing.add((kind, uri))
            yield diagnose(MISSING[kind], locate(element), uri=uri, hint=hint)
        elif kind == "collision" and get_extension(uri) not in _MESHES:
            yield diagnose("drake-mesh-format", locate(element), file=uri, known=_MESH_FILES)
    for geometry in part.iterfind("geometry/*"):
        for size in filter(_is_nan, geometry if geometry.tag not in _UNSIZED else ()):
            yield diagnose("drake-size-refused", locate(size), link=link, shape=tag_of(size), hint="write a number")
    scale = part.find("geometry/mesh/scale")
    if scale is not None and min(map(abs, numbers_in(text_of(scale)) or (1.0,))) < _SMALLEST_SCALE:
        yield diagnose("drake-size-refused", locate(scale), link=link, shape="mesh")
    friction, shape = part.find(_FRICTION), part.find("geometry/*")
    if friction is not None and shape is not None and shape.tag not in _UNREAD:
        static, dynamic = (read_number(text) if (text := friction.findtext(tag, "").strip()) else 1.0
                           for tag in ("mu", "mu2"))
        if static is not None and dynamic is not None and dynamic > static:
            yield diagnose("drake-friction-refused", locate(friction), static=static, dynamic=dynamic)


def _check_sdf_joint(joint: SdfJoint, where: str) -> Iterator[Diagnostic]:
    row = JOINT_TYPES.get(joint.type)
    if joint.type in _WITHOUT:
        yield diagnose("drake-joint-refused", locate(joint.element), joint=joint.name,
                       problem=f"its type is {joint.type}")
    elif where and joint.type != "fixed":
        yield diagnose("drake-joint-refused", locate(joint.element), joint=joint.name,
                       problem=f"only fixed joints are permitted in {where}")
    elif row is not None and (missing := [tag for tag in ("axis", "axis2")[:row.axes]
                                          if joint.element.find(tag) is None]):
        yield diagnose("drake-joint-refused", locate(joint.element), joint=joint.name,
                       problem=f"it has no <{missing[0]}>")
    for tag in _FINITE.get(joint.type, ()):
        element = joint.element.find(f"axis/{tag}")
        if element is not None and _is_nan(element):
            yield diagnose("drake-joint-refused", locate(element), joint=joint.name,
                           problem=f"its <{element.tag}> is not a number", hint="write a number, or remove the element")
    for name, is_read in (("damping", joint.type != "fixed"), ("spring_stiffness", joint.type in _SPRUNG)):
        element = joint.element.find(f"axis/dynamics/{name}")
        if is_read and element is not None and (read_number(text_of(element)) or 0.0) < 0.0:
            yield diagnose("drake-value-negative", locate(element), joint=joint.name, value=name)
    for axis in joint.axes[:1] if joint.type in _SPRUNG else ():
        if axis.lower is not None and axis.upper is not None and axis.lower > axis.upper:
            yield diagnose("drake-limits-reversed", locate(axis.element.find("limit/lower")), joint=joint.name,
                           lower=axis.lower, upper=axis.upper)


def _is_nan(element: Element) -> bool:
    return isnan(read_number(text_of(element)) or 0.0)


PROGRAM = Program("drake", "Drake", "1.51", ("urdf", "sdf"),
                  "Parser.AddModels and Finalize succeed for a plant with a SceneGraph", "1.15",
                  (check_files, check_rotations, check_world, check_for_drake), (check_sdf_for_drake,), (check_paths,))
