"""Makes the parts of a merged model parts of the model or world around its include."""
from __future__ import annotations

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.elements import Element, locate
from sdf_frames.sdf.model import Frame, Joint, Link, Member, Model, RawPose, find_canonical_link
from sdf_frames.sdf.names import MODEL_FRAME, WORLD_FRAME, is_reserved


def merge_model(model: Model, include: Element, parent: str, found: list[Diagnostic]) -> list[Member]:
    """Return the entities that `model` adds to its parent (``"model"`` or ``"world"``), the proxy frame first.

    The proxy frame has the pose of the model's frame, and references to ``__model__`` become references to the proxy.
    """
    if is_reserved(model.name):  # it is only a part of the proxy's name, which is not reserved
        named = model.element if include.find("name") is None else include
        found.append(diagnose("name-reserved", locate(named, "name"), kind="model", name=model.name))
    if parent not in ("model", "world"):
        report_unmergeable(include, parent, found)
        return []
    body = find_canonical_link(model) or ""
    if parent == "world" and model.links:
        names = [link.name for link in model.links]
        found.append(diagnose("merge-unsupported", locate(include), problem=(
            f"a world cannot hold links, and this model has {', '.join(map(repr, names[:5]))}"
            f"{' …' if len(names) > 5 else ''}; "
            "merge models without links of their own")))
        return []  # the other entities would refer to missing links
    proxy = f"_merged__{model.name}__model__"
    around = WORLD_FRAME if parent == "world" else MODEL_FRAME
    frame = Frame(proxy, body, include, model.pose._replace(relative_to=model.pose.relative_to or around),
                  # Its own frame is that of the proxy, so that its pose stays correct.
                  proxy=True, placement_frame="" if model.placement_frame == MODEL_FRAME else model.placement_frame,
                  merged=model)
    return [frame, *(_rewrite(entity, proxy) for entity in model.order)]


def report_unmergeable(include: Element, parent: str, found: list[Diagnostic]) -> None:
    """Report a merged include in an element that is no model or world."""
    found.append(diagnose("merge-unsupported", locate(include), problem=f"<{parent}> cannot hold a merged model"))


def _rewrite(entity: Member, proxy: str) -> Member:
    if isinstance(entity, (Link, Model)):
        if entity.pose.relative_to in ("", MODEL_FRAME):
            entity = entity._replace(pose=entity.pose._replace(relative_to=proxy))
        if isinstance(entity, Link):
            inertial = entity.inertial
            if inertial is not None and inertial.frame == MODEL_FRAME:
                inertial = inertial._replace(frame=proxy)
            return entity._replace(
                inertial=inertial,
                collisions=tuple([c._replace(pose=_repoint(c.pose, proxy)) for c in entity.collisions]),
                parts=tuple([p._replace(pose=_repoint(p.pose, proxy)) for p in entity.parts]))
        return entity
    if isinstance(entity, Frame):
        attached_to = proxy if entity.attached_to in ("", MODEL_FRAME) else entity.attached_to
        return entity._replace(attached_to=attached_to, pose=_repoint(entity.pose, proxy))
    assert isinstance(entity, Joint)
    return entity._replace(
        pose=_repoint(entity.pose, proxy),
        parent=proxy if entity.parent == MODEL_FRAME else entity.parent,
        child=proxy if entity.child == MODEL_FRAME else entity.child,
        sensors=tuple([s._replace(pose=_repoint(s.pose, proxy)) for s in entity.sensors]),
        axes=tuple([a._replace(expressed_in=proxy) if a.expressed_in == MODEL_FRAME else a for a in entity.axes]))


def _repoint(pose: RawPose, proxy: str) -> RawPose:
    return pose._replace(relative_to=proxy) if pose.relative_to == MODEL_FRAME else pose
