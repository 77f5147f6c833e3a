"""Canonical links, and poses of things that define no frame."""
from __future__ import annotations

from collections.abc import Iterator

from sdf_frames.diagnostics import ERROR, WARNING, Diagnostic, diagnose
from sdf_frames.document.xml_in import locate
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.resolve import find_overflows
from sdf_frames.sdf.model import Collision, Joint, Link, Model, World
from sdf_frames.sdf.names import ROOT


def check_frames(graph: FrameGraph) -> Iterator[Diagnostic]:
    """Findings on canonical links, on poses that overflow, and on the relative_to of collisions, visuals, sensors and lights."""
    for number, (kind, entity) in enumerate(zip(graph.kinds, graph.entities)):
        if kind == "model":
            yield from _check_canonical_link(graph, number, entity)
        elif kind == "link":
            yield from _check_parts(graph, number, entity, (*entity.collisions, *entity.parts))
        elif kind == "joint":
            yield from _check_parts(graph, number, entity, entity.sensors)
        elif kind == "world":
            yield from _check_parts(graph, number, entity, entity.parts)
    yield from _check_overflows(graph)


def _check_overflows(graph: FrameGraph) -> Iterator[Diagnostic]:
    """The frames where poses become larger than any number; what is relative to them is lost with them."""
    for number in find_overflows(graph):
        entity = graph.entities[number]
        place = locate(entity.element if entity.pose.element is None else entity.pose.element)
        yield diagnose("pose-overflow", place, kind=graph.kinds[number], name=graph.names[number], scope=graph.kind)


def _check_canonical_link(graph: FrameGraph, number: int, model: Model) -> Iterator[Diagnostic]:
    if not model.canonical_link or model.canonical_link == ROOT:
        return
    prefix = f"{graph.names[number]}::" if number else ""
    target = graph.find(prefix, model.canonical_link)
    finding = None
    if model.static and graph.is_unknown(prefix, model.canonical_link):  # of others the graph says so: they need it
        finding = diagnose("canonical-link-unknown", locate(model.element), name=model.name,
                           reference=model.canonical_link, hint=graph.hints.suggest(prefix, model.canonical_link))
    elif target is not None and graph.kinds[target] != "link" and (model.static or graph.bodies[target] >= 0):
        finding = diagnose("canonical-link-is-no-link", locate(model.element), name=model.name,
                           reference=model.canonical_link, kind=graph.kinds[target])
    if finding is not None:
        # libsdformat's check asks this of root models and of a world's own.
        checked = not number or (graph.kind == "world" and "::" not in graph.names[number])
        yield finding if checked else finding._replace(severity=WARNING)


def _check_parts(graph: FrameGraph, number: int, holder: Link | Joint | World, parts: tuple) -> Iterator[Diagnostic]:
    name = graph.names[number]
    prefix = name[:len(name) - len(holder.name)] if number else ""
    for part in parts:
        if (reference := part.pose.relative_to) and graph.is_unknown(prefix, reference):
            finding = diagnose("part-pose-relative-to-unknown", locate(part.pose.element), name=part.name,
                               kind=getattr(part, "kind", "collision"), reference=reference, hint=graph.hints.suggest(prefix, reference))
            # An automatic inertia needs to know where its collisions are.
            needed = isinstance(part, Collision) and holder.inertial is not None and holder.inertial.auto
            yield finding._replace(severity=ERROR) if needed else finding
