"""Poses that SDFormat 1.12 cannot express, computed in a frame in which it can, so that a text can hold them.

Which poses these are: :mod:`sdf_frames.sdf.entities`.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator

from lxml import etree

from sdf_frames.document.elements import Element
from sdf_frames.document.numbers import write_numbers
from sdf_frames.frames.graph import BROKEN, SINK, FrameGraph
from sdf_frames.frames.resolve import find_pose_in
from sdf_frames.sdf.entities import LEGACY_FRAME, read_pose_element
from sdf_frames.sdf.model import RawPose
from sdf_frames.sdf.names import MODEL_FRAME, ROOT
from sdf_frames.spatial.pose import Pose, compose, invert, normalise, rpy_from_quaternion


def has_legacy_poses(root: Element) -> bool:
    """Return whether a tree holds poses that SDFormat 1.12 cannot express."""
    return any(pose.get(LEGACY_FRAME) for pose in root.iter("pose"))


def compute_legacy_poses(root: Element, graphs: Iterable[FrameGraph]) -> None:
    """Write the legacy poses of an ``<sdf>`` tree of 1.7 or later as ordinary poses, in place.

    The pose of a joint is then relative to its model, that of an inertial to its link. If a model is itself placed by
    such a joint, that would be a cycle: the pose of the model is then written relative to the scope around it.

    Parameters
    ----------
    root : every model of the document stands in it, under the names of `graphs`.
    graphs : of its worlds and root model.
    """
    known = {(graph.kind, graph.name): graph for graph in graphs}
    moved: dict[int, list[int]] = {}  # by graph, what each pose is relative to in the text
    for pose, way in list(_walk(root, ())):
        top, *path, owner = way
        graph = known.get((top.tag, top.get("name", "")))
        prefix = "".join(f"{e.get('name')}::" for e in path)
        reference = str(pose.attrib.pop(LEGACY_FRAME))
        if graph is None or (X := _find_pose(graph, prefix, owner.get("name", ""), reference, pose)) is None:
            continue
        write_pose(pose, X, MODEL_FRAME if owner.tag == "joint" else "")
        if reference == ROOT:
            relative = moved.setdefault(id(graph), list(graph.relative))
            joint = graph.vertices[prefix + owner.get("name", "")]
            relative[joint] = graph.vertices[prefix + MODEL_FRAME]
            _break_cycle(path, graph, relative, joint)
    etree.cleanup_namespaces(root)


def write_pose(pose: Element, X: Pose, relative_to: str = "") -> None:
    """Write a pose in place of what an element says."""
    pose.text = write_numbers((*X[:3], *rpy_from_quaternion(*X[3:])))
    for name in ("degrees", "rotation_format", "relative_to"):
        pose.attrib.pop(name, "")
    if relative_to:
        pose.set("relative_to", relative_to)


def _break_cycle(path: list[Element], graph: FrameGraph, relative: list[int], joint: int) -> None:
    """Write the poses of the models around a joint relative to the scopes around them, until no pose is in a cycle.

    The innermost model comes first. `relative` says what each pose is relative to in the text, and is updated.
    """
    above, vertices = "", [0]
    for element in path:
        above += f"{element.get('name')}::"
        vertices.append(graph.vertices[above + MODEL_FRAME])
    for element, model, around in zip(reversed(path), reversed(vertices), reversed(vertices[:-1])):
        vertex, seen = joint, {SINK, BROKEN}
        while vertex not in seen:
            seen.add(vertex)
            vertex = relative[vertex]
        if vertex in (SINK, BROKEN):
            return
        X_SM, X_SP, pose = graph.poses[model], graph.poses[around], element.find("pose")
        if relative[model] != around and X_SM is not None and X_SP is not None and pose is not None:
            relative[model] = around
            element.attrib.pop("placement_frame", "")
            write_pose(pose, normalise(compose(invert(X_SP), X_SM)))


def _walk(element: Element, way: tuple[Element, ...]) -> Iterator[tuple[Element, tuple[Element, ...]]]:
    """Yield each legacy pose with the named elements around it: the world or root model first, link or joint last."""
    for child in element:
        tag = child.tag
        if tag in ("world", "model"):
            yield from _walk(child, (*way, child))
        elif tag == "joint":
            yield from ((pose, (*way, child)) for pose in child.iterchildren("pose") if pose.get(LEGACY_FRAME))
        elif tag == "link":
            yield from ((pose, (*way, child)) for pose in child.iterfind("inertial/pose") if pose.get(LEGACY_FRAME))


def _find_pose(graph: FrameGraph, prefix: str, owner: str, reference: str, pose: Element) -> Pose | None:
    """Pose of a joint in its model, or of an inertial in its link; None where it cannot be resolved."""
    vertex = graph.find(prefix, owner)
    if vertex is None:
        return None
    if reference == ROOT:
        base = graph.find(prefix, MODEL_FRAME) if prefix else 0
        X_SM, X_SJ = None if base is None else graph.poses[base], graph.poses[vertex]
        return None if X_SM is None or X_SJ is None else normalise(compose(invert(X_SM), X_SJ))
    X = find_pose_in(graph, vertex, RawPose(read_pose_element(pose).X, reference))
    return None if X is None else normalise(X)
