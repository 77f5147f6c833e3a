"""Elements against the table of SDFormat 1.12: unknown, missing, mistyped, and names that repeat."""
from __future__ import annotations

from collections.abc import Iterable

from sdf_frames.diagnostics import WARNING, Diagnostic, Related, diagnose
from sdf_frames.diagnostics.nearest import find_nearest
from sdf_frames.document.numbers import read_bool
from sdf_frames.document.xml_in import Element, locate, tag_of, text_of
from sdf_frames.sdf.names import ROOT, has_prefix
from sdf_frames.sdf.table import Spec, load_table
from sdf_frames.sdf.unknown import explain_unknown
from sdf_frames.sdf.values import find_problem, read_pose_text

_FRAMES = {"link", "joint", "frame", "model"}
# A document has one of them: a second one is an error whatever its name.
_ROOT_ENTITIES = {"model", "actor", "light"}
# The names of what needs none in a world.
_UNNAMED = {"physics": "default_physics"}
# Attributes of one element that are each told to mean nothing.
_MOST_UNKNOWN = 20
_NO_ROOT_REFERENCE = {"relative_to", "attached_to", "placement_frame", "canonical_link", "parent_frame"}


def check_schema(root: Element, *, delimiter_banned: bool, names_unique: bool = True,
                 only: Iterable[Element] | None = None) -> list[Diagnostic]:
    """Findings of an ``<sdf>`` tree of version 1.12.

    Parameters
    ----------
    root : the ``<sdf>`` element, upgraded.
    delimiter_banned : whether names may hold no ``::`` (files written in 1.8 or later).
    names_unique : whether siblings of different types may not share a name either (files written in 1.7 or later).
    only : elements to check, with all within and, as what holds them, all around them; None: the whole tree.
    """
    wanted = None if only is None else {e for top in only for e in (*top.iter(), *top.iterancestors())}
    found: list[Diagnostic] = []
    stack: list[tuple[Element, Spec]] = [(root, load_table())]
    while stack:
        element, spec = stack.pop()
        attributes = element.attrib
        if attributes or spec.needed:
            _check_attributes(element, attributes, spec, delimiter_banned, found)
        if spec.value is not None:
            text = (element.text or "").strip()
            if not text and spec.value.required == "1":
                found.append(diagnose("element-empty", locate(element), tag=spec.tag, parent=tag_of(element.getparent())))
            problem = _find_pose_problem(element, text) if spec.value.type == "pose" else \
                find_problem(text, spec.value) if text else None
            if problem:
                found.append(diagnose("value-invalid", locate(element), tag=spec.tag, problem=problem))
        if len(element) and not spec.anything:
            known = _check_children(element, spec, delimiter_banned, names_unique, found)
            stack += reversed(known if wanted is None else [(child, row) for child, row in known if child in wanted])
        if spec.required:
            _check_required(element, spec, found)
    return found


def _find_pose_problem(element: Element, text: str) -> str | None:
    degrees = element.get("degrees", "false")
    if read_bool(degrees) is None:
        degrees = "false"  # said of the attribute
    return read_pose_text(text, element.get("rotation_format", ""), degrees)[1]


def _check_attributes(element: Element, attributes, spec: Spec, delimiter_banned: bool, found: list) -> None:
    unknown = []
    for name in attributes:  # its items would take quadratic time: lxml searches each value anew
        value = spec.attributes.get(name)
        if value is None:
            if not spec.anything and not has_prefix(name):
                unknown.append(name)
            continue
        text = attributes[name]
        if name == "name":
            if delimiter_banned and "::" in text and spec.tag != "plugin":
                found.append(diagnose("name-with-delimiter", locate(element), name=text, tag=spec.tag))
        elif name in _NO_ROOT_REFERENCE and text == ROOT:
            found.append(diagnose("reference-to-root", locate(element), attribute=name))
        text = text.strip()
        if not text:
            if value.required == "1":
                found.append(diagnose("attribute-empty", locate(element), attribute=name, tag=spec.tag))
        elif value.type != "string" and (problem := find_problem(text, value)):
            found.append(diagnose("attribute-invalid", locate(element), attribute=name, tag=spec.tag, problem=problem))
    _report_unknown_attributes(element, unknown, spec, found)
    for name in spec.needed:
        if name not in attributes:
            found.append(diagnose("attribute-missing", locate(element), attribute=name, tag=spec.tag))


