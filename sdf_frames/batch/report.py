"""The tables of a batch as one HTML page that needs nothing else."""
from __future__ import annotations

import heapq
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from math import isfinite, log
from typing import Any

from sdf_frames.batch.tables import list_parts, name_folders, read_rows
from sdf_frames.batch.work import VALID
from sdf_frames.diagnostics.plural import count_of

#: Rows of a list of the page.
_MOST = 20
_STYLE = """body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:70em;padding:0 1em;color:#222}
table{border-collapse:collapse;width:100%;margin:.5em 0 2em}
td,th{padding:.25em .6em;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
h2{margin-top:1.5em}code{font-size:.92em}.bar{background:#3b82c4;height:.7em;display:inline-block}
.valid{color:#187a2f}.bad{color:#b42318}"""


@dataclass(slots=True)
class _Figures:
    """What a page says of a run, gathered in one pass."""

    verdicts: dict[str, str] = field(default_factory=dict)  # by path
    codes: Counter[str] = field(default_factory=Counter)
    slowest: list[tuple[float, str]] = field(default_factory=list)
    biggest: list[tuple[int, str]] = field(default_factory=list)
    masses: list[tuple[float, str]] = field(default_factory=list)
    lost: list[tuple[str, str]] = field(default_factory=list)
    seconds: float = 0.0


def render_report(results: str, baseline: str | None = None) -> str:
    """Render the results of a batch.

    Parameters
    ----------
    results, baseline : what ``--to`` was given: a folder, or a name that ends with ``.parquet``.

    Raises
    ------
    FileNotFoundError
        There are no results.
    """
    figures = _gather(results)
    parts = [_render_verdicts(figures), _render_codes(figures, results)]
    if baseline is not None:
        parts.append(_render_trend(figures, _gather(baseline)))
    parts += [_render_list("Lost", "files that have no result", ("file", "reason"), figures.lost),
              _render_list("Slowest", "seconds of each file", ("file", "seconds"),
                           [(path, f"{seconds:.3g}") for seconds, path in sorted(figures.slowest, reverse=True)]),
              _render_list("Biggest", "links and joints of each file", ("file", "links and joints"),
                           [(path, str(count)) for count, path in sorted(figures.biggest, reverse=True)]),
              _render_list("Outliers by mass", "at least 100 times more or less than the median", ("file", "kg"),
                           _find_outliers(figures))]
    title = escape(os.path.basename(results.rstrip("/")) or results)
    return (f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
            f"<h1>{title}</h1>{''.join(parts)}</html>\n")


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
    if row["reason"]:
        figures.lost.append((path, f"{row['verdict']}: {row['reason']}"))
        del figures.lost[_MOST:]
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


def _render_verdicts(figures: _Figures) -> str:
    total = len(figures.verdicts)
    rows = []
    for verdict, count in Counter(figures.verdicts.values()).most_common():
        look, share = "valid" if verdict == VALID else "bad", count / total
        rows.append(f'<tr><td class="{look}">{escape(verdict)}</td><td class="n">{count}</td>'
                    f'<td class="n">{100 * share:.1f} %</td>'
                    f'<td><span class="bar" style="width:{20 * share:.2f}em"></span></td></tr>')
    heads = '<tr><th>verdict</th><th class="n">files</th><th class="n">share</th><th></th></tr>'
    return (f"<p>{count_of(total, 'file')}, {figures.seconds:.0f} s of work.</p>"
            f"<h2>Verdicts</h2><table>{heads}{''.join(rows)}</table>")


def _render_codes(figures: _Figures, results: str) -> str:
    """Diagnostics by count, each with the first finding as an example."""
    wanted = {code for code, _ in figures.codes.most_common(_MOST)}
    examples: dict[str, dict[str, Any]] = {}
    _, folder = name_folders(results)
    for finding in read_rows(folder, ["path", "code", "name", "severity", "message", "line"]):
        if finding["code"] in wanted:
            examples.setdefault(finding["code"], finding)
            if len(examples) == len(wanted):
                break
    rows = []
    for code, count in figures.codes.most_common(_MOST):
        example = examples.get(code, {})
        where = f"{example.get('path', '')}:{example.get('line') or ''}".rstrip(":")
        rows.append(f'<tr><td><code>{escape(code)}</code> {escape(example.get("name") or "")}</td>'
                    f'<td>{example.get("severity") or ""}</td><td class="n">{count}</td>'
                    f'<td>{escape(example.get("message") or "")}<br><code>{escape(where)}</code></td></tr>')
    heads = '<tr><th>code</th><th>severity</th><th class="n">count</th><th>example</th></tr>'
    return f"<h2>Diagnostics</h2><table>{heads}{''.join(rows)}</table>"


def _render_trend(now: _Figures, before: _Figures) -> str:
    """What changed since an earlier run: verdicts by file, and diagnostics by count."""
    verdicts = Counter((before.verdicts.get(path, "new"), verdict) for path, verdict in now.verdicts.items())
    verdicts.update((verdict, "gone") for path, verdict in before.verdicts.items() if path not in now.verdicts)
    rows = [(f"{old} → {new}", f"{count}") for (old, new), count in verdicts.most_common() if old != new]
    changed = {code: now.codes[code] - before.codes[code] for code in now.codes | before.codes}
    largest = sorted(changed.items(), key=lambda entry: -abs(entry[1]))[:_MOST]
    rows += [(code, f"{change:+d}") for code, change in largest if change]
    return _render_list("Since the earlier run", "files whose verdict changed, and diagnostics by count",
                        ("what", "change"), rows or [("nothing", "0")])


def _find_outliers(figures: _Figures) -> list[tuple[str, str]]:
    """Files whose mass is farthest from the median, at least a factor of 100."""
    if len(figures.masses) < 3:
        return []
    masses = sorted(figures.masses)
    median = masses[len(masses) // 2][0]
    far = heapq.nlargest(_MOST, masses, key=lambda entry: abs(log(entry[0] / median)))
    return [(path, f"{mass:.4g} (median {median:.4g})") for mass, path in far if abs(log(mass / median)) > log(100)]


def _render_list(title: str, what: str, heads: tuple[str, str], rows: list[tuple[str, str]]) -> str:
    if not rows:
        return ""
    cells = "".join(f'<tr><td><code>{escape(left)}</code></td><td class="n">{escape(right)}</td></tr>'
                    for left, right in rows)
    head = f'<tr><th>{heads[0]}</th><th class="n">{heads[1]}</th></tr>'
    return f"<h2>{title}</h2><p>{what}</p><table>{head}{cells}</table>"
