"""Structured mutation of robot descriptions: what comes out is XML nearly always, and a robot often."""

from __future__ import annotations

import copy
import random
import re
from functools import lru_cache

from lxml import etree

from fuzz.targets import list_models

WORDS = ("", " ", "0 0 0", "0 0 0 0 0 0", "1 2 3 4 5 6", *[
    "world", "__model__", "__root__", "base", "::", "a::b", "nan", "inf", "-inf", "1e999", "1e-320", "-1", "0", "1",
    "1.2", "1.4", "1.5", "1.6", "1.7", "1.8", "1.9", "1.10", "1.12", "true", "false", "fixed", "revolute",
    "continuous", "ball", "universal", "floating", "planar", "screw", "degrees", "quat_xyzw", "euler_rpy"])
ATTRIBUTES = [
    "name", "type", "relative_to", "attached_to", "expressed_in", "canonical_link", "placement_frame", "merge",
    "degrees", "auto", "rotation_format", "joint", "axis", "link", "value", "xyz", "rpy", "reference", "version",
    "filename", "size"]
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")


@lru_cache(maxsize=1)
def _donors() -> list:
    """Elements of the tests' models, to be put into others."""
    roots = [_parse(path.read_bytes()) for path in list_models()]
    return [element for root in roots if root is not None for element in root.iter() if isinstance(element.tag, str)]


def _parse(text: bytes):
    try:
        return etree.fromstring(text, etree.XMLParser(resolve_entities=False, remove_comments=True, remove_pis=True))
    except (etree.XMLSyntaxError, ValueError):
        return None


def mutate_document(text: bytes, chance: random.Random) -> bytes | None:
    """One to four changes of an XML document's elements, attributes and texts; None where it is no XML."""
    root = _parse(text)
    if root is None:
        return None
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4))):
        elements = list(root.iter())
        chance.choice(_CHANGES)(chance.choice(elements), elements, chance)
    return etree.tostring(root)


def _drop(element, elements, chance) -> None:
    if (parent := element.getparent()) is not None:
        parent.remove(element)


def _double(element, elements, chance) -> None:
    if (parent := element.getparent()) is not None:
        parent.insert(chance.randrange(len(parent) + 1), copy.deepcopy(element))


def _move(element, elements, chance) -> None:
    target = chance.choice(elements)
    if element.getparent() is not None and element is not target and element not in target.iterancestors():
        target.append(element)


def _graft(element, elements, chance) -> None:
    element.insert(chance.randrange(len(element) + 1), copy.deepcopy(chance.choice(_donors())))


def _set_attribute(element, elements, chance) -> None:
    name = chance.choice(list(element.attrib) or ATTRIBUTES) if chance.random() < 0.8 else chance.choice(ATTRIBUTES)
    element.set(name, _draw_word(elements, chance))


def _drop_attribute(element, elements, chance) -> None:
    if element.attrib:
        del element.attrib[chance.choice(list(element.attrib))]


def _set_text(element, elements, chance) -> None:
    if not len(element):
        element.text = _draw_word(elements, chance)


def _draw_word(elements, chance) -> str:
    """A telling word, or what another element of the document says."""
    if chance.random() < 0.4:
        return chance.choice(WORDS)
    other = chance.choice(elements)
    return chance.choice([*other.attrib.values(), (other.text or "").strip() or chance.choice(WORDS)])


def _change_number(element, elements, chance) -> None:
    numeric = [(e, key) for e in [element, *elements] for key, value in [*e.attrib.items(), (None, e.text or "")]
               if _NUMBER.search(value) and key != "version"]
    if not numeric:
        return
    e, key = numeric[0] if numeric[0][0] is element else chance.choice(numeric)
    value = (e.text or "") if key is None else e.get(key)
    match = chance.choice(list(_NUMBER.finditer(value)))
    new = chance.choice((
        str(chance.uniform(-4, 4)), str(float(match.group()) * chance.choice((-1, 0.5, 3, 1e3, 1e-3))),
        chance.choice(("0", "1e300", "1e-300", "nan", "inf", "1,5", "0x10", "1e", "3.141592653589793"))))
    value = value[: match.start()] + new + value[match.end():]
    if key is None:
        e.text = value
    else:
        e.set(key, value)


def _rename_tag(element, elements, chance) -> None:
    element.tag = chance.choice(elements).tag


_CHANGES = (_drop, _double, _move, _graft, *[_set_attribute] * 2, _drop_attribute, _set_text, *[_change_number] * 3,
            _rename_tag)
