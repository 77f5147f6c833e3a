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


class Scope:
    """The members of a model or world, by name as written; those of one name with the one that keeps it first.

    ``anew`` holds members with new names by those. ``unnamed`` holds includes whose models are named by their files;
    ``look_into`` reads these when a name is not found; the scope ``hides`` names if it could not, or need not.
    """

    __slots__ = ("element", "named", "anew", "unnamed", "hides", "look_into")

    def __init__(self, element: Element, look_into: LookInto | None = None):
        self.element, self.look_into = element, look_into
        self.named: dict[str, list[Member]] = {}
        self.anew: dict[str, list[Member]] = {}
        self.unnamed: list[Element] = []
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
        pending, self.unnamed = self.unnamed, []
        for include in pending:
            included = self.look_into(include, wanted) if self.look_into is not None else None
            if included is None or not included.name:
                self.hides = True
            else:
                self.add(Member(include, "model", included.name, included.name, included.inside))

    def learn(self, member: Member, wanted: bool) -> None:
        """Learn the names in the model that an include brings: all if they are `wanted`, else where they change."""
        if member.inside is None and member.element.tag == "include" and self.look_into is not None:
            included = self.look_into(member.element, wanted)
            member.inside = None if included is None else included.inside

    def find(self, reference: str, kind: str = "") -> Path | None:
        """Find what a reference means: the members on the way there, and what of it lies beyond known names.

        A path into models comes before a name that holds ``::`` itself. `kind` is what alone can be meant, if any.
        """
        return self._find(reference, kind, set()) if "::" in reference else self._pick(reference, kind)

    def _find(self, reference: str, kind: str, tried: set[tuple[int, str]]) -> Path | None:
        """As :meth:`find`; names that hold ``::`` give many ways through the same models, each `tried` once."""
        if (id(self), reference) in tried:
            return None
        tried.add((id(self), reference))
        beyond = None
        for name, rest in divide(reference):
            for member in self.named.get(name) or self.anew.get(name) or []:
                path = self._descend(member, rest, kind, tried) if member.kind == "model" else None
                if path is not None and path[1] in ("", MODEL_FRAME):
                    return path
                beyond = beyond or path
        if (found := self._pick(reference, kind) or beyond) is not None:
            return found
        if self.unnamed:
            self.name_includes(False)
            return self._find(reference, kind, set())
        return None

    def _pick(self, name: str, kind: str) -> Path | None:
        members = self.named.get(name) or self.anew.get(name) or []
        return next((((m,), "") for m in members if kind in ("", m.kind)), None)

    def _descend(self, member: Member, rest: str, kind: str, tried: set[tuple[int, str]]) -> Path | None:
        self.learn(member, False)
        if rest == MODEL_FRAME or member.inside is None:
            return (member,), rest
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
        if tag == "include" and not read_bool(child.get("merge", "")):
            name = " ".join((child.findtext("name") or "").split())
            if name:
                scope.add(Member(child, "model", name, name))
            else:
                scope.unnamed.append(child)
        elif tag in RANK and (name := child.get("name", "").strip()):
            scope.add(Member(child, tag, name, name, build_scope(child, look_into) if tag == "model" else None))
    return scope
