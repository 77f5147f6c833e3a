"""SDF: text to a checked model, its frames to poses; ours and libsdformat's."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmark import libsdformat
from benchmark.growth import compare_sizes, measure_growth, write_sizes
from benchmark.models import DEEP_SIZES, SDF_FAMILIES
from benchmark.turns import Side, take_turns, worker


def measure_loading(case: str, path: Path, turns: int, patience: float, *, theirs: bool) -> dict:
    """One file: load and resolve, CPU milliseconds (medians), memory on top of start-up in MiB."""
    ours = worker("frames", str(path), "load", "resolve")
    program = libsdformat.compile_program("libsdformat_frames") if theirs else None
    cpp = Side("libsdformat", [program, str(path)], ("load", "resolve")) if program else None
    sides = [ours, *([cpp] if cpp else [])]
    take_turns(sides, turns, patience)
    row = {"case": case, "bytes": path.stat().st_size, "ours_mib": ours.held_mib,
           "frames": next((s["frames"] for s in ours.samples.get("resolve", ())), None)}
    if cpp:
        row["libsdformat_mib"] = cpp.held_mib
    for word in ("load", "resolve"):
        for side in sides:
            if (taken := side.median_ms(word)) is not None:
                row[f"{side.name}_{word}_ms"] = taken
    problems = [f"{s.name} {s.problem}" for s in sides if s.problem]
    return row | ({"problem": "; ".join(problems)} if problems else {})


def measure_families(folder: Path, sizes: list[int], turns: int, patience: float) -> Iterator[dict]:
    for family, generate in SDF_FAMILIES.items():
        paths = write_sizes(folder, family, generate, DEEP_SIZES.get(family, sizes), "sdf")
        growth = measure_growth(paths, "frames", ("load", "resolve"), turns, patience)
        expected = 0.0
        for n, path in paths.items():
            row = measure_loading(f"{family}, {n}", path, turns, patience, theirs=expected < patience)
            yield {"family": family, "n": n, "growth": growth.get(n), **row}
            path.unlink()
            expected = (row.get("libsdformat_load_ms", 1e9) + row.get("libsdformat_resolve_ms", 0)) / 1e3 * 140


def measure_graphs(sizes: list[int], turns: int, patience: float) -> Iterator[dict]:
    """Bare arrays of parents and poses, no text: what resolving itself costs at sizes no file has."""
    for shape in ("chain", "star"):
        sides = {n: worker("graph", f"{shape}:{n}", "resolve") for n in sizes}
        take_turns(list(sides.values()), turns, patience)
        growth = compare_sizes(sides)
        for n, side in sides.items():
            row = {"family": f"graph, {shape}", "n": n, "case": f"graph, {shape}, {n}", "ours_mib": side.held_mib,
                   "growth": growth.get(n), "ours_resolve_ms": side.median_ms("resolve"),
                   "ours_peak_mib": side.peak_kib / 1024}
            yield row | ({"problem": f"{side.name} {side.problem}"} if side.problem else {})
