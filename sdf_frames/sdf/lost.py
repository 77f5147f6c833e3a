"""What includes that failed did not bring: references to it say nothing that the include's own finding does not."""
from __future__ import annotations

import re

from sdf_frames.document.xml_in import Element
from sdf_frames.sdf.entities import read_child_text
from sdf_frames.sdf.model import Model, World

# Among the names of what was lost: any name, and any name before a ``::``.
_ANY, _ANY_SCOPE = "", "::"


def name_lost(include: Element, merged: bool) -> list[str]:
    """Names by which others may refer to what `include` should have brought.

    Its own name where it gives one, else that of the model in the file, which mostly is that of its folder.
    """
    if merged:
        return [_ANY]
    if name := read_child_text(include, "name"):
        return [name]
    return [_ANY_SCOPE, *re.split(r"[/.]+", read_child_text(include, "uri"))]


def is_lost(scope: Model | World, reference: str) -> bool:
    """Whether `reference`, which leads nowhere from `scope`, may mean what an include failed to bring."""
    name, _, rest = reference.partition("::")
    known = next((e for e in scope.order if e.name == name), None)
    if known is not None:
        return bool(rest) and isinstance(known, Model) and is_lost(known, rest)
    return _ANY in scope.lost or name in scope.lost or (bool(rest) and _ANY_SCOPE in scope.lost)
