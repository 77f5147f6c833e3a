"""Reads the entity of an ``<include>`` from its file, and applies the overrides.

A model is read once for each file, however often it is included: overriding and merging then change the typed model.
With elements, each include would need a copy to be read. XML elements are overridden only for params, for an include at
the root of an included file, and for a text that shows the included content: ``sdf/included_content.py``, and
``convert/expand_includes.py``, which writes the typed merge.
"""
from __future__ import annotations

import os
import re
from copy import deepcopy
from typing import Any

from lxml import etree

from sdf_frames.diagnostics import Diagnostic, Related, diagnose, relate
from sdf_frames.document.blanks import collapse_blanks
from sdf_frames.document.elements import locate, text_of
from sdf_frames.document.places import Element, place_copy, replace_element
from sdf_frames.sdf.entities import read_child_bool, read_child_text, read_pose_element
from sdf_frames.sdf.included_content import is_merged, override_element
from sdf_frames.sdf.included_tree import read_included_tree
from sdf_frames.sdf.merging import merge_model, report_unmergeable
from sdf_frames.sdf.model import Member, Model
from sdf_frames.sdf.names import ANY, ANY_SCOPE, ROOT, is_reserved
from sdf_frames.sdf.params import apply_params, find_params
from sdf_frames.sdf.reading import Reading, find_included_file
from sdf_frames.sdf.schema import check_schema
from sdf_frames.sdf.table import find_spec

# An include whose ancestors all have these tags is read with them.
_HOLD_MODELS = {"sdf", "world", "model"}


def read_include(include: Element, parent: str, reading: Reading) -> list[Member]:
    """Read an ``<include>`` in a `parent` element: return a model, the parts of a merged model, or nothing."""
    if parent == "sdf":
        _check_root_name(include, reading)
    model = _include_model(include, parent, reading)
    if model is None:
        return []
    if is_merged(include):
        if not reading.spend(include, "elements", len(model.order)):  # each is copied
            reading.note_missing(include, _name_missing(include))
            return []
        merged = merge_model(model, include, parent, reading.found)
        reading.note_missing(include, model.missing if merged else _name_missing(include))
        return merged
    return [model]


def _check_root_name(include: Element, reading: Reading) -> None:
    """Refuse ``::`` in the name of an include at the root of a file, which the table of elements does not have."""
    name = include.find("name")
    if name is not None and reading.delimiter_banned and "::" in text_of(name):
        reading.found.append(diagnose("name-with-delimiter", locate(name), name=text_of(name), tag="include"))


def check_stray_includes(root: Element, version: str, reading: Reading) -> None:
    """Read includes in places where no model is allowed, too, so that their errors are reported."""
    for include in root.iter("include"):
        parent = include.getparent()
        assert parent is not None
        around = {parent.tag, *[a.tag for a in parent.iterancestors()]}
        if around <= _HOLD_MODELS or (spec := find_spec(parent)) is None or spec.anything:
            continue
        for entity in read_include(include, parent.tag, reading):
            if isinstance(entity, Model):
                _check_name(include, "model", entity.name, reading)


def _name_missing(include: Element) -> list[str]:
    """List the names by which other elements may refer to the model of a failed `include`.

    A merged include may define any name. Other includes define the name that they give, else a part of their URI: most
    models have the name of their folder. A reference to one of these names is not reported, because the include is.
    """
    if is_merged(include):
        return [ANY]
    if name := read_child_text(include, "name"):
        return [name]
    return [ANY_SCOPE, *re.split(r"[/.]+", read_child_text(include, "uri"))]


def _include_model(include: Element, parent: str, reading: Reading) -> Model | None:
    """Read the model of an ``<include>``, with its overrides; None if it fails (reported) or has no model."""
    if (path := _find_file(include, reading)) is not None:
        model = _read_model_of_file(path, include, reading)
        if model is not None:
            overridden = _override(model, include, reading)
            if is_merged(include):
                _note_merged(model, overridden, reading)
            return overridden
        if (other := reading.others.get(reading.resolver.door.real(path))) is not None and not is_merged(include):
            _note_other(include, other, parent, reading)
            return None
    reading.note_missing(include, _name_missing(include))
    return None


def _note_merged(model: Model, overridden: Model, reading: Reading) -> None:
    """Record a model to be checked by itself: once for its file, and once for each change that the check depends on."""
    key = id(model), overridden.static, overridden.placement_frame
    is_changed = key[1:] != (model.static, model.placement_frame)
    reading.merged[key] = overridden._replace(pose=model.pose) if is_changed else model


