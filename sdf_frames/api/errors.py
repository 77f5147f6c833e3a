"""The errors of the library: for descriptions with errors, unknown names and attributes, and missing modules."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, TypeVar

from sdf_frames.diagnostics import ERROR, Diagnostic, find_nearest

if TYPE_CHECKING:
    from typing_extensions import Self

T = TypeVar("T")
_MOST_SHOWN = 5
#: How to change an element of a description.
_CHANGE = "change the XML: tree = robot.tree, then robot = sf.loads(tree)"
#: Names for features that the library does not have, or that only a command has.
_ELSEWHERE = {
    "sdf_frames has none; use Pinocchio on robot.to_urdf()":
        "jacobian jac get_jacobian mass_matrix gravity_torque rnea crba aba inverse_dynamics ik inverse_kinematics",
    _CHANGE: "rename rename_link rename_joint set_name prefix add_link add_joint remove_link",
    "run sdf_frames view FILE --png OUT": "picture screenshot", "run sdf_frames graph FILE": "graph print_tree",
}


class InvalidDescription(ValueError):
    """The description has errors, and the call needs a description without errors.

    Attributes
    ----------
    file : file name of the description, or None.
    findings : all errors, warnings and notes.
    """

    def __init__(self, file: str | None, findings: Iterable[Diagnostic]) -> None:
        self.file, self.findings = file, tuple(findings)
        lines = [f"{d._replace(file=d.file or file)}" + (f"\n    hint: {d.hint}" if d.hint else "")
                 for d in self.findings if d.severity == ERROR]
        more = [f"and {len(lines) - _MOST_SHOWN} more errors"] if len(lines) > _MOST_SHOWN else []
        super().__init__("\n".join([*lines[:_MOST_SHOWN], *more]) or "the description has errors")

    def __reduce__(self) -> tuple[Callable[..., InvalidDescription], tuple[object, ...]]:
        return type(self), (self.file, self.findings)  # a process pool pickles the errors of its workers


class Named(Mapping[str, T]):
    """Elements of one kind by SDF name, in the order of the document.

    A KeyError states the fate of an element of that name, if `fates` has it, or suggests similar names.
    """

    __slots__ = ("_items", "_kind", "_fates")

    def __init__(self, kind: str, items: dict[str, T], fates: Mapping[tuple[str, str], str] = {}) -> None:
        self._kind, self._items, self._fates = kind, items, fates

    def __getitem__(self, name: str) -> T:
        try:
            return self._items[name]
        except (KeyError, TypeError):  # TypeError: an unhashable key
            raise unknown_name(self._kind, name, self._items, self._fates) from None

    if not TYPE_CHECKING:  # where it would allow every name
        def __getattr__(self, name):
            error = unknown_attribute(self, type(self).__name__, name)
            if not name.startswith("_") and name in self._items:  # _items is missing while it is unpickled
                error = AttributeError(f"{error}; write [{name!r}]", name=name, obj=self)
            raise error

    def __contains__(self, name: object) -> bool:
        return name in self._items  # Mapping's own method would search similar names

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
    if isinstance(name, int):
        hint = "; the keys are names: list(…) has them in the order of the document"
    return KeyError(f"no {kind} {name!r}{hint}")


def demand_sequence(name: str, value: object) -> None:
    """Raise TypeError for a value that is no sequence of strings; of a single string, the letters would be used."""
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name} must be a sequence, such as [{value!r}], not a single {type(value).__name__}")
    if not isinstance(value, Iterable):
        raise TypeError(f"{name} must be a sequence of names, not {type(value).__name__}")


def demand_names(**given: object) -> None:
    """Raise TypeError for an argument that is not a string."""
    for name, value in given.items():
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a str, not {type(value).__name__}")


def demand_names_in(name: str, values: Iterable[object]) -> None:
    """Raise TypeError for an element of a sequence, or a key of a mapping, that is not a string."""
    for value in values:
        if not isinstance(value, str):
            raise TypeError(f"each name in {name} must be a str, not {type(value).__name__}")


def demand_positions(positions: object) -> None:
    """Raise TypeError for positions of joints that do not have the names of the joints."""
    if not isinstance(positions, Mapping):
        raise TypeError("positions must be a mapping from joint names to positions, not "
                        f"{type(positions).__name__}; dict(zip(names, values)) makes one")


def demand_choice(name: str, value: object, choices: Sequence[str], more: str = "") -> None:
    """Raise ValueError for a value that is none of the choices; `more` ends the message."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, not {value!r}{more}")


def read_only(kind: type[T]) -> type[T]:
    """Make a frozen dataclass say how to change a description when an attribute is set."""
    def refuse(self: T, name: str, value: object) -> None:
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"{kind.__name__}.{name} is read-only; {_CHANGE}")

    setattr(kind, "__setattr__", refuse)  # noqa: B010
    return kind


def name_methods(kind: type[T]) -> type[T]:
    """Name a class as the owner of the methods of its bases, in the errors of Python."""
    for base in kind.__mro__[1:]:
        for name, value in vars(base).items():
            if isinstance(value, FunctionType) and not name.startswith("_"):
                value.__module__, value.__qualname__ = kind.__module__, f"{kind.__qualname__}.{name}"
    return kind


@cache
def list_instead() -> Mapping[str, Mapping[str, str]]:
    """Return what to write here for the names of other libraries, by the class of an object ("": the package)."""
    from sdf_frames.document.own_data import read_table
    instead: dict[str, dict[str, str]] = {}
    for kinds, word, names in read_table(__file__, "instead.tsv"):
        for kind in kinds.split(","):
            instead.setdefault(kind, {})[word] = names
    return instead


def unknown_attribute(owner: object, kind: str, name: str) -> AttributeError:
    """Make the error for a name that objects of the class `kind` do not have; "" is the package."""
    said = f"{kind!r} object" if kind else "module 'sdf_frames'"
    words = {f"write {word}": names for word, names in list_instead().get(kind, {}).items()}
    if kind in ("", "World", "RobotDescription"):
        words |= _ELSEWHERE
    found = [word for word, names in words.items() if name in names.split()]
    return AttributeError("; ".join([f"{said} has no attribute {name!r}", *found]), name=name, obj=owner)


class _GuidedType(type):
    if not TYPE_CHECKING:
        def __getattr__(cls, name):
            raise unknown_attribute(cls, cls.__name__, name)


class Guided(metaclass=_GuidedType):
    """A base class whose AttributeError suggests what to write for names that people try."""

    __slots__ = ()

    if not TYPE_CHECKING:  # where it would allow every name
        def __getattr__(self, name):
            if hasattr(type(self), name):  # a property that failed: its own error, not one about its name
                return object.__getattribute__(self, name)
            raise unknown_attribute(self, type(self).__name__, name)


class Immutable(Guided):
    """A base class whose objects are their own copies."""

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        return self


@contextmanager
def needing(extra: str) -> Iterator[None]:
    """Name the extra that installs a missing module that is imported inside of the block."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ImportError(f"{error.name} is not installed: pip install 'sdf_frames[{extra}]'",
                          name=error.name) from None
