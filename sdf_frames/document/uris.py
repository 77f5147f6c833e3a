"""Finds the files that URIs name, and hints for URIs that name none. Nothing is downloaded."""
from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from sdf_frames.diagnostics import Diagnostic, count_of, diagnose, find_nearest
from sdf_frames.document.confinement import PATH_MAX, Boundary, decode, hides_path, is_file_name
from sdf_frames.document.door import Door
from sdf_frames.document.elements import Element, file_of, locate, written_uri
from sdf_frames.document.folders import MODEL_CONFIG
from sdf_frames.document.numbers import EXPAND, is_unexpanded

if TYPE_CHECKING:
    from sdf_frames.document.search_places import Place, Search

#: A path, and the place that its package or model is in.
_Tried = tuple[str, "Place | None"]
_SCHEME = r"([A-Za-z][A-Za-z0-9+.-]*)://"
_SCHEMES = ("package", "model", "file", "http", "https")


class Resolver:
    """Finds the files that URIs name.

    Parameters
    ----------
    resource_paths : directories searched first, as ``DIR/NAME/…``; the other places that are searched are in
        :mod:`sdf_frames.document.search_places`. An empty text is ignored.
    confined : refuse paths outside of the directories searched and the Fuel cache (for descriptions from the network).
    named : directories that a person names, which a confined resolver also admits.
    readers : for included files of other formats: each takes a path and returns SDFormat text, or None for the next.

    Attributes
    ----------
    texts : the texts of included files, as read or as made by the readers, by path.
    explained : the explanations of URIs that were not found, by URI and folder.
    surfaces : the mesh files that a check has read, by path, for the next check.
    """

    def __init__(self, resource_paths: Iterable[str | os.PathLike[str]] = (), *, confined: bool = False,
                 named: Iterable[str] = (), readers: Iterable[Callable[[str], str | bytes | None]] = ()):
        self.given = tuple([path for given in resource_paths if (path := os.fspath(given))])
        self.confined = confined
        self.named = tuple(named)
        self.readers = tuple(readers)
        self.texts: dict[str, str | bytes] = {}
        self.explained: dict[tuple[str, str | None], str] = {}
        self.surfaces: dict[str, Any] = {}
        self._found: dict[tuple[str, str | None], _Tried | tuple[None, None]] = {}

    def find(self, uri: str, base_file: str | None = None) -> str | None:
        """Return the existing file or directory that `uri`, in the file `base_file`, names; None if there is none."""
        return self._look(uri, base_file)[0]

    def find_file(self, uri: str, base_file: str | None = None) -> str | None:
        """Return the existing file that `uri`, in the file `base_file`, names; None also for a folder."""
        path = self.find(uri, base_file)
        return None if path is None or self.door.is_folder(path) else path

    def find_beside(self, uri: str, base_file: str) -> str | None:
        """Return the path of a relative `uri` in the folder of `base_file`; None if only other places have it."""
        rest = re.sub(r"(?i)^file:/*", "", uri.strip())
        paths = [self.door.admit(os.path.join(os.path.dirname(base_file), form)) for form in _list_forms(rest)]
        return next((path for path in paths if path is not None and self.door.exists(path)), None)

    def find_place(self, uri: str, base_file: str | None) -> Place | None:
        """Return the place where the package or model of `uri` is found first; None for other URIs."""
        return self._look(uri, base_file)[1]

    def find_package(self, name: str, base_file: str | None) -> str | None:
        """Return the folder that ``$(find NAME)`` in the file `base_file` means; None if there is none."""
        around = _find_around(base_file)
        paths = (path for place in self.search.places for path in self.search.list_folders(place, name, around))
        folder = next(filter(self.door.is_folder, paths), None)
        return folder and os.path.abspath(folder)

    def candidates(self, uri: str, base_file: str | None = None) -> list[str]:
        """List the paths that are tried for `uri`, in order; a confined resolver lists only those that it may open.

        If the package or model exists, the paths are in it; if not, they are the places where it was looked for.
        """
        tried = [*self._try(uri, base_file)] or self._try(uri, base_file, missing=True)
        return list(dict.fromkeys(path for path, _ in tried))

    @cached_property
    def search(self) -> Search:
        """The search for packages and models, made when it is first needed: few loads need it."""
        from sdf_frames.document.search_places import Search
        return Search(self.given, self.door)

    @cached_property
    def door(self) -> Door:
        """The door that opens the files that are found."""
        if not self.confined:
            return Door()
        from sdf_frames.document.search_places import list_variable
        roots = [*self.named, *self.given, *list_variable("SDF_PATH"), *list_variable("GZ_SIM_RESOURCE_PATH")]
        cache = list_variable("GZ_FUEL_CACHE_PATH") or [os.path.expanduser("~/.gz/fuel")]
        installed = [os.path.join(prefix, "share") for prefix in list_variable("AMENT_PREFIX_PATH")]
        return Door(Boundary([*roots, *cache], installed), self.named)

    def _look(self, uri: str, base_file: str | None) -> _Tried | tuple[None, None]:
        key = (uri, None if base_file is None else os.path.dirname(base_file))
        if key not in self._found:
            there = (tried for tried in self._try(uri, base_file) if self.door.exists(tried[0]))
            self._found[key] = next(there, (None, None))
        return self._found[key]

    def _try(self, uri: str, base_file: str | None, missing: bool = False) -> Iterator[_Tried]:
        """Yield the paths that are tried; with `missing`, the paths where the package or model would be."""
        uri = uri.strip()
        if len(uri) > PATH_MAX or "\0" in uri or (self.confined and hides_path(uri)):
            return
        for path, place in self._list_paths(uri, base_file, missing):
            if (admitted := self.door.admit(path)) is not None:
                yield admitted, place

    def _list_paths(self, uri: str, base_file: str | None, missing: bool) -> Iterator[_Tried]:
        """Yield the paths that `uri` may mean, in order, with their places; the boundary is not applied."""
        match = re.match(_SCHEME, uri)
        scheme, rest = (match.group(1).lower(), uri[match.end():]) if match else ("", uri)
        if not rest or _correct_scheme(scheme):
            return
        if scheme in ("http", "https"):
            yield from ((path, None) for path in self._list_cached(rest, missing))
            return
        if scheme == "file" and rest.startswith("/"):
            yield decode(rest), None
            return
        if scheme == "" and os.path.isabs(rest):
            yield rest, None
        rest = rest.lstrip("/")
        if os.path.isabs(rest):  # with a drive
            return
        forms = _list_forms(rest)
        if scheme in ("", "file"):
            roots = self.search.bare
            roots = [*roots, "."] if base_file is None else [os.path.dirname(base_file) or ".", *roots]
            yield from ((os.path.join(root, form), None) for form in forms for root in roots)
            return
        around = _find_around(base_file)
        known: set[str] = set()
        forms = forms[-1:] if missing else forms
        for place in self.search.places:
            if not place.uris:
                continue
            for form in forms:
                name, _, below = form.partition("/")
                folders = (self.search.list_missing(place, name) if missing
                           else self.search.list_folders(place, name, around))
                for folder in folders:
                    path = os.path.join(folder, below.lstrip("/")).rstrip("/")
                    if (whole := os.path.abspath(path)) not in known:
                        known.add(whole)
                        yield path, place

    def _list_cached(self, rest: str, missing: bool) -> Iterator[str]:
        """Yield the paths in the caches of Fuel for ``server/version/owner/models/name[/version[/files/…]]``."""
        parts = [decode(p) for p in rest.split("/") if p]
        if len(parts) > 1 and re.fullmatch(r"\d+\.\d+", parts[1]):
            del parts[1]
        if len(parts) < 4 or not all(map(is_file_name, parts)):
            return
        server, owner, kind, name, *more = parts
        wanted = more.pop(0) if more and (more[0].isdecimal() or more[0] == "tip") else "tip"
        below = more[1:] if more[:1] == ["files"] else more
        for number, cache in enumerate(self.search.fuel):
            folder = os.path.join(cache, server, owner.lower(), kind.lower(), name.lower())
            versions = [wanted] if wanted.isdecimal() else self.search.list_versions(folder)
            yield from (os.path.join(folder, version, *below) for version in versions)
            if missing and not number:
                yield os.path.join(folder, "*")


