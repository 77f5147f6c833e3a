"""Reads the names in an included file before the file itself is read.

References into included files can be settled only if the names in these files are known.
"""
from __future__ import annotations

import os
import re

from lxml import etree

from sdf_frames.diagnostics import Diagnostic
from sdf_frames.document.budget import Budget, Spending, read_bounded
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import Document, Element, file_of
from sdf_frames.sdf.entities import read_child_text
from sdf_frames.sdf.included_file import find_included_file, read_included_document
from sdf_frames.sdf.reading import Reading
from sdf_frames.sdf.scopes import Included, build_scope
from sdf_frames.sdf.settle import choose_reading_rules, settle_names

_VERSION = re.compile(rb"<sdf\b[^>]*?\bversion\s*=\s*[\"']\s*([0-9.]+)")


class LookAhead:
    """Gives the names in the models that includes bring. It reads each file once, with a budget of its own.

    Errors in a file are not reported here, but when the file is included.

    Attributes
    ----------
    calls : how often it was called.
    """

    def __init__(self, resolver: Resolver, budget: Budget):
        self._reading = Reading(resolver, _name_robot, Spending(budget))
        self._files: dict[str, Included | None] = {}
        self.calls = 0

    def __call__(self, include: Element, wanted: bool) -> Included | None:
        """Return the names of an include's model; None if there is no model, or if no name changes or is `wanted`."""
        self.calls += 1
        reading = self._reading
        reading.found.clear()
        known = reading.resolver.find(read_child_text(include, "uri"), file_of(include)) is not None
        path = find_included_file(include, reading) if reading.spend(include, "includes", 1) and known else None
        if path is None or (file := os.path.realpath(path)) in reading.chain or not reading.may_go_deeper(include):
            return None
        if not wanted and file not in self._files and not _may_change(path):
            return None
        if file not in self._files:
            with reading.inside(file):
                self._files[file] = self._read(path, include)
        return self._files[file]

    def _read(self, path: str, include: Element) -> Included | None:
        document = read_included_document(path, include, self._reading)
        if document is None:
            return None
        rules = choose_reading_rules(document.root.get("version", "").strip())
        scopes = settle_names(document.root, rules, self)[1]
        model = document.root.find("model")
        if model is None:
            return None
        scope = next((s for s in scopes if s.element is model), None) or build_scope(model, self)
        return Included(model.get("name", "").strip(), scope)


def _may_change(path: str) -> bool:
    """Return whether names may change in a file or its includes: if the file is old SDFormat, or has includes."""
    try:
        with open(path, "rb") as stream:
            content = read_bounded(stream)
    except OSError:
        return False
    match = _VERSION.search(content)
    return match is not None and (bool(choose_reading_rules(match[1].decode())) or b"<include" in content)


def _name_robot(document: Document, _found: list[Diagnostic]) -> Document:
    """Return a document with nothing but the name of a URDF's robot: its names need no settling."""
    root = etree.Element("sdf")
    etree.SubElement(root, "model", name=document.root.get("name", ""))
    return Document(root, document.file)
