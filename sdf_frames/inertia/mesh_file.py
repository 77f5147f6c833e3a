"""Reads mesh files, which are not trusted, as vertices and faces in metres.

trimesh reads glTF and PLY, ``collada_file.py`` COLLADA, and ``plain_meshes.py`` STL, OBJ and OFF. Nothing but the file
itself is opened, and for a glTF file the buffers in its own folder.
"""
from __future__ import annotations

import os
import re
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import BytesIO, StringIO
from itertools import islice
from typing import Any

import numpy as np

from sdf_frames.diagnostics import Diagnostic, Location, count_of, diagnose
from sdf_frames.document.budget import LimitExceeded, Spending, report_exceeded
from sdf_frames.document.confinement import Boundary
from sdf_frames.document.door import UNCONFINED, Door
from sdf_frames.document.uris import is_lfs_pointer
from sdf_frames.inertia.collada_file import read_collada
from sdf_frames.inertia.gltf_file import make_file_resolver, read_mesh_bytes, take_gltf
from sdf_frames.inertia.mesh_formats import FORMATS, get_extension
from sdf_frames.inertia.mesh_parts import MeshPart, VertexUnknown, drop_unused
from sdf_frames.inertia.plain_meshes import read_obj, read_off, read_stl

_READERS = {"stl": read_stl, "obj": read_obj, "off": read_off}
#: What to do if trimesh is missing. No ROS distribution has a package of it.
_MISSING = "glTF and PLY files need trimesh: pip install trimesh, or save the mesh as STL, OBJ or COLLADA"
_UNEVEN = "its faces have different numbers of corners: save the mesh as ASCII PLY, STL or OBJ"


@dataclass(frozen=True, slots=True)
class Surface:
    """A mesh as read: (V, 3) vertices in metres, (F, 3) vertex indices, whether the format knows its unit.

    As it is read from a file, the first `first` faces are those of its first part.
    """

    vertices: np.ndarray
    faces: np.ndarray
    has_unit: bool
    first: int = 0


