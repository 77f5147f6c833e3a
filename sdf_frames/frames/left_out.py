"""Frames that TF has for a scope, although the SDF does not have them."""
from __future__ import annotations

from typing import TYPE_CHECKING

from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.resolve import FrameRow, name_of_body
from sdf_frames.sdf.names import WORLD_FRAME
from sdf_frames.spatial.pose import normalise

if TYPE_CHECKING:
    from sdf_frames.urdf.model import Robot


def find_left_out(graph: FrameGraph, robot: Robot | None = None) -> tuple[FrameRow, ...]:
    """Return the frames that only the TF tree of a scope has, as rows.

    `robot` is the robot that the scope was converted from; None for SDFormat.

    Returns
    -------
    rows
        The world that a model is joined to, and links and joints of the robot that are not in the SDF. Poses are in
        the scope's frame, with movable joints at zero; ``link`` is the first link of the rigid body.
    """
    welded = graph.kind == "model" and any(graph.joint(i).parent == WORLD_FRAME for i, _ in graph.joints)
    if not welded and (robot is None or all(link.name in graph.vertices for link in robot.links)):
        return ()
    from sdf_frames.frames.tf_tree import build_nodes, choose_names
    nodes = build_nodes(graph, robot, "::")
    choose_names(nodes.all())
    bodies = {id(node): name_of_body(graph, body) for node, body in zip(nodes.vertices, graph.bodies)}
    rows = []
    for node in nodes.added:
        above = node.parent
        carried = above is not None and (node.kind == "joint" or (node.kind == "link" and not node.movable))
        bodies[id(node)] = body = bodies[id(above)] if carried else node.name
        if not node.left_out and node.name not in graph.vertices:
            attached_to = above.name if above is not None and node.kind == "joint" else None
            rows.append(FrameRow(node.name, node.kind, attached_to, None, body, normalise(node.X)))
    return tuple(rows)