def _find_file(include: Element, reading: Reading) -> str | None:
    """Find the file of an include, and check the plugins that the include adds."""
    path = find_included_file(include, reading) if reading.spend(include, "includes", 1) else None
    for plugin in include.iterchildren("plugin") if path is not None else ():
        if not plugin.get("filename"):
            reading.found.append(diagnose("attribute-missing", locate(plugin), attribute="filename", tag="plugin"))
    return path


def _note_other(include: Element, other: Element, parent: str, reading: Reading) -> None:
    """Record that an include has a light or an actor, and check its name."""
    reading.brought[include] = other.tag
    name = read_child_text(include, "name") or other.get("name", "")
    if other.tag == "light" and parent != "model" and is_reserved(name):
        reading.found.append(diagnose("name-reserved", locate(include), kind="light", name=name))
    if parent != "sdf":
        _check_name(include, other.tag, name, reading)


def _check_name(include: Element, tag: str, name: str, reading: Reading) -> None:
    """Report an include whose light, actor or model has the name of a sibling."""
    holder = include.getparent()
    assert holder is not None
    if (named := reading.named.get((holder, tag))) is None:
        named = reading.named[holder, tag] = {}
        for element in holder.iterchildren(tag):
            named.setdefault(element.get("name"), element)
    first = named.setdefault(name, include)
    if first is not include:
        reading.found.append(diagnose("name-duplicate", locate(include), tag=tag, name=name, related=[
            relate(f"<{first.tag}> of that name", locate(first, "name"))]))


def _read_model_of_file(path: str, include: Element, reading: Reading) -> Model | None:
    """Read the first model of a file: once for all includes without params, and once for each place of params."""
    file = reading.resolver.door.real(path)
    if _closes_cycle(path, include, reading):
        return None
    params = find_params(include)
    key = (file,) if params is None else (file, locate(params), etree.tostring(params))
    if key in reading.models:
        return reading.models[key] if reading.spend(include, "elements", reading.sizes[key], path) else None
    if not reading.may_go_deeper(include):
        return None
    spending = reading.spending
    before = spending.spent["elements"]
    with reading.inside(file):
        model = None
        if (loaded := _load_entity(path, include, reading)) is not None:
            entity, version = loaded
            if params is not None:
                _change_by_params(params, entity, reading)
            if not spending.exceeded:
                model = reading.read_model(entity, version, reading)
            if spending.exceeded:
                model = None
    reading.models[key], reading.sizes[key] = model, spending.spent["elements"] - before
    return model


def _closes_cycle(path: str, include: Element, reading: Reading) -> bool:
    """Return whether a file is being read already; then the include of it is reported."""
    file = reading.resolver.door.real(path)
    if file not in reading.chain:
        return False
    cycle = [*reading.chain[reading.chain.index(file) + 1:], file]
    reading.found.append(diagnose("include-cycle", locate(include), file=path, related=[
        Related(f"includes {os.path.basename(p)}", file=p) for p in cycle]))
    return True


def _change_by_params(params: Element, model: Element, reading: Reading) -> None:
    """Apply params to a model, with its includes in place, and check the result."""
    _inline_includes(model, reading)
    if reading.spending.exceeded:
        return
    apply_params(params, model, reading.found)
    root = model.getparent()
    assert root is not None
    check_schema(root, reading.found, delimiter_banned=False, element_rules=False)


def _inline_includes(model: Element, reading: Reading) -> bool:
    """Replace the includes of a model by their content, so that params can change it.

    Return False if an include had to stay because its file is already being read (a cycle): then the result depends on
    the file that includes the model, and must not be reused.
    """
    whole = True
    for include in [i for i in model.iter("include") if next(i.iterancestors("plugin"), None) is None]:
        allowed = reading.spend(include, "includes", 1)
        known = len(reading.found)
        path = find_included_file(include, reading) if allowed else None
        loops = path is not None and reading.resolver.door.real(path) in reading.chain
        if path is None or loops or is_merged(include):
            del reading.found[known:]  # it stays an include, which is reported when the model is read
            whole = whole and not loops
            continue
        entity, alike = _load_inlined(path, include, reading)
        whole = whole and alike
        if entity is not None:
            _override_element(entity, include, reading)
            replace_element(include, entity)
    return whole


