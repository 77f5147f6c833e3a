"""Whether a name that holds ``::`` is also the way to something inside of a model."""
from __future__ import annotations

from collections.abc import Iterator

from sdf_frames.sdf.names import MODEL_FRAME
from sdf_frames.sdf.scopes import Member, Scope, divide


class Ways:
    """The members of scopes, included files' too, by new name, learnt when they are asked for."""

    def __init__(self) -> None:
        self._named: dict[int, dict[str, list[Member]]] = {}
        self._divided: dict[int, dict[str, list[Member]]] = {}  # names with '::', by what is before the first

    def lead_into_another(self, scope: Scope, name: str, member: Member) -> bool:
        """Return whether `name`, or it and a way on into `member`, also leads into another model of the scope."""
        scope.learn(member, True)
        tried: set[tuple[int, str, int]] = set()
        return any(model is not member and self._meet(self._enter(scope, model), rest, member.inside, tried)
                   for head, rest in divide(name) for model in self._look_up(scope, head) if model.kind == "model")

    def _meet(self, scope: Scope | None, path: str, beyond: Scope | None, tried: set[tuple[int, str, int]]) -> bool:
        """Whether `path`, or it and a way on in `beyond`, leads from `scope` to something; each is `tried` once."""
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

    def _enter(self, scope: Scope, member: Member) -> Scope | None:
        scope.learn(member, True)
        return member.inside

    def _look_up(self, scope: Scope, name: str) -> list[Member]:
        if (named := self._named.get(id(scope))) is None:
            named = self._named[id(scope)] = {}
            divided = self._divided[id(scope)] = {}
            for member in _list_members(scope):
                named.setdefault(member.new, []).append(member)
                if "::" in member.new:
                    divided.setdefault(member.new.partition("::")[0], []).append(member)
        return named.get(name, [])


def _list_members(scope: Scope) -> Iterator[Member]:
    """The members of a scope, and of the models that are merged into it."""
    scope.name_includes(True)
    yield from scope.members()
    for merged in scope.open_merged(True):
        yield from _list_members(merged)
