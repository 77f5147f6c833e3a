"""Updates references after elements were renamed, and finds those to elements that are gone."""
from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import partial
from html import escape

from lxml import etree

from sdf_frames.diagnostics import LISTED
from sdf_frames.document.blanks import collapse_blanks
from sdf_frames.document.elements import Element, tag_of
from sdf_frames.document.numbers import read_bool
from sdf_frames.sdf.names import CARRIED
from sdf_frames.sdf.params import find_params
from sdf_frames.sdf.scopes import RANK, NameScope

_OF_FRAMES = ("relative_to", "attached_to", "expressed_in")
_ATTRIBUTES = (*_OF_FRAMES, "frame", f"{CARRIED}parent")
_OWN_ATTRIBUTES = ("canonical_link", "placement_frame")  # of a model, which refer to its own content
_ENDS = ("parent", "child")  # of a joint
_TEXTS = (*_ENDS, "gearbox_reference_body")
#: Words in the names of parameters that name no part of the robot.
_NO_PART = ("topic", "namespace", "service", "type", "model", "robot", "remapping", "camera")
_WORD = re.compile(r"[^\s,;:/='\"()\[\]{}<>]+")
_BETWEEN = re.compile(r"([\s,;]+)")  # names of a list
#: A number or truth value: joints can be named 1 to 6, but ``<num_joints>6`` names none.
VALUE = re.compile(r"\s*(?:[-+]?[\d.]+(?:e[-+]?\d+)?|true|false)\s*", re.IGNORECASE)
_FRAMES = ("frame", "body")  # words in tags whose text may be the name of a link
_NAMES = ("joint", "link", "name", "names", "mimic")  # ends of tags whose text is a name even then


def rename_references(scope: NameScope) -> None:
    """Update each reference in a scope, and in the models inside of it, to the new names."""
    _rename_in(scope.element, _OWN_ATTRIBUTES, scope)
    for child in scope.element:
        tag = child.tag
        if not isinstance(tag, str) or tag == "pose":  # a model's own pose is in the scope around
            continue
        if tag == "model":
            for pose in child.iterchildren("pose"):
                _rename_in(pose, _ATTRIBUTES, scope)
        elif tag == "state":
            _rename_state(child, scope)
        else:
            for element in child.iter(etree.Element):
                _rename_in(element, (*_ATTRIBUTES, *_OWN_ATTRIBUTES), scope)
                if element.tag.startswith(CARRIED):
                    rename_in_urdf(element, partial(_find_new_in_urdf, element, scope))
                else:
                    _rename_text(element, scope)
    for member in list(scope.members()):
        if member.element.tag == "include":
            scope.learn(member, False)
            if member.inside is not None:
                _rename_into(member.element, member.inside)
        elif member.inside is not None:
            rename_references(member.inside)
    if scope.look_into is not None:
        merged = [i for i in scope.element.iterchildren("include") if read_bool(i.get("merge", ""))]
        for include in [*scope.unnamed.includes, *merged]:
            if (included := scope.look_into(include, False)) is not None and included.inside is not None:
                _rename_into(include, included.inside)


def _rename_into(include: Element, inside: NameScope) -> None:
    """Update an include's references into the included model: its placement frame, and the targets of params."""
    if (frame := include.find("placement_frame")) is not None:
        frame.text = _find_new(frame, frame.text, inside) or frame.text
    params = find_params(include)
    for change in params.iterchildren(etree.Element) if params is not None else ():
        target, rest = whole, _ = change.get("element_id", ""), ""
        while target:  # the last of the names may be those of shapes and sensors
            if inside.find(target, kind := change.tag if change.tag in RANK and not rest else "") is not None:
                change.set("element_id", (_find_new(change, target, inside, kind, whole) or target) + rest)
                break
            target, _, last = target.rpartition("::")
            rest = f"::{last}{rest}"


def _rename_in(element: Element, attributes: tuple[str, ...], scope: NameScope) -> None:
    for attribute in attributes:
        if new := _find_new(element, element.get(attribute), scope):
            element.set(attribute, new)


def _rename_text(element: Element, scope: NameScope) -> None:
    """Update the reference in an element's text, or in a mimic; a tag with joint or link in its name sets the kind."""
    tag = element.tag
    if tag == "mimic":
        if new := _find_new(element, element.get("joint"), scope, "joint"):
            element.set("joint", new)
        return
    low = tag.lower()
    kind = "joint" if "joint" in low else "link" if "link" in low else ""
    if (kind or tag in _TEXTS) and (new := _find_new(element, element.text, scope, kind)):
        element.text = new


