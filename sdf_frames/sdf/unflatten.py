"""SDFormat 1.7's flattened nested models (names like ``arm::link``) to real nested models, as 1.8 writes them."""
from __future__ import annotations

from lxml import etree

from sdf_frames.document.xml_in import Element

_NAMED = ("frame", "joint", "link", "model", "gripper")


def unflatten_model(model: Element) -> None:
    """Gather the children of `model` whose names share a prefix before ``::`` in a nested model of that name."""
    made: list[Element] = []
    for child in list(model):
        if child in made or child.getparent() is not model or child.tag not in _NAMED or not child.get("name"):
            continue
        name = child.get("name")
        if "::" not in name:
            if child.tag == "model":
                unflatten_model(child)
                break
            continue
        made.append(_gather(model, name.partition("::")[0]))
    for nested in made:
        unflatten_model(nested)


def _gather(model: Element, name: str) -> Element:
    """A new last child ``<model name=NAME>`` of `model` with all that belongs to it, prefixes stripped."""
    prefix = name + "::"
    nested = etree.Element("model", name=name)
    for child in list(model):
        if child.tag not in _NAMED:
            continue
        own = child.get("name") or ""
        if not own.startswith(prefix) and not (child.tag == "gripper" and any(
                (link.text or "").startswith(prefix) for link in child.findall("gripper_link"))):
            continue
        nested.sourceline = nested.sourceline or child.sourceline
        if own.startswith(prefix):
            child.set("name", own[len(prefix):])
        _strip(child, prefix)
        if child.tag == "frame" and child.get("name") == "__model__":
            nested.set("canonical_link", child.get("attached_to", ""))
            pose = child.find("pose")
            if pose is not None:
                nested.insert(0, pose)
                # The model's own pose is seen from outside of it, where references keep their full names.
                if (reference := pose.get("relative_to")) == "__model__":
                    pose.set("relative_to", "")
            model.remove(child)
            continue
        child.tail = None
        nested.append(child)
    model.append(nested)
    return nested


def _strip(child: Element, prefix: str) -> None:
    """Take `prefix` off every reference in `child`."""
    def strip_attribute(element: Element | None, attribute: str) -> None:
        value = element.get(attribute) if element is not None else None
        if value and value.startswith(prefix):
            element.set(attribute, value[len(prefix):])

    def strip_text(element: Element | None) -> None:
        if element is not None and (text := (element.text or "").strip()).startswith(prefix):
            element.text = text[len(prefix):]

    strip_attribute(child, "attached_to")
    is_model_frame = child.tag == "frame" and child.get("name") == "__model__"
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
