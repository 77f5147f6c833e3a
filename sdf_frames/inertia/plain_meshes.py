"""STL, OBJ and OFF files as parts, in double precision and without trusting them.

All three are read as programs write them: STL files whose binary content begins with "solid", that have bytes after
the last facet or normals that are no numbers; OBJ files with negative indices, polygons, comments and continued lines;
OFF files with colours. Every reader takes the file's content and raises ValueError, in words, where it is malformed.

They are not trimesh's, because trimesh (5.2.0, the newest) is silently wrong here: an OBJ whose negative indices stand
between its vertices has a volume of 3.5 instead of 6, one with tabs is empty, an index 0 is the first vertex, an ASCII
STL that is cut off is empty. It refuses comments behind faces, bytes after the last facet, names in Latin-1, and OFF
polygons of different numbers of corners. To put that right before trimesh sees the file, it has to be read first: a
trial had 121 lines, and took half as long again for an OBJ.
"""
from __future__ import annotations

import re

import numpy as np

from sdf_frames.inertia.mesh_parts import MeshPart, VertexUnknown, read_numbers
from sdf_frames.inertia.polygons import cut_polygons

_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_SOLID_LINES = re.compile(rb"^[ \t]*(?:end[ \t]*)?solid\b[^\n]*", re.IGNORECASE | re.MULTILINE)
_FACET_WORDS = b"facet normal . . . outer loop vertex . . . vertex . . . vertex . . . endloop endfacet".split()
# a facet's words that are; some programs write normals as "nan" or worse
_COORDINATES = (8, 9, 10, 12, 13, 14, 16, 17, 18)
_SLASHES = re.compile(r"/\S*")


def read_stl(content: bytes) -> list[MeshPart]:
    """Read the triangles of an ASCII or binary STL file; all solids of an ASCII file are one part."""
    text = content[3:] if content.startswith(b"\xef\xbb\xbf") else content
    count = int.from_bytes(content[80:84], "little")
    # Programs write "solid" into binary headers too; ASCII has no zero byte, and a binary file seldom has none.
    ascii_file = text.lstrip()[:5].lower() == b"solid" and b"\0" not in text and len(content) != 84 + 50 * count
    if ascii_file:
        T = _read_ascii_facets(text)
    elif len(content) < 84:
        raise ValueError(f"it has {len(content)} bytes, too few for an STL file" if content else "it is empty")
    elif 84 + 50 * count > len(content):
        raise ValueError(f"its header says {count} triangles, but there are bytes for {(len(content) - 84) // 50}")
    elif not count and len(content) >= 134:
        raise ValueError("its header says that it has no triangles, but there are bytes for some")
    else:
        T = np.frombuffer(content, _FACET, count, 84)["corners"].astype(np.float64)
    if not len(T):
        return []
    return [MeshPart((frozenset({""}),), T.reshape(-1, 3), np.arange(3 * len(T)).reshape(-1, 3))]


def _read_ascii_facets(text: bytes) -> np.ndarray:
    words = _SOLID_LINES.sub(b"", text.replace(b"\r", b"\n")).lower().split()
    size = len(_FACET_WORDS)
    if len(words) % size or any(set(words[k::size]) - {word} for k, word in enumerate(_FACET_WORDS) if word != b"."):
        begun, ended, vertices = map(words.count, (b"facet", b"endfacet", b"vertex"))
        raise ValueError(f"it is cut off or malformed: {begun} facets begin, {ended} end, with {vertices} vertices")
    return np.stack([read_numbers(b" ".join(words[k::size])) for k in _COORDINATES], axis=1).reshape(-1, 3, 3)


