"""Turns SDFormat 1.7's flattened models (names like ``arm::link``) into nested models, as 1.8 writes them.

A group of elements stays as it is if nesting would change its meaning: if it refers to frames outside of the group, or
its poses depend on the model around it. The model around it keeps its canonical link.
"""
from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from sdf_frames.document.blanks import collapse_blanks
from sdf_frames.document.budget import DEFAULT
from sdf_frames.document.numbers import read_number
from sdf_frames.document.places import Element, place_like
from sdf_frames.sdf.entities import LEGACY_FRAME
from sdf_frames.sdf.names import MODEL_FRAME, ROOT, WORLD_FRAME

_NAMED = ("frame", "joint", "link", "model", "gripper")
_PLACES = ("relative_to", LEGACY_FRAME, "expressed_in")


def unflatten_model(model: Element) -> None:
    """Move the children of `model` whose names share a prefix before ``::`` into a nested model of that name."""
    pending = [(model, 1)]
    delimited: dict[Element, list[str]] = {}
    while pending:
        model, level = pending.pop()
        made, plain = _gather_children(model, delimited)
        if level < DEFAULT.model_depth:
            pending += [(nested, level + 1) for nested in reversed([*plain, *made])]


def _gather_children(model: Element, delimited: dict[Element, list[str]]) -> tuple[list[Element], list[Element]]:
    """Return the nested models made from children of `model`, and the nested model where that stopped, if any.

    `delimited` are the names with ``::`` in each model and world around, which do not change; filled when needed.
    """
    if "::" in (model.get("name") or ""):
        return [], []  # its content may share paths with the content of others
    children = [c for c in model if c.tag in _NAMED]
    if not (groups := _group_by_prefix(children)):
        return [], [child for child in children if child.tag == "model" and child.get("name")][:1]
    taken = _list_taken(model, children, delimited)
    # The inertial frame is visible everywhere, a link of its name is not.
    world = frozenset() if WORLD_FRAME in taken else frozenset([WORLD_FRAME])
    left: set[str] = set()
    made: list[Element] = []
    plain: list[Element] = []
    canonical = None if model.get("canonical_link") else model.find("link")
    canonical_name = "" if canonical is None else canonical.get("name", "")
    for child in children:
        if child.getparent() is not model or not (name := child.get("name")):
            continue
        if (shared := _prefix_of(name)) is not None:
            if shared in left:
                continue
            group = [c for c in groups[shared] if c.getparent() is model]
            if shared in taken or not _is_closed(group, shared + "::", world):
                left.add(shared)
            else:
                made.append(_gather(model, shared, group))
        elif child.tag == "model":
            plain.append(child)
            break
    if canonical is not None and _find_first_link(model) is not canonical:
        model.set("canonical_link", canonical_name)
    return made, plain


def _group_by_prefix(children: list[Element]) -> dict[str, list[Element]]:
    """Return the elements whose names share a prefix, by prefix; a gripper also belongs to its links."""
    groups: dict[str, list[Element]] = {}
    for child in children:
        prefixes = [_prefix_of(child.get("name"))]
        if child.tag == "gripper":
            prefixes += [_prefix_of(link.text) for link in child.findall("gripper_link")]
        for prefix in dict.fromkeys(p for p in prefixes if p is not None):
            groups.setdefault(prefix, []).append(child)
    return groups


def _list_taken(model: Element, children: list[Element], delimited: dict[Element, list[str]]) -> set[str | None]:
    """List the names in `model` that no nested model may get; included content is not moved."""
    included = [_name_of(include) for include in model.iterchildren("include")]
    return {*[c.get("name") for c in children], *included, *map(_prefix_of, included),
            *_list_taken_around(model, delimited)}


def _list_taken_around(model: Element, delimited: dict[Element, list[str]]) -> set[str]:
    """List the names in `model` that names with ``::`` of elements around it would mean."""
    taken, prefix, inside = set(), "", model
    while (around := inside.getparent()) is not None and around.tag in ("model", "world"):
        prefix = f"{inside.get('name')}::{prefix}"
        if (names := delimited.get(around)) is None:
            names = delimited[around] = [name for child in around if "::" in (name := _name_of(child))]
        taken |= {name[len(prefix):] for name in names if name.startswith(prefix)}
        inside = around
    return taken


