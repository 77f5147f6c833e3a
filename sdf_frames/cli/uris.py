"""What commands that convert write for the URIs of meshes and textures: ``--uri-style``."""
from __future__ import annotations

import argparse

from sdf_frames.convert.options import URI_STYLES
from sdf_frames.convert.uri_styles import FILE_STYLE


def add_style_argument(parser: argparse.ArgumentParser, default: str) -> None:
    """``--uri-style``."""
    parser.add_argument("--uri-style", choices=(*URI_STYLES, FILE_STYLE), default=default,
                        help=f"scheme of URIs of meshes and textures: model://, package://, as written (keep), or "
                             f"file:// with the path of the file (default: {default})")
