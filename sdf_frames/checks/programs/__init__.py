"""The programs that a description is judged for, one file each, and the severity of a finding for each program.

Each file here defines ``PROGRAM``. ``checks/data/behaviours.tsv`` says what the program does with a robot.
"""
from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from sdf_frames.diagnostics import ERROR, RANKS, Diagnostic, Location, diagnose, suggest_name
from sdf_frames.document.door import UNCONFINED

if TYPE_CHECKING:
    from sdf_frames.diagnostics.catalogue import Rule


class Program(NamedTuple):
    """A program that reads descriptions.

    Attributes
    ----------
    key : the name to ask for, such as ``drake``; ``drake@1.36`` asks for an older version.
    version : the version that the rules were compared with.
    reads : the formats that the program reads.
    loads : what a valid verdict means; empty if there is no verdict on loading, only rows of behaviours.
    oldest : the oldest version that was run on the small robots of test/peers; empty if only `version` was.
    checks, sdf_checks : functions that find what the program refuses or misreads in a URDF, and in SDFormat; several
        programs may share one.
    version_checks : functions that find what the program refuses in a URDF; they also get the numbers of the version.
    via : key of the program whose reader this program uses; it refuses what that program refuses.
    """

    key: str
    name: str
    version: str
    reads: tuple[str, ...] = ("urdf",)
    loads: str = ""
    oldest: str = ""
    checks: tuple[Callable[..., Iterable[Diagnostic]], ...] = ()
    sdf_checks: tuple[Callable[..., Iterable[Diagnostic]], ...] = ()
    version_checks: tuple[Callable[..., Iterable[Diagnostic]], ...] = ()
    via: str = ""

    @property
    def base(self) -> str:
        """The key without a version."""
        return self.key.partition("@")[0]

    @property
    def held_against(self) -> str:
        """The versions that rules were compared with."""
        return f"{self.name} {self.version}" + (f" and {self.oldest}" if self.oldest else "")


class _Programs(Mapping[str, Program]):
    """The programs by key, each imported when it is asked for; Gazebo and ROS come first."""

    def __iter__(self) -> Iterator[str]:
        return iter(_list_keys())

    def __len__(self) -> int:
        return len(_list_keys())

    def __getitem__(self, key: str) -> Program:
        base, _, version = key.partition("@")
        if base not in _list_keys():
            raise KeyError(key)
        program: Program = import_module(f"{__name__}.{base}").PROGRAM
        return program._replace(key=key, version=version) if version else program


@cache
def _list_keys() -> tuple[str, ...]:
    files = UNCONFINED.list_names(os.path.dirname(__file__))  # importing pkgutil takes 2 ms
    names = [name.removesuffix(".py") for name in files if name.endswith(".py") and name != "__init__.py"]
    return (GAZEBO, "ros", *[name for name in names if name not in (GAZEBO, "ros")])


GAZEBO = "gazebo"
CONSUMERS = _Programs()
KINDS = {"urdf": "URDF", "sdf": "SDFormat"}


def numbers_of(version: str) -> tuple[int, ...]:
    """Return the numbers of a version, for comparisons."""
    return tuple([int(part) for part in version.split(".") if part.isdecimal()])


def list_judges() -> dict[str, Program]:
    """Return the programs that have a verdict on loading."""
    return {key: program for key, program in CONSUMERS.items() if program.loads}


def read_consumers(words: Iterable[str]) -> tuple[str, ...]:
    """Read keys of programs, also several separated by commas; ``all`` stands for all programs.

    Raises
    ------
    ValueError
        A program is unknown.
    """
    keys = [read_consumer(key, (*CONSUMERS, "all")) for word in words for key in word.split(",")]
    return tuple(CONSUMERS) if "all" in keys else tuple(dict.fromkeys(keys))


def read_consumer(word: str, known: Sequence[str]) -> str:
    """Read the key of one of the `known` programs; raise ValueError for another word."""
    key = word.strip().lower().replace("-", "_")
    base, at, version = key.partition("@")
    if base not in known or at and (base == "all" or not version[:1].isdigit()):
        others = f"write {', '.join(known[:-1])} or {known[-1]}"
        if base in CONSUMERS and base not in known:
            raise ValueError(f"there is no verdict on loading for {base!r}; {others} ('sdf_frames check --for {base}' "
                             "says what it changes in a robot)")
        raise ValueError(f"unknown program {key!r}; {suggest_name(base, known) or others}")
    return key