def _name_of(child: Element) -> str:
    return collapse_blanks(child.findtext("name") or "") if child.tag == "include" else child.get("name") or ""


def _find_first_link(model: Element) -> Element | None:
    """Find the link or include that is canonical if none is named; None if a nested model names one."""
    first = model.find("link")
    if first is None:
        first = next((c for c in model if c.tag in ("include", "model")), None)
    if first is None or first.tag != "model":
        return first
    return None if first.get("canonical_link") else _find_first_link(first)


def _prefix_of(name: str | None) -> str | None:
    """Return the part of a name before the first ``::``; None if it has none."""
    return name.partition("::")[0] if name and "::" in name else None


def _is_closed(group: list[Element], prefix: str, outside: frozenset[str]) -> bool:
    """Return whether a group can become a nested model: it refers to nothing outside, and no pose depends on it."""
    frame = next((c for c in group if c.tag == "frame" and c.get("name") == prefix + MODEL_FRAME), None)
    moved = frame is not None and _is_moved(frame)
    if frame is not None and not frame.get("attached_to", "").startswith(prefix):
        return False
    for child in group:
        if child is frame:
            continue
        pose = child.find("pose")
        if child.tag in ("link", "model") and moved and (pose is None or not pose.get("relative_to")):
            return False
        if child.tag == "frame" and not child.get("attached_to"):
            return False
        allowed = (prefix,) if moved else (prefix, MODEL_FRAME)
        for element, attribute in _find_references(child):
            reference = _read(element, attribute)
            if not reference.startswith(allowed if attribute in _PLACES else prefix) and reference not in outside:
                return False
    return True


def _is_moved(frame: Element) -> bool:
    pose = frame.find("pose")
    if pose is None:
        return False
    return bool(pose.get("relative_to")) or any(read_number(n) != 0 for n in (pose.text or "").split())


def _find_references(child: Element) -> Iterator[tuple[Element, str]]:
    """Yield the elements with references in a child of a model, and the attribute; "" for a reference in a text."""
    for element in child.iter(etree.Element) if child.tag != "model" else child.iterchildren("pose"):
        for attribute in (*_PLACES, "attached_to"):
            if element.get(attribute) not in (None, "", ROOT):
                yield element, attribute
    if child.tag in ("joint", "gripper"):
        for end in child.iterchildren("parent", "child", "gripper_link", "palm_link"):
            yield end, ""
    if child.tag == "joint":
        for axis in child.iterchildren("axis", "axis2"):
            for mimic in axis.iterchildren("mimic"):
                yield mimic, "joint"


def _read(element: Element, attribute: str) -> str:
    return element.get(attribute, "") if attribute else (element.text or "").strip()


def _gather(model: Element, name: str, children: list[Element]) -> Element:
    """Move `children` into a new ``<model name=NAME>``, the last child of `model`, without their prefixes."""
    prefix = name + "::"
    nested = etree.Element("model", name=name)
    for child in children:
        own = child.get("name") or ""
        if own.startswith(prefix):
            child.set("name", own[len(prefix):])
        _strip(child, prefix)
        if child.tag == "frame" and child.get("name") == MODEL_FRAME:
            nested.set("canonical_link", child.get("attached_to", ""))
            pose = child.find("pose")
            if pose is not None:
                nested.insert(0, pose)
            model.remove(child)
            continue
        child.tail = None
        nested.append(child)
    model.append(nested)
    place_like(nested, children[0])
    return nested


def _strip(child: Element, prefix: str) -> None:
    """Remove `prefix` from every reference in `child`; the pose of a model's own frame is in the model around."""
    is_model_frame = child.tag == "frame" and child.get("name") == MODEL_FRAME
    for element, attribute in _find_references(child):
        if not (reference := _read(element, attribute)).startswith(prefix) or (is_model_frame and attribute in _PLACES):
            continue
        if attribute:
            element.set(attribute, reference[len(prefix):])
        else:
            element.text = reference[len(prefix):]
