"""Rows of figures as tables, how they grow with size, and how they compare with an earlier run."""
from __future__ import annotations

from collections.abc import Iterable

# What a row may hold: (key, title).
_COLUMNS = (
    ("bytes", "bytes"), ("links", "links"), ("frames", "frames"), ("files", "files"),
    ("ours_ms", "ours ms"), ("libsdformat_ms", "libsdf ms"), ("libsdformat_alone_ms", "its converter"),
    ("lxml_ms", "lxml ms"),
    ("ratio", "libsdf/ours"), ("ours_median_ms", "ours median"), ("ratio_median", "median ratio"),
    ("ratio_alone", "converter/ours"), ("floor", "ours/lxml"),
    ("ours_load_ms", "load ms"), ("libsdformat_load_ms", "libsdf load"), ("ratio_load", "ratio"),
    ("ours_resolve_ms", "resolve ms"), ("libsdformat_resolve_ms", "libsdf resolve"), ("ratio_resolve", "ratio"),
    ("wall_ms", "wall ms"), ("cpu_ms", "CPU ms"), ("ours_wall_ms", "ours wall ms"),
    ("libsdformat_wall_ms", "libsdf wall ms"),
    ("ratio_wall", "ratio"),
    ("ours_mib", "ours MiB"), ("libsdformat_mib", "libsdf MiB"), ("ours_peak_mib", "peak MiB"),
    ("growth", "growth"), ("growth_mib", "MiB growth"), ("growth_libsdformat", "libsdf growth"), ("problem", ""),
)


def add_ratios(rows: list[dict]) -> list[dict]:
    """Rows with theirs/ours, ours/lxml, and within a family libsdformat's time and our memory at each size over that of
    the size before, scaled to ten times the size (our own time is measured for that: :mod:`benchmark.growth`)."""
    before: dict[str, dict] = {}
    for row in rows:
        _divide(row, "ratio", "libsdformat_ms", "ours_ms")
        _divide(row, "ratio_alone", "libsdformat_alone_ms", "ours_ms")
        _divide(row, "floor", "ours_ms", "lxml_ms")
        for word in ("load", "resolve"):
            _divide(row, f"ratio_{word}", f"libsdformat_{word}_ms", f"ours_{word}_ms")
        _divide(row, "ratio_wall", "libsdformat_wall_ms", "ours_wall_ms")
        family = row.get("family")
        if family in before:
            _add_growth(row, before[family])
        if family:
            before[family] = row
    return rows


def _divide(row: dict, key: str, over: str, under: str) -> None:
    if row.get(over) is not None and row.get(under):
        row[key] = row[over] / row[under]


def _add_growth(row: dict, smaller: dict) -> None:
    scale = 10 / (row["n"] / smaller["n"])
    costs = [row[p] / smaller[p] for p in ("libsdformat_ms", "libsdformat_load_ms", "libsdformat_resolve_ms")
             if row.get(p) is not None and smaller.get(p)]
    if costs:
        row["growth_libsdformat"] = max(costs) * scale
    # Below a few MiB the allocator's steps are all there is to see.
    if smaller.get("ours_mib", 0) > 4:
        row["growth_mib"] = row["ours_mib"] / smaller["ours_mib"] * scale


def render(title: str, rows: list[dict]) -> str:
    """A table with those columns that the rows have."""
    columns = [(key, name) for key, name in _COLUMNS if any(row.get(key) is not None for row in rows)]
    table = [["case", *(name for _, name in columns)]]
    table += [[row["case"], *(_format(key, row.get(key)) for key, _ in columns)] for row in rows]
    widths = [max(map(len, column)) for column in zip(*table)]
    lines = ["  ".join([line[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(line[1:], widths[1:]))]).rstrip()
             for line in table]
    return "\n".join([title, "-" * len(title), *lines, ""])


