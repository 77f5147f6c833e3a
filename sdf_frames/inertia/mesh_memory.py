"""What was computed of mesh files, in the memory that descriptions share."""
from __future__ import annotations

import hashlib
from collections.abc import Hashable
from contextlib import suppress
from typing import NamedTuple

from sdf_frames.diagnostics import Diagnostic, Location
from sdf_frames.document.budget import LimitExceeded
from sdf_frames.document.door import Door
from sdf_frames.document.memory import Memory
from sdf_frames.inertia.gltf_file import read_mesh_bytes
from sdf_frames.inertia.mesh_formats import find_format, get_extension
from sdf_frames.spatial.solids import Solid

#: Bytes of a result, and of a finding, with its key.
_SIZE = 1500


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


def find_result(memory: Memory, key: Hashable, path: str) -> MeshResult | None:
    """The result of a key, for the file at `path`, which findings name."""
    found: MeshResult | None = memory.find((MeshResult, key, None)) or memory.find((MeshResult, key, path))
    return found


def keep_result(memory: Memory, key: Hashable, path: str, result: MeshResult) -> None:
    """Remember the result of a key; one without findings for every file of the same content."""
    memory.keep((MeshResult, key, path if result.findings else None), result, _SIZE * (1 + len(result.findings)))


def hash_mesh_file(path: str, most: int, door: Door) -> tuple[str, str] | None:
    """The format and the content hash of a file.

    Returns None for files that cannot be known by their own content, that are no files, or that are larger than `most`
    bytes.
    """
    form = find_format(path)
    with suppress(OSError, ValueError, LimitExceeded):
        if form is None or not form.refers:
            return get_extension(path), hashlib.sha256(read_mesh_bytes(path, most, door)).hexdigest()
    return None
