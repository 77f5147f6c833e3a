"""A mapping by name whose errors suggest similar names."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from sdf_frames.diagnostics import find_nearest

T = TypeVar("T")


class Named(Mapping[str, T]):
    """Elements of one kind by SDF name, in the order of the document.

    A KeyError says what became of an element of that name, if `fates` has it, or suggests similar names.
    """

    __slots__ = ("_items", "_kind", "_fates")

    def __init__(self, kind: str, items: dict[str, T], fates: Mapping[tuple[str, str], str] = {}) -> None:
        self._kind, self._items, self._fates = kind, items, fates

    def __getitem__(self, name: str) -> T:
        try:
            return self._items[name]
        except (KeyError, TypeError):  # the latter for what cannot be a key
            raise unknown_name(self._kind, name, self._items, self._fates) from None

    def __contains__(self, name: object) -> bool:
        return name in self._items  # Mapping's own would look for the nearest name of each that is not there

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        names = [*list(self._items)[:4], *(["…"] if len(self._items) > 4 else [])]
        return f"<{len(self._items)} {self._kind}s: {', '.join(names) or 'none'}>"


def unknown_name(kind: str, name: object, known: Iterable[str],
                 fates: Mapping[tuple[str, str], str] = {}) -> KeyError:
    """Make the error for a name that does not exist, with its fate, or the nearest names that do."""
    if isinstance(name, str) and (fate := fates.get((kind, name))) is not None:
        return KeyError(f"no {kind} {name!r} in the SDF: it is {fate}")
    near = find_nearest(name, known, 3) if isinstance(name, str) else []
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    return KeyError(f"no {kind} {name!r}{hint}")
