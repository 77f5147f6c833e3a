"""Upgrades trees of old versions to 1.12, by recipes that are data.

A recipe is a list of operations. ``in`` and ``below`` apply operations to children or descendants with a tag, the
others change an element. They have the same meaning as in libsdformat's converter.
"""
from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from lxml import etree

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.elements import find_child, locate
from sdf_frames.document.places import Element, keep_places, place_copy, place_like
from sdf_frames.sdf.entities import keep_inertial_frames
from sdf_frames.sdf.names import is_foreign
from sdf_frames.sdf.old_joints import express_axes, turn_world_children
from sdf_frames.sdf.scopes import LookInto
from sdf_frames.sdf.settle import choose_reading_rules, settle_names
from sdf_frames.sdf.table import VERSION, VERSIONS, load_data, version_key
from sdf_frames.sdf.unflatten import unflatten_model


@cache
def load_recipes() -> dict[str, tuple[str, list[Any]]]:
    """Return the recipes: ``{from: (to, operations)}``."""
    return {r["from"]: (r["to"], r["do"]) for r in load_data("recipes.json")}


def upgrade_tree(root: Element, to: str = VERSION, look_into: LookInto | None = None) -> tuple[Diagnostic, ...]:
    """Settle the names of an ``<sdf>`` tree and rewrite it in place to version `to`, also in its ``version``.

    Reading old files and ``upgrade`` both use this function, so that names have the same meaning in both.

    Parameters
    ----------
    root : an ``<sdf>`` element.
    to : the version to reach.
    look_into : returns the names of included models.

    Returns
    -------
    tuple
        An error if the tree has no version, or no recipes lead to `to`; then the tree is unchanged. Else warnings about
        content that the document's version allowed and that must be written in another way.
    """
    if (version := root.get("version")) is None:
        return (diagnose("version-missing", locate(root), newest=VERSION),)
    recipes = load_recipes()
    steps, reached = [], version
    while reached != to and reached in recipes:
        steps.append((reached, recipes[reached][1]))
        reached = recipes[reached][0]
    if reached != to:
        newer = "no command writes an older version" if version in VERSIONS else None
        return (diagnose("version-not-convertible", locate(root), version=version, to=to, oldest=VERSIONS[0],
                         newest=VERSION, hint=newer),)
    if steps:
        keep_places(root)
    found = [rename.report() for rename in settle_names(root, choose_reading_rules(version, to), look_into)]
    if version_key(version) < (1, 7) <= version_key(to):
        found += turn_world_children(root)
    for source, operations in steps:
        if source == "1.6":
            keep_inertial_frames(root)
            found += express_axes(root, look_into)
        elif source == "1.11":
            rename_states(root)
        if operations:
            _apply(root, operations)
    root.set("version", to)
    return tuple(found)


def _apply(element: Element, operations: list[Any]) -> None:
    for operation in operations:
        kind = operation[0]
        if kind == "in":
            for child in list(element.iterchildren(operation[1])):
                _apply(child, operation[2])
        elif kind == "below":
            for child in list(element.iter(operation[1])):
                if child is not element and not is_foreign(child):  # recipes do not apply there
                    _apply(child, operation[2])
        else:
            _OPERATIONS[kind](element, *operation[1:])


def _find(element: Element, path: str | None) -> Element | None:
    """Find the first element at the path ``a::b::c`` below `element`; without a path, return `element`."""
    found: Element | None = element
    for step in path.split("::") if path is not None else ():
        if found is None:
            break
        found = find_child(found, step)
    return found


def _make(element: Element, steps: list[str]) -> Element:
    """Return the element at `steps` below `element`; make those that are missing."""
    for step in steps:
        found = find_child(element, step)
        element = _append(element, etree.Element(step)) if found is None else found
    return element


def _append(parent: Element, child: Element) -> Element:
    """Append `child`, on its own line if its siblings are on their own lines."""
    if len(parent):
        last = parent[-1]
        child.tail, last.tail = last.tail, parent.text if not (parent.text or "").strip() else last.tail
    elif not (parent.text or "").strip():
        if parent.tail is None:  # in a tree without blank text, only empty elements have such text
            parent.text = None
        child.tail = parent.text
    parent.append(child)
    return child


def _remove(element: Element) -> None:
    """Remove an element from its parent, keeping the text that follows it."""
    parent, tail = element.getparent(), element.tail
    assert parent is not None
    if tail and tail.strip():
        previous = element.getprevious()
        if previous is not None:
            previous.tail = (previous.tail or "") + tail
        else:
            parent.text = (parent.text or "") + tail
    parent.remove(element)


