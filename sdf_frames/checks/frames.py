"""Canonical links, and poses of things that define no frame."""
from __future__ import annotations

from typing import Iterator

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.xml_in import locate
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.resolve import resolve_bodies
from sdf_frames.sdf.model import Link, Model


def check_frames(graph: FrameGraph) -> Iterator[Diagnostic]:
    """Findings on canonical links and on the relative_to of collisions, visuals, sensors and lights of a scope."""
    for number, (kind, entity) in enumerate(zip(graph.kinds, graph.entities)):
        if kind == "model":
            yield from _check_canonical_link(graph, number, entity)
        elif kind == "link":
            yield from _check_parts(graph, number, entity)


def _check_canonical_link(graph: FrameGraph, number: int, model: Model) -> Iterator[Diagnostic]:
    if model.static or not model.canonical_link:
        return
    target = int(graph.attached[number])
    if target >= 0 and graph.kinds[target] != "link" and resolve_bodies(graph)[target] >= 0:
        yield diagnose("canonical-link-is-no-link", locate(model.element), name=model.name,
                       reference=model.canonical_link, kind=graph.kinds[target])


def _check_parts(graph: FrameGraph, number: int, link: Link) -> Iterator[Diagnostic]:
    name = graph.names[number]
    prefix = name[:len(name) - len(link.name)]
    for part in (*link.collisions, *link.parts):
        if (reference := part.pose.relative_to) and graph.find(prefix, reference) is None:
            yield diagnose("part-pose-relative-to-unknown", locate(part.pose.element), name=part.name,
                           kind=getattr(part, "kind", "collision"), reference=reference)
