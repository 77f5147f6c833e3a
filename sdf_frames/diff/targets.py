"""The files that two descriptions lead to: meshes, textures and others."""
from __future__ import annotations

import filecmp
import os
from collections.abc import Iterator

import sdf_frames as sf
from sdf_frames.diff.changes import Change


def spell_uri(uri: str) -> str:
    """A URI whose scheme does not tell URDF from SDF."""
    return uri.replace("package://", "model://")


def is_same_file(old: str | None, new: str | None) -> bool:
    """Whether both paths lead to one file, or to files of the same content."""
    if old is None or new is None:
        return False
    try:
        return old == new or os.path.samefile(old, new) or filecmp.cmp(old, new, shallow=False)
    except OSError:
        return False


def match_files(a: sf.RobotDescription, b: sf.RobotDescription) -> dict[str, str]:
    """URIs of B by URIs of A that are spelled differently and lead to the same file; those of one scheme, if any."""
    files_a, files_b = _list_files(a), _list_files(b)
    only_b = [(uri, path) for uri, path in files_b.items() if uri not in files_a]
    matched = {}
    for uri, path in files_a.items():
        others = [other for other, there in only_b if is_same_file(path, there)] if uri not in files_b else []
        if others:
            matched[uri] = next((other for other in others if _find_scheme(other) == _find_scheme(uri)), others[0])
    return matched


def compare_files(a: sf.RobotDescription, b: sf.RobotDescription) -> Iterator[Change]:
    """Compare the files that the same URI leads to: found by one description alone, or of another content."""
    files_a, files_b = _list_files(a), _list_files(b)
    for uri, old in files_a.items():
        if uri in files_b and old != (new := files_b[uri]) and not is_same_file(old, new):
            yield Change("file", uri, "path", old, new, f"{old or 'not found'} -> {new or 'not found'}")


def _find_scheme(uri: str) -> str:
    return uri.partition("://")[0] if "://" in uri else ""


def _list_files(description: sf.RobotDescription) -> dict[str, str | None]:
    """The path of each URI, None if it leads nowhere; what is included is compared by itself."""
    return {spell_uri(row.uri): row.path for row in description.uris if row.kind != "include"}
