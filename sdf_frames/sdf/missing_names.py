"""Names that a failed include should have brought.

The include itself is reported. A reference to one of these names is not reported as well: it follows from the include.
"""
from __future__ import annotations

import re

from sdf_frames.document.xml_in import Element
from sdf_frames.sdf.entities import read_child_text

# Among the missing names: any name, and any name before a ``::``.
ANY, ANY_SCOPE = "", "::"


def name_missing(include: Element, merged: bool) -> list[str]:
    """List the names by which other elements may refer to the model that `include` should have brought.

    These are the include's own name if it gives one, else the parts of its URI: a model mostly has the name of its
    folder.
    """
    if merged:
        return [ANY]
    if name := read_child_text(include, "name"):
        return [name]
    return [ANY_SCOPE, *re.split(r"[/.]+", read_child_text(include, "uri"))]
