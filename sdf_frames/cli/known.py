"""Known findings, which are not reported: a comment in the file suppresses them, or a baseline lists them.

A comment ``<!-- sdf_frames: ignore I001 -->`` applies to the element that follows, with its content. At the end of an
element it applies to that element, before the root to the whole file. A baseline is a JSON file that names findings by
file, code, path and message.
"""
from __future__ import annotations

import json
import os
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from sdf_frames.diagnostics import ANOTHER, SAME_FILE, Diagnostic, Location, Related, diagnose
from sdf_frames.document.door import UNCONFINED, Door
from sdf_frames.document.xml_text import Lines

_MARK = b"sdf_frames:"

Point = tuple[int, int]
_Covered = tuple[list[Point], list[Point]]  # beginnings and ends of ranges; none touches another


class Span(NamedTuple):
    """Codes that are left out between two places (line, column), without the second."""

    codes: frozenset[str]
    start: Point
    end: Point


def drop_suppressed(found: Iterable[Diagnostic], read: Callable[[str], bytes]) -> list[Diagnostic]:
    """Return `found` without findings that comments suppress; comments that name no code are findings themselves.

    A finding that stands for several places stays unless all of them are in elements with a comment.
    `read` returns the text of a file.
    """
    files: dict[str, tuple[dict[str, _Covered], list[Diagnostic]]] = {}

    def is_covered(place: Diagnostic | Related, code: str) -> bool:
        if (file := place.file) is not None and file not in files:
            text = read(file)
            spans, wrong = find_spans(text, file) if _MARK in text else ([], [])
            files[file] = _join_spans(spans), wrong
        starts, ends = files[file][0].get(code, ([], [])) if file is not None else ([], [])
        at = (place.line or 1, place.column or 1)
        before = bisect_right(starts, at)
        return before > 0 and at < ends[before - 1]
    kept = [d for d in found if not all(is_covered(place, d.code) for place in _list_places(d))]
    return [*kept, *(d for _, wrong in files.values() for d in wrong)]


def _list_places(d: Diagnostic) -> list[Diagnostic | Related]:
    """List all places that a finding stands for."""
    return [d, *[r for r in d.related if r.message in (ANOTHER, SAME_FILE)]]


def _join_spans(spans: list[Span]) -> dict[str, _Covered]:
    """Return the ranges that are left out for each code, in order: a file may have as many comments as findings."""
    covered: dict[str, _Covered] = {}
    for codes, start, end in sorted(spans, key=lambda span: span.start):
        for code in codes:
            starts, ends = covered.setdefault(code, ([], []))
            if ends and start <= ends[-1]:
                ends[-1] = max(end, ends[-1])
            else:
                starts.append(start)
                ends.append(end)
    return covered


def find_spans(text: bytes, file: str) -> tuple[list[Span], list[Diagnostic]]:
    """Return what the comments of a text suppress, and findings on wrong comments."""
    from sdf_frames.document.xml_scan import tokenize
    lines = Lines(text)
    spans, found = [], []
    waiting: list[frozenset[str]] = []  # comments before the next element
    opened: list[tuple[int, list[frozenset[str]]]] = []  # start of each open element, and the codes left out in it

    def close(start: int, codes: list[frozenset[str]], end: int) -> None:
        spans.extend([Span(some, lines.place(start), lines.place(end)) for some in codes])

    for kind, start, end in tokenize(text):
        if kind == "comment" and (content := text[start + 4:end - 3].strip()).startswith(_MARK):
            codes, problem = _read_comment(content[len(_MARK):].decode("utf-8", "replace"))
            if problem:
                line, column = lines.place(start)
                found.append(diagnose("suppression-wrong", Location(file, line, column=column), problem=problem))
            if codes and not opened:
                spans.append(Span(codes, (1, 1), (len(text) + 2, 1)))
            elif codes:
                waiting.append(codes)
        elif kind == "start":
            if text[end - 2:end] == b"/>":
                close(start, waiting, end)
            else:
                opened.append((start, waiting))
            waiting = []
        elif kind == "end" and opened:
            begin, codes_here = opened.pop()
            close(begin, [*codes_here, *waiting], end)
            waiting = []
    return spans, found


