"""SDFormat 1.7's flattened nested models (names like ``arm::link``) to real nested models, as 1.8 writes them."""
from __future__ import annotations

from lxml import etree

from sdf_frames.document.budget import DEFAULT
from sdf_frames.document.xml_in import Element
from sdf_frames.sdf.names import MODEL_FRAME

_NAMED = ("frame", "joint", "link", "model", "gripper")


def unflatten_model(model: Element) -> None:
    """Gather the children of `model` whose names share a prefix before ``::`` in a nested model of that name."""
    pending = [(model, 1)]
    while pending:
        model, level = pending.pop()
        made, plain = _gather_children(model)
        if level < DEFAULT.model_depth:
            pending += [(nested, level + 1) for nested in reversed([*plain, *made])]


def _gather_children(model: Element) -> tuple[list[Element], list[Element]]:
    """The nested models made of the children of `model`, and the nested model before which that ended, if any."""
    children = [c for c in model if c.tag in _NAMED]
    belonging: dict[str, list[Element]] = {}
    for child in children:
        prefixes = [_prefix_of(child.get("name"))]
        if child.tag == "gripper":
            prefixes += [_prefix_of(link.text) for link in child.findall("gripper_link")]
        for prefix in dict.fromkeys(p for p in prefixes if p is not None):
            belonging.setdefault(prefix, []).append(child)
    made = []
    for child in children:
        if child.getparent() is not model or not (name := child.get("name")):
            continue
        if (shared := _prefix_of(name)) is not None:
            made.append(_gather(model, shared, [c for c in belonging[shared] if c.getparent() is model]))
        elif child.tag == "model":
            return made, [child]
    return made, []


def _prefix_of(name: str | None) -> str | None:
    """What stands before the first ``::``, None where there is none."""
    return name.partition("::")[0] if name and "::" in name else None


def _gather(model: Element, name: str, children: list[Element]) -> Element:
    """A new last child ``<model name=NAME>`` of `model` with `children`, prefixes stripped."""
    prefix = name + "::"
    nested = etree.Element("model", name=name)
    for child in children:
        own = child.get("name") or ""
        nested.sourceline = nested.sourceline or child.sourceline
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
    return nested


def _strip(child: Element, prefix: str) -> None:
    """Take `prefix` off every reference in `child`."""
    def strip_attribute(element: Element | None, attribute: str) -> None:
        if element is not None and (value := element.get(attribute, "")).startswith(prefix):
            element.set(attribute, value[len(prefix):])

    def strip_text(element: Element | None) -> None:
        if element is not None and (text := (element.text or "").strip()).startswith(prefix):
            element.text = text[len(prefix):]

    strip_attribute(child, "attached_to")
    is_model_frame = child.tag == "frame" and child.get("name") == MODEL_FRAME
    if not is_model_frame:
        for pose in child.iter("pose"):
            strip_attribute(pose, "relative_to")
    if child.tag == "joint":
        for tag in ("parent", "child"):
            strip_text(child.find(tag))
        for axis in ("axis", "axis2"):
            strip_attribute(child.find(f"{axis}/xyz"), "expressed_in")
    elif child.tag == "gripper":
        for tag in ("gripper_link", "palm_link"):
            for element in child.findall(tag):
                strip_text(element)
