"""``<experimental:params>`` of an include: additions, removals, changes and replacements in what is included.

Each child names an element by ``element_id`` (names joined by ``::``, from the included model inwards) and says by
``action`` what becomes of it, or of which of its children.
"""
from __future__ import annotations

import copy
from difflib import get_close_matches
from typing import Iterator

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.xml_in import Element, locate, tag_of
from sdf_frames.sdf.table import Spec, load_table

ACTIONS = ("add", "modify", "remove", "replace")
_CONTROL = ("action", "element_id")
_MOST_COMPARED = 5000


def find_params(include: Element) -> Element | None:
    """The params of an ``<include>``, with or without the namespace declared."""
    return next((c for c in include if isinstance(c.tag, str) and tag_of(c) == "experimental:params"), None)


def apply_params(params: Element, model: Element, found: list) -> None:
    """Change `model`, the element of an included model, as `params` says; what cannot be done is reported."""
    for change in params:
        if not isinstance(change.tag, str):
            continue
        target = change.get("element_id")
        if target is None:
            found.append(diagnose("params-without-element-id", locate(change), tag=tag_of(change)))
            continue
        if target.endswith("::"):
            found.append(diagnose("params-action-invalid", locate(change), tag=tag_of(change),
                                  problem=f"element_id {target!r} ends without a name"))
            continue
        action = change.get("action")
        if action is not None and action not in ACTIONS:
            found.append(diagnose("params-action-invalid", locate(change), tag=tag_of(change),
                                  problem=f"{action!r} is none of {', '.join(ACTIONS)}"))
            continue
        if action == "add":
            element = _find_named(model, target, None)
        else:
            element = _find_named(model, target, change.tag)
        if element is None:
            found.append(_report_unknown(change, target, [n for n, e in _walk_names(model) if action == "add" or e.tag == change.tag]))
        elif action == "add":
            _add(change, element, found)
        elif action == "replace":
            _replace(change, element, found)
        elif action == "remove":
            _remove(change, element, found)
        elif action == "modify":
            _modify(change, element, found)
        else:
            _change_children(change, element, found)


def _walk_names(model: Element) -> Iterator[tuple[str, Element]]:
    """Every named element below `model` with the ``element_id`` that means it."""
    stack = [("", model)]
    while stack:
        prefix, parent = stack.pop()
        for child in parent:
            if isinstance(child.tag, str) and (name := child.get("name")):
                yield prefix + name, child
                stack.append((f"{prefix}{name}::", child))


def _report_unknown(change: Element, name: str, known: list) -> Diagnostic:
    close = get_close_matches(name, known[:_MOST_COMPARED], 1) or [n for n in known if n.endswith("::" + name)][:1]
    return diagnose("params-element-unknown", locate(change), tag=tag_of(change), name=name,
                    hint=f"did you mean {close[0]!r}?" if close else None)


def _find_named(model: Element, target: str, tag: str | None) -> Element | None:
    """The element at the names of `target`; the last must be a `tag` where one is given."""
    element = model
    names = target.split("::") if target else []
    for i, name in enumerate(names):
        wanted = tag if i == len(names) - 1 else None
        element = next((c for c in element if isinstance(c.tag, str) and c.get("name") == name
                        and wanted in (None, c.tag)), None)
        if element is None:
            return None
    return element


def _match(change: Element, element: Element) -> Element | None:
    """The child of `element` that `change` means: of its tag, and of its name where it has one."""
    name = change.get("name")
    return next((c for c in element if c.tag == change.tag and (name is None or c.get("name") == name)), None)


def _spec_of(element: Element) -> Spec | None:
    """The table's row of an element, by its way down from the root; None where it has none."""
    spec: Spec | None = load_table()
    for step in [*reversed([a.tag for a in element.iterancestors()]), element.tag][1:]:
        spec = spec.children.get(step) if spec is not None else None
    return spec


