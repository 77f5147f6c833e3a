"""Scopes of names, built from the XML tree: they resolve references in a model or world to elements.

A reference can name the members of its own scope, and by ``MODEL::NAME`` members of models in the scope.
Until SDFormat 1.7, a link could be called ``arm::link``. In 1.12 that means the link ``link`` of the model ``arm``.
"""
from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from sdf_frames.document.blanks import collapse_blanks
from sdf_frames.document.elements import Element
from sdf_frames.document.numbers import read_bool
from sdf_frames.sdf.names import MODEL_FRAME

#: If members share a name, the one with the lowest rank keeps it, and references by that name mean that member: a
#: joint's parent and child are sibling links (SDFormat 1.4, "Specifying parent and child link names").
RANK = {"link": 0, "model": 1, "joint": 2, "frame": 3}


class Member:
    """A member of a scope: an element with a name, or an include, for the model that it brings.

    ``name`` is the name as written, ``new`` the name after settling. ``inside`` is the scope of a model, or None if it
    has not been read. ``uses`` are the elements and texts that the new name has changed.
    """

    __slots__ = ("element", "kind", "name", "new", "inside", "uses")

    def __init__(self, element: Element, kind: str, name: str, new: str, inside: NameScope | None = None):
        self.element, self.kind, self.name, self.new, self.inside = element, kind, name, new, inside
        self.uses: set[tuple[Element, str]] = set()

    def note_use(self, element: Element, text: str) -> None:
        """Note that the new name changes a text of an element."""
        self.uses.add((element, collapse_blanks(text)))

    @property
    def rank(self) -> int:
        """The rank among members that share its name; rank 0 keeps the name."""
        return RANK.get(self.kind, 0 if self.kind in ("collision", "world") else len(RANK))


class Included(NamedTuple):
    """The name and the scope of an included model."""

    name: str
    inside: NameScope | None


#: Reads the names of an include's model; with True also if no name in it changes.
LookInto = Callable[[Element, bool], Included | None]
Path = tuple[tuple[Member, ...], str]


class Unopened:
    """Includes whose files have not been read yet; ``passed``: all files in which names change have been read."""

    __slots__ = ("includes", "passed")

    def __init__(self) -> None:
        self.includes: list[Element] = []
        self.passed = False

    def open(self, look_into: LookInto | None, wanted: bool) -> list[tuple[Element, Included]]:
        """Read includes: all if their names are `wanted`, else those in which names change. Return their models."""
        known, self.passed = self.passed and not wanted, True
        if known or look_into is None:
            return []
        pairs = [(include, look_into(include, wanted)) for include in self.includes]
        self.includes = [include for include, included in pairs if included is None]
        return [(include, included) for include, included in pairs if included is not None]


class NameScope:
    """The members of a model or world.

    Attributes
    ----------
    element : the model or world.
    named : members by name as written; if several share a name, the one that keeps it is first.
    anew : members with a new name, by that name.
    unnamed : includes that give no name: their files name the models.
    merged : includes that merge: the members of their models become members of this scope.
    beside : the scopes of merged models that have been read.
    hides : whether an included file has not been read, so that names may be unknown.
    look_into : reads the names of an include's model, when a name is not found.
    """

    __slots__ = ("element", "named", "anew", "unnamed", "merged", "beside", "hides", "look_into")

    def __init__(self, element: Element, look_into: LookInto | None = None):
        self.element, self.look_into = element, look_into
        self.named: dict[str, list[Member]] = {}
        self.anew: dict[str, list[Member]] = {}
        self.unnamed, self.merged = Unopened(), Unopened()
        self.beside: list[NameScope] = []
        self.hides = False

    def members(self) -> Iterator[Member]:
        """Return every member once."""
        for members in self.named.values():
            yield from members

    def nested(self) -> list[NameScope]:
        """List the scopes of models that are nested in the XML; not those of included files."""
        return [m.inside for m in self.members() if m.element.tag == "model" and m.inside is not None]

    def add(self, member: Member) -> None:
        """Add a member after those of its name with a lower rank."""
        insort(self.named.setdefault(member.name, []), member, key=lambda m: m.rank)

    def name_includes(self, wanted: bool) -> None:
        """Read the names of models that only their files name: all if `wanted`, else if names in them change."""
        for include, included in self.unnamed.open(self.look_into, wanted):
            if included.name:
                self.add(Member(include, "model", included.name, included.name, included.inside))
        self.hides = self.hides or bool(self.unnamed.includes)

    def open_merged(self, wanted: bool) -> list[NameScope]:
        """Read the names in merged models: all if they are `wanted`, else if they change. Return all scopes read."""
        self.beside += [i.inside for _, i in self.merged.open(self.look_into, wanted) if i.inside is not None]
        self.hides = self.hides or bool(self.merged.includes)
        return self.beside

    def learn(self, member: Member, wanted: bool) -> None:
        """Read the names in an included model: if they are `wanted`, or if they change."""
        if member.inside is None and member.element.tag == "include" and self.look_into is not None:
            included = self.look_into(member.element, wanted)
            member.inside = None if included is None else included.inside

    def find(self, reference: str, kind: str = "") -> Path | None:
        """Find the member that a reference means.

        A path into models comes before a name that itself contains ``::``. If `kind` is given, only members of that
        kind are found.

        Returns
        -------
        (members, rest), or None if there is no such member
            The members on the path, and the rest of the reference, which leads into a file that was not read.
        """
        if "::" in reference or self.merged.includes or self.beside:
            return self._find(reference, kind, set())
        return self._pick(reference, kind)

    def _find(self, reference: str, kind: str, tried: set[tuple[int, str]]) -> Path | None:
        """Find as :meth:`find`. Names with ``::`` allow many paths through the same models; each is `tried` once."""
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
        """Find `rest` inside of a model, whose file is read if its names are `wanted` or change."""
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
    """Yield every way to divide a reference at a ``::``, the shortest first part first."""
    at = reference.find("::")
    while at > 0:
        yield reference[:at], reference[at + 2:]
        at = reference.find("::", at + 1)


