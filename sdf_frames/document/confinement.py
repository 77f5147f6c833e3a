"""The boundary of a confined load: which paths may be opened for a description from the network.

Nothing outside of the roots is touched, not even to see whether it exists. So neither an answer nor its time reveals
what is there.
"""
from __future__ import annotations

import os
from collections.abc import Iterable
from stat import S_ISLNK

#: Characters of the longest path on Linux. A longer path names no file, and the search for it takes quadratic time in
#: its parts.
PATH_MAX = 4096
# How often a part may be percent-encoded; a file name with a % needs one.
_MOST_DECODINGS = 3


class Boundary:
    """Directories below which files may be opened.

    Parameters
    ----------
    roots : directories. A symbolic link below one is followed if it stays below one.
    installed : further directories, in which a link to a file may point anywhere: ``colcon build
        --symlink-install`` installs all files of a package as such links.
    """

    def __init__(self, roots: Iterable[str], installed: Iterable[str] = ()):
        self._installed = _name_both_ways(installed)
        self._roots = (*_name_both_ways(roots), *self._installed)

    def admit(self, path: str) -> str | None:
        """Return the path to open, without ``..`` and links; None if it is outside. Links in `installed` are kept.

        ``..`` is resolved on the text, before any link is followed. The path need not exist.
        """
        if len(path) > PATH_MAX or "\0" in path:
            return None
        path = os.path.abspath(path)
        try:
            for root, real in self._roots:
                if path.startswith(root) and (admitted := self._descend(real, path[len(root):].split("/"))) is not None:
                    return admitted
        except (OSError, ValueError):  # a name that no file can have
            pass
        return None

    def holds(self, handle: int, path: str) -> bool:
        """Return whether an open file is still the one that :meth:`admit` named `path`; True if that is unknown."""
        try:
            return os.readlink(f"/proc/self/fd/{handle}") == path or _is_below(path, self._installed)
        except OSError:
            return True

    def _descend(self, root: str, parts: list[str]) -> str | None:
        """Follow `parts` down from `root` until one does not exist; return None if a link leads outside."""
        here = root.rstrip("/")
        for number, part in enumerate(parts, 1):
            there = f"{here}/{part}"
            try:
                is_link = S_ISLNK(os.lstat(there).st_mode)
            except OSError:
                return "/".join((there, *parts[number:]))
            if is_link:
                if number == len(parts) and _is_below(here, self._installed) and not os.path.isdir(there):
                    return there
                there = os.path.realpath(there)
                if not _is_below(there, self._roots):
                    return None
            here = there
        return here


def decode(text: str) -> str:
    """Return `text` without percent-encoding. Few URIs have any, and importing urllib.parse takes 2 ms."""
    if "%" not in text:
        return text
    from urllib.parse import unquote
    return unquote(text)


def hides_path(uri: str) -> bool:
    """Return whether a part of a URI, percent-decoded, is ``..`` or has a separator, a back-slash or a NUL.

    Unencoded, they hide nothing, except for backslashes, which no file of a description needs.
    """
    return "\\" in uri or ("%" in uri and any(_decodes_badly(part) for part in uri.split("/")))


def is_file_name(part: str) -> bool:
    """Return whether a decoded part of a URI names a file or directory directly in the directory before it."""
    return part not in ("", ".", "..") and not any(c in part for c in "/\\\0")


def _decodes_badly(part: str) -> bool:
    for _ in range(_MOST_DECODINGS):
        if (decoded := decode(part)) == part:
            return False
        if not is_file_name(decoded):
            return True
        part = decoded
    return decode(part) != part


def _name_both_ways(roots: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return pairs (root as written or without links, root without links); each path ends with a separator."""
    pairs = []
    for root in roots:
        real = os.path.join(os.path.realpath(root), "")
        pairs += [(os.path.join(os.path.abspath(root), ""), real), (real, real)]
    return tuple(dict.fromkeys(pairs))


def _is_below(path: str, roots: Iterable[tuple[str, str]]) -> bool:
    return any(path.startswith(real) for _, real in roots)
