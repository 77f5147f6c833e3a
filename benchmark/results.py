"""What was measured: seconds of each side in each case, kept as pyperf keeps them."""
from __future__ import annotations

from pathlib import Path
from statistics import median

import pyperf

from benchmark.turns import Side

FOLDER = Path(__file__).resolve().parents[1] / "build" / "bench"


class Results:
    """Benchmarks by side; what is added is printed."""

    def __init__(self) -> None:
        self.sides: dict[str, list[pyperf.Benchmark]] = {}

    def add(self, side: str, case: str, seconds: list[float], mib: float | None = None) -> None:
        """Keep the runs of one side."""
        held = {} if mib is None else {"mem_max_rss": int(mib * 2**20)}
        run = pyperf.Run(seconds, metadata={"name": case, "unit": "second", **held}, collect_metadata=False)
        self.sides.setdefault(side, []).append(pyperf.Benchmark([run]))
        print(f"{case}: {side} {median(seconds) * 1e3:,.3g} ms{f', {mib:,.0f} MiB' if held else ''}", flush=True)

    def add_side(self, case: str, side: Side) -> float:
        """Keep what a side that took turns has measured; the median seconds of all its work."""
        whole = 0.0
        for word in side.work:
            if seconds := side.seconds(word):
                self.add(side.name, case if len(side.work) == 1 else f"{case}: {word}", seconds, side.held_mib)
                whole += median(seconds)
        if side.problem:
            print(f"{case}: {side.name} {side.problem}", flush=True)
        return whole

    def add_growth(self, family: str, sides: dict[int, Side]) -> None:
        """Say how much more each size costs than the size before, for ten times the size: the work that grows most."""
        sizes = list(sides)
        for m, n in zip(sizes, sizes[1:]):
            factors = [median(b / a for a, b in zip(sides[m].seconds(word), sides[n].seconds(word)))
                       for word in sides[n].work if sides[m].seconds(word) and sides[n].seconds(word)]
            # Below a few MiB the allocator's steps are all there is to see.
            small, large = sides[m].held_mib, sides[n].held_mib
            memory = f", {large / small * 10 * m / n:.1f} times the memory" if small > 4 else ""
            if factors:
                print(f"{family}, {m} to {n}: {max(factors) * 10 * m / n:.1f} times the time{memory} for ten times "
                      "the size", flush=True)

    def write(self) -> list[Path]:
        """Write a file for each side; ours is the first, as it takes the first turn."""
        FOLDER.mkdir(parents=True, exist_ok=True)
        for side, benchmarks in self.sides.items():
            pyperf.BenchmarkSuite(benchmarks).dump(str(FOLDER / f"{side}.json"), replace=True)
        return [FOLDER / f"{side}.json" for side in self.sides]