def read_obj(content: bytes) -> list[MeshPart]:
    """Read one part for each object or group with faces, by its name; materials are ignored."""
    text = content.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    text = text.replace("\\\n", " ")
    vertices: list[str] = []
    faces: list[str] = []
    known: list[int] = []  # number of vertices before each face
    owners: list[int] = []
    groups = {"": 0}
    current = 0
    for line in text.split("\n"):
        word, _, rest = line.replace("\t", " ").strip().partition(" ")
        if word == "v":
            vertices.append(rest)
        elif word == "f":
            faces.append(_SLASHES.sub("", rest.partition("#")[0]))
            known.append(len(vertices))
            owners.append(current)
        elif word in ("o", "g"):
            current = groups.setdefault(rest.strip(), len(groups))
    V = _read_rows(vertices)
    counts = np.array([len(face.split()) for face in faces], dtype=np.int64)
    F = cut_polygons(_find_corners(" ".join(faces), counts, np.array(known, dtype=np.int64), len(V)), counts, V)
    owner = np.repeat(np.array(owners, dtype=np.int64), np.maximum(counts - 2, 0))
    order = np.argsort(owner, kind="stable")
    ends = np.cumsum(np.bincount(owner, minlength=len(groups)))
    parts = []
    for name, begin, end in zip(groups, ends - np.diff(ends, prepend=0), ends):
        if begin < end:
            # Only the group's own vertices: there may be as many groups as faces.
            used, own = np.unique(F[order[begin:end]], return_inverse=True)
            parts.append(MeshPart((frozenset({name}), frozenset(name.split())), V[used], own.reshape(-1, 3)))
    return parts


def _find_corners(text: str, counts: np.ndarray, known: np.ndarray, total: int) -> np.ndarray:
    """Return vertex numbers of the corners of faces, from zero; OBJ counts from one, or from the end if a number is
    negative."""
    numbers = read_numbers(text)
    corners = numbers.astype(np.int64) if (np.abs(numbers) < 2 ** 53).all() else np.empty(0, np.int64)
    if len(corners) != counts.sum() or (corners != numbers).any():
        raise ValueError("a face has an index that is not a whole number")
    index = np.where(corners < 0, corners + np.repeat(known, counts), corners - 1)
    wrong = (index < 0) | (index >= total) | (corners == 0)
    if wrong.any():
        raise VertexUnknown(int(corners[wrong][0]), total)
    return index


def read_off(content: bytes) -> list[MeshPart]:
    """Read the polygons of an OFF file; colours, normals and edges are ignored."""
    lines = [line.partition("#")[0].split() for line in content.decode("utf-8", "replace").splitlines()]
    lines = [line for line in lines if line]
    if lines and lines[0][0].upper().endswith("OFF"):
        kind = lines[0].pop(0).upper()
        if kind.startswith(("4", "N4")) or lines[0][:1] == ["BINARY"]:
            raise ValueError(f"OFF files of the kind {kind} {' '.join(lines[0])} are not read")
        lines = lines if lines[0] else lines[1:]
    try:
        vertices, faces = (int(x) for x in lines[0][:2])
    except (IndexError, ValueError):
        raise ValueError("it does not begin with the numbers of its vertices and faces") from None
    if vertices < 0 or faces < 0 or len(lines) < 1 + vertices + faces:
        raise ValueError(f"it says {vertices} vertices and {faces} faces, but has {len(lines) - 1} lines for them")
    V = _read_rows([" ".join(line) for line in lines[1:1 + vertices]])
    try:
        polygons = [[int(x) for x in row[1:1 + int(row[0])]] for row in lines[1 + vertices:1 + vertices + faces]]
        whole = all(len(p) == int(row[0]) for p, row in zip(polygons, lines[1 + vertices:]))
    except ValueError as error:
        raise ValueError(f"a face has an index that is not a number: {error}") from None
    if not whole:
        raise ValueError("a face has fewer corners than it says")
    try:
        corners = np.array([x for p in polygons for x in p], dtype=np.int64)
    except OverflowError:
        raise ValueError("a face has an index that is too large") from None
    F = cut_polygons(corners, np.array([len(p) for p in polygons], dtype=np.int64), V)
    return [MeshPart((frozenset({""}),), V, F)] if len(F) else []


def _read_rows(rows: list[str]) -> np.ndarray:
    """Return (N, 3) the first three numbers of each row of text; weights, colours and comments may follow them."""
    if all(len(row.split()) == 3 for row in rows):
        return read_numbers(" ".join(rows)).reshape(-1, 3)
    cut = [row.split()[:3] for row in rows]
    if (short := next((k for k, row in enumerate(cut) if len(row) < 3), None)) is not None:
        raise ValueError(f"vertex {short + 1} has fewer than three coordinates")
    return read_numbers(" ".join([word for row in cut for word in row])).reshape(-1, 3)
