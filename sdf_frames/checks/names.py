"""Checks names: reserved ones, and names that become equal only through includes."""
from __future__ import annotations

from collections.abc import Iterable, Iterator

from sdf_frames.diagnostics import WARNING, Diagnostic, Location, diagnose, relate
from sdf_frames.document.elements import Element, locate
from sdf_frames.sdf.model import Frame, Joint, Link, Member, Model, Root, World, kind_of
from sdf_frames.sdf.names import UNIQUE_SINCE, WORLD_FRAME, is_reserved
from sdf_frames.sdf.table import version_key

_OLD_WORLD = ("choose another name: SDFormat 1.6 and older allow it, but libsdformat 12 and later, and so Gazebo and "
              "Drake, refuse the file")


def check_names(root: Root) -> Iterator[Diagnostic]:
    """Check the names of worlds, models and all named elements in them."""
    for world in root.worlds:
        yield from _check_reserved("world", world.name, world.element)
        yield from _check_scope(world)
        yield from _check_aside(world.element)
    yield from _check_aside(root.element)
    if root.model is not None:
        yield from _check_reserved("model", root.model.name, _where_named(root.model))
        yield from _check_scope(root.model)


def _check_aside(element: Element) -> Iterator[Diagnostic]:
    """Check lights, actors and physics beside the models of a world or document."""
    for tag in ("light", "actor", "physics"):
        for child in element.iterchildren(tag):
            yield from _check_reserved(tag, child.get("name", ""), child)


def _check_scope(scope: Model | World) -> Iterator[Diagnostic]:
    taken: dict[str, tuple[Member, Element | None]] = {}
    merged_twice = False
    for entity, merge in pair_with_merges(scope.order):
        if is_reserved(entity.name) and not _is_proxy(entity):
            found = _check_reserved(kind_of(entity), entity.name, _where_named(entity))
            if isinstance(entity, Link) and entity.name == WORLD_FRAME and version_key(scope.version) < UNIQUE_SINCE:
                # Until 1.6 such a link stood before the inertial frame (pose frame semantics, legacy behaviour).
                found = tuple([d._replace(severity=WARNING, hint=_OLD_WORLD) for d in found])
            yield from found
        first, first_merge = taken.setdefault(name := _find_name(entity), (entity, merge))
        if first is not entity and (_is_included(entity, scope.element) or _is_included(first, scope.element)):
            # A file that is merged twice defines each of its names twice: only the first one is reported.
            if not (merged_twice and entity.element is first.element):
                yield _report_clash(name, entity, first, merge, first_merge)
            merged_twice = merged_twice or entity.element is first.element or _is_proxy(entity) and _is_proxy(first)
        if isinstance(entity, Link):
            for collision in entity.collisions:
                yield from _check_reserved("collision", collision.name, collision.element)
            for part in entity.parts:
                yield from _check_reserved(part.kind, part.name, part.element)
        elif isinstance(entity, Model):
            yield from _check_scope(entity)
        elif isinstance(entity, Joint):
            for sensor in entity.sensors:
                yield from _check_reserved("sensor", sensor.name, sensor.element)


def pair_with_merges(order: Iterable[Member]) -> Iterator[tuple[Member, Element | None]]:
    """Yield each member of a scope, and the include that merged it into the scope, or None."""
    include, left = None, 0
    for entity in order:
        yield entity, include if left else None
        left = max(left - 1, 0)
        if not left and isinstance(entity, Frame) and entity.merged is not None:
            include, left = entity.element, len(entity.merged.order)


def _find_name(entity: Member) -> str:
    """Return the name of an entity; of joints and frames, which are renamed if it clashes, as their element has it."""
    is_own = isinstance(entity, (Joint, Frame)) and not _is_proxy(entity)
    return entity.element.get("name", "") if is_own else entity.name


def _is_included(entity: Member, scope: Element) -> bool:
    """Return whether an entity of `scope` is from an include, so that no file's check has seen its siblings."""
    return _is_proxy(entity) or entity.element.getparent() is not scope


def _report_clash(name: str, entity: Member, first: Member, *merges: Element | None) -> Diagnostic:
    """Report two siblings of one name, at the include of the second, or at the second itself.

    `merges` are the includes that merged one of them into their scope.
    """
    tag, other = kind_of(entity), kind_of(first)
    related = [relate(f"<{other}> of that name", _place(first))]
    related += [relate("the <include> that merges it", locate(m)) for m in dict.fromkeys(merges) if m is not None]
    return diagnose("name-duplicate" if tag == other else "name-shared", _place(entity), name=name, tag=tag,
                    other=other, related=related)


def _place(entity: Member) -> Location:
    include = entity.include if isinstance(entity, Model) else None
    return locate(entity.element if include is None else include, "name")


def _is_proxy(entity: Member) -> bool:
    return isinstance(entity, Frame) and entity.proxy


def _where_named(entity: Member) -> Element:
    """Return the element that gives an entity its name: its own, or its include."""
    include = getattr(entity, "include", None)
    return entity.element if include is None or include.find("name") is None else include


def _check_reserved(kind: str, name: str, element: Element) -> tuple[Diagnostic, ...]:
    return (diagnose("name-reserved", locate(element, "name"), kind=kind, name=name),) if is_reserved(name) else ()
