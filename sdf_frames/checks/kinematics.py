"""Warns about kinematic loops, links without joints, and poses that look like millimetres."""
from __future__ import annotations

from collections.abc import Iterator

from sdf_frames.diagnostics import Diagnostic, count_of, diagnose, relate
from sdf_frames.document.xml_in import locate
from sdf_frames.frames.forest import find_top
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.resolve import list_joint_edges
from sdf_frames.sdf.model import Model

_FAR = 1000.0
_WORLD = -1  # in place of a vertex


def check_kinematics(graph: FrameGraph) -> Iterator[Diagnostic]:
    """Check the graph of bodies and joints of a scope: links with two parent joints, loops, links without joints."""
    above: dict[int, int] = {}  # the first joint above each body
    joined: set[int | None] = set()
    group: dict[int, int] = {}  # leads from a body to one that stands for all that are joined to it
    closing: list[int] = []
    kept: list[tuple[int, int | None, int]] = []  # joints that URDF and TF use
    others: list[tuple[int, int | None, int]] = []
    edges = list(list_joint_edges(graph))
    for vertex, _, parent, child in edges:
        if parent == child:
            continue
        joined |= {child, parent}
        first = above.setdefault(child, vertex)
        (kept if first == vertex else others).append((vertex, parent, child))
        if first != vertex:
            yield diagnose("link-with-several-parents", locate(graph.entities[vertex].element), link=graph.names[child],
                           joint=graph.names[vertex], first=graph.names[first],
                           related=[relate(f"joint {graph.names[first]!r}", locate(graph.entities[first].element))])
    for vertex, parent, child in kept + others:
        a, b = find_top(group, _WORLD if parent is None else parent), find_top(group, child)
        if a == b:
            closing.append(vertex)
        else:
            group[a] = b
    if closing:
        yield diagnose("kinematic-loops", locate(graph.entities[closing[0]].element),
                       loops=count_of(len(closing), "kinematic loop"),
                       joints=", ".join(repr(graph.names[v]) for v in closing[:8]) + (" …" if len(closing) > 8 else ""))
    # A joint whose end is not known may be meant to join any of the loose links.
    if isinstance(graph.scope, Model) and not graph.scope.static and 0 < len(graph.joints) == len(edges):
        yield from _check_loose_links(graph, joined)
    yield from _check_distances(graph)


def _check_loose_links(graph: FrameGraph, joined: set[int | None]) -> Iterator[Diagnostic]:
    """Report links that are neither parents nor children of joints; `joined` are those that are."""
    for vertex, kind in enumerate(graph.kinds):
        if kind == "link" and vertex not in joined:
            yield diagnose("link-unjoined", locate(graph.entities[vertex].element), link=graph.names[vertex])


def _check_distances(graph: FrameGraph) -> Iterator[Diagnostic]:
    """Report poses in a model that look like millimetres."""
    for vertex, (kind, entity) in enumerate(zip(graph.kinds, graph.entities)):
        if kind in ("link", "joint") and (X := graph.raw[vertex]) is not None:
            x, y, z, *_ = map(abs, X)
            distance = max(x, y, z)
            if distance >= _FAR:
                yield diagnose("distance-suspicious", locate(entity.element), kind=kind, name=graph.names[vertex],
                               distance=f"{distance:g}")
