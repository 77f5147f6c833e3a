"""Where URIs lead.

Searched are the resource paths, the environment, the package around a file, installed ROS packages and a local Fuel
cache. Nothing is downloaded.
"""
from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.diagnostics.plural import count_of
from sdf_frames.document.confinement import PATH_MAX, Boundary, decode, hides_path, is_file_name
from sdf_frames.document.door import Door
from sdf_frames.document.xml_in import Element, file_of, locate, read_xml

#: More places than these are counted, not listed, if none of them has the package of a URI.
_FEW = 4
_SCHEME = r"([A-Za-z][A-Za-z0-9+.-]*)://"


class Resolver:
    """Finds the files that URIs name.

    Parameters
    ----------
    resource_paths : directories searched first, as ``DIR/NAME/…``; those of ``SDF_PATH`` and ``GZ_SIM_RESOURCE_PATH``
        and installed ROS packages follow. An empty text is none, as in these variables.
    confined : refuse paths outside of the directories searched and the Fuel cache (for descriptions from the network).
    named : directories that a person names, which a confined resolver admits besides.
    readers : for included files of other formats: each takes a path and returns SDFormat text, or None for the next.

    Attributes
    ----------
    texts : of the included files that were read, or what the readers made of them, by path.
    """

    def __init__(self, resource_paths: Iterable[str | os.PathLike[str]] = (), *, confined: bool = False,
                 named: Iterable[str] = (), readers: Iterable[Callable[[str], str | bytes | None]] = ()):
        paths = [path for given in resource_paths if (path := os.fspath(given))]
        self.paths = tuple(dict.fromkeys(paths + _list_variable("SDF_PATH") + _list_variable("GZ_SIM_RESOURCE_PATH")))
        self.prefixes = tuple(_list_variable("AMENT_PREFIX_PATH"))
        self.confined = confined
        self.named = tuple(named)
        self.readers = tuple(readers)
        self.texts: dict[str, str | bytes] = {}
        self._candidates: dict[tuple[str, str | None], list[str]] = {}
        self._enclosing: dict[tuple[str, str], str | None] = {}

    def find(self, uri: str, base_file: str | None = None) -> str | None:
        """Return the existing file or directory that `uri`, in the file `base_file`, names; None if there is none."""
        return next((p for p in self.candidates(uri, base_file) if self.door.exists(p)), None)

    def candidates(self, uri: str, base_file: str | None = None) -> list[str]:
        """List the paths that are tried for `uri`, in order; a confined resolver lists only those that it may open."""
        key = (uri, None if base_file is None else os.path.dirname(base_file))
        if key not in self._candidates:
            self._candidates[key] = self._find_candidates(uri.strip(), base_file)
        return self._candidates[key]

    def _find_candidates(self, uri: str, base_file: str | None) -> list[str]:
        if len(uri) > PATH_MAX or "\0" in uri or (self.confined and hides_path(uri)):
            return []
        admitted = [self.door.admit(path) for path in self._list_paths(uri, base_file)]
        return [path for path in dict.fromkeys(admitted) if path is not None]

    @cached_property
    def cache(self) -> str:
        """Folder of the local Fuel cache."""
        return os.environ.get("GZ_FUEL_CACHE_PATH") or os.path.join(os.path.expanduser("~"), ".gz", "fuel")

    @cached_property
    def door(self) -> Door:
        """What opens the files that are found."""
        if not self.confined:
            return Door()
        installed = [os.path.join(prefix, "share") for prefix in self.prefixes]
        return Door(Boundary((*self.named, *self.paths, self.cache), installed), self.named)

    def explain(self, uri: str, base_file: str | None) -> str:
        """Say where `uri`, which leads nowhere, was looked for: a hint for a person."""
        tried = self.candidates(uri, base_file)
        if uri.strip().lower().startswith(("http://", "https://")):
            return "nothing is downloaded; put the model into the local Fuel cache or refer to a local copy"
        if len(tried) > _FEW and (package := self._find_missing_package(uri, base_file)):
            return f"package {package} is not installed ({count_of(len(tried), 'place')} searched)"
        if tried:
            return "tried " + ", ".join(tried[:12]) + (f" and {len(tried) - 12} more" if len(tried) > 12 else "")
        if self.paths:
            return "no resource path contains such a file"
        return "no resource path is set; give --resource-path DIR, where DIR/NAME is the model or package"

    def _find_missing_package(self, uri: str, base_file: str | None) -> str:
        """Return the package of a ``package://`` URI if it is in no folder that is searched; else nothing."""
        match = re.match(r"package:/*([^/]+)", uri.strip(), re.IGNORECASE)
        if match is None or any(map(self.door.is_folder, self.candidates(f"package://{match[1]}", base_file))):
            return ""
        return decode(match[1])

    def _list_paths(self, uri: str, base_file: str | None) -> list[str]:
        """List the paths that `uri` may mean, in order, without regard to the boundary."""
        match = re.match(_SCHEME, uri)
        scheme, rest = (match.group(1).lower(), uri[match.end():]) if match else ("", uri)
        if not rest:
            return []
        if scheme in ("http", "https"):
            return self._list_cached(rest)
        if scheme == "file" and rest.startswith("/"):
            return [decode(rest)]
        tried = [rest] if scheme == "" and os.path.isabs(rest) else []
        rest = rest.lstrip("/")
        if os.path.isabs(rest):  # with a drive
            return tried
        roots, is_local = list(self.paths), scheme in ("", "file")
        if is_local:
            roots = [*roots, "."] if base_file is None else [os.path.dirname(base_file) or ".", *roots]
        tried += [os.path.join(root, rest) for root in roots]
        if not is_local:
            name, _, below = rest.partition("/")
            around = os.path.dirname(os.path.abspath(base_file)) if base_file else None
            if around is not None and (folder := self._find_enclosing(decode(name), around)):
                tried += [os.path.join(folder, part.lstrip("/")).rstrip("/") for part in (below, decode(below))]
            tried += [os.path.join(prefix, "share", rest) for prefix in self.prefixes]
        if "%" in rest:
            tried += [os.path.join(root, decode(rest)) for root in roots]
        return tried

    def _list_cached(self, rest: str) -> list[str]:
        """List the paths in Gazebo's cache for ``server/version/owner/models/name[/version[/files/…]]``."""
        parts = [decode(p) for p in rest.split("/") if p]
        if len(parts) > 1 and re.fullmatch(r"\d+\.\d+", parts[1]):
            del parts[1]
        if len(parts) < 4 or not all(map(is_file_name, parts)):
            return []
        server, owner, kind, name, *more = parts
        folder = os.path.join(self.cache, server, owner.lower(), kind.lower(), name.lower())
        wanted = more.pop(0) if more and (more[0].isdecimal() or more[0] == "tip") else "tip"
        below = more[1:] if more[:1] == ["files"] else more
        versions = [wanted] if wanted.isdecimal() else self._list_versions(folder)
        return [os.path.join(folder, v, *below) for v in versions] or [os.path.join(folder, "*")]

    def _list_versions(self, folder: str) -> list[str]:
        """List the versions of a model in the cache, the newest first."""
        return sorted((v for v in self.door.list_names(folder) if v.isdecimal()), key=int, reverse=True)

    def _find_enclosing(self, name: str, folder: str) -> str | None:
        """Find the package or model called `name` that `folder` is in.

        That is the nearest folder with a package.xml of that name, or with a model.config and itself of that name.
        """
        key = (name, folder)
        if key not in self._enclosing:
            self._enclosing[key] = next((f for f in walk_up(folder) if self._is_called(f, name)), None)
        return self._enclosing[key]

    def _is_called(self, folder: str, name: str) -> bool:
        if read_package_name(os.path.join(folder, "package.xml"), self.door) == name:
            return True
        return os.path.basename(folder) == name and self.door.is_file(os.path.join(folder, "model.config"))


def report_missing(uri: str, element: Element, resolver: Resolver, hint: str = "") -> Diagnostic:
    """Report a URI that leads nowhere; without a `hint`, with the paths that were tried."""
    return diagnose("uri-not-found", locate(element), uri=uri, hint=hint or resolver.explain(uri, file_of(element)))


def _list_variable(name: str) -> list[str]:
    return [path for path in os.environ.get(name, "").split(os.pathsep) if path]


def walk_up(folder: str) -> Iterator[str]:
    """Yield `folder` and the folders above it."""
    while True:
        yield folder
        if (above := os.path.dirname(folder)) == folder:
            return
        folder = above


def read_package_name(package: str, door: Door) -> str | None:
    """Read the name in a package.xml."""
    try:
        document, _ = read_xml(door.read(package))
    except OSError:
        return None
    return document and (document.root.findtext("name") or "").strip()