def take_used(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Return (N, 3) the vertices of faces."""
    used = np.zeros(len(vertices), dtype=bool)
    used[faces.ravel()] = True
    return vertices[used]


def read_mesh_file(path: str, submesh: str | None = None, at: Location | None = None,
                   spending: Spending | None = None,
                   door: Door = UNCONFINED) -> tuple[Surface | None, tuple[Diagnostic, ...]]:
    """Read the triangles of a file, with node transforms and unit applied.

    Parameters
    ----------
    path : the file; its extension says the format.
    submesh : name of the one part wanted; all parts when None.
    at : place of the reference, for findings.
    spending : what has been spent, triangles among it; without it the default budget is this file's alone.

    Returns
    -------
    surface, diagnostics
        The surface is None exactly when one of the diagnostics is an error, or when the budget was exceeded before,
        which was reported then.
    """
    extension = get_extension(path)
    if extension not in FORMATS:
        return None, (diagnose("mesh-format-unsupported", at, file=path, known=", ".join(FORMATS),
                               kind=f"of type {extension}" if extension else "whose names have no extension"),)
    spending = spending or Spending()
    try:
        content = read_mesh_bytes(path, spending.budget.mesh_bytes, door)
        if is_lfs_pointer(content):
            return None, (diagnose("file-not-fetched", at, file=path),)
        parts = _load_parts(path, extension, content, spending)
    except LimitExceeded as error:
        if spending.exceeded:
            return None, spending.report(at)
        return None, (report_exceeded(error.name, error.counted, spending.budget, at, path),)
    except Exception as error:  # noqa: BLE001 - readers raise anything on malformed files
        return None, (_report_unread(error, path, at),)
    if submesh is not None and parts:
        chosen = _choose_parts(parts, submesh)
        if not chosen:
            return None, (diagnose("mesh-without-submesh", at, file=path, submesh=submesh,
                                   known=", ".join(sorted({n for p in parts for n in p.names[0]})[:10])),)
        parts = chosen
    return _join_parts(parts, path, FORMATS[extension].has_unit, at)


def _report_unread(error: Exception, path: str, at: Location | None) -> Diagnostic:
    """Report a file that a reader refused with this error."""
    if isinstance(error, VertexUnknown):
        return diagnose("mesh-index-out-of-range", at, file=path, index=error.index, count=error.count)
    problem, hint = _describe(error), None
    if isinstance(error, ModuleNotFoundError):
        # trimesh imports another module to guess the encoding of a file that is no mesh.
        problem = "its content is malformed: the text cannot be decoded"
        if error.name == "trimesh":
            problem, hint = "the module trimesh is missing", _MISSING
    return diagnose("mesh-unreadable", at, file=path, problem=problem, hint=hint)


def _describe(error: BaseException) -> str:
    """Return an exception of a reader as one line; say that the content is malformed if the reader does not."""
    said = getattr(error, "msg", None) or getattr(error, "strerror", None) or error
    text = " ".join(str(said).split()) or type(error).__name__
    if isinstance(error, (AssertionError, AttributeError, IndexError, KeyError, TypeError)):
        text = f"its content is malformed ({text})"
    if "unexpected length" in text:  # trimesh about a binary PLY file
        text = f"it is cut off, or {_UNEVEN}"
    return text if len(text) <= 160 else text[:157] + "…"


@np.errstate(over="ignore", invalid="ignore")  # what is not finite is told where the parts are joined
def _load_parts(path: str, extension: str, content: bytes, spending: Spending) -> list[MeshPart]:
    """Load every placed part that has triangles."""
    form = FORMATS[extension]
    if form.reader == "collada":
        return read_collada(content, spending)
    if form.reader in _READERS:
        return _count_faces(_READERS[form.reader](content), spending)
    import trimesh
    if form.reader == "ply":
        _check_ply(content)
    elif form.reader == "gltf":
        content = take_gltf(content, spending.budget)
    folder = os.path.dirname(os.path.abspath(path))
    buffers = make_file_resolver(folder, Door(Boundary((folder,))), spending.budget) if form.refers else None
    # Some readers print; standard output is the caller's.
    with redirect_stdout(StringIO()):
        with BytesIO(content) as stream:
            loaded = trimesh.load(stream, file_type=extension, resolver=buffers, process=False, skip_materials=True)
        if form.reader == "ply":
            _check_counts(loaded.metadata)
        if not isinstance(loaded, trimesh.Scene):
            return _count_faces([MeshPart((frozenset({""}),), *_take_faces(loaded))], spending)
        parts: list[MeshPart] = []
        taken = {name: _take_faces(geometry) for name, geometry in loaded.geometry.items()}
        for node in loaded.graph.nodes_geometry:
            X, name = loaded.graph[node]
            parts += _count_faces([_place_part(str(name), *taken[name], X)], spending)
    return parts


def _count_faces(parts: list[MeshPart], spending: Spending) -> list[MeshPart]:
    """Return `parts` that have triangles after counting these; raise LimitExceeded if they are too many."""
    parts = [part for part in parts if len(part.faces)]
    spending.demand("faces", sum(len(part.faces) for part in parts))
    return parts


def _check_ply(content: bytes) -> None:
    """Refuse an ASCII file whose lines are not as its header and the counts of its lists say; trimesh ignores these."""
    head, _, body = content.partition(b"end_header")
    if not re.search(rb"^format\s+ascii", head, re.MULTILINE):
        return
    elements = re.findall(rb"^element\s+\S+\s+(\d{1,18})\b([^\0]*?)(?=^element|\Z)", head, re.MULTILINE)
    lines, promised = body.strip().splitlines(), sum(int(count) for count, _ in elements)
    if len(lines) < promised:
        raise ValueError(f"it is cut off: its header says {promised} elements, but {len(lines)} lines follow")
    rest = iter(lines)
    for count, properties in elements:
        kinds = re.findall(rb"^[ \t]*property[ \t]+(\S+)", properties, re.MULTILINE)
        place = kinds.index(b"list") if kinds.count(b"list") == 1 else None
        for line in islice(rest, int(count)):
            if place is not None and (
                    len(words := line.split()) <= place or len(words) != len(kinds) + int(words[place])):
                raise ValueError(f"a line does not hold as many numbers as it says: {line[:40].decode()}")


def _check_counts(metadata: Any) -> None:
    """Refuse a binary PLY file with faces of several sizes: trimesh reads all as if they had the size of the first."""
    elements = metadata.get("_ply_raw") or metadata.get("ply_raw", {})  # before trimesh 4
    rows = elements.get("face", {}).get("data")
    fields = (rows.dtype.names or ()) if isinstance(rows, np.ndarray) else ()
    counts = [rows[name]["f0"] for name in fields if rows.dtype[name].names]
    if any((count != count[0]).any() for count in counts):
        raise ValueError(_UNEVEN)


def _take_faces(geometry: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return (V, 3) vertices and (F, 3) faces of a trimesh geometry; no faces for lines and points."""
    faces = getattr(geometry, "faces", None)
    if faces is None or not len(faces):
        return np.empty((0, 3)), np.empty((0, 3), dtype=np.int64)
    V, F = np.asarray(geometry.vertices, dtype=np.float64), np.asarray(faces)
    if V.ndim != 2 or V.shape[1] != 3:
        raise ValueError("a vertex does not have three coordinates")
    if F.ndim != 2 or F.shape[1] < 3 or F.dtype.kind not in "iu":
        raise ValueError("its faces are not triangles")
    corners = len(V) * 3
    if F.shape == V.shape and F[-1, -1] == corners - 1 and np.array_equal(F.ravel(), np.arange(corners)):
        # A glTF primitive without indices: trimesh 3.10 to 4 number three corners for each vertex, not one.
        F = F[:len(V) // 3]
    if F.shape[1] > 3:
        # Older versions of trimesh leave polygons that all have the same number of corners alone.
        F = np.concatenate([F[:, [0, k, k + 1]] for k in range(1, F.shape[1] - 1)])
    return drop_unused(V, F)


def _place_part(name: str, V: np.ndarray, F: np.ndarray, X: np.ndarray) -> MeshPart:
    if not np.array_equal(X, np.eye(4)):
        V = V @ X[:3, :3].T + X[:3, 3]
        # A mirror turns the faces inside out.
        if np.linalg.det(X[:3, :3]) < 0:
            F = F[:, ::-1]
    return MeshPart((frozenset({name}),), V, F)


def _choose_parts(parts: list[MeshPart], submesh: str) -> list[MeshPart]:
    """Return the parts with a name, by the first kind of name that any part has."""
    for name in (submesh, f"{submesh}-mesh"):
        for kind in range(max(len(p.names) for p in parts)):
            if chosen := [p for p in parts if kind < len(p.names) and name in p.names[kind]]:
                return chosen
    return []


def _join_parts(parts: list[MeshPart], path: str, has_unit: bool, at: Location | None,
                ) -> tuple[Surface | None, tuple[Diagnostic, ...]]:
    if not parts:
        return None, (diagnose("mesh-empty", at, file=path),)
    vertices, faces, count = [], [], 0
    for _, V, F in parts:
        if (low := int(F.min())) < 0 or (high := int(F.max())) >= len(V):
            return None, (diagnose("mesh-index-out-of-range", at, file=path, index=low if low < 0 else high,
                                   count=len(V)),)
        vertices.append(V)
        faces.append(F + count)
        count += len(V)
    V, F = np.concatenate(vertices), np.concatenate(faces).astype(np.int64, copy=False)
    used = V if len(V) == F.size else take_used(V, F)
    if not np.isfinite(used).all():
        bad = int((~np.isfinite(used)).any(axis=1).sum())
        return None, (diagnose("mesh-not-finite", at, file=path, vertices=count_of(bad, "vertex", "vertices")),)
    return Surface(V, F, has_unit, len(faces[0])), ()
