"""Finds the rows of the table of behaviours that apply to a robot, with its names and numbers.

A row says what a program does with a feature of a robot. Each row of ``data/behaviours.tsv`` was seen on a run of the
program (``test/peers/test_behaviours.py`` runs it again). A feature without a row was not tested.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from sdf_frames.checks.programs import CONSUMERS, is_survey, numbers_of
from sdf_frames.diagnostics import ANOTHER, ERROR, WARNING, Diagnostic, Location, diagnose, relate, times_of
from sdf_frames.document.elements import Element, locate
from sdf_frames.document.own_data import read_table

if TYPE_CHECKING:
    from sdf_frames.checks.features import Feature
    from sdf_frames.document.uris import Resolver

SAME, REFUSED = "same", "refused"
#: What a program does with a feature, and the rule that reports it.
EFFECTS = {REFUSED: "program-refuses", "told": "program-tells", "changed": "program-changes", "lost": "program-loses",
           "fails-later": "program-fails-later"}


class Row(NamedTuple):
    """What a program does with a feature.

    Attributes
    ----------
    kind : the format of the description: ``urdf`` or ``sdf``.
    since, until : the first version with this behaviour, and the first without it again; empty if not known.
    seen : the result for the small robot of test/peers, as JSON; empty if the program gave none.
    sentence : the behaviour in words, with fields of the detector in braces.
    rule : code of the rule that already reports the behaviour.
    source : the package and version that was run.
    """

    feature: str
    kind: str
    program: str
    effect: str
    since: str
    until: str
    seen: str
    sentence: str
    rule: str
    source: str


class Becoming(NamedTuple):
    """What a program does with an element."""

    feature: Feature
    row: Row
    program: str
    element: Element | None
    fields: dict[str, Any]

    @property
    def at(self) -> Location:
        """The place of the element."""
        return locate(self.element)

    @property
    def message(self) -> str:
        """The feature, and what the program does with it."""
        return f"{self.feature.says.format(**self.fields)}; {self.row.sentence.format(**self.fields)}"

    @property
    def is_told(self) -> bool:
        """Whether a rule of the program already reports it."""
        return bool(self.row.rule)


@cache
def read_rows() -> tuple[Row, ...]:
    """Read the whole table."""
    return tuple([Row(*cells) for cells in read_table(__file__, "behaviours.tsv")])


@cache
def _sort_rows() -> Mapping[tuple[str, str], list[Row]]:
    """Return the rows to report, by program and format: all but those with the effect ``same``."""
    rows: dict[tuple[str, str], list[Row]] = {}
    for row in read_rows():
        if row.effect != SAME:
            rows.setdefault((row.program, row.kind), []).append(row)
    return rows


def list_rows(consumer: str, kind: str) -> list[Row]:
    """Return the rows that apply to a program, in the version that is asked for, without the effect ``same``."""
    base, _, version = consumer.partition("@")
    rows = _sort_rows().get((base, kind), [])
    if not version:
        return [row for row in rows if not row.until]
    asked = numbers_of(version)
    return [row for row in rows if (not row.since or asked >= numbers_of(row.since)[:len(asked)])
            and (not row.until or asked < numbers_of(row.until)[:len(asked)])]


def features_of(kind: str) -> Mapping[str, Feature]:
    """Return the features of a format that have a detector, by name."""
    from sdf_frames.checks.features import FEATURES
    import_module(f"sdf_frames.checks.features_{kind}")  # it fills the table
    return FEATURES[kind]


def find_becomes(parts: Any, kind: str, consumers: Collection[str], resolver: Resolver) -> Iterator[Becoming]:
    """Find what programs do with the parts of a description: each element of each feature, by feature."""
    rows: dict[str, list[tuple[str, Row]]] = {}
    for consumer in consumers:
        for row in list_rows(consumer, kind):
            rows.setdefault(row.feature, []).append((consumer, row))
    if not rows:
        return
    for name, feature in features_of(kind).items():
        if name in rows:
            for element, fields in feature.find(parts, resolver):
                if kind == "sdf" and (locate(element).path or "").startswith("/robot"):
                    continue  # an element of an included URDF, which has features of its own
                for consumer, row in rows[name]:
                    yield Becoming(feature, row, consumer, element, fields)


def report_becomes(found: Iterable[Becoming], asked: Collection[str]) -> Iterator[Diagnostic]:
    """Report each feature once for all programs on which it has the same effect, at its first element.

    A feature that a program refuses is an error if the program is among those `asked` for by name. It is a warning if
    all programs were asked for, or if the program has a verdict on loading: then its own rules decide.
    """
    errors = not is_survey(asked)
    groups: dict[tuple[str, str, bool], dict[str, list[Becoming]]] = {}
    for one in found:
        if not one.is_told:
            is_error = errors and one.row.effect == REFUSED and not CONSUMERS[one.program].loads
            groups.setdefault((one.row.feature, one.row.effect, is_error), {}).setdefault(one.program, []).append(one)
    for (_, effect, is_error), group in groups.items():
        (first, *others), *_ = group.values()
        alike: dict[str, list[str]] = {}
        for program, (one, *_) in group.items():
            alike.setdefault(one.row.sentence.format(**one.fields), []).append(CONSUMERS[program].name)
        yield diagnose(EFFECTS[effect], first.at, what=first.feature.says.format(**first.fields),
                       becomes="; ".join(f"in {', '.join(names)}: {text}" for text, names in alike.items()),
                       times=times_of(1 + len(others)), hint=first.feature.hint or None,
                       related=[relate(ANOTHER, one.at) for one in others],
                       )._replace(consumers=tuple(group), severity=ERROR if is_error else WARNING)


def to_json(one: Becoming) -> dict[str, object]:
    """Return the row that ``check --json`` prints."""
    at = one.at
    return {"feature": one.row.feature, "effect": one.row.effect, "message": one.message, "line": at.line,
            "path": at.path, "since": one.row.since or None, "until": one.row.until or None}
