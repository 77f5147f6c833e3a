"""The content of an included model, as its ``<include>`` leaves it: as elements, for texts without includes."""
from __future__ import annotations

from collections.abc import Iterable

from sdf_frames.document.elements import tag_of
from sdf_frames.document.numbers import read_bool
from sdf_frames.document.places import Element, copy_element, keep_places, place_copy
from sdf_frames.sdf.entities import read_child_text
from sdf_frames.sdf.model import Entity, Model


def is_merged(include: Element) -> bool:
    """Return whether an include has ``merge="true"``."""
    return bool(read_bool(include.get("merge", "")))


def override_element(entity: Element, include: Element, name: str, placement_frame: str) -> None:
    """Apply an include to the element of its model: name, placement frame, and other overrides."""
    keep_places(entity)
    if name:
        entity.set("name", name)
    contents = _override_contents(entity, include)
    copies = {given: copy_element(given) for given in contents if given.getparent() is include}
    entity[:] = [copies.get(child, child) for child in contents]
    for given, copy in copies.items():
        place_copy(copy, given)
    if namespace := read_child_text(include, "namespace"):
        entity.set("namespace", namespace)
    if placement_frame:
        entity.set("placement_frame", placement_frame)


def list_contents(entity: Entity) -> list[Element]:
    """List the elements in an entity as ``print`` writes them.

    Those of a model are overridden by its include, and merged models stand in place of their includes.
    """
    children = entity.element.iterchildren("*")
    if not isinstance(entity, Model):
        return [*children]
    merged = {frame.element: frame.merged for frame in entity.frames if frame.merged is not None}
    contents = [part for child in children
                for part in (list_contents(merged[child]) if child in merged else [child])]
    return _override_contents(contents, entity.include)


def _override_contents(contents: Iterable[Element], include: Element | None) -> list[Element]:
    """Return the `contents` of the element of a model as its include leaves them; the overrides are not copied."""
    if include is None:
        return [*contents]
    if is_merged(include):  # the settings of the model itself (static, self_collide, …) mean nothing in another model
        given, kept = [], [child for child in contents if child.get("name") or ":" in tag_of(child)]
    else:
        given = [child for tag in ("pose", "static") if (child := include.find(tag)) is not None]
        replaced = {child.tag for child in given}
        kept = [child for child in contents if child.tag not in replaced]
    return [*given, *kept, *include.iterchildren("plugin")]