def _format(key: str, value) -> str:
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"{value:,}"
    if key.startswith("ratio") or key == "floor":
        return f"{value:,.1f}x"
    return f"{value:,.{0 if value >= 1000 else 1 if value >= 10 else 2 if value >= 0.1 else 3}f}"


def judge(tables: dict[str, list[dict]]) -> list[tuple[str, str, bool]]:
    """The figures the project set itself, as (what, reached, whether)."""
    verdicts = []

    def ask(what: str, rows: Iterable[dict], key: str, good, pick) -> None:
        values = [(row[key], row["case"]) for row in rows if row.get(key) is not None]
        if values:
            value, case = pick(values)
            verdicts.append((what, f"{value:,.1f} ({case})", good(value)))

    robots = [r for r in tables.get("robots", []) if r["links"] >= 50]
    urdf, sdf, graphs = (tables.get(t, []) for t in ("urdf families", "sdf families", "graphs"))
    ask("robots of 50 links and more: libsdformat / ours at least 2", robots, "ratio", lambda v: v >= 2, min)
    ask("robots of 50 links and more: ours / lxml at most 10", robots, "floor", lambda v: v <= 10, max)
    ask("fixed chain of 1,000 links: libsdformat / ours at least 30",
        [r for r in urdf if r["family"] == "chain, all fixed" and r["n"] == 1000], "ratio", lambda v: v >= 30, min)
    chained = [r for r in sdf if r["family"] == "frames, chained" and r["n"] == 10000]
    ask("10,000 chained frames: load at least 100", chained, "ratio_load", lambda v: v >= 100, min)
    ask("10,000 chained frames: resolve at least 1,000", chained, "ratio_resolve", lambda v: v >= 1000, min)
    million = [r for r in graphs if r["n"] == 1_000_000]
    ask("a graph of 1,000,000: resolved in at most 1,000 ms", million, "ours_resolve_ms", lambda v: v < 1000, max)
    ask("a graph of 1,000,000: at most 1,024 MiB", million, "ours_peak_mib", lambda v: v < 1024, max)
    # Bare graphs have their own aim: a million rows outgrow the caches and the allocator's free lists, not the method.
    ask("ten times the size: at most 12 times the time", [*urdf, *sdf], "growth", lambda v: v <= 12, max)
    ask("ten times as many of one element, every command: at most 12 times the time", tables.get("repeated", []),
        "growth",
        lambda v: v <= 12, max)
    ask("ten times the size: at most 12 times the memory", [*urdf, *sdf, *graphs], "growth_mib", lambda v: v <= 12, max)
    ask("the corpus in one process: ign sdf -k / ours at least 3", tables.get("corpus", []), "ratio_wall",
        lambda v: v >= 3, min)
    return verdicts


def compare(tables: dict[str, list[dict]], base: dict[str, list[dict]], tolerance: float) -> list[str]:
    """What became slower or hungrier than in an earlier run by more than the factor 1 + `tolerance`.

    Compared are ratios to libsdformat and to the lxml floor, which hold between machines; times only where there is
    neither.
    """
    lines = []
    for name, rows in tables.items():
        old = {row["case"]: row for row in base.get(name, [])}
        for row in rows:
            before = old.get(row["case"])
            if before is None:
                continue
            for key, better in (("ratio", 1), ("floor", -1), ("ratio_load", 1), ("ratio_resolve", 1), ("ratio_wall", 1),
                                ("ours_mib", -1), ("ours_resolve_ms", -1)):
                if key == "ours_resolve_ms" and "ratio_resolve" in row:
                    continue
                if not row.get(key) or not before.get(key):
                    continue
                change = (row[key] / before[key]) ** -better
                if change > 1 + tolerance:
                    lines.append(f"{row['case']}: {dict(_COLUMNS)[key]} {key} {_format(key, before[key])} -> "
                                 f"{_format(key, row[key])} (worse by {100 * (change - 1):.0f} %)")
    return lines