def _read_comment(text: str) -> tuple[frozenset[str], str | None]:
    """Return the codes in a comment, and its problem; `text` is the part after the mark."""
    from sdf_frames.diagnostics.catalogue import read_code
    word, rest = [*text.split(None, 1), "", ""][:2]
    if word != "ignore":
        return frozenset(), f"{word!r} is unknown; write 'sdf_frames: ignore CODE'"
    try:
        codes = frozenset(map(read_code, rest.replace(",", " ").split()))
    except ValueError as error:
        return frozenset(), str(error)
    return codes, None if codes else "no code is named; write 'sdf_frames: ignore CODE'"


#: Identifies a finding when lines have moved: its file (from the baseline's folder), code, path and message.
Key = tuple[str, str, str, str]
_VERSION = 2
_TIMES = re.compile(r" \(\d+ times, here first\)")


class WrongBaseline(Exception):
    """A baseline cannot be read; the text states the reason."""


def read_baseline(path: str) -> Mapping[Key, int]:
    """Read how often each finding is known.

    Raises
    ------
    WrongBaseline
        The file is missing, or not a baseline.
    """
    try:
        table = json.loads(UNCONFINED.read(path))
        rows = table["known"]
        if table["version"] != _VERSION:
            raise WrongBaseline(f"{path} is a baseline of another version of sdf_frames; --write-baseline renews it")
        return {(row["file"], row["code"], row["path"], row["message"]): int(row["count"]) for row in rows}
    except OSError as error:
        hint = "; --write-baseline creates it" if isinstance(error, FileNotFoundError) else ""
        raise WrongBaseline(f"{path}: {error.strerror}{hint}") from error
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise WrongBaseline(f"{path} is not a baseline; --write-baseline creates one") from error


def make_keys(d: Diagnostic, folder: str) -> Counter[Key]:
    """Return the keys of all places that a finding stands for."""
    return Counter([make_key(d._replace(file=place.file, path=place.path), folder) for place in _list_places(d)])


def make_key(d: Diagnostic, folder: str) -> Key:
    """Return a key that identifies a finding even if other elements, or the folder, have moved."""
    file = "" if d.file is None else _find_name(d.file, folder)
    message = _TIMES.sub("", d.message.replace(os.path.join(os.path.abspath(folder), ""), ""))
    return file, d.code, re.sub(r"\[\d+\]", "", d.path or ""), message


def write_baseline(path: str, found: Iterable[Diagnostic]) -> int:
    """Write all of `found` as known, and return their number.

    Raises
    ------
    OSError
        The file cannot be written.
    """
    from sdf_frames.document.writing import write_whole
    known, counts = [*found], Counter[Key]()
    for d in known:
        counts.update(make_keys(d, os.path.dirname(path)))
    rows = [{"file": file, "code": code, "path": place, "message": message, "count": count}
            for (file, code, place, message), count in sorted(counts.items())]
    text = json.dumps({"sdf_frames": "baseline", "version": _VERSION, "known": rows}, indent=1)
    write_whole(path, text + "\n", "baseline")
    return len(known)


def part_known(found: Iterable[Diagnostic], known: Mapping[Key, int],
               folder: str) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Split `found` into new and known findings; of each, as many are known as the baseline has."""
    left = Counter(known)
    new: list[Diagnostic] = []
    old: list[Diagnostic] = []
    for d in found:
        keys = make_keys(d, folder)
        if all(left[key] >= count for key, count in keys.items()):
            left.subtract(keys)
            old.append(d)
        else:
            new.append(d)
    return new, old


def count_stale(known: Mapping[Key, int], seen: Iterable[Diagnostic], files: Iterable[str], folder: str,
                door: Door) -> int:
    """Count the findings of a baseline that no longer occur.

    Parameters
    ----------
    seen : the findings of the baseline that still occur.
    files : the files that were checked. A finding on another file counts if `door` finds no such file.
    """
    left = Counter(known)
    for d in seen:
        left.subtract(make_keys(d, folder))
    checked = {_find_name(file, folder) for file in files}
    return sum(count for (file, *_), count in left.items()
               if count > 0 and (file in checked or not door.exists(os.path.join(folder, file))))


def _find_name(file: str, folder: str) -> str:
    return os.path.relpath(file, folder or ".").replace(os.sep, "/")
