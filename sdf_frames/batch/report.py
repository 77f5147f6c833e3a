"""The tables of a batch summarised: verdicts, diagnostics, the extremes, and what changed since an earlier run."""
from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite, log
from typing import Any

from sdf_frames.batch.tables import list_parts, name_folders, read_rows

#: Rows of a list.
_MOST = 20
_Row = dict[str, Any]


@dataclass(slots=True)
class _Figures:
    """What a report says of a run, gathered in one pass."""

    verdicts: dict[str, str] = field(default_factory=dict)  # by path
    codes: Counter[str] = field(default_factory=Counter)
    slowest: list[tuple[float, str]] = field(default_factory=list)
    biggest: list[tuple[int, str]] = field(default_factory=list)
    masses: list[tuple[float, str]] = field(default_factory=list)
    lost: list[_Row] = field(default_factory=list)
    seconds: float = 0.0


def summarise(results: str, baseline: str | None = None) -> _Row:
    """Summarise the results of a batch: what ``report --json`` prints, lists of at most 20 rows.

    Both are what ``--to`` was given: a folder, or a name that ends with ``.parquet``. It raises FileNotFoundError
    where there are no results.
    """
    now = _gather(results)
    return {
        "results": results, "files": len(now.verdicts), "seconds": now.seconds,
        "verdicts": [{"verdict": verdict, "files": count}
                     for verdict, count in Counter(now.verdicts.values()).most_common()],
        "diagnostics": _list_codes(now, results),
        "changes": [] if baseline is None else _compare(now, _gather(baseline)),
        "lost": now.lost,
        "slowest": [{"seconds": seconds, "path": path} for seconds, path in sorted(now.slowest, reverse=True)],
        "biggest": [{"links_and_joints": count, "path": path} for count, path in sorted(now.biggest, reverse=True)],
        "outliers": _find_outliers(now)}


def _gather(results: str) -> _Figures:
    folder, _ = name_folders(results)
    if not list_parts(folder):
        problem = "there are no results; name the folder or file that 'sdf_frames batch --to' wrote"
        raise FileNotFoundError(2, problem, folder)
    figures = _Figures()
    latest = {row["path"]: number for number, row in enumerate(read_rows(folder, ["path"]))}
    for number, row in enumerate(read_rows(folder)):
        if latest[row["path"]] == number:  # a file that was worked on again has an older row
            _count(figures, row)
    return figures


def _count(figures: _Figures, row: Mapping[str, Any]) -> None:
    path = row["path"]
    figures.verdicts[path] = row["verdict"]
    figures.seconds += row["seconds"] or 0.0
    if row["reason"] and len(figures.lost) < _MOST:
        figures.lost.append({"verdict": row["verdict"], "reason": row["reason"], "path": path})
    for code, count in row["codes"] or ():
        figures.codes[code] += count
    _keep_largest(figures.slowest, (row["seconds"] or 0.0, path))
    _keep_largest(figures.biggest, ((row["links"] or 0) + (row["joints"] or 0), path))
    if row["mass"] is not None and isfinite(row["mass"]) and row["mass"] > 0:
        figures.masses.append((row["mass"], path))


def _keep_largest(heap: list[Any], entry: Any) -> None:
    heapq.heappush(heap, entry)
    if len(heap) > _MOST:
        heapq.heappop(heap)


def _list_codes(figures: _Figures, results: str) -> list[_Row]:
    """Diagnostics by count, each with the first finding as an example."""
    wanted = dict(figures.codes.most_common(_MOST))
    examples: dict[str, _Row] = {}
    columns = ["code", "name", "severity", "message", "path", "line"]
    for finding in read_rows(name_folders(results)[1], columns):
        if finding["code"] in wanted:
            examples.setdefault(finding["code"], finding)
            if len(examples) == len(wanted):
                break
    return [{"count": count, **dict.fromkeys(columns), "code": code, **examples.get(code, {})}
            for code, count in wanted.items()]


def _compare(now: _Figures, before: _Figures) -> list[_Row]:
    """Files whose verdict changed, and the largest differences of diagnostics by count."""
    verdicts = Counter((before.verdicts.get(path, "new"), verdict) for path, verdict in now.verdicts.items())
    verdicts.update((verdict, "gone") for path, verdict in before.verdicts.items() if path not in now.verdicts)
    codes = {code: now.codes[code] - before.codes[code] for code in now.codes | before.codes}
    largest = sorted(codes.items(), key=lambda entry: -abs(entry[1]))[:_MOST]
    return [{"what": f"{old} -> {new}", "change": count} for (old, new), count in verdicts.most_common() if old != new
            ] + [{"what": code, "change": change} for code, change in largest if change]


def _find_outliers(figures: _Figures) -> list[_Row]:
    """Files whose mass is farthest from the median, at least a factor of 100."""
    if len(figures.masses) < 3:
        return []
    masses = sorted(figures.masses)
    median = masses[len(masses) // 2][0]
    far = heapq.nlargest(_MOST, masses, key=lambda entry: abs(log(entry[0] / median)))
    return [{"mass": mass, "median": median, "path": path} for mass, path in far if abs(log(mass / median)) > log(100)]
