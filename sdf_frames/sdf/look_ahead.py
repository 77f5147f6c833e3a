"""Reads the names in an included file before the file itself is read.

References into included files can be settled only if the names in these files are known.
"""
from __future__ import annotations

import re
from typing import NamedTuple

from lxml import etree

from sdf_frames.diagnostics import Diagnostic
from sdf_frames.document.budget import Budget, Spending
from sdf_frames.document.elements import Element, file_of
from sdf_frames.document.places import make_root
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import Document
from sdf_frames.sdf.entities import read_child_text
from sdf_frames.sdf.reading import Reading, find_included_file, parse_included_text, read_included_text
from sdf_frames.sdf.scopes import Included
from sdf_frames.sdf.settle import choose_reading_rules, settle_scope

_VERSION = re.compile(rb"<sdf\b[^<>]*?\bversion\s*=\s*[\"']\s*([0-9.]+)")


class Seen(NamedTuple):
    """The file of an include: its path, the path without links, and its text."""

    path: str
    file: str
    text: str | bytes


#: By the URI of the include and the file that it is written in; None for a URI that is not found.
AllSeen = dict[tuple[str, "str | None"], "Seen | None"]


class LookAhead:
    """Reads the names in the models that one document includes. It has a budget of its own.

    The results depend only on the document, the budget and the files that were read.
    Errors in a file are not reported here, but when the file is included.

    `seen` are the files whose names were asked for, also those in which no name changes.
    """

    def __init__(self, resolver: Resolver, budget: Budget):
        self._reading = Reading(resolver, _name_robot, Spending(budget))
        self._files: dict[str, Included | None] = {}
        self.seen: AllSeen = {}

    def __call__(self, include: Element, wanted: bool) -> Included | None:
        """Return the names of an include's model; None if there is no model, or if no name changes or is `wanted`."""
        reading = self._reading
        reading.found.clear()
        within = reading.spend(include, "includes", 1)
        seen = self._see(read_child_text(include, "uri"), file_of(include)) if within else None
        if seen is None or seen.file in reading.chain or not reading.may_go_deeper(include):
            return None
        if seen.file not in self._files:
            if not wanted and not _may_change(seen.text):
                return None
            with reading.inside(seen.file):
                self._files[seen.file] = self._read(seen)
        return self._files[seen.file]

    def sees(self, seen: AllSeen) -> bool:
        """Return whether includes still lead to the files that another look-ahead has seen."""
        return all(self._see(uri, base) == before for (uri, base), before in seen.items())

    def _see(self, uri: str, base: str | None) -> Seen | None:
        """Find and read the file of an include with this URI in the file `base`."""
        if (uri, base) not in self.seen:
            reading = self._reading
            include = make_root("include", base)
            etree.SubElement(include, "uri").text = uri
            path = find_included_file(include, reading) if reading.resolver.find(uri, base) is not None else None
            text = None if path is None else read_included_text(path, include, reading)
            known = None if path is None or text is None else Seen(path, reading.resolver.door.real(path), text)
            self.seen[uri, base] = known
        return self.seen[uri, base]

    def _read(self, seen: Seen) -> Included | None:
        document = parse_included_text(seen.text, seen.path, self._reading)
        if document is None:
            return None
        if (model := document.root.find("model")) is not None:
            rules = choose_reading_rules(document.root.get("version", "").strip())
            return Included(model.get("name", "").strip(), settle_scope(document.root, rules, model, self))
        if (include := document.root.find("include")) is None or (included := self(include, True)) is None:
            return None
        return included._replace(name=read_child_text(include, "name") or included.name)


def _may_change(text: str | bytes) -> bool:
    """Return whether names may change in a file or its includes: if the file is old SDFormat, or has includes."""
    content = text.encode(errors="surrogatepass") if isinstance(text, str) else text
    match = _VERSION.search(content)
    return match is not None and (bool(choose_reading_rules(match[1].decode())) or b"<include" in content)


def _name_robot(document: Document, _found: list[Diagnostic]) -> Document:
    """Return a document with only the name of a URDF's robot: its names need no settling."""
    root = etree.Element("sdf")
    etree.SubElement(root, "model", name=document.root.get("name", ""))
    return Document(root, document.file)
