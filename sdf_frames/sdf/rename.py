"""Names that the stricter rules of SDFormat 1.7 and 1.8 refuse, replaced in the element tree with their references.

Siblings of any kind have names of their own since 1.7; ``::`` stands in no name since 1.8; ``world`` and names
between double underscores belong to the format.
"""
from __future__ import annotations

from typing import NamedTuple

from lxml import etree

from sdf_frames.document.xml_in import Element, tag_of
from sdf_frames.sdf.names import has_prefix, is_reserved
from sdf_frames.sdf.table import VERSION, version_key

# Who keeps a name that several bear: what joints and sensors refer to first.
_RANK = {"link": 0, "collision": 1, "model": 2, "frame": 3, "joint": 4}
_SHARING = ("light", "actor")  # below <sdf>, where they may bear the name of a world or model
_ATTRIBUTES = ("relative_to", "frame", "attached_to", "expressed_in", "canonical_link", "placement_frame")
_TEXTS = ("parent", "child", "gripper_link", "palm_link", "placement_frame", "gearbox_reference_body")


class Rename(NamedTuple):
    """An element that got another name; ``line`` is where it stands."""

    tag: str
    old: str
    new: str
    line: int | None


def fix_names(root: Element, *, only: frozenset[str] = frozenset()) -> list[Rename]:
    """Rename in place what breaks the rules on names, and whatever refers to it; what was renamed, in document order.

    With `only`, no more than what older versions allowed: ``"shared"``, a name that elements of different kinds share
    and a link named ``world`` (before 1.7), and ``"delimiter"``, a name with ``::`` (before 1.8).
    """
    renames: list[Rename] = []
    stack = [root]
    while stack:
        element = stack.pop()
        _fix_children(element, renames, only)
        stack.extend(reversed([c for c in element if _has_names(c)]))
    return renames


def choose_rules(written: str, to: str = VERSION) -> frozenset[str]:
    """Choose the `only` of :func:`fix_names` for a document of version `written` that becomes one of `to`.

    If it is empty, no name needs to change.
    """
    return frozenset(what for what, since in (("shared", (1, 7)), ("delimiter", (1, 8)))
                     if version_key(written) < since <= version_key(to))


def _has_names(element: Element) -> bool:
    """Whether the names at and below an element are the format's, and not a plugin's or somebody else's."""
    return isinstance(element.tag, str) and element.tag != "plugin" and not has_prefix(element.tag)


def _fix_children(parent: Element, renames: list[Rename], only: frozenset[str]) -> None:
    top = parent.tag == "sdf"
    named = [c for c in parent if _has_names(c) and c.get("name") and not (top and c.tag in _SHARING)]
    places = {child: place for place, child in enumerate(named)}
    names = {c.get("name") for c in named}
    taken: dict[str, Element] = {}
    numbers: dict[str, int] = {}
    # What old names are called now: in all references, and in those that can mean nothing but a joint.
    anew: dict[str, str] = {}
    joints_anew: dict[str, str] = {}
    for child in sorted(named, key=lambda c: 5 if top and c.tag not in ("world", "model") else _RANK.get(c.tag, 5)):
        name = child.get("name", "")
        sound = _make_sound(name, child.tag)
        if only:
            wanted = "delimiter" if "::" in name else "shared" if name == "world" and child.tag == "link" else None
            sound = sound if wanted in only else name
            if sound == name and (other := taken.get(name)) is not None and (
                    "shared" not in only or other.tag == child.tag
                    or max(other, child, key=places.__getitem__).tag == "model"):
                continue  # a model could never take a name that was taken
        new = sound
        if new in taken or (sound != name and new in names):
            new = base = f"{sound}_{child.tag}"
            while new in taken or new in names:
                numbers[base] = numbers.get(base, 1) + 1
                new = f"{base}{numbers[base]}"
        if new != name:
            if child.tag == "joint":
                joints_anew.setdefault(name, new)
            if name not in taken:
                anew.setdefault(name, new)
            child.set("name", new)
            line: int | None = child.sourceline  # type: ignore[assignment]  # the stubs say `...`
            renames.append(Rename(tag_of(child), name, new, line))
        taken[new] = child
        names.add(new)
    if anew or joints_anew:
        _update_references(parent, anew, joints_anew)


def _make_sound(name: str, tag: str) -> str:
    """The nearest name that the format allows."""
    sound = name.replace("::", "_")
    if is_reserved(sound):
        sound = f"{sound}_{tag}" if sound == "world" else (sound.strip("_") or tag)
    return sound


def _update_references(scope: Element, anew: dict[str, str], joints_anew: dict[str, str]) -> None:
    """Make references below `scope` name its renamed children anew.

    Where another child keeps the old name, only what can mean nothing else follows: a mimic or a plugin's text about a
    joint means the joint (`joints_anew`).
    """
    for element in scope.iter(etree.Element):
        if joints_anew:
            if element.tag == "mimic" and (leader := element.get("joint")) in joints_anew:
                element.set("joint", joints_anew[leader])
            elif "joint" in element.tag.lower() and (text := (element.text or "").strip()) in joints_anew:
                element.text = joints_anew[text]
        if anew:
            for attribute in _ATTRIBUTES:
                if (value := element.get(attribute)) and (new := _rename_reference(value, anew)):
                    element.set(attribute, new)
            if element.tag in _TEXTS and (text := (element.text or "").strip()):
                element.text = _rename_reference(text, anew) or element.text


def _rename_reference(reference: str, anew: dict[str, str]) -> str | None:
    """`reference` with its leading name made new; None where that name is not a changed one."""
    end = len(reference)
    while end >= 0:
        if (new := anew.get(reference[:end])) is not None:
            return new + reference[end:]
        end = reference.rfind("::", 0, end)
    return None
