"""Results as Parquet tables that grow by parts: a row for each description and each finding; and their summary.

A part is written under another name, then renamed, so that a killed run leaves only complete parts. The findings of a
part are written before its results: a part without results is ignored, and its number is used again.
"""
from __future__ import annotations

import errno
import heapq
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from io import BytesIO
from math import isfinite, log
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sdf_frames.batch.work import Outcome
from sdf_frames.document.writing import write_whole

RESULTS = pa.schema([
    ("path", pa.string()), ("hash", pa.string()), ("verdict", pa.string()), ("reason", pa.string()),
    ("kind", pa.string()), ("version", pa.string()), ("name", pa.string()),
    ("resolved", pa.bool_()), ("convertible", pa.bool_()),
    ("errors", pa.int32()), ("warnings", pa.int32()), ("infos", pa.int32()),
    ("codes", pa.map_(pa.string(), pa.int32())),
    ("links", pa.int32()), ("joints", pa.int32()), ("frames", pa.int32()), ("mass", pa.float64()),
    ("bytes", pa.int64()), ("seconds", pa.float64()), ("memory_mb", pa.float64()),
    ("command", pa.string()), ("output", pa.string()), ("tool_version", pa.string()), ("key", pa.string()),
])
FINDINGS = pa.schema([
    ("path", pa.string()), ("code", pa.string()), ("name", pa.string()), ("severity", pa.string()),
    ("message", pa.string()), ("file", pa.string()), ("line", pa.int32()),
    ("element", pa.string()), ("hint", pa.string()),
])
#: Rows of a part.
PART = 5000
_NAME = re.compile(r"part-(\d{6})\.parquet")


def name_folders(output: str) -> tuple[str, str]:
    """Return the folders of results and findings: in the folder OUT, or ``X.parquet`` and ``X.findings.parquet``."""
    if output.endswith(".parquet"):
        return output, output.removesuffix(".parquet") + ".findings.parquet"
    return os.path.join(output, "results"), os.path.join(output, "findings")


@contextmanager
def open_tables(output: str) -> Iterator[Tables]:
    """Open the tables of a batch for this run only.

    Raise FileExistsError while another run writes them, except on Windows and in file systems without locks.
    """
    results, _ = name_folders(output)
    os.makedirs(results, exist_ok=True)
    with ExitStack() as held:
        if os.name == "posix":
            import fcntl
            folder = os.open(results, os.O_RDONLY)
            held.callback(os.close, folder)
            try:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise FileExistsError(f"another run is writing to {output}; wait until it has ended") from None
            except OSError:
                pass  # the file system has no locks
        yield Tables(output)


class Tables:
    """The two tables of a batch.

    `output` is a folder, or a name that ends with ``.parquet``; see :func:`name_folders`.
    """

    def __init__(self, output: str):
        self.results, self.findings = name_folders(output)
        for folder in (self.results, self.findings):
            os.makedirs(folder, exist_ok=True)
        self._number = max(list_parts(self.results), default=-1) + 1
        self._rows: list[Outcome] = []

    def add(self, outcome: Outcome) -> None:
        """Add a row; it is on the disk when the part is full, or after :meth:`flush`."""
        self._rows.append(outcome)
        if len(self._rows) >= PART:
            self.flush()

    def flush(self) -> None:
        """Write the rows since the last part."""
        if not self._rows:
            return
        findings = [finding for outcome in self._rows for finding in outcome.findings]
        _write_part(self.findings, self._number, findings, FINDINGS)
        _write_part(self.results, self._number, [outcome.row for outcome in self._rows], RESULTS)
        self._number += 1
        self._rows.clear()

    def drop_damaged(self) -> None:
        """Remove each part that cannot be read, so that its descriptions are processed again."""
        for number in {*list_parts(self.results), *list_parts(self.findings)}:
            try:
                for folder in (self.results, self.findings):
                    pq.ParquetFile(_name_part(folder, number)).read()
            except (OSError, pa.ArrowException):
                for folder in (self.findings, self.results):
                    with suppress(FileNotFoundError):
                        os.remove(_name_part(folder, number))

    def drop_superseded(self) -> None:
        """Keep only the latest row of each description, and the findings of that row.

        If this is killed, findings without a row may remain; the next call removes them.
        """
        latest = {row["path"]: number for number in sorted(list_parts(self.results))
                  for row in _read_part(self.results, number, ["path"])}
        for number in list_parts(self.results):
            for folder, schema in ((self.results, RESULTS), (self.findings, FINDINGS)):
                rows = list(_read_part(folder, number))
                kept = [row for row in rows if latest.get(row["path"]) == number]
                if len(kept) < len(rows):
                    _write_part(folder, number, kept, schema)


