"""Says what programs make of a robot: which rows of the table of behaviours concern it, with its names and numbers.

Each row of ``data/behaviours.tsv`` was seen on a run of the program (``test/peers/test_behaviours.py`` runs it again).
What has no row is not known.
"""
from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from sdf_frames.checks.programs import CONSUMERS, is_survey, numbers_of
from sdf_frames.diagnostics import ERROR, WARNING, Diagnostic, Location, diagnose, times_of
from sdf_frames.document.elements import Element, locate

if TYPE_CHECKING:
    from sdf_frames.checks.features import Feature

SAME, REFUSED = "same", "refused"
#: What becomes of a feature, with the rule that tells it.
EFFECTS = {REFUSED: "program-refuses", "told": "program-tells", "changed": "program-changes", "lost": "program-loses",
           "fails-later": "program-fails-later"}


class Row(NamedTuple):
    """What a program makes of a feature.

    Attributes
    ----------
    kind : of descriptions: ``urdf`` or ``sdf``.
    since, until : the first version that does so, and the first that does not any more; empty if that is not known.
    seen : what the small robot of test/peers gave, as JSON; empty if the program did not get so far.
    sentence : what becomes of it; fields of its detector in braces.
    rule : code of the rule that already tells it.
    source : the version that was run, and how.
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
    """What a program makes of an element."""

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
        """What becomes of it there."""
        return f"{self.feature.says.format(**self.fields)}; {self.row.sentence.format(**self.fields)}"

    @property
    def is_told(self) -> bool:
        """Whether a check of the program tells it."""
        return bool(self.row.rule)


@cache
def read_rows() -> tuple[Row, ...]:
    """The whole table."""
    with open(os.path.join(os.path.dirname(__file__), "data", "behaviours.tsv"), encoding="utf-8") as stream:
        return tuple([Row(*line.split("\t")) for line in stream.read().splitlines()[1:]])


@cache
def _sort_rows() -> Mapping[tuple[str, str], list[Row]]:
    """The rows of each program and kind that are worth a word."""
    rows: dict[tuple[str, str], list[Row]] = {}
    for row in read_rows():
        if row.effect != SAME:
            rows.setdefault((row.program, row.kind), []).append(row)
    return rows


def list_rows(consumer: str, kind: str) -> list[Row]:
    """The rows that hold for a program in the version that is asked for, but for those where it does as is meant."""
    base, _, version = consumer.partition("@")
    rows = _sort_rows().get((base, kind), [])
    if not version:
        return [row for row in rows if not row.until]
    asked = numbers_of(version)
    return [row for row in rows if (not row.since or asked >= numbers_of(row.since)[:len(asked)])
            and (not row.until or asked < numbers_of(row.until)[:len(asked)])]


def features_of(kind: str) -> Mapping[str, Feature]:
    """The features of a kind of descriptions that there is a detector for, by name."""
    from sdf_frames.checks.features import FEATURES
    if kind == "sdf":
        import sdf_frames.checks.features_sdf  # noqa: F401 - it fills the table
    return FEATURES[kind]


def find_becomes(parts: Any, kind: str, consumers: Collection[str]) -> Iterator[Becoming]:
    """Find what programs make of the parts of a description of a kind: each element of each feature, by feature."""
    rows: dict[str, list[tuple[str, Row]]] = {}
    for consumer in consumers:
        for row in list_rows(consumer, kind):
            rows.setdefault(row.feature, []).append((consumer, row))
    if not rows:
        return
    for name, feature in features_of(kind).items():
        if name in rows:
            for element, fields in feature.find(parts):
                if kind == "sdf" and (locate(element).path or "").startswith("/robot"):
                    continue  # of a URDF that is included: its own features are others
                for consumer, row in rows[name]:
                    yield Becoming(feature, row, consumer, element, fields)


def report_becomes(found: Iterable[Becoming], asked: Collection[str]) -> Iterator[Diagnostic]:
    """Report each feature once for all programs that make the same of it, where it is found first.

    What a program refuses is an error if the program was `asked` for by name. It is a warning if all were, or if the
    program has a verdict on loading, which its own rules decide.
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
                       )._replace(consumers=tuple(group), severity=ERROR if is_error else WARNING)


def to_json(one: Becoming) -> dict[str, object]:
    """What ``check --json`` prints."""
    at = one.at
    return {"feature": one.row.feature, "effect": one.row.effect, "message": one.message, "line": at.line,
            "path": at.path, "since": one.row.since or None, "until": one.row.until or None}
