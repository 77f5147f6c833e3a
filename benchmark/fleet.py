"""Batches: descriptions a second, and memory of the process that writes the tables, beside a bare multiprocessing loop
over the same function.

    python -m benchmark.fleet --count 10000 --engines loky dask ray
    python -m benchmark.fleet --count 100000 --count-bare 30000 --engines loky dask ray        # the figures of the docs

The descriptions are the corpus's valid ones, with another name each, in one Parquet column. Each way is a command of
its own, measured from its start to its end. `first` and `last` are the first and the last tenth of the tables' parts:
descriptions a second, and processor time of all processes for a description. The processor times are equal if a
description costs as much in a long run as in a short one; the rates differ also if the machine has other work.
"""
from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import psutil
import pyarrow as pa
from pyarrow import parquet

import sdf_frames as sf
from benchmark.models import CORPUS
from sdf_frames.batch.run import ENGINES
from sdf_frames.batch.sources import Item, list_items
from sdf_frames.batch.work import Task, do_work

_NAME = re.compile(r"<(model|robot|world) name=(['\"])")
_LOOK_SECONDS = 0.25


def read_valid() -> list[str]:
    """Texts of the corpus's valid descriptions without includes, whose files are not beside a table."""
    texts = []
    for path in sorted(Path(CORPUS).rglob("*")):
        if path.suffix in (".urdf", ".sdf", ".world"):
            text = path.read_text(encoding="utf-8", errors="replace")
            if "<include" not in text and sf.loads(text).valid:
                texts.append(text)
    return texts


def write_table(path: str, texts: list[str], count: int) -> None:
    """A table of `count` variations."""
    with parquet.ParquetWriter(path, pa.schema([("text", pa.string())]), compression="zstd") as writer:
        for first in range(0, count, 1000):
            rows = [_NAME.sub(rf"<\1 name=\2v{i}_", texts[i % len(texts)], count=1)
                    for i in range(first, min(first + 1000, count))]
            writer.write_table(pa.table({"text": rows}))


def work_bare(item: Item) -> str:
    """What the bare loop does with a description."""
    outcome = do_work(item, Task())
    return "" if outcome is None else outcome.row["verdict"]


def run_bare(table: str, jobs: int, count: int) -> None:
    """The bare loop over the first descriptions of a table."""
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        for _ in pool.imap_unordered(work_bare, islice(list_items([f"{table}:text"]), count), chunksize=50):
            pass


class Measured(NamedTuple):
    """A command: seconds from start to end; its peaks of memory (MB), and the clock with the processor seconds of it
    and all below it until then, at each look."""

    seconds: float
    peaks: list[float]
    looks: list[tuple[float, float]]


def measure(*command: str) -> Measured:
    """Run a module of Python and look at its processes now and then.

    Raises
    ------
    RuntimeError
        It failed.
    """
    start = time.perf_counter()
    process = psutil.Popen([sys.executable, "-m", *command], stdout=subprocess.DEVNULL)
    spent: dict[int, float] = {}
    peaks: list[float] = []
    looks: list[tuple[float, float]] = []
    while process.poll() is None:
        with suppress(psutil.NoSuchProcess, OSError, StopIteration):
            status = Path(f"/proc/{process.pid}/status").read_text().splitlines()
            peaks.append(next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) * 1024 / 1e6)
            for each in (process, *process.children(recursive=True)):
                with suppress(psutil.NoSuchProcess):
                    spent[each.pid] = sum(each.cpu_times()[:2])
        looks.append((time.time(), sum(spent.values())))
        time.sleep(_LOOK_SECONDS)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)}: exit status {process.returncode}")
    return Measured(time.perf_counter() - start, peaks, looks)


def read_tenths(output: str, looks: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Rows a second, and milliseconds of processor time a row, in the first and the last tenth of a table's parts.

    The first part is the beginning of time.
    """
    parts = sorted(Path(output, "results").glob("part-*.parquet"))
    if len(parts) < 3:
        return [(float("nan"), float("nan"))] * 2
    ends = np.array([path.stat().st_mtime for path in parts])
    spent = np.interp(ends, *zip(*looks))
    rows = np.cumsum([parquet.read_metadata(path).num_rows for path in parts])
    some = max(1, len(parts) // 10)
    tenths = [(some, 0), (-1, -1 - some)]
    return [((rows[b] - rows[a]) / (ends[b] - ends[a]), 1e3 * (spent[b] - spent[a]) / (rows[b] - rows[a]))
            for b, a in tenths]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--count-bare", type=int, help="how many of them the bare loop works on (default: all)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--engines", choices=ENGINES, nargs="+", default=["loky"])
    parser.add_argument("--bare", metavar="TABLE", help=argparse.SUPPRESS)
    args = parser.parse_args()
    fewer = min(args.count, args.count_bare or args.count)
    if args.bare:
        run_bare(args.bare, args.jobs, fewer)
        return
    with tempfile.TemporaryDirectory() as folder:
        table = os.path.join(folder, "fleet.parquet")
        write_table(table, read_valid(), args.count)
        print(f"{args.count} descriptions ({fewer} in the bare loop), {args.jobs} workers\n")
        print_row("", "files/s", "of the bare loop", "processor time, ms", "memory until a tenth, MB", "until half",
                  "until the end", "first, files/s", "first, ms", "last, files/s", "last, ms")
        print_row(*["---"] * 11)
        bare = measure("benchmark.fleet", "--bare", table, "--jobs", str(args.jobs), "--count", str(fewer))
        print_row("bare multiprocessing", *describe(bare, fewer, fewer / bare.seconds), *[""] * 4)
        for engine in args.engines:
            output = os.path.join(folder, engine)
            ours = measure("sdf_frames", "batch", "check", f"{table}:text", "--to", output, "--jobs", str(args.jobs),
                           "--engine", engine)
            print_row(engine, *describe(ours, args.count, fewer / bare.seconds),
                      *(cell for rate, ms in read_tenths(output, ours.looks) for cell in (f"{rate:.0f}", f"{ms:.2f}")))


def describe(measured: Measured, count: int, bare: float) -> list[str]:
    """Cells: the rate, what it is of that of the bare loop, processor time for each, and memory."""
    rate, peaks = count / measured.seconds, measured.peaks
    return [f"{rate:.0f}", f"{rate / bare:.0%}", f"{1e3 * measured.looks[-1][1] / count:.2f}",
            *(f"{peak:.0f}" for peak in (peaks[len(peaks) // 10], peaks[len(peaks) // 2], peaks[-1]))]


def print_row(*cells: str) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
