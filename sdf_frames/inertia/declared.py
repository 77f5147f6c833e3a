"""Read the declared inertia of a link, report impossible values, and read how to compute it."""
from __future__ import annotations

from collections.abc import Container
from itertools import combinations_with_replacement
from math import inf, isfinite
from typing import NamedTuple

from sdf_frames.diagnostics import Diagnostic, Location, diagnose, relate
from sdf_frames.document.elements import Element, file_of, locate, tag_of, text_of
from sdf_frames.document.numbers import read_number
from sdf_frames.sdf.entities import read_mass
from sdf_frames.sdf.model import Inertial, Link
from sdf_frames.sdf.values import read_value
from sdf_frames.spatial.inertia import MOMENTS, Tensor, find_defects, find_unphysical

_NUMBERS = {"mass", *MOMENTS, *map("".join, combinations_with_replacement("xyzpqr", 2))}


def check_declared(link: Link, name: str, judged: Container[tuple[str | None, str]]) -> tuple[Diagnostic, ...]:
    """Report a declared inertia, or added mass, that libsdformat calls invalid; one finding for a link.

    `judged` are links, as (file, name), whose declared inertia has been checked before.
    """
    if link.inertial is None:
        return ()
    known = (file_of(link.inertial.element), link.name) in judged
    failed = () if link.inertial.auto or known else find_defects(*read_mass(link.inertial))
    added = _find_infinite(link.inertial, "fluid_added_mass/*")  # libsdformat demands that it equals its transpose
    defects = [*[d.text for d in failed], *[f"{tag_of(c)} of <fluid_added_mass> is not a finite number" for c in added]]
    if not defects or holds_unreadable(link.inertial.element):
        return ()
    odd = [*_find_infinite(link.inertial, "mass"), *_find_infinite(link.inertial, "inertia/*"), *added]
    return (diagnose("inertia-invalid", locate(link.inertial.element), link=name, defect="; ".join(defects),
                     hint=failed[0].remedy if failed else None,
                     related=[relate(f"<{tag_of(c)}> is {text_of(c)}", locate(c)) for c in odd]),)


def judge_zeros(name: str, mass: float, moments: Tensor, at: Location) -> tuple[Diagnostic, ...]:
    """Warn if the mass or a moment is zero, which no body has; an impossible inertia has another error."""
    defects = find_unphysical(mass, moments)
    if not defects or any(d.condition not in ("m > 0", "I > 0") for d in defects):
        return ()
    return (diagnose("inertia-not-physical", at, link=name, defect="; ".join(d.text for d in defects)),)


def holds_unreadable(inertial: Element) -> bool:
    """Return whether the mass or a moment cannot be read.

    Such a number has another error. The default that replaces the number may not fit the others.
    """
    texts = [c.text or "" for c in inertial.iterfind("inertia/*") if c.tag in MOMENTS]
    texts += [c.text for c in inertial.iterchildren("mass") if c.text and c.text.strip()]
    return any(read_value(text) is None for text in texts)


def _find_infinite(inertial: Inertial, path: str) -> list[Element]:
    """Find the numbers of an inertial, by path, that are not finite."""
    return [c for c in inertial.element.iterfind(path) if c.text and tag_of(c) in _NUMBERS
            and (value := read_value(c.text)) is not None and not isfinite(value)]


class Params(NamedTuple):
    """``<gz:method>`` and ``<gz:voxel_size>`` (m) of ``<auto_inertia_params>``, None if not stated; findings on invalid
    values. All else in it is for a calculator of the user. Source: the automatic-inertia proposal."""

    method: str | None = None
    voxel_size: float | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


def read_params(params: Element | None) -> Params:
    """Read an ``<auto_inertia_params>``; if a parameter is there twice, the first counts."""
    method = size = None
    found = []
    for child in params if params is not None else ():
        tag, text = tag_of(child), text_of(child)
        if tag == "gz:voxel_size":
            value = read_number(text)
            if value is None or not 0 < value < inf:
                found.append(diagnose("inertia-param-invalid", locate(child), tag=tag, text=text,
                                      expected="a positive number of metres"))
            elif size is None:
                size = value
        elif tag == "gz:method":
            from sdf_frames.inertia.result import METHODS
            if text not in METHODS:
                found.append(diagnose("inertia-param-invalid", locate(child), tag=tag, text=text,
                                      expected=f"one of {', '.join(METHODS)}"))
            elif method is None:
                method = text
    return Params(method, size, tuple(found))