def rename_in_urdf(element: Element, find_new: Callable[[str, str | None], str | None]) -> None:
    """Update the names of joints and links in an element of a URDF, in attributes and in texts.

    `find_new` takes ``joint`` or ``link`` and a name, and returns the new name; None if it does not change.
    """
    tag, called = str(element.tag).rpartition("}")[2].lower(), (element.get("name") or "").lower()
    around = element.getparent()
    kind = called if tag == "param" else str(around.tag).lower() if tag == "name" and around is not None else tag
    for attribute in _ATTRIBUTES:  # a frame is that of a link or of a joint
        name = element.get(attribute)
        if new := name and (find_new("link", name) or find_new("joint", name)):
            element.set(attribute, new)
    if tag in _ENDS and not len(element) and (new := find_new("link", element.text)):
        element.text = new
    may_name = not len(element) and (kind.endswith(_NAMES) or not VALUE.fullmatch(element.text or ""))
    for word, frames in (("joint", ()), ("link", _FRAMES)):
        for attribute in map(str, element.keys()):
            said = word in attribute.lower() or attribute == "name" and (
                word in tag or tag in _ENDS and not frames or tag != "frame" and any(part in tag for part in frames))
            if said and (new := find_new(word, element.get(attribute))):
                element.set(attribute, new)
        holds = any(part in kind for part in (word, *frames)) or word == "joint" and called == "mimic"
        if holds and may_name and (text := element.text):
            element.text = find_new(word, text) or "".join(
                [find_new(word, name) or name for name in _BETWEEN.split(text)])


def list_frames(element: Element) -> dict[str, str]:
    """Return the names of frames in an element under ``<gazebo>``, by attribute; by "" the one that is its text."""
    around = element.getparent()
    names = {key: name.strip() for key in _OF_FRAMES if (name := element.get(key))}
    if element.tag in _ENDS and around is not None and around.tag == "joint":
        names[""] = (element.text or "").strip()
    return names


def find_words(element: Element, known: Collection[str]) -> Iterator[tuple[str | None, str]]:
    """Yield the words of an element that are `known` names of links and joints, with their attributes; None: the text.

    Names of the element itself, topics, types and the like do not count.
    """
    attributes = [(str(key), str(value)) for key, value in element.items() if key != "name"]
    for attribute, text in ((None, element.text or ""), *attributes):
        said = f"{attribute or tag_of(element)} {element.get('name')}".lower()
        if not any(word in said for word in _NO_PART):
            names_part = "joint" in said or "link" in said
            yield from ((attribute, word) for word in _WORD.findall(text)
                        if word in known and (names_part or not VALUE.fullmatch(word)))


def find_named(robot: Element, gone: Collection[str],
               apart: Collection[Element | None] = ()) -> Iterator[tuple[Element, str]]:
    """Yield each child of a ``<robot>`` that refers to links or joints with the names `gone`, and a list of these.

    Elements of `apart` do not count.
    """
    known = {*gone}
    odd = [escape(name, quote=False) for name in gone if not _WORD.fullmatch(name) or "&" in name]
    for block in [block for block in robot.iterchildren("*") if block not in apart] if gone else ():
        text = etree.tostring(block, encoding="unicode")
        if known.isdisjoint(_WORD.findall(text)) and not any(name in text for name in odd):
            continue  # most blocks
        names = dict[str, None]()

        def note(_: str, name: str | None, names: dict[str, None] = names) -> None:
            if (word := (name or "").strip()) in gone:
                names[word] = None
        for element in block.iter("*"):
            if element not in apart:
                rename_in_urdf(element, note)
                names.update(dict.fromkeys([word for _, word in find_words(element, gone)]))
        if names:
            yield block, ", ".join(map(repr, [*names][:LISTED])) + ", …" * (len(names) > LISTED)


def _find_new(element: Element, text: str | None, scope: NameScope, kind: str = "", whole: str = "") -> str | None:
    """Return a reference with the new names; None if it does not change.

    The members with new names note the `element`, and the text (of which the reference may be a part) as a use.
    """
    reference = collapse_blanks(text) if text else ""
    path = scope.find(reference, kind) if reference else None
    if path is None:
        return None
    members, rest = path
    new = "::".join([*[m.new for m in members], *([rest] if rest else [])])
    if new == reference:
        return None
    for member in members:
        if member.new != member.name:
            member.note_use(element, whole or reference)
    return new


def _find_new_in_urdf(element: Element, scope: NameScope, kind: str, name: str | None) -> str | None:
    return _find_new(element, name, scope, kind) or _find_new(element, name, scope, "frame")


def _rename_state(state: Element, scope: NameScope) -> None:
    """Update the names of models, links and joints in the ``<state>`` of a world."""
    for child in state:
        kind = child.tag.removesuffix("_state") if isinstance(child.tag, str) else ""
        path = scope.find(child.get("name", "").strip(), kind) if kind in ("model", "link", "joint", "frame") else None
        if path is None or path[1]:
            continue
        *_, member = path[0]
        if member.new != member.name:
            member.note_use(child, member.name)
            child.set("name", member.new)
        if member.inside is not None:
            _rename_state(child, member.inside)
