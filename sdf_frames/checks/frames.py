"""Checks canonical links, and the poses of elements that define no frame."""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sdf_frames.diagnostics import ERROR, WARNING, Diagnostic, diagnose
from sdf_frames.document.elements import child_or_self, locate
from sdf_frames.frames.graph import SINK, FrameGraph
from sdf_frames.frames.resolve import find_overflows
from sdf_frames.sdf.model import Collision, Joint, Link, Model, Part, World, pose_element_of
from sdf_frames.sdf.names import ROOT


def check_frames(graph: FrameGraph) -> Iterator[Diagnostic]:
    """Check canonical links, poses that overflow, and the frames that poses of links' parts are relative to."""
    for number, entity in enumerate(graph.entities):
        if isinstance(entity, Model):
            yield from _check_canonical_link(graph, number, entity)
        elif isinstance(entity, Link):
            yield from _check_parts(graph, number, entity, (*entity.collisions, *entity.parts))
            yield from _check_inertial(graph, number, entity)
            for collision in entity.collisions:
                yield from _check_friction(graph, number, collision)
        elif isinstance(entity, Joint):
            yield from _check_parts(graph, number, entity, entity.sensors)
        elif isinstance(entity, World):
            yield from _check_parts(graph, number, entity, entity.parts)
    for number in find_overflows(graph):  # frames relative to these have no pose either, and are not reported
        entity = graph.entities[number]
        yield diagnose("pose-overflow", locate(pose_element_of(entity)), kind=graph.kinds[number],
                       name=graph.names[number], scope=graph.kind)


def _check_canonical_link(graph: FrameGraph, number: int, model: Model) -> Iterator[Diagnostic]:
    if not model.canonical_link or model.canonical_link == ROOT:
        return
    prefix = f"{graph.names[number]}::" if number else ""
    target = graph.find(prefix, model.canonical_link)
    finding = None
    on_nothing = target is not None and not model.static and graph.bodies[target] == SINK
    if model.static and graph.is_unknown(prefix, model.canonical_link):  # of others the graph says so: they need it
        finding = diagnose("canonical-link-unknown", locate(model.element, "canonical_link"), name=model.name,
                           reference=model.canonical_link, hint=graph.hints.suggest(prefix, model.canonical_link))
    elif target is not None and graph.kinds[target] != "link":
        # A frame that leads back to the model is a cycle, which nothing else reports.
        rule = "canonical-link-on-nothing" if on_nothing else "canonical-link-is-no-link"
        finding = diagnose(rule, locate(model.element, "canonical_link"), name=model.name,
                           reference=model.canonical_link, kind=graph.kinds[target])
    if finding is not None:
        # libsdformat's check asks this of root models and of a world's own.
        checked = not number or (graph.kind == "world" and "::" not in graph.names[number])
        yield finding if checked or on_nothing else finding._replace(severity=WARNING)


def _check_inertial(graph: FrameGraph, number: int, link: Link) -> Iterator[Diagnostic]:
    """Check the frame of an inertial's pose, which the pose could name until 1.6."""
    inertial = link.inertial
    if inertial is not None and inertial.frame and graph.is_unknown(prefix := graph.prefix(number), inertial.frame):
        yield diagnose("part-pose-relative-to-unknown", locate(child_or_self(inertial.element, "pose")),
                       name=link.name, kind="the inertial of", reference=inertial.frame,
                       hint=graph.hints.suggest(prefix, inertial.frame))


def _check_friction(graph: FrameGraph, number: int, collision: Collision) -> Iterator[Diagnostic]:
    """Check the frame of ``<fdir1 gz:expressed_in>``, an attribute of a namespace that the file may not declare."""
    fdir1 = collision.element.find("surface/friction/ode/fdir1")
    for key, reference in () if fdir1 is None else fdir1.attrib.items():
        if re.fullmatch(r".*[}:]expressed_in", str(key)) and reference != ROOT and graph.is_unknown(
                prefix := graph.prefix(number), str(reference)):
            yield diagnose("friction-direction-frame-unknown", locate(fdir1), name=collision.name,
                           reference=reference, hint=graph.hints.suggest(prefix, str(reference)))


def _check_parts(graph: FrameGraph, number: int, holder: Link | Joint | World,
                 parts: Iterable[Collision | Part]) -> Iterator[Diagnostic]:
    for part in parts:
        # The reserved name is the schema check's.
        if (reference := part.pose.relative_to) and reference != ROOT and graph.is_unknown(
                prefix := graph.prefix(number), reference):
            # An automatic inertia needs to know where its collisions are.
            needed = (isinstance(part, Collision) and isinstance(holder, Link) and holder.inertial is not None
                      and holder.inertial.auto)
            kind = getattr(part, "kind", "collision")
            rule = ("part-pose-relative-to-unknown" if kind in ("collision", "visual") else
                    "unread-pose-relative-to-unknown")
            yield diagnose(rule, locate(pose_element_of(part), "relative_to"),
                           name=part.name, kind=kind, reference=reference,
                           hint=graph.hints.suggest(prefix, reference), severity=ERROR if needed else None)