def list_parts(folder: str) -> list[int]:
    """Return the numbers of the parts of a table."""
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return [int(match[1]) for name in names if (match := _NAME.fullmatch(name))]


def read_rows(folder: str, columns: list[str] | None = None) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table, part by part."""
    for number in sorted(list_parts(folder)):
        yield from _read_part(folder, number, columns)


def _read_part(folder: str, number: int, columns: list[str] | None = None) -> Iterator[dict[str, Any]]:
    path = _name_part(folder, number)
    try:
        for batch in pq.ParquetFile(path).iter_batches(columns=columns):
            yield from batch.to_pylist()
    except (OSError, pa.ArrowException) as error:
        raise OSError(errno.EIO, "damaged; --resume does the files of this part again", path) from error


def _name_part(folder: str, number: int) -> str:
    return os.path.join(folder, f"part-{number:06}.parquet")


def _write_part(folder: str, number: int, rows: list[dict[str, Any]], schema: pa.Schema) -> None:
    path = _name_part(folder, number)
    whole = [{name: _clean(row.get(name)) for name in schema.names} for row in rows]
    made = BytesIO()
    pq.write_table(pa.Table.from_pylist(whole, schema), made, compression="zstd")
    write_whole(path, made.getvalue(), "table")


def _clean(value: Any) -> Any:
    """Return a path that may not be UTF-8 as text for Parquet."""
    if not isinstance(value, str):
        return value
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


#: Rows of a list.
_MOST = 20
_Row = dict[str, Any]


@dataclass(slots=True)
class _Figures:
    """The values of a report on a run, collected in one pass."""

    verdicts: dict[str, str] = field(default_factory=dict)  # by path
    codes: Counter[str] = field(default_factory=Counter)
    slowest: list[tuple[float, str]] = field(default_factory=list)
    biggest: list[tuple[int, str]] = field(default_factory=list)
    masses: list[tuple[float, str]] = field(default_factory=list)
    lost: list[_Row] = field(default_factory=list)
    seconds: float = 0.0


def summarise(results: str, baseline: str | None = None) -> _Row:
    """Summarise the results of a batch for ``report --json``, with lists of at most 20 rows.

    Both arguments are values of ``--to``: a folder, or a name that ends with ``.parquet``. Raise FileNotFoundError if
    there are no results.
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
        if latest[row["path"]] == number:  # a file that was processed again has an older row
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
    """List diagnostics by count, each with the first finding as an example."""
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
    """List files whose verdict changed, and the largest differences of diagnostics by count."""
    verdicts = Counter((before.verdicts.get(path, "new"), verdict) for path, verdict in now.verdicts.items())
    verdicts.update((verdict, "gone") for path, verdict in before.verdicts.items() if path not in now.verdicts)
    codes = {code: now.codes[code] - before.codes[code] for code in now.codes | before.codes}
    largest = sorted(codes.items(), key=lambda entry: -abs(entry[1]))[:_MOST]
    return [{"what": f"{old} -> {new}", "change": count} for (old, new), count in verdicts.most_common() if old != new
            ] + [{"what": code, "change": change} for code, change in largest if change]


def _find_outliers(figures: _Figures) -> list[_Row]:
    """List files whose mass is farthest from the median, by at least a factor of 100."""
    if len(figures.masses) < 3:
        return []
    masses = sorted(figures.masses)
    median = masses[len(masses) // 2][0]
    far = heapq.nlargest(_MOST, masses, key=lambda entry: abs(log(entry[0] / median)))
    return [{"mass": mass, "median": median, "path": path} for mass, path in far if abs(log(mass / median)) > log(100)]