def _override_element(entity: Element, include: Element, reading: Reading) -> None:
    override_element(entity, include, read_child_text(include, "name"), _read_placement(include, reading.found))


def _load_inlined(path: str, include: Element, reading: Reading) -> tuple[Element | None, bool]:
    """Load the first model of a file with all its includes in place, once for each file.

    The second value is the result of :func:`_inline_includes`.
    """
    key = reading.resolver.door.real(path)
    if key in reading.inlined:
        made, size = reading.inlined[key]
        return (_copy_inlined(made) if reading.spend(include, "elements", size, path) else None), True
    if not reading.may_go_deeper(include):
        return None, True
    before = reading.spending.spent["elements"]
    with reading.inside(key):
        if (loaded := _load_entity(path, include, reading)) is None:
            return None, True
        whole = _inline_includes(loaded[0], reading)
    if reading.spending.exceeded:
        return None, True
    if whole:
        reading.inlined[key] = _copy_inlined(loaded[0]), reading.spending.spent["elements"] - before
    return loaded[0], whole


def _copy_inlined(entity: Element) -> Element:
    copy = deepcopy(entity)
    place_copy(copy, entity)
    return copy


def _load_entity(path: str, include: Element, reading: Reading) -> tuple[Element, str] | None:
    """Load the element of the first model of a file, upgraded and checked, and the version it was written in."""
    loaded = _load_first(path, include, reading)
    if loaded is None or loaded[0].tag == "model":
        return loaded
    reading.others[reading.resolver.door.real(path)] = loaded[0]
    if is_merged(include):
        reading.found.append(diagnose("merge-unsupported", locate(include),
                                      problem=f"{path} holds no model to merge"))
    return None


def _load_first(path: str, include: Element, reading: Reading) -> tuple[Element, str] | None:
    """Load the element of the first model of a file, else of its first light or actor, and the version of its file."""
    found = reading.found
    if (loaded := read_included_tree(path, include, reading)) is None:
        return None
    root, version = loaded
    check_stray_includes(root, version, reading)
    entities = [c for c in root if c.tag in ("model", "actor", "light", "include")]
    if not entities:
        found.append(diagnose("include-without-entity", locate(include), file=path))
        return None
    if len(entities) > 1:
        found.append(diagnose("include-several-entities", locate(include), file=path, tag=entities[0].tag))
    first = next((e for e in entities if e.tag == "model"), entities[0])
    return (first, version) if first.tag != "include" else _expand_at_root(first, reading)


def _expand_at_root(include: Element, reading: Reading) -> tuple[Element, str] | None:
    """Replace an include at the root of an included file by its entity; return that, and the version of its file."""
    if is_merged(include):
        report_unmergeable(include, "sdf", reading.found)
        return None
    _check_root_name(include, reading)
    path = _find_file(include, reading)
    if path is None or _closes_cycle(path, include, reading) or not reading.may_go_deeper(include):
        return None
    with reading.inside(reading.resolver.door.real(path)):
        loaded = _load_first(path, include, reading)
        if loaded is None:
            return None
        if loaded[0].tag == "model" and (params := find_params(include)) is not None:
            _change_by_params(params, loaded[0], reading)
    _override_element(loaded[0], include, reading)
    return loaded


def _override(model: Model, include: Element, reading: Reading) -> Model:
    """Return `model` with the name, pose, static flag and placement frame that the include gives."""
    changes: dict[str, Any] = {"include": include}
    if name := read_child_text(include, "name"):
        changes["name"] = name
    if (pose := include.find("pose")) is not None:
        changes["pose"] = read_pose_element(pose)
    if include.find("static") is not None:
        changes["static"] = read_child_bool(include, "static")
    if placement_frame := _read_placement(include, reading.found):
        changes["placement_frame"] = placement_frame
    return model._replace(**changes)


def _read_placement(include: Element, found: list[Diagnostic]) -> str:
    """Return the placement frame that an include gives; "" for none, and for a wrong one, which is reported."""
    if (frame := include.find("placement_frame")) is None:
        return ""
    value = collapse_blanks(frame.text or "")
    if include.find("pose") is None:
        found.append(diagnose("placement-frame-without-pose", locate(frame)))
    elif value == ROOT:
        found.append(diagnose("reference-reserved", locate(frame), tag="placement_frame"))
    else:
        return value
    return ""
