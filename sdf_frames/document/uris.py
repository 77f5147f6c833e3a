"""Finds the files that URIs name. Nothing is downloaded."""
from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sdf_frames.diagnostics import find_nearest
from sdf_frames.document.confinement import PATH_MAX, Boundary, decode, hides_path, is_file_name
from sdf_frames.document.door import Door

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
        around = find_around(base_file)
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
        if not rest or correct_scheme(scheme):
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
        around = find_around(base_file)
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


def correct_scheme(scheme: str) -> str:
    """Return the scheme that a misspelt one stands for; "" for others."""
    return "" if scheme in ("", *_SCHEMES) else next(iter(find_nearest(scheme, _SCHEMES)), "")


def _list_forms(rest: str) -> list[str]:
    return [rest, decode(rest)] if "%" in rest else [rest]


def find_around(file: str | None) -> str | None:
    return os.path.dirname(os.path.abspath(file)) if file else None


def is_lfs_pointer(content: bytes) -> bool:
    """Return whether the content of a file is a pointer of Git LFS, which stands for a file that is not fetched."""
    return content.startswith(b"version https://git-lfs.github.com/spec/")
