"""Names that hold ``::`` and can also be read as the path to something inside of a model.

Until SDFormat 1.7 a link could be called ``arm::link``. In 1.12 that means the link ``link`` of the model ``arm``.
"""
from __future__ import annotations

from collections.abc import Iterator

from sdf_frames.sdf.names import MODEL_FRAME
from sdf_frames.sdf.scopes import Member, NameScope, divide


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
        """Return whether `path`, or that and a further path in `beyond`, leads from `scope` to a member.

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