def severity_for(rule: Rule, consumer: str, kind: str | None, severity: str) -> str:
    """Return the severity of a rule's finding for a program; empty if the finding does not concern the program.

    Parameters
    ----------
    kind : the format of the description: ``urdf``, ``sdf``, or None for neither.
    severity : the severity of the finding, which is the one for Gazebo.
    """
    family, program = rule.code[0], CONSUMERS[consumer]
    if program.key != program.base and (since := re.match(r"since (\d[\d.]*)", rule.since.get(program.base, ""))):
        asked, first = numbers_of(program.version), numbers_of(since[1])
        if asked < first[:len(asked)]:
            return ""
    for key in (f"{program.base}/{kind}", program.base, program.via):
        if key in rule.consumers:
            return rule.consumers[key]
    if not program.loads and not program.via:  # nothing is known but what all other programs refuse
        return ERROR if severity == ERROR and family in "XR" and {*rule.consumers.values()} <= {ERROR} else ""
    if family == "L" or program.base != GAZEBO and kind == "urdf" and family not in "XR":
        return ""  # findings on the converted SDFormat concern Gazebo only
    return severity


def list_severities(rule: Rule, kind: str | None = None) -> dict[str, str]:
    """Return the severity of a rule for each program that reads a format; empty if the rule does not concern it.

    Without a `kind`, it is URDF for rules about XML and URDF, else SDFormat. Programs without a verdict are left out.
    """
    kind = kind or ("urdf" if rule.code[0] in "XRCL" else "sdf")
    return {key: severity_for(rule, key, kind, rule.severity) for key, program in list_judges().items()
            if kind in program.reads}


def is_survey(consumers: Collection[str]) -> bool:
    """Return whether all programs are asked for. Then programs without a verdict on loading give no errors."""
    return len(consumers) >= len(CONSUMERS) and {*CONSUMERS} <= {*consumers}


def judge(found: Iterable[Diagnostic], consumer: str, kind: str | None, file: str | None,
          asked: Collection[str] = ()) -> list[Diagnostic]:
    """Return the findings that concern a program, with their severity for that program.

    Parameters
    ----------
    asked : all programs that the user asked for.
    """
    found = list(found)
    program = CONSUMERS[consumer]
    if kind is not None and kind not in program.reads:
        if not program.loads and is_survey(asked):
            return []
        return [diagnose("format-not-read", Location(file), consumer=program.name, format=KINDS[kind],
                         formats=" and ".join(KINDS[k] for k in program.reads))]
    return list(_judge(found, consumer, kind)) if found else found


def _judge(found: list[Diagnostic], consumer: str, kind: str | None) -> Iterator[Diagnostic]:
    from sdf_frames.diagnostics.catalogue import BY_CODE  # 2 ms, only for files with findings
    known: dict[tuple[str, str], str] = {}
    for d in found:
        if d.consumers:
            severity = d.severity if consumer in d.consumers else ""
        elif (severity := known.get(key := (d.code, d.severity), "?")) == "?":
            severity = known[key] = severity_for(BY_CODE[d.code], consumer, kind, d.severity)
        if severity:
            yield d if severity == d.severity else d._replace(severity=severity)


def find_refusals(consumers: Collection[str], kind: str, *parts: Any) -> Iterator[Diagnostic]:
    """Call the checks of programs, each once, with the parts of a description."""
    asked = {CONSUMERS[key].base for key in consumers}
    programs = [program for key, program in CONSUMERS.items() if key in asked]
    for check in dict.fromkeys(c for p in programs for c in (p.checks if kind == "urdf" else p.sdf_checks)):
        yield from check(*parts)
    for program in [CONSUMERS[key] for key in consumers if kind == "urdf"]:
        for check in program.version_checks:
            for found in check(*parts, numbers_of(program.version)):
                yield found._replace(consumers=(program.key,))


def combine(judged: Iterable[Iterable[Diagnostic]]) -> list[Diagnostic]:
    """Merge the findings of several programs: each once, with its highest severity."""
    highest: dict[Diagnostic, Diagnostic] = {}
    for found in judged:
        for d in found:
            key = d._replace(severity="", consumers=())
            if RANKS[d.severity] > RANKS[highest.setdefault(key, d).severity]:
                highest[key] = d
    return list(highest.values())
