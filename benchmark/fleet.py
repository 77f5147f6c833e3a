"""Batches: descriptions a second, and memory of the process that writes the tables, beside a bare multiprocessing loop
over the same function.

    python -m benchmark.fleet --count 10000 --engines loky dask ray
    python -m benchmark.fleet --count 100000 --count-bare 30000 --engines loky dask ray        # the figures of the docs

The descriptions are the corpus's valid ones, with another name each, in one Parquet column. Each way is a command of
its own, measured from its start to its end: descriptions a second, processor time of all processes for a description,
and the highest memory of the process that writes the tables. `first` and `last` are descriptions a second in the first
and the last tenth of the tables' parts; they differ also if the machine has other work.
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
    """Return the texts of valid descriptions of the corpus without includes: included files are not beside a table."""
    texts = []
    for path in sorted(Path(CORPUS).rglob("*")):
        if path.suffix in (".urdf", ".sdf", ".world"):
            text = path.read_text(encoding="utf-8", errors="replace")
            if "<include" not in text and sf.loads(text).valid:
                texts.append(text)
    return texts


def write_table(path: str, texts: list[str], count: int) -> None:
    """Write a table of `count` variations."""
    with parquet.ParquetWriter(path, pa.schema([("text", pa.string())]), compression="zstd") as writer:
        for first in range(0, count, 1000):
            rows = [_NAME.sub(rf"<\1 name=\2v{i}_", texts[i % len(texts)], count=1)
                    for i in range(first, min(first + 1000, count))]
            writer.write_table(pa.table({"text": rows}))


def work_bare(item: Item) -> str:
    """Do the work of the bare loop on a description."""
    outcome = do_work(item, Task())
    return "" if outcome is None else outcome.row["verdict"]


def run_bare(table: str, jobs: int, count: int) -> None:
    """Run the bare loop over the first descriptions of a table."""
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        for _ in pool.imap_unordered(work_bare, islice(list_items([f"{table}:text"]), count), chunksize=50):
            pass


def measure(name: str, count: int, *command: str) -> float:
    """Run a Python module, measure its processes, print the costs, and return descriptions per second."""
    start = time.perf_counter()
    process = psutil.Popen([sys.executable, "-m", *command], stdout=subprocess.DEVNULL)
    spent: dict[int, float] = {}
    memory = 0.0
    while process.poll() is None:
        with suppress(psutil.NoSuchProcess):
            memory = max(memory, process.memory_info().rss / 1e6)
            for each in (process, *process.children(recursive=True)):
                with suppress(psutil.NoSuchProcess):
                    spent[each.pid] = sum(each.cpu_times()[:2])
        time.sleep(_LOOK_SECONDS)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)}: exit status {process.returncode}")
    rate = count / (time.perf_counter() - start)
    print(f"{name}: {rate:.0f} a second, {1e3 * sum(spent.values()) / count:.2f} ms of processor time for each, "
          f"{memory:.0f} MB", flush=True)
    return rate


def read_rates(output: str) -> list[float]:
    """Return rows per second in the first and the last tenth of a table's parts; time starts with the first part."""
    parts = sorted(Path(output, "results").glob("part-*.parquet"))
    if len(parts) < 3:
        return [float("nan")] * 2
    ends = [path.stat().st_mtime for path in parts]
    rows = [parquet.read_metadata(path).num_rows for path in parts]
    some = max(1, len(parts) // 10)
    return [sum(rows[1:some + 1]) / (ends[some] - ends[0]), sum(rows[-some:]) / (ends[-1] - ends[-1 - some])]


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
        bare = measure("bare multiprocessing", fewer, "benchmark.fleet", "--bare", table, "--jobs", str(args.jobs),
                       "--count", str(fewer))
        for engine in args.engines:
            output = os.path.join(folder, engine)
            rate = measure(engine, args.count, "sdf_frames", "batch", "check", f"{table}:text", "--to", output,
                           "--jobs", str(args.jobs), "--engine", engine)
            first, last = read_rates(output)
            print(f"{rate / bare:.0%} of the bare loop; first {first:.0f}, last {last:.0f} a second", flush=True)


if __name__ == "__main__":
    main()
