"""URIs of meshes and textures written as the paths that they lead to."""
from __future__ import annotations

import os

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import Element, locate

#: The style of ``file://`` and a path, beside those of :data:`sdf_frames.convert.options.URI_STYLES`.
FILE_STYLE = "file"


def resolve_uri(uri: str, element: Element, base: str | None, resolver: Resolver, found: list[Diagnostic]) -> str:
    """Return ``file://`` and the path of the file that `uri` names. If there is none, return `uri`, and report it.

    Parameters
    ----------
    uri, element, base : the URI, the element that holds it, and the file that holds the element.
    """
    path = resolver.find(uri, base)
    if path is None:
        found.append(diagnose("asset-not-found", locate(element), uri=uri, hint=resolver.explain(uri, base)))
        return uri
    return "file://" + os.path.abspath(path)
