"""URIs of meshes and textures in another style: with another scheme, or as the paths that they lead to."""
from __future__ import annotations

import os

from sdf_frames.convert.emit_parts import rewrite_uri
from sdf_frames.convert.moved_uris import move_uri
from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.missing import explain
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import Element, file_of, locate

#: The style of ``file://`` and a path, beside those of :data:`sdf_frames.convert.options.URI_STYLES`.
FILE_STYLE = "file"


def change_style(uri: str, style: str, element: Element, resolver: Resolver, found: list[Diagnostic],
                 home: str | None = None) -> str:
    """Return the URI in a style. In the style of files, a URI whose file is not found stays, and is reported.

    Parameters
    ----------
    uri, element : the URI, and the element that holds it.
    home : the file that relative URIs lead from in the result; None for that of the element.
    """
    base = file_of(element)
    if style != FILE_STYLE:
        moved = None if home in (None, base) else move_uri(uri, base, home, resolver)
        return rewrite_uri(moved or uri, style)
    path = resolver.find(uri, base)
    if path is None:
        found.append(diagnose("asset-not-found", locate(element), uri=uri, hint=explain(uri, base, resolver)))
        return uri
    return "file://" + os.path.abspath(path)
