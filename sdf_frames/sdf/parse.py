"""A document, and what it includes, to the typed model."""
from __future__ import annotations

import os
from dataclasses import replace
from typing import Callable

from lxml import etree

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.budget import Spending, report_exceeded
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import Document, Element, locate
from sdf_frames.sdf.clashes import is_foreign, report_clash
from sdf_frames.sdf.entities import read_child_bool, read_frame, read_joint, read_link, read_part, read_pose
from sdf_frames.sdf.include import Includer, is_merged
from sdf_frames.sdf.lost import name_lost
from sdf_frames.sdf.merge import merge_model
from sdf_frames.sdf.model import Frame, Joint, Link, Model, Root, World
from sdf_frames.sdf.names import ROOT
from sdf_frames.sdf.rules import check_element_rules
from sdf_frames.sdf.schema import check_schema
from sdf_frames.sdf.table import find_spec, version_key
from sdf_frames.sdf.upgrade import upgrade_tree

# Attributes with white space around, which means nothing; C finds the few among many.
_PADDED = etree.XPath("//@*[. != normalize-space()]")

# Where all ancestors are of these, an include is read with them.
_HOLD_MODELS = {"sdf", "world", "model"}

ConvertUrdf = Callable[[Document], tuple]


def read_sdf(document: Document, resolver: Resolver | None = None, convert_urdf: ConvertUrdf | None = None,
             spending: Spending | None = None) -> tuple[Root | None, tuple[Diagnostic, ...]]:
    """Upgrade, check against the element table and read an ``<sdf>`` document.

    Parameters
    ----------
    document : its tree is upgraded in place.
    resolver : finds what is included.
    convert_urdf : turns an included URDF document into (SDF document or None, diagnostics).
    spending : what the load has spent; without it the default budget is this document's alone.

    Returns
    -------
    root, diagnostics
        The root is None only where the document says no version; with errors it holds what could be read.
    """
    reader = Reader(resolver or Resolver(), convert_urdf, spending or Spending())
    root = reader.read_root(document)
    return root, tuple(reader.found)


