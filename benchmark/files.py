"""Every file of the corpus: text to a checked model with all poses, ours and libsdformat's, turn by turn in one run."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmark import libsdformat
from benchmark.models import CORPUS, SDF_FAMILIES
from benchmark.turns import Side, worker

# Ours has every pose once it has loaded a file.
_OURS, _THEIRS = ("load",), ("load", "resolve")
PATIENCE = 10  # seconds; some files libsdformat never ends on


def measure_files(folder: Path, turns: int) -> Iterator[dict]:
    """A row for the URDFs, the SDFormat files and a generated world, of those that both load without errors.

    What files include is not looked up on either side: they are given as texts.
    """
    world = folder / "world_1000.sdf"
    world.write_text(SDF_FAMILIES["world of models"](1000))
    for case, paths in (("URDF", find_files(".urdf")), ("SDFormat", find_files(".sdf", ".world")),
                        ("world of 1,000 models", [world])):
        if paths and (row := measure_group(paths, turns)):
            yield {"case": case, **row}


def find_files(*suffixes: str) -> list[Path]:
    """Files of the corpus, each text once."""
    texts = {path.read_bytes(): path for path in sorted(CORPUS.rglob("*"), reverse=True) if path.suffix in suffixes}
    return sorted(texts.values())


def measure_group(paths: list[Path], turns: int) -> dict | None:
    """Sums over the files, of the medians of the turns, in CPU milliseconds; and the median of the files' ratios."""
    program = libsdformat.compile_program("libsdformat_frames")
    sides = [worker("frames")]
    if program:
        sides.append(Side("libsdformat", [program], ()))
    for side in sides:
        side.start()
    taken = [t for path in paths if (t := _measure_file(path, sides, turns)) is not None]
    for side in sides:
        side.stop()
    if not taken:
        return None
    row = {"files": len(taken), "ours_ms": sum(t[0] for t in taken), "ours_median_ms": median(t[0] for t in taken)}
    if program:
        row |= {"libsdformat_ms": sum(t[1] for t in taken), "ratio_median": median(t[1] / t[0] for t in taken)}
    return row


def _measure_file(path: Path, sides: list[Side], turns: int) -> list[float] | None:
    """Milliseconds of each side, the median of the turns after the first; None where one does not load it."""
    runs: list[list[float]] = [[] for _ in sides]
    for _ in range(turns + 1):
        for side, run in zip(sides, runs):
            spent = 0.0
            for word in _OURS if side is sides[0] else _THEIRS:
                answer = side.ask(f"load {path}" if word == "load" else word, PATIENCE)
                if answer is None:
                    side.restart()
                if answer is None or not answer["good"]:
                    return None
                spent += answer["run_ms"]
            run.append(spent)
    return [median(run[1:]) for run in runs]
