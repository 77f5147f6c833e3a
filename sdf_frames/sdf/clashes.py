"""Names that become equal only through includes: no single file's check can see them."""
from __future__ import annotations

from sdf_frames.diagnostics import Diagnostic, Location, diagnose, relate
from sdf_frames.document.xml_in import Element, locate
from sdf_frames.sdf.model import Frame, Member, Model, kind_of


def is_foreign(entity: Member, scope: Element) -> bool:
    """Return whether an entity came to `scope` by an include, so that no file's check has seen it with its siblings."""
    return isinstance(entity, Frame) and entity.proxy or entity.element.getparent() is not scope


def report_clash(entity: Member, first: Member) -> Diagnostic:
    """Report two siblings of one name, at the include that brought the second, or at the second itself."""
    tag, other = kind_of(entity), kind_of(first)
    return diagnose("name-duplicate" if tag == other else "name-shared", _place(entity), name=entity.name, tag=tag,
                    other=other, related=[relate(f"<{other}> of that name", _place(first))])


def _place(entity: Member) -> Location:
    include = entity.include if isinstance(entity, Model) else None
    return locate(entity.element if include is None else include, "name")