def _is_sound(change: Element, parent: Element, found: list) -> bool:
    """Whether `change` is an element that `parent` can hold, with the attributes it needs."""
    if ":" in change.tag:
        return True
    spec = _spec_of(parent)
    child = spec.children.get(change.tag) if spec is not None else None
    if child is None:
        found.append(diagnose("params-element-undefined", locate(change), tag=tag_of(change), parent=tag_of(parent)))
        return False
    for name in child.needed:
        if not change.get(name):
            found.append(diagnose("attribute-empty" if name in change.attrib else "attribute-missing", locate(change),
                                  attribute=name, tag=tag_of(change)))
            return False
    return True


def _clean_copy(change: Element) -> Element:
    """A copy without what only steers the change, at the change's own line."""
    clone = copy.deepcopy(change)
    clone.tail = None
    for name in _CONTROL:
        clone.attrib.pop(name, None)
    return clone


def _add(change: Element, parent: Element, found: list) -> None:
    if not _is_sound(change, parent, found):
        return
    name = change.get("name")
    if change.tag != "plugin" and name is not None and _match(change, parent) is not None:
        found.append(diagnose("params-element-exists", locate(change), tag=tag_of(change), name=name))
    else:
        parent.append(_clean_copy(change))


def _replace(change: Element, element: Element, found: list) -> None:
    parent = element.getparent()
    if _is_sound(change, parent, found):
        clone = _clean_copy(change)
        for name in [n for n in clone.attrib if ":" not in n and (s := _spec_of(element)) is not None and n not in s.attributes]:
            del clone.attrib[name]
        parent.replace(element, clone)


def _remove(change: Element, element: Element, found: list) -> None:
    """Remove `element`, or where `change` has children only what they name in it."""
    children = [c for c in change if isinstance(c.tag, str)]
    if not children:
        element.getparent().remove(element)
        return
    for child in children:
        matches = [c for c in element if c.tag == child.tag and child.get("name") in (None, c.get("name"))]
        if not matches:
            found.append(_report_unknown(child, child.get("name", ""), [c.get("name") for c in element.iterchildren(child.tag) if c.get("name")]))
        elif len(child):
            _remove(child, matches[0], found)
        else:
            element.remove(matches[0])


def _modify(change: Element, element: Element, found: list) -> None:
    """Give `element` the attributes, the text and, deeper down, the changes that `change` has."""
    spec = _spec_of(element)
    for name, value in change.attrib.items():
        if name in _CONTROL:
            continue
        if ":" in name:
            continue  # an attribute of somebody's own, which nothing here reads
        if spec is not None and name not in spec.attributes:
            found.append(diagnose("attribute-unknown", locate(change), attribute=name, tag=tag_of(change)))
        else:
            element.set(name, value)
    children = [c for c in change if isinstance(c.tag, str)]
    if not children:
        if spec is None or spec.value is not None:
            element.text = change.text  # none at all gives the value its default
        return
    for child in children:
        match = _match(child, element) if child.get("name") is None or _match(child, element) is not None else \
            element.find(child.tag)
        if match is None:
            found.append(_report_unknown(child, child.get("name", ""), [c.get("name") for c in element.iterchildren(child.tag) if c.get("name")]))
        else:
            _modify(child, match, found)


def _change_children(change: Element, element: Element, found: list) -> None:
    """Do to children of `element` what the actions of `change`'s children say."""
    for child in change:
        if not isinstance(child.tag, str):
            continue
        action = child.get("action")
        if action is None:
            found.append(diagnose("params-without-action", locate(child), tag=tag_of(child)))
        elif action not in ACTIONS:
            found.append(diagnose("params-action-invalid", locate(child), tag=tag_of(child),
                                  problem=f"{action!r} is none of {', '.join(ACTIONS)}"))
        elif action == "add":
            _add(child, element, found)
        else:
            match = _match(child, element)
            if match is None:
                found.append(_report_unknown(child, child.get("name", ""), [c.get("name") for c in element.iterchildren(child.tag) if c.get("name")]))
            else:
                {"remove": _remove, "modify": _modify, "replace": _replace}[action](child, match, found)
