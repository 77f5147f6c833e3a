"""The tree of links and joints that a URDF needs, found in a model: each link has at most one parent."""
from __future__ import annotations

from collections.abc import Iterator

from sdf_frames.convert.undo_lumping import FreeJoint
from sdf_frames.frames.forest import find_top
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.resolve import JointEdge, list_joint_edges
from sdf_frames.urdf import model as urdf


def find_parents(graph: FrameGraph, free: dict[int, FreeJoint]) -> tuple[dict[int, JointEdge], list[int]]:
    """Find the joint above each link except roots, and the joints that would close a loop.

    Parameters
    ----------
    free : floating and planar joints of the URDF, by the vertex of the link that they move.
    """
    parents: dict[int, JointEdge] = {}
    loops: list[int] = []
    above: dict[int, int] = {}  # a link that is higher up in the same tree
    for edge in (*list_joint_edges(graph), *_list_free_edges(graph, free)):
        parent, child = edge.parent, edge.child
        if child in parents or (parent is not None and find_top(above, parent) == child):
            loops.append(edge.joint)
        else:
            parents[child] = edge
            if parent is not None:
                above[child] = parent
    return parents, loops


def _list_free_edges(graph: FrameGraph, free: dict[int, FreeJoint]) -> Iterator[JointEdge]:
    """Yield the frames that represent floating and planar joints as their joints."""
    for child, (vertex, _, _) in free.items():
        place = graph.relative[vertex]
        yield JointEdge(vertex, graph.prefix(child), graph.bodies[place] if place > 0 else None, child)


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
