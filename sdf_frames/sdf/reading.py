"""The state of reading one document and everything that it includes."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sdf_frames.diagnostics import Diagnostic
from sdf_frames.document.budget import Spending, report_exceeded
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import Document, Element, locate
from sdf_frames.sdf.model import Model

if TYPE_CHECKING:
    from sdf_frames.document.memory import Memory

#: Converts a URDF document to an SDF document, or returns None; findings are appended to the list.
ConvertUrdf = Callable[[Document, list[Diagnostic]], "Document | None"]
#: Reads a ``<model>`` of a file that was written in a version of SDFormat.
ReadModel = Callable[[Element, str, "Reading"], Model]


class Reading:
    """What the functions that read a document share; each function takes it as an argument.

    Attributes
    ----------
    resolver, convert_urdf, read_model : find included files, convert those that are URDF, and read their models.
    spending : what the load has spent of its budget.
    memory : keeps included files for other loads; None if there are none.
    found : the findings so far, in order.
    chain : real paths of the files that include each other down to the one being read, the document first.
    model_depth : how many models are nested around what is being read.
    delimiter_banned : whether the document itself was written in 1.8 or later: then no file that it includes may have
        ``::`` in names either, however old.
    folders : what :func:`sdf_frames.sdf.model_folder.find_model_file` says of each folder that is included.
    models, sizes : the models of included files, and the XML elements that each costs, by file and, for an include with
        params, the place and text of the params.
    inlined : first model of each included file with all that it includes in place, and its XML elements.
    others : first light or actor of each included file without a model.
    brought : ``"light"`` or ``"actor"`` for each include that brought one of these, and no model.
    named : by parent and tag, the elements of each name: lights, actors and misplaced models that includes bring.
    merged : by `id`, included models that were merged into others, as their files have them.
    missing : names that failed includes should have brought, by the parent of the include.
    """

    def __init__(self, resolver: Resolver, convert_urdf: ConvertUrdf | None, spending: Spending,
                 memory: Memory | None = None):
        self.resolver, self.convert_urdf = resolver, convert_urdf
        self.read_model: ReadModel  # set where models are read: a look ahead reads none
        self.spending, self.memory = spending, memory
        self.found: list[Diagnostic] = []
        self.chain: list[str] = []
        self.model_depth = 0
        self.delimiter_banned: bool  # set when the document is prepared
        self.folders: dict[str, tuple[str | None, str | None, tuple[Diagnostic, ...]]] = {}
        self.models: dict[tuple[object, ...], Model | None] = {}
        self.sizes: dict[tuple[object, ...], int] = {}
        self.inlined: dict[str, tuple[Element, int]] = {}
        self.others: dict[str, Element] = {}
        self.brought: dict[Element, str] = {}
        self.named: dict[tuple[Element, str], dict[str | None, Element]] = {}
        self.merged: dict[int, Model] = {}
        self.missing: dict[Element, list[str]] = {}

    def spend(self, element: Element, name: str, amount: int, path: str | None = None) -> bool:
        """Count the cost of an include; return whether it is within the budget. The first excess is reported."""
        if self.spending.spend(name, amount):
            return True
        self.found += self.spending.report(locate(element), path)
        return False

    def note_missing(self, include: Element, names: Iterable[str]) -> None:
        """Remember that the parent of `include` lacks what has these names."""
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
