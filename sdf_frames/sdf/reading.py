"""The state of reading one document and its includes; finds and reads the included files."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.budget import Spending, report_exceeded
from sdf_frames.document.elements import Element, child_or_self, file_of, locate
from sdf_frames.document.uri_hints import report_missing
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import Document, read_xml, report_root
from sdf_frames.sdf.entities import read_child_text
from sdf_frames.sdf.model import Model
from sdf_frames.sdf.model_folder import ModelFolder, find_model_file, report_incomplete

if TYPE_CHECKING:
    from sdf_frames.document.memory import Memory

#: Converts a URDF document to an SDF document, or returns None; findings are appended to the list.
ConvertUrdf = Callable[[Document, list[Diagnostic]], "Document | None"]
#: Reads a ``<model>`` of a file that was written in a version of SDFormat.
ReadModel = Callable[[Element, str, "Reading"], Model]


class Reading:
    """The state that the functions share while they read a document; each function takes it as an argument.

    Attributes
    ----------
    resolver, convert_urdf, read_model : find included files, convert those that are URDF, and read their models.
    spending : what the load has spent of its budget.
    memory : keeps included files for other loads; None if there are no other loads.
    found : the findings so far, in order.
    files : the included files that were read.
    chain : real paths of the files that include each other, from the document to the file being read.
    model_depth : how many models are nested around the current element.
    delimiter_banned : whether the document itself was written in 1.8 or later: then no file that it includes may have
        ``::`` in names either, however old.
    folders : the result of :func:`sdf_frames.sdf.model_folder.find_model_file` for each included folder.
    models, sizes : the models of included files, and the XML elements that each costs, by file and, for an include with
        params, the place and text of the params.
    inlined : first model of each included file with all its includes in place, and its XML elements.
    others : first light or actor of each included file without a model.
    brought : ``"light"`` or ``"actor"`` for each include of a light or actor.
    named : by parent and tag, the elements of each name: lights, actors and misplaced models of includes.
    merged : included models that were merged into others, before that; by `id`, and what their includes change.
    missing : names that are missing because includes failed, by the parent of the include.
    """

    def __init__(self, resolver: Resolver, convert_urdf: ConvertUrdf | None, spending: Spending,
                 memory: Memory | None = None):
        self.resolver, self.convert_urdf = resolver, convert_urdf
        self.read_model: ReadModel  # set only if models are read
        self.spending, self.memory = spending, memory
        self.found: list[Diagnostic] = []
        self.files: dict[str, None] = {}
        self.chain: list[str] = []
        self.model_depth = 0
        self.delimiter_banned: bool  # set when the document is prepared
        self.folders: dict[str, ModelFolder] = {}
        self.models: dict[tuple[object, ...], Model | None] = {}
        self.sizes: dict[tuple[object, ...], int] = {}
        self.inlined: dict[str, tuple[Element, int]] = {}
        self.others: dict[str, Element] = {}
        self.brought: dict[Element, str] = {}
        self.named: dict[tuple[Element, str], dict[str | None, Element]] = {}
        self.merged: dict[tuple[object, ...], Model] = {}
        self.missing: dict[Element, list[str]] = {}

    def spend(self, element: Element, name: str, amount: int, path: str | None = None) -> bool:
        """Count the cost of an include; return whether it is within the budget. The first excess is reported."""
        if self.spending.spend(name, amount):
            return True
        self.found += self.spending.report(locate(element), path)
        return False

    def note_missing(self, include: Element, names: Iterable[str]) -> None:
        """Record that these names are missing in the parent of `include`."""
        parent = include.getparent()
        assert parent is not None
        self.missing.setdefault(parent, []).extend(names)

    def may_go_deeper(self, include: Element) -> bool:
        """Return whether one more file may be included from this one; too long a chain is reported."""
        budget = self.spending.budget
        if len(self.chain) < budget.include_depth:
            return True
        self.found.append(report_exceeded("include_depth", len(self.chain), budget, locate(include)))
        return False

    @contextmanager
    def inside(self, file: str) -> Iterator[None]:
        """Read with `file` as the last of the chain."""
        self.chain.append(file)
        try:
            yield
        finally:
            self.chain.pop()


def find_included_file(include: Element, reading: Reading) -> str | None:
    """Find the SDFormat or URDF file that an ``<include>`` names; None, with a finding, if there is none."""
    found = reading.found
    uri = read_child_text(include, "uri")
    if not uri:
        found.append(diagnose("include-without-uri", locate(include)))
        return None
    at = child_or_self(include, "uri")
    path = reading.resolver.find(uri, file_of(include))
    if path is None:
        found.append(report_missing(uri, at, reading.resolver))
        return None
    door = reading.resolver.door
    if door.is_folder(path):
        if path not in reading.folders:
            reading.folders[path] = find_model_file(path, door)
        folder = reading.folders[path]
        if folder.config is None:
            found.append(report_missing(uri, at, reading.resolver, f"{path} is a directory without a model.config"))
            return None
        found += folder.findings
        if folder.file is None:
            found.append(report_incomplete(folder, locate(include)))
        return folder.file
    if not door.is_file(path):
        found.append(diagnose("include-failed", locate(include), file=path, problem="it is not a file"))
        return None
    return path


def read_included_text(path: str, include: Element, reading: Reading) -> str | bytes | None:
    """Read the text of an included file, or the text that a reader of the caller returns; None on failure."""
    texts = reading.resolver.texts
    if path not in texts:
        try:
            content = _read_other_format(path, reading.resolver)
            if content is None:
                content = reading.resolver.door.read(path, reading.spending.left("bytes"))
        except Exception as error:  # readers are code of the caller
            problem = getattr(error, "strerror", None) or str(error)
            reading.found.append(diagnose("include-failed", locate(include), file=path, problem=problem))
            return None
        texts[path] = content
    return texts[path]


def parse_included_text(content: str | bytes, path: str, reading: Reading) -> Document | None:
    """Parse the text of an included file, and convert a URDF; None, with a finding, if it is not a robot or world."""
    found = reading.found
    document, findings = read_xml(content, path, spending=reading.spending)
    found += findings
    if document is not None and document.root.tag == "robot" and reading.convert_urdf:
        document = reading.convert_urdf(document, found)
    if document is not None and document.root.tag != "sdf":
        found.append(report_root(document.root))
        return None
    return document


def _read_other_format(path: str, resolver: Resolver) -> str | bytes | None:
    """Return the SDFormat text of a file from one of the caller's readers, the last one first; None without one."""
    if path.endswith((".sdf", ".world")):
        return None
    texts = (read(path) for read in reversed(resolver.readers))
    return next((text for text in texts if text is not None), None)