def _report_unknown_attributes(element: Element, names: list[str], spec: Spec, found: list) -> None:
    """One finding each; where there are very many, one for all after the first of them."""
    if len(names) > _MOST_UNKNOWN:
        names = [f"{names[0]}, nor have {len(names) - 1} others a meaning"]
    for name in names:
        close = find_nearest(name, spec.attributes)
        found.append(diagnose("attribute-unknown", locate(element), attribute=name, tag=spec.tag,
                              hint=f"did you mean {close[0]}?" if close else "it is ignored"))


def _check_children(element: Element, spec: Spec, delimiter_banned: bool, names_unique: bool, found: list,
                    ) -> list[tuple[Element, Spec]]:
    """Children that the table knows, with their rows."""
    specs = spec.children
    named: dict[str, Element] = {}
    known = []
    siblings: set = set()
    for child in element:
        tag = child.tag
        if not isinstance(tag, str):
            continue
        child_spec = specs.get(tag)
        if child_spec is not None:
            if tag == "include" and spec.tag in ("model", "world"):
                _check_include(child, child_spec, delimiter_banned, found, known)
                continue
            known.append((child, child_spec))
            if spec.occurrence[tag] == "-1":
                found.append(diagnose("element-deprecated", locate(child), tag=tag, parent=spec.tag))
        elif not has_prefix(tag) and (tag != "include" or spec.tag != "sdf"):
            siblings = siblings or {c.tag for c in element}
            found.append(diagnose("element-unknown", locate(child), tag=tag_of(child), parent=spec.tag,
                                  hint=explain_unknown(tag, element, spec, siblings)))
            if delimiter_banned and tag != "plugin":
                _check_unknown_names(child, found)
        if tag != "plugin" and (name := child.get("name") or (_UNNAMED.get(tag) if spec.tag == "world" else None)) is not None:
            first = named.setdefault(name, child)
            if first is not child and not (spec.tag == "sdf" and {tag, first.tag} <= _ROOT_ENTITIES):
                _report_duplicate(child, first, name, names_unique, found)
    return known


def _check_unknown_names(element: Element, found: list) -> None:
    """``::`` in names is refused below unknown elements too, but not below plugins or prefixed ones."""
    if "::" in (name := element.get("name") or ""):
        found.append(diagnose("name-with-delimiter", locate(element), name=name, tag=tag_of(element)))
    for child in element:
        if isinstance(child.tag, str) and child.tag != "plugin" and not has_prefix(child.tag):
            _check_unknown_names(child, found)


def _check_include(include: Element, spec: Spec, delimiter_banned: bool, found: list, known: list) -> None:
    """An include's own attributes and children; what it brings is checked in its own file."""
    _check_attributes(include, include.attrib, spec, delimiter_banned, found)
    for child in include:
        child_spec = spec.children.get(child.tag) if isinstance(child.tag, str) else None
        if child_spec is None or child.tag == "plugin" or (child.tag == "uri" and not text_of(child)):
            continue  # that an include needs a URI is said where it is read
        known.append((child, child_spec))
        if child.tag == "name" and delimiter_banned and "::" in (name := text_of(child)):
            found.append(diagnose("name-with-delimiter", locate(child), name=name, tag=include.tag))


def _report_duplicate(element: Element, first: Element, name: str, names_unique: bool, found: list) -> None:
    """Two siblings of one name. Before 1.7 different types may share one: links, joints and frames are renamed on
    reading, which is reported there, nested models are not, and anything else gets a warning."""
    place = locate(first)
    framed = element.tag in _FRAMES and first.tag in _FRAMES
    tolerated = not names_unique and element.tag != first.tag and element.tag != "model"
    if tolerated and framed:
        return
    diagnostic = diagnose(
        "name-duplicate" if element.tag == first.tag else "name-shared" if framed else "name-shared-aside",
        locate(element), name=name, tag=tag_of(element), other=tag_of(first),
        related=[Related(f"<{tag_of(first)}> of that name", place.line, place.path, place.file)])
    found.append(diagnostic._replace(severity=WARNING) if tolerated else diagnostic)


def _check_required(element: Element, spec: Spec, found: list) -> None:
    """A joint needs its parent and child; whatever else is missing has a default."""
    if spec.tag == "joint":
        for tag in spec.required:
            if (child := element.find(tag)) is not None and text_of(child) == ROOT:
                found.append(diagnose("reference-reserved", locate(child), tag=tag))
            elif child is None:
                found.append(diagnose("element-missing", locate(element), tag=tag, parent=spec.tag))
