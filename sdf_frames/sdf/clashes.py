"""Names that become equal only through includes: no single file's check can see them."""
from __future__ import annotations

from sdf_frames.diagnostics import Diagnostic, diagnose, relate
from sdf_frames.document.xml_in import Element, locate
from sdf_frames.sdf.model import Frame, Member, Model, kind_of


def is_foreign(entity: Member, scope: Element) -> bool:
    """Return whether an entity came to `scope` by an include, so that no file's check has seen it with its siblings."""
    if (isinstance(entity, Frame) and entity.proxy) or _include_of(entity) is not None:
        return True
    return entity.element.getparent() is not scope


def _include_of(entity: Member) -> Element | None:
    return entity.include if isinstance(entity, Model) else None


def report_clash(entity: Member, first: Member) -> Diagnostic:
    """Report two siblings of one name, at the include that brought the second, or at the second itself."""
    site, other = _include_of(entity), _include_of(first)
    kinds = [kind_of(e) for e in (entity, first)]
    return diagnose("name-duplicate" if kinds[0] == kinds[1] else "name-shared",
                    locate(entity.element if site is None else site, "name"), name=entity.name, tag=kinds[0],
                    other=kinds[1],
                    related=[relate(f"<{kinds[1]}> of that name",
                                    locate(first.element if other is None else other, "name"))])
