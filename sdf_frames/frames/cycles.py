"""Cycles in the frame graphs, each reported once with its members."""
from __future__ import annotations

from collections.abc import Sequence

from sdf_frames.diagnostics import Diagnostic, diagnose, relate
from sdf_frames.document.xml_in import Element, child_or_self, locate
from sdf_frames.frames.forest import find_cycles
from sdf_frames.sdf.model import Entity, Joint, Link, Model, World, kind_of, pose_element_of


def report_cycles(attached: Sequence[int], relative: Sequence[int], names: Sequence[str], entities: Sequence[Entity],
                  ) -> list[Diagnostic]:
    """Report each cycle of the attached_to graph and of the relative_to graph.

    If the poses of all frames in a relative_to cycle are relative to their attached_to by default, the attached_to
    cycle is the cause, and only that is reported.

    Parameters
    ----------
    attached, relative : (N,) vertex that each vertex refers to, negative for none.
    names, entities : (N,) name and typed part of each vertex.
    """
    found = []
    for edges, rule in ((attached, "frame-attached-to-cycle"), (relative, "pose-relative-to-cycle")):
        for members in find_cycles(edges):
            if rule == "pose-relative-to-cycle" and not any(_is_placed(entities[m]) for m in members):
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
    """Return whether a model's canonical link is not a link, which is then the cause of the cycle."""
    return isinstance(entity, Model) and bool(entity.canonical_link) and not isinstance(body, Link)


def _is_placed(entity: Entity) -> bool:
    """Return whether an entity states what its pose is relative to."""
    return not isinstance(entity, World) and bool(entity.pose.relative_to)


def _find_reference(entity: Entity, rule: str) -> Element:
    """Find the element that refers to the next member: ``<pose>``, a joint's ``<child>``, or the entity's own."""
    if rule == "pose-relative-to-cycle" and _is_placed(entity):
        return pose_element_of(entity)
    return child_or_self(entity.element, "child") if isinstance(entity, Joint) else entity.element
