"""Checks that the meshes, heightmaps and textures of a description exist."""
from __future__ import annotations

from collections.abc import Iterator

from sdf_frames.diagnostics import Diagnostic, Location, diagnose, relate
from sdf_frames.document.elements import Element, file_of, locate, text_of
from sdf_frames.document.uri_hints import explain
from sdf_frames.document.uris import Resolver, is_lfs_pointer
from sdf_frames.sdf.model import Root, walk_links
from sdf_frames.sdf.names import NOT_WRITTEN
from sdf_frames.sdf.table import FILE_USES, find_uris
from sdf_frames.urdf.model import Robot


def check_assets(root: Root | None, resolver: Resolver, robot: Robot | None = None) -> Iterator[Diagnostic]:
    """Report each missing file of a shape, material or sky, once for each URI and base file, with its places.

    Of a `robot`, whose conversion is `root`, all that is written counts, also what is not in the SDF.
    """
    places: dict[tuple[str, str | None], list[Location]] = {}
    for element, attribute in [*_find_in_robot(robot), *_find_in_root(root, robot)]:
        uri = text_of(element) if attribute is None else element.get(attribute, "").strip()
        places.setdefault((uri, file_of(element)), []).append(locate(element, attribute))
    for (uri, base), (first, *others) in places.items():
        if not uri or uri == NOT_WRITTEN:
            continue
        related = [relate("the same file", at) for at in dict.fromkeys(others) if at != first]
        if (path := resolver.find_file(uri, base)) is None:
            yield diagnose("asset-not-found", first, uri=uri, hint=explain(uri, base, resolver), related=related)
        elif resolver.door.is_file(path) and is_lfs_pointer(resolver.door.read(path, 100)):
            yield diagnose("file-not-fetched", first, file=uri, related=related)


def _find_in_robot(robot: Robot | None) -> Iterator[tuple[Element, str | None]]:
    """Yield the elements of a URDF that refer to files, and the attributes with the URIs: None for the text."""
    if robot is None or robot.element is None:
        return
    for element in robot.element.iterchildren("link", "material"):
        for holder in element.iter("mesh", "texture"):
            yield holder, "filename"
    for element in robot.gazebo:
        for holder in _find_files(element):
            yield holder, None


def _find_in_root(root: Root | None, robot: Robot | None) -> Iterator[tuple[Element, None]]:
    """Yield the elements of SDFormat that refer to files; of a converted robot, those of models that it includes."""
    if root is None:
        return
    parts: list[Element] = []
    for _, _, link in walk_links(root):
        parts += [collision.element for collision in link.collisions]
        parts += [part.element for part in link.parts]
    parts += [scene for world in root.worlds for scene in world.element.iterchildren("scene")]
    for part in parts:
        if robot is None or file_of(part) != robot.file:
            for element in _find_files(part):
                yield element, None


def _find_files(tree: Element) -> Iterator[Element]:
    return (element for element, use in find_uris(tree) if use in FILE_USES)
