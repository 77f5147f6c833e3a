"""URDF to SDF: ours and libsdformat's text to text, beside the bare lxml floor; robots, generated families, whole
processes."""
from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmark import libsdformat
from benchmark.growth import measure_growth, write_sizes
from benchmark.models import URDF_FAMILIES, find_robots
from benchmark.turns import Side, take_turns, time_processes, worker


def measure_conversion(case: str, path: Path, turns: int, patience: float, *, theirs: bool) -> dict:
    """One file: CPU milliseconds (medians), memory on top of start-up in MiB, ratios."""
    ours, floor = worker("convert", str(path), "convert"), worker("lxml", str(path), "floor", name="lxml")
    sides = [ours]
    program = libsdformat.compile_program("libsdformat_convert") if theirs else None
    cpp = Side("libsdformat", [program, str(path)], ("convert", "reread")) if program else None
    sides += [s for s in (cpp, floor) if s]
    take_turns(sides, turns, patience)
    row = {"case": case, "bytes": path.stat().st_size, "links": path.read_bytes().count(b"<link "),
           "ours_ms": ours.median_ms("convert"), "lxml_ms": floor.median_ms("floor"), "ours_mib": ours.held_mib}
    if cpp and (whole := cpp.median_ms("convert")) is not None:
        reread = cpp.median_ms("reread")
        row |= {"libsdformat_ms": whole, "libsdformat_mib": cpp.held_mib,
                # What is left after the cost of reading and printing the same SDF: an estimate of converting alone.
                "libsdformat_alone_ms": None if reread is None else max(whole - reread, 0.0)}
    problems = [f"{s.name} {s.problem}" for s in sides if s.problem]
    return row | ({"problem": "; ".join(problems)} if problems else {})


def measure_robots(turns: int, patience: float) -> Iterator[dict]:
    for name, path in find_robots().items():
        yield measure_conversion(name, path, turns, patience, theirs=True)


def measure_families(folder: Path, sizes: list[int], turns: int, patience: float) -> Iterator[dict]:
    """Each family at each size; libsdformat only where it can be expected to end in time."""
    for family, generate in URDF_FAMILIES.items():
        paths = write_sizes(folder, family, generate, sizes, "urdf")
        growth = measure_growth(paths, "convert", ("convert",), turns, patience)
        expected = 0.0
        for n, path in paths.items():
            row = measure_conversion(f"{family}, {n}", path, turns, patience, theirs=expected < patience)
            yield {"family": family, "n": n, "growth": growth.get(n), **row}
            path.unlink()
            # Ten times the links have cost it up to 250 times the time.
            expected = row.get("libsdformat_ms", 1e9) / 1e3 * 250


def measure_processes(folder: Path, turns: int) -> Iterator[dict]:
    """Whole processes on a robot of 10 links, and what they cannot be faster than."""
    path = folder / "ten_links.urdf"
    path.write_text(URDF_FAMILIES["chain, alternating"](10))
    commands = {"python -m sdf_frames convert": [sys.executable, "-m", "sdf_frames", "convert", str(path)],
                "python, importing lxml": [sys.executable, "-c", "import lxml.etree"],
                "python, nothing": [sys.executable, "-c", "pass"]}
    if program := libsdformat.compile_program("libsdformat_convert"):
        commands["C++ program"] = [program, "--once", str(path)]
    for tool in ("ign", "gz"):
        if shutil.which(tool):
            commands[f"{tool} sdf -p"] = [tool, "sdf", "-p", str(path)]
    for name, taken in time_processes(commands, turns).items():
        yield {"case": name, **taken}
