"""Elements of SDFormat whose text is the URI of a file: the one list of them."""
from __future__ import annotations

from collections.abc import Iterator

from sdf_frames.document.xml_in import Element, tag_of

#: Tags that mean a URI wherever they are.
URI_TAGS = ("uri", "albedo_map", "roughness_map", "metalness_map", "ambient_occlusion_map", "normal_map",
            "emissive_map", "light_map", "environment_map", "specular_map", "glossiness_map", "cubemap_uri")
#: Tags that mean a URI in the ``<texture>`` of a heightmap; elsewhere they are colours and vectors.
TEXTURE_TAGS = ("diffuse", "normal")


def find_uris(tree: Element, plugins: bool = False) -> Iterator[tuple[Element, str]]:
    """Yield each element that holds a URI in a tree, in the order of the document, and what the URI is for.

    That is a tag: of the element around it (``mesh``, ``include``, ``texture``), or its own (``albedo_map``).
    With `plugins`, those in plugins count, too, where ``<uri>`` may mean anything.
    """
    for element in tree.iter(*URI_TAGS, *TEXTURE_TAGS):
        above = element.getparent()
        holder = "" if above is None else tag_of(above)
        if (element.tag not in TEXTURE_TAGS or holder == "texture") and (
                plugins or next(element.iterancestors("plugin"), None) is None):
            yield element, tag_of(element) if element.tag not in ("uri", *TEXTURE_TAGS) else holder or "uri"
