"""Kill workers and whole runs of a batch at random moments, go on with --resume, and compare with a run left alone.

Each round kills three runs, then workers of a fourth one, and ends with a run that nothing disturbs.

    python -m benchmark.kills [TIMES [COUNT [JOBS]]]
"""
from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter

import psutil

from benchmark.fleet import read_valid, write_table
from sdf_frames.batch.tables import name_folders, read_rows

#: Columns that differ from run to run.
_VARYING = {"seconds", "memory_mb"}


def start(table: str, output: str, jobs: int) -> subprocess.Popen[bytes]:
    """The command, in a process group of its own."""
    command = [sys.executable, "-m", "sdf_frames", "batch", "check", f"{table}:text", "--to", output, "--jobs",
               str(jobs), "--resume"]
    return subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


def read_all(output: str) -> dict[str, dict[str, object]]:
    """The row of each description.

    Raises
    ------
    ValueError
        A description has more than one.
    """
    rows = [{name: value for name, value in row.items() if name not in _VARYING}
            for row in read_rows(name_folders(output)[0])]
    twice = [path for path, count in Counter(row["path"] for row in rows).items() if count > 1]
    if twice:
        raise ValueError(f"{len(twice)} descriptions have two rows, {twice[0]} first")
    return {str(row["path"]): row for row in rows}


def harm(process: subprocess.Popen[bytes], whole: bool, wait: float) -> bool:
    """Kill the run, or one process below it, after a while; False where it had ended."""
    time.sleep(wait)
    if process.poll() is not None:
        return False
    if whole:
        os.killpg(process.pid, signal.SIGKILL)
        return bool(process.wait())
    below = psutil.Process(process.pid).children(recursive=True)
    if below:
        random.choice(below).kill()
    return bool(below)


def main(times: int = 20, count: int = 3000, jobs: int = 2) -> None:
    with tempfile.TemporaryDirectory() as folder:
        table, calmly = os.path.join(folder, "fleet.parquet"), os.path.join(folder, "calm")
        write_table(table, read_valid(), count)
        begun = time.perf_counter()
        start(table, calmly, jobs).wait()
        longest, calm = time.perf_counter() - begun, read_all(calmly)
        wrong = runs = workers = 0
        for number in range(times):
            output = os.path.join(folder, f"harmed{number}")
            for _ in range(3):
                runs += harm(start(table, output, jobs), True, random.uniform(0, longest))
            process = start(table, output, jobs)
            while process.poll() is None:
                workers += harm(process, False, random.uniform(0.2, longest / 2))
            start(table, output, jobs).wait()  # a file whose process was killed on both tries gets another one
            wrong += read_all(output) != calm
        print(f"{count} descriptions, {times} times: {runs} runs and {workers} workers killed; "
              f"{wrong} results differ from those of a calm run")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
