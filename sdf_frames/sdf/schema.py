"""Checks elements against the table of SDFormat 1.12: unknown or missing ones, malformed values, repeated names."""

from collections.abc import Iterable
from typing import NamedTuple

from sdf_frames.diagnostics import WARNING, Diagnostic, Location, diagnose, relate
from sdf_frames.document.blanks import BLANKS
from sdf_frames.document.edits import read_written
from sdf_frames.document.elements import Element, find_child, locate, tag_of, text_of, written_of
from sdf_frames.document.memory import LONGEST
from sdf_frames.document.numbers import explain_decimals, read_bool
from sdf_frames.document.places import is_written
from sdf_frames.document.xml_text import clear_what_readers_skip
from sdf_frames.sdf.names import ROOT, has_prefix
from sdf_frames.sdf.rules import ELEMENT_RULES
from sdf_frames.sdf.table import Spec, ValueSpec, load_table
from sdf_frames.sdf.unknown_elements import (
    READ_BY_GAZEBO,
    explain_attribute,
    explain_text,
    explain_unknown,
    explain_value,
    holds_value,
)
from sdf_frames.sdf.values import (
    explain_wrong_value,
    find_leftover,
    find_problem,
    holds_nan,
    is_sound,
    read_pose_text,
    shorten,
)

_FRAMES = {"link", "joint", "frame", "model"}
# A document has one of them: a second one is an error whatever its name.
_ROOT_ENTITIES = {"model", "actor", "light"}
# The elements that need no name in a world.
_UNNAMED = {"physics": "default_physics"}
# If one element has more unknown attributes, they are reported together.
_MOST_UNKNOWN = 20
# Source: joint.sdf of 1.12. The old pitch is in radians per metre of a left-handed thread.
_REPLACED = {"thread_pitch": "from SDFormat 1.10 on, write <screw_thread_pitch>, which is -2π divided by this value",
             "optical_frame_id": "from SDFormat 1.12 on, write <frame_id> into the <sensor>"}
_NO_ROOT_REFERENCE = {"relative_to", "attached_to", "placement_frame", "canonical_link", "parent_frame"}


class _Rules(NamedTuple):
    """The rules on names in the file that is checked."""

    delimiter_banned: bool
    names_unique: bool


def check_schema(root: Element, found: list[Diagnostic], *, delimiter_banned: bool, names_unique: bool = True,
                 element_rules: bool = True, only: Iterable[Element] | None = None) -> None:
    """Check an ``<sdf>`` tree of version 1.12 against the element table, then the rules that no table can express.

    Parameters
    ----------
    root : the ``<sdf>`` element, upgraded.
    found : the findings are appended to it.
    delimiter_banned : whether names may hold no ``::`` (files written in 1.8 or later).
    names_unique : whether siblings of different types must have different names (files written in 1.7 or later).
    element_rules : whether to check the rules, too.
    only : elements to check, with their content and, as containers, the elements around them; None: the whole tree.
    """
    wanted = None if only is None else {e for top in only for e in (*top.iter(), *top.iterancestors())}
    rules = _Rules(delimiter_banned, names_unique)
    broken: list[Diagnostic] = []  # all findings of the table come before those of the rules
    stack: list[tuple[Element, Spec]] = [(root, load_table())]
    while stack:
        element, spec = stack.pop()
        attributes = element.keys()
        if attributes or spec.needed:
            _check_attributes(element, spec, rules, found)
        if (value := spec.value) is not None and not value.free:
            text = element.text or ""
            if attributes or len(text) > LONGEST or not is_sound(text, value):
                _check_text(element, text, spec, value, found)
        children = [] if spec.anything else list(element)
        tails = [child.tail for child in children]
        if value is None and not spec.anything and (element.text or any(tails)):
            _check_no_text(element, (element.text, *tails), spec, found)
        if children:
            known = _check_children(element, children, spec, rules, found)
            stack += reversed(known if wanted is None else [(child, row) for child, row in known if child in wanted])
        if spec.tag == "joint":
            _check_joint_ends(element, spec, found)
        elif element_rules and (check := ELEMENT_RULES.get(spec.tag)) is not None:
            check(element, broken)
    found += broken


def _check_text(element: Element, written: str, spec: Spec, value: ValueSpec, found: list[Diagnostic]) -> None:
    text = written.strip(BLANKS)
    if not text and value.required == "1":
        parent = element.getparent()
        assert parent is not None
        found.append(diagnose("element-empty", locate(element), tag=spec.tag, parent=tag_of(parent),
                              hint=explain_value(element, spec)))
    if value.type == "pose":
        form, degrees = (element.get(name, "") if name in spec.attributes else "" for name in (
            "rotation_format", "degrees"))
        if read_bool(degrees) is None:
            degrees = ""  # said of the attribute
        X, problem = read_pose_text(text, form, degrees)
        if X is not None and not any(X[3:]):
            found.append(diagnose("rotation-undefined", locate(element)))
    else:
        problem = find_problem(text, value) if text else None
    if problem:
        found.append(diagnose("value-invalid", locate(element), tag=spec.tag, problem=problem,
                              hint="move the comment out of the value" if _is_split(element) else
                              explain_wrong_value(text, value, spec.tag, spec.attributes)))
    else:
        _check_numbers(text, value, locate(element), f"<{spec.tag}>", found)


