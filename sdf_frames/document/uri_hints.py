"""Explains why a URI names no file, and finds the file that is meant."""
from __future__ import annotations

import os
import re
from collections.abc import Iterable
from itertools import chain
from shlex import quote

from sdf_frames.diagnostics import Diagnostic, count_of, diagnose, find_nearest
from sdf_frames.document.confinement import PATH_MAX, decode
from sdf_frames.document.elements import Element, file_of, locate, written_uri
from sdf_frames.document.folders import MODEL_CONFIG
from sdf_frames.document.numbers import EXPAND, is_unexpanded
from sdf_frames.document.uris import Resolver, correct_scheme, find_around

#: More paths than these are counted, not listed.
_FEW = 4
_IN_PYTHON = "(in Python: resource_paths)"
_MOST_FOLDERS = 5  # in a path, from the one that is not there to the file


def report_missing(uri: str, element: Element, resolver: Resolver, hint: str = "") -> Diagnostic:
    """Report a URI that is not found, as written; without a `hint`, the hint is that of :func:`explain`."""
    uri = written_uri(element, uri)
    return diagnose("uri-not-found", locate(element), uri=uri, hint=hint or explain(uri, file_of(element), resolver))


def find_slashed(uri: str, base_file: str | None, resolver: Resolver) -> str | None:
    """Return the file that a URI with backslashes names if they are slashes."""
    return resolver.find(uri.replace("\\", "/"), base_file) if "\\" in uri else None


def explain(uri: str, base_file: str | None, resolver: Resolver) -> str:
    """Return a hint of one line for a `uri` that is not found, or where it was looked for."""
    key = (uri, None if base_file is None else os.path.dirname(base_file))
    if key not in resolver.explained:
        resolver.explained[key] = _explain(uri, base_file, resolver)
    return resolver.explained[key]


def _correct(uri: str, base_file: str | None, resolver: Resolver) -> str:
    """Return what to write in place of a URI that shows what is wrong with it; empty for others."""
    if is_unexpanded(uri):
        return EXPAND
    if uri.lower().startswith(("http://", "https://")):
        return "nothing is downloaded; put the model into the local Fuel cache or refer to a local copy"
    scheme, colon, rest = uri.partition("://")
    if colon and (meant := correct_scheme(scheme.lower())):
        return f"did you mean {meant}://{rest}?"
    if resolver.find(uri, base_file) is not None:
        return "this is a folder: name a file in it"
    slashes = uri.replace("\\", "/")
    if meant := _find_meant(slashes, base_file, resolver):
        return f"did you mean {meant}?"
    if re.match("(?:file:/*)?[A-Za-z]:/", slashes) and not os.path.isabs(slashes):
        return "write a path relative to this file: only Windows has drives"
    return f"write {slashes}: URIs have no backslashes" if slashes != uri else ""


def _find_meant(uri: str, base_file: str | None, resolver: Resolver) -> str:
    """Find the file of a URI with other slashes, without a package, or with the path of another computer."""
    meant: list[str] = []
    if match := re.match("(package|model|file):/*([^/].*)", uri, re.IGNORECASE):
        scheme, rest = match.groups()
        starts = ["/" if scheme.lower() == "file" else ""]
        if scheme.lower() == "package":
            starts += [f"{name}/" for name in _list_packages_around(base_file, resolver)]
        meant += [f"{scheme}://{start}{rest}" for start in starts]
    if re.match("(?:file:/*)?(?:[A-Za-z]:)?/", uri) or "://" not in uri and _is_urdf(base_file):
        parts = [*filter(None, uri.split("/"))][-_MOST_FOLDERS:]
        meant += [above + "/".join(parts[i:]) for above in ("", "../", "../../") for i in range(len(parts))]
    return spell_by_package(next((uri for uri in meant if resolver.find(uri, base_file)), ""), base_file, resolver)


def spell_by_package(uri: str, base_file: str | None, resolver: Resolver) -> str:
    """Return a URI with ``package://`` for one that RViz may not open, if the URDF's package has the file."""
    from sdf_frames.document.search_places import walk_up
    opens = not _is_urdf(base_file) or re.match("package:|file:///", uri)
    path = None if opens else resolver.find(uri, base_file)
    package = next(filter(resolver.search.read_name, walk_up(find_around(base_file))), None) if path else None
    new = path and package and f"package://{resolver.search.read_name(package)}/{os.path.relpath(path, package)}"
    return uri if not new or "/../" in new or resolver.find(new, base_file) is None else new


def _is_urdf(file: str | None) -> bool:
    return file is not None and not file.lower().endswith((".sdf", ".world"))


