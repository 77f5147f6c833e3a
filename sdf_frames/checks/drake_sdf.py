"""Finds what Drake refuses in an SDFormat file that Gazebo takes."""
from __future__ import annotations

from collections.abc import Iterator

from sdf_frames.checks.drake import MESHES
from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.document.missing import explain
from sdf_frames.document.numbers import read_number
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import Element, file_of, locate, text_of
from sdf_frames.inertia.mesh_formats import get_extension
from sdf_frames.sdf.joint_types import JOINT_TYPES
from sdf_frames.sdf.model import Joint, Root, walk_links, walk_models

_SUFFIX = ".sdf"
_WITHOUT = ("gearbox", "revolute2")
_FRICTION = "surface/friction/ode"


def check_sdf_for_drake(root: Root, resolver: Resolver, file: str | None) -> Iterator[Diagnostic]:
    """Report what makes Drake's parser, or the plant that it fills, raise an exception."""
    if file is not None and not file.lower().endswith(_SUFFIX):
        yield diagnose("drake-file-suffix", Location(file), file=file)
    if len(root.worlds) + (root.model is not None) != 1:
        yield diagnose("drake-several-or-nothing", locate(root.element))
    for element in root.element.iter("gz_frame_id"):
        yield diagnose("drake-element-unknown", locate(element), tag="gz_frame_id")
    for element in root.element.iter("include"):
        uri = text_of(child) if (child := element.find("uri")) is not None else ""
        if uri and "://" not in uri and not _is_beside(uri, file, resolver):
            yield diagnose("drake-include-bare", locate(element), uri=uri)
    missing: set[tuple[str, str]] = set()
    for _, _, link in walk_links(root):
        for kind, parts in (("collision", link.collisions), ("visual", link.parts)):
            for part in parts:
                if part.element.tag == kind:
                    yield from _check_shape(kind, part.element, resolver, missing)
    for _, _, model, _ in walk_models(root):
        for joint in model.joints:
            yield from _check_joint(joint, "static models" if model.static else "")
    for world in root.worlds:
        for joint in world.joints:
            yield from _check_joint(joint, "worlds")


def _is_beside(uri: str, file: str | None, resolver: Resolver) -> bool:
    from os.path import dirname, join
    path = join(dirname(file or ""), uri)
    return resolver.door.is_file(path) or resolver.door.is_folder(path)


def _check_shape(kind: str, part: Element, resolver: Resolver, missing: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    element = part.find("geometry/mesh/uri")
    if element is not None and (uri := text_of(element)):
        if (kind, uri) not in missing and resolver.find(uri, file_of(element)) is None:
            missing.add((kind, uri))
            yield diagnose("collision-file-missing" if kind == "collision" else "visual-file-missing", locate(element),
                           uri=uri, hint=explain(uri, file_of(element), resolver))
        elif kind == "collision" and get_extension(uri) not in MESHES:
            yield diagnose("drake-mesh-format", locate(element), file=uri, known=", ".join(f".{f}" for f in MESHES))
    friction = part.find(_FRICTION)
    if friction is not None:
        static, dynamic = (read_number(text_of(child)) if (child := friction.find(tag)) is not None else 1.0
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
    elif row is not None and row.axes and joint.element.find("axis") is None:
        yield diagnose("drake-joint-refused", locate(joint.element), joint=joint.name, problem="it has no <axis>")
