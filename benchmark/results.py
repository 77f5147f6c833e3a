"""The measurements: seconds of each side in each case, in the format of pyperf."""
from __future__ import annotations

from pathlib import Path
from statistics import median

import pyperf

from benchmark.turns import Side

FOLDER = Path(__file__).resolve().parents[1] / "build" / "bench"


class Results:
    """Benchmarks by side; added results are printed."""

    def __init__(self) -> None:
        self.sides: dict[str, list[pyperf.Benchmark]] = {}

    def add(self, side: str, case: str, seconds: list[float], mib: float | None = None) -> None:
        """Store the runs of one side."""
        held = {} if mib is None else {"mem_max_rss": int(mib * 2**20)}
        run = pyperf.Run(seconds, metadata={"name": case, "unit": "second", **held}, collect_metadata=False)
        self.sides.setdefault(side, []).append(pyperf.Benchmark([run]))
        print(f"{case}: {side} {median(seconds) * 1e3:,.3g} ms{f', {mib:,.0f} MiB' if held else ''}", flush=True)

    def add_side(self, case: str, side: Side) -> float:
        """Store the measurements of a side that took turns; return the median seconds of all its work."""
        whole = 0.0
        for word in side.work:
            if seconds := side.seconds(word):
                self.add(side.name, case if len(side.work) == 1 else f"{case}: {word}", seconds, side.held_mib)
                whole += median(seconds)
        if side.problem:
            print(f"{case}: {side.name} {side.problem}", flush=True)
        return whole

    def write(self) -> list[Path]:
        """Write a file for each side; that of sdf_frames is the first, because it takes the first turn."""
        FOLDER.mkdir(parents=True, exist_ok=True)
        for side, benchmarks in self.sides.items():
            pyperf.BenchmarkSuite(benchmarks).dump(str(FOLDER / f"{side}.json"), replace=True)
        return [FOLDER / f"{side}.json" for side in self.sides]
