"""``sdf_frames check`` on all files of the corpus in one process, beside ``ign sdf -k`` file by file."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator

from benchmark.models import CORPUS
from benchmark.turns import ROOT

PATIENCE = 10  # seconds


def measure_corpus(every: int) -> Iterator[dict]:
    """Every `every`-th file of the corpus. Both sides look included models up in the same places."""
    files = sorted(p for p in CORPUS.rglob("*") if p.suffix in (".urdf", ".sdf", ".world"))[::every]
    if not files:
        return
    roots_file = CORPUS.parent / "golden" / "roots.json"
    roots = json.loads(roots_file.read_text()) if roots_file.exists() else {}
    paths = sorted({str(CORPUS / root) for found in roots.values() for root in found})
    environment = dict(os.environ, PYTHONPATH=str(ROOT), SDF_PATH=":".join(paths))
    command = [sys.executable, "-m", "sdf_frames", "check", "--json", *map(str, files)]
    row = {"case": f"check {len(files)} files", "files": len(files), **_time(command, environment, "ours")}
    tool = shutil.which("ign") or shutil.which("gz")
    if tool:
        start, cpu = time.perf_counter(), os.times()
        for file in files:
            # It never ends on some files: timeout(1) ends it and what it has started.
            subprocess.run(["timeout", "-k", "1", str(PATIENCE), tool, "sdf", "-k", str(file)], env=environment,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        row |= _spent("libsdformat", start, cpu)
    yield row


def _time(command: list[str], environment: dict, name: str) -> dict:
    start, cpu = time.perf_counter(), os.times()
    subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return _spent(name, start, cpu)


def _spent(name: str, start: float, before) -> dict:
    after = os.times()
    return {f"{name}_wall_ms": (time.perf_counter() - start) * 1e3,
            f"{name}_ms": (
                after.children_user + after.children_system - before.children_user - before.children_system) * 1e3}
