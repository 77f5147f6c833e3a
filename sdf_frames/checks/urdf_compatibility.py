"""Finds features of a model that prevent writing it as URDF by copying its numbers.

A model can be copied when its joints form a tree, every joint's pose is relative to its parent link, every link's is
the identity relative to the joint above it, and it uses nothing that URDF cannot express (pose frame semantics,
"Parity with URDF"; its examples leave out inertials and limits, which then get SDFormat's defaults).
``sdf_frames to-urdf`` also writes other models: it computes the numbers.
"""
from __future__ import annotations

from collections.abc import Iterator

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.elements import locate, tag_of, text_of
from sdf_frames.document.numbers import read_bool
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.sdf.entities import read_pose_element
from sdf_frames.sdf.model import URDF_TYPES, Collision, Joint, Link, Model, Part, RawPose, World, pose_element_of
from sdf_frames.sdf.names import MODEL_FRAME, WORLD_FRAME
from sdf_frames.spatial.pose import IDENTITY

_SHAPES = {"box", "sphere", "cylinder", "mesh"}


def check_urdf_compatibility(graph: FrameGraph) -> Iterator[Diagnostic]:
    """Report each feature that prevents copying."""
    model = graph.scope
    if isinstance(model, World):
        from sdf_frames.convert.one_model import report_models
        yield report_models(locate(model.element), model)
        return
    if model.pose.X != IDENTITY:
        yield diagnose("direct-urdf-model-pose", locate(pose_element_of(model)), name=model.name)
    for nested in model.models:
        yield diagnose("direct-urdf-nested-model",
                       locate(nested.include if nested.include is not None else nested.element),
                       name=nested.name)
    for frame in model.frames:
        yield diagnose("direct-urdf-frame", locate(frame.element), name=frame.name)
    above: dict[str, Joint] = {}
    for joint in model.joints:
        if joint.child in above:
            yield diagnose("direct-urdf-not-a-tree", locate(joint.element),
                           problem=f"link {joint.child!r} is the child of joints {above[joint.child].name!r} and "
                                   f"{joint.name!r}")
        else:
            above[joint.child] = joint
        yield from _check_joint(graph, joint)
    yield from _check_tree(model, above)
    for link in model.links:
        yield from _check_link(link, above.get(link.name))


def _check_tree(model: Model, above: dict[str, Joint]) -> Iterator[Diagnostic]:
    roots = [link.name for link in model.links if link.name not in above]
    world = any(j.parent == WORLD_FRAME for j in above.values())
    if len(roots) + world > 1:
        names = ", ".join(repr(n) for n in roots[:8])
        yield diagnose("direct-urdf-not-a-tree", locate(model.element), problem=f"more than one root: {names}"
                       + (" and the world" if world else ""))
    elif not roots and not world and model.links:
        yield diagnose("direct-urdf-not-a-tree", locate(model.element), problem="the joints form a loop")


def _check_joint(graph: FrameGraph, joint: Joint) -> Iterator[Diagnostic]:
    if joint.type not in URDF_TYPES:
        yield diagnose("direct-urdf-joint-type", locate(joint.element, "type"), name=joint.name, type=joint.type)
    for role, name in (("parent", joint.parent), ("child", joint.child)):
        vertex = graph.find("", name)
        if vertex is not None and graph.kinds[vertex] != "link":
            yield diagnose("direct-urdf-joint-end", locate(joint.element), joint=joint.name, role=role, name=name,
                           kind=graph.kinds[vertex])
    wanted = MODEL_FRAME if joint.parent == WORLD_FRAME else joint.parent
    if joint.pose.relative_to != wanted:
        yield diagnose("direct-urdf-joint-pose", locate(joint.element), name=joint.name, wanted=wanted)
    yield from _check_form(joint.name, joint.pose)
    for axis in joint.axes:
        if axis.mimic is not None and axis.mimic.reference:
            yield diagnose("direct-urdf-mimic", locate(axis.mimic.element), name=joint.name)
        if axis.expressed_in not in ("", joint.name):
            yield diagnose("direct-urdf-axis", locate(axis.element), name=joint.name, frame=axis.expressed_in)


def _check_link(link: Link, joint: Joint | None) -> Iterator[Diagnostic]:
    if joint is not None and (link.pose.relative_to != joint.name or link.pose.X != IDENTITY):
        yield diagnose("direct-urdf-link-pose", locate(link.element), name=link.name, joint=joint.name)
    elif joint is None and link.pose.X != IDENTITY:
        yield diagnose("direct-urdf-root-pose", locate(link.element), name=link.name)
    if link.inertial is not None:
        if link.inertial.auto:
            yield diagnose("direct-urdf-inertia", locate(link.inertial.element), name=link.name)
        elif (pose := link.inertial.element.find("pose")) is not None:
            if link.inertial.frame:
                yield diagnose("direct-urdf-part-pose", locate(pose), name=f"{link.name} inertial",
                               frame=link.inertial.frame)
            yield from _check_form(link.name, read_pose_element(pose))
    parts: list[Collision | Part] = [*link.collisions, *[p for p in link.parts if p.kind == "visual"]]
    for part in parts:
        if part.pose.relative_to not in ("", link.name):
            yield diagnose("direct-urdf-part-pose", locate(part.element), name=part.name, frame=part.pose.relative_to)
        yield from _check_form(part.name, part.pose)
        geometry = part.element.find("geometry")
        for shape in geometry if geometry is not None else ():
            if (tag := tag_of(shape)) and ":" not in tag and tag not in _SHAPES:
                yield diagnose("direct-urdf-shape", locate(shape), name=part.name, shape=tag)


def _check_form(name: str, pose: RawPose) -> Iterator[Diagnostic]:
    """Report a pose that is a quaternion or in degrees."""
    element = pose.element
    if element is None or not text_of(element):
        return
    if element.get("rotation_format", "") not in ("", "euler_rpy"):
        yield diagnose("direct-urdf-pose-form", locate(element, "rotation_format"), name=name, form="with a quaternion")
    elif read_bool(element.get("degrees", "")):
        yield diagnose("direct-urdf-pose-form", locate(element, "degrees"), name=name, form="in degrees")
