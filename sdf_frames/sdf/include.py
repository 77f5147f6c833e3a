"""``<include>``: which file, which entity in it, and what the include overrides."""
from __future__ import annotations

import os
from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Iterable

from lxml import etree

from sdf_frames.diagnostics import Related, diagnose
from sdf_frames.document.budget import report_exceeded
from sdf_frames.document.numbers import read_bool
from sdf_frames.document.reading import read_bounded
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import Document, Element, file_of, locate, read_xml, tag_of
from sdf_frames.sdf.entities import collapse_blanks, read_child_bool, read_child_text, read_pose_element
from sdf_frames.sdf.lost import name_lost
from sdf_frames.sdf.model import Model
from sdf_frames.sdf.model_folder import find_model_file
from sdf_frames.sdf.names import ROOT, is_reserved
from sdf_frames.sdf.params import apply_params, find_params
from sdf_frames.sdf.schema import check_schema

if TYPE_CHECKING:
    from sdf_frames.sdf.parse import Reader


class Includer:
    """Reads included files, each once."""

    def __init__(self, reader: "Reader", resolver: Resolver, convert_urdf):
        self.reader = reader
        self.resolver = resolver
        self.convert_urdf = convert_urdf
        # By file and, where there are any, by the place and text of the params.
        self.models: dict[tuple, Model | None] = {}
        self.merged: dict[int, Model] = {}
        # First light or actor of the files that hold no model, and who has which name beside an include.
        self.others: dict[str, Element] = {}
        self.named: dict[tuple[Element, str], dict[str | None, Element]] = {}
        # What kind of thing an include without a model brought.
        self.tags: dict[Element, str] = {}
        self.lost: dict[Element, list[str]] = {}
        self.active: list[str] = []
        # XML elements of each included file, those that it includes counted each time.
        self.sizes: dict[tuple, int] = {}
        # First model of each included file with all that it includes in place, and its XML elements.
        self.inlined: dict[str, tuple[Element, int]] = {}

    def include(self, element: Element, parent: str) -> Model | None:
        """The model that an ``<include>`` brings, with its overrides; None when it brings none (reported) or no model."""
        path = self._find_file(element) if self._spend(element, "includes", 1) else None
        if path is None:
            self.note_lost(element, name_lost(element, is_merged(element)))
            return None
        for plugin in element.iterchildren("plugin"):
            if not plugin.get("filename"):
                self.reader.found.append(diagnose("attribute-missing", locate(plugin), attribute="filename", tag="plugin"))
        model = self._read_model(path, element, find_params(element))
        if model is not None:
            if is_merged(element):
                self.merged[id(model)] = model
            return self._override(model, element)
        if (other := self.others.get(os.path.realpath(path))) is None:
            self.note_lost(element, name_lost(element, is_merged(element)))
        else:
            self._note_other(element, other, parent)
        return None

    def _spend(self, element: Element, name: str, amount: int, path: str | None = None) -> bool:
        """Count what an include costs; whether it is within the budget. The first that is not is reported."""
        spending = self.reader.spending
        if spending.spend(name, amount):
            return True
        self.reader.found += spending.report(locate(element), path)
        return False

    def note_lost(self, include: Element, names: Iterable[str]) -> None:
        """Remember that what has these names is not in the scope of an include."""
        self.lost.setdefault(include.getparent(), []).extend(names)

    def _note_other(self, include: Element, other: Element, parent: str) -> None:
        """Remember that an include brings a light or an actor, and check its name."""
        self.tags[include] = other.tag
        name = read_child_text(include, "name") or other.get("name", "")
        if other.tag == "light" and parent != "model" and is_reserved(name):
            self.reader.found.append(diagnose("name-reserved", locate(include), kind="light", name=name))
        if parent != "sdf":
            self.check_name(include, other.tag, name)

    def check_name(self, include: Element, tag: str, name: str) -> None:
        """Report the name of what an include brings where another of its kind beside it has it."""
        holder = include.getparent()
        if (named := self.named.get((holder, tag))) is None:
            named = self.named[holder, tag] = {}
            for element in holder.iterchildren(tag):
                named.setdefault(element.get("name"), element)
        first = named.setdefault(name, include)
        if first is not include:
            place = locate(first)
            self.reader.found.append(diagnose("name-duplicate", locate(include), tag=tag, name=name, related=[
                Related(f"<{first.tag}> of that name", place.line, place.path, place.file)]))

    def _find_file(self, element: Element) -> str | None:
        """The SDFormat or URDF file that an ``<include>`` names, None (and a finding) where there is none."""
        found = self.reader.found
        uri = read_child_text(element, "uri")
        if not uri:
            found.append(diagnose("include-without-uri", locate(element)))
            return None
        path = self.resolver.find(uri, file_of(element))
        if path is None:
            found.append(explain_missing(uri, element.find("uri"), self.resolver))
            return None
        if os.path.isdir(path):
            return self._find_model_file(path, uri, element)
        if not os.path.isfile(path):  # a pipe or a device may never end
            found.append(diagnose("include-failed", locate(element), file=path, problem="it is no file"))
            return None
        return path

    def _find_model_file(self, folder: str, uri: str, element: Element) -> str | None:
        """The newest readable SDFormat file that the folder's model.config names."""
        config, file, found = find_model_file(folder, self.resolver)
        if config is None:
            self.reader.found.append(explain_missing(
                uri, element.find("uri"), self.resolver, f"{folder} is a directory without a model.config"))
            return None
        self.reader.found += found
        if file is None:
            self.reader.found.append(diagnose("model-config-incomplete", locate(element), file=config))
            return None
        return file

    def _read_model(self, path: str, element: Element, params: Element | None) -> Model | None:
        """The first model of a file, read once however often it is included without params, or by one include with params."""
        file = os.path.realpath(path)
        if file in self.active:
            chain = [*self.active[self.active.index(file):], file]
            self.reader.found.append(diagnose(
                "include-cycle", locate(element), file=path,
                related=[Related(f"includes {os.path.basename(p)}", file=p) for p in chain[1:]]))
            return None
        key = (file,) if params is None else (file, locate(params), etree.tostring(params, with_tail=False))
        if key in self.models:
            return self.models[key] if self._spend(element, "elements", self.sizes[key], path) else None
        if self._is_too_deep(element):
            return None
        spending = self.reader.spending
        before = spending.spent["elements"]
        self.active.append(file)
        try:
            loaded = self._load_entity(path, element)
            model = None
            if loaded is not None:
                entity, version = loaded
                if params is not None:
                    self._inline_includes(entity)
                    if spending.exceeded:
                        return None
                    apply_params(params, entity, self.reader.found)
                    self.reader.found += check_schema(entity.getparent(), delimiter_banned=False)
                model = self.reader.read_model(entity, version)
                if spending.exceeded:
                    model = None
            self.models[key], self.sizes[key] = model, spending.spent["elements"] - before
            return model
        finally:
            self.active.pop()

    def _is_too_deep(self, element: Element) -> bool:
        """Whether the files that include each other up to an include are too many; that is reported."""
        budget = self.reader.spending.budget
        if len(self.active) < budget.include_depth:
            return False
        self.reader.found.append(report_exceeded("include_depth", len(self.active) + 1, budget, locate(element)))
        return True

    def _inline_includes(self, model: Element) -> bool:
        """Put what a model includes in the place of the includes, for params that reach into it.

        False where a file that includes itself stays out, so that what became of the model depends on who includes it.
        """
        whole = True
        for include in [i for i in model.iter("include") if next(i.iterancestors("plugin"), None) is None]:
            if not self._spend(include, "includes", 1):
                continue
            known = len(self.reader.found)
            path = self._find_file(include)
            loops = path is not None and os.path.realpath(path) in self.active
            if path is None or loops or is_merged(include):
                del self.reader.found[known:]  # it stays an include, which is reported when the model is read
                whole = whole and not loops
                continue
            entity, alike = self._load_inlined(path, include)
            whole = whole and alike
            if entity is not None:
                if name := read_child_text(include, "name"):
                    entity.set("name", name)
                for tag in ("pose", "static"):
                    if (child := include.find(tag)) is not None:
                        for old in entity.findall(tag):
                            entity.remove(old)
                        entity.append(child)
                if frame := read_child_text(include, "placement_frame"):
                    entity.set("placement_frame", frame)
                include.getparent().replace(include, entity)
        return whole

    def _load_inlined(self, path: str, include: Element) -> tuple[Element | None, bool]:
        """Element of the first model of a file with all that it includes in place, made once for each file; and what
        :meth:`_inline_includes` says of it."""
        key = os.path.realpath(path)
        if key in self.inlined:
            made, size = self.inlined[key]
            return (deepcopy(made) if self._spend(include, "elements", size, path) else None), True
        if self._is_too_deep(include):
            return None, True
        before = self.reader.spending.spent["elements"]
        self.active.append(key)
        try:
            if (loaded := self._load_entity(path, include)) is None:
                return None, True
            whole = self._inline_includes(loaded[0])
        finally:
            self.active.pop()
        if self.reader.spending.exceeded:
            return None, True
        if whole:
            self.inlined[key] = deepcopy(loaded[0]), self.reader.spending.spent["elements"] - before
        return loaded[0], whole

    def _load_entity(self, path: str, element: Element) -> tuple[Element, str] | None:
        """Element of the first model of a file, upgraded and checked, and the version it was written in."""
        found = self.reader.found
        try:
            content = self._read_other_format(path)
            if content is None:
                with open(path, "rb") as stream:
                    content = read_bounded(stream, self.reader.spending.left("bytes"))
        except Exception as error:  # a reader is somebody else's code
            problem = getattr(error, "strerror", None) or str(error)
            found.append(diagnose("include-failed", locate(element), file=path, problem=problem))
            return None
        document, findings = read_xml(content, path, spending=self.reader.spending)
        found += findings
        if document is not None and document.root.tag == "robot" and self.convert_urdf:
            document, findings = self.convert_urdf(document)
            found += findings
        if document is None:
            return None
        if document.root.tag != "sdf":
            found.append(diagnose("not-a-robot-description", locate(document.root), tag=tag_of(document.root)))
            return None
        return self._find_entity(document, path, element)

    def _read_other_format(self, path: str) -> str | bytes | None:
        """SDFormat text that one of the caller's readers makes of a file, the last given first; None where none does."""
        if path.endswith((".sdf", ".world")):
            return None
        return next((text for read in reversed(self.resolver.readers) if (text := read(path)) is not None), None)

    def _find_entity(self, document: Document, path: str, element: Element) -> tuple[Element, str] | None:
        found = self.reader.found
        version = self.reader.prepare(document)
        if version is None:
            return None
        entities = [c for c in document.root if c.tag in ("model", "actor", "light")]
        if not entities:
            found.append(diagnose("include-without-entity", locate(element), file=path))
            return None
        if len(entities) > 1:
            found.append(diagnose("include-several-entities", locate(element), file=path, tag=entities[0].tag))
        first = next((e for e in entities if e.tag == "model"), None)
        if first is None:
            self.others[os.path.realpath(path)] = entities[0]
        if first is None and is_merged(element):
            found.append(diagnose("merge-unsupported", locate(element), problem=f"{path} holds no model to merge"))
        return None if first is None else (first, version)

    def _override(self, model: Model, element: Element) -> Model:
        """`model` with the name, pose, static flag and placement frame that the include gives."""
        changes: dict = {"include": element}
        if name := read_child_text(element, "name"):
            changes["name"] = name
        pose = element.find("pose")
        if pose is not None:
            changes["pose"] = read_pose_element(pose)
        if element.find("static") is not None:
            changes["static"] = read_child_bool(element, "static")
        if (frame := element.find("placement_frame")) is not None:
            value = collapse_blanks(frame.text or "")
            if pose is None:
                self.reader.found.append(diagnose("placement-frame-without-pose", locate(frame)))
            elif value == ROOT:
                self.reader.found.append(diagnose("reference-reserved", locate(frame), tag="placement_frame"))
            elif value:
                changes["placement_frame"] = value
        return replace(model, **changes)


def is_merged(include: Element) -> bool:
    return bool(read_bool(include.get("merge", "")))


def explain_missing(uri: str, element: Element, resolver: Resolver, problem: str = ""):
    """The finding for a URI that leads nowhere, with the paths that were tried."""
    hint = problem or explain_tried(uri, file_of(element), resolver)
    return diagnose("uri-not-found", locate(element), uri=uri, hint=hint)


def explain_tried(uri: str, base_file: str | None, resolver: Resolver) -> str:
    """Where a URI was looked for, for people."""
    tried = resolver.candidates(uri, base_file)
    if uri.startswith(("http://", "https://")):
        return "nothing is downloaded; put the model into the local Fuel cache or refer to a local copy"
    if tried:
        return "tried " + ", ".join(tried[:12]) + (f" and {len(tried) - 12} more" if len(tried) > 12 else "")
    if resolver.paths:
        return "it names nothing below the resource paths"
    return "no resource path is set; give --resource-path DIR, where DIR/NAME is the model or package"
