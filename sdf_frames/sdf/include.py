"""``<include>``: which file, which entity in it, and what the include overrides."""
from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from sdf_frames.diagnostics import Location, Related, diagnose
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import Document, Element, locate, read_xml
from sdf_frames.sdf.entities import read_child_bool, read_child_text, read_pose_element
from sdf_frames.sdf.model import Model

if TYPE_CHECKING:
    from sdf_frames.sdf.parse import Reader

_NEWEST = (1, 12)


class Includer:
    """Reads included files, each once."""

    def __init__(self, reader: "Reader", resolver: Resolver, convert_urdf):
        self.reader = reader
        self.resolver = resolver
        self.convert_urdf = convert_urdf
        self.models: dict[str, Model | None] = {}
        self.active: list[str] = []

    def include(self, element: Element, parent: str) -> Model | None:
        """The model that an ``<include>`` brings, with its overrides; None when it brings none (reported) or no model."""
        found = self.reader.found
        uri = read_child_text(element, "uri")
        if not uri:
            found.append(diagnose("include-without-uri", locate(element)))
            return None
        base = element.getroottree().docinfo.URL
        path = self.resolver.find(uri, base)
        if path is None:
            found.append(explain_missing(uri, element, self.resolver))
            return None
        if os.path.isdir(path):
            path = self._find_model_file(path, uri, element)
            if path is None:
                return None
        model = self._read_model(path, element)
        return None if model is None else self._override(model, element, parent)

    def _find_model_file(self, folder: str, uri: str, element: Element) -> str | None:
        """The newest readable SDFormat file that the folder's model.config names."""
        config = next((p for name in ("model.config", "manifest.xml")
                       if os.path.isfile(p := os.path.join(folder, name))), None)
        if config is None:
            self.reader.found.append(explain_missing(
                uri, element, self.resolver, f"{folder} is a directory without a model.config"))
            return None
        with open(config, "rb") as stream:
            document, _ = read_xml(stream.read(), config)
        best, best_version = None, None
        for sdf in document.root.findall("sdf") if document else ():
            name = (sdf.text or "").strip()
            version = tuple(int(p) for p in (sdf.get("version") or "0").split(".") if p.isdigit())
            if name and version <= _NEWEST and (best_version is None or version > best_version):
                best, best_version = os.path.join(folder, name), version
        if best is None or not os.path.isfile(best):
            self.reader.found.append(diagnose("model-config-incomplete", locate(element), file=config))
            return None
        return best

    def _read_model(self, path: str, element: Element) -> Model | None:
        """The first model of a file, read once however often it is included."""
        key = os.path.realpath(path)
        found = self.reader.found
        if key in self.active:
            chain = [*self.active[self.active.index(key):], key]
            found.append(diagnose("include-cycle", locate(element), file=path,
                                  related=[Related(f"includes {os.path.basename(p)}", file=p) for p in chain[1:]]))
            return None
        if key in self.models:
            return self.models[key]
        self.active.append(key)
        try:
            self.models[key] = self._read_file(path, element)
        finally:
            self.active.pop()
        return self.models[key]

    def _read_file(self, path: str, element: Element) -> Model | None:
        found = self.reader.found
        try:
            with open(path, "rb") as stream:
                content = stream.read()
        except OSError as error:
            found.append(diagnose("include-failed", locate(element), file=path, problem=error.strerror or str(error)))
            return None
        document, findings = read_xml(content, path)
        found += findings
        if document is not None and document.root.tag == "robot" and self.convert_urdf:
            document, findings = self.convert_urdf(document)
            found += findings
        if document is None:
            return None
        if document.root.tag != "sdf":
            found.append(diagnose("not-a-robot-description", Location(path, 1), tag=document.root.tag))
            return None
        return self._read_entity(document, path, element)

    def _read_entity(self, document: Document, path: str, element: Element) -> Model | None:
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
        return None if first is None else self.reader.read_model(first, version)

    def _override(self, model: Model, element: Element, parent: str) -> Model:
        """`model` with the name, pose, static flag and placement frame that the include gives."""
        changes: dict = {"include": element}
        if name := read_child_text(element, "name"):
            changes["name"] = name
        pose = element.find("pose")
        if pose is not None:
            changes["pose"] = read_pose_element(pose)
        if element.find("static") is not None:
            changes["static"] = read_child_bool(element, "static")
        if (frame := element.find("placement_frame")) is not None and (value := (frame.text or "").strip()):
            if pose is None:
                self.reader.found.append(diagnose("placement-frame-without-pose", locate(frame)))
            elif value == "__root__":
                self.reader.found.append(diagnose("reference-to-root", locate(frame), attribute="placement_frame"))
            else:
                changes["placement_frame"] = value
        return replace(model, **changes)


def explain_missing(uri: str, element: Element, resolver: Resolver, problem: str = ""):
    """The finding for a URI that leads nowhere, with the paths that were tried."""
    tried = resolver.candidates(uri, element.getroottree().docinfo.URL)
    if problem:
        hint = problem
    elif uri.startswith(("http://", "https://")):
        hint = "nothing is downloaded; put the model into the local Fuel cache or include a local copy"
    elif tried:
        hint = "tried " + ", ".join(tried[:12]) + (f" and {len(tried) - 12} more" if len(tried) > 12 else "")
    else:
        hint = "no resource path is set; give --resource-path DIR, where DIR/NAME is the model"
    return diagnose("uri-not-found", locate(element), uri=uri, hint=hint)


