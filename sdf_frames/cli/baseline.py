"""A file of findings that are known: new ones are reported, those in the file are not."""
from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping

from sdf_frames.diagnostics import Diagnostic
from sdf_frames.document.door import UNCONFINED

#: What tells a finding again when lines have moved: its file (from the baseline's folder), code and path.
Key = tuple[str, str, str]


class WrongBaseline(Exception):
    """A baseline cannot be read; the text says why."""


def read_baseline(path: str) -> Mapping[Key, int]:
    """How often each finding is known.

    Raises
    ------
    WrongBaseline
        The file is missing, or no baseline.
    """
    try:
        rows = json.loads(UNCONFINED.read(path))["known"]
        return {(row["file"], row["code"], row["path"]): int(row["count"]) for row in rows}
    except OSError as error:
        hint = "; --write-baseline creates it" if isinstance(error, FileNotFoundError) else ""
        raise WrongBaseline(f"{path}: {error.strerror}{hint}") from error
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise WrongBaseline(f"{path} is not a baseline; --write-baseline creates one") from error


def make_key(d: Diagnostic, folder: str) -> Key:
    """What tells a finding again."""
    file = "" if d.file is None else os.path.relpath(d.file, folder or ".").replace(os.sep, "/")
    return file, d.code, d.path or ""


def write_baseline(path: str, found: Iterable[Diagnostic]) -> int:
    """Write all of `found` as known; how many they are.

    Raises
    ------
    OSError
        The file cannot be written.
    """
    from sdf_frames.document.writing import write_whole
    counts = Counter(make_key(d, os.path.dirname(path)) for d in found)
    rows = [{"file": file, "code": code, "path": place, "count": count}
            for (file, code, place), count in sorted(counts.items())]
    text = json.dumps({"sdf_frames": "baseline", "version": 1, "known": rows}, indent=1)
    write_whole(path, text + "\n", "baseline")
    return sum(counts.values())


def part_known(found: Iterable[Diagnostic], known: Mapping[Key, int],
               folder: str) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Those of `found` that are not known, and those that are: of each as many as the baseline has."""
    left = dict(known)
    new: list[Diagnostic] = []
    old: list[Diagnostic] = []
    for d in found:
        key = make_key(d, folder)
        if left.get(key, 0) > 0:
            left[key] -= 1
            old.append(d)
        else:
            new.append(d)
    return new, old
