"""The tree of links and joints that a URDF needs, found in a model: each link has at most one parent."""
from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sdf_frames.convert.undo_lumping import FreeJoint
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.resolve import resolve_joint_end
from sdf_frames.sdf.names import WORLD_FRAME
from sdf_frames.urdf import model as urdf


class Above(NamedTuple):
    """What is above a link: the vertex of its parent link (None for the world), and the vertex of its joint.

    The joint is in the scope `prefix`. It may be a frame that represents a joint.
    """

    parent: int | None
    joint: int
    prefix: str


def find_parents(graph: FrameGraph, free: dict[int, FreeJoint]) -> tuple[dict[int, Above], list[int]]:
    """Find what is above each link except roots, and the joints that would close a loop.

    Parameters
    ----------
    free : floating and planar joints of the URDF, by the vertex of the link that they move.
    """
    parents: dict[int, Above] = {}
    loops: list[int] = []
    above: dict[int, int] = {}  # a link that is higher up in the same tree
    for child, edge in _list_edges(graph, free):
        if child in parents or (edge.parent is not None and _find_top(above, edge.parent) == child):
            loops.append(edge.joint)
        else:
            parents[child] = edge
            if edge.parent is not None:
                above[child] = edge.parent
    return parents, loops


def _list_edges(graph: FrameGraph, free: dict[int, FreeJoint]) -> Iterator[tuple[int, Above]]:
    """Yield the child of every joint with two ends, and what is above it; floating and planar joints come last."""
    for vertex, prefix in graph.joints:
        joint = graph.joint(vertex)
        child = resolve_joint_end(graph, prefix, joint.child)
        parent = resolve_joint_end(graph, prefix, joint.parent)
        if child is not None and (parent is not None or joint.parent == WORLD_FRAME):
            yield child, Above(parent, vertex, prefix)
    for child, (vertex, _, _) in free.items():
        place = graph.relative[vertex]
        yield child, Above(graph.bodies[place] if place > 0 else None, vertex, graph.prefix(child))


def _find_top(above: dict[int, int], link: int) -> int:
    """Return the root of the tree that a link is in; shorten the path to it, so that long chains stay fast."""
    while (higher := above.get(link)) is not None:
        above[link] = above.get(higher, higher)
        link = higher
    return link


def sort_tree(links: list[urdf.Link], joints: list[urdf.Joint], root: str) -> tuple[
        tuple[urdf.Link, ...], tuple[urdf.Joint, ...]]:
    """Sort links and joints from the root down, children by the name of their joint, as the conversion to SDF does."""
    by_name = {link.name: link for link in links}
    below: dict[str, list[urdf.Joint]] = {}
    for joint in sorted(joints, key=lambda joint: joint.name, reverse=True):
        below.setdefault(joint.parent, []).append(joint)
    sorted_links, sorted_joints = [by_name[root]], []
    todo = list(below.get(root, ()))
    while todo:
        joint = todo.pop()
        sorted_joints.append(joint)
        sorted_links.append(by_name[joint.child])
        todo += below.get(joint.child, ())
    return tuple(sorted_links), tuple(sorted_joints)
