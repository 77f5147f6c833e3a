"""The tree that the joints of a model make of its links, as a URDF has it: each link has one parent at most."""
from __future__ import annotations

from typing import NamedTuple

from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.resolve import resolve_joint_end
from sdf_frames.sdf.names import WORLD_FRAME


class Above(NamedTuple):
    """What a link hangs on: the vertex of its parent link (None: the world), and a joint in the scope `prefix`."""

    parent: int | None
    joint: int
    prefix: str


def find_parents(graph: FrameGraph) -> tuple[dict[int, Above], list[int]]:
    """What each link but the roots hangs on, and the joints that would close a loop."""
    parents: dict[int, Above] = {}
    loops: list[int] = []
    above: dict[int, int] = {}  # a link that is higher up in the same tree
    for vertex, prefix in graph.joints:
        joint = graph.joint(vertex)
        child = resolve_joint_end(graph, prefix, joint.child)
        parent = resolve_joint_end(graph, prefix, joint.parent)
        if child is None or (parent is None and joint.parent != WORLD_FRAME):
            continue
        if child in parents or (parent is not None and _find_top(above, parent) == child):
            loops.append(vertex)
        else:
            parents[child] = Above(parent, vertex, prefix)
            if parent is not None:
                above[child] = parent
    return parents, loops


def _find_top(above: dict[int, int], link: int) -> int:
    """The uppermost link of the tree that a link is in; the way up is made shorter, so that chains stay cheap."""
    while (higher := above.get(link)) is not None:
        above[link] = above.get(higher, higher)
        link = higher
    return link
