"""The table of features that programs interpret differently; ``features_urdf.py`` and ``features_sdf.py`` fill it."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

from sdf_frames.document.elements import Element


class Feature(NamedTuple):
    """Something in a description that programs interpret differently.

    Attributes
    ----------
    says : template of the message, with the fields that `find` yields.
    hint : what to write so that all programs agree.
    find : yields each element that has the feature, with the fields of `says`; gets the description and the resolver
        of its files.
    """

    name: str
    says: str
    hint: str
    find: Callable[[Any, Any], Iterable[tuple[Element | None, dict[str, Any]]]]


Found = Iterator[tuple[Element | None, dict[str, Any]]]
FEATURES: dict[str, dict[str, Feature]] = {"urdf": {}, "sdf": {}}


def feature(name: str, says: str, hint: str = "", kind: str = "urdf") -> Callable[[Callable[[Any], Found]], Any]:
    """Add a detector to the table of features."""
    def add(find: Callable[[Any], Found]) -> Callable[[Any], Found]:
        FEATURES[kind][name] = Feature(name, says, hint, lambda parts, resolver: find(parts))
        return find
    return add


def add_features(find: Callable[..., Found], *rows: tuple[str, str, str, Any], kind: str = "urdf") -> None:
    """Add detectors that differ only in a condition: name, message, hint, condition."""
    for name, says, hint, where in rows:
        feature(name, says, hint, kind)(partial(find, where=where))
