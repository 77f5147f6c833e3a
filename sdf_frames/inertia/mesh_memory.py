"""What was computed of mesh files, for whoever works on many descriptions that share them.

The owner makes one :class:`MeshMemory` and gives it to each load. What is remembered depends on nothing but a file's
content and how it is integrated, so results are the same with and without it.
"""
from __future__ import annotations

import hashlib
import os
from collections.abc import Hashable
from contextlib import suppress
from typing import NamedTuple

from sdf_frames.diagnostics import Diagnostic, Location
from sdf_frames.spatial.solids import Solid

_BLOCK = 1 << 20
#: Files that name other files, whose content counts as well.
_REFERRING = (".gltf",)


class MeshResult(NamedTuple):
    """What came of a mesh.

    Attributes
    ----------
    solid : of density one; None if it has none.
    method : the one that was used.
    findings : without a place.
    cost : what reading the file spends of the budget, by name of the limit.
    """

    solid: Solid | None
    method: str
    findings: tuple[Diagnostic, ...]
    cost: dict[str, int]

    def place(self, at: Location) -> tuple[Diagnostic, ...]:
        """The findings, at a place."""
        return tuple([d._replace(file=at.file, line=at.line, path=at.path, column=at.column) for d in self.findings])


class MeshMemory:
    """A bounded memory of results. What has not been asked for longest goes first.

    Parameters
    ----------
    most : results that are kept; each takes about 1 kB.
    """

    def __init__(self, most: int = 10_000):
        self.most = most
        self._kept: dict[Hashable, MeshResult] = {}

    def find(self, key: Hashable, path: str) -> MeshResult | None:
        """The result of a key, for the file at `path`, which findings name."""
        for full in ((key, None), (key, path)):
            if (result := self._kept.pop(full, None)) is not None:
                self._kept[full] = result
                return result
        return None

    def keep(self, key: Hashable, path: str, result: MeshResult) -> None:
        """Remember the result of a key; one without findings for every file of the same content."""
        self._kept[key, path if result.findings else None] = result
        if len(self._kept) > self.most:
            del self._kept[next(iter(self._kept))]


def hash_mesh_file(path: str, most: int) -> tuple[str, str] | None:
    """The format and the content hash of a file.

    Returns None for files that cannot be known by their own content, that are no files, or that are larger than `most`
    bytes.
    """
    extension = os.path.splitext(path)[1].lower()
    digest = hashlib.sha256()
    with suppress(OSError, ValueError):
        if extension not in _REFERRING and os.path.isfile(path) and os.path.getsize(path) <= most:
            with open(path, "rb") as stream:
                while block := stream.read(_BLOCK):
                    digest.update(block)
            return extension, digest.hexdigest()
    return None
