"""Reads an ``<sdf>`` document, and the files that it includes, into the typed model."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.blanks import BLANKS
from sdf_frames.document.budget import Spending, report_exceeded
from sdf_frames.document.elements import Element, locate
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import Document
from sdf_frames.sdf.entities import read_child_bool, read_frame, read_joint, read_link, read_part, read_pose
from sdf_frames.sdf.model import Frame, Joint, Link, Member, Model, Part, Root, World, count_letters, kind_of
from sdf_frames.sdf.prepare import prepare_document
from sdf_frames.sdf.reading import ConvertUrdf, Reading

if TYPE_CHECKING:
    from sdf_frames.document.memory import Memory


def read_sdf(document: Document, resolver: Resolver | None = None, convert_urdf: ConvertUrdf | None = None,
             spending: Spending | None = None,
             memory: Memory | None = None) -> tuple[Root | None, tuple[Diagnostic, ...]]:
    """Upgrade, check against the element table and read an ``<sdf>`` document.

    Parameters
    ----------
    document : its tree is upgraded in place.
    convert_urdf : converts an included URDF to an SDF document, or returns None; findings go to the list that it gets.
    spending : what the load has spent; without it, this document has the default budget.
    memory : keeps included files, for documents that share it.

    Returns
    -------
    root, diagnostics
        The root is None only if the document has no version, or its names are too long together; with errors, it holds
        what could be read.
    """
    resolver, spending = resolver or Resolver(), spending or Spending()
    reading = Reading(resolver, convert_urdf, spending, memory)
    reading.read_model = read_model
    includes = next(document.root.iter("include"), None) is not None
    look_into = None
    if includes:
        from sdf_frames.sdf.look_ahead import LookAhead
        look_into = LookAhead(resolver, spending.budget)
    version = prepare_document(document, reading, look_into)
    root = None
    if version is not None:
        if includes:
            from sdf_frames.sdf.include import check_stray_includes
            check_stray_includes(document.root, version, reading)
            if document.file:
                reading.chain.append(resolver.door.real(document.file))
        root = _read_root(document.root, version, reading)
        if (letters := count_letters(root)) > spending.budget.full_names:
            reading.found.append(report_exceeded("full_names", letters, spending.budget, locate(document.root)))
            root = None  # nothing may make these names
    return root, tuple(reading.found)


def _read_root(root: Element, version: str, reading: Reading) -> Root:
    worlds: list[World] = []
    included: list[Model] = []
    # The entities beside the worlds, and the kind of each.
    entities: list[tuple[Element, str]] = []
    for child in root:
        tag = child.tag
        if tag == "world":
            worlds.append(_read_world(child, version, reading))
        elif tag == "include":
            brought = [e for e in _include(child, "sdf", reading) if isinstance(e, Model)]
            included += brought
            if kind := "model" if brought else reading.brought.get(child):
                entities.append((child, kind))
        elif tag in ("model", "actor", "light"):
            entities.append((child, tag))
    # One model, light or actor may be beside the worlds; the first of the strongest kind is used.
    for element, _ in entities[1:]:
        reading.found.append(diagnose("several-root-entities", locate(element), tag=element.tag, kind=entities[0][1]))
    first = next((e for e, _ in entities if e.tag == "model"), None)
    model = included[0] if included else None
    if first is not None:
        model = read_model(first, version, reading)
    if not worlds and model is None and not entities and root.find("include") is None:
        reading.found.append(diagnose("nothing-described", locate(root)))
    return Root(root, version, tuple(worlds), model, tuple(reading.merged.values()), tuple(reading.files))


def _include(include: Element, parent: str, reading: Reading) -> list[Member]:
    """Read an ``<include>`` in a `parent`; most files have none, so the module for it is imported here."""
    from sdf_frames.sdf.include import read_include
    return read_include(include, parent, reading)


def _read_world(element: Element, version: str, reading: Reading) -> World:
    order: list[Member] = []
    parts: list[Part] = []
    for child in element:
        tag = child.tag
        if tag == "model":
            order.append(read_model(child, version, reading))
        elif tag == "include":
            order += _include(child, "world", reading)
        elif tag == "joint":
            order.append(read_joint(child))
        elif tag == "frame":
            order.append(read_frame(child))
        elif tag in ("light", "actor"):
            parts.append(read_part(child))
    order = _make_names_unique(order)
    by_type = _sort_by_type(order)
    return World(element.get("name") or "", element, version, models=tuple(by_type[Model]),
                 joints=tuple(by_type[Joint]), frames=tuple(by_type[Frame]),
                 order=tuple(order), parts=tuple(parts), missing=frozenset(reading.missing.get(element, ())))


def read_model(element: Element, version: str, reading: Reading) -> Model:
    """Read a model with all nested and included models. A model that is nested too deeply is left empty."""
    budget = reading.spending.budget
    if reading.model_depth >= budget.model_depth:
        reading.found.append(report_exceeded("model_depth", reading.model_depth, budget, locate(element)))
        return Model(element.get("name") or "", element, version, static=True)
    order: list[Member] = []
    reading.model_depth += 1
    for child in element:
        tag = child.tag
        if tag == "link":
            order.append(read_link(child))
        elif tag == "joint":
            order.append(read_joint(child))
        elif tag == "frame":
            order.append(read_frame(child))
        elif tag == "model":
            order.append(read_model(child, version, reading))
        elif tag == "include":
            order += _include(child, "model", reading)
    reading.model_depth -= 1
    order = _make_names_unique(order)
    by_type = _sort_by_type(order)
    return Model(
        element.get("name") or "", element, version, read_pose(element),
        element.get("placement_frame", "").strip(BLANKS), element.get("canonical_link", "").strip(BLANKS),
        read_child_bool(element, "static"),
        links=tuple(by_type[Link]), joints=tuple(by_type[Joint]), frames=tuple(by_type[Frame]),
        models=tuple(by_type[Model]),
        order=tuple(order), missing=frozenset(reading.missing.get(element, ())))


def _sort_by_type(order: list[Member]) -> dict[type, list[Any]]:
    by_type: dict[type, list[Any]] = {Link: [], Joint: [], Frame: [], Model: []}
    for entity in order:
        by_type[type(entity)].append(entity)
    return by_type


def _make_names_unique(order: list[Member]) -> list[Member]:
    """Rename joints and frames that share a name with a sibling of another kind, so that no entity is lost.

    A shared name is an error, which the check of each file reports, or :mod:`sdf_frames.checks.names` if the names
    clash through includes. In files before 1.7, names have been settled before.
    """
    if len({e.name for e in order}) == len(order):
        return order
    from sdf_frames.sdf import scopes
    from sdf_frames.sdf.settle import SHARED, choose_names
    named = [scopes.Member(e.element, kind_of(e), e.name, e.name) for e in order]
    choose_names(named, (SHARED,))
    return [e if isinstance(e, Model) or isinstance(e, Frame) and e.proxy else e._replace(name=member.new)
            for e, member in zip(order, named)]
