"""Mesh files to vertices and faces in metres, without trusting them.

trimesh does the reading; nothing but the file itself is opened, buffers of a glTF file in its own folder excepted.
"""
from __future__ import annotations

import os
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO

import numpy as np

from sdf_frames.diagnostics import Diagnostic, Location, diagnose

EXTENSIONS = ("stl", "obj", "dae", "glb", "gltf", "ply", "off")
MAX_BYTES = 1 << 30


@dataclass(frozen=True, slots=True)
class Surface:
    """A mesh as read: (V, 3) vertices in metres, (F, 3) vertex indices, whether the format knows its unit."""

    vertices: np.ndarray
    faces: np.ndarray
    has_unit: bool


def find_used(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """(V,) of bool: which vertices the faces use."""
    used = np.zeros(len(vertices), dtype=bool)
    used[faces.ravel()] = True
    return used


def read_mesh_file(path: str, submesh: str | None = None, at: Location | None = None,
                   ) -> tuple[Surface | None, tuple[Diagnostic, ...]]:
    """Triangles of a file, node transforms and unit applied.

    Parameters
    ----------
    path : the file; its extension says the format.
    submesh : name of the one part wanted; all parts when None.
    at : place of the reference, for findings.

    Returns
    -------
    surface, diagnostics
        The surface is None exactly when one of the diagnostics is an error.
    """
    extension = os.path.splitext(path)[1].lstrip(".").lower()
    if extension not in EXTENSIONS:
        return None, (diagnose("mesh-format-unsupported", at, file=path, extension=extension or "unknown",
                               known=", ".join(EXTENSIONS)),)
    try:
        size = os.path.getsize(path)
        if size > MAX_BYTES:
            return None, (diagnose("mesh-too-large", at, file=path, size=size, limit=MAX_BYTES),)
        parts = _load_parts(path, extension)
    except ImportError as error:
        return None, (diagnose("mesh-unreadable", at, file=path, problem=f"the module {error.name} is missing",
                               hint=f"install {_PACKAGES.get(error.name or '', error.name)}"),)
    except (Exception, RecursionError) as error:  # noqa: BLE001 - a reader meets a file of anybody's making
        return None, (diagnose("mesh-unreadable", at, file=path, problem=_describe(error)),)
    if submesh is not None and parts:
        chosen = _choose_parts(parts, submesh, path, extension)
        if not chosen:
            return None, (diagnose("mesh-without-submesh", at, file=path, submesh=submesh,
                                   known=", ".join(sorted({n for n, _, _ in parts})[:10])),)
        parts = chosen
    return _join_parts(parts, path, extension, at)


_PACKAGES = {"trimesh": "trimesh (python3-trimesh)", "collada": "pycollada (python3-collada)"}


def _describe(error: BaseException) -> str:
    """An exception of the reader in a line; those that betray content it was not made for get a preface."""
    text = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, (AttributeError, IndexError, KeyError, TypeError)):
        text = f"its content is malformed ({text})"
    return text if len(text) <= 160 else text[:157] + "…"


def _load_parts(path: str, extension: str) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """(name, vertices, faces) of every placed part that has triangles."""
    import trimesh
    if extension == "dae" and _read_collada_tree(path).docinfo.internalDTD is not None:
        raise ValueError("it has a document type declaration; entities are not expanded")
    resolver = _make_folder_resolver(os.path.dirname(os.path.abspath(path))) if extension == "gltf" else None
    options = {"file_type": extension, "resolver": resolver, "process": False, "skip_materials": True}
    # Some readers print; standard output belongs to our caller.
    with redirect_stdout(StringIO()):
        with open(path, "rb") as stream:
            loaded = trimesh.load(stream, **options)
        if not isinstance(loaded, trimesh.Scene):
            return _take_part("", loaded, None)
        parts = []
        for node in loaded.graph.nodes_geometry:
            X, name = loaded.graph[node]
            parts += _take_part(name, loaded.geometry[name], X)
        if not parts and extension == "dae":
            # The COLLADA reader skips what is broken: have it say why nothing is left.
            with open(path, "rb") as stream:
                trimesh.load(stream, **options, ignore_broken=False)
    return parts


def _make_folder_resolver(folder: str):
    """What trimesh asks for a glTF file's buffers: files in its folder or below, nothing else."""
    from trimesh.resolvers import Resolver

    class FolderResolver(Resolver):
        def __init__(self):
            pass

        def get(self, name):
            target = os.path.realpath(os.path.join(folder, name))
            if not target.startswith(os.path.join(os.path.realpath(folder), "")):
                raise ValueError(f"it refers to {name}, outside of its folder")
            if os.path.getsize(target) > MAX_BYTES:
                raise ValueError(f"its buffer {name} is too large")
            with open(target, "rb") as stream:
                return stream.read()

        def write(self, name, data):
            raise ValueError("nothing is written")

        def namespaced(self, namespace):
            return self

        def keys(self):
            return ()

    return FolderResolver()


def _take_part(name: str, geometry, X: np.ndarray | None) -> list:
    faces = getattr(geometry, "faces", None)
    if faces is None or not len(faces):
        return []
    V, F = np.asarray(geometry.vertices, dtype=np.float64), np.asarray(faces)
    if F.ndim != 2 or F.shape[1] < 3 or F.dtype.kind not in "iu":
        raise ValueError("its faces are no triangles")
    if F.shape[1] > 3:
        # Older versions of trimesh leave polygons that all have the same number of corners alone.
        F = np.concatenate([F[:, [0, k, k + 1]] for k in range(1, F.shape[1] - 1)])
    if X is not None and not np.array_equal(X, np.eye(4)):
        V = V @ X[:3, :3].T + X[:3, 3]
        # A mirror turns the faces inside out.
        if np.linalg.det(X[:3, :3]) < 0:
            F = F[:, ::-1]
    return [(name, V, F)]


def _choose_parts(parts: list, submesh: str, path: str, extension: str) -> list:
    """The parts that bear a name: their own, or in COLLADA that of a node that places the geometry."""
    names = {submesh, f"{submesh}-mesh"}
    if extension == "dae":
        names |= _find_node_geometries(path, submesh)
    return [p for p in parts if p[0] in names]


def _read_collada_tree(path: str):
    """The XML tree, as far as it is well formed; pycollada says what is wrong with the rest."""
    from lxml import etree
    return etree.parse(path, etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True, recover=True))


def _find_node_geometries(path: str, name: str) -> set[str]:
    found = set()
    for node in _read_collada_tree(path).iter("{*}node"):
        if name in (node.get("name"), node.get("id")):
            found |= {i.get("url", "").lstrip("#") for i in node.iter("{*}instance_geometry")}
    for geometry in _read_collada_tree(path).iter("{*}geometry"):
        if geometry.get("name") == name:
            found.add(geometry.get("id", ""))
    return found


def _read_collada_unit(path: str) -> float:
    """Metres per unit of a COLLADA file."""
    from sdf_frames.document.numbers import read_number
    unit = next(_read_collada_tree(path).iter("{*}unit"), None)
    value = read_number(unit.get("meter", "1")) if unit is not None else 1.0
    return value if value and value > 0 else 1.0


def _join_parts(parts: list, path: str, extension: str, at: Location | None,
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
    if extension == "dae" and (unit := _read_collada_unit(path)) != 1.0:
        V = V * unit
    used = V if len(V) == F.size else V[find_used(V, F)]
    if not np.isfinite(used).all():
        return None, (diagnose("mesh-not-finite", at, file=path, count=int((~np.isfinite(used)).any(axis=1).sum())),)
    return Surface(V, F, extension in ("dae", "glb", "gltf")), ()