def _explain(uri: str, base_file: str | None, resolver: Resolver) -> str:
    if hint := _correct(uri.strip(), base_file, resolver):
        return hint
    tried = resolver.candidates(uri, base_file)
    match = re.match(r"(package|model):/*([^/]+)", uri.strip(), re.IGNORECASE)
    is_nowhere = match is not None and bool(tried) and resolver.find(f"{match[1]}://{match[2]}", base_file) is None
    if is_nowhere and match is not None and not re.match("[a-z]+://[^/]", uri.strip(), re.IGNORECASE):
        return f"write {match[1]}://NAME/PATH, with two slashes before the name of the {match[1].lower()}"
    hint = ""
    if near := find_near(tried, resolver, letters=not is_nowhere):
        package = f"{match[0]}/" if match is not None and not is_nowhere else ""
        hint = f"did you mean {spell_by_package(_spell(uri.strip(), near[0], package), base_file, resolver)}?"
    elif folder := _find_helpful(uri, base_file, resolver):
        hint = f"give --resource-path {quote(folder)} {_IN_PYTHON}"
    elif is_nowhere and match is not None and (
            like := find_nearest(match[2], _list_packages_around(base_file, resolver))):
        hint = f"did you mean {match[1]}://{like[0]}{uri.strip()[match.end():]}?"
    if is_nowhere and match is not None:
        is_package, name = match[1].lower() == "package", decode(match[2])
        said = f"package {name} is not installed" if is_package else f"model {name} is in no folder that is searched"
        hint = hint or f"give --resource-path DIR {_IN_PYTHON}, where DIR/{name} is the {match[1].lower()}"
        return f"{said} ({count_of(len(tried), 'place')} searched); {hint}"
    if hint:
        return hint
    if tried:
        few = len(tried) <= _FEW
        return "tried " + ", ".join(tried) if few else f"{len(tried)} places searched; sdf_frames uri FILE lists them"
    if resolver.search.bare:
        return "no resource path contains such a file"
    return f"no resource path is set; give --resource-path DIR {_IN_PYTHON}, where DIR/NAME is the model or package"


def find_near(tried: Iterable[str], resolver: Resolver, letters: bool = True) -> tuple[str, ...]:
    """Find existing paths that are similar to those that were tried.

    The file, or one of the folders right above it, has another case or suffix, or with `letters` another letter.
    Folders are not found in place of a file with a suffix.
    """
    near: dict[str, None] = {}
    for path in tried:
        folder, name = os.path.split(path)
        below: list[str] = []
        while folder and len(below) < _MOST_FOLDERS and not resolver.door.is_folder(folder):
            below.insert(0, name)
            folder, name = os.path.split(folder)
        is_there = resolver.door.is_file if os.path.splitext(path)[1] else resolver.door.exists
        for alike in resolver.search.list_alike(folder, name, letters) if folder and name else ():
            if is_there(found := os.path.join(alike, *below)) and found != path:
                near[found] = None
    return tuple(near)


def _spell(uri: str, path: str, package: str) -> str:
    """Return the URI of a similar path that was found: it begins with `package`, or else with its scheme."""
    start = package or uri[:uri.find("://") + 3] * ("://" in uri)
    return start + "/".join(path.split("/")[-len(uri.removeprefix(start).split("/")):])


def _list_packages_around(base_file: str | None, resolver: Resolver) -> list[str]:
    """List the names of the packages around a file."""
    from sdf_frames.document.search_places import walk_up
    return [*filter(None, map(resolver.search.read_name, walk_up(find_around(base_file))))]


def _find_helpful(uri: str, base_file: str | None, resolver: Resolver) -> str | None:
    """Find a folder with which the file is found if it is given as ``--resource-path``.

    The search goes through packages beside the folders above the file, these folders, the folders above the resource
    paths, and the folders in them. For a model, it also goes through the folders in those above the file.
    """
    from sdf_frames.document.search_places import BESIDE, list_near
    scheme, _, below = uri.strip().rpartition("://")
    below = decode(below).lstrip("/")
    if not below or len(below) > PATH_MAX or ".." in below.split("/"):
        return None
    search, exists = resolver.search, resolver.door.exists
    around, roots = find_around(base_file), search.bare
    name, _, inside = below.partition("/")
    for package in search.list_folders(BESIDE, name, around) if scheme else ():
        if exists(os.path.join(package, inside)):
            return os.path.dirname(package) if os.path.basename(package) == name else package
    above = list_near(around)
    folders = chain(above, (os.path.dirname(os.path.abspath(root)) for root in roots),
                    (path for root in roots for path in search.list_holders(root, name)))
    if found := next((path for path in folders if exists(os.path.join(path, below))), None):
        return found
    models = (path for folder in above for path in search.list_holders(folder, name)) if scheme == "model" else ()
    return next((path for path in models if exists(os.path.join(path, below))
                 and resolver.door.is_file(os.path.join(path, name, MODEL_CONFIG))), None)
