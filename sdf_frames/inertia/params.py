"""Reads ``<gz:method>`` and ``<gz:voxel_size>`` of ``<auto_inertia_params>``.

Everything else in it, with any prefix, is for a calculator of the user. Source: the automatic-inertia proposal.
"""
from __future__ import annotations

from math import inf
from typing import NamedTuple

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.numbers import read_number
from sdf_frames.document.xml_in import Element, locate, tag_of, text_of
from sdf_frames.inertia.result import METHODS


class Params(NamedTuple):
    """``method`` and ``voxel_size`` (m), None if not stated; findings on invalid values."""

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
            if text not in METHODS:
                found.append(diagnose("inertia-param-invalid", locate(child), tag=tag, text=text,
                                      expected=f"one of {', '.join(METHODS)}"))
            elif method is None:
                method = text
    return Params(method, size, tuple(found))
