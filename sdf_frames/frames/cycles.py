"""Cycles in the frame graphs, each reported once with its members."""
from __future__ import annotations

from collections.abc import Sequence

from sdf_frames.diagnostics import Diagnostic, diagnose, relate
from sdf_frames.document.xml_in import Element, locate
from sdf_frames.frames.forest import find_cycles
from sdf_frames.sdf.model import Entity, Joint, Link, Model, World, kind_of


def report_cycles(attached: Sequence[int], relative: Sequence[int], names: Sequence[str], entities: Sequence[Entity],
                  defaulted: set[int]) -> list[Diagnostic]:
    """A finding for each cycle of the attached_to graph and of the relative_to graph.

    A relative_to cycle of frames whose poses only follow their attached_to (`defaulted`) is the same mistake as the
    attached_to cycle and is not reported again.

    Parameters
    ----------
    attached, relative : (N,) vertex that each vertex refers to, negative for none.
    names, entities : (N,) what each vertex is.
    defaulted : vertices whose pose follows their attached_to.
    """
    found = []
    for edges, rule in ((attached, "frame-attached-to-cycle"), (relative, "pose-relative-to-cycle")):
        for members in find_cycles(edges):
            if rule == "pose-relative-to-cycle" and all(m in defaulted for m in members):
                continue
            if rule == "frame-attached-to-cycle" and any(_has_odd_canonical(entities[m], entities[attached[m]])
                                                         for m in members):
                continue
            attribute = "attached_to" if rule == "frame-attached-to-cycle" else "relative_to"
            places = [locate(_find_reference(entities[m], rule), attribute) for m in members]
            called = [names[m] for m in members]
            found.append(diagnose(
                rule, places[0], cycle=" -> ".join([*called, called[0]]),
                related=[relate(f"{kind_of(entities[m])} {n!r}", p)
                         for m, n, p in zip(members[1:], called[1:], places[1:])]))
    return found


def _has_odd_canonical(entity: Entity, body: Entity) -> bool:
    """Whether a model names as its canonical link what is no link: then that is the cause."""
    return isinstance(entity, Model) and bool(entity.canonical_link) and not isinstance(body, Link)


def _find_reference(entity: Entity, rule: str) -> Element:
    """The element that refers to the next member: ``<pose>``, a joint's ``<child>``, or the one with the attribute."""
    if rule == "pose-relative-to-cycle" and not isinstance(entity, World) and entity.pose.relative_to:
        return entity.element if entity.pose.element is None else entity.pose.element
    child = entity.element.find("child") if isinstance(entity, Joint) else None
    return entity.element if child is None else child
