"""What includes that failed did not bring: references to it say nothing that the include's own finding does not."""
from __future__ import annotations

import re

from sdf_frames.document.xml_in import Element
from sdf_frames.sdf.entities import read_child_text

# Among the names of what was lost: any name, and any name before a ``::``.
ANY, ANY_SCOPE = "", "::"


def name_lost(include: Element, merged: bool) -> list[str]:
    """Names by which others may refer to what `include` should have brought.

    Its own name where it gives one, else that of the model in the file, which mostly is that of its folder.
    """
    if merged:
        return [ANY]
    if name := read_child_text(include, "name"):
        return [name]
    return [ANY_SCOPE, *re.split(r"[/.]+", read_child_text(include, "uri"))]
