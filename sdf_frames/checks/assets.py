"""Checks that the meshes, heightmaps and textures of a description exist."""
from __future__ import annotations

from collections.abc import Iterator

from sdf_frames.convert.emit_parts import rewrite_uri
from sdf_frames.diagnostics import Diagnostic, diagnose, relate
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import Element, file_of, locate, text_of
from sdf_frames.sdf.model import Root, walk_links
from sdf_frames.sdf.names import NOT_WRITTEN
from sdf_frames.sdf.uri_elements import find_uris
from sdf_frames.urdf.model import Mesh, Robot

# Not of scripts of materials, which only Gazebo Classic has, nor of sounds.
_SHAPES = ("mesh", "heightmap", "image")
_MOST_PLACES = 20


def check_assets(root: Root, resolver: Resolver, robot: Robot | None = None) -> Iterator[Diagnostic]:
    """Report each file of a shape, material or sky that is not found, once for each URI and base file, with its places.

    If `root` was converted from a `robot`, URIs are quoted as the URDF has them.
    """
    written = {} if robot is None else {rewrite_uri(uri, "model"): uri for uri in _find_files(robot)}
    places: dict[tuple[str, str | None], list[Element]] = {}
    parts: list[Element] = []
    for _, _, link in walk_links(root):
        parts += [collision.element for collision in link.collisions]
        parts += [part.element for part in link.parts]
    parts += [scene for world in root.worlds for scene in world.element.iterchildren("scene")]
    for element, kind in [row for part in parts for row in find_uris(part)]:
        if element.tag != "uri" or kind in _SHAPES:
            places.setdefault((text_of(element), file_of(element)), []).append(element)
    for (uri, base), (first, *others) in places.items():
        if uri and uri != NOT_WRITTEN and resolver.find(uri, base) is None:
            again = dict.fromkeys(locate(element) for element in others)
            yield diagnose("asset-not-found", locate(first), uri=written.get(uri, uri),
                           hint=resolver.explain(uri, base),
                           related=[relate("the same file", at) for at in again if at != locate(first)][:_MOST_PLACES])


def _find_files(robot: Robot) -> Iterator[str]:
    """Yield the URIs that a URDF's shapes refer to, as written."""
    for link in robot.links:
        for geometry in [*[v.geometry for v in link.visuals], *[c.geometry for c in link.collisions]]:
            if isinstance(geometry, Mesh):
                yield geometry.filename
        for visual in link.visuals:
            if visual.material is not None and visual.material.texture:
                yield visual.material.texture
