"""Cycles in the frame graphs, each reported once with its members."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sdf_frames.diagnostics import Diagnostic, Related, diagnose
from sdf_frames.document.xml_in import locate
from sdf_frames.spatial.batch import find_roots

if TYPE_CHECKING:
    from sdf_frames.frames.graph import FrameGraph


def report_cycles(graph: "FrameGraph", defaulted: set[int]) -> list[Diagnostic]:
    """A finding for each cycle of the attached_to graph and of the relative_to graph.

    A relative_to cycle of frames whose poses only follow their attached_to (`defaulted`) is the same mistake as the
    attached_to cycle and is not reported again.
    """
    found = []
    for edges, rule in ((graph.attached, "frame-attached-to-cycle"), (graph.relative, "pose-relative-to-cycle")):
        for members in find_cycles(edges):
            if rule == "pose-relative-to-cycle" and all(m in defaulted for m in members):
                continue
            places = [locate(_referring_element(graph, m, rule)) for m in members]
            names = [graph.names[m] for m in members]
            found.append(diagnose(
                rule, places[0], cycle=" -> ".join([*names, names[0]]),
                related=[Related(f"{graph.kinds[m]} {n!r}", p.line, p.path, p.file)
                         for m, n, p in zip(members[1:], names[1:], places[1:])]))
    return found


def _referring_element(graph: "FrameGraph", member: int, rule: str):
    """The element that refers to the next member: a ``<pose>``, a joint's ``<child>``, or the one with the attribute."""
    entity = graph.entities[member]
    if rule == "pose-relative-to-cycle" and entity.pose.relative_to and entity.pose.element is not None:
        return entity.pose.element
    child = entity.element.find("child") if graph.kinds[member] == "joint" else None
    return entity.element if child is None else child


def find_cycles(edges: np.ndarray) -> list[list[int]]:
    """The cycles of a graph in which every node has at most one outgoing edge (`edges`, negative for none)."""
    cycles, seen = [], set()
    for start in np.flatnonzero(find_roots(edges) < 0).tolist():
        path, node = [], start
        while node not in seen:
            seen.add(node)
            path.append(node)
            node = int(edges[node])
        if node in path:
            cycles.append(path[path.index(node):])
    return cycles
