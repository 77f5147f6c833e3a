"""Where URIs lead: resource paths, the environment, the package around a file, installed ROS packages, a local Fuel cache.

Nothing is downloaded.
"""
from __future__ import annotations

import os
import re
from typing import Iterator
from urllib.parse import unquote

from sdf_frames.document.reading import read_bounded
from sdf_frames.document.xml_in import read_xml

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_REMOTE = ("http", "https")


class Resolver:
    """Finds the files that URIs name.

    Parameters
    ----------
    resource_paths : directories searched first, as ``DIR/NAME/…``.
    use_environment : search ``SDF_PATH``, ``GZ_SIM_RESOURCE_PATH`` and installed ROS packages after them.
    confined : refuse paths that lead out of the directories searched (for descriptions from the network).
    readers : for included files of other formats: each takes a path and returns SDFormat text, or None for the next.
    """

    def __init__(self, resource_paths=(), *, use_environment: bool = True, confined: bool = False, readers=()):
        paths = [os.fspath(p) for p in resource_paths]
        if use_environment:
            for variable in ("SDF_PATH", "GZ_SIM_RESOURCE_PATH"):
                paths += [p for p in os.environ.get(variable, "").split(os.pathsep) if p]
        self.paths = tuple(dict.fromkeys(paths))
        self.prefixes = tuple(p for p in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep) if p) \
            if use_environment else ()
        self.confined = confined
        self.readers = tuple(readers)
        self._found: dict = {}
        self._enclosing: dict = {}

    def find(self, uri: str, base_file: str | None = None) -> str | None:
        """Path of the existing file or directory that `uri` names, or None. `base_file` is the file that holds the URI."""
        if "\0" in uri:
            return None
        key = (uri, os.path.dirname(base_file) if base_file else None)
        if key not in self._found:
            self._found[key] = next((p for p in self.candidates(uri, base_file) if os.path.exists(p)), None)
        return self._found[key]

    def candidates(self, uri: str, base_file: str | None = None) -> list[str]:
        """Every path that is tried for `uri`, in order."""
        uri = uri.strip()
        match = _SCHEME.match(uri)
        scheme, rest = (match.group(1).lower(), uri[match.end():]) if match else ("", uri)
        if not rest:
            return []
        if scheme in _REMOTE:
            return _fuel_cache(rest)
        tried = []
        if scheme == "file" and rest.startswith("/"):
            tried.append(unquote(rest))
        if scheme == "" and os.path.isabs(rest):
            tried.append(rest)
        rest = rest.lstrip("/") if scheme != "file" else rest
        if os.path.isabs(rest):
            return tried if not self.confined else [p for p in tried if self._is_inside(p)]
        roots = list(self.paths)
        if scheme in ("", "file"):
            base = os.path.dirname(base_file) if base_file else ""
            roots = [base or "."] + roots if base_file is not None else roots + ["."]
        tried += [os.path.join(root, rest) for root in roots]
        if scheme not in ("", "file"):
            name, _, below = rest.partition("/")
            if base_file and (folder := self._find_enclosing(unquote(name), os.path.dirname(os.path.abspath(base_file)))):
                tried += [os.path.join(folder, part.lstrip("/")).rstrip("/") for part in (below, unquote(below))]
            tried += [os.path.join(prefix, "share", rest) for prefix in self.prefixes]
        if "%" in rest:
            tried += [os.path.join(root, unquote(rest)) for root in roots]
        if self.confined:
            tried = [p for p in tried if self._is_inside(p)]
        return list(dict.fromkeys(tried))

    def _find_enclosing(self, name: str, folder: str) -> str | None:
        """The package or model called `name` that `folder` is in: the nearest folder with a package.xml of that name, or
        with a model.config and itself of that name."""
        key = (name, folder)
        if key not in self._enclosing:
            self._enclosing[key] = next((f for f in _walk_up(folder) if self._is_called(f, name)), None)
        return self._enclosing[key]

    def _is_called(self, folder: str, name: str) -> bool:
        package, model = os.path.join(folder, "package.xml"), os.path.join(folder, "model.config")
        if os.path.isfile(package) and self.allows(package) and _read_name(package) == name:
            return True
        return os.path.basename(folder) == name and os.path.isfile(model) and self.allows(model)

    def allows(self, path: str) -> bool:
        """Whether a path may be read: any, or where confined one inside the directories searched.

        Links are followed first, but for a file that is itself one in an installed package: ``colcon build
        --symlink-install`` makes all of them so.
        """
        return not self.confined or self._is_inside(path)

    def _is_inside(self, path: str) -> bool:
        installed = [os.path.join(prefix, "share") for prefix in self.prefixes]
        try:
            return (_is_below(os.path.realpath(path), (*self.paths, *installed))
                    or _is_below(os.path.realpath(os.path.dirname(path)), installed))
        except (OSError, ValueError):
            return False


def _walk_up(folder: str) -> Iterator[str]:
    while True:
        yield folder
        if (above := os.path.dirname(folder)) == folder:
            return
        folder = above


def _read_name(package: str) -> str | None:
    """The name that a package.xml gives."""
    try:
        with open(package, "rb") as stream:
            document, _ = read_xml(read_bounded(stream))
    except OSError:
        return None
    return document and (document.root.findtext("name") or "").strip()


def _is_below(path: str, roots) -> bool:
    return any(path.startswith(os.path.join(os.path.realpath(root), "")) for root in roots)


def _fuel_cache(rest: str) -> list[str]:
    """Where Gazebo keeps what it once downloaded from ``server/version/owner/models/name[/version[/files/…]]``."""
    cache = os.environ.get("GZ_FUEL_CACHE_PATH") or os.path.join(os.path.expanduser("~"), ".gz", "fuel")
    parts = [unquote(p) for p in rest.split("/") if p]
    if len(parts) < 4 or ".." in parts:
        return []
    server, parts = parts[0], parts[1:]
    if re.fullmatch(r"\d+\.\d+", parts[0]):
        parts = parts[1:]
    if len(parts) < 3:
        return []
    owner, kind, name, *more = parts
    folder = os.path.join(cache, server, owner.lower(), kind.lower(), name.lower())
    wanted = more.pop(0) if more and (more[0].isdigit() or more[0] == "tip") else "tip"
    below = more[1:] if more[:1] == ["files"] else more
    versions = [wanted] if wanted.isdigit() else sorted(
        (v for v in (os.listdir(folder) if os.path.isdir(folder) else ()) if v.isdigit()), key=int, reverse=True)
    return [os.path.join(folder, v, *below) for v in versions] or [os.path.join(folder, "*")]