def name_file(path: str) -> str:
    """Return the ``file://`` URI of a path, in which readers decode ``%``."""
    return "file://" + os.path.abspath(path).replace("%", "%25")


def _correct_scheme(scheme: str) -> str:
    """Return the scheme that a misspelt one stands for; "" for others."""
    return "" if scheme in ("", *_SCHEMES) else next(iter(find_nearest(scheme, _SCHEMES)), "")


def _list_forms(rest: str) -> list[str]:
    return [rest, decode(rest)] if "%" in rest else [rest]


def _find_around(file: str | None) -> str | None:
    return os.path.dirname(os.path.abspath(file)) if file else None


#: More paths than these are counted, not listed.
_FEW = 4
_IN_PYTHON = "(in Python: resource_paths)"
_MOST_FOLDERS = 5  # in a path, from the one that is not there to the file


def is_lfs_pointer(content: bytes) -> bool:
    """Return whether the content of a file is a pointer of Git LFS, which stands for a file that is not fetched."""
    return content.startswith(b"version https://git-lfs.github.com/spec/")


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
    if colon and (meant := _correct_scheme(scheme.lower())):
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
    if re.match("(?:file:/*)?(?:[A-Za-z]:)?/", uri):
        parts = [*filter(None, uri.split("/"))][-_MOST_FOLDERS:]
        meant += [above + "/".join(parts[i:]) for above in ("", "../", "../../") for i in range(len(parts))]
    return next((uri for uri in meant if resolver.find(uri, base_file)), "")


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
        hint = f"did you mean {_spell(uri.strip(), near[0], package)}?"
    elif folder := _find_helpful(uri, base_file, resolver):
        from shlex import quote
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
    return [*filter(None, map(resolver.search.read_name, walk_up(_find_around(base_file))))]


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
    around, roots = _find_around(base_file), search.bare
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