def build_scopes(root: Element, look_into: LookInto | None = None) -> list[NameScope]:
    """Build the scope of every world and root model of an ``<sdf>`` tree, with those of the models inside."""
    return [build_scope(child, look_into) for child in root if child.tag in ("world", "model")]


def walk_scopes(scopes: Iterable[NameScope]) -> Iterator[NameScope]:
    """Yield each of the scopes, then those inside of it, but not those of included files."""
    for scope in scopes:
        yield scope
        yield from walk_scopes(scope.nested())


def build_scope(element: Element, look_into: LookInto | None = None) -> NameScope:
    """Build the scope of a model or world."""
    scope = NameScope(element, look_into)
    for child in element:
        tag = child.tag
        if tag == "include" and read_bool(child.get("merge", "")):
            scope.merged.includes.append(child)
        elif tag == "include":
            name = collapse_blanks(child.findtext("name") or "")
            if name:
                scope.add(Member(child, "model", name, name))
            else:
                scope.unnamed.includes.append(child)
        elif tag in RANK and (name := child.get("name", "").strip()):
            scope.add(Member(child, tag, name, name, build_scope(child, look_into) if tag == "model" else None))
    return scope


class PathSearch:
    """Looks for members by their new names, in scopes and in included files, which are read when they are needed."""

    def __init__(self) -> None:
        self._named: dict[int, dict[str, list[Member]]] = {}
        self._divided: dict[int, dict[str, list[Member]]] = {}  # names with '::', by what is before the first

    def lead_into_another(self, scope: NameScope, name: str, member: Member) -> bool:
        """Return whether `name`, or a longer path into `member`, is also a path into another model of the scope."""
        scope.learn(member, True)
        tried: set[tuple[int, str, int]] = set()
        return any(model is not member and self._meet(self._enter(scope, model), rest, member.inside, tried)
                   for head, rest in divide(name) for model in self._look_up(scope, head) if model.kind == "model")

    def _meet(self, scope: NameScope | None, path: str, beyond: NameScope | None,
              tried: set[tuple[int, str, int]]) -> bool:
        """Return whether `path`, or `path` and a further path in `beyond`, leads from `scope` to a member.

        `tried` holds the combinations that were tried before.
        """
        key = (id(scope), path, id(beyond))
        if scope is None or key in tried:
            return False
        tried.add(key)
        if path == MODEL_FRAME or self._look_up(scope, path):
            return True
        for head, rest in divide(path):
            for model in self._look_up(scope, head):
                if model.kind == "model" and self._meet(self._enter(scope, model), rest, beyond, tried):
                    return True
        if beyond is None:
            return False
        longer = [m for m in self._divided[id(scope)].get(path.partition("::")[0], []) if m.new.startswith(f"{path}::")]
        return any(self._meet(beyond, m.new[len(path) + 2:], self._enter(scope, m), tried) for m in longer)

    def _enter(self, scope: NameScope, member: Member) -> NameScope | None:
        scope.learn(member, True)
        return member.inside

    def _look_up(self, scope: NameScope, name: str) -> list[Member]:
        if (named := self._named.get(id(scope))) is None:
            named = self._named[id(scope)] = {}
            divided = self._divided[id(scope)] = {}
            for member in _list_members(scope):
                named.setdefault(member.new, []).append(member)
                if "::" in member.new:
                    divided.setdefault(member.new.partition("::")[0], []).append(member)
        return named.get(name, [])


def _list_members(scope: NameScope) -> Iterator[Member]:
    """Yield the members of a scope, and of the models that are merged into it."""
    scope.name_includes(True)
    yield from scope.members()
    for merged in scope.open_merged(True):
        yield from _list_members(merged)
