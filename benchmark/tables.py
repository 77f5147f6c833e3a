"""Measures robots, generated families, the corpus and whole processes, beside libsdformat and lxml."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmark import libsdformat
from benchmark.models import CORPUS, DEEP_SIZES, SDF_FAMILIES, URDF_FAMILIES, find_robots
from benchmark.results import Results
from benchmark.turns import ROOT, Side, take_turns, worker

FILE_PATIENCE = 10  # seconds; libsdformat never ends on some files


class Effort(NamedTuple):
    """The folder for files, and the time to measure."""

    folder: Path
    turns: int
    quick: bool

    @property
    def patience(self) -> float:
        """Seconds after which a case takes no further turn, and beyond which libsdformat does not start on one."""
        return 10 if self.quick else 100


def list_work(path: Path) -> tuple[str, ...]:
    """Return the measured steps of a file: converting a URDF, or loading an SDFormat file and resolving its poses."""
    return ("convert",) if path.suffix == ".urdf" else ("load", "resolve")


def measure_case(case: str, path: Path, effort: Effort, results: Results, theirs: bool = True) -> float:
    """Measure one file on all sides; return the seconds of libsdformat."""
    work = list_work(path)
    sides = [worker("ours", str(path), *work)]
    program = libsdformat.compile_program("libsdformat_worker") if theirs else None
    if program:
        sides.append(Side("libsdformat", [program, str(path)], *work))
    if path.suffix == ".urdf":
        sides.append(worker("lxml", str(path), *work))
    take_turns(sides, effort.turns, effort.patience)
    taken = {side.name: results.add_side(case, side) for side in sides}
    return taken.get("libsdformat") or 1e6


def measure_robots(effort: Effort, results: Results) -> None:
    for name, path in find_robots().items():
        measure_case(name, path, effort, results)


def measure_families(effort: Effort, results: Results) -> None:
    """Measure each family at each size; libsdformat only if it probably ends in time."""
    sizes = [10, 100, 1000] if effort.quick else [10, 100, 1000, 10_000]
    for family, generate in {**URDF_FAMILIES, **SDF_FAMILIES}.items():
        path = effort.folder / ("family.urdf" if family in URDF_FAMILIES else "family.sdf")
        expected = 0.0
        for n in DEEP_SIZES.get(family, sizes):
            path.write_text(generate(n))
            # With ten times as many links, it took up to 250 times as long.
            expected = 250 * measure_case(f"{family}, {n}", path, effort, results, expected < effort.patience)


def measure_files(effort: Effort, results: Results) -> None:
    """Every file of the corpus that both sides load without errors, and a generated world: text to all poses.

    What files include is not looked up on either side: they are given as texts.
    """
    world = effort.folder / "world_1000.sdf"
    world.write_text(SDF_FAMILIES["world of models"](1000))
    program = libsdformat.compile_program("libsdformat_worker")
    for case, paths in (("URDF", _find_files(".urdf")), ("SDFormat", _find_files(".sdf", ".world")),
                        ("world of 1,000 models", [world])):
        # Ours has every pose once it has loaded a file.
        sides = [worker("ours", "", "load"), *([Side("libsdformat", [program], "load", "resolve")] if program else [])]
        taken = [t for path in paths if (t := _measure_file(path, sides, effort.turns)) is not None]
        for i, side in enumerate(sides):
            side.stop()
            if taken:
                results.add(side.name, f"{case}, sum of {len(taken)} files", [sum(turn) for turn in zip(
                    *(t[i] for t in taken))])
        if taken and program:
            ratios = [median(theirs) / median(ours) for ours, theirs in taken]
            print(f"{case}: median of the ratios of libsdformat's time to ours {median(ratios):.2f}")


def _find_files(*suffixes: str) -> list[Path]:
    """Return the files of the corpus, each text once."""
    texts = {path.read_bytes(): path for path in sorted(CORPUS.rglob("*"), reverse=True) if path.suffix in suffixes}
    return sorted(texts.values())


def _measure_file(path: Path, sides: list[Side], turns: int) -> list[list[float]] | None:
    """Return the seconds of each side in the turns after the first; None if one side does not load the file."""
    runs: list[list[float]] = [[] for _ in sides]
    for _ in range(turns + 1):
        for side, run in zip(sides, runs):
            taken = [side.ask(f"load {path}" if word == "load" else word, FILE_PATIENCE) for word in side.work]
            if side.ended:
                side.stop()
                side.start()
            if None in taken:
                return None
            run.append(sum(taken))
    return [run[1:] for run in runs]


def measure_processes(effort: Effort, results: Results) -> None:
    """Measure whole processes on a robot of 10 links, one that only imports lxml, and `check` of the whole corpus."""
    path = effort.folder / "ten_links.urdf"
    path.write_text(URDF_FAMILIES["chain, alternating"](10))
    program = libsdformat.compile_program("libsdformat_worker")
    tool = shutil.which("ign") or shutil.which("gz")
    commands = {"ours": [sys.executable, "-m", "sdf_frames", "convert", str(path)],
                "lxml": [sys.executable, "-c", "import lxml.etree"],
                **({"libsdformat": [program, str(path)]} if program else {}),
                **({"ign": [tool, "sdf", "-p", str(path)]} if tool else {})}
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(effort.turns):
        for name, command in commands.items():
            taken[name].append(_spend([command], dict(os.environ)))
    for name, seconds in taken.items():
        results.add(name, "a process that converts a robot of 10 links", seconds)
    files = [str(p) for p in sorted(CORPUS.rglob("*")) if p.suffix in (".urdf", ".sdf", ".world")]
    files = files[::20 if effort.quick else 1]
    if not files:
        return
    roots = json.loads((ROOT / "test/records/roots.json").read_text())
    places = sorted({str(CORPUS / root) for found in roots.values() for root in found})
    environment = dict(os.environ, PYTHONPATH=str(ROOT), SDF_PATH=":".join(places))
    # It never ends on some files: timeout(1) ends it and its processes.
    commands = {"ours": [[sys.executable, "-m", "sdf_frames", "check", "--json", *files]],
                **({"ign": [["timeout", "-k", "1", "10", tool, "sdf", "-k", file] for file in files]} if tool else {})}
    for name, some in commands.items():
        results.add(name, f"check of {len(files)} files", [_spend(some, environment)])


def _spend(commands: list[list[str]], environment: dict[str, str]) -> float:
    """Return the seconds of processor time of commands, run one after the other without output."""
    before = os.times()
    for command in commands:
        subprocess.run(command, cwd=ROOT, env=environment, input=b"convert\n", stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


TABLES: dict[str, Callable[[Effort, Results], None]] = {
    "robots": measure_robots, "files": measure_files, "processes": measure_processes, "families": measure_families}
