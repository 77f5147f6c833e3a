"""How cost grows with size: all sizes of a family take turns, so that a machine that gets faster or slower meanwhile
moves all of them."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from benchmark.turns import Side, grow, take_turns, worker


def write_sizes(folder: Path, family: str, generate: Callable[[int], str], sizes: list[int], suffix: str) -> dict[int,
        Path]:
    """One file a size."""
    paths = {n: folder / f"{family.replace(', ', '_').replace(' ', '_')}_{n}.{suffix}" for n in sizes}
    for n, path in paths.items():
        path.write_text(generate(n))
    return paths


def measure_growth(paths: dict[int, Path], kind: str, work: tuple[str, ...], turns: int, patience: float) -> dict[int,
        float]:
    """What each size costs over the size before, for ten times the size."""
    sides = {n: worker(kind, str(path), *work) for n, path in paths.items()}
    take_turns(list(sides.values()), turns, patience)
    return compare_sizes(sides)


def compare_sizes(sides: dict[int, Side]) -> dict[int, float]:
    """As :func:`measure_growth`, of sides that have taken their turns."""
    sizes = list(sides)
    factors = {n: (grow(sides[m], sides[n]), 10 / (n / m)) for m, n in zip(sizes, sizes[1:])}
    return {n: factor * scale for n, (factor, scale) in factors.items() if factor is not None}
