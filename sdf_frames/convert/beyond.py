"""Poses that SDFormat 1.12 has no words for, computed, so that a text can hold them."""
from __future__ import annotations

from collections.abc import Iterable, Iterator

from lxml import etree

from sdf_frames.document.numbers import format_numbers
from sdf_frames.document.xml_in import Element
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.sdf.beyond import BEYOND
from sdf_frames.sdf.entities import read_pose_element
from sdf_frames.sdf.names import MODEL_FRAME, ROOT
from sdf_frames.spatial.pose import Pose, compose, invert, normalise, rpy_from_quaternion


def holds_beyond(root: Element) -> bool:
    """Return whether a tree holds poses that the format has no words for."""
    return any(pose.get(BEYOND) for pose in root.iter("pose"))


def write_beyond(root: Element, graphs: Iterable[FrameGraph]) -> None:
    """Write such poses of an ``<sdf>`` tree of 1.7 or later in the model frame, or in the link, in place.

    Parameters
    ----------
    root : every model of the document stands in it, under the names of `graphs`.
    graphs : of its worlds and root model.
    """
    known = {(graph.kind, graph.name): graph for graph in graphs}
    for pose, way in list(_walk(root, ())):
        top, *path, owner = way
        graph = known.get((top.tag, top.get("name", "")))
        prefix = "".join(f"{e.get('name')}::" for e in path)
        reference = pose.get(BEYOND, "")
        del pose.attrib[BEYOND]
        X = None if graph is None else _find_pose(graph, prefix, owner.get("name", ""), reference, pose)
        if X is None:
            continue
        pose.text = format_numbers((*X[:3], *rpy_from_quaternion(*X[3:])))
        for name in ("degrees", "rotation_format"):
            pose.attrib.pop(name, "")
        if owner.tag == "joint":
            pose.set("relative_to", MODEL_FRAME)
    etree.cleanup_namespaces(root)


def _walk(element: Element, way: tuple[Element, ...]) -> Iterator[tuple[Element, tuple[Element, ...]]]:
    """Each such pose, with the named elements around it: the world or root model first, a link or joint last."""
    for child in element:
        tag = child.tag
        if tag in ("world", "model"):
            yield from _walk(child, (*way, child))
        elif tag == "joint":
            yield from ((pose, (*way, child)) for pose in child.iterchildren("pose") if pose.get(BEYOND))
        elif tag == "link":
            yield from ((pose, (*way, child)) for pose in child.iterfind("inertial/pose") if pose.get(BEYOND))


def _find_pose(graph: FrameGraph, prefix: str, owner: str, reference: str, pose: Element) -> Pose | None:
    """Pose of a joint in its model, or of an inertial in its link; None where it cannot be resolved."""
    vertex = graph.find(prefix, owner)
    if vertex is None:
        return None
    if reference == ROOT:
        base = graph.find(prefix, MODEL_FRAME) if prefix else 0
        X_SM, X_SJ = None if base is None else graph.poses[base], graph.poses[vertex]
        return None if X_SM is None or X_SJ is None else normalise(compose(invert(X_SM), X_SJ))
    frame = graph.find(prefix, reference)
    X_SL, X_SF = graph.poses[vertex], None if frame is None else graph.poses[frame]
    X = read_pose_element(pose).X
    return None if X_SL is None or X_SF is None else normalise(compose(compose(invert(X_SL), X_SF), normalise(X)))