def _is_split(element: Element) -> bool:
    """Return whether a comment splits the text of an element: only the part before the comment is read."""
    try:
        written = read_written(written_of(element)).encode()
    except ValueError:  # it is not in the text
        return False
    return clear_what_readers_skip(written, None, []) != written


def _check_no_text(element: Element, texts: Iterable[str | None], spec: Spec, found: list[Diagnostic]) -> None:
    for text in texts:
        if text and not text.isspace():
            found.append(diagnose("element-text-unknown", locate(element), tag=spec.tag, text=shorten(text.strip()),
                                  hint=explain_text(text.strip(), element, spec)))
            return


def _check_numbers(text: str, value: ValueSpec, at: Location, what: str, found: list[Diagnostic]) -> None:
    numbers, rest = find_leftover(text, value)
    if holds_nan(numbers, value):
        found.append(diagnose("value-undefined", at, what=what, text=numbers))
    if rest:
        found.append(diagnose("text-after-number", at, what=what, rest=rest, number=numbers,
                              hint=explain_decimals(text, len(numbers.split()))))


def _check_attributes(element: Element, spec: Spec, rules: _Rules, found: list[Diagnostic]) -> None:
    names: list[str] = element.keys()  # type: ignore[assignment]  # the stubs say bytes, which lxml never gives
    unknown = []
    for name in names:
        value = spec.attributes.get(name)
        if value is None:
            if not (spec.anything or has_prefix(name) or spec.value is not None and spec.value.required == "1"
                    and holds_value(name, element, spec)):  # then the finding is on the empty element
                unknown.append(name)
            continue
        text = element.get(name, "")
        if name == "name":
            if rules.delimiter_banned and "::" in text and spec.tag != "plugin":
                found.append(diagnose("name-with-delimiter", locate(element, name), name=text, tag=spec.tag))
        elif text == ROOT and name in _NO_ROOT_REFERENCE:
            found.append(diagnose("reference-to-root", locate(element, name), attribute=name))
        text = text.strip(BLANKS)
        if not text:
            if value.required == "1":
                found.append(diagnose("attribute-empty", locate(element, name), attribute=name, tag=spec.tag))
        elif value.type == "string":
            continue
        elif problem := find_problem(text, value):
            found.append(diagnose("attribute-invalid", locate(element, name), attribute=name, tag=spec.tag,
                                  problem=problem, hint=explain_wrong_value(text, value)))
        else:
            _check_numbers(text, value, locate(element, name), f"the attribute {name} of <{spec.tag}>", found)
    if unknown:
        _report_unknown_attributes(element, unknown, spec, found)
    for name in spec.needed:
        if name not in names:
            found.append(diagnose("attribute-missing", locate(element), attribute=name, tag=spec.tag))


def _report_unknown_attributes(element: Element, names: list[str], spec: Spec, found: list[Diagnostic]) -> None:
    """Report each unknown attribute; very many are one finding."""
    others = len(names) - 1 if len(names) > _MOST_UNKNOWN else 0
    for name in names[:1] if others else names:
        found.append(diagnose("attribute-unknown", locate(element, name), tag=spec.tag,
                              attribute=f"{name} (and {others} others)" if others else name,
                              hint=explain_attribute(name, element, spec)))


def _check_children(element: Element, children: Iterable[Element], spec: Spec, rules: _Rules,
                    found: list[Diagnostic]) -> list[tuple[Element, Spec]]:
    """Check the children of an element; return the known children that are more than a valid value."""
    specs, deprecated = spec.children, spec.deprecated
    named: dict[str, dict[str, Element]] = {}
    known: list[tuple[Element, Spec]] = []
    siblings: set[str] = set()
    first: dict[str, Element] = {}
    again: list[str] = []
    for child in children:
        tag = child.tag
        child_spec = specs.get(tag)
        if child_spec is not None:
            if tag == "include" and spec.tag in ("model", "world"):
                _check_include(child, child_spec, rules, found, known)
                continue
            if first.setdefault(tag, child) is not child:
                again.append(tag)
            if tag in deprecated:
                found.append(diagnose("element-deprecated", locate(child), tag=tag, parent=spec.tag,
                                      hint=_REPLACED.get(tag)))
            if _is_sound_value(child, child_spec):
                continue
            known.append((child, child_spec))
        elif not isinstance(tag, str):
            continue
        elif not has_prefix(tag) and (tag != "include" or spec.tag != "sdf") and (
                (spec.tag, tag) not in READ_BY_GAZEBO):
            siblings = siblings or {c.tag for c in children}
            _report_unknown(child, spec, siblings, found)
            if rules.delimiter_banned and tag != "plugin":
                _check_unknown_names(child, found)
        name = child.get("name") or (_UNNAMED.get(tag) if spec.tag == "world" else None)
        if name and tag != "plugin":
            _check_name(child, name, named, spec, rules, found)
    if again and (repeated := spec.single.intersection(again)):
        _check_repeated(element, [tag for tag in first if tag in repeated], found)
    return known


