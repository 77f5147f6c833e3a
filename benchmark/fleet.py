"""Batches: files a second and memory of the parent, beside a bare multiprocessing loop over the same function.

    python -m benchmark.fleet --count 10000 --engine loky

The descriptions are the corpus's valid ones, with another name each, in one Parquet column.
"""
from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

import sdf_frames as sf
from benchmark.models import CORPUS
from sdf_frames.batch.engines import ENGINES
from sdf_frames.batch.run import run_batch
from sdf_frames.batch.sources import Item, list_items
from sdf_frames.batch.work import Task, do_work

_NAME = re.compile(r"<(model|robot|world) name=(['\"])")


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


def read_rss() -> float:
    """Resident memory of this process in MB."""
    with open("/proc/self/statm") as figures:
        return int(figures.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def measure(table: str, folder: str, jobs: int, engine: str, address: str | None) -> Iterator[tuple[str, float, float]]:
    """Name, files a second and the parent's peak of memory of each way."""
    sources = [f"{table}:text"]
    start = time.perf_counter()
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        count = sum(1 for _ in pool.imap_unordered(work_bare, list_items(sources), chunksize=50))
    yield "bare multiprocessing", count / (time.perf_counter() - start), read_rss()
    peak = 0.0

    def look(summary: object) -> None:
        nonlocal peak
        peak = max(peak, read_rss())

    start = time.perf_counter()
    summary = run_batch(list_items(sources), Task(), os.path.join(folder, engine), jobs=jobs, engine=engine,
                        address=address, report=look)
    yield f"batch, {engine}", summary.done / (time.perf_counter() - start), peak


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--engine", choices=ENGINES, default="loky")
    parser.add_argument("--address")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table = os.path.join(folder, "fleet.parquet")
        write_table(table, read_valid(), args.count)
        print(f"{args.count} descriptions, {args.jobs} workers")
        for name, rate, megabytes in measure(table, folder, args.jobs, args.engine, args.address):
            print(f"{name:24} {rate:8.0f} files/s   parent {megabytes:6.0f} MB")


if __name__ == "__main__":
    main()
