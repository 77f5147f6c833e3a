"""The diagnostic, its place, and how one is made from a catalogue row."""

import re
from collections.abc import Iterable
from typing import NamedTuple

ERROR, WARNING, INFO = "error", "warning", "info"
RANKS = {INFO: 1, WARNING: 2, ERROR: 3}
_STEP = re.compile(r"""/((?:\[@\w+=".*?"\](?=[/\[]|$)|[^/])+)""", re.DOTALL)
_NAME = re.compile(r"""\[@name="(.*)"\]$""", re.DOTALL)


class Location(NamedTuple):
    """A place in an input; each field is None where it is unknown.

    Attributes
    ----------
    file : file name.
    line, column : from 1, of the ``<`` of an element's start tag, or of the attribute's value where one is at fault. A
        column counts characters (Unicode code points); a tab is one.
    path : XPath-like path with names.
    """

    file: str | None = None
    line: int | None = None
    path: str | None = None
    column: int | None = None


def steps_of(path: str | None) -> list[tuple[str, str | None]]:
    """Return the tag of each step of the path of a location, with the name in it, or None; a name may hold ``/``."""
    return [(step.partition("[")[0], name[1] if (name := _NAME.search(step)) else None)
            for step in _STEP.findall(path or "")]


class Related(NamedTuple):
    """Another place that a finding refers to, such as the first of two duplicates."""

    message: str
    line: int | None = None
    path: str | None = None
    file: str | None = None
    column: int | None = None


class Edit(NamedTuple):
    """A range of a file and its new text; lines and columns as in :class:`Location`, the end excluded."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Fix(NamedTuple):
    """A correction for a finding: edits of its file that belong together."""

    message: str
    edits: tuple[Edit, ...]


class Diagnostic(NamedTuple):
    """One finding. The fields are those of the machine-readable output (``check --json``), except `consumers`.

    `consumers` are the only programs that the finding concerns; empty if its rule decides.
    """

    code: str
    name: str
    severity: str
    message: str
    file: str | None = None
    line: int | None = None
    path: str | None = None
    hint: str | None = None
    related: tuple[Related, ...] = ()
    sdformat: str | None = None
    column: int | None = None
    fixes: tuple[Fix, ...] = ()
    consumers: tuple[str, ...] = ()

    def __str__(self) -> str:
        place = self.file or "<text>"
        return f"{place if self.line is None else f'{place}:{self.line}'}: {self.code} {self.message}"

    @property
    def location(self) -> Location:
        """The place of the finding."""
        return Location(self.file, self.line, self.path, self.column)


def relate(message: str, at: Location) -> Related:
    """Return another place that a finding refers to."""
    return Related(message, at.line, at.path, at.file, at.column)


class _Text(str):
    """A text for a message: backslashes, as in a path of Windows, stay single, and ``{field:q}`` is for the shell."""

    __slots__ = ()

    def __repr__(self) -> str:
        return super().__repr__().replace("\\\\", "\\")

    def __format__(self, spec: str) -> str:
        if spec != "q":
            return super().__format__(spec)
        from shlex import quote
        return quote(self)


def diagnose(rule_name: str, at: Location | None = None, /, *, hint: str | None = None,
             related: Iterable[Related] = (), severity: str | None = None, **fields: object) -> Diagnostic:
    """Make a finding of the catalogue row `rule_name`.

    Parameters
    ----------
    rule_name : kebab-case name of a catalogue row.
    at : place of the finding.
    hint : replaces the row's own hint.
    related : other places that the finding refers to.
    severity : replaces the row's own severity.
    **fields : values for the row's message and hint templates.

    Raises
    ------
    KeyError
        No row has that name, or a template field is missing (misuse by the programmer).
    """
    from sdf_frames.diagnostics.catalogue import CATALOGUE  # 2 ms, only for files with findings
    rule = CATALOGUE[rule_name]
    fields = {name: _Text(value) if isinstance(value, str) else value for name, value in fields.items()}
    at = at or Location()
    if hint is None and rule.hint:
        hint = rule.hint.format(**fields)
    return Diagnostic(rule.code, rule.name, severity or rule.severity, rule.template.format(**fields),
                      at.file, at.line, at.path, hint, tuple(related), rule.sdformat, at.column)


def tell_once(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return each finding once, without those that one on the same element explains and that are not more severe."""
    once = list(dict.fromkeys(found))
    if len(once) < 2:
        return once
    from sdf_frames.diagnostics.catalogue import BY_CODE
    explained: dict[tuple[str, str | None, str | None], int] = {}
    for d in once:
        for name in BY_CODE[d.code].explains:
            for file, path in [(d.file, d.path), *[(other.file, other.path) for other in d.related]]:
                explained[name, file, path] = RANKS[d.severity]
    return [d for d in once if RANKS[d.severity] > explained.get((d.name, d.file, d.path), 0)]


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Return whether one of `diagnostics` has severity ``error``."""
    return any(d.severity == ERROR for d in diagnostics)
