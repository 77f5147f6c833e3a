"""What commands that convert write for the URIs of meshes and textures: ``--uri-style``."""
from __future__ import annotations

import argparse
import os

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import Element, locate

FILE_STYLE = "file"


def add_style_argument(parser: argparse.ArgumentParser, default: str) -> None:
    """``--uri-style``."""
    parser.add_argument("--uri-style", choices=("model", "package", "keep", FILE_STYLE), default=default,
                        help=f"scheme of URIs of meshes and textures: model://, package://, as written (keep), or "
                             f"file:// with the path that they lead to (default: {default})")


def resolve_uri(uri: str, element: Element, base: str | None, resolver: Resolver, found: list[Diagnostic]) -> str:
    """``file://`` and the path that `uri`, which `element` of the file `base` holds, leads to; itself, and a finding, where
    it leads nowhere."""
    from sdf_frames.sdf.included_file import explain_tried
    path = resolver.find(uri, base)
    if path is None:
        found.append(diagnose("asset-not-found", locate(element), uri=uri, hint=explain_tried(uri, base, resolver)))
        return uri
    return "file://" + os.path.abspath(path)
