"""What to say of a URI that leads nowhere: where it was looked for, and what would help."""
from __future__ import annotations

import os
import re
from collections.abc import Iterable
from itertools import islice

from sdf_frames.diagnostics import Diagnostic, count_of, diagnose
from sdf_frames.document.confinement import decode
from sdf_frames.document.location import written_uri
from sdf_frames.document.search_places import BESIDE, walk_up
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import Element, file_of, locate

#: More paths than these are counted, not listed.
_FEW = 4
_LEVELS = 5  # folders above a file from which its URI may lead to a file


def is_lfs_pointer(content: bytes) -> bool:
    """Whether the content of a file is what Git LFS leaves in its place until it fetches the file."""
    return content.startswith(b"version https://git-lfs.github.com/spec/")


def report_missing(uri: str, element: Element, resolver: Resolver, hint: str = "") -> Diagnostic:
    """Report a URI that leads nowhere, as it is written; without a `hint`, with what would help."""
    uri = written_uri(element, uri)
    return diagnose("uri-not-found", locate(element), uri=uri, hint=hint or explain(uri, file_of(element), resolver))


def explain(uri: str, base_file: str | None, resolver: Resolver) -> str:
    """Say in one line what would help with `uri`, which leads nowhere, or where it was looked for."""
    key = (uri, None if base_file is None else os.path.dirname(base_file))
    if key not in resolver.explained:
        resolver.explained[key] = _explain(uri, base_file, resolver)
    return resolver.explained[key]


def _explain(uri: str, base_file: str | None, resolver: Resolver) -> str:
    if uri.strip().lower().startswith(("http://", "https://")):
        return "nothing is downloaded; put the model into the local Fuel cache or refer to a local copy"
    if (slashes := uri.replace("\\", "/")) != uri:
        return f"write {slashes}: URIs have no backslashes"
    tried = resolver.candidates(uri, base_file)
    match = re.match(r"(package|model):/*([^/]+)", uri.strip(), re.IGNORECASE)
    is_nowhere = match is not None and bool(tried) and resolver.find(f"{match[1]}://{match[2]}", base_file) is None
    hint = ""
    if near := find_near(tried, resolver, letters=not is_nowhere):
        hint = f"did you mean {near[0]}?"
    elif folder := _find_helpful(uri, base_file, resolver):
        hint = f"give --resource-path {folder}"
    if is_nowhere and match is not None:
        is_package, name = match[1].lower() == "package", decode(match[2])
        said = f"package {name} is not installed" if is_package else f"model {name} is in no folder that is searched"
        hint = hint or f"give --resource-path DIR, where DIR/{name} is the {match[1].lower()}"
        return f"{said} ({count_of(len(tried), 'place')} searched); {hint}"
    if hint:
        return hint
    if tried:
        few = len(tried) <= _FEW
        return "tried " + ", ".join(tried) if few else f"{len(tried)} places searched; sdf_frames uri FILE lists them"
    if resolver.search.bare:
        return "no resource path contains such a file"
    return "no resource path is set; give --resource-path DIR, where DIR/NAME is the model or package"


def find_near(tried: Iterable[str], resolver: Resolver, letters: bool = True) -> tuple[str, ...]:
    """Find paths like those that were tried: with another case or ending, or with `letters` that differ."""
    near: dict[str, None] = {}
    for path in tried:
        folder, name = os.path.split(path)
        while folder and not resolver.door.is_folder(folder) and folder != os.path.dirname(folder):
            folder, name = os.path.split(folder)
        if folder and name:
            near.update(dict.fromkeys(resolver.search.list_alike(folder, name, letters)))
    return tuple(near)


def _find_helpful(uri: str, base_file: str | None, resolver: Resolver) -> str | None:
    """Find a folder that leads to the file if it is given as ``--resource-path``.

    Looked at are packages beside the folders above the file, these folders, those above the resource paths, and those
    in them.
    """
    below = decode(uri.strip().rpartition("://")[2]).lstrip("/")
    if not below or ".." in below.split("/"):
        return None
    around = os.path.dirname(os.path.abspath(base_file)) if base_file else None
    roots = resolver.search.bare
    name, _, inside = below.partition("/")
    for package in resolver.search.list_folders(BESIDE, name, around) if "://" in uri else ():
        if resolver.door.exists(os.path.join(package, inside)):
            return os.path.dirname(package) if os.path.basename(package) == name else package
    folders = [*islice(walk_up(around), _LEVELS + 1), *[os.path.dirname(os.path.abspath(root)) for root in roots],
               *[path for root in roots for path in resolver.search.list_inside(root)]]
    return next((path for path in folders if resolver.door.exists(os.path.join(path, below))), None)
