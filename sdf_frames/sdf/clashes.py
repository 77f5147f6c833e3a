"""Names that become equal only through includes: no single file's check can see them."""
from __future__ import annotations

from sdf_frames.diagnostics import Diagnostic, Related, diagnose
from sdf_frames.document.xml_in import Element, locate


def is_foreign(entity, scope: Element) -> bool:
    """Whether an entity came to `scope` by an include: its own file's check cannot have seen its new siblings."""
    return getattr(entity, "proxy", False) or getattr(entity, "include", None) is not None or entity.element.getparent() is not scope


def report_clash(entity, first) -> Diagnostic:
    """The finding for two siblings of one name, at the include that brought the second, or at the second itself."""
    site = getattr(entity, "include", None)
    place = locate(first.include if getattr(first, "include", None) is not None else first.element)
    kinds = [type(e).__name__.lower() for e in (entity, first)]
    return diagnose("name-duplicate" if kinds[0] == kinds[1] else "name-shared",
                    locate(entity.element if site is None else site), name=entity.name, tag=kinds[0], other=kinds[1],
                    related=[Related(f"<{kinds[1]}> of that name", place.line, place.path, place.file)])