def _is_sound_value(element: Element, spec: Spec) -> bool:
    """Return whether an element is only a valid value. Most elements are, so this check is quick."""
    value = spec.value
    if value is None or spec.needed or element.keys() or len(element) or spec.tag in ELEMENT_RULES:
        return False
    return value.free or len(text := element.text or "") <= LONGEST and is_sound(text, value)


def _report_unknown(child: Element, spec: Spec, siblings: set[str], found: list[Diagnostic]) -> None:
    found.append(diagnose("element-unknown", locate(child), tag=tag_of(child), parent=spec.tag,
                          hint=explain_unknown(child, spec, siblings)))


def _check_repeated(element: Element, tags: Iterable[str], found: list[Diagnostic]) -> None:
    """Report repeated children of which only one is read, unless an upgrade made them."""
    for tag in tags:
        if len(alike := [e for e in element.iterchildren(tag) if is_written(e)]) > 1:
            found.append(diagnose("element-repeated", locate(alike[1]), tag=tag, parent=tag_of(element),
                                  count=len(alike),
                                  related=[relate(f"the <{tag}> that is used", locate(alike[0]))]))


def _check_unknown_names(element: Element, found: list[Diagnostic]) -> None:
    """Refuse ``::`` in names, also below unknown elements, but not below plugins and prefixed elements."""
    if "::" in (name := element.get("name") or ""):
        found.append(diagnose("name-with-delimiter", locate(element, "name"), name=name, tag=tag_of(element)))
    for child in element:
        if isinstance(child.tag, str) and child.tag != "plugin" and not has_prefix(child.tag):
            _check_unknown_names(child, found)


def _check_include(include: Element, spec: Spec, rules: _Rules, found: list[Diagnostic],
                   known: list[tuple[Element, Spec]]) -> None:
    """Check an include's own attributes and children; its file is checked on its own."""
    _check_attributes(include, spec, rules, found)
    _check_no_text(include, (include.text, *[child.tail for child in include]), spec, found)
    siblings: set[str] = set()
    for child in include.iterchildren("*"):
        if (child_spec := spec.children.get(child.tag)) is None:
            if not has_prefix(child.tag):
                siblings = siblings or {c.tag for c in include}
                _report_unknown(child, spec, siblings, found)
            continue
        if child.tag == "plugin" or (child.tag == "uri" and not text_of(child)):
            continue  # a missing URI is reported when the include is read
        known.append((child, child_spec))
        if child.tag == "name" and rules.delimiter_banned and "::" in (name := text_of(child)):
            found.append(diagnose("name-with-delimiter", locate(child), name=name, tag=include.tag))
    _check_repeated(include, dict.fromkeys(child.tag for child in include if child.tag in spec.single), found)


def _check_name(element: Element, name: str, named: dict[str, dict[str, Element]], spec: Spec, rules: _Rules,
                found: list[Diagnostic]) -> None:
    """Report an element that shares its name with a sibling before it: the first of its tag, else of another.

    Before 1.7, siblings of different types may share a name: links, joints and frames are renamed on reading, with a
    warning. Nested models are not renamed: an error. Other elements get a warning. `named` has the siblings by name and
    tag.
    """
    alike = named.setdefault(name, {})
    first = alike.get(element.tag, next(iter(alike.values()), None))
    alike.setdefault(element.tag, element)
    if first is None or spec.tag == "sdf" and {element.tag, first.tag} <= _ROOT_ENTITIES:
        return
    framed = element.tag in _FRAMES and first.tag in _FRAMES
    tolerated = not rules.names_unique and element.tag != first.tag and element.tag != "model"
    if tolerated and framed:
        return
    aside = "name-shared-in-scope" if spec.tag in ("world", "model") else "name-shared-aside"
    found.append(diagnose(
        "name-duplicate" if element.tag == first.tag else "name-shared" if framed else aside,
        locate(element, "name"), name=name, tag=tag_of(element), other=tag_of(first),
        related=[relate(f"<{tag_of(first)}> of that name", locate(first, "name"))],
        severity=WARNING if tolerated else None))


def _check_joint_ends(joint: Element, spec: Spec, found: list[Diagnostic]) -> None:
    """Check that a joint has a parent and a child; all other missing elements have defaults."""
    for tag in spec.required:
        if (child := find_child(joint, tag)) is None:
            found.append(diagnose("element-missing", locate(joint), tag=tag, parent=spec.tag))
        elif text_of(child) == ROOT:
            found.append(diagnose("reference-reserved", locate(child), tag=tag))
