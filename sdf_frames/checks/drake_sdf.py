"""What Drake refuses in an SDFormat file that Gazebo takes."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import inf, isnan
from operator import mul
from os.path import dirname, isabs, relpath

from sdf_frames.checks.refusals import MISSING
from sdf_frames.diagnostics import Diagnostic, Location, diagnose, relate
from sdf_frames.document.confinement import decode
from sdf_frames.document.elements import Element, child_or_self, file_of, locate, tag_of, text_of
from sdf_frames.document.numbers import read_number
from sdf_frames.document.uri_hints import explain
from sdf_frames.document.uris import Resolver
from sdf_frames.frames.graph import SINK, FrameGraph
from sdf_frames.frames.resolve import list_joint_edges, resolve_axis
from sdf_frames.inertia.declared import check_declared
from sdf_frames.inertia.mesh_formats import get_extension
from sdf_frames.sdf.model import JOINT_TYPES, Collision, Frame, Inertial, Joint, Link, Root, walk_links, walk_models
from sdf_frames.sdf.table import version_key
from sdf_frames.spatial.pose import IDENTITY, compose, invert
from sdf_frames.urdf.read_parts import numbers_in

#: Suffixes of mesh files that Drake can make a convex hull of, as it does for each collision.
MESHES = ("obj", "vtk", "gltf")
MESH_FILES = ", ".join(f".{form}" for form in MESHES)
SMALLEST_SCALE = 1e-8
_LARGEST_COSINE = 2e-14
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
        yield from _check_link(link, bool(root.worlds), resolver, missing)
    for _, _, model, _ in walk_models(root):
        for joint in model.joints:
            yield from _check_joint(joint, "static models" if model.static else "")
    for world in root.worlds:
        for joint in world.joints:
            yield from _check_joint(joint, "worlds")
    for graph in graphs:
        yield from _check_names(graph)
        yield from _check_scopes(graph) if not root.worlds else ()
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
             if isinstance(entity, (Frame, Link)) and graph.bodies[vertex] != SINK]
    for joint, _, parent, child in list_joint_edges(graph):
        X_PS = graph.raw[0] if parent is None else (X_SP := graph.poses[parent]) and invert(X_SP)
        X_SJ, name = graph.poses[joint], graph.entities[joint].name
        added.append((joint, f"{name}_child", child))
        if X_PS and X_SJ and compose(X_PS, X_SJ) != IDENTITY:
            added.append((joint, f"{name}_parent", child))
    first: dict[str, Element] = {}
    told: set[int] = set()
    for vertex, name, held in added:
        while isinstance(frame := graph.entities[held], (Frame, Joint)):
            held = graph.attached[held] if isinstance(frame, Frame) else graph.bodies[held]
        kind = graph.kinds[held]
        name = (graph.prefix(held) if kind == "link" else f"{graph.names[held]}::" if held else "") + name
        element = graph.entities[vertex].element
        if kind != "world" and (other := first.setdefault(name, element)) is not element and vertex not in told:
            told.add(vertex)
            yield diagnose("drake-name-taken", locate(element, "name"), name=name,
                           related=[relate("the first", locate(other))])


def _check_scopes(graph: FrameGraph) -> Iterator[Diagnostic]:
    """Report links with :: in their names that a frame is attached to, or a joint connects: Drake looks for a model.

    In a world, libsdformat makes nested models of them.
    """
    used = Counter(graph.bodies)
    used.update([graph.bodies[edge.parent] for edge in list_joint_edges(graph) if edge.parent is not None])
    for vertex, entity in enumerate(graph.entities):
        if isinstance(entity, Link) and "::" in entity.name and used[vertex] > 1:
            yield diagnose("drake-name-scoped", locate(entity.element, "name"), link=entity.name)


def _check_link(link: Link, in_world: bool, resolver: Resolver,
                missing: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    if (inertial := link.inertial) is not None:
        if inertial.frame:
            yield diagnose("drake-element-unknown", locate(child_or_self(inertial.element, "pose")),
                           tag=f'pose frame="{inertial.frame}"',
                           hint="write the pose in the frame of the link, as 'sdf_frames upgrade FILE' does")
        for collision in link.collisions if inertial.auto else ():
            yield from _check_computed(collision, inertial)
    for d in check_declared(link, link.name, ()) if in_world else ():
        yield diagnose("drake-size-refused", d.location, link=link.name, shape="inertial", related=d.related,
                       hint=f"write a possible inertia ({d.message.rpartition('impossible: ')[2]}): Drake takes "
                            "impossible ones only outside of worlds")
    for kind, parts in (("collision", link.collisions), ("visual", link.parts)):
        for part in parts:
            if part.element.tag == kind:
                yield from _check_shape(link.name, kind, part.element, resolver, missing)


def _check_computed(collision: Collision, inertial: Inertial) -> Iterator[Diagnostic]:
    """Report what Drake does not compute an inertia from, although Gazebo does."""
    shape = collision.element.find("geometry/*")
    if shape is not None and shape.tag == "polyline":
        yield diagnose("drake-inertia-refused", locate(shape), collision=collision.name, what="a polyline",
                       hint="use another shape for the collision, or write mass and inertia yourself")
    elif shape is not None and shape.tag == "mesh":
        scheme, _, path = (uri := text_of(child_or_self(shape, "uri"))).rpartition("://")
        density = inertial.density if collision.density is None else collision.density
        if path and not scheme and not isabs(path):
            yield diagnose("drake-inertia-refused", locate(child_or_self(shape, "uri")), collision=collision.name,
                           what=f"the mesh {uri!r}, which is named by a relative path",
                           hint="write model://PACKAGE/PATH or the whole path, or write mass and inertia yourself")
        elif density is not None and not 0.0 <= density < inf:
            yield diagnose("drake-inertia-refused", locate(shape), collision=collision.name,
                           what=f"a mesh of density {density:g}", hint="write a density above zero")


def _check_shape(link: str, kind: str, part: Element, resolver: Resolver,
                 missing: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    element = part.find("geometry/mesh/uri")
    if element is not None and (uri := text_of(element)):
        hint = find_for_drake(uri, file_of(element), resolver)
        if hint and (kind, uri) not in missing:
            missing.add((kind, uri))
            yield diagnose(MISSING[kind], locate(element), uri=uri, hint=hint)
        elif kind == "collision" and get_extension(uri) not in MESHES:
            yield diagnose("drake-mesh-format", locate(element), file=uri, known=MESH_FILES)
    for geometry in part.iterfind("geometry/*"):
        for size in filter(_is_nan, geometry if geometry.tag not in _UNSIZED else ()):
            yield diagnose("drake-size-refused", locate(size), link=link, shape=tag_of(size), hint="write a number")
    scale = part.find("geometry/mesh/scale")
    if scale is not None and min(map(abs, numbers_in(text_of(scale)) or (1.0,))) < SMALLEST_SCALE:
        yield diagnose("drake-size-refused", locate(scale), link=link, shape="mesh")
    friction, shape = part.find(_FRICTION), part.find("geometry/*")
    if friction is not None and shape is not None and shape.tag not in _UNREAD:
        static, dynamic = (read_number(text) if (text := friction.findtext(tag, "").strip()) else 1.0
                           for tag in ("mu", "mu2"))
        if static is not None and dynamic is not None and dynamic > static:
            yield diagnose("drake-friction-refused", locate(friction), static=static, dynamic=dynamic)


def _check_joint(joint: Joint, where: str) -> Iterator[Diagnostic]:
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


def find_for_drake(uri: str, file: str | None, resolver: Resolver) -> str:
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
