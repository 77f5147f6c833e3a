"""``<experimental:params>`` of an include: additions, removals, changes and replacements in the included model.

Each child names an element by ``element_id`` (names joined by ``::``, from the included model inwards). ``action`` says
what happens to the element, or to which of its children.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from math import ceil

from lxml import etree

from sdf_frames.diagnostics import LONGEST, Comparisons, Diagnostic, diagnose
from sdf_frames.document.elements import find_child, forget_numbers, locate, tag_of
from sdf_frames.document.places import Element, copy_element, keep_places, place_copy, place_like
from sdf_frames.sdf.names import has_prefix
from sdf_frames.sdf.table import find_spec

ACTIONS = ("add", "modify", "remove", "replace")
_CONTROL = ("action", "element_id")
# Comparing names for hints is slow: the most comparisons for one include.
_MOST_COMPARED = 20_000


def find_params(include: Element) -> Element | None:
    """Return the params of an ``<include>``, with or without a declared namespace."""
    return next((c for c in include if isinstance(c.tag, str) and tag_of(c) == "experimental:params"), None)


def apply_params(params: Element, model: Element, found: list[Diagnostic]) -> None:
    """Apply `params` to `model`, the element of an included model. Report changes that are not possible."""
    keep_places(model)
    tree = _NamedTree()
    for change in params.iterchildren(etree.Element):
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
            found.append(_report_action(change, action))
            continue
        if action == "add" and not change.get("name"):
            hint = f'add elements without a name inside of an element with element_id="{target}"' if target else None
            found.append(_report_attribute(change, "name", hint))
            continue
        element = tree.find(model, target, None if action == "add" else change.tag)
        if element is None:
            found.append(tree.report_unknown(change, target, (
                n for n, e in _walk_names(model) if action == "add" or e.tag == change.tag)))
        elif action is None:
            _change_children(change, element, tree, found)
        else:
            _DEEDS[action](change, element, tree, found)
    forget_numbers(model)


def _walk_names(model: Element) -> Iterator[tuple[str, Element]]:
    """Yield every named element below `model` with its ``element_id``."""
    stack = [("", model)]
    while stack:
        prefix, parent = stack.pop()
        for child in parent:
            if isinstance(child.tag, str) and (name := child.get("name")):
                yield prefix + name, child
                stack.append((f"{prefix}{name}::", child))


def _parent_of(element: Element) -> Element:
    """Return the parent of an element below the model."""
    parent = element.getparent()
    assert parent is not None
    return parent


class _NamedTree:
    """The elements of a model by name, kept up to date while params change them."""

    def __init__(self) -> None:
        self.named: dict[Element, dict[str | None, list[Element]]] = {}
        self.comparisons = Comparisons(_MOST_COMPARED)

    def children(self, parent: Element, name: str | None) -> list[Element]:
        """Return the children of that name, or all children without a name."""
        if parent not in self.named:
            table = self.named[parent] = {}
            for child in parent.iterchildren(etree.Element):
                table.setdefault(child.get("name"), []).append(child)
        return self.named[parent].get(name, [])

    def match(self, parent: Element, change: Element) -> Element | None:
        """Return the child of `parent` that `change` means: of its tag, and of its name if it has one."""
        name = change.get("name")
        children = parent if name is None else self.children(parent, name)
        return next((c for c in children if c.tag == change.tag), None)

    def find(self, model: Element, target: str, tag: str | None) -> Element | None:
        """Return the element at the names of `target`; the last must be a `tag`, if given.

        No names mean the model, to which elements can be added; the model itself cannot be changed.
        """
        if not target:
            return model if tag is None else None
        element: Element | None = model
        names = target.split("::")
        for i, name in enumerate(names):
            if element is None:
                return None
            wanted = tag if i == len(names) - 1 else None
            element = next((c for c in self.children(element, name) if wanted in (None, c.tag)), None)
        return element

    def append(self, parent: Element, child: Element) -> None:
        self.children(parent, None)
        parent.append(child)
        self.named[parent].setdefault(child.get("name"), []).append(child)

    def remove(self, child: Element) -> None:
        parent = _parent_of(child)
        self.children(parent, child.get("name")).remove(child)
        parent.remove(child)

    def replace(self, old: Element, new: Element) -> None:
        parent = _parent_of(old)
        if old.get("name") == new.get("name"):
            siblings = self.children(parent, old.get("name"))
            siblings[siblings.index(old)] = new
        else:
            self.named.pop(parent, None)
        parent.replace(old, new)

    def rename(self, element: Element, name: str) -> None:
        self.named.pop(_parent_of(element), None)
        element.set("name", name)

    def report_unknown(self, change: Element, name: str, known: Iterable[str]) -> Diagnostic:
        """Report a change of an unknown element, with the nearest of the `known` names; without after many."""
        close: list[str] = []
        if self.comparisons.left > 0:
            known = list(islice(known, ceil(self.comparisons.left)))
            close = self.comparisons.find_nearest(name, known)
            close = close or [n for n in known if len(n) <= LONGEST and n.endswith("::" + name)][:1]
        return diagnose("params-element-unknown", locate(change), tag=tag_of(change), name=name,
                        hint=f"did you mean {close[0]!r}?" if close else None)

    def report_unknown_child(self, change: Element, parent: Element) -> Diagnostic:
        names = (name for c in parent.iterchildren(change.tag) if (name := c.get("name")))
        return self.report_unknown(change, change.get("name", ""), names)


def _is_sound(change: Element, parent: Element, found: list[Diagnostic]) -> bool:
    """Return whether `parent` can hold the element `change`, and `change` has its required attributes."""
    if has_prefix(change.tag):
        return True
    spec = find_spec(parent)
    child = spec.children.get(change.tag) if spec is not None else None
    if child is None:
        found.append(diagnose("params-element-undefined", locate(change), tag=tag_of(change), parent=tag_of(parent)))
        return False
    for name in child.needed:
        if not change.get(name):
            found.append(_report_attribute(change, name))
            return False
    return True


def _report_action(change: Element, action: str) -> Diagnostic:
    return diagnose("params-action-invalid", locate(change), tag=tag_of(change),
                    problem=f"{action!r} is not one of {', '.join(ACTIONS)}")


def _report_attribute(change: Element, name: str, hint: str | None = None) -> Diagnostic:
    """Report an attribute of `change` that is required, and missing or empty."""
    return diagnose("attribute-empty" if name in change.attrib else "attribute-missing", locate(change), attribute=name,
                    tag=tag_of(change), hint=hint)


def _copy_clean(change: Element) -> Element:
    """Return a copy without the attributes ``action`` and ``element_id``."""
    clone = copy_element(change)
    for name in _CONTROL:
        clone.attrib.pop(name, "")
    return clone


def _add(change: Element, parent: Element, tree: _NamedTree, found: list[Diagnostic]) -> None:
    if not _is_sound(change, parent, found):
        return
    name = change.get("name")
    if change.tag != "plugin" and name is not None and tree.match(parent, change) is not None:
        found.append(diagnose("params-element-exists", locate(change), tag=tag_of(change), name=name))
    else:
        clone = _copy_clean(change)
        tree.append(parent, clone)
        place_copy(clone, change)


def _replace(change: Element, element: Element, tree: _NamedTree, found: list[Diagnostic]) -> None:
    if _is_sound(change, _parent_of(element), found):
        clone = _copy_clean(change)
        spec = find_spec(element)
        for name in map(str, clone.keys()):
            if not has_prefix(name) and spec is not None and name not in spec.attributes:
                del clone.attrib[name]
        tree.replace(element, clone)
        place_copy(clone, change)


def _remove(change: Element, element: Element, tree: _NamedTree, found: list[Diagnostic]) -> None:
    """Remove `element`, or if `change` has children, only those children of it."""
    children = list(change.iterchildren(etree.Element))
    if not children:
        tree.remove(element)
        return
    for child in children:
        match = tree.match(element, child)
        if match is None:
            found.append(tree.report_unknown_child(child, element))
        elif len(child):
            _remove(child, match, tree, found)
        else:
            tree.remove(match)


def _modify(change: Element, element: Element, tree: _NamedTree, found: list[Diagnostic]) -> None:
    """Apply the attributes, the text and the nested changes of `change` to `element`."""
    spec = find_spec(element)
    changed = False
    for name in map(str, change.keys()):
        if name in _CONTROL or has_prefix(name):
            continue  # a user's own attribute, which SDFormat does not read
        if spec is not None and name not in spec.attributes:
            found.append(diagnose("attribute-unknown", locate(change, name), attribute=name, tag=tag_of(change)))
        elif element.get(name) != (value := change.get(name, "")):
            changed = True
            if name == "name":
                tree.rename(element, value)
            else:
                element.set(name, value)
    children = list(change.iterchildren(etree.Element))
    holds = None if spec is None else spec.value
    if not children and (spec is None or holds is not None):
        element.text = change.text if holds is None or (change.text or "").strip() else holds.default
        changed = True
    if changed:
        place_like(element, change)
    for child in children:
        match = tree.match(element, child)
        if match is None and child.get("name"):
            match = find_child(element, child.tag)
        if match is None:
            found.append(tree.report_unknown_child(child, element))
        else:
            _modify(child, match, tree, found)


def _change_children(change: Element, element: Element, tree: _NamedTree, found: list[Diagnostic]) -> None:
    """Apply each child of `change`, by its own action, to children of `element`."""
    for child in change.iterchildren(etree.Element):
        action = child.get("action")
        if action is None:
            found.append(diagnose("params-without-action", locate(child), tag=tag_of(child)))
        elif action not in ACTIONS:
            found.append(_report_action(child, action))
        elif action == "add":
            _add(child, element, tree, found)
        elif (match := tree.match(element, child)) is None:
            found.append(tree.report_unknown_child(child, element))
        else:
            _DEEDS[action](child, match, tree, found)


_DEEDS = {"add": _add, "modify": _modify, "remove": _remove, "replace": _replace}
