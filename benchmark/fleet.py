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


def run_bare(table: str, jobs: int) -> None:
    """The bare loop."""
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        for _ in pool.imap_unordered(work_bare, list_items([f"{table}:text"]), chunksize=50):
            pass


class Measured(NamedTuple):
    """A command: seconds from start to end; the peak of its own memory (MB) until a tenth of the time, half of it, and
    the end; and the clock with the processor seconds of it and all below it until then, at each look."""

    seconds: float
    peaks: tuple[float, float, float]
    looks: list[tuple[float, float]]


def measure(command: list[str]) -> Measured:
    """Run a command of Python and look at its processes now and then.

    Raises
    ------
    RuntimeError
        It failed.
    """
    start = time.perf_counter()
    process = psutil.Popen([sys.executable, *command], stdout=subprocess.DEVNULL)
    spent: dict[int, float] = {}
    peaks: list[float] = []
    looks: list[tuple[float, float]] = []
    while process.poll() is None:
        with suppress(psutil.NoSuchProcess, OSError):
            peaks.append(_read_peak(process.pid))
        for each in (process, *_find_below(process)):
            with suppress(psutil.NoSuchProcess):
                spent[each.pid] = sum(each.cpu_times()[:2])
        looks.append((time.time(), sum(spent.values())))
        time.sleep(_LOOK_SECONDS)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)}: exit status {process.returncode}")
    some = (peaks[len(peaks) // 10], peaks[len(peaks) // 2], peaks[-1])
    return Measured(time.perf_counter() - start, some, looks)


def _find_below(process: psutil.Process) -> list[psutil.Process]:
    with suppress(psutil.NoSuchProcess):
        return process.children(recursive=True)
    return []


def _read_peak(pid: int) -> float:
    """Peak of resident memory of a process in MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024 / 1e6
    raise OSError(pid)


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
    parser.add_argument("--table", help="where the table is, or is put, for another run")
    parser.add_argument("--bare", metavar="TABLE", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.bare:
        run_bare(args.bare, args.jobs)
        return
    with tempfile.TemporaryDirectory() as folder:
        table = args.table or os.path.join(folder, "fleet.parquet")
        texts = [] if os.path.exists(table) else read_valid()
        if texts:
            write_table(table, texts, args.count)
        compare(table, folder, args.count_bare, args.jobs, args.engines)


_HEADS = ("", "files/s", "of the bare loop", "processor time, ms", "first, files/s", "first, ms", "last, files/s",
          "last, ms", "memory until a tenth, MB", "until half", "until the end")


def compare(table: str, folder: str, count_bare: int | None, jobs: int, engines: list[str]) -> None:
    """Print a row for the bare loop, on the first descriptions of the table, and one for each engine, on all."""
    count = parquet.read_metadata(table).num_rows
    fewer = min(count, count_bare or count)
    few = os.path.join(folder, "fewer.parquet")
    write_head(table, few, fewer)
    print(f"{count} descriptions ({fewer} in the bare loop), {jobs} workers\n")
    _print_row(*_HEADS)
    _print_row(*["---"] * len(_HEADS))
    bare = measure(["-m", "benchmark.fleet", "--bare", few, "--jobs", str(jobs)])
    _print_row("bare multiprocessing", *_describe(bare, fewer, fewer / bare.seconds), *[""] * 4,
               *(f"{peak:.0f}" for peak in bare.peaks))
    for engine in engines:
        output = os.path.join(folder, engine)
        ours = measure(["-m", "sdf_frames", "batch", "check", f"{table}:text", "--to", output, "--jobs", str(jobs),
                        "--engine", engine])
        tenths = [cell for rate, spent in read_tenths(output, ours.looks) for cell in (f"{rate:.0f}", f"{spent:.2f}")]
        _print_row(engine, *_describe(ours, count, fewer / bare.seconds), *tenths,
                   *(f"{peak:.0f}" for peak in ours.peaks))


def _describe(measured: Measured, count: int, bare: float) -> tuple[str, str, str]:
    rate = count / measured.seconds
    return f"{rate:.0f}", f"{rate / bare:.0%}", f"{1e3 * measured.looks[-1][1] / count:.2f}"


def _print_row(*cells: str) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


def write_head(table: str, path: str, count: int) -> None:
    """The first rows of a table as another table."""
    source = parquet.ParquetFile(table)
    with parquet.ParquetWriter(path, source.schema_arrow, compression="zstd") as writer:
        for batch in source.iter_batches(1000):
            writer.write_batch(batch.slice(0, count))
            if (count := count - len(batch)) <= 0:
                return


if __name__ == "__main__":
    main()