class Reader:
    """Reads one document and its includes; ``found`` gathers the findings."""

    def __init__(self, resolver: Resolver, convert_urdf: ConvertUrdf | None, spending: Spending):
        self.found: list[Diagnostic] = []
        self.resolver = resolver
        self.spending = spending
        self.depth = 0
        # What holds of names in the document itself holds of all that it includes, however old.
        self.delimiter_banned = False
        self.includer = Includer(self, resolver, convert_urdf)

    def prepare(self, document: Document) -> str | None:
        """Upgrade and check a document's tree; its version as written, or None where it has none.

        A document of this library's own making needs neither; only what it carries over is checked.
        """
        root = document.root
        version = root.get("version", "").strip()
        if not version:
            self.found.append(diagnose("version-missing", locate(root)))
            return None
        written = version_key(version)
        if not self.includer.active:
            self.delimiter_banned = written >= (1, 8)
        carried = document.carried
        if carried is not None and not carried:
            return version
        self.found += upgrade_tree(root)
        for value in _PADDED(root):
            value.getparent().set(value.attrname, value.strip())
        self.found += check_schema(root, delimiter_banned=self.delimiter_banned or written >= (1, 8),
                                   names_unique=written >= (1, 7), only=carried)
        self.found += check_element_rules(root)
        for include in root.iter("include"):
            self._check_stray_include(include, version)
        return version

    def _check_stray_include(self, include: Element, version: str) -> None:
        """An include where no model can be is read all the same, and what is wrong with it is wrong."""
        parent = include.getparent()
        if {parent.tag, *[a.tag for a in parent.iterancestors()]} <= _HOLD_MODELS or (spec := find_spec(parent)) is None or spec.anything:
            return
        for entity in self.read_include(include, parent.tag):
            if isinstance(entity, Model):
                self.includer.check_name(include, "model", entity.name)

    def read_root(self, document: Document) -> Root | None:
        version = self.prepare(document)
        if version is None:
            return None
        if document.file:
            self.includer.active.append(os.path.realpath(document.file))
        root = document.root
        worlds, models, entities = [], [], []
        for child in root:
            tag = child.tag
            if tag == "world":
                worlds.append(self.read_world(child, version))
            elif tag == "include":
                models += (included := self.read_include(child, "sdf"))
                entities += [(child, "model")] * len(included) or [(child, t) for t in (self.includer.tags.get(child),) if t]
            elif tag in ("model", "actor", "light"):
                entities.append((child, tag))
        self._check_root_entities(entities)
        first = next((e for e, _ in entities if e.tag == "model"), None)
        if first is not None:
            pose = first.find("pose")
            if pose is not None and pose.get("relative_to") not in (None, "", ROOT):
                self.found.append(diagnose("root-pose-relative", locate(pose), reference=pose.get("relative_to")))
            models.insert(0, self.read_model(first, version))
        if not worlds and not models and not entities and root.find("include") is None:
            self.found.append(diagnose("nothing-described", locate(root)))
        return Root(root, version, tuple(worlds), models[0] if models else None, tuple(self.includer.merged.values()))

    def _check_root_entities(self, entities: list) -> None:
        """One model, light or actor may stand beside the worlds; the first of the strongest kind counts."""
        for element, _ in entities[1:]:
            self.found.append(diagnose("several-root-entities", locate(element), tag=element.tag, kind=entities[0][1]))

    def read_world(self, element: Element, version: str) -> World:
        models, joints, frames, order, parts = [], [], [], [], []
        for child in element:
            tag = child.tag
            if tag == "model":
                new = [self.read_model(child, version)]
            elif tag == "include":
                new = self.read_include(child, "world")
            elif tag == "joint":
                new = [read_joint(child)]
            elif tag == "frame":
                new = [read_frame(child)]
            else:
                if tag in ("light", "actor"):
                    parts.append(read_part(child))
                continue
            order += new
        order = self._make_names_unique(order, version, element)
        for entity in order:
            (models if isinstance(entity, Model) else joints if isinstance(entity, Joint) else frames).append(entity)
        return World(element.get("name") or "", element, version, tuple(models), tuple(joints), tuple(frames),
                     tuple(order), tuple(parts), frozenset(self.includer.lost.get(element, ())))

    def read_model(self, element: Element, version: str) -> Model:
        """A model with all that is nested in it and included; too deep down it is left empty, and reported."""
        budget = self.spending.budget
        if self.depth >= budget.model_depth:
            self.found.append(report_exceeded("model_depth", self.depth + 1, budget, locate(element)))
            return Model(element.get("name") or "", element, version, static=True)
        self.depth += 1
        try:
            return self._read_model(element, version)
        finally:
            self.depth -= 1

    def _read_model(self, element: Element, version: str) -> Model:
        order: list = []
        for child in element:
            tag = child.tag
            if tag == "link":
                order.append(read_link(child))
            elif tag == "joint":
                order.append(read_joint(child))
            elif tag == "frame":
                order.append(read_frame(child))
            elif tag == "model":
                order.append(self.read_model(child, version))
            elif tag == "include":
                order += self.read_include(child, "model")
        order = self._make_names_unique(order, version, element)
        by_type: dict[type, list] = {Link: [], Joint: [], Frame: [], Model: []}
        for entity in order:
            by_type[type(entity)].append(entity)
        return Model(
            element.get("name") or "", element, version, read_pose(element), element.get("placement_frame", "").strip(),
            element.get("canonical_link", "").strip(), read_child_bool(element, "static"), tuple(by_type[Link]),
            tuple(by_type[Joint]), tuple(by_type[Frame]), tuple(by_type[Model]), tuple(order),
            lost=frozenset(self.includer.lost.get(element, ())))

    def read_include(self, element: Element, parent: str) -> list:
        """The entities that an ``<include>`` brings: a model, or the parts of a merged one; none when it fails."""
        model = self.includer.include(element, parent)
        if model is None:
            return []
        if is_merged(element):
            merged = merge_model(model, element, parent, self.found)
            self.includer.note_lost(element, model.lost if merged else name_lost(element, True))
            return merged
        return [model]

    def _make_names_unique(self, order: list, version: str, scope: Element) -> list:
        """Siblings of different kinds that share a name: joints and frames, the later ones first, are renamed, so that none is lost.

        Links and models keep theirs, as the parent and child of joints are links. Before 1.7 a link, joint and frame
        could share a name; from then on it is an error, which the check of each file reports, and this where includes
        bring the two together.
        """
        taken: dict[str, Link | Joint | Frame | Model] = {}
        numbers: dict[str, int] = {}
        names = {e.name for e in order}
        if len(names) == len(order):
            return order
        places = {id(e): place for place, e in enumerate(order)}
        renamed = {}
        for entity in sorted(order, key=lambda e: not isinstance(e, (Link, Model))):
            name, kind = entity.name, type(entity).__name__.lower()
            if name in taken and kind != "model" and type(taken[name]) is not type(entity):
                base = new = f"{name}_{kind}"
                while new in taken or new in names:
                    numbers[base] = numbers.get(base, -1) + 1
                    new = f"{base}{numbers[base]}"
                if version_key(version) < (1, 7):
                    self.found.append(diagnose("name-renamed", locate(entity.element), kind=kind, name=name, new=new))
                elif is_foreign(entity, scope) or is_foreign(taken[name], scope):
                    first, second = sorted((taken[name], entity), key=lambda e: places[id(e)])
                    self.found.append(report_clash(second, first))
                renamed[id(entity)] = entity = replace(entity, name=new)
            taken[entity.name] = entity
        return [renamed.get(id(e), e) for e in order]
