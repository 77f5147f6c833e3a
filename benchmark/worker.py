"""One side of a comparison, in a separate process: runs its work on request.

    python -m benchmark.worker KIND [FILE]

answers each line on standard input by one JSON line with CPU milliseconds: ``ready`` does nothing, any other word runs
the work of that name, on another file if one is named behind the word. libsdformat_worker.cc has the same protocol.
"""
from __future__ import annotations

import gc
import json
import sys
import time
from pathlib import Path

SMALL = (b'<robot name="r"><link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" '
         b'iyz="0"/></inertial></link></robot>')


class Ours:
    """The work of sdf_frames: URDF text to SDF text; any text to a checked model with graphs; graphs to poses."""

    def __init__(self, file: str):
        from sdf_frames.frames.forest import resolve_poses
        from sdf_frames.load import load_text, read_text
        from sdf_frames.writers.as_sdf import convert_to_sdf
        from sdf_frames.writers.written import render
        self.load_text, self.resolve = load_text, resolve_poses
        self.convert = lambda: render(convert_to_sdf(read_text(self.text)))[0]
        self.text, self.loaded = SMALL, None
        self.run_convert(), self.run_load(), self.run_resolve()
        self.text = Path(file).read_bytes() if file else SMALL

    def run_convert(self) -> bool:
        return self.convert() is not None

    def run_load(self) -> bool:
        self.loaded = None
        loaded = self.load_text(self.text)
        loaded.diagnostics
        self.loaded = loaded
        return loaded.valid

    def run_resolve(self) -> bool:
        return all(None not in self.resolve(graph.relative, graph.raw) for graph in self.loaded.graphs)


class Lxml:
    """The least possible work: text to tree to text."""

    def __init__(self, file: str):
        from lxml import etree
        self.text, self.etree = Path(file).read_bytes(), etree
        etree.tostring(etree.fromstring(SMALL))

    def run_convert(self) -> bool:
        # Only the files with 10,000 links reach libxml2's own limits.
        tree = self.etree.fromstring(self.text, self.etree.XMLParser(huge_tree=True))
        return bool(self.etree.tostring(tree))


def main(kind: str, file: str = "") -> None:
    work = {"ours": Ours, "lxml": Lxml}[kind](file)
    for line in sys.stdin:
        command, _, path = line.strip().partition(" ")
        if path:
            work.text = Path(path).read_bytes()
        gc.collect()
        start = time.process_time()
        good = command == "ready" or getattr(work, f"run_{command}")()
        print(json.dumps({"good": good, "run_ms": (time.process_time() - start) * 1e3}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
