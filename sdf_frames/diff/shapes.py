"""Compares visuals and collisions of two links, and the files of URIs."""
from __future__ import annotations

import filecmp
import os
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import zip_longest
from typing import Any

import sdf_frames as sf
from sdf_frames.diff.changes import ADDED, REMOVED, Change, compare_poses


def spell_uri(uri: str) -> str:
    """Return a URI with one scheme for URDF and SDF."""
    return uri.replace("package://", "model://")


def is_same_file(old: str | None, new: str | None) -> bool:
    """Return whether both paths lead to one file, or to files with the same content."""
    if old is None or new is None:
        return False
    try:
        return old == new or os.path.samefile(old, new) or filecmp.cmp(old, new, shallow=False)
    except OSError:
        return False


def compare_files(uri: str, old: str | None, new: str | None) -> Iterator[Change]:
    """Compare the files of a URI in two descriptions: found by only one of them, or with different content."""
    if old != new and not is_same_file(old, new):
        yield Change("file", spell_uri(uri), "path", old, new, f"{old or 'not found'} -> {new or 'not found'}")


_NOT_COMPARED = ("element", "path", "uri")  # the place, and values that are compared separately


def match_shapes(a: sf.Link, b: sf.Link) -> dict[str, str]:
    """Return names of the shapes of B by those of A, each with the link's name; if two share a name, of the first."""
    pairs = [pair for shapes in ((a.visuals, b.visuals), (a.collisions, b.collisions)) for pair in _pair(*shapes)]
    return {f"{a.name}::{p.name}": f"{b.name}::{q.name}" for p, q in reversed(pairs) if p and q}


def name_urdf_shapes(robot: sf.RobotDescription, own: Mapping[str, str]) -> dict[str, str]:
    """Return names of the shapes of a URDF without lumping, by SDF names; ``arm::visual[1]`` for one without a name.

    `own` are the URDF names of links, by SDF names, if they differ.
    """
    names: dict[str, str] = {}
    for kept in robot.sdf_links.values():
        link = robot.links.get(own.get(kept.name, kept.name), kept)
        for kind, written, converted in (("visual", link.visuals, kept.visuals),
                                         ("collision", link.collisions, kept.collisions)):
            names |= {f"{kept.name}::{q.name}": f"{link.name}::{name}"
                      for name, q in zip(_name(written, kind).values(), converted)}
    return names


def _name(shapes: Sequence[sf.Shape], kind: str) -> dict[int, str]:
    """Names of a link's shapes of a kind, by their identity, since some may be equal: without a name, the place."""
    return {id(shape): shape.name or f"{kind}[{place}]" for place, shape in enumerate(shapes, 1)}


def compare_shapes(a: sf.Link, b: sf.Link, tolerance: float) -> Iterator[Change]:
    """Compare the shapes of a link: matched by name, else by content, else by order."""
    for subject, shapes_a, shapes_b in (("visual", a.visuals, b.visuals), ("collision", a.collisions, b.collisions)):
        names = _name(shapes_b, subject) | _name(shapes_a, subject)
        for p, q in _pair(shapes_a, shapes_b):
            if p is not None:
                name = names[id(p)]
                if q is not None:
                    yield from _compare(subject, f"{a.name}::{name}", p, q, tolerance)
                else:
                    yield Change(subject, f"{a.name}::{name}", REMOVED, name, None, _describe(p))
            elif q is not None:
                name = names[id(q)]
                yield Change(subject, f"{b.name}::{name}", ADDED, None, name, _describe(q))


def _pair(a: Sequence[sf.Shape], b: Sequence[sf.Shape]) -> Iterator[tuple[sf.Shape | None, sf.Shape | None]]:
    left, right = list(a), list(b)
    keys: tuple[Callable[[sf.Shape], Hashable], ...] = (
        lambda s: s.name or id(s), lambda s: (_describe(s), repr(s.pose)), _describe)
    for key in keys:
        waiting: dict[Hashable, deque[int]] = {}
        for k, q in enumerate(right):
            waiting.setdefault(key(q), deque()).append(k)
        rest, taken = [], set()
        for p in left:
            if places := waiting.get(key(p)):
                taken.add(k := places.popleft())
                yield p, right[k]
            else:
                rest.append(p)
        left, right = rest, [q for k, q in enumerate(right) if k not in taken]
    yield from zip_longest(left, right)


def _compare(subject: str, name: str, p: sf.Shape, q: sf.Shape, tolerance: float) -> Iterator[Change]:
    if not _is_same(_list_values(p.geometry), _list_values(q.geometry), tolerance):
        old, new = _describe(p), _describe(q)
        yield Change(subject, name, "geometry", old, new, f"{old} -> {new}")
    if spell_uri(p.uri or "") == spell_uri(q.uri or ""):
        yield from compare_files(p.uri or "", p.path, q.path)
    elif not is_same_file(p.path, q.path):
        yield Change(subject, name, "uri", p.uri, q.uri, f"URI {p.uri} -> {q.uri}")
    if p.pose is not None and q.pose is not None:
        yield from compare_poses(subject, name, p.pose, q.pose, tolerance)


def _list_values(geometry: object) -> list[Any]:
    """Return the kind and every dimension of a geometry, flat."""
    values: list[Any] = [type(geometry).__name__]
    pending = [geometry]
    while pending:
        item = pending.pop()
        if is_dataclass(item):
            pending += [getattr(item, f.name) for f in reversed(fields(item)) if f.name not in _NOT_COMPARED]
        elif isinstance(item, tuple):
            pending += reversed(item)
        else:
            values.append(item)
    return values


def _is_same(a: list[Any], b: list[Any], tolerance: float) -> bool:
    return len(a) == len(b) and all(
        abs(x - y) <= tolerance * max(1.0, abs(x)) if isinstance(x, float) and isinstance(y, float) else x == y
        for x, y in zip(a, b))


def _describe(shape: sf.Shape) -> str:
    """Return the geometry in words: its kind, then its dimensions."""
    if not is_dataclass(shape.geometry):
        return "unreadable"
    return " ".join([type(shape.geometry).__name__.lower(), *_show_dimensions(shape.geometry),
                     *([shape.uri] if shape.uri else [])])


def _show_dimensions(geometry: Any) -> list[str]:
    values = {f.name: getattr(geometry, f.name) for f in fields(geometry) if f.name not in _NOT_COMPARED}
    return [f"{name} {_show(value)}" for name, value in values.items() if not (
        value is None or value is False or value == "")]


def _show(value: Any) -> str:
    if is_dataclass(value):
        return " ".join(_show_dimensions(value))
    if isinstance(value, tuple):
        return " ".join(map(_show, value)) if len(value) <= 3 else f"of {len(value)} parts"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
