"""What each name in a model or world means, by the tree of elements as it is written.

A reference sees the members of its own scope, and by ``MODEL::NAME`` what is inside of models among them.
"""
from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterator
from typing import NamedTuple

from sdf_frames.document.numbers import read_bool
from sdf_frames.document.xml_in import Element
from sdf_frames.sdf.names import MODEL_FRAME

#: Who keeps a name that several members of a scope bear, and is what every reference by that name means: a joint's ends
#: are sibling links (SDFormat 1.4, "Specifying parent and child link names").
RANK = {"link": 0, "model": 1, "joint": 2, "frame": 3}


class Member:
    """What bears a name: an element, or an include for the model that it brings.

    ``name`` is as written and ``new`` as settled; ``inside`` is the scope of a model, None if its names are not known.
    """

    __slots__ = ("element", "kind", "name", "new", "inside")

    def __init__(self, element: Element, kind: str, name: str, new: str, inside: Scope | None = None):
        self.element, self.kind, self.name, self.new, self.inside = element, kind, name, new, inside

    @property
    def rank(self) -> int:
        """Its place among those who would keep a name."""
        return RANK.get(self.kind, 0 if self.kind in ("collision", "world") else len(RANK))


class Included(NamedTuple):
    """What names need to know of the model that an include brings: its name and its scope."""

    name: str
    inside: Scope | None


#: What gives the names of an include's model; with True they are wanted even if no name in it changes.
LookInto = Callable[[Element, bool], Included | None]
Path = tuple[tuple[Member, ...], str]


class Unopened:
    """Includes whose names are not known yet; ``passed`` says that they were asked for names that change."""

    __slots__ = ("includes", "passed")

    def __init__(self) -> None:
        self.includes: list[Element] = []
        self.passed = False

    def open(self, look_into: LookInto | None, wanted: bool) -> list[tuple[Element, Included]]:
        """What those bring whose names are learnt now: of all that are `wanted`, else of those whose names change."""
        known, self.passed = self.passed and not wanted, True
        if known or look_into is None:
            return []
        pairs = [(include, look_into(include, wanted)) for include in self.includes]
        self.includes = [include for include, included in pairs if included is None]
        return [(include, included) for include, included in pairs if included is not None]


class Scope:
    """The members of a model or world, by name as written; those of one name with the one that keeps it first.

    ``anew`` holds members with new names by those. ``unnamed`` holds includes whose files name their models, and
    ``merged`` those whose models' members become members here; ``look_into`` reads these when a name is not found, and
    the scopes of merged ones go ``beside``. The scope ``hides`` names if it could not read a file, or need not.
    """

    __slots__ = ("element", "named", "anew", "unnamed", "merged", "beside", "hides", "look_into")

    def __init__(self, element: Element, look_into: LookInto | None = None):
        self.element, self.look_into = element, look_into
        self.named: dict[str, list[Member]] = {}
        self.anew: dict[str, list[Member]] = {}
        self.unnamed, self.merged = Unopened(), Unopened()
        self.beside: list[Scope] = []
        self.hides = False

    def members(self) -> Iterator[Member]:
        """Every member once."""
        for members in self.named.values():
            yield from members

    def add(self, member: Member) -> None:
        """Add a member behind those of its name that are before it in rank."""
        insort(self.named.setdefault(member.name, []), member, key=lambda m: m.rank)

    def name_includes(self, wanted: bool) -> None:
        """Learn the names of models that only their files name: all `wanted` ones, else where names in them change."""
        for include, included in self.unnamed.open(self.look_into, wanted):
            if included.name:
                self.add(Member(include, "model", included.name, included.name, included.inside))
        self.hides = self.hides or bool(self.unnamed.includes)

    def open_merged(self, wanted: bool) -> list[Scope]:
        """Learn the names of merged models: all that are `wanted`, else where they change; return their scopes."""
        self.beside += [i.inside for _, i in self.merged.open(self.look_into, wanted) if i.inside is not None]
        self.hides = self.hides or bool(self.merged.includes)
        return self.beside

    def learn(self, member: Member, wanted: bool) -> None:
        """Learn the names in the model that an include brings: all if they are `wanted`, else where they change."""
        if member.inside is None and member.element.tag == "include" and self.look_into is not None:
            included = self.look_into(member.element, wanted)
            member.inside = None if included is None else included.inside

    def find(self, reference: str, kind: str = "") -> Path | None:
        """Find what a reference means: the members on the way there, and what of it lies beyond known names.

        A path into models comes before a name that holds ``::`` itself. `kind` is what alone can be meant, if any.
        """
        if "::" in reference or self.merged.includes or self.beside:
            return self._find(reference, kind, set())
        return self._pick(reference, kind)

    def _find(self, reference: str, kind: str, tried: set[tuple[int, str]]) -> Path | None:
        """As :meth:`find`; names that hold ``::`` give many ways through the same models, each `tried` once."""
        if (id(self), reference) in tried:
            return None
        tried.add((id(self), reference))
        beyond = None
        models = [(m, rest) for name, rest in divide(reference)
                  for m in self.named.get(name) or self.anew.get(name) or [] if m.kind == "model"]
        for model, rest in models:
            path = self._descend(model, rest, kind, tried, len(models) > 1)  # which of several it is must be known
            if path is not None and path[1] in ("", MODEL_FRAME):
                return path
            beyond = beyond or path
        if (found := self._pick(reference, kind) or beyond) is not None:
            return found
        for scope in self.open_merged(False):
            if (found := scope._find(reference, kind, tried)) is not None:
                return found
        if self.unnamed.includes and not self.unnamed.passed:
            self.name_includes(False)
            return self._find(reference, kind, set())
        return None

    def _pick(self, name: str, kind: str) -> Path | None:
        members = self.named.get(name) or self.anew.get(name) or []
        return next((((m,), "") for m in members if kind in ("", m.kind)), None)

    def _descend(self, member: Member, rest: str, kind: str, tried: set[tuple[int, str]], wanted: bool) -> Path | None:
        """What is behind the name of a model; its names are `wanted` even if none changes."""
        self.learn(member, wanted)
        if rest == MODEL_FRAME or member.inside is None:
            return (member,), rest
        if wanted:
            member.inside.name_includes(True)
            member.inside.open_merged(True)
        path = member.inside._find(rest, kind, tried)
        if path is None:
            return ((member,), rest) if member.inside.hides else None
        return (member, *path[0]), path[1]


def divide(reference: str) -> Iterator[tuple[str, str]]:
    """Every way to take a reference apart at a ``::``, the shortest name first."""
    at = reference.find("::")
    while at > 0:
        yield reference[:at], reference[at + 2:]
        at = reference.find("::", at + 1)


def build_scopes(root: Element, look_into: LookInto | None = None) -> list[Scope]:
    """Build the scope of every world and root model of an ``<sdf>`` tree, with those of the models inside."""
    return [build_scope(child, look_into) for child in root if child.tag in ("world", "model")]


def build_scope(element: Element, look_into: LookInto | None = None) -> Scope:
    """Build the scope of a model or world."""
    scope = Scope(element, look_into)
    for child in element:
        tag = child.tag
        if tag == "include" and read_bool(child.get("merge", "")):
            scope.merged.includes.append(child)
        elif tag == "include":
            name = " ".join((child.findtext("name") or "").split())
            if name:
                scope.add(Member(child, "model", name, name))
            else:
                scope.unnamed.includes.append(child)
        elif tag in RANK and (name := child.get("name", "").strip()):
            scope.add(Member(child, tag, name, name, build_scope(child, look_into) if tag == "model" else None))
    return scope
