"""The files that a description refers to: the file of each URI, or the paths that were tried."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import NamedTuple

from sdf_frames.convert.mesh_references import follow_references
from sdf_frames.convert.moved_uris import find_references
from sdf_frames.description import Description
from sdf_frames.diagnostics import Location
from sdf_frames.document.elements import Element, file_of, locate, tag_of, text_of
from sdf_frames.document.uri_hints import explain, find_near
from sdf_frames.document.uris import Resolver
from sdf_frames.sdf.model import Root
from sdf_frames.sdf.model_folder import find_model_file
from sdf_frames.sdf.names import NOT_WRITTEN
from sdf_frames.sdf.table import FILE_USES, find_uris


class FileReference(NamedTuple):
    """A URI of a description.

    Attributes
    ----------
    uri : as written.
    kind : tag of the element that contains it, such as ``mesh``, ``include``, ``texture``.
    file, line : where it is written.
    path : the file or folder that was found, or None.
    tried : the paths that were tried, in order.
    near : existing paths that are similar to a tried path; empty if the file was found.
    column : column in `line`, from 1; None if unknown.
    hint : what to do, in one line; empty if the file was found.
    place : the place where the package or model was found, such as ``--resource-path``.
    """

    uri: str
    kind: str
    file: str | None
    line: int | None
    path: str | None
    tried: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    column: int | None = None
    hint: str = ""
    place: str = ""


def list_uris(description: Description, read_tree: Callable[[], Element]) -> tuple[FileReference, ...]:
    """List every URI of a description and of the files that it includes, once for each place.

    Parameters
    ----------
    read_tree : returns the XML as given. It is not called for SDFormat that could be read.
    """
    found: dict[tuple[str, str | None, int | None], FileReference] = {}
    trees = ([read_tree()] if description.root is None or description.kind == "urdf"
             else _list_trees(description.root))
    for element, attribute, kind, uri in [row for one in trees for row in _walk(one)]:
        base = file_of(element) or description.file
        at = locate(element, attribute)
        if uri and uri != NOT_WRITTEN and (uri, at.file, at.line) not in found:
            found[uri, at.file, at.line] = _resolve(uri, kind, at, description.resolver, base)
    return tuple(found.values())


def list_files(description: Description) -> Iterator[str]:
    """Yield the files that a description includes, those that its URIs refer to, and those that meshes refer to."""
    return follow_references(_find_files(description), description.resolver.door)


def list_expanded(description: Description) -> Iterator[str]:
    """Yield the files that xacro read for each element of a description."""
    if description.source is not None and description.source.expanded is not None:
        yield from (place.file for place in description.source.expanded.places if place and place.file)


def _find_files(description: Description) -> Iterator[str]:
    yield from list_expanded(description)
    robot, root, door = description.robot, description.root, description.resolver.door
    trees = [] if robot is None or robot.element is None else [robot.element]  # also of links that the SDF lacks
    yield from () if root is None else root.files
    for tree in [*trees, *([] if root is None else _list_trees(root))]:
        for element, _, uri in find_references(tree):
            path, around = description.resolver.find(uri, file_of(element) or description.file), element.getparent()
            if path is None or not door.is_folder(path):
                found = [path]
            elif around is not None and tag_of(around) == "include":
                found = [find_model_file(path, door).file]
            else:
                found = [file for name in door.list_names(path) if door.is_file(file := os.path.join(path, name))]
            yield from filter(None, found)


def _list_trees(root: Root) -> list[Element]:
    """List the documents of an SDFormat description and of its included files."""
    # By their roots: lxml returns a new tree object each time.
    roots = {root.element.getroottree().getroot(): None}
    models = [*([] if root.model is None else [root.model]), *root.merged]
    models += [model for world in root.worlds for model in world.models]
    for model in models:  # the list grows with each nested model
        roots[model.element.getroottree().getroot()] = None
        models += model.models
    return list(roots)


def _walk(tree: Element) -> Iterator[tuple[Element, str | None, str, str]]:
    """Yield the elements with a URI, its attribute (None for the text), its use, and the URI."""
    if tag_of(tree) == "robot":
        for element in tree.iter("mesh", "texture"):
            yield element, "filename", tag_of(element), (element.get("filename") or "").strip()
        return
    for element, kind in find_uris(tree, plugins=True):
        yield element, None, kind, text_of(element)


def _resolve(uri: str, kind: str, at: Location, resolver: Resolver, base: str | None) -> FileReference:
    find, tried = resolver.find_file if kind in FILE_USES else resolver.find, tuple(resolver.candidates(uri, base))
    path = find(uri, base)
    if path is None:
        near, hint = find_near(tried, resolver), explain(uri, base, resolver)
        return FileReference(uri, kind, at.file, at.line, None, tried, near, at.column, hint)
    place = resolver.find_place(uri, base)
    return FileReference(uri, kind, at.file, at.line, path, tried, (), at.column, "", place.title if place else "")
