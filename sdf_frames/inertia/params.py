"""What ``<auto_inertia_params>`` asks of the methods here: ``<gz:method>`` and ``<gz:voxel_size>``.

Everything else in it, whatever its prefix, is for a calculator of the user's. Source: the automatic-inertia proposal.
"""
from __future__ import annotations

from math import inf
from typing import NamedTuple

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.numbers import read_number
from sdf_frames.document.xml_in import Element, locate, tag_of, text_of
from sdf_frames.inertia.result import METHODS


class Params(NamedTuple):
    """``method`` and ``voxel_size`` (m), None where not stated; findings on values that cannot be meant."""

    method: str | None = None
    voxel_size: float | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


def read_params(params: Element | None) -> Params:
    """Values of an ``<auto_inertia_params>``; of several of one name the first counts."""
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
