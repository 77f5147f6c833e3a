"""Names that the stricter rules of SDFormat 1.7 and 1.8 refuse, replaced in the element tree with their references.

Siblings of any kind have names of their own since 1.7; ``::`` stands in no name since 1.8; ``world`` and names
between double underscores belong to the format.
"""
from __future__ import annotations

from typing import NamedTuple

from sdf_frames.document.xml_in import Element, tag_of
from sdf_frames.sdf.names import is_reserved

# Who keeps a name that several bear: what joints and sensors refer to first.
_RANK = {"link": 0, "collision": 1, "model": 2, "frame": 3, "joint": 4}
_SCOPES = ("world", "model")
_ATTRIBUTES = ("relative_to", "frame", "attached_to", "expressed_in", "canonical_link", "placement_frame")
_TEXTS = ("parent", "child", "gripper_link", "palm_link", "placement_frame", "gearbox_reference_body")


class Rename(NamedTuple):
    """An element that got another name; ``line`` is where it stands."""

    tag: str
    old: str
    new: str
    line: int | None


def fix_names(root: Element, *, only_once_allowed: bool = False) -> list[Rename]:
    """Rename in place what breaks the rules on names, and whatever refers to it; what was renamed, in document order.

    With `only_once_allowed` only what was allowed before 1.7: a name that elements of different kinds share, and a
    link named ``world``.
    """
    renames: list[Rename] = []
    for element in [e for e in root.iter() if isinstance(e.tag, str)]:
        if element.tag == "plugin" or any(":" in a.tag or a.tag == "plugin" for a in (element, *element.iterancestors())):
            continue
        _fix_children(element, renames, only_once_allowed)
    return renames


def _fix_children(parent: Element, renames: list[Rename], only_once_allowed: bool) -> None:
    named = [c for c in parent if isinstance(c.tag, str) and c.tag != "plugin" and ":" not in c.tag
             and c.get("name") and not (parent.tag == "sdf" and c.tag not in ("world", "model"))]
    names = {c.get("name") for c in named}
    taken: dict[str, Element] = {}
    for child in sorted(named, key=lambda c: _RANK.get(c.tag, 5)):
        name = child.get("name")
        sound = _make_sound(name, child.tag)
        if only_once_allowed:
            sound = sound if name == "world" and child.tag == "link" else name
            if (other := taken.get(sound)) is not None and (other.tag == child.tag or _last(parent, other, child).tag == "model"):
                continue
        new = sound
        if new in taken or (sound != name and new in names):
            number = 2
            new = base = f"{sound}_{child.tag}"
            while new in taken or new in names:
                new, number = f"{base}{number}", number + 1
        taken[new] = child
        names.add(new)
        if new != name:
            child.set("name", new)
            renames.append(Rename(tag_of(child), name, new, child.sourceline))
            _update_references(parent, child, name, new, shared=name in taken)


def _last(parent: Element, one: Element, other: Element) -> Element:
    """Which of two children comes later: a model could never take a name that was taken."""
    return max(one, other, key=parent.index)


def _make_sound(name: str, tag: str) -> str:
    """The nearest name that the format allows."""
    sound = name.replace("::", "_")
    if is_reserved(sound):
        sound = f"{sound}_{tag}" if sound == "world" else (sound.strip("_") or tag)
    return sound


def _update_references(scope: Element, renamed: Element, old: str, new: str, shared: bool) -> None:
    """Make references to a renamed child of `scope` name it anew.

    Where another child keeps the old name (`shared`), only what can mean nothing else follows: a mimic or a plugin's
    text about a joint means the joint.
    """
    is_joint = renamed.tag == "joint"
    for element in scope.iter():
        if not isinstance(element.tag, str):
            continue
        if is_joint:
            if element.tag == "mimic" and element.get("joint") == old:
                element.set("joint", new)
            elif "joint" in element.tag.lower() and (element.text or "").strip() == old:
                element.text = new
        if shared:
            continue
        for attribute in _ATTRIBUTES:
            if (value := element.get(attribute)) is not None and _refers(value, old):
                element.set(attribute, new + value[len(old):])
        if element.tag in _TEXTS and _refers(text := (element.text or "").strip(), old):
            element.text = new + text[len(old):]


def _refers(reference: str, name: str) -> bool:
    return reference == name or reference.startswith(name + "::")
