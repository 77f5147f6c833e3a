"""Makes a document without includes: replaces every ``<include>`` by its content."""
from __future__ import annotations

import posixpath

from lxml import etree

from sdf_frames.convert.computed_poses import write_pose
from sdf_frames.convert.moved_uris import find_references, make_moves, move_uri
from sdf_frames.document.elements import Element, file_of, text_of
from sdf_frames.document.places import copy_element
from sdf_frames.document.uris import Resolver
from sdf_frames.frames.graph import build_graph
from sdf_frames.frames.resolve import resolve_scope
from sdf_frames.sdf.entities import LEGACY_FRAME, read_child_text
from sdf_frames.sdf.included_content import override_element
from sdf_frames.sdf.model import UNPOSED, Frame, Model, Root, World
from sdf_frames.sdf.names import MODEL_FRAME
from sdf_frames.sdf.table import version_key
from sdf_frames.spatial.pose import IDENTITY, compose, invert


def expand_includes(root: Root, resolver: Resolver) -> Element:
    """A copy of a document's tree in which models stand where they were included.

    Includes that brought no model stay. Relative URIs of included files lead from the including one to where they led
    before. Names and poses that SDFormat 1.12 cannot express stay.
    """
    return _expand(root.element, _gather_includes(root), resolver)


def find_oldest_version(root: Root) -> str:
    """The lowest version among those that a document and what it includes were written in."""
    return min([root.version, *[model.version for model, _ in _gather_includes(root).values()]], key=version_key)


#: A model with the overrides of its include, and the frame that stands for it if it was merged.
_Brought = tuple[Model, "Frame | None"]


def _gather_includes(root: Root) -> dict[Element, _Brought]:
    """What each include brought, by its element."""
    found: dict[Element, _Brought] = {}
    stack: list[tuple[World | Model, Frame | None]] = [
        (scope, None) for scope in (*root.worlds, root.model) if scope is not None]
    while stack:
        scope, proxy = stack.pop()
        if isinstance(scope, Model) and scope.include is not None:
            if scope.include in found:
                continue
            found[scope.include] = scope, proxy
        stack += [(model, None) for model in scope.models]
        # Those of merged models stand in these, too, where they do not yet depend on the model around.
        stack += [(frame.merged, frame) for frame in scope.frames
                  if frame.merged is not None and frame.element.getparent() is scope.element]
    return found


def _expand(element: Element, brought: dict[Element, _Brought], resolver: Resolver) -> Element:
    copy = copy_element(element)
    pairs = [(i, c) for i, c in zip(element.iter("include"), copy.iter("include")) if i in brought]
    for include, place in pairs:
        (model, proxy), parent = brought[include], place.getparent()
        assert parent is not None  # an <include> is no root
        entity = _expand(model.element, brought, resolver)
        _move_uris(entity, model.element, include, resolver)
        override_element(entity, include, model.name, model.placement_frame)
        parts = [entity] if proxy is None else _merge(model, proxy, entity)
        # Not by index: that counts all siblings each time.
        for part in parts:
            place.addprevious(part)
        parent.remove(place)
    return copy


def _merge(model: Model, proxy: Frame, entity: Element) -> list[Element]:
    """Return the proxy frame, and the content that a merged model gives its parent, as decided on reading."""
    frame = etree.Element("frame", name=proxy.name, attached_to=proxy.attached_to)
    written = proxy.pose.element
    pose = etree.Element("pose") if written is None else copy_element(written)
    if proxy.placement_frame:
        graph = build_graph(model._replace(pose=UNPOSED, placement_frame=""))
        poses = {f.name: f.pose for f in resolve_scope(graph).frames}
        write_pose(pose, compose(proxy.pose.X, invert(poses.get(proxy.placement_frame) or IDENTITY)))
    pose.set("relative_to", proxy.pose.relative_to)
    frame.append(pose)
    parts = [*entity]
    for part in parts:
        _repoint(part, proxy.name)
    return [frame, *parts]


def _repoint(part: Element, proxy: str) -> None:
    """Let what is in the frame of a merged model be in its proxy's."""
    if part.tag == "model" or part.tag == "link":
        pose = part.find("pose")
        if pose is None:
            pose = etree.Element("pose")
            part.insert(0, pose)
        if not pose.get("relative_to"):
            pose.set("relative_to", MODEL_FRAME)
    elif part.tag == "frame" and not part.get("attached_to"):
        part.set("attached_to", MODEL_FRAME)
    for element in [part, *part.findall("pose")] if part.tag == "model" else part.iter(etree.Element):
        for attribute in ("relative_to", "attached_to", "expressed_in", LEGACY_FRAME):
            if element.get(attribute) == MODEL_FRAME:
                element.set(attribute, proxy)
        if element.tag in ("parent", "child") and text_of(element) == MODEL_FRAME:
            element.text = proxy


def _move_uris(entity: Element, source: Element, include: Element, resolver: Resolver) -> None:
    """Make relative URIs of an included file, but those of plugins, lead from the including one to the same files."""
    origin, target = file_of(source), file_of(include)
    uri = read_child_text(include, "uri")
    found = resolver.find(uri, target)
    base = uri if found is None or resolver.door.is_folder(found) else posixpath.dirname(uri)
    make_moves(find_references(entity, plugins=False), lambda _, uri: move_uri(uri, origin, target, resolver, base))
