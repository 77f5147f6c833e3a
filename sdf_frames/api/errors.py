"""The errors of the library: for descriptions with errors, unknown names and attributes, and missing modules."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import FunctionType
from typing import TYPE_CHECKING, NoReturn, TypeVar

from sdf_frames.diagnostics import ERROR, Diagnostic, find_nearest

T = TypeVar("T")
_MOST_SHOWN = 5


class InvalidDescription(ValueError):
    """The description has errors, and the call needs a description without errors.

    Attributes
    ----------
    file : file name of the description, or None.
    findings : all errors, warnings and notes.
    """

    def __init__(self, file: str | None, findings: Iterable[Diagnostic]) -> None:
        self.file, self.findings = file, tuple(findings)
        lines = [str(d._replace(file=d.file or file)) for d in self.findings if d.severity == ERROR]
        more = [f"and {len(lines) - _MOST_SHOWN} more errors"] if len(lines) > _MOST_SHOWN else []
        super().__init__("\n".join([*lines[:_MOST_SHOWN], *more]) or "the description has errors")


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


def read_only(kind: type[T]) -> type[T]:
    """Make a frozen dataclass say how a description is changed where somebody sets an attribute."""
    def refuse(self: T, name: str, value: object) -> None:
        from dataclasses import FrozenInstanceError

        from sdf_frames.api.tried import CHANGE
        raise FrozenInstanceError(f"{kind.__name__}.{name} is read-only; {CHANGE}")

    setattr(kind, "__setattr__", refuse)  # noqa: B010
    return kind


def name_methods(kind: type[T]) -> type[T]:
    """Name a class as the owner of the methods of its bases, in the errors of Python."""
    for base in kind.__mro__[1:]:
        for name, value in vars(base).items():
            if isinstance(value, FunctionType) and not name.startswith("_"):
                value.__module__, value.__qualname__ = kind.__module__, f"{kind.__qualname__}.{name}"
    return kind


def _refuse(owner: object, kind: type, name: str) -> NoReturn:
    from sdf_frames.api.tried import explain_name
    raise AttributeError(explain_name(kind.__name__, name), name=name, obj=owner)


class _GuidedType(type):
    if not TYPE_CHECKING:
        def __getattr__(cls, name):
            _refuse(cls, cls, name)


class Guided(metaclass=_GuidedType):
    """An object, and its class, whose AttributeError says what to write for names that people try."""

    __slots__ = ()

    if not TYPE_CHECKING:  # where it would allow every name
        def __getattr__(self, name):
            if hasattr(type(self), name):  # a property that failed: its own error, not one about its name
                return object.__getattribute__(self, name)
            _refuse(self, type(self), name)


@contextmanager
def needing(extra: str) -> Iterator[None]:
    """Name the extra that installs a module which is imported within, and which is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ImportError(f"{error.name} is not installed: pip install 'sdf_frames[{extra}]'",
                          name=error.name) from None