def _transfer(element: Element, source: list[Any], target: list[Any], move: bool) -> None:
    """Move or copy an element or attribute to another place below `element`."""
    source_path, source_attribute = source
    target_path, target_attribute = target
    origin = _find(element, source_path)
    if origin is None:
        return
    if source_attribute:
        value = origin.get(source_attribute)
        if value is None:
            return
    else:
        value = origin.text or ""
    if target_attribute:
        _make(element, target_path.split("::") if target_path else []).set(target_attribute, value)
    else:
        *above, tag = target_path.split("::")
        place = _make(element, above)
        if source_attribute:
            _append(place, etree.Element(tag)).text = value
        else:
            from copy import deepcopy
            clone = deepcopy(origin)
            clone.tag = tag
            place_copy(_append(place, clone), origin)
    if move:
        if source_attribute:
            del origin.attrib[source_attribute]
        else:
            _remove(origin)


def _rename(element: Element, source: list[Any], target: list[Any]) -> None:
    """Rename an attribute of `element`, or a child with text, or turn one into the other."""
    (tag, attribute), (new_tag, new_attribute) = source, target
    origin = element if attribute else find_child(element, tag)
    if origin is None or not (attribute or origin.text):
        return
    if attribute or new_attribute:
        _transfer(element, [None if attribute else tag, attribute], [None if new_attribute else new_tag, new_attribute],
                  move=True)
    else:
        origin.tag = new_tag


def _add(element: Element, name: str, value: str | None) -> None:
    if find_child(element, name) is None:  # a second one would never be read
        _append(element, etree.Element(name)).text = value


def _drop(element: Element, name: str) -> None:
    for child in list(element.iterchildren(name)):
        _remove(child)


def _drop_empty(element: Element, attribute: str) -> None:
    if element.get(attribute) == "":
        del element.attrib[attribute]


_OPERATIONS: dict[str, Callable[..., object]] = {
    "move": partial(_transfer, move=True), "copy": partial(_transfer, move=False), "rename": _rename, "add": _add,
    "remove": _drop, "remove_empty": _drop_empty, "unflatten": unflatten_model}


_SUFFIXED = {"state": ("model", "light", "joint"), "model_state": ("model", "link", "joint"),
             "link_state": ("collision",)}
# Elements that had six numbers: the names of the first three and of the last three.
_SPLIT = {"velocity": ("linear_velocity", "angular_velocity"),
          "acceleration": ("linear_acceleration", "angular_acceleration"), "wrench": ("force", "torque")}


def rename_states(root: Element) -> None:
    """Rename children of ``<state>`` in an ``<sdf>`` tree of 1.11 to their names of 1.12, with the suffix ``_state``.

    libsdformat has no recipe for this: it reads the old names as unknown elements. Source: the descriptions in
    link_state.sdf and joint_state.sdf of 1.12, which say what the deprecated ``velocity``, ``acceleration``, ``wrench``
    and ``angle`` hold.
    """
    pending = list(root.iterfind("world/state"))
    while pending:
        element = pending.pop()
        for child in list(element):
            if child.tag in _SUFFIXED.get(element.tag, ()):
                child.tag += "_state"
                pending.append(child)
        if element.tag == "link_state":
            _split_vectors(element)
        elif element.tag == "joint_state":
            _name_angles(element)


def _split_vectors(link_state: Element) -> None:
    for tag, names in _SPLIT.items():
        old = link_state.find(tag)
        if old is None:
            continue
        words = (old.text or "").split()
        if len(words) != 6 or any(link_state.find(name) is not None for name in names):
            continue  # left as it is, deprecated
        old.tag, old.text = names[0], " ".join(words[:3])
        second = etree.Element(names[1])
        second.text, second.tail = " ".join(words[3:]), old.tail
        link_state.insert(link_state.index(old) + 1, second)
        place_like(second, old)


def _name_angles(joint_state: Element) -> None:
    for index, name in (("0", "axis_state"), ("1", "axis2_state")):
        angles = [a for a in joint_state.iterfind("angle") if a.get("axis", "0").strip() == index]
        if len(angles) == 1 and joint_state.find(name) is None:
            angle = angles[0]
            angle.tag = name
            angle.attrib.pop("axis", "")
            position = etree.SubElement(angle, "position")
            position.text, angle.text = angle.text, None
            for child in angle:  # blank text is layout, now that the element holds no text
                child.tail = (child.tail or "").strip() or None
